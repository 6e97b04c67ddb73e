//! Viewing a model file until the user closes the viewer.

use std::net::IpAddr;
use std::path::Path;

use serde_json::json;
use sinew_mjcf::diag::{Diagnostic, Error, render};
use sinew_mjcf::spec::Source as Text;
use sinew_mjcf::{LoadOptions, Loaded};
use sinew_model::enums::{ObjType, StateBit};
use sinew_model::{Data, Model};
use sinew_scene::Camera;

use crate::board::Slot;
use crate::event::Event;
use crate::physics::set_option;
use crate::player::Player;
use crate::policy::{Driver, Policy};
use crate::server::Server;
use crate::source::{Source, notice};
use crate::wire;

/// When a simulation starts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// When the first page is open, so that nothing happens unseen.
    #[default]
    Seen,
    /// At once.
    Now,
    /// When a user starts it.
    Paused,
}

/// Options of a viewer.
#[derive(Clone, Debug)]
pub struct Options {
    /// Address to listen at.
    pub address: IpAddr,
    /// Port to listen at; 0 chooses a free port.
    pub port: u16,
    /// When the simulation starts.
    pub start: Start,
    /// Initial camera of the model, by name or number.
    pub camera: Option<String>,
    /// Initial keyframe.
    pub key: Option<usize>,
    /// Initial state in the layout of `StateBit::Integration`; a state of the right size takes
    /// precedence over the keyframe.
    pub state: Option<Vec<f64>>,
    /// Policy that sets the controls.
    pub policy: Option<Policy>,
    /// Options for loading models.
    pub load: LoadOptions,
}

/// Reasons why a model cannot be viewed.
#[derive(Debug)]
pub enum ViewError {
    /// The model does not load.
    Model(Error),
    /// The server does not start.
    Server(std::io::Error),
    /// The model has no such camera.
    Camera(String),
    /// The policy does not fit the model.
    Policy(String),
}

impl std::fmt::Display for ViewError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ViewError::Model(error) => error.fmt(f),
            ViewError::Server(error) => write!(f, "the viewer cannot listen: {error}"),
            ViewError::Camera(name) => write!(f, "the model has no camera '{name}'"),
            ViewError::Policy(why) => write!(f, "the policy does not fit the model: {why}"),
        }
    }
}

impl std::error::Error for ViewError {}

/// A viewer of a model file.
#[derive(Debug)]
pub struct Viewer {
    server: Server,
    source: Source,
    options: Options,
    model: Model,
    data: Data,
    player: Player,
}

impl Viewer {
    /// Loads a model and starts to serve it. Returns the viewer and the warnings of the model.
    pub fn start(path: &Path, options: Options) -> Result<(Viewer, String), ViewError> {
        let mut source = Source::file(path, options.load.clone());
        let Loaded { model, warnings, sources, .. } = source.load().map_err(ViewError::Model)?;
        let mut player = Player::new(&model, options.start == Start::Now);
        if let Some(name) = &options.camera {
            let number = name.parse::<usize>().ok().filter(|&i| i < model.ncam);
            let id = model.name2id(ObjType::Camera, name).or(number);
            let id = id.ok_or_else(|| ViewError::Camera(name.clone()))?;
            player.session.set_camera(Camera::fixed(id));
        }
        let server = Server::start(options.address, options.port).map_err(ViewError::Server)?;
        let data = initial(&model, &options);
        if let Some(policy) = &options.policy {
            let driver = Driver::new(policy.clone(), &model, &data).map_err(ViewError::Policy)?;
            player.set_driver(Some(driver));
        }
        let mut viewer = Viewer { server, source, options, model, data, player };
        viewer.post_model(&warnings, &sources);
        Ok((viewer, render(&warnings, &sources)))
    }

