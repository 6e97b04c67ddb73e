//! Requests of pages: JSON objects whose member `do` names the request.
//!
//! Parsing checks the form: members are present, numbers are finite, lists are short. The user of
//! an index checks that the model has such an object.

use serde_json::Value;
use sinew_math::Vec3;
use sinew_model::enums::{VisCamera, VisMouse};
use sinew_scene::Camera;

use crate::digest::from_base64;
use crate::widgets::{Input, WidgetId};

/// A request of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The page has drawn a frame and can take the next.
    Drawn,
    /// Runs or pauses the simulation.
    Run(bool),
    /// Makes this many steps while paused; a negative number goes back by frames of the history.
    Step(i32),
    /// Sets the speed in simulated seconds per second.
    Speed(f64),
    /// Returns to the initial state.
    Reset,
    /// Returns to a keyframe.
    Key(usize),
    /// Sets a keyframe to the present state; without a number, a new one.
    SetKey(Option<usize>),
    /// Shows a state of the history.
    Scrub(usize),
    /// Sets a control.
    Control(usize, f64),
    /// Sets all controls to zero.
    ClearControls,
    /// Sets an option of the physics by its name in MJCF.
    Option(String, Vec<f64>),
    /// A user's action on a widget.
    Widget(WidgetId, Input),
    /// Sets the position of a hinge or slide joint.
    Joint(usize, f64),
    /// Sets a flag of `mjtVisFlag`.
    Flag(usize, bool),
    /// Shows or hides a group of geoms, sites, joints, tendons, actuators, flexes or skins.
    Group(usize, usize, bool),
    /// Sets labels, frames, the depth of bounding volumes or the layer of flexes.
    Choice(Choice, i32),
    /// Sets the camera of the page.
    Look(Camera),
    /// Selects the object under the cursor, or clears the selection over empty space.
    Select(Pointer),
    /// Clears the selection.
    Deselect,
    /// Grabs the selected body, or with `pick` the body under the cursor.
    Grab {
        /// Cursor position.
        at: Pointer,
        /// Rotates instead of moving.
        turn: bool,
        /// Selects the body under the cursor first.
        pick: bool,
    },
    /// Moves or rotates the grabbed body.
    Drag(VisMouse, [f64; 2]),
    /// Releases the grabbed body.
    Release,
    /// Reloads the model.
    Reload,
    /// Loads dropped files.
    Drop(Vec<(String, Vec<u8>)>),
    /// A key was pressed; the number is GLFW's.
    Pressed(i32),
    /// Width and height of a page's view in pixels.
    Size(i32, i32),
    /// Closes the viewer.
    Quit,
}

/// The display setting that a choice sets.
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

/// The cursor, and the camera of its view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Camera of the page.
    pub camera: Camera,
    /// Aspect ratio of the view, width over height.
    pub aspect: f64,
    /// Horizontal position, from 0 at the left to 1 at the right.
    pub x: f64,
    /// Vertical position, from 0 at the bottom to 1 at the top.
    pub y: f64,
}

/// Maximum number of files in one drop.
const MAX_FILES: usize = 1000;

impl Event {
    /// Parses a request; the error names the faulty member.
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
            "set_key" => Event::SetKey(Some(v.index("i")?)),
            "new_key" => Event::SetKey(None),
            "scrub" => Event::Scrub(v.index("i")?),
            "control" => Event::Control(v.index("i")?, v.number("x")?),
            "clear" => Event::ClearControls,
            "option" => Event::Option(clipped(v.text("name")?), v.numbers("x")?),
            "widget" => Event::Widget(v.index("id")? as WidgetId, v.input()?),
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

/// The beginning of a text, short enough for a message.
fn clipped(text: &str) -> String {
    text.chars().take(40).collect()
}

/// A JSON object whose members are read by name and type.
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

    /// At most ten numbers, the length of the longest option.
    fn numbers(&self, name: &str) -> Result<Vec<f64>, String> {
        let list = self.0[name].as_array().filter(|list| list.len() <= 10);
        let finite = |x: &Value| x.as_f64().filter(|x| x.is_finite() && x.abs() < 1e100);
        let numbers = list.and_then(|list| list.iter().map(finite).collect());
        numbers.ok_or_else(|| Self::wanted(name, "a list of numbers"))
    }

    /// The action on a widget: a number, a change, a text, or else a press.
    fn input(&self) -> Result<Input, String> {
        let has = |name: &str| self.0.get(name).is_some();
        Ok(match () {
            () if has("x") => Input::Number(self.number("x")?),
            () if has("by") => Input::Change(self.number("by")?),
            () if has("text") => Input::Text(self.text("text")?.to_owned()),
            () => Input::Press,
        })
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

    /// A camera: fixed (a camera of the model), tracking a body, or free.
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
        let option = r#"{"do":"option","name":"gravity","x":[0,0,-1]}"#;
        let gravity = Event::Option("gravity".into(), vec![0.0, 0.0, -1.0]);
        assert_eq!(Event::parse(option), Ok(gravity));
        let widget = |more: &str| Event::parse(&format!(r#"{{"do":"widget","id":3{more}}}"#));
        assert_eq!(widget(""), Ok(Event::Widget(3, Input::Press)));
        assert_eq!(widget(r#","by":-2"#), Ok(Event::Widget(3, Input::Change(-2.0))));
        assert_eq!(widget(r#","x":2"#), Ok(Event::Widget(3, Input::Number(2.0))));
        assert_eq!(widget(r#","text":"a""#), Ok(Event::Widget(3, Input::Text("a".into()))));
        let camera = r#"{"type":0,"fixedcamid":-1,"trackbodyid":-1,"orthographic":0,
                         "lookat":[1,2,3],"distance":4,"azimuth":5,"elevation":6}"#;
        let look = format!(r#"{{"do":"look","camera":{camera}}}"#);
        let Ok(Event::Look(camera)) = Event::parse(&look) else { panic!("{look}") };
        assert_eq!((camera.lookat.y, camera.elevation), (2.0, 6.0));
    }

    #[test]
    fn malformed_requests_give_messages() {
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
            r#"{"do":"option","name":"gravity","x":[0,null]}"#,
            r#"{"do":"option","name":"gravity","x":1}"#,
            r#"{"do":"widget","id":1,"x":"a"}"#,
            r#"{"do":"widget","id":1,"text":5}"#,
            r#"{"do":"drag","action":"fly","dx":0,"dy":0}"#,
        ] {
            assert!(Event::parse(text).is_err(), "{text}");
        }
        let deep = "[".repeat(100_000);
        assert!(Event::parse(&deep).is_err());
    }
}
