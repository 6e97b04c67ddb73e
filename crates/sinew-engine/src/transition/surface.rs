//! How a contact moves with the bodies: its point and its frame.
//!
//! A surface is known near the contact by the change P of its point with a given outward normal,
//! per change of that normal: the radius for a sphere, zero for a corner, without bound for a face
//! and along a straight edge. Points x₁, x₂ and the normal n of the contact obey
//!
//! ```text
//! dx₁ = u₁ + P₁ (dn - ω₁ × n)    dx₂ = u₂ - P₂ (dn - ω₂ × n)    x₂ - x₁ = dist n
//! ```
//!
//! so that across n: (dist + P₁ + P₂) dn = u₂ - u₁ + P₁ ω₁ × n + P₂ ω₂ × n.

use sinew_math::{MINVAL, Mat3, Spatial, Vec3};
use sinew_model::enums::{DisableBit, EnableBit, GeomType, ObjType};
use sinew_model::{Contact, Data, GeomId, Model};

use super::error::{TransitionError, unsupported};

/// Motions of the first and of the second body at the point of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carrier {
    pub(super) motions: [Spatial; 2],
}

/// Change of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactChange {
    /// Of the point.
    pub(super) point: Vec3,
    /// Rotation of the frame.
    pub(super) turn: Vec3,
    /// Of the distance.
    pub(super) dist: f64,
}

/// A surface near a contact.
#[derive(Clone, Copy, Debug)]
enum Surface {
    /// P without bound.
    Face,
    /// P without bound along the unit vector, and this radius across.
    Edge(Vec3, f64),
    /// P, applied to changes across the normal.
    Curved(Mat3),
}

/// Both surfaces at a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surfaces {
    surfaces: [Surface; 2],
    frame: Mat3,
    dist: f64,
    /// The direction that the first tangent follows, and which body carries it.
    along: (Vec3, Option<usize>),
    special: Special,
}

/// What moves a contact besides the surfaces.
#[derive(Clone, Copy, Debug)]
enum Special {
    None,
    /// The first surface slides on its body along a direction, so that a point at this place from
    /// the contact stays on a wall of the second body with a normal.
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
struct Clipped {
    normal: Carried,
    /// Directions in which the points may slide, each on the first or the second box.
    free: [(usize, Vec3); 2],
}

/// What the normal of a contact turns with.
#[derive(Clone, Copy, Debug)]
enum Carried {
    /// The face of a body.
    Face(usize),
    /// An edge of each body.
    Edges([Vec3; 2]),
}

impl Surfaces {
    /// The surfaces of two geoms at a contact.
    pub(super) fn new(
        m: &Model,
        d: &Data,
        geoms: [GeomId; 2],
        con: &Contact,
    ) -> Result<Self, TransitionError> {
        let frame = con.frame;
        let normal = frame.row(0);
        let kinds = geoms.map(|g| m.geom_type[g]);
        let view = |k: usize| Place {
            size: m.geom_size[geoms[k]],
            pos: d.geom_xpos[geoms[k]],
            mat: d.geom_xmat[geoms[k]],
            outward: if k == 0 { normal } else { -normal },
            point: con.pos + normal * (con.dist * if k == 0 { -0.5 } else { 0.5 }),
        };
        let (second, first) = (view(1), view(0));
        let mut special = Special::None;
        let surfaces = match kinds {
            [GeomType::Plane, GeomType::Sphere] => [Surface::Face, second.sphere()],
            [GeomType::Plane, GeomType::Capsule] => [Surface::Face, second.sphere()],
            [GeomType::Plane, GeomType::Box] => [Surface::Face, CORNER],
            [GeomType::Plane, GeomType::Mesh] => [Surface::Face, CORNER],
            [GeomType::Plane, GeomType::Ellipsoid] => [Surface::Face, second.ellipsoid()],
            [GeomType::Plane, GeomType::Cylinder] => [Surface::Face, second.turned_rim()],
            [GeomType::Sphere, GeomType::Sphere] => [first.sphere(), second.sphere()],
            [GeomType::Sphere, GeomType::Capsule] => [first.sphere(), second.capsule()],
            [GeomType::Sphere, GeomType::Cylinder] => [first.sphere(), second.cylinder()],
            [GeomType::Sphere, GeomType::Box] => [first.sphere(), second.cuboid()],
            [GeomType::Capsule, GeomType::Capsule] => [first.capsule(), second.capsule()],
            [GeomType::Capsule, GeomType::Box] => {
                let Some(slides) = first.rod_on_box(&second) else { return refuse(m, geoms) };
                special = slides;
                let rod = match special {
                    Special::None => first.capsule(),
                    _ => first.sphere(),
                };
                [rod, second.cuboid()]
            }
            [GeomType::Box, GeomType::Box] => {
                let sides = [first.cuboid(), second.cuboid()];
                match first.clipped(&second, sides) {
                    Some(clipped) => special = clipped,
                    None => return refuse(m, geoms),
                }
                sides
            }
            _ if is_searched(m, kinds) => {
                let of = |place: &Place, k: usize| place.searched(m, geoms[k]);
                let (Some(a), Some(b)) = (of(&first, 0), of(&second, 1)) else {
                    return refuse(m, geoms);
                };
                [a, b]
            }
            _ => return refuse(m, geoms),
        };
        if matches!(special, Special::None | Special::Slides { .. }) && !meet(surfaces) {
            return refuse(m, geoms);
        }
        let along = match kinds {
            [GeomType::Plane, GeomType::Capsule] => (second.mat.col(2), Some(1)),
            _ if normal.y < 0.5 && normal.y > -0.5 => (Vec3::Y, None),
            _ => (Vec3::Z, None),
        };
        Ok(Surfaces { surfaces, frame, dist: con.dist, along, special })
    }

