//! Sensors: their objects, their numbers and the places of these in `sensordata`.

use sinew_model::Model;
use sinew_model::enums::{DataType, GeomType, JointType, ObjType, SensorType, Stage};
use sinew_model::later::GAIN_SO3;
use sinew_model::validate::MAX_DATA_NUMBERS;

use crate::compile::cx::{At, Cx};
use crate::compile::objects::actuator::{ActuatorRec, MAX_SAMPLES, history_size};
use crate::compile::objects::tendon::TendonRec;
use crate::diag::tag;
use crate::schema::nearest;
use crate::spec::sensor_kinds::{
    CONTACT_FIELDS, RAY_FIELDS, SensorKind, Target, field_bits, field_size, sensor_kind,
};
use crate::spec::{Attr, OBJECTS, Sensor, Span, object_type};

/// A compiled sensor.
#[derive(Clone, Debug)]
pub(crate) struct SensorRec {
    /// The element with its defaults.
    pub(crate) elem: Sensor,
    /// MuJoCo's number of its kind.
    pub(crate) type_: SensorType,
    /// Type of its numbers.
    pub(crate) datatype: DataType,
    /// When it is computed.
    pub(crate) stage: Stage,
    /// Kind of the object.
    pub(crate) objtype: ObjType,
    /// The object.
    pub(crate) obj: Option<usize>,
    /// Kind of the reference.
    pub(crate) reftype: ObjType,
    /// The reference.
    pub(crate) ref_: Option<usize>,
    /// Fields, reduction and number of contacts; or fields of rays.
    pub(crate) intprm: [i32; 3],
    /// Number of its entries.
    pub(crate) dim: usize,
}

impl SensorRec {
    fn nsample(&self) -> i32 {
        self.elem.values().nsample()
    }

    /// Period and phase of sampling.
    fn interval(&self) -> [f64; 2] {
        self.elem.values().interval()
    }
}

/// Compiles all sensors; tendons and actuators must be compiled.
pub(crate) fn compile_sensors(
    cx: &mut Cx<'_>,
    tendons: &[TendonRec],
    actuators: &[ActuatorRec],
) -> Vec<SensorRec> {
    let spec = cx.spec;
    let elems: Vec<Sensor> = spec.sensors.iter().map(|s| cx.defaults.sensor(s)).collect();

    // user data: `nuser_sensor` numbers, or the length of the longest list
    let longest = elems.iter().map(|s| s.user.get().map_or(0, Vec::len)).max();
    cx.nuser.sensor = match spec.size.values().nuser_sensor() {
        n if n >= 0 => n as usize,
        _ => longest.unwrap_or(0),
    };

    let mut recs = Vec::with_capacity(elems.len());
    let mut total = 0_usize;
    for (id, elem) in elems.iter().enumerate() {
        let Some(rec) = (Pass { cx, tendons, actuators, elem, id }).compile() else { continue };
        let history = history_size(rec.nsample(), rec.dim);
        total = total.saturating_add(rec.dim).saturating_add(history);
        if total > MAX_DATA_NUMBERS {
            let text = format!("sensors have more than {MAX_DATA_NUMBERS} numbers");
            cx.diag.error("too-large", elem.head.span, text);
            break;
        }
        recs.push(rec);
    }
    recs
}

/// Sets the sizes that depend on sensors; adds to `nhistory`.
pub(crate) fn size_sensors(recs: &[SensorRec], m: &mut Model) {
    m.nsensor = recs.len();
    m.nsensordata = recs.iter().map(|rec| rec.dim).sum();
    m.nhistory += recs.iter().map(|rec| history_size(rec.nsample(), rec.dim)).sum::<usize>();
}

