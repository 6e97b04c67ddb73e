//! Meshes generated from a few parameters (`mesh/builtin`).

use core::f64::consts::PI;

use sinew_math::scalar::{cos, pow, sin};

use sinew_model::enums::{MeshBuiltin, MeshInertia};

use crate::asset::error::AssetError;
use crate::asset::mesh::data::MeshInput;
use crate::spec::Mesh;

/// Maximum number of vertices along one side of a generated mesh; keeps sizes within memory.
const MAX_RESOLUTION: f64 = 2000.0;

/// Flat lists of a generated mesh; some shapes leave normals and faces to the compiler.
#[derive(Default)]
pub(crate) struct Generated {
    pub(crate) vert: Vec<f32>,
    pub(crate) normal: Vec<f32>,
    pub(crate) face: Vec<i32>,
    /// Whether the shape has no inside.
    pub(crate) shell: bool,
}

/// Replaces `builtin` by the vertices, normals and faces it stands for.
pub(crate) fn expand_builtin(input: &mut MeshInput) -> Result<(), AssetError> {
    let Some((shape, params)) = input.builtin.take() else { return Ok(()) };
    if !input.file.is_empty() {
        return Err(AssetError::new("builtin cannot be used with a mesh file"));
    }
    if !input.uservert.is_empty() {
        return Err(AssetError::new("builtin mesh cannot be used with user vertex data"));
    }
    let made = generate(shape, &params)?;
    input.uservert = made.vert;
    if !made.normal.is_empty() {
        input.usernormal = made.normal;
    }
    if !made.face.is_empty() {
        input.userface = made.face;
    }
    if made.shell {
        input.inertia = MeshInertia::Shell;
    }
    Ok(())
}

impl Mesh {
    /// Makes the mesh one of MuJoCo's builtin shapes, with the parameters that XML has for it.
    ///
    /// ```
    /// use sinew_mjcf::spec::{Mesh, MeshBuiltin};
    ///
    /// let mut mesh = Mesh::default();
    /// mesh.make(MeshBuiltin::Sphere, &[1.0])?;
    /// assert_eq!(mesh.vertex.get().map(Vec::len), Some(126));
    /// assert!(mesh.make(MeshBuiltin::Sphere, &[9.0]).is_err());
    /// # Ok::<(), String>(())
    /// ```
    #[doc(alias = "mjs_makeMesh")]
    pub fn make(&mut self, shape: MeshBuiltin, params: &[f64]) -> Result<(), String> {
        let made = generate(shape, params).map_err(|error| error.to_string())?;
        self.vertex.set(made.vert);
        if !made.normal.is_empty() {
            self.normal.set(made.normal);
        }
        if !made.face.is_empty() {
            self.face.set(made.face);
        }
        if made.shell {
            self.inertia.set(MeshInertia::Shell);
        }
        Ok(())
    }
}

