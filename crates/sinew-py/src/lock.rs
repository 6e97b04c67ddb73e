//! Models and states that Python objects, views and threads share.
//!
//! Calls into the engine take turns on a state. No lock is held while Python runs: a callback finds
//! the state it was called for free ([`Shared::lend`]), for its own thread and for all others, and
//! the engine goes on when whoever used it meanwhile is done. So a thread that waits only ever
//! waits for code without Python, which ends. What it may not do is wait for itself: a clock that
//! calls a function on the state it measures gets an error.
//!
//! Locks carry the number of forks their process is away from the first ([`forked`]): a child finds
//! free what threads of its parent were reading. What they were writing is half written for ever,
//! and every use of it is an error ([`Busy::Torn`]).
#![allow(unsafe_code)]

use std::cell::{RefCell, UnsafeCell};
use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Longest that a thread which calls the engine again and again waits for others to have a look.
const COURTESY: Duration = Duration::from_millis(1);

/// Longest to wait for Python code of another thread to leave a model or a step alone; code that
/// needs longer may be waiting for the waiting thread, as a callback that joins it does.
const PATIENCE: Duration = Duration::from_secs(1);

/// Users of a value that is being written.
const WRITER: u32 = u32::MAX;

/// How many forks this process is away from the one that loaded the module.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// In a forked child: nobody holds any lock, since the holders do not exist.
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// A value shared between Python objects and numpy views, never moved once made.
pub(crate) struct Shared<T> {
    value: UnsafeCell<ManuallyDrop<T>>,
    /// Forks when it was last taken, in the upper half; users in the lower one.
    word: AtomicU64,
    /// Threads that want the value while another has it.
    waiting: AtomicUsize,
    /// Through what the value is reached: the cell, or the reference lent to the last callback.
    top: AtomicPtr<T>,
    /// Callbacks that the value is lent to, each inside the one before.
    depth: AtomicU32,
}

// SAFETY: `word` hands out references as a reader-writer lock does.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// Why a value is not to be had.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Busy {
    /// This thread computes with it.
    Own,
    /// Python code that runs inside a computation with it does not end.
    Other,
    /// A step of the same state is under way.
    Stepping,
    /// Another thread was computing with it when the process forked.
    Torn,
}

impl From<Busy> for PyErr {
    fn from(busy: Busy) -> PyErr {
        PyRuntimeError::new_err(match busy {
            Busy::Own => {
                "a callback cannot use this function on what it was called for: the engine is \
                 computing with it"
            }
            Busy::Other => {
                "the object is in use by a callback of another thread, which does not return"
            }
            Busy::Stepping => {
                "a step of this data is under way: a callback cannot step the data it was called \
                 for"
            }
            Busy::Torn => {
                "another thread was computing with this object when the process forked, so that \
                 this process has it half computed: make a new one"
            }
        })
    }
}

/// A value that this thread has taken.
struct Held {
    owner: usize,
    /// Whether a callback has it.
    lent: bool,
}

