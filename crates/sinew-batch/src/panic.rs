//! The payload of a panic, as part of an error.

use core::fmt;
use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// The payload of a panic in a world, such as the exception of a plugin.
#[derive(Clone)]
pub struct Panic(Arc<Mutex<Option<Box<dyn Any + Send>>>>);

impl Panic {
    pub(crate) fn new(payload: Box<dyn Any + Send>) -> Panic {
        Panic(Arc::new(Mutex::new(Some(payload))))
    }

    /// Takes the payload, once.
    pub fn take(&self) -> Option<Box<dyn Any + Send>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl fmt::Debug for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Panic")
    }
}

/// Two values are equal if they come from the same panic.
impl PartialEq for Panic {
    fn eq(&self, other: &Panic) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Panic {}
