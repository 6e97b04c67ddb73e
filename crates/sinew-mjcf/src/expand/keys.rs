//! Keyframes of models that are put together: values go with joints, actuators and mocap bodies.

use std::collections::HashMap;

use sinew_model::validate::MAX_DATA_NUMBERS;

use crate::spec::{Attr, Head, Key, Span};

/// The lists of a keyframe.
pub(crate) const LISTS: [&str; 6] = ["qpos", "qvel", "act", "ctrl", "mpos", "mquat"];

/// Keyframes whose places are not known before the model is complete.
#[derive(Default)]
pub(crate) struct Keys {
    pub(crate) marks: u32,
    pub(crate) pending: Vec<Pending>,
    /// The numbers of a marked object in the lists.
    pub(crate) widths: HashMap<u32, Widths>,
    /// For a joint or a mocap body of the file: the values that MuJoCo appends to a list that was
    /// written before the object existed.
    pub(crate) written: HashMap<u32, Vec<f64>>,
    /// Marks of the objects in the model so far: joints, actuators, mocap bodies.
    pub(crate) present: [Vec<u32>; 3],
    /// How long lists were made when something was last attached or copied.
    pub(crate) grown: Widths,
    /// Number of entries of the pending keyframes.
    numbers: usize,
}

pub(crate) type Widths = [usize; 6];

pub(crate) struct Pending {
    pub(crate) head: Head,
    pub(crate) name: Attr<String>,
    pub(crate) time: Attr<f64>,
    /// For each list, if it is written: values by mark.
    pub(crate) lists: [Option<HashMap<u32, Vec<f64>>>; 6],
    /// Where it has a plastic state, which is not carried.
    pub(crate) plastic: Option<Span>,
}

impl Keys {
    /// A mark for a new object.
    pub(crate) fn next_mark(&mut self) -> u32 {
        self.marks += 1;
        self.marks
    }

    /// The mark of a copy, which takes over the values stored for the original.
    pub(crate) fn copied(&mut self, mark: u32) -> u32 {
        let new = self.next_mark();
        if let Some(widths) = self.widths.get(&mark).copied() {
            self.add(new, widths);
        }
        if let Some(written) = self.written.get(&mark).cloned() {
            self.written.insert(new, written);
        }
        for list in self.pending.iter_mut().flat_map(|p| p.lists.iter_mut().flatten()) {
            if let Some(values) = list.remove(&mark) {
                list.insert(new, values);
            }
        }
        new
    }

    pub(crate) fn add(&mut self, mark: u32, widths: Widths) {
        let kind = match widths {
            [0, 0, 0, 0, ..] => 2,
            [0, 0, ..] => 1,
            _ => 0,
        };
        self.widths.insert(mark, widths);
        self.present[kind].push(mark);
    }

    /// Whether no keyframe has been stored yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.pending.is_empty()
    }

    /// Forgets activations and controls of an actuator in all keyframes so far; they become zero.
    pub(crate) fn forget_actuator(&mut self, mark: u32) {
        for pending in &mut self.pending {
            let lists = pending.lists.iter_mut().zip(LISTS);
            for (list, _) in lists.filter(|(_, name)| matches!(*name, "act" | "ctrl")) {
                list.iter_mut().for_each(|list| drop(list.remove(&mark)));
            }
        }
    }

    /// Stores a keyframe, whose lists have grown to the given lengths if they were shorter, over
    /// objects in the given order. An error names the list that does not fit.
    pub(crate) fn store(
        &mut self,
        key: &Key,
        name: String,
        marks: &[Vec<u32>; 3],
        grown: Widths,
    ) -> Option<String> {
        let mut error = None;
        let written = [&key.qpos, &key.qvel, &key.act, &key.ctrl, &key.mpos, &key.mquat];
        for l in (0..LISTS.len()).filter(|&l| written[l].get().is_some()) {
            for widths in marks.iter().flatten().filter_map(|mark| self.widths.get(mark)) {
                self.numbers = self.numbers.saturating_add(widths[l]);
            }
        }
        if self.numbers > MAX_DATA_NUMBERS {
            return Some(format!("keyframes have more than {MAX_DATA_NUMBERS} numbers"));
        }
        let lists = core::array::from_fn(|l| {
            let values = written[l].get().filter(|v| !v.is_empty())?;
            let mut at = 0;
            let mut list = HashMap::new();
            for mark in marks.iter().flatten() {
                let width = self.widths.get(mark).map_or(0, |w| w[l]);
                if width > 0 {
                    let part = match values.get(at..at + width) {
                        Some(part) => part.to_vec(),
                        None => self.appended(l, *mark, width),
                    };
                    list.insert(*mark, part);
                }
                at += width;
            }
            let found = values.len().max(grown[l]);
            if found != at {
                let name = key.name.text();
                let what = LISTS[l];
                error = Some(format!(
                    "Keyframe '{name}' has invalid {what} size, got {found}, should be {at}"
                ));
            }
            Some(list)
        });
        // a keyframe without a name has its copy's name
        let name = match key.name.span() {
            None if name.is_empty() => Attr::default(),
            span => Attr::at(name, span.unwrap_or(key.head.span)),
        };
        let (time, plastic) = (key.time.clone(), key.plastic.span());
        self.pending.push(Pending { head: key.head, name, time, lists, plastic });
        error
    }
}

impl Keys {
    /// The numbers that follow a list that ends before an object.
    fn appended(&self, list: usize, mark: u32, width: usize) -> Vec<f64> {
        let written = self.written.get(&mark).map_or(&[][..], Vec::as_slice);
        let part = match LISTS[list] {
            "qpos" | "mpos" => written.get(..width),
            "mquat" => written.get(3..3 + width),
            _ => None,
        };
        part.map_or_else(|| vec![0.0; width], <[f64]>::to_vec)
    }
}
