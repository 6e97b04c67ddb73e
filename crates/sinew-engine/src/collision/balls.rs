//! Pairs of geoms whose bounding balls overlap, found by comparing all.
//!
//! Up to a few hundred geoms nothing is faster than comparing each ball with eight at once. Only
//! pairs that the plan allows are compared. Where there are many, a box around the eight must
//! overlap the other. A plane is compared as the half-space below it. The balls of two thin geoms
//! overlap long before the geoms do. Where contacts are expensive, axis-aligned boxes are compared
//! next, in one register per pair. The output is in ascending order, so it needs no sorting, and
//! nothing is kept from step to step.
//!
//! Balls, half-spaces and boxes are in single precision and larger by more than its rounding. Pairs
//! that overlap are tested again with the numbers of the model.

use crate::work::{Balls, BodyPair, Boxes, BroadWork, CollisionPlan, WorldBox, WorldBoxes};
use sinew_math::Vec3;
use sinew_math::simd::{LaneF32, PortableF32, dispatch};
use sinew_model::enums::{EnableBit, GeomType};
use sinew_model::{Data, Model};

use crate::collision::filter::{LEAST, Sleepers, box_around, boxes_separated, spheres_separated};
use crate::collision::params::{half_margin, margin};
use crate::collision::plan::geoms_of;

/// Finds the pairs of geoms that may touch, by bodies.
pub(super) fn overlapping_geoms(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    make_balls(m, d, plan, work);
    find_movers(m, d, plan, &mut work.movers);
    find_overlaps(m, d, plan, work);
}

/// Finds which geoms move, if some sleep: of a pair that matters at least one does.
fn find_movers(m: &Model, d: &Data, plan: &CollisionPlan, movers: &mut Vec<u64>) {
    movers.clear();
    let Some(sleepers) = Sleepers::new(m, d) else { return };
    movers.resize(plan.geoms.len().div_ceil(64), 0);
    for (i, &b) in plan.bodies.iter().enumerate() {
        let moves = u64::from(sleepers.moves(m, b));
        for s in geoms_of(plan, i) {
            movers[s / 64] |= moves << (s % 64);
        }
    }
}

dispatch! {
    fn find_overlaps(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork)
        = find_overlaps_kernel::<Single>;
}

#[inline(always)]
fn find_overlaps_kernel<L: LaneF32>(
    m: &Model,
    d: &Data,
    plan: &CollisionPlan,
    work: &mut BroadWork,
) {
    match plan.geoms.len().div_ceil(64) {
        // known here, one word is a register rather than a row
        0..=1 => find_overlaps_in::<L>(m, d, plan, work, 1),
        words => find_overlaps_in::<L>(m, d, plan, work, words),
    }
}

#[inline(always)]
fn find_overlaps_in<L: LaneF32>(
    m: &Model,
    d: &Data,
    plan: &CollisionPlan,
    work: &mut BroadWork,
    words: usize,
) {
    let BroadWork { balls, boxes, movers, rows, pairs, geoms, world, .. } = work;
    let mut search = Search { m, d, plan, balls, boxes, movers, world, words };
    for i in 0..plan.bodies.len() {
        let own = geoms_of(plan, i);
        let mut add = |s: usize, t: usize| {
            let (g1, g2) = (plan.geoms[s], plan.geoms[t]);
            if !spheres_separated(m, d, g1, g2, margin(m, g1, g2)) {
                list([i as u32, plan.body[t]], [s, t], pairs, geoms);
            }
        };

        // a body of one geom needs no rows
        if own.len() == 1 {
            let one = search.own(own.start);
            for w in own.end / 64..words {
                for bit in Bits(search.near::<L>(&one, w)) {
                    add(own.start, 64 * w + bit);
                }
            }
            continue;
        }

        // which geoms the body's geoms overlap, then by these geoms, hence by their bodies
        if rows.len() < own.len() * words {
            rows.resize(own.len() * words, 0);
        }
        for (s, row) in own.clone().zip(rows.chunks_exact_mut(words)) {
            let one = search.own(s);
            for w in own.end / 64..words {
                row[w] = search.near::<L>(&one, w);
            }
        }
        for w in own.end / 64..words {
            let word = |k: usize| rows[k * words + w];
            for bit in Bits((0..own.len()).fold(0, |met, k| met | word(k))) {
                for (k, s) in own.clone().enumerate() {
                    if word(k) >> bit & 1 != 0 {
                        add(s, 64 * w + bit);
                    }
                }
            }
        }
    }
}

