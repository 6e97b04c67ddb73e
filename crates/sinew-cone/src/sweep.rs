//! Block Gauss-Seidel sweeps: each block in turn is solved exactly with the others held.
//!
//! A sweep never raises the objective and needs no factorisation of the whole. It finds which contacts
//! separate long before it finds the impulses, which is what Newton's method needs from it.

use crate::dense;
use crate::frame::{Block, Frame, Shape, WIDEST};
use crate::lane::{LANES, Lane, padded, twin};

/// Newton steps on one block within a sweep; alone, a block is solved to the end.
const LOCAL_STEPS: usize = 1;
const LOCAL_STEPS_ALONE: usize = 40;

/// A symmetric matrix of three rows: 00, 01, 02, 11, 12, 22.
type Symmetric = [f64; 6];

/// The diagonal blocks and their inverses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweeper {
    /// Of blocks with three rows.
    contacts: Vec<(Symmetric, Symmetric)>,
    /// Inverses of the others.
    inverse: Vec<[f64; WIDEST]>,
}

twin! {
    /// Sweeps over all blocks some times; `w` follows `y`.
    sweep, sweep_avx, sweep_body,
    (sweeper: &Sweeper, frame: &Frame, y: &mut [f64], w: &mut [f64], times: usize)
}

#[inline(always)]
fn sweep_body<L: Lane>(
    sweeper: &Sweeper,
    frame: &Frame,
    y: &mut [f64],
    w: &mut [f64],
    times: usize,
) {
    let steps = if frame.blocks.len() == 1 { LOCAL_STEPS_ALONE } else { LOCAL_STEPS };
    for _ in 0..times {
        for (block, local) in frame.blocks.iter().zip(&sweeper.contacts) {
            let range = block.range();
            if let ([y0, y1, y2], [w0, w1, w2]) = (&mut y[range.clone()], &w[range]) {
                let old = [*y0, *y1, *y2];
                let new = contact(local, old, [*w0, *w1, *w2], steps);
                (*y0, *y1, *y2) = (new[0], new[1], new[2]);
                let change = [new[0] - old[0], new[1] - old[1], new[2] - old[2]];
                frame.add_block_image::<L>(block, &change, w);
            } else {
                sweeper.other::<L>(frame, block, y, w, steps);
            }
        }
    }
}

impl Sweeper {
    pub(crate) fn prepare(&mut self, frame: &Frame) {
        self.contacts.clear();
        self.inverse.resize(frame.len(), [0.0; WIDEST]);
        for block in &frame.blocks {
            let mut local = ([0.0; 6], [0.0; 6]);
            if block.dim == 3 {
                let at = block.start;
                let [a, b, c] = frame.three_rows(at, at, at + 3);
                local.0 = [a[0], a[1], a[2], b[1], b[2], c[2]];
                if let Some(inverse) = invert_three(&local.0) {
                    self.contacts.push((local.0, inverse));
                    continue;
                }
            }
            let inverse = &mut self.inverse[block.range()];
            invert(frame, block, inverse);
            if let [a, b, c] = inverse {
                local.1 = [a[0], a[1], a[2], b[1], b[2], c[2]];
            }
            self.contacts.push(local);
        }
    }

