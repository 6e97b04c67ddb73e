//! The table of `Data`: every array of `mjData`, in MuJoCo's order.

use sinew_math::{Inertia, Mat3, Quat, Spatial, Vec3};

use crate::contact::Contact;
use crate::enums::*;
use crate::fields::data_table;
use crate::ids::*;
use crate::model::Model;
use crate::options::{SolverStat, TimerStat, WarningStat};

data_table! {
    state {
    nq(Row) {
        qpos: f64, "positions", Input Carried;
    }
    nv(DofId) {
        qvel: f64, "velocities", Input Carried;
    }
    na(Row) {
        act: f64, "actuator activations", Input Carried;
    }
    nhistory(Row) {
        history: f64, "delayed controls and sensor readings", Input Carried;
    }
    nv(DofId) {
        qacc_warmstart: f64, "acceleration from which the solver starts", Input Carried;
    }
    npluginstate(Row) {
        plugin_state: f64, "states of plugins", Carried Plugin;
    }
    nu(ActuatorId) {
        ctrl: f64, "controls", Input Carried;
    }
    nv(DofId) {
        qfrc_applied: f64, "forces applied by the user, per dof", Input Carried;
    }
    nbody(BodyId) {
        xfrc_applied: Spatial, "torque and force of the user on each body, at its centre of mass", Input Carried;
    }
    neq(EqId) {
        eq_active: Flag, "whether the constraint is active", Carried;
    }
    nmocap(MocapId) {
        mocap_pos: Vec3, "positions of mocap bodies", Input Carried;
        mocap_quat: Quat, "orientations of mocap bodies", Input Carried;
    }
    nv(DofId) {
        qacc: f64, "acceleration", Input;
    }
    na(Row) {
        act_dot: f64, "rate of change of the activations", Input;
    }
    nuserdata(Row) {
        userdata: f64, "numbers the engine never touches", Input Carried;
    }
    nsensordata(Row) {
        sensordata: f64, "readings of all sensors", Carried;
    }
    ntree(TreeId) {
        tree_asleep: i32, "negative while awake, else the next tree in a cycle of sleepers";
    }
    nplugin(PluginId) {
        plugin: i32, "registered slot of the plugin";
        plugin_data: u64, "what the plugin instance keeps", Plugin;
    }
    nbody(BodyId) {
        xpos: Vec3, "position of the body frame";
        xquat: Quat, "orientation of the body frame";
        xmat: Mat3, "orientation of the body frame";
        xipos: Vec3, "centre of mass of the body";
        ximat: Mat3, "orientation of the inertial frame";
    }
    njnt(JointId) {
        xanchor: Vec3, "anchor of the joint", Result;
        xaxis: Vec3, "axis of the joint", Result;
    }
    ngeom(GeomId) {
        geom_xpos: Vec3, "position of the geom";
        geom_xmat: Mat3, "orientation of the geom";
    }
    nsite(SiteId) {
        site_xpos: Vec3, "position of the site";
        site_xmat: Mat3, "orientation of the site";
    }
    ncam(CamId) {
        cam_xpos: Vec3, "position of the camera", Result;
        cam_xmat: Mat3, "orientation of the camera", Result;
    }
    nlight(LightId) {
        light_xpos: Vec3, "position of the light", Result;
        light_xdir: Vec3, "direction of the light", Result;
    }
    nbody(BodyId) {
        subtree_com: Vec3, "centre of mass of the body and all below it";
    }
    nv(DofId) {
        cdof: Spatial, "motion axis of the dof, about the tree's centre of mass";
    }
    nbody(BodyId) {
        cinert: Inertia, "inertia of the body, about the tree's centre of mass", Result;
    }
    nflexvert(Row) {
        flexvert_xpos: Vec3, "position of the flex vertex";
    }
    nflexelem(Row) {
        flexelem_aabb: [f64; 6], "box of the flex element: centre, half sizes";
    }
    nJfe(Row) {
        flexedge_J: f64, "Jacobian of flex edge lengths";
    }
    nflexedge(Row) {
        flexedge_length: f64, "length of the flex edge";
    }
    nJfv(Row) {
        flexvert_J: [f64; 2], "Jacobian of flex vertex strains";
    }
    nflexvert(Row) {
        flexvert_length: [f64; 2], "strain of the flex vertex";
    }
    nbvhdynamic(Row) {
        bvh_aabb_dyn: [f64; 6], "box of the node: centre, half sizes";
    }
    ntendon(TendonId) {
        ten_wrapadr: i32, "first point of the tendon's path";
        ten_wrapnum: i32, "points of the tendon's path";
        ten_J_rownnz: i32, "entries of the row of `ten_J`";
        ten_J_rowadr: i32, "start of the row of `ten_J`";
        ten_J_colind: DofId [nv], "columns of `ten_J`";
        ten_J: f64 [nv], "Jacobian of tendon lengths";
        ten_length: f64, "length of the tendon";
    }
    nwrap(WrapId) {
        wrap_obj: [i32; 2], "geom the path touches; -1 at a site, -2 at a pulley";
        wrap_xpos: [f64; 6], "points of all paths, two to a row";
    }
    nu(ActuatorId) {
        actuator_length: f64, "length of the actuator";
        moment_rownnz: i32, "entries of the row of `actuator_moment`";
        moment_rowadr: i32, "start of the row of `actuator_moment`";
    }
    nJmom(Row) {
        moment_colind: DofId, "columns of `actuator_moment`";
        actuator_moment: f64, "Jacobian of actuator lengths";
    }
    nbody(BodyId) {
        crb: Inertia, "inertia of a body and all below it, about the tree's centre of mass", Result;
    }
    nM(Row) {
        qM: f64, "mass matrix, each row from the dof towards the root", Input Result;
    }
    nC(Row) {
        M: f64, "lower triangle of the mass matrix, by rows";
        qLD: f64, "factor of M: L'DL";
    }
    nv(DofId) {
        qLDiagInv: f64, "inverse of D";
    }
    nbvh(Row) {
        bvh_active: Flag, "whether the node took part in the last collision check";
    }
    ntree(TreeId) {
        tree_awake: i32, "whether the tree is awake";
    }
    nbody(BodyId) {
        body_awake: SleepState, "asleep, awake or static";
        body_awake_ind: i32, "bodies that are awake or static";
        parent_awake_ind: i32, "bodies whose parent is awake or static";
    }
    nv(DofId) {
        dof_awake_ind: i32, "dofs that are awake";
    }
    nflexedge(Row) {
        flexedge_velocity: f64, "rate of change of the flex edge's length";
    }
    ntendon(TendonId) {
        ten_velocity: f64, "rate of change of the tendon's length";
    }
    nu(ActuatorId) {
        actuator_velocity: f64, "rate of change of the actuator's length";
    }
    nbody(BodyId) {
        cvel: Spatial, "velocity of the body, about the tree's centre of mass";
    }
    nv(DofId) {
        cdof_dot: Spatial, "rate of change of `cdof`";
        qfrc_bias: f64, "Coriolis, centrifugal and gravity forces";
        qfrc_spring: f64, "spring forces";
        qfrc_damper: f64, "damper forces";
        qfrc_gravcomp: f64, "gravity compensation";
        qfrc_fluid: f64, "fluid forces";
        qfrc_passive: f64, "all passive forces";
    }
    nbody(BodyId) {
        subtree_linvel: Vec3, "velocity of the subtree's centre of mass";
        subtree_angmom: Vec3, "angular momentum about the subtree's centre of mass";
    }
    nC(Row) {
        qH: f64, "factor of M with implicit damping";
    }
    nv(DofId) {
        qHDiagInv: f64, "inverse of its diagonal";
    }
    nD(Row) {
        qDeriv: f64, "derivative of passive, actuator and bias forces by velocity";
        qLU: f64, "LU factor of M - h qDeriv";
    }
    nu(ActuatorId) {
        actuator_force: f64, "force of the actuator, along its length";
    }
    nv(DofId) {
        qfrc_actuator: f64, "actuator forces, per dof";
        qfrc_smooth: f64, "all forces but those of constraints";
        qacc_smooth: f64, "acceleration without constraints";
        qfrc_constraint: f64, "constraint forces, per dof";
        qfrc_inverse: f64, "applied force that inverse dynamics asks for";
    }
    nbody(BodyId) {
        cacc: Spatial, "acceleration of the body, about the tree's centre of mass";
        cfrc_int: Spatial, "force its parent exerts on the body";
        cfrc_ext: Spatial, "external force on the body";
    }
    }
    lists {
    nefc(Row) {
        efc_type: ConstraintType, "kind of row";
        efc_id: i32, "object the row comes from";
        efc_J_rownnz: i32, "entries of the row of `efc_J`";
        efc_J_rowadr: i32, "start of the row of `efc_J`";
        efc_J_rowsuper: i32, "rows after this one with the same pattern";
    }
    nJ(Row) {
        efc_J_colind: i32, "columns of `efc_J`";
        efc_J: f64, "constraint Jacobian";
    }
    nefc(Row) {
        efc_pos: f64, "violation of the row";
        efc_margin: f64, "margin within which the row is active";
        efc_frictionloss: f64, "bound of dry friction";
        efc_diagApprox: f64, "estimate of the diagonal of J M⁻¹ J'";
        efc_KBIP: [f64; 4], "stiffness, damping, impedance and its derivative";
        efc_D: f64, "inverse of `efc_R`";
        efc_R: f64, "regularisation";
    }
    ntendon(TendonId) {
        tendon_efcadr: i32, "first row the tendon takes part in; -1 if none";
    }
    ntree(TreeId) {
        tree_island: i32, "island of the tree; -1 if none";
    }
    nisland(Row) {
        island_ntree: i32, "trees in the island";
        island_itreeadr: i32, "first tree of the island";
    }
    ntree(TreeId) {
        map_itree2tree: i32, "trees, by island";
    }
    nv(DofId) {
        dof_island: i32, "island of the dof; -1 if none";
    }
    nisland(Row) {
        island_nv: i32, "dofs in the island";
        island_idofadr: i32, "first dof of the island, counted by island";
        island_dofadr: i32, "first dof of the island";
    }
    nv(DofId) {
        map_dof2idof: i32, "place of the dof when sorted by island";
        map_idof2dof: i32, "dofs sorted by island; the unconstrained ones last";
    }
    nidof(Row) {
        ifrc_smooth: f64, "`qfrc_smooth` sorted by island";
        iacc_smooth: f64, "`qacc_smooth` sorted by island";
        iM_rownnz: i32, "entries of the row of `iM`";
        iM_rowadr: i32, "start of the row of `iM`";
    }
    nC(Row) {
        iM_colind: i32, "columns of `iM`";
        iM: f64, "M sorted by island";
        iLD: f64, "`qLD` sorted by island";
    }
    nidof(Row) {
        iLDiagInv: f64, "`qLDiagInv` sorted by island";
        iacc: f64, "`qacc` sorted by island";
    }
    nefc(Row) {
        efc_island: i32, "island of the row";
    }
    nisland(Row) {
        island_ne: i32, "equality rows in the island";
        island_nf: i32, "dry-friction rows in the island";
        island_nefc: i32, "rows in the island";
        island_iefcadr: i32, "first row of the island";
    }
    nefc(Row) {
        map_efc2iefc: i32, "place of the row when sorted by island";
        map_iefc2efc: i32, "rows sorted by island";
        iefc_type: ConstraintType, "`efc_type` sorted by island";
        iefc_id: i32, "`efc_id` sorted by island";
        iefc_J_rownnz: i32, "`efc_J_rownnz` sorted by island";
        iefc_J_rowadr: i32, "`efc_J_rowadr` sorted by island";
        iefc_J_rowsuper: i32, "`efc_J_rowsuper` sorted by island";
    }
    nJ(Row) {
        iefc_J_colind: i32, "`efc_J_colind` sorted by island";
        iefc_J: f64, "`efc_J` sorted by island";
    }
    nefc(Row) {
        iefc_frictionloss: f64, "`efc_frictionloss` sorted by island";
        iefc_D: f64, "`efc_D` sorted by island";
        iefc_R: f64, "`efc_R` sorted by island";
        efc_AR_rownnz: i32, "entries of the row of `efc_AR`";
        efc_AR_rowadr: i32, "start of the row of `efc_AR`";
    }
    nA(Row) {
        efc_AR_colind: i32, "columns of `efc_AR`";
        efc_AR: f64, "J M⁻¹ J' + R";
    }
    nefc(Row) {
        efc_vel: f64, "J qvel";
        efc_aref: f64, "acceleration the row asks for";
        efc_b: f64, "J qacc_smooth - aref";
        iefc_aref: f64, "`efc_aref` sorted by island";
        iefc_state: ConstraintState, "`efc_state` sorted by island";
        iefc_force: f64, "`efc_force` sorted by island";
        efc_state: ConstraintState, "state of the row";
        efc_force: f64, "force of the row";
    }
    nidof(Row) {
        ifrc_constraint: f64, "`qfrc_constraint` sorted by island";
    }
    }
}
