//! Carries keyframes through copies and attachments.

use sinew_model::enums::{DynType, JointType};
use sinew_model::validate::MAX_DATA_NUMBERS;

use crate::actuator_kinds::ActuatorSettings;
use crate::compile::objects::keyframe::MAX_KEYS;
use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::expand::expander::{Expander, mark_geom};
use crate::expand::keys::{Keys, LISTS, Pending, Widths};
use crate::expand::names::Kind;
use crate::spec::{Actuator, Attr, Body, Child, Head, Key, Spec};

impl Expander<'_> {
    /// Marks the actuators of the model itself.
    pub(crate) fn mark_actuators(&mut self) {
        if self.spec.keys.is_empty() && self.spec.models.is_empty() {
            return;
        }
        for actuator in &mut self.spec.actuators {
            actuator.head.mark = self.keys.next_mark();
            let [act, ctrl] = actuator_widths(&self.defaults, actuator);
            self.keys.add(actuator.head.mark, [0, 0, act, ctrl, 0, 0]);
        }
    }

    /// Marks a joint or mocap body of the model itself.
    pub(crate) fn mark(&mut self, child: &mut Child) {
        let written = written_of(&self.defaults, child);
        if let Some(widths) = widths_of(&self.defaults, child)
            && let Some(head) = head_mut(child)
        {
            head.mark = self.keys.next_mark();
            self.keys.add(head.mark, widths);
            self.keys.written.insert(head.mark, written);
        }
    }

    /// Marks all of a model that is to be attached. Such keyframes are not part of this model.
    pub(crate) fn mark_sub(&mut self, sub: &mut Spec) {
        let defaults = Defaults::new(sub);
        for actuator in &mut sub.actuators {
            actuator.head.mark = self.keys.next_mark();
            let [act, ctrl] = actuator_widths(&defaults, actuator);
            self.keys.widths.insert(actuator.head.mark, [0, 0, act, ctrl, 0, 0]);
        }
        let keys = &mut self.keys;
        for_each(&mut sub.world, &mut |child| {
            mark_geom(&defaults, child);
            let written = written_of(&defaults, child);
            if let Some(widths) = widths_of(&defaults, child)
                && let Some(head) = head_mut(child)
            {
                head.mark = keys.next_mark();
                keys.widths.insert(head.mark, widths);
                keys.written.insert(head.mark, written);
            }
        });
    }

    /// Something was attached or copied: lists that are shorter than the model are made longer.
    pub(crate) fn grow_keys(&mut self) {
        if self.spec.keys.is_empty() {
            return;
        }
        let Keys { present, widths, grown, .. } = &mut self.keys;
        *grown = Widths::default();
        for widths in present.iter().flatten().filter_map(|mark| widths.get(mark)) {
            grown.iter_mut().zip(widths).for_each(|(sum, width)| *sum += width);
        }
    }

    /// Keeps the model's own keyframes for the objects it has so far, under another name.
    pub(crate) fn store_keys(&mut self, suffix: &str) -> Option<String> {
        let mut error = None;
        for key in &self.spec.keys {
            let name = format!("{}{suffix}", key.name.text());
            let (marks, grown) = (self.keys.present.clone(), self.keys.grown);
            error = self.keys.store(key, name, &marks, grown).or(error);
        }
        error
    }

    /// Ends the replication of a model with keyframes: all of them are pending now.
    pub(crate) fn forget_own_keys(&mut self) {
        for key in core::mem::take(&mut self.spec.keys) {
            self.names.remove(Kind::Key, key.name.text());
        }
    }

    /// Keeps the keyframes of a model that is attached.
    pub(crate) fn store_sub_keys(
        &mut self,
        sub: &Spec,
        prefix: &str,
        suffix: &str,
    ) -> Option<String> {
        if sub.keys.is_empty() {
            return None;
        }
        let marks = marks_in_order(sub);
        let mut error = None;
        for key in &sub.keys {
            // keyframes that were pending there keep their names, as MuJoCo warns
            let (prefix, suffix) = if key.partial { ("", "") } else { (prefix, suffix) };
            let name = format!("{prefix}{}{suffix}", key.name.text());
            error = self.keys.store(key, name, &marks, Widths::default()).or(error);
        }
        error
    }

    /// Removes objects from those the model has.
    pub(crate) fn unmark(&mut self, children: &[Child]) {
        let mut gone = Vec::new();
        collect(children, &mut gone);
        for list in &mut self.keys.present {
            list.retain(|m| !gone.contains(m));
        }
    }

    pub(crate) fn key_errors(&mut self, error: Option<String>, head: Head) {
        if let Some(words) = error {
            self.diag.error("keyframe", head.span, words);
        }
    }

    /// Turns pending keyframes into keyframes of the complete model; a NaN stands for the
    /// reference pose.
    pub(crate) fn resolve_keys(&mut self) {
        if self.keys.pending.is_empty() {
            return;
        }
        // after the empty ones that the model asks for
        let wanted = self.spec.size.nkey.or(0);
        if let Ok(wanted) = usize::try_from(wanted.min(MAX_KEYS)) {
            let keys = &mut self.spec.keys;
            keys.resize_with(keys.len().max(wanted), Key::default);
        }
        let marks = marks_in_order(&self.spec);
        if self.count_pending(&marks).is_none_or(|numbers| numbers > MAX_DATA_NUMBERS) {
            let text = format!("keyframes have more than {MAX_DATA_NUMBERS} numbers");
            self.diag.error("too-large", self.keys.pending[0].head.span, text);
            return;
        }
        for pending in core::mem::take(&mut self.keys.pending) {
            if let Some(span) = pending.plastic {
                let text =
                    "'plastic' is not supported in keyframes of models with replicate or attach";
                self.diag.error("keyframe", span, text);
            }
            let mut lists = [const { None }; 6];
            for (l, values) in pending.lists.iter().enumerate() {
                let Some(values) = values else { continue };
                let missing =
                    if matches!(LISTS[l], "qpos" | "mpos" | "mquat") { f64::NAN } else { 0.0 };
                let mut out = Vec::new();
                for mark in marks.iter().flatten() {
                    let width = self.keys.widths.get(mark).map_or(0, |w| w[l]);
                    match values.get(mark) {
                        Some(values) => out.extend(values),
                        None => out.extend(core::iter::repeat_n(missing, width)),
                    }
                }
                lists[l] = Some(out);
            }
            let span = pending.head.span;
            let [qpos, qvel, act, ctrl, mpos, mquat] =
                lists.map(|l| l.map_or(Attr::default(), |v| Attr::at(v, span)));
            let Pending { head, name, time, .. } = pending;
            self.add_name(Kind::Key, &name, head);
            self.spec.keys.push(Key {
                head,
                name,
                time,
                qpos,
                qvel,
                act,
                mpos,
                mquat,
                ctrl,
                plastic: Attr::default(),
                partial: true,
            });
        }
    }

    /// Maximum number of entries that the pending keyframes may come to have; none where it
    /// overflows.
    fn count_pending(&self, marks: &[Vec<u32>]) -> Option<usize> {
        let mut width = 0_usize;
        for mark in marks.iter().flatten() {
            for &w in self.keys.widths.get(mark).into_iter().flatten() {
                width = width.checked_add(w)?;
            }
        }
        width.checked_mul(self.keys.pending.len())
    }
}

