//! Primitives fitted to meshes.

use sinew_math::{Quat, Vec3};

use crate::asset::mesh::data::CompiledMesh;

/// Geom types that can be fitted to a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FitShape {
    /// Sphere.
    Sphere,
    /// Capsule along z.
    Capsule,
    /// Ellipsoid.
    Ellipsoid,
    /// Cylinder along z.
    Cylinder,
    /// Box.
    Box,
}

impl CompiledMesh {
    /// Size of a primitive fitted to the mesh and its centre in the mesh frame. Entries that the
    /// shape does not use keep the values of `size`, scaled. `fitaabb` fits the bounding box
    /// instead of the box of inertia.
    #[doc(alias = "FitGeom")]
    pub(crate) fn fit(
        &self,
        shape: FitShape,
        size: [f64; 3],
        fitscale: f64,
        fitaabb: bool,
    ) -> ([f64; 3], Vec3) {
        let (size, center) = if fitaabb {
            self.fit_bounds(shape, size)
        } else {
            (self.fit_inertia(shape, size), Vec3::ZERO)
        };
        (size.map(|x| x * fitscale), center)
    }

    /// The pose of a geom that shows the mesh (or a primitive centred at `center` of it). The input
    /// is the pose written for the mesh of the file.
    pub(crate) fn geom_frame(&self, pos: Vec3, quat: Quat, center: Vec3) -> (Vec3, Quat) {
        let shift = self.quat.rotate(center) + self.pos;
        (pos + quat.to_mat() * shift, quat * self.quat)
    }

    fn fit_inertia(&self, shape: FitShape, mut size: [f64; 3]) -> [f64; 3] {
        let half = self.boxsz;
        match shape {
            FitShape::Sphere => size[0] = (half.x + half.y + half.z) / 3.0,
            FitShape::Capsule => {
                size[0] = (half.x + half.y) / 2.0;
                size[1] = (half.z - size[0] / 2.0).max(0.0);
            }
            FitShape::Cylinder => {
                size[0] = (half.x + half.y) / 2.0;
                size[1] = half.z;
            }
            FitShape::Ellipsoid | FitShape::Box => size = half.to_array(),
        }
        size
    }

    fn fit_bounds(&self, shape: FitShape, mut size: [f64; 3]) -> ([f64; 3], Vec3) {
        let a = &self.aamm;
        let center = Vec3::new((a[0] + a[3]) / 2.0, (a[1] + a[4]) / 2.0, (a[2] + a[5]) / 2.0);
        let half = Vec3::new(a[3], a[4], a[5]) - center;
        match shape {
            FitShape::Sphere => size[0] = half.x.max(half.y).max(half.z),
            FitShape::Capsule => {
                size[0] = half.x.max(half.y);
                size[1] = half.z - size[0];
            }
            FitShape::Cylinder => {
                size[0] = half.x.max(half.y);
                size[1] = half.z;
            }
            FitShape::Ellipsoid | FitShape::Box => size = half.to_array(),
        }
        (size, center)
    }
}
