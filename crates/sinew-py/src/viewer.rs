//! The viewer in the browser, for scripts: a server, the state shared by its pages, and recordings.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use sinew_engine::step_with;
use sinew_scene::{Camera, Perturb, SceneGeom, VisOption};
use sinew_view::{Event, Player, Recording, Server};

use crate::call::{run, run_with, with_model};
use crate::data::Data;
use crate::model::Model;
use crate::scene::{Bytes, PyScene, get, put};

/// A server and its simulation.
struct Viewing {
    server: Server,
    player: Player,
    size: (i32, i32),
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
                Event::Size(width, height) => self.size = (width, height),
                event => drop(self.player.apply(m, d, event)),
            }
        }
        keys
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
        let viewing = Viewing { server, player, size: (0, 0) };
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

    /// Handles requests of pages, pulls the selected body, and shows the state. Returns the pressed
    /// keys.
    fn sync(
        &self,
        m: &Bound<'_, Model>,
        d: &Bound<'_, Data>,
        opt: Bytes<'_>,
        pert: Bytes<'_>,
        cam: Bytes<'_>,
        scn: PyScene<'_>,
    ) -> PyResult<Vec<i32>> {
        let before = Kept { opt: get(&opt)?, pert: get(&pert)?, cam: get(&cam)? };
        let more: Vec<SceneGeom> = scn.geoms()?;
        let (keys, kept) = run(m.py(), m, d, |m, d| {
            let viewing = &mut *self.lock();
            viewing.take(&before);
            let keys = viewing.obey(m, d);
            viewing.player.session.pull(m, d, false);
            viewing.player.post_passive(&viewing.server, m, d, &more);
            (keys, viewing.kept())
        })?;
        put(&opt, &kept.opt)?;
        put(&pert, &kept.pert)?;
        put(&cam, &kept.cam)?;
        Ok(keys)
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
        run(m.py(), m, d, |m, d| {
            let Viewing { server, player, size } = &mut *self.lock();
            let mut event = Some(first);
            while let Some(next) = event {
                match player.apply(m, d, next) {
                    Some(Event::Quit) => return Some(("quit", Vec::new())),
                    Some(Event::Reload) => return Some(("reload", Vec::new())),
                    Some(Event::Drop(files)) => return Some(("drop", files)),
                    Some(Event::Size(width, height)) => *size = (width, height),
                    _ => {}
                }
                event = server.try_event();
            }
            None
        })
    }
}

impl ViewServer {
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