fn generate(shape: MeshBuiltin, params: &[f64]) -> Result<Generated, AssetError> {
    match shape {
        MeshBuiltin::Sphere => {
            let [subdiv] = expect(params, "Sphere mesh type requires 1 parameter")?;
            require(subdiv as i64 >= 0, "Sphere subdivision cannot be negative")?;
            require(subdiv as i64 <= 4, "Sphere subdivision cannot be greater than 4")?;
            Ok(sphere(subdiv as usize))
        }
        MeshBuiltin::Hemisphere => {
            let [res] = expect(params, "Hemisphere mesh type requires 1 parameter")?;
            require(res as i64 >= 0, "Hemisphere resolution cannot be negative")?;
            require(res as i64 <= 10, "Hemisphere resolution cannot be greater than 10")?;
            Ok(hemisphere(res as usize))
        }
        MeshBuiltin::Cone => {
            let [edges, radius] = expect(params, "Cone mesh type requires 2 parameters")?;
            Ok(cone(resolution(edges, 1_000_000.0)?, radius))
        }
        MeshBuiltin::Supersphere => {
            let [res, e, n] = expect(params, "Supersphere mesh type requires 3 parameters")?;
            require(res as i64 >= 3, "Supersphere resolution must be greater than 2")?;
            require(e >= 0.0, "Supersphere 'e' cannot be negative")?;
            require(n >= 0.0, "Supersphere 'n' cannot be negative")?;
            Ok(supersphere(resolution(res, MAX_RESOLUTION)?, e, n))
        }
        MeshBuiltin::Supertorus => {
            let [res, radius, s, t] = expect(params, "Supertorus mesh type requires 4 parameters")?;
            require(res as i64 >= 3, "Supertorus resolution must be greater than 3")?;
            require(radius > 0.0 && radius <= 1.0, "Supertorus radius must be in (0, 1]")?;
            require(s > 0.0, "Supertorus 's' must be greater than 0")?;
            require(t > 0.0, "Supertorus 't' must be greater than 0")?;
            Ok(supertorus(resolution(res, MAX_RESOLUTION)?, radius, s, t))
        }
        MeshBuiltin::Wedge => {
            let [nx, ny, fovx, fovy, gamma] =
                expect(params, "Wedge builtin mesh types require 5 parameters")?;
            let within = |x: f64, hi: f64| x > 0.0 && x <= hi;
            require(within(fovx, 180.0), "fov[0] must be a float between (0, 180] degrees")?;
            require(within(fovy, 90.0), "`fov[1]` must be a float between (0, 90] degrees")?;
            let positive = nx as i64 > 0 && ny as i64 > 0;
            require(positive, "Horizontal and vertical resolutions must be positive")?;
            let unit = (0.0..=1.0).contains(&gamma);
            require(unit, "`gamma` must be a nonnegative float between [0, 1]")?;
            let res = [resolution(nx, MAX_RESOLUTION)?, resolution(ny, MAX_RESOLUTION)?];
            Ok(wedge(res, [fovx, fovy], gamma))
        }
        MeshBuiltin::Plate => {
            let [nx, ny] = expect(params, "Plate builtin mesh type requires 2 parameters")?;
            let positive = nx as i64 > 0 && ny as i64 > 0;
            require(positive, "Horizontal and vertical resolutions must be positive")?;
            Ok(plate([resolution(nx, MAX_RESOLUTION)?, resolution(ny, MAX_RESOLUTION)?]))
        }
        _ => Err(AssetError::new("Unsupported mesh type")),
    }
}

fn expect<const N: usize>(params: &[f64], message: &str) -> Result<[f64; N], AssetError> {
    params.try_into().map_err(|_| AssetError::new(message))
}

fn require(holds: bool, message: &str) -> Result<(), AssetError> {
    if holds { Ok(()) } else { Err(AssetError::new(message)) }
}

/// A count that memory can hold; negative counts are empty.
fn resolution(n: f64, limit: f64) -> Result<usize, AssetError> {
    require(n <= limit, "builtin mesh is too large")?;
    Ok(n as usize)
}

