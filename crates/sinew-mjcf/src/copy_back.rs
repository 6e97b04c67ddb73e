//! Changes of a compiled model, taken back to the elements from which it was compiled.
//!
//! Usually only numbers that the user has changed are written, so that everything else stays as its
//! author wrote it. MuJoCo's style writes all. Inertias are taken back where an `<inertial>` says
//! them; elsewhere they follow from geoms when the file is read again. MuJoCo: `mj_copyBack`.

use sinew_math::{Quat, Vec3};
use sinew_model::enums::{DisableBit, EnableBit, EqType, JointType, ObjType};
use sinew_model::later::{GAIN_PID, INPUT_FF, INPUT_POS, INPUT_VEL, Later, row};
use sinew_model::options::{Options, Visual};
use sinew_model::{ActuatorId, Model};

use crate::actuator_kinds::ActuatorSettings;
use crate::defaults::Defaults;
use crate::orientation::orientation;
use crate::pose::Pose;
use crate::settings::Settings;
use crate::spec::attr::Partial;
use crate::spec::*;

/// A model as it was compiled and as it is now.
#[derive(Clone, Copy)]
pub(crate) struct Change<'m> {
    /// The result of the compilation.
    pub(crate) before: &'m Model,
    /// The same model after changes.
    pub(crate) after: &'m Model,
    /// Whether numbers are written that did not change.
    pub(crate) all: bool,
}

impl Change<'_> {
    /// The row `i` of a field, if it is to be written.
    fn row<T: PartialEq + Clone>(self, field: impl Fn(&Model) -> Option<T>) -> Option<T> {
        let (old, new) = (field(self.before)?, field(self.after)?);
        (self.all || old != new).then_some(new)
    }

    /// The pose of a row, if it is to be written.
    fn pose(self, field: impl Fn(&Model) -> (&[Vec3], &[Quat]), i: usize) -> Option<Pose> {
        let (pos, quat) = self.row(|m| {
            let (pos, quat) = field(m);
            Some((*pos.get(i)?, *quat.get(i)?))
        })?;
        Some(Pose { pos, quat })
    }
}

/// Brings the elements of an expanded `spec` to the state of a model that was compiled from it.
/// Returns false, and writes nothing more, if the model does not have the elements of the spec.
pub(crate) fn copy_back(spec: &mut Spec, change: Change<'_>) -> bool {
    let settings = spec.scopes.iter().map(|s| Settings::new(&s.compiler)).collect();
    let mut tree = Tree { change, settings, next: Counts::default() };
    let mut world = core::mem::take(&mut spec.world);
    tree.body(&mut world, Pose::IDENTITY);
    spec.world = world;
    let Counts { body, joint, geom, site, camera, light } = tree.next;
    let Change { before, after, .. } = change;
    let sizes = (after.nbody, after.njnt, after.ngeom, after.nsite, after.ncam, after.nlight);
    if (body, joint, geom, site, camera, light) != sizes {
        return false;
    }
    options(&mut spec.option, &before.opt, &after.opt);
    visual(&mut spec.visual, &before.vis, &after.vis);
    statistic(&mut spec.statistic, before, after);
    let defaults = Defaults::new(spec);
    materials(&mut spec.materials, change);
    hfields(&mut spec.hfields, change);
    pairs(&mut spec.pairs, &defaults, change);
    equalities(&mut spec.equalities, change);
    tendons(&mut spec.tendons, change);
    actuators(&mut spec.actuators, &defaults, change);
    sensors(&mut spec.sensors, change);
    numerics(&mut spec.numerics, change);
    tuples(&mut spec.tuples, change);
    keys(&mut spec.keys, change);
    true
}

/// An attribute with all its positions written.
fn all<const N: usize>(value: impl Into<[f64; N]>) -> Partial<N> {
    Partial { value: value.into(), len: N }
}

/// The row of a field, if it is to be written.
macro_rules! row {
    ($change:expr, $field:ident, $i:expr) => {
        $change.row(|m| m.$field.get($i).cloned())
    };
}

