//! State shared by the pages of a simulation: options, camera, selection and scene.

use serde_json::{Value, json};
use sinew_engine::{energy_pos, energy_vel, forward};
use sinew_model::enums::{CatBit, JointType, PertBit, VisCamera, VisFrame, VisLabel};
use sinew_model::{ActuatorId, BodyId, Data, JointId, Model};
use sinew_scene::{
    Camera, Cursor, Perturb, Scene, SceneGeom, View, VisOption, apply_perturb_force,
    apply_perturb_pose, init_perturb, mark_nodes, move_perturb, select, update_camera,
    update_scene,
};

use crate::assets::{self, MAX_SHOWN};
use crate::board::Slot;
use crate::event::{Choice, Event, Pointer};
use crate::frame::{Encoder, NUMBERS};
use crate::server::Server;
use crate::widgets::Widgets;
use crate::wire::{self, Out};

/// Maximum number of geoms in a scene.
pub const MAX_GEOM: usize = 20_000;

/// The visual state of a simulation and the users' interaction with it.
#[derive(Debug)]
pub struct Session {
    /// Visual options.
    pub opt: VisOption,
    /// Selection and perturbation.
    pub pert: Perturb,
    /// Camera of the page that moved last.
    pub cam: Camera,
    /// Widgets of the program.
    pub widgets: Widgets,
    /// Camera that pages must take, and its version, which grows with each change.
    page_camera: (u32, Camera),
    scene: Scene,
    encoder: Encoder,
    state: String,
    /// The body whose applied force this session sets and clears.
    pulled: Option<BodyId>,
}

/// Status of the simulation, sent with each frame.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Whether the simulation runs.
    pub running: bool,
    /// Whether a script makes the steps instead of the viewer.
    pub passive: bool,
    /// Requested speed, simulated seconds per second.
    pub speed: f64,
    /// Measured speed, simulated seconds per second.
    pub pace: f64,
    /// Index of the state shown, number of states in the history, times of the first and the last.
    pub history: [f64; 4],
    /// Microseconds that each timer takes per step.
    pub stages: Vec<f64>,
}

impl Session {
    /// Creates a session for a model, with its free camera.
    pub fn new(m: &Model) -> Session {
        let cam = Camera::free(m);
        Session {
            opt: VisOption::default(),
            pert: Perturb::default(),
            cam,
            widgets: Widgets::default(),
            page_camera: (1, cam),
            scene: Scene::new(m, MAX_GEOM),
            encoder: Encoder::default(),
            state: String::new(),
            pulled: None,
        }
    }

    /// Continues with another model; options stay, and so does the camera if it is valid.
    pub fn change_model(&mut self, m: &Model) {
        let Session { opt, cam, page_camera, .. } = *self;
        let widgets = std::mem::take(&mut self.widgets);
        *self = Session { opt, page_camera, widgets, ..Session::new(m) };
        self.look(m, cam);
    }

    /// Makes all pages take a camera.
    pub fn set_camera(&mut self, camera: Camera) {
        self.cam = camera;
        self.page_camera = (self.page_camera.0 + 1, camera);
    }

    /// Posts the description of the model.
    pub fn post_model(&mut self, server: &Server, m: &Model, name: &str) {
        self.state.clear();
        self.encoder = Encoder::default();
        server.board().post(vec![(Slot::Model, assets::message(m, name))]);
    }

    /// Applies a request of a page that concerns the scene or the state of the simulation.
    ///
    /// Returns `false` for other requests, which are the caller's.
    pub fn apply(&mut self, m: &Model, d: &mut Data, event: &Event) -> bool {
        match *event {
            Event::Widget(id, ref input) => self.widgets.apply(id, input),
            Event::Control(i, x) if i < m.nu => d.ctrl[ActuatorId::new(i)] = x,
            Event::ClearControls => d.ctrl.fill(0.0),
            Event::Joint(i, x) => set_joint(m, d, i, x),
            Event::Flag(i, on) => {
                if let Some(flag) = self.opt.flags.get_mut(i) {
                    *flag = on.into();
                }
            }
            Event::Group(kind, i, on) => self.set_group(kind, i, on),
            Event::Choice(choice, i) => self.choose(choice, i),
            Event::Look(camera) => self.look(m, camera),
            Event::Select(at) => self.select(m, d, at),
            Event::Deselect => self.pert = Perturb::default(),
            Event::Grab { at, turn, pick } => self.grab(m, d, at, turn, pick),
            Event::Drag(action, by) => {
                if self.pert.active != 0 {
                    // parsing has refused unknown actions
                    let _ = move_perturb(m, d, action, by, &self.scene, &mut self.pert);
                }
            }
            Event::Release => self.pert.active = 0,
            _ => return false,
        }
        true
    }

