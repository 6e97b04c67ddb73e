//! Constants of a model that follow from its other fields: masses of subtrees, inertias and lengths
//! at `qpos0`, frames of cameras and lights, statistics.

use core::ops::Range;

use sinew_math::{MINVAL, Vec3, vector};
use sinew_model::enums::{
    CamLight, EqType, GeomType, JointType, ObjType, SleepPolicy, TrnType, WrapType,
};
use sinew_model::later::{GAIN_PID, TRN_SO3};
use sinew_model::{
    ActuatorId, BodyId, Data, DofId, EqId, GeomId, JointId, Maybe, Model, SiteId, TendonId, TreeId,
};

use super::error::ConstError;
use super::{flex, weight};
use crate::actuator::transmission::{moment_row, transmission};
use crate::later;
use crate::smooth::camlight::camlight;
use crate::smooth::com::com_pos;
use crate::smooth::inertia::{factor_m, make_m, solve_m};
use crate::smooth::kinematics::kinematics;
use crate::tendon::{dense_row, path_range, tendon};

/// Sets all constants of a model that follow from others, except actuator length ranges.
///
/// Call it after masses, inertias, `qpos0`, tendons or actuators have been changed. Leaves `d` at
/// `qpos_spring`.
#[doc(alias = "mj_setConst")]
pub fn set_const(m: &mut Model, d: &mut Data) -> Result<(), ConstError> {
    set_fixed(m)?;
    set_at_qpos0(m, d)?;
    set_statistics(m, d);
    set_spring_lengths(m, d);
    Ok(())
}

/// Constants that do not depend on the configuration.
fn set_fixed(m: &mut Model) -> Result<(), ConstError> {
    m.body_subtreemass.copy_from_slice(&m.body_mass);
    for b in m.bodies().skip(1).rev() {
        let mass = m.body_subtreemass[b];
        m.body_subtreemass[m.body_parentid[b]] += mass;
    }
    m.link_later();
    m.ngravcomp = m.body_gravcomp.iter().filter(|&&x| x > 0.0).count();
    set_trees(m);
    for t in m.tendons() {
        set_tendon_trees(m, t);
    }
    set_sleep_policy(m)
}

/// Bodies and dofs of each kinematic tree.
fn set_trees(m: &mut Model) {
    // the tree of each body
    for b in m.bodies() {
        m.body_treeid[b] = m.body_dofs(m.body_weldid[b]).next().map(|v| m.dof_treeid[v]).into();
    }

    // bodies of each tree
    m.tree_bodynum.fill(0);
    let mut seen = 0;
    for b in m.bodies().skip(1) {
        let Some(tree) = m.body_treeid[b].get() else { continue };
        if tree.idx() >= seen {
            m.tree_bodyadr[seen] = b;
            seen += 1;
        }
        m.tree_bodynum[seen - 1] += 1;
    }

    // dofs of each tree
    m.tree_dofnum.fill(0);
    let mut seen = 0;
    for v in m.dofs() {
        if m.dof_treeid[v].idx() >= seen {
            m.tree_dofadr[seen] = v;
            seen += 1;
        }
        m.tree_dofnum[seen - 1] += 1;
    }
}

/// The tree an element of a tendon's path belongs to.
fn path_tree(m: &Model, w: usize) -> Option<TreeId> {
    let id = m.wrap_objid[w] as usize;
    let body = match m.wrap_type[w] {
        WrapType::Joint => m.jnt_bodyid[JointId::new(id)],
        WrapType::Site => m.site_bodyid[SiteId::new(id)],
        WrapType::Sphere | WrapType::Cylinder => m.geom_bodyid[GeomId::new(id)],
        _ => return None,
    };
    m.body_treeid[body].get()
}

