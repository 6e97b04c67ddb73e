//! Parts of a tree of elements: copies, counts, names.

use sinew_model::nesting;

use crate::expand::names::Kind;
use crate::spec::{Attr, Body, Child, Frame, Head};

/// Bodies and frames inside of each other, at most: the compiler recurses.
pub(crate) const MAX_DEPTH: usize = 600;

/// The inertia of a replicate's own body, which no copy has.
pub(crate) fn drop_inertials(children: &mut Vec<Child>) {
    children.retain(|c| !matches!(c, Child::Inertial(_)));
    for child in children {
        if let Child::Frame(frame) = child {
            drop_inertials(&mut frame.children);
        }
    }
}

pub(crate) fn find_body<'s>(children: &'s [Child], name: &str) -> Option<&'s Body> {
    children.iter().find_map(|c| match c {
        Child::Body(b) if b.name.text() == name => Some(b),
        Child::Body(b) => find_body(&b.children, name),
        Child::Frame(f) => find_body(&f.children, name),
        _ => None,
    })
}

/// Takes a body out of a tree.
pub(crate) fn take_body(children: &mut Vec<Child>, wanted: &dyn Fn(&Body) -> bool) -> Option<Body> {
    let is_it = |c: &Child| matches!(c, Child::Body(b) if wanted(b));
    if let Some(at) = children.iter().position(is_it) {
        return match children.remove(at) {
            Child::Body(body) => Some(body),
            _ => None,
        };
    }
    children.iter_mut().find_map(|child| match child {
        Child::Body(b) => take_body(&mut b.children, wanted),
        Child::Frame(f) => take_body(&mut f.children, wanted),
        _ => None,
    })
}

/// Kinds and names of all in a tree that has a name.
pub(crate) fn names_in(children: &[Child], out: &mut Vec<(Kind, String)>) {
    for child in children {
        if let Some((kind, name, _)) = name_of(child)
            && !name.text().is_empty()
        {
            out.push((kind, name.text().to_owned()));
        }
        match child {
            Child::Body(b) => names_in(&b.children, out),
            Child::Frame(f) => names_in(&f.children, out),
            _ => {}
        }
    }
}

/// How deep a tree is.
pub(crate) fn depth_of(children: &[Child]) -> usize {
    let depths = children.iter().map(|c| match c {
        Child::Body(b) => 1 + depth_of(&b.children),
        Child::Frame(f) => 1 + depth_of(&f.children),
        Child::Replicate(r) => 1 + depth_of(&r.children),
        Child::Attach(_) => MAX_DEPTH / 2,
        _ => 1,
    });
    depths.max().unwrap_or(0)
}

/// How many elements there are in a tree.
pub(crate) fn count_of(children: &[Child]) -> usize {
    let counts = children.iter().map(|c| match c {
        Child::Body(b) => 1 + count_of(&b.children),
        Child::Frame(f) => 1 + count_of(&f.children),
        _ => 1,
    });
    counts.sum()
}

/// Kind, name and place of a child that may have a name.
pub(crate) fn name_of(child: &Child) -> Option<(Kind, &Attr<String>, Head)> {
    Some(match child {
        Child::Body(x) => (Kind::Body, &x.name, x.head),
        Child::Frame(x) => (Kind::Frame, &x.name, x.head),
        Child::Joint(x) => (Kind::Joint, &x.name, x.head),
        Child::FreeJoint(x) => (Kind::Joint, &x.name, x.head),
        Child::Geom(x) => (Kind::Geom, &x.name, x.head),
        Child::Site(x) => (Kind::Site, &x.name, x.head),
        Child::Camera(x) => (Kind::Camera, &x.name, x.head),
        Child::Light(x) => (Kind::Light, &x.name, x.head),
        _ => return None,
    })
}

/// Takes a body out of the frames it is in and puts it into others, the outermost first. The order
/// of all elements stays: frames around the body are cut in two.
pub(crate) fn move_to_frames(children: &mut Vec<Child>, name: &str, frames: Vec<Frame>) -> bool {
    if let Some((body, rest)) = split_at_body(children, name) {
        let wrap =
            |inner: Child, frame: Frame| Child::Frame(Frame { children: vec![inner], ..frame });
        children.push(frames.into_iter().rev().fold(body, wrap));
        children.extend(rest);
        return true;
    }
    children.iter_mut().any(|child| match child {
        Child::Body(b) => move_to_frames(&mut b.children, name, frames.clone()),
        Child::Frame(f) => move_to_frames(&mut f.children, name, frames.clone()),
        _ => false,
    })
}

/// Removes a body and all that follows it in its parent, and returns both.
fn split_at_body(children: &mut Vec<Child>, name: &str) -> Option<(Child, Vec<Child>)> {
    for i in 0..children.len() {
        let (body, inner_rest) = match &mut children[i] {
            Child::Body(b) if b.name.text() == name => (None, None),
            Child::Frame(f) => {
                let Some((body, rest)) = split_at_body(&mut f.children, name) else { continue };
                // the second half has the pose of the first and no name
                let half = Frame { name: Attr::default(), children: rest, ..f.without_children() };
                (Some(body), (!half.children.is_empty()).then_some(Child::Frame(half)))
            }
            _ => continue,
        };
        let mut rest = children.split_off(i + 1);
        rest.splice(0..0, inner_rest);
        let body = body.or_else(|| children.pop())?;
        return Some((body, rest));
    }
    None
}

/// Trees up to this depth are walked on the stack there is.
const SHALLOW: usize = 40;
/// Bytes of stack for deeper trees; their depth is bounded.
const DEEP_STACK: usize = 64 << 20;

/// Runs a function that recurses through a tree, on a stack that is large enough; none if there is
/// no memory for one.
pub(crate) fn with_stack<T: Send>(tree: &[Child], walk: impl FnOnce() -> T + Send) -> Option<T> {
    if depth_of(tree) <= SHALLOW {
        return Some(walk());
    }
    let depth = nesting::depth();
    std::thread::scope(|scope| {
        let deep = std::thread::Builder::new().stack_size(DEEP_STACK);
        let running = deep.spawn_scoped(scope, || nesting::within(depth, walk)).ok()?;
        Some(running.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    })
}
