//! `fusestatic`: bodies without joints are merged into their parents.

use std::collections::{HashMap, HashSet};

use sinew_math::MINVAL;
use sinew_model::enums::ObjType;

use crate::compile::cx::{At, Cx};
use crate::compile::tree::body::{collect_contact_masks, colliding_geoms, note_leaves};
use crate::compile::tree::inertia::accumulate;
use crate::pose::Pose;
use crate::spec::{Attr, Span, Spec, object_type};

/// Merges every body without joints into its parent, unless something refers to it by name.
///
/// MuJoCo looks names up in a table that it does not renumber meanwhile, so references to other
/// bodies can stop a merger too. The remaining bodies depend on that.
#[doc(alias = "FuseStatic")]
pub(crate) fn fuse_static(cx: &mut Cx<'_>) {
    // references to bodies, and the ids of their names among the remaining bodies
    let refs = References::of(cx);
    let mut left: Vec<usize> = (0..cx.world.bodies.len()).collect();
    let named = |cx: &Cx<'_>, id: usize| cx.world.bodies[id].name.clone();
    let mut table: HashMap<String, usize> =
        left.iter().map(|&id| (named(cx, id), id)).filter(|(n, _)| !n.is_empty()).collect();

    let mut at = 1;
    while at < left.len() {
        // a body that something refers to stays
        let id = left[at];
        let name = named(cx, id);
        if !name.is_empty() {
            table.remove(&name);
            let free = refs.resolve(&table, left.len()) && !refs.measured.contains(&name);
            table.insert(name.clone(), at);
            if !free {
                at += 1;
                continue;
            }
        }

        // so does one that moves
        if !cx.world.bodies[id].joints.is_empty() || cx.world.bodies[id].mocap {
            at += 1;
            continue;
        }

        // MuJoCo fails on one whose frame a sensor measures
        if let Some(&span) = refs.frames.get(&name) {
            let text = format!("unrecognized name '{name}' of sensorized object");
            cx.diag.extension("fused-frame", span, &text, "the body is not merged");
            at += 1;
            continue;
        }

        // the others become part of their parents
        merge(cx, id);
        left.remove(at);
        table.remove(&name);
    }

    // ids without them
    let mut gone = vec![true; cx.world.bodies.len()];
    left.iter().for_each(|&id| gone[id] = false);
    renumber(cx, &gone);
}

/// Names of bodies that something other than their contents refers to.
struct References {
    /// All such names.
    names: Vec<String>,
    /// Names of equality constraints, which must differ; the second may be missing.
    pairs: Vec<(String, String)>,
    /// Bodies whose interaction force is measured.
    measured: HashSet<String>,
    /// Bodies whose own frame is referred to, and where. These names do not stop MuJoCo, which does
    /// not find them later.
    frames: HashMap<String, Span>,
}

impl References {
    fn of(cx: &Cx<'_>) -> References {
        let spec = cx.spec;
        let mut names: Vec<&str> = Vec::new();
        names.extend(cx.world.cameras.iter().map(|c| c.elem.target.text()));
        names.extend(cx.world.lights.iter().map(|l| l.elem.target.text()));
        let bones = spec.skins.iter().flat_map(|s| &s.bones);
        names.extend(bones.map(|b| b.body.text()));
        names.extend(spec.excludes.iter().flat_map(|e| [e.body1.text(), e.body2.text()]));
        names.extend(spec.actuators.iter().map(|a| a.body.text()));
        names.extend(sensor_bodies(spec));
        let elements = spec.tuples.iter().flat_map(|t| &t.elements);
        let bodies = elements.filter(|e| is_body(e.objtype.text()));
        names.extend(bodies.map(|e| e.objname.text()));
        let pairs = spec.equalities.iter().filter(|e| e.body1.is_set());
        References {
            names: names.into_iter().filter(|n| !n.is_empty()).map(str::to_owned).collect(),
            pairs: pairs.map(|e| (e.body1.text().to_owned(), e.body2.text().to_owned())).collect(),
            measured: measured_bodies(cx),
            frames: frames(spec),
        }
    }

    /// Whether every reference finds a body in a table of positions, of which `len` are in use.
    fn resolve(&self, table: &HashMap<String, usize>, len: usize) -> bool {
        let find = |name: &String| table.get(name).copied().filter(|&at| at < len);
        let differ = |(first, second): &(String, String)| {
            let other = if second.is_empty() { Some(0) } else { find(second) };
            find(first).is_some_and(|a| other.is_some_and(|b| a != b))
        };
        self.names.iter().all(|name| find(name).is_some()) && self.pairs.iter().all(differ)
    }
}

/// Bodies with sites of force and torque sensors.
fn measured_bodies(cx: &Cx<'_>) -> HashSet<String> {
    let forces = cx.spec.sensors.iter().filter(|s| matches!(s.tag.as_str(), "force" | "torque"));
    let sites = forces.filter_map(|s| cx.find(ObjType::Site, s.site.text()));
    sites.map(|s| cx.world.bodies[cx.world.sites[s].body].name.clone()).collect()
}

/// The bodies sensors refer to.
fn sensor_bodies(spec: &Spec) -> impl Iterator<Item = &str> {
    spec.sensors.iter().flat_map(|s| {
        let typed = |kind: &Attr<String>, name| is_body(kind.text()).then_some(name);
        let own = [&s.body, &s.body1, &s.body2].map(Attr::text);
        let object = typed(&s.objtype, s.objname.text());
        let frame = typed(&s.reftype, s.refname.text());
        own.into_iter().chain(object).chain(frame)
    })
}