/// Copies the sensors to the model; their history follows the actuators' history.
pub(crate) fn store_sensors(recs: &[SensorRec], m: &mut Model) {
    // histories follow the actuators' histories
    let before: usize = m.actuator_history.iter().map(|h| history_size(h[0], 1)).sum();
    let (mut adr, mut historyadr) = (0, before);
    for (i, rec) in recs.iter().enumerate() {
        let e = &rec.elem;

        // types and objects
        m.sensor_type[i] = rec.type_;
        m.sensor_datatype[i] = rec.datatype;
        m.sensor_needstage[i] = rec.stage;
        m.sensor_objtype[i] = rec.objtype;
        m.sensor_objid[i] = rec.obj.map_or(-1, |id| id as i32);
        m.sensor_reftype[i] = rec.reftype;
        m.sensor_refid[i] = rec.ref_.map_or(-1, |id| id as i32);
        m.sensor_intprm[i] = rec.intprm;

        // place in `sensordata`
        m.sensor_dim[i] = rec.dim as i32;
        m.sensor_adr[i] = adr as i32;
        adr += rec.dim;

        // parameters and history
        m.sensor_cutoff[i] = e.values().cutoff();
        m.sensor_noise[i] = e.values().noise();
        m.sensor_delay[i] = e.values().delay();
        m.sensor_history[i] = [rec.nsample(), e.values().interp().0];
        m.sensor_interval[i] = rec.interval();
        let history = history_size(rec.nsample(), rec.dim);
        m.sensor_historyadr[i] = if history > 0 { historyadr as i32 } else { -1 };
        historyadr += history;
        for (to, from) in m.sensor_user[i].iter_mut().zip(e.user.get().into_iter().flatten()) {
            *to = *from;
        }
    }
}

/// The object of a sensor and its reference, as written.
struct Ends<'e> {
    objtype: ObjType,
    obj: &'e Attr<String>,
    reftype: ObjType,
    ref_: &'e Attr<String>,
}

/// Where and why an element is wrong.
type Wrong = (Span, String);

/// One sensor being compiled.
struct Pass<'p, 'c> {
    cx: &'p mut Cx<'c>,
    tendons: &'p [TendonRec],
    actuators: &'p [ActuatorRec],
    elem: &'p Sensor,
    id: usize,
}

