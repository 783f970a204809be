use super::*;
use handeye_core::Rect;
use proptest::prelude::*;

fn checkered(width: u32, height: u32) -> Pixels {
    let mut pixels = Pixels::filled(width, height, [250, 250, 250, 255]);
    for y in (0..height).step_by(8) {
        for x in (0..width).step_by(8) {
            if (x / 8 + y / 8) % 2 == 0 {
                pixels.fill(x, y, 8, 8, [30, 60, (x % 256) as u8, 255]);
            }
        }
    }
    pixels
}

#[test]
fn png_keeps_every_pixel() {
    let mut translucent = checkered(33, 17);
    translucent.fill(3, 3, 5, 5, [1, 2, 3, 100]);
    for pixels in [checkered(64, 48), checkered(1, 1), translucent] {
        let image = png(&pixels).expect("encodes");
        assert_eq!(decode(&image).expect("decodes"), pixels);
        assert_eq!(png_size(&image.bytes).expect("a header"), image.size);
    }
}

#[test]
fn every_colour_type_and_depth_becomes_rgba() {
    let encode = |colour: ColorType, depth: BitDepth, palette: Option<&[u8]>, data: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        if let Some(palette) = palette {
            encoder.set_palette(palette.to_vec());
        }
        encoder.write_header().expect("header").write_image_data(data).expect("data");
        decode(&Image::new(bytes, ImageFormat::Png, Size::new(2.0, 1.0))).expect("decodes").rgba().to_vec()
    };
    assert_eq!(encode(ColorType::Grayscale, BitDepth::Eight, None, &[7, 9]), [7, 7, 7, 255, 9, 9, 9, 255]);
    assert_eq!(encode(ColorType::Grayscale, BitDepth::One, None, &[0b0100_0000]), [0, 0, 0, 255, 255, 255, 255, 255]);
    assert_eq!(encode(ColorType::GrayscaleAlpha, BitDepth::Eight, None, &[7, 1, 9, 2]), [7, 7, 7, 1, 9, 9, 9, 2]);
    assert_eq!(
        encode(ColorType::Indexed, BitDepth::Eight, Some(&[1, 2, 3, 4, 5, 6]), &[1, 0]),
        [4, 5, 6, 255, 1, 2, 3, 255]
    );
    assert_eq!(
        encode(ColorType::Rgb, BitDepth::Sixteen, None, &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]),
        [1, 2, 3, 255, 4, 5, 6, 255]
    );
}

#[test]
fn scaling_keeps_the_format_and_leaves_a_fitting_picture_alone() {
    let image = png(&checkered(100, 50)).expect("encodes");
    assert_eq!(show(&image, &Shown::at(Size::new(100.0, 50.0))).expect("scales").hash, image.hash);
    let small = show(&image, &Shown::at(Size::new(50.0, 25.0))).expect("scales");
    assert_eq!((small.size.width, small.size.height, small.format), (50.0, 25.0, ImageFormat::Png));
    let plain = png(&Pixels::filled(90, 60, [10, 20, 30, 255])).expect("encodes");
    let pixels = decode(&show(&plain, &Shown::at(Size::new(31.0, 7.0))).expect("scales")).expect("decodes");
    assert_eq!(pixels, Pixels::filled(31, 7, [10, 20, 30, 255]));
}

#[test]
fn jpeg_is_not_read() {
    let image = Image::new(vec![0xff, 0xd8, 0xff], ImageFormat::Jpeg, Size::new(1.0, 1.0));
    assert_eq!(decode(&image), Err(ImageError::Unsupported(ImageFormat::Jpeg)));
}

#[test]
fn sizes_out_of_bounds_are_refused_before_anything_is_allocated() {
    let mut bytes = PNG_HEAD.to_vec();
    bytes.extend([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
    let bomb = Image::new(bytes, ImageFormat::Png, Size::new(1.0, 1.0));
    assert_eq!(decode(&bomb), Err(ImageError::BadSize { width: 0x7fff_ffff, height: 1 }));
    let image = png(&checkered(8, 8)).expect("encodes");
    for to in [Size::new(0.0, 5.0), Size::new(f64::NAN, 5.0), Size::new(1e9, 5.0), Size::new(-3.0, 5.0)] {
        assert!(matches!(show(&image, &Shown::at(to)), Err(ImageError::BadSize { .. })), "{to:?}");
    }
    assert!(Pixels::new(2, 2, vec![0; 15]).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn damaged_pictures_are_errors_and_never_panics(at in 0_usize..400, value: u8, keep in 0_usize..400) {
        let mut bytes = png(&checkered(24, 24)).expect("encodes").bytes.to_vec();
        let at = at % bytes.len();
        bytes[at] = value;
        bytes.truncate(keep.max(1));
        let _ = decode(&Image::new(bytes, ImageFormat::Png, Size::new(24.0, 24.0)));
    }
}

#[test]
fn a_part_is_cut_enlarged_and_padded() {
    let mut pixels = Pixels::filled(100, 80, [10, 20, 30, 255]);
    pixels.fill(40, 30, 10, 10, [200, 0, 0, 255]);
    let image = png(&pixels).expect("encodes");
    let shown = Shown::part(image.size, Rect::new(35.0, 25.0, 20.0, 20.0), 2.0, None, 28);
    let made = show(&image, &shown).expect("made");
    assert_eq!((made.size.width, made.size.height), (56.0, 56.0));
    let seen = decode(&made).expect("decodes");
    let at = |x: u32, y: u32| seen.run(x, y, 1).to_vec();
    assert_eq!(at(20, 20), [200, 0, 0, 255], "the middle of the square");
    assert_eq!(at(2, 2), [10, 20, 30, 255]);
    assert_eq!(at(50, 10), [255; 4], "padding is white");
    assert_eq!(at(10, 50), [255; 4]);
}
