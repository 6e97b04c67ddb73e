//! Former failures: every file of `corpus` is rejected with a message or handled by the engine.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use sinew::{Assets, LoadOptions};
use sinew_fuzz::corpus::Corpus;
use sinew_fuzz::{Outcome, TARGETS, exercise, guided, read_model};
use sinew_render::Renderer;
use sinew_scene::{Camera, Perturb, Scene, View, VisOption, update_scene};
use sinew_testkit::Random;
use sinew_testkit::alloc::{CountingAllocator, peak_bytes, restart_peak};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

#[test]
fn inputs_that_failed_once_are_handled() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().flatten().map(|e| e.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        if let Err(reason) = read_model(&path) {
            assert!(!reason.trim().is_empty(), "{}", path.display());
        }
    }
}

#[test]
fn inputs_that_reached_new_branches_are_accepted_or_refused() {
    let (mut accepted, mut refused) = (0, 0);
    for target in TARGETS {
        let inputs = guided::files(&guided::kept(target)).unwrap();
        let Some(guide) = target.guide else { continue };
        for input in inputs {
            match guided::feed(&guide, &input) {
                Outcome::Accepted => accepted += 1,
                Outcome::Refused => refused += 1,
            }
        }
    }
    assert!(accepted > 0 && refused > 0, "{accepted} accepted, {refused} refused");
}

#[test]
fn every_model_is_read_again_from_its_own_binary_file() {
    let corpus = Corpus::read();
    let assets: Assets = corpus.files.iter().cloned().collect();
    let options = LoadOptions::default();
    let mut models = 0;
    for (name, text) in &corpus.models {
        let loaded = match sinew::load_str_with(text, &assets, &options) {
            Ok(loaded) => loaded,
            // some files are parts of other models, but every seed is a model
            Err(error) => {
                assert!(!name.starts_with("tiny_"), "{name}: {error}");
                continue;
            }
        };
        let file = loaded.model.to_binary();
        match sinew::Model::from_binary_with(&file, &options.plugins) {
            Ok(again) => assert!(again.to_binary() == file, "{name}"),
            Err(error) => panic!("{name}: {error}"),
        }
        models += 1;
    }
    assert!(models > 60, "only {models} models compile");
}

#[test]
fn odd_models_that_mujoco_takes_are_read_again_from_their_binary_file() {
    let texts = [
        "<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body></worldbody>\
         <actuator><motor joint='j' nsample='-1'/></actuator>\
         <sensor><jointpos joint='j' nsample='-1' interval='.01'/></sensor></mujoco>",
        "<mujoco><asset><hfield name='h' nrow='1' ncol='3' size='1 1 .1 .1'/></asset>\
         <worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>",
    ];
    for text in texts {
        let file = sinew::load_str(text).unwrap().to_binary();
        let again = sinew::Model::from_binary_with(&file, &LoadOptions::default().plugins);
        assert!(again.unwrap().to_binary() == file, "{text}");
    }
}

#[test]
fn a_contact_sensor_of_no_site_in_particular_finds_nothing() {
    let text = "<mujoco><worldbody><geom type='plane' size='1 1 1'/><site name='s' size='1'/>\
                <body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody>\
                <sensor><contact site='s' data='found'/></sensor></mujoco>";
    let mut m = sinew::load_str(text).unwrap();
    for (id, found) in [(0, 1.0), (-1, 0.0)] {
        m.sensor_objid.iter_mut().for_each(|objid| *objid = id);
        m.validate().unwrap();
        let mut d = sinew::Data::new(&m);
        sinew::forward(&m, &mut d);
        assert_eq!(d.sensordata[0], found);
    }
}

#[test]
fn a_bone_of_a_skin_without_numbers_is_refused() {
    let bone = "bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'";
    for name in ["bindpos", "bindquat", "vertid", "vertweight"] {
        let start = bone.find(&format!("{name}='")).unwrap() + name.len() + 2;
        let end = start + bone[start..].find('\'').unwrap();
        let text = format!(
            "<mujoco><deformable><skin vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'>\
             <bone body='a' {} {}/></skin></deformable>\
             <worldbody><body name='a'/></worldbody></mujoco>",
            &bone[..start],
            &bone[end..]
        );
        let error = sinew::load_str(&text).unwrap_err().to_string();
        assert!(error.contains(&format!("required attribute missing: '{name}'")), "{error}");
    }
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
            Ok(mut m) => {
                assert_eq!(face, "0 1 2");
                exercise::exercise_all(&mut Random::new(1), &mut m);
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
        let mut loaded = sinew::load_str_with(text, &assets, &LoadOptions::default()).unwrap();
        for seed in 0..40 {
            exercise::exercise_all(&mut Random::new(seed), &mut loaded.model);
        }
    }
}

