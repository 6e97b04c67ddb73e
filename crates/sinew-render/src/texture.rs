//! Textures with mipmaps, sampled as in OpenGL.

use sinew_model::enums::{ColorSpace, TextureType};
use sinew_model::{Model, TexId};

use crate::linear::V3;
use crate::power::rough_log2;
use crate::wide::{F8, LANES, Wide, Wide3, dot3, numbers};

/// One mipmap level: rows of red, green, blue and alpha. Each row has one more texel at its end,
/// and one more row follows the last, so that interpolation needs no bounds.
#[derive(Clone, Debug)]
struct Level {
    width: usize,
    height: usize,
    texel: Vec<[u8; 4]>,
    /// For every texel, the side of the largest square of constant colour that begins there.
    plain: Vec<u8>,
}

/// Samples at several positions.
pub(crate) enum Texels {
    /// One colour for all positions.
    One([f32; 4]),
    Each([[f32; 4]; LANES]),
}

/// An image with its mipmaps, down to one texel.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    level: Vec<Level>,
    opaque: bool,
}

/// A texture of a model.
#[derive(Clone, Debug)]
pub(crate) enum Texture {
    /// A repeated image.
    Flat(Image),
    /// The six sides of a cube, in OpenGL's order.
    Cube(Box<[Image; 6]>),
}

/// Texture information for a run of pixels in a row.
#[derive(Clone, Copy)]
pub(crate) enum Known {
    Nothing,
    /// The texture may have several colours here.
    Mixed,
    /// The texture has this constant colour here.
    Plain([f32; 4]),
}

/// Derivatives of coordinates by pixel, to the right and down.
pub(crate) type Change<W> = [Wide3<W>; 2];

impl Texture {
    pub(crate) fn new(m: &Model, t: TexId) -> Texture {
        let (width, height) = (m.tex_width[t].max(1) as usize, m.tex_height[t].max(1) as usize);
        let channels = m.tex_nchannel[t].max(1) as usize;
        let srgb = m.tex_colorspace[t] == ColorSpace::Srgb;
        let adr = m.tex_adr[t] as usize;
        let bytes = m.tex_data.get(adr..).unwrap_or_default();
        let repeat = m.tex_type[t] == TextureType::T2d;

        // texels as linear red, green, blue and alpha; missing data is black
        let light: [u8; 256] =
            core::array::from_fn(|byte| if srgb { linear(byte as u8) } else { byte as u8 });
        let read = |first: usize, width: usize, height: usize| {
            let texel = |bytes: &[u8]| {
                let byte = |k: usize| bytes[k.min(channels - 1)];
                let alpha = if channels == 4 { byte(3) } else { 255 };
                let [r, g, b] = [0, 1, 2].map(|k| light[usize::from(byte(k))]);
                [r, g, b, alpha]
            };
            let given = bytes.get(first * channels..).unwrap_or_default().chunks_exact(channels);
            let mut texels: Vec<[u8; 4]> = Vec::with_capacity(width * height);
            texels.extend(given.take(width * height).map(texel));
            texels.resize(width * height, [0, 0, 0, 255]);
            Image::new(width, height, texels, repeat)
        };

        // one image, or the six sides of a cube, which may share one image
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

    /// Multiplies colours by samples of the texture.
    #[inline(always)]
    pub(crate) fn paint<W: Wide>(&self, texels: &Texels, color: &mut Wide3<W>, alpha: &mut W) {
        let channel = |k: usize| match texels {
            Texels::One(texel) => W::splat(texel[k] * (1.0 / 255.0)),
            Texels::Each(texel) => W::lanes(|l| texel[l][k]).times(1.0 / 255.0),
        };
        *color = [0, 1, 2].map(|k| color[k] * channel(k));
        if !self.opaque() {
            *alpha = *alpha * channel(3);
        }
    }

    /// Texture information between eight pairs of positions in a row, given with their derivatives.
    pub(crate) fn plain(&self, [first, last]: [(Wide3<F8>, Change<F8>); 2]) -> [Known; LANES] {
        let Texture::Flat(image) = self else { return [Known::Nothing; LANES] };
        let [u, v] = [0, 1].map(|k| [first.0[k], last.0[k]]);
        image.plain([u, v], [image.step(&first.1), image.step(&last.1)])
    }

    /// Samples, from 0 to 255, at coordinates of a repeated image or at directions.
    #[inline(always)]
    pub(crate) fn sample<W: Wide>(
        &self,
        at: &Wide3<W>,
        change: &Change<W>,
        known: Known,
    ) -> Texels {
        let mut texel = [[0.0; 4]; LANES];
        match self {
            Texture::Flat(image) => {
                let step = image.step(change);
                let last = W::COUNT - 1;
                let ends = [step.get(0), step.get(last)];
                if let Known::Nothing = known {
                    let uv = [0, 1].map(|k| [at[k].get(0), at[k].get(last)]);
                    if let Some(color) = image.plain_run(uv, ends) {
                        return Texels::One(color);
                    }
                }

                // the level of detail is nearly linear along a few pixels
                let [first, end] = ends.map(|step| 0.5 * rough_log2(step));
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
        Texels::Each(texel)
    }
}

/// The side of a cube that a direction meets, the coordinates on it, and the direction's largest
/// coordinate (OpenGL 2.1, table 3.19).
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

/// Converts a byte from sRGB to linear light.
fn linear(byte: u8) -> u8 {
    let c = f32::from(byte) / 255.0;
    let light = if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) };
    (light * 255.0).round() as u8
}

impl Image {
    fn new(width: usize, height: usize, texel: Vec<[u8; 4]>, repeat: bool) -> Image {
        let opaque = texel.iter().all(|texel| texel[3] == 255);
        let mut size = Level { width, height, texel, plain: Vec::new() };
        let mut level = vec![size.extended(repeat)];
        while size.texel.len() > 1 {
            size = size.halved();
            level.push(size.extended(repeat));
        }
        Image { opaque, level }
    }

