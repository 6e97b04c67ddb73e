//! What was changed in a compiled model, taken back to the elements it was compiled from.
//!
//! Only numbers that differ from those of compilation are written, so that everything else stays as
//! its author wrote it. Inertias are taken back where an `<inertial>` says them; elsewhere they
//! follow from geoms when the file is read again. MuJoCo: `mj_copyBack`.

use sinew_math::{Quat, Vec3};
use sinew_model::Model;
use sinew_model::enums::{DisableBit, EnableBit, EqType, GeomType, JointType};

use crate::orientation::orientation;
use crate::pose::Pose;
use crate::settings::Settings;
use crate::spec::attr::Partial;
use crate::spec::*;

/// Brings the elements of an expanded `spec`, which was compiled to `before`, to the state of
/// `after`; false, and nothing more is written, if the two do not have the elements of the spec.
pub(crate) fn copy_back(spec: &mut Spec, before: &Model, after: &Model) -> bool {
    let settings = spec.scopes.iter().map(|s| Settings::new(&s.compiler)).collect();
    let mut tree = Tree { before, after, settings, next: Counts::default() };
    let mut world = core::mem::take(&mut spec.world);
    tree.body(&mut world, Pose::IDENTITY);
    spec.world = world;
    let Counts { body, joint, geom, site, camera, light } = tree.next;
    let sizes = (after.nbody, after.njnt, after.ngeom, after.nsite, after.ncam, after.nlight);
    if (body, joint, geom, site, camera, light) != sizes {
        return false;
    }
    options(&mut spec.option, before, after);
    visual(&mut spec.visual, before, after);
    statistic(&mut spec.statistic, before, after);
    materials(&mut spec.materials, before, after);
    pairs(&mut spec.pairs, before, after);
    equalities(&mut spec.equalities, before, after);
    tendons(&mut spec.tendons, before, after);
    actuators(&mut spec.actuators, before, after);
    sensors(&mut spec.sensors, before, after);
    numerics(&mut spec.numerics, before, after);
    keys(&mut spec.keys, before, after);
    true
}

/// The row `i`, if it changed.
fn changed<T: PartialEq + Copy>(before: &[T], after: &[T], i: usize) -> Option<T> {
    let (old, new) = (before.get(i)?, after.get(i)?);
    (old != new).then_some(*new)
}

/// An attribute with all its positions written.
fn all<const N: usize>(value: impl Into<[f64; N]>) -> Partial<N> {
    Partial { value: value.into(), len: N }
}

/// Sets attributes to fields whose row changed: `attribute = convert(field)`.
macro_rules! take {
    ($e:expr, $before:expr, $after:expr, $i:expr; $($attr:ident = $convert:tt($field:ident);)*) => {
        $(if let Some(x) = changed(&$before.$field, &$after.$field, $i) {
            $e.$attr.set(take!(@ $convert x));
        })*
    };
    (@ all $x:ident) => { all($x) };
    (@ array $x:ident) => { $x.into() };
    (@ plain $x:ident) => { $x };
}

/// The numbers of the next objects.
#[derive(Default)]
struct Counts {
    body: usize,
    joint: usize,
    geom: usize,
    site: usize,
    camera: usize,
    light: usize,
}

/// A walk through the kinematic tree, in the order of ids.
struct Tree<'m> {
    before: &'m Model,
    after: &'m Model,
    settings: Vec<Settings>,
    next: Counts,
}

fn count(next: &mut usize) -> usize {
    *next += 1;
    *next - 1
}

/// The pose of row `i`, if it changed.
fn moved(before: (&[Vec3], &[Quat]), after: (&[Vec3], &[Quat]), i: usize) -> Option<Pose> {
    let old = (before.0.get(i)?, before.1.get(i)?);
    let new = (after.0.get(i)?, after.1.get(i)?);
    (old != new).then_some(Pose { pos: *new.0, quat: *new.1 })
}

/// Sets the attributes of a pose; `frame` is what it is written in.
macro_rules! place {
    ($e:expr, $pose:expr, $frame:expr) => {
        if let Some(pose) = $pose {
            let pose = $frame.inverse().then(pose);
            $e.pos.set(pose.pos.to_array());
            $e.quat.set(pose.quat.to_array());
            $e.alt.clear();
        }
    };
}

