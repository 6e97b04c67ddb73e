//! The triangles that a light sees, for exact lookups in a shadow map of any size.
//!
//! MuJoCo's maps have 4096 × 4096 texels, far more than an image has pixels. So no map is drawn.
//! Triangles lie in cells of a grid over the map, and a lookup computes the depth of one texel from
//! the triangles of its cell. The texel has the value that a drawn map has.

use crate::asked::Asked;
use crate::linear::{Mat4, V3};
use crate::spot::Spot;
use crate::vertex::{SUBPIXELS, reaches};
use crate::wide::{F8, LANES, Wide, Wide3, along};

/// Offset of surfaces from the light: factor of the slope, and absolute depth (`glPolygonOffset` in
/// `render_gl3.c`).
const SLOPE_OFFSET: f32 = 1.5;
const DEPTH_OFFSET: f64 = 4.0 / 16_777_216.0;

/// Maximum size of a map: more texels have no exact coordinates, and graphics cards have no more.
pub(crate) const LARGEST: usize = 16_384;

/// Maximum number of cells that all triangles may touch together, before cells become wider.
const MOST_PAIRS: usize = 1 << 23;

/// Width of the narrowest cells in texels, and the number of them that a triangle may touch in the
/// mean. Small triangles get narrow cells, so that lists are short.
const NARROW: usize = 16;
const FEW_CELLS: usize = 3;

/// Slack of the bounds of cells, in texels, and of the test of edges, relative to the area of a
/// triangle's bounds. Rounding must not open gaps between triangles.
const CELL_SLACK: f32 = 0.01;
const EDGE_SLACK: f64 = 1e-6;

/// A triangle in texels of a map, with its offset.
struct Caster {
    /// The first corner, at which the linear forms begin.
    origin: [f32; 2],
    /// Forms a x + b y of the edges at the first corner, and a x + b y + c of the third edge.
    a: [f32; 3],
    b: [f32; 3],
    c: f32,
    /// Values of the edges' forms down to which a texel is inside; slightly negative.
    slack: f32,
    /// Depth as a linear form.
    depth: [f32; 3],
}

/// The points that look for shadows in a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// Any point may.
    #[default]
    Any,
    /// Points ask, and are lit for now.
    Asking,
    /// Points that asked before.
    Asked,
}

/// The triangles that a light sees.
#[derive(Default)]
pub(crate) struct Map {
    stage: Stage,
    asked: Asked,
    matrix: Mat4,
    size: f32,
    /// Width of a cell in texels, and the width that is not exceeded for fewer lists.
    cell: usize,
    wide: usize,
    tri: Vec<Caster>,
    /// First and last cell of each triangle, by axis.
    span: Vec<[[u16; 2]; 2]>,
    /// Range of cells with triangles, by axis; the last ones are excluded.
    range: [[usize; 2]; 2],
    /// First entry of each cell of the range in the list, row by row.
    start: Vec<u32>,
    list: Vec<u32>,
    /// Cells and triangles that they may touch.
    pair: Vec<[u32; 2]>,
    /// Number of cells with triangles before each row and column.
    filled: Vec<u32>,
    clip: Vec<[f32; 4]>,
    spot: Vec<Spot>,
}

/// Lookups of some points.
pub(crate) struct Places<W: Wide> {
    x: W,
    y: W,
    z: W,
    /// Where the map covers a point.
    pub(crate) covered: W::Mask,
}

impl Map {
    /// Starts a map of `size` texels that notes where points look for shadows. After the next start
    /// it has the depths of these points alone.
    pub(crate) fn ask(&mut self, matrix: Mat4, size: usize) {
        self.stage = Stage::Asking;
        (self.matrix, self.size) = (matrix, size as f32);
        self.asked.start(size);
    }

    /// Notes the texels of some points.
    #[inline(never)]
    fn note<W: Wide>(&self, at: &Places<W>) {
        let covered = W::bits(at.covered);
        let lanes = (0..W::COUNT).filter(|lane| covered >> lane & 1 == 1);
        self.asked.add(lanes.map(|lane| [at.x, at.y].map(|x| x.get(lane) as u32)));
    }

