//! Tiles of a matrix, four rows by four columns, into sparse rows.

use core::ops::Range;

use sinew_math::simd::{LANES, Lane};

/// Rows of a panel.
pub(super) const PANEL: usize = LANES;

/// The rows of one panel.
pub(super) fn panel_rows(nefc: usize, panel: usize) -> Range<usize> {
    panel * PANEL..nefc.min((panel + 1) * PANEL)
}

/// Rows of A that are filled from left to right.
pub(super) struct RowFill<'a> {
    pub(super) cols: &'a [i32],
    pub(super) entries: &'a mut [f64],
    /// The next entry to write, of each row, and one past its last.
    pub(super) next: &'a mut [[usize; 2]],
}

impl RowFill<'_> {
    /// Appends a tile. A panel may have columns that one of its rows has not.
    #[inline(always)]
    pub(super) fn put<L: Lane>(
        &mut self,
        rows: Range<usize>,
        cols: Range<usize>,
        tile: [L; PANEL],
    ) {
        for ([next, end], values) in self.next[rows].iter_mut().zip(tile) {
            let here = &self.cols[*next..*end];
            let to = &mut self.entries[*next..*end];
            let whole = here.get(PANEL - 1) == Some(&(cols.start as i32 + PANEL as i32 - 1));
            if let (true, Some(to)) = (whole, to.first_chunk_mut()) {
                values.store(to);
                *next += PANEL;
                continue;
            }
            let present = here.iter().zip(to).take(cols.len());
            for (&col, to) in present.take_while(|(col, _)| (**col as usize) < cols.end) {
                *to = values.to_array()[col as usize - cols.start];
                *next += 1;
            }
        }
    }
}
