//! A place in [`Data`](crate::Data) for the scratch memory of the engine, whose type only the
//! engine knows.
#![allow(unsafe_code)]

use core::any::Any;
use core::{fmt, ptr};

/// Scratch memory of the engine. A clone starts empty.
#[derive(Default)]
pub struct Scratch(Option<Box<dyn Any + Send + Sync>>);

impl Scratch {
    /// The scratch memory; made if there is none yet.
    ///
    /// No type is compared: `downcast_mut` calls through the table of the type, and a step of a
    /// small model asks for its scratch memory some twenty times.
    ///
    /// # Safety
    ///
    /// Every call in a program names the same `T`.
    #[inline(always)]
    pub unsafe fn get_or_default<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        let memory = &mut **self.0.get_or_insert_with(make::<T>);
        debug_assert!((*memory).is::<T>());
        // SAFETY: it was made by `make::<T>`, with the only `T` there is
        unsafe { &mut *ptr::from_mut(memory).cast::<T>() }
    }
}

#[cold]
fn make<T: Any + Default + Send + Sync>() -> Box<dyn Any + Send + Sync> {
    Box::<T>::default()
}

impl Clone for Scratch {
    fn clone(&self) -> Scratch {
        Scratch::default()
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}
