//! Smooth stages of four worlds of one model at once, a world in each lane of a register.
//!
//! Every world has the operations and the order of sums of a single world, so its bits are the same
//! (the tests are the batch's). The stages are written once more here: see
//! [`kinematics`](super::kinematics), [`com`](super::com), [`inertia`](super::inertia) and
//! [`rne`](super::rne). Numbers of the worlds lie side by side in [`FourWork`] from one stage to
//! the next. The last stage copies them to the states of the worlds.

mod bias;
mod field;
mod frames;
mod inertia;
mod work;

use sinew_math::simd::{Lane, dispatch, has_avx2_and_fma};
use sinew_model::enums::EnableBit;
use sinew_model::{Data, Model};

pub(crate) use work::FourWork;

/// Up to this many bodies four worlds are faster together; the states of more leave the caches.
/// With 27 bodies they take 0.95 of the time, with 117 they take 1.2 times as long.
const MOST_BODIES: usize = 64;

/// Whether these stages can replace the stages of single worlds. Bodies must be few, nothing
/// sleeps, no tendon or actuator adds to the inertia, and the processor has the registers.
pub(crate) fn fits(m: &Model) -> bool {
    m.nbody <= MOST_BODIES
        && has_avx2_and_fma()
        && !m.opt.enabled(EnableBit::Sleep)
        && m.later.is_none()
        && m.tendon_armature.iter().all(|&armature| armature == 0.0)
}

dispatch! {
    /// `kinematics`, `com_pos`, `crb` and `factor_m`, without waking. `xanchor`, `xaxis`, `cinert`
    /// and `crb` are given to the worlds only if they are `seen`.
    pub(crate) fn position(m: &Model, worlds: &mut [&mut Data; 4], w: &mut FourWork, seen: bool)
        = position_kernel::<Exact>;

    /// `com_vel` and the bias force of `rne`, after `position` in the same states.
    pub(crate) fn velocity(m: &Model, worlds: &mut [&mut Data; 4], w: &mut FourWork)
        = velocity_kernel::<Exact>;
}

/// Takes fields from the worlds.
macro_rules! gather {
    ($worlds:ident, $w:ident: $($field:ident),*) => {$(
        let [a, b, c, d] = &*$worlds;
        $w.$field.gather::<L>([a.$field.flat(), b.$field.flat(), c.$field.flat(), d.$field.flat()]);
    )*};
}

/// Gives fields to the worlds.
macro_rules! scatter {
    ($worlds:ident, $w:ident: $($field:ident),*) => {$(
        let [a, b, c, d] = &mut *$worlds;
        $w.$field.scatter::<L>([
            a.$field.flat_mut(), b.$field.flat_mut(), c.$field.flat_mut(), d.$field.flat_mut(),
        ]);
    )*};
}

#[inline(always)]
fn position_kernel<L: Lane>(m: &Model, worlds: &mut [&mut Data; 4], w: &mut FourWork, seen: bool) {
    gather!(worlds, w: qpos, mocap_pos, mocap_quat);
    frames::body_frames::<L>(m, w);
    frames::inertial_frames::<L>(m, w);
    frames::geom_frames::<L>(m, w);
    frames::site_frames::<L>(m, w);
    inertia::centres::<L>(m, w);
    inertia::inertias::<L>(m, w);
    inertia::motion_axes::<L>(m, w);
    inertia::crb::<L>(m, w);
    inertia::factor::<L>(m, w);
    scatter!(worlds, w: xpos, xquat, xmat, xipos, ximat, geom_xpos, geom_xmat, site_xpos, site_xmat,
        subtree_com, cdof, M, qLD, qLDiagInv);
    if seen {
        scatter!(worlds, w: xanchor, xaxis, cinert, crb);
    }
}

#[inline(always)]
fn velocity_kernel<L: Lane>(m: &Model, worlds: &mut [&mut Data; 4], w: &mut FourWork) {
    gather!(worlds, w: qvel);
    bias::velocities::<L>(m, w);
    bias::outwards::<L>(m, w);
    bias::inwards::<L>(m, w);
    scatter!(worlds, w: cvel, cdof_dot, qfrc_bias);
}