impl<'p> Pass<'p, '_> {
    fn compile(&mut self) -> Option<SensorRec> {
        let e = self.elem;
        self.numbers();
        let Some(kind) = sensor_kind(&e.tag) else {
            self.fail(e.head.span, "invalid type in sensor");
            return None;
        };
        let (ends, intprm) = match self.written(kind) {
            Ok(written) => written,
            Err((span, text)) => {
                let text = format!("{}: {text}", tag(&e.tag, &e.name));
                self.cx.diag.error("sensor", span, text);
                return None;
            }
        };

        // objects
        let obj = self.object(kind, &ends)?;
        let ref_ = self.reference(&ends)?;
        let wrong = self.check(kind, &ends, obj, ref_).map(str::to_owned);
        if let Some(text) = wrong.or_else(|| self.check_volumes(kind, &ends, obj)) {
            let span = ends.obj.span().unwrap_or(e.head.span);
            self.fail(span, text);
            return None;
        }

        // data
        let user = kind.type_ == SensorType::User;
        let (datatype, stage) = match (user, e.values().enclosed()) {
            (true, _) => (e.datatype.or(kind.data), e.needstage.or(kind.stage)),
            (_, true) => (DataType::Real, kind.stage),
            _ => (kind.data, kind.stage),
        };
        let dim = self.dim(kind, obj, ends.objtype, intprm)?;
        self.check_data(kind, datatype, dim);
        Some(SensorRec {
            elem: e.clone(),
            type_: kind.type_,
            datatype,
            stage,
            objtype: ends.objtype,
            obj,
            reftype: ends.reftype,
            ref_,
            intprm,
            dim,
        })
    }

    /// Numbers that all kinds have.
    fn numbers(&mut self) {
        let e = self.elem;
        let here = e.head.span;

        // user data, noise, cutoff
        if e.user.get().map_or(0, Vec::len) > self.cx.nuser.sensor {
            let span = e.user.span().unwrap_or(here);
            self.fail(span, "user has more values than nuser_sensor in sensor");
        }
        if e.values().noise() < 0.0 {
            self.fail(e.noise.span().unwrap_or(here), "negative noise in sensor");
        }
        if e.values().cutoff() < 0.0 {
            self.fail(e.cutoff.span().unwrap_or(here), "negative cutoff in sensor");
        }

        // interval: period and phase
        let [period, phase] = e.values().interval();
        let interval = if period < 0.0 {
            Some("negative interval in sensor")
        } else if phase > 0.0 {
            Some("positive phase in sensor")
        } else if period > 0.0 && phase <= -period {
            Some("phase must be greater than -period in sensor")
        } else {
            None
        };
        if let Some(text) = interval {
            self.fail(e.interval.span().unwrap_or(here), text);
        }

        // history
        let nsample = e.values().nsample();
        if e.values().delay() > 0.0 && nsample <= 0 {
            let text = "setting delay > 0 without a history buffer";
            self.fail(e.delay.span().unwrap_or(here), text);
        }
        if nsample > MAX_SAMPLES {
            let text = format!("at most 2^24 samples in sensor history buffer, got {nsample}");
            self.fail(e.nsample.span().unwrap_or(here), text);
        }
    }

    /// Which attributes name the objects, and the integers of the sensor.
    fn written(&self, kind: &SensorKind) -> Result<(Ends<'p>, [i32; 3]), Wrong> {
        let e = self.elem;
        let data_error = |text| (e.data.span().unwrap_or(e.head.span), text);
        let mut intprm = [0; 3];
        match kind.target {
            Target::Ray => {
                intprm[0] = field_bits(e.data.text(), RAY_FIELDS).map_err(data_error)?;
            }
            Target::Contact => {
                let num = e.values().num();
                if num <= 0 {
                    let span = e.num.span().unwrap_or(e.head.span);
                    return Err((span, "'num' must be positive in sensor".into()));
                }
                let bits = field_bits(e.data.text(), CONTACT_FIELDS).map_err(data_error)?;
                intprm = [bits, e.values().reduce().0, num];
            }
            Target::Inside => intprm[0] = i32::from(e.values().enclosed()),
            Target::User => {
                need(e, &e.dim, "dim")?;
            }
            _ => {}
        }
        Ok((ends(e, kind)?, intprm))
    }

    /// The object of the sensor; the outer option is `None` after an error.
    fn object(&mut self, kind: &SensorKind, ends: &Ends<'_>) -> Option<Option<usize>> {
        let here = self.elem.head.span;

        // sensors without an object
        if ends.objtype == ObjType::Unknown {
            if matches!(
                kind.target,
                Target::Global | Target::Contact | Target::User | Target::Plugin
            ) {
                return Some(None);
            }
            self.fail(self.elem.objtype.span().unwrap_or(here), "invalid type in sensor");
            let words = OBJECTS.iter().map(|(word, _)| *word);
            if let Some(near) = nearest(self.elem.objtype.text(), words) {
                self.cx.diag.help(format!("did you mean '{near}'?"));
            }
            return None;
        }

        // by name
        let name = ends.obj.text();
        let span = ends.obj.span().unwrap_or(here);
        if name.is_empty() {
            self.fail(span, "missing name of sensorized object in sensor");
            return None;
        }
        let found = self.cx.find(ends.objtype, name);
        if found.is_none() {
            self.fail(span, format!("unrecognized name '{name}' of sensorized object"));
            self.cx.suggest(ends.objtype, name);
        }
        found.map(Some)
    }

    /// The reference of the sensor; the outer option is `None` after an error.
    fn reference(&mut self, ends: &Ends<'_>) -> Option<Option<usize>> {
        if ends.reftype == ObjType::Unknown {
            return Some(None);
        }
        let name = ends.ref_.text();
        let span = ends.ref_.span().unwrap_or(self.elem.head.span);
        if name.is_empty() {
            self.fail(span, "missing name of reference frame object in sensor");
            return None;
        }
        let found = self.cx.find(ends.reftype, name);
        if found.is_none() {
            self.fail(span, format!("unrecognized name '{name}' of object"));
            self.cx.suggest(ends.reftype, name);
        } else if !has_frame(ends.reftype) {
            let text = "reference frame object must be (x)body, geom, site or camera in sensor";
            self.fail(span, text);
            return None;
        }
        found.map(Some)
    }

    /// The error in the objects, if there is one.
    fn check(
        &self,
        kind: &SensorKind,
        ends: &Ends<'_>,
        obj: Option<usize>,
        ref_: Option<usize>,
    ) -> Option<&'static str> {
        let world = &self.cx.world;
        let joint = || obj.map(|j| &world.joints[j]);

        // each kind of target has a rule of its own, or none
        match kind.target {
            Target::Projection => {
                let camera = ref_.map(|c| world.cameras[c].resolution);
                camera
                    .is_some_and(|[width, height]| width == 0 || height == 0)
                    .then_some("camera projection sensor requires camera resolution")
            }
            Target::Scalar => {
                let scalar = |k| matches!(k, JointType::Slide | JointType::Hinge);
                let wrong = joint().is_some_and(|j| !scalar(j.kind));
                wrong.then_some("joint must be slide or hinge in sensor")
            }
            Target::Ball => joint()
                .is_some_and(|j| j.kind != JointType::Ball)
                .then_some("joint must be ball in sensor"),
            Target::LimitedJoint => {
                joint().is_some_and(|j| !j.limited).then_some("joint must be limited in sensor")
            }
            Target::LimitedTendon => obj
                .is_some_and(|t| !self.tendons[t].limited)
                .then_some("tendon must be limited in sensor"),
            Target::FrameIn | Target::Frame | Target::Inside => (!has_frame(ends.objtype))
                .then_some("sensor must be attached to (x)body, geom, site or camera"),
            Target::Distance => {
                let hfield = |kind, id: Option<usize>| {
                    let geom = id.filter(|_| kind == ObjType::Geom);
                    geom.is_some_and(|g| world.geoms[g].kind == GeomType::Hfield)
                };
                if ends.objtype == ends.reftype && obj == ref_ {
                    Some("1st body/geom must be different from 2nd body/geom")
                } else if hfield(ends.objtype, obj) || hfield(ends.reftype, ref_) {
                    Some("height fields are not supported in geom distance sensors")
                } else {
                    None
                }
            }
            _ => None,
        }
    }

    /// The error in the shapes that a sensor needs, if any.
    fn check_volumes(
        &self,
        kind: &SensorKind,
        ends: &Ends<'_>,
        obj: Option<usize>,
    ) -> Option<String> {
        let world = &self.cx.world;
        let is_mesh = |site: Option<usize>| site.is_some_and(|s| world.sites[s].mesh.is_some());
        if kind.type_ == SensorType::Touch && is_mesh(obj) {
            return Some("a touch sensor cannot have a site with a mesh".to_owned());
        }
        if kind.target != Target::Inside || !self.elem.values().enclosed() {
            return None;
        }

        // geoms of the object that are endless or not convex
        let compact = |kind| !matches!(kind, GeomType::Plane | GeomType::Hfield | GeomType::Sdf);
        let geoms = match (ends.objtype, obj?) {
            (ObjType::Camera, _) => {
                return Some("camera is not supported in enclosed insidesite sensor".to_owned());
            }
            (ObjType::Geom, id) => vec![id],
            (ObjType::Site, _) => return None,
            (of, id) => {
                let whole = of == ObjType::Xbody;
                let parts =
                    (0..world.bodies.len()).filter(|&b| b == id || whole && self.is_in(b, id));
                parts.flat_map(|b| world.bodies[b].geoms.iter().copied()).collect()
            }
        };
        let what = "in enclosed insidesite sensor must";
        let name = ends.obj.text();
        if geoms.is_empty() {
            return Some(format!("body '{name}' {what} have at least one geom"));
        }
        let wrong = geoms.iter().map(|&g| &world.geoms[g]).find(|geom| !compact(geom.kind))?;
        Some(format!("geom '{}' {what} be a compact convex shape", wrong.elem.name.text()))
    }

    /// Whether a body is below another.
    fn is_in(&self, body: usize, root: usize) -> bool {
        let mut at = body;
        while at > root {
            at = self.cx.world.bodies[at].parent;
        }
        at == root
    }

    /// Number of entries of the sensor.
    fn dim(
        &mut self,
        kind: &SensorKind,
        obj: Option<usize>,
        objtype: ObjType,
        intprm: [i32; 3],
    ) -> Option<usize> {
        let e = self.elem;
        let size = |n: i32| usize::try_from(n).unwrap_or(0);
        Some(match kind.target {
            Target::Contact => {
                field_size(intprm[0], CONTACT_FIELDS).saturating_mul(size(intprm[2]))
            }
            Target::Ray => {
                let camera = obj.filter(|_| objtype == ObjType::Camera);
                let resolution = camera.map_or([1, 1], |c| self.cx.world.cameras[c].resolution);
                let rays = size(resolution[0]).saturating_mul(size(resolution[1]));
                field_size(intprm[0], RAY_FIELDS).saturating_mul(rays)
            }
            Target::Tactile => {
                // none: the mesh itself could not be compiled, which was reported
                let mesh = self.cx.meshes.get(obj?)?.as_ref()?;
                3 * mesh.vert.len()
            }
            Target::Actuator => {
                // a servo of orientations has three torques
                let actuator = obj.and_then(|u| self.actuators.get(u));
                match actuator.is_some_and(|rec| rec.set.gaintype == GAIN_SO3) {
                    true => 3,
                    false => kind.dim,
                }
            }
            Target::User => match usize::try_from(e.values().dim()) {
                Ok(dim) => dim,
                Err(_) => {
                    let span = e.dim.span().unwrap_or(e.head.span);
                    self.fail(span, "sensor dim must be non-negative in sensor");
                    return None;
                }
            },
            _ => kind.dim,
        })
    }

    /// Checks the requirements of the type of numbers.
    fn check_data(&mut self, kind: &SensorKind, datatype: DataType, dim: usize) {
        let e = self.elem;
        if kind.target == Target::User {
            let span = e.dim.span().unwrap_or(e.head.span);
            if datatype == DataType::Axis && dim != 3 {
                self.fail(span, "datatype AXIS requires dim=3 in sensor");
            }
            if datatype == DataType::Quaternion && dim != 4 {
                self.fail(span, "datatype QUATERNION requires dim=4 in sensor");
            }
        }
        let direction = match datatype {
            DataType::Quaternion => true,
            DataType::Axis => kind.type_ != SensorType::Geomnormal,
            _ => false,
        };
        if direction && e.values().cutoff() > 0.0 {
            let span = e.cutoff.span().unwrap_or(e.head.span);
            self.fail(span, "cutoff applied to axis or quaternion datatype in sensor");
        }
    }

    fn fail(&mut self, span: Span, text: impl core::fmt::Display) {
        self.cx.fail(At { name: self.elem.name.text(), id: self.id, span }, text);
    }
}

