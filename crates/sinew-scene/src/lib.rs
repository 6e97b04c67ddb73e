//! MuJoCo's abstract visualiser: from a model and its state to a list of geoms to draw.
//!
//! [`update_scene`] fills a [`Scene`] with geoms, lights and cameras, with MuJoCo's numbers. The
//! options ([`VisOption`]) select the visible objects, the [`Camera`] sets the point of view, and a
//! [`Perturb`] names the body that the user pulls. The crate is independent of pixels, files and
//! graphics cards.

mod camera;
mod catenary;
mod color;
mod decor;
mod draw;
mod error;
mod flex;
mod geom;
mod geoms;
mod interact;
mod label;
mod light;
mod records;
mod scene;
mod skin;
mod span;
mod surfaces;
mod tendons;
mod update;

pub use camera::{
    CameraFrame, Frustum, average_camera, camera_frame, camera_frustum, camera_in_model,
    camera_in_room, frustum_height, model_2_room, room_2_model, update_camera,
};
pub use catenary::catenary;
pub use error::SceneError;
pub use flex::update_active_flex;
pub use geom::connector;
pub use interact::{
    Cursor, Selection, align_to_camera, apply_perturb_force, apply_perturb_pose, init_perturb,
    move_camera, move_model, move_perturb, select,
};
pub use light::make_lights;
pub use records::{Camera, GlCamera, Light, Perturb, SceneGeom, VisOption};
pub use scene::{MAXLIGHT, Scene};
pub use sinew_geom::sdf::halton;
pub use skin::update_active_skin;
pub use surfaces::{FlexScene, SkinScene};
pub use update::{View, add_geoms, mark_nodes, update_scene};
