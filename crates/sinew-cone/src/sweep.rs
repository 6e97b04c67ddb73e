//! Block Gauss-Seidel sweeps: each block in turn is solved exactly with the others held.
//!
//! A sweep never raises the objective and needs no factorisation of the whole. It finds which contacts
//! separate long before it finds the impulses, which is what Newton's method needs from it.

use crate::dense;
use crate::frame::{Block, Frame, Shape, WIDEST};

/// Newton steps on one block within a sweep; alone, a block is solved to the end.
const LOCAL_STEPS: usize = 1;
const LOCAL_STEPS_ALONE: usize = 40;

/// Inverses of the diagonal blocks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeper {
    inverse: Vec<[f64; WIDEST]>,
}

impl Sweeper {
    pub(crate) fn prepare(&mut self, frame: &Frame) {
        self.inverse.resize(frame.len(), [0.0; WIDEST]);
        for block in &frame.blocks {
            invert(frame, block, &mut self.inverse[block.range()]);
        }
    }

    /// One sweep over all blocks; `w` follows `y`.
    pub(crate) fn sweep(&self, frame: &Frame, y: &mut [f64], w: &mut [f64]) {
        let steps = if frame.blocks.len() == 1 { LOCAL_STEPS_ALONE } else { LOCAL_STEPS };
        for block in &frame.blocks {
            let range = block.range();
            let mut old = [0.0; WIDEST];
            old[..block.dim].copy_from_slice(&y[range.clone()]);
            let new = match block.dim {
                1 => self.scalar(frame, block, old[0], w[block.start]),
                2 => self.cone::<2>(frame, block, &old, w, steps),
                3 => self.contact(frame, block, &old, w, steps),
                4 => self.cone::<4>(frame, block, &old, w, steps),
                5 => self.cone::<5>(frame, block, &old, w, steps),
                _ => self.cone::<6>(frame, block, &old, w, steps),
            };
            let mut change = [0.0; WIDEST];
            for k in 0..block.dim {
                change[k] = new[k] - old[k];
                y[block.start + k] = new[k];
            }
            frame.add_block_image(block, &change[..block.dim], w);
        }
    }

    fn scalar(&self, frame: &Frame, block: &Block, y: f64, w: f64) -> [f64; WIDEST] {
        let p = frame.p_row(block.start)[block.start];
        let target = if p > 0.0 { y - w / p } else { y };
        let x = match block.shape {
            Shape::Free => target,
            Shape::Interval(lower, upper) => target.max(lower).min(upper),
            Shape::Ray | Shape::Lorentz => target.max(0.0),
        };
        let mut out = [0.0; WIDEST];
        out[0] = x;
        out
    }

    /// [`Sweeper::cone`] for three rows, which is what most contacts have: the Newton system of the
    /// surface is written out along the ray `(1, u)` and across it.
    fn contact(
        &self,
        frame: &Frame,
        block: &Block,
        old: &[f64; WIDEST],
        w: &[f64],
        steps: usize,
    ) -> [f64; WIDEST] {
        let row = |k: usize| {
            let row = &frame.p_row(block.start + k)[block.start..block.start + 3];
            [row[0], row[1], row[2]]
        };
        let b = [row(0), row(1), row(2)];
        let mut x = [old[0], old[1], old[2]];
        let mut g = [w[block.start], w[block.start + 1], w[block.start + 2]];
        let resting = x == [0.0; 3];
        let at_x = if resting { [0.0; 3] } else { multiply(&b, &x) };
        let c = [g[0] - at_x[0], g[1] - at_x[1], g[2] - at_x[2]];

        // nothing pushes: the apex;  the unconstrained minimum fits: that one
        if c[0] >= 0.0 && c[0] * c[0] >= c[1] * c[1] + c[2] * c[2] {
            return [0.0; WIDEST];
        }
        let inverse = &self.inverse[block.range()];
        let entry = |r: &[f64; WIDEST]| -(r[0] * c[0] + r[1] * c[1] + r[2] * c[2]);
        let free = [entry(&inverse[0]), entry(&inverse[1]), entry(&inverse[2])];
        if free[0] >= 0.0 && free[0] * free[0] >= free[1] * free[1] + free[2] * free[2] {
            return [free[0], free[1], free[2], 0.0, 0.0, 0.0];
        }
        if resting {
            x = free;
            project(&mut x);
            g = add(&multiply(&b, &x), &c);
        }
        for _ in 0..steps {
            let mut next = contact_step(&b, &g, &x, &free);
            project(&mut next);
            let mut d = [next[0] - x[0], next[1] - x[1], next[2] - x[2]];
            let mut image = multiply(&b, &d);
            let rise: f64 = (0..3).map(|k| d[k] * (g[k] + 0.5 * image[k])).sum();
            if rise.is_nan() || rise > 0.0 {
                // a gradient step of length one cannot raise the value: the eigenvalues of B are at most 1
                next = [x[0] - g[0], x[1] - g[1], x[2] - g[2]];
                project(&mut next);
                d = [next[0] - x[0], next[1] - x[1], next[2] - x[2]];
                image = multiply(&b, &d);
            }
            x = next;
            g = add(&g, &image);
            if d[0].abs() + d[1].abs() + d[2].abs() <= 1e-15 * x[0] {
                break;
            }
        }
        [x[0], x[1], x[2], 0.0, 0.0, 0.0]
    }