/// Whether objects of a kind have a position and an orientation.
fn has_frame(kind: ObjType) -> bool {
    use ObjType as O;
    matches!(kind, O::Body | O::Xbody | O::Geom | O::Site | O::Camera)
}

/// The attributes that name the objects of a sensor, or the error in its attributes.
fn ends<'e>(e: &'e Sensor, kind: &SensorKind) -> Result<Ends<'e>, Wrong> {
    let one = |objtype, obj, name| {
        need(e, obj, name)?;
        Ok(Ends { objtype, obj, reftype: ObjType::Unknown, ref_: &e.refname })
    };

    // object and reference by the kind of target
    match kind.target {
        Target::Site => one(ObjType::Site, &e.site, "site"),
        Target::Scalar | Target::Ball | Target::LimitedJoint => {
            one(ObjType::Joint, &e.joint, "joint")
        }
        Target::Tendon | Target::LimitedTendon => one(ObjType::Tendon, &e.tendon, "tendon"),
        Target::Actuator => one(ObjType::Actuator, &e.actuator, "actuator"),
        Target::Body => one(ObjType::Body, &e.body, "body"),
        Target::Ray if e.site.is_set() == e.camera.is_set() => {
            Err((e.head.span, "rangefinder requires exactly one of 'site' or 'camera'".into()))
        }
        Target::Ray if e.site.is_set() => one(ObjType::Site, &e.site, "site"),
        Target::Ray => one(ObjType::Camera, &e.camera, "camera"),
        Target::Global => Ok(Ends {
            objtype: ObjType::Unknown,
            obj: &e.objname,
            reftype: ObjType::Unknown,
            ref_: &e.refname,
        }),
        Target::Projection => {
            need(e, &e.camera, "camera")?;
            let ends = one(ObjType::Site, &e.site, "site")?;
            Ok(Ends { reftype: ObjType::Camera, ref_: &e.camera, ..ends })
        }
        Target::Tactile => {
            need(e, &e.geom, "geom")?;
            let ends = one(ObjType::Mesh, &e.mesh, "mesh")?;
            Ok(Ends { reftype: ObjType::Geom, ref_: &e.geom, ..ends })
        }
        Target::Inside => {
            need(e, &e.site, "site")?;
            let ends = frame(e)?;
            Ok(Ends { reftype: ObjType::Site, ref_: &e.site, ..ends })
        }
        Target::Frame => frame(e),
        Target::FrameIn => {
            let ends = frame(e)?;
            if !e.reftype.is_set() {
                return match e.refname.get() {
                    Some(name) => {
                        let span = e.refname.span().unwrap_or(e.head.span);
                        Err((span, format!("refname '{name}' given but reftype is missing")))
                    }
                    None => Ok(ends),
                };
            }
            need(e, &e.refname, "refname")?;
            Ok(Ends { reftype: object_type(e.reftype.text()).unwrap_or(ObjType::Unknown), ..ends })
        }
        Target::Distance => distance_ends(e),
        Target::Contact => contact_ends(e),
        Target::User => user_ends(e),
        Target::Plugin => plugin_ends(e),
    }
}