/// Numbers of activations and of controls of an actuator.
fn actuator_widths(defaults: &Defaults, actuator: &Actuator) -> [usize; 2] {
    let mut set = ActuatorSettings::default();
    let mut diag = Diagnostics::default();
    for record in defaults.actuators(&actuator.head) {
        set.apply(record, &mut diag);
    }
    set.apply(actuator, &mut diag);
    let act = match usize::try_from(set.actdim) {
        Ok(n) if n > 0 => n,
        _ if set.dyntype == DynType::None => 0,
        _ => set.activations(),
    };
    [act, set.rows()]
}

/// The numbers of a joint or mocap body in the lists.
fn widths_of(defaults: &Defaults, child: &Child) -> Option<Widths> {
    let (nq, nv) = match child {
        Child::FreeJoint(_) => (7, 6),
        Child::Joint(j) => match defaults.joint(j).type_.or(JointType::Hinge) {
            JointType::Free => (7, 6),
            JointType::Ball => (4, 3),
            _ => (1, 1),
        },
        Child::Body(b) if b.values().mocap() => return Some([0, 0, 0, 0, 3, 4]),
        _ => return None,
    };
    Some([nq, nv, 0, 0, 0, 0])
}

/// Where the file has a joint or a mocap body, before units, frames and orientations other than
/// quaternions are resolved. MuJoCo does not know yet that a joint is free or a ball.
fn written_of(defaults: &Defaults, child: &Child) -> Vec<f64> {
    match child {
        Child::Joint(j) => {
            let mut qpos = vec![0.0; 7];
            qpos[0] = defaults.joint(j).ref_.or(0.0);
            qpos
        }
        Child::FreeJoint(_) => vec![0.0; 7],
        Child::Body(b) if b.values().mocap() => {
            let (pos, quat) = (b.values().pos(), b.values().quat());
            pos.into_iter().chain(quat).collect()
        }
        _ => Vec::new(),
    }
}

