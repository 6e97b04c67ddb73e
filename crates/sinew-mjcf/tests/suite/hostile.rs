//! Models that are too large in few words, read files they should not, or end in odd ways.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{extension, model, rejected, try_load, warned};
use sinew_mjcf::{Assets, LoadOptions, load_path, load_str, xml_dependencies};

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("sinew-hostile-{}-{name}", std::process::id()));
    std::fs::create_dir_all(path.join("inner")).expect("a folder");
    path
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("written");
}

/// How long a model of `geoms` geoms with `attributes` unknown attributes each takes to be refused;
/// the shortest of three times.
fn refusal_time(geoms: usize, attributes: usize) -> Duration {
    let attributes: String = (0..attributes).map(|i| format!(" a{i}='1'")).collect();
    let geom = format!("<geom size='1'{attributes}/>");
    let xml = format!("<mujoco><worldbody>{}</worldbody></mujoco>", geom.repeat(geoms));
    let time = |_| {
        let start = Instant::now();
        assert!(try_load(&xml, &LoadOptions::default()).is_err());
        start.elapsed()
    };
    (0..3).map(time).min().expect("three times")
}

#[test]
fn reading_time_is_linear_in_the_attributes_of_an_element() {
    let (one, many) = (refusal_time(1, 30_000), refusal_time(300, 100));
    // quadratic time was a hundred times as long
    assert!(one < 20 * many, "{one:?}, {many:?}");
}

#[test]
fn builtin_assets_have_a_budget() {
    let mesh = "<mesh name='m' builtin='supersphere' params='1500 1 1'/>";
    let geom = "<worldbody><geom type='mesh' mesh='m'/></worldbody>";
    let many = format!("<mujoco><asset>{mesh}</asset>{geom}</mujoco>");
    rejected(&many, "builtin meshes up to this one have more than");
    let texture = "<texture name='t' type='2d' builtin='flat' width='16000' height='16000'/>";
    let large = format!("<mujoco><asset>{texture}</asset></mujoco>");
    rejected(&large, "builtin textures up to this one have more than 400 MiB");
}

#[test]
fn a_few_words_do_not_ask_for_gigabytes() {
    let geoms = "<geom size='1'/>".repeat(40);
    let user =
        format!("<mujoco><size nuser_geom='1000000'/><worldbody>{geoms}</worldbody></mujoco>");
    rejected(&user, "more than 33554432 numbers of user data");

    // keyframes of a model that is copied are made longer before actuators are looked at
    let body = "<body><joint name='j'/><geom size='1'/></body>";
    let key = "<keyframe><key qpos='0' act='0'/></keyframe>";
    let act = "<general joint='j0' dyntype='user' actdim='2147483647'/>";
    let keys = format!(
        "<mujoco><worldbody><replicate count='2'>{body}</replicate></worldbody>
         <actuator>{act}</actuator>{key}</mujoco>"
    );
    rejected(&keys, "keyframes have more than 67108864 numbers");
}

#[test]
fn iterations_are_capped_with_a_warning() {
    let xml = "<mujoco><option iterations='2000000000' ls_iterations='7'/></mujoco>";
    let m = warned(xml, "iterations = 2000000000 is capped at 100000");
    assert_eq!((m.opt.iterations, m.opt.ls_iterations), (100_000, 7));
}

#[test]
fn a_file_that_is_no_model_is_not_quoted() {
    let dir = folder("quote");
    write(&dir.join("secret"), "root:x:0:0:password\n");
    write(&dir.join("secret.xml"), "<users><user password='hunter2'/></users>");
    write(&dir.join("broken.xml"), "<mujocoinclude><worldbody></mujocoinclude>");
    let load = |body: &str| {
        write(&dir.join("model.xml"), &format!("<mujoco>{body}</mujoco>"));
        load_path(&dir.join("model.xml"), &LoadOptions::default())
            .expect_err("rejected")
            .to_string()
    };
    let text = load("<include file='secret'/>");
    assert!(text.contains("secret:1:1") && !text.contains("password"), "{text}");
    let text = load("<include file='secret.xml'/>");
    assert!(text.contains("secret.xml:1") && !text.contains("hunter2"), "{text}");
    let model = "<asset><model name='s' file='secret' content_type='text/xml'/></asset>";
    assert!(!load(model).contains("password"));

    // a broken part of a model is
    let text = load("<include file='broken.xml'/>");
    assert!(text.contains("<mujocoinclude><worldbody>"), "{text}");
}