    fn set_group(&mut self, kind: usize, i: usize, on: bool) {
        let opt = &mut self.opt;
        let groups = [
            &mut opt.geomgroup,
            &mut opt.sitegroup,
            &mut opt.jointgroup,
            &mut opt.tendongroup,
            &mut opt.actuatorgroup,
            &mut opt.flexgroup,
            &mut opt.skingroup,
        ];
        if let Some(group) = groups.into_iter().nth(kind).and_then(|g| g.get_mut(i)) {
            *group = on.into();
        }
    }

    fn choose(&mut self, choice: Choice, i: i32) {
        match choice {
            Choice::Label => self.opt.label = VisLabel(i.clamp(0, VisLabel::Count.0 - 1)),
            Choice::Frame => self.opt.frame = VisFrame(i.clamp(0, VisFrame::Count.0 - 1)),
            Choice::BvhDepth => self.opt.bvh_depth = i.clamp(0, 100),
            Choice::FlexLayer => self.opt.flex_layer = i.clamp(0, 1000),
        }
    }

    /// Adopts the camera of a page if it is valid.
    fn look(&mut self, m: &Model, camera: Camera) {
        let known = match camera.r#type {
            VisCamera::Free => true,
            VisCamera::Tracking => usize::try_from(camera.trackbodyid).is_ok_and(|b| b < m.nbody),
            VisCamera::Fixed => usize::try_from(camera.fixedcamid).is_ok_and(|c| c < m.ncam),
            _ => false,
        };
        if known && camera.distance > 0.0 {
            self.cam = camera;
        }
    }

    fn select(&mut self, m: &Model, d: &Data, at: Pointer) {
        self.pert = Perturb::default();
        self.look(m, at.camera);
        if update_camera(m, d, &mut self.cam, &mut self.scene).is_err() {
            return;
        }
        let cursor = Cursor { aspectratio: at.aspect, relx: at.x, rely: at.y };
        let Ok(Some(found)) = select(m, d, &self.opt, cursor, &self.scene) else { return };
        self.pert.select = found.body.idx() as i32;
        self.pert.flexselect = found.flex.map_or(-1, |f| f.idx() as i32);
        self.pert.skinselect = found.skin.map_or(-1, |s| s.idx() as i32);
        self.pert.localpos = d.xmat[found.body].transpose() * (found.point - d.xpos[found.body]);
    }

    fn grab(&mut self, m: &Model, d: &Data, at: Pointer, turn: bool, pick: bool) {
        if pick {
            self.select(m, d, at);
        } else {
            self.look(m, at.camera);
            if update_camera(m, d, &mut self.cam, &mut self.scene).is_err() {
                return;
            }
        }
        if self.pert.select > 0 && init_perturb(m, d, &self.scene, &mut self.pert).is_ok() {
            self.pert.active = if turn { PertBit::Rotate.0 } else { PertBit::Translate.0 };
        }
    }

    /// Whether a body is grabbed.
    pub fn holds(&self) -> bool {
        self.pert.active | self.pert.active2 != 0
    }

    /// Pulls the grabbed body: by a spring force while time runs, by its pose while paused.
    pub fn pull(&mut self, m: &Model, d: &mut Data, paused: bool) {
        if let Some(body) = self.pulled.take() {
            d.xfrc_applied[body] = sinew_math::Spatial::ZERO;
        }
        apply_perturb_pose(m, d, &self.pert, paused);
        let body = usize::try_from(self.pert.select).ok().filter(|&b| b > 0 && b < m.nbody);
        if let Some(body) = body.filter(|_| self.holds() && !paused) {
            apply_perturb_force(m, d, &self.pert);
            self.pulled = Some(BodyId::new(body));
        }
    }

    /// Posts a frame: the scene, and the numbers that pages plot. `more` are further geoms of the
    /// user.
    pub fn post_frame(
        &mut self,
        server: &Server,
        m: &Model,
        d: &mut Data,
        status: &Status,
        more: &[SceneGeom],
    ) {
        let view = View { opt: &self.opt, pert: &self.pert, catmask: CatBit::All.0 };
        mark_nodes(m, d, &self.opt);
        if update_scene(m, d, view, &mut self.cam, &mut self.scene).is_err() {
            // the script's camera does not exist: restore the free camera
            self.set_camera(Camera::free(m));
            return;
        }
        self.scene.geoms.extend_from_slice(more);
        let encoded = self.encoder.encode(m, &self.scene, d.time, None, |out| {
            numbers(m, d, out);
            out.section(NUMBERS, 4, |out| {
                out.narrow(&status.history);
                out.narrow(&[status.pace]);
            });
            out.section(NUMBERS, 6, |out| out.narrow(&self.cam.lookat.to_array()));
            out.section(NUMBERS, 7, |out| out.narrow(&status.stages));
        });

        let mut messages = Vec::new();
        let state = self.state_of(m, status);
        let text = state.to_string();
        if text != self.state {
            messages.push((Slot::State, wire::json_message(wire::STATE, &state)));
            self.state = text;
        }
        let widgets = self.widgets.news();
        messages.extend(widgets.map(|w| (Slot::Widgets, wire::json_message(wire::WIDGETS, &w))));
        messages.extend(encoded.style.map(|bytes| (Slot::Style, bytes)));
        messages.push((Slot::Frame, encoded.frame));
        server.board().post(messages);
    }

    /// The settings in the form that pages read.
    pub(crate) fn state_of(&self, m: &Model, status: &Status) -> Value {
        let Session { opt, pert, page_camera: (version, camera), .. } = self;
        let selected = usize::try_from(pert.select).ok().filter(|&b| b > 0 && b < m.nbody);
        json!({
            "running": status.running,
            "passive": status.passive,
            "speed": status.speed,
            "flags": opt.flags,
            "groups": [
                opt.geomgroup, opt.sitegroup, opt.jointgroup, opt.tendongroup,
                opt.actuatorgroup, opt.flexgroup, opt.skingroup,
            ],
            "label": opt.label.0,
            "frame": opt.frame.0,
            "bvh_depth": opt.bvh_depth,
            "flex_layer": opt.flex_layer,
            "selected": selected,
            "held": self.holds(),
            "physics": crate::physics::values(m),
            "camera": camera_value(camera, *version),
        })
    }
}

