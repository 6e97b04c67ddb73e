//! Islands: trees that constraints tie together and that can be solved on their own.

use core::ops::Range;

use sinew_model::enums::{ConstraintType, DisableBit, EqType, ObjType};
use sinew_model::{BodyId, Data, Model, Row, Table, TreeId};

use crate::constraint::jacobian_row;
use crate::work::scratch;

/// Scratch memory.
#[derive(Debug, Default)]
struct IslandWork {
    /// A tree of the same island with a lower number, or the tree itself; none without rows.
    above: Vec<Option<TreeId>>,
    runs: Vec<RowRun>,
}

/// Rows that move the same trees: rows of one constraint, or of contacts of the same bodies.
#[derive(Clone, Debug)]
struct RowRun {
    rows: Range<usize>,
    /// The trees, where the kind of the rows tells them.
    trees: Option<[Option<TreeId>; 2]>,
    /// A tree of the island.
    tree: Option<TreeId>,
}

/// Finds the islands.
///
/// Reads the constraint rows. Writes `nisland`, `nidof`, `tree_island`, `dof_island`, `efc_island`,
/// and the `island_*` and `map_*` lists. Copies sorted by island are left to `island_copies`.
#[doc(alias = "mj_island")]
#[inline(always)]
pub fn island(m: &Model, d: &mut Data) {
    let had_islands = d.nidof > 0 || !d.tree_island.is_empty();
    (d.nisland, d.nidof) = (0, 0);
    if d.nefc != 0 || had_islands {
        find_islands(m, d);
    }
}

#[inline(never)]
fn find_islands(m: &Model, d: &mut Data) {
    if m.ntree == 1 && d.nJ > 0 && !m.opt.disabled(DisableBit::Island) {
        one_island(m, d);
        return;
    }
    let mut work = scratch(d).island.take::<IslandWork>();
    if !m.opt.disabled(DisableBit::Island) && d.nefc > 0 {
        tie_trees(m, d, &mut work);
        number_islands(m, d, &work);
    }
    if d.nisland == 1 && d.nidof == m.nv {
        one_island(m, d);
    } else if d.nisland > 0 {
        sort_trees(m, d);
        sort_rows(d, &work.runs);
    } else {
        clear(d);
    }
    scratch(d).island.put(work);
}

/// All rows and dofs in one island, as where there is one tree, or all trees are tied together.
fn one_island(m: &Model, d: &mut Data) {
    (d.nisland, d.nidof) = (1, m.nv);
    let count = |list: &mut Table<Row, i32>, n: usize| {
        list.resize(1);
        list[0] = n as i32;
    };

    // trees and dofs
    count(&mut d.island_ntree, m.ntree);
    count(&mut d.island_itreeadr, 0);
    let Data { tree_island, map_itree2tree, .. } = d;
    one_by_one(m.ntree, tree_island, [map_itree2tree]);
    count(&mut d.island_nv, m.nv);
    count(&mut d.island_idofadr, 0);
    count(&mut d.island_dofadr, 0);
    one_by_one(m.nv, &mut d.dof_island, [&mut d.map_dof2idof, &mut d.map_idof2dof]);

    // rows
    count(&mut d.island_ne, d.ne);
    count(&mut d.island_nf, d.nf);
    count(&mut d.island_nefc, d.nefc);
    count(&mut d.island_iefcadr, 0);
    one_by_one(d.nefc, &mut d.efc_island, [&mut d.map_efc2iefc, &mut d.map_iefc2efc]);
}

/// `n` things that are all in the first island, each at its own place.
#[inline(always)]
fn one_by_one<I, const N: usize>(
    n: usize,
    island: &mut Table<I, i32>,
    mut places: [&mut Table<I, i32>; N],
) {
    island.resize(n);
    places.iter_mut().for_each(|list| list.resize(n));
    let mut places = places.map(|list| list.rows_mut(0..n));
    for (i, island) in island.rows_mut(0..n).iter_mut().enumerate() {
        *island = 0;
        places.iter_mut().for_each(|list| list[i] = i as i32);
    }
}

/// Empties the lists that have no meaning without islands.
fn clear(d: &mut Data) {
    for list in [
        &mut d.island_ntree,
        &mut d.island_itreeadr,
        &mut d.island_nv,
        &mut d.island_idofadr,
        &mut d.island_dofadr,
        &mut d.island_ne,
        &mut d.island_nf,
        &mut d.island_nefc,
        &mut d.island_iefcadr,
        &mut d.efc_island,
        &mut d.map_efc2iefc,
        &mut d.map_iefc2efc,
    ] {
        list.clear();
    }
    for list in [&mut d.tree_island, &mut d.map_itree2tree] {
        list.clear();
    }
    for list in [&mut d.dof_island, &mut d.map_dof2idof, &mut d.map_idof2dof] {
        list.clear();
    }
}