thread_local! {
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Self> {
        let shared = Arc::new(Shared {
            value: UnsafeCell::new(ManuallyDrop::new(value)),
            word: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            top: AtomicPtr::default(),
            depth: AtomicU32::new(0),
        });
        shared.top.store(shared.value.get().cast(), Ordering::Relaxed);
        shared
    }

    fn id(&self) -> usize {
        core::ptr::from_ref(self).addr()
    }

    /// Whether this thread has the value, in its own hands or a callback's.
    fn held(&self, lent: bool) -> bool {
        HELD.with_borrow(|held| held.iter().any(|h| h.owner == self.id() && h.lent == lent))
    }

    /// How many callbacks of this thread have the value.
    fn lent_here(&self) -> u32 {
        let here = |h: &&Held| h.owner == self.id() && h.lent;
        HELD.with_borrow(|held| held.iter().filter(here).count() as u32)
    }

    /// Whether a thread that this process does not have was computing with the value at the fork.
    fn is_torn(&self) -> bool {
        let word = self.word.load(Ordering::Relaxed);
        (word >> 32) as u32 != FORKS.load(Ordering::Relaxed)
            && (self.depth.load(Ordering::Relaxed) > self.lent_here()
                || word as u32 == WRITER && !self.held(false))
    }

    /// One more user, if the others allow it.
    fn attempt(&self, write: bool) -> Result<bool, Busy> {
        let forks = FORKS.load(Ordering::Relaxed);
        let word = self.word.load(Ordering::Relaxed);
        let stale = (word >> 32) as u32 != forks;
        if stale && self.is_torn() {
            return Err(Busy::Torn);
        }
        let users = if stale && !self.held(false) { 0 } else { word as u32 };
        let new = match (write, users) {
            (true, 0) => WRITER,
            (false, users) if users != WRITER => users + 1,
            _ => return Ok(false),
        };
        let new = u64::from(forks) << 32 | u64::from(new);
        let taken = self.word.compare_exchange(word, new, Ordering::Acquire, Ordering::Relaxed);
        if stale && taken.is_ok() {
            self.waiting.store(0, Ordering::Relaxed); // who waited is not in this process
        }
        Ok(taken.is_ok())
    }

    fn release(&self) {
        // nobody else changes the word while a writer has it, and readers leave one by one
        let forks = u64::from(FORKS.load(Ordering::Relaxed)) << 32;
        let _ = self.word.fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
            let free = word as u32 == WRITER || word as u32 == 0 || word >> 32 << 32 != forks;
            Some(if free { forks } else { word - 1 })
        });
    }

    /// Waits in a detached thread until the value is free.
    fn wait(&self, write: bool, patience: Option<Duration>) -> Result<(), Busy> {
        // free, or held by this thread, which would wait for itself
        if self.attempt(write)? {
            return Ok(());
        }
        if self.held(false) && (write || self.word.load(Ordering::Relaxed) as u32 == WRITER) {
            return Err(Busy::Own);
        }

        // counted as waiting, until it is free or patience ends
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let start = Instant::now();
        let mut rounds = 0u32;
        let result = loop {
            match self.attempt(write) {
                Ok(false) => {}
                Ok(true) => break Ok(()),
                Err(busy) => break Err(busy),
            }
            if patience.is_some_and(|patience| start.elapsed() > patience) {
                break Err(Busy::Other);
            }
            pause(&mut rounds);
        };
        let less = |waiting: usize| Some(waiting.saturating_sub(1));
        let _ = self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        result
    }

    fn guard(&self, write: bool) -> Guard<'_, T> {
        HELD.with_borrow_mut(|held| held.push(Held { owner: self.id(), lent: false }));
        Guard { owner: self, top: self.top.load(Ordering::Relaxed), write }
    }

    /// Takes the value to read, in a thread that is detached from the interpreter.
    pub(crate) fn read_detached(&self) -> Result<Guard<'_, T>, Busy> {
        self.wait(false, None).map(|()| self.guard(false))
    }

    /// Takes the value to write, in a thread that is detached from the interpreter.
    pub(crate) fn write_detached(&self) -> Result<Guard<'_, T>, Busy> {
        self.wait(true, None).map(|()| self.guard(true))
    }

    /// Like [`Shared::write_detached`], for a step: not while another step of the value is under
    /// way, not even inside its callbacks.
    pub(crate) fn step_detached(&self) -> Result<Guard<'_, T>, Busy> {
        let mut start = None;
        let mut rounds = 0u32;
        loop {
            let guard = self.write_detached()?;
            if self.depth.load(Ordering::Relaxed) == 0 {
                return Ok(guard);
            }
            drop(guard);
            let start = start.get_or_insert_with(Instant::now);
            if self.held(true) || start.elapsed() > PATIENCE {
                return Err(Busy::Stepping);
            }
            pause(&mut rounds);
        }
    }

    /// The value to read; detaches while it waits, since who has it may need the interpreter.
    pub(crate) fn read(&self, py: Python<'_>) -> Result<Guard<'_, T>, Busy>
    where
        T: Send + Sync,
    {
        if !self.attempt(false)? {
            py.detach(|| self.wait(false, None))?;
        }
        Ok(self.guard(false))
    }

    /// The value to write; not what a callback is running with, if that is only read.
    pub(crate) fn write(&self, py: Python<'_>) -> Result<Guard<'_, T>, Busy>
    where
        T: Send + Sync,
    {
        if !self.attempt(true)? {
            py.detach(|| self.wait(true, Some(PATIENCE)))?;
        }
        Ok(self.guard(true))
    }

    /// The value's address, to look up where parts of it are that do not move.
    pub(crate) fn peek<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.top.load(Ordering::Relaxed))
    }

    /// A look at plain numbers of the value without a lock, as numpy has it through a view: they
    /// may be those of before or after what another thread computes. Not for lists, which may move.
    pub(crate) fn peek_ref<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: the value lives as long as `self`; numbers of any bit pattern are valid.
        f(unsafe { &*self.top.load(Ordering::Relaxed) })
    }

    /// Calls `f`, a callback, while the value is free for all through the reference `value`, which
    /// this thread has taken to write.
    pub(crate) fn lend<R>(&self, value: &mut T, f: impl FnOnce() -> R) -> R {
        let mark = |lent| {
            HELD.with_borrow_mut(|held| {
                let own = held.iter_mut().rev().find(|h| h.owner == self.id() && h.lent != lent);
                own.expect("who lends a value has it").lent = lent;
            });
        };
        mark(true);
        let before = self.top.swap(value, Ordering::Relaxed);
        let level = self.depth.fetch_add(1, Ordering::Relaxed) + 1;
        let forks = FORKS.load(Ordering::Relaxed);
        self.release();
        let back = Back(|| {
            // callbacks of other threads that took the value meanwhile come to their end first
            let mut rounds = 0;
            while self.wait(true, None).is_ok()
                && self.depth.load(Ordering::Relaxed) != level
                && FORKS.load(Ordering::Relaxed) == forks
            {
                self.release();
                pause(&mut rounds);
            }
            self.depth.store(level - 1, Ordering::Relaxed);
            self.top.store(before, Ordering::Relaxed);
            mark(false);
        });
        let result = f();
        drop(back);
        result
    }

    /// Gives those who wait a moment to take the value: the lock is not fair by itself, and a loop
    /// that takes it again at once would starve them.
    pub(crate) fn let_others_in(&self) {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return;
        }
        let start = Instant::now();
        while self.waiting.load(Ordering::Relaxed) > 0 && start.elapsed() < COURTESY {
            std::thread::yield_now();
        }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if !self.is_torn() {
            // SAFETY: nobody uses the value any more, and it is dropped nowhere else.
            unsafe { ManuallyDrop::drop(self.value.get_mut()) };
        }
    }
}