/// Number of trees that a tendon connects, and the first two.
fn set_tendon_trees(m: &mut Model, t: TendonId) {
    let mut seen = vec![false; m.ntree];
    let mut found = [Maybe::NONE; 2];
    let mut count = 0;
    for tree in path_range(m, t).filter_map(|w| path_tree(m, w)) {
        if core::mem::replace(&mut seen[tree.idx()], true) {
            continue;
        }
        if let Some(slot) = found.get_mut(count) {
            *slot = Maybe::some(tree);
        }
        count += 1;
    }
    m.tendon_treenum[t] = count as i32;
    m.tendon_treeid[t] = found;
}

/// Resolves the automatic sleep policy of trees: those that are actuated, or held by tendons with
/// forces of their own, stay awake.
fn set_sleep_policy(m: &mut Model) -> Result<(), ConstError> {
    // actuated trees
    for u in m.actuators() {
        let id = m.actuator_trnid[u][0].max(0) as usize;
        let body = match m.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => m.jnt_bodyid[JointId::new(id)],
            TRN_SO3 if m.actuator_trnid[u][1] < 0 => m.jnt_bodyid[JointId::new(id)],
            TrnType::Site | TrnType::Slidercrank | TRN_SO3 => m.site_bodyid[SiteId::new(id)],
            TrnType::Body => BodyId::new(id),
            TrnType::Tendon => {
                for w in path_range(m, TendonId::new(id)) {
                    keep_awake(m, path_tree(m, w));
                }
                continue;
            }
            _ => continue,
        };
        keep_awake(m, m.body_treeid[body].get());
    }

    // trees that tendons hold
    for t in m.tendons() {
        let spans_many = m.tendon_treenum[t] > 2;
        let forces = !later::tendon_spring(m, t).is_zero() || !later::tendon_damper(m, t).is_zero();
        if m.tendon_treenum[t] < 2 || !(spans_many || forces) {
            continue;
        }
        for w in path_range(m, t) {
            let Some(tree) = path_tree(m, w) else { continue };
            let policy = m.tree_sleep_policy[tree];
            if policy == SleepPolicy::Allowed || policy == SleepPolicy::Init {
                return Err(ConstError::SleepingTendon { tree, tendon: t, spans_many });
            }
            keep_awake(m, Some(tree));
        }
    }

    // flexes
    for f in m.flexes() {
        for b in flex::bodies_of(m, f) {
            keep_awake(m, m.body_treeid[b].get());
        }
    }

    // all others may sleep
    for policy in m.tree_sleep_policy.iter_mut().filter(|p| **p == SleepPolicy::Auto) {
        *policy = SleepPolicy::AutoAllowed;
    }
    Ok(())
}

/// Forbids a tree to sleep, where the model leaves that open.
fn keep_awake(m: &mut Model, tree: Option<TreeId>) {
    if let Some(tree) = tree.filter(|&t| m.tree_sleep_policy[t] == SleepPolicy::Auto) {
        m.tree_sleep_policy[tree] = SleepPolicy::AutoNever;
    }
}

/// Constants that depend on `qpos0`.
fn set_at_qpos0(m: &mut Model, d: &mut Data) -> Result<(), ConstError> {
    flex::set_flex_rows(m)?;
    compute_at_qpos0(m, d);
    m.tendon_length0.copy_from_slice(&d.ten_length);
    m.actuator_length0.copy_from_slice(&d.actuator_length);
    weight::set_bodies(m, d)?;
    weight::set_dofs(m, d)?;
    flex::set_edge_weights(m, d);
    set_row_weights(m, d);
    for e in m.equalities() {
        set_equality(m, d, e)?;
    }
    set_cameras_and_lights(m, d);
    set_damping_from_ratio(m, d);
    Ok(())
}

