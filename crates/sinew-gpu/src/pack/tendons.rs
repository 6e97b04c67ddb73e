//! Tendons whose lengths matter, and joints that equalities couple as if they were tendons.

use std::collections::BTreeMap;

use sinew_kernel::real::Real;
use sinew_model::enums::{DisableBit, EqType, Integrator, TrnType, WrapType};
use sinew_model::{EqId, JointId, Model, TendonId};

use super::blob::Blob;
use super::bodies::{by_components, reals};
use super::sites::Sites;
use super::spans::{self, Spans};

/// A dof of a tendon.
#[derive(Clone, Copy)]
struct Entry {
    dof: usize,
    coordinate: usize,
    coef: f64,
}

/// The tendons of a packed model.
#[derive(Default)]
pub(super) struct Tendons {
    of_tendon: BTreeMap<usize, usize>,
    of_joint: BTreeMap<usize, usize>,
    rows: Vec<Vec<Entry>>,
}

impl Tendons {
    /// Places of the tendons or joints that an equality couples.
    pub(super) fn coupled(&self, m: &Model, e: EqId) -> [Option<usize>; 2] {
        let places = if m.eq_type[e] == EqType::Joint { &self.of_joint } else { &self.of_tendon };
        [m.eq_obj1id[e], m.eq_obj2id[e]]
            .map(|id| usize::try_from(id).ok().and_then(|id| places.get(&id).copied()))
    }

    /// The place of a tendon.
    pub(super) fn place(&self, t: TendonId) -> Option<usize> {
        self.of_tendon.get(&t.idx()).copied()
    }

    /// Dofs of a tendon.
    pub(super) fn dofs(&self, place: usize) -> impl Iterator<Item = u32> {
        self.rows[place].iter().map(|entry| entry.dof as u32)
    }

    /// The entry of a dof in the derivative of a tendon.
    pub(super) fn entry(&self, place: usize, dof: u32) -> Option<u32> {
        let before: usize = self.rows[..place].iter().map(Vec::len).sum();
        let at = self.rows[place].iter().position(|entry| entry.dof as u32 == dof)?;
        Some((before + at) as u32)
    }
}

/// Whether springs or dampers of a tendon act.
fn springs(m: &Model, t: TendonId) -> [f64; 2] {
    let [spring, damper] = [DisableBit::Spring, DisableBit::Damper].map(|bit| !m.opt.disabled(bit));
    let some = |on: bool, x: f64| if on { x } else { 0.0 };
    [some(spring, m.tendon_stiffness[t]), some(damper, m.tendon_damping[t])]
}

/// Equalities that may act.
pub(super) fn equalities(m: &Model) -> Vec<EqId> {
    let off = |bit| m.opt.disabled(bit);
    if off(DisableBit::Constraint) || off(DisableBit::Equality) {
        return Vec::new();
    }
    m.equalities().collect()
}

/// Tendons with limits.
pub(super) fn limited(m: &Model) -> Vec<TendonId> {
    let off = |bit| m.opt.disabled(bit);
    if off(DisableBit::Constraint) || off(DisableBit::Limit) {
        return Vec::new();
    }
    m.tendons().filter(|&t| m.tendon_limited[t].get()).collect()
}

/// Tendons with dry friction.
pub(super) fn rubbing(m: &Model) -> Vec<TendonId> {
    let off = |bit| m.opt.disabled(bit);
    if off(DisableBit::Constraint) || off(DisableBit::Frictionloss) {
        return Vec::new();
    }
    m.tendons().filter(|&t| m.tendon_frictionloss[t] > 0.0).collect()
}

/// Whether a tendon's length is a sum of joint coordinates.
pub(super) fn is_fixed(m: &Model, t: TendonId) -> bool {
    m.wrap_type[m.tendon_adr[t]] == WrapType::Joint
}

