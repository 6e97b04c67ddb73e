//! Hulls of meshes and height fields of the geoms that may collide.

use std::collections::BTreeMap;

use sinew_engine::{height_field, mesh_hull};
use sinew_geom::solid::{HeightField, Hull, Link};
use sinew_kernel::real::Real;
use sinew_model::enums::GeomType;
use sinew_model::{GeomId, Model};

use super::blob::Blob;
use super::bodies::NONE;

/// Maximum number of corners of a polygon, and of polygons at a vertex (`sinew_geom::ccd`).
const MAX_POLYGON: i32 = 150;

/// Adds the tables of these geoms; the most corners of a polygon, or polygons at a vertex.
pub(super) fn add<R: Real>(m: &Model, geoms: &[GeomId], blob: &mut Blob<R>) -> usize {
    let (mut hulls, mut fields) = (BTreeMap::new(), BTreeMap::new());
    let mut polygon = 4;
    for &g in geoms {
        let asset = m.geom_dataid[g];
        let place = match m.geom_type[g] {
            GeomType::Hfield => height_field(m, g)
                .map(|field| *fields.entry(asset).or_insert_with(|| add_field(&field, blob))),
            GeomType::Mesh | GeomType::Ellipsoid => mesh_hull(m, g).map(|hull| {
                polygon = polygon.max(largest(&hull));
                *hulls.entry(asset).or_insert_with(|| add_hull(&hull, blob))
            }),
            _ => None,
        };
        blob.geom_asset.push(place.unwrap_or(NONE));
    }
    polygon
}

/// Maximum number of corners of a polygon of a hull, or polygons at a vertex.
fn largest(hull: &Hull<'_>) -> usize {
    let counts = hull.poly_vert_num.iter().chain(hull.poly_map_num);
    counts.fold(0, |most, &n| most.max(n.clamp(0, MAX_POLYGON) as usize))
}

/// Adds the tables of a hull; its place among the hulls.
fn add_hull<R: Real>(hull: &Hull<'_>, blob: &mut Blob<R>) -> u32 {
    let place = blob.hull.len() / RANGES;
    let starts = ends(blob);

    // vertices and the graph: sizes, two numbers for each vertex, neighbours, faces
    blob.hull_vert.extend(hull.vert.iter().flatten().map(|x| x.to_bits()));
    if let &[nvert, nface, ..] = hull.graph {
        let len = 2 + 3 * nvert.max(0) as usize + 6 * nface.max(0) as usize;
        blob.hull_graph.extend(hull.graph.iter().take(len).map(|&x| x as u32));
    }

    for Link { at, vertex } in Link::of_graph(hull) {
        blob.hull_link.extend(at.map(f32::to_bits));
        blob.hull_link.push(vertex as u32);
    }

    // polygons, with addresses that count from the mesh's own
    for bits in hull.poly_normal.iter().flat_map(|v| v.to_array()).map(f64::to_bits) {
        blob.hull_normal.extend([bits as u32, (bits >> 32) as u32]);
    }
    let corners = Runs { adr: hull.poly_vert_adr, num: hull.poly_vert_num, items: hull.poly_vert };
    corners.copy(&mut blob.hull_poly_adr, &mut blob.hull_poly_num, &mut blob.hull_corner);
    let around = Runs { adr: hull.poly_map_adr, num: hull.poly_map_num, items: hull.poly_map };
    around.copy(&mut blob.hull_map_adr, &mut blob.hull_map_num, &mut blob.hull_around);
    for (start, end) in starts.into_iter().zip(ends(blob)) {
        blob.hull.extend([start, end - start]);
    }
    place as u32
}

/// Runs of a hull in the tables, each with its first item and their number.
const RANGES: usize = 12;

/// Where the tables of hulls end: vertices, graph, links, polygons, corners, polygons around
/// vertices.
fn ends<R>(blob: &Blob<R>) -> [u32; RANGES / 2] {
    [
        blob.hull_map_num.len(),
        blob.hull_graph.len(),
        blob.hull_link.len() / 4,
        blob.hull_poly_num.len(),
        blob.hull_corner.len(),
        blob.hull_around.len(),
    ]
    .map(|n| n as u32)
}

/// Lists of items, by the first item and the number of each.
struct Runs<'a> {
    adr: &'a [i32],
    num: &'a [i32],
    items: &'a [i32],
}

impl Runs<'_> {
    fn copy(&self, adr: &mut Vec<u32>, num: &mut Vec<u32>, to: &mut Vec<u32>) {
        let first = to.len();
        for (&start, &count) in self.adr.iter().zip(self.num) {
            adr.push((to.len() - first) as u32);
            num.push(count.max(0) as u32);
            let items = start.max(0) as usize..(start.max(0) + count.max(0)) as usize;
            to.extend(self.items[items].iter().map(|&x| x as u32));
        }
    }
}

/// Adds a height field; its place among them.
pub(super) fn add_field<R: Real>(field: &HeightField<'_>, blob: &mut Blob<R>) -> u32 {
    let place = blob.field_row.len();
    blob.field_size.extend(field.size.map(R::of));
    blob.field_row.push(field.nrow as u32);
    blob.field_col.push(field.ncol as u32);
    blob.field_adr.push(blob.field_data.len() as u32);
    blob.field_data.extend(field.data.iter().map(|x| x.to_bits()));
    place as u32
}
