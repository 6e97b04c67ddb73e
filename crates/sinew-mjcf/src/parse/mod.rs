//! XML to `Spec`: all that MuJoCo's reader does and checks, section by section.

mod asset;
mod body;
mod class;
mod deformable;
mod part;
mod plugin;
mod settings;
mod source;
mod urdf;

use std::collections::HashMap;

use sinew_model::enums::MeshInertia;

use crate::diag::Diagnostics;
use crate::files::Files;
use crate::include::Document;
use crate::schema::tag;
use crate::spec::{Attr, ClassId, DefaultClass, Head, Scope, Source, Span, Spec, Texture};
use crate::xml::Node;
use source::ElementSource;

/// Inputs of the reader of a model.
#[derive(Clone, Copy)]
pub(crate) struct Setting<'a> {
    pub(crate) files: Files<'a>,
    /// Paths of the models that are being read, the outermost first.
    pub(crate) open: &'a [String],
}

/// Reads a model of either format from its text. The result has its sources even if it failed.
pub(crate) fn read_model(
    path: &str,
    text: String,
    base: usize,
    setting: Setting<'_>,
    diag: &mut Diagnostics,
) -> Spec {
    // the tree of the file with its includes
    let doc = match Document::read(path, text, base, setting.files, diag) {
        Ok(doc) => doc,
        Err(sources) => return Spec { sources, ..Spec::default() },
    };
    let root = doc.tree.node(doc.root);

    // by the name of the root; MJCF is checked against the schema first
    match root.name() {
        "robot" => read(&doc, setting, diag),
        name if name.eq_ignore_ascii_case("mujoco") => {
            let before = diag.list.len();
            crate::schema::check(root, diag);
            if diag.list[before..].iter().any(|d| d.is_error()) {
                return Spec { sources: doc.tree.sources, ..Spec::default() };
            }
            read(&doc, setting, diag)
        }
        name => {
            diag.error("model-type", root.span(), format!("Unrecognized XML model type: '{name}'"));
            Spec { sources: doc.tree.sources, ..Spec::default() }
        }
    }
}

/// Reads a model from the tree of its files. Errors go to `diag`; the result has the sources of the
/// tree and of the models it names.
fn read(doc: &Document, setting: Setting<'_>, diag: &mut Diagnostics) -> Spec {
    let root = doc.tree.node(doc.root);
    let mut reader = Reader {
        doc,
        setting,
        diag,
        spec: Spec::default(),
        classes: HashMap::from([("main".to_owned(), ClassId(0))]),
        names: Names::default(),
        submodel_sources: Vec::new(),
        class_textures: HashMap::new(),
    };
    reader.start();
    match root.name() {
        "robot" => reader.robot(root),
        _ => reader.model(root),
    }
    let mut spec = reader.spec;
    spec.sources = doc.tree.sources.clone();
    spec.sources.append(&mut reader.submodel_sources);
    spec.comment = first_comment(root, &doc.tree.sources);
    spec
}

/// The comment with which the contents of an element begin; empty if they begin otherwise.
fn first_comment(node: Node<'_>, sources: &[Source]) -> String {
    let text = sources.get(node.file()).map_or("", |source| source.text.as_str());
    let inside = text.get(node.span().end as usize..).unwrap_or("").trim_start();
    let comment = inside.strip_prefix("<!--").and_then(|rest| rest.split_once("-->"));
    comment.map_or(String::new(), |(comment, _)| comment.replace("\r\n", "\n"))
}

struct Reader<'a, 't> {
    doc: &'t Document,
    setting: Setting<'a>,
    diag: &'a mut Diagnostics,
    spec: Spec,
    classes: HashMap<String, ClassId>,
    names: Names,
    submodel_sources: Vec<Source>,
    /// The attributes of textures in classes, inherited ones included (MuJoCo 3.17).
    class_textures: HashMap<usize, Texture>,
}

