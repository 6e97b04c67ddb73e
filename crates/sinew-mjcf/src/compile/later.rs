//! Parameters that came with later versions of MuJoCo.

use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::{TrnType, WrapType};
use sinew_model::later::Later;

use crate::compile::cx::{At, Cx};
use crate::compile::objects::actuator::ActuatorRec;
use crate::compile::objects::pair::PairRec;
use crate::compile::objects::tendon::TendonRec;
use crate::compile::world::GeomRec;
use crate::pose::Pose;
use crate::spec::{Attr, Poly};

/// Copies the parameters of joints, tendons and actuators to the model, if there are any.
pub(crate) fn store(
    cx: &mut Cx<'_>,
    pairs: &[PairRec],
    tendons: &[TendonRec],
    actuators: &[ActuatorRec],
    m: &mut Model,
) {
    let mut later = Box::new(Later::default());
    let high = |[_, second, third]: [f64; 3]| [second, third];

    // springs and dampers of joints and tendons
    let joints: Vec<_> = cx.world.joints.iter().map(|joint| joint.elem.values()).collect();
    later.jnt_stiffnesspoly = joints.iter().map(|e| high(e.stiffness())).collect();
    later.dof_dampingpoly = m.dof_jntid.iter().map(|j| high(joints[j.idx()].damping())).collect();
    later.tendon_stiffnesspoly =
        tendons.iter().map(|t| high(t.elem.values().stiffness())).collect();
    later.tendon_dampingpoly = tendons.iter().map(|t| high(t.elem.values().damping())).collect();

    // parts of actuators
    later.actuator_damping = actuators.iter().map(|a| a.set.damping[0]).collect();
    later.actuator_dampingpoly = actuators.iter().map(|a| high(a.set.damping)).collect();
    later.actuator_armature = actuators.iter().map(|a| a.set.armature).collect();

    // springs that yield
    later.jnt_springyield = cx.world.joints.iter().map(|joint| joint.springyield).collect();
    later.tendon_springyield = tendons.iter().map(|t| t.elem.values().springyield()).collect();

    let meshes = cx.world.sites.iter().map(|site| site.mesh);
    later.site_dataid = meshes.map(|mesh| mesh.map_or(-1, |id| id as i32)).collect();
    later.geom_adhesion = cx.world.geoms.iter().map(|geom| geom.elem.values().adhesion()).collect();
    later.pair_adhesion = pairs.iter().map(|pair| pair.elem.values().adhesion()).collect();
    later.geom_surfacevel = surfaces(cx);
    later.actuator_ctrlspec = actuators.iter().map(|a| a.set.ctrlspec).collect();
    later.actuator_owner = actuators.iter().map(|a| a.owner as i32).collect();
    m.later = Some(later);
    m.place_plastic();
    m.link_later();
    if m.later.is_some() {
        check_strict(cx);
        check_actuators(cx, actuators, m);
        check_adhesion(cx, pairs);
    }
}

/// Velocities of the surfaces of all geoms, in the frames of the model. The frame of a geom with a
/// mesh is not the frame of the mesh's file.
fn surfaces(cx: &Cx<'_>) -> Vec<[f64; 6]> {
    let own = |geom: &GeomRec| {
        let mut row = geom.elem.values().surfacevel();
        if row != [0.0; 6] && geom.mesh.is_some() {
            let (Pose { pos, quat }, spin) = (geom.in_mesh, Vec3::from_slice(&row[3..]));
            let turn = quat.conj().to_mat();
            let slide = Vec3::from_slice(&row) + spin.cross(pos);
            row[..3].copy_from_slice(&(turn * slide).to_array());
            row[3..].copy_from_slice(&(turn * spin).to_array());
        }
        row
    };
    cx.world.geoms.iter().map(own).collect()
}

/// Reports coefficients that MuJoCo 3.5 does not read.
fn check_strict(cx: &mut Cx<'_>) {
    let several = |attr: &Attr<Poly>| attr.get().is_some_and(|poly| poly.0.len > 1);
    let joints = cx.spec.defaults.iter().map(|class| &class.joint);
    let joints: Vec<_> = joints.chain(cx.world.joints.iter().map(|joint| &joint.elem)).collect();
    let tendons = cx.spec.defaults.iter().map(|class| &class.tendon).chain(&cx.spec.tendons);
    let springs = joints.iter().map(|e| ("stiffness", &e.stiffness));
    let dampers = joints.iter().map(|e| ("damping", &e.damping));
    let of_tendons = tendons.flat_map(|e| [("stiffness", &e.stiffness), ("damping", &e.damping)]);
    for (name, attr) in springs.chain(dampers).chain(of_tendons).filter(|(_, a)| several(a)) {
        let span = attr.span().unwrap_or_default();
        cx.diag.later("wrong-count", span, || format!("attribute '{name}' has too much data"));
    }
}

/// Reports contacts that would pull at a distance: since MuJoCo 3.9 `gap` adds to the margin.
fn check_adhesion(cx: &mut Cx<'_>, pairs: &[PairRec]) {
    let text = "adhesion at a distance needs the gap of MuJoCo 3.9 and is not supported";
    let geoms = cx.world.geoms.iter().enumerate().filter_map(|(id, geom)| {
        let v = geom.elem.values();
        let wrong = v.adhesion() != 0.0 && v.gap() != 0.0;
        wrong.then(|| (geom.elem.name.text().to_owned(), id, geom.elem.gap.span()))
    });
    let pairs = pairs.iter().enumerate().filter_map(|(id, pair)| {
        let wrong = pair.elem.values().adhesion() != 0.0 && pair.elem.values().gap() != 0.0;
        wrong.then(|| (pair.elem.name.text().to_owned(), id, pair.elem.gap.span()))
    });
    for (name, id, span) in geoms.chain(pairs).collect::<Vec<_>>() {
        cx.fail(At { name: &name, id, span: span.unwrap_or_default() }, text);
    }
}

/// Reports damping and armature of actuators that cannot have them.
fn check_actuators(cx: &mut Cx<'_>, actuators: &[ActuatorRec], m: &Model) {
    for rec in actuators {
        let (set, id) = (&rec.set, rec.element);
        let elem = &cx.spec.actuators[id];
        let targets = [TrnType::Joint, TrnType::Jointinparent, TrnType::Tendon];
        let fits = targets.contains(&set.trntype);
        let fields = [
            ("damping", set.damping != [0.0; 3], elem.damping.span()),
            ("armature", set.armature != 0.0, elem.armature.span()),
        ];
        for (name, given, span) in fields {
            if given && !fits {
                let at = At { name: elem.name.text(), id, span: span.unwrap_or(elem.head.span) };
                cx.fail(at, format!("{name} requires joint or tendon transmission in actuator"));
            }
        }
        if set.armature != 0.0 && set.trntype == TrnType::Tendon {
            let tendon = rec.trnid[0] as usize;
            let (adr, num) = (m.tendon_adr[tendon].idx(), m.tendon_num[tendon] as usize);
            let mut path = m.wrap_type.iter().skip(adr).take(num);
            if path.any(|&kind| kind == WrapType::Sphere || kind == WrapType::Cylinder) {
                let span = elem.armature.span().unwrap_or(elem.head.span);
                let at = At { name: elem.name.text(), id, span };
                cx.fail(at, "geom wrapping not supported by the armature of an actuator");
            }
        }
    }
}
