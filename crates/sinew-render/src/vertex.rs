//! Vertices: their screen coordinates and their lighting.

use crate::ball::{Ball, shown};
use crate::camera::Projection;
use crate::item::{Item, Look, MeshPart, Sides};
use crate::light::{Lights, Points};
use crate::linear::{Mat4, V3, column, dot, sub};
use crate::material::Surface;
use crate::mesh::{Mesh, Vertex};
use crate::spot::Spot;
use crate::wide::{F8, LANES, Wide, Wide3, along};

/// Screen coordinates are rounded to this fraction of a pixel, as graphics cards do. Products of
/// coordinates are then exact, and triangles with a common edge agree on the side of every sample.
pub(crate) const SUBPIXELS: f32 = 256.0;

/// A projected triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tri {
    pub(crate) v: [u32; 3],
    pub(crate) item: u32,
}

/// Projected vertices with their attributes, and the triangles between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) spot: Vec<Spot>,
    pub(crate) world: Vec<V3>,
    pub(crate) tex: Vec<V3>,
    /// `stride` colours per vertex; planes store their own x and y in the first.
    pub(crate) color: Vec<V3>,
    pub(crate) stride: usize,
    pub(crate) tri: Vec<Tri>,
    work: PartScratch,
}

/// Mark of a vertex that no triangle uses.
const UNUSED: u32 = u32::MAX;

/// Scratch memory for the vertices of one part.
#[derive(Clone, Debug, Default)]
struct PartScratch {
    spot: Vec<Spot>,
    clip: Vec<[f32; 4]>,
    code: Vec<u8>,
    /// Place of each vertex in the list of used vertices.
    place: Vec<u32>,
    list: Vec<u32>,
    crossing: Vec<[u32; 3]>,
}

impl PartScratch {
    /// Starts a part with `n` vertices.
    fn start(&mut self, n: usize) {
        self.spot.clear();
        self.clip.clear();
        self.code.clear();
        self.place.clear();
        self.place.resize(n, UNUSED);
        self.list.clear();
        self.crossing.clear();
    }

    /// The place of a vertex in the list of used vertices.
    #[inline(always)]
    fn using(&mut self, v: u32) -> u32 {
        let place = &mut self.place[v as usize];
        if *place == UNUSED {
            *place = self.list.len() as u32;
            self.list.push(v);
        }
        *place
    }
}

impl Batch {
    /// Empties the batch and keeps its memory.
    pub(crate) fn clear(&mut self, stride: usize) {
        self.spot.clear();
        self.world.clear();
        self.tex.clear();
        self.color.clear();
        self.tri.clear();
        self.stride = stride;
    }
}

/// A vertex in clip space with its interpolated attributes.
#[derive(Clone)]
struct Corner {
    clip: [f32; 4],
    world: V3,
    tex: V3,
    color: Vec<V3>,
}

/// Planes of the view volume that clip triangles, as bits of a vertex's code; the other bits only
/// reject triangles that are entirely outside.
const CUT: u8 = 7;

/// Distances to the clipping planes: near, far, and mirror.
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

fn to_screen(view: &Projection, clip: [f32; 4]) -> Spot {
    let [x, y, z, invw] = on_screen(view, clip);
    Spot { x, y, z, invw }
}

/// Screen coordinates, depth and 1/w of points in clip space.
#[inline(always)]
fn on_screen<W: Wide>(view: &Projection, [x, y, z, w]: [W; 4]) -> [W; 4] {
    let invw = W::splat(1.0) / w;
    let (half_width, half_height) = (0.5 * view.width as f32, 0.5 * view.height as f32);
    let round = |x: W| x.times(SUBPIXELS).plus(0.5).floor().times(1.0 / SUBPIXELS);
    [
        round((x * invw).times(half_width).plus(half_width)),
        round(W::splat(half_height) - (y * invw).times(half_height)),
        z * invw,
        invw,
    ]
}

/// Triangles that face the viewer, if required, and have a sample in their bounds: a bit for each.
#[inline(always)]
fn in_sight<W: Wide>(view: &Projection, sides: Sides, x: [W; 3], y: [W; 3]) -> u32 {
    // rows go down, so counter-clockwise triangles have negative area
    let area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    let [negative, positive] = [area.less(W::zero()), W::zero().less(area)].map(W::bits);
    let turned = match sides {
        Sides::Both => negative | positive,
        Sides::Front if view.mirrored => positive,
        Sides::Front => negative,
        Sides::Back if view.mirrored => negative,
        Sides::Back => positive,
    };
    let per_pixel = if view.multiple { 4.0 } else { 1.0 };
    turned & W::bits(reaches(x, per_pixel) & reaches(y, per_pixel))
}

