//! Blocks of rows that stand in the model: limits of balls, limits of tendons, equalities, dry
//! friction of tendons; in this order.

use sinew_kernel::equality::kind;
use sinew_kernel::real::Real;
use sinew_math::MINVAL;
use sinew_model::enums::{EqType, JointType, ObjType};
use sinew_model::{BodyId, EqId, JointId, Model, SiteId};

use super::blob::Blob;
use super::bodies::{NONE, by_components, by_rows};
use super::constraints::{limited, response};
use super::pairs::chain;
use super::tendons::{self, Tendons};

/// A block of rows.
#[derive(Default)]
struct Block {
    /// Joint of a ball, or tendon.
    object: u32,
    range: [f64; 2],
    margin: f64,
    /// Inverse inertia of the rows, and of the turn of a weld.
    diag: [f64; 2],
    response: [f64; 7],
    rows: usize,
    dofs: Vec<u32>,
    /// Tendons whose derivatives the rows are made of.
    tendons: [Option<usize>; 2],
}

pub(super) fn add<R: Real>(m: &Model, tendons: &Tendons, blob: &mut Blob<R>) {
    let balls: Vec<Block> = limited(m)
        .into_iter()
        .filter(|&j| m.jnt_type[j] == JointType::Ball)
        .map(|j| ball(m, j))
        .collect();
    blob.counts.nball = balls.len() as u32;
    let limits: Vec<Block> = tendons::limited(m)
        .into_iter()
        .map(|t| Block {
            range: m.tendon_range[t],
            margin: m.tendon_margin[t],
            diag: [m.tendon_invweight0[t], 0.0],
            response: response(m, m.tendon_solref_lim[t], m.tendon_solimp_lim[t]),
            rows: 2,
            ..of_tendon(tendons, tendons.place(t))
        })
        .collect();
    blob.counts.ntenlimit = limits.len() as u32;
    let equalities = equalities(m, tendons, blob);
    let rubbing = frictions(m, tendons, blob);

    // all of them as tables
    let blocks: Vec<Block> =
        balls.into_iter().chain(limits).chain(equalities).chain(rubbing).collect();
    blob.counts.nstanding = blocks.len() as u32;
    blob.standing_object = blocks.iter().map(|block| block.object).collect();
    let table = |of: &dyn Fn(&Block) -> [f64; 2]| -> Vec<R> {
        by_components(&blocks.iter().map(of).collect::<Vec<_>>())
    };
    blob.standing_range = table(&|block| block.range);
    blob.standing_diag = table(&|block| block.diag);
    blob.standing_margin = blocks.iter().map(|block| R::of(block.margin)).collect();
    blob.response_rows.extend(blocks.iter().map(|block| block.response));
    let mut width = blob.counts.width as usize;
    let mut rows = 0;
    for block in &blocks {
        for &v in &block.dofs {
            let entry = |k: usize| block.tendons[k].and_then(|t| tendons.entry(t, v));
            blob.couple_first.push(entry(0).unwrap_or(NONE));
            blob.couple_second.push(entry(1).unwrap_or(NONE));
        }
        blob.pattern_dof.extend(&block.dofs);
        blob.pattern_adr.push(blob.pattern_dof.len() as u32);
        width = width.max(block.dofs.len());
        rows += block.rows;
    }
    blob.counts.width = width as u32;
    blob.most_rows += rows;

    // the workspace of the maximum number of blocks
    let contacts = blob.counts.ncontact as usize;
    let w = &mut blob.work;
    (w.held, w.held_rows) = (24 * blocks.len(), blocks.len());
    (w.con_pair, w.con_active) = (contacts + blocks.len(), contacts + blocks.len());
    (w.con_row, w.row_contact) = (contacts + blocks.len() + 1, w.row_contact + rows);
    w.J = w.row_contact * width;
    if blob.counts.elliptic != 0 {
        (w.cone_J, w.cone_bend) = (2 * contacts * width, contacts);
    }
    for i in 0..width as u32 {
        blob.corner_row.extend((0..=i).map(|_| i));
        blob.corner_col.extend(0..=i);
    }
}

fn ball(m: &Model, j: JointId) -> Block {
    let [lo, hi] = m.jnt_range[j];
    let dof = m.jnt_dofadr[j];
    Block {
        object: j.idx() as u32,
        range: [lo.max(hi), 0.0],
        margin: m.jnt_margin[j],
        diag: [m.dof_invweight0[dof], 0.0],
        response: response(m, m.jnt_solref[j], m.jnt_solimp[j]),
        rows: 1,
        dofs: m.jnt_dofs(j).map(|v| v.idx() as u32).collect(),
        ..Block::default()
    }
}

/// A block whose rows are the derivative of a tendon's length.
fn of_tendon(tendons: &Tendons, place: Option<usize>) -> Block {
    let mut dofs: Vec<u32> = place.into_iter().flat_map(|place| tendons.dofs(place)).collect();
    dofs.sort_unstable();
    let object = place.map_or(NONE, |place| place as u32);
    Block { object, dofs, tendons: [place, None], ..Block::default() }
}

/// Dry friction of tendons, beside the dofs'.
fn frictions<R: Real>(m: &Model, tendons: &Tendons, blob: &mut Blob<R>) -> Vec<Block> {
    let rubbing = tendons::rubbing(m);
    for &t in &rubbing {
        let (solref, solimp) = (m.tendon_solref_fri[t], m.tendon_solimp_fri[t]);
        let [_, b, imp, _] = sinew_engine::row_response(m, solref, solimp, 0.0);
        let r = ((1.0 - imp) * m.tendon_invweight0[t] / imp).max(MINVAL);
        blob.friction_loss.push(R::of(m.tendon_frictionloss[t]));
        blob.friction_D.push(R::of(1.0 / r));
        blob.friction_b.push(R::of(b));
    }
    rubbing.into_iter().map(|t| Block { rows: 1, ..of_tendon(tendons, tendons.place(t)) }).collect()
}

