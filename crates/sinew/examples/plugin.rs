//! A user-defined plugin: a spring that creeps, named by `<plugin>` elements in XML.
//!
//! `cargo run -p sinew --example plugin`
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use sinew::model::enums::PluginCapabilityBit;
use sinew::model::plugin::{Instance, Plugin};
use sinew::model::{BodyId, PluginId};
use sinew::{Assets, Data, LoadOptions, Model, Vec3};

const MODEL: &str = r#"
<mujoco>
  <extension>
    <plugin plugin="example.creep"/>
  </extension>
  <worldbody>
    <body pos="0 0 1">
      <joint type="slide" axis="0 0 1"/>
      <geom size="0.1" mass="1"/>
      <plugin plugin="example.creep">
        <config key="stiffness" value="100"/>
        <config key="rate" value="0.5"/>
      </plugin>
    </body>
  </worldbody>
</mujoco>"#;

/// The plugin: its name, its attributes, its state.
struct Creep;

impl Plugin for Creep {
    fn name(&self) -> &str {
        "example.creep"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["stiffness", "rate"]
    }

    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Passive.0
    }

    fn nstate(&self, _m: &Model, _id: PluginId) -> Result<usize, String> {
        Ok(1)
    }

    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        let number = |key: &str| {
            let text = m.plugin_config(id, key).unwrap_or("");
            text.parse::<f64>().map_err(|_| format!("{key} must be a number, not '{text}'"))
        };
        let bodies = m.bodies().filter(|&b| m.body_plugin[b].get() == Some(id)).collect();
        let spring = Spring { stiffness: number("stiffness")?, rate: number("rate")?, bodies };
        Ok(Arc::new(spring))
    }
}

/// An instance: a spring whose rest height follows the body.
struct Spring {
    stiffness: f64,
    rate: f64,
    bodies: Vec<BodyId>,
}

impl Instance for Spring {
    fn reset(&self, _m: &Model, _id: PluginId, state: &mut [f64]) {
        state[0] = 1.0;
    }

    fn compute(&self, m: &Model, d: &mut Data, id: PluginId, _capability: PluginCapabilityBit) {
        let rest = d.plugin_state[m.plugin_state(id).start];
        let mut qfrc = std::mem::take(&mut d.qfrc_passive);
        for &b in &self.bodies {
            let force = Vec3::Z * (self.stiffness * (rest - d.xpos[b].z));
            sinew::engine::apply_ft(m, d, force, Vec3::ZERO, d.xipos[b], b, &mut qfrc);
        }
        d.qfrc_passive = qfrc;
    }

    fn advance(&self, m: &Model, d: &mut Data, id: PluginId) {
        // creep: the rest height follows the body
        let at = m.plugin_state(id).start;
        let height = self.bodies.first().map_or(0.0, |&b| d.xpos[b].z);
        d.plugin_state[at] += self.rate * m.opt.timestep * (height - d.plugin_state[at]);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // MuJoCo's plugins and the new one
    let mut options = LoadOptions::default();
    options.plugins.register(Arc::new(Creep))?;
    let model = sinew::load_str_with(MODEL, &Assets::new(), &options)?.model;

    // a body on creeping springs sinks
    let mut data = Data::new(&model);
    for second in 1..=5 {
        for _ in 0..500 {
            sinew::step(&model, &mut data);
        }
        println!(
            "{second} s: z = {:.3} m, rest = {:.3} m",
            1.0 + data.qpos[0],
            data.plugin_state[0]
        );
    }
    Ok(())
}
