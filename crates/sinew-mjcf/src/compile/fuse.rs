//! `fusestatic`: bodies without joints are merged into their parents.

use std::collections::HashSet;

use sinew_math::MINVAL;
use sinew_model::enums::ObjType;

use crate::compile::body::collect_contact_masks;
use crate::compile::custom::object_type;
use crate::compile::cx::{At, BodyRec, Cx, Pose};
use crate::compile::inertia::accumulate;
use crate::compile::names::Names;
use crate::spec::Spec;

/// Merges every body without joints into its parent, unless something refers to it by name.
#[doc(alias = "FuseStatic")]
pub fn fuse_static(cx: &mut Cx<'_>) {
    let wanted = referenced_bodies(cx);
    let mut gone = vec![false; cx.world.bodies.len()];
    for id in 1..cx.world.bodies.len() {
        let body = &cx.world.bodies[id];
        let kept = !body.name.is_empty() && wanted.contains(&body.name);
        if kept || !body.joints.is_empty() || body.mocap {
            continue;
        }
        merge(cx, id);
        gone[id] = true;
    }
    renumber(cx, &gone);
}

/// Names of bodies that something other than their contents refers to.
fn referenced_bodies(cx: &Cx<'_>) -> HashSet<String> {
    let mut names: HashSet<String> = HashSet::new();
    let mut add = |name: &str| {
        if !name.is_empty() {
            names.insert(name.to_owned());
        }
    };
    cx.world.cameras.iter().for_each(|c| add(c.elem.target.text()));
    cx.world.lights.iter().for_each(|l| add(l.elem.target.text()));
    let spec = cx.spec;
    for e in &spec.excludes {
        add(e.body1.text());
        add(e.body2.text());
    }
    for e in &spec.equalities {
        add(e.body1.text());
        add(e.body2.text());
    }
    spec.actuators.iter().for_each(|a| add(a.body.text()));
    add_sensor_bodies(spec, &cx.names, cx, &mut add);
    for element in spec.tuples.iter().flat_map(|t| &t.elements) {
        if is_body(element.objtype.text()) {
            add(element.objname.text());
        }
    }
    names
}

/// The bodies sensors refer to, and those whose interaction force is measured.
fn add_sensor_bodies(spec: &Spec, names: &Names, cx: &Cx<'_>, add: &mut dyn FnMut(&str)) {
    for s in &spec.sensors {
        for a in [&s.body, &s.body1, &s.body2, &s.subtree1, &s.subtree2] {
            add(a.text());
        }
        if is_body(s.objtype.text()) {
            add(s.objname.text());
        }
        if is_body(s.reftype.text()) {
            add(s.refname.text());
        }
        if matches!(s.tag.as_str(), "force" | "torque")
            && let Some(site) = names.get(ObjType::Site, s.site.text())
        {
            add(&cx.world.bodies[cx.world.sites[site].body].name);
        }
    }
}

fn is_body(word: &str) -> bool {
    matches!(object_type(word), Some(ObjType::Body | ObjType::Xbody))
}

/// Moves everything in a body to its parent.
fn merge(cx: &mut Cx<'_>, id: usize) {
    let parent = cx.world.bodies[id].parent;
    let body = core::mem::replace(&mut cx.world.bodies[id], BodyRec::default());
    let place = body.pose;

    if cx.world.bodies[parent].name != "world"
        && body.mass >= MINVAL
        && let Err(message) = accumulate(&mut cx.world.bodies[parent], &body)
    {
        cx.fail(At { name: &body.name, id, span: body.head.span }, message);
    }

    // children take the body's place among those of its parent
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
