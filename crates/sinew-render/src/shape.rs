//! Unit shapes, tessellated as in MuJoCo (`render_context.c`). Light is computed at the vertices,
//! so the tessellation decides the shading.

use core::f32::consts::{FRAC_PI_2, PI, TAU};

use crate::linear::{V3, normalize};
use crate::mesh::Mesh;

/// Maximum number of divisions in one direction; memory grows with the square.
pub(crate) const MAX_PARTS: usize = 512;

/// Numbers of divisions of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quality {
    pub(crate) slices: usize,
    pub(crate) stacks: usize,
    pub(crate) quads: usize,
}

impl Quality {
    /// Slices halved `slices` times and stacks halved `stacks` times, but not below a minimum.
    fn coarser(self, slices: usize, stacks: usize) -> Quality {
        Quality {
            slices: (self.slices >> slices).max(self.slices.min(6)),
            stacks: (self.stacks >> stacks).max(1),
            quads: (self.quads >> stacks).max(1),
        }
    }
}

/// Maximum number of halvings of slices and of stacks.
const SLICE_LEVELS: usize = 3;
const STACK_LEVELS: usize = 5;

/// Number of halvings of slices and of stacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Detail {
    pub(crate) slices: usize,
    pub(crate) stacks: usize,
}

/// A unit shape with coarser levels of detail for small images.
pub(crate) struct Levels {
    mesh: Vec<Mesh>,
    /// Divisions of the finest level.
    pub(crate) quality: Quality,
}

impl Levels {
    fn new(quality: Quality, make: impl Fn(Quality) -> Mesh) -> Levels {
        let stacks = |i: usize| (0..STACK_LEVELS).map(move |j| (i, j));
        let levels = (0..SLICE_LEVELS).flat_map(stacks);
        Levels { mesh: levels.map(|(i, j)| make(quality.coarser(i, j))).collect(), quality }
    }

    /// The level with the given detail.
    pub(crate) fn pick(&self, detail: Detail) -> &Mesh {
        let (i, j) = (detail.slices.min(SLICE_LEVELS - 1), detail.stacks.min(STACK_LEVELS - 1));
        &self.mesh[i * STACK_LEVELS + j]
    }

    /// The level with MuJoCo's tessellation.
    pub(crate) fn finest(&self) -> &Mesh {
        &self.mesh[0]
    }

    /// The coarsest detail with an outline error of at most `error` for a circle of `radius`
    /// pixels. Stacks along `length` pixels are at most `stack` pixels long.
    pub(crate) fn detail(&self, radius: f32, length: f32, error: f32, stack: f32) -> Detail {
        let fits = |level: &usize| {
            let slices = self.quality.coarser(*level, 0).slices;
            radius * (1.0 - (PI / slices as f32).cos()) <= error
        };
        let short = |level: &usize| length <= stack * (self.quality.stacks >> *level) as f32;
        Detail {
            slices: (1..SLICE_LEVELS).take_while(fits).last().unwrap_or(0),
            stacks: (1..STACK_LEVELS).take_while(short).last().unwrap_or(0),
        }
    }
}

/// All unit shapes.
pub(crate) struct Shapes {
    pub(crate) sphere: Levels,
    pub(crate) sphere_top: Levels,
    pub(crate) sphere_bottom: Levels,
    pub(crate) cylinder: Levels,
    pub(crate) cylinder_open: Levels,
    pub(crate) cuboid: Levels,
    pub(crate) cone: Levels,
    pub(crate) cone_down: Levels,
    pub(crate) square: Mesh,
    pub(crate) triangle: Mesh,
}

impl Shapes {
    pub(crate) fn new(q: Quality) -> Shapes {
        // the stacks of a sphere form its outline, so their number follows from the slices
        let round = |make: fn(Quality) -> Mesh| {
            Levels::new(q, move |level| {
                let halved = (0..SLICE_LEVELS).find(|&i| q.coarser(i, 0).slices <= level.slices);
                make(q.coarser(halved.unwrap_or(0), halved.unwrap_or(0)))
            })
        };
        Shapes {
            sphere: round(sphere),
            sphere_top: round(|q| half_sphere(1.0, q.slices, (q.stacks / 2).max(1))),
            sphere_bottom: round(|q| half_sphere(-1.0, q.slices, (q.stacks / 2).max(1))),
            cylinder: Levels::new(q, cylinder),
            cylinder_open: Levels::new(q, open_cylinder),
            cuboid: Levels::new(q, |q| cuboid(q.quads)),
            cone_down: Levels::new(q, |q| upside_down(&cone(q))),
            cone: Levels::new(q, cone),
            square: square(q.quads),
            triangle: corner_triangle(),
        }
    }
}

