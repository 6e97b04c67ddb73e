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
//! A world stores a row in contiguous arrays: the state that a step carries over, the bound fields
//! and the expanded parameters. All worlds share the model, and the worlds of a thread share one
//! [`Data`](sinew_model::Data). Ten thousand worlds therefore fit into little memory, and the data
//! of a thread stay in its cache.

mod array;
mod batch;
mod device;
mod error;
mod field;
mod fit;
mod limits;
mod panic;
mod pool;
mod rollouts;
mod worker;

pub use array::Array;
pub use batch::{Batch, BatchOptions};
pub use device::{Backend, DeviceBatch, DeviceField, DeviceOptions};
pub use error::BatchError;
pub use fit::{Fit, FitEntry, FitOptions};
pub use panic::Panic;
pub use pool::Pool;
pub use rollouts::{RolloutGradients, RolloutInputs, Rollouts};
pub use sinew_gpu::cuda::{Limits, Stream};
pub use sinew_gpu::{GpuError, Precision, Shape};
