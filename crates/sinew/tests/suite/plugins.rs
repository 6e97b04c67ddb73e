//! User-defined plugins in Rust: found by name, with a state, in every integrator.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sinew::model::PluginId;
use sinew::model::binary::BinaryError;
use sinew::model::enums::{Integrator, PluginCapabilityBit, StateBit};
use sinew::model::plugin::{Instance, Plugin, RegistryError};
use sinew::{Assets, Data, LoadOptions, Model, load_str, load_str_with, reset_data, step};

/// A spring on the joints of its bodies, which counts steps.
struct Spring {
    /// Number of copies of instances.
    copies: Arc<AtomicUsize>,
}

impl Plugin for Spring {
    fn name(&self) -> &str {
        "test.spring"
    }
    fn attributes(&self) -> Vec<&str> {
        vec!["stiffness", "start"]
    }
    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Passive.0
    }
    fn nstate(&self, _m: &Model, _id: PluginId) -> Result<usize, String> {
        Ok(1)
    }
    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        let text = m.plugin_config(id, "stiffness").unwrap_or("");
        let stiffness: f64 = text.parse().map_err(|_| format!("stiffness is '{text}'"))?;
        let start = m.plugin_config(id, "start").unwrap_or("").parse().unwrap_or(0.0);
        Ok(Arc::new(Held { stiffness, start, copies: self.copies.clone() }))
    }
}

struct Held {
    stiffness: f64,
    start: f64,
    copies: Arc<AtomicUsize>,
}

impl Instance for Held {
    fn duplicate(&self) -> Option<Arc<dyn Instance>> {
        self.copies.fetch_add(1, Ordering::Relaxed);
        None
    }
    fn reset(&self, _m: &Model, _id: PluginId, state: &mut [f64]) {
        state[0] = self.start;
    }
    fn compute(&self, m: &Model, d: &mut Data, id: PluginId, _capability: PluginCapabilityBit) {
        for b in m.bodies().filter(|&b| m.body_plugin[b].get() == Some(id)) {
            let v = m.body_dofadr[b].get().unwrap();
            d.qfrc_passive[v] -= self.stiffness * d.qpos[v.idx()];
        }
    }
    fn advance(&self, m: &Model, d: &mut Data, id: PluginId) {
        d.plugin_state[m.plugin_state(id).start] += 1.0;
    }
}

fn xml(stiffness: &str, joint: &str) -> String {
    format!(
        "<mujoco><extension><plugin plugin='test.spring'/></extension><worldbody>
           <body><joint axis='0 1 0' damping='.1' {joint}/><geom size='.1' pos='.3 0 0'/>
             <plugin plugin='test.spring'><config key='stiffness' value='{stiffness}'/>
               <config key='start' value='5'/></plugin></body>
         </worldbody></mujoco>"
    )
}

/// A plugin whose instances call `forward`, and whose size needs the size of the same model.
struct Endless {
    in_compiler: bool,
}

impl Plugin for Endless {
    fn name(&self) -> &str {
        "test.spring"
    }
    fn attributes(&self) -> Vec<&str> {
        vec!["stiffness", "start"]
    }
    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Passive.0
    }
    fn nstate(&self, _m: &Model, _id: PluginId) -> Result<usize, String> {
        if !self.in_compiler {
            return Ok(0);
        }
        let model = endless(true).map_err(|e| e.to_string())?;
        Ok(model.nq)
    }
    fn init(&self, _m: &Model, _id: PluginId) -> Result<Arc<dyn Instance>, String> {
        Ok(Arc::new(EndlessInstance))
    }
}

struct EndlessInstance;

impl Instance for EndlessInstance {
    fn compute(&self, m: &Model, d: &mut Data, _id: PluginId, _capability: PluginCapabilityBit) {
        sinew::forward(m, d);
    }
}

fn endless(in_compiler: bool) -> sinew::Result<Model> {
    let mut options = LoadOptions::default();
    options.plugins.register(Arc::new(Endless { in_compiler })).unwrap();
    let deep = "<body>".repeat(60) + &"</body>".repeat(60);
    let xml = xml("1", "").replace("</worldbody>", &(deep + "</worldbody>"));
    Ok(load_str_with(&xml, &Assets::new(), &options)?.model)
}

#[test]
fn a_plugin_that_calls_itself_without_end_is_named() {
    let m = endless(false).unwrap();
    let run = AssertUnwindSafe(|| step(&m, &mut Data::new(&m)));
    let panic = std::panic::catch_unwind(run);
    let words = *panic.unwrap_err().downcast::<String>().unwrap();
    assert!(words.starts_with("plugin 'test.spring' calls the engine"), "{words}");

    // in the compiler, also across its threads for deep models
    let words = endless(true).unwrap_err().to_string();
    assert!(words.contains("plugin 'test.spring' calls the engine"), "{words}");
}

