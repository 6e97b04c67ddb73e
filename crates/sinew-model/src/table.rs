//! Tables: vectors of rows with typed indices.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut, Index, IndexMut, Range};

use crate::ids::{Id, IndexOf};
use crate::pod::{Pod, as_f64, as_f64_mut, bytes_of, bytes_of_mut};

/// Rows of `T`, one for each `I`. Indexed by `I` or `usize`; otherwise a slice.
pub struct Table<I, T> {
    rows: Vec<T>,
    of: PhantomData<fn(I)>,
}

impl<I, T: Pod> Table<I, T> {
    /// `n` default rows.
    pub fn new(n: usize) -> Self {
        Table { rows: vec![T::default(); n], of: PhantomData }
    }

    /// Creates a table of the given rows.
    pub fn from_vec(rows: Vec<T>) -> Self {
        Table { rows, of: PhantomData }
    }

    /// Changes the number of rows, keeping capacity; new rows are default.
    #[inline]
    pub fn resize(&mut self, n: usize) {
        // an unchanged length is not written, because a store before the load of the whole vector
        // header stalls a step
        if self.rows.len() != n {
            self.resize_rows(n);
        }
    }

    // a separate function, because most lists have their length already, and instruction fetches
    // dominate the step of a small model
    #[cold]
    #[inline(never)]
    fn resize_rows(&mut self, n: usize) {
        self.rows.resize(n, T::default());
    }

    /// Removes the rows from the `n`-th on and keeps the capacity.
    pub fn truncate(&mut self, n: usize) {
        self.rows.truncate(n);
    }

    /// Removes all rows, keeping capacity.
    pub fn clear(&mut self) {
        self.rows.clear();
    }

    /// Appends a row.
    pub fn push(&mut self, row: T) {
        self.rows.push(row);
    }

    /// Appends several rows.
    pub fn extend(&mut self, rows: impl IntoIterator<Item = T>) {
        self.rows.extend(rows);
    }

    /// The rows as flat numbers.
    pub fn flat(&self) -> &[f64] {
        as_f64(&self.rows)
    }

    /// The rows as flat writable numbers.
    pub fn flat_mut(&mut self) -> &mut [f64] {
        as_f64_mut(&mut self.rows)
    }
}

impl<I: Id, T> Table<I, T> {
    /// All ids in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.rows.len()).map(I::new)
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Table { rows: Vec::new(), of: PhantomData }
    }
}

impl<I, T: Clone> Clone for Table<I, T> {
    fn clone(&self) -> Self {
        Table { rows: self.rows.clone(), of: PhantomData }
    }
    fn clone_from(&mut self, o: &Self) {
        self.rows.clone_from(&o.rows);
    }
}

impl<I, T: PartialEq> PartialEq for Table<I, T> {
    fn eq(&self, o: &Self) -> bool {
        self.rows == o.rows
    }
}

impl<I, T: core::fmt::Debug> core::fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.rows.fmt(f)
    }
}

impl<I, T> Deref for Table<I, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.rows
    }
}

impl<I, T> DerefMut for Table<I, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.rows
    }
}

impl<I, T, K: IndexOf<I>> Index<K> for Table<I, T> {
    type Output = T;
    #[inline]
    fn index(&self, k: K) -> &T {
        &self.rows[k.row()]
    }
}

impl<I, T, K: IndexOf<I>> IndexMut<K> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, k: K) -> &mut T {
        &mut self.rows[k.row()]
    }
}

impl<I, T> Table<I, T> {
    /// A range of rows.
    ///
    /// # Panics
    ///
    /// If the range exceeds the table.
    #[inline]
    pub fn rows(&self, range: Range<usize>) -> &[T] {
        match self.rows.get(range) {
            Some(rows) => rows,
            None => missing_rows(),
        }
    }

    /// A writable range of rows.
    ///
    /// # Panics
    ///
    /// If the range exceeds the table.
    #[inline]
    pub fn rows_mut(&mut self, range: Range<usize>) -> &mut [T] {
        match self.rows.get_mut(range) {
            Some(rows) => rows,
            None => missing_rows(),
        }
    }
}

