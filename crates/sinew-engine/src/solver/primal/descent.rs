//! The descent of a primal solver: Newton's method or conjugate gradient.
//!
//! Both minimise ½ (q̈ - q̈_smooth)·M (q̈ - q̈_smooth) + s(J q̈ - aref), with the same line search
//! and the same rules when to stop. MuJoCo `mj_solPrimal`.

use sinew_math::{MINVAL, vector};
use sinew_model::options::SolverStat;

use super::hessian::Hessian;
use super::line_search::{Limits, Line};
use super::problem::Problem;

/// Options of the solver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    /// Newton's method, else conjugate gradient.
    pub(crate) newton: bool,
    /// Maximum number of iterations.
    pub(crate) iterations: usize,
    /// Maximum number of evaluations of the cost in a line search.
    pub(crate) ls_iterations: usize,
    pub(crate) tolerance: f64,
    pub(crate) ls_tolerance: f64,
}

/// Scratch that one problem after another uses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    hessian: Hessian,
    line: Line,
}

/// Solves from `v.qacc`, for which `start_inertia` and `start_rows` have run; `save` gets the
/// statistics of each iteration. Returns the number of iterations.
#[inline(never)]
pub(crate) fn solve(
    problem: &mut Problem,
    scratch: &mut Scratch,
    set: &Settings,
    scale: f64,
    mut save: impl FnMut(usize, SolverStat),
) -> usize {
    // the first direction
    let limits = Limits {
        tolerance: set.tolerance * set.ls_tolerance,
        scale,
        evaluations: set.ls_iterations,
    };
    let mut cost = problem.counts.cost + problem.gauss;
    problem.gradient();
    if set.newton {
        problem.newton_direction(&mut scratch.hessian);
    } else {
        problem.steepest_descent();
    }

    let mut iter = 0;
    while iter < set.iterations {
        // the best step along it
        let found = problem.line_search(&mut scratch.line, &limits);
        if found.alpha == 0.0 {
            break;
        }
        problem.advance(found.alpha);
        problem.update();
        let counts = problem.counts;
        problem.gradient();

        // the gain
        let old_cost = cost;
        problem.update_gauss();
        cost = counts.cost + problem.gauss;
        let improvement = scale * (old_cost - cost);
        let gradient = scale * vector::norm(&problem.v.grad[..problem.n]);
        save(
            iter,
            SolverStat {
                improvement,
                gradient,
                lineslope: found.slope,
                nactive: counts.active as i32,
                nchange: counts.changed as i32,
                neval: found.evaluations as i32,
                nupdate: if set.newton { (counts.toggled + counts.sliding) as i32 } else { 0 },
            },
        );
        iter += 1;
        if improvement < set.tolerance || gradient < set.tolerance {
            break;
        }

        // where next; not needed after the last
        if iter < set.iterations {
            if set.newton {
                problem.newton_direction(&mut scratch.hessian);
            } else {
                problem.conjugate_direction();
            }
        }
    }
    iter
}

impl Problem {
    /// q̈, M q̈ and J q̈ - aref after a step along the direction of search.
    fn advance(&mut self, alpha: f64) {
        let (v, rows) = (&mut self.v, &mut self.rows);
        vector::add_scaled(&mut v.qacc, &v.search, alpha);
        vector::add_scaled(&mut v.ma, &v.mv, alpha);
        vector::add_scaled(&mut rows.jar, &rows.jv, alpha);
    }

    /// grad = M q̈ - f_smooth - Jᵀ force
    pub(crate) fn gradient(&mut self) {
        self.map_force();
        let (v, n) = (&mut self.v, self.n);
        let forces = v.qfrc_smooth[..n].iter().zip(&v.qfrc[..n]);
        for ((grad, ma), (smooth, qfrc)) in v.grad.iter_mut().zip(&v.ma[..n]).zip(forces) {
            *grad = ma - smooth - qfrc;
        }
    }

    /// v.search = -M⁻¹ grad
    fn steepest_descent(&mut self) {
        self.precondition();
        for (s, g) in self.v.search.iter_mut().zip(&self.v.mgrad) {
            *s = -g;
        }
    }

    /// The direction of Polak and Ribière from the last one.
    fn conjugate_direction(&mut self) {
        let n = self.n;
        core::mem::swap(&mut self.v.mgrad, &mut self.v.old_mgrad);
        let old = vector::dot(&self.v.old_grad[..n], &self.v.old_mgrad[..n]);
        self.precondition();
        let v = &mut self.v;
        for (old, new) in v.old_mgrad.iter_mut().zip(&v.mgrad) {
            *old = new - *old;
        }
        let beta = vector::dot(&v.grad[..n], &v.old_mgrad[..n]) / old.max(MINVAL);
        let beta = if beta < 0.0 { 0.0 } else { beta };
        for (s, g) in v.search.iter_mut().zip(&v.mgrad) {
            *s = -g + beta * *s;
        }
    }

    /// mgrad = M⁻¹ grad; keeps the gradient for the next iteration.
    fn precondition(&mut self) {
        let v = &mut self.v;
        v.mgrad.copy_from_slice(&v.grad);
        v.old_grad.copy_from_slice(&v.grad);
        self.inertia.solve(&mut v.mgrad[..self.n]);
    }
}
