//! From records to assets, and to elements that refer to the tree.

use sinew_model::enums::*;

use crate::document::build::{Builder, Given, Passed, Source, span_of};
use crate::spec::attr::{AttrSource, read_attr};
use crate::spec::datum::Datum;
use crate::spec::sensor_kinds::{CONTACT_FIELDS, End, RAY_FIELDS, SENSOR_KINDS, SensorKind};
use crate::spec::*;

/// Whether the model has an element of a kind and a name.
type Find<'f> = &'f dyn Fn(ObjType, &str) -> bool;

/// A row of numbers of which a part is an attribute.
fn part(data: &[f64], first: usize, count: usize) -> Datum {
    Datum::Reals(data[first..first + count].to_vec())
}

impl Builder {
    /// An element of a list of the model. A tendon has the elements of its path, and a sensor may
    /// name an object that `find` does not find.
    pub fn listed(
        &mut self,
        given: &Given<'_>,
        path: &[Passed],
        find: Find<'_>,
    ) -> Result<(), String> {
        let kind = given.record.fields().kind;
        match kind {
            "mesh" => self.spec.meshes.push(self.mesh(given)?),
            "hfield" => self.spec.hfields.push(self.hfield(given)?),
            "texture" => self.spec.textures.push(self.texture(given)?),
            "material" => self.spec.materials.push(self.material(given)?),
            "flex" => self.spec.flexes.push(self.flex(given)?),
            "skin" => self.spec.skins.push(self.skin(given)?),
            "equality" => self.spec.equalities.push(self.equality(given)?),
            "tendon" => self.spec.tendons.push(self.tendon(given, path)?),
            "actuator" => self.spec.actuators.push(self.actuator(given)?),
            "sensor" => self.spec.sensors.push(self.sensor(given, find)?),
            "tuple" => self.spec.tuples.push(self.tuple(given)?),
            "key" => {
                let mut key = self.read(given, Key::read)?;
                key.partial = given.record.extra("partial").is_some();
                self.spec.keys.push(key);
            }
            "pair" => self.spec.pairs.push(self.read(given, Pair::read)?),
            "exclude" => self.spec.excludes.push(self.read(given, Exclude::read)?),
            "numeric" => self.spec.numerics.push(self.read(given, Numeric::read)?),
            _ => self.spec.texts.push(self.read(given, Text::read)?),
        }
        Ok(())
    }

