//! Bounding volumes: trees of bodies, flexes and meshes, and octrees.

use sinew_math::{Mat3, Vec3};
use sinew_model::enums::{GeomType, ObjType, VisFlag};
use sinew_model::{BodyId, GeomId};

use crate::draw::{Draw, Link, Owner};
use crate::records::in_group;

/// Width of the lines between the nodes of a flex, in pixels.
const LINE_WIDTH: f64 = 3.0;

/// A box of centre and half sizes, in some frame.
struct Bounds<'a> {
    aabb: &'a [f64; 6],
    pos: Vec3,
    mat: Option<Mat3>,
}

/// Adds the outline of a box; returns `false` if the scene is full.
fn outline(draw: &mut Draw<'_>, id: usize, bounds: Bounds<'_>, rgba: [f32; 4]) -> bool {
    let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Unknown, id)) else { return false };
    let (center, half) = (Vec3::from_slice(bounds.aabb), Vec3::from_slice(&bounds.aabb[3..]));
    let pos = bounds.mat.map_or(center, |mat| mat * center + bounds.pos);
    geom.init(GeomType::Linebox, Some(half), Some(pos), bounds.mat, Some(rgba));
    draw.push(geom);
    true
}

/// Whether a node of a tree has no children.
fn leaf(draw: &Draw<'_>, node: usize) -> bool {
    draw.m.bvh_child[node] == [-1, -1]
}

/// Whether a node is shown: a node of the chosen depth, or a leaf above it.
fn shown(draw: &Draw<'_>, node: usize) -> bool {
    let (depth, wanted) = (draw.m.bvh_depth[node], draw.opt.bvh_depth);
    depth == wanted || (leaf(draw, node) && depth < wanted)
}

/// Whether a node was active in the last collision detection and activity is shown.
fn active(draw: &Draw<'_>, node: usize) -> bool {
    draw.m.vis.global.bvactive != 0 && draw.d.bvh_active[node].get()
}

fn color(draw: &Draw<'_>, node: usize) -> [f32; 4] {
    let rgba = &draw.m.vis.rgba;
    if active(draw, node) { rgba.bvactive } else { rgba.bv }
}

pub(super) fn bodies(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Bodybvh) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    let end = |b: BodyId| m.body_bvhadr[b] + m.body_bvhnum[b];
    let mut bodies = m.bodies().peekable();
    for node in (0..m.nbvhstatic).filter(|&node| shown(draw, node)).collect::<Vec<_>>() {
        // the body whose tree contains the node; the trees of meshes follow the last body's
        while bodies.next_if(|&b| node as i32 >= end(b)).is_some() {}
        let Some(&b) = bodies.peek() else { return };

        // a leaf has the box of its geom
        let bounds = if leaf(draw, node) {
            let g = GeomId::new(m.bvh_nodeid[node] as usize);
            Bounds { aabb: &m.geom_aabb[g], pos: d.geom_xpos[g], mat: Some(d.geom_xmat[g]) }
        } else {
            Bounds { aabb: &m.bvh_aabb[node], pos: d.xipos[b], mat: Some(d.ximat[b]) }
        };
        let rgba = color(draw, node);
        if !outline(draw, node, bounds, rgba) {
            return;
        }
    }
}

pub(super) fn flexes(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Meshbvh) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for f in 0..m.nflex {
        if m.flex_bvhnum[f] > 0 && in_group(&draw.opt.flexgroup, m.flex_group[f]) {
            let first = m.flex_bvhadr[f] as usize;
            for node in first..first + m.flex_bvhnum[f] as usize {
                if shown(draw, node) {
                    let aabb = &d.bvh_aabb_dyn[node - m.nbvhstatic];
                    let rgba = color(draw, node);
                    if !outline(draw, node, Bounds { aabb, pos: Vec3::ZERO, mat: None }, rgba) {
                        return;
                    }
                }
            }
        }
        if m.flex_interp[f] != 0 {
            lattice(draw, f);
        }
    }
}

/// The lattice of nodes of an interpolated flex.
fn lattice(draw: &mut Draw<'_>, f: usize) {
    let (m, d) = (draw.m, draw.d);
    let first = m.flex_nodeadr[f] as usize;
    let node = |i: usize| {
        let body = m.flex_nodebodyid[first + i];
        if m.flex_centered[f].get() {
            d.xpos[body]
        } else {
            d.xmat[body] * m.flex_node[first + i] + d.xpos[body]
        }
    };

    // lines between neighbouring nodes along each axis
    let n = m.flex_interp[f] as usize + 1;
    let steps = [n * n, n, 1];
    for i in 0..n {
        for j in 0..n {
            for k in 0..n {
                let here = n * n * i + n * j + k;
                for (place, step) in [i, j, k].into_iter().zip(steps) {
                    if place + 1 < n {
                        let (kind, width) = (GeomType::Line, LINE_WIDTH);
                        let link = Link { kind, width, from: node(here), to: node(here + step) };
                        draw.link(Owner::decor(ObjType::Unknown, i), link, None);
                    }
                }
            }
        }
    }
}

/// Trees of meshes. MuJoCo uses the id of a height field as a mesh id here; so does Sinew if such a
/// mesh exists.
pub(super) fn meshes(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Meshbvh) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for g in m.geoms() {
        let Ok(mesh) = usize::try_from(m.geom_dataid[g]) else { continue };
        if mesh >= m.nmesh || m.geom_type[g] == GeomType::Sdf || m.mesh_octadr[mesh] >= 0 {
            continue;
        }
        let first = m.mesh_bvhadr[mesh].max(0) as usize;
        for node in first..first + m.mesh_bvhnum[mesh].max(0) as usize {
            // if active nodes are highlighted, inactive nodes are hidden
            if !shown(draw, node) || (m.vis.global.bvactive != 0 && !active(draw, node)) {
                continue;
            }
            let (pos, mat) = (d.geom_xpos[g], Some(d.geom_xmat[g]));
            let rgba = color(draw, node);
            let bounds = Bounds { aabb: &m.bvh_aabb[node], pos, mat };
            if !outline(draw, node, bounds, rgba) {
                return;
            }
        }
    }
}

pub(super) fn octrees(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Meshbvh) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for g in m.geoms() {
        let Ok(mesh) = usize::try_from(m.geom_dataid[g]) else { continue };
        if mesh >= m.nmesh || m.geom_type[g] == GeomType::Hfield {
            continue;
        }
        let Ok(first) = usize::try_from(m.mesh_octadr[mesh]) else { continue };
        for cell in first..first + m.mesh_octnum[mesh].max(0) as usize {
            if m.oct_depth[cell] == draw.opt.bvh_depth {
                let (pos, mat) = (d.geom_xpos[g], Some(d.geom_xmat[g]));
                let bounds = Bounds { aabb: &m.oct_aabb[cell], pos, mat };
                if !outline(draw, cell, bounds, m.vis.rgba.bv) {
                    return;
                }
            }
        }
    }
}
