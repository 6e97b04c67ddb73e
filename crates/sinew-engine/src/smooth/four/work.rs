//! Intermediate results of the stages.

use super::field::Field;

/// Fields of four worlds, under the names they have in a state.
#[derive(Clone, Debug, Default)]
#[allow(non_snake_case)] // M, qLD
pub(crate) struct FourWork {
    pub(super) qpos: Field,
    pub(super) mocap_pos: Field,
    pub(super) mocap_quat: Field,
    pub(super) xpos: Field,
    pub(super) xquat: Field,
    pub(super) xmat: Field,
    pub(super) xipos: Field,
    pub(super) ximat: Field,
    pub(super) xanchor: Field,
    pub(super) xaxis: Field,
    pub(super) geom_xpos: Field,
    pub(super) geom_xmat: Field,
    pub(super) site_xpos: Field,
    pub(super) site_xmat: Field,
    pub(super) subtree_com: Field,
    pub(super) cinert: Field,
    pub(super) cdof: Field,
    pub(super) crb: Field,
    pub(super) M: Field,
    pub(super) qLD: Field,
    pub(super) qLDiagInv: Field,
    pub(super) qvel: Field,
    pub(super) cvel: Field,
    pub(super) cdof_dot: Field,
    pub(super) cacc: Field,
    pub(super) cfrc: Field,
    pub(super) qfrc_bias: Field,
}
