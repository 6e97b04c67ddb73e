//! One contact after the other is brought to obey the law, the others held.

use crate::frame::{Block, Shape, WIDEST};
use crate::small::{eliminate, project, tangent};
use crate::tuning::ROUNDING;

/// Solves the law of one block with gradient `w` in at most `steps` steps, with the others held.
/// Returns the change of its impulses.
pub(super) fn settle_block(
    block: &Block,
    law: Law<'_>,
    steps: usize,
    y: &mut [f64],
    w: &[f64],
) -> [f64; WIDEST] {
    let mut change = [0.0; WIDEST];
    change[..y.len()].copy_from_slice(y);
    match (block.shape, block.dim) {
        (Shape::Lorentz, 2) => settle::<2>(law, steps, y, w),
        (Shape::Lorentz, 3) => settle::<3>(law, steps, y, w),
        (Shape::Lorentz, 4) => settle::<4>(law, steps, y, w),
        (Shape::Lorentz, 5) => settle::<5>(law, steps, y, w),
        (Shape::Lorentz, _) => settle::<6>(law, steps, y, w),
        (Shape::Interval(lower, upper), _) => {
            let target = if law.own[0] > 0.0 { y[0] - w[0] / law.own[0] } else { y[0] };
            y[0] = target.max(lower).min(upper);
        }
    }
    change.iter_mut().zip(y).for_each(|(change, y)| *change = *y - *change);
    change
}

/// The law of a block.
#[derive(Clone, Copy)]
pub(super) struct Law<'a> {
    /// The block of the matrix on the diagonal, row by row.
    pub(super) own: &'a [f64],
    /// Whether the law is Coulomb's.
    pub(super) slip: bool,
}

fn settle<const N: usize>(law: Law<'_>, steps: usize, y: &mut [f64], w: &[f64]) {
    let (mut x, mut g, mut b) = ([0.0; N], [0.0; N], [[0.0; N]; N]);
    x.copy_from_slice(y);
    g.copy_from_slice(w);
    b.as_flattened_mut().copy_from_slice(law.own);
    y.copy_from_slice(&Contact::new(b, &x, &g, law.slip).solve(&x, steps));
}

/// Impulses of a contact, their velocity and its sliding speed, with one step of the fixed point
/// that the law defines. The step is stored before and after its projection, with the square of its
/// length.
struct Point<const N: usize> {
    x: [f64; N],
    w: [f64; N],
    speed: f64,
    z: [f64; N],
    relaxed: [f64; N],
    miss: f64,
}

/// One contact on its own, in the frame where its cone is `|t| <= n`: its velocity is `B x + c`.
struct Contact<const N: usize> {
    b: [[f64; N]; N],
    c: [f64; N],
    /// One for Coulomb's law; zero for the convex one, without De Saxcé's correction.
    slip: f64,
}

impl<const N: usize> Contact<N> {
    /// The contact whose velocity at `x` is `w`.
    fn new(b: [[f64; N]; N], x: &[f64; N], w: &[f64; N], coulomb: bool) -> Self {
        let mut c = *w;
        for k in 0..N {
            c[k] -= dot(&b[k], x);
        }
        Contact { b, c, slip: f64::from(u8::from(coulomb)) }
    }

    /// Impulses that obey the law, or nearly so after `steps` steps, from the given impulses.
    fn solve(&self, start: &[f64; N], steps: usize) -> [f64; N] {
        // it leaves; or it sticks
        if self.c[0] >= (1.0 - self.slip) * tangent(&self.c) {
            return [0.0; N];
        }
        let stick = self.stick();
        if tangent(&stick) <= stick[0] {
            return stick;
        }

        // it slides
        let mut here = self.at(*start);
        if start[0] <= 0.0 || tangent(start) <= 0.0 {
            let mut x = stick;
            project(&mut x);
            here = self.at(self.slide(&self.at(x)));
        }
        for _ in 0..steps {
            let closer = |next: &Point<N>| next.miss < here.miss;
            let mut next = self.at(self.newton(&here));
            if !closer(&next) {
                next = self.at(self.slide(&here));
            }
            if !closer(&next) {
                next = self.at(here.relaxed);
            }
            let moved: f64 = (0..N).map(|k| (next.x[k] - here.x[k]).abs()).sum();
            here = next;
            if moved.is_nan() || moved <= 1e-15 * here.x[0] {
                break;
            }
        }
        if here.x.iter().all(|x| x.is_finite()) { here.x } else { *start }
    }

