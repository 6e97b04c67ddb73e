//! Random contact problems, seeded: piles of bodies in random contact and stacks of boxes.

pub(crate) mod families;
pub(crate) mod residual;

use sinew_cone::Cone;

/// SplitMix64: small, good enough, the same on every machine.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn normal(&mut self) -> f64 {
        let (u, v) = (self.uniform(0.0, 1.0), self.uniform(0.0, 1.0));
        (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        [self.normal(), self.normal(), self.normal()]
    }
}

pub(crate) type Vec3 = [f64; 3];
type Mat3 = [Vec3; 3];

/// A free rigid body: mass, inertia in the world's axes, position.
#[derive(Clone)]
pub(crate) struct Body {
    pub(crate) mass: f64,
    pub(crate) inertia: Mat3,
    pub(crate) pos: Vec3,
}

/// Body `a` touches body `b` (or the ground) at `point`; the normal points towards `a`.
pub(crate) struct Touch {
    pub(crate) a: usize,
    pub(crate) b: Option<usize>,
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    /// Where `b` is, as seen from this contact.
    pub(crate) b_pos: Vec3,
}

/// A generated problem with its origin.
pub(crate) struct Generated {
    pub(crate) a: Vec<f64>,
    pub(crate) b: Vec<f64>,
    pub(crate) cones: Vec<Cone>,
    pub(crate) jacobian: Vec<f64>,
    pub(crate) inverse_mass: Vec<Mat6>,
    pub(crate) velocity: Vec<f64>,
    pub(crate) restitution: f64,
}

pub(crate) type Mat6 = [[f64; 6]; 6];

impl Generated {
    pub(crate) fn rows(&self) -> usize {
        self.b.len()
    }

    pub(crate) fn problem(&self) -> sinew_cone::Problem<'_> {
        sinew_cone::Problem::new(&self.a, &self.b, &self.cones).expect("generators are well-formed")
    }

    /// The rows of `J M^-½`, and how many columns they have.
    pub(crate) fn sparse_rows(&self) -> (sinew_cone::SparseRows, usize) {
        let mut rows = sinew_cone::SparseRows::default();
        for row in self.scaled_rows() {
            rows.push(row);
        }
        (rows, self.velocity.len())
    }

    /// The rows of `J M^-½`, with the lower Cholesky factor of each body's inverse mass.
    pub(crate) fn scaled_rows(&self) -> Vec<Vec<(u32, f64)>> {
        let factors: Vec<Mat6> = self.inverse_mass.iter().map(lower_factor).collect();
        let mut rows = Vec::new();
        for row in self.jacobian.chunks_exact(self.velocity.len()) {
            let mut entries = Vec::new();
            for (body, factor) in factors.iter().enumerate() {
                let part = &row[6 * body..6 * body + 6];
                if part.iter().any(|x| *x != 0.0) {
                    for j in 0..6 {
                        let x = (j..6).map(|i| part[i] * factor[i][j]).sum();
                        entries.push(((6 * body + j) as u32, x));
                    }
                }
            }
            rows.push(entries);
        }
        rows
    }

    pub(crate) fn friction(&self) -> impl Iterator<Item = f64> + '_ {
        self.cones.iter().map(|c| c.friction()[0])
    }

    /// `J v`.
    pub(crate) fn contact_velocity(&self, velocity: &[f64]) -> Vec<f64> {
        let rows = self.jacobian.chunks_exact(velocity.len());
        rows.map(|r| r.iter().zip(velocity).map(|(j, v)| j * v).sum()).collect()
    }

    /// The right-hand side after the bodies' velocity changed by `fraction` of its mean size.
    pub(crate) fn nudged(&self, rng: &mut Random, fraction: f64) -> Vec<f64> {
        let mean = self.velocity.iter().map(|v| v.abs()).sum::<f64>() / self.velocity.len() as f64;
        let v: Vec<f64> =
            self.velocity.iter().map(|v| v + fraction * mean * rng.normal()).collect();
        rhs(&self.cones, &self.contact_velocity(&v), self.restitution)
    }
}

/// `-u`, and on the normal rows `-(1 + e) u`.
fn rhs(cones: &[Cone], u: &[f64], e: f64) -> Vec<f64> {
    let mut b: Vec<f64> = u.iter().map(|u| -u).collect();
    let mut first = 0;
    for cone in cones {
        b[first] -= e * u[first];
        first += cone.dim();
    }
    b
}

