//! Tests of the viewer over its sockets, as pages use it.

#![allow(clippy::unwrap_used)]

mod client;
mod server;
