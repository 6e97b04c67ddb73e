//! Friction forces once more, without the softness that lets contacts creep.
//!
//! Gauss-Seidel sweeps over dry friction and the friction of contacts with A instead of A + R; normal
//! forces and everything else stay as the main solver left them.

use core::mem::take;

use sinew_math::{MINVAL, vector};
use sinew_model::enums::ConstraintType;
use sinew_model::{Data, Model};

use super::dual::{
    Matrix, clamp, cone, cost_change, cost_scale, finish, onto_cone, residuals, save_stats,
    update_states,
};
use super::qcqp::{self, Qcqp};

/// Smallest number on the diagonal of a block, after R is taken away.
const MIN_DIAG: f64 = 1e-10;

/// Improves the friction forces in `efc_force` in at most `max_iter` sweeps.
///
/// Reads `efc_AR`, `efc_R`, `efc_b`, `efc_force`. Writes `efc_force`, `efc_state`,
/// `qfrc_constraint`, `qacc` and the statistics.
#[doc(alias = "mj_solNoSlip")]
#[allow(dead_code)]
pub(crate) fn noslip(m: &Model, d: &mut Data, max_iter: usize) {
    let mut work = take(&mut d.work.dual);
    let values = take(&mut d.efc_AR);
    let a = Matrix::new(m, d, &values, &mut work.matrix);
    let sweep = Sweep { a: &a };
    sweep.copy_blocks(d, &mut work.blocks);
    residuals(&a, d, &mut work.residual);
    update_states(d);

    let scale = cost_scale(m);
    let mut iter = 0;
    while iter < max_iter {
        // the first sweep also removes the cost of softness
        let mut improvement = 0.0;
        if iter == 0 {
            for (f, r) in d.efc_force.iter().zip(d.efc_R.iter()) {
                improvement += 0.5 * f * f * r;
            }
        }
        improvement = sweep.run(d, &work.blocks, &mut work.residual, improvement) * scale;
        let changes = update_states(d);
        save_stats(d, iter + d.solver_niter[0].max(0) as usize, improvement, changes);
        iter += 1;
        if improvement < m.opt.noslip_tolerance {
            break;
        }
    }

    d.solver_niter[0] += iter as i32;
    d.efc_AR = values;
    d.work.dual = work;
    finish(m, d);
}

/// What a sweep changes together.
enum Part {
    /// A row of dry friction.
    Dry,
    /// Two opposite edges of a pyramid.
    Edges,
    /// The friction directions of an elliptic cone, that many, after the normal row.
    Cone(usize),
    /// Nothing.
    Other,
}

/// The part that begins at `row`, and how many rows it has.
fn part(d: &Data, row: usize) -> (Part, usize) {
    if row < d.ne {
        return (Part::Other, 1);
    }
    if row < d.ne + d.nf {
        return (Part::Dry, 1);
    }
    match (d.efc_type[row], cone(d, row)) {
        (_, Some((_, dim))) => (Part::Cone(dim - 1), dim),
        (ConstraintType::ContactPyramidal, _) if row + 1 < d.nefc => (Part::Edges, 2),
        _ => (Part::Other, 1),
    }
}

struct Sweep<'a> {
    a: &'a Matrix<'a>,
}