/// Sets attributes to rows of fields that are to be written: `attribute = convert(field)`.
macro_rules! take {
    ($e:expr, $change:expr, $i:expr; $($attr:ident = $convert:tt($field:ident);)*) => {
        $(if let Some(x) = row!($change, $field, $i) {
            take!(@@ $convert $e, $attr, x);
        })*
    };
    (@@ linear $e:expr, $attr:ident, $x:ident) => { $e.$attr.set(linear(&$e.$attr, $x)) };
    (@@ $convert:tt $e:expr, $attr:ident, $x:ident) => { $e.$attr.set(take!(@ $convert $x)) };
    (@ all $x:ident) => { all($x) };
    (@ array $x:ident) => { $x.into() };
    (@ plain $x:ident) => { $x };
    (@ flag $x:ident) => { $x != 0 };
}

/// Coefficients of which the linear one has changed.
fn linear(coefficients: &Attr<Poly>, value: f64) -> Poly {
    coefficients.get().map_or(value.into(), |poly| poly.with_linear(value))
}

/// The row of a table of later parameters, if it has changed.
fn later_row<T: Copy + Default + PartialEq>(
    change: Change<'_>,
    table: fn(&Later) -> &Vec<T>,
    i: usize,
) -> Option<T> {
    let of = |m: &Model| m.later.as_ref().map_or(T::default(), |later| row(table(later), i));
    let (old, new) = (of(change.before), of(change.after));
    (old != new).then_some(new)
}

/// Sets the coefficients after the linear one, if they have changed.
fn high(e: &mut Attr<Poly>, change: Change<'_>, table: fn(&Later) -> &Vec<[f64; 2]>, i: usize) {
    if let Some([second, third]) = later_row(change, table, i) {
        let linear = e.or(Poly::from(0.0)).0.value[0];
        e.set(Poly(all([linear, second, third])));
    }
}

/// Sets user data, if they are to be written; where no element has any, none are.
macro_rules! user {
    ($e:expr, $change:expr, $field:ident, $i:expr) => {
        let data = $change.row(|m| ($i < m.$field.rows()).then(|| m.$field[$i].to_vec()));
        data.filter(|data| !data.is_empty()).into_iter().for_each(|data| $e.user.set(data));
    };
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
    change: Change<'m>,
    settings: Vec<Settings>,
    next: Counts,
}

fn count(next: &mut usize) -> usize {
    *next += 1;
    *next - 1
}

