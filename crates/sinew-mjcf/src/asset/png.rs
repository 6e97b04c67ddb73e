//! PNG images as bytes of one, three or four channels.

use std::io::Cursor;

use png::{ColorType, Decoder, Transformations};

use crate::asset::error::AssetError;

/// Deflate cannot make data smaller than this part of its size, so larger claims are lies.
const MAX_RATIO: u64 = 1100;

/// A decoded image.
pub(crate) struct Image {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Rows from the top, `channels` bytes per pixel.
    pub(crate) data: Vec<u8>,
    /// Whether the file says that it is in the sRGB colour space.
    pub(crate) srgb: bool,
}

/// Decodes to `channels` bytes per pixel. Grey from colours is the red channel, and colours from
/// grey repeat it. Missing alpha is opaque, surplus alpha is dropped, and 16 bits become the upper
/// 8.
pub(crate) fn decode(bytes: &[u8], path: &str, channels: usize) -> Result<Image, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new(format!("empty PNG file '{path}'")));
    }
    let fail = |why: &str| AssetError::new(format!("error decoding PNG file '{path}': {why}"));
    if bytes.len() < 29 {
        return Err(fail("PNG file is smaller than a PNG header"));
    }
    if bytes[..8] != [137, 80, 78, 71, 13, 10, 26, 10] {
        return Err(fail("incorrect PNG signature, it's no PNG or corrupted"));
    }

    // header; sizes that the data cannot fill are refused before memory is reserved
    let mut decoder = Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|e| fail(&e.to_string()))?;
    let info = reader.info();
    let (width, height, srgb) = (info.width as usize, info.height as usize, info.srgb.is_some());
    let claimed = u64::from(info.height) * (info.raw_row_length() as u64);
    if claimed > MAX_RATIO * bytes.len() as u64 {
        return Err(fail("image is larger than its data"));
    }
    let size = reader.output_buffer_size().ok_or_else(|| fail("dimensions are invalid"))?;
    let mut pixels = vec![0; size];
    let frame = reader.next_frame(&mut pixels).map_err(|e| fail(&e.to_string()))?;
    pixels.truncate(frame.buffer_size());

    let data = match (frame.color_type, channels) {
        (ColorType::Grayscale, 1) | (ColorType::Rgb, 3) | (ColorType::Rgba, 4) => pixels,
        (kind, _) => convert(&pixels, kind, channels),
    };
    Ok(Image { width, height, data, srgb })
}

fn convert(pixels: &[u8], kind: ColorType, channels: usize) -> Vec<u8> {
    let rgba = |p: &[u8]| match kind {
        ColorType::Grayscale => [p[0], p[0], p[0], 255],
        ColorType::GrayscaleAlpha => [p[0], p[0], p[0], p[1]],
        ColorType::Rgba => [p[0], p[1], p[2], p[3]],
        ColorType::Rgb | ColorType::Indexed => [p[0], p[1], p[2], 255],
    };
    let width = match kind {
        ColorType::Grayscale => 1,
        ColorType::GrayscaleAlpha => 2,
        ColorType::Rgb | ColorType::Indexed => 3,
        ColorType::Rgba => 4,
    };
    let mut out = Vec::with_capacity(pixels.len() / width * channels);
    for pixel in pixels.chunks_exact(width) {
        out.extend_from_slice(&rgba(pixel)[..channels]);
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(crate) mod tests {
    use super::*;

    /// A PNG of 8-bit pixels.
    pub(crate) fn encode(width: u32, height: u32, kind: ColorType, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(kind);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    #[test]
    fn converts_between_channels() {
        let color = encode(1, 1, ColorType::Rgba, &[10, 20, 30, 40]);
        let data = |bytes: &[u8], n: usize| decode(bytes, "a.png", n).unwrap().data;
        assert_eq!(data(&color, 4), [10, 20, 30, 40]);
        assert_eq!(data(&color, 3), [10, 20, 30]);
        assert_eq!(data(&color, 1), [10]);
        let grey = encode(2, 1, ColorType::Grayscale, &[7, 8]);
        assert_eq!(data(&grey, 3), [7, 7, 7, 8, 8, 8]);
        assert_eq!(data(&grey, 4), [7, 7, 7, 255, 8, 8, 8, 255]);
    }

    #[test]
    fn broken_files_are_errors() {
        let text = |bytes: &[u8]| decode(bytes, "a.png", 3).err().unwrap().message;
        assert_eq!(text(&[]), "empty PNG file 'a.png'");
        assert!(text(&[0; 40]).contains("incorrect PNG signature"));
        let mut huge = encode(1, 1, ColorType::Grayscale, &[1]);
        huge[16..20].copy_from_slice(&0x7fff_ffff_u32.to_be_bytes());
        assert!(text(&huge).starts_with("error decoding PNG file 'a.png'"));
        let good = encode(4, 4, ColorType::Rgb, &[9; 48]);
        for cut in 0..good.len() {
            let _ = decode(&good[..cut], "a.png", 3);
        }
    }
}
