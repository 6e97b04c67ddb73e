//! Exact friction: a step whose contacts are hard, hold below the friction angle and may bounce.
//!
//! With h the time step and M the matrix that the integrator solves with, forces other than those of
//! constraints would give the velocity v = q̇ + h M⁻¹ f. Impulses λ on the constraint rows turn it into
//! v⁺ = v + M⁻¹ Jᵀ λ, such that every row obeys its law: equalities keep J v⁺ = 0, limits and normals
//! push and never pull, dry friction is bounded, and friction at contacts is in its elliptic cone. The
//! rows are MuJoCo's own, the solver is [`sinew_cone`]. Forces λ / h are handed to the integrator, whose
//! new velocity then is v⁺. What penetration and drift remain are taken out of the position alone
//! (`drift`), which leaves the velocity, and with it the kinetic energy, as it is.

mod drift;
mod matrix;
mod memory;
mod rows;

use sinew_cone::{Cone, Law, Options, Solver, SparseProblem, SparseRows, State, Status};
use sinew_model::coulomb::{Certificate, CoulombStatus, FrictionLaw};
use sinew_model::enums::{ConstraintState, Integrator};
use sinew_model::options::SolverStat;
use sinew_model::{Data, Model};

use crate::constraint::{jacobian_row, mul_jac_t_vec};
use crate::solver::stats::{NO_STAT, STAT_ITERATIONS};
use crate::work::scratch;
pub(crate) use drift::apply_shift;
use matrix::{solve_mass, uses_own_matrix};

/// Shares of the restitution that are tried in turn, until the impulses add no energy.
const SHARES: [f64; 4] = [1.0, 0.5, 0.25, 0.0];

/// Energy that counts as none, relative to the work of the impulses.
const ENERGY_ROUNDING: f64 = 1e-9;

/// Scratch of the mode.
#[derive(Default)]
struct Work {
    solver: Solver,
    drift: drift::DriftWork,
    /// The rows at hand: those of an island.
    rows: Vec<usize>,
    cones: Vec<Cone>,
    /// J L⁻¹ D^-½ over `rows`, times the root of `mass`: its product with its transpose is A = J M⁻¹ Jᵀ, in units in
    /// which it is of order one.
    half: SparseRows,
    /// The diagonal of A, and one over its mean.
    diagonal: Vec<f64>,
    mass: f64,
    /// -J v: what the impulses have to make up for.
    demand: Vec<f64>,
    /// What J v⁺ has to be at least, besides restitution.
    bias: Vec<f64>,
    /// Restitution times speed of approach.
    bounce: Vec<f64>,
    /// Depth of the contact of each cone.
    depth: Vec<f64>,
    /// The right-hand side, scaled.
    rhs: Vec<f64>,
    warm: Vec<f64>,
    /// Whether every row is where it should be without impulses: nothing was solved.
    idle: bool,
    /// Impulses of `rows`.
    impulse: Vec<f64>,
    /// Velocity of `rows` after the impulses.
    after: Vec<f64>,
    /// v, the velocity without impulses.
    free: Vec<f64>,
    /// A vector over the dofs.
    image: Vec<f64>,
    /// Dofs that a row moves, and how.
    chain: Vec<u32>,
    values: Vec<f64>,
    /// Impulses of the step before.
    last: Certificate,
    memory: memory::Memory,
}

impl Work {
    /// What each cone does; nothing, of those beyond the end.
    fn states(&self) -> &[State] {
        if self.idle { &[] } else { &self.solver.solution().states }
    }
}

/// Prepares a step in this mode; false if the integrator cannot make it.
pub(crate) fn begin(m: &Model, d: &mut Data) -> bool {
    d.coulomb.shift.clear();
    if matches!(m.opt.integrator, Integrator::Euler | Integrator::Implicitfast) {
        return true;
    }
    d.coulomb.clear();
    d.coulomb.status = CoulombStatus::Unsupported;
    false
}

