//! Textures with smaller copies of themselves, sampled as OpenGL samples them.

use sinew_model::enums::{ColorSpace, TextureType};
use sinew_model::{Model, TexId};

use crate::linear::V3;

/// One size of an image: rows of red, green, blue and alpha.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    texel: Vec<[u8; 4]>,
}

/// An image, and copies of it of half the size, down to one texel.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    level: Vec<Level>,
}

/// A texture of a model.
#[derive(Clone, Debug)]
pub(crate) enum Texture {
    /// An image, repeated.
    Flat(Image),
    /// Six sides of a cube, in OpenGL's order.
    Cube(Box<[Image; 6]>),
}

/// How coordinates change from a pixel to the next, to the right and down.
pub(crate) type Change = [V3; 2];

impl Texture {
    pub(crate) fn new(m: &Model, t: TexId) -> Texture {
        let (width, height) = (m.tex_width[t].max(1) as usize, m.tex_height[t].max(1) as usize);
        let channels = m.tex_nchannel[t].max(1) as usize;
        let srgb = m.tex_colorspace[t] == ColorSpace::Srgb;
        let adr = m.tex_adr[t] as usize;
        let bytes = m.tex_data.get(adr..).unwrap_or_default();
        let read = |first: usize, width: usize, height: usize| {
            let texel = |i: usize| {
                let at = (first + i) * channels;
                let byte = |k: usize| bytes.get(at + k.min(channels - 1)).copied().unwrap_or(0);
                let alpha = if channels == 4 { byte(3) } else { 255 };
                let color = [byte(0), byte(1), byte(2)].map(|c| if srgb { linear(c) } else { c });
                [color[0], color[1], color[2], alpha]
            };
            Image::new(width, height, (0..width * height).map(texel).collect())
        };
        if m.tex_type[t] == TextureType::T2d {
            return Texture::Flat(read(0, width, height));
        }
        let side = |i: usize| {
            let first = if width == height { 0 } else { i * width * width };
            read(first, width, width)
        };
        Texture::Cube(Box::new(core::array::from_fn(side)))
    }

    /// The colour at a coordinate: a place in a repeated image, or a direction.
    pub(crate) fn sample(&self, at: V3, change: &Change) -> [f32; 4] {
        match self {
            Texture::Flat(image) => {
                let base = &image.level[0];
                let texels = |c: V3| {
                    let (x, y) = (c[0] * base.width as f32, c[1] * base.height as f32);
                    x * x + y * y
                };
                let step = texels(change[0]).max(texels(change[1]));
                image.sample([at[0], at[1]], 0.5 * step.max(1e-12).log2(), true)
            }
            Texture::Cube(sides) => {
                let (side, uv, depth) = cube_side(at);
                let length = |c: V3| c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
                let step = length(change[0]).max(length(change[1])).sqrt();
                let image = &sides[side];
                let texels = step * 0.5 * image.level[0].width as f32 / depth.max(1e-12);
                image.sample(uv, texels.max(1e-12).log2(), false)
            }
        }
    }
}

/// The side of a cube that a direction meets, where, and its largest coordinate (OpenGL 2.1,
/// table 3.19).
fn cube_side([x, y, z]: V3) -> (usize, [f32; 2], f32) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (side, s, t, depth) = if ax >= ay && ax >= az {
        if x >= 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
    } else if ay >= az {
        if y >= 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z >= 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    let scale = 0.5 / depth.max(1e-12);
    (side, [s * scale + 0.5, t * scale + 0.5], depth)
}

/// A byte of the sRGB curve as one of linear light.
fn linear(byte: u8) -> u8 {
    let c = f32::from(byte) / 255.0;
    let light = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    (light * 255.0).round() as u8
}

impl Image {
    fn new(width: usize, height: usize, texel: Vec<[u8; 4]>) -> Image {
        let mut level = vec![Level { width, height, texel }];
        while level[level.len() - 1].texel.len() > 1 {
            level.push(level[level.len() - 1].halved());
        }
        Image { level }
    }