    /// Change of the contact when the bodies move.
    pub(super) fn change(&self, Carrier { motions }: Carrier) -> ContactChange {
        let (normal, dist) = (self.frame.row(0), self.dist);
        let tangents = [self.frame.row(1), self.frame.row(2)];
        let half = normal * (0.5 * dist);
        let [mut first, second] = motions;
        match self.special {
            Special::Clipped(clipped) => return self.clipped_change(clipped, motions),
            Special::Slides { along, wall, at } => {
                let apart = second.lin - first.lin + (second.rot - first.rot).cross(at);
                first.lin += along * (wall.dot(apart) / wall.dot(along));
            }
            Special::None => {}
        }
        // motions of the points of the surfaces, and turns of the normal as the bodies carry it
        let moved = [first.lin - first.rot.cross(half), second.lin + second.rot.cross(half)];
        let turned = motions.map(|motion| motion.rot.cross(normal));
        let (turn, points) = match self.surfaces {
            [Surface::Face, Surface::Curved(p)] => {
                let turn = turned[0];
                (turn, [None, Some(moved[1] - p * (turn - turned[1]))])
            }
            [Surface::Curved(p), Surface::Face] => {
                let turn = turned[1];
                (turn, [Some(moved[0] + p * (turn - turned[0])), None])
            }
            [Surface::Curved(p), Surface::Curved(q)] => {
                let wanted = moved[1] - moved[0] + p * turned[0] + q * turned[1];
                let image = |t: Vec3| t * dist + p * t + q * t;
                let turn = solve_across(tangents, tangents.map(image), wanted);
                (turn, [Some(moved[0] + p * (turn - turned[0])), None])
            }
            [Surface::Curved(p), Surface::Edge(axis, radius)] => {
                let wanted = moved[1] - moved[0] + p * turned[0] + turned[1] * radius;
                let turn = beside_edge(normal, dist, p, (axis, radius), turned[1], wanted);
                (turn, [Some(moved[0] + p * (turn - turned[0])), None])
            }
            [Surface::Edge(axis, radius), Surface::Curved(q)] => {
                let wanted = moved[1] - moved[0] + turned[0] * radius + q * turned[1];
                let turn = beside_edge(normal, dist, q, (axis, radius), turned[0], wanted);
                (turn, [None, Some(moved[1] - q * (turn - turned[1]))])
            }
            [Surface::Edge(axis, radius), Surface::Edge(other, other_radius)] => {
                // the normal is across both edges
                let turn = across_both(normal, [axis, other], turned);
                let slid = |axis: Vec3, x: Vec3| x - axis * axis.dot(x);
                let own = moved[0] + slid(axis, turn - turned[0]) * radius;
                let others = moved[1] - slid(other, turn - turned[1]) * other_radius;
                // σ₂ other - σ₁ axis closes the gap across the normal
                let gap = turn * dist - (others - own);
                let sigma = -gap.dot(normal.cross(other)) / axis.dot(normal.cross(other));
                (turn, [Some(own + axis * sigma), None])
            }
            // pairs of faces and edges have no single contact; `new` makes none
            _ => (turned[0], [Some(moved[0]), None]),
        };

        // a point that no surface supports slides up or down where its normal turns
        let slid = match (self.surfaces, points) {
            ([Surface::Face, _], [_, Some(x)]) => normal.dot(x - moved[1]),
            ([_, Surface::Face], [Some(x), _]) => -normal.dot(x - moved[0]),
            _ => 0.0,
        };

        // midway between the surfaces
        let growth = normal.dot(second.lin - first.lin) + slid;
        let shift = (normal * growth + turn * dist) * 0.5;
        let point = match points {
            [Some(x), _] => x + shift,
            [_, Some(x)] => x - shift,
            _ => moved[0] + shift,
        };
        ContactChange { point, turn: self.frame_turn(turn, motions), dist: growth }
    }

