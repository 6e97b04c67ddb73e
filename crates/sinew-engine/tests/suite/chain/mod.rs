//! A serial chain of bodies, one joint each: the smallest model with every kind of joint.

use sinew_math::{Quat, Vec3};
use sinew_model::enums::{GeomType, JointType, ObjType, SensorType, Stage, TrnType, WrapType};
use sinew_model::{BodyId, Data, DofId, JointId, Maybe, Model, TreeId, WrapId};
use sinew_testkit::Random;

/// Free, ball, hinge, slide, hinge: 12 dofs.
pub(crate) const ALL_KINDS: &[JointType] =
    &[JointType::Free, JointType::Ball, JointType::Hinge, JointType::Slide, JointType::Hinge];

pub(crate) fn vec3(random: &mut Random) -> Vec3 {
    random.array().into()
}

fn quat(random: &mut Random) -> Quat {
    Quat::from(random.array()).normalize().0
}

/// A chain with the given joints, random masses, offsets, springs and dampers.
pub(crate) fn chain(joints: &[JointType]) -> Model {
    let mut m = Model::default();
    let (nv, nbody) = (joints.iter().map(|j| j.nv()).sum(), joints.len() + 1);
    m.nq = joints.iter().map(|j| j.nq()).sum();
    (m.nv, m.nbody, m.njnt, m.ntree) = (nv, nbody, joints.len(), 1);
    (m.nC, m.nM) = (nv * (nv + 1) / 2, nv * (nv + 1) / 2);
    (m.nD, m.nB) = (nv * nv, nv * joints.len());
    m.nnames = 1; // nothing has a name
    m.allocate();
    (m.tree_bodyadr[0], m.tree_bodynum[0]) = (BodyId::new(1), joints.len() as i32);
    (m.tree_dofadr[0], m.tree_dofnum[0]) = (DofId::new(0), nv as i32);
    let mut random = Random::new(7);
    let (mut qpos, mut dof) = (0, 0);
    for (k, &kind) in joints.iter().enumerate() {
        let (b, j) = (BodyId::new(k + 1), JointId::new(k));
        m.body_parentid[b] = BodyId::new(k);
        (m.body_rootid[b], m.body_weldid[b]) = (BodyId::new(1), b);
        m.body_treeid[b] = Maybe::some(TreeId::new(0));
        (m.body_jntnum[b], m.body_jntadr[b]) = (1, Maybe::some(j));
        (m.body_dofnum[b], m.body_dofadr[b]) = (kind.nv() as i32, Maybe::some(DofId::new(dof)));
        (m.body_pos[b], m.body_quat[b]) = (vec3(&mut random), quat(&mut random));
        (m.body_ipos[b], m.body_iquat[b]) = (vec3(&mut random), quat(&mut random));
        m.body_mass[b] = 2.0 + random.signed();
        m.body_inertia[b] = Vec3::new(1.3, 1.0, 0.7) * (1.5 + random.signed());
        (m.jnt_type[j], m.jnt_bodyid[j]) = (kind, b);
        (m.jnt_qposadr[j], m.jnt_dofadr[j]) = (qpos as i32, DofId::new(dof));
        m.jnt_axis[j] = vec3(&mut random).normalize().0;
        if kind != JointType::Free {
            m.jnt_pos[j] = vec3(&mut random);
        }
        m.jnt_stiffness[j] = 1.0 + random.signed();
        if matches!(kind, JointType::Free | JointType::Ball) {
            let w = qpos + kind.nq() - 4;
            (m.qpos0[w], m.qpos_spring[w]) = (1.0, 1.0);
        }
        for v in dof..dof + kind.nv() {
            (m.dof_bodyid[v], m.dof_jntid[v]) = (b, j);
            m.dof_damping[v] = 1.0 + random.signed();
            m.dof_armature[v] = 0.1;
        }
        qpos += kind.nq();
        dof += kind.nv();
    }
    for b in (1..nbody).rev() {
        m.body_subtreemass[b] += m.body_mass[b];
        let mass = m.body_subtreemass[b];
        m.body_subtreemass[b - 1] += mass;
    }
    patterns(&mut m);
    m
}

