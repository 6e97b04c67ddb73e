//! Arms of tendons and transmissions, and how they change with position.
//!
//! An arm J is the rate of a length by the rates of the dofs. A straight piece between two points
//! has J_w = dir·(q_w - p_w), where p_w is the motion of a point by dof w. The position of dof v
//! turns the piece and moves each point; the bodies that v carries turn with it.

use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::{ObjType, WrapType};
use sinew_model::{ActuatorId, BodyId, Data, DofId, Model, SiteId, TendonId};

use super::error::{TransitionError, unsupported_object};
use super::rotation::right_jacobian_inverse;
use super::twist::turn_together;
use super::wrapping::Touched;
use crate::constraint::tendon_row;
use crate::sparse::SparseRow;
use crate::tendon::{Obstacle, Path, PathItem, Span, path_range};

/// A length's rates by the dofs, and their changes.
#[derive(Debug, Default)]
pub(super) struct Arm {
    /// The dofs, in rising order, also those on which the arm is zero here.
    pub(super) dofs: Vec<DofId>,
    /// The arm on each.
    pub(super) values: Vec<f64>,
    /// Change of the length by the position of each.
    pub(super) length: Vec<f64>,
    /// Change of the arms by position: a row for each position.
    pub(super) change: Vec<f64>,
    /// Whether they change at all.
    pub(super) turns: bool,
    /// Whether the length has other slopes than the arm, which iterations find.
    pub(super) is_rough: bool,
}

/// A point that a body carries, and that may slide on it.
#[derive(Debug, Default)]
struct End {
    /// Motion with the body by each dof.
    column: Vec<Vec3>,
    moves: Vec<bool>,
    /// Motion on the body.
    slide: Vec<Vec3>,
}

/// Scratch of the arms.
#[derive(Debug, Default)]
pub(super) struct ArmScratch {
    ends: [End; 4],
    row: SparseRow,
    places: Vec<usize>,
    turned_axes: Vec<Vec3>,
}

impl Arm {
    pub(super) fn clear(&mut self) {
        let Arm { dofs, values, length, change, turns, is_rough } = self;
        dofs.clear();
        [values, length, change].into_iter().for_each(Vec::clear);
        (*turns, *is_rough) = (false, false);
    }

    /// Takes constant values.
    fn set_row(&mut self, row: &SparseRow) {
        self.clear();
        self.dofs.extend_from_slice(&row.ind);
        self.values.extend_from_slice(&row.val);
        self.length.extend_from_slice(&row.val);
    }

    /// Takes the dofs of some bodies, with zeros.
    fn set_bodies(&mut self, m: &Model, bodies: impl Iterator<Item = BodyId>) {
        self.clear();
        for body in bodies {
            self.dofs.extend(m.body_chain(body));
        }
        self.dofs.sort_unstable();
        self.dofs.dedup();
        let n = self.dofs.len();
        self.values.resize(n, 0.0);
        self.length.resize(n, 0.0);
        self.change.resize(n * n, 0.0);
        self.turns = true;
    }

    /// Takes another arm, scaled.
    pub(super) fn set_scaled(&mut self, o: &Arm, scale: f64) {
        self.clear();
        self.dofs.extend_from_slice(&o.dofs);
        self.values.extend(o.values.iter().map(|x| x * scale));
        self.length.extend(o.length.iter().map(|x| x * scale));
        self.change.extend(o.change.iter().map(|x| x * scale));
        (self.turns, self.is_rough) = (o.turns, o.is_rough);
    }

    /// The changes of the arms by the position of the dof at place `v`.
    pub(super) fn changes(&self, v: usize) -> &[f64] {
        let n = self.dofs.len();
        if self.turns { &self.change[v * n..(v + 1) * n] } else { &[] }
    }

    /// Change of J x by the position of the dof at place `v`.
    pub(super) fn rate_change(&self, v: usize, x: &[f64]) -> f64 {
        let entries = self.changes(v).iter().zip(&self.dofs);
        entries.fold(0.0, |sum, (change, w)| sum + change * x[w.idx()])
    }

