//! Rollouts: trajectories from many states, by threads without the interpreter.

use std::ops::Range;
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

/// Models, states and inputs of a rollout.
struct Batch {
    models: Vec<Py<Model>>,
    nstep: usize,
    control_spec: i32,
    state0: Vec<f64>,
    warmstart0: Option<Vec<f64>>,
    control: Option<Vec<f64>>,
    /// Sizes of a state, of a control, and of the sensor data.
    nstate: usize,
    ncontrol: usize,
    nsensordata: usize,
}

/// State components at the start and in the result of a trajectory.
const FULL: i32 = StateBit::Fullphysics.0;

/// Computes one trajectory per row of `state0`, on a thread for each `MjData`.
///
/// The arguments are those of MuJoCo's `Rollout.rollout`. Arrays are flat, and results are written
/// to `state` and `sensordata`.
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

    // sizes, and arrays of these sizes
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

    // trajectories, in chunks that threads take in turn
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
    let chunk = chunk_size.unwrap_or_else(|| default_chunk(n, datas.len())).max(1);
    let mut states = vec![0.0; n * nstep * nstate];
    let mut sensors = vec![0.0; n * nstep * nsensordata];
    let pool = pool.get();
    py.detach(|| {
        all(&batch, &datas, chunk, Track { states: &mut states, sensors: &mut sensors }, pool)
    })
    .map_err(exception)?;
    for d in &datas {
        d.get().count_call();
    }
    state.map_or(Ok(()), |out| out.set(&states))?;
    sensordata.map_or(Ok(()), |out| out.set(&sensors))
}

/// Trajectories per chunk: MuJoCo's number, or a multiple of four if every thread has four.
fn default_chunk(trajectories: usize, threads: usize) -> usize {
    let even = (trajectories / (10 * threads.max(1))).max(1);
    if trajectories < 4 * threads { even } else { even.next_multiple_of(4) }
}

/// Returns an error unless the array, if given, has this size.
fn check(name: &str, size: Option<usize>, wanted: usize) -> PyResult<()> {
    match size {
        Some(size) if size != wanted => {
            Err(PyValueError::new_err(format!("{name}.size should be {wanted}, got {size}")))
        }
        _ => Ok(()),
    }
}

/// Results of one trajectory, or of consecutive ones.
#[derive(Default)]
struct Track<'a> {
    states: &'a mut [f64],
    sensors: &'a mut [f64],
}

