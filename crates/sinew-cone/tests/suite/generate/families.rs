//! Families of structures at rest or hit: walls, pyramids, arches, chains, stacks, balls that roll.

use super::{
    Body, FALL, Generated, Random, Touch, Vec3, add, assemble, assemble_cones, basis, box_inertia,
    cross, friction_angle, normalized, pile, rotated, scaled, stack, sub,
};
use sinew_cone::Cone;

/// A family of problems.
#[derive(Clone, Copy)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    pub(crate) make: fn(&mut Random) -> Generated,
    /// Problems of a full survey.
    #[allow(dead_code)] // the survey reads it
    pub(crate) count: usize,
}

/// All families of the survey. Counts are problems per seed of a full survey.
pub(crate) const FAMILIES: [Family; 34] = [
    Family { name: "random piles and stacks", make: requirements, count: 150 },
    Family { name: "one contact", make: |r| pile(r, 1, 1.0, 0.0), count: 30 },
    Family { name: "piles, 12 contacts", make: |r| pile(r, 12, 1.0, 0.0), count: 30 },
    Family { name: "piles, 50 contacts", make: |r| pile(r, 50, 1.0, 0.0), count: 30 },
    Family { name: "piles, restitution 0.5", make: |r| pile(r, 8, 1.0, 0.5), count: 30 },
    Family { name: "piles, friction 10", make: |r| rough_pile(r, |_| 10.0), count: 40 },
    Family { name: "piles, friction 1e-3..10", make: |r| rough_pile(r, wide), count: 40 },
    Family { name: "piles, masses to 1e2", make: |r| pile(r, 12, 1e2, 0.0), count: 30 },
    Family { name: "piles, masses to 1e4", make: |r| pile(r, 12, 1e4, 0.0), count: 30 },
    Family { name: "piles, masses to 1e6", make: |r| pile(r, 12, 1e6, 0.0), count: 30 },
    Family { name: "box at the friction angle", make: friction_angle, count: 30 },
    Family { name: "stacks of 3", make: |r| stack(r, 3, 1.0, None), count: 30 },
    Family { name: "stacks of 12", make: |r| stack(r, 12, 1.0, None), count: 30 },
    Family { name: "stacks of 4, top 1e2 heavier", make: |r| stack(r, 4, 1e2, None), count: 30 },
    Family { name: "stacks of 4, top 1e3 heavier", make: |r| stack(r, 4, 1e3, None), count: 30 },
    Family { name: "stacks of 4, top 1e4 heavier", make: |r| stack(r, 4, 1e4, None), count: 30 },
    Family { name: "stacks of 4, top 1e5 heavier", make: |r| stack(r, 4, 1e5, None), count: 30 },
    Family { name: "stacks of 4, top 1e6 heavier", make: |r| stack(r, 4, 1e6, None), count: 30 },
    Family { name: "heavy on light, 1e2..1e6", make: heavy_on_light, count: 50 },
    Family { name: "stacks of 4, top 1e6 lighter", make: light_on_heavy, count: 30 },
    Family { name: "stacks hit at 1 m/s", make: struck_stack, count: 40 },
    Family { name: "brick walls", make: |r| wall(r, ordinary), count: 40 },
    Family { name: "brick walls, friction 1e-3..10", make: |r| wall(r, wide), count: 40 },
    Family { name: "brick walls hit at 5 m/s", make: struck_wall, count: 12 },
    Family { name: "pyramids of 55 boxes", make: |r| pyramid(r, 10), count: 12 },
    Family { name: "pyramids of 2 to 6 rows", make: small_pyramid, count: 30 },
    Family { name: "pyramids in space, 14 boxes", make: |r| square_pyramid(r, 3), count: 20 },
    Family { name: "loaded arches, mixed friction", make: arch, count: 40 },
    Family { name: "chains of links", make: chain, count: 40 },
    Family { name: "dominoes that lean", make: dominoes, count: 20 },
    Family { name: "piles, condim 6", make: |r| rolling(r, 0.01), count: 30 },
    Family { name: "piles, condim 6, large rolling", make: |r| rolling(r, 0.5), count: 40 },
    Family { name: "balls in a heap, condim 6", make: heap, count: 30 },
    Family { name: "piles, condim 4", make: spinning, count: 30 },
];

