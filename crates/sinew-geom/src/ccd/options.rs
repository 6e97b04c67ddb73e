//! Options of convex collision.

/// Options of convex collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Accuracy of distances and depths (`opt.ccd_tolerance`).
    pub tolerance: f64,
    /// Maximum number of iterations of each search (`opt.ccd_iterations`).
    pub iterations: usize,
    /// Whether pairs may have several contacts (flag `multiccd`).
    pub multi: bool,
    /// Whether a pair that overlaps must have a contact at a definite place. MPR follows where EPA
    /// finds no depth, round walls touch flat sides below their axis, and a plane takes the
    /// outermost corners of a hull.
    pub steady: bool,
    /// Whether GJK and EPA are used, not MPR (flag `nativeccd`).
    pub native: bool,
    /// The smaller bounding radius of the pair, to be set for each pair. Contacts of `multi` that
    /// are nearer than a thousandth of it count as one.
    pub rbound: f64,
    /// A name that the pair has from step to step, or zero. The axis that separated the pair before
    /// is tried first when it comes again. Results do not depend on it.
    pub pair: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            tolerance: 1e-6,
            iterations: 35,
            multi: false,
            steady: false,
            native: true,
            rbound: 0.0,
            pair: 0,
        }
    }
}