/// Runs the position stages at `qpos0`, with cameras and lights fixed to their bodies.
fn compute_at_qpos0(m: &mut Model, d: &mut Data) {
    let (cam_mode, light_mode) = (m.cam_mode.clone(), m.light_mode.clone());
    m.cam_mode.fill(CamLight::Fixed);
    m.light_mode.fill(CamLight::Fixed);
    d.qpos.copy_from_slice(&m.qpos0);
    kinematics(m, d);
    com_pos(m, d);
    camlight(m, d);
    m.cam_mode = cam_mode;
    m.light_mode = light_mode;

    set_m0(m, d);
    tendon(m, d);
    make_m(m, d);
    factor_m(m, d);
    flex::measure_all(m, d);
    transmission(m, d);
}

/// Diagonal of M, which `crb` reads for simple dofs.
fn set_m0(m: &mut Model, d: &mut Data) {
    d.crb.copy_from_slice(&d.cinert);
    for b in m.bodies().skip(1).rev() {
        let parent = m.body_parentid[b];
        if parent != BodyId::WORLD {
            let child = d.crb[b];
            d.crb[parent] += child;
        }
    }
    for v in m.dofs() {
        let momentum = d.crb[m.dof_bodyid[v]] * d.cdof[v];
        m.dof_M0[v] = m.dof_armature[v] + later::added_armature(m, v) + d.cdof[v].dot(momentum);
    }
}

/// J M⁻¹ Jᵀ of tendons, and the norm of M⁻¹ Jᵀ of actuators.
fn set_row_weights(m: &mut Model, d: &Data) {
    let mut row = Vec::new();
    let mut solved = vec![0.0; m.nv];
    for t in m.tendons() {
        dense_row(m, d, t, &mut row);
        solve_m(m, d, &mut solved, &row);
        m.tendon_invweight0[t] = vector::dot(&row, &solved);
    }
    for u in m.actuators() {
        row.clear();
        row.resize(m.nv, 0.0);
        let (ind, val) = moment_row(d, u);
        for (v, x) in ind.iter().zip(val) {
            row[v.idx()] = *x;
        }
        solve_m(m, d, &mut solved, &row);
        m.actuator_acc0[u] = vector::norm(&solved);
    }
}

/// Completes the data of connect and weld constraints from the pose at `qpos0`.
fn set_equality(m: &mut Model, d: &Data, e: EqId) -> Result<(), ConstError> {
    let kind = m.eq_type[e];
    if kind != EqType::Connect && kind != EqType::Weld {
        return Ok(());
    }
    let by_body = match m.eq_objtype[e] {
        ObjType::Body => true,
        ObjType::Site => false,
        _ => return Err(ConstError::EqualityObject(e)),
    };
    let [b1, b2] = [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| BodyId::new(id.max(0) as usize));
    let data = &mut m.eq_data[e];
    let anchor = Vec3::from_slice(data);
    // where a point of one body is in the frame of another
    let carry = |from: BodyId, to: BodyId| {
        let world = d.xmat[from] * anchor + d.xpos[from];
        d.xmat[to].tmul_vec(world - d.xpos[to]).to_array()
    };
    match (kind == EqType::Connect, by_body) {
        (true, true) => data[3..6].copy_from_slice(&carry(b1, b2)),
        (true, false) => data.fill(0.0),
        (false, true) => {
            let given = sinew_math::Quat::from_slice(&data[6..]);
            let pose = if given.to_array() == [0.0; 4] {
                data[3..6].copy_from_slice(&carry(b2, b1));
                d.xquat[b1].conj() * d.xquat[b2]
            } else {
                given.normalize().0
            };
            data[6..10].copy_from_slice(&pose.to_array());
        }
        (false, false) => {}
    }
    Ok(())
}

/// Offsets of cameras and lights from their bodies and from the centres of mass they follow.
fn set_cameras_and_lights(m: &mut Model, d: &Data) {
    for c in m.cameras() {
        let body = m.cam_bodyid[c];
        let followed = m.cam_targetbodyid[c].get().unwrap_or(body);
        m.cam_pos0[c] = d.cam_xpos[c] - d.xpos[body];
        m.cam_poscom0[c] = d.cam_xpos[c] - d.subtree_com[followed];
        m.cam_mat0[c] = d.cam_xmat[c];
    }
    for l in m.lights() {
        let body = m.light_bodyid[l];
        let followed = m.light_targetbodyid[l].get().unwrap_or(body);
        m.light_pos0[l] = d.light_xpos[l] - d.xpos[body];
        m.light_poscom0[l] = d.light_xpos[l] - d.subtree_com[followed];
        m.light_dir0[l] = d.light_xdir[l];
    }
}

