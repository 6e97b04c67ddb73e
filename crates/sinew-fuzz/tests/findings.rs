//! Inputs that failed once: every file of `corpus` is refused with words, or goes through the
//! engine.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use sinew::{Assets, LoadOptions};
use sinew_fuzz::corpus::Corpus;
use sinew_fuzz::{exercise, read_model};
use sinew_testkit::Random;

#[test]
fn inputs_that_failed_once_are_handled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        if let Err(reason) = read_model(&path) {
            assert!(!reason.trim().is_empty(), "{}", path.display());
        }
    }
}

#[test]
fn every_model_is_read_again_from_its_own_binary_file() {
    let corpus = Corpus::read();
    let assets: Assets = corpus.files.iter().cloned().collect();
    let options = LoadOptions::default();
    let mut models = 0;
    for (name, text) in &corpus.models {
        let Ok(loaded) = sinew::load_str_with(text, &assets, &options) else { continue };
        let file = loaded.model.to_binary();
        match sinew::Model::from_binary_with(&file, &options.plugins) {
            Ok(again) => assert!(again.to_binary() == file, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
        models += 1;
    }
    assert!(models > 40, "only {models} models compile");
}

#[test]
fn a_face_of_a_skin_that_names_no_vertex_is_refused() {
    for face in ["0 1 7", "0 1 -1", "0 1 2"] {
        let text = format!(
            "<mujoco><deformable><skin name='s' vertex='0 0 0 1 0 0 0 1 0' face='{face}'>\
             <bone body='b' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>\
             </skin></deformable><worldbody><body name='b'><geom size='.1'/></body></worldbody></mujoco>"
        );
        match sinew::load_str(&text) {
            Ok(m) => {
                assert_eq!(face, "0 1 2");
                exercise::exercise(&mut Random::new(1), &m);
            }
            Err(error) => assert!(error.to_string().contains("out of range in skin"), "{error}"),
        }
    }
}

#[test]
fn texture_coordinates_that_an_obj_file_leaves_out_are_drawn_as_none() {
    let file = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n\
                f 1/1/1 3/3/1 2/2/1\nf 1/1/1 2/2/1 4/9/9\nf 1/1/1 4/3/1 3/2/1\nf 2 3 4\n";
    let assets: Assets = [("m.obj".to_owned(), file.as_bytes().to_vec())].into_iter().collect();
    let models = [
        "<mujoco><asset><mesh name='m' file='m.obj'/></asset><worldbody><body><freejoint/>\
         <geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
        "<mujoco><worldbody><flexcomp name='f' type='mesh' file='m.obj' dim='2' mass='1'/>\
         </worldbody></mujoco>",
    ];
    for text in models {
        if let Ok(loaded) = sinew::load_str_with(text, &assets, &LoadOptions::default()) {
            for seed in 0..40 {
                exercise::exercise(&mut Random::new(seed), &loaded.model);
            }
        }
    }
}

#[test]
fn nodes_of_boxes_that_urdf_leaves_with_items_are_read_again() {
    // links fused into the world: MuJoCo's inner nodes then have an item
    let text = "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry>\
                </collision></link><link name='b'><collision><geometry><sphere radius='.5'/></geometry>\
                </collision></link><joint name='j' type='fixed'><parent link='a'/><child link='b'/>\
                </joint></robot>";
    let loaded = sinew::load_str(text).unwrap();
    let file = loaded.to_binary();
    assert!(sinew::Model::from_binary(&file).unwrap().to_binary() == file);
}
