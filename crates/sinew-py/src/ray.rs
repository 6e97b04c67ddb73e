//! `mj_ray*` functions.

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_engine::FlexParts;
use sinew_engine::ray::{Hit, Pose, Ray, RayFilter, RayHit};
use sinew_math::{MINVAL, Vec3};
use sinew_model::enums::GeomType;
use sinew_model::{BodyId, FlexId, GeomId};

use crate::args::{In, M9, Out, OutVector, V3, Vector, index, require};
use crate::call::run;
use crate::data::Data;
use crate::failure::FatalError;
use crate::model::Model;

/// A writable integer array.
type Ints<'py> = Bound<'py, PyArrayDyn<i32>>;

fn filter(geomgroup: Option<In<6>>, flg_static: i32, bodyexclude: i64) -> RayFilter {
    RayFilter {
        groups: geomgroup.map(|groups| groups.0.map(|g| g != 0.0)),
        fixed: flg_static != 0,
        exclude: usize::try_from(bodyexclude).ok().map(BodyId::new),
    }
}

/// Writes the requested normal and returns the distance: zero and -1 without a hit.
fn answer(hit: Option<Hit>, normal: Option<Out<'_, 3>>) -> PyResult<f64> {
    if let Some(out) = normal {
        out.set(hit.map_or(Vec3::ZERO, |hit| hit.normal))?;
    }
    Ok(hit.map_or(-1.0, |hit| hit.dist))
}

/// Writes integers, skipping `None`.
fn put(array: &Ints<'_>, values: impl Iterator<Item = Option<i32>>) -> PyResult<()> {
    let mut array = array.try_readwrite()?;
    for (to, x) in array.as_array_mut().iter_mut().zip(values) {
        *to = x.unwrap_or(*to);
    }
    Ok(())
}

/// The nearest visible geom along a ray, and the distance to it in units of `vec`; -1 if none.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal=None))]
#[allow(clippy::too_many_arguments)] // MuJoCo's
fn mj_ray(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    pnt: V3,
    vec: V3,
    geomgroup: Option<In<6>>,
    flg_static: i32,
    bodyexclude: i64,
    geomid: Option<Ints<'_>>,
    normal: Option<Out<'_, 3>>,
) -> PyResult<f64> {
    let ray = Ray { origin: pnt.0, dir: vec.0 };
    if ray.dir.norm() < MINVAL {
        return Err(FatalError::new_err("mj_ray: vector length is too small"));
    }
    let filter = filter(geomgroup, flg_static, bodyexclude);
    let hit = run(py, m, d, |m, d| engine::cast_ray(m, d, ray, &filter))?;
    if let Some(geomid) = geomid {
        require(geomid.len() == 1, "geomid should be of size 1")?;
        put(&geomid, core::iter::once(Some(hit.map_or(-1, |hit| hit.geom.idx() as i32))))?;
    }
    answer(hit.map(|RayHit { dist, normal, .. }| Hit { dist, normal }), normal)
}

/// The nearest visible geom along each of several rays from one point.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // MuJoCo's
fn mj_multiRay(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    pnt: V3,
    vec: Vector,
    geomgroup: Option<In<6>>,
    flg_static: i32,
    bodyexclude: i64,
    geomid: Ints<'_>,
    dist: OutVector<'_>,
    normal: Option<OutVector<'_>>,
    nray: usize,
    cutoff: f64,
) -> PyResult<()> {
    let triple = nray.checked_mul(3);
    require(dist.len() == nray, "dist should be of size nray")?;
    require(geomid.len() == nray, "geomid should be of size nray")?;
    require(Some(vec.0.len()) == triple, "vec should be of size 3*nray")?;
    let sized = normal.as_ref().is_none_or(|n| Some(n.len()) == triple);
    require(sized, "normal should be of size 3*nray")?;
    let filter = filter(geomgroup, flg_static, bodyexclude);
    let dirs: Vec<Vec3> = vec.0.as_chunks::<3>().0.iter().map(|&v| v.into()).collect();
    let hits = run(py, m, d, |m, d| {
        let mut hits = Vec::with_capacity(nray);
        engine::multi_ray(m, d, pnt.0, &dirs, &filter, cutoff, |_, hit| hits.push(hit));
        hits
    })?;

    // a ray without direction does not change its geom and normal
    let blind = |i: usize| dirs[i].dot(dirs[i]) < MINVAL;
    let geoms = hits
        .iter()
        .enumerate()
        .map(|(i, hit)| (!blind(i)).then(|| hit.map_or(-1, |hit| hit.geom.idx() as i32)));
    put(&geomid, geoms)?;
    let dists: Vec<f64> = hits.iter().map(|hit| hit.map_or(-1.0, |hit| hit.dist)).collect();
    dist.set(&dists)?;
    let Some(out) = normal else { return Ok(()) };
    let mut normals = out.get();
    for (i, (to, hit)) in normals.as_chunks_mut::<3>().0.iter_mut().zip(&hits).enumerate() {
        if !blind(i) {
            *to = hit.map_or(Vec3::ZERO, |hit| hit.normal).to_array();
        }
    }
    out.set(&normals)
}