    /// Adds the change of Jᵀ scale to rows by position, which have `nv` numbers each, for the dofs
    /// that count.
    pub(super) fn add_force_change(
        &self,
        scale: f64,
        nv: usize,
        pos: &mut [f64],
        counts: impl Fn(usize) -> bool,
    ) {
        for (v, dof) in self.dofs.iter().enumerate() {
            let row = &mut pos[dof.idx() * nv..(dof.idx() + 1) * nv];
            for (w, change) in self.dofs.iter().zip(self.changes(v)) {
                if counts(w.idx()) {
                    row[w.idx()] += scale * change;
                }
            }
        }
    }

    /// Adds a straight piece between ends, at which only `places` move.
    fn add_piece(
        &mut self,
        m: &Model,
        ends: [&End; 2],
        (dir, turned_axes): (Vec3, &[Vec3]),
        places: &[usize],
        [scale, per_length]: [f64; 2],
    ) {
        let n = self.dofs.len();
        let [p, q] = ends;
        for &w in places {
            let rate = dir.dot(q.column[w] - p.column[w]) * scale;
            self.values[w] += rate;
            self.length[w] += rate + dir.dot(q.slide[w] - p.slide[w]) * scale;
        }
        for &v in places {
            let apart = q.total(v) - p.total(v);
            let turned = (apart - dir * dir.dot(apart)) * per_length;
            for &w in places {
                let is_carried = carries(m, self.dofs[v], self.dofs[w]);
                let moved = |end: &End| end.turned_along([v, w], turned_axes, is_carried);
                let change = turned.dot(q.column[w] - p.column[w]) + moved(q) - moved(p);
                self.change[v * n + w] += change * scale;
            }
        }
    }
}

impl End {
    fn set(&mut self, m: &Model, d: &Data, body: BodyId, pos: Vec3, dofs: &[DofId]) {
        let End { column, moves, slide } = self;
        column.clear();
        column.resize(dofs.len(), Vec3::ZERO);
        moves.clear();
        moves.resize(dofs.len(), false);
        slide.clear();
        slide.resize(dofs.len(), Vec3::ZERO);
        let at = pos - d.subtree_com[m.body_rootid[body]];
        for v in m.body_chain(body) {
            if let Ok(k) = dofs.binary_search(&v) {
                column[k] = d.cdof[v].lin + d.cdof[v].rot.cross(at);
                moves[k] = true;
            }
        }
    }

    fn slides(&self, v: usize) -> bool {
        self.slide[v] != Vec3::ZERO
    }

    fn total(&self, v: usize) -> Vec3 {
        self.column[v] + self.slide[v]
    }

    /// Change of the motion by dof `w` with the position of dof `v`.
    fn turned(&self, m: &Model, d: &Data, dofs: &[DofId], [v, w]: [usize; 2]) -> Vec3 {
        if !self.moves[w] {
            return Vec3::ZERO;
        }
        let axis = d.cdof[dofs[w]].rot;
        if self.moves[v] && carries(m, dofs[v], dofs[w]) {
            d.cdof[dofs[v]].rot.cross(self.column[w]) + axis.cross(self.slide[v])
        } else {
            axis.cross(self.total(v))
        }
    }

    /// The part of that change along a direction. `turned_axes` are the cross products of the
    /// direction and the axes of all dofs. `is_carried` says whether dof `v` carries dof `w`.
    fn turned_along(&self, [v, w]: [usize; 2], turned_axes: &[Vec3], is_carried: bool) -> f64 {
        if !self.moves[w] {
            0.0
        } else if self.moves[v] && is_carried {
            turned_axes[v].dot(self.column[w]) + turned_axes[w].dot(self.slide[v])
        } else {
            turned_axes[w].dot(self.total(v))
        }
    }

    /// Change of the turn by dof `w` with the position of dof `v`.
    fn turned_axis(&self, m: &Model, d: &Data, dofs: &[DofId], [v, w]: [usize; 2]) -> Vec3 {
        if self.moves[v] && self.moves[w] && carries(m, dofs[v], dofs[w]) {
            d.cdof[dofs[v]].rot.cross(d.cdof[dofs[w]].rot)
        } else {
            Vec3::ZERO
        }
    }

    /// The turn by a dof.
    fn axis(&self, d: &Data, dofs: &[DofId], w: usize) -> Vec3 {
        if self.moves[w] { d.cdof[dofs[w]].rot } else { Vec3::ZERO }
    }
}

