//! The targets: readers and their inputs.

mod arrays;
mod asset;
mod cone;
mod hull;
mod mjb;
mod model;
mod policy;
mod spec;
mod viewer;

use crate::Outcome;
use crate::guided::Guide;

/// Names and bytes of files.
pub type Files = Vec<(String, Vec<u8>)>;

/// A reader of external input.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name in arguments.
    pub name: &'static str,
    /// Description of the input.
    pub about: &'static str,
    /// Generates the input of a case and passes it to the reader.
    pub run: fn(u64) -> Outcome,
    /// The input of a case as files (name and bytes, the model first), for other programs; `None`
    /// for inputs that are not files.
    pub write: Option<fn(u64) -> Files>,
    /// Functions for the guided search; `None` for inputs that are not bytes.
    pub guide: Option<Guide>,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target {
        name: "xml",
        about: "MJCF texts and their files",
        run: model::xml,
        write: Some(model::write_xml),
        guide: Some(model::GUIDE),
    },
    Target {
        name: "urdf",
        about: "URDF texts",
        run: model::urdf,
        write: Some(model::write_urdf),
        guide: Some(model::GUIDE_URDF),
    },
    Target {
        name: "stl",
        about: "STL meshes",
        run: asset::stl,
        write: Some(asset::write_stl),
        guide: Some(asset::GUIDE_STL),
    },
    Target {
        name: "obj",
        about: "OBJ meshes",
        run: asset::obj,
        write: Some(asset::write_obj),
        guide: Some(asset::GUIDE_OBJ),
    },
    Target {
        name: "msh",
        about: "MSH meshes",
        run: asset::msh,
        write: Some(asset::write_msh),
        guide: Some(asset::GUIDE_MSH),
    },
    Target {
        name: "png",
        about: "PNG textures and terrains",
        run: asset::png,
        write: Some(asset::write_png),
        guide: Some(asset::GUIDE_PNG),
    },
    Target {
        name: "hfield",
        about: "binary height fields",
        run: asset::hfield,
        write: Some(asset::write_hfield),
        guide: Some(asset::GUIDE_HFIELD),
    },
    Target {
        name: "skin",
        about: "SKN skins",
        run: asset::skin,
        write: Some(asset::write_skin),
        guide: Some(asset::GUIDE_SKIN),
    },
    Target {
        name: "gmsh",
        about: "GMSH files, texts and binary",
        run: asset::gmsh,
        write: Some(asset::write_gmsh),
        guide: Some(asset::GUIDE_GMSH),
    },
    Target {
        name: "mjb",
        about: "binary models",
        run: mjb::mjb,
        write: Some(mjb::write),
        guide: Some(mjb::GUIDE),
    },
    Target {
        name: "arrays",
        about: "arrays of a model, written in place",
        run: arrays::arrays,
        write: None,
        guide: None,
    },
    Target {
        name: "spec",
        about: "edits of a model in code",
        run: spec::spec,
        write: None,
        guide: None,
    },
    Target {
        name: "hull",
        about: "collisions of hulls of random points",
        run: hull::hull,
        write: Some(hull::write),
        guide: None,
    },
    Target {
        name: "cone",
        about: "random problems of the cone solver",
        run: cone::cone,
        write: None,
        guide: None,
    },
    Target {
        name: "policy",
        about: "ONNX files of policies",
        run: policy::policy,
        write: Some(policy::write),
        guide: None,
    },
    Target {
        name: "viewer",
        about: "messages of the viewer's page",
        run: viewer::viewer,
        write: None,
        guide: None,
    },
    Target {
        name: "server",
        about: "requests and frames sent to the viewer's server",
        run: viewer::serve,
        write: None,
        guide: None,
    },
];

/// Finds a target by name.
pub fn find(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
