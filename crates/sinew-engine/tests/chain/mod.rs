//! A serial chain of bodies, one joint each: the smallest model with every kind of joint.

#![allow(dead_code)] // each test file uses a part

use sinew_math::{Quat, Vec3};
use sinew_model::enums::{JointType, TrnType, WrapType};
use sinew_model::{BodyId, Data, DofId, JointId, Maybe, Model, TreeId, WrapId};

/// Free, ball, hinge, slide, hinge: 12 dofs.
pub(crate) const ALL_KINDS: &[JointType] =
    &[JointType::Free, JointType::Ball, JointType::Hinge, JointType::Slide, JointType::Hinge];

/// Pseudo-random numbers in (-1, 1), the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub(crate) fn quat(&mut self) -> Quat {
        Quat::new(self.next(), self.next(), self.next(), self.next()).normalize().0
    }

    pub(crate) fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }
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
    let mut random = Random::new(7);
    let (mut qpos, mut dof) = (0, 0);
    for (k, &kind) in joints.iter().enumerate() {
        let (b, j) = (BodyId::new(k + 1), JointId::new(k));
        m.body_parentid[b] = BodyId::new(k);
        (m.body_rootid[b], m.body_weldid[b]) = (BodyId::new(1), b);
        m.body_treeid[b] = Maybe::some(TreeId::new(0));
        (m.body_jntnum[b], m.body_jntadr[b]) = (1, Maybe::some(j));
        (m.body_dofnum[b], m.body_dofadr[b]) = (kind.nv() as i32, Maybe::some(DofId::new(dof)));
        (m.body_pos[b], m.body_quat[b]) = (random.vec3(), random.quat());
        (m.body_ipos[b], m.body_iquat[b]) = (random.vec3(), random.quat());
        m.body_mass[b] = 2.0 + random.next();
        m.body_inertia[b] = Vec3::new(1.3, 1.0, 0.7) * (1.5 + random.next());
        (m.jnt_type[j], m.jnt_bodyid[j]) = (kind, b);
        (m.jnt_qposadr[j], m.jnt_dofadr[j]) = (qpos as i32, DofId::new(dof));
        m.jnt_axis[j] = random.vec3().normalize().0;
        if kind != JointType::Free {
            m.jnt_pos[j] = random.vec3();
        }
        m.jnt_stiffness[j] = 1.0 + random.next();
        if matches!(kind, JointType::Free | JointType::Ball) {
            let w = qpos + kind.nq() - 4;
            (m.qpos0[w], m.qpos_spring[w]) = (1.0, 1.0);
        }
        for v in dof..dof + kind.nv() {
            (m.dof_bodyid[v], m.dof_jntid[v]) = (b, j);
            m.dof_damping[v] = 1.0 + random.next();
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

/// The chain with a site on each body, a sphere on the second, a spatial tendon around it with a
/// pulley, and actuators on the last joint, the tendon, and a site with and without reference.
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
        (m.nu, m.nJmom) = (4, 4 * m.nv);
    });
    let mut random = Random::new(11);
    for s in 0..m.nsite {
        m.site_bodyid[s] = BodyId::new(s + 1);
        (m.site_pos[s], m.site_quat[s]) = (random.vec3() * 2.0, random.quat());
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