    /// Square of the texels per pixel.
    #[inline(always)]
    fn step<W: Wide>(&self, change: &Change<W>) -> W {
        let (width, height) = (self.level[0].width as f32, self.level[0].height as f32);
        let texels = |c: &Wide3<W>| {
            let (x, y) = (c[0].times(width), c[1].times(height));
            x * x + y * y
        };
        texels(&change[0]).most(texels(&change[1])).most(W::splat(1e-12))
    }

    /// The two mipmap levels between two pixels of a repeated image, from the squares of texels per
    /// pixel at both. `None` if there are more than two.
    #[inline(always)]
    fn sizes(&self, step: [f32; 2]) -> Option<[&Level; 2]> {
        // half the logarithm of the square, from its exponent
        let last = self.level.len() - 1;
        let size = |step: f32| (((step.to_bits() >> 23).max(127) as usize - 127) / 2).min(last);
        let low = size(step[0]);
        let magnified = step[0] <= 1.0 && step[1] <= 1.0;
        let high = if magnified { low } else { (low + 1).min(last) };
        (low == size(step[1])).then(|| [&self.level[low], &self.level[high]])
    }

    /// The constant colour of a repeated image between two pixels in a row, if it has one there.
    /// `step` is the square of the texels per pixel at each.
    #[inline(always)]
    fn plain_run(&self, [u, v]: [[f32; 2]; 2], step: [f32; 2]) -> Option<[f32; 4]> {
        let [near, far] = self.sizes(step)?;
        let inside = |c, side: usize| in_one_copy(c, side as f32);
        if !(inside(u, far.width) && inside(v, far.height)) {
            return None;
        }
        let [w, h, far_w, far_h] =
            [near.width, near.height, far.width, far.height].map(|n| n as f32);
        let sides = F8::new([w, w, h, h, far_w, far_w, far_h, far_h]);
        let ends = F8::new([u[0], u[1], v[0], v[1], u[0], u[1], v[0], v[1]]);
        let [a, b, c, d, e, f, g, h] = before(ends, sides, true).0;
        let color = near.plain([a, b], [c, d])?;
        (far.plain([e, f], [g, h])? == color).then(|| numbers(color))
    }

    /// Texture information for eight runs of pixels in a row, given by the first and last pixel of
    /// each.
    #[inline(always)]
    fn plain(&self, [u, v]: [[F8; 2]; 2], step: [F8; 2]) -> [Known; LANES] {
        let Some(sizes) = self.sizes([step[0].get(0), step[1].get(LANES - 1)]) else {
            return [Known::Nothing; LANES];
        };
        let at = sizes.map(|level| {
            let [width, height] = [level.width, level.height].map(|n| F8::splat(n as f32));
            (u.map(|u| before(u, width, true).0), v.map(|v| before(v, height, true).0))
        });
        let inside = |c, side: usize| in_one_copy(c, F8::splat(side as f32));
        let inside = F8::bits(inside(u, sizes[1].width) & inside(v, sizes[1].height));
        let mut known = [Known::Mixed; LANES];
        for (l, known) in known.iter_mut().enumerate().filter(|(l, _)| inside >> l & 1 == 1) {
            let color = |i: usize| {
                let (x, y) = &at[i];
                sizes[i].plain([x[0][l], x[1][l]], [y[0][l], y[1][l]])
            };
            if let Some(texel) = color(0).filter(|near| color(1).is_some_and(|far| far == *near)) {
                *known = Known::Plain(numbers(texel));
            }
        }
        known
    }

