//! Every number that was tuned, with what chose it.
//!
//! *Survey* is the example `survey`: generated problems of 34 families.
//! *Table* is the example `iterations`. Problems of steps are those of `models/pile.xml` and of the
//! moving scenes of `friction_cost`, which begin at the impulses of the step before. *Recorded* are
//! 421 problems of a wall that a ball has hit, with the same starts for every choice. What else is
//! said of struck walls comes of one run each: the count of 1,200 steps that are not solved has a
//! standard deviation of 37 there.

// ---- sizes

/// Most rows of a small problem. From scratch it begins with the convex law: in walls and pyramids
/// Coulomb's law is farther away from that. Given by rows, it goes on by its matrix there.
pub(crate) const MOST_SMALL: usize = 150;

/// Most columns for which matrices of the velocities are made: 16 MB each.
pub(crate) const MOST_COLUMNS: usize = 1448;

/// Up to as many cones of a matrix, and columns of sparse rows, are left in their order: nothing is
/// gained by another (time of piles of 4 and 10).
pub(crate) const FEW_CONES: usize = 12;
pub(crate) const FEW_COLUMNS: usize = 18;

// ---- budgets of the first-order method

/// Steps for every iteration of the budget from scratch. With a fifth walls that are hit and arches
/// stay unsolved (survey).
pub(crate) const COLD_STEPS: usize = 20;

/// Steps of a small problem after a warm start that has failed, before the convex law is tried.
pub(crate) const WARM_STEPS: usize = 200;

/// For every iteration of the budget, steps after a warm start that has failed times the square of
/// the rows of a problem that is not small, but at least `WARM_LEAST` of a step for each, which is
/// more from 490 rows on. Just above `MOST_SMALL` these are enough for the last digits; a wall of
/// 600 rows that a ball has hit at 5 m/s takes half of the time that it takes with a whole step for
/// each and a second run, and half of its residuals are below 4e-4 instead of 9e-5; with half as
/// many steps they are four times as large.
pub(crate) const WARM_WORK: usize = 96_000;
pub(crate) const WARM_LEAST: f64 = 0.4;

/// For every iteration of the budget, iterations of five sweeps from a warm start, times the rows:
/// they take the same time for all sizes.
pub(crate) const SWEEP_WORK: usize = 600;

// ---- the first-order method

/// Penalties, one after the other, round and round, and after them this many times the drift. With
/// one alone, whichever it is, a tenth of the walls with friction from 1e-3 to 10 stays unsolved;
/// with 0.001 in the place of the drift one in 500 of all problems of the survey does, walls most
/// often. From scratch, with 0.02 instead of 0.01, twice as many are unsolved, one of them a
/// pyramid; from a warm start residuals are smaller (recorded: 191 solved instead of 188).
pub(crate) const PENALTIES: [f64; 2] = [0.01, 1.0];
pub(crate) const WARM_PENALTIES: [f64; 2] = [0.02, 1.0];
pub(crate) const DRIFTS: f64 = 100.0;
pub(crate) const LARGEST_PENALTY: f64 = 10.0;

/// Least penalty, and least entry of a metric relative to the largest of its contact.
pub(crate) const LEAST_METRIC: f64 = 1e-9;

/// Steps within which the residual must halve, or the next penalty comes; from the third penalty on
/// twice as many begin it without extrapolation. With 100 pyramids in space take 1.7 times as long,
/// and no more problems of a struck wall are solved.
pub(crate) const STALL: usize = 50;

/// Steps between looks at the pattern; between five and twenty more looks are more factorisations
/// in vain.
pub(crate) const LOOK: usize = 20;

/// Newton's method begins from the same pattern again if the residual has fallen to this share.
pub(crate) const AGAIN: f64 = 0.01;

/// By how much the wait for the next Newton method grows with each, from `LOOK` on.
pub(crate) const WAIT: f64 = 1.6;