    /// Change of a contact of clipped sides: with the slides σ along the free directions e,
    /// u₂ + Σ₂ σ e - u₁ - Σ₁ σ e = dist dn + ddist n.
    fn clipped_change(
        &self,
        Clipped { normal: carried, free }: Clipped,
        motions: [Spatial; 2],
    ) -> ContactChange {
        let (normal, dist) = (self.frame.row(0), self.dist);
        let half = normal * (0.5 * dist);
        let [first, second] = motions;
        let moved = [first.lin - first.rot.cross(half), second.lin + second.rot.cross(half)];
        let turned = motions.map(|motion| motion.rot.cross(normal));
        let turn = match carried {
            Carried::Face(body) => turned[body],
            Carried::Edges(edges) => across_both(normal, edges, turned),
        };
        let [a, b] = slide_columns(free);
        let wanted = moved[0] - moved[1] + turn * dist;
        let det = a.cross(b).dot(normal);
        let growth = -a.cross(b).dot(wanted) / det;
        let slides = [wanted.cross(b).dot(normal) / det, a.cross(wanted).dot(normal) / det];
        let mut point = moved[0] + (normal * growth + turn * dist) * 0.5;
        for ((body, dir), slide) in free.into_iter().zip(slides) {
            if body == 0 {
                point += dir * slide;
            }
        }
        ContactChange { point, turn: self.frame_turn(turn, motions), dist: growth }
    }

    /// The rotation of the frame when the normal changes by `turn`.
    fn frame_turn(&self, turn: Vec3, motions: [Spatial; 2]) -> Vec3 {
        let [normal, first, second] = [0, 1, 2].map(|k| self.frame.row(k));
        let (along, carrier) = self.along;
        let moved = carrier.map_or(Vec3::ZERO, |k| motions[k].rot.cross(along));
        // the first tangent is `along` as far as that is across the normal
        let length = along.dot(first);
        let spin = (moved.dot(second) - along.dot(normal) * turn.dot(second)) / length;
        normal.cross(turn) + normal * spin
    }
}

/// A corner: a sphere without radius.
const CORNER: Surface = Surface::Curved(Mat3([[0.0; 3]; 3]));

/// Normals nearer to an axis of a box, and points nearer to the end of a capsule, count as on it.
const NEAR: f64 = 1e-9;

/// Share of a size within which places count as the same.
const SAME: f64 = 1e-8;

/// Whether a search finds the contact of two geoms, one at most, and as exactly as rounding
/// allows: those of ellipsoids and cylinders it finds up to a tolerance.
fn is_searched(m: &Model, kinds: [GeomType; 2]) -> bool {
    let first =
        matches!(kinds[0], GeomType::Sphere | GeomType::Capsule | GeomType::Box | GeomType::Mesh);
    let several = m.opt.enabled(EnableBit::Multiccd) || m.opt.disabled(DisableBit::Nativeccd);
    first && kinds[1] == GeomType::Mesh && !several
}

/// Whether two surfaces meet in one point.
fn meet(surfaces: [Surface; 2]) -> bool {
    match surfaces {
        [Surface::Curved(_), _] | [_, Surface::Curved(_)] => true,
        [Surface::Edge(axis, _), Surface::Edge(other, _)] => axis.cross(other).norm() > PARALLEL,
        _ => false,
    }
}

/// Sine of the angle below which edges are parallel, so that no point of them is nearest.
const PARALLEL: f64 = 1e-7;

/// A geom at a contact.
#[derive(Clone, Copy)]
struct Place {
    size: Vec3,
    pos: Vec3,
    mat: Mat3,
    /// The outward normal.
    outward: Vec3,
    /// The point of the surface.
    point: Vec3,
}

impl Place {
    fn sphere(&self) -> Surface {
        let r = self.size.x;
        Surface::Curved(Mat3::diag(Vec3::new(r, r, r)))
    }