/// Sets the attributes of a pose; `frame` is the frame in which it is written.
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
        let change = self.change;
        let i = count(&mut self.next.body);
        let pose = change.pose(|m| (&m.body_pos, &m.body_quat), i);
        place!(b, pose, frame);
        take!(b, change, i; gravcomp = plain(body_gravcomp););
        user!(b, change, body_user, i);
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
                Child::FreeJoint(e) => {
                    let (mut joint, before) = (e.joint(), e.joint());
                    self.joint(&mut joint, frame);
                    if joint != before {
                        *child = Child::Joint(joint);
                    }
                }
                Child::Geom(e) => self.geom(e, frame),
                Child::Site(e) => self.site(e, frame),
                Child::Camera(e) => self.camera(e, frame),
                Child::Light(e) => self.light(e, frame),
                Child::Body(_) | Child::Replicate(_) | Child::Attach(_) => {}
            }
        }
    }

    fn inertial(&self, e: &mut Inertial, i: usize, frame: Pose) {
        let change = self.change;
        let pose = change.pose(|m| (&m.body_ipos, &m.body_iquat), i);
        place!(e, pose, frame);
        take!(e, change, i; mass = plain(body_mass););
        let inertia = row!(change, body_inertia, i);
        if (inertia.is_some() || pose.is_some()) && e.fullinertia.is_set() {
            e.fullinertia.clear();
            let after = change.after;
            e.diaginertia.set(after.body_inertia[i].into());
            place!(e, Some(Pose { pos: after.body_ipos[i], quat: after.body_iquat[i] }), frame);
        } else if let Some(inertia) = inertia {
            e.diaginertia.set(inertia.into());
        }
    }

    fn joint(&mut self, e: &mut Joint, frame: Pose) {
        let change = self.change;
        let i = count(&mut self.next.joint);
        let after = change.after;
        let Some(&kind) = after.jnt_type.get(i) else { return };
        let (q, v) = (after.jnt_qposadr[i] as usize, after.jnt_dofadr[i].idx());

        // place and axis
        if let Some(pos) = row!(change, jnt_pos, i) {
            e.pos.set(frame.inverse().then(Pose { pos, ..Pose::IDENTITY }).pos.to_array());
        }
        if let Some(axis) = row!(change, jnt_axis, i) {
            e.axis.set((frame.quat.conj().to_mat() * axis).to_array());
        }

        // angles, in the units of the file
        let turns = matches!(kind, JointType::Hinge | JointType::Ball);
        let degree = turns && self.settings[e.head.scope].degree;
        let angle = |x: f64| if degree { x.to_degrees() } else { x };
        if let Some(range) = row!(change, jnt_range, i) {
            e.range.set(range.map(angle));
        }
        if matches!(kind, JointType::Hinge | JointType::Slide) {
            let reference = row!(change, qpos0, q);
            reference.into_iter().for_each(|x| e.ref_.set(angle(x)));
            let spring = row!(change, qpos_spring, q);
            spring.into_iter().for_each(|x| e.springref.set(angle(x)));
        }

        // numbers of the joint and of its first dof
        if e.springdamper.is_set() {
            // it stands for numbers at the inertia of compilation, which may have changed
            e.springdamper.clear();
            e.stiffness.set(linear(&e.stiffness, after.jnt_stiffness[i]));
            e.damping.set(linear(&e.damping, after.dof_damping[v]));
        }
        take!(e, change, i;
            stiffness = linear(jnt_stiffness);
            solreflimit = all(jnt_solref);
            solimplimit = all(jnt_solimp);
            margin = plain(jnt_margin);
            actuatorfrcrange = plain(jnt_actfrcrange);
        );
        take!(e, change, v;
            solreffriction = all(dof_solref);
            solimpfriction = all(dof_solimp);
            armature = plain(dof_armature);
            damping = linear(dof_damping);
            frictionloss = plain(dof_frictionloss);
        );
        high(&mut e.stiffness, change, |l| &l.jnt_stiffnesspoly, i);
        high(&mut e.damping, change, |l| &l.dof_dampingpoly, v);
        if let Some(bound) = later_row(change, |l| &l.jnt_springyield, i) {
            e.springyield.set(angle(bound));
        }
        user!(e, change, jnt_user, i);
    }

    fn geom(&mut self, e: &mut Geom, frame: Pose) {
        let change = self.change;
        let i = count(&mut self.next.geom);
        let mut pose = change.pose(|m| (&m.geom_pos, &m.geom_quat), i);
        // the frame of a mesh is the frame of its inertia; the written frame is the frame of its
        // file
        let after = change.after;
        if after.geom_type.get(i).is_some_and(|kind| kind.is_mesh())
            && let Ok(mesh) = usize::try_from(after.geom_dataid[i])
        {
            let own = Pose { pos: after.mesh_pos[mesh], quat: after.mesh_quat[mesh] };
            pose = pose.map(|pose| pose.then(own.inverse()));
        }
        if e.fromto.is_set() && (pose.is_some() || row!(change, geom_size, i).is_some()) {
            e.fromto.clear();
            pose = Some(Pose { pos: after.geom_pos[i], quat: after.geom_quat[i] });
            e.size.set(all(after.geom_size[i]));
        }
        place!(e, pose, frame);
        take!(e, change, i;
            size = all(geom_size);
            friction = all(geom_friction);
            solref = all(geom_solref);
            solimp = all(geom_solimp);
            solmix = plain(geom_solmix);
            margin = plain(geom_margin);
            gap = plain(geom_gap);
            rgba = plain(geom_rgba);
        );
        if let Some(force) = later_row(change, |l| &l.geom_adhesion, i) {
            e.adhesion.set(force);
        }
        if let Some(row) = later_row(change, |l| &l.geom_surfacevel, i) {
            e.surfacevel.set(all(in_file(row, after, i)));
        }
        user!(e, change, geom_user, i);
    }

    fn site(&mut self, e: &mut Site, frame: Pose) {
        let change = self.change;
        let i = count(&mut self.next.site);
        let mut pose = change.pose(|m| (&m.site_pos, &m.site_quat), i);
        let size = row!(change, site_size, i);
        if e.fromto.is_set() && (pose.is_some() || size.is_some()) {
            e.fromto.clear();
            let after = change.after;
            pose = Some(Pose { pos: after.site_pos[i], quat: after.site_quat[i] });
            e.size.set(all(after.site_size[i]));
        }
        place!(e, pose, frame);
        take!(e, change, i; size = all(site_size); rgba = plain(site_rgba););
        user!(e, change, site_user, i);
    }

    fn camera(&mut self, e: &mut Camera, frame: Pose) {
        let change = self.change;
        let i = count(&mut self.next.camera);
        let pose = change.pose(|m| (&m.cam_pos, &m.cam_quat), i);
        place!(e, pose, frame);
        take!(e, change, i;
            fovy = plain(cam_fovy);
            ipd = plain(cam_ipd);
            resolution = plain(cam_resolution);
        );
        user!(e, change, cam_user, i);
    }

    fn light(&mut self, e: &mut Light, frame: Pose) {
        let change = self.change;
        let i = count(&mut self.next.light);
        if let Some(pos) = row!(change, light_pos, i) {
            e.pos.set(frame.inverse().then(Pose { pos, ..Pose::IDENTITY }).pos.to_array());
        }
        if let Some(dir) = row!(change, light_dir, i) {
            e.dir.set((frame.quat.conj().to_mat() * dir).to_array());
        }
        take!(e, change, i;
            attenuation = plain(light_attenuation);
            cutoff = plain(light_cutoff);
            exponent = plain(light_exponent);
            ambient = plain(light_ambient);
            diffuse = plain(light_diffuse);
            specular = plain(light_specular);
        );
    }
}