/// Turns the damping ratio of position actuators (a positive velocity gain) into damping.
fn set_damping_from_ratio(m: &mut Model, d: &Data) {
    for u in m.actuators() {
        let [_, bias_kp, ratio, ..] = m.actuator_biasprm[u];
        let kp = match m.actuator_gaintype[u] {
            GAIN_PID => -bias_kp,
            _ => m.actuator_gainprm[u][0],
        };
        if kp != -bias_kp || ratio <= 0.0 {
            continue;
        }
        // controllers of later versions see the inverse inertia, all rows of a servo its mean
        let rows = m.servo_rows(u).map(|rows| rows.start..rows.start + 3);
        let later = rows.is_some() || m.actuator_gaintype[u] == GAIN_PID;
        let rows = rows.unwrap_or(u.idx()..u.idx() + 1);
        let mass = match later {
            true => operational_inertia(m, d, rows.clone()),
            false => reflected_inertia(m, d, u),
        };
        for row in rows.map(ActuatorId::new) {
            m.actuator_biasprm[row][2] = -(ratio * 2.0 * (kp * mass).sqrt());
        }
    }
}

/// Inertia seen through the transmission: the sum over dofs, each alone.
fn reflected_inertia(m: &Model, d: &Data, u: ActuatorId) -> f64 {
    let (ind, val) = moment_row(d, u);
    let mut mass = 0.0;
    for (&v, x) in ind.iter().zip(val) {
        let square = x.abs() * x.abs();
        if square > MINVAL {
            mass += m.dof_M0[v] / square;
        }
    }
    mass
}

/// (J M⁻¹ Jᵀ)⁻¹ of actuators, with the mean of their diagonals.
fn operational_inertia(m: &Model, d: &Data, rows: Range<usize>) -> f64 {
    let (mut row, mut solved) = (vec![0.0; m.nv], vec![0.0; m.nv]);
    let (count, mut sum) = (rows.len() as f64, 0.0);
    for u in rows.map(ActuatorId::new) {
        row.fill(0.0);
        let (ind, val) = moment_row(d, u);
        for (v, x) in ind.iter().zip(val) {
            row[v.idx()] = *x;
        }
        solve_m(m, d, &mut solved, &row);
        sum += vector::dot(&row, &solved);
    }
    if sum > MINVAL { count / sum } else { 0.0 }
}

/// Resting lengths that are left to the model: the length at `qpos_spring`.
fn set_spring_lengths(m: &mut Model, d: &mut Data) {
    d.qpos.copy_from_slice(&m.qpos_spring);
    kinematics(m, d);
    com_pos(m, d);
    tendon(m, d);
    transmission(m, d);
    for t in m.tendons() {
        if m.tendon_lengthspring[t] == [-1.0, -1.0] {
            m.tendon_lengthspring[t] = [d.ten_length[t]; 2];
        }
    }
}

