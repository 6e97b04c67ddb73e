//! Settings of the whole model.

pub(crate) mod coulomb;
pub(crate) mod option;
