//! Files to elements: places of errors, includes, numbers, allowed contents of a model.

use crate::common::{close, extension, model, rejected, try_load};
use sinew_mjcf::diag::{Error, render};
use sinew_mjcf::spec::Spec;
use sinew_mjcf::{Assets, LoadOptions, load_path_with_assets, load_str};

/// The first error must be at this line and column and contain these words.
#[track_caller]
fn error_at(xml: &str, line: usize, column: usize, words: &str) {
    let error = try_load(xml, &LoadOptions::default()).expect_err("must be rejected");
    let first = error.diagnostics.iter().find(|d| d.is_error()).expect("there is an error");
    let place = first.place(&error.sources).expect("it has a place");
    assert!(first.message.contains(words), "{}", first.message);
    assert_eq!((place.line, place.column), (line, column), "{}", first.message);
}

fn geom(attributes: &str) -> String {
    format!("<mujoco>\n<worldbody>\n  <geom {attributes}/>\n</worldbody>\n</mujoco>")
}

#[test]
fn errors_point_to_the_attribute() {
    error_at(&geom("size='1' pos='1 2'"), 3, 23, "attribute 'pos' does not have enough data");
    error_at(&geom("size='1' pos='1 2 3 4'"), 3, 23, "attribute 'pos' has too much data");
    error_at(&geom("size='1' pos='1 b 3'"), 3, 23, "bad format in attribute 'pos'");
    error_at(&geom("size='1' group='2.0'"), 3, 25, "problem reading attribute 'group'");
    error_at(&geom("size='1e400'"), 3, 15, "number is too large in attribute 'size'");
    error_at(&geom("size='1' type='ball'"), 3, 24, "invalid keyword: 'ball'");
    error_at(&geom("size='1' quat='0 0 0 0'"), 3, 24, "zero quaternion is not allowed");
    error_at(&geom("size='1' sise='1'"), 3, 18, "unrecognized attribute: 'sise'");
    error_at("<mujoco>\n <wordlbody/></mujoco>", 2, 2, "unrecognized element 'wordlbody'");
    error_at("<mujoco>\n <option><flag/><flag/></option></mujoco>", 2, 2, "found 2 times");
    error_at("<mujoco>\n <worldbody>", 2, 2, "XML_ERROR_MISMATCHED_ELEMENT");
    error_at(&geom("quat='1 0 0 0' euler='1 0 0'"), 3, 3, "multiple orientation specifiers");
}

#[test]
fn what_came_with_a_later_version_is_named_with_it() {
    let body = "<mujoco><worldbody>\n<body fuse='true'/></worldbody></mujoco>";
    error_at(body, 2, 7, "'fuse': it came with MuJoCo 3.16");
    let framed = "<mujoco><worldbody><frame><body\n fuse='true'/></frame></worldbody></mujoco>";
    error_at(framed, 2, 2, "'fuse': it came with MuJoCo 3.16");
    let strain = "<mujoco><equality>\n<flexstrain flex='f'/></equality></mujoco>";
    error_at(strain, 2, 1, "element 'flexstrain': it came with MuJoCo 3.6");
    let discrete = "<mujoco>\n<option integrator='discrete'/></mujoco>";
    error_at(
        discrete,
        2,
        21,
        "keyword: 'discrete' in attribute 'integrator': it came with MuJoCo 3.13",
    );
    let data = "<mujoco><sensor>\n<contact data='found linvel'/></sensor></mujoco>";
    error_at(data, 2, 16, "'linvel' in attribute 'data': it came with MuJoCo 3.16");
    error_at(
        "<mujoco><equality>\n<joint springyield='1'/></equality></mujoco>",
        2,
        8,
        "unrecognized attribute: 'springyield'",
    );
}

