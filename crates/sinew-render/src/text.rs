//! Text in an image.

use sinew_model::enums::RndFlag;
use sinew_scene::Scene;

use crate::camera::Projection;
use crate::font::GLYPHS;

/// Dots between the origins of neighbouring characters, and of neighbouring lines.
const ADVANCE: usize = 6;
const LINE: usize = 9;

/// Style of a text.
#[derive(Clone, Copy, Debug)]
pub struct TextStyle {
    /// Width in pixels of a dot of the font, whose characters are 5 dots wide and 7 high.
    pub dot: usize,
    /// Red, green and blue.
    pub color: [u8; 3],
    /// Whether a dark outline separates the text from the background.
    pub shadow: bool,
}

impl TextStyle {
    /// White text of a size in percent (`mjtFontScale`).
    pub fn with_scale(percent: usize) -> TextStyle {
        let dot = ((percent + 50) / 100).clamp(1, 8);
        TextStyle { dot, color: [255; 3], shadow: false }
    }
}

/// Width and height of a line of text in pixels.
pub fn text_size(text: &[u8], dot: usize) -> [usize; 2] {
    [text.len() * ADVANCE * dot, LINE * dot]
}

/// Writes a line of text into rows of `width` pixels. The position of its left end and lower edge
/// is counted from the left and the top of the image. Dots outside the image are omitted.
pub fn draw_text(
    rgb: &mut [[u8; 3]],
    width: usize,
    [left, bottom]: [i64; 2],
    text: &[u8],
    style: TextStyle,
) {
    if width == 0 {
        return;
    }
    let height = (rgb.len() / width) as i64;
    let dot = style.dot as i64;
    let mut fill = |x: i64, y: i64, grown: i64, color: [u8; 3]| {
        for row in (y - grown).max(0)..(y + dot + grown).min(height) {
            for column in (x - grown).max(0)..(x + dot + grown).min(width as i64) {
                rgb[row as usize * width + column as usize] = color;
            }
        }
    };

    // the outlines of all characters, then the characters
    let layers = [(1, [0; 3]), (0, style.color)];
    for (grown, color) in &layers[usize::from(!style.shadow)..] {
        for (i, &c) in text.iter().enumerate() {
            let glyph = usize::from(c).checked_sub(32).and_then(|k| GLYPHS.get(k));
            let x = left + (i * ADVANCE) as i64 * dot;
            if x >= width as i64 {
                break;
            }
            for (column, dots) in glyph.into_iter().flatten().enumerate() {
                for row in (0..7).filter(|row| dots >> row & 1 == 1) {
                    let y = bottom - (LINE as i64 - 1 - row) * dot;
                    fill(x + column as i64 * dot, y, *grown, *color);
                }
            }
        }
    }
}

/// Writes the labels of a scene at the positions of their geoms.
pub(crate) fn draw_labels(scn: &Scene, view: &Projection, style: TextStyle, rgb: &mut [[u8; 3]]) {
    if scn.renders(RndFlag::Segment) || scn.renders(RndFlag::Depth) {
        return;
    }
    let style = TextStyle { shadow: true, ..style };
    for geom in scn.geoms.iter().filter(|geom| geom.label[0][0].0 != 0) {
        // none if the position is outside the view volume, as in OpenGL
        let [x, y, z, w] = view.matrix.point(geom.pos);
        if x.abs() <= w && y.abs() <= w && (0.0..=w).contains(&z) && w > 0.0 {
            let left = 0.5 * (x / w + 1.0) * view.width as f32;
            let bottom = 0.5 * (1.0 - y / w) * view.height as f32;
            let place = [left as i64, bottom as i64];
            draw_text(rgb, view.width, place, &geom.label_bytes(), style);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dots(text: &[u8], place: [i64; 2], shadow: bool) -> [usize; 2] {
        let mut rgb = vec![[9; 3]; 40 * 20];
        draw_text(&mut rgb, 40, place, text, TextStyle { dot: 1, color: [200; 3], shadow });
        [[200; 3], [0; 3]].map(|color| rgb.iter().filter(|pixel| **pixel == color).count())
    }

    #[test]
    fn a_text_has_the_dots_of_its_characters() {
        assert_eq!(dots(b"I", [3, 15], false), [11, 0]);
        assert_eq!(dots(b"I.", [3, 15], false), [15, 0]);
        assert_eq!(dots("é".as_bytes(), [3, 15], false), [0, 0]);
        let [bright, dark] = dots(b"I", [3, 15], true);
        assert!(bright == 11 && dark > 11);
    }

    #[test]
    fn dots_outside_the_picture_are_omitted() {
        // a small picture is a window of a large one, which holds all of the text
        let style = TextStyle { dot: 1, color: [200; 3], shadow: true };
        for [left, bottom] in [[-3, 4], [38, 15], [-60, 10], [5, 2], [5, 25]] {
            let mut window = vec![[9; 3]; 40 * 20];
            let mut whole = vec![[9; 3]; 200 * 100];
            draw_text(&mut window, 40, [left, bottom], b"#########", style);
            draw_text(&mut whole, 200, [left + 80, bottom + 40], b"#########", style);
            let part = (40..60).flat_map(|row| &whole[row * 200 + 80..][..40]);
            assert!(window.iter().eq(part), "{left} {bottom}");
        }

        // far away there is nothing, nor in an empty picture
        for place in [[i64::from(i32::MIN), 3], [3, i64::from(i32::MAX)], [40, 3], [3, 40]] {
            assert_eq!(dots(&[b'#'; 1000], place, true), [0, 0], "{place:?}");
        }
        draw_text(&mut [], 0, [0, 0], b"x", TextStyle::with_scale(150));
    }
}
