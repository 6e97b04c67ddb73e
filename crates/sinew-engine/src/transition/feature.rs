//! The feature of a geom that a contact is on, and the points that slide there.

use sinew_math::{MINVAL, Mat3, Vec3};
use sinew_model::enums::GeomType;
use sinew_model::{GeomId, Model};

/// A surface near a contact.
#[derive(Clone, Copy, Debug)]
pub(super) enum Surface {
    /// P without bound.
    Face,
    /// P without bound along the unit vector, and this radius across.
    Edge(Vec3, f64),
    /// P, applied to changes across the normal.
    Curved(Mat3),
}

/// Motions of a contact besides the surfaces'.
#[derive(Clone, Copy, Debug)]
pub(super) enum Special {
    None,
    /// The first surface slides on its body along a direction. A point at this place from the
    /// contact thereby stays on a wall of the second body with a normal.
    Slides {
        along: Vec3,
        wall: Vec3,
        at: Vec3,
    },
    /// A point of two sides that are clipped by each other.
    Clipped(Clipped),
}

/// A contact of two boxes, with a point on a feature of each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clipped {
    pub(super) normal: Carried,
    /// Directions in which the points may slide, each on the first or the second box.
    pub(super) free: [(usize, Vec3); 2],
}

/// The body or bodies with which the normal of a contact turns.
#[derive(Clone, Copy, Debug)]
pub(super) enum Carried {
    /// The face of a body.
    Face(usize),
    /// An edge of each body.
    Edges([Vec3; 2]),
}

/// A corner: a sphere without radius.
pub(super) const CORNER: Surface = Surface::Curved(Mat3([[0.0; 3]; 3]));

/// Normals nearer to an axis of a box, and points nearer to the end of a capsule, count as on it.
const NEAR: f64 = 1e-9;

/// Share of a size within which places count as the same.
const SAME: f64 = 1e-8;

/// Sine of the angle below which edges are parallel, so that no point of them is nearest.
pub(super) const PARALLEL: f64 = 1e-7;

/// A geom at a contact.
#[derive(Clone, Copy)]
pub(super) struct ContactGeom {
    pub(super) size: Vec3,
    pub(super) pos: Vec3,
    pub(super) mat: Mat3,
    /// The outward normal.
    pub(super) outward: Vec3,
    /// The point of the surface.
    pub(super) point: Vec3,
}

impl ContactGeom {
    pub(super) fn sphere(&self) -> Surface {
        let r = self.size.x;
        Surface::Curved(Mat3::diag(Vec3::new(r, r, r)))
    }

    /// Beside the axis an edge with a radius, at its ends a sphere.
    pub(super) fn capsule(&self) -> Surface {
        let axis = self.mat.col(2);
        let along = (self.point - self.outward * self.size.x - self.pos).dot(axis);
        if along.abs() < self.size.y * (1.0 - NEAR) {
            Surface::Edge(axis, self.size.x)
        } else {
            self.sphere()
        }
    }

    /// A face, an edge or a corner, by the number of axes that the normal is across.
    pub(super) fn cuboid(&self) -> Surface {
        let normal = self.mat.tmul_vec(self.outward);
        let across: [bool; 3] = core::array::from_fn(|k| normal[k].abs() < NEAR);
        match across.iter().filter(|across| **across).count() {
            2 => Surface::Face,
            1 => {
                let axis = across.iter().position(|&across| across).unwrap_or(0);
                Surface::Edge(self.mat.col(axis), 0.0)
            }
            _ => CORNER,
        }
    }

    /// The slide of a capsule's sphere that touches a box. The sphere does not slide at an end and
    /// where the axis is nearest; otherwise the axis crosses a side of the box there. None for
    /// other places.
    pub(super) fn rod_on_box(&self, other: &ContactGeom) -> Option<Special> {
        let axis = self.mat.col(2);
        let center = self.point - self.outward * self.size.x;
        let along = (center - self.pos).dot(axis);
        let is_end = along.abs() >= self.size.y * (1.0 - NEAR);
        if is_end || self.outward.dot(axis).abs() < NEAR {
            return Some(Special::None);
        }
        let local = other.mat.tmul_vec(center - other.pos);
        let side = (0..3).find(|&k| other.is_on_side(local, k))?;
        let wall = other.mat.col(side);
        let middle = (self.point + other.point) * 0.5;
        Some(Special::Slides { along: axis, wall, at: center - middle })
    }

