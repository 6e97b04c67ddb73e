//! Lighting of surface points by OpenGL's fixed pipeline (OpenGL 2.1, §2.14.1).

use sinew_model::enums::LightType;
use sinew_scene::{Light, Scene};

use crate::linear::{V3, mul, normalize};
use crate::material::Surface;
use crate::power::power;
use crate::wide::{Wide, Wide3, along, dot3};

/// Maximum number of lights, as in OpenGL implementations.
pub(crate) const MAX_LIGHTS: usize = 8;

/// Ambient light of a scene without lights.
const LONELY: f32 = 0.3;

/// Points of a surface, with normals.
pub(crate) struct Points<W> {
    pub(crate) pos: Wide3<W>,
    pub(crate) normal: Wide3<W>,
}

/// An active light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lamp {
    pub(crate) light: Light,
    spot: bool,
    dir: V3,
    cos_cutoff: f32,
    /// Index of its shadow map, if it casts shadows.
    pub(crate) shadow: Option<usize>,
}

/// All lights, and the position of the eye.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lights {
    pub(crate) lamps: Vec<Lamp>,
    ambient: f32,
}

impl Lights {
    /// The lights of a scene; with `shadows`, those that cast shadows get an index.
    pub(crate) fn new(scn: &Scene, shadows: bool) -> Lights {
        let mut count = 0;
        let known =
            |light: &&Light| matches!(light.r#type, LightType::Spot | LightType::Directional);
        let lamps = scn.lights.iter().take(MAX_LIGHTS).filter(known).map(|light| {
            let shadow = (shadows && light.castshadow != 0).then(|| {
                count += 1;
                count - 1
            });
            let spot = light.r#type == LightType::Spot;
            let cutoff = if spot && light.cutoff <= 90.0 { light.cutoff } else { 180.0 };
            let cos_cutoff = if cutoff == 180.0 { -2.0 } else { cutoff.to_radians().cos() };
            Lamp { light: *light, spot, dir: normalize(light.dir), cos_cutoff, shadow }
        });
        let lamps: Vec<Lamp> = lamps.collect();
        Lights { ambient: if scn.lights.is_empty() { LONELY } else { 0.0 }, lamps }
    }

    /// Number of lights that cast shadows.
    pub(crate) fn shadows(&self) -> usize {
        self.lamps.iter().filter(|lamp| lamp.shadow.is_some()).count()
    }

    /// The same lights without shadows.
    pub(crate) fn unshadowed(&self) -> Lights {
        let lamps = self.lamps.iter().map(|lamp| Lamp { shadow: None, ..*lamp });
        Lights { lamps: lamps.collect(), ambient: self.ambient }
    }

    /// Colours of surface points: first emission and all lights without shadows, then each light
    /// with shadows by itself.
    #[inline(always)]
    pub(crate) fn shine<W: Wide>(
        &self,
        surface: &Surface,
        at: &Points<W>,
        eye: V3,
        out: &mut [Wide3<W>],
    ) {
        let own = surface.emission + self.ambient;
        out.fill([W::zero(); 3]);
        out[0] = [0, 1, 2].map(|k| W::splat(surface.rgba[k] * own));
        let to_eye = unit([0, 1, 2].map(|k| W::splat(eye[k]) - at.pos[k]));
        for lamp in &self.lamps {
            lamp.shine(surface, at, to_eye, &mut out[lamp.shadow.map_or(0, |k| k + 1)]);
        }
        for color in out {
            *color = color.map(W::clamp01);
        }
    }
}

impl Lamp {
    /// Adds the light of one lamp.
    #[inline(always)]
    fn shine<W: Wide>(
        &self,
        surface: &Surface,
        at: &Points<W>,
        to_eye: Wide3<W>,
        out: &mut Wide3<W>,
    ) {
        let [r, g, b, _] = surface.rgba;
        let (to_light, strength) = self.directions(&at.pos);
        let diffuse = mul(self.light.diffuse, [r, g, b]);
        let ambient = mul(self.light.ambient, [r, g, b]);
        let facing = dot3(to_light, at.normal).most(W::zero());
        for k in 0..3 {
            out[k] = out[k] + facing.times(diffuse[k]).plus(ambient[k]) * strength;
        }
        let specular = self.light.specular.map(|s| s * surface.specular);
        if specular == [0.0; 3] || surface.specular <= 0.0 {
            return;
        }

        // half vector between the directions to the light and the eye
        let half = unit([0, 1, 2].map(|k| to_light[k] + to_eye[k]));
        let mirror = dot3(half, at.normal);
        let shines = W::zero().less(facing) & W::zero().less(mirror) & W::zero().less(strength);
        if !W::any(shines) {
            return;
        }
        let exponent = surface.shininess * 128.0;
        let glance = mirror.map(|cos| power(cos, exponent)) * strength;
        let glance = W::choose(shines, glance, W::zero());
        for k in 0..3 {
            out[k] = out[k] + glance.times(specular[k]);
        }
    }

    /// Directions to the light, and its attenuation.
    #[inline(always)]
    fn directions<W: Wide>(&self, pos: &Wide3<W>) -> (Wide3<W>, W) {
        if !self.spot {
            return (self.dir.map(|x| W::splat(-x)), W::splat(1.0));
        }
        let [constant, linear, quadratic] = self.light.attenuation;
        let vec = [0, 1, 2].map(|k| W::splat(self.light.pos[k]) - pos[k]);
        let dist = dot3(vec, vec).sqrt();
        let inverse = W::splat(1.0) / dist.most(W::splat(1e-10));
        let to_light = vec.map(|x| x * inverse);
        let fade = (dist.times(quadratic).plus(linear) * dist).plus(constant);
        let strength = W::splat(1.0) / fade.most(W::splat(1e-10));

        // the cone of a spot
        if self.cos_cutoff < -1.0 {
            return (to_light, strength);
        }
        let cos = W::zero() - along(to_light, self.dir);
        let inside = W::splat(self.cos_cutoff).at_most(cos);
        let mut strength = W::choose(inside, strength, W::zero());
        if self.light.exponent != 0.0 {
            strength = strength * cos.map(|cos| power(cos.min(1.0), self.light.exponent));
        }
        (to_light, strength)
    }
}

/// Unit vectors; a zero vector stays short.
#[inline(always)]
fn unit<W: Wide>(v: Wide3<W>) -> Wide3<W> {
    let inverse = W::splat(1.0) / dot3(v, v).sqrt().most(W::splat(1e-10));
    v.map(|x| x * inverse)
}
