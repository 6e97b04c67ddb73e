//! Shared state of the passes of a compilation: the spec, the names, and the world as far as
//! compiled.
//!
//! A module compiles its elements with `compile_x(cx) -> Vec<XRec>`, after the kinematic tree is
//! final, and copies them with `store_x(&recs, m)` once all sizes are known.

use std::sync::Arc;

use sinew_model::enums::ObjType;

use crate::asset::mesh::data::CompiledMesh;
use crate::compile::instances::Instances;
use crate::compile::names::Names;
use crate::compile::world::World;
use crate::defaults::Defaults;
use crate::diag::Diagnostics;
use crate::options::LoadOptions;
use crate::settings::Settings;
use crate::spec::{Head, Mesh, Span, Spec};

/// The state of a compilation.
pub(crate) struct Cx<'a> {
    /// The model as written, with `replicate` and `attach` expanded.
    pub(crate) spec: &'a Spec,
    /// How it is to be loaded.
    pub(crate) opts: &'a LoadOptions,
    /// Errors and warnings so far.
    pub(crate) diag: &'a mut Diagnostics,
    /// The settings of each scope: `settings[element.head.scope]`.
    pub(crate) settings: Vec<Settings>,
    /// Default classes, each with its inherited values.
    pub(crate) defaults: Defaults,
    /// Ids of all named objects.
    pub(crate) names: Names,
    /// The kinematic tree.
    pub(crate) world: World,
    /// Mesh elements with their defaults, by mesh id.
    pub(crate) mesh_elems: Vec<Mesh>,
    /// Compiled meshes, by mesh id; `None` where compiling one failed.
    pub(crate) meshes: Vec<Option<Arc<CompiledMesh>>>,
    /// Sizes of height fields, by hfield id.
    pub(crate) hfield_sizes: Vec<[f64; 4]>,
    /// Numbers of user data per element.
    pub(crate) nuser: NUser,
    /// Instances of plugins.
    pub(crate) plugins: Instances,
}

/// Numbers of user data per element.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NUser {
    /// `nuser_body`
    pub(crate) body: usize,
    /// `nuser_jnt`
    pub(crate) jnt: usize,
    /// `nuser_geom`
    pub(crate) geom: usize,
    /// `nuser_site`
    pub(crate) site: usize,
    /// `nuser_cam`
    pub(crate) cam: usize,
    /// `nuser_tendon`
    pub(crate) tendon: usize,
    /// `nuser_actuator`
    pub(crate) actuator: usize,
    /// `nuser_sensor`
    pub(crate) sensor: usize,
}

/// Maximum number of errors that get a suggestion.
const MAX_SUGGESTIONS: usize = 50;

/// The element an error is about.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'n> {
    /// Name, or empty.
    pub(crate) name: &'n str,
    /// Id of the element.
    pub(crate) id: usize,
    /// Place in the file.
    pub(crate) span: Span,
}

impl Cx<'_> {
    /// Reports an error about an element, in MuJoCo's words.
    pub(crate) fn fail(&mut self, at: At<'_>, message: impl core::fmt::Display) {
        let text = format!("{message}\nElement name '{}', id {}", at.name, at.id);
        self.diag.error("compile", at.span, text);
    }

    /// The settings under which an element was written.
    pub(crate) fn settings(&self, head: &Head) -> &Settings {
        self.settings.get(head.scope).unwrap_or(&self.settings[0])
    }

    /// The id of an object; none if there is no such object.
    pub(crate) fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        self.names.get(kind, name)
    }

    /// Like `find`, where MuJoCo does not ask whether a name is empty: one that is leads to the
    /// last object without a name.
    pub(crate) fn find_unnamed(&self, kind: ObjType, name: &str) -> Option<usize> {
        match name {
            "" => self.names.list(kind).iter().rposition(String::is_empty),
            _ => self.find(kind, name),
        }
    }

    /// Suggests a similar name after an error about `name`; no longer once there are many errors,
    /// since every suggestion looks at all names.
    pub(crate) fn suggest(&mut self, kind: ObjType, name: &str) {
        if self.diag.list.len() > MAX_SUGGESTIONS {
            return;
        }
        if let Some(near) = self.names.nearest(kind, name) {
            self.diag.help(format!("did you mean '{near}'?"));
        }
    }
}