    /// One block that does not have three rows.
    fn other<L: Lane>(
        &self,
        frame: &Frame,
        block: &Block,
        y: &mut [f64],
        w: &mut [f64],
        steps: usize,
    ) {
        let mut old = [0.0; WIDEST];
        old[..block.dim].copy_from_slice(&y[block.range()]);
        let new = match block.dim {
            1 => self.scalar(frame, block, old[0], w[block.start]),
            2 => self.cone::<2>(frame, block, &old, w, steps),
            4 => self.cone::<4>(frame, block, &old, w, steps),
            5 => self.cone::<5>(frame, block, &old, w, steps),
            _ => self.cone::<6>(frame, block, &old, w, steps),
        };
        let mut change = [0.0; WIDEST];
        for k in 0..block.dim {
            change[k] = new[k] - old[k];
            y[block.start + k] = new[k];
        }
        frame.add_block_image::<L>(block, &change[..block.dim], w);
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

/// [`Sweeper::cone`] for three rows, which is what most contacts have, from `x` with gradient `g`.
#[inline(always)]
fn contact(local: &(Symmetric, Symmetric), x: [f64; 3], g: [f64; 3], steps: usize) -> [f64; 3] {
    let (b, inverse) = local;
    let (mut x, mut g) = (x, g);
    let at_x = image(b, &x);
    let c = [g[0] - at_x[0], g[1] - at_x[1], g[2] - at_x[2]];

    // nothing pushes: the apex;  the unconstrained minimum fits: that one
    if c[0] >= 0.0 && c[0] * c[0] >= c[1] * c[1] + c[2] * c[2] {
        return [0.0; 3];
    }
    let free = image(inverse, &c).map(|x| -x);
    if free[0] >= 0.0 && free[0] * free[0] >= free[1] * free[1] + free[2] * free[2] {
        return free;
    }
    if x == [0.0; 3] {
        x = free;
        project(&mut x);
        g = add(&image(b, &x), &c);
    }
    for _ in 0..steps {
        let mut next = contact_step(b, &g, &x, &free);
        let mut d = [next[0] - x[0], next[1] - x[1], next[2] - x[2]];
        let mut rise = image(b, &d);
        let change = d[0] * (g[0] + 0.5 * rise[0])
            + (d[1] * (g[1] + 0.5 * rise[1]) + d[2] * (g[2] + 0.5 * rise[2]));
        if change.is_nan() || change > 0.0 {
            // a gradient step of length one cannot raise the value: the eigenvalues of B are at most 1
            next = [x[0] - g[0], x[1] - g[1], x[2] - g[2]];
            project(&mut next);
            d = [next[0] - x[0], next[1] - x[1], next[2] - x[2]];
            rise = image(b, &d);
        }
        x = next;
        g = add(&g, &rise);
        if d[0].abs() + d[1].abs() + d[2].abs() <= 1e-15 * x[0] {
            break;
        }
    }
    x
}

/// [`surface_step`] for three rows, and the projection of its end: in the axes normal, along the
/// friction `u` and across it, the step leads to `(h, h, c)`, whatever `x` is.
#[inline(always)]
fn contact_step(b: &Symmetric, g: &[f64; 3], x: &[f64; 3], free: &[f64; 3]) -> [f64; 3] {
    let z = [x[0] - g[0], x[1] - g[1], x[2] - g[2]];
    let t = (z[1] * z[1] + z[2] * z[2]).sqrt();
    let (high, low) = (z[0] + t, z[0] - t);
    if high <= 0.0 {
        return [0.0; 3];
    }
    if low >= 0.0 {
        let mut next = *free;
        project(&mut next);
        return next;
    }
    let (inverse, stiff) = (1.0 / t, 2.0 * t / high);
    let u = [z[1] * inverse, z[2] * inverse];

    // B in these axes
    let (nu, nv) = (b[1] * u[0] + b[2] * u[1], b[2] * u[0] - b[1] * u[1]);
    let (bu, bv) = (b[3] * u[0] + b[4] * u[1], b[4] * u[0] + b[5] * u[1]);
    let (uu, uv) = (bu * u[0] + bv * u[1], bv * u[0] - bu * u[1]);
    let vv = b[3] + b[5] - uu;

    // F along the ray (1, u), across it, and off the cone; the last is met at once
    let (along, across) = (x[1] * u[0] + x[2] * u[1], x[2] * u[0] - x[1] * u[1]);
    let (middle, off) = (0.5 * (x[0] + along), 0.5 * (x[0] - along));
    let (k11, k12, k22) = (b[0] + 2.0 * nu + uu, nv + uv, vv + stiff - 1.0);
    let r1 = (high - 2.0 * middle) - off * (uu - b[0]);
    let r2 = -across * stiff - off * (uv - nv);
    let over = 1.0 / (k11 * k22 - k12 * k12);
    let h = middle + (r1 * k22 - r2 * k12) * over;
    let c = across + (r2 * k11 - r1 * k12) * over;

    // |(h, c)| >= h: outside the cone
    let length = (h * h + c * c).sqrt();
    let n = 0.5 * (h + length);
    let factor = if length > 0.0 { n / length } else { 0.0 };
    [n, factor * (h * u[0] - c * u[1]), factor * (h * u[1] + c * u[0])]
}

#[inline(always)]
fn image(b: &Symmetric, x: &[f64; 3]) -> [f64; 3] {
    [
        b[0] * x[0] + (b[1] * x[1] + b[2] * x[2]),
        b[1] * x[0] + (b[3] * x[1] + b[4] * x[2]),
        b[2] * x[0] + (b[4] * x[1] + b[5] * x[2]),
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

#[inline(always)]
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

#[inline(always)]
fn tangent<const N: usize>(x: &[f64; N]) -> f64 {
    x[1..].iter().map(|t| t * t).sum::<f64>().sqrt()
}

#[inline(always)]
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
    const SIZE: usize = padded(WIDEST);
    let mut b = [0.0; SIZE * SIZE];
    for k in 0..SIZE {
        if k < block.dim {
            let row = &frame.p_row(block.start + k)[block.range()];
            b[k * SIZE..][..block.dim].copy_from_slice(row);
        }
        b[k * SIZE + k] += if k < block.dim { 1e-13 } else { 1.0 };
    }
    let (end, mut diagonal) = ([SIZE; SIZE / LANES], [0.0; SIZE]);
    let fine = dense::cholesky(&mut b, &end, &mut diagonal);
    for (k, row) in inverse.iter_mut().enumerate() {
        let mut column = [0.0; SIZE];
        column[k] = 1.0;
        if fine {
            dense::cholesky_solve(&b, &end, &diagonal, &mut column);
        }
        row.copy_from_slice(&column[..WIDEST]);
    }
}

/// Inverse of a symmetric 3 by 3 matrix, lifted by the same whisker, by its cofactors; none if that
/// would lose too many digits.
fn invert_three(b: &Symmetric) -> Option<Symmetric> {
    let (x, y, z) = (b[0] + 1e-13, b[3] + 1e-13, b[5] + 1e-13);
    let minor = [y * z - b[4] * b[4], b[2] * b[4] - b[1] * z, b[1] * b[4] - b[2] * y];
    let determinant = x * minor[0] + b[1] * minor[1] + b[2] * minor[2];
    if determinant.is_nan() || determinant < 1e-6 {
        return None;
    }
    let over = 1.0 / determinant;
    let rest = [x * z - b[2] * b[2], b[1] * b[2] - x * b[4], x * y - b[1] * b[1]];
    Some([
        minor[0] * over,
        minor[1] * over,
        minor[2] * over,
        rest[0] * over,
        rest[1] * over,
        rest[2] * over,
    ])
}
