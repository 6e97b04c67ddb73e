//! Light at a point of a surface, as OpenGL's fixed pipeline computes it (OpenGL 2.1, §2.14.1).

use sinew_model::enums::LightType;
use sinew_scene::{Light, Scene};

use crate::linear::{V3, add, dot, mul, normalize, scale, sub};
use crate::material::Surface;

/// Most lights; OpenGL implementations have eight.
pub(crate) const MAX_LIGHTS: usize = 8;

/// Ambient light where there are no lights at all.
const LONELY: f32 = 0.3;

/// A light that shines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lamp {
    pub(crate) light: Light,
    spot: bool,
    dir: V3,
    cos_cutoff: f32,
    /// Which shadow map it has, if it casts shadows.
    pub(crate) shadow: Option<usize>,
}

/// All lights, and where they are seen from.
#[derive(Clone, Debug)]
pub(crate) struct Lights {
    pub(crate) lamps: Vec<Lamp>,
    ambient: f32,
}

impl Lights {
    /// The lights of a scene; those that cast shadows are numbered if `shadows`.
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

    /// How many lights cast shadows.
    pub(crate) fn shadows(&self) -> usize {
        self.lamps.iter().filter(|lamp| lamp.shadow.is_some()).count()
    }

    /// The same lights, none of which casts shadows.
    pub(crate) fn unshadowed(&self) -> Lights {
        let lamps = self.lamps.iter().map(|lamp| Lamp { shadow: None, ..*lamp });
        Lights { lamps: lamps.collect(), ambient: self.ambient }
    }

    /// Colours of a point of a surface: first by the surface itself and all lights without shadows,
    /// then by each light that has them.
    pub(crate) fn shine(&self, surface: &Surface, pos: V3, normal: V3, eye: V3, out: &mut [V3]) {
        let rgb = [surface.rgba[0], surface.rgba[1], surface.rgba[2]];
        out.fill([0.0; 3]);
        out[0] = scale(rgb, surface.emission + self.ambient);
        for lamp in &self.lamps {
            let color = lamp.shine(surface, rgb, pos, normal, eye);
            let slot = lamp.shadow.map_or(0, |k| k + 1);
            out[slot] = add(out[slot], color);
        }
        for color in out {
            *color = color.map(|c| c.clamp(0.0, 1.0));
        }
    }
}

impl Lamp {
    fn shine(&self, surface: &Surface, rgb: V3, pos: V3, normal: V3, eye: V3) -> V3 {
        let light = &self.light;
        let (to_light, strength) = if self.spot {
            let vec = sub(light.pos, pos);
            let dist = dot(vec, vec).sqrt();
            let to_light = scale(vec, 1.0 / dist.max(1e-10));
            (to_light, self.attenuation(dist) * self.cone(to_light))
        } else {
            (scale(self.dir, -1.0), 1.0)
        };
        if strength <= 0.0 {
            return [0.0; 3];
        }
        let mut color = mul(light.ambient, rgb);
        let facing = dot(normal, to_light);
        if facing > 0.0 {
            color = add(color, scale(mul(light.diffuse, rgb), facing));

            // halfway between the light and the eye
            let half = normalize(add(to_light, normalize(sub(eye, pos))));
            let mirror = dot(normal, half);
            if mirror > 0.0 && surface.specular > 0.0 {
                let glance = mirror.powf(surface.shininess * 128.0);
                color = add(color, scale(light.specular, glance * surface.specular));
            }
        }
        scale(color, strength)
    }

    fn attenuation(&self, dist: f32) -> f32 {
        let [constant, linear, quadratic] = self.light.attenuation;
        1.0 / (constant + linear * dist + quadratic * dist * dist).max(1e-10)
    }

    fn cone(&self, to_light: V3) -> f32 {
        if self.cos_cutoff < -1.0 {
            return 1.0;
        }
        let along = -dot(to_light, self.dir);
        if along < self.cos_cutoff {
            0.0
        } else if self.light.exponent == 0.0 {
            1.0
        } else {
            along.max(0.0).powf(self.light.exponent)
        }
    }
}
