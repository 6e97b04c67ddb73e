//! Which points of a flexcomp are fixed to its parent.

use crate::expand::flexcomp::shape::Shape;
use crate::spec::{Flexcomp, FlexcompDof, FlexcompType};

/// All pins of a flexcomp, in one list per attribute.
struct Pins {
    id: Vec<i32>,
    range: Vec<i32>,
    grid: Vec<i32>,
    gridrange: Vec<i32>,
}

/// The pinned points (or nodes), and the lists that follow from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Pinned {
    /// By point; at least one entry per node.
    pub(super) at: Vec<bool>,
    /// Whether all points are, so that there is nothing to move.
    pub(super) rigid: bool,
    /// Whether none is, so that every point is the origin of its body.
    pub(super) centered: bool,
}

/// Checks the pins against each other and finds the points they name.
pub(super) fn pinned(fc: &Flexcomp, shape: &Shape) -> Result<Pinned, String> {
    let join = |list: fn(&crate::spec::Pin) -> &crate::spec::Attr<Vec<i32>>| {
        fc.pins.iter().flat_map(|p| list(p).or(Vec::new())).collect::<Vec<i32>>()
    };
    let pins = Pins {
        id: join(|p| &p.id),
        range: join(|p| &p.range),
        grid: join(|p| &p.grid),
        gridrange: join(|p| &p.gridrange),
    };
    check_sizes(fc, shape.dim as usize, &pins)?;

    // points pinned by number, by place or by kind
    let points = shape.point.len() / 3;
    let rigid = fc.values().rigid();
    let mut out = Pinned { at: vec![rigid; points.max(nodes(fc))], rigid, centered: false };
    if rigid {
        return Ok(out);
    }
    pin_points(&pins, points, &mut out.at)?;
    pin_grid(fc, shape.dim as usize, &pins, &mut out.at)?;
    if fc.values().dof() == FlexcompDof::Radial {
        out.at[0] = true;
    }
    out.rigid = out.at[..points].iter().all(|pinned| *pinned);
    out.centered = !out.rigid && !out.at[..points].contains(&true);
    Ok(out)
}

/// Number of nodes that a flexcomp is interpolated between; 0 if it is not.
pub(super) fn nodes(fc: &Flexcomp) -> usize {
    match fc.values().dof() {
        FlexcompDof::Trilinear => 8,
        FlexcompDof::Quadratic => 27,
        FlexcompDof::Full | FlexcompDof::Radial => 0,
    }
}

fn check_sizes(fc: &Flexcomp, dim: usize, pins: &Pins) -> Result<(), String> {
    let on_grid = !(pins.grid.is_empty() && pins.gridrange.is_empty());
    let is_grid = fc.values().type_() == FlexcompType::Grid;
    let checks = [
        (!pins.range.len().is_multiple_of(2), "Pin range number must be multiple of 2"),
        (!pins.grid.len().is_multiple_of(dim), "Pin grid number must be multiple of dim"),
        (
            !pins.gridrange.len().is_multiple_of(2 * dim),
            "Pin grid range number of must be multiple of 2*dim",
        ),
        (
            !is_grid && on_grid && nodes(fc) == 0,
            "Pin grid(range) can only be used with grid or interpolated",
        ),
        (dim == 1 && on_grid, "Pin grid(range) cannot be used with dim=1"),
    ];
    match checks.iter().find(|(wrong, _)| *wrong) {
        Some((_, words)) => Err((*words).into()),
        None => Ok(()),
    }
}

fn pin_points(pins: &Pins, points: usize, at: &mut [bool]) -> Result<(), String> {
    let valid = |i: i32| usize::try_from(i).ok().filter(|i| *i < points);
    for &i in &pins.id {
        at[valid(i).ok_or("pinid out of range")?] = true;
    }
    for range in pins.range.chunks_exact(2) {
        let (Some(first), Some(last)) = (valid(range[0]), valid(range[1])) else {
            return Err("pinrange out of range".into());
        };
        at[first..(last + 1).max(first)].fill(true);
    }
    Ok(())
}

/// Pins by place in the lattice. Nodes of an interpolated flexcomp of another type than grid are
/// checked against their own lattice but numbered by `count`, as in MuJoCo.
fn pin_grid(fc: &Flexcomp, dim: usize, pins: &Pins, at: &mut [bool]) -> Result<(), String> {
    let count = fc.values().count();
    let is_grid = fc.values().type_() == FlexcompType::Grid;
    let most = match fc.values().dof() {
        FlexcompDof::Trilinear if !is_grid => [2; 3],
        FlexcompDof::Quadratic if !is_grid => [3; 3],
        _ => count,
    };
    let inside =
        |place: &[i32], most: [i32; 3]| place.iter().zip(most).all(|(&i, n)| (0..n).contains(&i));

    // the point at a place of the grid
    let mut pin = |ix: i32, iy: i32, iz: i32, words: &str| -> Result<(), String> {
        let (ix, iy, iz) = (i64::from(ix), i64::from(iy), i64::from(iz));
        let [_, ny, nz] = count.map(i64::from);
        let id = if dim == 2 { ix * ny + iy } else { ix * ny * nz + iy * nz + iz };
        let point = usize::try_from(id).ok().and_then(|i| at.get_mut(i));
        *point.ok_or(words)? = true;
        Ok(())
    };

    // single places
    for place in pins.grid.chunks_exact(dim) {
        const WORDS: &str = "pingrid out of range";
        if !inside(place, most) {
            return Err(WORDS.into());
        }
        pin(place[0], place[1], place.get(2).copied().unwrap_or(0), WORDS)?;
    }

    // boxes of places
    for range in pins.gridrange.chunks_exact(2 * dim) {
        const WORDS: &str = "pingridrange out of range";
        let (first, last) = range.split_at(dim);
        if !inside(first, count) || !inside(last, count) {
            return Err(WORDS.into());
        }
        let third = |list: &[i32]| list.get(2).copied().unwrap_or(0);
        for ix in first[0]..=last[0] {
            for iy in first[1]..=last[1] {
                for iz in third(first)..=third(last) {
                    pin(ix, iy, iz, WORDS)?;
                }
            }
        }
    }
    Ok(())
}