/// Constraint forces whose step obeys the laws of hard contacts and exact friction.
///
/// Reads `qvel`, `qfrc_smooth`, the constraint rows and islands, `contact`, `M`, `qLD`, and the
/// impulses of the last step in `coulomb`. Writes `qacc`, `qfrc_constraint`, `efc_force`, `efc_state`,
/// `coulomb`, `coulomb.shift`; with implicit damping `qH`, `qHDiagInv`, and `qDeriv`.
///
/// `qacc` is the change of velocity over the step, divided by the step.
pub(crate) fn fwd_coulomb(m: &Model, d: &mut Data) {
    let mut work = scratch(d).coulomb.take::<Work>();
    core::mem::swap(&mut work.last, &mut d.coulomb);
    d.coulomb.clear();
    let own = uses_own_matrix(m);
    if own {
        matrix::factor(m, d);
    }
    for list in [&mut d.efc_b, &mut d.efc_force] {
        list.resize(d.nefc);
        list.fill(0.0);
    }
    d.efc_state.resize(d.nefc);
    d.efc_state.fill(ConstraintState::Satisfied);

    // impulses, island by island
    if d.nefc > 0 && m.nv > 0 {
        work.free.clear();
        work.free.extend_from_slice(&d.qfrc_smooth);
        solve_mass(m, d, own, &mut work.free);
        for (v, qvel) in work.free.iter_mut().zip(d.qvel.iter()) {
            *v = qvel + m.opt.timestep * *v;
        }
        work.memory.reset(&work.last);
        for island in 0..d.nisland.max(1) {
            select_rows(d, island, &mut work.rows);
            solve_rows(m, d, own, island, &mut work);
        }
    }

    // the acceleration they give
    let mut force = scratch(d).take_dof(m.nv);
    mul_jac_t_vec(d, &mut force, &d.efc_force);
    d.qfrc_constraint.copy_from_slice(&force);
    for (sum, smooth) in force.iter_mut().zip(d.qfrc_smooth.iter()) {
        *sum += smooth;
    }
    solve_mass(m, d, own, &mut force);
    d.qacc.copy_from_slice(&force);
    scratch(d).dof = force;
    scratch(d).coulomb.put(work);
}

/// The rows of an island; all of them if there are no islands.
fn select_rows(d: &Data, island: usize, rows: &mut Vec<usize>) {
    rows.clear();
    if d.nisland == 0 {
        rows.extend(0..d.nefc);
        return;
    }
    let first = d.island_iefcadr[island].max(0) as usize;
    let count = d.island_nefc[island].max(0) as usize;
    let list = d.map_iefc2efc.get(first..first + count).unwrap_or(&[]);
    rows.extend(list.iter().map(|&r| r.max(0) as usize).filter(|&r| r < d.nefc));
}

/// Solves for the impulses of the rows at hand and writes them down.
fn solve_rows(m: &Model, d: &mut Data, own: bool, island: usize, work: &mut Work) {
    matrix::halve(m, d, own, work);
    rows::describe(m, d, work);
    memory::recall(m, d, work);
    memory::believe(m, d, work);
    let energy = d.coulomb.energy;
    let status = impulses(m, d, work);
    d.coulomb.status = worst(d.coulomb.status, status);
    let (active, changes) = write_forces(m, d, work);
    let solution = work.solver.solution();
    let (residual, iterations, entries) = if work.idle {
        (0.0, 0, 0)
    } else {
        (solution.residual, solution.iterations, solution.entries)
    };
    let stat = SolverStat {
        improvement: energy - d.coulomb.energy,
        gradient: residual,
        lineslope: 0.0,
        nactive: active,
        nchange: changes,
        neval: 0,
        nupdate: iterations as i32,
    };
    write_stat(d, island, stat, entries);
    memory::keep(m, d, work);
    drift::correct(m, d, own, work);
}

