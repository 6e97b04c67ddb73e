//! An allocator that keeps memory under numpy views: a pinned block is freed only after it is
//! unpinned.
//!
//! Per-step lists (`contact`, `efc_*`, islands) move when they grow. A view of the old memory stays
//! valid because its [`Pin`] delays the deallocation. Lists that do not move need nothing: their
//! views show the current values.
//!
//! The table of pins is read only while pins exist, and locked only if an address falls into a used
//! bucket. The nodes come from the system's allocator, so the table never calls itself.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::spin_loop;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};

/// Number of buckets, a power of two; views of one state use about 70.
const BUCKETS: usize = 1024;

/// A pinned allocation.
struct Node {
    start: usize,
    /// Number of pins.
    count: usize,
    /// Layout for freeing the block, after its owner has freed it.
    freed: Option<Layout>,
    next: *mut Node,
}

static TABLE: [AtomicPtr<Node>; BUCKETS] = [const { AtomicPtr::new(null_mut()) }; BUCKETS];
static PINS: AtomicUsize = AtomicUsize::new(0);
static LOCKED: AtomicBool = AtomicBool::new(false);

struct Pinning;

#[global_allocator]
static ALLOCATOR: Pinning = Pinning;

// SAFETY: all memory is the system allocator's. A pinned block is returned to it once, by the last
// `Pin`, with its owner's layout.
unsafe impl GlobalAlloc for Pinning {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        if !keep(ptr, layout) {
            // SAFETY: the caller's promise, and the block is not pinned.
            unsafe { System.dealloc(ptr, layout) }
        }
    }

    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_pinned(ptr) {
            // SAFETY: the caller's promise, and the block is not pinned.
            return unsafe { System.realloc(ptr, layout, size) };
        }
        // SAFETY: `size` is not zero and fits the alignment, as the caller promises. Both blocks
        // are distinct and hold at least the copied bytes.
        unsafe {
            let new = System.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !new.is_null() {
                new.copy_from_nonoverlapping(ptr, size.min(layout.size()));
                self.dealloc(ptr, layout);
            }
            new
        }
    }
}

/// Holds the lock of the table.
struct Locked;

impl Locked {
    fn new() -> Self {
        while LOCKED.swap(true, Ordering::Acquire) {
            spin_loop();
        }
        Locked
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        LOCKED.store(false, Ordering::Release);
    }
}

fn bucket(start: usize) -> &'static AtomicPtr<Node> {
    // blocks are aligned to 16 bytes, so the lowest four bits are zero
    &TABLE[(start >> 4) % BUCKETS]
}

/// The node of the pinned block at this address that its owner has not freed.
fn find(start: usize, _locked: &Locked) -> *mut Node {
    let mut node = bucket(start).load(Ordering::Relaxed);
    // SAFETY: nodes are only changed and freed under the lock.
    unsafe {
        while !node.is_null() && ((*node).start != start || (*node).freed.is_some()) {
            node = (*node).next;
        }
    }
    node
}

/// Whether the block may be in the table.
fn may_be_pinned(start: usize) -> bool {
    PINS.load(Ordering::Relaxed) != 0 && !bucket(start).load(Ordering::Relaxed).is_null()
}

fn is_pinned(ptr: *mut u8) -> bool {
    may_be_pinned(ptr.addr()) && !find(ptr.addr(), &Locked::new()).is_null()
}

/// Marks a pinned block as freed by its owner; returns `false` if it is not pinned.
fn keep(ptr: *mut u8, layout: Layout) -> bool {
    if !may_be_pinned(ptr.addr()) {
        return false;
    }
    let locked = Locked::new();
    let node = find(ptr.addr(), &locked);
    if !node.is_null() {
        // SAFETY: the node is in the table, which is locked.
        unsafe { (*node).freed = Some(layout) };
    }
    !node.is_null()
}

/// Keeps a block of memory from being freed.
pub(crate) struct Pin(*mut Node);

// SAFETY: the node is only touched under the lock of the table.
unsafe impl Send for Pin {}
// SAFETY: as above.
unsafe impl Sync for Pin {}

impl Pin {
    /// Pins the block that starts at `ptr`, as a vector's does.
    ///
    /// # Safety
    /// The block is allocated by this program's allocator, and nobody frees it before this returns.
    pub(crate) unsafe fn new(ptr: *const u8) -> Option<Pin> {
        let start = ptr.addr();
        let locked = Locked::new();
        let mut node = find(start, &locked);
        if node.is_null() {
            // SAFETY: the layout of a node is not empty; the block is written before it is linked.
            unsafe {
                node = System.alloc(Layout::new::<Node>()).cast();
                if node.is_null() {
                    return None;
                }
                let next = bucket(start).load(Ordering::Relaxed);
                node.write(Node { start, count: 0, freed: None, next });
            }
            bucket(start).store(node, Ordering::Relaxed);
            PINS.fetch_add(1, Ordering::Relaxed);
        }
        // SAFETY: the node is in the table, which is locked.
        unsafe { (*node).count += 1 };
        Some(Pin(node))
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let _locked = Locked::new();
        // SAFETY: the node is in the table as long as pins hold it, and the table is locked. The
        // last pin removes it, and frees the block if its owner has freed it.
        unsafe {
            (*self.0).count -= 1;
            if (*self.0).count > 0 {
                return;
            }
            let Node { start, freed, next, .. } = self.0.read();
            unlink(bucket(start), self.0, next);
            PINS.fetch_sub(1, Ordering::Relaxed);
            System.dealloc(self.0.cast(), Layout::new::<Node>());
            if let Some(layout) = freed {
                System.dealloc(std::ptr::with_exposed_provenance_mut(start), layout);
            }
        }
    }
}

/// Removes the node from its bucket's list.
///
/// # Safety
/// The table is locked and the node in the list.
unsafe fn unlink(head: &AtomicPtr<Node>, node: *mut Node, next: *mut Node) {
    let mut at = head.load(Ordering::Relaxed);
    if at == node {
        head.store(next, Ordering::Relaxed);
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        while (*at).next != node {
            at = (*at).next;
        }
        (*at).next = next;
    }
}

/// Called in a forked child: the lock becomes free, because its holder does not exist.
pub(crate) fn forked() {
    LOCKED.store(false, Ordering::Release);
}
