//! Mutations of texts, bytes and binary models.

pub mod bytes;
pub mod mjb;
pub mod xml;
