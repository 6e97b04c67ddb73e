//! Asset files, each in a minimal model that uses it.

use sinew::{Assets, LoadOptions};
use sinew_testkit::Random;

use super::Files;
use super::model::corpus;
use crate::exercise::exercise;
use crate::guided::Guide;
use crate::mutate::bytes;
use crate::{Outcome, refused};

/// Files of one format, and models that use them by the name `FILE`.
struct Format {
    files: &'static [&'static str],
    models: &'static [&'static str],
}

const MESHES: &[&str] = &[
    "<mujoco><asset><mesh name='m' file='FILE'/></asset><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .01'><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
    "<mujoco><asset><mesh name='m' file='FILE' scale='1 -1 .5' inertia='exact' maxhullvert='8'/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='m'/><geom type='box' mesh='m'/></body></worldbody></mujoco>",
    "<mujoco><worldbody><flexcomp name='f' type='mesh' file='FILE' dim='2' mass='1'><edge equality='true'/></flexcomp></worldbody></mujoco>",
];
/// A model with a distance field, which compiles a thousand times slower than the others.
const DISTANCES: &str = "<mujoco><asset><mesh name='m' file='FILE'/></asset><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .01'><freejoint/><geom type='sdf' mesh='m'/></body></worldbody></mujoco>";
/// Number of mesh models per model with a distance field.
const DISTANCES_ONCE_IN: usize = 500;

const STL: Format = Format { files: &["tetrahedron.stl"], models: MESHES };
const OBJ: Format = Format { files: &["wedge.obj"], models: MESHES };
const MSH: Format = Format { files: &["octahedron.msh"], models: MESHES };
const PNG: Format = Format {
    files: &["cube.png", "decal.png", "hill.png", "tile.png"],
    models: &[
        "<mujoco><asset><texture name='t' type='2d' file='FILE'/><material name='m' texture='t'/></asset><worldbody><geom size='1' material='m'/></worldbody></mujoco>",
        "<mujoco><asset><texture type='skybox' file='FILE' gridsize='3 4' gridlayout='.U..LFRB.D..'/></asset></mujoco>",
        "<mujoco><asset><texture type='cube' name='t' file='FILE'/><material name='m' texture='t'/></asset><worldbody><geom size='1' material='m'/></worldbody></mujoco>",
        "<mujoco><asset><hfield name='h' file='FILE' size='1 1 1 .1'/></asset><worldbody><geom type='hfield' hfield='h'/><body pos='0 0 .1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    ],
};
const HFIELD: Format = Format {
    files: &["hill.bin"],
    models: &[
        "<mujoco><asset><hfield name='h' file='FILE' size='1 1 1 .1'/></asset><worldbody><geom type='hfield' hfield='h'/><body pos='0 0 .1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    ],
};
const SKIN: Format = Format {
    files: &["two_bones.skn"],
    models: &[
        "<mujoco><deformable><skin name='s' file='FILE'/></deformable><worldbody><body name='upper'><joint/><geom size='.1'/><body name='lower' pos='.2 0 0'><joint/><geom size='.1'/></body></body></worldbody></mujoco>",
    ],
};
const GMSH: Format = Format {
    files: &["can_22.gmsh", "can_22_binary.gmsh", "cube_41.gmsh", "cube_41_binary.gmsh"],
    models: &[
        "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='FILE' dim='3' mass='1'/></worldbody></mujoco>",
        "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='FILE' dim='2' mass='1'/></worldbody></mujoco>",
        "<mujoco><worldbody><flexcomp name='f' type='gmsh' file='FILE' dim='3' mass='1' dof='trilinear'><elasticity young='1e3' poisson='.1'/></flexcomp></worldbody></mujoco>",
    ],
};

/// The model and the mutated file of a case.
fn case(kind: &Format, number: u64) -> (Random, String, String, Vec<u8>) {
    let mut random = Random::new(number);
    let name = random.pick(kind.files);
    let model = around(kind, &mut random, name);
    let mut file = corpus().file(name).to_vec();
    for _ in 0..1 + random.below(4) {
        bytes::mutate(&mut random, &mut file);
    }
    (random, model, name.to_owned(), file)
}

/// A model that uses a file.
fn around(kind: &Format, random: &mut Random, name: &str) -> String {
    let mut model = random.pick(kind.models);
    if kind.models == MESHES && random.once_in(DISTANCES_ONCE_IN) {
        model = DISTANCES;
    }
    model.replace("FILE", name)
}

fn run(kind: &Format, number: u64) -> Outcome {
    let (mut random, model, name, file) = case(kind, number);
    read(&mut random, &model, name, file)
}

fn read(random: &mut Random, model: &str, name: String, file: Vec<u8>) -> Outcome {
    let assets: Assets = [(name, file)].into_iter().collect();
    match sinew::load_str_with(model, &assets, &LoadOptions::default()) {
        Ok(mut loaded) => {
            exercise(random, &mut loaded.model);
            Outcome::Accepted
        }
        Err(error) => refused(&error),
    }
}

fn write(kind: &Format, number: u64) -> Files {
    let (_, model, name, file) = case(kind, number);
    vec![("model.xml".to_owned(), model.into_bytes()), (name, file)]
}

/// Inserts a part of another file, or mutates the file.
fn change(random: &mut Random, input: &[u8], donor: &[u8]) -> Vec<u8> {
    let mut file = input.to_vec();
    if random.once_in(8) && !donor.is_empty() {
        let from = random.below(donor.len());
        let len = random.below(donor.len() - from);
        let at = random.below(file.len() + 1);
        file.splice(at..at, donor[from..from + len].iter().copied());
    } else {
        bytes::mutate(random, &mut file);
    }
    file
}

macro_rules! kinds {
    ($($name:ident, $write:ident, $guide:ident, $kind:ident;)*) => {$(
        pub(super) const $guide: Guide = Guide {
            seeds: || $kind.files.iter().map(|name| corpus().file(name).to_vec()).collect(),
            mutate: change,
            feed: |random, file| {
                let name = $kind.files[0];
                let model = around(&$kind, random, name);
                read(random, &model, name.to_owned(), file.to_vec())
            },
        };
        pub(super) fn $name(number: u64) -> Outcome {
            run(&$kind, number)
        }
        pub(super) fn $write(number: u64) -> Files {
            write(&$kind, number)
        }
    )*};
}

kinds! {
    stl, write_stl, GUIDE_STL, STL;
    obj, write_obj, GUIDE_OBJ, OBJ;
    msh, write_msh, GUIDE_MSH, MSH;
    png, write_png, GUIDE_PNG, PNG;
    hfield, write_hfield, GUIDE_HFIELD, HFIELD;
    skin, write_skin, GUIDE_SKIN, SKIN;
    gmsh, write_gmsh, GUIDE_GMSH, GMSH;
}
