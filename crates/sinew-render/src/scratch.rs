//! Memory that is kept from picture to picture.

use crate::pass::Group;
use crate::shadow::Map;
use crate::store::Store;
use crate::tile::Bins;
use crate::worker::Worker;

/// What a picture needs; the next one uses it again.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(crate) groups: Vec<Group>,
    pub(crate) glass: Bins,
    pub(crate) maps: Vec<Map>,
    pub(crate) workers: Store<Worker>,
    /// What a mirror shows, and the tiles in which there is something.
    pub(crate) image: Vec<[u8; 3]>,
    pub(crate) used: Vec<bool>,
}
