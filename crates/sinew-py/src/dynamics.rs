//! `mj_*` functions with array arguments: inertia, Jacobians, velocities of objects.

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine as engine;
use sinew_model::enums::{ObjType, SameFrame};
use sinew_model::{ActuatorId, BodyId, Contact, GeomId, SensorId, SiteId};

use crate::args::{In, Matrix, Out, OutMatrix, OutVector, Q4, V3, Vector, index, require};
use crate::call::{run, with_model};
use crate::data::Data;
use crate::failure::FatalError;
use crate::memory::{records_mut, zeroed};
use crate::model::Model;
use crate::records::Struct;

/// The dense inertia matrix of `M`, which is in the layout of `qM`.
#[pyfunction]
fn mj_fullM(m: &Bound<'_, Model>, dst: OutMatrix<'_>, M: Vector) -> PyResult<()> {
    let out = with_model(m, |m| {
        require(M.0.len() == m.nM, "M should be of size nM")?;
        require(dst.shape() == (m.nv, m.nv), "dst should be of shape (nv, nv)")?;
        let mut out = vec![0.0; m.nv * m.nv];
        engine::full_m(m, &mut out, &M.0);
        Ok::<_, PyErr>(out)
    })??;
    dst.set(&out)
}

/// Bias forces: `flg_acc` says whether with the forces of `qacc`.
#[pyfunction]
fn mj_rne(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    flg_acc: i32,
    result: OutVector<'_>,
) -> PyResult<()> {
    let nv = m.get().cell.peek_ref(|m| m.nv);
    require(result.len() == nv, "result should have length nv")?;
    let mut out = result.get();
    run(py, m, d, |m, d| engine::rne(m, d, flg_acc != 0, &mut out))?;
    result.set(&out)
}

/// Moves `qpos` at the velocity `qvel` for `dt`.
#[pyfunction]
fn mj_integratePos(
    m: &Bound<'_, Model>,
    qpos: OutVector<'_>,
    qvel: Vector,
    dt: f64,
) -> PyResult<()> {
    let mut out = qpos.get();
    with_model(m, |m| {
        require(out.len() == m.nq, "qpos should be of size nq")?;
        require(qvel.0.len() == m.nv, "qvel should be of size nv")?;
        engine::integrate_pos(m, &mut out, &qvel.0, dt);
        Ok::<_, PyErr>(())
    })??;
    qpos.set(&out)
}

/// The velocity that leads from `qpos1` to `qpos2` in the time `dt`.
#[pyfunction]
fn mj_differentiatePos(
    m: &Bound<'_, Model>,
    qvel: OutVector<'_>,
    dt: f64,
    qpos1: Vector,
    qpos2: Vector,
) -> PyResult<()> {
    let mut out = vec![0.0; qvel.len()];
    with_model(m, |m| {
        require(out.len() == m.nv, "qvel should be of size nv")?;
        require(qpos1.0.len() == m.nq, "qpos1 should be of size nq")?;
        require(qpos2.0.len() == m.nq, "qpos2 should be of size nq")?;
        engine::differentiate_pos(m, &mut out, dt, &qpos1.0, &qpos2.0);
        Ok::<_, PyErr>(())
    })??;
    qvel.set(&out)
}

/// Brings all quaternions of `qpos` to length 1.
#[pyfunction]
fn mj_normalizeQuat(m: &Bound<'_, Model>, qpos: OutVector<'_>) -> PyResult<()> {
    let mut out = qpos.get();
    with_model(m, |m| {
        require(out.len() == m.nq, "qpos should be of size nq")?;
        engine::normalize_quat(m, &mut out);
        Ok::<_, PyErr>(())
    })??;
    qpos.set(&out)
}

