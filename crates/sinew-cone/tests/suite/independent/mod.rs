//! The same problems for Clarabel, a general interior-point solver.
//!
//! In two forms. By impulses: minimise ½ λᵀ A λ - bᵀ λ over λ in the cones. By velocities: with
//! A = W Wᵀ minimise ½ |w|² where W w - b is in the dual cones; the impulses are its multipliers.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSettingsBuilder, DefaultSolver, IPSolver, NonnegativeConeT,
    SecondOrderConeT, SupportedConeT, ZeroConeT,
};
use sinew_cone::{Cone, Problem};

/// A problem in Clarabel's form: `½ xᵀ P x + qᵀ x` with `b - A x` in cones.
pub(crate) struct Independent {
    p: CscMatrix<f64>,
    q: Vec<f64>,
    a: CscMatrix<f64>,
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
    /// By velocities: the factors that turn multipliers into impulses.
    scale: Option<Vec<f64>>,
}

/// A row of `W`: columns and values.
pub(crate) type Row = Vec<(u32, f64)>;

impl Independent {
    pub(crate) fn new(problem: &Problem<'_>) -> Independent {
        let n = problem.rows();
        let mut form = Rows::default();
        let mut first = 0;
        for cone in problem.cones() {
            form.add(cone, first);
            first += cone.dim();
        }
        let p: Vec<&[f64]> = problem.a().chunks_exact(n).collect();
        Independent {
            p: columns(n, n, |i, j| if i <= j { p[i][j] } else { 0.0 }),
            q: problem.b().iter().map(|b| -b).collect(),
            a: sparse_columns(n, &form.entries, form.b.len()),
            b: form.b,
            cones: form.cones,
            scale: None,
        }
    }

    /// The form by velocities, for contacts alone: `width` columns of `W`.
    #[allow(dead_code)] // tests need the other form
    pub(crate) fn by_velocities(problem: &Problem<'_>, rows: &[Row], width: usize) -> Independent {
        // the dual of |t / μ| ≤ n is |μ t| ≤ n
        let cones = problem.cones();
        let scale: Vec<f64> = cones
            .iter()
            .flat_map(|c| [1.0].into_iter().chain(c.friction().iter().copied()))
            .collect();
        let mut entries = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            entries.extend(row.iter().map(|&(j, x)| (i, j as usize, -scale[i] * x)));
        }
        Independent {
            p: columns(width, width, |i, j| f64::from(i == j)),
            q: vec![0.0; width],
            a: sparse_columns(width, &entries, rows.len()),
            b: problem.b().iter().zip(&scale).map(|(b, scale)| -scale * b).collect(),
            cones: cones.iter().map(|c| SecondOrderConeT(c.dim())).collect(),
            scale: Some(scale),
        }
    }

    /// The impulses, with Clarabel's default settings or with tolerances far below them.
    pub(crate) fn solve(&self, tight: bool) -> Vec<f64> {
        let mut settings: DefaultSettings<f64> =
            DefaultSettingsBuilder::default().verbose(false).build().expect("settings are valid");
        if tight {
            settings.tol_gap_abs = 1e-11;
            settings.tol_gap_rel = 1e-11;
            settings.tol_feas = 1e-11;
            settings.tol_ktratio = 1e-10;
            settings.max_iter = 200;
        }
        let mut solver =
            DefaultSolver::new(&self.p, &self.q, &self.a, &self.b, &self.cones, settings)
                .expect("the problem is well-formed");
        solver.solve();
        match &self.scale {
            Some(scale) => solver.solution.z.iter().zip(scale).map(|(z, s)| s * z).collect(),
            None => solver.solution.x,
        }
    }
}

#[derive(Default)]
struct Rows {
    /// Row, column, value.
    entries: Vec<(usize, usize, f64)>,
    b: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

impl Rows {
    fn add(&mut self, cone: &Cone, first: usize) {
        match *cone {
            Cone::Free => {}
            Cone::HalfLine => {
                self.push(first, -1.0, 0.0);
                self.cones.push(NonnegativeConeT(1));
            }
            Cone::Interval { lower, upper } => {
                self.push(first, -1.0, -lower);
                self.push(first, 1.0, upper);
                self.cones.push(NonnegativeConeT(2));
            }
            _ => {
                let rough: Vec<_> =
                    cone.friction().iter().enumerate().filter(|(_, mu)| **mu > 0.0).collect();
                self.push(first, -1.0, 0.0);
                for (k, mu) in &rough {
                    self.push(first + 1 + k, -1.0 / **mu, 0.0);
                }
                self.cones.push(SecondOrderConeT(1 + rough.len()));
                let smooth: Vec<_> =
                    cone.friction().iter().enumerate().filter(|(_, mu)| **mu == 0.0).collect();
                for (k, _) in &smooth {
                    self.push(first + 1 + k, 1.0, 0.0);
                }
                if !smooth.is_empty() {
                    self.cones.push(ZeroConeT(smooth.len()));
                }
            }
        }
    }

    fn push(&mut self, column: usize, value: f64, b: f64) {
        self.entries.push((self.b.len(), column, value));
        self.b.push(b);
    }
}

fn columns(m: usize, n: usize, entry: impl Fn(usize, usize) -> f64) -> CscMatrix<f64> {
    let mut list = Vec::new();
    for j in 0..n {
        for i in 0..m {
            if entry(i, j) != 0.0 {
                list.push((i, j, entry(i, j)));
            }
        }
    }
    sparse_columns(n, &list, m)
}

fn sparse_columns(n: usize, entries: &[(usize, usize, f64)], m: usize) -> CscMatrix<f64> {
    let mut sorted = entries.to_vec();
    sorted.sort_by_key(|(i, j, _)| (*j, *i));
    let mut start = vec![0; n + 1];
    for (_, j, _) in &sorted {
        start[j + 1] += 1;
    }
    for j in 0..n {
        start[j + 1] += start[j];
    }
    let rows = sorted.iter().map(|e| e.0).collect();
    let values = sorted.iter().map(|e| e.2).collect();
    CscMatrix::new(m, n, start, rows, values)
}