/// The families for tests. The largest problems are left out, and so are problems of so different
/// masses that not all are solved. The units are such that the certificate needs no scale.
pub(crate) fn usual_families() -> impl Iterator<Item = &'static Family> {
    let left_out = ["of 55", "hit at 5", "heav", "lighter"];
    FAMILIES.iter().filter(move |f| !left_out.iter().any(|part| f.name.contains(part)))
}

pub(crate) fn ordinary(rng: &mut Random) -> f64 {
    rng.uniform(0.2, 0.9)
}

fn wide(rng: &mut Random) -> f64 {
    10f64.powf(rng.uniform(-3.0, 1.0))
}

/// The mixture of piles and stacks with mass ratios to a million, and boxes at the friction angle.
fn requirements(rng: &mut Random) -> Generated {
    let ratio = if rng.uniform(0.0, 1.0) < 0.5 { 1.0 } else { 10f64.powf(rng.uniform(0.0, 6.0)) };
    match rng.below(10) {
        0 => {
            let boxes = 1 + rng.below(12);
            stack(rng, boxes, 1.0, None)
        }
        1 => {
            let boxes = 1 + rng.below(6);
            stack(rng, boxes, ratio.min(1e3), None)
        }
        2 => friction_angle(rng),
        _ => {
            let contacts = 1 + rng.below(50);
            pile(rng, contacts, ratio, 0.0)
        }
    }
}

/// One step of gravity and a random motion for every body, of a tenth to three times gravity's
/// change of velocity.
fn settle(rng: &mut Random, bodies: usize) -> Vec<f64> {
    let size = FALL * 10f64.powf(rng.uniform(-1.0, 0.5));
    let mut velocity = vec![0.0; 6 * bodies];
    for v in velocity.chunks_exact_mut(6) {
        for x in &mut v[..2] {
            *x = size * rng.normal();
        }
        v[2] = 0.2 * size * rng.normal() - FALL;
        for spin in &mut v[3..] {
            *spin = 0.2 * size * rng.normal();
        }
    }
    velocity
}

/// Boxes placed by their centres, with four contacts wherever one rests on another or on the
/// ground.
fn piled(
    rng: &mut Random,
    half: Vec3,
    centres: &[Vec3],
    friction: fn(&mut Random) -> f64,
) -> Generated {
    let mass = 1.0;
    let bodies: Vec<Body> =
        centres.iter().map(|&pos| Body { mass, inertia: box_inertia(mass, half), pos }).collect();
    let mut touches = Vec::new();
    for (a, p) in centres.iter().enumerate() {
        let bottom = p[2] - half[2];
        if bottom < 1e-9 {
            corners(
                a,
                None,
                [p[0] - half[0], p[0] + half[0]],
                [p[1] - half[1], p[1] + half[1]],
                0.0,
                &bodies,
                &mut touches,
            );
        }
        for (b, q) in centres.iter().enumerate() {
            if (q[2] + half[2] - bottom).abs() < 1e-9 {
                let x = [p[0].max(q[0]) - half[0], p[0].min(q[0]) + half[0]];
                let y = [p[1].max(q[1]) - half[1], p[1].min(q[1]) + half[1]];
                if x[1] - x[0] > 1e-6 && y[1] - y[0] > 1e-6 {
                    corners(a, Some(b), x, y, bottom, &bodies, &mut touches);
                }
            }
        }
    }
    let velocity = settle(rng, bodies.len());
    let mu: Vec<f64> = touches.iter().map(|_| friction(rng)).collect();
    assemble(&bodies, &touches, velocity, &mu, 0.0, basis)
}

/// Contacts at the four corners of an overlap.
fn corners(
    a: usize,
    b: Option<usize>,
    x: [f64; 2],
    y: [f64; 2],
    z: f64,
    bodies: &[Body],
    touches: &mut Vec<Touch>,
) {
    for x in x {
        for y in y {
            let b_pos = b.map_or([0.0; 3], |b| bodies[b].pos);
            touches.push(Touch { a, b, point: [x, y, z], normal: [0.0, 0.0, 1.0], b_pos });
        }
    }
}

fn wall(rng: &mut Random, friction: fn(&mut Random) -> f64) -> Generated {
    let (rows, columns) = (2 + rng.below(5), 2 + rng.below(5));
    bricks(rng, [rows, columns], friction)
}

