//! Rows of equality constraints and of joint and tendon limits.

use core::fmt;

use sinew_math::{Quat, Vec3, vector};
use sinew_model::enums::{DisableBit, EqType, JointType, ObjType};
use sinew_model::{BodyId, Data, EqId, JointId, Model, SiteId, TendonId};

use crate::constraint::impedance::Response;
use crate::dof_path::{Carried, Moves, merged, relative};
use crate::tendon::dense_row;

/// A kind of constraint for which there are no rows yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub(crate) &'static str);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// What a row asks for, and how softly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Whether the row can only push.
    pub(crate) one_sided: bool,
    /// Acceleration wanted.
    pub(crate) aref: f64,
    /// Regularisation.
    pub(crate) r: f64,
}

/// The active rows, with dense Jacobians.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    rows: Vec<Row>,
    jac: Vec<f64>,
    nv: usize,
    scratch: Vec<f64>,
}

/// Rows that share parameters.
struct Block<'a> {
    one_sided: bool,
    /// Violation of each row, margin included.
    pos: &'a [f64],
    /// Inverse inertia of each row, approximately.
    diag: &'a [f64],
    solref: [f64; 2],
    solimp: [f64; 5],
}

impl Rows {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn row(&self, i: usize) -> Row {
        self.rows[i]
    }

    /// All Jacobian rows, `nv` numbers each.
    pub(crate) fn jacobian(&self) -> &[f64] {
        &self.jac
    }

    pub(crate) fn jacobian_row(&self, i: usize) -> &[f64] {
        &self.jac[i * self.nv..(i + 1) * self.nv]
    }

    /// Makes the rows that are active in the present state.
    pub(crate) fn make(&mut self, m: &Model, d: &Data) -> Result<(), Unsupported> {
        self.rows.clear();
        self.jac.clear();
        self.nv = m.nv;
        if m.opt.disabled(DisableBit::Constraint) {
            return Ok(());
        }
        if !m.opt.disabled(DisableBit::Equality) {
            for e in m.equalities().filter(|&e| d.eq_active[e].get()) {
                match m.eq_type[e] {
                    EqType::Connect => self.connect(m, d, e),
                    EqType::Weld => self.weld(m, d, e),
                    EqType::Joint | EqType::Tendon => self.coupling(m, d, e),
                    _ => return Err(Unsupported("equality of flexes")),
                }
            }
        }
        if !m.opt.disabled(DisableBit::Limit) {
            for j in m.joints().filter(|&j| m.jnt_limited[j].get()) {
                self.joint_limit(m, d, j);
            }
            for t in m.tendons().filter(|&t| m.tendon_limited[t].get()) {
                self.tendon_limit(m, d, t);
            }
        }
        Ok(())
    }

    /// Appends `n` Jacobian rows of zeros.
    fn grow(&mut self, n: usize) -> &mut [f64] {
        let start = self.jac.len();
        self.jac.resize(start + n * self.nv, 0.0);
        &mut self.jac[start..]
    }

    /// Completes the rows whose Jacobians were appended last.
    fn finish(&mut self, m: &Model, d: &Data, block: &Block<'_>) {
        // the rows of a block soften together, by the length of their violation
        let size = if block.pos.len() == 1 { block.pos[0] } else { vector::norm(block.pos) };
        let response = Response::new(m, block.solref, block.solimp, size);
        for (&pos, &diag) in block.pos.iter().zip(block.diag) {
            let vel = vector::dot(self.jacobian_row(self.rows.len()), &d.qvel);
            self.rows.push(Row {
                one_sided: block.one_sided,
                aref: -response.b * vel - response.k * response.imp * pos,
                r: response.regularisation(diag),
            });
        }
    }

    /// Two points stay together.
    fn connect(&mut self, m: &Model, d: &Data, e: EqId) {
        let ends = anchors(m, d, e);
        let pos = (ends[0].pos - ends[1].pos).to_array();
        self.append_pair(m, d, &ends, None);
        let [w0, w1] = [0, 1].map(|k: usize| m.body_invweight0[ends[k].body][0]);
        self.finish(m, d, &equality(m, e, &pos, &[w0 + w1; 3]));
    }

