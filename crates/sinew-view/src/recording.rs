//! A trajectory as one HTML file that needs no server: page, model and all frames.

use sinew_model::enums::{CatBit, VisFlag};
use sinew_model::{Data, Model};
use sinew_scene::{Camera, Perturb, Scene, View, VisOption, add_geoms, update_scene};

use crate::digest::base64;
use crate::frame::Encoder;
use crate::session::{MAX_GEOM, Session, Status, numbers};
use crate::{assets, page, wire};

/// Compression level of the frames (zlib's default).
const LEVEL: u8 = 6;

/// Content policy of a page without a server: only embedded content.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
     script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
     media-src blob:\">\n";

/// A trajectory that is being recorded.
#[derive(Debug)]
pub struct Recording {
    session: Session,
    scene: Scene,
    encoder: Encoder,
    /// Messages, each preceded by its length.
    messages: Vec<u8>,
    frames: usize,
}

impl Recording {
    /// Creates an empty recording of a model, with visual options and a camera.
    pub fn new(m: &Model, name: &str, opt: VisOption, camera: Option<Camera>) -> Recording {
        let mut session = Session::new(m);
        session.opt = opt;
        if let Some(camera) = camera {
            session.set_camera(camera);
        }
        let mut recording = Recording {
            scene: Scene::new(m, MAX_GEOM),
            session,
            encoder: Encoder::default(),
            messages: Vec::new(),
            frames: 0,
        };
        recording.add(&assets::message(m, name));
        let state = recording.session.state_of(m, &Status { speed: 1.0, ..Status::default() });
        recording.add(&wire::json_message(wire::STATE, &state));
        recording
    }

    fn add(&mut self, message: &[u8]) {
        self.messages.extend((message.len() as u32).to_le_bytes());
        self.messages.extend_from_slice(message);
    }

    /// The number of states.
    pub fn len(&self) -> usize {
        self.frames
    }

    /// Whether there are no states yet.
    pub fn is_empty(&self) -> bool {
        self.frames == 0
    }

    /// Appends a state: its scene, then its contacts and contact forces, which the page shows or
    /// hides. The error says why the state cannot be drawn.
    pub fn append(&mut self, m: &Model, d: &mut Data) -> Result<(), String> {
        let (pert, scene) = (Perturb::default(), &mut self.scene);
        let view = View { opt: &self.session.opt, pert: &pert, catmask: CatBit::All.0 };
        update_scene(m, d, view, &mut self.session.cam, scene).map_err(|e| e.to_string())?;

        // contacts alone, after all other geoms
        let first = scene.geoms.len();
        let mut contacts = VisOption { flags: [0; 31], ..self.session.opt };
        for flag in [VisFlag::Contactpoint, VisFlag::Contactforce] {
            contacts.flags[flag.0 as usize] = u8::from(!self.session.opt.shows(flag));
        }
        (contacts.label, contacts.frame) = (VisOption::default().label, VisOption::default().frame);
        add_geoms(m, d, View { opt: &contacts, pert: &pert, catmask: CatBit::Decor.0 }, scene);

        let encoded =
            self.encoder.encode(m, &self.scene, d.time, Some(first), |out| numbers(m, d, out));
        if let Some(style) = encoded.style {
            self.add(&style);
        }
        self.add(&encoded.frame);
        self.frames += 1;
        Ok(())
    }

    /// The recording as a page.
    pub fn html(&self) -> String {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&self.messages, LEVEL);
        // the HTML parser ends a script at its end tag, even inside a string literal
        let script = page::SCRIPT.replace("</script", "<\\/script");
        let style = format!("<style>{}</style>", page::STYLE);
        let script = format!(
            "<script type=\"application/octet-stream\" id=\"recording\">{}</script>\n\
             <script type=\"module\">{script}</script>",
            base64(&packed)
        );
        page::HTML
            .replace("<link rel=\"icon\" href=\"icon.svg\">\n", POLICY)
            .replace("<link rel=\"stylesheet\" href=\"viewer.css\">", &style)
            .replace("<script type=\"module\" src=\"viewer.js\"></script>", &script)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(steps: usize) -> (Model, Recording) {
        let xml = "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body pos='0 0 .1'>\
                   <freejoint/><geom size='.1'/></body></worldbody></mujoco>";
        let m = sinew_mjcf::load_str(xml, &Default::default(), &Default::default()).unwrap().model;
        let mut d = Data::new(&m);
        let mut recording = Recording::new(&m, "ball", VisOption::default(), None);
        for _ in 0..steps {
            sinew_engine::step(&m, &mut d);
            recording.append(&m, &mut d).unwrap();
        }
        (m, recording)
    }

    #[test]
    fn a_recording_is_one_page_without_outside_references() {
        let html = recorded(50).1.html();
        assert!(html.contains("id=\"recording\"") && html.contains("</html>"));
        for outside in ["src=\"", "href=\"", "https://unpkg"] {
            assert!(!html.split("<script").next().unwrap().contains(outside), "{outside}");
        }
        assert!(!html.contains("viewer.js\""));
    }

    #[test]
    fn frames_cost_little_more_than_what_moves() {
        let (few, many) = (recorded(100).1, recorded(200).1);
        assert_eq!(many.len(), 200);
        let bytes = (many.html().len() - few.html().len()) / 100;
        assert!(bytes < 600, "{bytes} bytes for every frame");
    }

    #[test]
    fn contacts_and_forces_follow_everything_else() {
        let (_, recording) = recorded(100);
        let drawn = &recording.scene.geoms;
        assert!(drawn.len() > 2, "{} geoms", drawn.len());
        assert!(drawn[2..].iter().all(|geom| geom.category == CatBit::Decor.0));
    }
}
