//! The public face: options in, solution out, buffers kept.

mod finish;
mod plan;
mod search;

use crate::certificate::Units;
use crate::cone::Cone;
use crate::dense::zero;
use crate::methods::{InteriorPoint, LawSearch, Splitting, System};
use crate::problem::{Error, ErrorKind, Problem};
use crate::solution::{Criterion, Law, Options, Solution};
use crate::sparse::SparseProblem;
use crate::target::Target;
use crate::tuning::{MARGIN, MOST_COLUMNS};

/// Solves problems one after the other and keeps its buffers: after the largest problem has been
/// seen, nothing is allocated.
///
/// ```
/// use sinew_cone::{Cone, Options, Problem, Solver, State};
///
/// // a point of mass 10 hits the ground at 1 m/s, sliding at 5 m/s; restitution 0.5
/// let a = [0.1, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.1];
/// let cones = [Cone::contact(0.3)];
/// let mut solver = Solver::new(Options::default());
/// let solution = solver.solve(&Problem::new(&a, &[1.5, -3.0, -4.0], &cones)?, None)?;
/// assert!(solution.converged);
/// assert_eq!(solution.states, [State::Slide]);
/// assert!((solution.impulses[0] - 30.0 / 1.09).abs() < 1e-6);
///
/// // the next step starts from this one's impulses
/// let last = solution.impulses.clone();
/// let solution = solver.solve(&Problem::new(&a, &[1.5, -2.9, -4.0], &cones)?, Some(&last))?;
/// assert!(solution.converged);
/// # Ok::<(), sinew_cone::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Solver {
    /// Options of the next solve.
    pub options: Options,
    solution: Solution,
    units: Units,
    system: System,
    law: LawSearch,
    /// The search for the convex law on the way to Coulomb's.
    relaxed: LawSearch,
    splitting: Splitting,
    interior: InteriorPoint,
    /// Impulses that may become the solution.
    other: Vec<f64>,
    /// Velocities of the bodies.
    spread: Vec<f64>,
    /// `A` of a problem that is given by rows, and a row of it.
    matrix: Vec<f64>,
    line: Vec<f64>,
}

/// A problem as it was given.
#[derive(Clone, Copy)]
enum Given<'a> {
    Matrix(&'a Problem<'a>),
    Rows(&'a SparseProblem<'a>),
}

impl<'a> Given<'a> {
    fn b(&self) -> &'a [f64] {
        match self {
            Given::Matrix(problem) => problem.b(),
            Given::Rows(problem) => problem.b(),
        }
    }

    fn cones(&self) -> &'a [Cone] {
        match self {
            Given::Matrix(problem) => problem.cones(),
            Given::Rows(problem) => problem.cones(),
        }
    }
}

impl Solver {
    /// A solver with empty buffers.
    pub fn new(options: Options) -> Solver {
        Solver { options, ..Solver::default() }
    }

    /// Solves a problem, from the impulses of a similar one if there are any.
    ///
    /// A warm start need not be feasible; it is projected. The result is always feasible and
    /// finite. The objective is not above the start's nor above the objective of no impulse.
    ///
    /// # Errors
    /// A warm start of the wrong length or with NaN, or an option outside its range.
    pub fn solve(
        &mut self,
        problem: &Problem<'_>,
        warm: Option<&[f64]>,
    ) -> Result<&Solution, Error> {
        self.options.check()?;
        check_warm(warm, problem.rows())?;
        self.solve_given(Given::Matrix(problem), warm);
        self.solution.entries = problem.a().len();
        Ok(&self.solution)
    }

    /// Solves a problem that is given by its rows. With more than 1448 columns an iteration is five
    /// sweeps, and memory grows with the contacts and not with their square.
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
        check_warm(warm, problem.b().len())?;
        self.solve_given(Given::Rows(problem), warm);
        self.solution.entries = problem.rows().entries();
        Ok(&self.solution)
    }

    /// The last solution.
    pub fn solution(&self) -> &Solution {
        &self.solution
    }

    /// Solves a problem that was checked.
    fn solve_given(&mut self, given: Given<'_>, warm: Option<&[f64]>) {
        let small = self.take_over(given, MOST_COLUMNS) || {
            self.take_over(given, usize::MAX);
            false
        };
        match self.options.law {
            _ if !small => self.sweep_to_the_end(given, warm),
            Law::Convex => self.solve_convex(given, warm),
            Law::Coulomb => self.solve_coulomb(given, warm),
        }
    }

    /// Makes the frame of a problem and all that is in it; false if there are too many columns.
    fn take_over(&mut self, given: Given<'_>, most: usize) -> bool {
        let n = given.b().len();
        zero([&mut self.solution.impulses, &mut self.solution.velocity], n);
        self.units.set(given.b(), |k| match given {
            Given::Matrix(problem) => problem.a()[k * n + k],
            Given::Rows(problem) => problem.rows().row(k).1.iter().map(|x| x * x).sum(),
        });
        self.system.frame.step = self.units.step;
        let few = match given {
            Given::Matrix(problem) => {
                self.system.set_matrix(problem);
                true
            }
            Given::Rows(problem) => self.system.set_rows(problem, most),
        };
        if few {
            self.system.soften(self.options.regularization);
        }
        few
    }

    fn target(&self) -> Target {
        // the convex problem has no last digits that are hard to get
        let coulomb = self.options.law == Law::Coulomb;
        let margin = if coulomb { MARGIN } else { 1.0 };
        Target {
            tolerance: margin * self.options.tolerance,
            relative: self.options.criterion == Criterion::Relative,
            speed: self.units.speed,
            unit: self.units.impulse(),
            max_iterations: self.options.max_iterations,
        }
    }
}

fn check_warm(warm: Option<&[f64]>, rows: usize) -> Result<(), Error> {
    let Some(warm) = warm else { return Ok(()) };
    if warm.len() != rows {
        return Err(Error::new(ErrorKind::WarmStart { rows, len: warm.len() }));
    }
    match warm.iter().position(|x| !x.is_finite()) {
        Some(row) => Err(Error::new(ErrorKind::NotFinite { what: "warm start", row, col: 0 })),
        None => Ok(()),
    }
}

/// Solves one problem with buffers of its own; see [`Solver`] for many.
///
/// # Errors
/// As [`Solver::solve`].
pub fn solve(
    problem: &Problem<'_>,
    options: &Options,
    warm: Option<&[f64]>,
) -> Result<Solution, Error> {
    let mut solver = Solver::new(*options);
    solver.solve(problem, warm)?;
    Ok(solver.solution)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let width = 26;
        let a = square(&rows, width);
        for law in [Law::Convex, Law::Coulomb] {
            let options = Options { law, max_iterations: 500, ..Options::default() };
            let (mut one, mut other) = (Solver::new(options), Solver::new(options));
            let dense = one.solve(&Problem::new(&a, &b, &cones).expect("fine"), None);
            let dense = dense.expect("well-formed");
            let sparse = SparseProblem::new(&rows, width, &b, &cones).expect("fine");
            other.take_over(Given::Rows(&sparse), usize::MAX);
            other.sweep_to_the_end(Given::Rows(&sparse), None);
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
}