    /// The finer of the two levels around a level of detail, and the weight of the coarser.
    #[inline(always)]
    fn size(&self, lod: f32) -> (usize, f32) {
        let last = self.level.len() - 1;
        let lod = lod.most(0.0).least(last as f32);
        let low = lod as u32 as usize;
        (low, lod - low as f32)
    }

    /// Samples at positions in a row, with trilinear filtering. The level of detail is linear along
    /// the row.
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

        // all samples between the same two levels
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

    /// The sample at one position.
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
    /// The next mipmap level, with half the width and height. Texels of the level are samples
    /// between four texels, as in OpenGL implementations; of an odd number of texels none is left
    /// out.
    fn halved(&self) -> Level {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let columns = halfway(self.width, width);
        let rows = halfway(self.height, height);
        let mut texel = Vec::with_capacity(width * height);
        for (y, fy) in rows {
            let [upper, lower] = y.map(|y| &self.texel[y * self.width..][..self.width]);
            texel.extend(columns.iter().map(|&(x, fx)| -> [u8; 4] {
                let [a, b, c, d] =
                    [upper[x[0]], upper[x[1]], lower[x[0]], lower[x[1]]].map(numbers);
                core::array::from_fn(|k| {
                    let (above, below) = (a[k] + fx * (b[k] - a[k]), c[k] + fx * (d[k] - c[k]));
                    (above + fy * (below - above) + 0.5) as u8
                })
            }));
        }
        Level { width, height, texel, plain: Vec::new() }
    }

    /// Appends the texels that follow the last column and row: the first again, or the last.
    fn extended(&self, repeat: bool) -> Level {
        let Level { width, height, .. } = *self;
        let next = |x: usize, n: usize| match repeat {
            true => x % n,
            false => x.min(n - 1),
        };
        let mut texel = Vec::with_capacity((width + 1) * (height + 1));
        for y in 0..=height {
            let row = &self.texel[next(y, height) * width..][..width];
            texel.extend_from_slice(row);
            texel.push(row[next(width, width)]);
        }
        let plain = plain_squares(&texel, width + 1);
        Level { width, height, texel, plain }
    }

    /// The constant colour between and around two texels of a repeated image, if it is constant.
    /// Coordinates are monotonic along a row of pixels, so the ends bound them.
    #[inline(always)]
    fn plain(&self, x: [i32; 2], y: [i32; 2]) -> Option<[u8; 4]> {
        let first = y[0].min(y[1]) as usize * (self.width + 1) + x[0].min(x[1]) as usize;
        let side = x[0].abs_diff(x[1]).max(y[0].abs_diff(y[1])) + 2;
        (u32::from(self.plain[first]) >= side).then(|| self.texel[first])
    }