/// Last differences that an extrapolation uses. Five solve 97 % of what ten do.
pub(crate) const ANDERSON_MEMORY: usize = 10;

/// Rise of the residual at which an extrapolation is taken back.
pub(crate) const ANDERSON_RISE: f64 = 2.0;

/// Share of the Gram matrix' trace that is added to its diagonal: differences may be dependent.
pub(crate) const ANDERSON_RIDGE: f64 = 1e-10;

// ---- sweeps

/// Newton steps on one contact within a sweep, with two of which nothing is solved faster. Alone, a
/// contact is solved to the end.
const CONTACT_STEPS: usize = 1;
const CONTACT_STEPS_ALONE: usize = 40;

/// Which of these it is, for as many blocks.
pub(crate) fn contact_steps(blocks: usize) -> usize {
    if blocks == 1 { CONTACT_STEPS_ALONE } else { CONTACT_STEPS }
}

/// Share of its own inverse mass below which a contact counts as jammed: to slide, it would have to
/// be pressed without end.
pub(crate) const JAMMED: f64 = 1e-3;

/// What is added to the diagonal of a block that may be singular.
pub(crate) const SINGULAR: f64 = 1e-13;

/// Sweeps from scratch before two more show where they lead, or over a single contact; and from
/// where they lead.
pub(crate) const FIRST_SWEEPS: usize = 3;
pub(crate) const LAST_SWEEPS: usize = 2;

/// Sweeps over a problem that is not small from a warm start that is far from the answer. With half
/// as many a tenth more of the problems of struck walls stays unsolved, with twice as many no fewer
/// do.
pub(crate) const WARM_SWEEPS: usize = 25;

/// By the convex law, from scratch and for at least this tolerance, as many iterations of five
/// sweeps come first. For the depths of a struck wall they are enough in nine of ten steps, in half
/// the time.
pub(crate) const ROUGH: f64 = 1e-3;
pub(crate) const ROUGH_SWEEPS: usize = 8;

/// Largest contraction factor of the sweeps that the step to where they lead assumes.
pub(crate) const CONTRACTION: f64 = 0.8;

/// Sweeps in an iteration of a problem that nothing else is tried for. With two a tenth of the
/// problems of 512 falling spheres more is left unsolved.
pub(crate) const SWEEPS: usize = 5;

/// Iterations within which the change by these must halve; else twice as many without extrapolation
/// follow. With 50 of them, and without a budget by size, two more of 19 problems of falling
/// spheres are solved in a third more time.
pub(crate) const SWEEP_STALL: usize = 20;

// ---- Newton's method

/// How Newton's method behaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) steps: usize,
    /// Steps within which there must be progress; of whole steps, within which the merit must
    /// halve.
    pub(crate) patience: usize,
    /// Sweeps after a step.
    pub(crate) sweeps: usize,
    /// Smoothing width of the derivative, relative to the merit.
    pub(crate) smoothing: f64,
    /// Whether steps by Coulomb's law are taken whole, whatever they do to the merit.
    ///
    /// Where contacts barely slide, friction may have to turn a lot for velocities that hardly
    /// change. On the way the curvature of the cones throws forces off balance by far more than is
    /// to be gained, and the next steps restore it: no line search leads there.
    pub(crate) whole: bool,
    /// How many times such a step may raise the merit.
    pub(crate) rise: f64,
}

/// From a point on the way of the first-order method, or from the convex problem's.
pub(crate) const NEWTON: Effort =
    Effort { steps: 8, patience: 3, sweeps: 0, smoothing: 0.01, whole: false, rise: f64::INFINITY };

/// From impulses of a similar problem. Without smoothing a warm start takes a third more time in
/// the median of all families; with a line search a third more of the problems of `models/pile.xml`
/// end above 1e-10.
pub(crate) const WARM: Effort =
    Effort { steps: 24, patience: 24, smoothing: 0.1, whole: true, ..NEWTON };

