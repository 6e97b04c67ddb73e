//! What a page asks for: JSON objects whose `do` names the request.
//!
//! Everything is checked here for its form: numbers are finite, lists short, nothing is missing.
//! Whether a number names something in the model is checked where it is used.

use serde_json::Value;
use sinew_math::Vec3;
use sinew_model::enums::{VisCamera, VisMouse};
use sinew_scene::Camera;

use crate::digest::from_base64;

/// A request of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A frame has been drawn; the next may come.
    Drawn,
    /// Time runs, or stands still.
    Run(bool),
    /// So many steps, or frames of the history if negative, while paused.
    Step(i32),
    /// Simulated seconds per second.
    Speed(f64),
    /// Back to the initial state.
    Reset,
    /// To a keyframe.
    Key(usize),
    /// To a place in the history.
    Scrub(usize),
    /// Sets a control.
    Control(usize, f64),
    /// All controls to zero.
    ClearControls,
    /// Sets the position of a hinge or slide joint.
    Joint(usize, f64),
    /// Switches a flag of `mjtVisFlag`.
    Flag(usize, bool),
    /// Switches a group of geoms, sites, joints, tendons, actuators, flexes or skins.
    Group(usize, usize, bool),
    /// Sets labels, frames, the depth of bounding volumes or the layer of flexes.
    Choice(Choice, i32),
    /// Where a page looks from.
    Look(Camera),
    /// Selects what is under the cursor, or with nothing there, nothing.
    Select(Pointer),
    /// Selects nothing.
    Deselect,
    /// Takes hold of what is selected, or with `pick` of what is under the cursor.
    Grab {
        /// Where.
        at: Pointer,
        /// Turned rather than moved.
        turn: bool,
        /// Selects first.
        pick: bool,
    },
    /// Moves what is held.
    Drag(VisMouse, [f64; 2]),
    /// Lets go.
    Release,
    /// Loads the model again.
    Reload,
    /// Loads files that were dropped.
    Drop(Vec<(String, Vec<u8>)>),
    /// A key was pressed, as GLFW numbers them.
    Pressed(i32),
    /// Width and height of a page's view in pixels.
    Size(i32, i32),
    /// The user wants the viewer to end.
    Quit,
}

/// What a choice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// `mjtLabel`.
    Label,
    /// `mjtFrame`.
    Frame,
    /// Depth of bounding volumes.
    BvhDepth,
    /// Layer of flexes.
    FlexLayer,
}

/// The cursor, and the camera it is seen through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Where the page looks from.
    pub camera: Camera,
    /// Width of the view over its height.
    pub aspect: f64,
    /// From 0 at the left to 1 at the right.
    pub x: f64,
    /// From 0 at the bottom to 1 at the top.
    pub y: f64,
}

/// Most files that are taken at once.
const MAX_FILES: usize = 1000;

impl Event {
    /// Reads a request; the error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Event, String> {
        let value: Value = serde_json::from_str(text).map_err(|_| "not JSON".to_owned())?;
        let v = Object(&value);
        Ok(match v.text("do")? {
            "drawn" => Event::Drawn,
            "run" => Event::Run(v.flag("on")?),
            "step" => Event::Step(v.int("n")?),
            "speed" => Event::Speed(v.number("x")?),
            "reset" => Event::Reset,
            "key" => Event::Key(v.index("i")?),
            "scrub" => Event::Scrub(v.index("i")?),
            "control" => Event::Control(v.index("i")?, v.number("x")?),
            "clear" => Event::ClearControls,
            "joint" => Event::Joint(v.index("i")?, v.number("x")?),
            "flag" => Event::Flag(v.index("i")?, v.flag("on")?),
            "group" => Event::Group(v.index("kind")?, v.index("i")?, v.flag("on")?),
            "choice" => Event::Choice(v.choice()?, v.int("i")?),
            "look" => Event::Look(v.camera()?),
            "select" => Event::Select(v.pointer()?),
            "deselect" => Event::Deselect,
            "grab" => {
                Event::Grab { at: v.pointer()?, turn: v.flag("turn")?, pick: v.flag("pick")? }
            }
            "drag" => Event::Drag(v.mouse()?, [v.number("dx")?, v.number("dy")?]),
            "release" => Event::Release,
            "reload" => Event::Reload,
            "drop" => Event::Drop(v.files()?),
            "pressed" => Event::Pressed(v.int("key")?),
            "size" => Event::Size(v.int("width")?, v.int("height")?),
            "quit" => Event::Quit,
            other => return Err(format!("nothing is known of '{}'", clipped(other))),
        })
    }
}

/// The beginning of a text, for a message.
fn clipped(text: &str) -> String {
    text.chars().take(40).collect()
}

/// An object of JSON whose members are asked for by name.
struct Object<'a>(&'a Value);

impl<'a> Object<'a> {
    fn wanted(name: &str, kind: &str) -> String {
        format!("'{name}' should be {kind}")
    }