/// The same model with other sizes; new rows are default.
pub(crate) fn resized(m: &Model, set: impl FnOnce(&mut Model)) -> Model {
    let mut big = Model::default();
    for (name, _) in Model::SIZES {
        *big.size_mut(name).expect("a size of the table") = m.size(name).expect("the same");
    }
    set(&mut big);
    big.allocate();
    m.for_each_field(|from| {
        let to = big.field_mut(from.info.name).expect("a field of the table");
        if to.bytes.len() == from.bytes.len() {
            to.bytes.copy_from_slice(from.bytes);
        }
    });
    big.opt = m.opt;
    big
}

/// The chain with a site on each body and a sphere on the second. A spatial tendon goes around the
/// sphere, with a pulley. Actuators act on the last joint, the tendon, and a site with and without
/// reference.
pub(crate) fn actuated() -> Model {
    let path = [
        (WrapType::Site, 1, 0.0),
        (WrapType::Sphere, 0, -1.0),
        (WrapType::Site, 3, 0.0),
        (WrapType::Pulley, -1, 2.0),
        (WrapType::Site, 0, 0.0),
        (WrapType::Site, 4, 0.0),
    ];
    let plain = chain(ALL_KINDS);
    let mut m = resized(&plain, |m| {
        (m.nsite, m.ngeom, m.ntendon, m.nwrap) = (m.nbody - 1, 1, 1, path.len());
        (m.nu, m.nJmom) = (4, 1 + 3 * m.nv);
    });
    let mut random = Random::new(11);
    for s in 0..m.nsite {
        m.site_bodyid[s] = BodyId::new(s + 1);
        (m.site_pos[s], m.site_quat[s]) = (vec3(&mut random) * 2.0, quat(&mut random));
    }
    m.geom_bodyid[0] = BodyId::new(3);
    m.geom_size[0] = Vec3::new(0.4, 0.0, 0.0);
    (m.tendon_adr[0], m.tendon_num[0]) = (WrapId::new(0), path.len() as i32);
    m.tendon_lengthspring[0] = [-1.0; 2];
    for (w, (kind, id, prm)) in path.into_iter().enumerate() {
        (m.wrap_type[w], m.wrap_objid[w], m.wrap_prm[w]) = (kind, id, prm);
    }
    let kinds = [
        (TrnType::Joint, [m.njnt as i32 - 1, -1]),
        (TrnType::Tendon, [0, -1]),
        (TrnType::Site, [4, -1]),
        (TrnType::Site, [4, 1]),
    ];
    for (u, (kind, id)) in kinds.into_iter().enumerate() {
        (m.actuator_trntype[u], m.actuator_trnid[u]) = (kind, id);
        m.actuator_gear[u] = [1.0, 2.0, -1.0, 0.5, 0.3, 0.1];
        (m.actuator_actadr[u], m.actuator_historyadr[u]) = (-1, -1);
    }
    m
}

