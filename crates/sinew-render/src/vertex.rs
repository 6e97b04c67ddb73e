//! Vertices: where they are on the screen, and their light.

use crate::camera::Projection;
use crate::item::{Item, Look, Part, Sides};
use crate::light::Lights;
use crate::linear::{V3, add, mul, normalize, rotate};
use crate::spot::Spot;

/// A triangle on the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tri {
    pub(crate) v: [u32; 3],
    pub(crate) item: u32,
}

/// Projected vertices, what is known at each, and the triangles between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) spot: Vec<Spot>,
    pub(crate) world: Vec<V3>,
    pub(crate) tex: Vec<V3>,
    /// `stride` colours for every vertex. Planes have their own x and y in the first.
    pub(crate) color: Vec<V3>,
    pub(crate) stride: usize,
    pub(crate) tri: Vec<Tri>,
}

impl Batch {
    /// Adds the triangles of another batch.
    pub(crate) fn append(&mut self, other: &Batch) {
        let first = self.spot.len() as u32;
        self.spot.extend(&other.spot);
        self.world.extend(&other.world);
        self.tex.extend(&other.tex);
        self.color.extend(&other.color);
        self.tri.extend(other.tri.iter().map(|t| Tri { v: t.v.map(|v| v + first), ..*t }));
    }
}

/// A vertex in clip space with all that is interpolated.
#[derive(Clone)]
struct Corner {
    clip: [f32; 4],
    world: V3,
    tex: V3,
    color: Vec<V3>,
}

/// Sides of the view volume that a point is outside of, as bits. The first three are cut at, the
/// others only tell what is not seen at all.
const CUT: u8 = 7;

/// Distances to the planes that are cut at: near, far, and the mirror.
fn cut_distances(view: &Projection, clip: [f32; 4], world: V3) -> [f32; 3] {
    let [_, _, z, w] = clip;
    let mirror =
        view.clip.map_or(1.0, |[a, b, c, d]| a * world[0] + b * world[1] + c * world[2] + d);
    [w - z, z, mirror]
}

fn outside(view: &Projection, clip: [f32; 4], world: V3) -> u8 {
    let [x, y, _, w] = clip;
    let [near, far, mirror] = cut_distances(view, clip, world);
    u8::from(near < 0.0)
        | u8::from(far < 0.0) << 1
        | u8::from(mirror < 0.0) << 2
        | u8::from(x < -w) << 3
        | u8::from(x > w) << 4
        | u8::from(y < -w) << 5
        | u8::from(y > w) << 6
}

fn to_screen(view: &Projection, [x, y, z, w]: [f32; 4]) -> Spot {
    let invw = 1.0 / w;
    Spot {
        x: (x * invw + 1.0) * 0.5 * view.width as f32,
        y: (1.0 - y * invw) * 0.5 * view.height as f32,
        z: z * invw,
        invw,
    }
}

/// Whether a triangle is turned so that it is seen.
fn seen(view: &Projection, sides: Sides, [a, b, c]: [Spot; 3]) -> bool {
    // rows go down, so that counter-clockwise is negative
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    let front = (area < 0.0) != view.mirrored;
    match sides {
        Sides::Both => area != 0.0,
        Sides::Front => front && area != 0.0,
        Sides::Back => !front && area != 0.0,
    }
}

/// How items are lit: by which lights, with how many colours at a vertex.
pub(crate) struct Lighting<'a> {
    pub(crate) lights: &'a Lights,
    pub(crate) plain: &'a Lights,
    pub(crate) stride: usize,
    /// What colours are multiplied by, in a mirror.
    pub(crate) dim: f32,
}

/// Projects and lights an item.
pub(crate) fn project(
    item: &Item<'_>,
    number: u32,
    view: &Projection,
    how: &Lighting<'_>,
) -> Batch {
    let mut out = Batch { stride: how.stride, ..Batch::default() };
    for part in &item.parts {
        if !out_of_sight(item, part, view) {
            project_part(item, part, number, view, how, &mut out);
        }
    }
    for line in &item.lines {
        project_line(item, *line, number, view, &mut out);
    }
    out
}

