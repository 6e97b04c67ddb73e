//! The skin of a cable of boxes: two sheets of triangles and the strips between them.

use crate::expand::composite::subgrid::{self, Bound, refined};
use crate::spec::{Attr, Bone, Composite, CompositeSkin, Skin};

/// The skin of a cable with `count` points.
pub(super) fn make(comp: &Composite, count: i32) -> Skin {
    let span = comp.head.span;
    let default = CompositeSkin::default();
    let written = comp.skin.as_ref().unwrap_or(&default);
    let subgrid = written.values().subgrid().clamp(0, MAX_SUBGRID) as usize;

    // a sheet of vertices along the cable, finer with a subgrid
    let sheet = match subgrid {
        0 => Sheet { rows: count as usize, columns: 2 },
        n => Sheet { rows: refined(count as usize, n), columns: refined(3, n) },
    };
    let size = comp.geom.values().size();

    // the skin without bones
    let mut skin = Skin {
        head: comp.head,
        name: Attr::at(format!("{}Skin", comp.prefix.text()), span),
        group: Attr::at(written.values().group(), span),
        rgba: Attr::at(written.values().rgba(), span),
        inflate: Attr::at((2.0 * size[2]) as f32, span),
        vertex: Attr::at(vec![0.0; 6 * sheet.rows * sheet.columns], span),
        face: Attr::at(sheet.faces(), span),
        ..Skin::default()
    };
    if !written.material.text().is_empty() {
        skin.material = written.material.clone();
    }
    if written.values().texcoord() {
        skin.texcoord = Attr::at(sheet.texcoord(), span);
    }

    // a bone for each body and side
    let columns = if subgrid == 0 { 2 } else { 3 };
    let binding = match subgrid {
        0 => direct(&sheet),
        n => subgrid::binding([count as usize, columns], n),
    };
    for (i, bound) in binding.into_iter().enumerate() {
        skin.bones.push(bone(comp, count as usize, [i / columns, i % columns, columns], bound));
    }
    skin
}

/// Maximum number of points between two of the cable: a bound on memory.
const MAX_SUBGRID: i32 = 100;

/// Every bone holds the vertex above it on both sheets.
fn direct(sheet: &Sheet) -> Vec<Bound> {
    let n = (sheet.rows * sheet.columns) as i32;
    (0..n).map(|v| Bound { vert: vec![v, n + v], weight: vec![1.0; 2] }).collect()
}

/// The bone at a place of the lattice of `count` by `columns`.
fn bone(comp: &Composite, count: usize, [ix, iy, columns]: [usize; 3], bound: Bound) -> Bone {
    let (span, prefix) = (comp.head.span, comp.prefix.text());
    let size = comp.geom.values().size().map(|x| x as f32);
    let body = match ix {
        0 => format!("{prefix}B_first"),
        ix if ix >= count - 2 => format!("{prefix}B_last"),
        ix => format!("{prefix}B_{ix}"),
    };
    let side = match (iy, columns) {
        (0, _) => -size[1],
        (1, 3) => 0.0,
        _ => size[1],
    };
    let end = if ix == count - 1 { (-2.0 * comp.geom.values().size()[0]) as f32 } else { 0.0 };
    Bone {
        head: comp.head,
        body: Attr::at(body, span),
        bindpos: Attr::at([end, side, 0.0], span),
        bindquat: Attr::at([1.0, 0.0, 0.0, 0.0], span),
        vertid: Attr::at(bound.vert, span),
        vertweight: Attr::at(bound.weight, span),
    }
}

/// A lattice of vertices, twice.
struct Sheet {
    rows: usize,
    columns: usize,
}

impl Sheet {
    fn texcoord(&self) -> Vec<f32> {
        let part = |i: usize, n: usize| i as f32 / (n - 1) as f32;
        let one = (0..self.rows * self.columns).flat_map(|v| {
            let (ix, iy) = (v / self.columns, v % self.columns);
            [part(ix, self.rows), part(iy, self.columns)]
        });
        one.collect::<Vec<f32>>().repeat(2)
    }

    /// Both sides, then the strips along the four borders.
    #[doc(alias = "MakeSkin2")]
    fn faces(&self) -> Vec<i32> {
        let (rows, columns) = (self.rows as i32, self.columns as i32);
        let n = rows * columns;
        let at = |ix: i32, iy: i32| ix * columns + iy;
        let mut out = Vec::new();

        // both sides, turned outwards
        for side in 0..2 {
            let (a, b) = if side == 0 { (0, 1) } else { (1, 0) };
            for ix in 0..rows - 1 {
                for iy in 0..columns - 1 {
                    let v = |dx: i32, dy: i32| side * n + at(ix + dx, iy + dy);
                    out.extend([v(0, 0), v(1, a), v(1, b), v(0, 0), v(b, 1), v(a, 1)]);
                }
            }
        }

        // strips along the first and the last column
        for ix in 0..rows - 1 {
            let (p, q) = (at(ix, 0), at(ix + 1, 0));
            out.extend([p, n + q, q, p, n + p, n + q]);
        }
        for ix in 0..rows - 1 {
            let (p, q) = (at(ix, columns - 1), at(ix + 1, columns - 1));
            out.extend([p, q, n + q, p, n + q, n + p]);
        }

        // strips along the first and the last row
        for iy in 0..columns - 1 {
            let (p, q) = (at(0, iy), at(0, iy + 1));
            out.extend([p, q, n + q, p, n + q, n + p]);
        }
        for iy in 0..columns - 1 {
            let (p, q) = (at(rows - 1, iy), at(rows - 1, iy + 1));
            out.extend([p, n + q, q, p, n + p, n + q]);
        }
        out
    }
}
