//! The stages of a step in order.

use crate::job::outcome;
use crate::real::Real;
use crate::tables::{Model, World};
use crate::team::Team;

/// One step; the outcome. The state is written only if it is taken.
#[inline(always)]
pub(crate) fn step<R: Real, T: Team>(t: T, m: Model<'_, R>, w: World<'_, R>) -> u32 {
    let (qpos, qvel, h) = (w.qpos(), w.qvel(), m.scalars().timestep);
    if t.any(qvel.len(), |v| qvel.at(v).is_bad()) {
        return outcome::BAD_NUMBER;
    }
    t.par(qpos.len().min(qvel.len()), |v| qpos.put(v, qpos.at(v) + h * qvel.at(v)));
    t.par(1, |_| w.time().put(0, w.time().at(0) + h));
    outcome::OK
}