/// Whether a triangle faces the viewer, if required, and contains a sample.
#[inline(always)]
fn seen(view: &Projection, sides: Sides, corners: [Spot; 3]) -> bool {
    let (x, y) = (corners.map(|corner| corner.x), corners.map(|corner| corner.y));
    in_sight(view, sides, x, y) != 0 && (!view.sampled || hits(view, corners))
}

/// Horizontal positions of the samples in the four rows of a pixel.
const SAMPLE: [f32; 4] = [0.625, 0.125, 0.875, 0.375];

/// Number of rows of samples above which a triangle counts as covering a sample, and width in
/// pixels. Coordinates of smaller triangles have exact products.
const FEW: [f32; 2] = [8.0, 2.0];

/// Whether a triangle contains a sample of the image. Large triangles that touch the image do.
#[inline(always)]
fn hits(view: &Projection, [a, b, c]: [Spot; 3]) -> bool {
    let (left, right) = (a.x.least(b.x).least(c.x), a.x.most(b.x).most(c.x));
    let (top, bottom) = (a.y.least(b.y).least(c.y), a.y.most(b.y).most(c.y));
    if right < 0.0 || bottom < 0.0 || left > view.width as f32 || top > view.height as f32 {
        return false;
    }
    let per_pixel = if view.multiple { 4.0 } else { 1.0 };
    let mut row = (top * per_pixel - 0.5).ceil();
    let last = (bottom * per_pixel - 0.5).floor();
    if !(last - row < FEW[0] && right - left < FEW[1]) {
        return true;
    }

    // the same forms as in rasterisation, which are exact for small triangles
    let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
    let sign = if area < 0.0 { -1.0 } else { 1.0 };
    let inside = |p: Spot, q: Spot, x: f32, y: f32| {
        sign * ((q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x)) >= 0.0
    };
    while row <= last {
        let y = (row + 0.5) / per_pixel;
        let offset = if view.multiple { SAMPLE[row as i32 as usize & 3] } else { 0.5 };
        let mut x = (left - offset).ceil() + offset;
        while x <= right {
            if inside(a, b, x, y) && inside(b, c, x, y) && inside(c, a, x, y) {
                return true;
            }
            x += 1.0;
        }
        row += 1.0;
    }
    false
}

/// Whether a sample lies within the range of three coordinates.
#[inline(always)]
pub(crate) fn reaches<W: Wide>([a, b, c]: [W; 3], per_pixel: f32) -> W::Mask {
    let (low, high) = (a.least(b).least(c), a.most(b).most(c));
    let last = high.times(per_pixel).plus(-0.5).floor();
    // the first is rounded up
    let first = W::zero() - (W::splat(0.5) - low.times(per_pixel)).floor();
    first.at_most(last)
}

/// Lighting of items: the lights and the number of colours per vertex.
pub(crate) struct Lighting<'a> {
    pub(crate) lights: &'a Lights,
    pub(crate) plain: &'a Lights,
    pub(crate) stride: usize,
    /// Factor of all colours, in a reflection.
    pub(crate) dim: f32,
    /// Whether colours are used.
    pub(crate) shown: bool,
}

/// Projects and lights an item.
pub(crate) fn project(
    item: &Item<'_>,
    number: u32,
    view: &Projection,
    how: &Lighting<'_>,
    out: &mut Batch,
) {
    for part in &item.parts {
        let place = Mat4::part(item.pos, &item.mat, part.scale, part.offset);
        let ball = Ball::new(part, &place);
        if !ball.outside(view) {
            let lit = how.shown && matches!(item.look, Look::Lit);
            // dim reflections may be coarser
            let coarse = 1.0 / how.dim.clamp(0.25, 1.0);
            let mesh = shown(part, &ball, view, lit, coarse);
            let projector = Projector { item, part, place, number, view, how };
            projector.project(mesh, ball.inside(view), out);
        }
    }
    for line in &item.lines {
        project_line(item, *line, number, view, out);
    }
}

/// A part of an item during projection.
struct Projector<'a> {
    item: &'a Item<'a>,
    part: &'a MeshPart<'a>,
    place: Mat4,
    number: u32,
    view: &'a Projection,
    how: &'a Lighting<'a>,
}

/// Some triangles of a mesh and their vertices, the first of which has number `start`.
struct Piece<'a> {
    vert: &'a [Vertex],
    tri: &'a [[u32; 3]],
    start: u32,
}