// without arguments, because a stage calls this for each of its tables, and would load a length for
// the message each time
#[cold]
#[inline(never)]
fn missing_rows() -> ! {
    panic!("a table has fewer rows than its model says")
}

/// Rows with a width known at run time; an index by `I` or `usize` gives a slice.
pub struct Strided<I, T> {
    data: Vec<T>,
    rows: usize,
    width: usize,
    of: PhantomData<fn(I)>,
}

impl<I, T: Pod> Strided<I, T> {
    /// `rows` default rows of `width` numbers.
    pub fn new(rows: usize, width: usize) -> Self {
        Strided { data: vec![T::default(); rows * width], rows, width, of: PhantomData }
    }
}

impl<I, T> Strided<I, T> {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of values per row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// All numbers, row after row.
    pub fn flat(&self) -> &[T] {
        &self.data
    }

    /// All numbers, row after row, writable.
    pub fn flat_mut(&mut self) -> &mut [T] {
        &mut self.data
    }
}

impl<I, T> Default for Strided<I, T> {
    fn default() -> Self {
        Strided { data: Vec::new(), rows: 0, width: 0, of: PhantomData }
    }
}

impl<I, T: Clone> Clone for Strided<I, T> {
    fn clone(&self) -> Self {
        Strided { data: self.data.clone(), rows: self.rows, width: self.width, of: PhantomData }
    }
}

impl<I, T: PartialEq> PartialEq for Strided<I, T> {
    fn eq(&self, o: &Self) -> bool {
        (self.rows, self.width) == (o.rows, o.width) && self.data == o.data
    }
}

impl<I, T: core::fmt::Debug> core::fmt::Debug for Strided<I, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.data.fmt(f)
    }
}

impl<I, T, K: IndexOf<I>> Index<K> for Strided<I, T> {
    type Output = [T];
    fn index(&self, k: K) -> &[T] {
        let r = k.row();
        &self.data[r * self.width..(r + 1) * self.width]
    }
}

impl<I, T, K: IndexOf<I>> IndexMut<K> for Strided<I, T> {
    fn index_mut(&mut self, k: K) -> &mut [T] {
        let r = k.row();
        &mut self.data[r * self.width..(r + 1) * self.width]
    }
}

/// Storage of a field, for the field tables.
pub trait Storage {
    /// The row type.
    type Row: Pod;
    /// `rows` default rows; `width` is used by strided storage only.
    fn alloc(rows: usize, width: usize) -> Self;
    /// Shape as in numpy.
    fn shape(&self) -> Shape;
    /// All bytes.
    fn bytes(&self) -> &[u8];
    /// All bytes, writable.
    fn bytes_mut(&mut self) -> &mut [u8];
}

/// Numbers of rows and columns; no columns if a row is a single number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Number of rows.
    pub rows: usize,
    /// Number of values per row; `None` for a one-dimensional field.
    pub cols: Option<usize>,
}

impl<I, T: Pod> Storage for Table<I, T> {
    type Row = T;
    fn alloc(rows: usize, _width: usize) -> Self {
        Table::new(rows)
    }
    fn shape(&self) -> Shape {
        Shape { rows: self.len(), cols: (T::WIDTH > 1).then_some(T::WIDTH) }
    }
    fn bytes(&self) -> &[u8] {
        bytes_of(&self.rows)
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        bytes_of_mut(&mut self.rows)
    }
}

impl<I, T: Pod> Storage for Strided<I, T> {
    type Row = T;
    fn alloc(rows: usize, width: usize) -> Self {
        Strided::new(rows, width)
    }
    fn shape(&self) -> Shape {
        Shape { rows: self.rows, cols: Some(self.width) }
    }
    fn bytes(&self) -> &[u8] {
        bytes_of(&self.data)
    }
    fn bytes_mut(&mut self) -> &mut [u8] {
        bytes_of_mut(&mut self.data)
    }
}