    /// Minimises `½ xᵀ B x + cᵀ x` over the Lorentz cone, `B` a diagonal block.
    fn cone<const N: usize>(
        &self,
        frame: &Frame,
        block: &Block,
        old: &[f64; WIDEST],
        w: &[f64],
        steps: usize,
    ) -> [f64; WIDEST] {
        let mut b = [[0.0; N]; N];
        let mut x = [0.0; N];
        x.copy_from_slice(&old[..N]);
        for k in 0..N {
            b[k].copy_from_slice(&frame.p_row(block.start + k)[block.range()]);
        }
        let at_x = multiply(&b, &x);
        let mut c = [0.0; N];
        for k in 0..N {
            c[k] = w[block.start + k] - at_x[k];
        }

        // nothing pushes: the apex;  the unconstrained minimum fits: that one
        let mut out = [0.0; WIDEST];
        if c[0] >= tangent(&c) {
            return out;
        }
        let mut free = [0.0; N];
        for (k, row) in self.inverse[block.range()].iter().enumerate() {
            free[k] = -row.iter().zip(&c).map(|(r, c)| r * c).sum::<f64>();
        }
        if tangent(&free) <= free[0] {
            out[..N].copy_from_slice(&free);
            return out;
        }

        // the surface
        if x.iter().all(|x| *x == 0.0) {
            x = free;
            project(&mut x);
        }
        let mut value = objective(&b, &c, &x);
        for _ in 0..steps {
            let gradient = add(&multiply(&b, &x), &c);
            let mut next = surface_step(&b, &gradient, &x, &free);
            project(&mut next);
            let mut reached = objective(&b, &c, &next);
            if reached.is_nan() || reached > value {
                // a gradient step of length one cannot raise the value: the eigenvalues of B are at most 1
                next = x;
                for k in 0..N {
                    next[k] -= gradient[k];
                }
                project(&mut next);
                reached = objective(&b, &c, &next);
            }
            let moved: f64 = (0..N).map(|k| (next[k] - x[k]).abs()).sum();
            x = next;
            value = reached;
            if moved <= 1e-15 * x[0] {
                break;
            }
        }
        out[..N].copy_from_slice(&x);
        out
    }
}

/// [`surface_step`] for three rows.
fn contact_step(b: &[[f64; 3]; 3], g: &[f64; 3], x: &[f64; 3], free: &[f64; 3]) -> [f64; 3] {
    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
    let z = [x[0] - g[0], x[1] - g[1], x[2] - g[2]];
    let t = (z[1] * z[1] + z[2] * z[2]).sqrt();
    let (high, low) = (z[0] + t, z[0] - t);
    if high <= 0.0 {
        return [0.0; 3];
    }
    if low >= 0.0 {
        return *free;
    }
    let u = [z[1] / t, z[2] / t];
    let weight = 0.5 * high / t;
    let along = [HALF, HALF * u[0], HALF * u[1]];
    let across = [-u[1], u[0]];

    // F along the ray, across it, and off the cone; the last is met at once
    let slide = x[1] * u[0] + x[2] * u[1];
    let f_along = HALF * (x[0] + slide - high);
    let f_across = across[0] * x[1] + across[1] * x[2];
    let off = 0.5 * (x[0] - slide);
    let known = [-off, off * u[0], off * u[1]];

    // two equations for the rest
    let image = multiply(b, &known);
    let b_along = multiply(b, &along);
    let k11 = along[0] * b_along[0] + along[1] * b_along[1] + along[2] * b_along[2];
    let k12 = across[0] * b_along[1] + across[1] * b_along[2];
    let k22 = across[0] * (b[1][1] * across[0] + b[1][2] * across[1])
        + across[1] * (b[2][1] * across[0] + b[2][2] * across[1])
        + (1.0 - weight) / weight;
    let r1 = -f_along - (along[0] * image[0] + along[1] * image[1] + along[2] * image[2]);
    let r2 = -f_across / weight - (across[0] * image[1] + across[1] * image[2]);
    let inverse = 1.0 / (k11 * k22 - k12 * k12);
    let (d1, d2) = ((r1 * k22 - r2 * k12) * inverse, (r2 * k11 - r1 * k12) * inverse);
    [
        x[0] + known[0] + d1 * along[0],
        x[1] + known[1] + d1 * along[1] + d2 * across[0],
        x[2] + known[2] + d1 * along[2] + d2 * across[1],
    ]
}

