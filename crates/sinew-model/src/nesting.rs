//! Nested calls of user code: a plugin or a hook may call the engine, which calls user code again.

use core::cell::{Cell, RefCell};
use core::fmt;

/// Maximum number of calls of user code that are nested in each other.
///
/// A controller that simulates a copy of its state with its own hooks needs two or three. Without a
/// bound, user code that calls itself through the engine exhausts the stack.
pub const MAX_NESTED: u32 = 8;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Name of the nested call that began last. At the maximum depth that is the running one.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// User code calls itself through the engine without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endless {
    /// The user code, such as `plugin 'my.spring'`.
    pub what: String,
}

impl fmt::Display for Endless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Endless { what } = self;
        write!(
            f,
            "{what} calls the engine, which calls user code again: {MAX_NESTED} calls are nested"
        )
    }
}

impl core::error::Error for Endless {}

/// A call of user code in this thread, until it is dropped.
#[derive(Debug)]
pub struct UserCall(());

impl UserCall {
    /// Begins a call; an error beyond [`MAX_NESTED`].
    #[inline]
    pub fn enter(what: impl FnOnce() -> String) -> Result<UserCall, Endless> {
        let depth = DEPTH.get();
        if depth > 0 {
            nested(depth, what)?;
        }
        DEPTH.set(depth + 1);
        Ok(UserCall(()))
    }
}

/// Begins a call inside of another.
#[cold]
fn nested(depth: u32, what: impl FnOnce() -> String) -> Result<(), Endless> {
    LAST.with_borrow_mut(|last| {
        if depth >= MAX_NESTED {
            let running = if last.is_empty() { what() } else { last.clone() };
            return Err(Endless { what: running });
        }
        *last = what();
        Ok(())
    })
}

impl Drop for UserCall {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get().saturating_sub(1));
    }
}

/// Calls user code.
///
/// # Panics
///
/// If [`MAX_NESTED`] calls are nested in each other, with the words of [`Endless`].
#[inline]
pub fn user_code<R>(what: impl FnOnce() -> String, f: impl FnOnce() -> R) -> R {
    let _call = UserCall::enter(what).unwrap_or_else(|endless| panic!("{endless}"));
    f()
}

/// The number of calls of user code that this thread is inside of, for threads that it starts.
pub fn depth() -> u32 {
    DEPTH.get()
}

/// Calls `f` in a thread that works for another, which is inside of `depth` calls of user code.
pub fn within<R>(depth: u32, f: impl FnOnce() -> R) -> R {
    struct Back(u32);
    impl Drop for Back {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let _back = Back(DEPTH.replace(depth));
    f()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nest(n: u32) -> Result<(), Endless> {
        let _call = UserCall::enter(|| "a test".to_owned())?;
        if n > 1 { nest(n - 1) } else { Ok(()) }
    }

    #[test]
    fn nesting_has_a_bound_and_ends_with_the_calls() {
        for _ in 0..3 {
            assert!(nest(MAX_NESTED).is_ok());
            let words = nest(MAX_NESTED + 1).expect_err("too deep").to_string();
            assert!(words.starts_with("a test calls the engine"), "{words}");
        }

        // the running code is named, not the code that it reaches first
        let calls: Vec<_> = (0..MAX_NESTED).map(|_| UserCall::enter(|| "culprit".into())).collect();
        let reached = UserCall::enter(|| "victim".into()).expect_err("too deep");
        assert_eq!(reached.what, "culprit");
        drop(calls);
        assert_eq!(depth(), 0);
    }

    #[test]
    fn a_helping_thread_counts_on() {
        within(MAX_NESTED, || assert!(nest(1).is_err()));
        assert_eq!(depth(), 0);
    }
}
