//! Tendons and slider-cranks.

use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::{CatBit, ConstraintType, DisableBit, GeomType, ObjType, TrnType};
use sinew_model::enums::{VisFlag, VisLabel};
use sinew_model::{Data, Model, TendonId};

use crate::catenary::catenary;
use crate::color::{blend, island_color};
use crate::draw::{Draw, Link, Owner};
use crate::geom::Paint;
use crate::records::{SceneGeom, in_group};

/// Maximum number of points of a hanging tendon.
const MAX_POINTS: i32 = 100;

/// A straight segment of a tendon's path.
pub(crate) struct Segment {
    pub(crate) from: Vec3,
    pub(crate) to: Vec3,
    /// Width, which is smaller inside wrapped geoms.
    pub(crate) width: f64,
    /// Whether this is the first segment of its tendon.
    pub(crate) first: bool,
}

/// The straight segments of a tendon's path.
pub(crate) fn segments(m: &Model, d: &Data, t: TendonId) -> Vec<Segment> {
    let start = d.ten_wrapadr[t].max(0) as usize;
    let num = d.ten_wrapnum[t].max(0) as usize;
    let object = |j: usize| d.wrap_obj[j / 2][j % 2];
    let point = |j: usize| Vec3::from_slice(&d.wrap_xpos.flat()[3 * j..]);
    (start..(start + num).saturating_sub(1))
        .filter(|&j| object(j) != -2 && object(j + 1) != -2)
        .map(|j| {
            let inside = object(j) >= 0 && object(j + 1) >= 0;
            let width = if inside { 0.5 * m.tendon_width[t] } else { m.tendon_width[t] };
            Segment { from: point(j), to: point(j + 1), width, first: j == start }
        })
        .collect()
}

pub(crate) fn tendons(draw: &mut Draw<'_>) {
    if !draw.draws(CatBit::Dynamic) || !draw.shows(VisFlag::Tendon) {
        return;
    }
    let m = draw.m;
    for t in m.tendons() {
        if in_group(&draw.opt.tendongroup, m.tendon_group[t]) {
            match hanging_length(m, draw.d, t) {
                Some(length) => hanging(draw, t, length),
                None => straight(draw, t),
            }
        }
    }
}

/// The length of a tendon that is drawn as a catenary, or `None`. Such a tendon has two sites and
/// is slack up to a length, with no other force than a limit or a spring.
fn hanging_length(m: &Model, d: &Data, t: TendonId) -> Option<f64> {
    let [lower, upper] = m.tendon_range[t];
    let [slack, stretched] = m.tendon_lengthspring[t];
    let spring = m.tendon_stiffness[t] > 0.0 && slack == 0.0 && stretched > 0.0;
    let limit = m.tendon_stiffness[t] == 0.0
        && m.tendon_limited[t].get()
        && lower == 0.0
        && d.ten_length[t] < upper;
    let hangs = !m.opt.disabled(DisableBit::Gravity)
        && m.opt.gravity.norm() > MINVAL
        && m.tendon_num[t] == 2
        && spring != limit
        && m.tendon_damping[t] == 0.0
        && m.tendon_frictionloss[t] == 0.0;
    let pulled = || {
        m.actuators().any(|u| {
            m.actuator_trntype[u] == TrnType::Tendon && m.actuator_trnid[u][0] == t.idx() as i32
        })
    };
    (hangs && !pulled()).then_some(if limit { upper } else { stretched })
}

fn straight(draw: &mut Draw<'_>, t: TendonId) {
    let (m, d) = (draw.m, draw.d);
    for segment in segments(m, d, t) {
        let Some(mut geom) = draw.acquire(Owner::dynamic(ObjType::Tendon, t.idx())) else { return };
        geom.connect(GeomType::Capsule, segment.width, segment.from, segment.to);
        geom.paint(m, straight_paint(draw, t));
        if draw.shows(VisFlag::Island) {
            paint_island(draw, &mut geom, t);
        }
        if segment.first {
            draw.label(&mut geom, VisLabel::Tendon, ObjType::Tendon, t.idx());
        }
        draw.push(geom);
    }
}