/// Bricks in running bond.
pub(crate) fn bricks(
    rng: &mut Random,
    [rows, columns]: [usize; 2],
    friction: fn(&mut Random) -> f64,
) -> Generated {
    let half = [0.2, 0.1, 0.1];
    let mut centres = Vec::new();
    for row in 0..rows {
        let shift = if row % 2 == 0 { 0.0 } else { 0.2 };
        for column in 0..columns {
            let x = 0.4 * column as f64 + shift + rng.uniform(-0.01, 0.01);
            centres.push([x, 0.0, 0.1 + 0.2 * row as f64]);
        }
    }
    piled(rng, half, &centres, friction)
}

fn small_pyramid(rng: &mut Random) -> Generated {
    let rows = 2 + rng.below(5);
    pyramid(rng, rows)
}

/// Boxes in a plane, every one on two.
pub(crate) fn pyramid(rng: &mut Random, rows: usize) -> Generated {
    let mut centres = Vec::new();
    for row in 0..rows {
        for k in 0..rows - row {
            let x = 0.55 * (k as f64 + 0.5 * row as f64) + rng.uniform(-0.01, 0.01);
            centres.push([x, 0.0, 0.25 + 0.5 * row as f64]);
        }
    }
    piled(rng, [0.25; 3], &centres, ordinary)
}

/// Boxes in squares, every one on four.
fn square_pyramid(rng: &mut Random, rows: usize) -> Generated {
    let mut centres = Vec::new();
    for row in 0..rows {
        let side = rows - row;
        for k in 0..side * side {
            let at = |k: usize| 0.55 * (k as f64 + 0.5 * row as f64);
            let jitter = [rng.uniform(-0.01, 0.01), rng.uniform(-0.01, 0.01)];
            let (x, y) = (at(k % side) + jitter[0], at(k / side) + jitter[1]);
            centres.push([x, y, 0.25 + 0.5 * row as f64]);
        }
    }
    piled(rng, [0.25; 3], &centres, ordinary)
}

/// Wedge-shaped stones in half a circle, joints of four contacts, some stones pushed down.
fn arch(rng: &mut Random) -> Generated {
    let stones = 5 + rng.below(12);
    let (inner, outer, depth) = (1.0, 1.25, 0.2);
    let angle = |k: usize| std::f64::consts::PI * k as f64 / stones as f64;
    let mid = 0.5 * (inner + outer);
    let half = [0.5 * (outer - inner), depth, 0.5 * std::f64::consts::PI * mid / stones as f64];
    let at = |angle: f64, r: f64, y: f64| [r * angle.cos(), y, r * angle.sin()];
    let bodies: Vec<Body> = (0..stones)
        .map(|k| {
            let mass = rng.uniform(0.5, 2.0);
            let inertia = rotated(rng, box_inertia(mass, half));
            Body { mass, inertia, pos: at(0.5 * (angle(k) + angle(k + 1)), mid, 0.0) }
        })
        .collect();
    let (mut touches, mut mu) = (Vec::new(), Vec::new());
    for joint in 0..=stones {
        let friction = rng.uniform(0.1, 1.0);
        let along = angle(joint);
        let mut normal = [-along.sin(), 0.0, along.cos()];
        let (a, b) = match joint {
            0 => (0, None),
            j if j == stones => (stones - 1, None),
            j => (j, Some(j - 1)),
        };
        if joint == stones {
            normal = scaled(normal, -1.0);
        }
        for r in [inner, outer] {
            for y in [-depth, depth] {
                let b_pos = b.map_or([0.0; 3], |b: usize| bodies[b].pos);
                touches.push(Touch { a, b, point: at(along, r, y), normal, b_pos });
                mu.push(friction * rng.uniform(0.8, 1.2));
            }
        }
    }
    let mut velocity = settle(rng, stones);
    for v in velocity.chunks_exact_mut(6) {
        if rng.uniform(0.0, 1.0) < 0.3 {
            v[2] -= rng.uniform(0.0, 5.0) * FALL;
        }
    }
    assemble(&bodies, &touches, velocity, &mu, 0.0, basis)
}