/// The velocity of a surface in the terms of a file: for a mesh, in the frame of the mesh's file.
fn in_file(row: [f64; 6], m: &Model, geom: usize) -> [f64; 6] {
    let mesh = usize::try_from(m.geom_dataid[geom]);
    let (true, Ok(mesh)) = (m.geom_type[geom].is_mesh(), mesh) else { return row };
    let turn = m.mesh_quat[mesh].to_mat();
    let spin = turn * Vec3::from_slice(&row[3..]);
    let slide = turn * Vec3::from_slice(&row) - spin.cross(m.mesh_pos[mesh]);
    let (slide, spin) = (slide.to_array(), spin.to_array());
    core::array::from_fn(|k| if k < 3 { slide[k] } else { spin[k - 3] })
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

/// Sets the options of MuJoCo that differ between two models.
pub(crate) fn options(e: &mut OptionElement, old: &Options, new: &Options) {
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

    // bits that changed: bits of the first kind switch a feature off
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

/// Sets the visual settings that differ between two models.
pub(crate) fn visual(e: &mut VisualElement, old: &Visual, new: &Visual) {
    same!(e.global, old.global, new.global;
        plain(cameraid fovy ipd azimuth elevation linewidth glow offwidth offheight realtime)
        flag(orthographic ellipsoidinertia bvactive));
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

fn materials(list: &mut [Material], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, change, i;
            texrepeat = plain(mat_texrepeat);
            emission = plain(mat_emission);
            specular = plain(mat_specular);
            shininess = plain(mat_shininess);
            reflectance = plain(mat_reflectance);
            rgba = plain(mat_rgba);
        );
    }
}

/// The names of two bodies, or of geoms of them, and the numbers of the bodies. The body with the
/// smaller number comes first; the model has been sorted by these numbers.
pub(crate) fn ordered<'n>(
    m: &Model,
    kind: ObjType,
    names: [&'n str; 2],
) -> ([usize; 2], [&'n str; 2]) {
    let body = |name: &str| {
        let id = m.name2id(kind, name)?;
        Some(if kind == ObjType::Geom { m.geom_bodyid[id].idx() } else { id })
    };
    let [a, b] = names.map(|name| body(name).unwrap_or_default());
    if a > b { ([b, a], [names[1], names[0]]) } else { ([a, b], names) }
}

fn pairs(list: &mut [Pair], defaults: &Defaults, change: Change<'_>) {
    // a model has them in the order of their bodies
    let mut sorted: Vec<&mut Pair> = list.iter_mut().collect();
    sorted.sort_by_key(|e| {
        let e = defaults.pair(e);
        ordered(change.after, ObjType::Geom, [e.geom1.text(), e.geom2.text()]).0
    });
    for (i, e) in sorted.into_iter().enumerate() {
        take!(e, change, i;
            solref = all(pair_solref);
            solreffriction = all(pair_solreffriction);
            solimp = all(pair_solimp);
            margin = plain(pair_margin);
            gap = plain(pair_gap);
            friction = all(pair_friction);
        );
        if let Some(force) = later_row(change, |l| &l.pair_adhesion, i) {
            e.adhesion.set(force);
        }
    }
}

fn equalities(list: &mut [Equality], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, change, i; solref = all(eq_solref); solimp = all(eq_solimp););
        let Some(data) = row!(change, eq_data, i) else { continue };
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

fn tendons(list: &mut [Tendon], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, change, i;
            range = plain(tendon_range);
            actuatorfrcrange = plain(tendon_actfrcrange);
            solreflimit = all(tendon_solref_lim);
            solimplimit = all(tendon_solimp_lim);
            solreffriction = all(tendon_solref_fri);
            solimpfriction = all(tendon_solimp_fri);
            rgba = plain(tendon_rgba);
            width = plain(tendon_width);
            margin = plain(tendon_margin);
            stiffness = linear(tendon_stiffness);
            damping = linear(tendon_damping);
            armature = plain(tendon_armature);
            frictionloss = plain(tendon_frictionloss);
        );
        high(&mut e.stiffness, change, |l| &l.tendon_stiffnesspoly, i);
        high(&mut e.damping, change, |l| &l.tendon_dampingpoly, i);
        if let Some(bound) = later_row(change, |l| &l.tendon_springyield, i) {
            e.springyield.set(bound);
        }
        user!(e, change, tendon_user, i);
    }
}

