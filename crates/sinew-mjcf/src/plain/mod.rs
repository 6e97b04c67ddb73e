//! A model as plain data: a tree of tags and values, for callers that keep models in a form of
//! their own.
//!
//! The tags and attributes are MJCF's. Unlike a file, a plain model says of every element under
//! which settings it is to be understood, and in no other way has it scopes, includes or copies.

mod build;
mod export;
mod tree;

pub use tree::{Plain, PlainModel};