    /// 1 at points that asked before and have no triangle nearer to the light, 0 at the others.
    #[inline(never)]
    fn answer<W: Wide>(&self, at: &Places<W>) -> W {
        let covered = W::bits(at.covered);
        W::lanes(|lane| {
            let texel = || [at.x, at.y].map(|x| x.get(lane) as u32);
            let hidden = covered >> lane & 1 == 1 && at.z.get(lane) < self.asked.depth(texel());
            if hidden { 0.0 } else { 1.0 }
        })
    }

    /// Starts a map of `size` texels. Grid cells have the given width, or less for small triangles.
    pub(crate) fn start(&mut self, matrix: Mat4, size: usize, cell: usize) {
        (self.matrix, self.size) = (matrix, size as f32);
        (self.cell, self.wide) = (NARROW.min(cell), cell);
        self.stage = match self.stage {
            Stage::Asking => Stage::Asked,
            _ => Stage::Any,
        };
        if self.stage == Stage::Asked {
            self.asked.sort();
        }
        self.tri.clear();
        self.span.clear();
    }

    /// Adds triangles of a mesh, given by positions and the transform to the world. On closed
    /// surfaces only triangles that face the light count.
    pub(crate) fn add<'v>(
        &mut self,
        place: &Mat4,
        points: impl Iterator<Item = &'v V3>,
        triangles: &[[u32; 3]],
        closed: bool,
    ) {
        let column = self.matrix.mul(*place).columns();
        let mut clip = core::mem::take(&mut self.clip);
        clip.clear();
        clip.extend(points.map(|[x, y, z]| -> [f32; 4] {
            core::array::from_fn(|k| {
                column[0][k] * x + column[1][k] * y + column[2][k] * z + column[3][k]
            })
        }));
        let mut spot = core::mem::take(&mut self.spot);
        spot.clear();
        spot.extend(clip.iter().map(|corner| self.spot_of(*corner)));
        if self.stage == Stage::Asked && clip.iter().all(|[_, _, z, w]| w - z >= 0.0) {
            self.lower_all(&spot, triangles, closed);
            (self.clip, self.spot) = (clip, spot);
            return;
        }
        for t in triangles {
            let near = t.map(|v| {
                let [_, _, z, w] = clip[v as usize];
                w - z
            });
            if near.iter().all(|d| *d >= 0.0) {
                self.insert(t.map(|v| spot[v as usize]), closed);
            } else if near.iter().any(|d| *d >= 0.0) {
                let (polygon, n) = cut(t.map(|v| clip[v as usize]), near);
                for k in 1..n - 1 {
                    let corners = [polygon[0], polygon[k], polygon[k + 1]];
                    self.insert(corners.map(|corner| self.spot_of(corner)), closed);
                }
            }
        }
        (self.clip, self.spot) = (clip, spot);
    }

    /// Compares the depths of triangles in front of the light with those of the points in their
    /// bounds, eight triangles at a time.
    fn lower_all(&mut self, spot: &[Spot], triangles: &[[u32; 3]], closed: bool) {
        for eight in triangles.chunks(LANES) {
            let corner = |k: usize| -> [Spot; LANES] {
                let at = |l: usize| eight[l.min(eight.len() - 1)][k];
                core::array::from_fn(|l| spot[at(l) as usize])
            };
            let corners = [corner(0), corner(1), corner(2)];
            let x = corners.map(|spot| F8::lanes(|l| spot[l].x));
            let y = corners.map(|spot| F8::lanes(|l| spot[l].y));
            let area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
            let [back, front] = [area.less(F8::zero()), F8::zero().less(area)].map(F8::bits);
            let ends = |[a, b, c]: [F8; 3]| [a.least(b).least(c), a.most(b).most(c)];
            let [[left, right], [top, bottom]] = [ends(x), ends(y)];
            let (low, high) = (F8::splat(1.0), F8::splat(self.size - 1.0));
            let inside = low.at_most(right) & left.at_most(high);
            let inside = inside & low.at_most(bottom) & top.at_most(high);
            let mut rest = F8::bits(inside) & if closed { front } else { front | back };
            rest &= u32::MAX >> (u32::BITS - eight.len() as u32);
            let texel = |x: F8| x.most(low).least(F8::splat(self.size - 1.5)).integers();
            let [left, right, top, bottom] = [left, right, top, bottom].map(texel);
            while rest != 0 {
                let l = rest.trailing_zeros() as usize;
                let columns = [left[l] as u32, right[l] as u32];
                let rows = [top[l] as u32, bottom[l] as u32];
                self.lower(corners.map(|spot| spot[l]), columns, rows);
                rest &= rest - 1;
            }
        }
    }

    /// Adds a triangle in front of the light.
    #[inline(always)]
    fn insert(&mut self, [a, b, c]: [Spot; 3], closed: bool) {
        let area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
        if !(area > 0.0 || (!closed && area < 0.0)) {
            return;
        }
        let (x, y) = ([a.x, b.x, c.x], [a.y, b.y, c.y]);
        if self.stage == Stage::Asked {
            if let (Some(columns), Some(rows)) = (self.texels(x), self.texels(y)) {
                self.lower([a, b, c], columns, rows);
            }
            return;
        }
        if !reaches(x, 1.0) || !reaches(y, 1.0) {
            return;
        }
        let (Some(columns), Some(rows)) = (self.cells(x), self.cells(y)) else { return };
        if let Some(caster) = Caster::new([a, b, c]) {
            self.tri.push(caster);
            self.span.push([columns, rows]);
        }
    }

    /// Compares the depths of a triangle with those of the points in its bounds.
    #[inline(always)]
    fn lower(&mut self, corners: [Spot; 3], columns: [u32; 2], rows: [u32; 2]) {
        let mut caster = None;
        self.asked.lower(columns, rows, |[x, y]| {
            if far_outside(&corners, [x as f32 + 0.5, y as f32 + 0.5]) {
                return -1.0;
            }
            let caster: &Option<Caster> = caster.get_or_insert_with(|| Caster::new(corners));
            caster.as_ref().map_or(-1.0, |tri| tri.depths([x as f32 + 0.5, y as f32 + 0.5]))
        });
    }

    /// A point of clip space in texels. The outermost texels stay empty, as in MuJoCo.
    #[inline(always)]
    fn spot_of(&self, [x, y, z, w]: [f32; 4]) -> Spot {
        let invw = 1.0 / w;
        let (half, middle) = (0.5 * self.size - 1.0, 0.5 * self.size);
        let round = |x: f32| (x * SUBPIXELS + 0.5).floor() * (1.0 / SUBPIXELS);
        Spot {
            x: round(x * invw * half + middle),
            y: round(y * invw * half + middle),
            z: z * invw,
            invw,
        }
    }

    /// First and last texel that three coordinates may cover.
    fn texels(&self, [a, b, c]: [f32; 3]) -> Option<[u32; 2]> {
        let (low, high) = (a.least(b).least(c), a.most(b).most(c));
        let inside = high >= 1.0 && low <= self.size - 1.0;
        inside.then(|| [low, high].map(|x| x.most(1.0).least(self.size - 1.5) as u32))
    }

    /// First and last cell that three coordinates may cover.
    #[inline(always)]
    fn cells(&self, [a, b, c]: [f32; 3]) -> Option<[u16; 2]> {
        let (low, high) = (a.least(b).least(c), a.most(b).most(c));
        let inside = high >= 1.0 && low <= self.size - 1.0;
        let cell = |x: f32| (x.most(1.0).least(self.size - 1.5) as u32 as usize / self.cell) as u16;
        inside.then(|| [cell(low), cell(high)])
    }

    /// Sorts the triangles into cells.
    pub(crate) fn sort(&mut self) {
        if self.stage == Stage::Asked {
            return;
        }
        self.widen();
        self.range = [0, 1].map(|axis| {
            let along = || self.span.iter().map(|span| span[axis]);
            let first = along().map(|[first, _]| usize::from(first)).min().unwrap_or(0);
            let last = along().map(|[_, last]| usize::from(last) + 1).max().unwrap_or(0);
            [first, last]
        });
        let (columns, rows) = (self.columns(), self.range[1][1] - self.range[1][0]);
        self.start.clear();
        self.start.resize(columns * rows + 1, 0);

        // cells of each triangle; counts, ends of the ranges, and the list from the back
        self.pair_up();
        let start = &mut self.start;
        self.pair.iter().for_each(|[cell, _]| start[*cell as usize] += 1);
        let mut sum = 0;
        for n in start.iter_mut() {
            sum += *n;
            *n = sum;
        }
        self.list.resize(self.pair.len(), 0);
        for [cell, t] in &self.pair {
            let end = &mut start[*cell as usize];
            *end -= 1;
            self.list[*end as usize] = *t;
        }

        // sums of the cells with triangles
        self.filled.clear();
        self.filled.resize((columns + 1) * (rows + 1), 0);
        for row in 0..rows {
            let mut sum = 0;
            for i in 0..columns {
                let cell = row * columns + i;
                sum += u32::from(self.start[cell] != self.start[cell + 1]);
                let above = self.filled[row * (columns + 1) + i + 1];
                self.filled[(row + 1) * (columns + 1) + i + 1] = above + sum;
            }
        }
    }

    /// Makes cells wider until triangles touch few of them, and until the list of their triangles
    /// has a bounded length.
    fn widen(&mut self) {
        let cells = |[first, last]: [u16; 2]| usize::from(last - first) + 1;
        let pairs = |span: &[[[u16; 2]; 2]]| -> usize {
            span.iter().map(|[x, y]| cells(*x) * cells(*y)).sum()
        };
        // one cell holds everything in the end
        loop {
            let most = if self.cell < self.wide { FEW_CELLS * self.span.len() } else { MOST_PAIRS };
            if pairs(&self.span) <= most.max(self.span.len()) {
                return;
            }
            self.cell *= 2;
            self.span.as_flattened_mut().as_flattened_mut().iter_mut().for_each(|cell| *cell /= 2);
        }
    }

    /// Number of cells in a row.
    fn columns(&self) -> usize {
        self.range[0][1] - self.range[0][0]
    }

    /// Finds the cells that each triangle may touch.
    fn pair_up(&mut self) {
        self.pair.clear();
        let columns = self.columns();
        let [x0, y0] = self.range.map(|range| range[0]);
        for (t, (span, tri)) in self.span.iter().zip(&self.tri).enumerate() {
            let [[left, right], [top, bottom]] = span.map(|span| span.map(usize::from));
            let few = left == right || top == bottom;
            for row in top..=bottom {
                let cells =
                    if few { [left, right] } else { tri.row(row, self.cell, [left, right]) };
                let first = (row - y0) * columns;
                let cells = first + cells[0] - x0..first + cells[1] + 1 - x0;
                self.pair.extend(cells.map(|cell| [cell as u32, t as u32]));
            }
        }
    }

    /// Whether the cells between the images of four points have no triangles.
    pub(crate) fn misses(&self, corners: &[V3; 4]) -> bool {
        if self.stage != Stage::Any {
            return false;
        }
        let spots = corners.map(|p| {
            let [x, y, _, w] = self.matrix.point(p);
            let half = 0.5 * self.size;
            (w > 0.0).then(|| [(x / w + 1.0) * half, (y / w + 1.0) * half])
        });
        let [Some(a), Some(b), Some(c), Some(d)] = spots else {
            // points behind the light receive no shadow
            return spots.iter().all(Option::is_none);
        };
        let span = |axis: usize| {
            let along = [a, b, c, d].map(|p| p[axis]);
            let [first, last] = self.range[axis];
            let cell = |x: f32| {
                let cell = x.most(0.0).least(self.size) as u32 as usize / self.cell;
                cell.clamp(first, last) - first
            };
            let low = along.into_iter().fold(f32::INFINITY, f32::min);
            let high = along.into_iter().fold(f32::NEG_INFINITY, f32::max);
            [cell(low), (cell(high) + 1).min(last - first)]
        };
        let ([left, right], [top, bottom]) = (span(0), span(1));
        let across = self.columns() + 1;
        let sum = |row: usize, i: usize| self.filled[row * across + i];
        left >= right
            || top >= bottom
            || sum(bottom, right) + sum(top, left) == sum(bottom, left) + sum(top, right)
    }

    /// The texels of some points.
    #[inline(always)]
    pub(crate) fn places<W: Wide>(&self, at: &Wide3<W>) -> Places<W> {
        let form = |k: usize| {
            let [x, y, z, c] = self.matrix.0[k];
            along(*at, [x, y, z]).plus(c)
        };
        let half = 0.5 * self.size;
        let w = form(3);
        let inverse = W::splat(1.0) / w;
        let [x, y] = [0, 1].map(|k| (form(k) * inverse).plus(1.0).times(half));
        let (low, high) = (W::splat(1.0), W::splat(self.size - 1.0));
        let inside = low.at_most(x) & x.less(high) & low.at_most(y) & y.less(high);
        // depths beyond the far plane count as the far plane
        let z = (form(2) * inverse).most(W::zero());
        Places { x, y, z, covered: inside & W::zero().less(w) }
    }

    /// The clip-space depth of points, as the map sees them.
    #[inline(always)]
    pub(crate) fn depth<W: Wide>(&self, at: &Wide3<W>) -> W {
        let form = |k: usize| {
            let [x, y, z, c] = self.matrix.0[k];
            along(*at, [x, y, z]).plus(c)
        };
        form(2) / form(3)
    }

    /// 1 at points without a triangle nearer to the light, 0 at the others.
    #[inline(always)]
    pub(crate) fn lit<W: Wide>(&self, at: &Places<W>) -> W {
        match self.stage {
            Stage::Any => {}
            Stage::Asking => {
                self.note(at);
                return W::splat(1.0);
            }
            Stage::Asked => return self.answer(at),
        }
        let [x, y] = [at.x.floor(), at.y.floor()];
        let cell = [x, y].map(|x| x.times(1.0 / self.cell as f32).floor());
        let [[x0, x1], [y0, y1]] = self.range.map(|range| range.map(|i| W::splat(i as f32)));
        let inside =
            x0.at_most(cell[0]) & cell[0].less(x1) & y0.at_most(cell[1]) & cell[1].less(y1);
        let inside = inside & at.covered;
        let mut rest = W::bits(inside);
        let mut lit = W::splat(1.0);
        if rest == 0 {
            return lit;
        }

        // points by cell; all are usually in one or two
        let number = (cell[1] - y0).times(self.columns() as f32) + (cell[0] - x0);
        let place = [x.plus(0.5), y.plus(0.5)];
        while rest != 0 {
            let lane = rest.trailing_zeros();
            let here = number.get(lane as usize);
            let same = W::splat(here).equals(number) & inside;
            let at_cell = here as u32 as usize;
            let list = self.start[at_cell] as usize..self.start[at_cell + 1] as usize;
            if !list.is_empty() {
                let near = self.nearest(&self.list[list], place, at.z, W::bits(same));
                lit = W::choose(at.z.less(near) & same, W::zero(), lit);
            }
            rest &= !(W::bits(same) | 1 << lane);
        }
        lit
    }

    /// The depths of the nearest of some triangles at texels, or of any that hides all `wanted`
    /// points of depth `z`.
    #[inline(always)]
    fn nearest<W: Wide>(&self, list: &[u32], place: [W; 2], z: W, wanted: u32) -> W {
        let mut near = W::splat(-1.0);
        for &t in list {
            near = near.most(self.tri[t as usize].depths(place));
            if W::bits(z.less(near)) & wanted == wanted {
                break;
            }
        }
        near
    }
}

