//! The state as a Python object.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use sinew_model::enums::EnableBit;

use crate::failure::{caught, refuse};
use crate::lock::Shared;
use crate::memory::{
    Block, Keeper, ListView, Slot, data_keeper, data_view, list_view, records_mut,
};
use crate::model::Model;
use crate::records::{BlockHandle, ListHandle};
use crate::scalars::{INLINE, inline};
use crate::shown::{Shown, resize_rows};
use crate::watch::Watcher;

/// Base class of `MjData`: owns the state and returns views of it.
#[pyclass(frozen, subclass, weakref, module = "sinew._sinew")]
pub(crate) struct Data {
    pub(crate) cell: Arc<Shared<sinew_model::Data>>,
    /// The model of the state.
    #[pyo3(get, name = "_model")]
    pub(crate) model: Py<Model>,
    /// Views of state arrays.
    views: Arc<Views>,
    /// Views of per-step lists, by field index. The lock is held only briefly, by attached threads.
    lists: Mutex<Vec<Option<ListView>>>,
    /// Dense matrices as Python sees them.
    shown: Mutex<Shown>,
    has_shown: AtomicBool,
    /// Number of calls into the engine.
    calls: AtomicU64,
    /// Number of the call after which rows were allocated by hand; their matrices are shown
    /// unchanged.
    pub(crate) resized: AtomicU64,
    /// Whether MuJoCo's stack would be full.
    pub(crate) full: AtomicBool,
    /// Number of the call after which the copies sorted by island were made.
    pub(crate) sorted: AtomicU64,
    /// Records steps, to diagnose a bad state.
    pub(crate) watch: Watcher,
}

/// Views of state arrays.
pub(crate) struct Views {
    /// Owner of the memory of all views.
    keeper: PyOnceLock<Py<Keeper>>,
    /// Existing views, by field index.
    made: Vec<PyOnceLock<Py<PyAny>>>,
}

/// Arrays of a state.
const FIELDS: usize = sinew_model::Data::FIELDS.len();

impl Data {
    fn own(data: sinew_model::Data, model: Py<Model>) -> Self {
        let made = (0..FIELDS + INLINE.len()).map(|_| PyOnceLock::new()).collect();
        let views = Views { keeper: PyOnceLock::new(), made };
        Data::share(Shared::new(data), model, Arc::new(views))
    }

    fn share(cell: Arc<Shared<sinew_model::Data>>, model: Py<Model>, views: Arc<Views>) -> Self {
        Data {
            cell,
            model,
            views,
            lists: Mutex::new((0..FIELDS).map(|_| None).collect()),
            shown: Mutex::default(),
            has_shown: AtomicBool::new(false),
            calls: AtomicU64::new(1),
            resized: AtomicU64::new(0),
            full: AtomicBool::new(false),
            sorted: AtomicU64::new(0),
            watch: Watcher::default(),
        }
    }

    /// Number of calls into the engine.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Counts a call into the engine.
    pub(crate) fn count_call(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// The dense matrices that Python may hold, locked briefly.
    pub(crate) fn shown(&self) -> MutexGuard<'_, Shown> {
        self.has_shown.store(true, Ordering::Relaxed);
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether Python may hold dense matrices.
    pub(crate) fn has_shown(&self) -> bool {
        self.has_shown.load(Ordering::Relaxed)
    }

    /// Clears the list of dense matrices.
    pub(crate) fn forget_shown(&self) {
        self.has_shown.store(false, Ordering::Relaxed);
    }

    /// The state array of this index, always the same view.
    pub(crate) fn array<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let made = self.views.made[index].get_or_try_init(py, || {
            let keeper = self.views.keeper.get_or_try_init(py, || data_keeper(py, &self.cell))?;
            let info = sinew_model::Data::FIELDS.get(index);
            let name = info.map_or_else(|| INLINE[index - FIELDS].0, |i| i.name);
            let view = data_view(py, &self.cell, keeper, |d| match info {
                Some(info) => {
                    let (shape, bytes) = sinew_model::Data::ACCESS[index](d);
                    Some(Slot::table(bytes, info.scalar, shape))
                }
                None => inline(d, name),
            })?;
            view.map(Bound::unbind).ok_or_else(|| PyKeyError::new_err(name))
        })?;
        Ok(made.bind(py).clone())
    }

