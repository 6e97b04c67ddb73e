//! Keyframes: keyframes of the model, and poses that users add while they watch.

use serde_json::{Value, json};
use sinew_model::enums::{ObjType, StateBit};
use sinew_model::state::{get_state, set_state, state_size};
use sinew_model::{Data, Model};

/// The parts of a state that a keyframe has.
const PARTS: i32 = StateBit::Time.0
    | StateBit::Qpos.0
    | StateBit::Qvel.0
    | StateBit::Act.0
    | StateBit::Ctrl.0
    | StateBit::MocapPos.0
    | StateBit::MocapQuat.0;

/// Maximum number of poses that users add.
const MAX_ADDED: usize = 100;
/// Maximum number of values of a pose that is sent as text.
const MAX_WRITTEN: usize = 20_000;

/// A keyframe; a user's pose has a state and its text in MJCF.
#[derive(Debug)]
struct Pose {
    name: String,
    set: Option<(Vec<f64>, String)>,
}

/// The keyframes of a simulation.
#[derive(Debug)]
pub(crate) struct Poses {
    list: Vec<Pose>,
    changed: bool,
}

impl Poses {
    /// The keyframes of a model.
    pub(crate) fn new(m: &Model) -> Poses {
        let name = |k| {
            let name = m.id2name(ObjType::Key, k).filter(|name| !name.is_empty());
            name.map_or(format!("#{k}"), str::to_owned)
        };
        let list = (0..m.nkey).map(|k| Pose { name: name(k), set: None }).collect();
        Poses { list, changed: true }
    }

    /// Sets a keyframe to the present state, or adds one; `false` if there is no such keyframe or
    /// there are too many.
    pub(crate) fn set(&mut self, m: &Model, d: &Data, k: Option<usize>) -> bool {
        let k = k.unwrap_or(self.list.len());
        if k > self.list.len() || k >= m.nkey + MAX_ADDED {
            return false;
        }
        if k == self.list.len() {
            self.list.push(Pose { name: format!("pose {}", k + 1 - m.nkey), set: None });
        }
        let mut state = vec![0.0; state_size(m, PARTS).unwrap_or(0)];
        // the vector has the size of these parts
        let _ = get_state(m, d, &mut state, PARTS);
        let text =
            if state.len() > MAX_WRITTEN { String::new() } else { element(&self.list[k].name, d) };
        self.list[k].set = Some((state, text));
        self.changed = true;
        true
    }

    /// Sets the state to a keyframe; the state was reset.
    pub(crate) fn load(&self, m: &Model, d: &mut Data, k: usize) {
        match self.list.get(k).map(|pose| &pose.set) {
            // the state has the size of these parts
            Some(Some((state, _))) => _ = set_state(m, d, state, PARTS),
            _ => sinew_engine::reset_data_keyframe(m, d, k),
        }
    }

    pub(crate) fn has(&self, k: usize) -> bool {
        k < self.list.len()
    }

    /// The list for pages, if it has changed.
    pub(crate) fn news(&mut self) -> Option<Value> {
        let entry = |pose: &Pose| match &pose.set {
            Some((_, text)) => json!({ "name": pose.name, "set": true, "xml": text }),
            None => json!({ "name": pose.name }),
        };
        std::mem::take(&mut self.changed).then(|| self.list.iter().map(entry).collect())
    }
}

/// A state as an element of MJCF; attributes that are all zero, the default, are left out.
fn element(name: &str, d: &Data) -> String {
    let name = name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let mut text = format!("<key name=\"{name}\"");
    let mut add = |attribute: &str, values: &[f64], default: bool| {
        if values.is_empty() || default && values.iter().all(|&x| x == 0.0) {
            return;
        }
        let number = |&x: &f64| {
            let text = format!("{x:?}");
            text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
        };
        let numbers: Vec<String> = values.iter().map(number).collect();
        text += &format!(" {attribute}=\"{}\"", numbers.join(" "));
    };
    add("time", &[d.time], true);
    add("qpos", &d.qpos, false);
    add("qvel", &d.qvel, true);
    add("act", &d.act, true);
    add("ctrl", &d.ctrl, true);
    add("mpos", d.mocap_pos.flat(), false);
    add("mquat", d.mocap_quat.flat(), false);
    text + "/>"
}

#[cfg(test)]
mod tests {
    use super::*;

    const XML: &str = "<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body>\
        <body mocap='true' pos='1 2 3'><geom size='.1' contype='0' conaffinity='0'/></body>\
        </worldbody><keyframe><key name='a&amp;b' qpos='0 0 1 1 0 0 0'/></keyframe></mujoco>";

    fn load(xml: &str) -> Model {
        sinew_mjcf::load_str(xml, &Default::default(), &Default::default()).unwrap().model
    }

    #[test]
    fn a_pose_is_set_loaded_and_reads_back_as_mjcf() {
        let m = load(XML);
        let (mut d, mut poses) = (Data::new(&m), Poses::new(&m));
        for _ in 0..10 {
            sinew_engine::step(&m, &mut d);
        }
        assert!(poses.set(&m, &d, None) && poses.set(&m, &d, Some(0)));
        assert!(!poses.set(&m, &d, Some(7)));
        let news = poses.news().unwrap();
        assert!(poses.news().is_none());
        assert_eq!(news[1]["name"], "pose 1");

        // the text gives the same numbers
        let key = news[0]["xml"].as_str().unwrap();
        let xml = XML.replace("<key name='a&amp;b' qpos='0 0 1 1 0 0 0'/>", key);
        let again = load(&xml);
        let (mut a, mut b) = (Data::new(&again), Data::new(&m));
        sinew_engine::reset_data_keyframe(&again, &mut a, 0);
        sinew_engine::reset_data(&m, &mut b);
        poses.load(&m, &mut b, 1);
        let numbers = |d: &Data| [&[d.time], d.qpos.flat(), d.qvel.flat()].concat();
        assert_eq!(numbers(&a), numbers(&d));
        assert_eq!(numbers(&b), numbers(&d));
    }

    #[test]
    fn poses_are_bounded() {
        let m = load(XML);
        let (d, mut poses) = (Data::new(&m), Poses::new(&m));
        assert_eq!((0..500).filter(|_| poses.set(&m, &d, None)).count(), MAX_ADDED);
    }
}
