//! Editing models in code: building, finding, changing, attaching, taking out.
//!
//! An element is a value: made with the methods of its type, put into a body or into the model. An
//! element is found again by its name, or by the [`Id`] that its insertion returns, and changed in
//! place. The rest of the model is compiled or saved with it.
//!
//! ```
//! use sinew_mjcf::spec::{Actuator, Geom, Joint, Spec};
//! use sinew_mjcf::{Assets, LoadOptions};
//!
//! let mut spec = Spec::new("arm");
//! let mut upper = spec.world().body("upper").at([0.0, 0.0, 1.0]);
//! upper.add(Joint::hinge([0.0, 1.0, 0.0]).name("shoulder").damping(0.1));
//! upper.add(Geom::capsule(0.04, 0.15).pos([0.0, 0.0, -0.15]));
//! let lower = upper.body("lower").at([0.0, 0.0, -0.3]);
//! lower.hinge("elbow", [0.0, 1.0, 0.0]).geom(Geom::sphere(0.05).mass(0.5));
//! spec.add(Actuator::motor("elbow").gear(&[20.0]));
//!
//! spec.get_mut::<Geom>("").expect("the first geom without a name").rgba.set([1.0, 0.0, 0.0, 1.0]);
//! let model = spec.compile(&Assets::new(), &LoadOptions::default())?.model;
//! assert_eq!((model.nq, model.nu), (2, 1));
//! # Ok::<(), sinew_mjcf::diag::Error>(())
//! ```

mod attach;
mod body;
mod class;
mod element;
mod find;
mod id;
mod make;
mod place;

pub use attach::Naming;
pub use body::{BodyMut, FrameMut};
pub use element::{Element, InTree, Listed};
pub use id::Id;
