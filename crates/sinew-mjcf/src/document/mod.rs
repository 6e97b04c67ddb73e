//! Elements of edited models, MuJoCo's `mjs`: their values, apart from their form in a file.
//!
//! A [`Record`] has the values of an element by the rows of the table of its kind, with names and
//! types of `mjs`. `read` takes the values from the elements of a file, and `build` makes elements
//! for the compiler. The caller keeps the graph: the body and the frame that an element is in.

mod build;
mod objects;
mod read;
mod record;

pub use build::{Builder, Given, Passed};
pub use read::{Class, IN_CLASS, Instance, Reader, inherited, make_mesh, say_inertial, shortcut};
pub use record::{Field, Fields, Record, Row};
