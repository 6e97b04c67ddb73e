//! How far a step is from another branch.

/// How far the nearest change of a branch is, among the limits and contacts that are found.
///
/// Derivatives belong to the branch that the step takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Switches {
    /// The smallest distance of a limit or a contact from the margin where its rows begin, in
    /// metres or radians.
    pub gap: f64,
    /// The smallest change of a row's acceleration that takes the row to another zone of its force.
    pub acceleration: f64,
}

impl Switches {
    /// No switch at all.
    pub(super) const NONE: Switches = Switches { gap: f64::INFINITY, acceleration: f64::INFINITY };

    /// Takes the switches of another evaluation into account.
    pub(super) fn also(&mut self, o: Switches) {
        self.at_gap(o.gap);
        self.at_acceleration(o.acceleration);
    }

    /// Takes a distance from the margin of a row into account.
    pub(super) fn at_gap(&mut self, gap: f64) {
        self.gap = self.gap.min(gap.abs());
    }

    /// Takes a distance of a row's acceleration from a switch into account.
    pub(super) fn at_acceleration(&mut self, acceleration: f64) {
        self.acceleration = self.acceleration.min(acceleration.abs());
    }
}
