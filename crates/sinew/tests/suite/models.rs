//! Every model of the repository loads without a warning and simulates without a bad state.

use std::fs;
use std::path::{Path, PathBuf};

use sinew::{Data, LoadOptions, Model};

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let list = |folder: PathBuf| fs::read_dir(folder).unwrap().flatten().map(|e| e.path());
    let all = list(root.clone()).chain(list(root.join("features")));
    let is_model = |p: &PathBuf| p.extension().is_some_and(|e| e == "xml" || e == "urdf");
    let mut found: Vec<PathBuf> = all.filter(is_model).collect();
    found.sort();
    found
}

/// Runs a check on every model and reports all failures.
#[track_caller]
fn for_each_model(check: impl Fn(&Path) -> Result<(), String>) {
    let failures: Vec<String> = files()
        .iter()
        .filter_map(|path| check(path).err().map(|e| format!("{}: {e}", path.display())))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn load(path: &Path) -> Result<Model, String> {
    sinew::load(path).map_err(|e| e.to_string())
}

#[test]
fn models_load_strictly_and_without_warnings() {
    for_each_model(|path| {
        let strict = LoadOptions { strict: true, ..LoadOptions::default() };
        let loaded = sinew::load_with(path, &strict).map_err(|e| e.to_string())?;
        let texts: Vec<&str> = loaded.warnings.iter().map(|w| w.message.as_str()).collect();
        // one model has a ring, for comparison with MuJoCo's hull of it
        let wanted = usize::from(path.ends_with("features/meshes.xml"));
        match texts.len() == wanted && texts.iter().all(|text| text.contains("not convex")) {
            true => Ok(()),
            false => Err(texts.join("; ")),
        }
    });
}

#[test]
fn models_of_a_cache_are_those_without() {
    let cache = sinew::AssetCache::new(1 << 30);
    let bytes = |path: &Path, cache: &sinew::AssetCache| {
        let options = LoadOptions { cache: cache.clone(), ..LoadOptions::default() };
        let loaded = sinew::load_with(path, &options).map_err(|e| e.to_string())?;
        Ok::<_, String>((loaded.model.to_binary(), format!("{:?}", loaded.warnings)))
    };
    for_each_model(|path| {
        let plain = bytes(path, &sinew::AssetCache::new(0))?;
        let same = bytes(path, &cache)? == plain && bytes(path, &cache)? == plain;
        same.then_some(()).ok_or_else(|| "the cache changes the model".into())
    });
}

#[test]
fn models_simulate() {
    for_each_model(|path| {
        let model = load(path)?;
        let mut data = Data::new(&model);
        for _ in 0..50 {
            sinew::step_checked(&model, &mut data).map_err(|e| e.to_string())?;
            data.validate(&model).map_err(|e| e.to_string())?;
        }
        Ok(())
    });
}

#[test]
fn loading_is_deterministic() {
    for_each_model(|path| {
        // bytes, because normals of degenerate polygons are NaN, as in MuJoCo
        let bytes = |m: &Model| {
            let mut all = Vec::new();
            m.for_each_field(|field| all.extend_from_slice(field.bytes));
            all
        };
        let same = bytes(&load(path)?) == bytes(&load(path)?);
        if same { Ok(()) } else { Err("two loads differ".to_string()) }
    });
}

#[test]
fn a_branch_repeats_the_original() {
    for_each_model(|path| {
        let model = load(path)?;
        let mut data = Data::new(&model);
        sinew::reset_data_keyframe(&model, &mut data, 0);
        for _ in 0..5 {
            sinew::step(&model, &mut data);
        }
        let mut branch = data.clone();
        for _ in 0..10 {
            sinew::step(&model, &mut data);
            sinew::step(&model, &mut branch);
        }
        // bits, because NaN does not equal itself
        let bits = |d: &Data| d.qpos.iter().chain(d.qvel.iter()).map(|x| x.to_bits()).collect();
        let (a, b): (Vec<u64>, Vec<u64>) = (bits(&data), bits(&branch));
        if a == b { Ok(()) } else { Err("the branch differs".to_string()) }
    });
}
