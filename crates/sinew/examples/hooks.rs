//! A user-defined controller and actuator, passed to each step as a value instead of global
//! callbacks.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::{ActuatorId, Data, Hooks, Model};

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" size="0.03" fromto="0 0 0 0.4 0 0"/>
    </body>
  </worldbody>
  <actuator>
    <general name="drive" joint="hinge" dyntype="user" gaintype="user"/>
  </actuator>
</mujoco>"#;

/// A motor whose torque falls with its speed and whose current follows the control, with a
/// controller of its angle.
struct Drive {
    target: f64,
    sum: f64,
}

impl Hooks for Drive {
    fn control(&mut self, m: &Model, d: &mut Data) {
        let error = self.target - d.qpos[0];
        self.sum += error * m.opt.timestep;
        d.ctrl[0] = 20.0 * error - 3.0 * d.qvel[0] + 30.0 * self.sum;
    }

    fn act_dyn(&mut self, _m: &Model, d: &mut Data, drive: ActuatorId) -> f64 {
        (d.ctrl[drive] - d.act[0]) / 0.01
    }

    fn act_gain(&mut self, _m: &Model, d: &mut Data, drive: ActuatorId) -> f64 {
        (1.0 - 0.05 * d.actuator_velocity[drive].abs()).max(0.0)
    }
}

fn main() -> sinew::Result<()> {
    let model = sinew::load_str(MODEL)?;
    let mut data = Data::new(&model);
    let mut drive = Drive { target: -0.5, sum: 0.0 };
    for _ in 0..5 {
        for _ in 0..250 {
            sinew::step_with(&model, &mut data, &mut drive);
        }
        println!(
            "t = {:.1}: angle {:.4}, torque {:.3}",
            data.time, data.qpos[0], data.actuator_force[0]
        );
    }
    Ok(())
}