    /// A view of the per-step list with this index; the same view while the list's memory stays.
    pub(crate) fn list<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let lists = || self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        let last = lists()[index].take();
        let made = list_view(py, &self.cell, last.as_ref(), |d| {
            let info = sinew_model::Data::FIELDS.get(index)?;
            let (shape, bytes) = sinew_model::Data::ACCESS[index](d);
            Some(Slot::table(bytes, info.scalar, shape))
        })?;
        let made = made.ok_or_else(|| PyKeyError::new_err(index))?;
        let array = made.array.bind(py).clone();
        lists()[index] = Some(made);
        Ok(array)
    }
}

/// Returns MuJoCo's error for models whose states cannot be reset.
pub(crate) fn require_resettable(m: &sinew_model::Model) -> PyResult<()> {
    let dt = m.opt.timestep;
    if m.nhistory > 0 && dt <= 0.0 {
        let text = format!("_resetData: history buffers require positive timestep, got {dt}");
        return Err(refuse(text));
    }
    Ok(())
}

/// The error for trees that cannot start asleep as the model requests.
pub(crate) fn sleep_error(error: sinew_engine::SleepError) -> PyErr {
    refuse(format!("_resetData: {error}"))
}

/// The state for copying, with the fields that are computed on demand.
pub(crate) fn whole<'d>(
    m: &sinew_model::Model,
    d: &'d mut sinew_model::Data,
) -> &'d mut sinew_model::Data {
    sinew_engine::mark_nodes(m, d);
    d
}

/// Whether the arrays of the state have the sizes of the model.
pub(crate) fn fits(m: &sinew_model::Model, d: &sinew_model::Data) -> bool {
    (d.qpos.len(), d.qvel.len(), d.act.len(), d.ctrl.len()) == (m.nq, m.nv, m.na, m.nu)
        && (d.xpos.len(), d.xanchor.len(), d.geom_xpos.len()) == (m.nbody, m.njnt, m.ngeom)
        && (d.site_xpos.len(), d.cam_xpos.len(), d.light_xpos.len()) == (m.nsite, m.ncam, m.nlight)
        && (d.ten_length.len(), d.wrap_xpos.len(), d.eq_active.len()) == (m.ntendon, m.nwrap, m.neq)
        && (d.mocap_pos.len(), d.sensordata.len()) == (m.nmocap, m.nsensordata)
        && (d.M.len(), d.qM.len(), d.qDeriv.len()) == (m.nC, m.nM, m.nD)
        && (d.actuator_moment.len(), d.userdata.len()) == (m.nJmom, m.nuserdata)
        && (d.tree_asleep.len(), d.history.len()) == (m.ntree, m.nhistory)
        && (d.bvh_active.len(), d.bvh_aabb_dyn.len()) == (m.nbvh, m.nbvhdynamic)
        && (d.flexvert_xpos.len(), d.flexedge_length.len()) == (m.nflexvert, m.nflexedge)
}

/// A new state for a model. If trees may sleep, the stages have run on it.
fn begin(m: &sinew_model::Model) -> Result<sinew_model::Data, sinew_engine::SleepError> {
    let mut d = sinew_model::Data::new(m);
    if m.opt.enabled(EnableBit::Sleep) {
        sinew_engine::reset_data_with(m, &mut d, 0, &mut ())?;
    }
    Ok(d)
}

