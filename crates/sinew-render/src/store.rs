//! A pool of reusable values.

use std::sync::Mutex;

/// Values that threads borrow and return.
pub(crate) struct Store<T>(Mutex<Vec<T>>);

impl<T> Default for Store<T> {
    fn default() -> Self {
        Store(Mutex::default())
    }
}

impl<T: Default> Store<T> {
    /// Takes a value from the pool, or makes a new one. Never blocks, because a fork may have left
    /// the mutex locked.
    pub(crate) fn take(&self) -> Borrowed<'_, T> {
        let kept = self.0.try_lock().ok().and_then(|mut store| store.pop());
        Borrowed { store: self, thing: Some(kept.unwrap_or_default()) }
    }
}

/// A value that returns to its pool when dropped.
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
