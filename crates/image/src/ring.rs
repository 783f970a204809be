use crate::Pixels;

const MAGENTA: [u8; 4] = [255, 0, 200, 255];
const WHITE: [u8; 4] = [255, 255, 255, 255];
/// From the point to the inner edge of the ring, in pixels: what is at the point stays as it is.
const FREE: f64 = 11.0;
/// Of each of the three bands of the ring: white, magenta, white. So it is seen on any ground.
const BAND: f64 = 2.0;

impl Pixels {
    /// Draws a ring around a point. What of it lies outside the picture is left out.
    pub fn ring(&mut self, x: f64, y: f64) {
        let outer = FREE + 3.0 * BAND;
        let span = |at: f64, side: u32| {
            let edge = |v: f64| v.clamp(0.0, f64::from(side)) as u32;
            edge((at - outer).floor())..edge((at + outer).ceil() + 1.0)
        };
        for row in span(y, self.height()) {
            for column in span(x, self.width()) {
                // The middle of the pixel.
                let far = (f64::from(column) + 0.5 - x).hypot(f64::from(row) + 0.5 - y) - FREE;
                if (0.0..3.0 * BAND).contains(&far) {
                    let colour = if (BAND..2.0 * BAND).contains(&far) { MAGENTA } else { WHITE };
                    self.fill(column, row, 1, 1, colour);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(pixels: &Pixels, x: u32, y: u32) -> [u8; 4] {
        let start = (y * pixels.width() + x) as usize * 4;
        pixels.rgba()[start..start + 4].try_into().expect("a pixel")
    }

    #[test]
    fn a_ring_leaves_what_is_in_it_and_is_cut_at_the_edge() {
        let grey = [90, 90, 90, 255];
        let mut pixels = Pixels::filled(100, 60, grey);
        pixels.ring(50.0, 30.0);
        assert_eq!([at(&pixels, 50, 30), at(&pixels, 58, 30), at(&pixels, 70, 30)], [grey; 3]);
        assert_eq!([at(&pixels, 62, 30), at(&pixels, 64, 30), at(&pixels, 66, 30)], [WHITE, MAGENTA, WHITE]);
        let before = pixels.clone();
        for (x, y) in [(-500.0, 10.0), (0.0, 0.0), (99.0, 59.0), (f64::NAN, 5.0), (1e12, 1e12)] {
            pixels.ring(x, y);
        }
        assert_eq!(at(&pixels, 14, 0), MAGENTA);
        assert_ne!(pixels, before);
    }
}
