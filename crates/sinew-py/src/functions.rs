//! `mj_*` functions: stages of the pipeline, state, names.

use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_engine::InverseError;
use sinew_model::enums::{
    ConeType, EnableBit, EqType, Integrator, JacobianType, ObjType, SolverType, Stage,
};
use sinew_model::state::load_keyframe;

use crate::args::{OutVector, Text, Vector, require};
use crate::call::{run, run_mut, run_with, with_model};
use crate::data::{Data, fits, require_resettable, sleep_error, whole};
use crate::failure::FatalError;
use crate::inverse::inverse_error;
use crate::memory::overwrite;
use crate::model::Model;

/// Declares functions that are a stage of the pipeline.
macro_rules! stages {
    ($($(#[$doc:meta])* $name:ident: $stage:path;)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            fn $name(py: Python<'_>, m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
                run(py, m, d, $stage)
            }
        )*

        fn register_stages(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(m.add_function(wrap_pyfunction!($name, m)?)?;)*
            Ok(())
        }
    };
}

stages! {
    /// Computes all positions that follow from `qpos`: kinematics, tendons, flexes, cameras and
    /// lights.
    mj_fwdKinematics: engine::fwd_kinematics;
    /// Adds all forces except the constraints', and computes their acceleration.
    mj_fwdAcceleration: engine::fwd_acceleration;
    /// Computes constraint forces, and the acceleration including them.
    mj_fwdConstraint: engine::fwd_constraint;
    /// Computes the constraint forces that belong to `qacc`.
    mj_invConstraint: engine::inv_constraint;
    /// Steps by the semi-implicit Euler integrator.
    mj_Euler: engine::euler;
    /// Steps by an integrator that is implicit in velocity.
    mj_implicit: engine::implicit;
    /// Resets the state if `qpos` has NaN or huge values.
    mj_checkPos: engine::check_pos;
    /// Resets the state if `qvel` has NaN or huge values.
    mj_checkVel: engine::check_vel;
    /// Resets the state if `qacc` has NaN or huge values.
    mj_checkAcc: engine::check_acc;
    /// Computes positions and orientations of bodies, geoms, sites and joints.
    mj_kinematics: engine::kinematics;
    /// Computes centres of mass of subtrees, and inertias and motion axes about them.
    mj_comPos: engine::com_pos;
    /// Computes positions and orientations of cameras and lights.
    mj_camlight: engine::camlight;
    /// Computes vertices, edges and strains of flexible objects.
    mj_flex: engine::flex;
    /// Computes lengths and moment arms of tendons.
    mj_tendon: engine::tendon;
    /// Computes composite inertias of bodies and the inertia matrix.
    mj_crb: engine::crb;
    /// Computes the inertia matrix, including the armature of tendons.
    mj_makeM: engine::make_m;
    /// Factors the inertia matrix as L' D L.
    mj_factorM: engine::factor_m;
    /// Makes the rows of all active constraints.
    mj_makeConstraint: engine::make_constraint;
    /// Computes the inverse inertia in constraint space.
    mj_projectConstraint: engine::project_constraint;
    /// Computes velocities and reference accelerations of constraint rows.
    mj_referenceConstraint: engine::reference_constraint;
    /// Finds constraint islands: groups of trees that constraints connect.
    mj_island: engine::island;
    /// Computes lengths and moments of actuators.
    mj_transmission: engine::transmission;
    /// Computes velocities of bodies, and rates of change of motion axes.
    mj_comVel: engine::com_vel;
    /// Computes linear velocity and angular momentum of subtrees.
    mj_subtreeVel: engine::subtree_vel;
    /// Computes accelerations and forces of bodies under all forces.
    mj_rnePostConstraint: engine::rne_post_constraint;
    /// Computes potential energy.
    mj_energyPos: engine::energy_pos;
    /// Computes kinetic energy.
    mj_energyVel: engine::energy_vel;
}

