//! Copies flexes into the model.

use std::collections::BTreeSet;

use sinew_model::enums::EqType;
use sinew_model::{BodyId, FlexId, MatId, Maybe, Model};

use crate::compile::cx::Cx;
use crate::compile::deformable::flex::FlexRec;
use crate::compile::objects::equality::EqualityRec;
use crate::compile::rows::put;
use crate::compile::world::World;

/// Sets the sizes that depend on flexes.
pub(crate) fn count_flexes(cx: &Cx<'_>, recs: &[FlexRec], m: &mut Model) {
    m.nflex = recs.len();
    for rec in recs {
        m.nflexnode += rec.nodebody.len();
        m.nflexvert += rec.vert.len();
        m.nflexedge += rec.edges.edge.len();
        m.nflexelem += rec.elements.len() / (rec.dim + 1);
        m.nflexelemdata += rec.elements.len();
        m.nflexelemedge += rec.edges.of_elem.len();
        m.nflexshelldata += rec.shell.shell.len();
        m.nflexevpair += rec.shell.evpair.len();
        m.nflextexcoord += rec.elem.texcoord.get().map_or(0, Vec::len) / 2;
        m.nbvhdynamic += rec.bvh.len();
        if !rec.interpolated && !rec.rigid {
            let (edges, verts) = jacobian_sizes(&cx.world, rec);
            m.nJfe += edges;
            m.nJfv += verts;
        }
    }
}

/// Entries of the Jacobians of edges and of vertices: a vertex moves with all its neighbours.
fn jacobian_sizes(world: &World, rec: &FlexRec) -> (usize, usize) {
    let body = |v: i32| rec.vertbody[v as usize].unwrap_or(0);
    let dofs = |bodies: &BTreeSet<usize>| {
        let mut all = BTreeSet::new();
        for &b in bodies {
            let mut b = b;
            while b != 0 && all.insert(b) {
                b = world.bodies[b].parent;
            }
        }
        all.iter().map(|&b| world.bodies[b].dofnum).sum::<usize>()
    };
    let mut near: Vec<BTreeSet<usize>> =
        rec.vertbody.iter().map(|b| BTreeSet::from([b.unwrap_or(0)])).collect();
    let mut edges = 0;
    for &[a, b] in &rec.edges.edge {
        edges += dofs(&BTreeSet::from([body(a), body(b)]));
        near[a as usize].insert(body(b));
        near[b as usize].insert(body(a));
    }
    (edges, near.iter().map(dofs).sum())
}

/// Rows of all tables that flexes before have taken.
#[derive(Clone, Copy, Default)]
struct Rows {
    node: usize,
    vert: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shelldata: usize,
    evpair: usize,
    texcoord: usize,
    bvh: usize,
}

/// Copies the flexes into the model; their bounding volumes follow all others.
pub(crate) fn store_flexes(
    cx: &Cx<'_>,
    recs: &[FlexRec],
    equalities: &[EqualityRec],
    m: &mut Model,
) {
    let mut at = Rows { bvh: m.nbvhstatic, ..Rows::default() };
    for (i, rec) in recs.iter().enumerate() {
        let f = FlexId::new(i);
        store_contact(rec, f, m);
        store_flags(rec, f, m);
        m.flex_edgeequality[f] = edge_equality(rec, equalities);
        store_addresses(rec, f, &at, m);
        store_vertices(rec, &at, m);
        store_edges(&cx.world, rec, &at, m);
        store_elements(rec, &at, m);
        at = next_rows(rec, at);
    }
}

/// The constraints that hold the edges: the first equality that names the flex decides.
fn edge_equality(rec: &FlexRec, equalities: &[EqualityRec]) -> i32 {
    let kinds = [(EqType::Flex, 1), (EqType::Flexvert, 2)];
    let of_flex = |eq: &&EqualityRec| {
        eq.elem.flex.text() == rec.elem.name.text()
            && kinds.iter().any(|(kind, _)| *kind == eq.elem.kind)
    };
    let kind = equalities.iter().find(of_flex).map(|eq| eq.elem.kind);
    kinds.iter().find(|(k, _)| Some(*k) == kind).map_or(0, |(_, number)| *number)
}

/// Fields that geoms have too.
fn store_contact(rec: &FlexRec, f: FlexId, m: &mut Model) {
    let (elem, contact) = (&rec.elem, &rec.elem.contact);
    m.flex_contype[f] = contact.values().contype();
    m.flex_conaffinity[f] = contact.values().conaffinity();
    m.flex_condim[f] = contact.values().condim();
    m.flex_priority[f] = contact.values().priority();
    m.flex_solmix[f] = contact.values().solmix();
    m.flex_solref[f] = contact.values().solref();
    m.flex_solimp[f] = contact.values().solimp();
    m.flex_friction[f] = contact.values().friction().into();
    m.flex_margin[f] = contact.values().margin();
    m.flex_gap[f] = contact.values().gap();
    m.flex_radius[f] = elem.values().radius();
    m.flex_size[f] = rec.size;
    m.flex_matid[f] = rec.matid.map(MatId::new).into();
    m.flex_group[f] = elem.values().group();
    m.flex_rgba[f] = elem.values().rgba();
}

fn store_flags(rec: &FlexRec, f: FlexId, m: &mut Model) {
    let (elem, contact) = (&rec.elem, &rec.elem.contact);
    m.flex_internal[f] = contact.values().internal().into();
    m.flex_selfcollide[f] = contact.values().selfcollide().0;
    m.flex_activelayers[f] = contact.values().activelayers();
    m.flex_passive[f] = contact.values().passive().into();
    m.flex_dim[f] = rec.dim as i32;
    m.flex_interp[f] = rec.order;
    m.flex_damping[f] = elem.elasticity.values().damping();
    m.flex_edgestiffness[f] = elem.edge.values().stiffness();
    m.flex_edgedamping[f] = elem.edge.values().damping();
    m.flex_rigid[f] = rec.rigid.into();
    m.flex_centered[f] = rec.centered.into();
    m.flex_flatskin[f] = elem.values().flatskin().into();
}