/// Waits a little, the longer the more often: at most 50 µs, a tenth of a step worth waiting for.
fn pause(rounds: &mut u32) {
    *rounds += 1;
    match *rounds {
        ..50 => core::hint::spin_loop(),
        50..200 => std::thread::yield_now(),
        _ => std::thread::sleep(Duration::from_micros(50)),
    }
}

/// Calls a function when dropped, also by a panic or an exception of the callback.
struct Back<F: FnMut()>(F);

impl<F: FnMut()> Drop for Back<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Use of a value.
pub(crate) struct Guard<'a, T> {
    owner: &'a Shared<T>,
    top: *mut T,
    write: bool,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard is one of the users that `word` counts; `top` is the cell, or a
        // reference that its lender does not use before it has the value back.
        unsafe { &*self.top }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        assert!(self.write, "the value was taken to be read");
        // SAFETY: as above, and a writer is the only user.
        unsafe { &mut *self.top }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|held| {
            if let Some(i) = held.iter().rposition(|h| h.owner == self.owner.id() && !h.lent) {
                held.remove(i);
            }
        });
        self.owner.release();
    }
}

/// Tells locks and pins of a fork, in the child.
#[pyfunction]
fn _forked() {
    forked();
    crate::pin::forked();
}

/// Has the interpreter call [`_forked`] in every child.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    let os = py.import("os")?;
    if let Ok(at_fork) = os.getattr("register_at_fork") {
        let kwargs = pyo3::types::PyDict::new(py);
        kwargs.set_item("after_in_child", wrap_pyfunction!(_forked, m)?)?;
        at_fork.call((), Some(&kwargs))?;
    }
    Ok(())
}
