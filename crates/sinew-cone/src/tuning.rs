//! Every tuned number, with its purpose.
//!
//! The example `survey` judges all of them: generated problems of 34 families, by both laws, by
//! matrix and by rows, with and without a start.

// ---- sizes and budgets

/// Maximum number of rows of a small problem. A small problem is solved by its matrix and searched
/// from the convex law; in larger ones Coulomb's law is nearer to no impulses.
pub(crate) const MOST_SMALL: usize = 150;

/// Maximum number of columns for which matrices of the velocities are made, 16 MB each.
pub(crate) const MOST_COLUMNS: usize = 1448;

/// Maximum number of steps of the first-order method, for every factorisation that it may take.
pub(crate) const STEPS: usize = 25;

/// Budget of sweeps from a start, where nothing else is tried: iterations times rows, for every
/// iteration of the budget.
pub(crate) const SWEEP_WORK: usize = 600;

/// Maximum numbers of steps. In order: interior points, iterations for the convex law before
/// Coulomb's, iterations by sweeps alone, Newton steps on a contact that is alone.
pub(crate) const MOST_STEPS: usize = 30;

// ---- the first-order method

/// Penalties, one after the other, round and round: the first two end most searches, the others are
/// for light bodies that carry heavy ones.
pub(crate) const PENALTIES: [f64; 4] = [0.02, 1.0, 1e-5, 1e-3];

/// The next penalty, over the drift of the impulses.
pub(crate) const DRIFTS: f64 = 100.0;

/// Steps within which the residual must halve, and between looks at the pattern of contacts.
pub(crate) const STALL: usize = 50;

/// Number of differences that an extrapolation uses.
pub(crate) const ANDERSON_MEMORY: usize = 10;

// ---- sweeps

/// Sweeps in a row.
pub(crate) const SWEEPS: usize = 5;

/// Least tolerance for which the convex law is first tried by sweeps alone.
pub(crate) const ROUGH: f64 = 1e-3;

// ---- Newton's method

/// Maximum number of Newton steps in a row.
pub(crate) const NEWTON_STEPS: usize = 24;

/// Smoothing width of the derivative, relative to the merit.
pub(crate) const SMOOTHING: f64 = 0.1;

/// Steps within which there must be progress, twice the number from a start. By the convex law a
/// step may raise the merit to its largest value in the same number of steps.
pub(crate) const PATIENCE: usize = 3;

/// Tolerance of the search over the law's tolerance. A last step gains many digits; where it gains
/// none, the tolerance itself is enough, with room for the roundings of the certificate.
pub(crate) const MARGIN: f64 = 0.1;
pub(crate) const ENOUGH: f64 = 0.9 / MARGIN;

/// Weight `σ` of the proximal term, which fixes the impulses of statically indeterminate contacts.
pub(crate) const PROXIMAL: f64 = 1e-8;

/// Share below which a number is lost in rounding: of a trace, a diagonal, or a largest weight.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Eigenvalues of the projection's derivative below this leave the system: their coordinate moves
/// by `-F` alone.
pub(crate) const NEGLIGIBLE: f64 = 1e-2;

/// Trial lengths of a step.
pub(crate) const TRIALS: usize = 4;

/// Largest rise of the merit in a step.
pub(crate) const LARGEST_RISE: f64 = 10.0;

/// Share of a merit or residual that counts as progress; an extrapolation that raises the residual
/// by as much is taken back.
pub(crate) const PROGRESS: f64 = 0.35;

// ---- interior points

/// Impulses over the right-hand side above which light bodies carry heavy ones: Newton's method
/// stalls there.
pub(crate) const HEAVY_LOAD: f64 = 50.0;

/// Share of the way to the boundary that an interior-point step goes.
pub(crate) const INTERIOR_STEP: f64 = 0.99;

// ---- the convex law on the way to Coulomb's

/// Softness of its contacts, relative to the diagonal of `A`. Among impulses that give the same
/// velocities it selects the smallest, and symmetric problems have symmetric answers.
pub(crate) const SOFTNESS: f64 = 1e-6;

// ---- thresholds of a certificate's states

/// Error of a contact's velocity, over the largest that is asked for, that is accepted for a
/// tolerance of one.
pub(crate) const VELOCITY: f64 = 1.4e5;

/// Share of the largest entry of `b` up to which a contact is at rest. Also the share of the
/// friction limit that a sliding contact may leave unused.
pub(crate) const MOVING: f64 = 1e-6;

/// Impulses over the right-hand side, both by each contact's own inertia, above which rows
/// contradict each other. A stack with a millionfold mass on top reaches 1e6.
pub(crate) const ILL_POSED: f64 = 1e8;

/// Factor up to which units count as usual.
pub(crate) const USUAL: f64 = 1e3;
