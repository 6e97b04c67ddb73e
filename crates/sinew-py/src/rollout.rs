//! Rollouts: many trajectories from many states, by threads that need no interpreter.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sinew_engine as engine;
use sinew_model::enums::StateBit;

use crate::args::{OutVector, Vector};
use crate::batch::Pool;
use crate::callback::{Callbacks, none_set};
use crate::data::{Data, fits};
use crate::failure::{Failure, exception, quiet};
use crate::model::Model;
use crate::plugin;

/// What to roll out, and from where.
struct Batch {
    models: Vec<Py<Model>>,
    nstep: usize,
    control_spec: i32,
    state0: Vec<f64>,
    warmstart0: Option<Vec<f64>>,
    control: Option<Vec<f64>>,
    /// Numbers of a state, of a control, of the sensors.
    nstate: usize,
    ncontrol: usize,
    nsensordata: usize,
}

/// The state that a trajectory begins with and returns.
const FULL: i32 = StateBit::Fullphysics.0;

/// Rolls out one trajectory per row of `state0`, on as many threads as there are states.
///
/// The arguments are those of MuJoCo's `Rollout.rollout`; arrays are flat, and results go to
/// `state` and `sensordata`.
#[pyfunction]
#[pyo3(signature = (models, datas, nstep, control_spec, state0, warmstart0, control, state,
                    sensordata, chunk_size, pool))]
#[allow(clippy::too_many_arguments)] // MuJoCo's function has them
fn rollout(
    py: Python<'_>,
    models: Vec<Py<Model>>,
    datas: Vec<Py<Data>>,
    nstep: i64,
    control_spec: i32,
    state0: Vector,
    warmstart0: Option<Vector>,
    control: Option<Vector>,
    state: Option<OutVector<'_>>,
    sensordata: Option<OutVector<'_>>,
    chunk_size: Option<usize>,
    pool: Bound<'_, Pool>,
) -> PyResult<()> {
    let Some(first) = models.first() else { return Ok(()) };
    let nstep = usize::try_from(nstep).unwrap_or(0);
    if nstep == 0 {
        return Ok(());
    }
    for m in &models {
        m.get().check(py)?;
    }

    // sizes, and arrays that have them
    let size = |sig| first.get().cell.peek_ref(|m| engine::state_size(m, sig));
    let bad = |e: engine::StateError| PyValueError::new_err(e.to_string());
    let (nstate, ncontrol) = (size(FULL).map_err(bad)?, size(control_spec).map_err(bad)?);
    let (nv, nsensordata) = first.get().cell.peek_ref(|m| (m.nv, m.nsensordata));
    let n = models.len();
    check("state0", Some(state0.0.len()), n * nstate)?;
    check("warmstart0", warmstart0.as_ref().map(|a| a.0.len()), n * nv)?;
    check("control", control.as_ref().map(|a| a.0.len()), n * nstep * ncontrol)?;
    check("state", state.as_ref().map(OutVector::len), n * nstep * nstate)?;
    check("sensordata", sensordata.as_ref().map(OutVector::len), n * nstep * nsensordata)?;

    // trajectories, in chunks that threads take as they come
    let batch = Batch {
        models,
        nstep,
        control_spec,
        state0: state0.0,
        warmstart0: warmstart0.map(|a| a.0),
        control: control.map(|a| a.0),
        nstate,
        ncontrol,
        nsensordata,
    };
    let chunk = chunk_size.unwrap_or(n / (10 * datas.len().max(1))).max(1);
    let mut states = vec![0.0; n * nstep * nstate];
    let mut sensors = vec![0.0; n * nstep * nsensordata];
    let pool = pool.get();
    py.detach(|| all(&batch, &datas, chunk, (&mut states, &mut sensors), pool))
        .map_err(exception)?;
    for d in &datas {
        d.get().count_call();
    }
    state.map_or(Ok(()), |out| out.set(&states))?;
    sensordata.map_or(Ok(()), |out| out.set(&sensors))
}

/// An error unless the array, if there is one, has this size.
fn check(name: &str, size: Option<usize>, wanted: usize) -> PyResult<()> {
    match size {
        Some(size) if size != wanted => {
            Err(PyValueError::new_err(format!("{name}.size should be {wanted}, got {size}")))
        }
        _ => Ok(()),
    }
}

/// Results of one trajectory.
struct Track<'a> {
    states: &'a mut [f64],
    sensors: &'a mut [f64],
}

