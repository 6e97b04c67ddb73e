//! Contacts of two signed distance fields, by descent from many points. MuJoCo `mjc_SDF`.
//!
//! From each starting point a gradient descent looks for a point that is deep in both. A step on
//! the intersection of both then corrects inexact distances, and the normal is the normal of the
//! surface midway.

use sinew_math::{Mat3, Quat, Vec3};

use crate::sdf::field::Field;
use crate::shape::Pose;
use crate::touch::{MAX_CONTACTS, Touch};

/// Beyond every distance (`mjMAXVAL`).
const MAXVAL: f64 = 1e10;
/// More starting points than this are not tried: no time is long enough for many more.
const MAX_POINTS: usize = 1 << 16;
/// Contacts nearer to each other than this are one.
const SAME: f64 = 1e-15;

/// Two fields with their poses and boxes (centre, half sizes).
pub struct Pair<'a, F> {
    /// The fields: the first geom's and the second's.
    pub fields: [&'a F; 2],
    /// Where they are.
    pub poses: [Pose; 2],
    /// Boxes around them.
    pub boxes: [[f64; 6]; 2],
}

/// How much is searched.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// Starting points.
    pub points: usize,
    /// Steps from each of them.
    pub steps: usize,
}

/// Finds contacts of two fields that overlap.
#[doc(alias = "mjc_SDF")]
pub fn touches<F: Field>(pair: &Pair<'_, F>, search: Search, out: &mut Vec<Touch>) {
    // from the second to the first, back, and from the first to itself
    let [a, b] = pair.poses.map(|pose| Placed { pos: pose.pos, quat: pose.mat.to_quat() });
    let to_self = Map::between(a, a);
    let to_first = Map::between(b, a);
    let to_second = Map::between(a, b);
    let Some([low, high]) = overlap(&pair.boxes, &to_first) else { return };
    let both = Both { near: pair.fields[1], far: pair.fields[0], map: &to_first };

    let mut known = [Vec3::ZERO; MAX_CONTACTS];
    let mut count = 0;
    for i in 0..search.points.min(MAX_POINTS) {
        if count == MAX_CONTACTS {
            return;
        }
        let start = Vec3::new(
            low.x + (high.x - low.x) * halton(i, 2),
            low.y + (high.y - low.y) * halton(i, 3),
            low.z + (high.z - low.z) * halton(i, 5),
        );
        let mut at = both.at(to_second.of(to_self.of(start)));
        descend(&both, &mut at, search.steps, Sample::depth, |at| both.depth_gradient(at));
        let dist = descend(&both, &mut at, 1, Sample::overlap, |at| both.overlap_gradient(at));

        // outside, or one that is known
        let seen = known[..count].iter().any(|k| at.x.dist(*k) < SAME);
        if dist > 0.0 || seen {
            continue;
        }
        known[count] = at.x;
        count += 1;
        out.push(touch(at.x, dist, both.midway_normal(&at) * -1.0, b));
    }
}

/// A contact at a point of the second field's frame.
fn touch(x: Vec3, dist: f64, normal: Vec3, Placed { pos, quat }: Placed) -> Touch {
    let normal = quat.rotate(normal).normalize().0;
    let tangent = match normal.y < 0.5 && normal.y > -0.5 {
        true => Vec3::Y,
        false => Vec3::Z,
    };
    let tangent = (tangent - normal * normal.dot(tangent)).normalize().0;
    let pos = quat.rotate(x) + pos + normal * (-dist / 2.0);
    Touch { dist, pos, normal, tangent }
}

/// The frame of a field.
#[derive(Clone, Copy)]
struct Placed {
    pos: Vec3,
    quat: Quat,
}

/// A map from one frame to another.
struct Map {
    mat: Mat3,
    pos: Vec3,
}

impl Map {
    /// From the frame `from` to the frame `to`.
    fn between(from: Placed, to: Placed) -> Map {
        let back = to.quat.conj();
        let origin = back.rotate(to.pos) * -1.0;
        let quat = (back * from.quat).normalize().0;
        Map { pos: back.rotate(from.pos) + origin, mat: quat.to_mat() }
    }

    fn of(&self, x: Vec3) -> Vec3 {
        self.mat * x + self.pos
    }
}

/// The box in which the boxes of both overlap, in the frame of the first.
fn overlap(boxes: &[[f64; 6]; 2], to_first: &Map) -> Option<[Vec3; 2]> {
    let corner = |b: &[f64; 6], i: usize| {
        let side = |k: usize| if i & (1 << k) != 0 { b[k] + b[k + 3] } else { b[k] - b[k + 3] };
        Vec3::new(side(0), side(1), side(2))
    };
    let mut bounds = [[Vec3::new(MAXVAL, MAXVAL, MAXVAL), Vec3::new(-MAXVAL, -MAXVAL, -MAXVAL)]; 2];
    for i in 0..8 {
        let corners = [corner(&boxes[0], i), to_first.of(corner(&boxes[1], i))];
        for ([low, high], c) in bounds.iter_mut().zip(corners) {
            for k in 0..3 {
                low[k] = low[k].min(c[k]);
                high[k] = high[k].max(c[k]);
            }
        }
    }
    let [[low1, high1], [low2, high2]] = bounds;
    let mut shared = [Vec3::ZERO; 2];
    for k in 0..3 {
        shared[0][k] = low1[k].max(low2[k]);
        shared[1][k] = high1[k].min(high2[k]);
    }
    let disjoint = (0..3).any(|k| shared[1][k] < shared[0][k]);
    (!disjoint).then_some(shared)
}

/// Two fields as functions of a point in the frame of one of them.
struct Both<'a, F> {
    /// The field in whose frame points are.
    near: &'a F,
    /// The other one.
    far: &'a F,
    /// To the frame of the other one.
    map: &'a Map,
}