fn with_spring() -> (LoadOptions, Arc<AtomicUsize>) {
    let copies = Arc::new(AtomicUsize::new(0));
    let mut options = LoadOptions::default();
    options.plugins.register(Arc::new(Spring { copies: copies.clone() })).unwrap();
    (options, copies)
}

fn load(stiffness: &str, joint: &str) -> Model {
    let (options, _) = with_spring();
    load_str_with(&xml(stiffness, joint), &Assets::new(), &options).unwrap().model
}

#[test]
fn a_spring_by_a_plugin_is_a_spring_in_every_integrator() {
    let (mut plugin, mut native) = (load("40", ""), load("0", "stiffness='40'"));
    let all = [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
    for integrator in all {
        (plugin.opt.integrator, native.opt.integrator) = (integrator, integrator);
        let [a, b] = [&plugin, &native].map(|m| {
            let mut d = Data::new(m);
            d.qvel[0] = 1.0;
            (0..100).for_each(|_| step(m, &mut d));
            d
        });
        assert!((a.qpos[0] - b.qpos[0]).abs() < 1e-12, "{integrator:?}");
        // the state advances once per step, independent of the number of evaluations
        assert_eq!(a.plugin_state[0], 105.0, "{integrator:?}");
    }
}

#[test]
fn the_state_of_a_plugin_is_part_of_the_state() {
    let m = load("40", "");
    let mut d = Data::new(&m);
    (0..3).for_each(|_| step(&m, &mut d));
    let sig = StateBit::Fullphysics.0;
    let mut state = vec![0.0; sinew::engine::state_size(&m, sig).unwrap()];
    sinew::engine::get_state(&m, &d, &mut state, sig).unwrap();
    let mut other = Data::new(&m);
    sinew::engine::set_state(&m, &mut other, &state, sig).unwrap();
    assert_eq!(other.plugin_state[0], 8.0);
    reset_data(&m, &mut other);
    assert_eq!(other.plugin_state[0], 5.0);
}

#[test]
fn a_clone_asks_every_instance_for_its_own_and_goes_on_alike() {
    let (options, copies) = with_spring();
    let m = load_str_with(&xml("40", ""), &Assets::new(), &options).unwrap().model;
    let mut d = Data::new(&m);
    d.qvel[0] = 1.0;
    step(&m, &mut d);
    let before = copies.load(Ordering::Relaxed);
    let mut branch = d.clone();
    assert_eq!(copies.load(Ordering::Relaxed), before + 1);
    step(&m, &mut d);
    step(&m, &mut branch);
    assert_eq!(d.qpos[0].to_bits(), branch.qpos[0].to_bits());
    assert_eq!(d.plugin_state[0], branch.plugin_state[0]);
}

#[test]
fn binary_files_find_plugins_by_slot() {
    let m = load("40", "");
    let bytes = m.to_binary();
    let found = Model::from_binary_with(&bytes, &with_spring().0.plugins).unwrap();
    assert_eq!(found, m);
    let lost = Model::from_binary_with(&bytes, &LoadOptions::default().plugins);
    assert!(matches!(lost, Err(BinaryError::Plugin(slot)) if slot.slot == 8));
    assert!(matches!(Model::from_binary(&bytes), Err(BinaryError::Plugin(_))));
}

#[test]
fn names_are_unique_and_unknown_ones_are_named_with_the_known() {
    let (mut options, copies) = with_spring();
    let again = options.plugins.register(Arc::new(Spring { copies }));
    assert_eq!(again, Err(RegistryError::Taken("test.spring".into())));
    let error = load_str(&xml("1", "")).unwrap_err().to_string();
    assert!(error.contains("plugin test.spring not found"), "{error}");
    assert!(error.contains("mujoco.elasticity.cable"), "{error}");
    let error = load_str_with(&xml("soft", ""), &Assets::new(), &options).unwrap_err().to_string();
    assert!(error.contains("stiffness is 'soft'"), "{error}");
}

#[test]
fn a_plugin_that_no_longer_fits_its_model_is_missing() {
    let mut m = load("40", "");
    assert_eq!(Data::new(&m).plugins.missing(), None);
    m.plugin_attr[0] = sinew::model::ids::Char(b'x');
    let mut d = Data::new(&m);
    assert_eq!(d.plugins.missing(), Some(0));
    step(&m, &mut d);
    assert_eq!(d.plugin_state[0], 0.0);
}
