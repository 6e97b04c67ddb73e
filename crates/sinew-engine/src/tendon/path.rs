//! Tendons: their paths, lengths, Jacobians and the inertia they add.

use sinew_math::{MINVAL, Spatial, Vec3, vector};
use sinew_model::enums::{JointType, WrapType};
use sinew_model::work::TendonWork;
use sinew_model::{BodyId, Data, DofId, GeomId, JointId, Model, SiteId, TendonId};

use crate::smooth::dof_path::{Carried, Moves, merged, relative};
use crate::sparse;
use crate::tendon::wrap::{Obstacle, Wrap, wrap};

/// Paths, lengths and Jacobians of all tendons.
///
/// Reads `qpos`, `site_xpos`, `geom_xpos`, `geom_xmat`, `subtree_com`, `cdof`. Writes `ten_wrapadr`,
/// `ten_wrapnum`, `wrap_obj`, `wrap_xpos`, `ten_length`, `ten_J` and, with sparse Jacobians,
/// `ten_J_rownnz`, `ten_J_rowadr`, `ten_J_colind`.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, d: &mut Data) {
    if m.ntendon == 0 {
        return;
    }
    let sparse = m.is_sparse();
    let mut points = 0;
    let mut nnz = 0;
    for t in m.tendons() {
        if sparse {
            d.work.tendon.row.clear();
        } else {
            d.ten_J[t].fill(0.0);
        }
        d.ten_wrapadr[t] = points as i32;
        d.ten_length[t] = match m.wrap_type[m.tendon_adr[t]] {
            WrapType::Joint => fixed_tendon(m, d, t, sparse),
            _ => spatial_tendon(m, d, t, sparse, &mut points),
        };
        d.ten_wrapnum[t] = points as i32 - d.ten_wrapadr[t];
        if sparse {
            nnz = store_row(d, t, nnz);
        }
    }
}

/// Writes the sparse Jacobian row of a tendon at address `nnz`, and gives the address after it.
fn store_row(d: &mut Data, t: TendonId, nnz: usize) -> usize {
    let row = &d.work.tendon.row;
    let end = nnz + row.ind.len();
    d.ten_J_rownnz[t] = row.ind.len() as i32;
    d.ten_J_rowadr[t] = nnz as i32;
    d.ten_J_colind.flat_mut()[nnz..end].copy_from_slice(&row.ind);
    d.ten_J.flat_mut()[nnz..end].copy_from_slice(&row.val);
    end
}

/// Length and Jacobian of a weighted sum of joint coordinates.
fn fixed_tendon(m: &Model, d: &mut Data, t: TendonId, sparse: bool) -> f64 {
    let mut length = 0.0;
    let path = path_range(m, t);
    for (&id, &coef) in (*m.wrap_objid)[path.clone()].iter().zip(&(*m.wrap_prm)[path]) {
        let joint = JointId::new(id as usize);
        length += coef * d.qpos[m.jnt_qposadr[joint] as usize];
        let dof = m.jnt_dofadr[joint];
        // a joint that is named twice counts once in dense Jacobians, as in the reference
        if sparse {
            d.work.tendon.row.add(dof, coef);
        } else {
            d.ten_J[t][dof.idx()] = coef;
        }
    }
    length
}

/// Length, path and Jacobian of a path through sites and over geoms.
fn spatial_tendon(m: &Model, d: &mut Data, t: TendonId, sparse: bool, points: &mut usize) -> f64 {
    let mut length = 0.0;
    for item in Path::new(m, t) {
        let Span { from, to, over, divisor, last } = match item {
            PathItem::Pulley => {
                put_point(d, points, Vec3::ZERO, -2);
                continue;
            }
            PathItem::Span(span) => span,
        };
        let (start, end) = (d.site_xpos[from], d.site_xpos[to]);
        let (body0, body1) = (m.site_bodyid[from], m.site_bodyid[to]);
        let touch = over.and_then(|o| wrap([start, end], &o.obstacle(m, d), o.side_pos(d)));

        // length and moment of the straight pieces; the arc moves with its geom
        put_point(d, points, start, -1);
        let piece = |d: &mut Data, ends| add_piece(m, d, (t, sparse), ends, divisor);
        if let (Some(Wrap { points: [p, q], length: arc }), Some(over)) = (touch, over) {
            let body = m.geom_bodyid[over.geom];
            let first = piece(d, [(body0, start), (body, p)]);
            let second = piece(d, [(body, q), (body1, end)]);
            length += (first + arc + second) / divisor;
            put_point(d, points, p, over.geom.idx() as i32);
            put_point(d, points, q, over.geom.idx() as i32);
        } else {
            length += piece(d, [(body0, start), (body1, end)]) / divisor;
        }
        if last {
            put_point(d, points, end, -1);
        }
    }
    length
}

/// Appends a point to the drawn paths; `obj` is the geom it lies on, -1 at a site, -2 at a pulley.
#[inline]
fn put_point(d: &mut Data, points: &mut usize, at: Vec3, obj: i32) {
    let n = *points;
    d.wrap_obj.as_flattened_mut()[n] = obj;
    d.wrap_xpos.flat_mut()[3 * n..3 * n + 3].copy_from_slice(&at.to_array());
    *points += 1;
}