/// Computes all trajectories.
fn all(
    batch: &Batch,
    datas: &[Py<Data>],
    chunk: usize,
    results: Track<'_>,
    pool: &Pool,
) -> Result<(), Failure> {
    // a piece of the results for each trajectory; a width of zero has no pieces
    let (rows, reads) = (batch.nstep * batch.nstate, batch.nstep * batch.nsensordata);
    let mut states = results.states.chunks_exact_mut(rows.max(1));
    let mut sensors = results.sensors.chunks_exact_mut(reads.max(1));
    let tracks = (0..batch.models.len()).map(|_| {
        let states = states.next().unwrap_or_default();
        Mutex::new(Some(Track { states, sensors: sensors.next().unwrap_or_default() }))
    });
    let tracks: Vec<_> = tracks.collect();

    // threads take the next chunk until none is left or one has failed
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let work = |d: &Py<Data>| -> Result<(), Failure> {
        let mut others = None;
        while !failed.load(Ordering::Relaxed) {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= tracks.len() {
                break;
            }
            let end = (start + chunk).min(tracks.len());
            let mut r = start;
            while r < end {
                let take = |r: usize| tracks[r].lock().ok().and_then(|mut t| t.take());
                let done = if four_at_once(batch, r..end) {
                    let four = core::array::from_fn(|k| take(r + k).unwrap_or_default());
                    r += 4;
                    four_trajectories(batch, r - 4, d, four, &mut others)
                } else {
                    r += 1;
                    trajectory(batch, r - 1, d, take(r - 1).unwrap_or_default())
                };
                done.inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
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

/// Whether the first four trajectories can be stepped together: one model, and no user functions
/// between stages.
fn four_at_once(batch: &Batch, trajectories: Range<usize>) -> bool {
    let (Some(four), true) = (batch.models[trajectories].first_chunk::<4>(), none_set()) else {
        return false;
    };
    let [first, others @ ..] = four;
    others.iter().all(|m| m.is(first))
        && first
            .get()
            .cell
            .peek_ref(|m| engine::four_at_once(m) && m.nplugin == 0 && !m.coulomb.enabled)
}

/// Computes four trajectories from `r` on: the last with the state `d`, the others with similar
/// states.
fn four_trajectories(
    batch: &Batch,
    r: usize,
    d: &Py<Data>,
    mut tracks: [Track<'_>; 4],
    others: &mut Option<Box<[sinew_model::Data; 3]>>,
) -> Result<(), Failure> {
    let model = batch.models[r].get().cell.read_detached()?;
    let mut data = d.get().cell.step_detached()?;
    if !fits(&model, &data) {
        return Err(Failure::OtherModel);
    }
    quiet(|| {
        others.take_if(|others| !fits(&model, &others[0]));
        let copies = || Box::new(core::array::from_fn(|_| sinew_model::Data::clone(&data)));
        let [a, b, c] = &mut **others.get_or_insert_with(copies);
        let mut four = [a, b, c, &mut *data];
        for (k, d) in four.iter_mut().enumerate() {
            begin(batch, r + k, &model, d);
        }
        for t in 0..batch.nstep {
            let moves = [0, 1, 2, 3].map(|k| moves(four[k]));
            for k in (0..4).filter(|&k| moves[k]) {
                control(batch, r + k, t, &model, four[k]);
            }
            if moves == [true; 4] {
                // fields for readers only are computed in the last step
                engine::step_four(&model, &mut four, t + 1 == batch.nstep);
            } else {
                (0..4).filter(|&k| moves[k]).for_each(|k| engine::step(&model, four[k]));
            }
            for (d, track) in four.iter().zip(&mut tracks) {
                record(batch, t, &model, d, track);
            }
        }
    })
    .map_err(Failure::Panic)
}

/// Computes trajectory `r` with the state `d`.
fn trajectory(batch: &Batch, r: usize, d: &Py<Data>, mut track: Track<'_>) -> Result<(), Failure> {
    let m = &batch.models[r];
    let _plugins = plugin::enter(m, d);
    let model = m.get().cell.read_detached()?;
    let mut data = d.get().cell.step_detached()?;
    if !fits(&model, &data) {
        return Err(Failure::OtherModel);
    }
    let mut hooks = Callbacks::new(m, d);
    // timing the stages costs up to 17 % of a step, so it is skipped without a user's clock
    let plain = none_set();
    quiet(|| {
        begin(batch, r, &model, &mut data);
        for t in 0..batch.nstep {
            if moves(&data) {
                control(batch, r, t, &model, &mut data);
                if plain {
                    engine::step(&model, &mut data);
                } else {
                    engine::step_with(&model, &mut data, &mut hooks);
                }
            }
            record(batch, t, &model, &data, &mut track);
        }
    })
    .map_err(Failure::Panic)
}

/// Whether a trajectory continues: after a warning it stops.
fn moves(d: &sinew_model::Data) -> bool {
    d.warning.iter().all(|w| w.number == 0)
}

/// Sets the controls of step `t` of trajectory `r`.
fn control(batch: &Batch, r: usize, t: usize, m: &sinew_model::Model, d: &mut sinew_model::Data) {
    if let Some(control) = &batch.control {
        let row = &control[(r * batch.nstep + t) * batch.ncontrol..][..batch.ncontrol];
        engine::set_state(m, d, row, batch.control_spec).ok();
    }
}

/// Records the state and the sensors after step `t`.
fn record(
    batch: &Batch,
    t: usize,
    m: &sinew_model::Model,
    d: &sinew_model::Data,
    track: &mut Track<'_>,
) {
    let (nstate, n) = (batch.nstate, batch.nsensordata);
    engine::get_state(m, d, &mut track.states[t * nstate..][..nstate], FULL).ok();
    track.sensors[t * n..][..n].copy_from_slice(&d.sensordata);
}

/// Sets the state before the first step; inputs that are not controlled are the model's.
fn begin(batch: &Batch, r: usize, m: &sinew_model::Model, d: &mut sinew_model::Data) {
    // inputs
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

    // state and warm start
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
