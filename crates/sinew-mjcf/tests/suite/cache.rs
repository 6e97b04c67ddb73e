//! Models from the cache of assets are, byte for byte, those without it.

use std::fs::{self, File};
use std::time::SystemTime;

use sinew_mjcf::spec::{Child, Spec};
use sinew_mjcf::{AssetCache, Assets, LoadOptions, Loaded, load_path, load_str};

/// A wedge; `top` is its height.
fn wedge(top: f64) -> String {
    format!(
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 {top}\nv 1 0 {top}\n\
         f 1 3 2\nf 1 4 3\nf 1 2 6\nf 1 6 5\nf 2 3 6\nf 4 1 5\nf 3 4 5\nf 3 5 6\n"
    )
}

/// Four pixels, of which the first is of this red.
fn picture(red: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
    encoder.set_color(png::ColorType::Rgb);
    let pixels = [red, 0, 0, 0, 90, 0, 0, 0, 20, 255, 255, 255];
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

fn files(top: f64, red: u8) -> Assets {
    let mut files = Assets::new();
    files.insert("wedge.obj", wedge(top));
    files.insert("picture.png", picture(red));
    files
}

/// A model of a mesh, a texture and a height field with these attributes.
fn scene(mesh: &str, texture: &str, hfield: &str) -> String {
    format!(
        r#"<mujoco><asset>
            <mesh name="wedge" file="wedge.obj" {mesh}/>
            <texture name="picture" type="2d" file="picture.png" {texture}/>
            <hfield name="ground" file="picture.png" size="1 1 1 .1" {hfield}/>
        </asset><worldbody>
            <geom type="hfield" hfield="ground"/>
            <body><freejoint/><geom type="mesh" mesh="wedge"/></body>
        </worldbody></mujoco>"#
    )
}

fn with(cache: &AssetCache) -> LoadOptions {
    LoadOptions { cache: cache.clone(), ..LoadOptions::default() }
}

/// The bytes of a model, and its warnings.
fn bytes(loaded: &Loaded) -> (Vec<u8>, String) {
    (loaded.model.to_binary(), format!("{:?}", loaded.warnings))
}

#[track_caller]
fn load(xml: &str, files: &Assets, cache: &AssetCache) -> (Vec<u8>, String) {
    bytes(&load_str(xml, files, &with(cache)).unwrap_or_else(|e| panic!("{e}")))
}

/// Compares the model without a cache, with one for the first time, and for the second; its bytes.
#[track_caller]
fn check(xml: &str, files: &Assets, cache: &AssetCache) -> Vec<u8> {
    let plain = load(xml, files, &AssetCache::new(0));
    let (before, first, after) = (cache.size(), load(xml, files, cache), cache.size());
    let second = load(xml, files, cache);
    assert!(plain == first && plain == second);
    assert!(before <= after && after == cache.size(), "the second load adds nothing");
    plain.0
}

#[test]
fn second_loads_are_first_loads() {
    let cache = AssetCache::new(1 << 30);
    check(&scene("", "", ""), &files(1.0, 7), &cache);
    assert!(cache.size() > 0);
}

#[test]
fn every_setting_counts() {
    let cache = AssetCache::new(1 << 30);
    let files = files(1.0, 7);
    let meshes = [
        "",
        "scale='1 1 2'",
        "scale='-1 1 1'",
        "refpos='1 0 0'",
        "refquat='1 1 0 0'",
        "smoothnormal='true'",
        "maxhullvert='5'",
        "inertia='shell'",
        "inertia='convex'",
        "texcoord='0 0 1 0 1 1 0 1 0 0 1 0'",
    ];
    let textures = ["hflip='true'", "vflip='true'", "nchannel='4'", "colorspace='sRGB'"];
    let mut seen = Vec::new();
    for mesh in meshes {
        seen.push(check(&scene(mesh, "", ""), &files, &cache));
    }
    for texture in textures {
        seen.push(check(&scene("", texture, ""), &files, &cache));
    }
    let distinct: std::collections::HashSet<&Vec<u8>> = seen.iter().collect();
    // the normals of a wedge are the same whether edges are smooth; all else differs
    assert!(distinct.len() >= seen.len() - 1);
}

#[test]
fn what_geoms_ask_of_a_mesh_counts() {
    let cache = AssetCache::new(1 << 30);
    let scene = |geom: &str| {
        let asset = "<mesh name='wedge' file='wedge.obj'/>";
        format!(
            "<mujoco><asset>{asset}</asset><worldbody><body><freejoint/>\
             <geom mesh='wedge' {geom}/></body></worldbody></mujoco>"
        )
    };
    let shown = "type='mesh' contype='0' conaffinity='0'";
    let all = [shown, "type='mesh'", "type='sdf'", "type='box'"].map(scene);
    let sizes = all.map(|xml| check(&xml, &files(1.0, 7), &cache).len());
    assert!(sizes[0] < sizes[1] && sizes[1] < sizes[2], "{sizes:?}");
}

#[test]
fn inline_and_builtin_assets_are_found_by_their_numbers() {
    let cache = AssetCache::new(1 << 30);
    let scene = |vertex: &str, sides: &str, color: &str, elevation: &str| {
        format!(
            "<mujoco><asset><mesh name='a' vertex='0 0 0 1 0 0 0 1 0 0 0 {vertex}'/>\
             <mesh name='b' builtin='cone' params='{sides} .5'/>\
             <texture name='c' builtin='checker' width='8' height='8' rgb1='{color}'/>\
             <hfield name='d' nrow='2' ncol='2' size='1 1 1 1' elevation='{elevation}'/></asset>\
             <worldbody><geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/></worldbody></mujoco>"
        )
    };
    let all = [
        scene("1", "5", "1 0 0", "0 1 2 3"),
        scene("2", "5", "1 0 0", "0 1 2 3"),
        scene("1", "6", "1 0 0", "0 1 2 3"),
        scene("1", "5", "0 0 1", "0 1 2 3"),
        scene("1", "5", "1 0 0", "0 1 2 4"),
    ];
    let models = all.map(|xml| check(&xml, &Assets::new(), &cache));
    let distinct: std::collections::HashSet<&Vec<u8>> = models.iter().collect();
    assert_eq!(distinct.len(), models.len());
}

#[test]
fn distance_fields_of_plugins_are_found_by_their_distances() {
    let cache = AssetCache::new(1 << 30);
    let scene = |radius: &str| {
        format!(
            "<mujoco><extension><plugin plugin='mujoco.sdf.torus'><instance name='t'>\
             <config key='radius1' value='{radius}'/></instance></plugin></extension>\
             <asset><mesh name='torus'><plugin instance='t'/></mesh></asset>\
             <worldbody><body><freejoint/><geom type='sdf' mesh='torus'><plugin instance='t'/>\
             </geom></body></worldbody></mujoco>"
        )
    };
    let none = Assets::new();
    assert_ne!(check(&scene(".3"), &none, &cache), check(&scene(".35"), &none, &cache));
}

#[test]
fn changed_contents_of_the_same_name_are_noticed() {
    let cache = AssetCache::new(1 << 30);
    let xml = scene("", "", "");
    let first = check(&xml, &files(1.0, 7), &cache);
    let moved = check(&xml, &files(2.0, 7), &cache);
    let colored = check(&xml, &files(1.0, 8), &cache);
    assert!(first != moved && first != colored);
    assert_eq!(first, check(&xml, &files(1.0, 7), &cache));
}

#[test]
fn changed_files_of_the_same_path_and_time_are_noticed() {
    let folder = std::env::temp_dir().join(format!("sinew-cache-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let cache = AssetCache::new(1 << 30);
    let write = |top: f64| {
        fs::write(folder.join("wedge.obj"), wedge(top)).unwrap();
        let file = File::options().write(true).open(folder.join("wedge.obj")).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        bytes(&load_path(&folder.join("scene.xml"), &with(&cache)).unwrap())
    };
    fs::write(folder.join("scene.xml"), scene("", "", "")).unwrap();
    fs::write(folder.join("picture.png"), picture(7)).unwrap();
    let models = [1.0, 2.0, 1.0].map(write);
    fs::remove_dir_all(&folder).unwrap();
    assert!(models[0] != models[1] && models[0] == models[2]);
}

#[test]
fn errors_are_the_same_every_time() {
    let cache = AssetCache::new(1 << 30);
    let broken = |xml: &str, files: &Assets| {
        let error =
            |cache: &AssetCache| load_str(xml, files, &with(cache)).unwrap_err().to_string();
        let texts = [error(&AssetCache::new(0)), error(&cache), error(&cache)];
        assert!(texts[0] == texts[1] && texts[0] == texts[2], "{texts:#?}");
    };
    broken(&scene("", "", ""), &Assets::new());
    broken(&scene("scale='0 0 0'", "", ""), &files(1.0, 7));
    broken(&scene("", "nchannel='2'", ""), &files(1.0, 7));
    broken(&scene("content_type='model/stl'", "", ""), &files(1.0, 7));
    // a good model in between
    check(&scene("", "", ""), &files(1.0, 7), &cache);
    broken(&scene("content_type='model/stl'", "", ""), &files(1.0, 7));
}

#[test]
fn a_full_cache_is_right_too() {
    let whole = AssetCache::new(1 << 30);
    let xml = scene("", "", "");
    let plain = check(&xml, &files(1.0, 7), &whole);
    for capacity in [1, whole.size() / 2, whole.size() - 1] {
        let cache = AssetCache::new(capacity);
        for _ in 0..3 {
            assert_eq!(load(&xml, &files(1.0, 7), &cache).0, plain);
            assert!(cache.size() <= capacity);
        }
    }
}

#[test]
fn threads_share_a_cache() {
    let cache = AssetCache::new(20_000);
    let scenes: Vec<(String, Assets)> = (0..6)
        .map(|i| (scene(&format!("scale='1 1 {}'", 1 + i % 3), "", ""), files(1.0, 7 + i % 2)))
        .collect();
    let off = AssetCache::new(0);
    let wanted: Vec<_> = scenes.iter().map(|(xml, files)| load(xml, files, &off)).collect();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (scenes, wanted, cache) = (&scenes, &wanted, &cache);
            scope.spawn(move || {
                for i in (0..scenes.len()).cycle().skip(thread).take(30) {
                    let (xml, files) = &scenes[i];
                    assert!(load(xml, files, cache) == wanted[i]);
                    if i == thread {
                        cache.clear();
                    }
                }
            });
        }
    });
}

#[test]
fn a_spec_compiled_again_takes_its_assets_from_the_cache() {
    let (cache, files) = (AssetCache::new(1 << 30), files(1.0, 7));
    let (mut spec, _) = Spec::parse_str(&scene("", "", ""), &files, &with(&cache)).unwrap();
    let first = spec.compile(&files, &with(&cache)).unwrap().model;
    let size = cache.size();
    for child in &mut spec.world.children {
        if let Child::Body(body) = child {
            body.pos.set([0.0, 0.0, 2.0]);
        }
    }
    let second = spec.compile(&files, &with(&cache)).unwrap().model;
    assert_eq!((second.body_pos[1].z, first.body_pos[1].z), (2.0, 0.0));
    assert_eq!(cache.size(), size);
    assert!(first.mesh_vert == second.mesh_vert && first.tex_data == second.tex_data);
}
