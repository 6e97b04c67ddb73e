//! Memory that is kept from picture to picture.

use std::sync::Mutex;

use crate::pass::Group;
use crate::shadow::Map;
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

/// Things that threads borrow.
pub(crate) struct Store<T>(Mutex<Vec<T>>);

impl<T> Default for Store<T> {
    fn default() -> Self {
        Store(Mutex::default())
    }
}

impl<T: Default> Store<T> {
    /// Something from the store, or new. Does not wait: a fork may have left the lock closed.
    pub(crate) fn take(&self) -> Borrowed<'_, T> {
        let kept = self.0.try_lock().ok().and_then(|mut store| store.pop());
        Borrowed { store: self, thing: Some(kept.unwrap_or_default()) }
    }
}

/// Something that goes back to its store.
pub(crate) struct Borrowed<'a, T> {
    store: &'a Store<T>,
    thing: Option<T>,
}

impl<T> Borrowed<'_, T> {
    pub(crate) fn get(&mut self) -> &mut T
    where
        T: Default,
    {
        self.thing.get_or_insert_default()
    }
}

impl<T> Drop for Borrowed<'_, T> {
    fn drop(&mut self) {
        if let (Some(thing), Ok(mut store)) = (self.thing.take(), self.store.0.try_lock()) {
            store.push(thing);
        }
    }
}
