//! Models and states shared by Python objects, views and threads.
//!
//! Calls into the engine take turns on a state. No lock is held while Python runs. During a
//! callback its state is free for all threads ([`Shared::lend`]), and the engine continues when
//! their uses end. A waiting thread therefore waits for code without Python, which ends. A thread
//! must not wait for itself: a clock that calls a function on the measured state gets an error.
//!
//! Locks store the fork generation of their process ([`forked`]). In a child process, values that
//! threads of the parent were reading are free. A value that was being written stays incomplete,
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

/// Longest time that a thread with repeated calls yields to waiting threads.
const COURTESY: Duration = Duration::from_millis(1);

/// Longest wait for Python code of another thread to release a model or a step. Longer code may
/// itself be waiting for this thread, as a callback that joins it does.
const PATIENCE: Duration = Duration::from_secs(1);

/// Number of users while the value is being written.
const WRITER: u32 = u32::MAX;

/// Fork generation of this process; 0 in the process that loaded the module.
static FORKS: AtomicU32 = AtomicU32::new(0);

/// Called in a forked child: all locks become free, because their holders do not exist.
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// A value shared by Python objects and numpy views, at a fixed address.
pub(crate) struct Shared<T> {
    value: UnsafeCell<ManuallyDrop<T>>,
    /// Fork generation at the last use in the upper half, number of users in the lower half.
    word: AtomicU64,
    /// Number of threads that wait for the value.
    waiting: AtomicUsize,
    /// Pointer to the value: the cell, or the reference lent to the innermost callback.
    top: AtomicPtr<T>,
    /// Depth of nested callbacks that the value is lent to.
    depth: AtomicU32,
}

// SAFETY: `word` is a reader-writer lock, which governs all references to the value.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

/// Reasons why a value is unavailable.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Busy {
    /// This thread computes with it.
    Own,
    /// Python code inside a computation with it does not return.
    Other,
    /// Another step of the same state is running.
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

/// A value taken by this thread.
struct Held {
    owner: usize,
    /// Whether it is lent to a callback.
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

    /// Whether this thread holds the value, itself or (`lent`) through a callback.
    fn held(&self, lent: bool) -> bool {
        HELD.with_borrow(|held| held.iter().any(|h| h.owner == self.id() && h.lent == lent))
    }

    /// Number of callbacks of this thread that the value is lent to.
    fn lent_here(&self) -> u32 {
        let here = |h: &&Held| h.owner == self.id() && h.lent;
        HELD.with_borrow(|held| held.iter().filter(here).count() as u32)
    }

    /// Whether a thread of the parent process was writing the value at the fork.
    fn is_torn(&self) -> bool {
        let word = self.word.load(Ordering::Relaxed);
        (word >> 32) as u32 != FORKS.load(Ordering::Relaxed)
            && (self.depth.load(Ordering::Relaxed) > self.lent_here()
                || word as u32 == WRITER && !self.held(false))
    }

    /// Adds a user if the others permit it.
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
        // a writer is the only user, and readers leave one by one
        let forks = u64::from(FORKS.load(Ordering::Relaxed)) << 32;
        let _ = self.word.fetch_update(Ordering::Release, Ordering::Relaxed, |word| {
            let free = word as u32 == WRITER || word as u32 == 0 || word >> 32 << 32 != forks;
            Some(if free { forks } else { word - 1 })
        });
    }

    /// Waits in a detached thread until the value is free.
    fn wait(&self, write: bool, patience: Option<Duration>) -> Result<(), Busy> {
        // free, or held by this thread, which must not wait for itself
        if self.attempt(write)? {
            return Ok(());
        }
        if self.held(false) && (write || self.word.load(Ordering::Relaxed) as u32 == WRITER) {
            return Err(Busy::Own);
        }

        // counted as waiting, until the value is free or the time is up
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

    /// Takes the value for reading, in a detached thread.
    pub(crate) fn read_detached(&self) -> Result<Guard<'_, T>, Busy> {
        self.wait(false, None).map(|()| self.guard(false))
    }

    /// Takes the value for writing, in a detached thread.
    pub(crate) fn write_detached(&self) -> Result<Guard<'_, T>, Busy> {
        self.wait(true, None).map(|()| self.guard(true))
    }

    /// Like [`Shared::write_detached`], for a step: fails while another step of the value is
    /// running, also inside its callbacks.
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

    /// Takes the value for reading; detaches while waiting, because the holder may need the
    /// interpreter.
    pub(crate) fn read(&self, py: Python<'_>) -> Result<Guard<'_, T>, Busy>
    where
        T: Send + Sync,
    {
        if !self.attempt(false)? {
            py.detach(|| self.wait(false, None))?;
        }
        Ok(self.guard(false))
    }

    /// Takes the value for writing; fails inside a callback of a computation that only reads it.
    pub(crate) fn write(&self, py: Python<'_>) -> Result<Guard<'_, T>, Busy>
    where
        T: Send + Sync,
    {
        if !self.attempt(true)? {
            py.detach(|| self.wait(true, Some(PATIENCE)))?;
        }
        Ok(self.guard(true))
    }

    /// The value's address, for locating parts that do not move.
    pub(crate) fn peek<R>(&self, f: impl FnOnce(*mut T) -> R) -> R {
        f(self.top.load(Ordering::Relaxed))
    }

    /// Reads plain numbers of the value without a lock, as numpy does through a view. Another
    /// thread may be changing them. Lists may move and must not be read this way.
    pub(crate) fn peek_ref<R>(&self, f: impl FnOnce(&T) -> R) -> R {
        // SAFETY: the value lives as long as `self`; numbers of any bit pattern are valid.
        f(unsafe { &*self.top.load(Ordering::Relaxed) })
    }

    /// Calls a callback `f` while the value is free for all threads through the reference `value`,
    /// which this thread has taken for writing.
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
            // first let callbacks of other threads that took the value meanwhile return
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

    /// Gives waiting threads a moment to take the value. The lock is not fair, and a loop that
    /// takes it again at once would starve them.
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

/// Sleeps briefly, longer with each round, at most 50 µs, a tenth of a slow step.
fn pause(rounds: &mut u32) {
    *rounds += 1;
    match *rounds {
        ..50 => core::hint::spin_loop(),
        50..200 => std::thread::yield_now(),
        _ => std::thread::sleep(Duration::from_micros(50)),
    }
}

/// Calls a function when dropped, also during unwinding.
struct Back<F: FnMut()>(F);

impl<F: FnMut()> Drop for Back<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// A use of a value.
pub(crate) struct Guard<'a, T> {
    owner: &'a Shared<T>,
    top: *mut T,
    write: bool,
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard is one of the users that `word` counts. `top` is the cell, or a
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

/// Informs locks and pins of a fork, in the child.
#[pyfunction]
fn _forked() {
    forked();
    crate::pin::forked();
}

/// Registers [`_forked`] with the interpreter.
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