/// The actuated chain with a camera, a mesh over a height field, and every kind of sensor with
/// that many samples of history.
pub(crate) fn sensing(samples: usize) -> Model {
    use SensorType as S;
    let plain = actuated();
    let (site, joint, body) = (ObjType::Site, ObjType::Joint, ObjType::Body);
    let list: &[(S, Stage, ObjType, i32, i32)] = &[
        (S::Touch, Stage::Acc, site, 1, 1),
        (S::Accelerometer, Stage::Acc, site, 1, 3),
        (S::Velocimeter, Stage::Vel, site, 2, 3),
        (S::Gyro, Stage::Vel, site, 2, 3),
        (S::Force, Stage::Acc, site, 3, 3),
        (S::Torque, Stage::Acc, site, 3, 3),
        (S::Magnetometer, Stage::Pos, site, 4, 3),
        (S::Rangefinder, Stage::Pos, site, 0, 14),
        (S::Rangefinder, Stage::Pos, ObjType::Camera, 0, 4 * 14),
        (S::Camprojection, Stage::Pos, site, 1, 2),
        (S::Jointpos, Stage::Pos, joint, 2, 1),
        (S::Jointvel, Stage::Vel, joint, 2, 1),
        (S::Tendonpos, Stage::Pos, ObjType::Tendon, 0, 1),
        (S::Tendonvel, Stage::Vel, ObjType::Tendon, 0, 1),
        (S::Actuatorpos, Stage::Pos, ObjType::Actuator, 1, 1),
        (S::Actuatorvel, Stage::Vel, ObjType::Actuator, 1, 1),
        (S::Actuatorfrc, Stage::Acc, ObjType::Actuator, 1, 1),
        (S::Jointactfrc, Stage::Acc, joint, 2, 1),
        (S::Tendonactfrc, Stage::Acc, ObjType::Tendon, 0, 1),
        (S::Ballquat, Stage::Pos, joint, 1, 4),
        (S::Ballangvel, Stage::Vel, joint, 1, 3),
        (S::Jointlimitpos, Stage::Pos, joint, 2, 1),
        (S::Jointlimitvel, Stage::Vel, joint, 2, 1),
        (S::Jointlimitfrc, Stage::Acc, joint, 2, 1),
        (S::Tendonlimitfrc, Stage::Acc, ObjType::Tendon, 0, 1),
        (S::Framepos, Stage::Pos, body, 2, 3),
        (S::Framequat, Stage::Pos, ObjType::Geom, 0, 4),
        (S::Framexaxis, Stage::Pos, ObjType::Xbody, 4, 3),
        (S::Framelinvel, Stage::Vel, ObjType::Camera, 0, 3),
        (S::Frameangvel, Stage::Vel, body, 3, 3),
        (S::Framelinacc, Stage::Acc, body, 3, 3),
        (S::Frameangacc, Stage::Acc, site, 3, 3),
        (S::Subtreecom, Stage::Pos, body, 1, 3),
        (S::Subtreelinvel, Stage::Vel, body, 1, 3),
        (S::Subtreeangmom, Stage::Vel, body, 1, 3),
        (S::Insidesite, Stage::Pos, body, 3, 1),
        (S::Contact, Stage::Acc, body, 3, 17),
        (S::Tactile, Stage::Acc, ObjType::Mesh, 0, 12),
        (S::EPotential, Stage::Pos, ObjType::Unknown, -1, 1),
        (S::EKinetic, Stage::Pos, ObjType::Unknown, -1, 1),
        (S::Clock, Stage::Pos, ObjType::Unknown, -1, 1),
        (S::User, Stage::Acc, ObjType::Unknown, -1, 2),
    ];
    let dims: i32 = list.iter().map(|s| s.4).sum();
    let mut m = resized(&plain, |m| {
        (m.nsensor, m.nsensordata) = (list.len(), dims as usize);
        m.nhistory =
            if samples > 0 { list.len() * (2 + samples) + samples * dims as usize } else { 0 };
        (m.ncam, m.ngeom, m.nmesh, m.nhfield, m.nhfielddata) = (1, 3, 1, 1, 6);
        (m.nmeshvert, m.nmeshface, m.nmeshnormal) = (4, 4, 12);
        (m.nbvh, m.nbvhstatic) = (7, 7);
    });
    assets(&plain, &mut m);
    let (mut adr, mut history) = (0, 0);
    for (s, &(kind, stage, object, id, dim)) in list.iter().enumerate() {
        (m.sensor_type[s], m.sensor_needstage[s], m.sensor_dim[s]) = (kind, stage, dim);
        (m.sensor_objtype[s], m.sensor_objid[s]) = (object, id);
        let referred = matches!(kind, S::Camprojection | S::Insidesite | S::Tactile);
        m.sensor_refid[s] = if referred { 0 } else { -1 };
        if kind == S::Framelinvel {
            (m.sensor_reftype[s], m.sensor_refid[s]) = (body, 2);
        }
        m.sensor_intprm[s] = [if kind == S::Rangefinder { 63 } else { 127 }, 1, 0];
        m.sensor_adr[s] = adr;
        adr += dim;
        (m.sensor_history[s], m.sensor_historyadr[s]) = ([0; 2], -1);
        if samples > 0 {
            (m.sensor_history[s], m.sensor_historyadr[s]) = ([samples as i32, 0], history);
            history += 2 + samples as i32 * (1 + dim);
        }
    }
    m
}