impl Tree<'_> {
    fn body(&mut self, b: &mut Body, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let i = count(&mut self.next.body);
        let pose =
            moved((&before.body_pos, &before.body_quat), (&after.body_pos, &after.body_quat), i);
        place!(b, pose, frame);
        take!(b, before, after, i; gravcomp = plain(body_gravcomp););
        self.leaves(&mut b.children, i, Pose::IDENTITY);
        self.bodies(&mut b.children, Pose::IDENTITY);
    }

    /// The pose of a frame in its body.
    fn frame(&self, f: &Frame, outer: Pose) -> Pose {
        let settings = &self.settings[f.head.scope];
        let quat = orientation(&f.quat, &f.alt, settings).unwrap_or(Quat::IDENTITY);
        outer.then(Pose { pos: f.values().pos().into(), quat })
    }

    fn bodies(&mut self, children: &mut [Child], frame: Pose) {
        for child in children {
            match child {
                Child::Body(b) => self.body(b, frame),
                Child::Frame(f) => {
                    let pose = self.frame(f, frame);
                    self.bodies(&mut f.children, pose);
                }
                _ => {}
            }
        }
    }

    fn leaves(&mut self, children: &mut [Child], body: usize, frame: Pose) {
        for child in children {
            match child {
                Child::Frame(f) => {
                    let pose = self.frame(f, frame);
                    self.leaves(&mut f.children, body, pose);
                }
                Child::Inertial(e) => self.inertial(e, body, frame),
                Child::Joint(e) => self.joint(e, frame),
                Child::FreeJoint(_) => self.next.joint += 1,
                Child::Geom(e) => self.geom(e, frame),
                Child::Site(e) => self.site(e, frame),
                Child::Camera(e) => self.camera(e, frame),
                Child::Light(e) => self.light(e, frame),
                Child::Body(_) | Child::Replicate(_) | Child::Attach(_) => {}
            }
        }
    }

    fn inertial(&self, e: &mut Inertial, i: usize, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let pose = moved(
            (&before.body_ipos, &before.body_iquat),
            (&after.body_ipos, &after.body_iquat),
            i,
        );
        place!(e, pose, frame);
        take!(e, before, after, i; mass = plain(body_mass););
        let inertia = changed(&before.body_inertia, &after.body_inertia, i);
        if (inertia.is_some() || pose.is_some()) && e.fullinertia.is_set() {
            e.fullinertia.clear();
            e.diaginertia.set(after.body_inertia[i].into());
            place!(e, Some(Pose { pos: after.body_ipos[i], quat: after.body_iquat[i] }), frame);
        } else if let Some(inertia) = inertia {
            e.diaginertia.set(inertia.into());
        }
    }

    fn joint(&mut self, e: &mut Joint, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let i = count(&mut self.next.joint);
        let Some(&kind) = after.jnt_type.get(i) else { return };
        let (q, v) = (after.jnt_qposadr[i] as usize, after.jnt_dofadr[i].idx());

        // place and axis
        if let Some(pos) = changed(&before.jnt_pos, &after.jnt_pos, i) {
            e.pos.set(frame.inverse().then(Pose { pos, ..Pose::IDENTITY }).pos.to_array());
        }
        if let Some(axis) = changed(&before.jnt_axis, &after.jnt_axis, i) {
            e.axis.set((frame.quat.conj().to_mat() * axis).to_array());
        }

        // angles, in the units of the file
        let turns = matches!(kind, JointType::Hinge | JointType::Ball);
        let degree = turns && self.settings[e.head.scope].degree;
        let angle = |x: f64| if degree { x.to_degrees() } else { x };
        if let Some(range) = changed(&before.jnt_range, &after.jnt_range, i) {
            e.range.set(range.map(angle));
        }
        if matches!(kind, JointType::Hinge | JointType::Slide) {
            let reference = changed(&before.qpos0, &after.qpos0, q);
            reference.into_iter().for_each(|x| e.ref_.set(angle(x)));
            let spring = changed(&before.qpos_spring, &after.qpos_spring, q);
            spring.into_iter().for_each(|x| e.springref.set(angle(x)));
        }

        // numbers of the joint and of its first dof
        if e.springdamper.is_set() {
            // it stands for numbers at the inertia of compilation, which may have changed
            e.springdamper.clear();
            e.stiffness.set(after.jnt_stiffness[i]);
            e.damping.set(after.dof_damping[v]);
        }
        take!(e, before, after, i;
            stiffness = plain(jnt_stiffness);
            solreflimit = all(jnt_solref);
            solimplimit = all(jnt_solimp);
            margin = plain(jnt_margin);
            actuatorfrcrange = plain(jnt_actfrcrange);
        );
        take!(e, before, after, v;
            solreffriction = all(dof_solref);
            solimpfriction = all(dof_solimp);
            armature = plain(dof_armature);
            damping = plain(dof_damping);
            frictionloss = plain(dof_frictionloss);
        );
    }

    fn geom(&mut self, e: &mut Geom, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let i = count(&mut self.next.geom);
        let mut pose =
            moved((&before.geom_pos, &before.geom_quat), (&after.geom_pos, &after.geom_quat), i);
        // the frame of a mesh is that of its inertia, the one that is written that of its file
        if matches!(after.geom_type.get(i), Some(&(GeomType::Mesh | GeomType::Sdf)))
            && let Ok(mesh) = usize::try_from(after.geom_dataid[i])
        {
            let own = Pose { pos: after.mesh_pos[mesh], quat: after.mesh_quat[mesh] };
            pose = pose.map(|pose| pose.then(own.inverse()));
        }
        if e.fromto.is_set() && (pose.is_some() || changed_size(before, after, i)) {
            e.fromto.clear();
            pose = Some(Pose { pos: after.geom_pos[i], quat: after.geom_quat[i] });
            e.size.set(all(after.geom_size[i]));
        }
        place!(e, pose, frame);
        take!(e, before, after, i;
            size = all(geom_size);
            friction = all(geom_friction);
            solref = all(geom_solref);
            solimp = all(geom_solimp);
            solmix = plain(geom_solmix);
            margin = plain(geom_margin);
            gap = plain(geom_gap);
            rgba = plain(geom_rgba);
        );
    }

    fn site(&mut self, e: &mut Site, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let i = count(&mut self.next.site);
        let mut pose =
            moved((&before.site_pos, &before.site_quat), (&after.site_pos, &after.site_quat), i);
        let size = changed(&before.site_size, &after.site_size, i);
        if e.fromto.is_set() && (pose.is_some() || size.is_some()) {
            e.fromto.clear();
            pose = Some(Pose { pos: after.site_pos[i], quat: after.site_quat[i] });
            e.size.set(all(after.site_size[i]));
        }
        place!(e, pose, frame);
        take!(e, before, after, i; size = all(site_size); rgba = plain(site_rgba););
    }

    fn camera(&mut self, e: &mut Camera, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let i = count(&mut self.next.camera);
        let pose = moved((&before.cam_pos, &before.cam_quat), (&after.cam_pos, &after.cam_quat), i);
        place!(e, pose, frame);
        take!(e, before, after, i;
            fovy = plain(cam_fovy);
            ipd = plain(cam_ipd);
            resolution = plain(cam_resolution);
        );
    }

    fn light(&mut self, e: &mut Light, frame: Pose) {
        let (before, after) = (self.before, self.after);
        let i = count(&mut self.next.light);
        if let Some(pos) = changed(&before.light_pos, &after.light_pos, i) {
            e.pos.set(frame.inverse().then(Pose { pos, ..Pose::IDENTITY }).pos.to_array());
        }
        if let Some(dir) = changed(&before.light_dir, &after.light_dir, i) {
            e.dir.set((frame.quat.conj().to_mat() * dir).to_array());
        }
        take!(e, before, after, i;
            attenuation = plain(light_attenuation);
            cutoff = plain(light_cutoff);
            exponent = plain(light_exponent);
            ambient = plain(light_ambient);
            diffuse = plain(light_diffuse);
            specular = plain(light_specular);
        );
    }
}

