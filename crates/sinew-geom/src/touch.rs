//! A contact of two solids.

use sinew_math::Vec3;

/// Maximum number of contacts a pair of solids may have.
pub const MAX_CONTACTS: usize = 50;

/// A point where two solids touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Touch {
    /// Distance between the surfaces; negative if they overlap.
    pub dist: f64,
    /// Point midway between the surfaces.
    pub pos: Vec3,
    /// Unit normal, from the first solid to the second.
    pub normal: Vec3,
    /// Direction of the first tangent; zero leaves the choice open.
    pub tangent: Vec3,
}

/// A list of contacts that grows: a `Vec`, or memory of a fixed size.
pub trait Touches {
    /// Number of its contacts.
    fn count(&self) -> usize;

    /// Appends a contact.
    fn push(&mut self, touch: Touch);

    /// Contact `i`, which it has.
    fn touch(&self, i: usize) -> Touch;

    /// Replaces contact `i`, which it has.
    fn set(&mut self, i: usize, touch: Touch);

    /// Keeps the first `count` contacts.
    fn truncate(&mut self, count: usize);
}

#[cfg(not(target_arch = "nvptx64"))]
impl Touches for Vec<Touch> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn push(&mut self, touch: Touch) {
        self.push(touch);
    }

    #[inline(always)]
    fn touch(&self, i: usize) -> Touch {
        self[i]
    }

    #[inline(always)]
    fn set(&mut self, i: usize, touch: Touch) {
        self[i] = touch;
    }

    #[inline(always)]
    fn truncate(&mut self, count: usize) {
        self.truncate(count);
    }
}
