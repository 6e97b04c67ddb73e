//! Height fields: the prisms under their triangles, each against the other solid.

use core::cell::Cell;
use core::ops::Range;

use sinew_math::Vec3;

use crate::ccd::gjk::Pair;
use crate::ccd::memory::Memory;
use crate::ccd::options::Options;
use crate::ccd::overlap::Overlap;
use crate::ccd::query::{midpoint, query};
use crate::ccd::support::{Convex, Outline};
use crate::ccd::work::{Search, Work};
#[cfg(not(target_arch = "nvptx64"))]
use crate::ccd::{mpr, normal};
use crate::shape::Pose;
use crate::solid::{Form, HeightField, Solid};
use crate::touch::{MAX_CONTACTS, Touch, Touches};

/// Contacts of a terrain with a convex solid.
///
/// Prisms reach down to the base and up by the margin. A contact's distance is that between the
/// solids with their margins, as in MuJoCo.
#[doc(alias = "mjc_ConvexHField")]
pub fn collide_hfield<M: Memory>(
    terrain: &Solid,
    b: &Solid,
    margin: f64,
    options: &Options,
    work: &mut Work<M>,
    out: &mut impl Touches,
) {
    let Form::HeightField(field) = terrain.form else { return };
    #[cfg(not(target_arch = "nvptx64"))]
    if M::LEARNS {
        work.library.admit_pair([terrain, b]);
    }
    let search = &mut work.search;
    #[cfg(not(target_arch = "nvptx64"))]
    let library = &work.library;
    #[cfg(target_arch = "nvptx64")]
    let library = &super::support::Library;
    let Pose { pos, mat } = terrain.pose;
    let world = b.pose;
    let form = match b.form {
        Form::Element(element) => Form::Element(element.seen_from(&terrain.pose)),
        form => form,
    };
    let pose = Pose { pos: mat.tmul_vec(world.pos - pos), mat: mat.tmul(world.mat) };
    let seen = Solid { pose, form };
    let Some(mut b) = Convex::new(&seen, 0.0, library) else { return };
    let Some(grid) = Grid::under(&field, &mut b, margin) else { return };

    // one pair for all prisms: the hull's next search starts where the last ended
    b.margin = margin;
    let corners = [const { Cell::new(Vec3::ZERO) }; 6];
    let mut pair = Pair { a: Convex::prism(&corners), b };
    let before = out.count();
    grid.for_each_prism(&field, margin, |prism| {
        for (corner, at) in corners.iter().zip(prism) {
            corner.set(*at);
        }
        let found = overlap(&mut pair, options, search);
        if let Some(Overlap { depth, dir, pos: at }) = found {
            let (pos, normal) = (mat * at + pos, mat * dir);
            out.push(Touch { dist: -depth, pos, normal, tangent: Vec3::ZERO });
        }
        out.count() - before < MAX_CONTACTS
    });
    #[cfg(not(target_arch = "nvptx64"))]
    if !options.native {
        for i in before..out.count() {
            let touch = normal::fixed(out.touch(i), [None, Some((&pair.b.outline, world))]);
            out.set(i, touch);
        }
    }
}

/// Overlap of a prism and a solid, by either search.
#[doc(alias = "mjc_penetration")]
fn overlap<M: Memory>(
    pair: &mut Pair,
    options: &Options,
    search: &mut Search<M>,
) -> Option<Overlap> {
    #[cfg(not(target_arch = "nvptx64"))]
    if !options.native {
        return mpr::overlap(pair, options);
    }
    let dist = query(pair, 0.0, 1, options, search);
    let &[on1, on2] = search.points.first().filter(|_| dist < 0.0)?;
    Some(Overlap { depth: -dist, dir: (on1 - on2).normalize().0, pos: midpoint(on1, on2) })
}

/// The cells of a height field that a solid may touch.
struct Grid {
    rows: Range<usize>,
    columns: Range<usize>,
    /// Lowest point of the solid.
    low: f64,
}

