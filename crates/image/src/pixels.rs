use crate::ImageError;
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};
use handeye_core::{FramePx, Rect};

/// The longest side of a picture that is taken: a full page at scale 3 fits, a decompression bomb does not.
pub const MAX_SIDE: u32 = 16_384;
/// The most pixels that are taken: 256 MiB of RGBA.
const MAX_PIXELS: u64 = 64 << 20;

/// A decoded picture: rows from the top, four bytes (red, green, blue, alpha) a pixel.
#[derive(Clone, PartialEq, Eq)]
pub struct Pixels {
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl std::fmt::Debug for Pixels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pixels({}x{})", self.width, self.height)
    }
}

pub(crate) fn check_size(width: u64, height: u64) -> Result<(u32, u32), ImageError> {
    let fits = |side: u64| (1..=u64::from(MAX_SIDE)).contains(&side);
    if fits(width) && fits(height) && width * height <= MAX_PIXELS {
        Ok((width as u32, height as u32))
    } else {
        Err(ImageError::BadSize { width, height })
    }
}

impl Pixels {
    /// From `width * height * 4` bytes.
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Result<Self, ImageError> {
        check_size(width.into(), height.into())?;
        let want = width as usize * height as usize * 4;
        if rgba.len() == want {
            Ok(Self { width, height, rgba })
        } else {
            Err(ImageError::BadBuffer { got: rgba.len(), want })
        }
    }

    /// One colour. Sides are cut to what this crate takes.
    pub fn filled(width: u32, height: u32, colour: [u8; 4]) -> Self {
        let (width, height) = (width.clamp(1, 4096), height.clamp(1, 4096));
        let rgba = colour.repeat(width as usize * height as usize);
        Self { width, height, rgba }
    }

    pub fn width(&self) -> u32 {
        self.width
    }
    pub fn height(&self) -> u32 {
        self.height
    }
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }

    /// The bytes of `count` pixels of row `y` from `x` on. The caller stays inside the picture.
    pub(crate) fn run(&self, x: u32, y: u32, count: u32) -> &[u8] {
        let start = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(start..start + count as usize * 4).unwrap_or_default()
    }

    /// Paints a rectangle; what lies outside the picture is left out.
    pub fn fill(&mut self, left: u32, top: u32, width: u32, height: u32, colour: [u8; 4]) {
        let right = left.saturating_add(width).min(self.width) as usize;
        for y in top..top.saturating_add(height).min(self.height) {
            let row = y as usize * self.width as usize;
            let cells = self.rgba.get_mut((row + left as usize) * 4..(row + right) * 4).unwrap_or_default();
            cells.chunks_exact_mut(4).for_each(|pixel| pixel.copy_from_slice(&colour));
        }
    }

    /// The part that a rectangle of whole pixels covers; what lies outside the picture is left out.
    pub fn cropped(&self, part: &Rect<FramePx>) -> Result<Self, ImageError> {
        let within = |value: f64, most: u32| value.round().clamp(0.0, f64::from(most)) as u32;
        let (left, right) = (within(part.left, self.width), within(part.right(), self.width));
        let (top, bottom) = (within(part.top, self.height), within(part.bottom(), self.height));
        let width = right.saturating_sub(left);
        let rgba = (top..bottom).flat_map(|y| self.run(left, y, width)).copied().collect();
        Self::new(width, bottom.saturating_sub(top), rgba)
    }

    /// With white on the right and below, up to this size.
    pub fn padded(self, width: u32, height: u32) -> Result<Self, ImageError> {
        if (width, height) == (self.width, self.height) {
            return Ok(self);
        }
        check_size(width.into(), height.into())?;
        let line = width as usize * 4;
        let mut rgba = vec![255; line * height as usize];
        for y in 0..self.height.min(height) {
            let row = self.run(0, y, self.width.min(width));
            let start = y as usize * line;
            if let Some(space) = rgba.get_mut(start..start + row.len()) {
                space.copy_from_slice(row);
            }
        }
        Self::new(width, height, rgba)
    }

    /// Resampled to another size (Lanczos, as sharp as text needs).
    pub fn resized(&self, width: u32, height: u32) -> Result<Self, ImageError> {
        check_size(width.into(), height.into())?;
        if (width, height) == (self.width, self.height) {
            return Ok(self.clone());
        }
        let failed = |why: String| ImageError::Encode(format!("resizing to {width}x{height} failed: {why}"));
        let from = ImageRef::new(self.width, self.height, &self.rgba, PixelType::U8x4)
            .map_err(|why| failed(why.to_string()))?;
        let mut to = Image::new(width, height, PixelType::U8x4);
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3)).use_alpha(false);
        Resizer::new().resize(&from, &mut to, &options).map_err(|why| failed(why.to_string()))?;
        Self::new(width, height, to.into_vec())
    }
}