/// Normal and two tangents, for random problems.
pub(crate) fn basis(n: Vec3) -> Mat3 {
    let axis = if n[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let t = normalized(cross(n, axis));
    [n, t, cross(n, t)]
}

/// Normal z with tangents x and y, for the worked examples.
pub(crate) fn upright(n: Vec3) -> Mat3 {
    [n, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
}

/// Builds the problem: Jacobian, `A = J M⁻¹ Jᵀ + 1e-10`, `b = -(J v + e on normals)`.
pub(crate) fn assemble(
    bodies: &[Body],
    touches: &[Touch],
    velocity: Vec<f64>,
    friction: &[f64],
    restitution: f64,
    frame: fn(Vec3) -> Mat3,
) -> Generated {
    let cones = friction.iter().map(|mu| Cone::contact(*mu)).collect();
    assemble_cones(bodies, touches, velocity, cones, restitution, frame)
}

/// The same for contacts of three, four or six rows: spin about the normal, rolling about the
/// tangents.
pub(crate) fn assemble_cones(
    bodies: &[Body],
    touches: &[Touch],
    velocity: Vec<f64>,
    cones: Vec<Cone>,
    restitution: f64,
    frame: fn(Vec3) -> Mat3,
) -> Generated {
    let (nv, rows) = (6 * bodies.len(), cones.iter().map(Cone::dim).sum::<usize>());
    let mut jacobian = vec![0.0; rows * nv];
    let mut first = 0;
    for (touch, cone) in touches.iter().zip(&cones) {
        for (k, direction) in frame(touch.normal).into_iter().cycle().take(cone.dim()).enumerate() {
            let row = &mut jacobian[(first + k) * nv..][..nv];
            if k >= 3 {
                for j in 0..3 {
                    row[6 * touch.a + 3 + j] = direction[j];
                    if let Some(b) = touch.b {
                        row[6 * b + 3 + j] = -direction[j];
                    }
                }
                continue;
            }
            let lever = cross(sub(touch.point, bodies[touch.a].pos), direction);
            row[6 * touch.a..][..3].copy_from_slice(&direction);
            row[6 * touch.a + 3..][..3].copy_from_slice(&lever);
            if let Some(b) = touch.b {
                let lever = cross(sub(touch.point, touch.b_pos), direction);
                for j in 0..3 {
                    row[6 * b + j] = -direction[j];
                    row[6 * b + 3 + j] = -lever[j];
                }
            }
        }
        first += cone.dim();
    }
    let inverse_mass: Vec<Mat6> = bodies.iter().map(inverse_mass).collect();

    // A row by row: (M⁻¹ Jᵀ) then J
    let mut a = vec![0.0; rows * rows];
    for i in 0..rows {
        let mut image = jacobian[i * nv..][..nv].to_vec();
        for (k, inverse) in inverse_mass.iter().enumerate() {
            apply(inverse, &mut image[6 * k..][..6]);
        }
        for j in 0..rows {
            let row = &jacobian[j * nv..][..nv];
            a[i * rows + j] = row.iter().zip(&image).map(|(x, y)| x * y).sum();
        }
    }
    for i in 0..rows {
        for j in 0..i {
            let mean = 0.5 * (a[i * rows + j] + a[j * rows + i]);
            a[i * rows + j] = mean;
            a[j * rows + i] = mean;
        }
        a[i * rows + i] += 1e-10;
    }
    let mut made = Generated { a, b: vec![], cones, jacobian, inverse_mass, velocity, restitution };
    made.b = rhs(&made.cones, &made.contact_velocity(&made.velocity), restitution);
    made
}

/// `x <- M⁻¹ x` for one body.
pub(crate) fn apply(inverse: &Mat6, x: &mut [f64]) {
    let old: Vec<f64> = x.to_vec();
    for k in 0..6 {
        x[k] = inverse[k].iter().zip(&old).map(|(m, x)| m * x).sum();
    }
}

fn inverse_mass(body: &Body) -> Mat6 {
    let mut out = [[0.0; 6]; 6];
    let inverse = inverse3(&body.inertia);
    for k in 0..3 {
        out[k][k] = 1.0 / body.mass;
        out[3 + k][3..].copy_from_slice(&inverse[k]);
    }
    out
}

/// The lower triangular `L` with `L Lᵀ = m`.
fn lower_factor(m: &Mat6) -> Mat6 {
    let mut l = [[0.0; 6]; 6];
    for i in 0..6 {
        for j in 0..=i {
            let sum: f64 = (0..j).map(|k| l[i][k] * l[j][k]).sum();
            l[i][j] = if i == j { (m[i][i] - sum).sqrt() } else { (m[i][j] - sum) / l[j][j] };
        }
    }
    l
}

/// Bodies in random contact with each other and the ground; masses equal, or from 1 to `ratio`.
pub(crate) fn pile(rng: &mut Random, contacts: usize, ratio: f64, restitution: f64) -> Generated {
    let (bodies, touches, velocity) = pile_parts(rng, contacts, ratio);
    let friction: Vec<f64> = (0..contacts).map(|_| rng.uniform(0.05, 1.2)).collect();
    assemble(&bodies, &touches, velocity, &friction, restitution, basis)
}

fn pile_parts(rng: &mut Random, contacts: usize, ratio: f64) -> (Vec<Body>, Vec<Touch>, Vec<f64>) {
    let n = ((contacts as f64 / rng.uniform(1.2, 3.0)).ceil() as usize).max(1);
    let equal = rng.uniform(0.5, 5.0);
    let mut masses: Vec<f64> = (0..n)
        .map(|_| if ratio > 1.0 { 10f64.powf(rng.uniform(0.0, ratio.log10())) } else { equal })
        .collect();
    if ratio > 1.0 && n > 1 {
        masses[0] = 1.0;
        masses[1] = ratio;
    }
    let bodies: Vec<Body> = masses
        .iter()
        .map(|&mass| {
            let half = [rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5)];
            Body { mass, inertia: rotated(rng, box_inertia(mass, half)), pos: rng.vector() }
        })
        .collect();
    let mut touches = Vec::new();
    for _ in 0..contacts {
        let a = rng.below(n);
        let other = if n == 1 || rng.uniform(0.0, 1.0) < 0.4 { a } else { rng.below(n) };
        let b = (other != a).then_some(other);
        let mut normal = normalized(rng.vector());
        if b.is_none() {
            normal = normalized([0.3 * normal[0], 0.3 * normal[1], normal[2].abs()]);
        }
        let lever = scaled(rng.vector(), 0.3);
        let point = add(bodies[a].pos, lever);
        let b_pos = sub(point, scaled(rng.vector(), 0.3));
        touches.push(Touch { a, b, point, normal, b_pos });
    }
    let mut velocity: Vec<f64> = (0..6 * n).map(|_| rng.normal()).collect();
    velocity.iter_mut().skip(2).step_by(6).for_each(|v| *v -= 1.0);
    (bodies, touches, velocity)
}

/// Velocity that gravity adds in one step.
pub(crate) const FALL: f64 = 9.81 / 60.0;

/// Boxes of 1 x 1 x 0.5 on top of each other, four contacts each, pushed a little; masses rise
/// upwards from 1 to `ratio`.
pub(crate) fn stack(
    rng: &mut Random,
    boxes: usize,
    ratio: f64,
    friction: Option<f64>,
) -> Generated {
    let half = [0.5, 0.5, 0.25];
    let mut bodies = Vec::new();
    for k in 0..boxes {
        let share = if boxes > 1 { k as f64 / (boxes - 1) as f64 } else { 1.0 };
        let mass = ratio.powf(share);
        let pos = [rng.normal() * 0.02, rng.normal() * 0.02, half[2] + 2.0 * half[2] * k as f64];
        bodies.push(Body { mass, inertia: box_inertia(mass, half), pos });
    }
    let mut touches = Vec::new();
    for k in 0..boxes {
        for (x, y) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            let pos = bodies[k].pos;
            let height = 2.0 * half[2] * k as f64;
            let point = [pos[0] + x * half[0] * 0.95, pos[1] + y * half[1] * 0.95, height];
            let b = k.checked_sub(1);
            let b_pos = b.map_or([0.0; 3], |b: usize| bodies[b].pos);
            touches.push(Touch { a: k, b, point, normal: [0.0, 0.0, 1.0], b_pos });
        }
    }
    let mut velocity = vec![0.0; 6 * boxes];
    for v in velocity.chunks_exact_mut(6) {
        v[0] = rng.normal() * FALL;
        v[1] = rng.normal() * FALL;
        v[2] = -FALL;
        for spin in &mut v[3..] {
            *spin = rng.normal() * 0.2 / 60.0;
        }
    }
    let friction: Vec<f64> =
        touches.iter().map(|_| friction.unwrap_or_else(|| rng.uniform(0.2, 0.9))).collect();
    assemble(&bodies, &touches, velocity, &friction, 0.0, basis)
}