#[test]
fn nodes_of_boxes_that_urdf_leaves_with_items_are_read_again() {
    // links fused into the world give inner nodes an item, as in MuJoCo
    let text = "<robot name='r'><link name='a'><collision><geometry><sphere radius='1'/></geometry>\
                </collision></link><link name='b'><collision><geometry><sphere radius='.5'/></geometry>\
                </collision></link><joint name='j' type='fixed'><parent link='a'/><child link='b'/>\
                </joint></robot>";
    let loaded = sinew::load_str(text).unwrap();
    let file = loaded.to_binary();
    assert!(sinew::Model::from_binary(&file).unwrap().to_binary() == file);
}

#[test]
fn a_size_that_takes_no_room_in_a_file_takes_no_memory() {
    let m = sinew::load_str("<mujoco/>").unwrap();
    let mut file = m.to_binary();
    // the sizes follow five four-byte numbers
    let at = 20 + 8 * sinew::Model::SIZES.iter().position(|(name, _)| *name == "nmocap").unwrap();
    file[at..at + 8].copy_from_slice(&i64::from(i32::MAX).to_le_bytes());
    let before = restart_peak();
    let error = sinew::Model::from_binary(&file).unwrap_err().to_string();
    assert_eq!(error, "invalid model: nmocap is 2147483647, must be 0");
    assert!(peak_bytes() - before < 1 << 30);
}

#[test]
fn an_edge_of_a_cloth_that_has_only_its_second_triangle_is_refused() {
    let mut m = sinew::load_str(
        "<mujoco><worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' \
         radius='.01'><elasticity young='1' thickness='.01' elastic2d='both'/></flexcomp>\
         </worldbody></mujoco>",
    )
    .unwrap();
    let inner = m.flex_edgeflap.iter().position(|flap| flap[1] >= 0).unwrap();
    m.flex_edgeflap[inner][0] = -1;
    let error = m.validate().unwrap_err().to_string();
    assert!(error.contains(&format!("flex_edgeflap[{inner}, 0] is -1")), "{error}");
}

#[test]
fn shapes_of_absurdly_many_parts_are_drawn_with_fewer() {
    let m = sinew::load_str(
        "<mujoco><visual><quality numslices='2000000000' numstacks='2000000000' \
         numquads='2000000000' shadowsize='2000000000'/></visual>\
         <asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='0 1 1 0'/></asset>\
         <worldbody><light pos='0 0 3'/><geom type='hfield' hfield='h'/><geom size='.1' pos='0 0 1'/>\
         </worldbody></mujoco>",
    )
    .unwrap();
    let mut d = sinew::Data::new(&m);
    sinew::engine::forward(&m, &mut d);
    let (opt, pert) = (VisOption::default(), Perturb::default());
    let view = View { opt: &opt, pert: &pert, catmask: 7 };
    let mut scene = Scene::new(&m, 100);
    update_scene(&m, &d, view, &mut Camera::default(), &mut scene).unwrap();
    assert!(Renderer::new(&m).render(&m, &scene, 32, 24).is_ok());
}

#[test]
fn a_flex_with_a_negative_radius_and_one_of_no_dimension_of_contacts_are_handled() {
    let text = |contact: &str, radius: &str| {
        format!(
            "<mujoco><worldbody><geom type='plane' size='1 1 1'/>\
             <flexcomp name='f' type='grid' count='4 4 1' spacing='.1 .1 .1' radius='{radius}' \
             pos='0 0 .01'><contact {contact}/></flexcomp>\
             <flexcomp name='g' type='grid' count='3 3 1' spacing='.1 .1 .1' radius='.01'>\
             <contact selfcollide='sap'/></flexcomp></worldbody></mujoco>"
        )
    };
    for radius in ["-1e308", "-1", "-.05"] {
        if let Ok(mut m) = sinew::load_str(&text("selfcollide='sap'", radius)) {
            exercise::exercise_all(&mut Random::new(1), &mut m);
        }
    }
    for bad in ["2147483647", "7", "-1"] {
        let contact = format!("condim='{bad}'");
        let error = sinew::load_str(&text(&contact, ".01")).unwrap_err().to_string();
        assert!(error.contains("invalid condim in flex"), "{error}");
    }
    // MuJoCo accepts these: a contact has the larger of two
    for odd in ["0", "2", "5"] {
        let mut m =
            sinew::load_str(&text(&format!("condim='{odd}' selfcollide='sap'"), ".04")).unwrap();
        let bytes = m.to_binary();
        assert!(sinew::Model::from_binary(&bytes).is_ok(), "{odd}");
        exercise::exercise_all(&mut Random::new(1), &mut m);
    }
}
