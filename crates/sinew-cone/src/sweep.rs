//! Block Gauss-Seidel sweeps: each block in turn is solved exactly with the others held.
//!
//! A sweep never raises the objective and needs no factorisation of the whole. It finds which contacts
//! separate long before it finds the impulses, which is what Newton's method needs from it.

use crate::dense;
use crate::frame::{Block, Frame, Shape, WIDEST};

/// Newton steps on one block within a sweep; alone, a block is solved to the end.
const LOCAL_STEPS: usize = 3;
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
                3 => self.cone::<3>(frame, block, &old, w, steps),
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
