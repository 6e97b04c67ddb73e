//! Where pixels are on a plane.

use crate::linear::V3;
use crate::texture::Change;
use crate::wide::{Wide, Wide3};

/// A linear form of the pixels of a tile.
type Form = [f32; 3];

/// Where the pixels of a tile are on a plane: ratios of linear forms.
pub(crate) struct PlaneForms {
    /// What the others are divided by.
    sum: Form,
    /// The plane's own coordinates.
    pub(crate) own: [Form; 2],
    world: [Form; 3],
    tex: [Form; 3],
}

/// Pixels on a plane.
pub(crate) struct Place<W> {
    x: W,
    y: f32,
    /// One over the sum.
    pub(crate) inverse: W,
}

impl<W: Wide> Place<W> {
    #[inline(always)]
    pub(crate) fn value(&self, [a, b, c]: Form) -> W {
        self.x.times(a).plus(b * self.y + c) * self.inverse
    }
}

impl PlaneForms {
    /// Forms from those of the weights of three corners, which have coordinates of the plane, of
    /// the world and of the texture.
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
    pub(crate) fn place<W: Wide>(&self, x: W, y: f32) -> Place<W> {
        let [a, b, c] = self.sum;
        Place { x, y, inverse: W::splat(1.0) / x.times(a).plus(b * y + c) }
    }

    #[inline(always)]
    pub(crate) fn world<W: Wide>(&self, place: &Place<W>) -> Wide3<W> {
        self.world.map(|form| place.value(form))
    }

    /// Texture coordinates, and how they change from pixel to pixel: the derivatives of a ratio.
    #[inline(always)]
    pub(crate) fn texture_place<W: Wide>(&self, place: &Place<W>) -> (Wide3<W>, Change<W>) {
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