fn changed_size(before: &Model, after: &Model, i: usize) -> bool {
    changed(&before.geom_size, &after.geom_size, i).is_some()
}

/// Sets attributes to numbers of the same name that changed.
macro_rules! same {
    ($e:expr, $before:expr, $after:expr; $($convert:tt($($field:ident)*))*) => {
        $($(if $before.$field != $after.$field {
            let x = $after.$field;
            $e.$field.set(take!(@ $convert x));
        })*)*
    };
}

fn options(e: &mut OptionElement, before: &Model, after: &Model) {
    let (old, new) = (&before.opt, &after.opt);
    same!(e, old, new;
        plain(timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance
              sleep_tolerance density viscosity o_margin integrator cone jacobian solver
              iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations
              sdf_initpoints)
        array(gravity wind magnetic)
        all(o_solref o_solimp o_friction)
    );
    if old.disableactuator != new.disableactuator {
        let groups = (0..31).filter(|g| new.disableactuator & (1 << g) != 0);
        e.actuatorgroupdisable.set(groups.collect());
    }

    // bits that changed: those of the first kind switch a feature off
    let f = &mut e.flag;
    let disable = [
        (&mut f.constraint, DisableBit::Constraint),
        (&mut f.equality, DisableBit::Equality),
        (&mut f.frictionloss, DisableBit::Frictionloss),
        (&mut f.limit, DisableBit::Limit),
        (&mut f.contact, DisableBit::Contact),
        (&mut f.spring, DisableBit::Spring),
        (&mut f.damper, DisableBit::Damper),
        (&mut f.gravity, DisableBit::Gravity),
        (&mut f.clampctrl, DisableBit::Clampctrl),
        (&mut f.warmstart, DisableBit::Warmstart),
        (&mut f.filterparent, DisableBit::Filterparent),
        (&mut f.actuation, DisableBit::Actuation),
        (&mut f.refsafe, DisableBit::Refsafe),
        (&mut f.sensor, DisableBit::Sensor),
        (&mut f.midphase, DisableBit::Midphase),
        (&mut f.eulerdamp, DisableBit::Eulerdamp),
        (&mut f.autoreset, DisableBit::Autoreset),
        (&mut f.nativeccd, DisableBit::Nativeccd),
        (&mut f.island, DisableBit::Island),
    ];
    for (flag, DisableBit(bit)) in disable {
        if (old.disableflags ^ new.disableflags) & bit != 0 {
            flag.set(Enable(new.disableflags & bit == 0));
        }
    }
    let enable = [
        (&mut f.override_, EnableBit::Override),
        (&mut f.energy, EnableBit::Energy),
        (&mut f.fwdinv, EnableBit::Fwdinv),
        (&mut f.invdiscrete, EnableBit::Invdiscrete),
        (&mut f.multiccd, EnableBit::Multiccd),
        (&mut f.sleep, EnableBit::Sleep),
    ];
    for (flag, EnableBit(bit)) in enable {
        if (old.enableflags ^ new.enableflags) & bit != 0 {
            flag.set(Enable(new.enableflags & bit != 0));
        }
    }
}