/// `objtype` and `objname`, `reftype` and `refname`, both or none of each pair.
fn plugin_ends(e: &Sensor) -> Result<Ends<'_>, Wrong> {
    let kind = |word: &Attr<String>| object_type(word.text()).unwrap_or(ObjType::Unknown);
    let (objtype, reftype) = (kind(&e.objtype), kind(&e.reftype));
    let pairs = [("obj", objtype, &e.objname), ("ref", reftype, &e.refname)];
    for (word, kind, name) in pairs {
        let (typed, named) = (kind != ObjType::Unknown, !name.text().is_empty());
        if typed && !named {
            return Err((e.head.span, format!("{word}type is specified but {word}name is not")));
        } else if named && !typed {
            return Err((e.head.span, format!("{word}name is specified but {word}type is not")));
        }
    }
    Ok(Ends { objtype, obj: &e.objname, reftype, ref_: &e.refname })
}

/// `objtype` and `objname`.
fn frame(e: &Sensor) -> Result<Ends<'_>, Wrong> {
    need(e, &e.objtype, "objtype")?;
    need(e, &e.objname, "objname")?;
    Ok(Ends {
        objtype: object_type(e.objtype.text()).unwrap_or(ObjType::Unknown),
        obj: &e.objname,
        reftype: ObjType::Unknown,
        ref_: &e.refname,
    })
}