    fn text(&self, name: &str) -> Result<&'a str, String> {
        self.0[name].as_str().ok_or_else(|| Self::wanted(name, "a text"))
    }

    fn flag(&self, name: &str) -> Result<bool, String> {
        self.0[name].as_bool().ok_or_else(|| Self::wanted(name, "true or false"))
    }

    fn number(&self, name: &str) -> Result<f64, String> {
        let number = self.0[name].as_f64().filter(|x| x.is_finite() && x.abs() < 1e100);
        number.ok_or_else(|| Self::wanted(name, "a number"))
    }

    fn int(&self, name: &str) -> Result<i32, String> {
        let int = self.0[name].as_i64().and_then(|i| i32::try_from(i).ok());
        int.ok_or_else(|| Self::wanted(name, "an integer"))
    }

    fn index(&self, name: &str) -> Result<usize, String> {
        let index = self.0[name].as_u64().and_then(|i| u32::try_from(i).ok());
        Ok(index.ok_or_else(|| Self::wanted(name, "a natural number"))? as usize)
    }

    fn choice(&self) -> Result<Choice, String> {
        Ok(match self.text("of")? {
            "label" => Choice::Label,
            "frame" => Choice::Frame,
            "bvh_depth" => Choice::BvhDepth,
            "flex_layer" => Choice::FlexLayer,
            _ => return Err(Self::wanted("of", "label, frame, bvh_depth or flex_layer")),
        })
    }

    /// A camera: that of the model with a number, one that tracks a body, or a free one.
    fn camera(&self) -> Result<Camera, String> {
        let v = Object(&self.0["camera"]);
        let lookat = v.0["lookat"].as_array().filter(|l| l.len() == 3);
        let lookat = lookat.ok_or_else(|| Self::wanted("lookat", "three numbers"))?;
        let at = |k: usize| lookat[k].as_f64().filter(|x| x.is_finite() && x.abs() < 1e100);
        let (Some(x), Some(y), Some(z)) = (at(0), at(1), at(2)) else {
            return Err(Self::wanted("lookat", "three numbers"));
        };
        Ok(Camera {
            r#type: VisCamera(v.int("type")?),
            fixedcamid: v.int("fixedcamid")?,
            trackbodyid: v.int("trackbodyid")?,
            orthographic: v.int("orthographic")?,
            lookat: Vec3::new(x, y, z),
            distance: v.number("distance")?,
            azimuth: v.number("azimuth")?,
            elevation: v.number("elevation")?,
        })
    }

    fn pointer(&self) -> Result<Pointer, String> {
        Ok(Pointer {
            camera: self.camera()?,
            aspect: self.number("aspect")?.clamp(0.01, 100.0),
            x: self.number("x")?,
            y: self.number("y")?,
        })
    }

    fn mouse(&self) -> Result<VisMouse, String> {
        Ok(match self.text("action")? {
            "move" => VisMouse::MoveV,
            "move-level" => VisMouse::MoveH,
            "turn" => VisMouse::RotateV,
            "turn-level" => VisMouse::RotateH,
            _ => return Err(Self::wanted("action", "move, move-level, turn or turn-level")),
        })
    }

    fn files(&self) -> Result<Vec<(String, Vec<u8>)>, String> {
        let list = self.0["files"].as_array().filter(|l| l.len() <= MAX_FILES);
        let list = list.ok_or_else(|| Self::wanted("files", "a list"))?;
        let file = |value: &Value| {
            let v = Object(value);
            let bytes = from_base64(v.text("data")?).ok_or("data should be Base64")?;
            Ok((v.text("name")?.to_owned(), bytes))
        };
        list.iter().map(file).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        assert_eq!(Event::parse(r#"{"do":"run","on":true}"#), Ok(Event::Run(true)));
        let control = r#"{"do":"control","i":2,"x":-0.5}"#;
        assert_eq!(Event::parse(control), Ok(Event::Control(2, -0.5)));
        let drop = r#"{"do":"drop","files":[{"name":"a.xml","data":"aGk="}]}"#;
        assert_eq!(Event::parse(drop), Ok(Event::Drop(vec![("a.xml".into(), b"hi".to_vec())])));
        let camera = r#"{"type":0,"fixedcamid":-1,"trackbodyid":-1,"orthographic":0,
                         "lookat":[1,2,3],"distance":4,"azimuth":5,"elevation":6}"#;
        let look = format!(r#"{{"do":"look","camera":{camera}}}"#);
        let Ok(Event::Look(camera)) = Event::parse(&look) else { panic!("{look}") };
        assert_eq!((camera.lookat.y, camera.elevation), (2.0, 6.0));
    }

    #[test]
    fn malformed_requests_are_errors_with_words() {
        for text in [
            "",
            "[]",
            "null",
            r#"{"do":1}"#,
            r#"{"do":"explode"}"#,
            r#"{"do":"run"}"#,
            r#"{"do":"control","i":-1,"x":0}"#,
            r#"{"do":"control","i":0,"x":1e999}"#,
            r#"{"do":"control","i":99999999999,"x":0}"#,
            r#"{"do":"look","camera":{"type":0,"lookat":[1,2]}}"#,
            r#"{"do":"drop","files":[{"name":"a","data":"*"}]}"#,
            r#"{"do":"drag","action":"fly","dx":0,"dy":0}"#,
        ] {
            assert!(Event::parse(text).is_err(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(Event::parse(&deep).is_err());
    }
}
