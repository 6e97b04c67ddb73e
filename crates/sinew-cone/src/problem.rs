//! The problem: the matrix, the right-hand side, the cones; and the errors of invalid ones.

use std::fmt;

use sinew_math::simd::{LANES, Lane, dispatch, lanes};

use crate::cone::Cone;

/// Minimise `½ λᵀ A λ - bᵀ λ` over a product of cones. Borrowed and checked; costs nothing to make
/// but the checks.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    a: &'a [f64],
    b: &'a [f64],
    cones: &'a [Cone],
}

impl<'a> Problem<'a> {
    /// A problem from a dense matrix, row by row.
    ///
    /// `A` is the apparent inverse mass `J M⁻¹ Jᵀ` (see [`Delassus`](crate::Delassus)), symmetric
    /// and positive semidefinite; `b` is minus the velocity the rows would have without impulses.
    ///
    /// # Errors
    /// Sizes that do not fit, values that are not finite, an asymmetric matrix, a negative
    /// diagonal, negative friction, an empty interval.
    pub fn new(a: &'a [f64], b: &'a [f64], cones: &'a [Cone]) -> Result<Problem<'a>, Error> {
        let n = b.len();
        let rows: usize = cones.iter().map(Cone::dim).sum();
        if rows != n {
            return Err(Error::new(ErrorKind::RowCount { cones: rows, b: n }));
        }
        if n.checked_mul(n) != Some(a.len()) {
            return Err(Error::new(ErrorKind::NotSquare { rows: n, len: a.len() }));
        }
        check_cones(cones)?;
        if let Some(row) = b.iter().position(|x| !x.is_finite()) {
            return Err(Error::new(ErrorKind::NotFinite { what: "b", row, col: 0 }));
        }
        check_matrix(a, n)?;
        Ok(Problem { a, b, cones })
    }

    /// The matrix, row by row.
    pub fn a(&self) -> &'a [f64] {
        self.a
    }

    /// The right-hand side.
    pub fn b(&self) -> &'a [f64] {
        self.b
    }

    /// The cones, in the order of the rows.
    pub fn cones(&self) -> &'a [Cone] {
        self.cones
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.b.len()
    }

    /// `½ λᵀ A λ - bᵀ λ`.
    pub fn objective(&self, impulses: &[f64]) -> f64 {
        let n = self.rows();
        let rows = self.a.chunks_exact(n.max(1)).zip(impulses).zip(self.b);
        rows.map(|((row, x), b)| x * (0.5 * crate::dense::dot(row, impulses) - b)).sum()
    }
}

pub(crate) fn check_cones(cones: &[Cone]) -> Result<(), Error> {
    for (c, cone) in cones.iter().enumerate() {
        if let Some(&value) = cone.friction().iter().find(|mu| !(mu.is_finite() && **mu >= 0.0)) {
            return Err(Error::new(ErrorKind::Friction { cone: c, value }));
        }
        if let Cone::Interval { lower, upper } = *cone {
            let empty = lower.is_nan() || upper.is_nan() || lower > upper;
            if empty || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
                return Err(Error::new(ErrorKind::Interval { cone: c, lower, upper }));
            }
        }
    }
    Ok(())
}

/// Largest accepted difference of mirrored entries, relative to the largest entry of the diagonal:
/// far above the rounding of `J M⁻¹ Jᵀ`, far below any mistake.
const ASYMMETRY: f64 = 1e-9;

fn check_matrix(a: &[f64], n: usize) -> Result<(), Error> {
    // fast and without answers: which entry it was is asked only if there is one
    let (largest, sum) = asymmetry(a, n);
    if !sum.is_finite()
        && let Some(k) = a.iter().position(|x| !x.is_finite())
    {
        return Err(Error::new(ErrorKind::NotFinite { what: "A", row: k / n, col: k % n }));
    }
    let mut size = 0.0_f64;
    for (row, &value) in a.iter().step_by(n + 1).enumerate() {
        if value < 0.0 {
            return Err(Error::new(ErrorKind::NegativeDiagonal { row, value }));
        }
        size = size.max(value);
    }
    let bound = ASYMMETRY * size;
    if largest > bound {
        let differs = |(i, j): &(usize, usize)| (a[i * n + j] - a[j * n + i]).abs() > bound;
        let mut pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let (row, col) = pairs.find(differs).unwrap_or((0, 0));
        return Err(Error::new(ErrorKind::Asymmetric { row, col }));
    }
    Ok(())
}

dispatch! {
    /// The largest difference of two mirrored entries, and the sum of all. Not finite if an entry
    /// is not finite, or if entries are too large to be subtracted.
    pub(crate) fn asymmetry(a: &[f64], n: usize) -> (f64, f64)
        = asymmetry_body::<Fused>;
}