/// A point and its distance in both fields, kept because several tests need them.
#[derive(Clone, Copy)]
struct Sample {
    x: Vec3,
    /// The point in the frame of the other field.
    far_x: Vec3,
    near: f64,
    far: f64,
}

impl Sample {
    /// A + B + |max(A, B)|: low where both are.
    #[inline(always)]
    fn depth(&self) -> f64 {
        self.near + self.far + self.overlap().abs()
    }

    /// Distance of the intersection.
    #[inline(always)]
    fn overlap(&self) -> f64 {
        max(self.near, self.far)
    }
}

impl<F: Field> Both<'_, F> {
    #[inline(always)]
    fn at(&self, x: Vec3) -> Sample {
        let far_x = self.map.of(x);
        Sample { x, far_x, near: self.near.distance(x), far: self.far.distance(far_x) }
    }

    /// Gradient of the other field, in the frame of points.
    fn far_gradient(&self, at: &Sample) -> Vec3 {
        self.map.mat.tmul_vec(self.far.gradient(at.far_x))
    }

    fn depth_gradient(&self, at: &Sample) -> Vec3 {
        let (near, far) = (self.near.gradient(at.x), self.far_gradient(at));
        let deeper = if at.near > at.far { near } else { far };
        near + far + deeper * if at.overlap() > 0.0 { 1.0 } else { -1.0 }
    }

    fn overlap_gradient(&self, at: &Sample) -> Vec3 {
        if at.near > at.far { self.near.gradient(at.x) } else { self.far_gradient(at) }
    }

    /// Unit gradient of A - B: normal of the surface midway.
    fn midway_normal(&self, at: &Sample) -> Vec3 {
        let near = self.near.gradient(at.x).normalize().0;
        let far = self.far_gradient(at).normalize().0;
        (near - far).normalize().0
    }
}

/// The larger number, with MuJoCo's result for NaN.
fn max(a: f64, b: f64) -> f64 {
    if a >= b { a } else { b }
}

/// Moves a point down a function by gradient steps with backtracking; the value at its end.
#[doc(alias = "stepGradient")]
#[inline(always)]
fn descend<F: Field>(
    both: &Both<'_, F>,
    at: &mut Sample,
    steps: usize,
    value: impl Fn(&Sample) -> f64,
    gradient: impl Fn(&Sample) -> Vec3,
) -> f64 {
    /// Share of the predicted decrease that is enough.
    const ENOUGH: f64 = 0.1;
    /// Factor from one trial to the next.
    const SHRINK: f64 = 0.5;
    /// Shortest trial, in gradients.
    const SHORTEST: f64 = 1e-4;
    let mut reached = MAXVAL;
    for _ in 0..steps {
        let grad = gradient(at);
        if grad.to_array().iter().any(|g| g.is_nan() || *g > MAXVAL || *g < -MAXVAL) {
            return MAXVAL;
        }

        // backtracking from one gradient on
        let (start, before) = (at.x, value(at));
        let mut alpha = 2.0;
        let mut wanted = -ENOUGH * alpha * grad.dot(grad);
        loop {
            alpha *= SHRINK;
            wanted *= SHRINK;
            *at = both.at(start + grad * -alpha);
            reached = value(at);
            let again = alpha > SHORTEST && reached - before > wanted;
            if !again {
                break;
            }
        }
        // worse, or where it was: every further step would end here too
        if before < reached || at.x == start {
            return reached;
        }
    }
    reached
}

/// Element `index` of Halton's sequence with a base of at least 2, between 0 and 1.
#[doc(alias = "mju_Halton")]
pub fn halton(index: usize, base: usize) -> f64 {
    let b = base as f64;
    let (mut rest, mut f, mut sum) = (index, 1.0 / b, 0.0);
    while rest > 0 {
        sum += f * (rest % base) as f64;
        f /= b;
        rest /= base;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdf::distance::{distance, gradient};
    use crate::shape::Shape;

    struct Of(Shape);
    impl Field for Of {
        fn distance(&self, x: Vec3) -> f64 {
            distance(self.0, x)
        }
        fn gradient(&self, x: Vec3) -> Vec3 {
            gradient(self.0, x)
        }
    }

    #[test]
    fn two_spheres_touch_between_their_centres() {
        let ball = Of(Shape::Sphere { radius: 1.0 });
        let pose = |x: f64| Pose { pos: Vec3::new(x, 0.0, 0.0), mat: Mat3::IDENTITY };
        let cube = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        let at = |x: f64| {
            let pair =
                Pair { fields: [&ball, &ball], poses: [pose(0.0), pose(x)], boxes: [cube; 2] };
            let mut out = Vec::new();
            touches(&pair, Search { points: 20, steps: 30 }, &mut out);
            out
        };
        assert!(at(2.5).is_empty());
        let found = at(1.8);
        assert!(!found.is_empty());
        for touch in &found {
            assert!(touch.dist <= 0.0 && touch.dist > -0.11);
            assert!((touch.normal.norm() - 1.0).abs() < 1e-12);
        }
        let deepest = found.iter().min_by(|a, b| a.dist.total_cmp(&b.dist));
        assert!(deepest.is_some_and(|t| t.normal.x > 0.9 && (t.pos.x - 0.9).abs() < 0.1));
    }

    #[test]
    fn haltons_sequence_fills_the_unit_interval() {
        let first: Vec<f64> = (0..5).map(|i| halton(i, 2)).collect();
        assert_eq!(first, [0.0, 0.5, 0.25, 0.75, 0.125]);
        assert!((0..100).all(|i| (0.0..1.0).contains(&halton(i, 3))));
    }
}
