//! Bodies: everything in them, their inertia, and alignment of free bodies.

use sinew_geom::bvh::{Bvh, BvhItem};
use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::{JointType, SameFrame};
use sinew_model::ids::{BodyId, DofId, GeomId, JointId, Maybe, MocapId};

use crate::compile::cx::{At, Cx};
use crate::compile::rows::{copy_bvh, copy_user};
use crate::compile::tree::geom::compile_geom;
use crate::compile::tree::inertia::{from_element, from_geoms};
use crate::compile::tree::joint::compile_joint;
use crate::compile::tree::{camera, light, site};
use crate::compile::world::World;
use crate::pose::{Pose, largest, same_pos, same_quat, unit_quat};
use crate::spec::Tri;

/// Compiles all bodies with their geoms, joints, sites, cameras and lights.
pub(crate) fn compile_bodies(cx: &mut Cx<'_>) {
    for id in 0..cx.world.bodies.len() {
        compile_body(cx, id);
    }
}

/// Reports an error about a body.
fn fail(cx: &mut Cx<'_>, id: usize, message: impl core::fmt::Display) {
    let body = &cx.world.bodies[id];
    let (name, span) = (body.name.clone(), body.head.span);
    cx.fail(At { name: &name, id, span }, message);
}

#[doc(alias = "mjCBody::Compile")]
fn compile_body(cx: &mut Cx<'_>, id: usize) {
    if cx.world.bodies[id].user.len() > cx.nuser.body {
        fail(cx, id, "user has more values than nuser_body in body");
    }
    for child in cx.world.bodies[id].children.clone() {
        let has_joints = !cx.world.bodies[child].joints.is_empty();
        let weld = if has_joints { child } else { cx.world.bodies[id].weld };
        cx.world.bodies[child].weld = weld;
    }
    if let Err(message) = compile_inertia(cx, id) {
        fail(cx, id, message);
    }

    // frame, then the free joint's own alignment
    let body = &mut cx.world.bodies[id];
    if let Some(frame) = body.frame {
        body.pose = frame.then(body.pose);
    }
    collect_contact_masks(cx, id);
    let shift = if aligns_free(cx, id) { Some(align(cx, id)) } else { None };

    compile_joints(cx, id);
    let body = &cx.world.bodies[id];
    let (parent, own) = (cx.world.bodies[body.parent].world, body.pose);
    if id > 0 {
        cx.world.bodies[id].world = Pose {
            pos: parent.quat.rotate(own.pos) + parent.pos,
            quat: unit_quat(parent.quat * own.quat),
        };
    }
    for site in cx.world.bodies[id].sites.clone() {
        site::compile_site(cx, site, shift);
    }
    // when fusing, MuJoCo compiles cameras and lights once more and forgets the alignment
    let shift = shift.filter(|_| !cx.settings[0].fusestatic);
    for camera in cx.world.bodies[id].cameras.clone() {
        camera::compile_camera(cx, camera, shift);
    }
    for light in cx.world.bodies[id].lights.clone() {
        light::compile_light(cx, light, shift);
    }
}