/// Declares products with the inertia matrix.
macro_rules! products {
    ($($(#[$doc:meta])* $name:ident: $product:path;)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            fn $name(
                py: Python<'_>,
                m: &Bound<'_, Model>,
                d: &Bound<'_, Data>,
                res: OutVector<'_>,
                vec: Vector,
            ) -> PyResult<()> {
                let nv = m.get().cell.peek_ref(|m| m.nv);
                require(res.len() == nv, "res should be of size nv")?;
                require(vec.0.len() == nv, "vec should be of size nv")?;
                let mut out = vec![0.0; nv];
                run(py, m, d, |m, d| $product(m, d, &mut out, &vec.0))?;
                res.set(&out)
            }
        )*
    };
}

products! {
    /// res = M vec.
    mj_mulM: engine::mul_m;
    /// res = L D^(1/2) vec, a root of the inertia matrix times a vector.
    mj_mulM2: engine::mul_m2;
}

/// Checks the shapes of a solve with one or several vectors, by rows.
fn check_solve(m: &Bound<'_, Model>, x: &OutMatrix<'_>, y: &Matrix) -> PyResult<usize> {
    let nv = m.get().cell.peek_ref(|m| m.nv);
    let text = "the first dimension of x and y should be of the same size";
    require(x.rows == y.rows, text)?;
    require(x.cols == nv, "the last dimension of x should be of size nv")?;
    require(y.cols == nv, "the last dimension of y should be of size nv")?;
    Ok(nv)
}

/// Solves M x = y.
#[pyfunction]
fn mj_solveM(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    x: OutMatrix<'_>,
    y: Matrix,
) -> PyResult<()> {
    check_solve(m, &x, &y)?;
    let mut out = vec![0.0; y.data.len()];
    run(py, m, d, |m, d| engine::solve_m(m, d, &mut out, &y.data))?;
    x.set(&out)
}

/// Half of a solve with the inertia matrix: x = D^(-1/2) L'^-1 y.
#[pyfunction]
fn mj_solveM2(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    x: OutMatrix<'_>,
    y: Matrix,
    sqrtInvD: Vector,
) -> PyResult<()> {
    let nv = check_solve(m, &x, &y)?;
    require(sqrtInvD.0.len() == nv, "the size of sqrtInvD should be nv")?;
    let mut out = vec![0.0; y.data.len()];
    run(py, m, d, |m, d| engine::solve_m2(m, d, &mut out, &y.data, &sqrtInvD.0))?;
    x.set(&out)
}

/// Computes one or both Jacobians of a pair and writes them back.
fn jacobians(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    [jacp, jacr]: [Option<OutMatrix<'_>>; 2],
    f: impl FnOnce(&sinew_model::Model, &sinew_model::Data, Option<&mut [f64]>, Option<&mut [f64]>)
    + Send,
) -> PyResult<()> {
    let nv = m.get().cell.peek_ref(|m| m.nv);
    let fits = |jac: &Option<OutMatrix<'_>>| jac.as_ref().is_none_or(|j| j.shape() == (3, nv));
    require(fits(&jacp), "jacp should be of shape (3, nv)")?;
    require(fits(&jacr), "jacr should be of shape (3, nv)")?;
    let mut pos = jacp.as_ref().map(|_| vec![0.0; 3 * nv]);
    let mut rot = jacr.as_ref().map(|_| vec![0.0; 3 * nv]);
    run(py, m, d, |m, d| f(m, d, pos.as_deref_mut(), rot.as_deref_mut()))?;
    for (jac, numbers) in [(jacp, pos), (jacr, rot)] {
        if let (Some(jac), Some(numbers)) = (jac, numbers) {
            jac.set(&numbers)?;
        }
    }
    Ok(())
}

/// Jacobians of a point that moves with a body: of its velocity and of the angular velocity.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn mj_jac(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    jacr: Option<OutMatrix<'_>>,
    point: V3,
    body: i64,
) -> PyResult<()> {
    let body = index("mj_jac: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    jacobians(py, m, d, [jacp, jacr], |m, d, p, r| {
        engine::jac(m, d, p, r, point.0, BodyId::new(body));
    })
}

