//! The viewer in the browser, for scripts: a server, the state shared by its pages, and recordings.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use sinew_engine::{forward_with, step_with};
use sinew_scene::{Camera, Perturb, SceneGeom, VisOption};
use sinew_view::{Event, Player, Recording, Server, WidgetId, Widgets, set_option};

use crate::call::{run, run_mut, run_with, with_model};
use crate::data::Data;
use crate::model::Model;
use crate::scene::{Bytes, PyScene, get, put};

/// A server and its simulation.
struct Viewing {
    server: Server,
    player: Player,
    size: (i32, i32),
    /// Options of the physics that users set, until the model is changed.
    options: Vec<(String, Vec<f64>)>,
}

/// A viewer in which either the script (`sync`) or the viewer (`play`) makes the steps.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct ViewServer {
    viewing: Mutex<Viewing>,
    url: String,
}

/// A request for the script: its name, and dropped files.
type Request = (&'static str, Vec<(String, Vec<u8>)>);

/// Visual state kept by the script: options, perturbation, camera.
struct Kept {
    opt: VisOption,
    pert: Perturb,
    cam: Camera,
}

impl ViewServer {
    fn lock(&self) -> MutexGuard<'_, Viewing> {
        self.viewing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Viewing {
    /// Copies the script's visual state; pages follow a camera that the script has moved.
    fn take(&mut self, kept: &Kept) {
        let session = &mut self.player.session;
        (session.opt, session.pert) = (kept.opt, kept.pert);
        if session.cam != kept.cam {
            session.set_camera(kept.cam);
        }
    }

    fn kept(&self) -> Kept {
        let session = &self.player.session;
        Kept { opt: session.opt, pert: session.pert, cam: session.cam }
    }

    /// Handles the requests of pages; returns the pressed keys.
    fn obey(&mut self, m: &sinew_model::Model, d: &mut sinew_model::Data) -> Vec<i32> {
        let mut keys = Vec::new();
        while let Some(event) = self.server.try_event() {
            match event {
                // the script makes its own steps
                Event::Run(_) | Event::Step(_) | Event::Speed(_) | Event::Scrub(_) => {}
                Event::Pressed(key) => keys.push(key),
                event => _ = self.apply(m, d, event),
            }
        }
        keys
    }

    /// Handles a request of a page; returns requests about files and the viewer itself.
    fn apply(
        &mut self,
        m: &sinew_model::Model,
        d: &mut sinew_model::Data,
        event: Event,
    ) -> Option<Event> {
        match self.player.apply(m, d, event)? {
            Event::Size(width, height) => self.size = (width, height),
            Event::Option(name, values) => self.options.push((name, values)),
            event => return Some(event),
        }
        None
    }
}

#[pymethods]
impl ViewServer {
    #[new]
    fn new(
        m: &Bound<'_, Model>,
        name: &str,
        address: &str,
        port: u16,
        running: bool,
    ) -> PyResult<Self> {
        let address: IpAddr = address
            .parse()
            .map_err(|_| PyValueError::new_err(format!("'{address}' is not an address")))?;
        let server = Server::start(address, port)
            .map_err(|e| PyOSError::new_err(format!("the viewer cannot listen: {e}")))?;
        let url = server.url();
        let player = with_model(m, |m| {
            let mut player = Player::new(m, running);
            player.session.post_model(&server, m, name);
            player
        })?;
        let viewing = Viewing { server, player, size: (0, 0), options: Vec::new() };
        Ok(ViewServer { viewing: Mutex::new(viewing), url })
    }

    /// The address of the page, including the token.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Whether the server is reachable from this machine only.
    #[getter]
    fn local(&self) -> bool {
        self.lock().server.is_local()
    }

    /// The number of open pages.
    #[getter]
    fn viewers(&self, py: Python<'_>) -> usize {
        py.detach(|| self.lock().server.viewers())
    }

    /// Width and height of the page that was resized last.
    #[getter]
    fn size(&self, py: Python<'_>) -> (i32, i32) {
        py.detach(|| self.lock().size)
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.lock().server.close());
    }

    /// Sends the model again; `fresh` for another model.
    fn post_model(&self, m: &Bound<'_, Model>, name: &str, fresh: bool) -> PyResult<()> {
        with_model(m, |m| {
            let viewing = &mut *self.lock();
            if fresh {
                viewing.player.change_model(m);
            }
            viewing.player.session.post_model(&viewing.server, m, name);
        })
    }

    /// Lays texts, figures and images over the view.
    fn overlay(&self, json: &str) -> PyResult<()> {
        self.lock().server.post_overlay(json).map_err(PyValueError::new_err)
    }

    /// Shows a message.
    fn notice(&self, title: &str, message: &str) {
        self.lock().server.post_notice(title, message);
    }

    /// Writes the initial visual state for the script.
    fn look(&self, opt: Bytes<'_>, pert: Bytes<'_>, cam: Bytes<'_>) -> PyResult<()> {
        let kept = self.lock().kept();
        put(&opt, &kept.opt)?;
        put(&pert, &kept.pert)?;
        put(&cam, &kept.cam)
    }

    /// Adds a slider and returns its number.
    fn add_slider(&self, py: Python<'_>, name: &str, low: f64, high: f64, value: f64) -> WidgetId {
        self.with_widgets(py, |widgets| widgets.add_slider(name, [low, high], value))
    }

    /// Adds a button and returns its number.
    fn add_button(&self, py: Python<'_>, name: &str) -> WidgetId {
        self.with_widgets(py, |widgets| widgets.add_button(name))
    }

    /// Adds a text and returns its number.
    fn add_text(&self, py: Python<'_>, name: &str, text: &str, editable: bool) -> WidgetId {
        self.with_widgets(py, |widgets| widgets.add_text(name, text, editable))
    }

    fn remove_widget(&self, py: Python<'_>, id: WidgetId) {
        self.with_widgets(py, |widgets| widgets.remove(id));
    }

    /// The value of a slider.
    fn number(&self, py: Python<'_>, id: WidgetId) -> f64 {
        self.with_widgets(py, |widgets| widgets.number(id))
    }

    fn set_number(&self, py: Python<'_>, id: WidgetId, x: f64) {
        self.with_widgets(py, |widgets| widgets.set_number(id, x));
    }

    /// The content of a text.
    fn text(&self, py: Python<'_>, id: WidgetId) -> String {
        self.with_widgets(py, |widgets| widgets.text(id).to_owned())
    }

    fn set_text(&self, py: Python<'_>, id: WidgetId, text: &str) {
        self.with_widgets(py, |widgets| widgets.set_text(id, text));
    }

    /// Handles requests of pages, pulls the selected body, and shows the state. Returns the pressed
    /// keys and the widgets that users touched.
    fn sync(
        &self,
        m: &Bound<'_, Model>,
        d: &Bound<'_, Data>,
        opt: Bytes<'_>,
        pert: Bytes<'_>,
        cam: Bytes<'_>,
        scn: PyScene<'_>,
    ) -> PyResult<(Vec<i32>, Vec<WidgetId>)> {
        let before = Kept { opt: get(&opt)?, pert: get(&pert)?, cam: get(&cam)? };
        let more: Vec<SceneGeom> = scn.geoms()?;
        let (told, kept) = run(m.py(), m, d, |m, d| {
            let viewing = &mut *self.lock();
            viewing.take(&before);
            let keys = viewing.obey(m, d);
            viewing.player.session.pull(m, d, false);
            viewing.player.post_passive(&viewing.server, m, d, &more);
            let touched = viewing.player.session.widgets.take_touched();
            ((keys, touched), viewing.kept())
        })?;
        self.set_options(m, d)?;
        put(&opt, &kept.opt)?;
        put(&pert, &kept.pert)?;
        put(&cam, &kept.cam)?;
        Ok(told)
    }

    /// Makes the steps that are due, shows the state, and waits briefly for requests of pages.
    /// Returns a request for the script, if there is one.
    fn play(&self, m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<Option<Request>> {
        // steps and frame
        let idle = run_with(m, d, |m, d, hooks| {
            let Viewing { server, player, .. } = &mut *self.lock();
            player.advance(m, d, |m, d| step_with(m, d, hooks));
            player.post(server, m, d);
            player.idle(d)
        })?;

        // requests of pages, possibly for the script
        let first = m.py().detach(|| self.wait(idle));
        let Some(first) = first else { return Ok(None) };
        let request = run(m.py(), m, d, |m, d| {
            let viewing = &mut *self.lock();
            let mut event = Some(first);
            while let Some(next) = event {
                match viewing.apply(m, d, next) {
                    Some(Event::Quit) => return Some(("quit", Vec::new())),
                    Some(Event::Reload) => return Some(("reload", Vec::new())),
                    Some(Event::Drop(files)) => return Some(("drop", files)),
                    _ => {}
                }
                event = viewing.server.try_event();
            }
            None
        })?;
        self.set_options(m, d)?;
        Ok(request)
    }
}

impl ViewServer {
    /// Sets the options of the physics that users have chosen.
    fn set_options(&self, m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
        let options = std::mem::take(&mut self.lock().options);
        if options.is_empty() {
            return Ok(());
        }
        let faults = run_mut(m, d, |m, d, hooks| {
            let set = |(name, values): &(String, Vec<f64>)| set_option(m, name, values).err();
            let faults: Vec<String> = options.iter().filter_map(set).collect();
            // rows of constraints depend on the options
            forward_with(m, d, hooks);
            faults
        })?;
        for fault in faults {
            self.lock().server.post_notice("The option stays as it was", &fault);
        }
        Ok(())
    }

    fn with_widgets<R: Send>(&self, py: Python<'_>, f: impl FnOnce(&mut Widgets) -> R + Send) -> R {
        py.detach(|| f(&mut self.lock().player.session.widgets))
    }

    fn wait(&self, idle: Duration) -> Option<Event> {
        self.lock().server.wait_event(idle)
    }
}

/// A recorded trajectory as one HTML file.
#[pyclass(frozen, module = "sinew._sinew")]
pub(crate) struct RecordedPage {
    recording: Mutex<Recording>,
}

#[pymethods]
impl RecordedPage {
    #[new]
    fn new(
        m: &Bound<'_, Model>,
        name: &str,
        opt: Bytes<'_>,
        cam: Option<Bytes<'_>>,
    ) -> PyResult<Self> {
        let opt: VisOption = get(&opt)?;
        let cam: Option<Camera> = cam.as_ref().map(get).transpose()?;
        let recording = with_model(m, |m| Recording::new(m, name, opt, cam))?;
        Ok(RecordedPage { recording: Mutex::new(recording) })
    }

    fn append(&self, m: &Bound<'_, Model>, d: &Bound<'_, Data>) -> PyResult<()> {
        let result = run(m.py(), m, d, |m, d| {
            self.recording.lock().unwrap_or_else(PoisonError::into_inner).append(m, d)
        })?;
        result.map_err(PyValueError::new_err)
    }

    fn __len__(&self) -> usize {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.recording.lock().unwrap_or_else(PoisonError::into_inner).html())
    }
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_class::<ViewServer>()?;
    m.add_class::<RecordedPage>()
}
