//! Many worlds of one model, stepped together.
//!
//! ```
//! use std::sync::Arc;
//! use sinew_batch::{Batch, BatchOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let xml = "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/>
//! #   <geom size='.1' pos='0 0 -.5'/></body></worldbody>
//! #   <actuator><motor joint='hinge'/></actuator></mujoco>";
//! # let model = sinew_mjcf::load_str(xml, &Default::default(), &Default::default())?.model;
//! let mut batch = Batch::new(Arc::new(model), 100, BatchOptions::default())?;
//!
//! // every world has its own controls and its own gravity
//! let ctrl = batch.bind("ctrl")?.f64_mut().expect("controls are numbers");
//! ctrl.iter_mut().enumerate().for_each(|(world, u)| *u = 0.01 * world as f64);
//! batch.expand("opt.gravity")?.f64_mut().expect("so is gravity")[2] = -1.6;
//!
//! batch.step(10, None)?;
//! let qpos = batch.bind("qpos")?.f64().expect("so are positions");
//! assert!(qpos[99] > qpos[0]);
//! # Ok(())
//! # }
//! ```
//!
//! A world owns what a step carries over to the next, the fields that were bound and the parameters
//! that were expanded, as a row of contiguous arrays. All else is shared: the model by everybody,
//! one whole [`Data`](sinew_model::Data) by the worlds that a thread works on. So ten thousand
//! worlds fit into little memory, and a thread's caches stay warm.

mod array;
mod batch;
mod error;
mod field;
mod pool;
mod worker;

pub use array::Array;
pub use batch::{Batch, BatchOptions};
pub use error::BatchError;
pub use pool::Pool;
