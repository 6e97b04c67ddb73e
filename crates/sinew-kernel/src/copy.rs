//! Copies of worlds' rows, all or those of a mask.
#![allow(unsafe_code)] // raw pointers from outside; entry point of a GPU

/// Rows to copy. All pointers are of the memory in which the copy runs.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Copy {
    /// The first word of the first row to read.
    pub from: *const u32,
    /// Words from one row to the next; 0 to read one row for all.
    pub from_stride: u32,
    /// Words of a row.
    pub width: u32,
    /// The first word of the first row to write.
    pub to: *mut u32,
    /// Words from one row to the next.
    pub to_stride: u32,
    /// How many rows there are.
    pub rows: u32,
    /// A byte for each row, whether it is copied; null for all rows.
    pub mask: *const u8,
}

/// Copies every `rows`-th row from `first` on; of each, every `lanes`-th word from `lane` on.
///
/// # Safety
/// The pointers of the copy are valid for its sizes, and the source is not written meanwhile.
#[inline(always)]
unsafe fn copy_share(c: Copy, (first, rows): (usize, usize), (lane, lanes): (usize, usize)) {
    let mut row = first;
    while row < c.rows as usize {
        // SAFETY: the caller's promise.
        let chosen = c.mask.is_null() || unsafe { *c.mask.add(row) != 0 };
        let mut k = if chosen { lane } else { c.width as usize };
        while k < c.width as usize {
            // SAFETY: the caller's promise.
            unsafe {
                let word = *c.from.add(row * c.from_stride as usize + k);
                c.to.add(row * c.to_stride as usize + k).write(word);
            }
            k += lanes;
        }
        row += rows;
    }
}

/// Copies rows natively.
///
/// # Safety
/// The pointers of the copy are valid for its sizes, for nobody else meanwhile.
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe fn copy(c: Copy) {
    // SAFETY: the caller's promise.
    unsafe { copy_share(c, (0, 1), (0, 1)) }
}

/// Copies rows, one for every block of threads at a time.
///
/// # Safety
/// The pointers of the copy are valid for its sizes, for nobody else meanwhile.
#[cfg(target_arch = "nvptx64")]
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn copy_rows(c: Copy) {
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};
    // SAFETY: reads registers; then the caller's promise.
    unsafe {
        let rows = (_block_idx_x() as usize, _grid_dim_x() as usize);
        copy_share(c, rows, (_thread_idx_x() as usize, _block_dim_x() as usize));
    }
}
