//! Sensors: each is computed after the stage it needs, or read from its history.
//!
//! `position`, `velocity` and `acceleration` hold the sensors of those stages; `contact`,
//! `enclosed`, `tactile` and `rangefinder` the larger ones. Sensors of plugins are computed by
//! these.

mod value;

mod contact;
mod enclosed;
mod rangefinder;
mod tactile;

mod acceleration;
mod position;
mod velocity;

mod compute;
mod history;
mod stage;

pub use history::{init_sensor_history, read_sensor, record_sensors};
pub(crate) use stage::sensors_of;
pub use stage::{sensor_acc_with, sensor_pos_with, sensor_vel_with};