/// Whether the first of two dofs that move a body carries the second.
fn carries(m: &Model, v: DofId, w: DofId) -> bool {
    v <= w || turn_together(m, v, w)
}

/// The arms of all tendons.
#[derive(Debug, Default)]
pub(super) struct Arms {
    pub(super) tendons: Vec<Arm>,
    scratch: ArmScratch,
}

/// Sets the arms of all tendons.
pub(super) fn set_tendons(m: &Model, d: &Data, arms: &mut Arms) -> Result<(), TransitionError> {
    let Arms { tendons, scratch } = arms;
    tendons.resize_with(m.ntendon, Arm::default);
    for (t, arm) in m.tendons().zip(tendons) {
        if m.wrap_type[m.tendon_adr[t]] == WrapType::Joint {
            tendon_row(m, d, t, &mut scratch.row);
            arm.set_row(&scratch.row);
        } else {
            set_spatial(m, d, t, scratch, arm)?;
        }
    }
    Ok(())
}

/// The arm of a path through sites and over geoms.
fn set_spatial(
    m: &Model,
    d: &Data,
    t: TendonId,
    scratch: &mut ArmScratch,
    arm: &mut Arm,
) -> Result<(), TransitionError> {
    let path = path_range(m, t);
    let bodies = path.filter_map(|w| {
        let id = usize::try_from(m.wrap_objid[w]).ok()?;
        match m.wrap_type[w] {
            WrapType::Site => Some(m.site_bodyid[id]),
            WrapType::Sphere | WrapType::Cylinder => Some(m.geom_bodyid[id]),
            _ => None,
        }
    });
    arm.set_bodies(m, bodies);
    let mut point = d.ten_wrapadr[t].max(0) as usize;
    for item in Path::new(m, t) {
        let PathItem::Span(Span { from, to, over, divisor, last: ends_branch }) = item else {
            point += 1;
            continue;
        };
        let bodies = [from, to].map(|s| m.site_bodyid[s]);
        let sites = [from, to].map(|s| d.site_xpos[s]);
        let ArmScratch { ends: [first, last, near, far], places, turned_axes, .. } = scratch;
        first.set(m, d, bodies[0], sites[0], &arm.dofs);
        last.set(m, d, bodies[1], sites[1], &arm.dofs);
        let mut piece = |arm: &mut Arm, ends: [&End; 2], dir: Vec3| {
            let (dir, length) = dir.normalize();
            if length < MINVAL {
                return unsupported_object(m, ObjType::Tendon, t.idx(), "a piece without length");
            }
            let moves = |k: &usize| ends.iter().any(|end| end.moves[*k] || end.slides(*k));
            places.clear();
            places.extend((0..arm.dofs.len()).filter(moves));
            turned_axes.resize(arm.dofs.len(), Vec3::ZERO);
            places.iter().for_each(|&k| turned_axes[k] = dir.cross(d.cdof[arm.dofs[k]].rot));
            let share = [1.0 / divisor, 1.0 / length];
            arm.add_piece(m, ends, (dir, turned_axes), places, share);
            Ok(())
        };

        // the path of forward dynamics: the site, and the points on a geom that it touches
        let touched = over.filter(|_| is_on_geom(d, point + 1));
        let points = [1, 2].map(|k| Vec3::from_slice(&d.wrap_xpos.flat()[3 * (point + k)..]));
        point += 1 + 2 * usize::from(touched.is_some()) + usize::from(ends_branch);
        let Some(over) = touched else {
            if bodies[0] != bodies[1] {
                piece(arm, [first, last], sites[1] - sites[0])?;
            }
            continue;
        };

        // both points slide on the geom, as its motion relative to the ends says
        let (body, obstacle, side) =
            (m.geom_bodyid[over.geom], over.obstacle(m, d), over.side_pos(d));
        let [p, q] = points;
        near.set(m, d, body, p, &arm.dofs);
        far.set(m, d, body, q, &arm.dofs);
        let inside =
            slide(d, [first, last], [near, far], (sites, points), obstacle, side, &arm.dofs);
        let Some(inside) = inside else {
            return unsupported_object(m, ObjType::Tendon, t.idx(), "ends in line with a sphere");
        };
        arm.is_rough |= inside;
        piece(arm, [first, near], p - sites[0])?;
        piece(arm, [far, last], sites[1] - q)?;
    }
    if !arm.is_rough {
        // a path of least length
        let Arm { values, length, .. } = arm;
        length.copy_from_slice(values);
    }
    Ok(())
}