/// Rates of change of the Jacobians that `mj_jac` gives.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, point, body))]
fn mj_jacDot(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    jacr: Option<OutMatrix<'_>>,
    point: V3,
    body: i64,
) -> PyResult<()> {
    let body = index("mj_jacDot: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    jacobians(py, m, d, [jacp, jacr], |m, d, p, r| {
        engine::jac_dot(m, d, p, r, point.0, BodyId::new(body));
    })
}

/// Jacobians of a body's frame.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, body))]
fn mj_jacBody(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    jacr: Option<OutMatrix<'_>>,
    body: i64,
) -> PyResult<()> {
    let body = index("mj_jacBody: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    jacobians(py, m, d, [jacp, jacr], |m, d, p, r| {
        engine::jac_body(m, d, p, r, BodyId::new(body));
    })
}

/// Jacobians of a body's centre of mass.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, body))]
fn mj_jacBodyCom(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    jacr: Option<OutMatrix<'_>>,
    body: i64,
) -> PyResult<()> {
    let body = index("mj_jacBodyCom: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    jacobians(py, m, d, [jacp, jacr], |m, d, p, r| {
        engine::jac_body_com(m, d, p, r, BodyId::new(body));
    })
}

/// Jacobians of a geom's centre.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, geom))]
fn mj_jacGeom(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    jacr: Option<OutMatrix<'_>>,
    geom: i64,
) -> PyResult<()> {
    let geom = index("mj_jacGeom: geom", geom, m.get().cell.peek_ref(|m| m.ngeom))?;
    jacobians(py, m, d, [jacp, jacr], |m, d, p, r| {
        engine::jac_geom(m, d, p, r, GeomId::new(geom));
    })
}

/// Jacobians of a site.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, jacr, site))]
fn mj_jacSite(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    jacr: Option<OutMatrix<'_>>,
    site: i64,
) -> PyResult<()> {
    let site = index("mj_jacSite: site", site, m.get().cell.peek_ref(|m| m.nsite))?;
    jacobians(py, m, d, [jacp, jacr], |m, d, p, r| {
        engine::jac_site(m, d, p, r, SiteId::new(site));
    })
}

/// Jacobian of the centre of mass of a subtree.
#[pyfunction]
#[pyo3(signature = (m, d, jacp, body))]
fn mj_jacSubtreeCom(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacp: Option<OutMatrix<'_>>,
    body: i64,
) -> PyResult<()> {
    let body = index("mj_jacSubtreeCom: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    jacobians(py, m, d, [jacp, None], |m, d, p, _| {
        if let Some(p) = p {
            engine::jac_subtree_com(m, d, p, BodyId::new(body));
        }
    })
}

/// Jacobians of a point and of an axis that move with a body.
#[pyfunction]
#[pyo3(signature = (m, d, jacPoint, jacAxis, point, axis, body))]
fn mj_jacPointAxis(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    jacPoint: Option<OutMatrix<'_>>,
    jacAxis: Option<OutMatrix<'_>>,
    point: V3,
    axis: V3,
    body: i64,
) -> PyResult<()> {
    let body = index("mj_jacPointAxis: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    jacobians(m.py(), m, d, [jacPoint, jacAxis], |m, d, p, a| {
        engine::jac_point_axis(m, d, p, a, point.0, axis.0, BodyId::new(body));
    })
}

/// Adds to `qfrc_target` the generalised force of a force and torque at a point.
#[pyfunction]
fn mj_applyFT(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    force: V3,
    torque: V3,
    point: V3,
    body: i64,
    qfrc_target: OutVector<'_>,
) -> PyResult<()> {
    let body = index("mj_applyFT: body", body, m.get().cell.peek_ref(|m| m.nbody))?;
    let nv = m.get().cell.peek_ref(|m| m.nv);
    require(qfrc_target.len() == nv, "qfrc_target should be of size nv")?;
    let mut out = qfrc_target.get();
    run(m.py(), m, d, |m, d| {
        engine::apply_ft(m, d, force.0, torque.0, point.0, BodyId::new(body), &mut out);
    })?;
    qfrc_target.set(&out)
}

