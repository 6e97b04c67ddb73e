//! A model from a string, with a mesh in memory.
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use sinew::{Assets, Data, LoadOptions};

const MODEL: &str = r#"
<mujoco>
  <asset><mesh name="rock" file="rock.obj"/></asset>
  <worldbody>
    <body pos="0 0 2"><freejoint/><geom type="mesh" mesh="rock"/></body>
  </worldbody>
</mujoco>"#;

const ROCK: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

fn main() -> sinew::Result<()> {
    let mut files = Assets::new();
    files.insert("rock.obj", ROCK);
    let loaded = sinew::load_str_with(MODEL, &files, &LoadOptions::default())?;
    for warning in &loaded.warnings {
        println!("warning: {}", warning.message);
    }
    let mut data = Data::new(&loaded.model);
    sinew::forward(&loaded.model, &mut data);
    println!("mass {:.3} kg at {:?}", loaded.model.body_mass[1], data.xpos[1]);
    Ok(())
}
