//! Copies rows into the tables of a model.

use sinew_geom::bvh::Bvh;
use sinew_model::Model;

/// Copies user data, which may be shorter than the row.
pub(crate) fn copy_user(to: &mut [f64], user: Option<&Vec<f64>>) {
    for (to, from) in to.iter_mut().zip(user.into_iter().flatten()) {
        *to = *from;
    }
}

/// Copies a tree of boxes to rows from `at` on.
pub(crate) fn copy_bvh(tree: &Bvh, at: usize, m: &mut Model) {
    put(&mut m.bvh_depth, at, &tree.depth);
    put(&mut m.bvh_child, at, &tree.child);
    put(&mut m.bvh_nodeid, at, &tree.nodeid);
    put(&mut m.bvh_aabb, at, &tree.aabb);
}

/// Copies rows to a table, from row `at` on.
pub(crate) fn put<T: Copy>(table: &mut [T], at: usize, rows: &[T]) {
    table[at..at + rows.len()].copy_from_slice(rows);
}