/// Rolls out all trajectories.
fn all(
    batch: &Batch,
    datas: &[Py<Data>],
    chunk: usize,
    (states, sensors): (&mut [f64], &mut [f64]),
    pool: &Pool,
) -> Result<(), Failure> {
    // one piece of the results for each trajectory; a width of zero has no pieces
    let (rows, reads) = (batch.nstep * batch.nstate, batch.nstep * batch.nsensordata);
    let mut states = states.chunks_exact_mut(rows.max(1));
    let mut sensors = sensors.chunks_exact_mut(reads.max(1));
    let tracks = (0..batch.models.len()).map(|_| {
        let states = states.next().unwrap_or_default();
        Mutex::new(Some(Track { states, sensors: sensors.next().unwrap_or_default() }))
    });
    let tracks: Vec<_> = tracks.collect();

    // threads take the next chunk until there is none, or one has failed
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let work = |d: &Py<Data>| -> Result<(), Failure> {
        while !failed.load(Ordering::Relaxed) {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= tracks.len() {
                break;
            }
            for r in start..(start + chunk).min(tracks.len()) {
                let track = tracks[r].lock().ok().and_then(|mut t| t.take());
                let Some(track) = track else { continue };
                trajectory(batch, r, d, track)
                    .inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            }
        }
        Ok(())
    };
    match datas {
        [d] => work(d),
        _ => {
            let failure = Mutex::new(Ok(()));
            let each = |thread: usize| {
                let result = datas.get(thread).map_or(Ok(()), &work);
                if result.is_err() {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = result;
                }
            };
            let mut pool = pool.cell.write_detached()?;
            pool.run(datas.len(), each).map_err(|e| Failure::Panic(Box::new(e.to_string())))?;
            failure.into_inner().unwrap_or_else(PoisonError::into_inner)
        }
    }
}

/// Rolls out trajectory `r` on the state `d`.
fn trajectory(batch: &Batch, r: usize, d: &Py<Data>, track: Track<'_>) -> Result<(), Failure> {
    let m = &batch.models[r];
    let _plugins = plugin::enter(m, d);
    let model = m.get().cell.read_detached()?;
    let mut data = d.get().cell.step_detached()?;
    if !fits(&model, &data) {
        return Err(Failure::OtherModel);
    }
    let mut hooks = Callbacks::new(m, d);
    // to time the stages takes up to a sixth of a step: left out unless the user has set a clock
    let plain = none_set();
    quiet(|| {
        begin(batch, r, &model, &mut data);
        let nstate = batch.nstate;
        for t in 0..batch.nstep {
            // after a warning the trajectory stays where it is
            if data.warning.iter().all(|w| w.number == 0) {
                if let Some(control) = &batch.control {
                    let row = &control[(r * batch.nstep + t) * batch.ncontrol..][..batch.ncontrol];
                    engine::set_state(&model, &mut data, row, batch.control_spec).ok();
                }
                if plain {
                    engine::step(&model, &mut data);
                } else {
                    engine::step_with(&model, &mut data, &mut hooks);
                }
            }
            let state = &mut track.states[t * nstate..][..nstate];
            engine::get_state(&model, &data, state, FULL).ok();
            let n = batch.nsensordata;
            track.sensors[t * n..][..n].copy_from_slice(&data.sensordata);
        }
    })
    .map_err(Failure::Panic)
}

/// The state before the first step: inputs that are not controlled are the model's.
fn begin(batch: &Batch, r: usize, m: &sinew_model::Model, d: &mut sinew_model::Data) {
    let given = |bit: StateBit| batch.control_spec & bit.0 != 0;
    if !given(StateBit::Ctrl) {
        d.ctrl.fill(0.0);
    }
    if !given(StateBit::QfrcApplied) {
        d.qfrc_applied.fill(0.0);
    }
    if !given(StateBit::XfrcApplied) {
        d.xfrc_applied.flat_mut().fill(0.0);
    }
    for b in m.bodies() {
        let Some(mocap) = m.body_mocapid[b].get() else { continue };
        if !given(StateBit::MocapPos) {
            d.mocap_pos[mocap] = m.body_pos[b];
        }
        if !given(StateBit::MocapQuat) {
            d.mocap_quat[mocap] = m.body_quat[b];
        }
    }
    if !given(StateBit::EqActive) {
        d.eq_active.copy_from_slice(&m.eq_active0);
    }
    let state = &batch.state0[r * batch.nstate..][..batch.nstate];
    engine::set_state(m, d, state, FULL).ok();
    match &batch.warmstart0 {
        Some(start) => d.qacc_warmstart.copy_from_slice(&start[r * m.nv..][..m.nv]),
        None => d.qacc_warmstart.fill(0.0),
    }
    for warning in &mut d.warning {
        warning.number = 0;
    }
}

/// Adds the function to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(rollout, m)?)
}
