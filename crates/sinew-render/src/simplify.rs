//! Coarser copies of large meshes.
//!
//! Vertices move onto neighbours in the order of the error that this causes. The error of a shape
//! is the root mean square distance from the planes of the original triangles around a vertex.
//! (Garland and Heckbert, "Surface simplification using quadric error metrics", 1997.) Normals
//! count, too: a wrong normal on a patch is an error of the patch's size times the difference.
//! Texture coordinates count by the distance that the texture moves.

use crate::cluster::clustered;
use crate::linear::{V3, cross, dot, scale, sub};
use crate::mesh::{Mesh, Vertex};
use crate::quadric::Quadric;
use crate::weld::numbered;

/// Number of triangles below which a mesh has no coarser levels.
pub(crate) const LARGE: usize = 1000;

/// Number of triangles below which no coarser level is made.
const SMALL: usize = 48;

/// Errors of the finest and of the coarsest level, in units of the radius, and their ratio.
const FINEST: f32 = 1.0 / 512.0;
const COARSEST: f32 = 0.5;
const STEP: f32 = 1.6;

/// Ratio of the numbers of triangles of successive levels, at most.
const RATIO: f32 = 0.75;

/// Share of the triangles that a pass removes at least; otherwise the error grows.
const PROGRESS: f32 = 0.03;

/// Cosine between a triangle's normals before and after a move below which the move is refused.
const TURN: f32 = 0.3;

/// Weight of an error of normals, on a patch of unit size, against a distance.
const NORMAL: f32 = 1.0;

/// Weight of an edge's length against errors, which prefers short moves on flat surfaces.
const LENGTH: f64 = 1e-6;

/// Mark of a removed triangle.
const GONE: [u32; 3] = [u32::MAX; 3];

/// A coarser copy of a mesh.
pub(crate) struct Level {
    pub(crate) mesh: Mesh,
    /// Error in units of length.
    pub(crate) error: f32,
}

/// The levels of a mesh without repeated vertices, from itself to the coarsest.
pub(crate) fn levels(full: &Mesh) -> Vec<Level> {
    let mut out = vec![Level { mesh: clustered(full), error: 0.0 }];
    let mut work = Simplifier::new(full);
    let mut last = full.tri.len();
    let mut error = FINEST * full.radius;
    while error < COARSEST * full.radius && work.face.len() > SMALL {
        // moves of at most this error, until few are left
        let mut before = usize::MAX;
        while (work.face.len() as f32) < (1.0 - PROGRESS) * before as f32 {
            before = work.face.len();
            work.pass(error * error);
        }
        if work.face.len() as f32 <= RATIO * last as f32 {
            last = work.face.len();
            out.push(Level { mesh: work.mesh(full.radius), error });
        }
        error *= STEP;
    }
    out
}

/// A move of a vertex onto a neighbour.
#[derive(Clone, Copy)]
struct Move {
    /// Square of the error.
    error: f32,
    from: u32,
    to: u32,
}

/// A mesh whose vertices are merged. A *place* is a position, which may have several vertices with
/// different normals or texture coordinates.
struct Simplifier<'a> {
    vert: &'a [Vertex],
    /// Place of each vertex, and position of each place.
    place: Vec<u32>,
    pos: Vec<V3>,
    face: Vec<[u32; 3]>,
    /// Planes of the triangles around each place.
    quadric: Vec<Quadric>,
    /// Square of the error of normals and texture coordinates around each place.
    drift: Vec<f32>,
    /// Square of an error below which each place cannot move.
    least: Vec<f32>,
    /// Triangles around each place: their range, and a list.
    start: Vec<u32>,
    around: Vec<u32>,
    /// Units of length per unit of texture coordinates; 0 without texture coordinates.
    texture: f32,
    moves: Vec<Move>,
    /// Images of a place's vertices under a move.
    image: Vec<[u32; 2]>,
}