/// Joins the trees that a row moves, for each row, and notes one of them.
///
/// `above` leads from every tree in a row to the first tree of its island, which is above itself;
/// trees without rows have none.
fn tie_trees(m: &Model, d: &Data, work: &mut IslandWork) {
    let IslandWork { above, runs } = work;
    above.clear();
    above.resize(m.ntree, None);
    runs.clear();
    let sparse = m.is_sparse();
    let mut r = 0;
    while r < d.nefc {
        let trees = trees_of(m, d, r);
        let end = constraint_end(m, d, r);
        if let Some(last) = runs.last_mut()
            && trees.is_some()
            && last.trees == trees
            && d.efc_type[last.rows.start] == d.efc_type[r]
        {
            last.rows.end = end;
            r = end;
            continue;
        }
        let tree = match trees {
            Some(trees) => join_all(above, trees.into_iter().flatten()),
            None => {
                let (ind, row) = jacobian_row(d, r);
                let tree = |i: i32| m.dof_treeid.get(i as usize).copied();
                // a dense Jacobian has no pattern: its zeros count as absent
                let moved = ind.iter().zip(row).filter(|&(_, &x)| sparse || x != 0.0);
                join_all(above, moved.filter_map(|(&i, _)| tree(i)))
                    .or_else(|| join_all(above, ind.iter().filter_map(|&i| tree(i))))
            }
        };
        runs.push(RowRun { rows: r..end, trees, tree });
        r = end;
    }
}

/// Where the rows of the constraint that has row `r` end, as far as they move the same trees.
fn constraint_end(m: &Model, d: &Data, r: usize) -> usize {
    let (kinds, ids) = (d.efc_type.rows(r..d.nefc), d.efc_id.rows(r..d.nefc));
    let (kind, id) = (kinds[0], ids[0]);
    if is_flex(m, kind, id) {
        return r + 1;
    }
    r + kinds.iter().zip(ids).take_while(|&(&k, &i)| (k, i) == (kind, id)).count()
}

fn is_flex(m: &Model, kind: ConstraintType, id: i32) -> bool {
    kind == ConstraintType::Equality
        && matches!(m.eq_type.get(id as usize), Some(&(EqType::Flex | EqType::Flexvert)))
}

/// The trees of a row, where its kind tells them; else its Jacobian must be looked at.
fn trees_of(m: &Model, d: &Data, r: usize) -> Option<[Option<TreeId>; 2]> {
    let id = usize::try_from(d.efc_id[r]).ok()?;
    let of_body = |b: BodyId| m.body_treeid.get(b.idx()).and_then(|t| t.get());

    // of a dof, of two geoms, or of the objects of an equality
    match d.efc_type[r] {
        ConstraintType::FrictionDof => Some([m.dof_treeid.get(id).copied(), None]),
        ConstraintType::LimitJoint => {
            let dof = m.jnt_dofadr.get(id)?;
            Some([m.dof_treeid.get(dof.idx()).copied(), None])
        }
        ConstraintType::ContactFrictionless
        | ConstraintType::ContactPyramidal
        | ConstraintType::ContactElliptic => {
            let [g1, g2] = d.contact.get(id)?.geom;
            let body = |g: i32| m.geom_bodyid.get(usize::try_from(g).ok()?).copied();
            Some([of_body(body(g1)?), of_body(body(g2)?)])
        }
        ConstraintType::Equality => {
            let kind = m.eq_type.get(id)?;
            if !matches!(*kind, EqType::Connect | EqType::Weld) {
                return None;
            }
            let body = |obj: i32| {
                let obj = usize::try_from(obj).ok()?;
                match m.eq_objtype[id] {
                    ObjType::Site => m.site_bodyid.get(obj).copied(),
                    _ => Some(BodyId::new(obj)),
                }
            };
            Some([of_body(body(m.eq_obj1id[id])?), of_body(body(m.eq_obj2id[id])?)])
        }
        _ => None,
    }
}

/// Joins trees; the first of them.
fn join_all(above: &mut [Option<TreeId>], trees: impl Iterator<Item = TreeId>) -> Option<TreeId> {
    let mut first = None;
    let mut last = None;
    for tree in trees {
        if last == Some(tree) {
            continue;
        }
        last = Some(tree);
        above[tree.idx()].get_or_insert(tree);
        let Some(first) = first else {
            first = Some(tree);
            continue;
        };
        let (a, b) = (top(above, first), top(above, tree));
        // the lower number on top: islands are numbered by their first tree
        above[a.max(b).idx()] = Some(a.min(b));
    }
    first
}

/// The first tree of an island; the way there is shortened.
fn top(above: &mut [Option<TreeId>], mut tree: TreeId) -> TreeId {
    while let Some(up) = above[tree.idx()]
        && up != tree
    {
        above[tree.idx()] = above[up.idx()];
        tree = up;
    }
    tree
}