/// Links that hang in each other, two contacts each; some swing.
fn chain(rng: &mut Random) -> Generated {
    let links = 3 + rng.below(20);
    let mut bodies: Vec<Body> = Vec::new();
    let (mut touches, mut mu) = (Vec::new(), Vec::new());
    let mut pos = [0.0, 0.0, 0.0];
    let mut direction = [0.0, 0.0, -1.0];
    for k in 0..links {
        direction = normalized(add(direction, scaled(rng.vector(), 0.1)));
        let mass = 10f64.powf(rng.uniform(-0.5, 0.5));
        let inertia = rotated(rng, box_inertia(mass, [0.05, 0.02, 0.15]));
        let centre = add(pos, scaled(direction, 0.12));
        bodies.push(Body { mass, inertia, pos: centre });
        let across = normalized(cross(direction, rng.vector()));
        for side in [-1.0, 1.0] {
            // the link above holds this one, against the direction of the chain
            let tilt = scaled(across, side * rng.uniform(0.1, 0.8));
            let normal = normalized(sub(tilt, direction));
            let point = add(pos, scaled(across, -0.01 * side));
            let b = k.checked_sub(1);
            let b_pos = b.map_or([0.0; 3], |b: usize| bodies[b].pos);
            touches.push(Touch { a: k, b, point, normal, b_pos });
            mu.push(rng.uniform(0.1, 0.8));
        }
        pos = add(centre, scaled(direction, 0.12));
    }
    let mut velocity = settle(rng, links);
    for v in velocity.chunks_exact_mut(6) {
        v[0] += FALL * rng.normal();
        v[4] += FALL * rng.normal();
    }
    assemble(&bodies, &touches, velocity, &mu, 0.0, basis)
}

/// A stack of which one box is hit.
fn struck_stack(rng: &mut Random) -> Generated {
    let boxes = 2 + rng.below(9);
    let mut made = stack(rng, boxes, 1.0, None);
    let hit = rng.below(boxes);
    let angle = rng.uniform(0.0, std::f64::consts::TAU);
    made.velocity[6 * hit] += angle.cos();
    made.velocity[6 * hit + 1] += angle.sin();
    made.b = super::rhs(&made.cones, &made.contact_velocity(&made.velocity), 0.0);
    made
}

/// Two to six boxes on each other, the top heavier than the bottom by up to a million.
fn heavy_on_light(rng: &mut Random) -> Generated {
    let (boxes, ratio) = (2 + rng.below(5), 10f64.powf(rng.uniform(2.0, 6.0)));
    stack(rng, boxes, ratio, None)
}

/// Four boxes on each other, the bottom a million times heavier than the top.
fn light_on_heavy(rng: &mut Random) -> Generated {
    let mut made = stack(rng, 4, 1e-6, None);
    made.a.iter_mut().for_each(|a| *a *= 1e-6);
    made.inverse_mass.iter_mut().flatten().flatten().for_each(|a| *a *= 1e-6);
    made
}

/// A wall of six by six of which one brick is hit.
fn struck_wall(rng: &mut Random) -> Generated {
    let mut made = bricks(rng, [6, 6], ordinary);
    let hit = rng.below(36);
    made.velocity[6 * hit + 1] += 5.0;
    for spin in &mut made.velocity[6 * hit + 3..6 * hit + 6] {
        *spin += 5.0 * rng.normal();
    }
    made.b = super::rhs(&made.cones, &made.contact_velocity(&made.velocity), 0.0);
    made
}

/// A row of slabs, of which some lean against the next: two contacts on the ground each, two
/// with the neighbour.
fn dominoes(rng: &mut Random) -> Generated {
    let (count, half) = (10 + rng.below(21), [0.02, 0.1, 0.2]);
    let fallen = 2 + rng.below(count - 2);
    let (mut bodies, mut touches, mut mu) = (Vec::<Body>::new(), Vec::new(), Vec::new());
    let mut velocity = vec![0.0; 6 * count];
    for k in 0..count {
        // standing bodies have four corners on the ground, leaning ones two
        let leans = k < fallen;
        let angle = if leans { rng.uniform(0.1, 0.6) } else { 0.0 };
        let (sin, cos) = angle.sin_cos();
        let foot = [0.15 * k as f64 + half[0], 0.0, 0.0];
        let pos = [foot[0] - half[0] * cos + half[2] * sin, 0.0, half[0] * sin + half[2] * cos];
        bodies.push(Body { mass: 1.0, inertia: box_inertia(1.0, half), pos });
        for y in [-half[1], half[1]] {
            let edges = if leans { vec![0.0] } else { vec![0.0, -2.0 * half[0]] };
            for x in edges {
                let point = [foot[0] + x, y, 0.0];
                touches.push(Touch {
                    a: k,
                    b: None,
                    point,
                    normal: [0.0, 0.0, 1.0],
                    b_pos: [0.0; 3],
                });
                mu.push(rng.uniform(0.2, 0.9));
            }
        }
        if leans {
            velocity[6 * k] = cos * rng.uniform(0.0, 0.5);
            velocity[6 * k + 4] = rng.uniform(0.0, 2.0);
        }
        velocity[6 * k + 2] -= FALL;
    }
    for k in 1..=fallen.min(count - 1) {
        // the upper edge of the one before leans against this one
        let height = rng.uniform(0.2, 0.35);
        for y in [-half[1], half[1]] {
            let point = [bodies[k].pos[0] - half[0], y, height];
            let tilt = rng.uniform(0.0, 0.4);
            let normal = normalized([1.0, 0.0, -tilt]);
            let b_pos = bodies[k - 1].pos;
            touches.push(Touch { a: k, b: Some(k - 1), point, normal, b_pos });
            mu.push(rng.uniform(0.2, 0.9));
        }
    }
    assemble(&bodies, &touches, velocity, &mu, 0.0, basis)
}