/// Whether a point is certainly outside of a triangle: by more than the slack and rounding.
#[inline(always)]
fn far_outside([p, q, r]: &[Spot; 3], [x, y]: [f32; 2]) -> bool {
    let side = |a: &Spot, b: &Spot| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    let [a, b, c] = [side(p, q), side(q, r), side(r, p)];
    let reach = |a: f32, b: f32, c: f32| a.most(b).most(c) - a.least(b).least(c);
    let slack = 1e-4 * reach(p.x, q.x, r.x) * reach(p.y, q.y, r.y);
    a.least(b).least(c) < -slack && a.most(b).most(c) > slack
}

impl Caster {
    /// `None` if the triangle has no area.
    #[inline(always)]
    fn new(corners: [Spot; 3]) -> Option<Caster> {
        // double precision, because sums of products of coordinates exceed single precision
        let [p, q, r] = corners.map(|s| [f64::from(s.x), f64::from(s.y), f64::from(s.z)]);
        let [dx1, dy1, dz1] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        let [dx2, dy2, dz2] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
        let area = dx1 * dy2 - dx2 * dy1;
        let inverse = 1.0 / area;
        let sign = if area < 0.0 { -1.0 } else { 1.0 };
        let [za, zb] = [(dz1 * dy2 - dz2 * dy1) * inverse, (dx1 * dz2 - dx2 * dz1) * inverse];
        let offset = f64::from(SLOPE_OFFSET) * za.abs().max(zb.abs()) + DEPTH_OFFSET;
        let depth = [za, zb, p[2] - offset].map(|z| z as f32);
        if !depth.iter().all(|z| z.is_finite()) {
            return None;
        }
        let width = dx1.abs().max(dx2.abs()).max((dx2 - dx1).abs());
        let height = dy1.abs().max(dy2.abs()).max((dy2 - dy1).abs());
        Some(Caster {
            slack: (-EDGE_SLACK * width * height) as f32,
            origin: [corners[0].x, corners[0].y],
            a: [-dy1, dy2, dy1 - dy2].map(|a| (sign * a) as f32),
            b: [dx1, -dx2, dx2 - dx1].map(|b| (sign * b) as f32),
            c: (sign * area) as f32,
            depth,
        })
    }