    /// Evaluates the law at some impulses.
    fn at(&self, x: [f64; N]) -> Point<N> {
        let w = self.velocity(&x);
        let speed = tangent(&w);
        let mut z = x;
        for k in 0..N {
            z[k] -= w[k];
        }
        z[0] -= self.slip * speed;
        let mut relaxed = z;
        project(&mut relaxed);
        let miss = (0..N).map(|k| (relaxed[k] - x[k]) * (relaxed[k] - x[k])).sum();
        Point { x, w, speed, z, relaxed, miss }
    }

    fn velocity(&self, x: &[f64; N]) -> [f64; N] {
        let mut w = self.c;
        for k in 0..N {
            w[k] += dot(&self.b[k], x);
        }
        w
    }

    /// The impulse that stops the contact, whether friction can give it or not.
    fn stick(&self) -> [f64; N] {
        let mut matrix = self.b;
        for (k, row) in matrix.iter_mut().enumerate() {
            row[k] += ROUNDING;
        }
        let mut x = self.c.map(|c| -c);
        eliminate(&mut matrix, &mut x);
        x
    }

    /// The impulse against the sliding at a point with which the contact stays.
    fn slide(&self, Point { x, w, speed, relaxed, .. }: &Point<N>) -> [f64; N] {
        if self.slip == 0.0 {
            return *relaxed;
        }
        let mut ray = [1.0; N];
        for k in 1..N {
            ray[k] = if *speed > 0.0 { -w[k] / speed } else { 0.0 };
        }
        let give = dot(&self.b[0], &ray);
        if give <= 0.0 {
            return *x;
        }
        ray.map(|r| -r * self.c[0] / give)
    }

    /// Newton's step on the corrected natural map, where that is on the surface:
    /// `(I - D + D G B) d = -F` with `D = ½ r rᵀ + ρ (across)` and `G = I + e_n uᵀ`.
    fn newton(&self, Point { x, w, speed, z, .. }: &Point<N>) -> [f64; N] {
        let t = tangent(z);
        let high = z[0] + t;
        if high <= 0.0 || z[0] >= t || *speed == 0.0 {
            return *x;
        }
        let across = 0.5 * high / t;
        let mut step = [0.5 * high - x[0]; N];
        let mut ray = [1.0; N];
        for k in 1..N {
            step[k] = across * z[k] - x[k];
            ray[k] = z[k] / t;
        }
        let mut gb = self.b;
        for j in 0..N {
            gb[0][j] += self.slip / speed * (1..N).map(|k| w[k] * self.b[k][j]).sum::<f64>();
        }
        let mut matrix = [[0.0; N]; N];
        for i in 0..N {
            let eye = |j: usize| if i == j { 1.0 } else { 0.0 };
            let mut d = [0.0; N];
            for j in 0..N {
                let turn = if i > 0 && j > 0 { eye(j) - ray[i] * ray[j] } else { 0.0 };
                d[j] = 0.5 * ray[i] * ray[j] + across * turn;
            }
            for j in 0..N {
                matrix[i][j] = eye(j) - d[j] + (0..N).map(|k| d[k] * gb[k][j]).sum::<f64>();
            }
        }
        eliminate(&mut matrix, &mut step);
        for k in 0..N {
            step[k] += x[k];
        }
        project(&mut step);
        step
    }
}

fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