fn store_addresses(rec: &FlexRec, f: FlexId, at: &Rows, m: &mut Model) {
    let some = |any: bool, adr: usize| if any { adr as i32 } else { -1 };
    m.flex_nodeadr[f] = at.node as i32;
    m.flex_nodenum[f] = rec.nodebody.len() as i32;
    m.flex_vertadr[f] = at.vert as i32;
    m.flex_vertnum[f] = rec.vert.len() as i32;
    m.flex_edgeadr[f] = at.edge as i32;
    m.flex_edgenum[f] = rec.edges.edge.len() as i32;
    m.flex_elemadr[f] = at.elem as i32;
    m.flex_elemnum[f] = (rec.elements.len() / (rec.dim + 1)) as i32;
    m.flex_elemdataadr[f] = at.elemdata as i32;
    m.flex_elemedgeadr[f] = at.elemedge as i32;
    let shells = rec.shell.shell.len() / rec.dim;
    m.flex_shellnum[f] = shells as i32;
    m.flex_shelldataadr[f] = some(shells > 0, at.shelldata);
    m.flex_evpairadr[f] = some(!rec.shell.evpair.is_empty(), at.evpair);
    m.flex_evpairnum[f] = rec.shell.evpair.len() as i32;
    m.flex_texcoordadr[f] = some(rec.elem.texcoord.is_set(), at.texcoord);
    m.flex_bvhadr[f] = some(!rec.bvh.is_empty(), at.bvh);
    m.flex_bvhnum[f] = rec.bvh.len() as i32;
}

fn store_vertices(rec: &FlexRec, at: &Rows, m: &mut Model) {
    let bodies = rec.vertbody.iter().map(|b| Maybe::from(b.map(BodyId::new)));
    put(&mut m.flex_vertbodyid, at.vert, &bodies.collect::<Vec<_>>());
    if rec.interpolated || !rec.centered {
        put(&mut m.flex_vert, at.vert, &rec.vert);
    }
    put(&mut m.flex_vert0, at.vert, &rec.vert0);
    let bodies: Vec<BodyId> = rec.nodebody.iter().map(|&b| BodyId::new(b)).collect();
    put(&mut m.flex_nodebodyid, at.node, &bodies);
    if !rec.centered {
        put(&mut m.flex_node, at.node, &rec.node);
    }
    put(&mut m.flex_node0, at.node, &rec.node0);
    let texcoord = rec.elem.values().texcoord().to_vec();
    let pairs: Vec<[f32; 2]> = texcoord.chunks_exact(2).map(|t| [t[0], t[1]]).collect();
    put(&mut m.flex_texcoord, at.texcoord, &pairs);
}

fn store_edges(world: &World, rec: &FlexRec, at: &Rows, m: &mut Model) {
    let bends = rec.dim == 2 && rec.elem.elasticity.elastic2d.get().is_some_and(|e| e.0 & 1 != 0);
    put(&mut m.flex_edge, at.edge, &rec.edges.edge);
    put(&mut m.flex_bending, at.edge, &rec.bending);
    let weld = |v: i32| rec.vertbody[v as usize].map(|b| world.bodies[b].weld);
    for (i, &[a, b]) in rec.edges.edge.iter().enumerate() {
        let e = at.edge + i;
        m.flex_edgeflap[e] = if bends { rec.edges.flap[i] } else { [-1; 2] };
        let welded = !rec.interpolated && weld(a) == weld(b);
        m.flexedge_rigid[e] = (rec.rigid || welded).into();
    }
}

fn store_elements(rec: &FlexRec, at: &Rows, m: &mut Model) {
    put(&mut m.flex_elem, at.elemdata, &rec.elements);
    let texcoord = if rec.elemtexcoord.is_empty() { &rec.elements } else { &rec.elemtexcoord };
    put(&mut m.flex_elemtexcoord, at.elemdata, &texcoord[..rec.elements.len()]);
    put(&mut m.flex_elemedge, at.elemedge, &rec.edges.of_elem);
    put(&mut m.flex_elemlayer, at.elem, &rec.shell.layer);
    put(&mut m.flex_shell, at.shelldata, &rec.shell.shell);
    put(&mut m.flex_evpair, at.evpair, &rec.shell.evpair);
    let rows = rec.stiffness.chunks_exact(21);
    for (row, values) in m.flex_stiffness.iter_mut().skip(at.elem).zip(rows) {
        row.copy_from_slice(values);
    }
    put(&mut m.bvh_depth, at.bvh, &rec.bvh.depth);
    put(&mut m.bvh_child, at.bvh, &rec.bvh.child);
    put(&mut m.bvh_nodeid, at.bvh, &rec.bvh.nodeid);
}

fn next_rows(rec: &FlexRec, at: Rows) -> Rows {
    Rows {
        node: at.node + rec.nodebody.len(),
        vert: at.vert + rec.vert.len(),
        edge: at.edge + rec.edges.edge.len(),
        elem: at.elem + rec.elements.len() / (rec.dim + 1),
        elemdata: at.elemdata + rec.elements.len(),
        elemedge: at.elemedge + rec.edges.of_elem.len(),
        shelldata: at.shelldata + rec.shell.shell.len(),
        evpair: at.evpair + rec.shell.evpair.len(),
        texcoord: at.texcoord + rec.elem.texcoord.get().map_or(0, Vec::len) / 2,
        bvh: at.bvh + rec.bvh.len(),
    }
}