/// A tendon of the default colour shows its limit's impedance.
fn straight_paint(draw: &Draw<'_>, t: TendonId) -> Paint {
    let m = draw.m;
    let mut rgba = m.tendon_rgba[t];
    if m.tendon_matid[t].get().is_none() && rgba == [0.5, 0.5, 0.5, 1.0] {
        let impedance = draw.limit_impedance(ConstraintType::LimitTendon, t.idx());
        rgba = blend(rgba, m.vis.rgba.constraint, impedance);
    }
    draw.paint(m.tendon_matid[t], rgba)
}

fn paint_island(draw: &Draw<'_>, geom: &mut SceneGeom, t: TendonId) {
    let d = draw.d;
    geom.matid = -1;
    let row = d.tendon_efcadr.get(t.idx()).and_then(|&row| usize::try_from(row).ok());
    let island = row.filter(|_| d.nisland > 0).and_then(|row| d.efc_island.get(row));
    let number = island.and_then(|&island| draw.island_number(island));
    geom.rgba = island_color(number, true);
}

fn hanging(draw: &mut Draw<'_>, t: TendonId, length: f64) {
    let (m, d) = (draw.m, draw.d);
    let start = d.ten_wrapadr[t].max(0) as usize;
    let point = |j: usize| Vec3::from_slice(&d.wrap_xpos.flat()[3 * j..]);
    let n = (m.vis.quality.numslices + 1).clamp(2, MAX_POINTS) as usize;
    let points = catenary(point(start), point(start + 1), m.opt.gravity, length, n);
    for pair in points.windows(2) {
        let Some(mut geom) = draw.acquire(Owner::dynamic(ObjType::Tendon, t.idx())) else { return };
        geom.connect(GeomType::Capsule, m.tendon_width[t], pair[0], pair[1]);
        geom.paint(m, draw.paint(m.tendon_matid[t], m.tendon_rgba[t]));
        draw.label(&mut geom, VisLabel::Tendon, ObjType::Tendon, t.idx());
        draw.push(geom);
    }
}

/// Slider-cranks: the slider as a cylinder, the crank as a capsule.
pub(crate) fn slider_cranks(draw: &mut Draw<'_>) {
    if !draw.draws(CatBit::Dynamic) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let colors = &m.vis.rgba;
    for u in m.actuators().filter(|&u| m.actuator_trntype[u] == TrnType::Slidercrank) {
        let [crank, slider] = m.actuator_trnid[u].map(|site| site as usize);
        let rod = m.actuator_cranklength[u];
        let (from, to) = (d.site_xpos[slider], d.site_xpos[crank]);
        let axis = d.site_xmat[slider].col(2);

        // intersection of the rod with the slider's axis, or the nearest point if the rod is too
        // short
        let vec = to - from;
        let along = vec.dot(axis);
        let det = along * along + rod * rod - vec.dot(vec);
        let broken = det < 0.0;
        let end = axis * (along - if broken { 0.0 } else { det }.sqrt()) + from;

        let width = draw.meansize() * m.vis.scale.slidercrank;
        let owner = Owner::dynamic(ObjType::Actuator, u.idx());
        let Some(mut geom) = draw.acquire(owner) else { return };
        geom.connect(GeomType::Cylinder, f64::from(width), from, end);
        geom.rgba = colors.slidercrank;
        draw.label(&mut geom, VisLabel::Actuator, ObjType::Actuator, u.idx());
        draw.push(geom);

        let rgba = if broken { colors.crankbroken } else { colors.slidercrank };
        let kind = GeomType::Capsule;
        let link = Link { kind, width: f64::from(width) / 2.0, from: end, to };
        draw.link(owner, link, Some(rgba));
    }
}