    /// Samples at positions in [0, 1], or repeated.
    #[inline(always)]
    fn sample<W: Wide>(&self, uv: [W; 2], repeat: bool, out: &mut [[f32; 4]; LANES]) {
        let [width, height] = [self.width, self.height].map(|n| W::splat(n as f32));
        let (x, fx) = before(uv[0], width, repeat);
        let (y, fy) = before(uv[1], height, repeat);
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

/// For each of `n` equal parts of a side of `from` texels: the texels before and after its middle,
/// and the weight of the latter.
fn halfway(from: usize, n: usize) -> Vec<([usize; 2], f32)> {
    let middle = |i: usize| {
        let at = (i as f32 + 0.5) * from as f32 / n as f32 - 0.5;
        let low = at as usize;
        ([low, (low + 1).min(from - 1)], at - low as f32)
    };
    (0..n).map(middle).collect()
}

/// For coordinates along sides of `n` texels: the texel before each, and the weight of the next
/// texel.
#[inline(always)]
fn before<W: Wide>(c: W, n: W, repeat: bool) -> ([i32; LANES], W) {
    let last = n.plus(-1.0);
    let x = (if repeat { c - c.floor() } else { c } * n).plus(-0.5);
    let x = if repeat { x } else { x.most(W::zero()).least(last) };
    let low = x.floor();
    // the last texel precedes the first; NaN samples the first
    let from = if repeat { W::choose(low.less(W::zero()), last, low) } else { low };
    (from.most(W::zero()).least(last).integers(), x - low)
}

/// Whether two coordinates are in the same copy of a repeated image, and neither lies before the
/// middle of the first of `n` texels. Then texels between them are consecutive.
#[inline(always)]
fn in_one_copy<W: Wide>([a, b]: [W; 2], n: W) -> W::Mask {
    let half = W::splat(0.5);
    let (low, high) = (a.floor(), b.floor());
    low.equals(high) & half.at_most((a - low) * n) & half.at_most((b - high) * n)
}

/// For every texel of an image, the side of the largest square of constant colour that begins
/// there.
fn plain_squares(texel: &[[u8; 4]], width: usize) -> Vec<u8> {
    let mut side = vec![1u8; texel.len()];
    for i in (0..texel.len().saturating_sub(width)).rev() {
        let others = [i + 1, i + width, i + width + 1];
        if i % width + 1 < width && others.iter().all(|&k| texel[k] == texel[i]) {
            let least = others.map(|k| side[k]).into_iter().fold(u8::MAX, u8::min);
            side[i] = least.saturating_add(1);
        }
    }
    side
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
    fn mipmaps_of_odd_sizes_keep_the_mean_colour() {
        // halves of 100 texels have 50, 25, 12, 6, 3 and 1 texels
        let checker = |i: usize| [if (i % 100 < 50) != (i < 5000) { 200 } else { 0 }; 4];
        let image = Image::new(100, 100, (0..100 * 100).map(checker).collect(), true);
        for lod in 0..7 {
            let level = &image.level[lod];
            let inner = (0..level.height).flat_map(|y| (0..level.width).map(move |x| [x, y]));
            let texel = |[x, y]: [usize; 2]| f32::from(level.texel[y * (level.width + 1) + x][0]);
            let mean = inner.map(texel).sum::<f32>() / (level.width * level.height) as f32;
            assert!((mean - 100.0).abs() < 1.0, "level {lod}: {mean}");
        }
    }

    #[test]
    fn directions_meet_the_sides_of_a_cube() {
        let axes = [[1.0, 0.1, 0.0], [-1.0, 0.0, 0.1], [0.1, 1.0, 0.0], [0.0, -1.0, 0.1]];
        for (i, dir) in axes.into_iter().chain([[0.0, 0.1, 1.0], [0.1, 0.0, -1.0]]).enumerate() {
            assert_eq!(cube_side(dir).0, i);
        }
    }
    /// Where a texture is known to be constant, sampling gives the same colour.
    #[test]
    fn plain_places_have_the_colour_of_their_samples() {
        let checker = |i: usize| [[200, 10, 30, 255], [0, 90, 250, 255]][(i / 32 + i / 1024) % 2];
        let image = Image::new(64, 64, (0..64 * 64).map(checker).collect(), true);
        let texture = Texture::Flat(image.clone());
        let mut plain = 0;
        for i in 0..2000 {
            let (u, v, texels) = (0.0137 * i as f32, 0.0071 * i as f32, 0.2 + 0.001 * i as f32);
            let at = [F8::lanes(|l| u + l as f32 * texels / 64.0), F8::splat(v), F8::zero()];
            let change = [[F8::splat(texels / 64.0), F8::zero(), F8::zero()], [F8::zero(); 3]];
            if let Texels::One(color) = texture.sample(&at, &change, Known::Nothing) {
                plain += 1;
                for l in 0..LANES {
                    let uv = [at[0].get(l), v];
                    assert_eq!(image.sample_one(uv, texels.log2(), true), color);
                }
            }
        }
        assert!(plain > 100, "{plain}");
    }

    /// Ends of a run in different copies of a repeated image say nothing about the texels between.
    #[test]
    fn a_run_over_several_copies_is_not_plain() {
        let checker = |i: usize| [[250, 0, 0, 255], [0, 0, 250, 255]][(i / 8 + i / 128) % 2];
        let image = Image::new(16, 16, (0..16 * 16).map(checker).collect(), true);
        let texture = Texture::Flat(image);
        for texels in [1.9f32, 2.2, 2.286, 2.3, 4.57] {
            for start in 0..16 {
                let u = (start as f32 + 0.5) / 16.0;
                let at = [F8::lanes(|l| u + l as f32 * texels / 16.0), F8::splat(0.2), F8::zero()];
                let step = [F8::splat(texels / 16.0), F8::zero(), F8::zero()];
                let change = [step, [F8::zero(); 3]];
                let same = |l: usize| {
                    let one = [at[0].get(l), 0.2, 0.0];
                    let change = change.map(|c| c.map(|c| c.get(l)));
                    match texture.sample(&one, &change, Known::Mixed) {
                        Texels::Each(texel) => texel[0],
                        Texels::One(texel) => texel,
                    }
                };
                if let Texels::One(color) = texture.sample(&at, &change, Known::Nothing) {
                    (0..LANES).for_each(|l| assert_eq!(same(l), color, "{texels} {start} {l}"));
                }
                let ends = [0, LANES - 1].map(|l| at.map(|c| F8::splat(c.get(l))));
                let known = texture.plain(ends.map(|end| (end, change)));
                if let Known::Plain(color) = known[0] {
                    (0..LANES).for_each(|l| assert_eq!(same(l), color, "{texels} {start} {l}"));
                }
            }
        }
    }
}