/// The bits of a word that are set, rising.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

/// Part of its radius and coordinates by which a ball is larger: several times the rounding of
/// single precision.
const SLACK: f64 = 1e-6;

/// Balls around the geoms with half of the margin; infinite balls for geoms without bounds.
fn make_balls(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) {
    let one_margin = m.opt.enabled(EnableBit::Override).then_some(0.5 * m.opt.o_margin);
    let n_balls = plan.geoms.len().div_ceil(8);
    work.balls.resize(n_balls, Balls::default());
    work.boxes.resize(n_balls.div_ceil(8), Boxes::default());
    for (b, geoms) in plan.geoms.chunks(8).enumerate() {
        let eight = geoms.iter().map(|&g| {
            let rbound = m.geom_rbound[g];
            let reach = rbound + one_margin.unwrap_or(m.geom_margin[g]);
            let has_ball = rbound > 0.0 && reach > 0.0;
            (d.geom_xpos[g], if has_ball { reach } else { f64::INFINITY })
        });
        make_eight(eight, &mut work.balls[b]);
        if plan.geoms.len() > 64 {
            enclose(b, &work.balls[b], geoms.len(), &mut work.boxes[b / 8]);
        }
    }
}

/// Sets up to eight balls.
#[inline(always)]
fn make_eight(eight: impl Iterator<Item = (Vec3, f64)>, balls: &mut Balls) {
    for (k, (pos, reach)) in eight.take(8).enumerate() {
        let slack = SLACK * (reach + pos.x.abs() + pos.y.abs() + pos.z.abs()) + LEAST;
        balls.radius[k] = (reach + slack) as f32;
        for (axis, x) in [pos.x, pos.y, pos.z].into_iter().enumerate() {
            balls.center[axis][k] = x as f32;
        }
    }
}

/// Sets the `b`-th box, around the first `n` of eight balls.
fn enclose(b: usize, balls: &Balls, n: usize, boxes: &mut Boxes) {
    for axis in 0..3 {
        let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
        for (x, radius) in balls.center[axis].iter().zip(&balls.radius).take(n) {
            let (low, high) = (x - radius, x + radius);
            lo = if low < lo { low } else { lo };
            hi = if high > hi { high } else { hi };
            if (low + high).is_nan() {
                // not known, or infinite
                (lo, hi) = (f32::NEG_INFINITY, f32::INFINITY);
            }
        }
        boxes.lo[axis][b % 8] = lo;
        boxes.hi[axis][b % 8] = hi;
    }
}

/// A search for geoms near one.
struct Search<'a> {
    m: &'a Model,
    d: &'a Data,
    plan: &'a CollisionPlan,
    balls: &'a [Balls],
    boxes: &'a [Boxes],
    movers: &'a [u64],
    world: &'a mut WorldBoxes,
    /// Words per row of bits.
    words: usize,
}

/// The geom that others are compared with.
struct Own {
    /// Place of the pair in the plan.
    place: usize,
    /// Whether it moves, or no geom sleeps.
    moves: bool,
    reach: Reach,
}

/// A region that contains all points that the geom may touch.
enum Reach {
    Ball(Ball),
    HalfSpace(HalfSpace),
}