fn visual(e: &mut VisualElement, before: &Model, after: &Model) {
    let (old, new) = (&before.vis, &after.vis);
    same!(e.global, old.global, new.global;
        plain(cameraid fovy ipd azimuth elevation linewidth glow offwidth offheight realtime));
    same!(e.quality, old.quality, new.quality;
        plain(shadowsize offsamples numslices numstacks numquads));
    same!(e.headlight, old.headlight, new.headlight; plain(ambient diffuse specular active));
    same!(e.map, old.map, new.map;
        plain(stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip
              shadowscale actuatortendon));
    same!(e.scale, old.scale, new.scale;
        plain(forcewidth contactwidth contactheight connect com camera light selectpoint
              jointlength jointwidth actuatorlength actuatorwidth framelength framewidth
              constraint slidercrank frustum));
    same!(e.rgba, old.rgba, new.rgba;
        plain(fog haze force inertia joint actuator actuatornegative actuatorpositive com camera
              light selectpoint connect contactpoint contactforce contactfriction contacttorque
              contactgap rangefinder constraint slidercrank crankbroken frustum bv bvactive));
}

fn statistic(e: &mut StatisticElement, before: &Model, after: &Model) {
    let (old, new) = (&before.stat, &after.stat);
    same!(e, old, new; plain(meaninertia meanmass meansize extent) array(center));
}

fn materials(list: &mut [Material], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, before, after, i;
            texrepeat = plain(mat_texrepeat);
            emission = plain(mat_emission);
            specular = plain(mat_specular);
            shininess = plain(mat_shininess);
            reflectance = plain(mat_reflectance);
            rgba = plain(mat_rgba);
        );
    }
}

fn pairs(list: &mut [Pair], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, before, after, i;
            solref = all(pair_solref);
            solreffriction = all(pair_solreffriction);
            solimp = all(pair_solimp);
            margin = plain(pair_margin);
            gap = plain(pair_gap);
            friction = all(pair_friction);
        );
    }
}

fn equalities(list: &mut [Equality], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, before, after, i; solref = all(eq_solref); solimp = all(eq_solimp););
        let Some(data) = changed(&before.eq_data, &after.eq_data, i) else { continue };
        let part = |first: usize| core::array::from_fn(|k| data[first + k]);
        match e.kind {
            EqType::Connect => e.anchor.set(part(0)),
            EqType::Weld => {
                e.anchor.set(part(0));
                e.relpose.set(core::array::from_fn(|k| data[3 + k]));
                e.torquescale.set(data[10]);
            }
            _ => e.polycoef.set(all(core::array::from_fn::<f64, 5, _>(|k| data[k]))),
        }
    }
}

