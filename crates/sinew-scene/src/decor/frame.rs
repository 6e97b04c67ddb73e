//! Frames of geoms, sites and bodies.

use sinew_model::enums::{VisFlag, VisFrame};
use sinew_model::{BodyId, MatId, Maybe, Model};

use crate::draw::Draw;
use crate::records::in_group;

/// Whether a surface has a visible colour.
fn visible(m: &Model, material: Maybe<MatId>, rgba: [f32; 4]) -> bool {
    material.get().map_or(rgba, |mat| m.mat_rgba[mat])[3] != 0.0
}

pub(super) fn geoms(draw: &mut Draw<'_>) {
    if draw.opt.frame != VisFrame::Geom {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let axes = draw.axes(1.0);
    for g in m.geoms() {
        if draw.draws(draw.category(m.geom_bodyid[g]))
            && in_group(&draw.opt.geomgroup, m.geom_group[g])
            && visible(m, m.geom_matid[g], m.geom_rgba[g])
        {
            draw.frame(g.idx(), d.geom_xpos[g], d.geom_xmat[g], axes);
        }
    }
}

pub(super) fn sites(draw: &mut Draw<'_>) {
    if draw.opt.frame != VisFrame::Site {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let axes = draw.axes(1.0);
    for s in m.sites() {
        if draw.draws(draw.category(m.site_bodyid[s]))
            && in_group(&draw.opt.sitegroup, m.site_group[s])
            && visible(m, m.site_matid[s], m.site_rgba[s])
        {
            draw.frame(s.idx(), d.site_xpos[s], d.site_xmat[s], axes);
        }
    }
}

/// The world frame, twice as large, or the frames of all bodies. Bodies whose inertia is shown have
/// the inertial frame.
pub(super) fn bodies(draw: &mut Draw<'_>) {
    let (m, d) = (draw.m, draw.d);
    let range = match draw.opt.frame {
        VisFrame::World => 0..1,
        VisFrame::Body => 1..m.nbody,
        _ => return,
    };
    for b in range.map(BodyId::new) {
        if b != BodyId::WORLD && !draw.draws(draw.category(b)) {
            continue;
        }
        let axes = draw.axes(if b == BodyId::WORLD { 2.0 } else { 1.0 });
        let (pos, mat) = if draw.shows(VisFlag::Inertia) {
            (d.xipos[b], d.ximat[b])
        } else {
            (d.xpos[b], d.xmat[b])
        };
        draw.frame(b.idx(), pos, mat, axes);
    }
}
