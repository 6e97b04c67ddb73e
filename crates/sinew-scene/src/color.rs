//! Computed colours.

use sinew_geom::sdf::halton;

/// The colour of a constraint island with a given number, or grey without one. Sleeping islands are
/// darker.
pub(crate) fn island_color(number: Option<i32>, awake: bool) -> [f32; 4] {
    let (mut hue, mut saturation, mut value) = (1.0f32, 0.0f32, 0.7f32);
    if let Some(h) = number {
        let index = usize::try_from(h + 1).unwrap_or(0);
        hue = halton(index, 7) as f32;
        saturation = (0.5 + 0.5 * halton(index, 3)) as f32;
        value = (0.6 + 0.4 * halton(index, 5)) as f32;
    }
    if !awake {
        value = (f64::from(value) * 0.6) as f32;
        saturation = (f64::from(saturation) * 0.7) as f32;
    }
    let [r, g, b] = from_hsv(hue, saturation, value);
    [r, g, b, 1.0]
}

/// Red, green and blue from hue, saturation and value.
fn from_hsv(hue: f32, saturation: f32, value: f32) -> [f32; 3] {
    if saturation <= 0.0 {
        return [value; 3];
    }
    let sector = hue * 6.0;
    let fraction = sector - sector.trunc();
    let low = value * (1.0 - saturation);
    let falling = value * (1.0 - saturation * fraction);
    let rising = value * (1.0 - saturation * (1.0 - fraction));
    match sector as i32 {
        0 => [value, rising, low],
        1 => [falling, value, low],
        2 => [low, value, rising],
        3 => [low, falling, value],
        4 => [rising, low, value],
        _ => [value, low, falling],
    }
}

/// The colour of a perturbation: red if active, green if active by the secondary input, or both.
pub(crate) fn mixed(reference: [f32; 4], first: bool, second: bool) -> [f32; 4] {
    let [r, g, b, a] = reference;
    let mix = |own: f32, other: f32| {
        let base = if first { own } else { 0.0 };
        if second { base.max(other) } else { base }
    };
    [mix(r, g), mix(g, r), b, a]
}

/// Interpolates two colours in double precision; keeps the alpha of the first.
pub(crate) fn blend(a: [f32; 4], b: [f32; 4], factor: f64) -> [f32; 4] {
    let mix = |k: usize| ((1.0 - factor) * f64::from(a[k]) + factor * f64::from(b[k])) as f32;
    [mix(0), mix(1), mix(2), a[3]]
}