fn tendons(list: &mut [Tendon], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, before, after, i;
            range = plain(tendon_range);
            actuatorfrcrange = plain(tendon_actfrcrange);
            solreflimit = all(tendon_solref_lim);
            solimplimit = all(tendon_solimp_lim);
            solreffriction = all(tendon_solref_fri);
            solimpfriction = all(tendon_solimp_fri);
            rgba = plain(tendon_rgba);
            width = plain(tendon_width);
            margin = plain(tendon_margin);
            stiffness = plain(tendon_stiffness);
            damping = plain(tendon_damping);
            armature = plain(tendon_armature);
            frictionloss = plain(tendon_frictionloss);
        );
    }
}

fn actuators(list: &mut [Actuator], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, before, after, i;
            ctrlrange = plain(actuator_ctrlrange);
            forcerange = plain(actuator_forcerange);
            actrange = plain(actuator_actrange);
            lengthrange = plain(actuator_lengthrange);
            gear = all(actuator_gear);
            cranklength = plain(actuator_cranklength);
        );
        let laws = |m: &Model| {
            let prm = m.actuator_dynprm.get(i).copied();
            (prm, m.actuator_gainprm.get(i).copied(), m.actuator_biasprm.get(i).copied())
        };
        if laws(before) != laws(after)
            && let (Some(dynprm), Some(gainprm), Some(biasprm)) = laws(after)
        {
            // what a shortcut says in its own words is said in general ones
            let old = core::mem::take(e);
            let kind = ActuatorTag::General;
            *e = Actuator { kind, ..old };
            for shortcut in [&mut e.kp, &mut e.kv, &mut e.dampratio, &mut e.area, &mut e.diameter] {
                shortcut.clear();
            }
            for shortcut in [&mut e.tausmooth, &mut e.force, &mut e.scale, &mut e.lmin, &mut e.lmax]
            {
                shortcut.clear();
            }
            for shortcut in [&mut e.vmax, &mut e.fpmax, &mut e.fvmax, &mut e.gain] {
                shortcut.clear();
            }
            (e.timeconst, e.bias, e.range) = Default::default();
            e.inheritrange.clear();
            e.dyntype.set(after.actuator_dyntype[i]);
            e.gaintype.set(after.actuator_gaintype[i]);
            e.biastype.set(after.actuator_biastype[i]);
            e.ctrlrange.set(after.actuator_ctrlrange[i]);
            e.dynprm.set(all(dynprm));
            e.gainprm.set(all(gainprm));
            e.biasprm.set(all(biasprm));
        }
    }
}

fn sensors(list: &mut [Sensor], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, before, after, i; cutoff = plain(sensor_cutoff); noise = plain(sensor_noise););
    }
}

fn numerics(list: &mut [Numeric], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate() {
        let data = |m: &Model| {
            let (adr, size) = (*m.numeric_adr.get(i)?, *m.numeric_size.get(i)?);
            let end = usize::try_from(adr + size).ok()?;
            m.numeric_data.get(usize::try_from(adr).ok()?..end).map(<[f64]>::to_vec)
        };
        if let Some(new) = data(after).filter(|new| Some(new) != data(before).as_ref()) {
            e.data.set(new);
        }
    }
}

fn keys(list: &mut [Key], before: &Model, after: &Model) {
    for (i, e) in list.iter_mut().enumerate().take(after.nkey.min(before.nkey)) {
        take!(e, before, after, i; time = plain(key_time););
        let lists = [
            (&mut e.qpos, &before.key_qpos[i], &after.key_qpos[i]),
            (&mut e.qvel, &before.key_qvel[i], &after.key_qvel[i]),
            (&mut e.act, &before.key_act[i], &after.key_act[i]),
            (&mut e.mpos, &before.key_mpos[i], &after.key_mpos[i]),
            (&mut e.mquat, &before.key_mquat[i], &after.key_mquat[i]),
            (&mut e.ctrl, &before.key_ctrl[i], &after.key_ctrl[i]),
        ];
        for (attr, old, new) in lists {
            if old != new {
                attr.set(new.to_vec());
                e.partial = false;
            }
        }
    }
}