/// Fills `impulse` and `after`.
fn impulses(m: &Model, d: &mut Data, work: &mut Work) -> CoulombStatus {
    let n = work.rows.len();
    for list in [&mut work.impulse, &mut work.after] {
        list.clear();
        list.resize(n, 0.0);
    }
    let bounces = work.bounce.iter().any(|&x| x != 0.0);
    let mut status = CoulombStatus::Converged;
    let mut spent = 0;
    work.idle = false;
    for (k, share) in SHARES.into_iter().enumerate() {
        let Some(scale) = Scale::of(work, share) else {
            work.idle = true;
            for (after, demand) in work.after.iter_mut().zip(&work.demand) {
                *after = -demand;
            }
            break;
        };
        work.solver.options = options(m);
        work.solver.options.max_iterations = m.coulomb.iterations.saturating_sub(spent);
        status = solve_scaled(d, work, &scale);
        spent += work.solver.solution().iterations;
        if status == CoulombStatus::Invalid {
            work.impulse.fill(0.0);
        }
        let (energy, size) = energy(work);
        let gains = energy > ENERGY_ROUNDING * size || status == CoulombStatus::IllPosed;
        if !(bounces && gains) || k + 1 == SHARES.len() {
            d.coulomb.energy += energy;
            d.coulomb.restitution_scale = d.coulomb.restitution_scale.min(share);
            break;
        }
    }
    status
}

/// Units in which impulses and velocities are of order one.
struct Scale {
    /// Of the matrix: an apparent mass.
    mass: f64,
    /// Of velocities.
    speed: f64,
}

impl Scale {
    /// The units of the problem with a share of the restitution, whose right-hand side is left in
    /// `rhs`; none if that is zero or there is nothing that could move.
    fn of(work: &mut Work, share: f64) -> Option<Scale> {
        let mass = work.mass;
        work.rhs.clear();
        let parts = work.demand.iter().zip(&work.bias).zip(&work.bounce);
        work.rhs.extend(parts.map(|((demand, bias), bounce)| demand + bias + share * bounce));
        let speed = work.rhs.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let valid = speed > 0.0 && mass.is_finite() && mass > 0.0;
        // NaN goes on, and is refused by the solver
        (valid || work.rhs.iter().any(|x| x.is_nan())).then_some(Scale { mass, speed })
    }

    fn impulse(&self) -> f64 {
        self.mass * self.speed
    }
}

/// Solves the problem in its own units.
fn solve_scaled(d: &mut Data, work: &mut Work, scale: &Scale) -> CoulombStatus {
    let unit = scale.impulse();
    for b in &mut work.rhs {
        *b /= scale.speed;
    }
    for x in &mut work.warm {
        *x /= unit;
    }
    rows::scale_intervals(&mut work.cones, 1.0 / unit);
    let status = search(work);
    rows::scale_intervals(&mut work.cones, unit);
    for x in &mut work.warm {
        *x *= unit;
    }
    let Some(status) = status else { return CoulombStatus::Invalid };

    // back to the units of the model
    let solution = work.solver.solution();
    for (to, from) in work.impulse.iter_mut().zip(&solution.impulses) {
        *to = from * unit;
    }
    let velocity = solution.velocity.iter().zip(&work.rhs);
    for ((to, (g, b)), demand) in work.after.iter_mut().zip(velocity).zip(&work.demand) {
        *to = (g + b) * scale.speed - demand;
    }
    let certificate = &mut d.coulomb;
    certificate.residual = certificate.residual.max(solution.residual);
    certificate.residual_impulse = certificate.residual_impulse.max(solution.residual * unit);
    certificate.iterations += solution.iterations;
    certificate.convex_problems += solution.outer_iterations;
    match status {
        Status::Converged | Status::ConvergedRelative => CoulombStatus::Converged,
        Status::IllPosed => CoulombStatus::IllPosed,
        Status::NotConverged => CoulombStatus::NotConverged,
    }
}