/// Tendons whose lengths matter.
pub(super) fn used(m: &Model) -> Vec<TendonId> {
    let mut used = vec![false; m.ntendon];
    for t in limited(m).into_iter().chain(rubbing(m)) {
        used[t.idx()] = true;
    }
    for e in equalities(m).into_iter().filter(|&e| m.eq_type[e] == EqType::Tendon) {
        for id in [m.eq_obj1id[e], m.eq_obj2id[e]] {
            if let Ok(id) = usize::try_from(id) {
                used[id] = true;
            }
        }
    }
    for u in m.actuators().filter(|&u| m.actuator_trntype[u] == TrnType::Tendon) {
        used[m.actuator_trnid[u][0].max(0) as usize] = true;
    }
    let acts = |t: TendonId| springs(m, t) != [0.0; 2] || m.tendon_armature[t] != 0.0;
    m.tendons().filter(|&t| used[t.idx()] || acts(t)).collect()
}

pub(super) fn add<R: Real>(
    m: &Model,
    used: &[TendonId],
    sites: &Sites,
    blob: &mut Blob<R>,
) -> Tendons {
    let mut tendons = Tendons::default();
    let mut paths = Vec::new();
    let of_joint = |j: JointId, coef: f64| Entry {
        dof: m.jnt_dofadr[j].idx(),
        coordinate: m.jnt_qposadr[j] as usize,
        coef,
    };
    for &t in used {
        tendons.of_tendon.insert(t.idx(), tendons.rows.len());
        if !is_fixed(m, t) {
            let path = Spans::of(m, t);
            let moved = |v: u32| Entry { dof: v as usize, coordinate: 0, coef: 0.0 };
            tendons.rows.push(path.dofs(m).into_iter().map(moved).collect());
            paths.push(path);
            continue;
        }
        paths.push(Spans::default());
        let path = m.tendon_adr[t].idx()..m.tendon_adr[t].idx() + m.tendon_num[t] as usize;
        let entry = |w: usize| of_joint(JointId::new(m.wrap_objid[w] as usize), m.wrap_prm[w]);
        tendons.rows.push(path.map(entry).collect());
    }
    for e in equalities(m).into_iter().filter(|&e| m.eq_type[e] == EqType::Joint) {
        for id in [m.eq_obj1id[e], m.eq_obj2id[e]].into_iter().filter_map(|id| id.try_into().ok()) {
            let place = tendons.rows.len();
            if let std::collections::btree_map::Entry::Vacant(vacant) = tendons.of_joint.entry(id) {
                vacant.insert(place);
                tendons.rows.push(vec![of_joint(JointId::new(id), 1.0)]);
                paths.push(Spans::default());
            }
        }
    }

    // the derivatives of their lengths
    for (place, row) in tendons.rows.iter().enumerate() {
        blob.entry_ten.extend(row.iter().map(|_| place as u32));
        blob.ten_adr.push(blob.ten_dof.len() as u32);
        blob.ten_dof.extend(row.iter().map(|entry| entry.dof as u32));
        blob.ten_qpos.extend(row.iter().map(|entry| entry.coordinate as u32));
        blob.ten_coef.extend(row.iter().map(|entry| R::of(entry.coef)));
    }
    blob.ten_adr.push(blob.ten_dof.len() as u32);
    blob.counts.nten = tendons.rows.len() as u32;
    let w = &mut blob.work;
    (w.ten_length, w.ten_force) = (tendons.rows.len(), tendons.rows.len());
    w.ten_J = blob.ten_dof.len();
    spans::add(m, &paths, sites, blob);
    passive(m, used, &tendons, blob);
    tendons
}