fn actuators(list: &mut [Actuator], defaults: &Defaults, change: Change<'_>) {
    let rows: Vec<usize> = change.before.whole_actuators().map(|u| u.idx()).collect();
    for (i, e) in rows.into_iter().zip(list) {
        // parameters of shortcuts become general attributes
        let laws = change.row(|m| {
            let parameters = (m.actuator_dynprm.get(i)?, m.actuator_gainprm.get(i)?);
            Some((*parameters.0, *parameters.1, *m.actuator_biasprm.get(i)?))
        });
        if let Some((dynprm, gainprm, biasprm)) = laws {
            let mut set = ActuatorSettings::of(defaults.actuators(&e.head));
            set.add(e);
            e.say_generally(&set);
            e.dynprm.set(all(dynprm));
            e.gainprm.set(all(gainprm));
            e.biasprm.set(all(biasprm));
            control_ranges(e, Change { all: true, ..change }, i);
        }
        control_ranges(e, change, i);
        take!(e, change, i;
            forcerange = plain(actuator_forcerange);
            actrange = plain(actuator_actrange);
            lengthrange = plain(actuator_lengthrange);
            gear = all(actuator_gear);
            cranklength = plain(actuator_cranklength);
        );
        if let Some(damping) = later_row(change, |l| &l.actuator_damping, i) {
            e.damping.set(linear(&e.damping, damping));
        }
        high(&mut e.damping, change, |l| &l.actuator_dampingpoly, i);
        if let Some(armature) = later_row(change, |l| &l.actuator_armature, i) {
            e.armature.set(armature);
        }
        user!(e, change, actuator_user, i);
    }
}