/// Mean sizes, masses and inertias, and the box around everything.
fn set_statistics(m: &mut Model, d: &Data) {
    // centre and extent
    let (lo, hi) = bounding_box(m, d);
    m.stat.center = (lo + hi) * 0.5;
    let size = hi - lo;
    if hi.x > lo.x {
        m.stat.extent = max(1e-5, max(size.x, max(size.y, size.z)));
    }

    // mean size and mass
    let mut lengths = body_lengths(m, d);
    if m.nbody > 1 {
        let others = (m.nbody - 1) as f64;
        m.stat.meansize = 0.0;
        for length in &mut lengths[1..] {
            *length = max(*length, 1e-5);
            m.stat.meansize += *length / others;
        }
        m.stat.meanmass = m.body_mass.iter().skip(1).fold(0.0, |sum, x| sum + x) / others;
    }

    // lengths of dofs
    for v in m.dofs() {
        m.dof_length[v] = if is_rotational(m, v) { lengths[m.dof_bodyid[v].idx()] } else { 1.0 };
    }
    m.stat.extent = max(m.stat.extent, 2.0 * m.stat.meansize);

    // mean inertia
    if m.nv > 0 {
        let diagonal = m.dof_Madr.iter().fold(0.0, |sum, &k| sum + d.qM[k as usize]);
        m.stat.meaninertia = diagonal / m.nv as f64;
    }
}

/// Corners of the box around bodies, joints, sites and geoms.
fn bounding_box(m: &Model, d: &Data) -> (Vec3, Vec3) {
    const FAR: f64 = 1e10;
    let mut lo = Vec3::new(FAR, FAR, FAR);
    let mut hi = -lo;
    let mut enclose = |p: Vec3, radius: f64| {
        for k in 0..3 {
            lo[k] = -max(-lo[k], radius - p[k]);
            hi[k] = max(hi[k], p[k] + radius);
        }
    };
    for b in m.bodies().skip(1) {
        enclose(d.xpos[b], 0.0);
        enclose(d.xipos[b], 0.0);
    }
    d.xanchor.iter().chain(d.site_xpos.iter()).for_each(|&p| enclose(p, 0.0));
    for g in m.geoms() {
        enclose(d.geom_xpos[g], geom_radius(m, g));
    }
    (lo, hi)
}

/// Bounding radius of a geom; a tenth of the size of planes and height fields.
fn geom_radius(m: &Model, g: GeomId) -> f64 {
    if m.geom_rbound[g] > 0.0 {
        return m.geom_rbound[g];
    }
    match m.geom_type[g] {
        GeomType::Plane => {
            let size = m.geom_size[g];
            // infinite in both directions
            if size[0] == 0.0 && size[1] == 0.0 { 1.0 } else { max(size[0], size[1]) * 0.1 }
        }
        GeomType::Hfield => match usize::try_from(m.geom_dataid[g]) {
            Ok(h) => m.hfield_size[h].iter().fold(f64::MIN, |a, &x| max(a, x)) * 0.1,
            Err(_) => 0.0,
        },
        _ => 0.0,
    }
}

/// A length for each body: the reach of joints, children's joints and geoms from the centre of
/// mass, and the lengths of flexes' edges.
fn body_lengths(m: &Model, d: &Data) -> Vec<f64> {
    let mut lengths = vec![0.0f64; m.nbody];
    for j in m.joints() {
        let body = m.jnt_bodyid[j];
        for b in [body, m.body_parentid[body]] {
            let reach = d.xipos[b].dist(d.xanchor[j]);
            lengths[b.idx()] = max(lengths[b.idx()], reach);
        }
    }
    lengths[0] = 0.0;
    for b in m.bodies().skip(1) {
        for g in m.body_geoms(b).filter(|&g| m.geom_rbound[g] > 0.0) {
            let reach = m.geom_rbound[g] + d.xipos[b].dist(d.geom_xpos[g]);
            lengths[b.idx()] = max(lengths[b.idx()], reach);
        }
    }
    flex::add_edge_lengths(m, d, &mut lengths);
    lengths
}

/// Whether a dof is an angular velocity.
fn is_rotational(m: &Model, v: DofId) -> bool {
    let j = m.dof_jntid[v];
    match m.jnt_type[j] {
        JointType::Ball | JointType::Hinge => true,
        JointType::Free => v.idx() >= m.jnt_dofadr[j].idx() + 3,
        _ => false,
    }
}

/// The larger number, the second if they cannot be compared: a NaN passes as it does in MuJoCo.
fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}