/// A pile of up to thirty contacts with other friction.
fn rough_pile(rng: &mut Random, friction: fn(&mut Random) -> f64) -> Generated {
    let contacts = 1 + rng.below(30);
    recast(rng, contacts, |rng| Cone::contact(friction(rng)))
}

/// Piles whose contacts resist spin and rolling.
fn rolling(rng: &mut Random, most: f64) -> Generated {
    let contacts = 1 + rng.below(30);
    recast(rng, contacts, |rng| {
        let (slide, roll) = (rng.uniform(0.1, 1.2), most * rng.uniform(0.01, 1.0));
        Cone::Contact6([slide, slide, 0.5 * roll, roll, roll])
    })
}

fn spinning(rng: &mut Random) -> Generated {
    let contacts = 1 + rng.below(30);
    recast(rng, contacts, |rng| {
        let slide = rng.uniform(0.1, 1.2);
        Cone::Contact4([slide, slide * rng.uniform(0.5, 1.0), rng.uniform(0.001, 0.1)])
    })
}

/// A pile with other cones.
fn recast(rng: &mut Random, contacts: usize, cone: impl Fn(&mut Random) -> Cone) -> Generated {
    let (bodies, touches, velocity) = super::pile_parts(rng, contacts, 1.0);
    let cones = touches.iter().map(|_| cone(rng)).collect();
    assemble_cones(&bodies, &touches, velocity, cones, 0.0, basis)
}

/// Balls on each other in a pit, at rest but for gravity, with friction that resists rolling.
fn heap(rng: &mut Random) -> Generated {
    let (radius, count) = (0.1, 4 + rng.below(16));
    let mut bodies: Vec<Body> = Vec::new();
    let (mut touches, mut cones) = (Vec::new(), Vec::new());
    let roll = rng.uniform(0.001, 0.3);
    let cone = |mu: f64| Cone::Contact6([mu, mu, 0.5 * roll, roll, roll]);
    for k in 0..count {
        let layer = k / 5;
        let angle = std::f64::consts::TAU * (k % 5) as f64 / 5.0 + 0.6 * layer as f64;
        let ring = 0.175 - 0.01 * layer as f64;
        let pos = [ring * angle.cos(), ring * angle.sin(), radius + 0.16 * layer as f64];
        let inertia = 0.4 * radius * radius;
        let diagonal = [[inertia, 0.0, 0.0], [0.0, inertia, 0.0], [0.0, 0.0, inertia]];
        bodies.push(Body { mass: 1.0, inertia: diagonal, pos });
        let out = normalized([pos[0], pos[1], 0.0]);
        let wall = (scaled(out, -1.0), add(pos, scaled(out, radius)));
        let floor = ([0.0, 0.0, 1.0], sub(pos, [0.0, 0.0, radius]));
        let fixed = if layer == 0 { vec![floor, wall] } else { vec![wall] };
        for (normal, point) in fixed {
            touches.push(Touch { a: k, b: None, point, normal, b_pos: [0.0; 3] });
            cones.push(cone(rng.uniform(0.2, 0.9)));
        }
        for b in 0..k {
            let between = sub(pos, bodies[b].pos);
            let distance = between.iter().map(|x| x * x).sum::<f64>().sqrt();
            if distance < 2.1 * radius {
                let normal = normalized(between);
                let point = sub(pos, scaled(normal, 0.5 * distance));
                touches.push(Touch { a: k, b: Some(b), point, normal, b_pos: bodies[b].pos });
                cones.push(cone(rng.uniform(0.2, 0.9)));
            }
        }
    }
    let velocity = settle(rng, count);
    assemble_cones(&bodies, &touches, velocity, cones, 0.0, basis)
}
