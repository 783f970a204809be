//! Pictures that a goal or a question speaks of.

use handeye_agent::settings::Reference;
use handeye_core::text::clip;

/// Pictures of one run at most: each is sent with every request.
pub const MOST: usize = 10;
/// Bytes of one at most; providers take no larger ones.
pub const MOST_BYTES: u64 = 5 << 20;
/// Pixels of its longer side at most.
const LONGEST_SIDE: f64 = 8000.0;
const LONGEST_NAME: usize = 60;

/// A picture under the name that the goal has for it. PNG or JPEG.
///
/// # Errors
/// Says what is wrong with the name or the picture, and what would be right.
pub fn reference(name: &str, bytes: Vec<u8>) -> Result<Reference, String> {
    let name = name.trim();
    let is_odd = |c: char| c.is_control() || matches!(c, '<' | '>' | '`');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || name.contains(is_odd) {
        let name = clip(name, LONGEST_NAME);
        return Err(format!(
            "{name:?} cannot be the name of a picture: give 1 to {LONGEST_NAME} letters without `<`, `>` and backticks"
        ));
    }
    let of = |why: String| format!("the picture `{name}` cannot be used: {why}");
    if bytes.len() as u64 > MOST_BYTES {
        return Err(of(format!("it has {} bytes, and {MOST_BYTES} are the most", bytes.len())));
    }
    let image = handeye_image::read(bytes).map_err(|e| of(e.to_string()))?;
    if image.size.width.max(image.size.height) > LONGEST_SIDE {
        return Err(of(format!("it has {} pixels, and {LONGEST_SIDE} a side are the most", image.size)));
    }
    Ok(Reference { name: name.to_owned(), image })
}

/// What can be wrong with all of them together.
pub(crate) fn check(references: &[Reference]) -> Result<(), String> {
    if references.len() > MOST {
        return Err(format!("{} pictures are given, and {MOST} are the most", references.len()));
    }
    let is_twice = |(at, one): (usize, &Reference)| references[..at].iter().any(|other| other.name == one.name);
    match references.iter().enumerate().find(|found| is_twice(*found)) {
        Some((_, one)) => Err(format!("two pictures are called `{}`", one.name)),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A black JPEG of 3x2 pixels, as far as its frame header.
    const JPEG: &[u8] =
        b"\xff\xd8\xff\xe0\x00\x04JF\xff\xc0\x00\x11\x08\x00\x02\x00\x03\x03\x01\x22\x00\x02\x11\x01\x03\x11\x01";

    fn png() -> Vec<u8> {
        handeye_image::png(&handeye_image::Pixels::filled(4, 3, [9, 9, 9, 255])).expect("a picture").bytes.to_vec()
    }

    #[test]
    fn png_and_jpeg_are_read_and_all_else_is_refused_with_a_reason() {
        let size = |bytes: &[u8]| reference("logo", bytes.to_vec()).map(|r| r.image.size.to_string());
        assert_eq!((size(&png()).as_deref(), size(JPEG).as_deref()), (Ok("4x3"), Ok("3x2")));
        for (bytes, part) in [
            (&b"GIF89a"[..], "`logo` cannot be used: it is neither a PNG nor a JPEG picture"),
            (&png()[..40], "cannot read the picture as image/png"),
            (&JPEG[..12], "it has no frame header"),
            (&[], "neither"),
        ] {
            let why = size(bytes).expect_err("no picture");
            assert!(why.contains(part), "{why}");
        }
        let large = reference("logo", vec![0; 6 << 20]).expect_err("too large");
        assert!(large.contains("6291456 bytes"), "{large}");
        for name in ["", " ", "a<b", "a\nb", &"x".repeat(61)] {
            assert!(reference(name, png()).expect_err("no name").contains("cannot be the name"), "{name:?}");
        }
    }

    #[test]
    fn names_differ_and_there_are_not_too_many() {
        let of = |name: &str| reference(name, png()).expect("a picture");
        assert_eq!(check(&[of("a"), of("b"), of("a")]), Err("two pictures are called `a`".to_owned()));
        let many: Vec<Reference> = (0..11).map(|i| of(&i.to_string())).collect();
        assert!(check(&many).is_err() && check(&many[1..]).is_ok());
    }
}
