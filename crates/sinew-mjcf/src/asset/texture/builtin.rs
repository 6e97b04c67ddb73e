//! Generated texture patterns and marks.

use core::f64::consts::PI;

use sinew_math::scalar::{acos, asin};

use sinew_model::enums::{Builtin, Mark, TextureType};

use crate::asset::texture::input::TextureInput;

type Rgb = [u8; 3];

/// Paints the pattern and the mark of a texture, three bytes per pixel.
pub(crate) fn paint(input: &TextureInput, width: usize, height: usize, data: &mut [u8]) {
    let mut canvas = Canvas { width, data };
    if input.kind == TextureType::T2d {
        flat_pattern(input, &mut canvas, height);
        mark(input, &mut canvas, 0, height);
    } else {
        cube_pattern(input, &mut canvas);
        for face in 0..6 {
            mark(input, &mut canvas, face * width, width);
        }
    }
    if input.mark == Mark::Random && input.random > 0.0 {
        random_dots(input, &mut canvas, height);
    }
}

/// Colours as bytes, truncated and wrapped as a cast does.
pub(crate) fn bytes(rgb: [f64; 3]) -> Rgb {
    rgb.map(|x| (255.0 * x) as i32 as u8)
}

struct Canvas<'a> {
    width: usize,
    data: &'a mut [u8],
}

impl Canvas<'_> {
    fn set(&mut self, row: usize, column: usize, color: Rgb) {
        let at = 3 * (row * self.width + column);
        if let Some(pixel) = self.data.get_mut(at..at + 3) {
            pixel.copy_from_slice(&color);
        }
    }
}

fn flat_pattern(input: &TextureInput, canvas: &mut Canvas<'_>, height: usize) {
    let (one, two) = (bytes(input.rgb1), bytes(input.rgb2));
    let width = canvas.width;
    for r in 0..height {
        for c in 0..width {
            let color = match input.builtin {
                Builtin::Gradient => {
                    let x = (2 * c) as f64 / (width as f64 - 1.0) - 1.0;
                    let y = 1.0 - (2 * r) as f64 / (height as f64 - 1.0);
                    let pos = 2.0 * (x * x + y * y).sqrt() - 1.0;
                    blend(input.rgb2, input.rgb1, sigmoid(pos))
                }
                Builtin::Checker => checker(r, c, height, width, one, two),
                _ => one,
            };
            canvas.set(r, c, color);
        }
    }
}

/// Sides in the order right, left, up, down, front, back.
fn cube_pattern(input: &TextureInput, canvas: &mut Canvas<'_>) {
    const DOWN: usize = 3;
    let (one, two) = (bytes(input.rgb1), bytes(input.rgb2));
    let w = canvas.width;
    let place = |i: usize| (2 * i) as f64 / (w as f64 - 1.0) - 1.0;
    let x: Vec<f64> = (0..w).map(place).collect();
    let mut row: Vec<[Rgb; 6]> = Vec::with_capacity(w);
    for r in 0..w {
        row.clear();
        for c in 0..w {
            row.push(match input.builtin {
                // the mirrored column, unless its place is rounded otherwise
                Builtin::Gradient => match row.get(w - 1 - c) {
                    Some(mirrored) if x[w - 1 - c] == -x[c] => *mirrored,
                    _ => elevation(input, x[c], 1.0 - (2 * r) as f64 / (w as f64 - 1.0)),
                },

                // the first four sides and the last two have opposite patterns
                Builtin::Checker => {
                    let (a, b) = (checker(r, c, w, w, one, two), checker(r, c, w, w, two, one));
                    [a, a, a, a, b, b]
                }

                // flat, with the second colour below
                _ => {
                    let mut colors = [one; 6];
                    colors[DOWN] = two;
                    colors
                }
            });
        }
        for face in 0..6 {
            for (c, colors) in row.iter().enumerate() {
                canvas.set(face * w + r, c, colors[face]);
            }
        }
    }
}

/// The colours at a point of the sides, blended by elevation above the horizon.
fn elevation(input: &TextureInput, x: f64, y: f64) -> [Rgb; 6] {
    const UP: usize = 2;
    const DOWN: usize = 3;
    let norm = (1.0 + x * x + y * y).sqrt();
    let side = sigmoid(asin(y / norm) / (0.5 * PI));
    let up = sigmoid(1.0 - acos(1.0 / norm) / (0.5 * PI));
    let mut colors = [blend(input.rgb1, input.rgb2, side); 6];
    colors[UP] = blend(input.rgb1, input.rgb2, up);
    colors[DOWN] = blend(input.rgb1, input.rgb2, -up);
    colors
}

