//! Memory reused between images.

use crate::pass::Group;
use crate::shadow_map::Map;
use crate::store::Store;
use crate::tile::Bins;
use crate::worker::Worker;

/// The reusable memory of an image.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) groups: Vec<Group>,
    pub(crate) glass: Bins,
    pub(crate) maps: Vec<Map>,
    pub(crate) workers: Store<Worker>,
    /// The image in a mirror, and its tiles that are not empty.
    pub(crate) image: Vec<[u8; 3]>,
    pub(crate) used: Vec<bool>,
}
