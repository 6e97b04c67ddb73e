//! `<deformable>`, `<skin>`, `<flexcomp>` and `<composite>`.

use super::Reader;
use crate::expand::{composite, flexcomp};
use crate::files::AssetKind;
use crate::include::Folder;
use crate::settings::Settings;
use crate::spec::{
    Attr, Bone, Child, ClassId, Composite, CompositeJoint, CompositeSkin, Flex, FlexContact,
    FlexEdge, FlexElasticity, Flexcomp, FlexcompEdge, FlexcompType, Geom, Pin, Site, Skin,
};
use crate::xml::Node;

/// Groups for display.
const GROUPS: core::ops::Range<i32> = 0..6;

impl<'t> Reader<'_, 't> {
    pub(super) fn deformable(&mut self, node: Node<'t>) {
        for child in node.children() {
            match child.name() {
                "flex" => self.flex(child),
                "skin" => self.skin(child),
                _ => {}
            }
        }
    }

    fn flex(&mut self, node: Node<'t>) {
        let mut flex = Flex::read(&mut self.source(node));
        self.name(node, "flex", &flex.name);
        self.require(node, &["body", "element"]);
        if let Some(child) = node.named("contact").next() {
            flex.contact = FlexContact::read(&mut self.source(child));
            self.passive(child, &mut flex);
        }
        if let Some(child) = node.named("edge").next() {
            flex.edge = FlexEdge::read(&mut self.source(child));
        }
        if let Some(child) = node.named("elasticity").next() {
            flex.elasticity = FlexElasticity::read(&mut self.source(child));
        }
        self.spec.flexes.push(flex);
    }

    /// MuJoCo's reader gives `passive` the value of the flag it read before: `internal`, else
    /// `flatskin`, else false.
    fn passive(&mut self, node: Node<'t>, flex: &mut Flex) {
        let Some(&written) = flex.contact.passive.get() else { return };
        let taken = flex.contact.internal.get().or(flex.flatskin.get()).copied().unwrap_or(false);
        if taken != written {
            let span = flex.contact.passive.span().unwrap_or(node.span());
            let text = format!(
                "MuJoCo 3.5.0, and so Sinew, takes passive of a flex from internal, or from \
                 flatskin if that is not written: it is {taken}"
            );
            self.diag.warn("flex-passive", span, text);
            self.diag.help("write the flex as a flexcomp, or set internal to the same value");
        }
        flex.contact.passive.set(taken);
    }

    pub(super) fn skin(&mut self, node: Node<'t>) {
        let mut skin = Skin::read(&mut self.source(node));
        self.name(node, "skin", &skin.name);
        self.resolve(node, &mut skin.file, Folder::Asset);
        self.check_skin_group(node, &skin.group);
        for child in node.named("bone") {
            self.require(child, &["body", "bindpos", "bindquat", "vertid", "vertweight"]);
            skin.bones.push(Bone::read(&mut self.source(child)));
        }
        self.spec.skins.push(skin);
    }

    fn check_skin_group(&mut self, node: Node<'t>, group: &Attr<i32>) {
        if !GROUPS.contains(&group.or(0)) {
            self.error(node, "skin", "skin group must be between 0 and 5");
        }
    }

    /// The bodies of a flexcomp; its flex and constraint go to the model.
    pub(super) fn flexcomp(
        &mut self,
        node: Node<'t>,
        class: Option<ClassId>,
        parent: &str,
    ) -> Vec<Child> {
        let fc = self.read_flexcomp(node, class);
        let before = self.diag.list.len();
        self.require(node, &["name"]);

        // forbidden combinations
        let elasticity = fc.elasticity.elastic2d.get().is_some_and(|e| e.0 >= 2);
        let held = fc.edge.equality.get().is_some_and(|e| e.0 != 0);
        let is_mesh = fc.values().type_() == FlexcompType::Mesh;
        if is_mesh && fc.values().dim() == 3 && !fc.origin.is_set() {
            let words = "origin must be specified for mesh flexcomps if dim=3";
            self.error(node, "flexcomp", words);
        }
        if elasticity && held {
            let words = "elasticity and edge constraints cannot both be present";
            self.error(node, "flexcomp", words);
        }
        if self.diag.list.len() > before {
            return Vec::new();
        }

        // the flex, its bodies and its equality
        let scope = &self.spec.scopes[0];
        let settings = Settings::new(&scope.compiler);
        let files = self.setting.files;
        let read = |file: &str| Ok(files.read(scope, AssetKind::Mesh, file)?.into_owned());
        match flexcomp::make(&fc, flexcomp::Parent { name: parent, settings: &settings }, &read) {
            Ok(made) => {
                self.spec.flexes.push(made.flex);
                self.spec.equalities.extend(made.equality);
                made.bodies
            }
            Err(words) => {
                self.error(node, "flexcomp", words);
                Vec::new()
            }
        }
    }

    fn read_flexcomp(&mut self, node: Node<'t>, class: Option<ClassId>) -> Flexcomp {
        let source = &mut self.source_of(node, class);
        let mut fc = Flexcomp::read(source);
        fc.alt = source.orientation();
        self.resolve(node, &mut fc.file, Folder::Model);
        if let Some(child) = node.named("edge").next() {
            fc.edge = FlexcompEdge::read(&mut self.source(child));
        }
        if let Some(child) = node.named("elasticity").next() {
            fc.elasticity = FlexElasticity::read(&mut self.source(child));
        }
        if let Some(child) = node.named("contact").next() {
            fc.contact = FlexContact::read(&mut self.source(child));
        }
        for child in node.named("pin") {
            fc.pins.push(Pin::read(&mut self.source(child)));
        }
        fc.plugin = self.plugin_in(node);
        fc
    }

    /// The bodies of a composite; its skin, exclusions and text go to the model.
    pub(super) fn composite(&mut self, node: Node<'t>) -> Vec<Child> {
        let mut comp = Composite::read(&mut self.source(node));
        comp.head.class = None;
        let before = self.diag.list.len();
        self.require(node, &["type"]);

        // points and elements
        for child in node.children() {
            match child.name() {
                "joint" => {
                    self.require(child, &["kind"]);
                    comp.joints.push(CompositeJoint::read(&mut self.source_of(child, None)));
                }
                "skin" => {
                    let skin = CompositeSkin::read(&mut self.source(child));
                    self.check_skin_group(child, &skin.group);
                    comp.skin = Some(skin);
                }
                "geom" => comp.geom = Geom::read(&mut self.source_of(child, None)),
                "site" => comp.site = Site::read(&mut self.source_of(child, None)),
                _ => {}
            }
        }
        comp.plugin = self.plugin_in(node);

        // bodies, unless something was wrong
        if self.diag.list[before..].iter().any(|d| d.is_error()) {
            return Vec::new();
        }
        match composite::make(&comp) {
            Ok(made) => {
                self.spec.texts.push(made.text);
                self.spec.excludes.extend(made.excludes);
                self.spec.skins.extend(made.skin);
                vec![made.body]
            }
            Err(wrong) => {
                self.error(node, "composite", wrong.words);
                if let Some(help) = wrong.help {
                    self.diag.help(help);
                }
                Vec::new()
            }
        }
    }
}