/// Geoms, and from them or from the `<inertial>` the inertia.
fn compile_inertia(cx: &mut Cx<'_>, id: usize) -> Result<(), String> {
    let settings = cx.settings(&cx.world.bodies[id].head).clone();
    let explicit = from_element(cx, id)?;
    let [low, high] = settings.inertiagrouprange;
    let always = settings.inertiafromgeom == Tri::True;
    for geom in cx.world.bodies[id].geoms.clone() {
        let group = cx.world.geoms[geom].elem.values().group();
        let infer = id > 0 && (!explicit || always) && (low..=high).contains(&group);
        compile_geom(cx, geom, infer);
    }
    let auto = settings.inertiafromgeom == Tri::Auto && cx.world.bodies[id].inertial.is_none();
    if id > 0 && (always || auto) {
        from_geoms(cx, id, [low, high])?;
    }
    let body = &mut cx.world.bodies[id];
    if body.inertial.is_none() {
        // nothing to go by: MuJoCo takes the body frame, as seen from the parent
        body.inertial = Some(body.pose);
    }
    if id == 0 {
        return Ok(());
    }

    // bounds and physical sense
    body.mass = largest(body.mass, settings.boundmass);
    let bound = |i: f64| largest(i, settings.boundinertia);
    let Vec3 { x: a, y: b, z: c } = body.inertia;
    let (a, b, c) = (bound(a), bound(b), bound(c));
    body.inertia = Vec3::new(a, b, c);
    if body.mass < 0.0 || a < 0.0 || b < 0.0 || c < 0.0 {
        return Err("mass and inertia cannot be negative".into());
    }
    if a + b < c || a + c < b || b + c < a {
        if !settings.balanceinertia {
            let text = "inertia must satisfy A + B >= C; use 'balanceinertia' to fix";
            return Err(text.into());
        }
        let mean = (a + b + c) / 3.0;
        body.inertia = Vec3::new(mean, mean, mean);
    }
    Ok(())
}

/// Contact masks and margin of a body from its geoms.
pub(crate) fn collect_contact_masks(cx: &mut Cx<'_>, id: usize) {
    let world = &mut cx.world;
    let body = &mut world.bodies[id];
    (body.contype, body.conaffinity, body.margin) = (0, 0, 0.0);
    for &g in &body.geoms {
        let geom = &world.geoms[g];
        body.contype |= geom.contype;
        body.conaffinity |= geom.conaffinity;
        body.margin = largest(body.margin, geom.margin);
    }
}

/// Whether the body frame is to become the inertial frame.
fn aligns_free(cx: &Cx<'_>, id: usize) -> bool {
    let body = &cx.world.bodies[id];
    let [joint] = body.joints[..] else { return false };
    let joint = &cx.world.joints[joint];
    let wanted = joint.align.unwrap_or(cx.settings(&body.head).alignfree);
    joint.kind == JointType::Free && body.children.is_empty() && wanted
}

/// Moves the body frame to the inertial frame and its geoms along. Returns the displacement that is
/// still to be applied to the rest of its contents.
fn align(cx: &mut Cx<'_>, id: usize) -> Pose {
    let world = &mut cx.world;
    let body = &mut world.bodies[id];
    let inertial = body.ipose();
    body.pose = body.pose.then(inertial);
    body.inertial = Some(Pose::IDENTITY);
    let back = inertial.inverse();
    for &g in &body.geoms {
        world.geoms[g].pose = back.then(world.geoms[g].pose);
    }
    back
}

/// Joints and their forbidden combinations.
fn compile_joints(cx: &mut Cx<'_>, id: usize) {
    // the joints and their degrees of freedom
    let joints = cx.world.bodies[id].joints.clone();
    let mut dofs = 0;
    for &joint in &joints {
        compile_joint(cx, joint);
        dofs += cx.world.joints[joint].kind.nv();
    }
    cx.world.bodies[id].dofnum = dofs;

    // which joints may be together
    let name = cx.world.bodies[id].name.clone();
    let kinds: Vec<JointType> = joints.iter().map(|&j| cx.world.joints[j].kind).collect();
    let free = kinds.iter().filter(|k| **k == JointType::Free).count();
    let parent = cx.world.bodies[id].parent;
    let nested = id > 0 && cx.world.bodies[parent].name != "world";

    if free > 0 && kinds.len() > 1 {
        fail(cx, id, "free joint can only appear by itself");
    } else if dofs > 6 {
        fail(cx, id, format!("more than 6 dofs in body '{name}'"));
    }
    let ball = kinds.iter().position(|k| *k == JointType::Ball);
    let after = ball.map_or(&[][..], |b| &kinds[b + 1..]);
    if after.iter().any(|k| matches!(*k, JointType::Ball | JointType::Hinge)) {
        fail(cx, id, format!("ball followed by rotation in body '{name}'"));
    }
    if cx.world.bodies[id].mocap && (dofs > 0 || nested) {
        fail(cx, id, format!("mocap body '{name}' is not a fixed child of world"));
    }
}

