//! Where the vertices of flexes are.

use sinew_math::Vec3;
use sinew_model::{Data, FlexId, Model};

use crate::smooth::flex::basis::{MAX_NODES, interpolate, node_positions, order};

/// Places all vertices: with their bodies, or between the nodes.
pub(super) fn place(m: &Model, d: &mut Data) {
    for f in m.flexes() {
        if m.flex_interp[f] == 0 {
            with_bodies(m, d, f);
        } else {
            between_nodes(m, d, f);
        }
    }
}

fn with_bodies(m: &Model, d: &mut Data, f: FlexId) {
    let Data { flexvert_xpos, xpos, xmat, .. } = d;
    let centered = m.flex_centered[f].get();
    for v in m.flex_verts(f) {
        let body = m.flex_vert_body(v);
        flexvert_xpos[v] =
            if centered { xpos[body] } else { xmat[body] * m.flex_vert[v] + xpos[body] };
    }
}

fn between_nodes(m: &Model, d: &mut Data, f: FlexId) {
    let mut nodes = [Vec3::ZERO; MAX_NODES];
    let count = node_positions(m, d, f, &mut nodes);
    for v in m.flex_verts(f) {
        d.flexvert_xpos[v] = interpolate(m.flex_vert0[v], &nodes[..count], order(m, f));
    }
}
