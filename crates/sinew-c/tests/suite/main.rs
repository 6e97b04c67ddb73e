//! The interface for C.
#![allow(clippy::unwrap_used)]

mod examples;
mod header;
mod misuse;
