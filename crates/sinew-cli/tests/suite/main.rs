//! The command line.
#![allow(clippy::unwrap_used)]

mod cli;
mod commands;
mod documents;
mod fit;
mod render;
mod view;
