//! Capsule against box: a sphere at the nearest point of the axis, and a second one farther along.

use sinew_math::{MINVAL, Vec3};

use crate::collide::sphere::{self, Ball};
use crate::shape::Pose;
use crate::touch::Touches;

/// The axis of a capsule in the frame of a box: `pos` ± `half`.
struct Segment {
    pos: [f64; 3],
    half: [f64; 3],
    /// Unit direction.
    axis: [f64; 3],
    /// Half length.
    half_len: f64,
    /// Signs of the direction: bit i is set if `half[i]` is positive.
    signs: usize,
}

/// Where the axis of a capsule is nearest to a box.
#[derive(Clone, Copy)]
enum Nearest {
    /// An end of the axis lies over a face across `face`, or inside if there is none.
    Face { end: f64, face: Option<usize> },
    /// The point at `along` in [-1, 1] of the axis, and that at `on_edge` of an edge of the box.
    Edge {
        along: f64,
        on_edge: f64,
        /// Direction of the edge.
        edge: usize,
        /// The corner where the edge starts, or that is nearest: bit i is the side in axis i.
        corner: usize,
        /// Whether the nearest point of the edge is one of its ends.
        at_corner: bool,
    },
}

/// Capsule against box: at most two contacts.
///
/// The first is at the point of the axis nearest to the box. Among points at the same distance,
/// ends over a face come before edges, and edges along x before y before z. The second lies where
/// the axis leaves its part of the box, unless it points towards a corner or stands across an edge.
/// Edges parallel to the axis take no part (determinant below [`MINVAL`]).
#[doc(alias = "mjc_CapsuleBox")]
pub(super) fn cuboid(
    capsule: &Pose,
    [radius, half_len]: [f64; 2],
    pose: &Pose,
    size: Vec3,
    margin: f64,
    out: &mut impl Touches,
) {
    // the axis in the frame of the box
    let up = capsule.mat.col(2);
    let axis = pose.mat.tmul_vec(up);
    let half = axis * half_len;
    let pos = pose.mat.tmul_vec(capsule.pos - pose.pos);
    let bit = |i: usize, x: f64| usize::from(x > 0.0) << i;
    if separated(pos, half, size, radius + margin) {
        return;
    }
    let segment = Segment {
        pos: pos.to_array(),
        half: half.to_array(),
        axis: axis.to_array(),
        half_len,
        signs: bit(0, half.x) | bit(1, half.y) | bit(2, half.z),
    };

    // MuJoCo starts from a length although it compares squares: far away there is no contact
    let farthest = margin + 2.0 * (radius + half_len + size.x + size.y + size.z);
    let size_of = size.to_array();
    let Some(nearest) = segment.nearest(&size_of, farthest) else {
        return;
    };
    let (along, second) = match nearest {
        Nearest::Face { end, face } => {
            (end, face.map(|f| segment.second_by_face(&size_of, end, f)))
        }
        Nearest::Edge { along, corner, at_corner: true, .. } => {
            (along, segment.second_by_corner(&size_of, along, corner))
        }
        Nearest::Edge { along, on_edge, edge, corner, .. } => {
            (along, segment.second_by_edge(&size_of, along, on_edge, edge, corner))
        }
    };

    let mut collide_at = |along: f64| {
        let center = pose.mat * (pos + half * along) + pose.pos;
        sphere::cuboid(&Ball { center, radius, up }, pose, size, margin, out);
    };
    collide_at(along);
    if let Some(farther) = second {
        collide_at(farther + along);
    }
}

/// Whether a segment is clearly farther than `reach` from a box, seen along one of its axes.
///
/// Flat boxes do not count: along an axis without size they hold every point (see
/// [`sphere::cuboid`]).
#[inline]
fn separated(pos: Vec3, half: Vec3, size: Vec3, reach: f64) -> bool {
    const CLEARLY: f64 = 1.0 + 1e-9;
    let separates = |x: f64, h: f64, s: f64| s > 0.0 && x.abs() - h.abs() > (s + reach) * CLEARLY;
    separates(pos.x, half.x, size.x)
        || separates(pos.y, half.y, size.y)
        || separates(pos.z, half.z, size.z)
}

impl Segment {
    /// The point nearest to the box, if its squared distance is below `farthest`.
    fn nearest(&self, size: &[f64; 3], farthest: f64) -> Option<Nearest> {
        let mut best = farthest;
        let mut nearest = None;

        // ends over a face, or inside
        for end in [-1.0, 1.0] {
            let mut outside = 0;
            let mut face = None;
            let mut gap = [0.0; 3];
            for j in 0..3 {
                let x = self.pos[j] + self.half[j] * end;
                if x < -size[j] {
                    gap[j] = -size[j] - x;
                } else if x > size[j] {
                    gap[j] = size[j] - x;
                } else {
                    continue;
                }
                outside += 1;
                face = Some(j);
            }
            let dist_sqr = Vec3::from(gap).dot(Vec3::from(gap));
            if outside <= 1 && dist_sqr < best {
                best = dist_sqr;
                nearest = Some(Nearest::Face { end, face });
            }
        }

        // edges: those along x, then y, then z
        for direction in 0..3 {
            let Some(edges) = Edges::new(self, size, direction) else {
                continue;
            };
            for corner in (0..8).filter(|corner| corner & (1 << direction) == 0) {
                let (dist_sqr, candidate) = edges.nearest(self, corner);
                if dist_sqr < best - MINVAL {
                    best = dist_sqr;
                    nearest = Some(candidate);
                }
            }
        }
        nearest
    }