/// Sphere by splitting the triangles of an icosahedron in four.
fn sphere(subdivisions: usize) -> Generated {
    let phi = ((1.0 + 5.0_f64.sqrt()) / 2.0) as f32;
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    let unit = |x: f32| (f64::from(x) / norm) as f32;
    let (one, phi) = (unit(1.0), unit(phi));
    let mut vert: Vec<[f32; 3]> = vec![
        [-one, phi, 0.0],
        [one, phi, 0.0],
        [-one, -phi, 0.0],
        [one, -phi, 0.0],
        [0.0, -one, phi],
        [0.0, one, phi],
        [0.0, -one, -phi],
        [0.0, one, -phi],
        [phi, 0.0, -one],
        [phi, 0.0, one],
        [-phi, 0.0, -one],
        [-phi, 0.0, one],
    ];
    #[rustfmt::skip]
    let mut face: Vec<[i32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11],
        [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9],
        [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        // midpoints of edges, each made once
        let mut made = std::collections::HashMap::new();
        let mut midpoint = |a: i32, b: i32| {
            *made.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (p, q) = (vert[a as usize], vert[b as usize]);
                let mid = [0, 1, 2].map(|k| (p[k] + q[k]) / 2.0);
                let norm = (mid[0] * mid[0] + mid[1] * mid[1] + mid[2] * mid[2]).sqrt();
                vert.push(mid.map(|x| x / norm));
                vert.len() as i32 - 1
            })
        };
        face = face
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (midpoint(a, b), midpoint(b, c), midpoint(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    Generated { vert: vert.concat(), face: face.concat(), ..Generated::default() }
}

/// Hemisphere of rings between the pole and the equator, closed by a cap.
fn hemisphere(res: usize) -> Generated {
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    const EQUATOR: [[f64; 3]; 4] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];

    // ring `row` has 4 (row + 1) points
    let mut vert: Vec<[f32; 3]> = vec![[0.0, 0.0, 1.0]];
    for row in 0..=res {
        let factor = (row + 1) as f64 / (res + 1) as f64;
        for side in 0..4 {
            let toward = |to: [f64; 3], k: usize| POLE[k] + factor * (to[k] - POLE[k]);
            let start = [0, 1, 2].map(|k| toward(EQUATOR[side], k));
            let end = [0, 1, 2].map(|k| toward(EQUATOR[(side + 1) % 4], k));
            let delta = [0, 1, 2].map(|k| (end[k] - start[k]) / (row + 1) as f64);
            for i in 0..=row {
                let p = [0, 1, 2].map(|k| start[k] + i as f64 * delta[k]);
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vert.push(p.map(|x| (x / norm) as f32));
            }
        }
    }
    vert.push([0.0; 3]);
    let center = vert.len() as i32 - 1;

    // triangles: the pole, between rings, the cap
    let mut face: Vec<[i32; 3]> = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..res {
        let (start, count) = (2 * row * (row + 1) + 1, 4 * (row + 1));
        let (start_next, count_next) = (start + count, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let (v, next) = (i + (row + 1) * side, i + (row + 2) * side);
                let here = |v: usize| (start + v % count) as i32;
                let there = |v: usize| (start_next + v % count_next) as i32;
                face.push([here(v), there(next), there(next + 1)]);
                if i < row + 1 {
                    face.push([here(v), there(next + 1), here(v + 1)]);
                }
            }
        }
    }
    let (start, count) = (2 * res * (res + 1) + 1, 4 * (res + 1));
    for i in 0..count {
        face.push([(start + i) as i32, center, (start + (i + 1) % count) as i32]);
    }
    Generated { vert: vert.concat(), face: face.concat(), ..Generated::default() }
}

/// cos ω raised to a power, keeping its sign.
fn signed_cos(omega: f64, m: f64) -> f64 {
    pow(cos(omega).abs(), m).copysign(cos(omega))
}

/// sin ω raised to a power, keeping its sign.
fn signed_sin(omega: f64, m: f64) -> f64 {
    pow(sin(omega).abs(), m).copysign(sin(omega))
}

fn supersphere(res: usize, e: f64, n: f64) -> Generated {
    // poles and rings between them
    let mut vert: Vec<[f32; 3]> = vec![[0.0, 0.0, -1.0]];
    for i in 1..res {
        let v = -PI / 2.0 + i as f64 * PI / res as f64;
        for j in 0..res {
            let u = -PI + (j * 2) as f64 * PI / res as f64;
            vert.push([
                (signed_cos(v, n) * signed_cos(u, e)) as f32,
                (signed_cos(v, n) * signed_sin(u, e)) as f32,
                signed_sin(v, n) as f32,
            ]);
        }
    }
    vert.push([0.0, 0.0, 1.0]);

    let ring = |i: usize, j: usize| (1 + i * res + j % res) as i32;
    let mut face: Vec<[i32; 3]> = (0..res).map(|j| [0, ring(0, j + 1), ring(0, j)]).collect();
    for i in 0..res - 2 {
        for j in 0..res {
            face.push([ring(i, j), ring(i, j + 1), ring(i + 1, j)]);
            face.push([ring(i, j + 1), ring(i + 1, j + 1), ring(i + 1, j)]);
        }
    }
    let pole = vert.len() as i32 - 1;
    face.extend((0..res).map(|j| [ring(res - 2, j), ring(res - 2, j + 1), pole]));
    Generated { vert: vert.concat(), face: face.concat(), ..Generated::default() }
}