    /// The attributes of an element that its record says.
    pub(super) fn simple(&self, given: &Given<'_>) -> Result<Source<'_>, String> {
        self.source(given.record.fields().kind, given, Vec::new(), &[])
    }

    /// An element that has the values of its record.
    pub(super) fn read<T>(
        &self,
        given: &Given<'_>,
        read: fn(&mut dyn AttrSource) -> T,
    ) -> Result<T, String> {
        Ok(read(&mut self.simple(given)?))
    }

    // assets

    fn mesh(&self, given: &Given<'_>) -> Result<Mesh, String> {
        let source = &mut self.simple(given)?;
        let mut mesh = Mesh::read(source);
        let normals: Attr<Vec<i32>> = read_attr(source, "facenormal");
        let texcoords: Attr<Vec<i32>> = read_attr(source, "facetexcoord");
        (mesh.facenormal, mesh.facetexcoord) = (normals.or(Vec::new()), texcoords.or(Vec::new()));
        mesh.plugin = self.plugin(given);
        Ok(mesh)
    }

    /// A height field, whose first row is the last in a file.
    fn hfield(&self, given: &Given<'_>) -> Result<HField, String> {
        let r = given.record;
        let mut data: Vec<f32> = r.numbers("userdata").into_iter().map(|x| x as f32).collect();
        let (rows, columns) =
            (r.integer("nrow").max(0) as usize, r.integer("ncol").max(0) as usize);
        if columns > 0 && rows * columns == data.len() {
            data = data.chunks_exact(columns).rev().flatten().copied().collect();
        }
        let said = if data.is_empty() { Vec::new() } else { vec![("elevation", data.into())] };
        Ok(HField::read(&mut self.source("hfield", given, said, &[])?))
    }

    fn texture(&self, given: &Given<'_>) -> Result<Texture, String> {
        let r = given.record;
        let mut said = Vec::new();
        let grid: usize = r.numbers("gridsize").iter().map(|n| n.max(0.0) as usize).product();
        let layout = r.texts("gridlayout");
        if (1..=12).contains(&grid) && layout.iter().any(|c| c != ".") {
            said.push(("gridlayout", Datum::Text(layout[..grid].concat())));
        }
        let sides = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        let files =
            sides.into_iter().zip(r.texts("cubefiles")).filter(|(_, file)| !file.is_empty());
        said.extend(files.map(|(side, file)| (side, Datum::Text(file.clone()))));
        let mut texture = Texture::read(&mut self.source("texture", given, said, &[])?);
        if let Some(Datum::Bytes(bytes)) = r.fields().index("data").map(|i| r.value(i)) {
            texture.data = bytes;
        }
        Ok(texture)
    }

    pub(super) fn material(&self, given: &Given<'_>) -> Result<Material, String> {
        let mut material = self.read(given, Material::read)?;
        let textures = given.record.texts("textures").iter().enumerate();
        for (role, name) in textures.filter(|(_, name)| !name.is_empty()) {
            material.layers.push(Layer::default().texture(name).role(TextureRole(role as i32)));
        }
        Ok(material)
    }

    fn flex(&self, given: &Given<'_>) -> Result<Flex, String> {
        let mut flex = Flex::read(&mut self.source("flex", given, Vec::new(), &["order"])?);

        // attributes of the elements inside; both elasticity and edges have a damping
        const EDGE: [&str; 2] = ["edgestiffness", "edgedamping"];
        let said = given.record.differing()?;
        let of = |edge: bool| {
            let own = said.iter().filter(|(field, _)| EDGE.contains(&field.name) == edge);
            own.filter_map(|(field, datum)| Some((field.xml?, datum.clone()))).collect::<Vec<_>>()
        };
        let head = Head::default();
        flex.contact = FlexContact::read(&mut self.attributes("contact", head, of(false)));
        flex.elasticity = FlexElasticity::read(&mut self.attributes("elasticity", head, of(false)));
        flex.edge = FlexEdge::read(&mut self.attributes("edge", head, of(true)));
        flex.node_pos = given.record.numbers("node");
        flex.order = match given.record.extra("order") {
            Some(Datum::Integer(order)) => Some(*order),
            _ => None,
        };
        Ok(flex)
    }

    fn skin(&self, given: &Given<'_>) -> Result<Skin, String> {
        let mut skin = self.read(given, Skin::read)?;
        let r = given.record;
        let lists = |name: &str| r.fields().index(name).map(|i| r.value(i));
        let single =
            |name: &str| -> Vec<f32> { r.numbers(name).into_iter().map(|x| x as f32).collect() };
        let (pos, quat) = (single("bindpos"), single("bindquat"));
        let (ids, weights) = (lists("vertid"), lists("vertweight"));
        for (i, body) in r.texts("bodyname").iter().enumerate() {
            let ids = match &ids {
                Some(Datum::IntegerLists(lists)) => lists.get(i).cloned(),
                _ => None,
            };
            let weights = match &weights {
                Some(Datum::SingleLists(lists)) => lists.get(i).cloned(),
                _ => None,
            };
            let rows = |list: &[f32], n: usize| {
                list.get(n * i..(n * i + n).min(list.len())).unwrap_or(&[]).to_vec()
            };
            let said = vec![
                ("body", Datum::Text(body.clone())),
                ("bindpos", rows(&pos, 3).into()),
                ("bindquat", rows(&quat, 4).into()),
                ("vertid", ids.unwrap_or_default().into()),
                ("vertweight", weights.unwrap_or_default().into()),
            ];
            let bone = Bone::read(&mut self.attributes("bone", Head::default(), said));
            skin.bones.push(bone);
        }
        Ok(skin)
    }

    // elements that refer to the tree

    fn equality(&self, given: &Given<'_>) -> Result<Equality, String> {
        let r = given.record;
        let (kind, data) = (EqType(r.integer("type")), r.numbers("data"));
        let Some(word) = Equality::tag_of(kind) else {
            return Err("invalid type in equality constraint".to_owned());
        };
        let mut said = Vec::new();
        let object = ObjType(r.integer("objtype"));
        let ends = match word {
            "connect" | "weld" => match object {
                ObjType::Body => ["body1", "body2"],
                ObjType::Site => ["site1", "site2"],
                _ => return Err(format!("{word} constraint supports only sites and bodies")),
            },
            "joint" => ["joint1", "joint2"],
            "tendon" => ["tendon1", "tendon2"],
            _ => ["flex", ""],
        };
        match word {
            "connect" | "weld" => {
                if object == ObjType::Body {
                    said.push(("anchor", part(&data, 0, 3)));
                }
                if word == "weld" {
                    if object == ObjType::Body {
                        said.push(("relpose", part(&data, 3, 7)));
                    }
                    said.push(("torquescale", Datum::Real(data[10])));
                }
            }
            "joint" | "tendon" => said.push(("polycoef", part(&data, 0, 5))),
            _ => {}
        }
        said.push((ends[0], r.text("name1").into()));
        if !ends[1].is_empty() && !r.text("name2").is_empty() {
            said.push((ends[1], r.text("name2").into()));
        }
        let mut equality = Equality::read(&mut self.source("equality", given, said, &[])?);
        equality.kind = kind;
        Ok(equality)
    }

    fn tendon(&self, given: &Given<'_>, path: &[Passed]) -> Result<Tendon, String> {
        let mut tendon = self.read(given, Tendon::read)?;
        tendon.spatial = path.first().is_none_or(|passed| passed.kind != WrapTag::Joint);
        tendon.path = path.iter().map(wrap).collect();
        Ok(tendon)
    }

    fn actuator(&self, given: &Given<'_>) -> Result<Actuator, String> {
        const NAMES: [&str; 6] = ["joint", "jointinparent", "cranksite", "tendon", "site", "body"];
        let kind = given.record.integer("trntype");
        if kind == TrnType::Undefined.0 {
            return Err("missing transmission target for actuator".to_owned());
        }
        let Some(name) = usize::try_from(kind).ok().and_then(|kind| NAMES.get(kind)) else {
            return Err("invalid transmission type in actuator".to_owned());
        };
        let said = vec![(*name, given.record.text("target").into())];
        let source = &mut self.source("actuator", given, said, &[])?;
        let mut actuator = Actuator::read(source).with_chart();
        actuator.plugin = self.plugin(given);
        if actuator.plugin.is_some() {
            actuator.kind = ActuatorTag::Plugin;
        }
        Ok(actuator)
    }

    fn sensor(&self, given: &Given<'_>, find: Find<'_>) -> Result<Sensor, String> {
        let r = given.record;
        let type_ = SensorType(r.integer("type"));
        let Some(kind) = SENSOR_KINDS.iter().rev().find(|kind| kind.type_ == type_) else {
            return Err("invalid type in sensor".to_owned());
        };
        let mut said = Vec::new();
        sensor_end(given, &mut said, kind, true, find)?;
        sensor_end(given, &mut said, kind, false, find)?;
        let prm: Vec<i32> = r.numbers("intprm").into_iter().map(|x| x as i32).collect();
        let tables = [("rangefinder", RAY_FIELDS), ("contact", CONTACT_FIELDS)];
        if let Some((_, table)) = tables.into_iter().find(|(tag, _)| *tag == kind.tag) {
            check_data(kind.tag, &prm, table.len())?;
            let words = table.iter().enumerate().filter(|(i, _)| prm[0] >> i & 1 != 0);
            let words: Vec<&str> = words.map(|(_, (word, _))| *word).collect();
            said.push(("data", Datum::Text(words.join(" "))));
        }
        match kind.tag {
            "contact" => {
                said.push(("num", Datum::Integer(prm[2])));
                said.push(("reduce", Datum::Integer(prm[1])));
            }
            "insidesite" if prm.first() == Some(&1) => said.push(("enclosed", Datum::Integer(1))),
            "user" => {
                for name in ["dim", "needstage", "datatype"] {
                    said.push((name, Datum::Integer(r.integer(name))));
                }
            }
            _ => {}
        }
        let mut sensor = Sensor::read(&mut self.source("sensor", given, said, &[])?);
        kind.tag.clone_into(&mut sensor.tag);
        sensor.plugin = self.plugin(given);
        Ok(sensor)
    }

    fn tuple(&self, given: &Given<'_>) -> Result<Tuple, String> {
        let r = given.record;
        let (kinds, names) = (r.numbers("objtype"), r.texts("objname"));
        let numbers = r.numbers("objprm");
        let what = format!("tuple '{}' (id = {})", r.name, r.id);
        if kinds.is_empty() {
            return Err(format!("{what} is empty"));
        }
        if kinds.len() != names.len() || kinds.len() != numbers.len() {
            return Err(format!("{what} has object arrays with different sizes"));
        }
        let mut tuple = self.read(given, Tuple::read)?;
        for ((kind, name), number) in kinds.iter().zip(names).zip(numbers) {
            let word = object_word(ObjType(*kind as i32)).unwrap_or("?");
            let element = TupleElement::default().objtype(word).objname(name).prm(number);
            tuple.elements.push(element);
        }
        Ok(tuple)
    }
}

/// An element of a tendon's path.
fn wrap(passed: &Passed) -> Wrap {
    let span = span_of(passed.mark);
    let head = Head { span, ..Head::default() };
    let mut wrap = Wrap { head, kind: passed.kind, ..Wrap::default() };
    let target = Attr::at(passed.target.clone(), span);
    match passed.kind {
        WrapTag::Joint => {
            wrap.joint = target;
            wrap.coef = Attr::at(passed.number, span);
        }
        WrapTag::Pulley => wrap.divisor = Attr::at(passed.number, span),
        WrapTag::Site => wrap.site = target,
        WrapTag::Geom => {
            wrap.geom = target;
            if !passed.side.is_empty() {
                wrap.sidesite = Attr::at(passed.side.clone(), span);
            }
        }
    }
    wrap
}

/// Names the object of a sensor, or its reference.
fn sensor_end(
    given: &Given<'_>,
    said: &mut Vec<(&'static str, Datum)>,
    kind: &SensorKind,
    object: bool,
    find: Find<'_>,
) -> Result<(), String> {
    let r = given.record;
    let (end, [type_, name]) = match object {
        true => (kind.target.object(), ["objtype", "objname"]),
        false => (kind.target.reference(), ["reftype", "refname"]),
    };
    let (of, to) = (ObjType(r.integer(type_)), r.text(name));
    if of == ObjType::Unknown {
        let needed = object && matches!(end, End::OneOf(_)) && kind.tag != "contact";
        return if needed { Err("invalid type in sensor".to_owned()) } else { Ok(()) };
    }
    let ends = match end {
        End::Typed => {
            said.push((type_, object_word(of).unwrap_or("unknown").into()));
            said.push((name, to.into()));
            return Ok(());
        }
        End::OneOf(ends) => ends,
        End::None => &[],
    };
    match ends.iter().find(|(_, kind)| *kind == of) {
        Some((attribute, _)) => said.push((attribute, to.into())),
        None if object && to.is_empty() => {
            return Err("missing name of sensorized object in sensor".to_owned());
        }
        None if object && !find(of, to) => {
            return Err(format!("unrecognized name '{to}' of sensorized object"));
        }
        None if object => return Err(wrong_object(kind.tag, ends)),
        None if kind.tag == "contact" => {
            return Err("second matching criterion: if set, must be (x)body or geom".to_owned());
        }
        None => {}
    }
    Ok(())
}

/// MuJoCo's error for a sensor on an object of the wrong kind.
fn wrong_object(tag: &str, ends: &[(&str, ObjType)]) -> String {
    match (tag, ends) {
        ("contact", _) => "first matching criterion: if set, must be (x)body, geom or site".into(),
        ("rangefinder", _) => "sensor must be attached to site or camera".into(),
        (_, [("body1", _), ("geom1", _)]) => "sensor must be attached to body or geom".into(),
        (_, ends) => {
            format!(
                "sensor must be attached to {}",
                ends.first().map_or("nothing", |(end, _)| *end)
            )
        }
    }
}

/// Checks the fields of a sensor, and the further integers of a contact sensor.
fn check_data(tag: &str, prm: &[i32], count: usize) -> Result<(), String> {
    let name = if tag == "contact" { "mjNCONDATA" } else { "mjNRAYDATA" };
    let bits = prm[0];
    if bits <= 0 {
        return Err(format!("data spec (intprm[0]) must be positive, got {bits}"));
    }
    let spec = format!("data spec intprm[0]={bits}");
    if bits & ((1 << count) - 1) == 0 {
        return Err(format!("{spec} must have at least one bit set of the first {name} bits"));
    }
    if bits >= 1 << count {
        return Err(format!("{spec} has bits set beyond the first {name} bits"));
    }
    if tag == "contact" {
        if !(0..=3).contains(&prm[1]) {
            let text = format!("unknown reduction criterion. got {}, ", prm[1]);
            return Err(text + "expected one of {0, 1, 2, 3}");
        }
        if prm[2] <= 0 {
            return Err("num (intprm[2]) must be positive in sensor".to_owned());
        }
    }
    Ok(())
}