impl<'a> Simplifier<'a> {
    fn new(mesh: &'a Mesh) -> Simplifier<'a> {
        // equal positions are one place; -0 equals 0
        let vert = &mesh.vert[..];
        let places = numbered(vert.len(), |i| vert[i].pos.map(|x| (x + 0.0).to_bits()));
        let pos: Vec<V3> = places.first.iter().map(|&i| vert[i as usize].pos).collect();
        let mut out = Simplifier {
            vert,
            quadric: vec![Quadric::default(); pos.len()],
            drift: vec![0.0; pos.len()],
            least: vec![0.0; pos.len()],
            place: places.number,
            pos,
            face: mesh.tri.clone(),
            start: Vec::new(),
            around: Vec::new(),
            texture: texture_scale(mesh),
            moves: Vec::new(),
            image: Vec::new(),
        };
        out.compact();
        out.add_planes();
        out
    }

    fn place(&self, v: u32) -> u32 {
        self.place[v as usize]
    }

    fn at(&self, v: u32) -> V3 {
        self.pos[self.place(v) as usize]
    }

    /// Triangles around a place.
    fn ring(&self, p: u32) -> &[u32] {
        let p = p as usize;
        &self.around[self.start[p] as usize..self.start[p + 1] as usize]
    }

    /// Removes triangles without area, and lists those around each place.
    fn compact(&mut self) {
        let place = &self.place;
        self.face.retain(|t| {
            *t != GONE && {
                let [a, b, c] = t.map(|v| place[v as usize]);
                a != b && b != c && c != a
            }
        });

        // counts, ends of the ranges, and the list from the back
        self.start.clear();
        self.start.resize(self.pos.len() + 1, 0);
        for v in self.face.iter().flatten() {
            self.start[self.place[*v as usize] as usize] += 1;
        }
        let mut sum = 0;
        for n in &mut self.start {
            sum += *n;
            *n = sum;
        }
        self.around.resize(3 * self.face.len(), 0);
        for (f, t) in self.face.iter().enumerate().rev() {
            for v in t {
                let end = &mut self.start[self.place[*v as usize] as usize];
                *end -= 1;
                self.around[*end as usize] = f as u32;
            }
        }
    }

    /// Adds the planes of all triangles, and planes across edges that have one triangle only.
    fn add_planes(&mut self) {
        for f in 0..self.face.len() {
            let t = self.face[f];
            let corner = t.map(|v| self.at(v));
            let normal = area_normal(corner);
            let double = dot(normal, normal).sqrt();
            let Some(unit) = unit(normal) else { continue };
            let plane = Quadric::plane(unit, corner[0], 0.5 * double);
            for v in t {
                self.quadric[self.place[v as usize] as usize].add(&plane);
            }
            for k in 0..3 {
                let [from, to] = [t[k], t[(k + 1) % 3]].map(|v| self.place(v));
                let back = |&g: &u32| {
                    let t = self.face[g as usize].map(|v| self.place(v));
                    (0..3).any(|k| t[k] == to && t[(k + 1) % 3] == from)
                };
                if self.ring(from).iter().any(back) {
                    continue;
                }
                let edge = sub(self.pos[to as usize], self.pos[from as usize]);
                if let Some(across) = self::unit(cross(unit, edge)) {
                    let plane = Quadric::plane(across, corner[k], dot(edge, edge));
                    self.quadric[from as usize].add(&plane);
                    self.quadric[to as usize].add(&plane);
                }
            }
        }
    }

    /// Moves vertices that cause the least errors, up to the square of an error.
    fn pass(&mut self, limit: f32) {
        // the best move of each place, by increasing error
        let mut moves = core::mem::take(&mut self.moves);
        let mut image = core::mem::take(&mut self.image);
        moves.clear();
        for p in 0..self.pos.len() as u32 {
            // errors change only around moves
            if self.least[p as usize] > limit {
                continue;
            }
            let best = self.best(p, limit, &mut image);
            self.least[p as usize] = best.map_or(f32::INFINITY, |m| m.error);
            moves.extend(best.filter(|m| m.error <= limit));
        }
        moves.sort_unstable_by(|a, b| a.error.total_cmp(&b.error).then(a.from.cmp(&b.from)));

        // a place takes part in one move of a pass, so that lists of triangles stay complete
        let mut used = vec![false; self.pos.len()];
        for m in &moves {
            let ends = [m.from as usize, m.to as usize];
            if ends.iter().any(|&p| used[p]) || !self.keeps_faces(m.from, m.to) {
                continue;
            }
            if !self.images(m.from, m.to, &mut image) {
                continue;
            }
            ends.iter().for_each(|&p| used[p] = true);
            self.apply(m, &image);
        }
        (self.moves, self.image) = (moves, image);
        self.compact();
    }

    /// The move of a place onto the neighbour that is nearest to its planes. The error may be too
    /// small if it exceeds the limit.
    fn best(&self, p: u32, limit: f32, image: &mut Vec<[u32; 2]>) -> Option<Move> {
        let own = self.pos[p as usize];
        let mut best: Option<(f64, u32)> = None;
        for &f in self.ring(p) {
            for to in self.face[f as usize].map(|v| self.place(v)) {
                if to == p || best.is_some_and(|(_, b)| b == to) {
                    continue;
                }
                let other = self.pos[to as usize];
                let edge = sub(other, own);
                let error =
                    self.quadric[p as usize].at(other) + LENGTH * f64::from(dot(edge, edge));
                if best.is_none_or(|(least, _)| error < least) {
                    best = Some((error, to));
                }
            }
        }
        let (shape, to) = best?;
        let mut error = shape as f32 + self.drift[p as usize];
        if error <= limit {
            if !self.images(p, to, image) {
                return None;
            }
            error += self.look_error(p, to, image);
        }
        (!error.is_nan()).then_some(Move { error, from: p, to })
    }

    /// The vertices at the goal of a move that replace those at its start. `false` if there is no
    /// vertex with matching texture coordinates.
    fn images(&self, from: u32, to: u32, image: &mut Vec<[u32; 2]>) -> bool {
        image.clear();
        // triangles that vanish have both vertices
        for &f in self.ring(from) {
            let t = self.face[f as usize];
            let end = |p: u32| t.into_iter().find(|&v| t != GONE && self.place(v) == p);
            if let (Some(a), Some(b)) = (end(from), end(to))
                && image.iter().all(|pair| pair[0] != a)
            {
                image.push([a, b]);
            }
        }

        // others get the vertex with the most similar normal
        for &f in self.ring(from) {
            let t = self.face[f as usize];
            if t == GONE {
                continue;
            }
            let Some(a) = t.into_iter().find(|&v| self.place(v) == from) else { continue };
            if image.iter().any(|pair| pair[0] == a) {
                continue;
            }
            let Some(b) = self.similar(a, to) else { return false };
            image.push([a, b]);
        }
        true
    }

    /// The vertex at a place whose normal is nearest to the normal of a vertex elsewhere.
    fn similar(&self, v: u32, place: u32) -> Option<u32> {
        let own = self.vert[v as usize].normal;
        let mut best: Option<(f32, u32)> = None;
        for &f in self.ring(place) {
            let t = self.face[f as usize];
            let Some(b) = t.into_iter().find(|&v| t != GONE && self.place(v) == place) else {
                continue;
            };
            let near = dot(own, self.vert[b as usize].normal);
            if let Some((most, old)) = best {
                let moved = self.vert[old as usize].uv != self.vert[b as usize].uv;
                if self.texture > 0.0 && moved {
                    return None;
                }
                if near <= most {
                    continue;
                }
            }
            best = Some((near, b));
        }
        best.map(|(_, b)| b)
    }

    /// Square of the error of normals and texture coordinates at the start of a move.
    fn look_error(&self, from: u32, to: u32, image: &[[u32; 2]]) -> f32 {
        let own = self.pos[from as usize];
        let mut sum = 0.0;
        for &[a, b] in image {
            // the triangle that is over the old place afterwards, and the size of the patch
            let (mut best, mut patch): (Option<([f32; 3], [u32; 3])>, _) = (None, 0.0);
            for &f in self.ring(from) {
                let t = self.face[f as usize];
                if !t.contains(&a) {
                    continue;
                }
                patch += 0.5 * length(area_normal(t.map(|v| self.at(v)))) / 3.0;
                if t.iter().any(|&v| self.place(v) == to) {
                    continue;
                }
                let t = t.map(|v| if v == a { b } else { v });
                let weight = barycentric(t.map(|v| self.at(v)), own);
                let least = |w: [f32; 3]| w[0].min(w[1]).min(w[2]);
                if best.is_none_or(|(w, _)| least(weight) > least(w)) {
                    best = Some((weight, t));
                }
            }
            let Some((weight, t)) = best else { continue };

            // interpolation within the triangle
            let weight = weight.map(|w| w.max(0.0));
            let total = (weight[0] + weight[1] + weight[2]).max(f32::MIN_POSITIVE);
            let corner = t.map(|v| &self.vert[v as usize]);
            let here = &self.vert[a as usize];
            let mixed = |value: &dyn Fn(&Vertex) -> f32| -> f32 {
                (0..3).map(|k| weight[k] * value(corner[k])).sum::<f32>() / total - value(here)
            };
            let turn: f32 = (0..3).map(|k| mixed(&|v| v.normal[k]).powi(2)).sum();
            sum += NORMAL * NORMAL * turn * patch;
            if self.texture > 0.0 {
                let slip: f32 = (0..2).map(|k| mixed(&|v| v.uv[k]).powi(2)).sum();
                sum += slip * self.texture * self.texture;
            }
        }
        sum
    }

    /// Whether a move leaves a triangle and turns none over.
    fn keeps_faces(&self, from: u32, to: u32) -> bool {
        let goal = self.pos[to as usize];
        let mut kept = 0;
        for &f in self.ring(from) {
            let t = self.face[f as usize];
            if t == GONE || t.iter().any(|&v| self.place(v) == to) {
                continue;
            }
            let before = t.map(|v| self.at(v));
            let after = t.map(|v| if self.place(v) == from { goal } else { self.at(v) });
            let (a, b) = (area_normal(before), area_normal(after));
            if dot(a, b) < TURN * length(a) * length(b) || dot(b, b) == 0.0 {
                return false;
            }
            kept += 1;
        }
        kept > 0
    }

    fn apply(&mut self, m: &Move, image: &[[u32; 2]]) {
        let (from, to) = (m.from as usize, m.to as usize);
        for i in self.start[from]..self.start[from + 1] {
            let f = self.around[i as usize] as usize;
            let t = self.face[f];
            if t == GONE {
                continue;
            }
            for v in t {
                self.least[self.place[v as usize] as usize] = 0.0;
            }
            if t.iter().any(|&v| self.place(v) == m.to) {
                self.face[f] = GONE;
                continue;
            }
            let moved = |v: u32| image.iter().find(|pair| pair[0] == v).map_or(v, |pair| pair[1]);
            self.face[f] = t.map(moved);
        }
        let planes = self.quadric[from];
        let shape = planes.at(self.pos[to]) as f32;
        self.quadric[to].add(&planes);
        self.drift[to] = self.drift[to].max(m.error - shape);
    }

    /// The mesh that remains.
    fn mesh(&self, radius: f32) -> Mesh {
        let vertex = self.face.as_flattened();
        let used = numbered(vertex.len(), |i| [vertex[i]]);
        let first = used.first.iter().map(|&i| self.vert[vertex[i as usize] as usize]);
        let tri = used.number.chunks_exact(3).map(|t| [t[0], t[1], t[2]]);
        clustered(&Mesh { vert: first.collect(), tri: tri.collect(), radius, cluster: Vec::new() })
    }
}

/// Units of length per unit of texture coordinates on average; 0 without texture coordinates.
fn texture_scale(mesh: &Mesh) -> f32 {
    let (mut area, mut texels) = (0.0, 0.0);
    for t in &mesh.tri {
        let corner = t.map(|v| mesh.vert[v as usize]);
        let flat = corner.map(|v| [v.uv[0], v.uv[1], 0.0]);
        area += length(area_normal(corner.map(|v| v.pos)));
        texels += length(area_normal(flat));
    }
    if texels > 0.0 { (area / texels).sqrt() } else { 0.0 }
}

/// A normal of a triangle, as long as twice its area.
fn area_normal([a, b, c]: [V3; 3]) -> V3 {
    cross(sub(b, a), sub(c, a))
}

fn length(v: V3) -> f32 {
    dot(v, v).sqrt()
}

/// The unit vector, or `None` for a vector without direction.
fn unit(v: V3) -> Option<V3> {
    let length = length(v);
    (length > 0.0 && length.is_finite()).then(|| scale(v, 1.0 / length))
}

/// Barycentric weights of a point's projection on a triangle.
fn barycentric(corner: [V3; 3], p: V3) -> [f32; 3] {
    let normal = area_normal(corner);
    let square = dot(normal, normal);
    if square <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let part = |k: usize| {
        let [b, c] = [corner[(k + 1) % 3], corner[(k + 2) % 3]];
        dot(area_normal([p, b, c]), normal) / square
    };
    [part(0), part(1), part(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::{add, normalize};
    use crate::weld::welded;

    /// A sphere of triangles with exact normals, with a flat bottom that has sharp edges.
    fn bowl(n: usize) -> Mesh {
        let mut mesh = Mesh::default();
        let point = |i: usize, j: usize| {
            let (a, b) = (i as f32 / n as f32 * 2.2, j as f32 / n as f32 * core::f32::consts::TAU);
            [a.sin() * (b % core::f32::consts::TAU).cos(), a.sin() * b.sin(), a.cos()]
        };
        for i in 0..n {
            for j in 0..n {
                let corners = [point(i, j), point(i + 1, j), point(i + 1, (j + 1) % n)];
                let other = [point(i, j), point(i + 1, (j + 1) % n), point(i, (j + 1) % n)];
                for t in [corners, other] {
                    let ids = t.map(|p| mesh.vertex(p, p));
                    mesh.tri.push(ids);
                }
            }
            let z = point(n, 0)[2];
            mesh.flat([point(n, (i + 1) % n), point(n, i), [0.0, 0.0, z]]);
        }
        mesh
    }

    /// Distance of the middle of the original triangles from the sphere.
    const FACET: f32 = 2e-3;

    #[test]
    fn levels_stay_within_their_error_of_a_sphere() {
        let full = welded(&bowl(60));
        let levels = levels(&full);
        let count = |level: &Level| level.mesh.tri.len();
        assert_eq!(count(&levels[0]), full.tri.len());
        assert!(levels.len() > 4 && count(&levels[levels.len() - 1]) < 300);
        let bottom = 2.2f32.cos();
        for pair in levels.windows(2) {
            assert!(pair[0].error < pair[1].error && count(&pair[1]) < count(&pair[0]));
            let mut sum = 0.0;
            for t in &pair[1].mesh.tri {
                let corners = t.map(|v| pair[1].mesh.vert[v as usize]);
                let middle =
                    corners.iter().fold([0.0; 3], |sum, v| add(sum, scale(v.pos, 1.0 / 3.0)));
                sum += (1.0 - length(middle)).abs().min((middle[2] - bottom).abs()).powi(2);
                // normals of the sphere and of the bottom do not mix
                for v in corners {
                    let sphere = dot(normalize(v.pos), v.normal) > 0.999;
                    assert!(sphere || v.normal[2] < -0.999);
                }
            }
            // middles of triangles are farther from the surface than the corners that errors count
            let mean = (sum / count(&pair[1]) as f32).sqrt();
            assert!(mean < 3.0 * pair[1].error + FACET, "{mean} {}", pair[1].error);
        }
    }

    #[test]
    fn a_texture_does_not_slip() {
        // a flat square whose texture is stretched on one half
        let n = 32;
        let mut mesh = Mesh::default();
        let at = |i: usize| i as f32 / n as f32;
        for i in 0..n {
            for j in 0..n {
                let mut corner = |i: usize, j: usize| {
                    let s = if 2 * i < n { at(i) } else { 3.0 * at(i) - 1.0 };
                    mesh.vertex_uv([at(i), at(j), 0.0], [0.0, 0.0, 1.0], [s, at(j)])
                };
                let [a, b] = [corner(i, j), corner(i + 1, j)];
                let [c, d] = [corner(i + 1, j + 1), corner(i, j + 1)];
                mesh.tri.extend([[a, b, c], [a, c, d]]);
            }
        }
        let levels = levels(&welded(&mesh));
        let level = &levels[1];
        assert!(level.mesh.tri.len() < 100);
        for t in &level.mesh.tri {
            let corners = t.map(|v| level.mesh.vert[v as usize]);
            let mean =
                |value: &dyn Fn(&Vertex) -> f32| corners.iter().map(value).sum::<f32>() / 3.0;
            let (x, s) = (mean(&|v| v.pos[0]), mean(&|v| v.uv[0]));
            let want = if x < 0.5 { x } else { 3.0 * x - 1.0 };
            assert!((s - want).abs() < 0.05, "{s} {want}");
        }
    }

    #[test]
    fn bad_meshes_have_levels() {
        // NaN, one point, no area
        for make in [|_: u32| f32::NAN, |_| 1.0, |i| i as f32] {
            let mut mesh = Mesh::default();
            for i in 0..3 * LARGE as u32 {
                mesh.vertex([make(i); 3], [0.0; 3]);
            }
            mesh.tri = (0..LARGE as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            assert!(!levels(&welded(&mesh)).is_empty());
        }
    }
}
