//! Ranges of table rows that belong to one object.

/// `num` rows from `first` on; empty if the range exceeds the table.
pub(crate) fn span<T>(rows: &[T], first: i32, num: i32) -> &[T] {
    let (first, num) = (first.max(0) as usize, num.max(0) as usize);
    rows.get(first..first.saturating_add(num)).unwrap_or_default()
}

/// All rows from `first` on.
pub(crate) fn rest<T>(rows: &[T], first: i32) -> &[T] {
    rows.get(first.max(0) as usize..).unwrap_or_default()
}