/// From -1 at -1 to 1 at 1.
fn sigmoid(pos: f64) -> f64 {
    let correction = 1.0 / 2.0_f64.sqrt();
    pos / (1.0 + pos * pos).sqrt() / correction
}

/// From `two` at -1 to `one` at 1.
fn blend(one: [f64; 3], two: [f64; 3], pos: f64) -> Rgb {
    let alpha = (0.5 * (1.0 + pos)).clamp(0.0, 1.0);
    bytes([0, 1, 2].map(|k| alpha * one[k] + (1.0 - alpha) * two[k]))
}

fn checker(r: usize, c: usize, height: usize, width: usize, one: Rgb, two: Rgb) -> Rgb {
    if (r < height / 2) == (c < width / 2) { one } else { two }
}

/// Edge or cross on the `height` rows from `top`.
fn mark(input: &TextureInput, canvas: &mut Canvas<'_>, top: usize, height: usize) {
    let color = bytes(input.markrgb);
    let width = canvas.width;
    let (rows, columns) = match input.mark {
        Mark::Edge => (vec![0, height - 1], vec![0, width - 1]),
        Mark::Cross => (vec![height / 2], vec![width / 2]),
        _ => return,
    };
    for r in 0..height {
        columns.iter().for_each(|&c| canvas.set(top + r, c, color));
    }
    for c in 0..width {
        rows.iter().for_each(|&r| canvas.set(top + r, c, color));
    }
}

/// Dots where a uniform number of a fixed sequence is below the probability.
fn random_dots(input: &TextureInput, canvas: &mut Canvas<'_>, height: usize) {
    let color = bytes(input.markrgb);
    let mut random = Mersenne::new(42);
    for r in 0..height {
        for c in 0..canvas.width {
            // 2^-64 of an integer, as the C++ library makes a number in [0, 1)
            let uniform = random.next() as f64 / 18_446_744_073_709_551_616.0;
            if uniform < input.random {
                canvas.set(r, c, color);
            }
        }
    }
}

/// The 64-bit Mersenne twister (Nishimura & Matsumoto 2000).
struct Mersenne {
    state: [u64; Self::N],
    at: usize,
}

impl Mersenne {
    const N: usize = 312;
    const M: usize = 156;

    fn new(seed: u64) -> Self {
        let mut state = [seed; Self::N];
        for i in 1..Self::N {
            let last = state[i - 1];
            state[i] = 6_364_136_223_846_793_005_u64
                .wrapping_mul(last ^ (last >> 62))
                .wrapping_add(i as u64);
        }
        Mersenne { state, at: Self::N }
    }

    fn next(&mut self) -> u64 {
        if self.at == Self::N {
            for i in 0..Self::N {
                let upper = self.state[i] & 0xffff_ffff_8000_0000;
                let lower = self.state[(i + 1) % Self::N] & 0x7fff_ffff;
                let x = upper | lower;
                let odd = if x & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
                self.state[i] = self.state[(i + Self::M) % Self::N] ^ (x >> 1) ^ odd;
            }
            self.at = 0;
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrored_columns_have_the_bytes_of_their_own_places() {
        let input = TextureInput { builtin: Builtin::Gradient, ..TextureInput::default() };
        for w in [1, 2, 3, 7, 64, 101] {
            let mut data = vec![0; 18 * w * w];
            cube_pattern(&input, &mut Canvas { width: w, data: &mut data });
            for (i, pixel) in data.chunks_exact(3).enumerate() {
                let (face, r, c) = (i / (w * w), i / w % w, i % w);
                let x = (2 * c) as f64 / (w as f64 - 1.0) - 1.0;
                let y = 1.0 - (2 * r) as f64 / (w as f64 - 1.0);
                assert_eq!(pixel, elevation(&input, x, y)[face], "{face} {r} {c} of {w}");
            }
        }
    }

    #[test]
    fn twister_gives_the_published_sequence() {
        // the 10000th number of the default seed, from the C++ standard [rand.predef]
        let mut random = Mersenne::new(5489);
        let last = (0..10_000).map(|_| random.next()).last();
        assert_eq!(last, Some(9_981_545_732_273_789_042));
    }
}