    /// Linear between texels and between sizes; `lod` is the logarithm of texels per pixel.
    fn sample(&self, uv: [f32; 2], lod: f32, repeat: bool) -> [f32; 4] {
        let last = self.level.len() - 1;
        if lod <= 0.0 || last == 0 {
            return self.level[0].sample(uv, repeat);
        }
        let lod = lod.min(last as f32);
        let (low, part) = (lod as usize, lod - lod.floor());
        let near = self.level[low].sample(uv, repeat);
        if part == 0.0 {
            return near;
        }
        let far = self.level[low + 1].sample(uv, repeat);
        core::array::from_fn(|k| near[k] + part * (far[k] - near[k]))
    }
}

impl Level {
    fn halved(&self) -> Level {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let at = |x: usize, y: usize| {
            self.texel[y.min(self.height - 1) * self.width + x.min(self.width - 1)]
        };
        let mean = |i: usize| {
            let (x, y) = (i % width * 2, i / width * 2);
            let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            core::array::from_fn(|k| {
                let sum: u32 = four.iter().map(|texel| u32::from(texel[k])).sum();
                ((sum + 2) / 4) as u8
            })
        };
        Level { width, height, texel: (0..width * height).map(mean).collect() }
    }

    #[inline]
    fn sample(&self, [u, v]: [f32; 2], repeat: bool) -> [f32; 4] {
        let place = |c: f32, n: usize| {
            let c = if repeat { c - c.floor() } else { c.clamp(0.0, 1.0) };
            let x = c * n as f32 - 0.5;
            let low = x.floor();
            let part = x - low;
            let (a, b) = (low as i32, low as i32 + 1);
            let n = n as i32;
            let wrap = |i: i32| {
                if repeat {
                    if i < 0 {
                        i + n
                    } else if i >= n {
                        i - n
                    } else {
                        i
                    }
                } else {
                    i.clamp(0, n - 1)
                }
            };
            // a coordinate that is not a number samples the first texel
            (wrap(a).clamp(0, n - 1) as usize, wrap(b).clamp(0, n - 1) as usize, part)
        };
        let (x0, x1, fx) = place(u, self.width);
        let (y0, y1, fy) = place(v, self.height);
        let (row0, row1) = (y0 * self.width, y1 * self.width);
        let corner = [row0 + x0, row0 + x1, row1 + x0, row1 + x1].map(|i| self.texel[i]);
        let weight = [(1.0 - fx) * (1.0 - fy), fx * (1.0 - fy), (1.0 - fx) * fy, fx * fy];
        core::array::from_fn(|k| {
            let sum: f32 = (0..4).map(|c| f32::from(corner[c][k]) * weight[c]).sum();
            sum * (1.0 / 255.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_sampled_at_the_centres_of_its_texels() {
        let image = Image::new(2, 1, vec![[255, 0, 0, 255], [0, 255, 0, 255]]);
        assert_eq!(image.sample([0.25, 0.5], -1.0, true), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(image.sample([0.75, 0.5], -1.0, true), [0.0, 1.0, 0.0, 1.0]);
        assert_eq!(image.sample([0.5, 0.5], -1.0, true)[0], 0.5);
        let far = image.sample([0.3, 0.5], 9.0, true);
        assert!((far[0] - 0.5).abs() < 0.01 && (far[1] - 0.5).abs() < 0.01);
    }

    #[test]
    fn directions_meet_the_sides_of_a_cube() {
        let axes = [[1.0, 0.1, 0.0], [-1.0, 0.0, 0.1], [0.1, 1.0, 0.0], [0.0, -1.0, 0.1]];
        for (i, dir) in axes.into_iter().chain([[0.0, 0.1, 1.0], [0.1, 0.0, -1.0]]).enumerate() {
            assert_eq!(cube_side(dir).0, i);
        }
    }
}
