//! Positions of pixels on a plane.

use crate::linear::V3;
use crate::texture::Change;
use crate::wide::{Wide, Wide3};

/// A linear form in the pixel coordinates of a tile.
type Form = [f32; 3];

/// Positions on a plane of a tile's pixels, as ratios of linear forms.
pub(crate) struct PlaneForms {
    /// Common denominator of the ratios.
    sum: Form,
    /// Coordinates in the plane's frame.
    pub(crate) own: [Form; 2],
    world: [Form; 3],
    tex: [Form; 3],
}

/// Positions of some pixels on a plane.
pub(crate) struct PlanePoints<W> {
    x: W,
    y: f32,
    /// Reciprocal of the common denominator.
    pub(crate) inverse: W,
}

impl<W: Wide> PlanePoints<W> {
    #[inline(always)]
    pub(crate) fn value(&self, [a, b, c]: Form) -> W {
        self.x.times(a).plus(b * self.y + c) * self.inverse
    }
}

impl PlaneForms {
    /// Forms from the barycentric forms of three corners, given with plane, world and texture
    /// coordinates.
    pub(crate) fn new(
        weight: &[Form; 3],
        own: &[V3; 3],
        world: &[V3; 3],
        tex: &[V3; 3],
    ) -> PlaneForms {
        let mix = |value: [f32; 3]| -> Form {
            core::array::from_fn(|k| {
                let terms = (0..3).map(|i| f64::from(weight[i][k]) * f64::from(value[i]));
                terms.sum::<f64>() as f32
            })
        };
        PlaneForms {
            sum: mix([1.0; 3]),
            own: [0, 1].map(|k| mix(own.map(|corner| corner[k]))),
            world: [0, 1, 2].map(|k| mix(world.map(|corner| corner[k]))),
            tex: [0, 1, 2].map(|k| mix(tex.map(|corner| corner[k]))),
        }
    }

    #[inline(always)]
    pub(crate) fn place<W: Wide>(&self, x: W, y: f32) -> PlanePoints<W> {
        let [a, b, c] = self.sum;
        PlanePoints { x, y, inverse: W::splat(1.0) / x.times(a).plus(b * y + c) }
    }

    #[inline(always)]
    pub(crate) fn world<W: Wide>(&self, place: &PlanePoints<W>) -> Wide3<W> {
        self.world.map(|form| place.value(form))
    }

    /// Texture coordinates and, by the quotient rule, their derivatives by pixel.
    #[inline(always)]
    pub(crate) fn texture_place<W: Wide>(&self, place: &PlanePoints<W>) -> (Wide3<W>, Change<W>) {
        let at = self.tex.map(|form| place.value(form));
        let change = [0, 1].map(|axis| {
            [0, 1, 2].map(|k| {
                let rise = W::splat(self.tex[k][axis]) - at[k].times(self.sum[axis]);
                rise * place.inverse
            })
        });
        (at, change)
    }
}
