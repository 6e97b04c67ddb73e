//! Pairs of geoms that may collide, and the rows of their contacts.

use std::collections::BTreeSet;

use sinew_engine::contact_param;
use sinew_kernel::contact::{Rooms, kind};
use sinew_kernel::real::Real;
use sinew_model::enums::{ConeType, DisableBit, EnableBit, GeomType};
use sinew_model::{BodyId, Contact, GeomId, Model, PairId};

use super::blob::Blob;
use super::bodies::{by_components, by_rows, reals};
use super::constraints::response;
use super::hulls;

/// Bytes of a workspace for the contacts of a world, and for places of pairs that are near. Worlds
/// that need more are stepped by the engine. Only models with hundreds of pairs have more.
const MOST_BYTES: usize = 2 << 20;

/// Searches for contacts at once: half a warp, as each has 30 kB of scratch.
const LANES: usize = 16;

/// The largest polytope of a search: 35 iterations, the default, need no more. A world with a
/// search that does is stepped by the engine.
const MOST_VERTICES: usize = 64;
const MOST_FACES: usize = 256;

/// The geoms of pairs that may collide, each pair ordered by type.
pub(super) fn candidates(m: &Model) -> Vec<[GeomId; 2]> {
    let on = |bit| !m.opt.disabled(bit);
    if !on(DisableBit::Constraint) || !on(DisableBit::Contact) {
        return Vec::new();
    }
    let mut pairs: Vec<[GeomId; 2]> = Vec::new();
    let explicit = |p: usize| [m.pair_geom1[PairId::new(p)], m.pair_geom2[PairId::new(p)]];
    pairs.extend((0..m.npair).map(|p| by_type(m, explicit(p))));
    let explicit = pairs.clone();
    for g1 in 0..m.ngeom {
        for g2 in g1 + 1..m.ngeom {
            let pair = by_type(m, [GeomId::new(g1), GeomId::new(g2)]);
            if may_collide(m, pair) && !explicit.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    pairs.retain(|&[g1, g2]| {
        m.geom_type[g2].0 > GeomType::Hfield.0 && !pattern(m, g1, g2).is_empty()
    });

    // in the engine's order: by bodies, explicit pairs first
    pairs.sort_by_key(|pair| {
        let mut bodies = pair.map(|g| m.geom_bodyid[g]);
        bodies.sort_unstable();
        let in_tree =
            bodies.iter().any(|&b| m.body_geomnum[b] > 1) && !m.opt.disabled(DisableBit::Midphase);
        let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        let by_type = if in_tree { *pair } else { [low, high] };
        let place = explicit.iter().position(|other| other == pair);
        (bodies, place.unwrap_or(usize::MAX), by_type)
    });
    pairs
}

fn by_type(m: &Model, [g1, g2]: [GeomId; 2]) -> [GeomId; 2] {
    if m.geom_type[g1].0 > m.geom_type[g2].0 { [g2, g1] } else { [g1, g2] }
}

/// Whether the bits and the bodies of two geoms let them collide.
fn may_collide(m: &Model, [g1, g2]: [GeomId; 2]) -> bool {
    let bits =
        m.geom_contype[g1] & m.geom_conaffinity[g2] | m.geom_contype[g2] & m.geom_conaffinity[g1];
    let bodies = [m.geom_bodyid[g1], m.geom_bodyid[g2]];
    let weld = bodies.map(|b| m.body_weldid[b]);
    let parent = weld.map(|b| m.body_weldid[m.body_parentid[b]]);
    let fixed = weld.contains(&BodyId::WORLD);
    let related = weld[0] == parent[1] || weld[1] == parent[0];
    let filters = !m.opt.disabled(DisableBit::Filterparent);
    let [low, high] = if bodies[0] < bodies[1] { bodies } else { [bodies[1], bodies[0]] };
    let signature = ((low.idx() as u32) << 16).wrapping_add(high.idx() as u32);
    let excluded = m.exclude_signature.iter().any(|&s| s as u32 == signature);
    bits != 0 && weld[0] != weld[1] && (fixed || !related || !filters) && !excluded
}

/// How the kernel finds the contacts of a pair, and the most that it finds; none if it does not.
pub(super) fn formula(m: &Model, [g1, g2]: [GeomId; 2]) -> Option<(u32, u32)> {
    use GeomType as G;
    let native = !m.opt.disabled(DisableBit::Nativeccd);
    let is_convex = |kind: G| (G::Sphere.0..=G::Mesh.0).contains(&kind.0);
    match (m.geom_type[g1], m.geom_type[g2]) {
        (G::Plane, G::Sphere) => Some((kind::PLANE_SPHERE, 1)),
        (G::Plane, G::Capsule) => Some((kind::PLANE_CAPSULE, 2)),
        (G::Plane, G::Cylinder | G::Box) => Some((kind::PLANE_SHAPE, 4)),
        // one that was fitted to a mesh has contacts at vertices of the mesh too
        (G::Plane, G::Ellipsoid | G::Mesh) => Some((kind::PLANE_SHAPE, 3)),
        (G::Sphere, G::Sphere) => Some((kind::SPHERE_SPHERE, 1)),
        (G::Sphere, G::Capsule) => Some((kind::SPHERE_CAPSULE, 1)),
        (G::Sphere, G::Cylinder | G::Box) => Some((kind::SHAPES, 1)),
        (G::Capsule, G::Capsule) => Some((kind::CAPSULE_CAPSULE, 2)),
        (G::Capsule, G::Box) => Some((kind::SHAPES, 2)),
        (G::Box, G::Box) => Some((kind::SHAPES, 24)),
        (G::Hfield, other) if native && is_convex(other) => Some((kind::TERRAIN, 50)),
        // one, and those of four turns, or a quadrilateral
        (first, second) if native && is_convex(first) && is_convex(second) => {
            Some((kind::CONVEX, if m.opt.enabled(EnableBit::Multiccd) { 5 } else { 1 }))
        }
        _ => None,
    }
}

/// The dofs that move one of two bodies alone, rising, each with 0 for the first body and 1 for the
/// second.
fn pattern(m: &Model, g1: GeomId, g2: GeomId) -> Vec<(u32, u32)> {
    let [first, second] = [g1, g2].map(|g| chain(m, m.geom_bodyid[g]));
    let mut dofs: Vec<(u32, u32)> = Vec::new();
    dofs.extend(first.iter().filter(|v| !second.contains(v)).map(|&v| (v, 0)));
    dofs.extend(second.iter().filter(|v| !first.contains(v)).map(|&v| (v, 1)));
    dofs.sort_unstable();
    dofs
}

/// The dofs that contacts of a body have.
pub(super) fn contact_dofs(m: &Model, body: BodyId) -> BTreeSet<u32> {
    let of_body = |&[g1, g2]: &[GeomId; 2]| [g1, g2].map(|g| m.geom_bodyid[g]).contains(&body);
    let pairs = candidates(m).into_iter().filter(of_body);
    pairs.flat_map(|[g1, g2]| pattern(m, g1, g2)).map(|(v, _)| v).collect()
}

/// Whether contacts of a body may lie within a gap, where they have no rows.
pub(super) fn has_gaps(m: &Model, body: BodyId) -> bool {
    let of_body = |&[g1, g2]: &[GeomId; 2]| [g1, g2].map(|g| m.geom_bodyid[g]).contains(&body);
    candidates(m).into_iter().filter(of_body).any(|[g1, g2]| gap(m, g1, g2) != 0.0)
}

/// The geoms of pairs, rising.
fn geoms_of(pairs: &[[GeomId; 2]]) -> Vec<GeomId> {
    let mut geoms: Vec<GeomId> = pairs.iter().flatten().copied().collect();
    geoms.sort_unstable();
    geoms.dedup();
    geoms
}

/// The place of a geom among those that may collide.
pub(super) fn colliding(m: &Model, g: GeomId) -> Option<u32> {
    geoms_of(&candidates(m)).binary_search(&g).ok().map(|place| place as u32)
}

/// Whether all contacts have rows: the kernel knows no others.
pub(super) fn all_have_rows(m: &Model) -> bool {
    let explicit = |p: usize| [m.pair_geom1[PairId::new(p)], m.pair_geom2[PairId::new(p)]];
    let moves = |[g1, g2]: [GeomId; 2]| !pattern(m, g1, g2).is_empty();
    (0..m.npair).map(explicit).all(moves)
        && candidates(m).into_iter().all(|[g1, g2]| gap(m, g1, g2) == 0.0)
}

/// The dofs that move a body.
pub(super) fn chain(m: &Model, mut b: BodyId) -> Vec<u32> {
    let mut dofs = Vec::new();
    while b != BodyId::WORLD {
        dofs.extend(m.body_dofs(b).map(|v| v.idx() as u32));
        b = m.body_parentid[b];
    }
    dofs
}

pub(super) fn add<R: Real>(m: &Model, blob: &mut Blob<R>) {
    let pairs = candidates(m);
    let geoms = geoms_of(&pairs);
    let place = |g: GeomId| geoms.binary_search(&g).map_or(0, |i| i as u32);
    blob.counts.ngeom = geoms.len() as u32;
    blob.geom_body = geoms.iter().map(|&g| m.geom_bodyid[g].idx() as u32).collect();
    let pos: Vec<[f64; 3]> = geoms.iter().map(|&g| m.geom_pos[g].into()).collect();
    let quat: Vec<[f64; 4]> = geoms.iter().map(|&g| m.geom_quat[g].to_array()).collect();
    let size = |g: GeomId| match m.geom_type[g] {
        GeomType::Plane => [0.0; 3],
        GeomType::Sphere => [m.geom_size[g].x, 0.0, 0.0],
        _ => m.geom_size[g].into(),
    };
    let size: Vec<[f64; 3]> = geoms.iter().map(|&g| size(g)).collect();
    blob.geom_type = geoms.iter().map(|&g| m.geom_type[g].0 as u32).collect();
    blob.geom_pos = by_rows(&pos);
    blob.geom_quat = by_rows(&quat);
    blob.geom_size = by_rows(&size);
    (blob.work.geom_xpos, blob.work.geom_axis) = (3 * geoms.len(), 3 * geoms.len());

    blob.geom_rbound = reals(geoms.iter().map(|&g| m.geom_rbound[g]));
    let boxes: Vec<[f64; 6]> = geoms.iter().map(|&g| around(m, g)).collect();
    blob.geom_box = by_rows(&boxes);
    let polygon = hulls::add(m, &geoms, blob);

    // the pairs
    let ids = |k: usize| pairs.iter().map(move |pair| pair[k]).map(place).collect::<Vec<_>>();
    blob.pair_geom = [ids(0), ids(1)].concat();
    let (mut frictions, mut responses) = (Vec::new(), Vec::new());
    let (mut slots, mut rows, mut most_rows, mut width) = (0, 0, 0, 0);
    let elliptic = m.opt.cone == ConeType::Elliptic;
    blob.counts.elliptic = u32::from(elliptic);
    for &[g1, g2] in &pairs {
        let params = contact_param(m, g1, g2);
        let (dim, friction) = (params.dim as u32, params.friction);
        let margin = params.includemargin + gap(m, g1, g2);
        let (kind, most) = formula(m, [g1, g2]).unwrap_or((u32::MAX, 0));
        blob.pair_kind.push(kind);
        blob.pair_dim.push(dim);
        blob.pair_most.push(most);
        blob.pair_margin.push(R::of(margin));
        blob.pair_include.push(R::of(params.includemargin));
        // a little more than the balls, whose test is not to decide
        let reach = m.geom_rbound[g1] + m.geom_rbound[g2] + margin;
        blob.pair_reach.push(R::of(reach * (1.0 + 1e-6)));
        let weight = |g: GeomId| m.body_invweight0[m.geom_bodyid[g]][0];
        let tran = weight(g1) + weight(g2);
        let (slide, ratio) = (friction[0], m.opt.impratio.max(sinew_math::MINVAL));
        let pyramid = dim > 1 && !elliptic;
        blob.pair_diag.push(R::of(if pyramid { tran + slide * slide * tran } else { tran }));
        let of_edge = if dim > 1 { 2.0 * slide * slide / ratio } else { 1.0 };
        blob.pair_edge.push(R::of(if elliptic { 1.0 / ratio } else { of_edge }));
        blob.pair_mu.push(R::of(slide * (1.0 / ratio).sqrt()));
        blob.pair_slip.push(R::of(slip(m, &params)));
        frictions.push(friction);
        responses.push(response(m, params.solref, params.solimp));

        // the dofs of its rows
        blob.pattern_adr.push(blob.pattern_dof.len() as u32);
        let dofs = pattern(m, g1, g2);
        width = width.max(dofs.len());
        blob.pattern_dof.extend(dofs.iter().map(|&(v, _)| v));
        blob.pattern_sign.extend(dofs.iter().map(|&(_, sign)| sign));
        let rows_of_each = if pyramid { 2 * (dim as usize - 1) } else { dim as usize };
        slots += most as usize;
        rows += most as usize * rows_of_each;
        most_rows = most_rows.max(rows_of_each);
    }
    blob.pattern_adr.push(blob.pattern_dof.len() as u32);
    blob.pair_friction = by_components(&frictions);
    blob.response_rows.extend(responses);
    blob.counts.npair = pairs.len() as u32;
    blob.counts.width = width as u32;
    blob.dof_root = m.dofs().map(|v| blob.body_root[m.dof_bodyid[v].idx()]).collect();

    searches(m, polygon, blob);

    // the workspace of the maximum number of contacts
    let number = size_of::<R>();
    let of_row = (width + 7) * number + 4;
    let of_contact = 9 * number + 16 + most_rows * of_row;
    let contacts = slots.min(MOST_BYTES / of_contact);
    let rows = rows.min(contacts * most_rows);
    let slots = slots.min(MOST_BYTES / (10 * number));
    (blob.counts.nslot, blob.counts.ncontact) = (slots as u32, contacts as u32);
    let w = &mut blob.work;
    (w.near, w.pair_count, w.near_slot) = (pairs.len(), pairs.len(), 2 * pairs.len());
    (w.slot, w.frame) = (10 * slots, 9 * contacts);
    (w.con_slot, w.row_contact) = (contacts, rows);
    blob.most_rows += rows;
}

/// A box around a geom, in its frame: the centre, and half sizes.
fn around(m: &Model, g: GeomId) -> [f64; 6] {
    let size = m.geom_size[g];
    let half = match m.geom_type[g] {
        GeomType::Sphere => [size.x; 3],
        GeomType::Capsule => [size.x, size.x, size.x + size.y],
        GeomType::Cylinder => [size.x, size.x, size.y],
        GeomType::Ellipsoid | GeomType::Box => size.into(),
        _ => return m.geom_aabb[g],
    };
    [0.0, 0.0, 0.0, half[0], half[1], half[2]]
}

/// Damping of the tangents of an elliptic cone, by their own parameters. Without own parameters, or
/// with a mixture of both formats, the parameters of the normal count.
fn slip(m: &Model, params: &Contact) -> f64 {
    let own = params.solreffriction;
    let given = own != [0.0; 2] && (own[0] > 0.0) == (own[1] > 0.0);
    response(m, if given { own } else { params.solref }, params.solimp)[1]
}

/// Searches for contacts of pairs without a formula, and their scratch.
fn searches<R: Real>(m: &Model, polygon: usize, blob: &mut Blob<R>) {
    let convex = blob.pair_kind.iter().filter(|&&kind| kind >= kind::CONVEX).count();
    let iterations = m.opt.ccd_iterations.max(0) as usize;
    let multi = m.opt.enabled(EnableBit::Multiccd);
    let rooms = Rooms {
        vertices: (iterations + 6).min(MOST_VERTICES),
        faces: (6 * iterations + 12).min(MOST_FACES),
        polygon: if multi { polygon } else { 0 },
    };
    blob.scalars.ccd_tolerance = R::of(m.opt.ccd_tolerance);
    blob.counts.ccd_iterations = iterations as u32;
    blob.counts.multiccd = u32::from(multi);
    blob.counts.room_vertices = rooms.vertices as u32;
    blob.counts.room_faces = rooms.faces as u32;
    blob.counts.room_polygon = rooms.polygon as u32;
    let lanes = convex.min(LANES);
    blob.counts.nlane = lanes as u32;
    blob.work.near_convex = blob.pair_kind.len().min(convex);
    blob.work.pair_axis = if convex > 0 { 4 * blob.pair_kind.len() } else { 0 };
    blob.work.scratch = 2 * rooms.words() * lanes;
}

/// Part of the margin of a pair in which contacts have no rows.
fn gap(m: &Model, g1: GeomId, g2: GeomId) -> f64 {
    let is_pair = |p: &PairId| {
        let pair = [m.pair_geom1[*p], m.pair_geom2[*p]];
        pair == [g1, g2] || pair == [g2, g1]
    };
    let pair = (0..m.npair).map(PairId::new).find(is_pair);
    pair.map_or(m.geom_gap[g1] + m.geom_gap[g2], |p| m.pair_gap[p])
}
