//! Repeats the contents of `<replicate>` and inserts the models that `<attach>` names.
//!
//! Both follow MuJoCo's attachment. A copy of a subtree gets new names. Every element that refers
//! to the subtree (a sensor, an actuator ...) is copied too if its new target exists. This makes
//! the order of elements matter, so the tree is walked as MuJoCo's reader does.

mod carry_keys;
pub(crate) mod composite;
mod conflict;
mod expander;
pub(crate) mod flexcomp;
mod keys;
mod names;
mod plugins;
mod refs;
mod rename;
pub(crate) mod subtree;

use std::borrow::Cow;
use std::collections::HashMap;

use sinew_math::Vec3;

use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::expand::conflict::merge_settings;
use crate::expand::expander::{Expander, mark_geom};
use crate::expand::keys::Keys;
use crate::expand::names::{Kind, Names};
use crate::expand::rename::Rename;
use crate::expand::subtree::{
    MAX_DEPTH, count_of, depth_of, drop_inertials, find_body, move_to_frames, name_of, names_in,
    take_body,
};
use crate::orientation;
use crate::schema::nearest;
use crate::settings::Settings;
use crate::spec::{Attach, Attr, Body, Child, Frame, Head, Orientation, Replicate, Site, Spec};

/// Elements of a model after expansion, at most: a bound on memory and time.
const MAX_ELEMENTS: usize = 200_000;

/// Sensors that refer to nothing, at most: every copy of a replicate doubles their number.
const MAX_FREE: usize = 1 << 16;

/// The model without [`Child::Replicate`] and [`Child::Attach`]: frames and bodies only, and
/// borrowed if there was nothing to do. Errors go to `diag`.
pub(crate) fn expand<'s>(spec: &'s Spec, diag: &mut Diagnostics) -> Cow<'s, Spec> {
    if !has_work(&spec.world.children) {
        return Cow::Borrowed(spec);
    }

    // the lists are kept, the tree is built anew
    let mut spec = spec.clone();
    let tree = core::mem::take(&mut spec.world.children);
    let mut e = new_expander(spec, diag);

    // the tree
    let mut children = e.children(&tree);
    e.move_bodies(&mut children, 0);
    e.spec.world.children = children;

    // checks that are possible only at the end
    e.no_joints_in_world();
    e.resolve_keys();
    Cow::Owned(e.spec)
}

/// The model without a body, and without the elements that refer to the body or to its contents.
pub(crate) fn detach(
    spec: &Spec,
    wanted: &dyn Fn(&Body) -> bool,
    diag: &mut Diagnostics,
) -> Option<(Spec, Body)> {
    let mut spec = spec.clone();
    let tree = core::mem::take(&mut spec.world.children);
    let mut e = new_expander(spec, diag);
    let mut children = e.children(&tree);
    e.move_bodies(&mut children, 0);
    let subtree = [Child::Body(take_body(&mut children, wanted)?)];

    // keyframes are made again for the rest
    let _sizes_are_checked_later = e.store_keys("");
    e.forget_own_keys();
    e.unmark(&subtree);
    let mut names = Vec::new();
    names_in(&subtree, &mut names);
    e.remove_originals(&names);
    e.spec.world.children = children;
    e.resolve_keys();
    let [body] = subtree;
    match body {
        Child::Body(body) => Some((e.spec, body)),
        _ => None,
    }
}

/// A model of which only the lists are there yet.
fn new_expander(spec: Spec, diag: &mut Diagnostics) -> Expander<'_> {
    let names = Names::of_lists(&spec);
    let mut e = Expander {
        diag,
        defaults: Defaults::new(&spec),
        spec,
        names,
        keys: Keys::default(),
        subs: Vec::new(),
        size: 0,
        depth: 0,
        parent: 0,
        bodies: 0,
        parents: HashMap::new(),
        frames: Vec::new(),
        moves: Vec::new(),
    };

    // names and marks of the elements before
    e.names.add(Kind::Body, "world");
    e.mark_actuators();
    e
}

fn has_work(children: &[Child]) -> bool {
    children.iter().any(|c| match c {
        Child::Body(b) => has_work(&b.children),
        Child::Frame(f) => has_work(&f.children),
        Child::Replicate(_) | Child::Attach(_) => true,
        _ => false,
    })
}