fn supertorus(res: usize, radius: f64, s: f64, t: f64) -> Generated {
    let mut vert = Vec::with_capacity(3 * res * res);
    let mut face = Vec::with_capacity(6 * res * res);
    for i in 0..res {
        for j in 0..res {
            let u = 2.0 * PI * i as f64 / res as f64;
            let v = 2.0 * PI * j as f64 / res as f64;
            vert.push(((1.0 + radius * signed_cos(v, s)) * signed_cos(u, t)) as f32);
            vert.push(((1.0 + radius * signed_cos(v, s)) * signed_sin(u, t)) as f32);
            vert.push((radius * signed_sin(v, s)) as f32);

            let at = |i: usize, j: usize| ((i % res) * res + j % res) as i32;
            face.extend([at(i, j), at(i + 1, j), at(i, j + 1)]);
            face.extend([at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    Generated { vert, face, ..Generated::default() }
}

/// Prism of `edges` sides whose top has another radius, or a point for its top. Faces come from
/// the hull.
fn cone(edges: usize, radius: f64) -> Generated {
    let circle = |i: usize, r: f64| {
        let angle = (2 * i) as f64 * PI / edges as f64;
        [(r * cos(angle)) as f32, (r * sin(angle)) as f32]
    };
    let mut vert = Vec::new();
    for i in 0..edges {
        let [x, y] = circle(i, 1.0);
        vert.extend([x, y, -1.0]);
    }
    if radius > 0.0 {
        for i in edges..2 * edges {
            let [x, y] = circle(i, radius);
            vert.extend([x, y, 1.0]);
        }
    } else {
        vert.extend([0.0, 0.0, 1.0]);
    }
    Generated { vert, ..Generated::default() }
}

/// Points of a patch of the unit sphere, each with the frame of its tangent plane. Faces come
/// from the hull.
fn wedge(res: [usize; 2], fov: [f64; 2], gamma: f64) -> Generated {
    // angles of the bins
    let columns = bin_edges(res[0], fov[0], gamma);
    let rows = bin_edges(res[1], fov[1], gamma);
    let mut made = Generated::default();
    for i in 0..res[0] {
        for j in 0..res[1] {
            // the middle of a bin on the unit sphere
            let a = 0.5 * (columns[i + 1] + columns[i]);
            let e = 0.5 * (rows[j + 1] + rows[j]);
            let point = [cos(e) * sin(a), sin(e), -cos(e) * cos(a)];
            made.vert.extend(point.map(|x| x as f32));

            // normal and tangents there, one after the other
            let ta = unit([cos(e) * cos(a), 0.0, cos(e) * sin(a)]);
            let te = unit([-sin(e) * sin(a), cos(e), sin(e) * cos(a)]);
            let n = [
                te[1] * ta[2] - te[2] * ta[1],
                te[2] * ta[0] - te[0] * ta[2],
                te[0] * ta[1] - te[1] * ta[0],
            ];
            for axis in [n, ta, te] {
                made.normal.extend(axis.map(|x| x as f32));
            }
        }
    }
    made
}

/// Edges of `n` bins over a field of view in degrees, denser in the middle as `gamma` grows.
fn bin_edges(n: usize, fov: f64, gamma: f64) -> Vec<f64> {
    let step = (1.0 - -1.0) / n as f64;
    let mut at = -1.0;
    (0..=n)
        .map(|_| {
            let x = at;
            at += step;
            let bent = if gamma == 0.0 { x } else { gamma * pow(x, 5.0) + (1.0 - gamma) * x };
            bent * (fov * PI / 180.0)
        })
        .collect()
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    let norm = square.sqrt();
    if square < 1e-14 || (norm - 1.0).abs() <= 1e-14 { v } else { v.map(|x| x / norm) }
}

/// Square of points at z = -1, each with three normals along the axes.
fn plate(res: [usize; 2]) -> Generated {
    let [nx, ny] = res;
    let mut made = Generated { shell: true, ..Generated::default() };
    let (dx, dy) = (2.0 / nx as f64, 2.0 / ny as f64);
    for i in 0..nx {
        for j in 0..ny {
            let at = |i: usize, d: f64| (-1.0 + (i as f64 + 0.5) * d) as f32;
            made.vert.extend([at(i, dx), at(j, dy), -1.0]);
            made.normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                let at = |i: usize, j: usize| (i * ny + j) as i32;
                made.face.extend([at(i - 1, j - 1), at(i, j - 1), at(i - 1, j)]);
                made.face.extend([at(i, j), at(i - 1, j), at(i, j - 1)]);
            }
        }
    }
    made
}