    /// Depths at texels; -1 outside the triangle.
    #[inline(always)]
    fn depths<W: Wide>(&self, [x, y]: [W; 2]) -> W {
        let (x, y) = (x.plus(-self.origin[0]), y.plus(-self.origin[1]));
        let form = |k: usize| x.times(self.a[k]) + y.times(self.b[k]);
        let least = form(0).least(form(1)).least(form(2).plus(self.c));
        let [a, b, c] = self.depth;
        let z = (x.times(a) + y.times(b)).plus(c);
        W::choose(W::splat(self.slack).at_most(least), z, W::splat(-1.0))
    }

    /// First and last cell of a row that the triangle may touch, between two cells.
    fn row(&self, row: usize, cell: usize, [left, right]: [usize; 2]) -> [usize; 2] {
        let width = cell as f32;
        let y = row as f32 * width - self.origin[1];
        let [mut low, mut high] = [left as f32 * width, (right + 1) as f32 * width - 1.0];
        for (k, c) in [0.0, 0.0, self.c].into_iter().enumerate() {
            // the greatest value of the form in the row, beyond its value at x = 0
            let (a, b) = (self.a[k], self.b[k]);
            let most = b * if b > 0.0 { y + width } else { y } + c;
            let zero = self.origin[0] - most / a;
            if a > 0.0 {
                low = low.most(zero - CELL_SLACK);
            } else if a < 0.0 {
                high = high.least(zero + CELL_SLACK);
            }
        }
        let cell = |x: f32| (x.most(0.0) as u32 as usize / cell).clamp(left, right);
        [cell(low), cell(high)]
    }
}