/// A box on a slope of exactly its friction angle.
pub(crate) fn friction_angle(rng: &mut Random) -> Generated {
    let mu = rng.uniform(0.2, 1.0);
    let mut made = stack(rng, 1, 1.0, Some(mu));
    let angle = mu.atan();
    made.velocity = vec![FALL * angle.sin(), 0.0, -FALL * angle.cos(), 0.0, 0.0, 0.0];
    made.b = rhs(&made.cones, &made.contact_velocity(&made.velocity), 0.0);
    made
}

pub(crate) fn box_inertia(mass: f64, half: Vec3) -> Mat3 {
    let [x, y, z] = half.map(|h| h * h);
    let f = mass / 3.0;
    [[f * (y + z), 0.0, 0.0], [0.0, f * (x + z), 0.0], [0.0, 0.0, f * (x + y)]]
}

pub(crate) fn rotated(rng: &mut Random, inertia: Mat3) -> Mat3 {
    let mut q = [rng.normal(), rng.normal(), rng.normal(), rng.normal()];
    let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    q.iter_mut().for_each(|x| *x /= length);
    let [w, x, y, z] = q;
    let r = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut out = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            out[i][j] = (0..3).map(|k| r[i][k] * inertia[k][k] * r[j][k]).sum();
        }
    }
    out
}

fn inverse3(m: &Mat3) -> Mat3 {
    let [a, b, c] = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    let det = m[0][0] * a[0] + m[0][1] * a[1] + m[0][2] * a[2];
    let mut out = [[0.0; 3]; 3];
    for k in 0..3 {
        out[k] = [a[k] / det, b[k] / det, c[k] / det];
    }
    out
}

pub(crate) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub(crate) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn scaled(a: Vec3, s: f64) -> Vec3 {
    a.map(|x| x * s)
}

pub(crate) fn normalized(a: Vec3) -> Vec3 {
    scaled(a, 1.0 / a.iter().map(|x| x * x).sum::<f64>().sqrt())
}