impl Search<'_> {
    /// The geom at a place of the plan.
    #[inline(always)]
    fn own(&self, place: usize) -> Own {
        let moves = self.movers.get(place / 64).is_none_or(|word| word >> (place % 64) & 1 != 0);
        let ball = Ball::new(self.balls, place);
        let g = self.plan.geoms[place];
        let reach = if ball.radius == f32::INFINITY && self.m.geom_type[g] == GeomType::Plane {
            let reach = half_margin(self.m, g);
            Reach::HalfSpace(HalfSpace::new(self.d.geom_xpos[g], self.d.geom_xmat[g].col(2), reach))
        } else {
            Reach::Ball(ball)
        };
        Own { place, moves, reach }
    }

    /// Which geoms of a word may touch a geom, of later bodies only.
    #[inline(always)]
    fn near<L: LaneF32>(&mut self, own: &Own, w: usize) -> u64 {
        let row = own.place * self.words + w;
        let allowed = self.plan.allowed[row];
        let allowed = if own.moves { allowed } else { allowed & self.movers[w] };
        if allowed == 0 {
            return 0;
        }

        // blocks of eight whose boxes overlap, then their balls
        let mut near = bytes_with_bits(allowed);
        if let (Reach::Ball(ball), 2..) = (&own.reach, self.words) {
            near &= overlapping_boxes::<L>(&self.boxes[w], ball);
        }
        let mut found = 0;
        for b in Bits(near.into()) {
            let balls = &self.balls[8 * w + b];
            let eight = match &own.reach {
                Reach::Ball(ball) => overlapping_balls::<L>(balls, ball),
                Reach::HalfSpace(space) => reaching_balls::<L>(balls, space),
            };
            found |= u64::from(eight) << (8 * b);
        }
        found &= allowed;

        // boxes of geoms, found once for all pairs
        let boxed = found & self.plan.boxed[row];
        if boxed != 0 {
            find_boxes(
                self.m,
                self.d,
                self.plan,
                self.world,
                own.place / 64,
                1 << (own.place % 64),
            );
            find_boxes(self.m, self.d, self.plan, self.world, w, boxed);
            let around = &self.world.boxes[own.place / 64][own.place % 64];
            let others = &self.world.boxes[w];
            for bit in Bits(boxed) {
                found ^= u64::from(boxes_separated::<L>(around, &others[bit % 64])) << bit;
            }
        }
        found
    }
}

/// Computes the boxes of the geoms in a word of the plan, if they are not known yet.
#[inline(always)]
fn find_boxes(
    m: &Model,
    d: &Data,
    plan: &CollisionPlan,
    world: &mut WorldBoxes,
    w: usize,
    bits: u64,
) {
    let unknown = bits & !world.known[w];
    world.known[w] |= bits;
    for bit in Bits(unknown) {
        world.boxes[w][bit % 64] = box_around(m, d, plan.geoms[64 * w + bit]);
    }
}