/// Adds directionᵀ (J₁ - J₀) / divisor of a straight piece to the row of a tendon, nothing if both
/// ends are on one body; gives the length of the piece.
fn add_piece(
    m: &Model,
    d: &mut Data,
    (t, sparse): (TendonId, bool),
    [(body0, p0), (body1, p1)]: [(BodyId, Vec3); 2],
    divisor: f64,
) -> f64 {
    let (dir, length) = (p1 - p0).normalize();
    if body0 == body1 {
        return length;
    }
    let (first, second) = (Carried::new(m, d, body0, p0), Carried::new(m, d, body1, p1));
    let Data { work, ten_J, cdof, .. } = d;
    let scale = 1.0 / divisor;
    let entries = merged(m, first.dof, second.dof)
        .map(|(dof, moves)| (dof, relative(&first, &second, cdof[dof], moves).dot(dir)));
    if sparse {
        let TendonWork { row, piece, merge, .. } = &mut work.tendon;
        piece.clear();
        entries.for_each(|(dof, x)| piece.push(dof, x));
        piece.reverse();
        row.add_scaled(piece, scale, merge);
    } else {
        let row = &mut ten_J[t];
        entries.for_each(|(dof, x)| row[dof.idx()] += x * scale);
    }
    length
}

/// Velocities of all tendons.
///
/// Reads `ten_J`, `qvel`. Writes `ten_velocity`.
pub fn tendon_vel(m: &Model, d: &mut Data) {
    let sparse = m.is_sparse();
    for t in m.tendons() {
        d.ten_velocity[t] = if sparse {
            let (ind, val) = jacobian_row(d, t);
            sparse::dot(ind, val, &d.qvel)
        } else {
            vector::dot(&d.ten_J[t], &d.qvel)
        };
    }
}

/// Non-zeros of a sparse tendon Jacobian row.
pub(crate) fn jacobian_row(d: &Data, t: TendonId) -> (&[DofId], &[f64]) {
    let start = d.ten_J_rowadr[t] as usize;
    let range = start..start + d.ten_J_rownnz[t] as usize;
    (&d.ten_J_colind.flat()[range.clone()], &d.ten_J.flat()[range])
}

/// The Jacobian row of a tendon as `nv` numbers.
pub(crate) fn dense_row(m: &Model, d: &Data, t: TendonId, row: &mut Vec<f64>) {
    row.clear();
    if m.is_sparse() {
        row.resize(m.nv, 0.0);
        let (ind, val) = jacobian_row(d, t);
        for (dof, x) in ind.iter().zip(val) {
            row[dof.idx()] = *x;
        }
    } else {
        row.extend_from_slice(&d.ten_J[t]);
    }
}

/// Adds the velocity-dependent force of tendon armature, armature Jᵀ (dJ/dt q̇), to `bias`.
///
/// Reads `ten_J`, `qvel`, `cvel`, `cdof_dot`.
#[doc(alias = "mj_tendonBias")]
pub fn tendon_bias(m: &Model, d: &mut Data, bias: &mut [f64]) {
    for t in m.tendons() {
        let armature = m.tendon_armature[t];
        if armature == 0.0 {
            continue;
        }
        let mut row = core::mem::take(&mut d.work.tendon.dense);
        tendon_dot(m, d, t, &mut row);
        let coef = armature * vector::dot(&row, &d.qvel);
        if coef != 0.0 {
            dense_row(m, d, t, &mut row);
            vector::add_scaled(bias, &row, coef);
        }
        d.work.tendon.dense = row;
    }
}

/// Time derivative of a tendon's Jacobian, as `nv` numbers.
///
/// Pieces over geoms count as straight lines between their sites: the reference refuses such
/// models, and so does the compiler.
#[doc(alias = "mj_tendonDot")]
pub fn tendon_dot(m: &Model, d: &Data, t: TendonId, out: &mut Vec<f64>) {
    out.clear();
    out.resize(m.nv, 0.0);
    if m.wrap_type[m.tendon_adr[t]] == WrapType::Joint {
        return;
    }
    for item in Path::new(m, t) {
        let PathItem::Span(Span { from, to, divisor, .. }) = item else {
            continue;
        };
        if m.site_bodyid[from] == m.site_bodyid[to] {
            continue;
        }

        // direction of the piece and its rate of change
        let (first, second) = (Moving::site(m, d, from), Moving::site(m, d, to));
        let (dir, norm) = (d.site_xpos[to] - d.site_xpos[from]).normalize();
        let vel = second.vel - first.vel;
        let across = vel + dir * -dir.dot(vel);
        let dir_dot = across * if norm > MINVAL { 1.0 / norm } else { 0.0 };

        // d/dt (J₁ - J₀)ᵀ dir + (J₁ - J₀)ᵀ d/dt dir
        let scale = 1.0 / divisor;
        for (dof, moves) in merged(m, first.at.dof, second.at.dof) {
            let cdof = d.cdof[dof];
            let axis_dot = axis_dot(m, d, dof);
            let columns_dot = match moves {
                Moves::First => -first.column_dot(cdof, axis_dot),
                Moves::Second => second.column_dot(cdof, axis_dot),
                Moves::Both => second.column_dot(cdof, axis_dot) - first.column_dot(cdof, axis_dot),
            };
            let columns = relative(&first.at, &second.at, cdof, moves);
            out[dof.idx()] += columns_dot.dot(dir) * scale;
            out[dof.idx()] += columns.dot(dir_dot) * scale;
        }
    }
}