/// Number of objects of a kind that has frames.
fn frames(m: &sinew_model::Model, kind: ObjType) -> Option<usize> {
    match kind {
        ObjType::Body | ObjType::Xbody => Some(m.nbody),
        ObjType::Geom => Some(m.ngeom),
        ObjType::Site => Some(m.nsite),
        ObjType::Camera => Some(m.ncam),
        _ => None,
    }
}

/// Declares velocities of objects.
macro_rules! motions {
    ($($(#[$doc:meta])* $name:ident: $motion:path;)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
                        fn $name(
                m: &Bound<'_, Model>,
                d: &Bound<'_, Data>,
                objtype: i32,
                objid: i64,
                res: Out<'_, 6>,
                flg_local: i32,
            ) -> PyResult<()> {
                let (kind, local) = (ObjType(objtype), flg_local != 0);
                let objid = match m.get().cell.peek_ref(|m| frames(m, kind)) {
                    Some(count) => index(concat!(stringify!($name), ": objid"), objid, count)?,
                    None => 0,
                };
                let motion = run(m.py(), m, d, |m, d| $motion(m, d, kind, objid, local))?;
                let text = concat!(stringify!($name), ": invalid object type");
                res.set(motion.ok_or_else(|| FatalError::new_err(text))?.to_array())
            }
        )*
    };
}

motions! {
    /// Velocity of an object about its centre: rotation, then translation; in its own frame with
    /// `flg_local`.
    mj_objectVelocity: engine::object_velocity;
    /// Acceleration of an object about its centre: rotation, then translation; in its own frame
    /// with `flg_local`.
    mj_objectAcceleration: engine::object_acceleration;
}

/// A frame given relative to a body, in the world.
#[pyfunction]
fn mj_local2Global(
    d: &Bound<'_, Data>,
    xpos: Out<'_, 3>,
    xmat: Out<'_, 9>,
    pos: V3,
    quat: Q4,
    body: i64,
    sameframe: u8,
) -> PyResult<()> {
    let (p, r) = {
        let d = d.get().cell.read(d.py())?;
        let body = index("mj_local2Global: body", body, d.xpos.len())?;
        engine::local_2_global(&d, pos.0, quat.0, BodyId::new(body), SameFrame(sameframe))
    };
    xpos.set(p)?;
    xmat.set(r.to_array())
}

/// The control of an actuator, its delay before `time`.
#[pyfunction]
fn mj_readCtrl(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    id: i64,
    time: f64,
    interp: i32,
) -> PyResult<f64> {
    let id = index("mj_readCtrl: id", id, m.get().cell.peek_ref(|m| m.nu))?;
    run(py, m, d, |m, d| engine::read_ctrl(m, d, ActuatorId::new(id), time, interp))
}

/// The values of a sensor as they were its delay before `time`, in `result` and returned.
#[pyfunction]
fn mj_readSensor<'py>(
    py: Python<'py>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    id: i64,
    time: f64,
    result: OutVector<'_>,
    interp: i32,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let id = index("mj_readSensor: id", id, m.get().cell.peek_ref(|m| m.nsensor))?;
    let mut out = vec![0.0; result.len()];
    run(py, m, d, |m, d| {
        let fits = m.sensor_dim[id] as usize == out.len();
        require(fits, "result should have length sensor_dim[id]")?;
        engine::read_sensor(m, d, SensorId::new(id), time, interp, &mut out);
        Ok::<_, PyErr>(())
    })??;
    result.set(&out)?;
    Ok(PyArray1::from_vec(py, out))
}

