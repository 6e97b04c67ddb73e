//! Scratch memory of the pipeline's stages, kept between steps so that a step allocates nothing.

/// Scratch memory. Grown on first use, never shrunk; its contents mean nothing between stages.
#[derive(Clone, Debug, Default)]
pub struct Work {}