/// Free joints must be on top level, once static bodies are merged.
pub(crate) fn check_free_joints(cx: &mut Cx<'_>) {
    for id in 1..cx.world.bodies.len() {
        let body = &cx.world.bodies[id];
        let is_free = |&j: &usize| cx.world.joints[j].kind == JointType::Free;
        if cx.world.bodies[body.parent].name != "world" && body.joints.iter().any(is_free) {
            fail(cx, id, "free joint can only be used on top level");
        }
    }
}

/// Whether a body, or a body fixed to it, has mass and inertia.
pub(crate) fn has_mass(cx: &Cx<'_>, id: usize) -> bool {
    let least = sinew_math::MINVAL;
    let mut open = vec![id];
    while let Some(b) = open.pop() {
        let body = &cx.world.bodies[b];
        let Vec3 { x, y, z } = body.inertia;
        if body.mass >= least && x >= least && y >= least && z >= least {
            return true;
        }
        let fixed = |&&c: &&usize| cx.world.bodies[c].joints.is_empty();
        open.extend(body.children.iter().filter(fixed));
    }
    false
}

/// The reason why a body has no mass, for people.
fn massless(cx: &Cx<'_>, id: usize) -> String {
    let body = &cx.world.bodies[id];
    let geoms: Vec<String> = body
        .geoms
        .iter()
        .map(|&g| {
            let geom = &cx.world.geoms[g];
            let name = geom.elem.name.text();
            match name {
                "" => format!("geom {g}"),
                _ => format!("geom '{name}'"),
            }
        })
        .collect();
    match geoms.as_slice() {
        [] => "the body has no geom: give it one, or an <inertial>".to_owned(),
        [one] => format!("{one} has no mass: see its mass, density and size"),
        [first, .., last] => {
            format!("the {} geoms of the body ({first} to {last}) have no mass", geoms.len())
        }
    }
}

/// Reports bodies that move and have no mass.
pub(crate) fn check_masses(cx: &mut Cx<'_>) {
    for id in 1..cx.world.bodies.len() {
        if !cx.world.bodies[id].joints.is_empty() && !has_mass(cx, id) {
            fail(cx, id, "mass and inertia of moving bodies must be larger than mjMINVAL");
            let help = massless(cx, id);
            cx.diag.help(help);
        }
    }
}

/// Builds the trees of boxes around the geoms of each body, whose ids must be final.
pub(crate) fn build_bvh(cx: &mut Cx<'_>) {
    for b in 0..cx.world.bodies.len() {
        let mut tree = tree_of(&cx.world, b);
        let colliding = colliding_geoms(&cx.world, b);

        // after a merger MuJoCo's inner nodes keep the geoms that earlier trees had in their place
        for (node, old) in tree.nodeid.iter_mut().zip(&cx.world.bodies[b].old_leaves) {
            let rank = usize::try_from(*node).ok().or(*old);
            *node = rank.and_then(|r| colliding.get(r)).map_or(-1, |&g| g as i32);
        }
        for node in tree.nodeid.iter_mut().skip(cx.world.bodies[b].old_leaves.len()) {
            *node = usize::try_from(*node).map_or(-1, |r| colliding[r] as i32);
        }
        cx.world.bodies[b].bvh = tree;
    }
}

/// Notes the geoms in a body's tree before another body is merged into it.
pub(crate) fn note_leaves(world: &mut World, b: usize) {
    let tree = tree_of(world, b);
    let leaves = &mut world.bodies[b].old_leaves;
    leaves.resize(leaves.len().max(tree.len()), None);
    for (old, &node) in leaves.iter_mut().zip(&tree.nodeid) {
        *old = usize::try_from(node).ok().or(*old);
    }
}