#[test]
fn later_attributes_without_effect_warn_and_usual_values_do_not() {
    let loaded = |attrs: &str, options: &LoadOptions| {
        let xml = format!("<mujoco><compiler {attrs}/><worldbody><light/></worldbody></mujoco>");
        try_load(&xml, options)
    };
    let (usual, strict) =
        (LoadOptions::default(), LoadOptions { strict: true, ..Default::default() });
    let warnings = loaded("savecompiled='true'", &usual).expect("accepted").warnings;
    assert!(warnings[0].message.contains("it came with MuJoCo 3.16 and has no effect"));
    assert!(loaded("conflict='warning'", &usual).expect("accepted").warnings.is_empty());
    assert!(loaded("passthrough='textures'", &usual).is_err());
    assert!(loaded("conflict='merge'", &usual).expect("accepted").warnings.is_empty());
    assert!(loaded("conflict='warning'", &strict).is_err());
    let poly = "<mujoco><worldbody><body><joint damping='1 2'/><geom size='1'/></body></worldbody></mujoco>";
    assert!(try_load(poly, &usual).expect("accepted").warnings.is_empty());
    assert!(try_load(poly, &strict).is_err());
}

#[test]
fn a_model_for_a_later_version_warns_once_of_parts_that_have_changed() {
    let warnings = |joint: &str, rest: &str| {
        let xml = format!(
            "<mujoco><option integrator='RK4'/><worldbody><geom type='box' size='1 1 1'/>\
             <body pos='0 0 3'><joint {joint}/><geom type='box' size='1 1 1' {rest}/></body>\
             </worldbody></mujoco>"
        );
        let loaded = try_load(&xml, &LoadOptions::default()).expect("accepted");
        loaded.warnings.iter().map(|w| w.message.clone()).collect::<Vec<_>>()
    };
    assert!(warnings("type='ball'", "gap='0.1'").is_empty());
    let found = warnings("type='ball' damping='1 2'", "gap='0.1'");
    assert_eq!(found.len(), 1);
    for part in ["gap (3.9)", "contacts of two boxes (3.12)", "RK4 with ball and free joints (4.0)"]
    {
        assert!(found[0].contains(part), "no '{part}' in {}", found[0]);
    }
    assert!(!found[0].contains("sidesite") && !found[0].contains("meshes"));
    let hinge = warnings("type='hinge' springyield='1'", "gap='0' contype='0' conaffinity='0'");
    assert!(hinge.is_empty(), "{hinge:?}");
}

#[test]
fn settings_of_attached_models_are_merged_where_the_compiler_says_so() {
    let load = |conflict: &str, outer: &str, inner: &str| {
        let xml = format!(
            "<mujoco><compiler conflict='{conflict}'/><option {outer}/>\
             <asset><model name='child' file='child.xml'/></asset><worldbody><body>\
             <geom size='1'/><attach model='child' body='b' prefix='c'/></body></worldbody></mujoco>"
        );
        let child = format!(
            "<mujoco model='child'><option {inner}><flag gravity='disable'/></option>\
             <size nuserdata='4'/><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>"
        );
        let files = Assets::from_iter([("child.xml".to_owned(), child.into_bytes())]);
        load_str(&xml, &files, &LoadOptions::default())
    };
    let opt = |conflict, outer, inner| load(conflict, outer, inner).expect("accepted").model.opt;

    // figures of MuJoCo 4.0.0
    let merged = opt("merge", "timestep='0.005' iterations='9'", "timestep='0.001' iterations='7'");
    assert_eq!((merged.timestep, merged.iterations), (0.001, 9));
    assert_ne!(merged.disableflags, 0);
    let adopted = load("merge", "timestep='0.005'", "gravity='0 0 1'").expect("accepted").model;
    assert_eq!((adopted.opt.timestep, adopted.opt.gravity.z, adopted.nuserdata), (0.005, 1.0, 4));
    let kept = opt("error", "timestep='0.005'", "gravity='0 0 1'");
    assert_eq!((kept.timestep, kept.gravity.z, kept.disableflags), (0.005, -9.81, 0));
    let outer = opt("warning", "timestep='0.005'", "timestep='0.001' gravity='0 0 1'");
    assert_eq!((outer.timestep, outer.gravity.z), (0.005, -9.81));

    let error = |conflict, outer, inner| load(conflict, outer, inner).unwrap_err().to_string();
    let words = error("merge", "gravity='0 0 -1'", "gravity='0 0 -2'");
    assert!(words.contains("gravity: parent has 0 0 -1, child has 0 0 -2"), "{words}");
    let words = error("error", "timestep='0.005'", "timestep='0.001'");
    assert!(words.contains("policy is 'error': timestep: parent has 0.005"), "{words}");
}