/// Which bytes of a word are not zero.
#[inline]
fn bytes_with_bits(word: u64) -> u8 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // the highest bit of each byte, then these side by side
    let highest = (((word & LOW) + LOW) | word) & !LOW;
    ((highest >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Whether bounding spheres or boxes of two geoms of the plan are separated; boxes are looked at if
/// `boxed`.
#[inline(always)]
pub(super) fn are_separated(
    m: &Model,
    d: &Data,
    plan: &CollisionPlan,
    [s, t]: [usize; 2],
    boxed: bool,
    world: &mut WorldBoxes,
) -> bool {
    let (g1, g2) = (plan.geoms[s], plan.geoms[t]);
    if spheres_separated(m, d, g1, g2, margin(m, g1, g2)) {
        return true;
    }
    if !boxed {
        return false;
    }
    find_boxes(m, d, plan, world, s / 64, 1 << (s % 64));
    find_boxes(m, d, plan, world, t / 64, 1 << (t % 64));
    let around = |k: usize| &world.boxes[k / 64][k % 64];
    boxes_separated::<PortableF32>(around(s), around(t))
}

/// Forgets the boxes of the last step.
pub(super) fn forget_boxes(plan: &CollisionPlan, world: &mut WorldBoxes) {
    let words = plan.geoms.len().div_ceil(64);
    // 64 boxes are made before `resize` looks whether it needs them
    if world.boxes.len() != words {
        world.boxes.resize(words, [WorldBox::default(); 64]);
    }
    world.known.clear();
    world.known.resize(words, 0);
}

/// Adds two geoms to the list; pairs of the same bodies must follow each other.
#[inline]
pub(super) fn list(
    bodies: [u32; 2],
    geoms: [usize; 2],
    pairs: &mut Vec<BodyPair>,
    list: &mut Vec<[u32; 2]>,
) {
    let at = list.len() as u32;
    list.push(geoms.map(|k| k as u32));
    match pairs.last_mut() {
        Some(last) if last.bodies == bodies => last.geoms[1] = at + 1,
        _ => pairs.push(BodyPair { bodies, geoms: [at, at + 1] }),
    }
}

/// A ball to compare with others.
struct Ball {
    center: [f32; 3],
    radius: f32,
}

impl Ball {
    #[inline(always)]
    fn new(balls: &[Balls], k: usize) -> Ball {
        let Balls { center: [x, y, z], radius } = &balls[k / 8];
        let k = k % 8;
        Ball { center: [x[k], y[k], z[k]], radius: radius[k] }
    }
}

/// Mask of the balls among eight that a ball overlaps. NaN counts as overlapping, so that bad input
/// reaches the narrow phase and its warning.
#[inline(always)]
fn overlapping_balls<L: LaneF32>(balls: &Balls, own: &Ball) -> u8 {
    let away = |axis: usize| L::load(&balls.center[axis]) - L::splat(own.center[axis]);
    let (x, y, z) = (away(0), away(1), away(2));
    let reach = L::load(&balls.radius) + L::splat(own.radius);
    (x * x + y * y + z * z).not_above(reach * reach).bits()
}

/// The half-space below a plane.
struct HalfSpace {
    normal: [f32; 3],
    /// Height of the plane along the normal.
    height: f32,
}

impl HalfSpace {
    /// The half-space below a plane through a point, extended by `margin`.
    #[inline(always)]
    fn new(pos: Vec3, normal: Vec3, margin: f64) -> HalfSpace {
        let slack = SLACK * (margin.abs() + pos.x.abs() + pos.y.abs() + pos.z.abs()) + LEAST;
        HalfSpace {
            normal: [normal.x as f32, normal.y as f32, normal.z as f32],
            height: (normal.dot(pos) + margin + slack) as f32,
        }
    }
}

/// Mask of the balls among eight that reach into a half-space; NaN as for balls.
#[inline(always)]
fn reaching_balls<L: LaneF32>(balls: &Balls, space: &HalfSpace) -> u8 {
    let along = |axis: usize| L::load(&balls.center[axis]) * L::splat(space.normal[axis]);
    let height = along(0) + along(1) + along(2) - L::splat(space.height);
    height.not_above(L::load(&balls.radius)).bits()
}

/// Mask of the boxes among eight that the box around a ball overlaps; NaN as for balls.
#[inline(always)]
fn overlapping_boxes<L: LaneF32>(boxes: &Boxes, own: &Ball) -> u8 {
    let overlap = |axis: usize| {
        let low = L::splat(own.center[axis] - own.radius);
        let high = L::splat(own.center[axis] + own.radius);
        let (lo, hi) = (L::load(&boxes.lo[axis]), L::load(&boxes.hi[axis]));
        lo.not_above(high).and(low.not_above(hi))
    };
    overlap(0).and(overlap(1)).and(overlap(2)).bits()
}

#[cfg(test)]
mod tests {
    use sinew_testkit::Random;

    use super::*;
    use sinew_math::simd::PortableF32;
    use sinew_model::{BodyId, GeomId};

    dispatch! {
        fn rows_wide(m: &Model, d: &Data, plan: &CollisionPlan, work: &mut BroadWork) -> Vec<u64>
            = rows::<Single>;
        fn reaching_wide(balls: &Balls, space: &HalfSpace) -> u8 = reaching_balls::<Single>;
        fn balls_wide(balls: &Balls, own: &Ball) -> u8 = overlapping_balls::<Single>;
        fn boxes_wide(boxes: &Boxes, own: &Ball) -> u8 = overlapping_boxes::<Single>;
    }

    #[test]
    fn bytes_with_bits_are_found() {
        let mut random = Random::new(1);
        for _ in 0..1000 {
            let bytes: [u8; 8] = core::array::from_fn(|_| {
                let byte = random.below(256) as u8;
                if random.once_in(2) { 0 } else { byte }
            });
            let wanted = (0..8).map(|k| u8::from(bytes[k] != 0) << k).sum();
            assert_eq!(bytes_with_bits(u64::from_le_bytes(bytes)), wanted, "{bytes:?}");
        }
    }

    /// The geoms near each geom, in the order of the search.
    #[inline(always)]
    fn rows<L: LaneF32>(
        m: &Model,
        d: &Data,
        plan: &CollisionPlan,
        work: &mut BroadWork,
    ) -> Vec<u64> {
        let BroadWork { balls, boxes, movers, world, .. } = work;
        let words = plan.geoms.len().div_ceil(64);
        let mut search = Search { m, d, plan, balls, boxes, movers, world, words };
        let mut rows = Vec::new();
        for s in 0..plan.geoms.len() {
            let own = search.own(s);
            rows.extend((0..words).map(|w| search.near::<L>(&own, w)));
        }
        rows
    }

    /// The same with either kind of registers.
    fn all_rows(plan: &CollisionPlan, work: &mut BroadWork) -> Vec<u64> {
        let mut m = Model { nbody: 1, ngeom: plan.geoms.len(), ..Model::default() };
        m.allocate();
        m.geom_type.fill(GeomType::Sphere);
        let d = Data::new(&m);
        let portable = rows::<PortableF32>(&m, &d, plan, work);
        assert_eq!(rows_wide(&m, &d, plan, work), portable);
        portable
    }

    #[test]
    fn the_search_finds_all_pairs_that_overlap_and_are_allowed() {
        let mut random = Random::new(7);
        // the same scratch memory throughout, as in a simulation
        let mut work = BroadWork::default();
        for (round, n) in [5_usize, 8, 60, 64, 65, 130, 511, 512, 200].into_iter().enumerate() {
            let words = n.div_ceil(64);
            let spread = [[9.0, 3.0, 1.0], [30.0, 20.0, 8.0]][round % 2];
            let mut pos = Vec::new();
            for k in 0..n {
                let mut at = spread.map(|x: f64| x * random.unit());
                if k % 53 == 4 {
                    at[round % 3] = [f64::NAN, f64::INFINITY, -f64::INFINITY][k % 3];
                }
                pos.push(Vec3::from(at));
            }
            let reach: Vec<f64> =
                (0..n).map(|k| if k % 41 == 3 { f64::INFINITY } else { random.unit() }).collect();
            work.balls.resize(n.div_ceil(8), Balls::default());
            work.boxes.resize(n.div_ceil(64), Boxes::default());
            for b in 0..n.div_ceil(8) {
                let eight = (8 * b..n.min(8 * b + 8)).map(|k| (pos[k], reach[k]));
                make_eight(eight, &mut work.balls[b]);
                enclose(b, &work.balls[b], 8.min(n - 8 * b), &mut work.boxes[b / 8]);
            }

            // bodies of one to three geoms, and some pairs that are not allowed
            let mut plan = CollisionPlan::default();
            while plan.body.len() < n {
                let geoms = (1 + plan.bodies.len() % 3).min(n - plan.body.len());
                plan.first.push(plan.body.len() as u32);
                plan.body.extend(core::iter::repeat_n(plan.bodies.len() as u32, geoms));
                plan.bodies.push(BodyId::new(plan.bodies.len()));
            }
            plan.first.push(n as u32);
            plan.geoms = (0..n).map(GeomId::new).collect();
            plan.allowed = vec![0; n * words];
            plan.boxed = vec![0; n * words];
            let mut wanted = vec![0; n * words];
            let mut sure = vec![0; n * words];
            for (s, t) in (0..n).flat_map(|s| (s + 1..n).map(move |t| (s, t))) {
                if plan.body[s] == plan.body[t] || (s * n + t) % 7 == 3 {
                    continue;
                }
                let (at, bit) = (s * words + t / 64, 1 << (t % 64));
                plan.allowed[at] |= bit;
                let away = pos[s] - pos[t];
                let gap = away.norm() - reach[s] - reach[t];
                // at infinite distance either answer is right
                wanted[at] |= if gap > 1e-4 && gap.is_finite() { 0 } else { bit };
                sure[at] |= if gap > 0.0 { 0 } else { bit };
            }

            let found = all_rows(&plan, &mut work);
            assert_eq!(found.len(), wanted.len());
            for at in 0..found.len() {
                assert_eq!(found[at] & sure[at], sure[at], "{n} geoms: a pair is missing");
                assert_eq!(found[at] & !wanted[at], 0, "{n} geoms: a pair is far separated");
            }

            // with sleepers, those pairs of which one moves
            let movers: Vec<u64> = (0..words).map(|w| 0x9249_2492_4924_9249 << (w % 3)).collect();
            let moves = |s: usize| movers[s / 64] >> (s % 64) & 1 != 0;
            work.movers.clone_from(&movers);
            let awake = all_rows(&plan, &mut work);
            work.movers.clear();
            for (at, (&row, &all)) in awake.iter().zip(&found).enumerate() {
                let mask = if moves(at / words) { u64::MAX } else { movers[at % words] };
                assert_eq!(row, all & mask, "{n} geoms: sleepers");
            }
        }
    }

    #[test]
    fn balls_that_reach_into_a_half_space_are_found() {
        let mut random = Random::new(2);
        let mut around = |size: f64| Vec3::from([0; 3].map(|_| size * (random.unit() - 0.5)));
        for round in 0..2000 {
            let size = [1.0, 1e-3, 1e5, 1e-9][round % 4];
            let (pos, normal) = (around(size), around(1.0).normalize().0);
            let (margin, reach) = (0.1 * size, 0.2 * size);
            let space = HalfSpace::new(pos, normal, margin);
            let centers: [Vec3; 8] = core::array::from_fn(|k| {
                let across = around(4.0 * size).cross(normal);
                // some touch but for rounding
                let gap = [0.0, 1e-12, -1e-12, 1e-3, -1e-3, 1.0, -1.0, f64::NAN][k] * size;
                pos + across + normal * (margin + reach + gap)
            });
            let mut balls = Balls::default();
            make_eight(centers.map(|at| (at, reach)).into_iter(), &mut balls);
            let found = reaching_balls::<PortableF32>(&balls, &space);
            assert_eq!(reaching_wide(&balls, &space), found);
            assert_eq!(found & 0b1101_0111, 0b1101_0111, "one that touches is missing");
            assert_eq!(found & 0b0010_0000, 0, "far above");
            balls.radius = [f32::INFINITY; 8];
            assert_eq!(reaching_balls::<PortableF32>(&balls, &space), u8::MAX);
        }
    }

    #[test]
    fn wide_and_portable_comparisons_agree_and_miss_nothing() {
        let mut random = Random::new(1);
        for round in 0..2000 {
            let mut balls = Balls::default();
            let mut boxes = Boxes::default();
            for k in 0..8 {
                balls.radius[k] = random.unit() as f32;
                for axis in 0..3 {
                    balls.center[axis][k] = 4.0 * random.unit() as f32;
                    boxes.lo[axis][k] = balls.center[axis][k] - balls.radius[k];
                    boxes.hi[axis][k] = balls.center[axis][k] + balls.radius[k];
                }
            }
            balls.center[round % 3][3] = f32::NAN;
            balls.radius[5] = f32::INFINITY;
            (boxes.lo[0][6], boxes.hi[0][6]) = (f32::NEG_INFINITY, f32::INFINITY);
            let own = Ball::new(&[balls], round % 8);
            let met = overlapping_balls::<PortableF32>(&balls, &own);
            let near = overlapping_boxes::<PortableF32>(&boxes, &own);
            let own_bit = 1 << (round % 8);
            assert_eq!(met & (0b101000 | own_bit), 0b101000 | own_bit);
            for k in [0, 1, 2, 4, 6, 7] {
                let away: [f64; 3] = core::array::from_fn(|axis| {
                    f64::from(balls.center[axis][k]) - f64::from(own.center[axis])
                });
                let dist = away.iter().map(|x| x * x).sum::<f64>().sqrt();
                let gap = dist - f64::from(balls.radius[k]) - f64::from(own.radius);
                assert!(gap.abs() < 1e-5 || gap.is_nan() || (gap < 0.0) == (met >> k & 1 != 0));
                assert!(
                    gap >= -1e-5 || gap.is_nan() || near >> k & 1 != 0,
                    "boxes hold their balls"
                );
            }
            assert_eq!((balls_wide(&balls, &own), boxes_wide(&boxes, &own)), (met, near));
        }
    }
}