/// Whether a point of a path is on a geom.
fn is_on_geom(d: &Data, point: usize) -> bool {
    d.wrap_obj.as_flattened().get(point).is_some_and(|&obj| obj >= 0)
}

/// Sets how the points of contact slide; whether the path is inside, or none where it has no plane.
fn slide(
    d: &Data,
    ends: [&End; 2],
    touching: [&mut End; 2],
    (sites, points): ([Vec3; 2], [Vec3; 2]),
    Obstacle { cylinder, pos, mat, radius }: Obstacle,
    side: Option<Vec3>,
    dofs: &[DofId],
) -> Option<bool> {
    let local = |x: Vec3| mat.tmul_vec(x - pos);
    let inside = side.is_some_and(|s| local(s).norm() < radius);
    let [ends_local, points_local] = [sites, points].map(|two| two.map(local));
    let slopes =
        Touched { cylinder, radius, inside, ends: ends_local, points: points_local }.slopes()?;
    let [near, far] = touching;
    for v in 0..dofs.len() {
        if !(ends[0].moves[v] || ends[1].moves[v] || near.moves[v]) {
            continue;
        }
        // motion of the ends in the axes of the geom
        let turn = near.axis(d, dofs, v);
        let carried = |x: Vec3| near.column[v] + turn.cross(x - points[0]);
        let by = [0, 1].map(|k| mat.tmul_vec(ends[k].column[v] - carried(sites[k])));
        let slid = |k: usize| {
            let change = |i: usize| {
                (0..3).fold(0.0, |sum, j| {
                    sum + slopes[k][i].by[j] * by[0][j] + slopes[k][i].by[j + 3] * by[1][j]
                })
            };
            mat * Vec3::new(change(0), change(1), change(2))
        };
        let (first, second) = (slid(0), slid(1));
        (near.slide[v], far.slide[v]) = (first, second);
    }
    Some(inside)
}

/// The arm of a crank between a site and a slider on the axis of another. With v from slider to
/// crank, the axis a and the rod r, the length is l = aᵀv - √((aᵀv)² + r² - vᵀv).
pub(super) fn set_slider_crank(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    scratch: &mut ArmScratch,
    arm: &mut Arm,
) {
    let [crank, slider] = m.actuator_trnid[u].map(|id| SiteId::new(id.max(0) as usize));
    let (rod, gear) = (m.actuator_cranklength[u], m.actuator_gear[u][0]);
    arm.set_bodies(m, [crank, slider].map(|s| m.site_bodyid[s]).into_iter());
    let ArmScratch { ends: [tip, base, ..], .. } = scratch;
    tip.set(m, d, m.site_bodyid[crank], d.site_xpos[crank], &arm.dofs);
    base.set(m, d, m.site_bodyid[slider], d.site_xpos[slider], &arm.dofs);
    let axis = d.site_xmat[slider].col(2);
    let vec = d.site_xpos[crank] - d.site_xpos[slider];
    let along = vec.dot(axis);
    let det = along * along + rod * rod - vec.dot(vec);

    // slopes of the length by v and by the axis, and their changes
    let straight = det <= 0.0;
    let root = det.max(MINVAL).sqrt();
    let share = if straight { 1.0 } else { 1.0 - along / root };
    let by_vec = if straight { axis } else { axis * share + vec * (1.0 / root) };
    let by_axis = vec * share;
    let turned = |dvec: Vec3, daxis: Vec3| {
        if straight {
            return [daxis, dvec];
        }
        let by_along = dvec.dot(axis) + vec.dot(daxis);
        let by_root = (along * by_along - vec.dot(dvec)) / root;
        let by_share = (along * by_root / root - by_along) / root;
        let change =
            daxis * share + axis * by_share + (dvec - vec * (by_root / root)) * (1.0 / root);
        [change, dvec * share + vec * by_share]
    };

    let n = arm.dofs.len();
    let dofs = &arm.dofs;
    let moved = |w: usize| (tip.column[w] - base.column[w], base.axis(d, dofs, w).cross(axis));
    for w in 0..n {
        let (dvec, daxis) = moved(w);
        arm.values[w] = gear * (by_vec.dot(dvec) + by_axis.dot(daxis));
        arm.length[w] = arm.values[w];
    }
    for v in 0..n {
        let (dvec, daxis) = moved(v);
        let [vec_change, axis_change] = turned(dvec, daxis);
        for w in 0..n {
            let (own_vec, own_axis) = moved(w);
            let vec_turn = tip.turned(m, d, dofs, [v, w]) - base.turned(m, d, dofs, [v, w]);
            let axis_turn = base.turned_axis(m, d, dofs, [v, w]).cross(axis)
                + base.axis(d, dofs, w).cross(daxis);
            arm.change[v * n + w] = gear
                * (vec_change.dot(own_vec)
                    + axis_change.dot(own_axis)
                    + by_vec.dot(vec_turn)
                    + by_axis.dot(axis_turn));
        }
    }
}