/// Whether the sphere around a part is outside of the view.
fn out_of_sight(item: &Item<'_>, part: &Part<'_>, view: &Projection) -> bool {
    let center = add(item.pos, rotate(&item.mat, mul(part.scale, part.offset)));
    let size = part.scale[0].abs().max(part.scale[1].abs()).max(part.scale[2].abs());
    let radius = part.mesh.radius * size;
    let [x, y, z, w] = view.matrix.0;
    let beyond = |row: [f32; 4], sign: f32| {
        let plane: [f32; 4] = core::array::from_fn(|k| w[k] + sign * row[k]);
        let [a, b, c, d] = plane;
        let length = (a * a + b * b + c * c).sqrt();
        a * center[0] + b * center[1] + c * center[2] + d < -radius * length
    };
    beyond(x, 1.0) || beyond(x, -1.0) || beyond(y, 1.0) || beyond(y, -1.0) || beyond(z, -1.0)
}

/// The world position of a vertex, in the frame of its item.
#[inline(always)]
pub(crate) fn place(item: &Item<'_>, part: &Part<'_>, pos: V3) -> V3 {
    add(item.pos, rotate(&item.mat, mul(part.scale, add(pos, part.offset))))
}

fn project_part(
    item: &Item<'_>,
    part: &Part<'_>,
    number: u32,
    view: &Projection,
    how: &Lighting<'_>,
    out: &mut Batch,
) {
    let mesh = &part.mesh;
    let first = out.spot.len();
    let n = mesh.vert.len();

    // where the vertices are
    let mut clip = Vec::with_capacity(n);
    let mut code = Vec::with_capacity(n);
    for v in &mesh.vert {
        let world = place(item, part, v.pos);
        let at = view.matrix.point(world);
        code.push(outside(view, at, world));
        clip.push(at);
        out.world.push(world);
        out.spot.push(to_screen(view, at));
    }

    // which triangles are seen, and which are cut
    let mut used = vec![false; n];
    let mut crossing = Vec::new();
    for t in &mesh.tri {
        let codes = t.map(|v| code[v as usize]);
        if codes[0] & codes[1] & codes[2] != 0 {
            continue;
        }
        let cut = (codes[0] | codes[1] | codes[2]) & CUT != 0;
        if cut {
            crossing.push(*t);
        } else {
            let v = t.map(|v| v + first as u32);
            if !seen(view, item.sides, v.map(|v| out.spot[v as usize])) {
                continue;
            }
            out.tri.push(Tri { v, item: number });
        }
        for &v in t {
            used[v as usize] = true;
        }
    }

    // light and texture coordinates of the vertices that matter
    out.color.resize((first + n) * how.stride, [0.0; 3]);
    out.tex.resize(first + n, [0.0; 3]);
    for (i, v) in mesh.vert.iter().enumerate().filter(|(i, _)| used[*i]) {
        out.tex[first + i] = item.surface.paint.coordinates(v);
        let at = (first + i) * how.stride;
        let color = &mut out.color[at..at + how.stride];
        match item.look {
            Look::Plane(_) => color[0] = v.pos,
            Look::Lit => {
                let inverse = part.scale.map(|s| 1.0 / s);
                let normal = normalize(rotate(&item.mat, mul(v.normal, inverse)));
                let lights = if item.shaded { how.lights } else { how.plain };
                let mut surface = item.surface;
                for c in &mut surface.rgba[..3] {
                    *c *= how.dim;
                }
                lights.shine(&surface, out.world[first + i], normal, view.eye, color);
            }
            Look::Flat => color[0] = flat_color(item, how.dim),
            Look::Haze => {
                color[0] = flat_color(item, how.dim);
                out.tex[first + i] = [v.uv[0], 0.0, 0.0];
            }
        }
    }
    for t in crossing {
        cut_triangle(item, t.map(|v| (clip[v as usize], first + v as usize)), number, view, out);
    }
}

fn flat_color(item: &Item<'_>, dim: f32) -> V3 {
    let [r, g, b, _] = item.surface.rgba;
    [r * dim, g * dim, b * dim]
}

