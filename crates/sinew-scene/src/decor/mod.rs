//! Decor: frames, joints, forces, boxes and labels beside the model's surfaces.

mod actuator;
mod body;
mod bounds;
mod camera;
mod contact;
mod equality;
mod frame;
mod joint;
mod perturb;
mod sensor;

use crate::draw::Draw;

/// Adds all decor, in MuJoCo's order.
pub(crate) fn add(draw: &mut Draw<'_>) {
    frame::geoms(draw);
    frame::sites(draw);
    bounds::bodies(draw);
    bounds::flexes(draw);
    bounds::meshes(draw);
    bounds::octrees(draw);
    sensor::tactile(draw);
    body::inertias(draw);
    perturb::objects(draw);
    frame::bodies(draw);
    perturb::selection(draw);
    body::labels(draw);
    joint::joints(draw);
    actuator::actuators(draw);
    body::island_labels(draw);
    camera::cameras(draw);
    camera::lights(draw);
    body::centers_of_mass(draw);
    body::connections(draw);
    sensor::distances(draw);
    perturb::forces(draw);
    equality::anchors(draw);
    contact::contacts(draw);
}