/// A site with its velocity.
struct Moving {
    at: Carried,
    vel: Vec3,
}

impl Moving {
    fn site(m: &Model, d: &Data, site: SiteId) -> Self {
        let at = Carried::site(m, d, site);
        let cvel = d.cvel[m.site_bodyid[site]];
        Moving { at, vel: cvel.lin - at.offset.cross(cvel.rot) }
    }

    /// Rate of change of the site's velocity per unit velocity of a dof.
    fn column_dot(&self, cdof: Spatial, cdof_dot: Spatial) -> Vec3 {
        cdof_dot.lin + cdof_dot.rot.cross(self.at.offset) + cdof.rot.cross(self.vel)
    }
}

/// Rate of change of a dof's motion axis.
fn axis_dot(m: &Model, d: &Data, dof: DofId) -> Spatial {
    if turns_quaternion(m, dof) {
        // the axes turn with the body itself, not with its parent
        d.cvel[m.dof_bodyid[dof]].cross_motion(d.cdof[dof])
    } else {
        d.cdof_dot[dof]
    }
}

/// Whether a dof is one of the three angular velocities of a quaternion.
fn turns_quaternion(m: &Model, dof: DofId) -> bool {
    let joint = m.dof_jntid[dof];
    match m.jnt_type[joint] {
        JointType::Ball => true,
        JointType::Free => dof.idx() >= m.jnt_dofadr[joint].idx() + 3,
        _ => false,
    }
}

/// One step along a spatial tendon.
enum PathItem {
    /// A new branch begins.
    Pulley,
    /// From one site to the next.
    Span(Span),
}

/// The way from a site to the next one.
struct Span {
    from: SiteId,
    to: SiteId,
    /// The geom on the way.
    over: Option<Over>,
    /// Lengths of this branch are divided by this.
    divisor: f64,
    /// Whether the branch ends here.
    last: bool,
}

/// A geom that a tendon may wrap around.
#[derive(Clone, Copy)]
struct Over {
    geom: GeomId,
    cylinder: bool,
    side: Option<SiteId>,
}

impl Over {
    fn obstacle(&self, m: &Model, d: &Data) -> Obstacle {
        Obstacle {
            cylinder: self.cylinder,
            pos: d.geom_xpos[self.geom],
            mat: d.geom_xmat[self.geom],
            radius: m.geom_size[self.geom][0],
        }
    }

    fn side_pos(&self, d: &Data) -> Option<Vec3> {
        self.side.map(|s| d.site_xpos[s])
    }
}

/// Walks the path of a spatial tendon.
struct Path<'m> {
    m: &'m Model,
    next: usize,
    last: usize,
    divisor: f64,
}

/// Rows of `wrap_*` that make up a tendon.
pub(crate) fn path_range(m: &Model, t: TendonId) -> core::ops::Range<usize> {
    let start = m.tendon_adr[t].idx();
    start..start + m.tendon_num[t] as usize
}

impl<'m> Path<'m> {
    fn new(m: &'m Model, t: TendonId) -> Self {
        let range = path_range(m, t);
        Path { m, next: range.start, last: range.end - 1, divisor: 1.0 }
    }

    fn over(&self, w: usize) -> Option<Over> {
        let m = self.m;
        let cylinder = match m.wrap_type[w] {
            WrapType::Sphere => false,
            WrapType::Cylinder => true,
            _ => return None,
        };
        // the side site is stored as a number, -1 for none
        let side = (m.wrap_prm[w] > -0.5).then(|| SiteId::new(m.wrap_prm[w].round() as usize));
        Some(Over { geom: GeomId::new(m.wrap_objid[w] as usize), cylinder, side })
    }
}

impl Iterator for Path<'_> {
    type Item = PathItem;

    #[inline(always)]
    fn next(&mut self) -> Option<PathItem> {
        let m = self.m;
        while self.next < self.last {
            let at = self.next;
            if m.wrap_type[at] == WrapType::Pulley {
                self.next += 1;
                self.divisor = m.wrap_prm[at];
                return Some(PathItem::Pulley);
            }
            if m.wrap_type[at + 1] == WrapType::Pulley {
                self.next += 1;
                continue;
            }
            let over = self.over(at + 1);
            let to = if over.is_some() { at + 2 } else { at + 1 };
            self.next = to;
            let site = |w: usize| SiteId::new(m.wrap_objid[w] as usize);
            return Some(PathItem::Span(Span {
                from: site(at),
                to: site(to),
                over,
                divisor: self.divisor,
                last: to >= self.last || m.wrap_type[to + 1] == WrapType::Pulley,
            }));
        }
        None
    }
}