    /// Beside the axis an edge with a radius, at its ends a sphere.
    fn capsule(&self) -> Surface {
        let axis = self.mat.col(2);
        let along = (self.point - self.outward * self.size.x - self.pos).dot(axis);
        if along.abs() < self.size.y * (1.0 - NEAR) {
            Surface::Edge(axis, self.size.x)
        } else {
            self.sphere()
        }
    }

    /// A face, an edge or a corner, by the number of axes that the normal is across.
    fn cuboid(&self) -> Surface {
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

    /// How the sphere of a capsule slides that touches a box: not at all at an end and where the
    /// axis is nearest; else the axis crosses a side of the box there. None for other places.
    fn rod_on_box(&self, other: &Place) -> Option<Special> {
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
    fn clipped(&self, other: &Place, sides: [Surface; 2]) -> Option<Special> {
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

    /// Adds axes of the face of the contact until there are two: those along which its point may
    /// slide, then others, which a point beside the outline of the face leaves to the other box.
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

    /// The surface of a geom whose contacts a search finds.
    fn searched(&self, m: &Model, g: GeomId) -> Option<Surface> {
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
    fn cylinder(&self) -> Surface {
        let axis = self.mat.col(2);
        let along = self.outward.dot(axis);
        if along.abs() < NEAR {
            return Surface::Edge(axis, self.size.x);
        }
        let across = (self.outward - axis * along).norm();
        if across < NEAR {
            return Surface::Face;
        }
        // the point of a circle with the normal: it moves along the circle
        let tangent = axis.cross(self.outward) * (1.0 / across);
        Surface::Curved(outer(tangent * (self.size.x / across), tangent))
    }

    /// Points of the rims, which turn about the axis with the lowest direction.
    fn turned_rim(&self) -> Surface {
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
    fn ellipsoid(&self) -> Surface {
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

/// The vector x in the plane of the tangents for which the linear map that takes them to `images`
/// has `wanted` across the normal.
fn solve_across([t, u]: [Vec3; 2], [image_t, image_u]: [Vec3; 2], wanted: Vec3) -> Vec3 {
    let [[a, b], [c, d]] = [[image_t.dot(t), image_u.dot(t)], [image_t.dot(u), image_u.dot(u)]];
    let (x, y) = (wanted.dot(t), wanted.dot(u));
    let det = a * d - b * c;
    t * ((d * x - b * y) / det) + u * ((a * y - c * x) / det)
}

/// Change of the normal between an edge and a curved surface P: along the edge it turns with the
/// edge, across it by the equation of the module.
fn beside_edge(
    normal: Vec3,
    dist: f64,
    p: Mat3,
    (axis, radius): (Vec3, f64),
    turned: Vec3,
    wanted: Vec3,
) -> Vec3 {
    let side = normal.cross(axis);
    let along = axis * turned.dot(axis);
    let across = wanted.dot(side) - (p * along).dot(side);
    along + side * (across / (dist + radius + (p * side).dot(side)))
}

/// The vector across the normal with the same part along each axis as the turned normals have.
fn across_both(normal: Vec3, [axis, other]: [Vec3; 2], [first, second]: [Vec3; 2]) -> Vec3 {
    let (x, y) = (first.dot(axis), second.dot(other));
    let cosine = axis.dot(other);
    let det = 1.0 - cosine * cosine;
    let sum = axis * ((x - cosine * y) / det) + other * ((y - cosine * x) / det);
    sum - normal * normal.dot(sum)
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
fn slide_columns(free: [(usize, Vec3); 2]) -> [Vec3; 2] {
    free.map(|(body, dir)| if body == 0 { -dir } else { dir })
}

fn refuse<T>(m: &Model, geoms: [GeomId; 2]) -> Result<T, TransitionError> {
    let text = |g: GeomId| {
        let kind = match m.geom_type[g] {
            GeomType::Plane => "plane",
            GeomType::Hfield => "hfield",
            GeomType::Sphere => "sphere",
            GeomType::Capsule => "capsule",
            GeomType::Ellipsoid => "ellipsoid",
            GeomType::Cylinder => "cylinder",
            GeomType::Box => "box",
            GeomType::Mesh => "mesh",
            _ => "field",
        };
        match m.id2name(ObjType::Geom, g.idx()) {
            Some(name) if !name.is_empty() => format!("{kind} '{name}'"),
            _ => format!("{kind} geom {}", g.idx()),
        }
    };
    unsupported(&format!("contact of {} and {}", text(geoms[0]), text(geoms[1])))
}