/// The same for a problem that is not small: with `WARM` 202 of those recorded are solved instead
/// of 191, in two and a half times the time. With a patience of two struck walls take a quarter
/// less, and a step of `models/pile.xml` ends above 1e-6. A step that raises the merit
/// `LARGEST_RISE` times ends it: few problems of struck walls are solved after one, and the others
/// would take six steps more.
pub(crate) const WARM_LARGE: Effort = Effort { patience: 6, rise: LARGEST_RISE, ..WARM };

/// Residual above which a problem that is not small is too far from its answer for Newton's method:
/// of 862 searches that failed in struck walls four in five began there, of 444 that did not one in
/// four. Without it 198 of those recorded are solved instead of 191, with half as many
/// factorisations again.
pub(crate) const FAR: f64 = 0.02;

/// By the convex law, from a warm start, from scratch, and from an interior point.
pub(crate) const CONVEX_WARM: Effort =
    Effort { steps: 8, patience: 3, sweeps: 3, smoothing: 0.1, ..NEWTON };
pub(crate) const CONVEX_COLD: Effort = Effort { steps: 20, ..CONVEX_WARM };
pub(crate) const CONVEX_FINISH: Effort = Effort { steps: 6, patience: 1, sweeps: 0, ..CONVEX_WARM };

/// From the last interior point, whose impulses of statically indeterminate contacts Newton's
/// method would take too long to find. Only the absolute criterion ever needs it.
pub(crate) const CONVEX_LAST: Effort = Effort { steps: 10, patience: 3, ..CONVEX_FINISH };

/// Tolerance of the search over that of the law. A last step gains many digits; where it gains
/// none, the tolerance itself is enough, with room for the roundings of the certificate.
pub(crate) const MARGIN: f64 = 0.1;
pub(crate) const ENOUGH: f64 = 0.9 / MARGIN;

/// Weight `σ` of the proximal term. It fixes the impulses of statically indeterminate contacts:
/// without it boxes on four corners cycle, and from 1e-2 on the last steps become slow.
pub(crate) const PROXIMAL: f64 = 1e-8;

/// What a step that fails does to that weight, at most twice, and one that does not.
pub(crate) const LIFT: f64 = 1e4;
pub(crate) const FALL: f64 = 0.1;

/// Least weight of an impulse that changes no velocity, against those of the normal: where friction
/// is low that of its tangents would be as small as rounding.
pub(crate) const LEAST_WEIGHT: f64 = 1e-2;

/// Eigenvalues of the projection's derivative below this leave the system: their coordinate moves
/// by `-F` alone. A tenth of it changes no iteration count; the systems become a third larger.
pub(crate) const NEGLIGIBLE: f64 = 1e-2;

/// Trial lengths of a step. With six the slowest tenth of piles of 50 takes eleven factorisations
/// by the convex law instead of seven.
pub(crate) const TRIALS: usize = 4;

/// A step that lowers the merit nowhere may raise it tenfold. By Coulomb's law it is not taken
/// beyond that, and the next one is damped.
pub(crate) const LARGEST_RISE: f64 = 10.0;

/// Progress that is enough to go on, over as many steps as there is patience for, and at most
/// `MERIT_MEMORY`: less sends piles to interior points that were on their way, more lets stacks
/// wait for them. By the convex law a step may raise the merit to its largest value in as many
/// steps; without that the slowest tenth of piles of 50 takes two factorisations more.
pub(crate) const MERIT_MEMORY: usize = 3;
pub(crate) const PROGRESS: f64 = 0.35;

/// A step by the convex law that left at most this share of the merit is followed by one with the
/// same factor, and that one by another if it left at most `REUSED` (time of the table's piles).
pub(crate) const REUSE: f64 = 0.2;
pub(crate) const REUSED: f64 = 0.5;

/// A step that left less than this share of the merit needs no sweeps after it (table).
pub(crate) const GOOD_STEP: f64 = 0.3;

// ---- the convex law from scratch

