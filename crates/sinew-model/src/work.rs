//! Container in [`Data`](crate::Data) for the engine's scratch memory, whose type only the engine
//! knows.
#![allow(unsafe_code)]

use core::any::Any;
use core::{fmt, ptr};

/// Scratch memory of the engine. A clone starts empty.
#[derive(Default)]
pub struct Scratch(Option<Box<dyn Any + Send + Sync>>);

impl Scratch {
    /// The scratch memory, created on first use.
    ///
    /// The type is not checked: `downcast_mut` makes an indirect call, and a step of a small model
    /// accesses its scratch memory about 20 times.
    ///
    /// # Safety
    ///
    /// Every call in a program uses the same `T`.
    #[inline(always)]
    pub unsafe fn get_or_default<T: Any + Default + Send + Sync>(&mut self) -> &mut T {
        let memory = &mut **self.0.get_or_insert_with(make::<T>);
        debug_assert!((*memory).is::<T>());
        // SAFETY: `make::<T>` created it, with the only `T` of the program
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