    /// The server, which has the address.
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Runs until a page closes the viewer or `stop` returns true.
    pub fn run(&mut self, stop: impl Fn() -> bool) {
        while !stop() {
            let Viewer { server, model, data, player, options, .. } = self;
            if options.start == Start::Seen && server.viewers() > 0 {
                options.start = Start::Now;
                player.apply(model, data, Event::Run(true));
            }
            player.advance_timed(model, data);
            player.post(server, model, data);

            // handle events; the first may be waited for
            let mut event = server.wait_event(player.idle(data));
            while let Some(next) = event {
                let left = self.player.apply(&self.model, &mut self.data, next);
                match left {
                    Some(Event::Quit) => return,
                    Some(Event::Reload) => _ = self.reload(),
                    Some(Event::Drop(files)) => self.take(files),
                    Some(Event::Option(name, values)) => self.set_option(&name, &values),
                    _ => {}
                }
                event = self.server.try_event();
            }
            if self.source.changed() {
                self.reload();
            }
        }
    }

    /// Sets an option of the physics until the model is loaded again.
    fn set_option(&mut self, name: &str, values: &[f64]) {
        match set_option(&mut self.model, name, values) {
            // rows of constraints depend on the options
            Ok(()) => sinew_engine::forward(&self.model, &mut self.data),
            Err(why) => self.server.post_notice("The option stays as it was", &why),
        }
    }

    /// Posts the model and its warnings.
    fn post_model(&mut self, warnings: &[Diagnostic], sources: &[Text]) {
        let title = if warnings.is_empty() { "" } else { "The model has warnings" };
        self.post_notice(&notice(title, warnings, sources));
        let name = self.source.name();
        self.player.session.post_model(&self.server, &self.model, &name);
    }

    fn post_notice(&self, value: &serde_json::Value) {
        let message = wire::json_message(wire::NOTICE, value);
        self.server.board().post(vec![(Slot::Notice, message)]);
    }

    /// Reloads the model; on failure the old model stays and the page shows the errors.
    fn reload(&mut self) -> bool {
        match self.source.load() {
            Ok(Loaded { model, warnings, sources, .. }) => {
                self.data = initial(&model, &self.options);
                self.model = model;
                self.player.change_model(&self.model);
                self.post_model(&warnings, &sources);
                self.drive_again();
                true
            }
            Err(error) => {
                let title = "The model does not load; the last one that did is shown";
                self.post_notice(&notice(title, &error.diagnostics, &error.sources));
                false
            }
        }
    }

    /// Lets the policy drive a model that was loaded, if it fits.
    fn drive_again(&mut self) {
        let Some(policy) = &self.options.policy else { return };
        match Driver::new(policy.clone(), &self.model, &self.data) {
            Ok(driver) => self.player.set_driver(Some(driver)),
            Err(why) => {
                self.player.set_driver(None);
                self.server.post_notice("The policy does not fit this model", &why);
            }
        }
    }

    fn take(&mut self, files: Vec<(String, Vec<u8>)>) {
        let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
        match Source::dropped(files, self.options.load.clone()) {
            Some(source) => {
                let before = std::mem::replace(&mut self.source, source);
                let first = (self.options.key.take(), self.options.state.take());
                if !self.reload() {
                    self.source = before;
                    (self.options.key, self.options.state) = first;
                }
            }
            None => {
                let message = format!("none of {} is a model", names.join(", "));
                let entry = json!({ "error": true, "code": "drop", "message": message });
                self.post_notice(&json!({ "title": "Nothing was loaded", "list": [entry] }));
            }
        }
    }
}

/// The initial state: the given state, a keyframe, or `qpos0`.
fn initial(m: &Model, options: &Options) -> Data {
    let mut d = Data::new(m);
    if let Some(key) = options.key.filter(|&key| key < m.nkey) {
        sinew_engine::reset_data_keyframe(m, &mut d, key);
    }
    if let Some(state) = &options.state {
        // an edited model may have another size; the simulation then starts from `qpos0` or the
        // keyframe
        let _ = sinew_engine::set_state(m, &mut d, state, StateBit::Integration.0);
    }
    sinew_engine::forward(m, &mut d);
    d
}
