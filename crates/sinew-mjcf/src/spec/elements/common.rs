//! Defaults that several elements have.

/// Sliding, torsional and rolling friction of geoms.
pub(super) const FRICTION: [f64; 3] = [1.0, 0.005, 0.0001];

/// The default colour.
pub(super) const GRAY: [f32; 4] = [0.5, 0.5, 0.5, 1.0];