/// Impulses of the unconstrained minimum, over the right-hand side, above which light bodies carry
/// heavy ones: Newton's method would stall there.
pub(crate) const HEAVY_LOAD: f64 = 1e2;

/// The same ratio where Newton's method has stalled, above which the unconstrained minimum is worth
/// its factorisation: piles end at 10, equal boxes at 20, and the impulses under heavy bodies have
/// not grown to their size yet.
pub(crate) const GROWING_LOAD: f64 = 20.0;

/// The same ratio above which the unconstrained minimum says nothing: dependent rows that
/// contradict each other.
pub(crate) const CONTRADICTORY_LOAD: f64 = 3e7;

/// Distance from the kinks of the projection, over the distance from the optimum, at which Newton's
/// method takes over from interior points: on equal boxes it then ends the search nine times in
/// ten. It is tried again from a point that is better by the factor `HAND_OVER`.
pub(crate) const CLEARANCE: f64 = 4.0;
pub(crate) const HAND_OVER: f64 = 0.03;

/// Least weight of the barrier in the matrix of an interior-point step: with less, rounding takes
/// over. With 1e-10 the slowest tenth of boxes under a millionfold mass takes two steps more.
pub(crate) const LEAST_BARRIER: f64 = 1e-12;

/// Weight of impulses in the place of cones, for the unconstrained minimum: small against what any
/// contact gives, and not lost in rounding.
pub(crate) const FREE_WEIGHT: f64 = 1e-10;

/// By Coulomb's law, most interior points of a stage, and the length of a step after a shorter one
/// than which the next step leads back to the central path alone. With 25 points a further one in
/// 120 stacks under heavy bodies stays unsolved; without the return one more does.
pub(crate) const MOST_INTERIOR: usize = 40;
pub(crate) const SHORT_STEP: f64 = 0.1;

/// Share of the way to the boundary an interior-point step goes, and smallest distance from the
/// apex at the start, in units of the mean of `q` (table).
pub(crate) const INTERIOR_STEP: f64 = 0.99;
pub(crate) const INTERIOR_START: f64 = 0.1;

// ---- the convex law on the way to Coulomb's

/// Largest tolerance: only an accurate one is a good start. How far beyond it Newton's method goes
/// where that is cheap, and most factorisations.
pub(crate) const CONVEX_TOLERANCE: f64 = 1e-9;
pub(crate) const BEYOND: f64 = 1e-3;
pub(crate) const MOST_CONVEX: usize = 30;

/// Softness of its contacts, relative to the diagonal of `A`: of impulses that give the same
/// velocities it takes the smallest, and symmetric problems have symmetric answers. Without it
/// stacks of 3 take 15 factorisations in the median instead of 33 (survey, seed 51).
pub(crate) const SOFTNESS: f64 = 1e-6;

/// Share of the largest impulse up to which a point that misses the law is taken without a look at
/// the convex one.
pub(crate) const CLOSE_MISS: f64 = 1e-3;

// ---- what a certificate calls what

/// Error of a contact's velocity, over the largest that is asked for, that is accepted for a
/// tolerance of one. With 1e5 the slowest tenth of warm starts under a million times a body's own
/// mass takes one iteration more; with 2e5 velocities of piles with such masses are off by 2e-2 at
/// a tolerance of 1e-7.
pub(crate) const VELOCITY: f64 = 1.4e5;

/// Speed over the largest entry of `b` from which on a contact moves, and share of the friction
/// limit from which on it slides.
pub(crate) const MOVING: f64 = 1e-6;
pub(crate) const SURFACE: f64 = 1.0 - 1e-9;

/// Ratio of impulses to right-hand side, in units of each contact's own inertia, from which on a
/// problem counts as contradictory. A stack with a millionfold mass on top reaches 1e6.
pub(crate) const ILL_POSED: f64 = 1e8;

/// How far from one units count as usual.
pub(crate) const USUAL: f64 = 1e3;