#[pymethods]
impl Data {
    /// A state for `model` in its initial configuration, or a copy of `source`.
    #[new]
    #[pyo3(signature = (model, source=None))]
    fn new(model: &Bound<'_, Model>, source: Option<&Bound<'_, Data>>) -> PyResult<Self> {
        let py = model.py();
        model.get().check(py)?;
        let data = {
            let m = model.get().cell.read(py)?;
            match source {
                // initial configuration
                None => {
                    require_resettable(&m)?;
                    let data = caught(|| begin(&m))?.map_err(sleep_error)?;
                    if let Some(id) = data.plugins.missing() {
                        let words = "mj_initPlugin: plugin->init failed for plugin id";
                        return Err(refuse(format!("{words} {id}")));
                    }
                    data
                }
                Some(source) => {
                    let mut d = source.get().cell.write(py)?;
                    if !fits(&m, &d) {
                        return Err(PyTypeError::new_err("the data was made for another model"));
                    }
                    caught(|| whole(&m, &mut d).clone())?
                }
            }
        };
        Ok(Data::own(data, model.clone().unbind()))
    }

    /// Another object for the same arrays, for named views that must not refer to this object.
    fn _arrays(&self, model: Py<Model>) -> Data {
        Data::share(self.cell.clone(), model, self.views.clone())
    }

    /// The source of the list of contacts, or of solver statistics.
    fn _list(&self, contacts: bool) -> ListHandle {
        ListHandle { cell: self.cell.clone(), contacts }
    }

    /// Replaces a per-step list, or the contacts, by the rows in `bytes`. Tests pass a stage the
    /// inputs of another engine this way.
    fn _set_list(&self, py: Python<'_>, part: &str, bytes: &[u8]) -> PyResult<()> {
        let mut d = self.cell.write(py)?;
        self.count_call();
        crate::pickle::set_list(&mut d, part, bytes)
            .ok_or_else(|| PyValueError::new_err(format!("not the rows of a list '{part}'")))
    }

    /// Allocates zeroed contacts and constraint rows, for `_realloc_con_efc`.
    fn _resize(&self, py: Python<'_>, ncon: usize, nefc: usize, entries: i64) -> PyResult<()> {
        let m = self.model.get().cell.read(py)?;
        let entries = usize::try_from(entries).unwrap_or(nefc.saturating_mul(m.nv));
        let mut d = self.cell.write(py)?;
        self.count_call();
        self.resized.store(self.calls(), Ordering::Relaxed);
        let fits = ncon.max(nefc).max(entries) <= MAX_ROWS;
        let sizes = if fits { [ncon, nefc, entries] } else { [0; 3] };
        resize_rows(&m, &mut d, sizes);
        match fits {
            true => Ok(()),
            false => Err(refuse(format!(
                "Insufficient arena memory, currently allocated memory=\"{}M\". Increase using \
                 <size memory=\"X\"/>.",
                MAX_ROWS >> 17
            ))),
        }
    }

    /// The memory of `warning` or `timer`.
    fn _record(&self, py: Python<'_>, part: &str) -> PyResult<BlockHandle> {
        let block = Block::data(py, &self.cell, |d| match part {
            "warning" => Some(records_mut(&mut d.warning)),
            "timer" => Some(records_mut(&mut d.timer)),
            _ => None,
        })?;
        block.map(BlockHandle).ok_or_else(|| PyKeyError::new_err(part.to_owned()))
    }

    /// The whole state as bytes, for pickling.
    fn _state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = {
            let m = self.model.get().cell.read(py)?;
            let mut d = self.cell.write(py)?;
            crate::pickle::dump(whole(&m, &mut d))
        };
        Ok(PyBytes::new(py, &bytes))
    }

    /// Restores the bytes of `_state`.
    fn _set_state(&self, py: Python<'_>, bytes: &[u8]) -> PyResult<()> {
        let mut d = self.cell.write(py)?;
        self.count_call();
        crate::pickle::load(&mut d, bytes)
            .ok_or_else(|| PyValueError::new_err("not the state of such a model"))
    }

    /// Sets whether the user has filled MuJoCo's stack. Sinew has no stack, but functions fail as
    /// MuJoCo's do.
    fn _fill_stack(&self, full: bool) {
        self.full.store(full, Ordering::Relaxed);
    }

    /// The address of the state.
    #[getter]
    fn _address(&self) -> usize {
        Arc::as_ptr(&self.cell).addr()
    }
}

/// Maximum number of rows or entries for `_realloc_con_efc`: 1 GB of Jacobian.
const MAX_ROWS: usize = 1 << 27;