impl Grid {
    /// The cells under a solid in the frame of the terrain; nothing if it is outside the terrain.
    fn under(field: &HeightField, solid: &mut Convex, margin: f64) -> Option<Grid> {
        let [sx, sy, top, base] = field.size;
        let is_hull = matches!(solid.outline, Outline::Scan { .. } | Outline::Climb { .. });
        // of an element MuJoCo looks at the corners alone, without the radius
        let mut reach = |dir: Vec3| match solid.outline {
            Outline::Element(element) => element.farthest_corner(dir),
            _ => solid.surface(dir),
        };

        // most solids are above it; a hull is searched from the vertex before, hence in MuJoCo's
        // order
        let low = (!is_hull).then(|| reach(-Vec3::Z).z);
        if low.is_some_and(|zmin| zmin - margin > top) {
            return None;
        }
        let (xmax, xmin) = (reach(Vec3::X).x, reach(-Vec3::X).x);
        let (ymax, ymin) = (reach(Vec3::Y).y, reach(-Vec3::Y).y);
        let zmax = reach(Vec3::Z).z;
        let zmin = low.unwrap_or_else(|| reach(-Vec3::Z).z);
        let is_outside = (xmin - margin > sx)
            || (xmax + margin < -sx)
            || (ymin - margin > sy)
            || (ymax + margin < -sy)
            || (zmin - margin > top)
            || (zmax + margin < -base);
        if is_outside || field.nrow < 2 || field.ncol < 2 {
            return None;
        }
        let columns = covered(xmin, xmax, sx, field.ncol);
        let rows = covered(ymin, ymax, sy, field.nrow);
        Some(Grid { rows, columns, low: zmin })
    }

    /// Calls `visit` with the corners of each prism that is not below the solid, until it says no.
    ///
    /// Prisms share sides: a strip of triangles runs along each row, and each new vertex pushes
    /// the oldest out.
    fn for_each_prism(
        &self,
        field: &HeightField,
        margin: f64,
        mut visit: impl FnMut(&[Vec3; 6]) -> bool,
    ) {
        // corners of the grid
        let [sx, sy, top, base] = field.size;
        let dx = (2.0 * sx) / (field.ncol as f64 - 1.0);
        let dy = (2.0 * sy) / (field.nrow as f64 - 1.0);
        let upper = |r: usize, c: usize| {
            let height = field.data.get(r * field.ncol + c).map_or(0.0, |&h| f64::from(h));
            Vec3::new(dx * c as f64 - sx, dy * r as f64 - sy, height * top + margin)
        };
        let lower = |v: Vec3| Vec3::new(v.x, v.y, -base);

        // two triangles for each cell, strip by strip; those below the solid are left out
        for r in self.rows.clone() {
            let first = self.columns.start;
            let mut strip = [Vec3::ZERO, upper(r + 1, first), upper(r, first)];
            for c in first + 1..self.columns.end + 1 {
                for row in [r + 1, r] {
                    strip = [strip[1], strip[2], upper(row, c)];
                    let [u, v, w] = strip;
                    if u.z < self.low && v.z < self.low && w.z < self.low {
                        continue;
                    }
                    if !visit(&[lower(u), lower(v), lower(w), u, v, w]) {
                        return;
                    }
                }
            }
        }
    }
}

/// First and last cell, of `samples - 1`, between two places on a side of half length `half`.
fn covered(low: f64, high: f64, half: f64, samples: usize) -> Range<usize> {
    let cells = samples as f64 - 1.0;
    let first = (low + half) / (2.0 * half) * cells;
    let last = (high + half) / (2.0 * half) * cells;
    // conversions round down and stop at zero
    let down = if last < cells { last as usize } else { samples - 1 };
    let up = down + usize::from((down as f64) < last && last < cells);
    first as usize..up
}