fn cylinder(q: Quality) -> Mesh {
    let half = (q.stacks / 2).max(1);
    joined(&[disk(-1.0, q.slices, half), open_cylinder(q), disk(1.0, q.slices, half)])
}

fn angle(j: usize, slices: usize) -> (f32, f32) {
    (TAU * (j % slices) as f32 / slices as f32).sin_cos()
}

/// Connects rings of `slices` vertices; the first ring begins at vertex `first`.
fn connect(mesh: &mut Mesh, first: u32, rings: usize, slices: usize, outward: bool) {
    let n = slices as u32;
    for i in 0..rings.saturating_sub(1) as u32 {
        for j in 0..n {
            let (here, next) = (first + i * n + j, first + i * n + (j + 1) % n);
            if outward {
                mesh.quad([here, next, next + n, here + n]);
            } else {
                mesh.quad([here + n, next + n, next, here]);
            }
        }
    }
}

/// Half a sphere with centre (0, 0, `center`), from the equator to the pole on the side of `sign`.
fn dome(mesh: &mut Mesh, sign: f32, center: f32, slices: usize, stacks: usize) {
    let first = mesh.vert.len() as u32;
    for i in 0..stacks {
        let (se, ce) = (FRAC_PI_2 * sign * i as f32 / stacks as f32).sin_cos();
        for j in 0..slices {
            let (sa, ca) = angle(j, slices);
            let normal = [ca * ce, sa * ce, se];
            mesh.vertex([normal[0], normal[1], center + se], normal);
        }
    }
    connect(mesh, first, stacks, slices, sign > 0.0);
    let pole = mesh.vertex([0.0, 0.0, center + sign], [0.0, 0.0, sign]);
    let last = first + ((stacks - 1) * slices) as u32;
    for j in 0..slices as u32 {
        let (here, next) = (last + j, last + (j + 1) % slices as u32);
        mesh.tri.push(if sign > 0.0 { [here, next, pole] } else { [pole, next, here] });
    }
}

fn sphere(q: Quality) -> Mesh {
    let mut mesh = Mesh::default();
    for sign in [-1.0, 1.0] {
        dome(&mut mesh, sign, 0.0, q.slices, (q.stacks / 2).max(1));
    }
    mesh
}

/// Half a sphere on the end of a cylinder from -1 to 1.
fn half_sphere(sign: f32, slices: usize, stacks: usize) -> Mesh {
    let mut mesh = Mesh::default();
    dome(&mut mesh, sign, sign, slices, stacks);
    mesh
}

/// A disk at height `sign`, facing away from the origin; at height 0 it faces down.
fn disk(sign: f32, slices: usize, stacks: usize) -> Mesh {
    let mut mesh = Mesh::default();
    let up = sign > 0.0;
    let normal = [0.0, 0.0, if up { 1.0 } else { -1.0 }];
    for i in 1..=stacks {
        let r = i as f32 / stacks as f32;
        for j in 0..slices {
            let (sa, ca) = angle(j, slices);
            mesh.vertex([ca * r, sa * r, sign], normal);
        }
    }
    // rings grow outwards here, which reverses the orientation
    connect(&mut mesh, 0, stacks, slices, !up);
    let center = mesh.vertex([0.0, 0.0, sign], normal);
    for j in 0..slices as u32 {
        let next = (j + 1) % slices as u32;
        mesh.tri.push(if up { [j, next, center] } else { [center, next, j] });
    }
    mesh
}

fn open_cylinder(q: Quality) -> Mesh {
    let mut mesh = Mesh::default();
    for i in 0..=q.stacks {
        let h = 2.0 * i as f32 / q.stacks as f32 - 1.0;
        for j in 0..q.slices {
            let (sa, ca) = angle(j, q.slices);
            mesh.vertex([ca, sa, h], [ca, sa, 0.0]);
        }
    }
    connect(&mut mesh, 0, q.stacks + 1, q.slices, true);
    mesh
}