/// Numbers the islands in the order of their first trees, and counts them, their trees and dofs.
fn number_islands(m: &Model, d: &mut Data, work: &IslandWork) {
    d.tree_island.resize(m.ntree);
    for list in [&mut d.island_ntree, &mut d.island_nv, &mut d.island_dofadr] {
        list.clear();
    }
    for (t, above) in work.above.iter().enumerate() {
        // no constraint acts on the tree
        let Some(above) = *above else {
            d.tree_island[t] = -1;
            continue;
        };

        // the first tree of an island opens it, the others join
        let nv = m.tree_dofnum[t].max(0);
        d.nidof += nv as usize;
        if above.idx() == t {
            d.tree_island[t] = d.nisland as i32;
            d.nisland += 1;
            d.island_ntree.push(1);
            d.island_nv.push(nv);
            d.island_dofadr.push(m.tree_dofadr[t].idx() as i32);
        } else {
            let island = d.tree_island[above];
            d.tree_island[t] = island;
            d.island_ntree[island as usize] += 1;
            d.island_nv[island as usize] += nv;
        }
    }
}

/// The place of each island's first thing, of which it has `count`; where the last ends.
fn first_places(count: &[i32], adr: &mut Table<Row, i32>) -> i32 {
    adr.resize(count.len());
    let mut end = 0;
    for (adr, count) in adr.iter_mut().zip(count) {
        *adr = end;
        end += count;
    }
    end
}

/// `first_places` again, after each place was moved on by every thing put there.
fn back_to_first(count: &[i32], adr: &mut [i32]) {
    for (adr, count) in adr.iter_mut().zip(count) {
        *adr -= count;
    }
}

/// Sorts the trees by island, those without one last, and with each tree its dofs.
fn sort_trees(m: &Model, d: &mut Data) {
    let Data { tree_island, island_itreeadr, island_idofadr, map_itree2tree, .. } = d;
    let Data { dof_island, map_dof2idof, map_idof2dof, .. } = d;
    map_itree2tree.resize(m.ntree);
    for list in [&mut *dof_island, map_dof2idof, map_idof2dof] {
        list.resize(m.nv);
    }
    let mut end_tree = first_places(&d.island_ntree, island_itreeadr);
    let mut end_dof = first_places(&d.island_nv, island_idofadr);
    for (tree, &island) in tree_island.iter().enumerate() {
        let (next_tree, next_dof) = match usize::try_from(island) {
            Ok(island) => (&mut island_itreeadr[island], &mut island_idofadr[island]),
            Err(_) => (&mut end_tree, &mut end_dof),
        };
        map_itree2tree[*next_tree as usize] = tree as i32;
        *next_tree += 1;
        let first = m.tree_dofadr[tree].idx();
        let dofs = first..first + m.tree_dofnum[tree].max(0) as usize;
        dof_island.rows_mut(dofs.clone()).fill(island);
        *next_dof = tie(dofs, *next_dof, map_dof2idof, map_idof2dof);
    }
    back_to_first(&d.island_ntree, island_itreeadr);
    back_to_first(&d.island_nv, island_idofadr);
}

/// Gives things that follow each other the places from `first` on, in both maps; the next place.
#[inline(always)]
fn tie(things: Range<usize>, first: i32, place: &mut [i32], thing: &mut [i32]) -> i32 {
    let end = first + things.len() as i32;
    let things_here = &mut thing[first as usize..end as usize];
    for ((place, here), (at, i)) in
        place[things.clone()].iter_mut().zip(things_here).zip((first..).zip(things))
    {
        (*place, *here) = (at, i as i32);
    }
    end
}

/// Sorts the rows by island.
fn sort_rows(d: &mut Data, runs: &[RowRun]) {
    let Data { efc_island, island_nefc, island_iefcadr, map_efc2iefc, map_iefc2efc, .. } = d;
    for list in [&mut *efc_island, map_efc2iefc, map_iefc2efc] {
        list.resize(d.nefc);
    }
    for list in [&mut *island_nefc, &mut d.island_ne, &mut d.island_nf] {
        list.resize(d.nisland);
        list.fill(0);
    }

    // a row that moves nothing has no island of its own, and does no harm in the first one
    for RowRun { rows, tree, .. } in runs {
        let island = tree.map_or(0, |t| d.tree_island[t]).max(0);
        let n = rows.len() as i32;
        for place in efc_island.rows_mut(rows.clone()) {
            *place = island;
        }
        let island = island as usize;
        island_nefc[island] += n;
        match d.efc_type[rows.start] {
            ConstraintType::Equality => d.island_ne[island] += n,
            ConstraintType::FrictionDof | ConstraintType::FrictionTendon => {
                d.island_nf[island] += n;
            }
            _ => {}
        }
    }
    first_places(island_nefc, island_iefcadr);
    for RowRun { rows, .. } in runs {
        let next = &mut island_iefcadr[efc_island[rows.start] as usize];
        *next = tie(rows.clone(), *next, map_efc2iefc, map_iefc2efc);
    }
    back_to_first(island_nefc, island_iefcadr);
}
