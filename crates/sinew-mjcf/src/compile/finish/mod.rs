//! Quantities that follow from the rest of the model.

pub(crate) mod constants;
pub(crate) mod length_range;
pub(crate) mod names;
pub(crate) mod sparsity;