#[inline(always)]
fn asymmetry_body<L: Lane>(a: &[f64], n: usize) -> (f64, f64) {
    let (mut largest, mut sum) = (L::splat(0.0), L::splat(0.0));
    let whole = n - n % LANES;
    for i in (0..whole).step_by(LANES) {
        for j in (0..=i).step_by(LANES) {
            let rows = square::<L>(&a[i * n + j..], n);
            let mirrored = L::transpose(square::<L>(&a[j * n + i..], n));
            for k in 0..LANES {
                let difference = (rows[k] - mirrored[k]).abs();
                largest = largest.larger(difference);
                sum = sum + difference;
            }
        }
    }
    let (mut largest, mut sum) = (largest.largest(), sum.sum());
    for i in whole..n {
        for j in 0..=i {
            let difference = (a[i * n + j] - a[j * n + i]).abs();
            largest = largest.max(difference);
            sum += difference;
        }
    }
    (largest, sum)
}

/// A square of four rows.
#[inline(always)]
fn square<L: Lane>(a: &[f64], n: usize) -> [L; 4] {
    let row = |k: usize| &lanes(&a[k * n..k * n + LANES])[0];
    [L::load(row(0)), L::load(row(1)), L::load(row(2)), L::load(row(3))]
}

/// Why an input was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Error {
    kind: ErrorKind,
}

impl Error {
    pub(crate) fn new(kind: ErrorKind) -> Error {
        Error { kind }
    }

    /// The kind of the error, for programs.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }
}

/// The kinds of refused input.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The cones together have another number of rows than `b`.
    RowCount {
        /// Rows of all cones.
        cones: usize,
        /// Length of `b`.
        b: usize,
    },
    /// `A` does not have one row and one column per entry of `b`.
    NotSquare {
        /// Rows wanted.
        rows: usize,
        /// Entries given.
        len: usize,
    },
    /// A NaN or an infinity.
    NotFinite {
        /// Which input.
        what: &'static str,
        /// Row of the entry.
        row: usize,
        /// Column of the entry; zero for vectors.
        col: usize,
    },
    /// `A` is not its own transpose.
    Asymmetric {
        /// Row of the entry.
        row: usize,
        /// Column of the entry.
        col: usize,
    },
    /// `A` cannot be positive semidefinite.
    NegativeDiagonal {
        /// Row of the entry.
        row: usize,
        /// Value of the entry.
        value: f64,
    },
    /// Friction that is negative or not finite.
    Friction {
        /// Index of the cone.
        cone: usize,
        /// The coefficient.
        value: f64,
    },
    /// An interval without a finite point.
    Interval {
        /// Index of the cone.
        cone: usize,
        /// Lower end.
        lower: f64,
        /// Upper end.
        upper: f64,
    },
    /// A warm start of the wrong length.
    WarmStart {
        /// Rows wanted.
        rows: usize,
        /// Entries given.
        len: usize,
    },
    /// A Jacobian that is not rows times degrees of freedom.
    Jacobian {
        /// Entries given.
        len: usize,
        /// Degrees of freedom.
        dofs: usize,
    },
    /// A column of a sparse row outside of the matrix.
    Column {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
    /// An option outside its range.
    Option {
        /// Name of the setting.
        name: &'static str,
        /// Value of the setting.
        value: f64,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::RowCount { cones, b } => {
                write!(f, "the cones have {cones} rows, b has {b}")
            }
            ErrorKind::NotSquare { rows, len } => {
                write!(f, "A has {len} entries, wanted {rows} x {rows}")
            }
            ErrorKind::NotFinite { what, row, col } => {
                write!(f, "{what}[{row}, {col}] is not finite")
            }
            ErrorKind::Asymmetric { row, col } => {
                write!(f, "A is not symmetric: A[{row}, {col}] differs from A[{col}, {row}]")
            }
            ErrorKind::NegativeDiagonal { row, value } => {
                write!(f, "A[{row}, {row}] = {value}, wanted >= 0")
            }
            ErrorKind::Friction { cone, value } => {
                write!(f, "cone {cone}: friction {value}, wanted a finite value >= 0")
            }
            ErrorKind::Interval { cone, lower, upper } => {
                write!(f, "cone {cone}: interval {lower} .. {upper}, wanted lower <= upper")
            }
            ErrorKind::WarmStart { rows, len } => {
                write!(f, "the warm start has {len} entries, wanted {rows}")
            }
            ErrorKind::Jacobian { len, dofs } => {
                write!(f, "the Jacobian has {len} entries, not a multiple of {dofs} columns")
            }
            ErrorKind::Column { row, column } => {
                write!(f, "row {row} has an entry in column {column}, outside of the matrix")
            }
            ErrorKind::Option { name, value } => write!(f, "option {name} = {value} is invalid"),
        }
    }
}

impl std::error::Error for Error {}