/// The geoms of a body that can collide: the others are not in its tree.
pub(crate) fn colliding_geoms(world: &World, b: usize) -> Vec<usize> {
    let collides = |g: &usize| world.geoms[*g].contype != 0 || world.geoms[*g].conaffinity != 0;
    world.bodies[b].geoms.iter().copied().filter(collides).collect()
}

/// The tree of a body; leaves hold places in the list of its colliding geoms.
fn tree_of(world: &World, b: usize) -> Bvh {
    let item = |(rank, g): (usize, usize)| {
        let geom = &world.geoms[g];
        BvhItem {
            id: rank as i32,
            collides: true,
            pos: geom.pose.pos,
            quat: Some(geom.pose.quat),
            center: Vec3::from_slice(&geom.aabb),
            half: Vec3::from_slice(&geom.aabb[3..]),
        }
    };
    let items: Vec<BvhItem> = colliding_geoms(world, b).into_iter().enumerate().map(item).collect();
    let frame = world.bodies[b].ipose();
    Bvh::build(&items, frame.pos, frame.quat)
}

/// Copies the bodies into the model.
pub(crate) fn store_bodies(cx: &Cx<'_>, m: &mut Model) {
    let (mut mocap, mut bvh) = (0, 0);
    let mut dof = 0;
    for (i, body) in cx.world.bodies.iter().enumerate() {
        // place in the tree
        let parent = body.parent;
        m.body_parentid[i] = BodyId::new(parent);
        let top = i == 0 || cx.world.bodies[parent].name == "world";
        m.body_rootid[i] = if top { BodyId::new(i) } else { m.body_rootid[parent] };
        m.body_weldid[i] = BodyId::new(body.weld);
        if body.mocap {
            m.body_mocapid[i] = Maybe::some(MocapId::new(mocap));
            mocap += 1;
        }

        // contents
        m.body_jntnum[i] = body.joints.len() as i32;
        m.body_jntadr[i] = body.joints.first().map(|&j| JointId::new(j)).into();
        m.body_dofnum[i] = body.dofnum as i32;
        m.body_dofadr[i] = (body.dofnum > 0).then(|| DofId::new(dof)).into();
        dof += body.dofnum;
        m.body_geomnum[i] = body.geoms.len() as i32;
        m.body_geomadr[i] = body.geoms.first().map(|&g| GeomId::new(g)).into();

        // frames and inertia
        m.body_pos[i] = body.pose.pos;
        m.body_quat[i] = body.pose.quat;
        let inertial = body.ipose();
        m.body_ipos[i] = inertial.pos;
        m.body_iquat[i] = inertial.quat;
        m.body_sameframe[i] = inertial_frame(inertial);
        m.body_mass[i] = body.mass;
        m.body_inertia[i] = body.inertia;
        m.body_gravcomp[i] = body.gravcomp;

        // contacts, user data, boxes
        m.body_margin[i] = body.margin;
        m.body_contype[i] = body.contype;
        m.body_conaffinity[i] = body.conaffinity;
        copy_user(&mut m.body_user[i], Some(&body.user));
        m.body_bvhadr[i] = if body.bvh.is_empty() { -1 } else { bvh as i32 };
        m.body_bvhnum[i] = body.bvh.len() as i32;
        copy_bvh(&body.bvh, bvh, m);
        bvh += body.bvh.len();
    }
}

/// How an inertial frame lies in its body.
pub(crate) fn inertial_frame(pose: Pose) -> SameFrame {
    match (same_quat(pose.quat, Pose::IDENTITY.quat), same_pos(pose.pos, Vec3::ZERO)) {
        (true, true) => SameFrame::Body,
        (true, false) => SameFrame::Bodyrot,
        _ => SameFrame::None,
    }
}