/// A camera of two by two pixels, a tetrahedron and a height field in the world.
fn assets(plain: &Model, m: &mut Model) {
    for g in 0..plain.ngeom {
        (m.geom_bodyid[g], m.geom_size[g]) = (plain.geom_bodyid[g], plain.geom_size[g]);
        m.geom_type[g] = GeomType::Sphere;
    }
    (m.cam_resolution[0], m.cam_fovy[0], m.cam_pos[0]) = ([2, 2], 45.0, Vec3::Z * 8.0);
    (m.geom_type[1], m.geom_type[2]) = (GeomType::Mesh, GeomType::Hfield);
    (m.geom_size[1], m.geom_pos[2]) = (Vec3::new(1.0, 1.0, 1.0), Vec3::Z * -5.0);
    for g in 0..m.ngeom {
        m.geom_quat[g] = Quat::IDENTITY;
        m.geom_rgba[g] = [1.0; 4];
    }
    let corners = [[1.0, 1.0, 1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0]];
    m.mesh_vert.copy_from_slice(&corners);
    m.mesh_face.copy_from_slice(&[[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]]);
    (m.mesh_vertnum[0], m.mesh_facenum[0]) = (4, 4);
    (m.mesh_normalnum[0], m.mesh_bvhnum[0], m.mesh_graphadr[0]) = (12, 7, -1);
    let all = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
    let nodes = [[1, 2], [3, 4], [5, 6], [-1, -1], [-1, -1], [-1, -1], [-1, -1]];
    for (k, child) in nodes.into_iter().enumerate() {
        (m.bvh_aabb[k], m.bvh_child[k]) = (all, child);
        m.bvh_nodeid[k] = k as i32 - if k < 3 { k as i32 + 1 } else { 3 };
    }
    (m.hfield_nrow[0], m.hfield_ncol[0], m.hfield_size[0]) = (2, 3, [9.0, 9.0, 1.0, 0.1]);
    m.hfield_data.copy_from_slice(&[0.0, 0.5, 1.0, 0.2, 0.1, 0.9]);
    (m.hfield_pathadr[0], m.mesh_pathadr[0]) = (-1, -1);
}

/// In a chain every dof moves with all the others: full rows.
fn patterns(m: &mut Model) {
    let nv = m.nv;
    for v in 0..nv {
        m.dof_parentid[v] = v.checked_sub(1).map(DofId::new).into();
        let adr = v * (v + 1) / 2;
        m.dof_Madr[v] = adr as i32;
        (m.M_rowadr[v], m.M_rownnz[v]) = (adr as i32, v as i32 + 1);
        (m.D_rowadr[v], m.D_rownnz[v], m.D_diag[v]) = ((v * nv) as i32, nv as i32, v as i32);
        for w in 0..nv {
            m.D_colind[v * nv + w] = DofId::new(w);
            let (low, high) = (v.min(w), v.max(w));
            m.mapM2D[v * nv + w] = (high * (high + 1) / 2 + low) as i32;
        }
        for w in 0..=v {
            m.M_colind[adr + w] = DofId::new(w);
            m.mapM2M[adr + w] = (adr + v - w) as i32;
            m.mapD2M[adr + w] = (v * nv + w) as i32;
        }
    }
    for b in 1..m.nbody {
        (m.B_rowadr[b], m.B_rownnz[b]) = (((b - 1) * nv) as i32, nv as i32);
        for w in 0..nv {
            m.B_colind[(b - 1) * nv + w] = DofId::new(w);
        }
    }
}

/// A state away from rest.
pub(crate) fn moving(m: &Model) -> Data {
    let mut d = Data::new(m);
    let mut random = Random::new(3);
    let away = random.vector(m.nv);
    sinew_engine::integrate_pos(m, &mut d.qpos, &away, 1.0);
    d.qvel.copy_from_slice(&random.vector(m.nv));
    d
}

/// Largest difference of two vectors.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}
