//! Interpolation between the nodes of a flex: polynomials of order 1 or 2 in each coordinate of the
//! unit box, as in finite elements.
//!
//! Nodes are numbered with the last coordinate running fastest.

use sinew_math::lagrange::{slope, value};
use sinew_math::{Mat3, Quat, Vec3, nearest_rotation};
use sinew_model::enums::ObjType;
use sinew_model::{BodyId, Data, FlexId, Model};

use crate::smooth::object::object_velocity;

/// Maximum number of nodes of a flex (`mjMAXFLEXNODES`): three in each direction.
pub(crate) const MAX_NODES: usize = 27;

/// Numbers of the nodes in each coordinate.
fn place(node: usize, order: usize) -> [usize; 3] {
    let side = order + 1;
    [node / (side * side), node / side % side, node % side]
}

/// How much a node counts at a point of the unit box.
#[doc(alias = "mju_evalBasis")]
pub fn weight(at: Vec3, node: usize, order: usize) -> f64 {
    let [i, j, k] = place(node, order);
    value(at.z, k, order) * value(at.y, j, order) * value(at.x, i, order)
}

/// The value at a point of the unit box, interpolated between the values at the nodes.
#[doc(alias = "mju_interpolate3D")]
pub(crate) fn interpolate(at: Vec3, nodes: &[Vec3], order: usize) -> Vec3 {
    match order {
        1 => interpolate_on::<2>(at, nodes),
        _ => interpolate_on::<3>(at, nodes),
    }
}

/// Interpolation with `N` nodes in each direction: polynomials of order `N` - 1.
#[inline(always)]
fn interpolate_on<const N: usize>(at: Vec3, nodes: &[Vec3]) -> Vec3 {
    let values = |x: f64| core::array::from_fn::<f64, N, _>(|k| value(x, k, N - 1));
    let (x, y, z) = (values(at.x), values(at.y), values(at.z));
    let mut sum = Vec3::ZERO;
    let mut nodes = nodes.iter();
    for x in x {
        for y in y {
            for z in z {
                let Some(&node) = nodes.next() else { return sum };
                sum += node * (z * y * x);
            }
        }
    }
    sum
}

/// Deformation gradient at a point of the unit box.
#[doc(alias = "mju_defGradient")]
fn gradient(at: Vec3, nodes: &[Vec3], order: usize) -> Mat3 {
    let mut rows = [Vec3::ZERO; 3];
    for (node, x) in nodes.iter().enumerate() {
        let p = place(node, order);
        let part = |along: usize| {
            let factor = |k: usize| {
                let f = if k == along { slope } else { value };
                f(at[k], p[k], order)
            };
            factor(0) * factor(1) * factor(2)
        };
        let shape = Vec3::new(part(0), part(1), part(2));
        for (row, x) in rows.iter_mut().zip(x.to_array()) {
            *row += shape * x;
        }
    }
    Mat3::from_rows(rows[0], rows[1], rows[2])
}

/// Positions of a flex's nodes in the world.
pub(crate) fn node_positions(m: &Model, d: &Data, f: FlexId, out: &mut [Vec3; MAX_NODES]) -> usize {
    let nodes = m.flex_nodes(f);
    let count = nodes.len().min(MAX_NODES);
    for (out, node) in out.iter_mut().zip(nodes) {
        let body = m.flex_nodebodyid[node];
        *out = match m.flex_centered[f].get() {
            true => d.xpos[body],
            false => d.xmat[body] * m.flex_node[node] + d.xpos[body],
        };
    }
    count
}

/// The nodes of an interpolated flex in the frame that turns with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corotated {
    /// Positions, about the middle of the unit box.
    pub(crate) pos: [Vec3; MAX_NODES],
    /// How many there are.
    pub(crate) count: usize,
    /// Rotation from the world to the frame.
    pub(crate) turn: Quat,
}

impl Corotated {
    /// The nodes of a flex. The frame is the rotation in the deformation at the middle of the box.
    #[doc(alias = "mj_flexInterpState")]
    pub(crate) fn new(m: &Model, d: &Data, f: FlexId) -> Corotated {
        let mut pos = [Vec3::ZERO; MAX_NODES];
        let count = node_positions(m, d, f, &mut pos);
        let middle = Vec3::new(0.5, 0.5, 0.5);
        let deformed = gradient(middle, &pos[..count], order(m, f));
        let turn = nearest_rotation(deformed, Quat::default()).0.conj();
        for pos in &mut pos[..count] {
            *pos = turn.rotate(*pos) + middle;
        }
        Corotated { pos, count, turn }
    }

    /// Velocities of the nodes in the frame.
    pub(crate) fn velocities(&self, m: &Model, d: &Data, f: FlexId) -> [Vec3; MAX_NODES] {
        let mut vel = [Vec3::ZERO; MAX_NODES];
        for (vel, node) in vel.iter_mut().zip(m.flex_nodes(f)) {
            *vel = self.turn.rotate(node_velocity(m, d, f, m.flex_nodebodyid[node]));
        }
        vel
    }
}

/// Velocity of a node's body. A centred node has the velocity of its first three dofs, which slide
/// along the world's axes.
fn node_velocity(m: &Model, d: &Data, f: FlexId, body: BodyId) -> Vec3 {
    if m.flex_centered[f].get() {
        let dofs = m.body_dof_range(body);
        return d.qvel.get(dofs.start..dofs.start + 3).map_or(Vec3::ZERO, Vec3::from_slice);
    }
    object_velocity(m, d, ObjType::Body, body.idx(), false).map_or(Vec3::ZERO, |vel| vel.lin)
}

/// Order of a flex's polynomials.
pub(crate) fn order(m: &Model, f: FlexId) -> usize {
    m.flex_interp[f].clamp(1, 2) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_count_one_at_themselves_and_all_weights_sum_to_one() {
        for order in [1, 2] {
            let nodes = (order + 1_usize).pow(3);
            for n in 0..nodes {
                let [i, j, k] = place(n, order).map(|i| i as f64 / order as f64);
                let at = Vec3::new(i, j, k);
                for other in 0..nodes {
                    let wanted = f64::from(u8::from(other == n));
                    assert!((weight(at, other, order) - wanted).abs() < 1e-15);
                }
            }
            let at = Vec3::new(0.3, 0.8, 0.1);
            let sum: f64 = (0..nodes).map(|n| weight(at, n, order)).sum();
            assert!((sum - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn a_turned_and_stretched_box_has_that_gradient() {
        for order in [1, 2] {
            let nodes = (order + 1_usize).pow(3);
            let map = Mat3::from_rows(
                Vec3::new(0.0, -2.0, 0.0),
                Vec3::new(1.0, 0.0, 0.5),
                Vec3::new(0.0, 0.0, 3.0),
            );
            let at = |n| {
                let [i, j, k] = place(n, order).map(|i| i as f64 / order as f64);
                map * Vec3::new(i, j, k)
            };
            let nodes: Vec<Vec3> = (0..nodes).map(at).collect();
            let found = gradient(Vec3::new(0.2, 0.7, 0.4), &nodes, order);
            for k in 0..3 {
                assert!((found.row(k) - map.row(k)).norm() < 1e-14);
            }
        }
    }
}
