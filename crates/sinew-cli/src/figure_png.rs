//! A figure as PNG, with a font of 3 × 5 dots and capital letters.

use anyhow::Result;

use crate::figure::{Anchor, Figure, HEIGHT, Line, Text, WIDTH};

/// Pixels per unit of the figure, and per dot of the font.
const SCALE: f64 = 2.0;
const DOT: usize = 3;
/// Dots between the origins of neighbouring letters.
const ADVANCE: usize = 4;

/// Glyphs, row by row.
const FONT: [(char, &str); 50] = [
    ('0', "111101101101111"),
    ('1', "010110010010111"),
    ('2', "111001111100111"),
    ('3', "111001111001111"),
    ('4', "101101111001001"),
    ('5', "111100111001111"),
    ('6', "111100111101111"),
    ('7', "111001010010010"),
    ('8', "111101111101111"),
    ('9', "111101111001111"),
    ('A', "010101111101101"),
    ('B', "110101110101110"),
    ('C', "011100100100011"),
    ('D', "110101101101110"),
    ('E', "111100110100111"),
    ('F', "111100110100100"),
    ('G', "011100101101011"),
    ('H', "101101111101101"),
    ('I', "111010010010111"),
    ('J', "001001001101010"),
    ('K', "101101110101101"),
    ('L', "100100100100111"),
    ('M', "101111111101101"),
    ('N', "110101101101101"),
    ('O', "010101101101010"),
    ('P', "110101110100100"),
    ('Q', "010101101111011"),
    ('R', "110101110101101"),
    ('S', "011100010001110"),
    ('T', "111010010010010"),
    ('U', "101101101101111"),
    ('V', "101101101101010"),
    ('W', "101101111111101"),
    ('X', "101101010101101"),
    ('Y', "101101010010010"),
    ('Z', "111001010100111"),
    ('.', "000000000000010"),
    (',', "000000000010100"),
    (':', "000010000010000"),
    ('-', "000000111000000"),
    ('+', "000010111010000"),
    ('=', "000111000111000"),
    ('_', "000000000000111"),
    ('/', "001001010100100"),
    ('#', "101111101111101"),
    ('(', "001010010010001"),
    (')', "100010010010100"),
    ('[', "011010010010011"),
    (']', "110010010010110"),
    (' ', "000000000000000"),
];

/// Glyph of characters that the font lacks.
const UNKNOWN: &str = "110001010000010";

/// An image: rows of red, green and blue.
struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

/// Encodes a figure as PNG.
pub(crate) fn png(figure: &Figure) -> Result<Vec<u8>> {
    let (width, height) = ((WIDTH * SCALE) as usize, (HEIGHT * SCALE) as usize);
    let mut canvas = Canvas { width, height, pixels: vec![255; 3 * width * height] };
    figure.grid.iter().for_each(|line| canvas.line(line, 1.0));
    figure.curves.iter().for_each(|line| canvas.line(line, 2.0));
    figure.texts.iter().for_each(|text| canvas.text(text));
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&canvas.pixels)?;
    Ok(bytes)
}

impl Canvas {
    /// Blends a colour into a pixel.
    fn mix(&mut self, x: usize, y: usize, colour: [u8; 3], share: f64) {
        if x < self.width && y < self.height {
            let at = 3 * (y * self.width + x);
            for (pixel, ink) in self.pixels[at..at + 3].iter_mut().zip(colour) {
                let (old, new) = (f64::from(*pixel), f64::from(ink));
                *pixel = (old + share * (new - old)).round() as u8;
            }
        }
    }

    /// Draws a polyline with antialiasing: coverage follows from a pixel's distance.
    fn line(&mut self, line: &Line, thickness: f64) {
        for pair in line.points.windows(2) {
            let [[ax, ay], [bx, by]] = [pair[0], pair[1]].map(|p| p.map(|x| x * SCALE));
            let reach = thickness + 1.0;
            let span = |a: f64, b: f64, most: usize| {
                let low = (a.min(b) - reach).floor().max(0.0) as usize;
                low..((a.max(b) + reach).ceil().max(0.0) as usize).min(most)
            };
            let (dx, dy) = (bx - ax, by - ay);
            let length = (dx * dx + dy * dy).max(1e-12);
            for y in span(ay, by, self.height) {
                for x in span(ax, bx, self.width) {
                    let (px, py) = (x as f64 + 0.5 - ax, y as f64 + 0.5 - ay);
                    let along = ((px * dx + py * dy) / length).clamp(0.0, 1.0);
                    let distance = (px - along * dx).hypot(py - along * dy);
                    let share = (0.5 * thickness + 0.5 - distance).clamp(0.0, 1.0);
                    if share > 0.0 {
                        self.mix(x, y, line.colour, share);
                    }
                }
            }
        }
    }

    fn text(&mut self, text: &Text) {
        let letters: Vec<char> = text.text.chars().map(|c| c.to_ascii_uppercase()).collect();
        let width = (letters.len() * ADVANCE * DOT) as f64;
        let [x, y] = text.at.map(|x| x * SCALE);
        let left = match text.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - 0.5 * width,
            Anchor::End => x - width,
        };
        let (left, top) = (left.max(0.0) as usize, (y - (5 * DOT) as f64).max(0.0) as usize);
        for (k, letter) in letters.iter().enumerate() {
            let dots = FONT.iter().find(|(c, _)| c == letter).map_or(UNKNOWN, |(_, dots)| dots);
            for (i, _) in dots.bytes().enumerate().filter(|(_, dot)| *dot == b'1') {
                let (column, row) = (k * ADVANCE + i % 3, i / 3);
                for (dx, dy) in (0..DOT * DOT).map(|n| (n % DOT, n / DOT)) {
                    self.mix(left + column * DOT + dx, top + row * DOT + dy, text.colour, 1.0);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Curve, figure};

    #[test]
    fn letters_have_fifteen_dots_and_differ() {
        for (k, (letter, dots)) in FONT.iter().enumerate() {
            assert_eq!(dots.len(), 15, "{letter}");
            let twin = FONT[..k].iter().find(|(_, other)| other == dots);
            assert!(twin.is_none(), "{letter} and {twin:?}");
        }
    }

    #[test]
    fn pixels_on_a_curve_have_its_colour() {
        let points = vec![[0.0, 0.0], [1.0, 1.0]];
        let figure = figure(&[Curve { label: "x".into(), points }]).unwrap();
        let bytes = png(&figure).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        let [x, y] = figure.curves[0].points[0].map(|x| (x * SCALE) as usize);
        let at = 3 * ((y - 3) * 1600 + x);
        let row = &pixels[at..at + 36];
        assert!(row.chunks(3).any(|p| p == [0x00, 0x72, 0xb2]), "{row:?}");
        assert_eq!(pixels[..3], [255; 3]);
    }
}
