//! Islands: trees that constraints tie together and that can be solved on their own.

mod copies;
mod discover;

pub use copies::island_copies;
pub use discover::island;
