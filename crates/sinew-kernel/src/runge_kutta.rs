//! The classical Runge-Kutta method of fourth order: four evaluations, and a step along the
//! weighted mean of their rates.

use crate::integrate::{activate, move_joints};
use crate::memory::Cells;
use crate::real::Real;
use crate::tables::{Model, World};
use crate::team::Team;

/// How many evaluations a step has.
pub(crate) const EVALUATIONS: usize = 4;

#[inline(always)]
fn copy<R: Real, T: Team>(t: T, from: Cells<'_, R>, to: Cells<'_, R>) {
    t.par(from.len(), |i| to.put(i, from.at(i)));
}

/// Keeps the state at the start of a step.
#[inline(always)]
pub(crate) fn begin<R: Real, T: Team>(t: T, w: World<'_, R>) {
    copy(t, w.time(), w.start_time());
    copy(t, w.qpos(), w.start_qpos());
    copy(t, w.qvel(), w.start_qvel());
    copy(t, w.act(), w.start_act());
}

/// Puts the state at the start of a step back.
#[inline(always)]
pub(crate) fn restore<R: Real, T: Team>(t: T, w: World<'_, R>) {
    copy(t, w.start_time(), w.time());
    copy(t, w.start_qpos(), w.qpos());
    copy(t, w.start_qvel(), w.qvel());
    copy(t, w.start_act(), w.act());
}

/// Adds the rates of an evaluation to their mean, and moves from the start along them to the next
/// evaluation. After the last evaluation the mean gives the direction.
#[inline(always)]
pub(crate) fn go<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>, evaluation: usize) {
    let outer = evaluation == 0 || evaluation == EVALUATIONS - 1;
    let weight = if outer { R::ONE / R::of(6.0) } else { R::ONE / R::of(3.0) };
    let kept = if evaluation == 0 { R::ZERO } else { R::ONE };
    let pairs = [(w.qvel(), w.mean_qvel()), (w.qacc(), w.mean_qacc()), (w.act_dot(), w.mean_act())];
    for (rate, mean) in pairs {
        t.par(rate.len(), |i| {
            let before = if kept == R::ZERO { R::ZERO } else { mean.at(i) };
            mean.put(i, before + weight * rate.at(i));
        });
    }
    let last = evaluation == EVALUATIONS - 1;
    let along = if evaluation < 2 { R::of(0.5) } else { R::ONE };
    let h = along * m.scalars().timestep;
    let [vel, acc] = if last { [w.mean_qvel(), w.mean_qacc()] } else { [w.qvel(), w.qacc()] };
    // controls with delays are those of the evaluation's time
    let passed = if last { R::ZERO } else { h };
    t.par(1, |_| w.time().put(0, w.start_time().at(0) + passed));
    copy(t, w.start_qpos(), w.qpos());
    move_joints(t, m, w.qpos(), vel, h);
    t.par(m.nv() as usize, |v| w.qvel().put(v, w.start_qvel().at(v) + h * acc.at(v)));
    if last {
        copy(t, w.start_act(), w.act());
        activate(t, m, w, w.mean_act());
    } else {
        t.par(m.na() as usize, |a| w.act().put(a, w.start_act().at(a) + h * w.act_dot().at(a)));
    }
}