/// Force and torque of a contact, in its own frame; zero if there is no such contact.
#[pyfunction]
fn mj_contactForce(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    id: i64,
    result: Out<'_, 6>,
) -> PyResult<()> {
    let contact = usize::try_from(id).unwrap_or(usize::MAX);
    let got = run(py, m, d, |m, d| engine::contact_force(m, d, contact))?;
    let ([fx, fy, fz], [tx, ty, tz]) = (got.force.to_array(), got.torque.to_array());
    result.set([fx, fy, fz, tx, ty, tz])
}

/// Appends a contact to the state; returns 1 if the capacity is too small, else 0. Constraint rows
/// are removed.
#[pyfunction]
fn mj_addContact(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    con: &Bound<'_, PyAny>,
) -> PyResult<i32> {
    let bytes = match con.cast::<Struct>() {
        Ok(_) if con.get_type().name()? == "MjContact" => con.call_method0("_bytes")?,
        _ => return Err(PyTypeError::new_err("mj_addContact: con should be an MjContact")),
    };
    let mut contact = [zeroed::<Contact>()];
    records_mut(&mut contact).copy_from_slice(bytes.cast::<PyBytes>()?.as_bytes());
    let [contact] = contact;
    run(m.py(), m, d, |_, d| i32::from(!engine::add_contact(d, contact)))
}

/// The parameters of a muscle, padded to an actuator's number.
fn muscle(prm: In<9>) -> [f64; 10] {
    core::array::from_fn(|i| prm.0.get(i).copied().unwrap_or(0.0))
}

/// Gain of a muscle at a length and a velocity.
#[pyfunction]
fn mju_muscleGain(len: f64, vel: f64, lengthrange: In<2>, acc0: f64, prm: In<9>) -> f64 {
    engine::muscle_gain(len, vel, lengthrange.0, acc0, &muscle(prm))
}

/// Passive force of a muscle at a length.
#[pyfunction]
fn mju_muscleBias(len: f64, lengthrange: In<2>, acc0: f64, prm: In<9>) -> f64 {
    engine::muscle_bias(len, lengthrange.0, acc0, &muscle(prm))
}

/// Rate of change of a muscle's activation.
#[pyfunction]
fn mju_muscleDynamics(ctrl: f64, act: f64, prm: In<3>) -> f64 {
    engine::muscle_dynamics(ctrl, act, prm.0)
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_fullM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_rne, m)?)?;
    m.add_function(wrap_pyfunction!(mj_integratePos, m)?)?;
    m.add_function(wrap_pyfunction!(mj_differentiatePos, m)?)?;
    m.add_function(wrap_pyfunction!(mj_normalizeQuat, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_mulM2, m)?)?;
    m.add_function(wrap_pyfunction!(mj_solveM, m)?)?;
    m.add_function(wrap_pyfunction!(mj_solveM2, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jac, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacDot, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacBody, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacBodyCom, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacGeom, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacSite, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacSubtreeCom, m)?)?;
    m.add_function(wrap_pyfunction!(mj_jacPointAxis, m)?)?;
    m.add_function(wrap_pyfunction!(mj_applyFT, m)?)?;
    m.add_function(wrap_pyfunction!(mj_objectVelocity, m)?)?;
    m.add_function(wrap_pyfunction!(mj_objectAcceleration, m)?)?;
    m.add_function(wrap_pyfunction!(mj_local2Global, m)?)?;
    m.add_function(wrap_pyfunction!(mj_readCtrl, m)?)?;
    m.add_function(wrap_pyfunction!(mj_readSensor, m)?)?;
    m.add_function(wrap_pyfunction!(mj_contactForce, m)?)?;
    m.add_function(wrap_pyfunction!(mj_addContact, m)?)?;
    m.add_function(wrap_pyfunction!(mju_muscleGain, m)?)?;
    m.add_function(wrap_pyfunction!(mju_muscleBias, m)?)?;
    m.add_function(wrap_pyfunction!(mju_muscleDynamics, m)?)
}
