//! Exact friction: a step whose contacts are hard, hold below the friction angle and may bounce.
//!
//! h is the time step, and M the matrix that the integrator solves with. Forces without the
//! constraints' would give the velocity v = q̇ + h M⁻¹ f. Impulses λ on the constraint rows turn it
//! into v⁺ = v + M⁻¹ Jᵀ λ, such that every row obeys its law. Equalities keep J v⁺ = 0, limits and
//! normals push and never pull, dry friction is bounded. Friction at contacts is in its elliptic
//! cone. The rows are MuJoCo's own, the solver is [`sinew_cone`]. Forces λ / h are handed to the
//! integrator, whose new velocity then is v⁺. Free bodies turn by the midpoint rule (`rotation`).
//! Remaining penetration and drift are corrected in the position alone (`drift`), which does not
//! change the velocity or the kinetic energy.

mod drift;
mod impulses;
mod matrix;
mod memory;
mod rotation;
mod rows;
mod trace;
mod traced;
mod work;

use sinew_cone::{Cone, State};
use sinew_model::coulomb::CoulombStatus;
use sinew_model::enums::{ConstraintState, Integrator};
use sinew_model::options::SolverStat;
use sinew_model::{Data, Model};

use crate::constraint::{has_adhesion, mul_jac_t_vec};
use crate::solver::stats::{NO_STAT, STAT_ITERATIONS};
use crate::work::scratch;
pub(crate) use drift::flight_slopes;
pub(crate) use matrix::{solve_mass, uses_own_matrix};
pub(crate) use rotation::{SpinChange, spin_changes};
pub(crate) use trace::{set_tracing, with_trace};
pub(crate) use traced::{Goal, Traced};
use work::Work;

/// Prepares a step in this mode; false if the integrator cannot make it, or if surfaces move or
/// pull.
pub(crate) fn begin(m: &Model, d: &mut Data) -> bool {
    d.coulomb.shift.clear();
    let moves = m.later.as_ref().is_some_and(|later| !later.geom_surfacevel.is_empty());
    let plain = !moves && !has_adhesion(m);
    if matches!(m.opt.integrator, Integrator::Euler | Integrator::Implicitfast) && plain {
        return true;
    }
    d.coulomb.clear();
    d.coulomb.status = CoulombStatus::Unsupported;
    false
}

/// Ends a step in this mode: corrects the position, and keeps the impulses for the next one.
pub(crate) fn end(m: &Model, d: &mut Data) {
    drift::apply_shift(m, d);
    d.coulomb.keep();
}

/// Constraint forces whose step obeys the laws of hard contacts and exact friction.
///
/// Reads `qvel`, `qfrc_smooth`, frames and inertias of bodies, the constraint rows and islands,
/// `contact`, `M`, `qLD`, and the impulses of the last step in `coulomb.start`. Writes `qacc`,
/// `qfrc_constraint`, `efc_force`, `efc_state`, `coulomb`, `coulomb.shift`; with implicit damping
/// `qH`, `qHDiagInv`, and `qDeriv`.
///
/// `qacc` is the change of velocity over the step, divided by the step.
pub(crate) fn fwd_coulomb(m: &Model, d: &mut Data) {
    let mut work = scratch(d).coulomb.take::<Work>();
    core::mem::swap(&mut work.last, &mut d.coulomb.start);
    d.coulomb.clear_results();
    if let Some(trace) = &mut work.trace {
        trace.clear();
    }
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

    // forces without the constraints'
    work.smooth.clear();
    work.smooth.extend_from_slice(&d.qfrc_smooth);
    rotation::use_midpoint_torque(m, d, &mut work.smooth);

    // impulses, island by island
    if d.nefc > 0 && m.nv > 0 {
        work.free.clear();
        work.free.extend_from_slice(&work.smooth);
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
    for (sum, smooth) in force.iter_mut().zip(&work.smooth) {
        *sum += smooth;
    }
    solve_mass(m, d, own, &mut force);
    d.qacc.copy_from_slice(&force);
    scratch(d).dof = force;
    core::mem::swap(&mut work.last, &mut d.coulomb.start);
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

/// Solves for the impulses of the current rows and writes them down.
fn solve_rows(m: &Model, d: &mut Data, own: bool, island: usize, work: &mut Work) {
    // the problem: matrix, right-hand side, cones, start
    matrix::factor_rows(m, d, own, work);
    rows::describe(m, d, work);
    memory::warm_start(m, d, work);
    memory::plausible_depths(m, d, work);

    // its solution, as constraint forces
    let energy = d.coulomb.energy;
    let status = impulses::solve(m, d, work);
    d.coulomb.status = worst(d.coulomb.status, status);
    let (active, changes) = write_forces(m, d, work);

    // statistics, and the start of the next step
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
    trace::add(d, work);
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

/// Writes forces and states of the rows. Returns how many push or pull, and how many contacts and
/// rows have changed in this respect.
fn write_forces(m: &Model, d: &mut Data, work: &Work) -> (i32, i32) {
    let h = m.opt.timestep;
    let (mut active, mut changes) = (0, 0);
    let states = work.states();
    let mut first = 0;
    for (c, cone) in work.cones.iter().enumerate() {
        // active rows, and whether the cone was active at the start
        let state = states.get(c).copied().unwrap_or(State::Separate);
        let works = state != State::Separate;
        active += if works { cone.dim() as i32 } else { 0 };
        changes += i32::from(works != (work.warm[first] != 0.0));

        // force = impulse / h, and the state in MuJoCo's words
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
