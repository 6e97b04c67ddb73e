//! Pairs of spatial vectors and inertias: of two bodies, or two vectors of one body.
//!
//! A single product needs more shuffles than multiplications; a pair needs no shuffles. Each has
//! the same sums as alone.

use crate::mat3::Mat3;
use crate::simd::Pair;
use crate::spatial::{Inertia, Spatial};
use crate::vec3::Vec3;

/// Two vectors.
#[derive(Clone, Copy, Debug)]
struct Vec3Pair {
    x: Pair,
    y: Pair,
    z: Pair,
}

/// Two spatial vectors.
#[derive(Clone, Copy, Debug)]
pub struct SpatialPair {
    rot: Vec3Pair,
    lin: Vec3Pair,
}

/// Two inertias.
#[derive(Clone, Copy, Debug)]
pub struct InertiaPair([Pair; 10]);

impl Vec3Pair {
    #[inline(always)]
    fn new(a: &Vec3, b: &Vec3) -> Vec3Pair {
        Vec3Pair { x: Pair::new(a.x, b.x), y: Pair::new(a.y, b.y), z: Pair::new(a.z, b.z) }
    }

    #[inline(always)]
    fn add(self, o: Vec3Pair) -> Vec3Pair {
        Vec3Pair { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }

    #[inline(always)]
    fn cross(self, o: Vec3Pair) -> Vec3Pair {
        Vec3Pair {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    /// `v` added to the first vector.
    #[inline(always)]
    fn add_first(self, v: Vec3) -> Vec3Pair {
        Vec3Pair { x: self.x.add_first(v.x), y: self.y.add_first(v.y), z: self.z.add_first(v.z) }
    }

    /// The two vectors as the halves of a spatial vector.
    #[inline(always)]
    fn halves(self) -> Spatial {
        let [rot, lin] = self.split();
        Spatial::new(rot, lin)
    }

    #[inline(always)]
    fn split(self) -> [Vec3; 2] {
        let ([ax, bx], [ay, by], [az, bz]) =
            (self.x.to_array(), self.y.to_array(), self.z.to_array());
        [Vec3::new(ax, ay, az), Vec3::new(bx, by, bz)]
    }
}

impl SpatialPair {
    /// The two vectors.
    #[inline(always)]
    pub fn new(a: &Spatial, b: &Spatial) -> SpatialPair {
        SpatialPair { rot: Vec3Pair::new(&a.rot, &b.rot), lin: Vec3Pair::new(&a.lin, &b.lin) }
    }

    /// The two vectors.
    #[inline(always)]
    pub fn split(self) -> [Spatial; 2] {
        let ([a_rot, b_rot], [a_lin, b_lin]) = (self.rot.split(), self.lin.split());
        [Spatial::new(a_rot, a_lin), Spatial::new(b_rot, b_lin)]
    }

    /// The halves of the first vector.
    #[inline(always)]
    fn firsts(self) -> Vec3Pair {
        let (r, l) = (self.rot, self.lin);
        Vec3Pair { x: r.x.firsts(l.x), y: r.y.firsts(l.y), z: r.z.firsts(l.z) }
    }

    /// The halves of the second vector.
    #[inline(always)]
    fn seconds(self) -> Vec3Pair {
        let (r, l) = (self.rot, self.lin);
        Vec3Pair { x: r.x.seconds(l.x), y: r.y.seconds(l.y), z: r.z.seconds(l.z) }
    }
}

impl Inertia {
    /// The force that moves a body: I acc + vel × I vel.
    #[inline(always)]
    pub fn force(&self, acc: &Spatial, vel: &Spatial) -> Spatial {
        // both products at once; then each as a pair of its halves
        let products = InertiaPair::new(self, self).mul(SpatialPair::new(acc, vel));
        let (force, momentum) = (products.firsts(), products.seconds());

        // both halves of the momentum at once
        let turned = Vec3Pair::new(&vel.rot, &vel.rot).cross(momentum);
        let moved = vel.lin.cross(momentum.split()[1]);
        force.add(turned.add_first(moved)).halves()
    }
}

impl InertiaPair {
    /// The two inertias.
    #[inline(always)]
    pub fn new(a: &Inertia, b: &Inertia) -> InertiaPair {
        InertiaPair(core::array::from_fn(|k| Pair::new(a.0[k], b.0[k])))
    }

    /// Writes the two inertias.
    #[inline(always)]
    pub fn put(self, a: &mut Inertia, b: &mut Inertia) {
        for (pair, (a, b)) in self.0.into_iter().zip(a.0.iter_mut().zip(&mut b.0)) {
            [*a, *b] = pair.to_array();
        }
    }

    /// [`Inertia::from_principal`] of both.
    #[inline(always)]
    pub fn from_principal(
        diag: [&Vec3; 2],
        mat: [&Mat3; 2],
        dif: [Vec3; 2],
        mass: [f64; 2],
    ) -> InertiaPair {
        let row = |i: usize| {
            let ([ax, ay, az], [bx, by, bz]) = (mat[0].0[i], mat[1].0[i]);
            Vec3Pair { x: Pair::new(ax, bx), y: Pair::new(ay, by), z: Pair::new(az, bz) }
        };
        let (r0, r1, r2) = (row(0), row(1), row(2));

        // R diag Rᵀ
        let d = Vec3Pair::new(diag[0], diag[1]);
        let scaled = |r: Vec3Pair| Vec3Pair { x: r.x * d.x, y: r.y * d.y, z: r.z * d.z };
        let dot = |a: Vec3Pair, b: Vec3Pair| a.x * b.x + a.y * b.y + a.z * b.z;
        let (s0, s1, s2) = (scaled(r0), scaled(r1), scaled(r2));

        // shifted by -m [dif]ײ
        let Vec3Pair { x, y, z } = Vec3Pair::new(&dif[0], &dif[1]);
        let m = Pair::new(mass[0], mass[1]);
        InertiaPair([
            dot(r0, s0) + m * (y * y + z * z),
            dot(r1, s1) + m * (x * x + z * z),
            dot(r2, s2) + m * (x * x + y * y),
            dot(r0, s1) - m * x * y,
            dot(r0, s2) - m * x * z,
            dot(r1, s2) - m * y * z,
            m * x,
            m * y,
            m * z,
            m,
        ])
    }

    /// Products of inertias and motions.
    #[rustfmt::skip]
    #[inline(always)]
    pub fn mul(&self, v: SpatialPair) -> SpatialPair {
        let i = &self.0;
        let (w, l) = (v.rot, v.lin);
        SpatialPair {
            rot: Vec3Pair {
                x: i[0] * w.x + i[3] * w.y + i[4] * w.z - i[8] * l.y + i[7] * l.z,
                y: i[3] * w.x + i[1] * w.y + i[5] * w.z + i[8] * l.x - i[6] * l.z,
                z: i[4] * w.x + i[5] * w.y + i[2] * w.z - i[7] * l.x + i[6] * l.y,
            },
            lin: Vec3Pair {
                x: i[8] * w.y - i[7] * w.z + i[9] * l.x,
                y: i[6] * w.z - i[8] * w.x + i[9] * l.y,
                z: i[7] * w.x - i[6] * w.y + i[9] * l.z,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vec(seed: f64) -> Vec3 {
        Vec3::new(seed.sin(), (seed + 1.3).sin(), (seed * 2.9).cos())
    }

    fn spatial(seed: f64) -> Spatial {
        Spatial::new(vec(seed), vec(seed - 7.0))
    }

    #[test]
    fn two_at_once_are_each_alone() {
        let (a, b, f) = (spatial(0.3), spatial(2.1), spatial(-4.0));
        let ab = SpatialPair::new(&a, &b);
        assert_eq!(ab.split(), [a, b]);

        let mat = [1.0, 2.0].map(|k| Mat3::from_rows(vec(k), vec(k + 0.1), vec(k + 0.2)));
        let (diag, dif, mass) = ([vec(0.1), vec(0.2)], [vec(3.0), vec(4.0)], [1.7, 0.3]);
        let two = InertiaPair::from_principal([&diag[0], &diag[1]], [&mat[0], &mat[1]], dif, mass);
        let one = |k: usize| Inertia::from_principal(diag[k], mat[k], dif[k], mass[k]);
        let mut put = [Inertia::default(); 2];
        let [first, second] = &mut put;
        two.put(first, second);
        assert_eq!(put, [one(0), one(1)]);
        let both = InertiaPair::new(&one(0), &one(1));
        assert_eq!(both.mul(ab).split(), [one(0) * a, one(1) * b]);
        assert_eq!(one(0).force(&a, &f), one(0) * a + f.cross_force(one(0) * f));
    }
}
