use crate::pixels::check_size;
use crate::{ImageError, Pixels};
use handeye_core::{FramePx, Image, ImageFormat, SentPx, Shown, Size};
use png::{BitDepth, ColorType, Compression, Transformations};

/// A PNG begins with its signature and the header chunk, which holds the size.
const PNG_HEAD: [u8; 16] = *b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// A JPEG begins with its start marker and the first sign of the next.
const JPEG_HEAD: [u8; 3] = [0xff, 0xd8, 0xff];

/// The size that a PNG states in its header. Nothing is decoded.
pub fn png_size(bytes: &[u8]) -> Result<Size<FramePx>, ImageError> {
    let cut = || ImageError::Unreadable { format: ImageFormat::Png, why: "it has no PNG header".to_owned() };
    if bytes.get(..16) != Some(&PNG_HEAD) {
        return Err(cut());
    }
    let side =
        |at: usize| bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_be_bytes).ok_or_else(cut);
    let (width, height) = check_size(side(16)?.into(), side(20)?.into())?;
    Ok(Size::new(width.into(), height.into()))
}

/// The size that a JPEG states in the header of its frame. Nothing is decoded.
pub fn jpeg_size(bytes: &[u8]) -> Result<Size<FramePx>, ImageError> {
    let cut = || ImageError::Unreadable { format: ImageFormat::Jpeg, why: "it has no frame header".to_owned() };
    let number = |at: usize| bytes.get(at..at + 2).and_then(|b| b.try_into().ok()).map(u16::from_be_bytes);
    if !bytes.starts_with(&JPEG_HEAD) {
        return Err(cut());
    }
    let mut at = 2;
    // Segments follow each other: a marker, and but for a few the length of what follows it, itself included.
    while let (Some(0xff), Some(&marker)) = (bytes.get(at), bytes.get(at + 1)) {
        at += match marker {
            // Signs to fill up with.
            0xff => 1,
            0x01 | 0xd0..=0xd8 => 2,
            // Frame headers of any coding; three of the markers between are tables.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                let (height, width) = (number(at + 5).ok_or_else(cut)?, number(at + 7).ok_or_else(cut)?);
                let (width, height) = check_size(width.into(), height.into())?;
                return Ok(Size::new(width.into(), height.into()));
            }
            _ => 2 + usize::from(number(at + 2).filter(|length| *length >= 2).ok_or_else(cut)?),
        };
    }
    Err(cut())
}

/// A picture that a person gave, PNG or JPEG by what it begins with. A PNG is decoded to see that it is whole; of a JPEG only
/// the header is read.
pub fn read(bytes: Vec<u8>) -> Result<Image, ImageError> {
    if bytes.starts_with(&JPEG_HEAD) {
        let size = jpeg_size(&bytes)?;
        return Ok(Image::new(bytes, ImageFormat::Jpeg, size));
    }
    if !bytes.starts_with(&PNG_HEAD[..8]) {
        return Err(ImageError::Unknown);
    }
    let size = png_size(&bytes)?;
    decode_png(&bytes)?;
    Ok(Image::new(bytes, ImageFormat::Png, size))
}

/// Reads an encoded picture. PNG of any colour type and depth; no JPEG.
pub fn decode(image: &Image) -> Result<Pixels, ImageError> {
    match image.format {
        ImageFormat::Png => decode_png(&image.bytes),
        ImageFormat::Jpeg => Err(ImageError::Unsupported(ImageFormat::Jpeg)),
    }
}

fn decode_png(bytes: &[u8]) -> Result<Pixels, ImageError> {
    let unreadable = |why: String| ImageError::Unreadable { format: ImageFormat::Png, why };
    // The stated size is checked before anything is allocated for it.
    png_size(bytes)?;
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), png::Limits { bytes: 512 << 20 });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|e| unreadable(e.to_string()))?;
    let size = reader.output_buffer_size().ok_or_else(|| unreadable("it is too large".to_owned()))?;
    let mut raw = vec![0; size];
    let info = reader.next_frame(&mut raw).map_err(|e| unreadable(e.to_string()))?;
    raw.truncate(info.buffer_size());
    let rgba = match info.color_type {
        ColorType::Rgba => raw,
        ColorType::Rgb => raw.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
        ColorType::GrayscaleAlpha => raw.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
        ColorType::Grayscale => raw.iter().flat_map(|&v| [v, v, v, 255]).collect(),
        ColorType::Indexed => return Err(unreadable("its palette was not expanded".to_owned())),
    };
    Pixels::new(info.width, info.height, rgba)
}

fn encoded(bytes: Vec<u8>, format: ImageFormat, of: &Pixels) -> Image {
    Image::new(bytes, format, Size::new(of.width().into(), of.height().into()))
}

/// Encodes as PNG, for speed rather than size. Without alpha when every pixel is opaque.
pub fn png(pixels: &Pixels) -> Result<Image, ImageError> {
    let failed = |e: png::EncodingError| ImageError::Encode(e.to_string());
    let opaque = pixels.rgba().chunks_exact(4).all(|p| p[3] == 255);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.width(), pixels.height());
    encoder.set_depth(BitDepth::Eight);
    encoder.set_color(if opaque { ColorType::Rgb } else { ColorType::Rgba });
    encoder.set_compression(Compression::Fast);
    let mut writer = encoder.write_header().map_err(failed)?;
    if opaque {
        writer.write_image_data(&rgb(pixels)).map_err(failed)?;
    } else {
        writer.write_image_data(pixels.rgba()).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    Ok(encoded(bytes, ImageFormat::Png, pixels))
}

fn rgb(pixels: &Pixels) -> Vec<u8> {
    pixels.rgba().chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect()
}

/// The picture as a model is to see it: cut, scaled, marked, padded with white. Unchanged when nothing has to be done.
pub fn show(image: &Image, shown: &Shown) -> Result<Image, ImageError> {
    if shown.is_as_it_is(image.size) {
        return Ok(image.clone());
    }
    let side = |value: f64| if value >= 0.5 { value.round() as u64 } else { 0 };
    let sides = |size: Size<SentPx>| check_size(side(size.width), side(size.height));
    let ((width, height), (wide, high)) = (sides(shown.size)?, sides(shown.canvas())?);
    let mut pixels = decode(image)?;
    if let Some(crop) = &shown.crop {
        pixels = pixels.cropped(crop)?;
    }
    let mut pixels = pixels.resized(width, height)?;
    if let Some(mark) = shown.mark_on(image.size) {
        pixels.ring(mark.x, mark.y);
    }
    png(&pixels.padded(wide, high)?)
}

#[cfg(test)]
mod tests;