    /// Two frames stay together.
    fn weld(&mut self, m: &Model, d: &Data, e: EqId) {
        let ends = anchors(m, d, e);
        let scale = m.eq_data[e][10];

        // error: position, and the vector part of conj(q1) q0 relpose
        let site_quat = |end: &Anchor, site: i32| {
            d.xquat[end.body] * m.site_quat[SiteId::new(site.max(0) as usize)]
        };
        let (quat0, quat1) = if m.eq_objtype[e] == ObjType::Body {
            let relpose = Quat::from_slice(&m.eq_data[e][6..]);
            (d.xquat[ends[0].body] * relpose, d.xquat[ends[1].body].conj())
        } else {
            let second = site_quat(&ends[1], m.eq_obj2id[e]);
            (site_quat(&ends[0], m.eq_obj1id[e]), second.conj())
        };
        let lin = ends[0].pos - ends[1].pos;
        let rot = (quat1 * quat0).vec() * scale;
        let pos = [lin.x, lin.y, lin.z, rot.x, rot.y, rot.z];

        self.append_pair(m, d, &ends, Some(Turn { quat0, quat1, scale }));
        let weight =
            |k: usize| m.body_invweight0[ends[0].body][k] + m.body_invweight0[ends[1].body][k];
        let (tran, turn) = (weight(0), weight(1));
        self.finish(m, d, &equality(m, e, &pos, &[tran, tran, tran, turn, turn, turn]));
    }

    /// Appends the Jacobian of the difference between two anchors, with that of the rotation error
    /// if asked for.
    fn append_pair(&mut self, m: &Model, d: &Data, ends: &[Anchor; 2], turn: Option<Turn>) {
        let nv = self.nv;
        let out = self.grow(if turn.is_some() { 6 } else { 3 });
        let [first, second] = [1, 0].map(|k: usize| Carried::new(m, d, ends[k].body, ends[k].pos));
        for (v, moves) in merged(m, first.dof, second.dof) {
            let cdof = d.cdof[v];
            let mut put = |row: usize, x: Vec3| {
                for k in 0..3 {
                    out[(row + k) * nv + v.idx()] = x[k];
                }
            };
            put(0, relative(&first, &second, cdof, moves));
            if let Some(turn) = &turn {
                let axis = match moves {
                    Moves::First => -cdof.rot,
                    Moves::Second => cdof.rot,
                    Moves::Both => Vec3::ZERO,
                };
                put(3, turn.column(axis));
            }
        }
    }

    /// One joint or tendon follows a polynomial of another.
    fn coupling(&mut self, m: &Model, d: &Data, e: EqId) {
        let [first, second] = [m.eq_obj1id[e], m.eq_obj2id[e]]
            .map(|id| usize::try_from(id).ok().map(|id| Scalar::new(m, d, e, id)));
        let Some(first) = first else { return };
        let [c0, c1, c2, c3, c4, ..] = m.eq_data[e];
        let mut pos = first.value - first.reference - c0;
        let mut diag = first.weight;
        self.grow(1);
        self.add_scalar(m, d, &first, 1.0);
        if let Some(second) = second {
            let x = second.value - second.reference;
            pos -= c1 * x + c2 * x * x + c3 * x * x * x + c4 * x * x * x * x;
            let slope = c1 + 2.0 * c2 * x + 3.0 * c3 * x * x + 4.0 * c4 * x * x * x;
            diag += second.weight;
            self.add_scalar(m, d, &second, -slope);
        }
        self.finish(m, d, &equality(m, e, &[pos], &[diag]));
    }

    /// Adds the gradient of a joint or tendon, scaled, to the last Jacobian row.
    fn add_scalar(&mut self, m: &Model, d: &Data, x: &Scalar, scale: f64) {
        let start = self.jac.len() - self.nv;
        match x.of {
            Of::Joint(j) => self.jac[start + m.jnt_dofadr[j].idx()] += scale,
            Of::Tendon(t) => {
                dense_row(m, d, t, &mut self.scratch);
                vector::add_scaled(&mut self.jac[start..], &self.scratch, scale);
            }
        }
    }

