use crate::{ImageError, Pixels};
use handeye_core::{FramePx, Rect};

/// Side of the squares in which two pictures are compared.
pub const TILE: u32 = 16;

/// The tiles in which two pictures of one size differ, from the top left, row by row. A tile that touches a region of
/// `ignore` counts as equal. The last tile of a row or column is cut at the edge.
pub fn changed_tiles(a: &Pixels, b: &Pixels, ignore: &[Rect<FramePx>]) -> Result<Vec<Rect<FramePx>>, ImageError> {
    if (a.width(), a.height()) != (b.width(), b.height()) {
        return Err(ImageError::SizesDiffer(a.width(), a.height(), b.width(), b.height()));
    }
    let mut tiles = Vec::new();
    for top in (0..a.height()).step_by(TILE as usize) {
        let height = TILE.min(a.height() - top);
        // Most bands of tiles are equal: one comparison of whole rows settles all tiles in them.
        if a.run(0, top, a.width() * height) == b.run(0, top, a.width() * height) {
            continue;
        }
        for left in (0..a.width()).step_by(TILE as usize) {
            let width = TILE.min(a.width() - left);
            if (top..top + height).all(|y| a.run(left, y, width) == b.run(left, y, width)) {
                continue;
            }
            let tile = Rect::new(left.into(), top.into(), width.into(), height.into());
            if !ignore.iter().any(|region| region.intersection(&tile).is_some()) {
                tiles.push(tile);
            }
        }
    }
    Ok(tiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHITE: [u8; 4] = [255, 255, 255, 255];

    #[track_caller]
    fn check(dots: &[(u32, u32)], ignore: &[[f64; 4]], want: &[[f64; 4]]) {
        let before = Pixels::filled(40, 35, WHITE);
        let mut after = before.clone();
        for &(x, y) in dots {
            after.fill(x, y, 1, 1, [0, 0, 0, 255]);
        }
        let ignore: Vec<_> = ignore.iter().map(|&r| Rect::from(r)).collect();
        let tiles = changed_tiles(&before, &after, &ignore).expect("one size");
        assert_eq!(tiles.iter().map(|&r| r.into()).collect::<Vec<[f64; 4]>>(), want);
    }

    #[test]
    fn differing_tiles_are_listed_and_ignored_regions_left_out() {
        check(&[], &[], &[]);
        check(&[(0, 0), (15, 15)], &[], &[[0.0, 0.0, 16.0, 16.0]]);
        check(&[(16, 0), (39, 34)], &[], &[[16.0, 0.0, 16.0, 16.0], [32.0, 32.0, 8.0, 3.0]]);
        check(&[(16, 0), (39, 34)], &[[30.0, 30.0, 10.0, 10.0]], &[[16.0, 0.0, 16.0, 16.0]]);
        check(&[(16, 0)], &[[16.0, 0.0, 16.0, 16.0]], &[]);
        // A region that only touches the edge of a tile does not hide it.
        check(&[(16, 0)], &[[0.0, 0.0, 16.0, 16.0]], &[[16.0, 0.0, 16.0, 16.0]]);
    }

    #[test]
    fn pictures_of_different_sizes_are_an_error() {
        let (a, b) = (Pixels::filled(4, 4, WHITE), Pixels::filled(4, 5, WHITE));
        assert_eq!(changed_tiles(&a, &b, &[]), Err(ImageError::SizesDiffer(4, 4, 4, 5)));
    }
}