/// Declares rays against one geom of a given type.
macro_rules! one_geom {
    ($($(#[$doc:meta])* $name:ident: $kind:path, $wrong:literal;)*) => {$(
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(signature = (m, d, geomid, pnt, vec, normal=None))]
        fn $name(
            py: Python<'_>,
            m: &Bound<'_, Model>,
            d: &Bound<'_, Data>,
            geomid: i64,
            pnt: V3,
            vec: V3,
            normal: Option<Out<'_, 3>>,
        ) -> PyResult<f64> {
            let ray = Ray { origin: pnt.0, dir: vec.0 };
            let ngeom = m.get().cell.peek_ref(|m| m.ngeom);
            let g = index(concat!(stringify!($name), ": geomid"), geomid, ngeom)?;
            let hit = run(py, m, d, |m, d| {
                let g = Some(g).filter(|g| m.geom_type.get(*g) == Some(&$kind));
                g.map(|g| engine::cast_ray_at(m, d, GeomId::new(g), ray))
            })?;
            answer(hit.ok_or_else(|| FatalError::new_err($wrong))?, normal)
        }
    )*};
}

one_geom! {
    /// Distance along a ray to a geom that is a mesh; -1 if it misses.
    mj_rayMesh: GeomType::Mesh, "mj_rayMesh: geom with mesh type expected";
    /// Distance along a ray to a geom that is a height field; -1 if it misses.
    mj_rayHfield: GeomType::Hfield, "mj_rayHfield: geom with hfield type expected";
}

/// The distance along a ray to those parts of a flex that the flags name, -1 if it misses.
#[pyfunction]
#[pyo3(signature = (
    m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid=None,
    normal=None
))]
#[allow(clippy::too_many_arguments)] // MuJoCo's
fn mj_rayFlex(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    flex_layer: i32,
    flg_vert: u8,
    flg_edge: u8,
    flg_face: u8,
    flg_skin: u8,
    flexid: i64,
    pnt: V3,
    vec: V3,
    vertid: Option<Ints<'_>>,
    normal: Option<Out<'_, 3>>,
) -> PyResult<f64> {
    let sized = vertid.as_ref().is_none_or(|v| v.len() == 1);
    require(sized, "vertid should be of size 1")?;

    // parts of the flex that the ray can hit
    let parts = FlexParts {
        vert: flg_vert != 0,
        edge: flg_edge != 0,
        face: flg_face != 0,
        skin: flg_skin != 0,
        layer: flex_layer,
    };
    let ray = Ray { origin: pnt.0, dir: vec.0 };
    let f = index("mj_rayFlex: flexid", flexid, m.get().cell.peek_ref(|m| m.nflex))?;
    let hit = run(m.py(), m, d, |m, d| engine::ray_flex(m, d, FlexId::new(f), ray, parts))?;

    // nearest vertex, distance and normal
    if let (Some(vertid), Some(hit)) = (vertid, hit) {
        put(&vertid, core::iter::once(Some(hit.vertex as i32)))?;
    }
    answer(hit.map(|hit| Hit { dist: hit.dist, normal: hit.normal }), normal)
}

/// The distance along a ray to a primitive shape, -1 if it misses.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal=None))]
fn mju_rayGeom(
    pos: V3,
    mat: M9,
    size: V3,
    pnt: V3,
    vec: V3,
    geomtype: i32,
    normal: Option<Out<'_, 3>>,
) -> PyResult<f64> {
    let Some(shape) = engine::ray::shape(GeomType(geomtype), size.0) else {
        let text = format!("mju_rayGeom: unexpected geom type {geomtype}");
        return Err(FatalError::new_err(text));
    };
    let ray = Ray { origin: pnt.0, dir: vec.0 };
    answer(ray.hit(shape, Pose { pos: pos.0, mat: mat.0 }), normal)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_ray, m)?)?;
    m.add_function(wrap_pyfunction!(mj_multiRay, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rayMesh, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rayHfield, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rayFlex, m)?)?;
    m.add_function(wrap_pyfunction!(mju_rayGeom, m)?)
}