impl Piece<'_> {
    /// The triangles by indices of the piece's vertices.
    fn triangles(&self) -> impl Iterator<Item = [u32; 3]> {
        self.tri.iter().map(|t| t.map(|v| v - self.start))
    }
}

impl Projector<'_> {
    /// Projects a mesh, or its clusters that may be visible.
    fn project(&self, mesh: &Mesh, inside: bool, out: &mut Batch) {
        if mesh.cluster.is_empty() {
            return self.project_piece(
                &Piece { vert: &mesh.vert, tri: &mesh.tri, start: 0 },
                inside,
                out,
            );
        }
        let fronts = self.item.sides == Sides::Front;
        let eye = self.view.viewpoint().filter(|_| fronts).map(|eye| self.local(eye));
        for cluster in &mesh.cluster {
            let ball = Ball { center: self.world(cluster.center), radius: cluster.radius };
            if eye.is_some_and(|eye| cluster.faces_away(eye)) || ball.outside(self.view) {
                continue;
            }
            let [[v0, v1], [t0, t1]] = [cluster.vert, cluster.tri];
            let piece =
                Piece { vert: &mesh.vert[v0..v1], tri: &mesh.tri[t0..t1], start: v0 as u32 };
            self.project_piece(&piece, inside || ball.inside(self.view), out);
        }
    }

    fn project_piece(&self, piece: &Piece<'_>, inside: bool, out: &mut Batch) {
        let first = out.spot.len();
        let mut work = core::mem::take(&mut out.work);
        work.start(piece.vert.len());
        if inside {
            self.place_all(piece, &mut work);
            self.collect_all(piece, &mut work, out);
        } else {
            self.place_coded(piece, &mut work);
            self.collect_coded(piece, &mut work, out);
        }

        // only used vertices are kept, with their lighting and texture coordinates
        out.spot.extend(work.list.iter().map(|&v| work.spot[v as usize]));
        let n = out.spot.len();
        out.world.resize(n, [0.0; 3]);
        out.tex.resize(n, [0.0; 3]);
        out.color.resize(n * self.how.stride, [0.0; 3]);
        if self.how.shown {
            self.paint(piece, first, &work.list, out);
        } else {
            for (world, &v) in out.world[first..].iter_mut().zip(&work.list) {
                *world = self.world(piece.vert[v as usize].pos);
            }
        }
        for t in &work.crossing {
            let place = |v: u32| first + work.place[v as usize] as usize;
            let corners = t.map(|v| (work.clip[v as usize], place(v)));
            cut_triangle(self.item, corners, self.number, self.view, out);
        }
        out.work = work;
    }

    /// Projects vertices that are all in front of the eye.
    fn place_all(&self, piece: &Piece<'_>, work: &mut PartScratch) {
        let matrix = self.view.matrix.mul(self.place);
        for eight in piece.vert.chunks(LANES) {
            let vertex = |l: usize| &eight[l.min(eight.len() - 1)];
            let pos: Wide3<F8> = [0, 1, 2].map(|k| F8::lanes(|l| vertex(l).pos[k]));
            let clip = matrix.0.map(|[a, b, c, d]| along(pos, [a, b, c]).plus(d));
            let [x, y, z, invw] = on_screen(self.view, clip).map(F8::array);
            let spot = |l: usize| Spot { x: x[l], y: y[l], z: z[l], invw: invw[l] };
            work.spot.extend((0..eight.len()).map(spot));
        }
    }

    fn collect_all(&self, piece: &Piece<'_>, work: &mut PartScratch, out: &mut Batch) {
        // eight at a time, because whether a small triangle is seen is hard to predict
        for eight in piece.tri.chunks(LANES) {
            let corner = |k: usize| -> [Spot; LANES] {
                let at = |l: usize| eight[l.min(eight.len() - 1)][k] - piece.start;
                core::array::from_fn(|l| work.spot[at(l) as usize])
            };
            let corners = [corner(0), corner(1), corner(2)];
            let x = corners.map(|spot| F8::lanes(|l| spot[l].x));
            let y = corners.map(|spot| F8::lanes(|l| spot[l].y));
            let mut rest = in_sight(self.view, self.item.sides, x, y);
            rest &= u32::MAX >> (u32::BITS - eight.len() as u32);
            while rest != 0 {
                let l = rest.trailing_zeros() as usize;
                if !self.view.sampled || hits(self.view, corners.map(|spot| spot[l])) {
                    self.collect(eight[l].map(|v| v - piece.start), work, out);
                }
                rest &= rest - 1;
            }
        }
    }

    /// Adds a triangle that is seen.
    #[inline(always)]
    fn collect(&self, t: [u32; 3], work: &mut PartScratch, out: &mut Batch) {
        let first = out.spot.len() as u32;
        let v = t.map(|v| first + work.using(v));
        out.tri.push(Tri { v, item: self.number });
    }

    /// Projects vertices and computes their codes.
    fn place_coded(&self, piece: &Piece<'_>, work: &mut PartScratch) {
        for v in piece.vert {
            let world = self.world(v.pos);
            let at = self.view.matrix.point(world);
            work.code.push(outside(self.view, at, world));
            work.clip.push(at);
            work.spot.push(to_screen(self.view, at));
        }
    }

    /// Finds the triangles that are visible and those that must be clipped.
    fn collect_coded(&self, piece: &Piece<'_>, work: &mut PartScratch, out: &mut Batch) {
        for t in piece.triangles() {
            let codes = t.map(|v| work.code[v as usize]);
            if codes[0] & codes[1] & codes[2] != 0 {
                continue;
            }
            if (codes[0] | codes[1] | codes[2]) & CUT != 0 {
                work.crossing.push(t);
                for v in t {
                    work.using(v);
                }
            } else if seen(self.view, self.item.sides, t.map(|v| work.spot[v as usize])) {
                self.collect(t, work, out);
            }
        }
    }

    /// A point of the world in the frame of the mesh.
    fn local(&self, point: V3) -> V3 {
        let rel = sub(point, self.item.pos);
        let at = [0, 1, 2].map(|k| dot(rel, column(&self.item.mat, k)));
        [0, 1, 2].map(|k| at[k] / self.part.scale[k] - self.part.offset[k])
    }

    /// World position of a vertex.
    fn world(&self, pos: V3) -> V3 {
        let [x, y, z, _] = self.place.point(pos);
        [x, y, z]
    }

    /// Colours and texture coordinates of vertices.
    fn paint(&self, piece: &Piece<'_>, first: usize, list: &[u32], out: &mut Batch) {
        let (item, stride) = (self.item, self.how.stride);
        if item.surface.paint.texture().is_some() {
            for (at, &v) in out.tex[first..].iter_mut().zip(list) {
                *at = item.surface.paint.coordinates(&piece.vert[v as usize]);
            }
        }
        if matches!(item.look, Look::Lit) {
            return self.light(piece, first, list, out);
        }
        for (at, &v) in (first..).zip(list) {
            let vertex = &piece.vert[v as usize];
            out.world[at] = self.world(vertex.pos);
            out.color[at * stride] = match item.look {
                Look::Plane(_) => vertex.pos,
                _ => flat_color(item, self.how.dim),
            };
            if let Look::Haze = item.look {
                out.tex[at] = [vertex.uv[0], 0.0, 0.0];
            }
        }
    }

    /// Lighting of vertices, eight at a time.
    fn light(&self, piece: &Piece<'_>, first: usize, list: &[u32], out: &mut Batch) {
        let stride = self.how.stride;
        let lights = if self.item.shaded { self.how.lights } else { self.how.plain };
        let surface = self.item.surface.dimmed(self.how.dim);
        let inverse = self.part.scale.map(|s| 1.0 / s);
        let turn = Mat4::part([0.0; 3], &self.item.mat, inverse, [0.0; 3]);
        let mut color = [[F8::zero(); 3]; 1 + crate::light::MAX_LIGHTS];
        let color = &mut color[..stride];
        for (eight, first) in list.chunks(LANES).zip((first..).step_by(LANES)) {
            let vertex = |l: usize| &piece.vert[eight[l.min(eight.len() - 1)] as usize];
            let points = self.points(&turn, vertex);
            lights.shine(&surface, &points, self.view.eye, color);
            let world = points.pos.map(F8::array);
            for l in 0..eight.len() {
                out.world[first + l] = world.map(|x| x[l]);
            }
            for (k, color) in color.iter().enumerate() {
                let color = color.map(F8::array);
                for l in 0..eight.len() {
                    out.color[(first + l) * stride + k] = color.map(|x| x[l]);
                }
            }
        }
    }

    /// World positions and normals of eight vertices.
    #[inline(always)]
    fn points<'v>(&self, turn: &Mat4, vertex: impl Fn(usize) -> &'v Vertex) -> Points<F8> {
        let pos: Wide3<F8> = [0, 1, 2].map(|k| F8::lanes(|l| vertex(l).pos[k]));
        let normal: Wide3<F8> = [0, 1, 2].map(|k| F8::lanes(|l| vertex(l).normal[k]));
        let image = |v: &Wide3<F8>, r: [f32; 4]| {
            (v[0].times(r[0]) + v[1].times(r[1]) + v[2].times(r[2])).plus(r[3])
        };
        let [n0, n1, n2] = [0, 1, 2].map(|k| image(&normal, turn.0[k]));
        let length = (n0 * n0 + n1 * n1 + n2 * n2).sqrt().most(F8::splat(1e-10));
        let inverse = F8::splat(1.0) / length;
        Points {
            pos: [0, 1, 2].map(|k| image(&pos, self.place.0[k])),
            normal: [n0, n1, n2].map(|n| n * inverse),
        }
    }
}