/// The numbers of an equality that the kernel reads.
#[derive(Default)]
struct Numbers {
    kind: u32,
    objects: [u32; 2],
    anchors: [[f64; 3]; 2],
    turns: [[f64; 4]; 2],
    scale: f64,
    coef: [f64; 5],
    reference: [f64; 2],
}

fn equalities<R: Real>(m: &Model, tendons: &Tendons, blob: &mut Blob<R>) -> Vec<Block> {
    let ids = tendons::equalities(m);
    blob.counts.nequality = ids.len() as u32;
    blob.eq_id = ids.iter().map(|e| e.idx() as u32).collect();
    let all: Vec<(Block, Numbers)> = ids
        .iter()
        .map(|&e| match m.eq_type[e] {
            EqType::Connect | EqType::Weld => frames(m, e),
            _ => coupling(m, e, tendons),
        })
        .collect();

    // both bodies' numbers one after the other
    let both = |k: usize| all.iter().map(move |(_, numbers)| (k, numbers));
    let sides = || both(0).chain(both(1));
    blob.eq_kind = all.iter().map(|(_, numbers)| numbers.kind).collect();
    blob.eq_object = sides().map(|(k, numbers)| numbers.objects[k]).collect();
    blob.eq_anchor = by_rows(&sides().map(|(k, numbers)| numbers.anchors[k]).collect::<Vec<_>>());
    blob.eq_turn = by_rows(&sides().map(|(k, numbers)| numbers.turns[k]).collect::<Vec<_>>());
    blob.eq_ref = sides().map(|(k, numbers)| R::of(numbers.reference[k])).collect();
    blob.eq_scale = all.iter().map(|(_, numbers)| R::of(numbers.scale)).collect();
    blob.eq_coef = by_components(&all.iter().map(|(_, numbers)| numbers.coef).collect::<Vec<_>>());
    all.into_iter().map(|(block, _)| block).collect()
}

/// A connect or weld, of bodies or of sites.
fn frames(m: &Model, e: EqId) -> (Block, Numbers) {
    let (data, weld) = (&m.eq_data[e], m.eq_type[e] == EqType::Weld);
    let ids = [m.eq_obj1id[e], m.eq_obj2id[e]].map(|id| id.max(0) as usize);
    let three = |at: usize| [data[at], data[at + 1], data[at + 2]];
    let unturned = [1.0, 0.0, 0.0, 0.0];
    let (bodies, anchors, turns);
    if m.eq_objtype[e] == ObjType::Body {
        bodies = ids.map(BodyId::new);
        // a weld has the anchor in its second body first
        anchors = if weld { [three(3), three(0)] } else { [three(0), three(3)] };
        turns = [[data[6], data[7], data[8], data[9]], unturned];
    } else {
        let sites = ids.map(SiteId::new);
        bodies = sites.map(|s| m.site_bodyid[s]);
        anchors = sites.map(|s| m.site_pos[s].into());
        turns = sites.map(|s| m.site_quat[s].to_array());
    }
    let mut dofs = [chain(m, bodies[0]), chain(m, bodies[1])].concat();
    dofs.sort_unstable();
    dofs.dedup();
    let weight = |k: usize| bodies.iter().map(|&b| m.body_invweight0[b][k]).sum();
    let block = Block {
        diag: [weight(0), weight(1)],
        response: response(m, m.eq_solref[e], m.eq_solimp[e]),
        rows: if weld { 6 } else { 3 },
        dofs,
        ..Block::default()
    };
    let kind = if weld { kind::WELD } else { kind::CONNECT };
    let objects = bodies.map(|b| b.idx() as u32);
    (block, Numbers { kind, objects, anchors, turns, scale: data[10], ..Numbers::default() })
}

/// A joint or a tendon that follows another.
fn coupling(m: &Model, e: EqId, tendons: &Tendons) -> (Block, Numbers) {
    let places = tendons.coupled(m, e);
    let mut dofs: Vec<u32> =
        places.into_iter().flatten().flat_map(|place| tendons.dofs(place)).collect();
    dofs.sort_unstable();
    dofs.dedup();
    let reference = |id: i32| {
        let Ok(id) = usize::try_from(id) else { return [0.0; 2] };
        if m.eq_type[e] == EqType::Joint {
            let j = JointId::new(id);
            [m.qpos0[m.jnt_qposadr[j] as usize], m.dof_invweight0[m.jnt_dofadr[j]]]
        } else {
            let t = sinew_model::TendonId::new(id);
            [m.tendon_length0[t], m.tendon_invweight0[t]]
        }
    };
    let sides = [m.eq_obj1id[e], m.eq_obj2id[e]].map(reference);
    let block = Block {
        diag: [sides[0][1] + sides[1][1], 0.0],
        response: response(m, m.eq_solref[e], m.eq_solimp[e]),
        rows: 1,
        dofs,
        tendons: places,
        ..Block::default()
    };
    let [c0, c1, c2, c3, c4, ..] = m.eq_data[e];
    let numbers = Numbers {
        kind: kind::COUPLING,
        objects: places.map(|place| place.map_or(NONE, |place| place as u32)),
        coef: [c0, c1, c2, c3, c4],
        reference: sides.map(|side| side[0]),
        ..Numbers::default()
    };
    (block, numbers)
}