fn head_mut(child: &mut Child) -> Option<&mut Head> {
    match child {
        Child::Joint(j) => Some(&mut j.head),
        Child::FreeJoint(j) => Some(&mut j.head),
        Child::Body(b) => Some(&mut b.head),
        _ => None,
    }
}

fn for_each(body: &mut Body, f: &mut dyn FnMut(&mut Child)) {
    fn walk(children: &mut [Child], f: &mut dyn FnMut(&mut Child)) {
        for child in children {
            f(child);
            match child {
                Child::Body(b) => walk(&mut b.children, f),
                Child::Frame(x) => walk(&mut x.children, f),
                _ => {}
            }
        }
    }
    walk(&mut body.children, f);
}

/// Marks of joints, actuators and mocap bodies in the order of the compiled model.
fn marks_in_order(spec: &Spec) -> [Vec<u32>; 3] {
    // joints of a body before its children's joints
    fn joints(children: &[Child], out: &mut Vec<u32>) {
        for child in children {
            match child {
                Child::Joint(j) => out.push(j.head.mark),
                Child::FreeJoint(j) => out.push(j.head.mark),
                Child::Frame(f) => joints(&f.children, out),
                _ => {}
            }
        }
    }
    fn bodies(children: &[Child], out: &mut [Vec<u32>; 3]) {
        for child in children {
            match child {
                Child::Body(b) => {
                    joints(&b.children, &mut out[0]);
                    if b.values().mocap() {
                        out[2].push(b.head.mark);
                    }
                    bodies(&b.children, out);
                }
                Child::Frame(f) => bodies(&f.children, out),
                _ => {}
            }
        }
    }

    // bodies depth first, actuators as listed
    let mut out = [Vec::new(), Vec::new(), Vec::new()];
    bodies(&spec.world.children, &mut out);
    out[1] = spec.actuators.iter().map(|a| a.head.mark).collect();
    out
}

fn collect(children: &[Child], out: &mut Vec<u32>) {
    for child in children {
        match child {
            Child::Joint(j) => out.push(j.head.mark),
            Child::FreeJoint(j) => out.push(j.head.mark),
            Child::Body(b) => {
                if b.head.mark != 0 {
                    out.push(b.head.mark);
                }
                collect(&b.children, out);
            }
            Child::Frame(f) => collect(&f.children, out),
            _ => {}
        }
    }
}
