//! A slot for scratch memory whose type only one module knows.

use core::any::Any;
use core::fmt;

/// Scratch of a type that only its stage knows. A clone starts empty.
#[derive(Default)]
pub(crate) struct Private(Option<Box<dyn Any + Send + Sync>>);

impl Private {
    /// Takes the scratch out; the default if there is none of this type. Return the memory with
    /// `put`.
    pub(crate) fn take<T: Any + Default + Send + Sync>(&mut self) -> Box<T> {
        self.0.take().and_then(|scratch| scratch.downcast().ok()).unwrap_or_default()
    }

    /// Puts the scratch back.
    pub(crate) fn put<T: Any + Send + Sync>(&mut self, scratch: Box<T>) {
        self.0 = Some(scratch);
    }
}

impl Clone for Private {
    fn clone(&self) -> Private {
        Private::default()
    }
}

impl fmt::Debug for Private {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Private")
    }
}
