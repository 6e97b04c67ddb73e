//! `<default>`: the tree of classes.

use sinew_model::enums::LightType;

use super::Reader;
use crate::spec::{
    ActuatorTag, ClassId, DefaultClass, Equality, Joint, Light, Mesh, Pair, Sensor, Tendon, Texture,
};
use crate::xml::Node;

impl<'t> Reader<'_, 't> {
    /// A default block at the top: it is part of `main`.
    pub(super) fn top_default(&mut self, node: Node<'t>) {
        let name = node.attr("class").map_or("", |(name, _)| name);
        if !matches!(name, "" | "main") {
            let words = "top-level default class 'main' cannot be renamed";
            self.error(node, "default-class", words);
        }
        // classes of an earlier block were made from `main` as it was then
        if node.children().any(|c| c.name() != "default") {
            crate::defaults::detach_from_main(&mut self.spec.defaults);
        }
        self.default_parts(node, ClassId(0));
    }

    /// A class inside of another.
    fn nested_default(&mut self, node: Node<'t>, parent: ClassId) {
        let name = node.attr("class").map_or("", |(name, _)| name);
        if name.is_empty() {
            self.error(node, "default-class", "empty class name");
        } else if self.classes.contains_key(name) {
            let words = format!("repeated default class name '{name}'");
            self.error(node, "default-class", words);
        }
        let id = ClassId(self.spec.defaults.len());
        self.classes.entry(name.to_owned()).or_insert(id);
        self.spec.defaults.push(DefaultClass {
            name: name.to_owned(),
            span: node.span(),
            parent: Some(parent),
            ..DefaultClass::default()
        });
        self.default_parts(node, id);
    }

    /// First the values of the class itself, then the classes inside of it.
    fn default_parts(&mut self, node: Node<'t>, id: ClassId) {
        for part in node.children() {
            self.default_part(part, id);
        }
        for nested in node.named("default") {
            self.nested_default(nested, id);
        }
    }

    fn default_part(&mut self, node: Node<'t>, ClassId(id): ClassId) {
        // each lies over the values of the class so far; actuators of all kinds are kept in order
        match node.name() {
            "mesh" => {
                let own = Mesh::read(&mut self.source(node));
                self.check_mesh(node, &own);
                self.spec.defaults[id].mesh = own.over(&self.spec.defaults[id].mesh);
            }
            "texture" => {
                let own = Texture::read(&mut self.source(node));
                let whole = own.over(&self.class_texture(ClassId(id)));
                self.class_textures.insert(id, whole);
            }
            "material" => {
                let own = self.material(node, Some(ClassId(0)));
                let class = &mut self.spec.defaults[id];
                class.material = crate::defaults::On::on(&own, &class.material);
            }
            "joint" => {
                let own = Joint::read(&mut self.source(node));
                self.spec.defaults[id].joint = own.over(&self.spec.defaults[id].joint);
            }
            "geom" => {
                let own = self.geom(node, Some(ClassId(0)));
                let class = &mut self.spec.defaults[id];
                class.geom = crate::defaults::On::on(&own, &class.geom);
            }
            "site" => {
                let own = self.site(node, Some(ClassId(0)));
                let class = &mut self.spec.defaults[id];
                class.site = crate::defaults::On::on(&own, &class.site);
            }
            "camera" => {
                let own = self.camera(node, Some(ClassId(0)));
                let class = &mut self.spec.defaults[id];
                class.camera = crate::defaults::On::on(&own, &class.camera);
            }
            "light" => {
                let own = self.light(node, Some(ClassId(0)));
                self.spec.defaults[id].light = own.over(&self.spec.defaults[id].light);
            }
            "pair" => {
                let mut own = Pair::read(&mut self.source(node));
                self.round_condim(node, &mut own.condim, "invalid condim in contact pair");
                self.spec.defaults[id].pair = own.over(&self.spec.defaults[id].pair);
            }
            "equality" => {
                let own = Equality::read(&mut self.source(node));
                self.spec.defaults[id].equality = own.over(&self.spec.defaults[id].equality);
            }
            "tendon" => {
                let own = Tendon::read(&mut self.source(node));
                self.spec.defaults[id].tendon = own.over(&self.spec.defaults[id].tendon);
            }
            "sensor" => {
                let own = Sensor::read(&mut self.source(node));
                self.spec.defaults[id].sensor = own.over(&self.spec.defaults[id].sensor);
            }
            "actuator" => {
                let own = self.one_actuator(node, Some(ClassId(id)), ActuatorTag::General);
                self.spec.defaults[id].actuators.push(own);
            }
            name => {
                if let Some(tag) = ActuatorTag::from_name(name) {
                    let own = self.one_actuator(node, Some(ClassId(id)), tag);
                    self.spec.defaults[id].actuators.push(own);
                }
            }
        }
    }

    /// The attributes of textures in a class, or in the nearest class around it that has them.
    pub(super) fn class_texture(&self, class: ClassId) -> Texture {
        let mut at = Some(class);
        while let Some(ClassId(id)) = at {
            if let Some(texture) = self.class_textures.get(&id) {
                return texture.clone();
            }
            at = self.spec.defaults.get(id).and_then(|class| class.parent);
        }
        Texture::default()
    }

    /// A light; `directional` is another way to write `type`.
    pub(super) fn light(&mut self, node: Node<'t>, class: Option<ClassId>) -> Light {
        let mut light = Light::read(&mut self.source_of(node, class));
        if let Some(&directional) = light.directional.get() {
            if light.type_.is_set() {
                self.error(node, "light", "type and directional cannot both be defined");
            }
            let span = light.directional.span().unwrap_or_default();
            let kind = if directional { LightType::Directional } else { LightType::Spot };
            light.type_ = crate::spec::Attr::at(kind, span);
            light.directional.clear();
        }
        light
    }
}
