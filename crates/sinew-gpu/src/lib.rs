//! Worlds of one model on a GPU.

pub mod pack;