    /// How far the axis runs along a face from its nearest `end`.
    fn second_by_face(&self, size: &[f64; 3], end: f64, face: usize) -> f64 {
        let mut farther = 2.0;
        for i in (0..3).filter(|&i| i != face) {
            let start = self.pos[i] + self.half[i] * end;
            for side in [size[i], -size[i]] {
                let way = (side - start) / self.half[i] * -end;
                if way > 0.0 && way < farther {
                    farther = way;
                }
            }
        }
        farther * -end
    }

    /// How far the axis runs along the box from a corner; none if it points to or from the corner.
    fn second_by_corner(&self, size: &[f64; 3], along: f64, corner: usize) -> Option<f64> {
        // one axis goes the other way than the other two
        let (odd, sign) = match self.signs ^ corner {
            0 | 7 => return None,
            one @ (1 | 2 | 4) => (one, 1.0),
            two => (7 - two, -1.0),
        };
        let odd = odd.trailing_zeros() as usize;
        let way = |i: usize| 2.0 * size[i] / self.half[i].abs();
        if self.axis[odd] * self.axis[odd] > 0.5 {
            // along the edge
            Some(least(1.0 - sign * along, &[way(odd)]) * sign)
        } else {
            // along the face
            let others = [way((odd + 1) % 3), way((odd + 2) % 3)];
            Some(least(1.0 + sign * along, &others) * -sign)
        }
    }

    /// How far the axis runs along a face from an edge; none if it stands across the edge.
    fn second_by_edge(
        &self,
        size: &[f64; 3],
        along: f64,
        on_edge: f64,
        edge: usize,
        corner: usize,
    ) -> Option<f64> {
        let against = (self.signs ^ corner) & !(1 << edge);
        if !against.is_power_of_two() {
            return None;
        }

        // the face with the smaller angle: the axis runs along `across` in it
        let (next, last) = ((edge + 1) % 3, (edge + 2) % 3);
        let across = if self.axis[next].abs() > self.axis[last].abs() { next } else { last };
        let forward = against & (1 << across) != 0;
        let sign = if forward { 1.0 } else { -1.0 };

        // to the other side of the face, or to the end of the edge
        let over = 2.0 * size[across] / self.half[across].abs();
        let up = self.signs & (1 << edge) != 0;
        let left = if up == forward { 1.0 - on_edge } else { 1.0 + on_edge };
        let aside = size[edge] * left / self.half[edge].abs();
        Some(least(1.0 - sign * along, &[over, aside]) * sign)
    }
}

/// The four edges of a box along one axis, against a segment.
struct Edges<'a> {
    size: &'a [f64; 3],
    direction: usize,
    /// Normal equations [ma mb; mb mc] [on_edge; along] = [u; v] of the nearest points.
    ma: f64,
    mb: f64,
    mc: f64,
    /// 1 / determinant, 1 / ma, 1 / mc.
    inverse: [f64; 3],
}

impl<'a> Edges<'a> {
    /// The edges along `direction`, unless they are parallel to the segment.
    #[inline]
    fn new(segment: &Segment, size: &'a [f64; 3], direction: usize) -> Option<Edges<'a>> {
        let length = size[direction];
        let ma = length * length;
        let mb = -length * segment.half[direction];
        let mc = segment.half_len * segment.half_len;
        let det = ma * mc - mb * mb;
        let inverse = [1.0 / det, 1.0 / ma, 1.0 / mc];
        (det.abs() >= MINVAL).then_some(Edges { size, direction, ma, mb, mc, inverse })
    }

    /// Squared distance to the edge that starts at `corner`, and where it is nearest.
    #[inline]
    fn nearest(&self, segment: &Segment, corner: usize) -> (f64, Nearest) {
        let &Edges { size, direction, ma, mb, mc, inverse: [by_det, by_ma, by_mc] } = self;
        let mut offset = [0.0; 3];
        for i in 0..3 {
            let side = if corner & (1 << i) != 0 { size[i] } else { -size[i] };
            offset[i] = if i == direction { 0.0 } else { side } - segment.pos[i];
        }
        let half = Vec3::from(segment.half);
        let u = -size[direction] * offset[direction];
        let v = half.dot(Vec3::from(offset));
        let mut on_edge = (mc * u - mb * v) * by_det;
        let mut along = (ma * v - mb * u) * by_det;

        // limited to the edge, then to the axis and once more to the edge. An end that was reached
        // first stays the nearest corner even if the edge is entered again.
        let mut end = limit(&mut on_edge);
        if end != End::Inside {
            along = (v - on_edge * mb) * by_mc;
        }
        if limit(&mut along) != End::Inside {
            on_edge = (u - along * mb) * by_ma;
            let again = limit(&mut on_edge);
            end = if again == End::Inside { end } else { again };
        }

        let mut offset = (Vec3::from(offset) + half * -along).to_array();
        offset[direction] += size[direction] * on_edge;
        let offset = Vec3::from(offset);
        let nearest = Nearest::Edge {
            along,
            on_edge,
            edge: direction,
            corner: if end == End::Upper { corner | 1 << direction } else { corner },
            at_corner: end != End::Inside,
        };
        (offset.dot(offset), nearest)
    }
}

/// Where a share of a segment was before it was limited to [-1, 1].
#[derive(Clone, Copy, PartialEq)]
enum End {
    Lower,
    Inside,
    Upper,
}

/// Limits `x` to [-1, 1] and says where it was.
#[inline]
fn limit(x: &mut f64) -> End {
    if *x > 1.0 {
        *x = 1.0;
        End::Upper
    } else if *x < -1.0 {
        *x = -1.0;
        End::Lower
    } else {
        End::Inside
    }
}

/// The least of `x` and `others`; those that are NaN (0/0) do not count.
#[inline]
fn least(x: f64, others: &[f64]) -> f64 {
    others.iter().fold(x, |x, &other| if other < x { other } else { x })
}