    /// Whether a point in the axes of a box is on one of its sides across an axis.
    fn is_on_side(&self, local: Vec3, axis: usize) -> bool {
        (local[axis].abs() - self.size[axis]).abs() < SAME * self.size[axis]
    }

    /// The point where the sides of two boxes meet; none if it is not on features of both.
    pub(super) fn clipped(&self, other: &ContactGeom, sides: [Surface; 2]) -> Option<Special> {
        let places = [self, other];
        let normal = match sides {
            [Surface::Face, _] => Carried::Face(0),
            [_, Surface::Face] => Carried::Face(1),
            [Surface::Edge(axis, _), Surface::Edge(other, _)] => Carried::Edges([axis, other]),
            _ => return None,
        };
        let mut free = Free::default();
        if let Carried::Face(reference) = normal {
            let (face, own) = (places[reference], places[1 - reference]);
            own.free_axes().for_each(|axis| free.push(1 - reference, axis));
            face.add_in_face(reference, &mut free);
        } else {
            for (body, place) in places.into_iter().enumerate() {
                place.free_axes().for_each(|axis| free.push(body, axis));
            }
        }
        let [one, two] = free.two()?;
        let [a, b] = slide_columns([one, two]);
        let is_defined = a.cross(b).dot(self.outward).abs() > PARALLEL;
        is_defined.then_some(Special::Clipped(Clipped { normal, free: [one, two] }))
    }

    /// Adds axes of the face of the contact until there are two. Axes along which its point may
    /// slide come first, then axes that a point beside the outline of the face leaves to the other
    /// box.
    fn add_in_face(&self, body: usize, free: &mut Free) {
        let local = self.mat.tmul_vec(self.point - self.pos);
        let slides = free.dirs[0].1;
        for wanted in [false, true] {
            let mut in_face = [0, 1, 2].map(|k| (self.mat.col(k), self.is_on_side(local, k)));
            in_face.sort_by(|a, b| a.0.dot(slides).abs().total_cmp(&b.0.dot(slides).abs()));
            for (axis, is_fixed) in in_face {
                let is_across = axis.dot(self.outward).abs() > 0.5;
                if free.count < 2 && !is_across && is_fixed == wanted {
                    free.push(body, axis);
                }
            }
        }
    }