impl<'t> Reader<'_, 't> {
    /// The parts of every model.
    fn start(&mut self) {
        let scope = Scope { dir: self.doc.dir.clone().into(), ..Scope::default() };
        self.spec.scopes.push(scope);
        self.spec.defaults.push(DefaultClass { name: "main".into(), ..DefaultClass::default() });
        self.names.add("body", "world", Span::default()).ok();
    }

    /// All sections, in MuJoCo's order.
    fn model(&mut self, root: Node<'t>) {
        if let Some((name, span)) = root.attr("model") {
            self.spec.modelname = Attr::at(name.to_owned(), span);
        }

        // the sections in MuJoCo's reading order, for any order in the file
        type Section<'a, 'b, 't> = (&'static str, fn(&mut Reader<'b, 't>, Node<'t>));
        let sections: [Section<'_, '_, 't>; 17] = [
            ("compiler", Self::compiler),
            ("option", Self::option),
            ("size", Self::size),
            ("visual", Self::visual),
            ("statistic", Self::statistic),
            ("default", Self::top_default),
            ("extension", Self::extension),
            ("custom", Self::custom),
            ("asset", Self::asset),
            ("contact", Self::contact),
            ("deformable", Self::deformable),
            ("equality", Self::equality),
            ("tendon", Self::tendon),
            ("actuator", Self::actuator),
            ("sensor", Self::sensor),
            ("keyframe", Self::keyframe),
            ("worldbody", Self::world),
        ];
        for (name, read) in sections {
            for section in root.named(name) {
                read(self, section);
            }
        }

        // sections that MuJoCo accepts here and ignores
        for node in root.children().filter(|n| matches!(n.name(), "body" | "frame" | "replicate")) {
            let words = format!("{} outside of <worldbody> has no effect", tag(node));
            self.diag.warn("ignored-element", node.span(), words);
        }
        self.exact_mesh_inertia();
    }

    /// `<compiler exactmeshinertia>`: meshes that say nothing about inertia are exact, or legacy.
    fn exact_mesh_inertia(&mut self) {
        let Some(&exact) = self.spec.scopes[0].compiler.exactmeshinertia.get() else { return };
        let defaults = crate::defaults::Defaults::new(&self.spec);
        for mesh in &mut self.spec.meshes {
            if !defaults.mesh(mesh).inertia.is_set() {
                mesh.inertia.set(if exact { MeshInertia::Exact } else { MeshInertia::Legacy });
            }
        }
    }

    fn head(&self, node: Node<'t>, class: Option<ClassId>) -> Head {
        Head { span: node.span(), class, ..Head::default() }
    }

    /// Attributes of a node that is not subject to default classes, or is to main.
    fn source(&mut self, node: Node<'t>) -> ElementSource<'_, 't> {
        self.source_of(node, Some(ClassId(0)))
    }

    /// Attributes of a node of the given class.
    fn source_of(&mut self, node: Node<'t>, class: Option<ClassId>) -> ElementSource<'_, 't> {
        let head = self.head(node, class);
        ElementSource { node, head, diag: self.diag, instead: None }
    }

    /// The class that a node names, else `inherited`.
    fn class_of(&mut self, node: Node<'t>, inherited: Option<ClassId>) -> Option<ClassId> {
        let Some((name, span)) = node.attr("class") else { return inherited };
        let class = self.classes.get(name).copied();
        if class.is_none() {
            let words = format!("{}: unknown default class name '{name}'", tag(node));
            let ours = "no defaults apply to the element";
            self.diag.extension("unknown-class", span, &words, ours);
            self.nearest_class(name);
        }
        class
    }

    /// The class for the children of a body, frame or replicate.
    fn childclass_of(&mut self, node: Node<'t>, inherited: Option<ClassId>) -> Option<ClassId> {
        // below frames it may also have a class: without effect, but there must be one of that name
        self.class_of(node, None);
        let Some((name, span)) = node.attr("childclass") else { return inherited };
        let class = self.classes.get(name).copied();
        if class.is_none() {
            let words = format!("{}: unknown default childclass '{name}'", tag(node));
            self.diag.extension("unknown-class", span, &words, "no defaults apply inside it");
            self.nearest_class(name);
        }
        class
    }

    fn nearest_class(&mut self, name: &str) {
        let names = self.spec.defaults.iter().map(|d| d.name.as_str());
        if let Some(near) = crate::schema::nearest(name, names) {
            let help = format!("did you mean '{near}'?");
            self.diag.help(help);
        }
    }

    /// Notes the name of an object; a repeated one is an error.
    fn name(&mut self, node: Node<'t>, kind: &'static str, name: &Attr<String>) {
        let span = name.span().unwrap_or(node.span());
        if let Err(first) = self.names.add(kind, name.text(), span) {
            let words = format!("{}: repeated name '{}' in {kind}", tag(node), name.text());
            self.diag.error("repeated-name", span, words);
            self.diag.first(first);
        }
    }

    /// Reports attributes that must be there and are not.
    fn require(&mut self, node: Node<'t>, names: &[&str]) {
        for name in names {
            let blank = |(text, _): (&str, _)| {
                text.trim_ascii().is_empty() && NUMERIC.contains(name) && node.name() != "fixed"
            };
            if node.attr(name).is_none_or(blank) {
                self.error(
                    node,
                    "missing-attribute",
                    format!("required attribute missing: '{name}'"),
                );
            }
        }
    }

    /// Reports an error about a whole element.
    fn error(&mut self, node: Node<'t>, code: &'static str, words: impl AsRef<str>) {
        self.diag.error(code, node.span(), format!("{}: {}", tag(node), words.as_ref()));
    }
}

/// Required attributes that are arrays, for which an empty text counts as none.
const NUMERIC: [&str; 10] = [
    "pos",
    "mass",
    "size",
    "divisor",
    "coef",
    "params",
    "bindpos",
    "bindquat",
    "vertid",
    "vertweight",
];

/// The names in use, by kind of object.
#[derive(Default)]
struct Names {
    used: HashMap<&'static str, HashMap<String, Span>>,
    /// Inside `<replicate>`: names that are free again after it.
    local: Vec<(&'static str, String)>,
    depth: usize,
}

impl Names {
    /// Adds a name with its place, or returns the place of an earlier object of this name. An empty
    /// name is none.
    fn add(&mut self, kind: &'static str, name: &str, span: Span) -> Result<(), Span> {
        if name.is_empty() {
            return Ok(());
        }
        let used = self.used.entry(kind).or_default();
        if let Some(first) = used.get(name) {
            return Err(*first);
        }
        used.insert(name.to_owned(), span);
        if self.depth > 0 {
            self.local.push((kind, name.to_owned()));
        }
        Ok(())
    }

    /// Enters a replicate; the result is for [`Names::leave`].
    fn enter(&mut self) -> usize {
        self.depth += 1;
        self.local.len()
    }

    /// Frees the names added since the matching [`Names::enter`].
    fn leave(&mut self, mark: usize) {
        self.depth -= 1;
        for (kind, name) in self.local.drain(mark..) {
            if let Some(names) = self.used.get_mut(kind) {
                names.remove(&name);
            }
        }
    }
}
