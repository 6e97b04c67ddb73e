//! How a contact moves with the bodies: its point and its frame.
//!
//! Near the contact a surface is known by the change P of its point with a given outward normal,
//! per change of that normal. P is the radius for a sphere, zero for a corner, and unbounded for a
//! face and along a straight edge. Points x₁, x₂ and the normal n of the contact obey
//!
//! ```text
//! dx₁ = u₁ + P₁ (dn - ω₁ × n)    dx₂ = u₂ - P₂ (dn - ω₂ × n)    x₂ - x₁ = dist n
//! ```
//!
//! so that across n: (dist + P₁ + P₂) dn = u₂ - u₁ + P₁ ω₁ × n + P₂ ω₂ × n.

use sinew_math::{Mat3, Spatial, Vec3};
use sinew_model::enums::{DisableBit, EnableBit, GeomType, ObjType};
use sinew_model::{Contact, Data, GeomId, Model};

use super::error::{TransitionError, unsupported};
use super::feature::{
    CORNER, Carried, Clipped, ContactGeom, PARALLEL, Special, Surface, slide_columns,
};

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
        let view = |k: usize| ContactGeom {
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
                let of = |place: &ContactGeom, k: usize| place.searched(m, geoms[k]);
                let (Some(a), Some(b)) = (of(&first, 0), of(&second, 1)) else {
                    return refuse(m, geoms);
                };
                [a, b]
            }
            _ if is_curved(kinds) => [first.rounded(kinds[0]), second.rounded(kinds[1])],
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

    /// Change of a contact of clipped sides. With the slides σ along the free directions e, u₂ + Σ₂
    /// σ e - u₁ - Σ₁ σ e = dist dn + ddist n.
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

/// Whether a search finds the contact of two geoms, one at most, and as exactly as rounding allows.
/// Contacts of ellipsoids and cylinders have the error of the search's tolerance.
fn is_searched(m: &Model, kinds: [GeomType; 2]) -> bool {
    let first =
        matches!(kinds[0], GeomType::Sphere | GeomType::Capsule | GeomType::Box | GeomType::Mesh);
    let several = m.opt.enabled(EnableBit::Multiccd) || m.opt.disabled(DisableBit::Nativeccd);
    first && kinds[1] == GeomType::Mesh && !several
}

/// Whether a search finds the contact of two geoms up to a tolerance, because one is an ellipsoid
/// or a cylinder. `refine` makes it exact.
pub(super) fn is_curved(kinds: [GeomType; 2]) -> bool {
    let is_round = |kind| matches!(kind, GeomType::Ellipsoid | GeomType::Cylinder);
    let is_known = |kind| matches!(kind, GeomType::Sphere | GeomType::Capsule | GeomType::Box);
    kinds.into_iter().any(is_round)
        && kinds.into_iter().all(|kind| is_round(kind) || is_known(kind))
}

/// Whether two surfaces meet in one point.
fn meet(surfaces: [Surface; 2]) -> bool {
    match surfaces {
        [Surface::Curved(_), _] | [_, Surface::Curved(_)] => true,
        [Surface::Edge(axis, _), Surface::Edge(other, _)] => axis.cross(other).norm() > PARALLEL,
        _ => false,
    }
}

/// The vector x in the plane of the tangents for which the linear map that takes them to `images`
/// has `wanted` across the normal.
pub(super) fn solve_across([t, u]: [Vec3; 2], [image_t, image_u]: [Vec3; 2], wanted: Vec3) -> Vec3 {
    let [[a, b], [c, d]] = [[image_t.dot(t), image_u.dot(t)], [image_t.dot(u), image_u.dot(u)]];
    let (x, y) = (wanted.dot(t), wanted.dot(u));
    let det = a * d - b * c;
    t * ((d * x - b * y) / det) + u * ((a * y - c * x) / det)
}

/// Change of the normal between an edge and a curved surface P. Along the edge the normal turns
/// with the edge, across it by the equation of the module.
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

pub(super) fn refuse<T>(m: &Model, geoms: [GeomId; 2]) -> Result<T, TransitionError> {
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