/// Declares stages that call the user's callbacks, optionally after a check.
macro_rules! hooked_stages {
    ($($(#[$doc:meta])* $name:ident: $stage:path $(, $check:path)?;)*) => {
        $(
            $(#[$doc])*
            #[pyfunction]
            fn $name(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
                $($check(m, d)?;)?
                run_with(m, d, |m, d, hooks| $stage(m, d, hooks))
            }
        )*

        fn register_hooked_stages(m: &Bound<'_, PyModule>) -> PyResult<()> {
            $(m.add_function(wrap_pyfunction!($name, m)?)?;)*
            Ok(())
        }
    };
}

hooked_stages! {
    /// Computes all quantities that follow from the state, up to the acceleration.
    mj_forward: engine::forward_with, refuse_sleep;
    /// First half of a step: all quantities that do not depend on controls.
    mj_step1: engine::step1_with, refuse_sleep;
    /// Computes all quantities that depend on positions only.
    mj_fwdPosition: engine::fwd_position_with, refuse_sleep;
    /// Finds contacts.
    mj_collision: engine::collision_with;
    /// Computes the quantities of inverse dynamics that depend on positions only.
    mj_invPosition: engine::inv_position_with;
    /// Computes all quantities that depend on positions and velocities.
    mj_fwdVelocity: engine::fwd_velocity_with;
    /// Computes forces of actuators and derivatives of their activations.
    mj_fwdActuation: engine::fwd_actuation_with;
    /// Computes the quantities of inverse dynamics that depend on velocities.
    mj_invVelocity: engine::fwd_velocity_with;
    /// Computes forces of springs, dampers, gravity compensation and fluids.
    mj_passive: engine::passive_with;
    /// Computes position sensors.
    mj_sensorPos: engine::sensor_pos_with;
    /// Computes velocity sensors.
    mj_sensorVel: engine::sensor_vel_with;
    /// Computes acceleration and force sensors.
    mj_sensorAcc: engine::sensor_acc_with;
}

/// Second half of a step: all quantities that depend on controls, and the integration.
#[pyfunction]
fn mj_step2(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    if compares_in_vain(m) {
        refuse_rows(d)?;
    }
    run_with(m, d, |m, d, hooks| engine::step2_with(m, d, hooks))
}

/// MuJoCo's error for a model that may sleep and has an equality that sleep does not support.
pub(crate) fn refuse_sleep(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    let refused = m.get().cell.peek_ref(|m| {
        let e = d.get().cell.peek_ref(|d| {
            let may_sleep = m.opt.enabled(EnableBit::Sleep) && d.eq_active.len() == m.neq;
            may_sleep.then(|| engine::refuses_sleep(m, d)).flatten()
        });
        e.map(|e| if m.eq_type[e] == EqType::Tendon { "tendon" } else { "flex" })
    });
    match refused {
        None => Ok(()),
        Some(kind) => {
            let text = format!("mj_wakeEquality: {kind} equality does not yet support sleeping");
            Err(FatalError::new_err(text))
        }
    }
}

/// Whether every step would be compared with an inverse that does not exist. The engine skips this
/// comparison; MuJoCo stops with an error if there are constraint rows.
pub(crate) fn compares_in_vain(m: &Bound<'_, Model>) -> bool {
    m.get().cell.peek_ref(|m| {
        m.opt.integrator == Integrator::Rk4
            && m.opt.enabled(EnableBit::Fwdinv)
            && m.opt.enabled(EnableBit::Invdiscrete)
    })
}

pub(crate) fn refuse_rows(d: &Bound<'_, Data>) -> PyResult<()> {
    match d.get().cell.peek_ref(|d| d.nefc) {
        0 => Ok(()),
        _ => Err(inverse_error(InverseError::DiscreteRungeKutta)),
    }
}

/// Computes `mj_forward` without the stages up to `skipstage`, and without sensors if `skipsensor`.
#[pyfunction]
fn mj_forwardSkip(
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    if Stage(skipstage) < Stage::Pos {
        refuse_sleep(m, d)?;
    }
    run_with(m, d, |m, d, hooks| {
        engine::forward_skip_with(m, d, Stage(skipstage), skipsensor != 0, hooks)
    })
}

/// Steps by the Runge-Kutta integrator of order N; 4 is supported.
#[pyfunction]
fn mj_RungeKutta(m: &Bound<'_, Model>, d: &Bound<'_, Data>, N: i32) -> PyResult<()> {
    if N != 4 {
        return Err(FatalError::new_err("mj_RungeKutta: only the order 4 is supported"));
    }
    run_with(m, d, |m, d, hooks| engine::runge_kutta_with(m, d, hooks))
}

/// Computes the constants of the model from its parameters, at `qpos0`.
#[pyfunction]
fn mj_setConst(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    run_mut(m, d, |m, d, _| engine::set_const(m, d))?
        .map_err(|e| FatalError::new_err(e.to_string()))
}

/// Scales masses and inertias to a total mass.
#[pyfunction]
fn mj_setTotalmass(m: &Bound<'_, Model>, newmass: f64) -> PyResult<()> {
    let mut new = m.get().cell.read(m.py())?.clone();
    engine::set_totalmass(&mut new, newmass);
    overwrite(&m.get().cell, &new);
    Ok(())
}

/// The error of a function for invalid state components.
fn state_error(function: &'static str) -> impl Fn(engine::StateError) -> PyErr {
    move |error| {
        let reason = match error {
            engine::StateError::Signature(sig) if sig > 0 => " >= 2^mjNSTATE",
            engine::StateError::Signature(_) => " < 0",
            _ => "",
        };
        FatalError::new_err(format!("{function}: {error}{reason}"))
    }
}

/// Resets the state to the initial configuration.
#[pyfunction]
fn mj_resetData(m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
    reset(m, d, 0)
}

/// Resets the state, and sets the bytes of computed quantities to `value`.
pub(crate) fn reset(m: &Bound<'_, Model>, d: &Bound<'_, Data>, value: u8) -> PyResult<()> {
    with_model(m, require_resettable)??;
    run_with(m, d, |m, d, hooks| engine::reset_data_with(m, d, value, hooks))?.map_err(sleep_error)
}

/// Resets the state to a keyframe.
#[pyfunction]
fn mj_resetDataKeyframe(m: &Bound<'_, Model>, d: &Bound<'_, Data>, key: i64) -> PyResult<()> {
    // an invalid index resets to the initial configuration
    let key = usize::try_from(key).unwrap_or(usize::MAX);
    reset(m, d, 0)?;
    run(m.py(), m, d, |m, d| load_keyframe(m, d, key))
}

/// Copies the state to a keyframe of the model.
#[pyfunction]
fn mj_setKeyframe(m: &Bound<'_, Model>, d: &Bound<'_, Data>, k: i64) -> PyResult<()> {
    let Ok(key) = usize::try_from(k) else {
        return Err(FatalError::new_err("mj_setKeyframe: key index cannot be negative"));
    };
    run_mut(m, d, |m, d, _| {
        engine::set_keyframe(m, d, key).map_err(|_| {
            format!(
                "mj_setKeyframe: index must be smaller than {} (keyframes allocated in model)",
                m.nkey
            )
        })
    })?
    .map_err(FatalError::new_err)
}

/// Copies the whole state of `src`.
#[pyfunction]
fn mj_copyData(
    dest: &Bound<'_, Data>,
    m: &Bound<'_, Model>,
    src: &Bound<'_, Data>,
) -> PyResult<()> {
    if dest.is(src) {
        return Ok(());
    }
    let py = m.py();
    let m = m.get().cell.read(py)?;
    let copy = {
        let mut src = src.get().cell.write(py)?;
        require(fits(&m, &src), "the data was made for another model")?;
        whole(&m, &mut src).clone()
    };
    let mut dest = dest.get().cell.write(py)?;
    require(fits(&m, &dest), "the data was made for another model")?;
    dest.copy_from(&copy);
    Ok(())
}

/// Copies the state components in `sig`, bits of `mjtState`.
#[pyfunction]
fn mj_copyState(
    m: &Bound<'_, Model>,
    src: &Bound<'_, Data>,
    dst: &Bound<'_, Data>,
    sig: i32,
) -> PyResult<()> {
    if src.is(dst) {
        return Ok(());
    }
    let py = m.py();
    let m = m.get().cell.read(py)?;
    let copy = src.get().cell.read(py)?.clone();
    let mut dst = dst.get().cell.write(py)?;
    require(fits(&m, &copy) && fits(&m, &dst), "the data was made for another model")?;
    engine::copy_state(&m, &copy, &mut dst, sig).map_err(state_error("mj_copyState"))
}

/// Number of values of the state components in `sig`, bits of `mjtState`.
#[pyfunction]
fn mj_stateSize(m: &Bound<'_, Model>, sig: i32) -> PyResult<usize> {
    with_model(m, |m| engine::state_size(m, sig))?.map_err(state_error("mj_stateSize"))
}

/// Copies the state components in `sig` to an array.
#[pyfunction]
fn mj_getState(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    state: OutVector<'_>,
    sig: i32,
) -> PyResult<()> {
    let size = mj_stateSize(m, sig)?;
    require(state.len() == size, "state size should equal mj_stateSize(m, sig)")?;
    let mut numbers = vec![0.0; size];
    run(py, m, d, |m, d| engine::get_state(m, d, &mut numbers, sig))?
        .map_err(state_error("mj_getState"))?;
    state.set(&numbers)
}

/// Sets the state components in `sig` from an array.
#[pyfunction]
fn mj_setState(
    py: Python<'_>,
    m: &Bound<'_, Model>,
    d: &Bound<'_, Data>,
    state: Vector,
    sig: i32,
) -> PyResult<()> {
    let size = mj_stateSize(m, sig)?;
    require(state.0.len() == size, "state size should equal mj_stateSize(m, sig)")?;
    run(py, m, d, |m, d| engine::set_state(m, d, &state.0, sig))?
        .map_err(state_error("mj_setState"))
}

/// Extracts the components in `dstsig` from an array with the components in `srcsig`.
#[pyfunction]
fn mj_extractState(
    m: &Bound<'_, Model>,
    src: Vector,
    srcsig: i32,
    dst: OutVector<'_>,
    dstsig: i32,
) -> PyResult<()> {
    let (from, to) = (mj_stateSize(m, srcsig)?, mj_stateSize(m, dstsig)?);
    require(src.0.len() == from, "src size should equal mj_stateSize(m, srcsig)")?;
    require(dst.len() == to, "dst size should equal mj_stateSize(m, dstsig)")?;
    let mut out = vec![0.0; to];
    with_model(m, |m| engine::extract_state(m, &src.0, srcsig, &mut out, dstsig))?
        .map_err(state_error("mj_extractState"))?;
    dst.set(&out)
}

/// The name of an object, or None.
#[pyfunction]
fn mj_id2name(m: &Bound<'_, Model>, r#type: i32, id: i64) -> PyResult<Option<String>> {
    let Ok(id) = usize::try_from(id) else { return Ok(None) };
    with_model(m, |m| {
        m.id2name(ObjType(r#type), id).filter(|name| !name.is_empty()).map(str::to_owned)
    })
}

/// The id of the object with this name, or -1.
#[pyfunction]
fn mj_name2id(m: &Bound<'_, Model>, r#type: i32, name: Text) -> PyResult<i64> {
    let name = &name.0;
    with_model(m, |m| m.name2id(ObjType(r#type), name).map_or(-1, |id| id as i64))
}

/// Whether the friction cone is a pyramid.
#[pyfunction]
fn mj_isPyramidal(m: &Bound<'_, Model>) -> PyResult<i32> {
    with_model(m, |m| i32::from(m.cone() == ConeType::Pyramidal))
}

/// Whether the constraint Jacobian is sparse.
#[pyfunction]
fn mj_isSparse(m: &Bound<'_, Model>) -> PyResult<i32> {
    with_model(m, |m| {
        let sparse = match m.opt.jacobian {
            JacobianType::Sparse => true,
            JacobianType::Auto => m.nv >= 60,
            _ => false,
        };
        i32::from(sparse)
    })
}

/// Whether the solver works in constraint space.
#[pyfunction]
fn mj_isDual(m: &Bound<'_, Model>) -> PyResult<i32> {
    with_model(m, |m| i32::from(m.opt.solver == SolverType::Pgs || m.opt.noslip_iterations > 0))
}

/// The sum of all masses.
#[pyfunction]
fn mj_getTotalmass(m: &Bound<'_, Model>) -> PyResult<f64> {
    with_model(m, engine::get_totalmass)
}

/// The MuJoCo version that Sinew implements.
#[pyfunction]
fn mj_version() -> i32 {
    3_005_000
}

/// The MuJoCo version that Sinew implements, as text.
#[pyfunction]
fn mj_versionString() -> &'static str {
    "3.5.0"
}

/// Adds the functions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(m)?;
    register_hooked_stages(m)?;
    m.add_function(wrap_pyfunction!(mj_step2, m)?)?;
    m.add_function(wrap_pyfunction!(mj_forwardSkip, m)?)?;
    m.add_function(wrap_pyfunction!(mj_RungeKutta, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setConst, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setTotalmass, m)?)?;
    m.add_function(wrap_pyfunction!(mj_resetData, m)?)?;
    m.add_function(wrap_pyfunction!(mj_resetDataKeyframe, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setKeyframe, m)?)?;
    m.add_function(wrap_pyfunction!(mj_copyData, m)?)?;
    m.add_function(wrap_pyfunction!(mj_copyState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_stateSize, m)?)?;
    m.add_function(wrap_pyfunction!(mj_getState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_extractState, m)?)?;
    m.add_function(wrap_pyfunction!(mj_id2name, m)?)?;
    m.add_function(wrap_pyfunction!(mj_name2id, m)?)?;
    m.add_function(wrap_pyfunction!(mj_isPyramidal, m)?)?;
    m.add_function(wrap_pyfunction!(mj_isSparse, m)?)?;
    m.add_function(wrap_pyfunction!(mj_isDual, m)?)?;
    m.add_function(wrap_pyfunction!(mj_getTotalmass, m)?)?;
    m.add_function(wrap_pyfunction!(mj_version, m)?)?;
    m.add_function(wrap_pyfunction!(mj_versionString, m)?)
}