/// The part of a triangle in front of a plane, given with the distances of the corners: the polygon
/// and the number of its corners.
fn cut(corners: [[f32; 4]; 3], dist: [f32; 3]) -> ([[f32; 4]; 4], usize) {
    let (mut out, mut n) = ([[0.0; 4]; 4], 0);
    let mut push = |corner: [f32; 4]| {
        if let Some(place) = out.get_mut(n) {
            *place = corner;
            n += 1;
        }
    };
    for i in 0..3 {
        let (a, b) = (corners[i], corners[(i + 1) % 3]);
        let (da, db) = (dist[i], dist[(i + 1) % 3]);
        if da >= 0.0 {
            push(a);
        }
        if (da >= 0.0) != (db >= 0.0) {
            let t = da / (da - db);
            push(core::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
        }
    }
    (out, n)
}

#[cfg(test)]
mod tests {
    use super::*;
    const SIZE: usize = 256;

    /// A number from 0 to 1.
    fn random(state: &mut u32) -> f32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (*state >> 8) as f32 / (1 << 24) as f32
    }

    /// Triangles in clip space, some of them behind the near plane.
    fn triangles() -> Vec<[V3; 3]> {
        let mut state = 7;
        let mut triangle = |_| {
            let center = [0, 1, 2].map(|_| 2.2 * random(&mut state) - 1.1);
            let size = 0.6 * random(&mut state);
            [0, 1, 2].map(|_| {
                let [x, y, z] = center.map(|c| c + size * (random(&mut state) - 0.5));
                [x, y, 0.6 + 0.5 * z]
            })
        };
        (0..200).map(&mut triangle).collect()
    }

    fn map(cell: usize) -> Map {
        let mut map = Map::default();
        let one: [[f32; 4]; 4] =
            core::array::from_fn(|i| core::array::from_fn(|j| f32::from(u8::from(i == j))));
        map.start(Mat4(one), SIZE, cell);
        for corners in triangles() {
            map.add(&Mat4(one), corners.iter(), &[[0, 1, 2]], false);
        }
        map.sort();
        map
    }

    #[test]
    fn a_pile_of_large_triangles_has_a_list_of_bounded_length() {
        let (mut map, count) = (Map::default(), 2000);
        let one: [[f32; 4]; 4] =
            core::array::from_fn(|i| core::array::from_fn(|j| f32::from(u8::from(i == j))));
        map.start(Mat4(one), 4096, 32);
        for k in 0..count {
            let z = 0.2 + 0.5 * k as f32 / count as f32;
            let corners = [[-3.0, -1.0, z], [3.0, -1.0, z], [0.0, 3.0, z]];
            map.add(&Mat4(one), corners.iter(), &[[0, 1, 2]], false);
        }
        map.sort();
        assert!(map.list.len() <= MOST_PAIRS);
        // the last triangle is the nearest
        let lit = |z: f32| map.lit(&map.places(&[0.1, -0.2, z].map(F8::splat))).get(0);
        assert_eq!([lit(0.69), lit(0.71)], [0.0, 1.0]);
    }

    /// The depth of a drawn map at the centre of a texel; 0 without a triangle.
    fn drawn(place: [usize; 2], triangles: &[[V3; 3]]) -> f64 {
        let half = 0.5 * SIZE as f64 - 1.0;
        let at = place.map(|i| (i as f64 + 0.5 - 0.5 * SIZE as f64) / half);
        let depth = |corners: &[V3; 3]| {
            let [p, q, r] = corners.map(|corner| corner.map(f64::from));
            let cross = |a: [f64; 3], b: [f64; 3], [x, y]: [f64; 2]| {
                (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
            };
            let area = cross(p, q, [r[0], r[1]]);
            let weight = [cross(q, r, at), cross(r, p, at), cross(p, q, at)].map(|w| w / area);
            let z = weight[0] * p[2] + weight[1] * q[2] + weight[2] * r[2];

            // the offset by the slope per texel
            let [a, b] = [0, 1].map(|axis| {
                let other = 1 - axis;
                let up = (q[2] - p[2]) * (r[other] - p[other]);
                let slope = (up - (r[2] - p[2]) * (q[other] - p[other])) / area;
                slope.abs() / half
            });
            let inside = weight.iter().all(|w| *w >= 0.0) && z <= 1.0;
            inside.then_some(z - f64::from(SLOPE_OFFSET) * a.max(b) - DEPTH_OFFSET)
        };
        triangles.iter().filter_map(depth).fold(0.0, f64::max)
    }

    /// Lookups agree with a drawn map, up to the rounding of corners.
    #[test]
    fn texels_have_the_depths_of_a_drawn_map() {
        let (map, triangles) = (map(32), triangles());
        let (mut shadowed, mut wrong, mut all) = (0, 0, 0);
        for row in (0..SIZE).step_by(3) {
            for column in (0..SIZE).step_by(3) {
                let edge = [row, column].iter().any(|i| *i == 0 || *i == SIZE - 1);
                let depth = if edge { 0.0 } else { drawn([column, row], &triangles) };
                let [x, y] = [column, row].map(|i| (2.0 * i as f32 + 1.0) / SIZE as f32 - 1.0);
                let lit = |z: f64| map.lit(&map.places(&[x, y, z as f32]));
                let hidden = depth < 1e-3 || lit(depth - 1e-3) == 0.0;
                wrong += usize::from(lit(depth + 1e-3) == 0.0 || !hidden);
                shadowed += usize::from(depth > 0.0);
                all += 1;
            }
        }
        assert!(shadowed > 1000 && 50 * wrong < all, "{shadowed} {wrong} of {all}");
    }

    /// Neither the width of cells nor the number of lanes changes a lookup.
    #[test]
    fn cells_and_lanes_do_not_change_lookups() {
        let maps = [8, 16, 64, 256].map(map);
        let mut state = 3;
        let mut lit = 0;
        for _ in 0..2000 {
            let at: Wide3<F8> = [0, 1, 2].map(|k| {
                let start = 2.0 * random(&mut state) - 1.0;
                let step = 0.1 * random(&mut state);
                F8::lanes(|l| if k < 2 { start + step * l as f32 } else { 0.5 + 0.4 * start })
            });
            let want = maps[0].lit(&maps[0].places(&at)).array();
            lit += want.iter().filter(|lit| **lit == 1.0).count();
            for map in &maps {
                assert_eq!(map.lit(&map.places(&at)).array(), want);
                let one = |l: usize| map.lit(&map.places(&at.map(|c| c.get(l))));
                assert_eq!(core::array::from_fn::<f32, LANES, _>(one), want);
            }
        }
        assert!((2000..15_500).contains(&lit), "{lit}");
    }

    /// Points that ask first have the same shadows as points that look them up among all triangles.
    #[test]
    fn points_that_ask_get_the_same_shadows() {
        let one: [[f32; 4]; 4] =
            core::array::from_fn(|i| core::array::from_fn(|j| f32::from(u8::from(i == j))));
        let mut state = 11;
        let point =
            |_| -> Wide3<F8> { [0, 1, 2].map(|_| F8::lanes(|_| 2.2 * random(&mut state) - 1.1)) };
        let points: Vec<Wide3<F8>> = (0..500).map(point).collect();
        let all = map(32);
        let mut map = Map::default();
        map.ask(Mat4(one), SIZE);
        let lit = |map: &Map| -> Vec<[f32; LANES]> {
            points.iter().map(|at| map.lit(&map.places(at)).array()).collect()
        };
        assert!(lit(&map).iter().all(|lit| *lit == [1.0; LANES]));
        map.start(Mat4(one), SIZE, 32);
        for corners in triangles() {
            map.add(&Mat4(one), corners.iter(), &[[0, 1, 2]], false);
        }
        map.sort();
        let (got, want) = (lit(&map), lit(&all));
        assert_eq!(got, want);
        let hidden = want.as_flattened().iter().filter(|lit| **lit == 0.0).count();
        assert!((500..3500).contains(&hidden), "{hidden}");
    }

    #[test]
    fn quadrangles_that_miss_all_triangles_are_lit() {
        let map = map(16);
        let mut state = 5;
        let mut missed = 0;
        for _ in 0..3000 {
            let [x, y, w, h] = [0, 1, 2, 3].map(|_| random(&mut state));
            let (x, y, w, h) = (2.4 * x - 1.2, 2.4 * y - 1.2, 0.1 * w, 0.1 * h);
            let corners = [[x, y, 0.0], [x + w, y, 0.0], [x, y + h, 0.0], [x + w, y + h, 0.0]];
            if map.misses(&corners) {
                missed += 1;
                for corner in corners {
                    assert!(map.lit(&map.places(&corner)) == 1.0, "{corners:?}");
                }
            }
        }
        assert!(missed > 50, "{missed}");
    }
}
