//! Textures with smaller copies of themselves, sampled as OpenGL samples them.

use sinew_model::enums::{ColorSpace, TextureType};
use sinew_model::{Model, TexId};

use crate::linear::V3;
use crate::power::rough_log2;
use crate::wide::{LANES, Wide, Wide3, dot3, numbers};

/// One size of an image: rows of red, green, blue and alpha. To the right of every row is one more
/// texel, and below the last row one more row: what is between the last and the next.
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
    opaque: bool,
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
pub(crate) type Change<W> = [Wide3<W>; 2];

impl Texture {
    pub(crate) fn new(m: &Model, t: TexId) -> Texture {
        let (width, height) = (m.tex_width[t].max(1) as usize, m.tex_height[t].max(1) as usize);
        let channels = m.tex_nchannel[t].max(1) as usize;
        let srgb = m.tex_colorspace[t] == ColorSpace::Srgb;
        let adr = m.tex_adr[t] as usize;
        let bytes = m.tex_data.get(adr..).unwrap_or_default();
        let repeat = m.tex_type[t] == TextureType::T2d;
        let read = |first: usize, width: usize, height: usize| {
            let texel = |i: usize| {
                let at = (first + i) * channels;
                let byte = |k: usize| bytes.get(at + k.min(channels - 1)).copied().unwrap_or(0);
                let alpha = if channels == 4 { byte(3) } else { 255 };
                let color = [byte(0), byte(1), byte(2)].map(|c| if srgb { linear(c) } else { c });
                [color[0], color[1], color[2], alpha]
            };
            Image::new(width, height, (0..width * height).map(texel).collect(), repeat)
        };
        if repeat {
            return Texture::Flat(read(0, width, height));
        }
        let side = |i: usize| {
            let first = if width == height { 0 } else { i * width * width };
            read(first, width, width)
        };
        Texture::Cube(Box::new(core::array::from_fn(side)))
    }

    /// Whether alpha is 1 everywhere.
    pub(crate) fn opaque(&self) -> bool {
        match self {
            Texture::Flat(image) => image.opaque,
            Texture::Cube(sides) => sides.iter().all(|side| side.opaque),
        }
    }

    /// The colours at coordinates, from 0 to 255: places in a repeated image, or directions.
    #[inline(always)]
    pub(crate) fn sample<W: Wide>(&self, at: &Wide3<W>, change: &Change<W>) -> [[f32; 4]; LANES] {
        let mut texel = [[0.0; 4]; LANES];
        match self {
            Texture::Flat(image) => {
                let base = &image.level[0];
                let (width, height) = (base.width as f32, base.height as f32);
                let texels = |c: &Wide3<W>| {
                    let (x, y) = (c[0].times(width), c[1].times(height));
                    x * x + y * y
                };
                let step = texels(&change[0]).most(texels(&change[1])).most(W::splat(1e-12));

                // the logarithm is nearly linear along a few pixels
                let last = W::COUNT - 1;
                let [first, end] = [0, last].map(|l| 0.5 * rough_log2(step.get(l)));
                let slope = (end - first) / last.max(1) as f32;
                image.sample([at[0], at[1]], [first, slope], true, &mut texel);
            }
            Texture::Cube(sides) => {
                let length = |c: &Wide3<W>| dot3(*c, *c);
                let step = length(&change[0]).most(length(&change[1])).sqrt();
                for (l, texel) in texel.iter_mut().enumerate().take(W::COUNT) {
                    let (side, uv, depth) = cube_side(at.map(|c| c.get(l)));
                    let image = &sides[side];
                    let width = image.level[0].width as f32;
                    let texels = step.get(l) * 0.5 * width / depth.max(1e-12);
                    let lod = if texels > 1.0 { rough_log2(texels) } else { 0.0 };
                    *texel = image.sample_one(uv, lod, false);
                }
            }
        }
        texel
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
    fn new(width: usize, height: usize, texel: Vec<[u8; 4]>, repeat: bool) -> Image {
        let mut plain = vec![Level { width, height, texel }];
        while plain[plain.len() - 1].texel.len() > 1 {
            plain.push(plain[plain.len() - 1].halved());
        }
        Image {
            opaque: plain[0].texel.iter().all(|texel| texel[3] == 255),
            level: plain.iter().map(|level| level.extended(repeat)).collect(),
        }
    }

    /// The larger of two sizes between which a number of texels per pixel is, and how far it is.
    #[inline(always)]
    fn size(&self, lod: f32) -> (usize, f32) {
        let last = self.level.len() - 1;
        let lod = lod.most(0.0).least(last as f32);
        let low = lod as u32 as usize;
        (low, lod - low as f32)
    }

    /// Colours at places in a row, linear between texels and between sizes. The logarithms of texels
    /// per pixel are linear along them.
    #[inline(always)]
    fn sample<W: Wide>(
        &self,
        uv: [W; 2],
        [first, slope]: [f32; 2],
        repeat: bool,
        out: &mut [[f32; 4]; LANES],
    ) {
        let size = |l: usize| self.size(first + slope * l as f32);
        let low = size(0).0;
        if low != size(W::COUNT - 1).0 {
            for (l, out) in out.iter_mut().enumerate().take(W::COUNT) {
                *out = self.sample_one(uv.map(|c| c.get(l)), first + slope * l as f32, repeat);
            }
            return;
        }

        // all in the same two sizes
        self.level[low].sample(uv, repeat, out);
        if size(0).1 == 0.0 && size(W::COUNT - 1).1 == 0.0 {
            return;
        }
        let mut far = [[0.0; 4]; LANES];
        self.level[low + 1].sample(uv, repeat, &mut far);
        for l in 0..W::COUNT {
            out[l] = mix(size(l).1, out[l], far[l]);
        }
    }

    /// The colour at one place.
    fn sample_one(&self, uv: [f32; 2], lod: f32, repeat: bool) -> [f32; 4] {
        let (low, part) = self.size(lod);
        let (mut near, mut far) = ([[0.0; 4]; LANES], [[0.0; 4]; LANES]);
        self.level[low].sample(uv, repeat, &mut near);
        if part == 0.0 {
            return near[0];
        }
        self.level[low + 1].sample(uv, repeat, &mut far);
        mix(part, near[0], far[0])
    }
}

#[inline(always)]
fn mix(part: f32, a: [f32; 4], b: [f32; 4]) -> [f32; 4] {
    core::array::from_fn(|k| a[k] + part * (b[k] - a[k]))
}

impl Level {
    /// The image with half as many texels along each side.
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

