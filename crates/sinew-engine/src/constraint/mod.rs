//! Constraint rows: conditions of equalities, dry friction, limits and contacts on the
//! acceleration.
//!
//! A row aims at J q̈ = aref with the force f = -(J q̈ - aref) / R. Equalities always act, dry
//! friction acts up to a bound, and limits and contacts only push. Rows are sparse: each has the
//! dofs that move its bodies, whether the model's Jacobians are sparse or not. Theory: MuJoCo docs,
//! "Computation / Constraint model".

mod impedance;
mod rows;
mod scalar_row;

mod contact;
mod contact_rows;
mod equality;
mod friction;
mod limit;

mod adhesive;
mod make;
mod moving;
mod product;
mod reference;

mod dense;
mod lists;
mod project;
mod row_fill;

pub(crate) mod contact_force;
mod rne_post;

pub(crate) use adhesive::has_adhesion;
pub use adhesive::{add_adhesion, contact_adhesion};
pub use contact_force::{ContactForce, contact_force};
pub(crate) use equality::{Anchor, Turn, anchors};
pub use impedance::row_response;
pub use make::make_constraint;
pub(crate) use product::rows_alike;
pub use product::{jacobian_row, mul_jac_t_vec, mul_jac_vec};
pub use project::{inertia_row, is_dual, project_constraint};
pub use reference::reference_constraint;
pub use rne_post::rne_post_constraint;
pub(crate) use scalar_row::tendon_row;