/// The arm of a site: a wrench in its axes. Relative to another site, the wrench is in the axes of
/// the reference, on the dofs that move only one of the two.
pub(super) fn set_site(
    m: &Model,
    d: &Data,
    u: ActuatorId,
    scratch: &mut ArmScratch,
    arm: &mut Arm,
) {
    let [own, reference] = m.actuator_trnid[u].map(|id| usize::try_from(id).ok().map(SiteId::new));
    let Some(own) = own else { return };
    let gear = &m.actuator_gear[u];
    let (gear, gear_rot) = (Vec3::from_slice(gear), Vec3::from_slice(&gear[3..]));
    let bodies = [Some(own), reference].into_iter().flatten().map(|s| m.site_bodyid[s]);
    arm.set_bodies(m, bodies);
    let ArmScratch { ends: [site, base, ..], .. } = scratch;
    site.set(m, d, m.site_bodyid[own], d.site_xpos[own], &arm.dofs);
    let fixed = reference.unwrap_or(own);
    let body = reference.map_or(BodyId::WORLD, |s| m.site_bodyid[s]);
    base.set(m, d, body, d.site_xpos[fixed], &arm.dofs);
    let mat = d.site_xmat[fixed];
    let (force, torque) = (mat * gear, mat * gear_rot);
    let apart = d.site_xpos[own] - d.site_xpos[fixed];

    // the rotation, in the order of the transmission
    let quat = |s: SiteId| m.site_quat[s] * d.xquat[m.site_bodyid[s]];
    let (turned, rest) = (quat(own), quat(fixed));
    let back = right_jacobian_inverse(-turned.rotvec_from(rest)).mul_t(rest.to_mat());
    let turn = |s: SiteId, axis: Vec3| m.site_quat[s].rotate(axis);

    let n = arm.dofs.len();
    let dofs = &arm.dofs;
    let sign = |w: usize| f64::from(u8::from(site.moves[w])) - f64::from(u8::from(base.moves[w]));
    let parts = |w: usize| {
        let end = if site.moves[w] { &site.column } else { &base.column };
        (end[w], d.cdof[dofs[w]].rot)
    };
    for w in 0..n {
        let (column, axis) = parts(w);
        arm.values[w] = sign(w) * (column.dot(force) + axis.dot(torque));
        let moved = site.column[w] - base.column[w] - base.axis(d, dofs, w).cross(apart);
        let turns = turn(own, site.axis(d, dofs, w)) - turn(fixed, base.axis(d, dofs, w));
        // without reference the length stays zero
        if reference.is_some() {
            arm.length[w] = force.dot(moved) + gear_rot.dot(back * turns);
        }
    }
    let frame: &End = if reference.is_some() { base } else { site };
    for v in 0..n {
        let carried = frame.axis(d, dofs, v);
        let [by_force, by_torque] = [force, torque].map(|x| carried.cross(x));
        for w in 0..n {
            let end: &End = if site.moves[w] { site } else { base };
            let (column, axis) = parts(w);
            arm.change[v * n + w] = sign(w)
                * (by_force.dot(column)
                    + by_torque.dot(axis)
                    + force.dot(end.turned(m, d, dofs, [v, w]))
                    + torque.dot(end.turned_axis(m, d, dofs, [v, w])));
        }
    }
    arm.is_rough = true;
}