    /// The axes of a box along which a point may move without leaving its face, edge or corner.
    fn free_axes(&self) -> impl Iterator<Item = Vec3> + '_ {
        let local = self.mat.tmul_vec(self.point - self.pos);
        (0..3).filter(move |&k| !self.is_on_side(local, k)).map(|k| self.mat.col(k))
    }

    /// The surface of a geom at a contact with an ellipsoid or a cylinder.
    pub(super) fn rounded(&self, kind: GeomType) -> Surface {
        match kind {
            GeomType::Ellipsoid => self.ellipsoid(),
            GeomType::Cylinder => self.cylinder(),
            GeomType::Capsule => self.capsule(),
            GeomType::Box => self.cuboid(),
            _ => self.sphere(),
        }
    }

    /// The surface of a geom whose contacts a search finds.
    pub(super) fn searched(&self, m: &Model, g: GeomId) -> Option<Surface> {
        Some(match m.geom_type[g] {
            GeomType::Sphere => self.sphere(),
            GeomType::Capsule => self.capsule(),

            GeomType::Box => {
                let signs = |k: usize| [1, 2, 4].map(|bit| if k & bit == 0 { -1.0 } else { 1.0 });
                self.support((0..8).map(|k| self.size.mul_elem(signs(k).into())))?
            }
            GeomType::Mesh => {
                let mesh = usize::try_from(m.geom_dataid[g]).ok()?;
                let first = usize::try_from(m.mesh_vertadr[mesh]).ok()?;
                let count = usize::try_from(m.mesh_vertnum[mesh]).ok()?;
                let verts = m.mesh_vert.rows(first..first + count);
                self.support(verts.iter().map(|v| {
                    let [x, y, z] = *v;
                    Vec3::new(f64::from(x), f64::from(y), f64::from(z))
                }))?
            }
            _ => return None,
        })
    }

    /// The corner, the edge or the face of vertices that are farthest along the normal.
    fn support(&self, vertices: impl Iterator<Item = Vec3> + Clone) -> Option<Surface> {
        let normal = self.mat.tmul_vec(self.outward);
        let heights = vertices.clone().map(|v| v.dot(normal));
        let (mut top, mut extent) = (f64::NEG_INFINITY, 0.0_f64);
        for (height, v) in heights.zip(vertices.clone()) {
            top = top.max(height);
            extent = extent.max(v.norm());
        }
        let tolerance = SAME * extent;
        let mut highest = vertices.filter(|v| v.dot(normal) > top - tolerance);
        let start = highest.next()?;
        let mut edge: Option<Vec3> = None;
        for v in highest.filter(|v| v.dist(start) > tolerance) {
            match edge {
                None => edge = Some((v - start).normalize().0),
                Some(dir) if (v - start).cross(dir).norm() > tolerance => {
                    return Some(Surface::Face);
                }
                Some(_) => {}
            }
        }
        Some(edge.map_or(CORNER, |dir| Surface::Edge(self.mat * dir, 0.0)))
    }

    /// A side, a cap or the rim.
    pub(super) fn cylinder(&self) -> Surface {
        let axis = self.mat.col(2);
        let along = self.outward.dot(axis);
        if along.abs() < NEAR {
            return Surface::Edge(axis, self.size.x);
        }
        if (self.outward - axis * along).norm() < NEAR {
            return Surface::Face;
        }
        self.rim()
    }

    /// The point of a circle with the normal: it moves along the circle.
    pub(super) fn rim(&self) -> Surface {
        let axis = self.mat.col(2);
        let across = (self.outward - axis * self.outward.dot(axis)).norm();
        if across < MINVAL {
            return CORNER;
        }
        let tangent = axis.cross(self.outward) * (1.0 / across);
        Surface::Curved(outer(tangent * (self.size.x / across), tangent))
    }

    /// Points of the rims, which turn about the axis with the lowest direction.
    pub(super) fn turned_rim(&self) -> Surface {
        let axis = self.mat.col(2);
        let low = self.outward - axis * self.outward.dot(axis);
        let across = low.norm();
        if across < MINVAL {
            return CORNER;
        }
        let tangent = axis.cross(low) * (1.0 / across);
        Surface::Curved(outer(axis.cross(self.point - self.pos) * (1.0 / across), tangent))
    }

    /// x = S² n / |S n| in the geom's own axes, where S has the semi-axes.
    pub(super) fn ellipsoid(&self) -> Surface {
        let square = self.size.mul_elem(self.size);
        let normal = self.mat.tmul_vec(self.outward);
        let length = self.size.mul_elem(normal).norm();
        let point = square.mul_elem(normal);
        let local = Mat3(core::array::from_fn(|i| {
            core::array::from_fn(|j| {
                let own = if i == j { square[i] / length } else { 0.0 };
                own - point[i] * point[j] / (length * length * length)
            })
        }));
        Surface::Curved((self.mat * local).mul_t(self.mat))
    }
}

/// a bᵀ
fn outer(a: Vec3, b: Vec3) -> Mat3 {
    Mat3::from_rows(b * a.x, b * a.y, b * a.z)
}

/// Directions in which the points of a contact may slide.
#[derive(Default)]
struct Free {
    dirs: [(usize, Vec3); 2],
    count: usize,
}

impl Free {
    fn push(&mut self, body: usize, dir: Vec3) {
        if let Some(place) = self.dirs.get_mut(self.count) {
            *place = (body, dir);
        }
        self.count += 1;
    }

    /// Both, if there are two.
    fn two(&self) -> Option<[(usize, Vec3); 2]> {
        (self.count == 2).then_some(self.dirs)
    }
}

/// Slides along free directions as motions of the second point relative to the first.
pub(super) fn slide_columns(free: [(usize, Vec3); 2]) -> [Vec3; 2] {
    free.map(|(body, dir)| if body == 0 { -dir } else { dir })
}