#[test]
fn all_errors_of_a_pass_are_reported() {
    let xml = "<mujoco><a/><b/><worldbody c='1'/></mujoco>";
    let error = try_load(xml, &LoadOptions::default()).expect_err("must be rejected");
    assert_eq!(error.diagnostics.len(), 3, "{error}");
}

#[test]
fn rendering_shows_excerpt_and_nearest_name() {
    let error = try_load(&geom("sise='1'"), &LoadOptions::default()).expect_err("rejected");
    let text = error.to_string();
    for part in
        ["error[unknown-attribute]", "<string>:3:9", "<geom sise='1'/>", "did you mean 'size'?"]
    {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn numbers_are_read_as_in_c() {
    let m = model(&geom("size='0x1p-1' pos='+1 .5 -.5e1'"));
    close(&m.geom_size[0].to_array(), &[0.5, 0.0, 0.0], 0.0);
    close(&m.geom_pos[0].to_array(), &[1.0, 0.5, -5.0], 0.0);
    assert_eq!(model(&geom("size='1&#10;' mass='' group=' +2 '")).geom_group[0], 2);
    rejected(&geom("size='1' condim=''"), "problem reading attribute 'condim'");
    rejected(&geom("size='1,2'"), "bad format");
    let loaded = try_load(&geom("size='1' pos='nan 0 0'"), &LoadOptions::default());
    assert!(loaded.expect("a NaN is accepted").warnings[0].message.contains("NaN"));
}

#[test]
fn frames_are_not_checked_by_the_schema() {
    let xml =
        "<mujoco><worldbody><frame foo='1'><geom bar='2' size='1'/></frame></worldbody></mujoco>";
    let loaded = try_load(xml, &LoadOptions::default()).expect("accepted");
    assert_eq!(loaded.warnings.len(), 2);
    let xml = "<mujoco><worldbody><frame><gem/></frame></worldbody></mujoco>";
    rejected(xml, "unrecognized model element 'gem'");
}

#[test]
fn repeated_and_reserved_names_are_rejected() {
    let two = |a: &str, b: &str| format!("<mujoco><worldbody>{a}{b}</worldbody></mujoco>");
    rejected(
        &two("<geom name='a' size='1'/>", "<geom name='a' size='1'/>"),
        "repeated name 'a' in geom",
    );
    rejected(&two("<body name='world'/>", ""), "repeated name 'world' in body");
    rejected(&two("<frame name='f'/>", "<frame name='f'/>"), "repeated name 'f' in frame");
}

#[test]
fn the_world_has_neither_attributes_nor_joints() {
    rejected("<mujoco><worldbody><joint/></worldbody></mujoco>", "World body cannot have joints");
    rejected(
        "<mujoco><worldbody><inertial pos='0 0 0' mass='1'/></worldbody></mujoco>",
        "World body cannot have inertia",
    );
    rejected("<mujoco><worldbody pos='0 0 0'/></mujoco>", "World body cannot have attributes");
}

#[test]
fn settings_merge_over_sections() {
    let m = model(
        "<mujoco><option timestep='.1' gravity='0 0 -1'/><option gravity='0 0 -2'/>\
         <option actuatorgroupdisable='1'/><option actuatorgroupdisable='3'/></mujoco>",
    );
    assert_eq!((m.opt.timestep, m.opt.gravity.z, m.opt.disableactuator), (0.1, -2.0, 0b1010));
}

#[test]
fn invalid_condim_is_rounded() {
    for (condim, rounded) in [(-1, 1), (0, 1), (2, 3), (5, 6), (7, 6)] {
        let m = extension(&geom(&format!("size='1' condim='{condim}'")), "invalid condim in geom");
        assert_eq!(m.geom_condim[0], rounded);
    }
}

#[test]
fn extensions_of_the_reader_warn_or_fail() {
    let site = "<mujoco><worldbody><site name='s'/><body name='b'><joint name='j'/>\
                <geom size='.1'/></body></worldbody>";
    let xml =
        format!("{site}<actuator><motor joint='j' gear='1 2 3 4 5 6 7'/></actuator></mujoco>");
    assert_eq!(extension(&xml, "'gear' has too much data").actuator_gear[0][5], 6.0);
    let xml = format!("{site}<actuator><motor joint='j' refsite='s'/></actuator></mujoco>");
    extension(&xml, "refsite can only be used with site transmission");
    let xml = format!("{site}<actuator><adhesion body='b' gain='2'/></actuator></mujoco>");
    let m = extension(&xml, "invalid control range for actuator");
    close(&m.actuator_ctrlrange[0], &[0.0, 1.0], 0.0);
    let xml = format!("{site}<contact><nothing/></contact></mujoco>");
    extension(&xml, "unrecognized element 'nothing'");
}

/// Loads `m.xml` of files in memory.
fn load_files(files: &[(&str, &str)]) -> Result<sinew_mjcf::Loaded, Error> {
    let assets: Assets = files.iter().map(|(n, t)| (*n, t.as_bytes())).collect();
    load_path_with_assets("m.xml".as_ref(), &assets, &LoadOptions::default())
}

const GEOM: &str = "<x><worldbody><geom size='1'/></worldbody></x>";

#[test]
fn includes_are_put_in_place() {
    let body = "<mujoco><worldbody><body><include file='sub/a.xml'/></body></worldbody></mujoco>";
    let files = [
        ("m.xml", body),
        ("sub/a.xml", "<x><geom size='1'/><include file='b.xml'/></x>"),
        ("sub/b.xml", "<x><site name='s'/></x>"),
    ];
    let m = load_files(&files).unwrap_or_else(|e| panic!("{e}")).model;
    assert_eq!((m.ngeom, m.nsite), (1, 1));
}

#[test]
fn sizes_of_several_files_merge() {
    let both = |first: &str, second: &str| {
        let main = format!("<mujoco><size {first}/><include file='b.xml'/></mujoco>");
        load_files(&[("m.xml", &main), ("b.xml", &format!("<x><size {second}/></x>"))])
    };

    // measured: MuJoCo compares `memory` so far with the counts of each element
    let loaded = both("njmax='7' nstack='900' nconmax='3'", "memory='10M'").expect("they merge");
    assert_eq!((loaded.model.njmax, loaded.model.nconmax), (7, 3));
    assert_eq!(loaded.model.narena, 10 << 20);
    for counts in ["njmax='7'", "nstack='900'"] {
        let error = both("memory='10M'", counts).expect_err("rejected").to_string();
        assert!(error.contains("either 'memory' and 'n"), "{error}");
    }

    // saving keeps the order that reads back
    let xml = "<mujoco><size njmax='7'/><size memory='10M'/></mujoco>";
    let (spec, _) = Spec::parse_str(xml, &Assets::new(), &LoadOptions::default()).expect("read");
    let again = model(&spec.to_xml(None));
    assert_eq!((again.njmax, again.narena), (7, 10 << 20));
}

#[test]
fn a_file_may_be_included_once_and_not_by_itself() {
    let once = "<mujoco><include file='g.xml'/><include file='g.xml'/></mujoco>";
    let error = load_files(&[("m.xml", once), ("g.xml", GEOM)]).expect_err("rejected");
    assert!(error.to_string().contains("File 'g.xml' already included"));
    let own = load_files(&[("m.xml", "<mujoco><include file='m.xml'/></mujoco>")]);
    assert!(own.expect_err("rejected").to_string().contains("already included"));
    let files = [
        ("m.xml", "<mujoco><include file='a.xml'/></mujoco>"),
        ("a.xml", "<x><include file='b.xml'/></x>"),
        ("b.xml", "<x><include file='b.xml'/></x>"),
    ];
    assert!(load_files(&files).expect_err("rejected").to_string().contains("already included"));
}

#[test]
fn errors_in_included_files_say_where() {
    let files = [
        ("m.xml", "<mujoco>\n <include file='a.xml'/>\n</mujoco>"),
        ("a.xml", "<x>\n\n  <optio/></x>"),
    ];
    let error = load_files(&files).expect_err("rejected");
    let text = render(&error.diagnostics, &error.sources);
    assert!(text.contains("a.xml:3:3") && text.contains("included from m.xml:2:"), "{text}");
    let missing = load_files(&[("m.xml", "<mujoco><include file='no.xml'/></mujoco>")]);
    assert!(missing.expect_err("rejected").to_string().contains("'no.xml'"));
}

#[test]
fn two_blocks_of_defaults_are_two() {
    // a class is made from its parent's values at that point, as in MuJoCo
    let m = model(
        "<mujoco><default><default class='a'/></default><default><geom size='3'/></default>\
         <worldbody><geom/><geom class='a' size='1'/></worldbody></mujoco>",
    );
    assert_eq!((m.geom_size[0].x, m.geom_size[1].x), (3.0, 1.0));
}

#[test]
fn deep_nesting_and_long_files_are_bounded() {
    let deep = format!("<mujoco><worldbody>{}", "<body>".repeat(100_000));
    rejected(&deep, "XML_ELEMENT_DEPTH_EXCEEDED");
    let near = format!(
        "<mujoco><worldbody>{}{}</worldbody></mujoco>",
        "<body>".repeat(490),
        "</body>".repeat(490)
    );
    assert_eq!(model(&near).nbody, 491);
}

#[test]
fn a_spec_can_be_read_without_compiling() {
    let (spec, _) = Spec::parse_str(&geom("size='1'"), &Assets::new(), &LoadOptions::default())
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(spec.world.children.len(), 1);
}

/// The text of the errors of a model.
#[track_caller]
fn errors_of(xml: &str) -> String {
    try_load(xml, &LoadOptions::default()).expect_err("must be rejected").to_string()
}

#[test]
fn a_repeated_name_shows_the_first() {
    let xml = "<mujoco>\n<worldbody>\n<geom name='a' size='1'/>\n<geom name='a' size='1'/>\n\
               </worldbody></mujoco>";
    let text = errors_of(xml);
    assert!(text.contains("<string>:4:13"), "{text}");
    assert!(text.contains("the first is at <string>:3:13"), "{text}");
}

#[test]
fn a_missing_file_names_its_folder_and_a_similar_file() {
    let folder = std::env::temp_dir().join(format!("sinew_missing_{}", std::process::id()));
    std::fs::create_dir_all(folder.join("meshes")).expect("made");
    std::fs::write(folder.join("meshes/hand_left.obj"), "").expect("written");
    let load = |dir: &str| {
        let xml = format!(
            "<mujoco><compiler meshdir='{dir}'/><asset><mesh name='m' file='hand_lft.obj'/></asset>
             <worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>"
        );
        std::fs::write(folder.join("m.xml"), xml).expect("written");
        let path = folder.join("m.xml");
        let error = sinew_mjcf::load_path(&path, &LoadOptions::default()).expect_err("rejected");
        error.to_string()
    };
    let text = load("meshes");
    for part in ["Error opening file 'meshes/hand_lft.obj'", "meshes/'", "'hand_left.obj'?"] {
        assert!(text.contains(part), "no {part} in {text}");
    }
    let text = load("mehses");
    assert!(text.contains("there is no folder") && text.contains("mehses/'"), "{text}");
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_massless_body_names_its_geoms_and_a_wrong_kind_the_right_one() {
    let body = |inside: &str| {
        errors_of(&format!("<mujoco><worldbody><body><joint/>{inside}</body></worldbody></mujoco>"))
    };
    let text = body("<geom name='link' size='1' mass='0'/>");
    assert!(text.contains("geom 'link' has no mass"), "{text}");
    assert!(body("").contains("the body has no geom"), "{}", body(""));
    let many = body("<geom name='a' size='1' mass='0'/><geom name='b' size='1' density='0'/>");
    assert!(many.contains("the 2 geoms of the body (geom 'a' to geom 'b')"), "{many}");

    let text = errors_of(
        "<mujoco><worldbody><site name='s'/></worldbody>
         <sensor><framepos objtype='sit' objname='s'/></sensor></mujoco>",
    );
    assert!(text.contains("invalid type in sensor"), "{text}");
    assert!(text.contains("did you mean 'site'?"), "{text}");
}