    /// The image with what follows its last column and row: the first again, or the last.
    fn extended(&self, repeat: bool) -> Level {
        let Level { width, height, .. } = *self;
        let next = |x: usize, n: usize| match repeat {
            true => x % n,
            false => x.min(n - 1),
        };
        let at = |i: usize| {
            let (x, y) = (i % (width + 1), i / (width + 1));
            self.texel[next(y, height) * width + next(x, width)]
        };
        Level { width, height, texel: (0..(width + 1) * (height + 1)).map(at).collect() }
    }

    /// The colours at places, from 0 to 1 or repeated.
    #[inline(always)]
    fn sample<W: Wide>(&self, uv: [W; 2], repeat: bool, out: &mut [[f32; 4]; LANES]) {
        let axis = |c: W, n: usize| {
            let last = W::splat(n as f32 - 1.0);
            let x = if repeat { c - c.floor() } else { c }.times(n as f32).plus(-0.5);
            let x = if repeat { x } else { x.most(W::zero()).least(last) };
            let low = x.floor();
            // before the first texel is the last; what is not a number samples the first
            let from = if repeat { W::choose(low.less(W::zero()), last, low) } else { low };
            (from.most(W::zero()).least(last).integers(), x - low)
        };
        let (x, fx) = axis(uv[0], self.width);
        let (y, fy) = axis(uv[1], self.height);
        let stride = self.width + 1;
        for (l, out) in out.iter_mut().enumerate().take(W::COUNT) {
            let first = y[l] as usize * stride + x[l] as usize;
            let (fx, fy) = (fx.get(l), fy.get(l));
            let four = &self.texel[first..first + stride + 2];
            let [a, b, c, d] = [0, 1, stride, stride + 1].map(|i| numbers(four[i]));
            *out = core::array::from_fn(|k| {
                let (upper, lower) = (a[k] + fx * (b[k] - a[k]), c[k] + fx * (d[k] - c[k]));
                upper + fy * (lower - upper)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color(image: &Image, uv: [f32; 2], lod: f32) -> [f32; 4] {
        image.sample_one(uv, lod, true)
    }

    #[test]
    fn an_image_is_sampled_at_the_centres_of_its_texels() {
        let image = Image::new(2, 1, vec![[255, 0, 0, 255], [0, 255, 0, 255]], true);
        assert_eq!(color(&image, [0.25, 0.5], -1.0), [255.0, 0.0, 0.0, 255.0]);
        assert_eq!(color(&image, [0.75, 0.5], -1.0), [0.0, 255.0, 0.0, 255.0]);
        assert_eq!(color(&image, [0.5, 0.5], -1.0)[0], 127.5);
        assert_eq!(color(&image, [1.0, 0.5], -1.0)[0], 127.5);
        let far = color(&image, [0.3, 0.5], 9.0);
        assert!((far[0] - 128.0).abs() < 1.0 && (far[1] - 128.0).abs() < 1.0);
    }

    #[test]
    fn directions_meet_the_sides_of_a_cube() {
        let axes = [[1.0, 0.1, 0.0], [-1.0, 0.0, 0.1], [0.1, 1.0, 0.0], [0.0, -1.0, 0.1]];
        for (i, dir) in axes.into_iter().chain([[0.0, 0.1, 1.0], [0.1, 0.0, -1.0]]).enumerate() {
            assert_eq!(cube_side(dir).0, i);
        }
    }
}