impl Expander<'_> {
    /// Copies children, expanding as it goes.
    fn children(&mut self, list: &[Child]) -> Vec<Child> {
        self.depth += 1;
        let mut out = Vec::with_capacity(list.len());
        for child in list {
            // bodies and frames recurse; replicates and attachments are replaced
            match child {
                Child::Body(body) => {
                    let mut new = self.body(body);
                    let children = self.children_of_body(&body.children);
                    if let Child::Body(new) = &mut new {
                        new.children = children;
                    }
                    out.push(new);
                }
                Child::Frame(frame) => {
                    let mut new = self.frame(frame);
                    new.children = self.children(&frame.children);
                    self.frames.pop();
                    out.push(Child::Frame(new));
                }
                Child::Replicate(replicate) => out.extend(self.replicate(replicate)),
                Child::Attach(attach) => out.extend(self.attach(attach)),
                leaf => out.push(self.leaf(leaf)),
            }
        }
        self.depth -= 1;
        out
    }

    /// Copies the contents of a body of its own.
    fn children_of_body(&mut self, list: &[Child]) -> Vec<Child> {
        self.bodies += 1;
        let parent = core::mem::replace(&mut self.parent, self.bodies);
        let frames = core::mem::take(&mut self.frames);
        let children = self.children(list);
        (self.parent, self.frames) = (parent, frames);
        children
    }

    /// Moves bodies that were attached again to the frames where that was, `moves` from `first` on.
    fn move_bodies(&mut self, children: &mut Vec<Child>, first: usize) {
        for (name, frames) in self.moves.split_off(first) {
            move_to_frames(children, &name, frames);
        }
    }

    #[inline(never)]
    fn body(&mut self, body: &Body) -> Child {
        self.add_name(Kind::Body, &body.name, body.head);
        self.parents.insert(body.name.text().to_owned(), self.parent);
        let mut new = Child::Body(body.without_children());
        self.mark(&mut new);
        new
    }

    /// A frame without its contents, which are in it from now on.
    #[inline(never)]
    fn frame(&mut self, frame: &Frame) -> Frame {
        self.add_name(Kind::Frame, &frame.name, frame.head);
        self.frames.push(Frame { name: Attr::default(), ..frame.without_children() });
        frame.without_children()
    }

    #[inline(never)]
    fn leaf(&mut self, leaf: &Child) -> Child {
        self.size += 1;
        let mut new = leaf.clone();
        self.mark(&mut new);
        mark_geom(&self.defaults, &mut new);
        if let Some((kind, name, head)) = name_of(&new) {
            let name = name.clone();
            self.add_name(kind, &name, head);
        }
        new
    }

    /// The copies of a replicate's contents, each in a frame.
    fn replicate(&mut self, r: &Replicate) -> Vec<Child> {
        // the contents themselves are part of the model until all copies are made
        let start = self.names.log.len();
        // in MuJoCo they are in a body of their own
        let moves = self.moves.len();
        let mut subtree = self.children_of_body(&r.children);
        self.move_bodies(&mut subtree, moves);
        drop_inertials(&mut subtree);
        let originals = self.names.log[start..].to_vec();
        let count = usize::try_from(r.count.or(0)).unwrap_or(0);
        let size = count_of(&subtree).max(1);
        if size.saturating_mul(count) > MAX_ELEMENTS - self.size.min(MAX_ELEMENTS) {
            let words = format!("<replicate>: {count} copies of {size} elements are too many");
            self.diag.error("too-large", r.count.span().unwrap_or(r.head.span), words);
            return Vec::new();
        }
        if self.free_sensors().saturating_mul(1 << count.min(40)) > MAX_FREE {
            let words = "<replicate>: sensors that refer to nothing are copied too often";
            self.diag.error("too-large", r.count.span().unwrap_or(r.head.span), words);
            return Vec::new();
        }

        if plugins::has_plugins(&subtree) {
            let words = "<replicate>: incompatible id in plugin array";
            let ours = "every copy has an instance of its own, or shares the one it names";
            self.diag.extension("plugin", r.head.span, words, ours);
        }
        let mut out = Vec::with_capacity(count);
        let mut steps = self.steps(r);
        let lists = self.list_sizes();
        for i in 0..count {
            // an inner replicate has said so already
            if self.too_many() {
                break;
            }
            let Some(frame) = steps.as_mut().map(|s| s.next(i)) else { break };
            let width = count.to_string().len();
            let suffix = format!("{}{i:0width$}", r.sep.text());
            let rename = Rename { suffix: &suffix, ..Rename::default() };
            let error = self.store_keys(&suffix);
            self.key_errors(error, r.head);
            let children = self.copy(&subtree, &rename);
            out.push(Child::Frame(Frame { children, ..frame }));
            self.copy_references(None, &rename, lists);
            self.grow_keys();
        }

        self.forget_actuators();

        // the originals go, with the elements that refer to them
        let error = self.store_keys("");
        self.key_errors(error, r.head);
        self.forget_own_keys();
        self.unmark(&subtree);
        self.remove_originals(&originals);
        self.names.log.drain(start..start + originals.len());
        out
    }

    /// The poses of a replicate's copies; none if its angles make no sense.
    fn steps(&mut self, r: &Replicate) -> Option<Steps> {
        let settings = Settings::new(&self.spec.scopes[r.head.scope].compiler);
        let offset = r.offset.or([0.0; 3]).into();
        let euler = r.euler.or([0.0; 3]);
        if let Err(words) = orientation::resolve(&Orientation::Euler(euler), &settings) {
            self.diag.error("orientation", r.head.span, format!("<replicate>: {words}"));
            return None;
        }
        Some(Steps { settings, offset, euler, pos: Vec3::ZERO, head: r.head })
    }

    /// A renamed copy of a subtree, its names and marks noted.
    fn copy(&mut self, list: &[Child], rename: &Rename<'_>) -> Vec<Child> {
        let mut out = list.to_vec();
        rename.children(&mut out, &mut |child| self.note_copy(child));
        out
    }

    fn note_copy(&mut self, child: &mut Child) {
        self.size += 1;
        let mark = match child {
            Child::Joint(j) => Some(&mut j.head.mark),
            Child::FreeJoint(j) => Some(&mut j.head.mark),
            Child::Body(b) if b.head.mark != 0 => Some(&mut b.head.mark),
            _ => None,
        };
        if let Some(mark) = mark {
            *mark = self.keys.copied(*mark);
        }
        if let Some((kind, name, head)) = name_of(child) {
            let name = name.clone();
            self.add_name(kind, &name, head);
        }
    }

    /// The elements of an attach.
    fn attach(&mut self, a: &Attach) -> Option<Child> {
        let (model, body, prefix) = (a.model.text(), a.body.text(), a.prefix.text());
        let suffix = a.suffix.as_str();
        let at = a.model.span().unwrap_or(a.head.span);
        let Some(index) = self.spec.models.iter().position(|m| m.spec.modelname.text() == model)
        else {
            let names = self.spec.models.iter().map(|m| m.spec.modelname.text());
            let near = nearest(model, names).map(str::to_owned);
            self.diag.error("attach", at, format!("<attach>: could not find model '{model}'"));
            if let Some(near) = near {
                self.diag.help(format!("did you mean '{near}'?"));
            }
            return None;
        };
        let name = format!("{prefix}{body}{suffix}");
        if self.names.has(Kind::Body, &name) {
            if self.parents.get(&name) == Some(&self.parent) {
                let words = format!("<attach>: body '{name}' is already there, and moved here");
                self.diag.warn("attach", a.head.span, words);
                self.moves.push((name, self.frames.clone()));
            } else {
                let words = format!("Frame and body '{name}' have mismatched parents");
                self.diag.error("attach", a.head.span, words);
            }
            return None;
        }
        self.parents.insert(name, self.parent);
        let mut sub = self.sub_model(index);

        // the whole model in a frame, or one body
        let subtree = if body.is_empty() {
            let children = sub.world.children.clone();
            vec![Child::Frame(Frame { head: sub.world.head, children, ..Frame::default() })]
        } else if body == "world" {
            let mut world = sub.world.clone();
            world.name.set("world".into());
            vec![Child::Body(world)]
        } else if let Some(found) = find_body(&sub.world.children, body) {
            vec![Child::Body(found.clone())]
        } else {
            let span = a.body.span().unwrap_or(at);
            self.diag.error("attach", span, format!("<attach>: could not find body '{body}'"));
            return None;
        };

        if self.depth + depth_of(&subtree) > MAX_DEPTH {
            let words = "<attach>: elements are nested too deeply";
            self.diag.error("too-large", a.head.span, words);
            self.subs.push((index, sub));
            return None;
        }

        // settings and classes of the model come along
        let rename = Rename {
            prefix,
            suffix,
            foreign: true,
            scope: self.spec.scopes.len(),
            class: self.spec.defaults.len(),
        };
        self.spec.scopes.extend(sub.scopes.iter().cloned());
        for class in &sub.defaults {
            let mut class = class.clone();
            rename.class(&mut class);
            self.spec.defaults.push(class);
        }
        if let Err(words) = merge_settings(&mut self.spec, &sub, model) {
            self.diag.error("attach", a.head.span, words);
        }
        let error = self.store_sub_keys(&sub, prefix, suffix);
        self.key_errors(error, a.head);
        self.warn_default_material(&sub, &subtree, prefix);
        sub.keys.retain(|key| !key.partial);
        let mut copy = self.copy(&subtree, &rename);
        self.copy_assets(&sub, &rename);
        self.copy_references(Some(&sub), &rename, self.list_sizes());
        plugins::copy_extensions(&mut self.spec, &sub, &copy, &rename);
        self.grow_keys();
        self.subs.push((index, sub));
        if self.too_many() {
            self.diag.error("too-large", a.head.span, "<attach>: the model is too large");
        }
        copy.pop()
    }

    /// Says that sites have their material from a class of the attached model, where MuJoCo does
    /// not find it.
    fn warn_default_material(&mut self, sub: &Spec, subtree: &[Child], prefix: &str) {
        fn find(defaults: &Defaults, children: &[Child]) -> Option<Attr<String>> {
            children.iter().find_map(|child| match child {
                Child::Site(s) => {
                    let of_class = defaults.site(&Site { head: s.head, ..Site::default() });
                    Some(of_class.material).filter(Attr::is_set)
                }
                Child::Body(b) => find(defaults, &b.children),
                Child::Frame(f) => find(defaults, &f.children),
                _ => None,
            })
        }
        if sub.defaults.iter().all(|class| !class.site.material.is_set()) || prefix.is_empty() {
            return;
        }
        if let Some(material) = find(&Defaults::new(sub), subtree) {
            let words = format!("material '{}' not found in site", material.text());
            let ours = "it is that of the attached model";
            self.diag.extension("attach", material.span().unwrap_or_default(), &words, ours);
        }
    }

    /// A model to attach, expanded; the caller gives it back to `subs`.
    fn sub_model(&mut self, index: usize) -> Spec {
        if let Some(at) = self.subs.iter().position(|(i, _)| *i == index) {
            return self.subs.swap_remove(at).1;
        }
        let sub = core::mem::take(&mut self.spec.models[index].spec);
        self.spec.models[index].spec.modelname = sub.modelname.clone();
        let mut sub = expand(&sub, self.diag).into_owned();
        self.mark_sub(&mut sub);
        sub
    }

    fn too_many(&self) -> bool {
        let s = &self.spec;
        // elements that refer to nothing double with every copy, so theirs is a bound on time too
        let lists = s.sensors.len() + s.actuators.len() + s.tendons.len();
        self.size + lists > MAX_ELEMENTS || lists > MAX_ELEMENTS / 8
    }

    fn no_joints_in_world(&mut self) {
        fn find(children: &[Child]) -> Option<Head> {
            children.iter().find_map(|c| match c {
                Child::Joint(j) => Some(j.head),
                Child::FreeJoint(j) => Some(j.head),
                Child::Frame(f) => find(&f.children),
                _ => None,
            })
        }
        if let Some(head) = find(&self.spec.world.children) {
            self.diag.error("worldbody", head.span, "joint found in world body");
        }
    }
}

/// The poses of copies, one after the other.
struct Steps {
    settings: Settings,
    offset: Vec3,
    euler: [f64; 3],
    pos: Vec3,
    head: Head,
}

impl Steps {
    /// The frame of copy `i`; to be called in order.
    fn next(&mut self, i: usize) -> Frame {
        let alt = Orientation::Euler(self.euler.map(|a| i as f64 * a));
        let quat = orientation::resolve(&alt, &self.settings).unwrap_or_default();
        let mut frame = Frame { head: self.head, ..Frame::default() };
        frame.pos = Attr::at(self.pos.to_array(), self.head.span);
        frame.quat = Attr::at(quat.to_array(), self.head.span);
        self.pos += quat.to_mat() * self.offset;
        frame
    }
}