/// Cuts a triangle at the planes and adds what is left (Sutherland and Hodgman 1974).
fn cut_triangle(
    item: &Item<'_>,
    corners: [([f32; 4], usize); 3],
    number: u32,
    view: &Projection,
    out: &mut Batch,
) {
    let corner = |(clip, v): ([f32; 4], usize)| Corner {
        clip,
        world: out.world[v],
        tex: out.tex[v],
        color: out.color[v * out.stride..(v + 1) * out.stride].to_vec(),
    };
    let mut polygon: Vec<Corner> = corners.map(corner).to_vec();
    for plane in 0..3 {
        let dist = |c: &Corner| cut_distances(view, c.clip, c.world)[plane];
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, a) in polygon.iter().enumerate() {
            let b = &polygon[(i + 1) % polygon.len()];
            let (da, db) = (dist(a), dist(b));
            if da >= 0.0 {
                kept.push(a.clone());
            }
            if (da >= 0.0) != (db >= 0.0) {
                kept.push(between(a, b, da / (da - db)));
            }
        }
        polygon = kept;
        if polygon.len() < 3 {
            return;
        }
    }
    let first = out.spot.len() as u32;
    for c in &polygon {
        out.spot.push(to_screen(view, c.clip));
        out.world.push(c.world);
        out.tex.push(c.tex);
        out.color.extend(&c.color);
    }
    for i in 1..polygon.len() as u32 - 1 {
        let v = [first, first + i, first + i + 1];
        if seen(view, item.sides, v.map(|v| out.spot[v as usize])) {
            out.tri.push(Tri { v, item: number });
        }
    }
}

fn between(a: &Corner, b: &Corner, t: f32) -> Corner {
    let mix = |x: f32, y: f32| x + t * (y - x);
    let mix3 = |x: V3, y: V3| core::array::from_fn(|k| mix(x[k], y[k]));
    Corner {
        clip: core::array::from_fn(|k| mix(a.clip[k], b.clip[k])),
        world: mix3(a.world, b.world),
        tex: mix3(a.tex, b.tex),
        color: a.color.iter().zip(&b.color).map(|(x, y)| mix3(*x, *y)).collect(),
    }
}

/// A line as a strip of two triangles, as wide as it is to be seen.
fn project_line(item: &Item<'_>, ends: [V3; 2], number: u32, view: &Projection, out: &mut Batch) {
    // cut at the planes
    let [mut from, mut to] = ends;
    for plane in 0..3 {
        let dist = |p: V3| cut_distances(view, view.matrix.point(p), p)[plane];
        let (a, b) = (dist(from), dist(to));
        if a < 0.0 && b < 0.0 {
            return;
        }
        let t = a / (a - b);
        let middle = core::array::from_fn(|k| from[k] + t * (to[k] - from[k]));
        if a < 0.0 {
            from = middle;
        } else if b < 0.0 {
            to = middle;
        }
    }

    // widen across its direction on the screen
    let [a, b] = [from, to].map(|p| to_screen(view, view.matrix.point(p)));
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let length = (dx * dx + dy * dy).sqrt().max(1e-6);
    let half = 0.5 * item.line_width.max(1.0);
    let (ox, oy) = match view.multiple {
        true => (-dy * half / length, dx * half / length),
        // lines of pixels are widened along the axis that they follow less
        false if dx.abs() > dy.abs() => (0.0, half),
        false => (half, 0.0),
    };
    let first = out.spot.len() as u32;
    for (spot, world, side) in [(a, from, -1.0), (b, to, -1.0), (b, to, 1.0), (a, from, 1.0)] {
        out.spot.push(Spot { x: spot.x + side * ox, y: spot.y + side * oy, ..spot });
        out.world.push(world);
        out.tex.push([0.0; 3]);
        out.color.push(flat_color(item, 1.0));
        out.color.resize(out.spot.len() * out.stride, [0.0; 3]);
    }
    for v in [[0, 1, 3], [1, 2, 3]] {
        out.tri.push(Tri { v: v.map(|v| v + first), item: number });
    }
}