fn is_body(word: &str) -> bool {
    object_type(word) == Some(ObjType::Body)
}

/// The bodies whose own frame something refers to, rather than the frame of their inertia.
fn frames(spec: &Spec) -> HashMap<String, Span> {
    let is_frame = |kind: &str| object_type(kind) == Some(ObjType::Xbody);
    let mut frames = HashMap::new();
    for s in &spec.sensors {
        let typed = [(&s.objtype, &s.objname), (&s.reftype, &s.refname)];
        let typed = typed.into_iter().filter(|(kind, _)| is_frame(kind.text())).map(|(_, n)| n);
        for name in typed.chain([&s.subtree1, &s.subtree2]).filter(|name| name.is_set()) {
            frames.insert(name.text().to_owned(), s.head.span);
        }
    }
    for e in spec.tuples.iter().flat_map(|t| &t.elements).filter(|e| is_frame(e.objtype.text())) {
        frames.insert(e.objname.text().to_owned(), e.head.span);
    }
    frames
}

/// Moves everything in a body to its parent.
fn merge(cx: &mut Cx<'_>, id: usize) {
    let parent = cx.world.bodies[id].parent;
    // MuJoCo counts the volumes such a merger adds once more than it stores them
    let collides = |b| !colliding_geoms(&cx.world, b).is_empty();
    cx.world.unused_bvh += usize::from(collides(parent) && collides(id));
    note_leaves(&mut cx.world, parent);
    let body = core::mem::take(&mut cx.world.bodies[id]);
    let place = body.pose;

    if cx.world.bodies[parent].name != "world"
        && body.mass >= MINVAL
        && let Err(message) = accumulate(&mut cx.world.bodies[parent], &body)
    {
        cx.fail(At { name: &body.name, id, span: body.head.span }, message);
    }

    // children take the body's place among its parent's children
    let world = &mut cx.world;
    for &child in &body.children {
        world.bodies[child].parent = parent;
        world.bodies[child].pose = place.then(world.bodies[child].pose);
    }
    let siblings = &mut world.bodies[parent].children;
    if let Some(at) = siblings.iter().position(|&c| c == id) {
        siblings.splice(at..=at, body.children.iter().copied());
    }

    for &g in &body.geoms {
        world.geoms[g].body = parent;
        world.geoms[g].pose = place.then(world.geoms[g].pose);
    }
    for &s in &body.sites {
        world.sites[s].body = parent;
        world.sites[s].pose = place.then(world.sites[s].pose);
    }
    for &c in &body.cameras {
        world.cameras[c].body = parent;
        world.cameras[c].pose = place.then(world.cameras[c].pose);
    }
    for &l in &body.lights {
        let light = &mut world.lights[l];
        light.body = parent;
        light.pos = place.then(Pose { pos: light.pos, ..Pose::IDENTITY }).pos;
        light.dir = place.quat.rotate(light.dir);
    }
    let to = &mut world.bodies[parent];
    to.geoms.extend(body.geoms);
    to.sites.extend(body.sites);
    to.cameras.extend(body.cameras);
    to.lights.extend(body.lights);
    collect_contact_masks(cx, parent);
}

/// Gives the remaining bodies and their contents consecutive ids.
fn renumber(cx: &mut Cx<'_>, gone: &[bool]) {
    // new id of each body that is left
    let mut next = 0;
    let ids: Vec<usize> = gone
        .iter()
        .map(|&gone| {
            next += usize::from(!gone);
            next.saturating_sub(1)
        })
        .collect();
    let world = &mut cx.world;
    let mut kept = gone.iter().map(|g| !g);
    world.bodies.retain(|_| kept.next().unwrap_or(true));
    for body in &mut world.bodies {
        body.parent = ids[body.parent];
        body.children.iter_mut().for_each(|c| *c = ids[*c]);
    }
    for b in 1..world.bodies.len() {
        let parent = world.bodies[b].parent;
        let welded = world.bodies[b].joints.is_empty();
        world.bodies[b].weld = if welded { world.bodies[parent].weld } else { b };
    }

    // contents in the order of bodies
    let bodies = &mut world.bodies;
    reorder(&mut world.joints, bodies.iter_mut().map(|b| &mut b.joints));
    reorder(&mut world.geoms, bodies.iter_mut().map(|b| &mut b.geoms));
    reorder(&mut world.sites, bodies.iter_mut().map(|b| &mut b.sites));
    reorder(&mut world.cameras, bodies.iter_mut().map(|b| &mut b.cameras));
    reorder(&mut world.lights, bodies.iter_mut().map(|b| &mut b.lights));
    for joint in &mut world.joints {
        joint.body = ids[joint.body];
    }
    for geom in &mut world.geoms {
        geom.body = ids[geom.body];
    }
    for site in &mut world.sites {
        site.body = ids[site.body];
    }
    for camera in &mut world.cameras {
        camera.body = ids[camera.body];
        camera.target = camera.target.map(|t| ids[t]);
    }
    for light in &mut world.lights {
        light.body = ids[light.body];
        light.target = light.target.map(|t| ids[t]);
    }
}

/// Sorts records into the order of the lists that refer to them, and renumbers the lists.
fn reorder<'a, T>(records: &mut Vec<T>, lists: impl Iterator<Item = &'a mut Vec<usize>>) {
    let mut old: Vec<Option<T>> = records.drain(..).map(Some).collect();
    for list in lists {
        for id in list.iter_mut() {
            if let Some(record) = old[*id].take() {
                *id = records.len();
                records.push(record);
            }
        }
    }
}
