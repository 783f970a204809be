//! Small valid screenshots for tests that look at pixels, or only need some.

use handeye_core::{Elapsed, Frame, FramePx, Image, ImageFormat, Observation, Size};

/// A colour as red, green, blue.
pub type Rgb = [u8; 3];

/// A frame of one colour at scale 1, taken when the run began.
pub fn solid(width: u32, height: u32, colour: Rgb) -> Frame {
    let pixels = colour.repeat((width * height) as usize);
    Frame { image: png(width, height, &pixels), scale: 1.0, at: Elapsed::default() }
}

/// The same frame as if taken at another time, in milliseconds since the run began.
pub fn at(frame: &Frame, millis: u64) -> Frame {
    Frame { at: Elapsed::from(millis), ..frame.clone() }
}

/// An observation that holds nothing but the frame, on an unnamed page at a fixed device time.
pub fn seen(frame: Frame) -> Observation {
    Observation { frame: Some(frame), device_time: "2025-01-02 03:04:05".into(), ..Observation::default() }
}

/// Encodes rows of red, green, blue as a PNG.
fn png(width: u32, height: u32, pixels: &[u8]) -> Image {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().expect("a size above zero");
    writer.write_image_data(pixels).expect("as many pixels as the size says");
    writer.finish().expect("a whole picture");
    Image::new(bytes, ImageFormat::Png, Size::<FramePx>::new(width.into(), height.into()))
}