/// The ranges of the controls of the actuator with the row `i`.
fn control_ranges(e: &mut Actuator, change: Change<'_>, i: usize) {
    let u = ActuatorId::new(i);
    let inputs = match change.before.actuator_gaintype[u] {
        GAIN_PID => change.before.actuator_inputs(u),
        _ => INPUT_POS,
    };
    let ranges =
        [(INPUT_POS, &mut e.ctrlrange), (INPUT_VEL, &mut e.velrange), (INPUT_FF, &mut e.ffrange)];
    let present = ranges.into_iter().filter(|(bit, _)| inputs & bit != 0);
    for (row, (_, attr)) in (i..).zip(present) {
        if let Some(range) = change.row(|m| m.actuator_ctrlrange.get(row).copied()) {
            attr.set(range);
        }
    }
}

fn sensors(list: &mut [Sensor], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate() {
        take!(e, change, i; cutoff = plain(sensor_cutoff); noise = plain(sensor_noise););
        user!(e, change, sensor_user, i);
    }
}

fn numerics(list: &mut [Numeric], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate() {
        let data = |m: &Model| {
            let part = part(*m.numeric_adr.get(i)?, *m.numeric_size.get(i)?)?;
            m.numeric_data.get(part).map(<[f64]>::to_vec)
        };
        change.row(data).into_iter().for_each(|data| e.data.set(data));
    }
}

fn tuples(list: &mut [Tuple], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate() {
        let data = |m: &Model| {
            let part = part(*m.tuple_adr.get(i)?, *m.tuple_size.get(i)?)?;
            m.tuple_objprm.get(part).map(<[f64]>::to_vec)
        };
        let data = change.row(data).unwrap_or_default();
        e.elements.iter_mut().zip(data).for_each(|(member, prm)| member.prm.set(prm));
    }
}

/// Heights that are not from a file: rows from the far end in a file, from the near end in a model.
fn hfields(list: &mut [HField], change: Change<'_>) {
    for (i, e) in list.iter_mut().enumerate().filter(|(_, e)| e.file.text().is_empty()) {
        let data = change.row(|m| {
            let (rows, columns) = (*m.hfield_nrow.get(i)?, *m.hfield_ncol.get(i)?);
            let part = part(*m.hfield_adr.get(i)?, rows.checked_mul(columns)?)?;
            let rows = m.hfield_data.get(part)?.chunks(usize::try_from(columns).ok()?.max(1));
            Some(rows.rev().flatten().copied().collect::<Vec<f32>>())
        });
        data.into_iter().for_each(|data| e.elevation.set(data));
    }
}

/// The part of a list that begins at a number and has a length.
fn part(first: i32, count: i32) -> Option<core::ops::Range<usize>> {
    let first = usize::try_from(first).ok()?;
    Some(first..first + usize::try_from(count).ok()?)
}

fn keys(list: &mut [Key], change: Change<'_>) {
    let keys = change.after.nkey.min(change.before.nkey);
    for (i, e) in list.iter_mut().enumerate().take(keys) {
        take!(e, change, i; time = plain(key_time););
        let lists = [
            (&mut e.qpos, change.row(|m| Some(m.key_qpos[i].to_vec()))),
            (&mut e.qvel, change.row(|m| Some(m.key_qvel[i].to_vec()))),
            (&mut e.act, change.row(|m| Some(m.key_act[i].to_vec()))),
            (&mut e.mpos, change.row(|m| Some(m.key_mpos[i].to_vec()))),
            (&mut e.mquat, change.row(|m| Some(m.key_mquat[i].to_vec()))),
            (&mut e.ctrl, change.row(|m| Some(m.key_ctrl[i].to_vec()))),
            (&mut e.plastic, change.row(|m| Some(m.key_plastic(i).to_vec()))),
        ];
        for (attr, new) in lists {
            if let Some(new) = new {
                attr.set(new);
                e.partial = false;
            }
        }
    }
}