/// Newton's step on the natural map of one block, where it is on the surface.
fn surface_step<const N: usize>(
    b: &[[f64; N]; N],
    gradient: &[f64; N],
    x: &[f64; N],
    free: &[f64; N],
) -> [f64; N] {
    let mut z = *x;
    for k in 0..N {
        z[k] -= gradient[k];
    }
    let t = tangent(&z);
    let (high, low) = (z[0] + t, z[0] - t);
    if high <= 0.0 {
        return [0.0; N];
    }
    if low >= 0.0 {
        return *free;
    }
    let mut f = *x;
    let across = 0.5 * high / t;
    f[0] -= 0.5 * high;
    let mut ray = [1.0; N];
    for k in 1..N {
        f[k] -= across * z[k];
        ray[k] = z[k] / t;
    }

    // (I - D + D B) d = -F with D = ½ r rᵀ + ρ (across), solved as it stands: N is at most six
    let weight = across;
    let mut matrix = [[0.0; N]; N];
    let mut rhs = [0.0; N];
    let mut d = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..N {
            d[i][j] = 0.5 * ray[i] * ray[j];
            if i > 0 && j > 0 {
                let eye = if i == j { 1.0 } else { 0.0 };
                d[i][j] += weight * (eye - ray[i] * ray[j]);
            }
        }
    }
    for i in 0..N {
        rhs[i] = -f[i];
        for j in 0..N {
            let eye = if i == j { 1.0 } else { 0.0 };
            matrix[i][j] = eye - d[i][j] + (0..N).map(|k| d[i][k] * b[k][j]).sum::<f64>();
        }
    }
    eliminate(&mut matrix, &mut rhs);
    let mut next = *x;
    for k in 0..N {
        next[k] += rhs[k];
    }
    next
}

/// Gaussian elimination with row exchanges.
fn eliminate<const N: usize>(a: &mut [[f64; N]; N], x: &mut [f64; N]) {
    for k in 0..N {
        let mut pivot = k;
        for i in k + 1..N {
            if a[i][k].abs() > a[pivot][k].abs() {
                pivot = i;
            }
        }
        a.swap(k, pivot);
        x.swap(k, pivot);
        let inverse = 1.0 / a[k][k];
        for i in k + 1..N {
            let factor = a[i][k] * inverse;
            for j in k + 1..N {
                a[i][j] -= factor * a[k][j];
            }
            x[i] -= factor * x[k];
        }
    }
    for k in (0..N).rev() {
        for j in k + 1..N {
            x[k] -= a[k][j] * x[j];
        }
        x[k] /= a[k][k];
    }
}

fn multiply<const N: usize>(b: &[[f64; N]; N], x: &[f64; N]) -> [f64; N] {
    let mut out = [0.0; N];
    for k in 0..N {
        for j in 0..N {
            out[k] += b[k][j] * x[j];
        }
    }
    out
}

fn add<const N: usize>(a: &[f64; N], b: &[f64; N]) -> [f64; N] {
    let mut out = *a;
    for k in 0..N {
        out[k] += b[k];
    }
    out
}

fn objective<const N: usize>(b: &[[f64; N]; N], c: &[f64; N], x: &[f64; N]) -> f64 {
    let image = multiply(b, x);
    (0..N).map(|k| x[k] * (0.5 * image[k] + c[k])).sum()
}

fn tangent<const N: usize>(x: &[f64; N]) -> f64 {
    x[1..].iter().map(|t| t * t).sum::<f64>().sqrt()
}

fn project<const N: usize>(x: &mut [f64; N]) {
    let t = tangent(x);
    if t <= x[0] {
        return;
    }
    let half = 0.5 * (x[0] + t).max(0.0);
    x[0] = half;
    let factor = if t > 0.0 { half / t } else { 0.0 };
    x[1..].iter_mut().for_each(|t| *t *= factor);
}

/// Inverse of a diagonal block, lifted by a whisker where it is singular.
fn invert(frame: &Frame, block: &Block, inverse: &mut [[f64; WIDEST]]) {
    let dim = block.dim;
    let mut b = [0.0; WIDEST * WIDEST];
    for k in 0..dim {
        b[k * dim..(k + 1) * dim].copy_from_slice(&frame.p_row(block.start + k)[block.range()]);
        b[k * dim + k] += 1e-13;
    }
    if dim == 3 && invert_three(&b, inverse) {
        return;
    }
    let end = [dim; WIDEST];
    let fine = dense::cholesky(&mut b[..dim * dim], &end[..dim]);
    for (k, row) in inverse.iter_mut().enumerate() {
        *row = [0.0; WIDEST];
        row[k] = 1.0;
        if fine {
            dense::cholesky_solve(&b[..dim * dim], &end[..dim], &mut row[..dim]);
        }
    }
}

/// Inverse of a 3 by 3 matrix by its cofactors; false if that would lose too many digits.
fn invert_three(b: &[f64], inverse: &mut [[f64; WIDEST]]) -> bool {
    let minor = |i: usize, j: usize| {
        let (r, s) = ((i + 1) % 3, (i + 2) % 3);
        let (c, d) = ((j + 1) % 3, (j + 2) % 3);
        b[r * 3 + c] * b[s * 3 + d] - b[r * 3 + d] * b[s * 3 + c]
    };
    let determinant = b[0] * minor(0, 0) + b[1] * minor(0, 1) + b[2] * minor(0, 2);
    if determinant.is_nan() || determinant < 1e-6 {
        return false;
    }
    for (i, row) in inverse.iter_mut().enumerate() {
        for j in 0..3 {
            row[j] = minor(j, i) / determinant;
        }
    }
    true
}