fn distance_ends(e: &Sensor) -> Result<Ends<'_>, Wrong> {
    let side = |geom: &'_ Attr<String>, body: &Attr<String>, which: u8| {
        if geom.is_set() == body.is_set() {
            let text = format!("exactly one of (geom{which}, body{which}) must be specified");
            return Err((e.head.span, text));
        }
        Ok(body.is_set())
    };
    let (objtype, obj) = match side(&e.geom1, &e.body1, 1)? {
        true => (ObjType::Body, &e.body1),
        false => (ObjType::Geom, &e.geom1),
    };
    let (reftype, ref_) = match side(&e.geom2, &e.body2, 2)? {
        true => (ObjType::Body, &e.body2),
        false => (ObjType::Geom, &e.geom2),
    };
    Ok(Ends { objtype, obj, reftype, ref_ })
}

/// The two criteria of a contact sensor; either may be absent.
fn contact_ends(e: &Sensor) -> Result<Ends<'_>, Wrong> {
    // allowed kinds of each side
    let first = [
        (ObjType::Site, &e.site),
        (ObjType::Body, &e.body1),
        (ObjType::Xbody, &e.subtree1),
        (ObjType::Geom, &e.geom1),
    ];
    let second =
        [(ObjType::Body, &e.body2), (ObjType::Xbody, &e.subtree2), (ObjType::Geom, &e.geom2)];

    // at most one of them is written
    let pick = |from: &[(ObjType, &'_ Attr<String>)], names: &str| {
        let written: Vec<usize> = (0..from.len()).filter(|&i| from[i].1.is_set()).collect();
        match written[..] {
            [] => Ok(None),
            [i] => Ok(Some(i)),
            [_, i, ..] => {
                let span = from[i].1.span().unwrap_or(e.head.span);
                Err((span, format!("at most one of ({names}) can be specified")))
            }
        }
    };

    // both sides
    let (objtype, obj) = match pick(&first, "geom1, body1, subtree1, site")? {
        Some(i) => first[i],
        None => (ObjType::Unknown, &e.objname),
    };
    let (reftype, ref_) = match pick(&second, "geom2, body2, subtree2")? {
        Some(i) => second[i],
        None => (ObjType::Unknown, &e.refname),
    };
    Ok(Ends { objtype, obj, reftype, ref_ })
}

fn user_ends(e: &Sensor) -> Result<Ends<'_>, Wrong> {
    match (e.objtype.get(), e.objname.get()) {
        (Some(kind), None) => {
            let span = e.objtype.span().unwrap_or(e.head.span);
            return Err((span, format!("objtype '{kind}' given but objname is missing")));
        }
        (None, Some(name)) => {
            let span = e.objname.span().unwrap_or(e.head.span);
            return Err((span, format!("objname '{name}' given but objtype is missing")));
        }
        _ => {}
    }
    Ok(Ends {
        objtype: object_type(e.objtype.text()).unwrap_or(ObjType::Unknown),
        obj: &e.objname,
        reftype: ObjType::Unknown,
        ref_: &e.refname,
    })
}

/// An error if an attribute that must be there is not.
fn need<T>(e: &Sensor, attr: &Attr<T>, name: &str) -> Result<(), Wrong> {
    match attr.is_set() {
        true => Ok(()),
        false => Err((e.head.span, format!("required attribute missing: '{name}'"))),
    }
}
