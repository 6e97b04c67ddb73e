//! Problems by their sparse rows: from a warm start Newton's method works with the rows alone.
//! Where that fails or there is no such start, `A` is made; where `A` would be too large, sweeps
//! take its place, and memory grows with the contacts and not with their square. They are slow to
//! gain digits; the certificate says how many there are.

use super::{Solver, check_warm};
use crate::coulomb::Place;
use crate::problem::{Error, Problem};
use crate::solution::{Law, Solution};
use crate::sparse::SparseProblem;
use crate::target::Target;
use crate::tuning::{MOST_MATRIX, MOST_SMALL, WARM_WORK};

impl Solver {
    /// Solves a problem, from the impulses of a similar one if there are any. With more than 1448
    /// rows an iteration may also be five sweeps.
    ///
    /// ```
    /// use sinew_cone::{Cone, Solver, SparseProblem, SparseRows};
    ///
    /// // a point of mass 4 on the ground: A = 1/4
    /// let mut rows = SparseRows::default();
    /// for axis in [2, 0, 1] {
    ///     rows.push([(axis, 0.5)]);
    /// }
    /// let (b, cones) = ([1.0, 0.2, 0.0], [Cone::contact(0.5)]);
    /// let mut solver = Solver::default();
    /// let solution = solver.solve_sparse(&SparseProblem::new(&rows, 3, &b, &cones)?, None)?;
    /// assert!((solution.impulses[0] - 4.0).abs() < 1e-8);
    /// # Ok::<(), sinew_cone::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve_sparse(
        &mut self,
        problem: &SparseProblem<'_>,
        warm: Option<&[f64]>,
    ) -> Result<&Solution, Error> {
        self.options.check()?;
        let n = problem.b().len();
        for list in [&mut self.solution.impulses, &mut self.solution.velocity] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.measure(problem);
        if let Some(warm) = warm {
            check_warm(warm, n)?;
        }
        let mut spent = 0;
        let coulomb = self.options.law == Law::Coulomb;
        if self.options.regularization == 0.0 && (warm.is_some() || n > MOST_SMALL) {
            // with fewer rows than columns `A` is the smaller matrix
            let most = if n > MOST_MATRIX { MOST_MATRIX } else { n };
            let found = self.search_rows(problem, warm, most);
            if found.is_some() && self.finish_sparse(problem) {
                return Ok(&self.solution);
            }
            let long = n > MOST_MATRIX || n > MOST_SMALL && (coulomb || warm.is_some());
            if found.is_some() && long {
                if coulomb {
                    self.settle_for_less(problem);
                }
                return Ok(&self.solution);
            }
            spent = self.law.iterations;
            self.keep(problem, spent);
        }
        if n > MOST_MATRIX {
            self.sweep_to_the_end(problem, warm);
            self.solution.iterations += spent;
        } else {
            let mut matrix = std::mem::take(&mut self.matrix);
            problem.multiply_out(&mut self.rhs, &mut matrix);
            let dense = Problem::new(&matrix, problem.b(), problem.cones());
            let solved = dense.map(|dense| self.solve_dense(&dense, warm, spent));
            self.solution.entries = matrix.len();
            self.matrix = matrix;
            solved?;
        }
        self.take_kept(problem, spent);
        Ok(&self.solution)
    }

    /// The units of a problem.
    fn measure(&mut self, problem: &SparseProblem<'_>) {
        let rows = problem.rows();
        self.units.set(problem.b(), |k| rows.row(k).1.iter().map(|x| x * x).sum());
        self.search.frame.step = self.units.step;
    }

    /// Keeps the best point that was found from the warm start, if there was a search.
    fn keep(&mut self, problem: &SparseProblem<'_>, spent: usize) {
        self.kept.clear();
        self.kept_residual = f64::INFINITY;
        if spent > 0 {
            self.finish_sparse(problem);
            self.kept.extend_from_slice(&self.solution.impulses);
            self.kept_residual = self.solution.residual;
        }
    }

    /// Makes that the solution again if all else has ended further away.
    fn take_kept(&mut self, problem: &SparseProblem<'_>, spent: usize) {
        let unsolved = !self.solution.converged && spent > 0;
        if unsolved && self.kept_residual < self.solution.residual {
            self.solution.impulses.copy_from_slice(&self.kept);
            self.certify_rows(problem);
        }
    }

    /// Makes the point that was found the solution; true if it is one.
    pub(crate) fn finish_sparse(&mut self, problem: &SparseProblem<'_>) -> bool {
        self.search.law.best.clone_from(&self.law.best);
        self.search.frame.leave(&self.law.best, &mut self.solution.impulses);
        self.solution.entries = problem.rows().entries();
        self.certify_rows(problem);
        self.solution.converged
    }

    /// Velocity, states, residual and status of the impulses.
    pub(crate) fn certify_rows(&mut self, problem: &SparseProblem<'_>) {
        // u = Bᵀ λ, in a vector that is zero before and after
        let u = &mut self.spread;
        u.resize(problem.width().max(u.len()), 0.0);
        for (k, x) in self.solution.impulses.iter().enumerate() {
            problem.rows().add_to(k, *x, u);
        }
        for (k, g) in self.solution.velocity.iter_mut().enumerate() {
            *g = problem.rows().dot(k, u) - problem.b()[k];
        }
        problem.rows().columns().iter().for_each(|&c| u[c as usize] = 0.0);
        let coulomb = self.options.law == Law::Coulomb;
        self.judge(problem.b(), problem.cones(), self.search.load(), coulomb);
    }

    /// Sweeps until that is enough, or the iterations run out.
    fn sweep_to_the_end(&mut self, problem: &SparseProblem<'_>, warm: Option<&[f64]>) {
        self.velocity.set(problem, &mut self.search.frame, usize::MAX);
        if self.options.regularization > 0.0 {
            self.velocity.soften(&self.search.frame, self.options.regularization);
        }
        // no last step gains digits here: what the certificate asks for, but for rounding
        let mut target = Target { tolerance: 0.9 * self.options.tolerance, ..self.law_target() };
        if warm.is_some() {
            let most = WARM_WORK * target.max_iterations / problem.b().len().max(1);
            target.max_iterations = target.max_iterations.min(most);
        }
        let slip = self.options.law == Law::Coulomb;
        let at = Place { frame: &self.search.frame, cones: problem.cones(), target: &target, slip };
        self.law.sweep_to_the_end(at, &mut self.velocity, warm);
        self.finish_sparse(problem);
        self.solution.iterations = self.law.iterations;
        self.solution.outer_iterations = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cone::Cone;
    use crate::solution::Options;
    use crate::sparse::SparseRows;

    /// Boxes in a row, each on two contacts and dry friction, pushed by its neighbour.
    fn rows() -> (SparseRows, Vec<f64>, Vec<Cone>) {
        let (mut rows, mut b, mut cones) = (SparseRows::default(), Vec::new(), Vec::new());
        for i in 0..6u32 {
            let x = f64::from(i);
            for side in [0.5, -0.4] {
                rows.push([(4 * i, 1.0), (4 * i + 3, side)]);
                rows.push([(4 * i + 1, 1.0), (4 * i + 3, 0.2)]);
                rows.push([(4 * i + 2, 1.0), (4 * i + 3, -0.1 * x)]);
                b.extend([1.0 + 0.1 * x, 0.9 - 0.3 * x, 0.4]);
                cones.push(Cone::Contact3([0.5, 0.3]));
            }
            rows.push([(4 * i + 1, 0.7), (4 * i + 5, -0.7)]);
            b.push(0.3);
            cones
                .push([Cone::HalfLine, Cone::Interval { lower: -0.1, upper: 0.2 }][i as usize % 2]);
        }
        (rows, b, cones)
    }

    /// `B Bᵀ`.
    fn square(rows: &SparseRows, width: usize) -> Vec<f64> {
        let n = rows.len();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            let mut dense = vec![0.0; width];
            rows.add_to(i, 1.0, &mut dense);
            for j in 0..n {
                a[i * n + j] = rows.dot(j, &dense);
            }
        }
        a
    }

    #[test]
    fn sweeps_and_newton_find_the_same_velocity() {
        let (rows, b, cones) = rows();
        let (n, width) = (b.len(), 26);
        let a = square(&rows, width);
        for law in [Law::Convex, Law::Coulomb] {
            let options = Options { law, max_iterations: 500, ..Options::default() };
            let (mut one, mut other) = (Solver::new(options), Solver::new(options));
            let dense = one.solve(&Problem::new(&a, &b, &cones).expect("fine"), None);
            let dense = dense.expect("well-formed");
            let sparse = SparseProblem::new(&rows, width, &b, &cones).expect("fine");
            other.solution.impulses.resize(n, 0.0);
            other.solution.velocity.resize(n, 0.0);
            other.measure(&sparse);
            other.sweep_to_the_end(&sparse, None);
            let sparse = other.solution();
            assert!(dense.converged && sparse.converged, "{law:?}: {:e}", sparse.residual);
            for (x, y) in dense.velocity.iter().zip(&sparse.velocity) {
                assert!((x - y).abs() < 1e-6, "{law:?}: {x} {y}");
            }
        }
    }

    #[test]
    fn from_a_warm_start_the_rows_alone_lead_to_the_same_velocity() {
        let (rows, mut b, cones) = rows();
        let width = 26;
        let a = square(&rows, width);
        for law in [Law::Convex, Law::Coulomb] {
            let options = Options { law, tolerance: 1e-10, ..Options::default() };
            let (mut one, mut other) = (Solver::new(options), Solver::new(options));
            let mut warm = vec![0.1; b.len()];
            for round in 0..4 {
                b.iter_mut().enumerate().for_each(|(k, b)| *b += 0.02 * (k % 5) as f64 - 0.04);
                let problem = Problem::new(&a, &b, &cones).expect("fine");
                let dense = one.solve(&problem, Some(&warm)).expect("well-formed");
                let problem = SparseProblem::new(&rows, width, &b, &cones).expect("fine");
                let sparse = other.solve_sparse(&problem, Some(&warm)).expect("well-formed");
                assert!(dense.converged && sparse.converged, "{law:?}: {:e}", sparse.residual);
                assert_eq!(sparse.entries, rows.entries(), "{law:?}: A was made in round {round}");
                for (x, y) in dense.velocity.iter().zip(&sparse.velocity) {
                    assert!((x - y).abs() < 1e-8, "{law:?}: {x} {y}");
                }
                warm.copy_from_slice(&sparse.impulses);
            }
        }
    }

    #[test]
    fn without_a_start_the_matrix_is_made() {
        let (rows, b, cones) = rows();
        let a = square(&rows, 26);
        let (mut one, mut other) = (Solver::default(), Solver::default());
        let problem = SparseProblem::new(&rows, 26, &b, &cones).expect("fine");
        let sparse = one.solve_sparse(&problem, None).expect("well-formed");
        let problem = Problem::new(&a, &b, &cones).expect("fine");
        let dense = other.solve(&problem, None).expect("well-formed");
        assert_eq!(sparse.entries, a.len());
        assert!(sparse.impulses.iter().zip(&dense.impulses).all(|(x, y)| (x - y).abs() < 1e-9));
    }
}
