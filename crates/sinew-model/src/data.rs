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
        qpos: f64, "position";
    }
    nv(DofId) {
        qvel: f64, "velocity";
    }
    na(Row) {
        act: f64, "actuator activation";
    }
    nhistory(Row) {
        history: f64, "history buffer";
    }
    nv(DofId) {
        qacc_warmstart: f64, "acceleration used for warmstart";
    }
    npluginstate(Row) {
        plugin_state: f64, "plugin state";
    }
    nu(ActuatorId) {
        ctrl: f64, "control";
    }
    nv(DofId) {
        qfrc_applied: f64, "applied generalized force";
    }
    nbody(BodyId) {
        xfrc_applied: Spatial, "applied Cartesian force/torque";
    }
    neq(EqId) {
        eq_active: Flag, "enable/disable constraints";
    }
    nmocap(MocapId) {
        mocap_pos: Vec3, "positions of mocap bodies";
        mocap_quat: Quat, "orientations of mocap bodies";
    }
    nv(DofId) {
        qacc: f64, "acceleration";
    }
    na(Row) {
        act_dot: f64, "time-derivative of actuator activation";
    }
    nuserdata(Row) {
        userdata: f64, "user data, not touched by engine";
    }
    nsensordata(Row) {
        sensordata: f64, "sensor data array";
    }
    ntree(TreeId) {
        tree_asleep: i32, "<0: awake; >=0: index cycle of sleeping trees";
    }
    nplugin(PluginId) {
        plugin: i32, "copy of m->plugin, required for deletion";
        plugin_data: u64, "pointer to plugin-managed data structure";
    }
    nbody(BodyId) {
        xpos: Vec3, "Cartesian position of body frame";
        xquat: Quat, "Cartesian orientation of body frame";
        xmat: Mat3, "Cartesian orientation of body frame";
        xipos: Vec3, "Cartesian position of body com";
        ximat: Mat3, "Cartesian orientation of body inertia";
    }
    njnt(JointId) {
        xanchor: Vec3, "Cartesian position of joint anchor";
        xaxis: Vec3, "Cartesian joint axis";
    }
    ngeom(GeomId) {
        geom_xpos: Vec3, "Cartesian geom position";
        geom_xmat: Mat3, "Cartesian geom orientation";
    }
    nsite(SiteId) {
        site_xpos: Vec3, "Cartesian site position";
        site_xmat: Mat3, "Cartesian site orientation";
    }
    ncam(CamId) {
        cam_xpos: Vec3, "Cartesian camera position";
        cam_xmat: Mat3, "Cartesian camera orientation";
    }
    nlight(LightId) {
        light_xpos: Vec3, "Cartesian light position";
        light_xdir: Vec3, "Cartesian light direction";
    }
    nbody(BodyId) {
        subtree_com: Vec3, "center of mass of each subtree";
    }
    nv(DofId) {
        cdof: Spatial, "com-based motion axis of each dof (rot:lin)";
    }
    nbody(BodyId) {
        cinert: Inertia, "com-based body inertia and mass";
    }
    nflexvert(Row) {
        flexvert_xpos: Vec3, "Cartesian flex vertex positions";
    }
    nflexelem(Row) {
        flexelem_aabb: [f64; 6], "flex element bounding boxes (center, size)";
    }
    nJfe(Row) {
        flexedge_J: f64, "flex edge Jacobian";
    }
    nflexedge(Row) {
        flexedge_length: f64, "flex edge lengths";
    }
    nJfv(Row) {
        flexvert_J: [f64; 2], "flex vertex Jacobian";
    }
    nflexvert(Row) {
        flexvert_length: [f64; 2], "flex vertex lengths";
    }
    nbvhdynamic(Row) {
        bvh_aabb_dyn: [f64; 6], "global bounding box (center, size)";
    }
    ntendon(TendonId) {
        ten_wrapadr: i32, "start address of tendon's path";
        ten_wrapnum: i32, "number of wrap points in path";
        ten_J_rownnz: i32, "number of non-zeros in Jacobian row";
        ten_J_rowadr: i32, "row start address in colind array";
        ten_J_colind: DofId [nv], "column indices in sparse Jacobian";
        ten_J: f64 [nv], "tendon Jacobian";
        ten_length: f64, "tendon lengths";
    }
    nwrap(WrapId) {
        wrap_obj: [i32; 2], "geom id; -1: site; -2: pulley";
        wrap_xpos: [f64; 6], "Cartesian 3D points in all paths";
    }
    nu(ActuatorId) {
        actuator_length: f64, "actuator lengths";
        moment_rownnz: i32, "number of non-zeros in actuator_moment row";
        moment_rowadr: i32, "row start address in colind array";
    }
    nJmom(Row) {
        moment_colind: DofId, "column indices in sparse Jacobian";
        actuator_moment: f64, "actuator moments";
    }
    nbody(BodyId) {
        crb: Inertia, "com-based composite inertia and mass";
    }
    nM(Row) {
        qM: f64, "inertia (sparse)";
    }
    nC(Row) {
        M: f64, "reduced inertia (compressed sparse row)";
        qLD: f64, "L'*D*L factorization of M (sparse)";
    }
    nv(DofId) {
        qLDiagInv: f64, "1/diag(D)";
    }
    nbvh(Row) {
        bvh_active: Flag, "was bounding volume checked for collision";
    }
    ntree(TreeId) {
        tree_awake: i32, "is tree awake; 0: asleep; 1: awake";
    }
    nbody(BodyId) {
        body_awake: SleepState, "body sleep state (mjtSleepState)";
        body_awake_ind: i32, "indices of awake and static bodies";
        parent_awake_ind: i32, "indices of bodies with awake or static parents";
    }
    nv(DofId) {
        dof_awake_ind: i32, "indices of awake dofs";
    }
    nflexedge(Row) {
        flexedge_velocity: f64, "flex edge velocities";
    }
    ntendon(TendonId) {
        ten_velocity: f64, "tendon velocities";
    }
    nu(ActuatorId) {
        actuator_velocity: f64, "actuator velocities";
    }
    nbody(BodyId) {
        cvel: Spatial, "com-based velocity (rot:lin)";
    }
    nv(DofId) {
        cdof_dot: Spatial, "time-derivative of cdof (rot:lin)";
        qfrc_bias: f64, "C(qpos,qvel)";
        qfrc_spring: f64, "passive spring force";
        qfrc_damper: f64, "passive damper force";
        qfrc_gravcomp: f64, "passive gravity compensation force";
        qfrc_fluid: f64, "passive fluid force";
        qfrc_passive: f64, "total passive force";
    }
    nbody(BodyId) {
        subtree_linvel: Vec3, "linear velocity of subtree com";
        subtree_angmom: Vec3, "angular momentum about subtree com";
    }
    nC(Row) {
        qH: f64, "L'*D*L factorization of modified M";
    }
    nv(DofId) {
        qHDiagInv: f64, "1/diag(D) of modified M";
    }
    nD(Row) {
        qDeriv: f64, "d (passive + actuator - bias) / d qvel";
        qLU: f64, "sparse LU of (qM - dt*qDeriv)";
    }
    nu(ActuatorId) {
        actuator_force: f64, "actuator force in actuation space";
    }
    nv(DofId) {
        qfrc_actuator: f64, "actuator force";
        qfrc_smooth: f64, "net unconstrained force";
        qacc_smooth: f64, "unconstrained acceleration";
        qfrc_constraint: f64, "constraint force";
        qfrc_inverse: f64, "net external force; should equal: qfrc_applied + J'*xfrc_applied + qfrc_actuator";
    }
    nbody(BodyId) {
        cacc: Spatial, "com-based acceleration";
        cfrc_int: Spatial, "com-based interaction force with parent";
        cfrc_ext: Spatial, "com-based external force on body";
    }
    }
    lists {
    nefc(Row) {
        efc_type: ConstraintType, "constraint type (mjtConstraint)";
        efc_id: i32, "id of object of specified type";
        efc_J_rownnz: i32, "number of non-zeros in constraint Jacobian row";
        efc_J_rowadr: i32, "row start address in colind array";
        efc_J_rowsuper: i32, "number of subsequent rows in supernode";
    }
    nJ(Row) {
        efc_J_colind: i32, "column indices in constraint Jacobian";
        efc_J: f64, "constraint Jacobian";
    }
    nefc(Row) {
        efc_pos: f64, "constraint position (equality, contact)";
        efc_margin: f64, "inclusion margin (contact)";
        efc_frictionloss: f64, "frictionloss (friction)";
        efc_diagApprox: f64, "approximation to diagonal of A";
        efc_KBIP: [f64; 4], "stiffness, damping, impedance, imp'";
        efc_D: f64, "constraint mass";
        efc_R: f64, "inverse constraint mass";
    }
    ntendon(TendonId) {
        tendon_efcadr: i32, "first efc address involving tendon; -1: none";
    }
    ntree(TreeId) {
        tree_island: i32, "island id of this tree; -1: none";
    }
    nisland(Row) {
        island_ntree: i32, "number of trees in this island";
        island_itreeadr: i32, "island start address in itree vector";
    }
    ntree(TreeId) {
        map_itree2tree: i32, "map from itree to tree";
    }
    nv(DofId) {
        dof_island: i32, "island id of this dof; -1: none";
    }
    nisland(Row) {
        island_nv: i32, "number of dofs in this island";
        island_idofadr: i32, "island start address in idof vector";
        island_dofadr: i32, "island start address in dof vector";
    }
    nv(DofId) {
        map_dof2idof: i32, "map from dof to idof";
        map_idof2dof: i32, "map from idof to dof; >= nidof: unconstrained";
    }
    nidof(Row) {
        ifrc_smooth: f64, "net unconstrained force";
        iacc_smooth: f64, "unconstrained acceleration";
        iM_rownnz: i32, "inertia: non-zeros in each row";
        iM_rowadr: i32, "inertia: address of each row in iM_colind";
    }
    nC(Row) {
        iM_colind: i32, "inertia: column indices of non-zeros";
        iM: f64, "total inertia (sparse)";
        iLD: f64, "L'*D*L factorization of M (sparse)";
    }
    nidof(Row) {
        iLDiagInv: f64, "1/diag(D)";
        iacc: f64, "acceleration";
    }
    nefc(Row) {
        efc_island: i32, "island id of this constraint";
    }
    nisland(Row) {
        island_ne: i32, "number of equality constraints in island";
        island_nf: i32, "number of friction constraints in island";
        island_nefc: i32, "number of constraints in island";
        island_iefcadr: i32, "start address in iefc vector";
    }
    nefc(Row) {
        map_efc2iefc: i32, "map from efc to iefc";
        map_iefc2efc: i32, "map from iefc to efc";
        iefc_type: ConstraintType, "constraint type (mjtConstraint)";
        iefc_id: i32, "id of object of specified type";
        iefc_J_rownnz: i32, "number of non-zeros in constraint Jacobian row";
        iefc_J_rowadr: i32, "row start address in colind array";
        iefc_J_rowsuper: i32, "number of subsequent rows in supernode";
    }
    nJ(Row) {
        iefc_J_colind: i32, "column indices in constraint Jacobian";
        iefc_J: f64, "constraint Jacobian";
    }
    nefc(Row) {
        iefc_frictionloss: f64, "frictionloss (friction)";
        iefc_D: f64, "constraint mass";
        iefc_R: f64, "inverse constraint mass";
        efc_AR_rownnz: i32, "number of non-zeros in AR";
        efc_AR_rowadr: i32, "row start address in colind array";
    }
    nA(Row) {
        efc_AR_colind: i32, "column indices in sparse AR";
        efc_AR: f64, "J*inv(M)*J' + R";
    }
    nefc(Row) {
        efc_vel: f64, "velocity in constraint space: J*qvel";
        efc_aref: f64, "reference pseudo-acceleration";
        efc_b: f64, "linear cost term: J*qacc_smooth - aref";
        iefc_aref: f64, "reference pseudo-acceleration";
        iefc_state: ConstraintState, "constraint state (mjtConstraintState)";
        iefc_force: f64, "constraint force in constraint space";
        efc_state: ConstraintState, "constraint state (mjtConstraintState)";
        efc_force: f64, "constraint force in constraint space";
    }
    nidof(Row) {
        ifrc_constraint: f64, "constraint force";
    }
    }
}