/// Springs, dampers and armature of tendons.
fn passive<R: Real>(m: &Model, used: &[TendonId], tendons: &Tendons, blob: &mut Blob<R>) {
    let mut table: Vec<[f64; 5]> = used
        .iter()
        .map(|&t| {
            let ([stiffness, damping], [lo, hi]) = (springs(m, t), m.tendon_lengthspring[t]);
            [stiffness, damping, lo, hi, m.tendon_armature[t]]
        })
        .collect();
    table.resize(tendons.rows.len(), [0.0; 5]);
    blob.ten_stiffness = reals(table.iter().map(|row| row[0]));
    blob.ten_damping = reals(table.iter().map(|row| row[1]));
    blob.ten_rest = by_components(&table.iter().map(|row| [row[2], row[3]]).collect::<Vec<_>>());

    // their forces by dofs
    let mut of_dof = vec![Vec::new(); m.nv];
    for (place, &[stiffness, damping, _, _, armature]) in table.iter().enumerate() {
        if [stiffness, damping, armature] == [0.0; 3] {
            continue;
        }
        for (k, a) in (blob.ten_adr[place]..).zip(&tendons.rows[place]) {
            of_dof[a.dof].push([place as u32, k]);
        }
    }
    blob.counts.nspring_ten = u32::from(of_dof.iter().any(|list| !list.is_empty()));
    for list in of_dof {
        blob.dof_ten_adr.push(blob.dof_ten.len() as u32);
        for [place, entry] in list {
            blob.dof_ten.push(place);
            blob.dof_ten_entry.push(entry);
        }
    }
    blob.dof_ten_adr.push(blob.dof_ten.len() as u32);

    // dampers by entries of M, where the integrator has them implicit
    let implicit = matches!(m.opt.integrator, Integrator::Implicit | Integrator::Implicitfast);
    let drags = products(m, tendons, &blob.ten_adr, |place| implicit && table[place][1] != 0.0);
    let (entries, adr, list) = runs(drags);
    (blob.drag_entry, blob.drag_adr) = (entries, adr);
    [blob.drag_ten, blob.drag_first, blob.drag_second] = list;

    // armature by entries of M
    if table.iter().all(|row| row[4] == 0.0) {
        return;
    }
    blob.counts.nheavy = 1;
    blob.ten_armature = reals(table.iter().map(|row| row[4]));
    blob.work.ten_J_rate = blob.ten_dof.len();
    let (entries, adr, list) =
        runs(products(m, tendons, &blob.ten_adr, |place| table[place][4] != 0.0));
    (blob.heavy_entry, blob.heavy_adr) = (entries, adr);
    [blob.heavy_ten, blob.heavy_first, blob.heavy_second] = list;
}

/// For entries of M, the products of derivatives of lengths that chosen tendons add there: tendon,
/// entry by the row, entry by the column.
type Products = BTreeMap<usize, Vec<[u32; 3]>>;

fn products(m: &Model, tendons: &Tendons, adr: &[u32], chosen: impl Fn(usize) -> bool) -> Products {
    let mut products = Products::new();
    for (place, entries) in tendons.rows.iter().enumerate().filter(|(place, _)| chosen(*place)) {
        let first = adr[place];
        for (k, a) in (first..).zip(entries) {
            let row = m.M_rowadr[a.dof] as usize..(m.M_rowadr[a.dof] + m.M_rownnz[a.dof]) as usize;
            for (l, b) in (first..).zip(entries) {
                if let Some(entry) = row.clone().find(|&k| m.M_colind[k].idx() == b.dof) {
                    products.entry(entry).or_default().push([place as u32, k, l]);
                }
            }
        }
    }
    products
}

/// Entries of M, the first product of each, and the parts of all products.
fn runs(products: Products) -> (Vec<u32>, Vec<u32>, [Vec<u32>; 3]) {
    let (mut entries, mut adr, mut parts) = (Vec::new(), Vec::new(), [const { Vec::new() }; 3]);
    for (entry, list) in products {
        entries.push(entry as u32);
        adr.push(parts[0].len() as u32);
        for product in list {
            for (part, x) in parts.iter_mut().zip(product) {
                part.push(x);
            }
        }
    }
    adr.push(parts[0].len() as u32);
    (entries, adr, parts)
}