impl Sweep<'_> {
    /// The blocks of A that the parts need: the inverse of a number for dry friction, two times two
    /// numbers for edges, those of the friction directions and then once more scaled for cones.
    fn copy_blocks(&self, d: &Data, blocks: &mut Vec<f64>) {
        // R has gone into the diagonal, and is taken out
        let at = |i: usize, j: usize| {
            if i == j { (self.a.get(i, i) - d.efc_R[i]).max(MIN_DIAG) } else { self.a.get(i, j) }
        };
        blocks.clear();
        let mut row = 0;
        while row < d.nefc {
            let (part, rows) = part(d, row);
            match part {
                Part::Dry => {
                    blocks.push(1.0 / (self.a.get(row, row) - d.efc_R[row]).max(MINVAL));
                }
                Part::Edges => {
                    let next = row + 1;
                    blocks.extend([at(row, row), at(row, next), at(next, row), at(next, next)]);
                }
                Part::Cone(n) => {
                    for i in row + 1..=row + n {
                        blocks.extend((row + 1..=row + n).map(|j| at(i, j)));
                    }
                    if let Some((contact, _)) = cone(d, row) {
                        qcqp::scale(n, &contact.friction, blocks, |i, j| {
                            at(row + 1 + i, row + 1 + j)
                        });
                    }
                }
                Part::Other => {}
            }
            row += rows;
        }
    }

    /// Improves every friction force in turn; by how much the cost falls, on top of `improvement`.
    fn run(&self, d: &mut Data, blocks: &[f64], res: &mut [f64], mut improvement: f64) -> f64 {
        let mut blocks = blocks;
        let mut row = 0;
        while row < d.nefc {
            let (part, rows) = part(d, row);
            let used = match part {
                Part::Dry => 1,
                Part::Edges => 4,
                Part::Cone(n) => 2 * n * n,
                Part::Other => 0,
            };
            let (block, rest) = blocks.split_at(used);
            blocks = rest;
            improvement -= match part {
                Part::Dry => self.update_dry(d, row, block[0], res),
                Part::Edges => self.update_edges(d, row, block, res),
                Part::Cone(n) => self.update_cone(d, row, n, block, res),
                Part::Other => 0.0,
            };
            row += rows;
        }
        improvement
    }

    /// Residuals of `n` rows without their softness.
    fn hard_residuals(&self, d: &Data, row: usize, n: usize, res: &[f64]) -> [f64; 5] {
        let mut hard = [0.0; 5];
        for (k, hard) in hard.iter_mut().enumerate().take(n) {
            *hard = res[row + k] - d.efc_R[row + k] * d.efc_force[row + k];
        }
        hard
    }

    fn update_dry(&self, d: &mut Data, row: usize, inv_diag: f64, res: &mut [f64]) -> f64 {
        let old = d.efc_force[row];
        let hard = self.hard_residuals(d, row, 1, res)[0];
        let force = clamp(old - hard * inv_diag, d.efc_frictionloss[row]);
        d.efc_force[row] = force;
        let delta = force - old;
        self.spread(row, &[force], &[old], res);
        0.5 * delta * delta / inv_diag + delta * hard
    }

    /// Shifts force between two opposite edges; their sum stays.
    fn update_edges(&self, d: &mut Data, row: usize, a: &[f64], res: &mut [f64]) -> f64 {
        let hard = self.hard_residuals(d, row, 2, res);
        let old = [d.efc_force[row], d.efc_force[row + 1]];
        let b0 = hard[0] - vector::dot(&a[..2], &old);
        let b1 = hard[1] - vector::dot(&a[2..], &old);

        // f₀ = mid + y, f₁ = mid - y:  minimise ½ k₁ y² + k₀ y  over |y| ≤ mid
        let mid = 0.5 * (old[0] + old[1]);
        let k1 = a[0] + a[3] - a[1] - a[2];
        let k0 = mid * (a[0] - a[3]) + b0 - b1;
        let force = &mut d.efc_force.flat_mut()[row..row + 2];
        if k1 < MINVAL {
            force.fill(mid);
        } else {
            let y = -k0 / k1;
            if y < -mid {
                force.copy_from_slice(&[0.0, 2.0 * mid]);
            } else if y > mid {
                force.copy_from_slice(&[2.0 * mid, 0.0]);
            } else {
                force.copy_from_slice(&[mid + y, mid - y]);
            }
        }
        let change = cost_change(a, force, &old, &hard[..2]);
        self.spread(row, force, &old, res);
        change
    }

    /// The best friction force in the cone for the normal force there is.
    fn update_cone(&self, d: &mut Data, row: usize, n: usize, a: &[f64], res: &mut [f64]) -> f64 {
        let Some((contact, _)) = cone(d, row) else { return 0.0 };
        let mu = contact.friction;
        let (block, scaled) = a.split_at(n * n);
        let hard = self.hard_residuals(d, row + 1, n, res);
        let normal = d.efc_force[row];
        let force = &mut d.efc_force.flat_mut()[row + 1..=row + n];
        let mut old = [0.0; 5];
        let old = &mut old[..n];
        old.copy_from_slice(force);

        if normal < MINVAL {
            force.fill(0.0);
        } else {
            let mut b = [0.0; 5];
            for (k, row) in block.chunks_exact(n).enumerate() {
                b[k] = hard[k] - vector::dot(row, old);
            }
            let (mut best, on_surface) = Qcqp { n, a: scaled, mu: &mu }.solve(&b, normal);
            if on_surface {
                onto_cone(&mut best[..n], normal, &mu);
            }
            force.copy_from_slice(&best[..n]);
        }
        let change = cost_change(block, force, old, &hard[..n]);
        self.spread(row + 1, force, old, res);
        change
    }

    /// Brings the residuals up to date with changed forces.
    fn spread(&self, row: usize, force: &[f64], old: &[f64], res: &mut [f64]) {
        for (k, (force, old)) in force.iter().zip(old).enumerate() {
            let delta = force - old;
            if delta != 0.0 {
                self.a.add_row(row + k, delta, res);
            }
        }
    }
}