/// A cone from radius 1 at height 0 to its apex at height 1, closed below.
fn cone(q: Quality) -> Mesh {
    let mut mesh = Mesh::default();
    let slope = 0.5f32.sqrt();
    for i in (1..=q.stacks).rev() {
        let r = i as f32 / q.stacks as f32;
        for j in 0..q.slices {
            let (sa, ca) = angle(j, q.slices);
            mesh.vertex([ca * r, sa * r, 1.0 - r], [ca * slope, sa * slope, slope]);
        }
    }
    connect(&mut mesh, 0, q.stacks, q.slices, true);
    let last = ((q.stacks - 1) * q.slices) as u32;
    for j in 0..q.slices as u32 {
        let next = (j + 1) % q.slices as u32;
        let (a, b) = (mesh.vert[(last + j) as usize], mesh.vert[(last + next) as usize]);
        let sum: V3 = core::array::from_fn(|k| a.normal[k] + b.normal[k]);
        let tip = mesh.vertex([0.0, 0.0, 1.0], normalize(sum));
        mesh.tri.push([last + j, last + next, tip]);
    }
    joined(&[mesh, disk(0.0, q.slices, q.stacks)])
}

/// The mesh rotated by 180° about x.
fn upside_down(mesh: &Mesh) -> Mesh {
    let mut turned = mesh.clone();
    for v in &mut turned.vert {
        for w in [&mut v.pos, &mut v.normal] {
            *w = [w[0], -w[1], -w[2]];
        }
    }
    turned
}

fn joined(parts: &[Mesh]) -> Mesh {
    let mut mesh = Mesh::default();
    for part in parts {
        let first = mesh.vert.len() as u32;
        mesh.vert.extend(&part.vert);
        mesh.tri.extend(part.tri.iter().map(|t| t.map(|v| v + first)));
        mesh.radius = mesh.radius.max(part.radius);
    }
    mesh
}

/// A grid of quadrangles on one side of a cube: `place` maps [-1, 1]² to the side.
fn grid(mesh: &mut Mesh, n: usize, normal: V3, flip: bool, place: impl Fn(f32, f32) -> V3) {
    let n = n.max(1);
    let first = mesh.vert.len() as u32;
    let at = |i: usize| 2.0 * i as f32 / n as f32 - 1.0;
    for y in 0..=n {
        for x in 0..=n {
            mesh.vertex(place(at(x), at(y)), normal);
        }
    }
    let row = n as u32 + 1;
    for y in 0..n as u32 {
        for x in 0..n as u32 {
            let a = first + y * row + x;
            let (b, c, d) = (a + 1, a + row + 1, a + row);
            mesh.quad(if flip { [d, c, b, a] } else { [a, b, c, d] });
        }
    }
}

fn cuboid(n: usize) -> Mesh {
    let mut mesh = Mesh::default();
    grid(&mut mesh, n, [0.0, 0.0, 1.0], false, |x, y| [x, y, 1.0]);
    grid(&mut mesh, n, [0.0, 0.0, -1.0], true, |x, y| [x, y, -1.0]);
    grid(&mut mesh, n, [1.0, 0.0, 0.0], false, |x, y| [1.0, x, y]);
    grid(&mut mesh, n, [-1.0, 0.0, 0.0], true, |x, y| [-1.0, x, y]);
    grid(&mut mesh, n, [0.0, -1.0, 0.0], false, |x, y| [x, -1.0, y]);
    grid(&mut mesh, n, [0.0, 1.0, 0.0], true, |x, y| [x, 1.0, y]);
    mesh
}

fn square(n: usize) -> Mesh {
    let mut mesh = Mesh::default();
    grid(&mut mesh, n, [0.0, 0.0, 1.0], false, |x, y| [x, y, 0.0]);
    mesh
}

/// The triangle between the origin and the unit points on x and y.
fn corner_triangle() -> Mesh {
    let mut mesh = Mesh::default();
    mesh.flat([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::dot;
    use crate::mesh::face_normal;

    #[test]
    fn triangles_face_outwards() {
        let shapes = Shapes::new(Quality { slices: 12, stacks: 8, quads: 3 });
        let Shapes { sphere, sphere_top, sphere_bottom, cylinder, cuboid, cone, cone_down, .. } =
            &shapes;
        let all = [sphere, sphere_top, sphere_bottom, cylinder, cuboid, cone, cone_down];
        for mesh in all.iter().flat_map(|levels| &levels.mesh) {
            for t in &mesh.tri {
                let corners = t.map(|v| mesh.vert[v as usize]);
                let face = face_normal(corners.map(|v| v.pos));
                assert!(corners.iter().all(|v| dot(v.normal, face) > 0.5));
            }
        }
    }
}