/// How the search for the impulses ended; none if numbers are not finite.
fn search(work: &mut Work) -> Option<Status> {
    let Work { solver, half, image, rhs, cones, warm, .. } = work;
    let warm = warm.iter().any(|&x| x != 0.0).then_some(&warm[..]);
    let problem = SparseProblem::new(half, image.len(), rhs, cones).ok()?;
    solver.solve_sparse(&problem, warm).ok()?.status
}

fn options(m: &Model) -> Options {
    let law = match m.coulomb.law {
        FrictionLaw::Exact => Law::Coulomb,
        FrictionLaw::Convex => Law::Convex,
    };
    Options {
        tolerance: m.coulomb.tolerance,
        max_iterations: m.coulomb.iterations,
        law,
        ..Options::default()
    }
}

/// Change of kinetic energy by the impulses, ½ λᵀ A λ + λᵀ J v, and the size of its terms.
fn energy(work: &Work) -> (f64, f64) {
    let (mut sum, mut size) = (0.0, 0.0);
    for ((impulse, after), demand) in work.impulse.iter().zip(&work.after).zip(&work.demand) {
        // ½ λ (J v⁺ + J v)
        sum += 0.5 * impulse * (after - demand);
        size += 0.5 * impulse.abs() * (after.abs() + demand.abs());
    }
    (sum, size)
}

/// Statistics of an island: one record, in the place of its first iteration, for the whole search.
fn write_stat(d: &mut Data, island: usize, stat: SolverStat, entries: usize) {
    let Some(count) = d.solver_niter.get_mut(island) else { return };
    *count = stat.nupdate;
    d.solver_nnz[island] = entries as i32;
    let at = island * STAT_ITERATIONS;
    if d.solver.len() <= at {
        d.solver.resize(at + 1, NO_STAT);
    }
    d.solver[at] = stat;
}

/// Forces and states of the rows at hand; how many push or pull, and for how many contacts and rows that
/// is new or no longer so.
fn write_forces(m: &Model, d: &mut Data, work: &Work) -> (i32, i32) {
    let h = m.opt.timestep;
    let (mut active, mut changes) = (0, 0);
    let states = work.states();
    let mut first = 0;
    for (c, cone) in work.cones.iter().enumerate() {
        let state = states.get(c).copied().unwrap_or(State::Separate);
        let works = state != State::Separate;
        active += if works { cone.dim() as i32 } else { 0 };
        changes += i32::from(works != (work.warm[first] != 0.0));
        for k in first..first + cone.dim() {
            let (r, impulse) = (work.rows[k], work.impulse[k]);
            d.efc_force[r] = impulse / h;
            d.efc_b[r] = -work.demand[k];
            d.efc_state[r] = match (cone, state) {
                (_, State::Separate) => ConstraintState::Satisfied,
                (_, State::Stick) => ConstraintState::Quadratic,
                (Cone::Interval { .. }, State::Slide) if impulse > 0.0 => {
                    ConstraintState::Linearneg
                }
                (Cone::Interval { .. }, State::Slide) => ConstraintState::Linearpos,
                (_, State::Slide) => ConstraintState::Cone,
            };
        }
        first += cone.dim();
    }
    (active, changes)
}

fn worst(a: CoulombStatus, b: CoulombStatus) -> CoulombStatus {
    let rank = |s: CoulombStatus| match s {
        CoulombStatus::Idle => 0,
        CoulombStatus::Converged => 1,
        CoulombStatus::NotConverged => 2,
        CoulombStatus::IllPosed => 3,
        CoulombStatus::Invalid => 4,
        CoulombStatus::Unsupported => 5,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Adds a row of the Jacobian, scaled, to a vector over the dofs.
fn add_row(d: &Data, r: usize, scale: f64, out: &mut [f64]) {
    let (ind, row) = jacobian_row(d, r);
    for (&i, x) in ind.iter().zip(row) {
        out[i as usize] += x * scale;
    }
}