#[test]
fn loading_can_be_confined_to_the_folder_of_the_model() {
    let dir = folder("confine");
    let part = "<mujocoinclude><worldbody><geom size='1'/></worldbody></mujocoinclude>";
    write(&dir.join("outside.xml"), part);
    write(&dir.join("inner/part.xml"), part);
    write(&dir.join("outside.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    let confined = LoadOptions { confine: true, ..LoadOptions::default() };
    let load = |body: &str, options: &LoadOptions| {
        write(&dir.join("inner/model.xml"), &format!("<mujoco>{body}</mujoco>"));
        load_path(&dir.join("inner/model.xml"), options).map_err(|e| e.to_string())
    };
    let inside = "<include file='part.xml'/>";
    assert!(load(inside, &confined).is_ok());
    let mesh = "<asset><mesh name='m' file='../outside.obj'/></asset>";
    let absolute = format!("<include file='{}'/>", dir.join("outside.xml").display());
    let outside = ["<include file='../outside.xml'/>", absolute.as_str(), mesh];
    for body in outside {
        assert!(load(body, &LoadOptions::default()).is_ok(), "{body}");
        let error = load(body, &confined).expect_err("must be rejected");
        assert!(error.contains("outside the model's folder"), "{error}");
    }

    // links are followed before the folder is compared
    #[cfg(unix)]
    {
        let link = dir.join("inner/link.xml");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(dir.join("outside.xml"), &link).expect("a link");
        assert!(load("<include file='link.xml'/>", &LoadOptions::default()).is_ok());
        assert!(load("<include file='link.xml'/>", &confined).is_err());
    }

    // files in memory are not outside
    let assets: Assets = [("part.xml", part)].into_iter().collect();
    assert!(load_str("<mujoco><include file='part.xml'/></mujoco>", &assets, &confined).is_ok());
}

#[test]
fn the_files_of_a_model_are_listed() {
    let dir = folder("files");
    let assets = "<mesh name='x' file='c.obj'/><mesh name='y' file='../d.obj'/>\
                  <hfield name='h' file='/abs/h.png'/><texture name='t' file='t.png' type='2d'/>";
    let model = format!(
        "<mujoco><compiler meshdir='m' assetdir='q'/><asset>{assets}</asset>\
         <include file='inner/b.xml'/></mujoco>"
    );
    write(&dir.join("a.xml"), &model);
    let part = "<mujocoinclude><asset><mesh name='z' file='z.obj'/></asset>\
                <include file='../a.xml'/></mujocoinclude>";
    write(&dir.join("inner/b.xml"), part);
    let found = xml_dependencies(&dir.join("a.xml")).expect("readable");
    let full = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let mut wanted = vec!["/abs/h.png".to_owned()];
    wanted.extend(["a.xml", "d.obj", "inner/b.xml", "inner/z.obj", "m/c.obj", "q/t.png"].map(full));
    wanted.sort();
    assert_eq!(found, wanted);
    assert!(xml_dependencies(&dir.join("none.xml")).is_err());
}

#[test]
fn what_mujoco_ignores_is_ignored_with_a_warning() {
    let body = "<body name='a'><geom size='1'/></body>";
    let m = warned(&format!("<mujoco>{body}<worldbody/></mujoco>"), "outside of <worldbody>");
    assert_eq!(m.nbody, 1);
    rejected("<mujoco><body nonsense='1'/></mujoco>", "unrecognized attribute: 'nonsense'");
}

#[test]
fn an_end_tag_that_closes_nothing_ends_the_document() {
    assert_eq!(model("<mujoco><worldbody/></mujoco></x> garbage <").nbody, 1);
    rejected("<mujoco/> text", "XML_ERROR_PARSING_TEXT");
    rejected("<mujoco></mujoco></ >", "XML_ERROR_PARSING_ELEMENT");
    assert!(try_load("</a><mujoco/>", &LoadOptions::default()).is_err());
}

#[test]
fn memory_is_what_mujoco_could_allocate() {
    let size = |memory: &str| format!("<mujoco><size memory='{memory}'/></mujoco>");
    for memory in ["0", "+3", "127"] {
        extension(&size(memory), "mj_stackAlloc: out of memory");
    }
    rejected(&size("15E"), "Could not allocate memory");
    assert_eq!(model(&size("128")).narena, 128);
    assert_eq!(model(&size("18446744073709551615")).narena, model("<mujoco/>").narena);
}