impl Surface {
    /// The surface with dimmed colours, for reflections.
    pub(crate) fn dimmed(mut self, dim: f32) -> Surface {
        for c in &mut self.rgba[..3] {
            *c *= dim;
        }
        self
    }
}

fn flat_color(item: &Item<'_>, dim: f32) -> V3 {
    let [r, g, b, _] = item.surface.rgba;
    [r * dim, g * dim, b * dim]
}

/// Clips a triangle at the planes and adds the remaining polygon (Sutherland and Hodgman 1974).
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

    // at each plane: keep the corners inside and the intersections of edges
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

    // new vertices
    let first = out.spot.len() as u32;
    for c in &polygon {
        out.spot.push(to_screen(view, c.clip));
        out.world.push(c.world);
        out.tex.push(c.tex);
        out.color.extend(&c.color);
    }

    // a fan of triangles
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

/// A line as a strip of two triangles of the given width on the screen.
fn project_line(item: &Item<'_>, ends: [V3; 2], number: u32, view: &Projection, out: &mut Batch) {
    // clip at the planes
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
        // without multisampling, lines are widened along their minor axis
        false if dx.abs() > dy.abs() => (0.0, half),
        false => (half, 0.0),
    };
    let first = out.spot.len() as u32;
    for (spot, world, side) in [(a, from, -1.0), (b, to, -1.0), (b, to, 1.0), (a, from, 1.0)] {
        out.spot.push(Spot { x: spot.x + side * ox, y: spot.y + side * oy, ..spot });
        out.world.push(world);
        out.tex.push([0.0; 3]);
        // without lighting, a line has its colour again in the pass of each light with shadows
        let color = flat_color(item, 1.0);
        let more = if item.shaded { color } else { [0.0; 3] };
        out.color.push(color);
        out.color.resize(out.spot.len() * out.stride, more);
    }
    for v in [[0, 1, 3], [1, 2, 3]] {
        out.tri.push(Tri { v: v.map(|v| v + first), item: number });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::{Edges, MULTIPLE, SINGLE, Tile};
    use sinew_model::Model;
    use sinew_scene::{GlCamera, Scene};

    /// A small triangle is kept if and only if rasterisation finds a sample in it.
    #[test]
    fn triangles_are_kept_for_their_samples() {
        let camera = GlCamera {
            frustum_near: 0.1,
            frustum_far: 9.0,
            frustum_top: 0.1,
            frustum_bottom: -0.1,
            forward: [0.0, 1.0, 0.0],
            up: [0.0, 0.0, 1.0],
            ..GlCamera::default()
        };
        let mut scn = Scene::new(&Model::default(), 0);
        scn.camera = [camera; 2];
        let mut view = Projection::new(&scn, Some(0), 64, 16).expect("a camera");
        let mut state = 5u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let tile = Tile { origin: [0, 0], size: [64, 16] };
        let mut counts = [0, 0];
        for i in 0..4000 {
            view.multiple = i % 2 == 0;
            let samples = if view.multiple { MULTIPLE } else { SINGLE };
            let at = [3.0 + 58.0 * random(), 3.0 + 10.0 * random()];
            let size = 2.0 * random();
            let corners = [0, 1, 2].map(|_| {
                let [x, y] = at.map(|c| c + size * (random() - 0.5));
                let round = |x: f32| (x * SUBPIXELS).floor() / SUBPIXELS;
                Spot { x: round(x), y: round(y), z: 0.5, invw: 1.0 }
            });
            let Some(edges) = Edges::new(corners, tile) else { continue };
            let mut covered = false;
            edges.cover(&samples, 64 / samples.width, |_, z| {
                covered |= F8::any(F8::zero().less(z));
            });
            assert_eq!(seen(&view, Sides::Both, corners), covered, "{corners:?}");
            counts[usize::from(covered)] += 1;
        }
        assert!(counts.iter().all(|n| *n > 500), "{counts:?}");
    }
}
