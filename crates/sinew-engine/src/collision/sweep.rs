//! The two effects of MuJoCo's broad phase on results: its marks, and bodies that just touch.
//!
//! MuJoCo sweeps the boxes of the bodies along the first principal axis of all geoms, and keeps
//! their ends in single precision. Two bodies whose boxes overlap by less than that rounding are
//! not found, so spheres that just touch may have no contact. To find the same contacts, the
//! few pairs that are that close are looked at again with MuJoCo's numbers.

use sinew_math::{Mat3, Vec3, eig3};
use sinew_model::{BodyId, Data, FlexId, GeomId, Model};

use crate::collision::params::{half_flex_margin, half_margin};

/// Overlaps above this part of the coordinates survive any rounding to single precision.
const CLEAR: f64 = 1e-6;

/// Axes of the sweep, found at their first use.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sweep {
    axes: Option<Mat3>,
}

impl Sweep {
    /// Whether MuJoCo looks at the contacts of two geoms, whose bounding spheres overlap.
    pub(super) fn finds(&mut self, m: &Model, d: &Data, g1: GeomId, g2: GeomId) -> bool {
        let (p1, p2) = (d.geom_xpos[g1], d.geom_xpos[g2]);
        let reach = m.geom_rbound[g1] + half_margin(m, g1) + m.geom_rbound[g2] + half_margin(m, g2);
        let sure = reach - CLEAR * (reach + size(p1) + size(p2));
        let offset = p1 - p2;
        if sure > 0.0 && offset.dot(offset) < sure * sure {
            return true;
        }
        let (b1, b2) = (m.geom_bodyid[g1], m.geom_bodyid[g2]);
        let (first, second) = if b1 < b2 { (b1, b2) } else { (b2, b1) };
        let axes = *self.axes.get_or_insert_with(|| principal_axes(m, d));
        boxes_overlap(body_box(m, d, first, axes), body_box(m, d, second, axes))
    }
}

/// Not less than the length of a vector.
#[inline]
fn size(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// Principal axes of the centres of all moving geoms and of the vertices of flexes on moving
/// bodies. The rows are used as axes where the columns would be; so does MuJoCo.
pub(super) fn principal_axes(m: &Model, d: &Data) -> Mat3 {
    let moving = || {
        let geoms = m.geoms().filter(|&g| m.geom_bodyid[g] != BodyId::WORLD);
        let fixed = |v: &usize| m.flex_vertbodyid[*v].get() == Some(BodyId::WORLD);
        let verts = (0..m.nflexvert).filter(move |v| !fixed(v));
        geoms.map(|g| d.geom_xpos[g]).chain(verts.map(|v| d.flexvert_xpos[v]))
    };

    // mean of the points
    let scale = 1.0 / moving().count() as f64;
    let mut mean = Vec3::ZERO;
    for pos in moving() {
        mean += pos;
    }
    mean *= scale;

    // covariance; its eigenvectors are the axes
    let mut cov = [[0.0; 3]; 3];
    for pos in moving() {
        let dif = (pos - mean).to_array();
        for i in 0..3 {
            for j in 0..3 {
                cov[i][j] += dif[i.min(j)] * dif[i.max(j)];
            }
        }
    }
    let row = |i: usize| Vec3::from(cov[i].map(|x| x * scale));
    eig3(Mat3::from_rows(row(0), row(1), row(2))).vec
}

/// Lower and upper end along each axis.
#[doc(alias = "makeAAMM")]
pub(super) fn body_box(m: &Model, d: &Data, b: BodyId, axes: Mat3) -> [[f64; 2]; 3] {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    for g in m.body_geoms(b) {
        let (radius, margin) = (m.geom_rbound[g], half_margin(m, g));
        for (axis, ends) in ends.iter_mut().enumerate() {
            let center = d.geom_xpos[g].dot(axes.row(axis));
            let (low, high) = (center - radius - margin, center + radius + margin);
            *ends = [ends[0].min(low), ends[1].max(high)];
        }
    }
    ends
}

/// Lower and upper end of a flex along each axis.
pub(super) fn flex_box(m: &Model, d: &Data, f: FlexId, axes: Mat3) -> [[f64; 2]; 3] {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
    let bound = m.flex_radius[f] + half_flex_margin(m, f);
    for &pos in d.flexvert_xpos.rows(m.flex_verts(f)) {
        for (axis, ends) in ends.iter_mut().enumerate() {
            let x = axes.row(axis).dot(pos);
            *ends = [ends[0].min(x), ends[1].max(x)];
        }
    }
    ends.map(|[low, high]| [low - bound, high + bound])
}

/// Whether the sweep finds two boxes. Along its axis it compares in single precision, where the end
/// of an earlier body comes before the start of a later one.
#[doc(alias = "mj_SAP")]
pub(super) fn boxes_overlap(a: [[f64; 2]; 3], b: [[f64; 2]; 3]) -> bool {
    let ([a0, a1], [b0, b1]) = (a[0].map(|x| x as f32), b[0].map(|x| x as f32));
    a1 > b0
        && b1 >= a0
        && (1..3).all(|axis| {
            let separated = a[axis][0] > b[axis][1] || b[axis][0] > a[axis][1];
            !separated
        })
}
