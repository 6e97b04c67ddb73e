//! Sensors by name, and rays: a range finder on a swinging lamp above a table.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::engine::{Ray, RayFilter, ray};
use sinew::{Data, Model, Vec3};

const MODEL: &str = r#"
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <geom name="table" type="box" size="0.4 0.4 0.02" pos="0.5 0 0.7"/>
    <body name="lamp" pos="0 0 2">
      <joint axis="0 1 0" damping="0.01"/>
      <geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.8"/>
      <site name="bulb" pos="0 0 -0.8" zaxis="0 0 -1"/>
    </body>
  </worldbody>
  <sensor>
    <rangefinder name="below" site="bulb"/>
    <gyro name="gyro" site="bulb"/>
  </sensor>
</mujoco>"#;

fn main() -> sinew::Result<()> {
    let model = sinew::load_str(MODEL)?;
    let mut data = Data::new(&model);
    data.qvel[0] = -2.0;
    for _ in 0..4 {
        for _ in 0..50 {
            sinew::step(&model, &mut data);
        }
        let (below, gyro) = (reading(&model, &data, "below")?, reading(&model, &data, "gyro")?);
        println!("t = {:.1}: {:.3} m below, turning at {:.3} rad/s", data.time, below[0], gyro[1]);
    }

    // straight down from above the table, ignoring the lamp
    let down = Ray { origin: Vec3::new(0.5, 0.0, 3.0), dir: Vec3::new(0.0, 0.0, -1.0) };
    let filter = RayFilter { exclude: Some(model.body("lamp")?), ..RayFilter::default() };
    if let Some(hit) = ray(&model, &data, down, &filter) {
        println!("geom {} is {:.2} m down, facing {}", hit.geom.idx(), hit.dist, hit.normal);
    }
    Ok(())
}

/// The readings of a sensor.
fn reading<'a>(m: &Model, d: &'a Data, name: &str) -> sinew::Result<&'a [f64]> {
    let sensor = m.sensor(name)?;
    let start = m.sensor_adr[sensor] as usize;
    Ok(&d.sensordata.flat()[start..start + m.sensor_dim[sensor] as usize])
}