    /// A joint stays within its range.
    fn joint_limit(&mut self, m: &Model, d: &Data, j: JointId) {
        let [lo, hi] = m.jnt_range[j];
        let margin = m.jnt_margin[j];
        let (solref, solimp) = (m.jnt_solref[j], m.jnt_solimp[j]);
        let first = m.jnt_dofadr[j];
        let q = &d.qpos.flat()[m.jnt_qpos(j)];
        let diag = &[m.dof_invweight0[first]];
        match m.jnt_type[j] {
            JointType::Slide | JointType::Hinge => {
                for (dist, slope) in [(q[0] - lo, 1.0), (hi - q[0], -1.0)] {
                    if dist < margin {
                        self.grow(1)[first.idx()] = slope;
                        let pos = &[dist - margin];
                        self.finish(m, d, &Block { one_sided: true, pos, diag, solref, solimp });
                    }
                }
            }
            JointType::Ball => {
                let (axis, angle) = Quat::from_slice(q).normalize().0.to_vel(1.0).normalize();
                let dist = lo.max(hi) - angle;
                if dist < margin {
                    let row = self.grow(1);
                    row[first.idx()..first.idx() + 3].copy_from_slice(&(-axis).to_array());
                    let pos = &[dist - margin];
                    self.finish(m, d, &Block { one_sided: true, pos, diag, solref, solimp });
                }
            }
            _ => {}
        }
    }

    /// A tendon stays within its range.
    fn tendon_limit(&mut self, m: &Model, d: &Data, t: TendonId) {
        let [lo, hi] = m.tendon_range[t];
        let margin = m.tendon_margin[t];
        let (solref, solimp) = (m.tendon_solref_lim[t], m.tendon_solimp_lim[t]);
        let length = d.ten_length[t];
        for (dist, slope) in [(length - lo, 1.0), (hi - length, -1.0)] {
            if dist < margin {
                dense_row(m, d, t, &mut self.scratch);
                self.jac.extend(self.scratch.iter().map(|x| x * slope));
                let (pos, diag) = (&[dist - margin], &[m.tendon_invweight0[t]]);
                self.finish(m, d, &Block { one_sided: true, pos, diag, solref, solimp });
            }
        }
    }
}

/// The block of an equality constraint.
fn equality<'a>(m: &Model, e: EqId, pos: &'a [f64], diag: &'a [f64]) -> Block<'a> {
    Block { one_sided: false, pos, diag, solref: m.eq_solref[e], solimp: m.eq_solimp[e] }
}

/// A point of a body that a constraint holds.
struct Anchor {
    body: BodyId,
    pos: Vec3,
}

/// The two points a connect or weld constraint holds together.
fn anchors(m: &Model, d: &Data, e: EqId) -> [Anchor; 2] {
    let data = &m.eq_data[e];
    let weld = m.eq_type[e] == EqType::Weld;
    [0, 1].map(|k| {
        let id = if k == 0 { m.eq_obj1id[e] } else { m.eq_obj2id[e] }.max(0) as usize;
        if m.eq_objtype[e] == ObjType::Body {
            // a weld stores the anchor in its second body first
            let at = if weld { 3 * (1 - k) } else { 3 * k };
            let body = BodyId::new(id);
            Anchor { body, pos: d.xmat[body] * Vec3::from_slice(&data[at..]) + d.xpos[body] }
        } else {
            let site = SiteId::new(id);
            Anchor { body: m.site_bodyid[site], pos: d.site_xpos[site] }
        }
    })
}

/// Rotation error of a weld.
struct Turn {
    quat0: Quat,
    /// Conjugate of the second orientation.
    quat1: Quat,
    scale: f64,
}

impl Turn {
    /// Rate of the error when the first frame turns about `axis` relative to the second.
    fn column(&self, axis: Vec3) -> Vec3 {
        (self.quat1.mul_axis(axis) * self.quat0).vec() * 0.5 * self.scale
    }
}

/// A joint or tendon as a number.
struct Scalar {
    of: Of,
    value: f64,
    reference: f64,
    weight: f64,
}

/// What the number belongs to.
enum Of {
    Joint(JointId),
    Tendon(TendonId),
}

impl Scalar {
    fn new(m: &Model, d: &Data, e: EqId, id: usize) -> Self {
        if m.eq_type[e] == EqType::Joint {
            let j = JointId::new(id);
            let adr = m.jnt_qpos(j).start;
            Scalar {
                of: Of::Joint(j),
                value: d.qpos[adr],
                reference: m.qpos0[adr],
                weight: m.dof_invweight0[m.jnt_dofadr[j]],
            }
        } else {
            let t = TendonId::new(id);
            Scalar {
                of: Of::Tendon(t),
                value: d.ten_length[t],
                reference: m.tendon_length0[t],
                weight: m.tendon_invweight0[t],
            }
        }
    }
}