/// A camera in the form that pages read.
fn camera_value(cam: &Camera, version: u32) -> Value {
    json!({
        "version": version,
        "type": cam.r#type.0,
        "fixedcamid": cam.fixedcamid,
        "trackbodyid": cam.trackbodyid,
        "orthographic": cam.orthographic,
        "lookat": cam.lookat.to_array(),
        "distance": cam.distance,
        "azimuth": cam.azimuth,
        "elevation": cam.elevation,
    })
}

/// Sets a hinge or slide joint and keeps its velocity.
fn set_joint(m: &Model, d: &mut Data, i: usize, x: f64) {
    if i >= m.njnt {
        return;
    }
    let j = JointId::new(i);
    if matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide) {
        d.qpos[m.jnt_qposadr[j].max(0) as usize] = x;
        forward(m, d);
    }
}

/// Appends the numbers that pages plot and that their sliders follow.
pub(crate) fn numbers(m: &Model, d: &mut Data, out: &mut Out) {
    let first = |xs: &[f64]| xs[..xs.len().min(MAX_SHOWN)].to_vec();
    out.section(NUMBERS, 0, |out| out.narrow(&first(&d.ctrl)));
    out.section(NUMBERS, 1, |out| {
        for j in assets::scalar_joints(m) {
            out.f32(d.qpos[m.jnt_qposadr[j].max(0) as usize] as f32);
        }
    });
    out.section(NUMBERS, 2, |out| out.narrow(&first(&d.sensordata)));

    // poses of the model's cameras
    out.section(NUMBERS, 5, |out| {
        for c in 0..m.ncam {
            out.narrow(&d.cam_xpos[c].to_array());
            out.f32s(&crate::frame::quaternion(&single(d.cam_xmat[c])));
        }
    });

    // the energy is computed for the plot alone, so the user's field is restored
    let kept = d.energy;
    energy_pos(m, d);
    energy_vel(m, d);
    let [potential, kinetic] = std::mem::replace(&mut d.energy, kept);
    let islands = d.nisland.max(1).min(d.solver_niter.len());
    let iterations = d.solver_niter[..islands].iter().copied().max().unwrap_or(0);
    let coulomb = &d.coulomb;
    let iterations =
        if m.coulomb.enabled { coulomb.iterations as f64 } else { f64::from(iterations) };
    let residual = if m.coulomb.enabled { coulomb.residual } else { 0.0 };
    out.section(NUMBERS, 3, |out| {
        out.narrow(&[
            potential,
            kinetic,
            iterations,
            d.contact.len() as f64,
            d.nefc as f64,
            residual,
        ]);
    });
}

/// A matrix in single precision.
fn single(mat: sinew_math::Mat3) -> [[f32; 3]; 3] {
    core::array::from_fn(|i| core::array::from_fn(|j| mat.row(i)[j] as f32))
}
