//! Mouse interaction: moving the camera, a body or the model, and selecting.

mod camera;
mod perturb;
mod select;

pub use camera::{align_to_camera, move_camera, move_model};
pub use perturb::{apply_perturb_force, apply_perturb_pose, init_perturb, move_perturb};
pub use select::{Cursor, Selection, select};
