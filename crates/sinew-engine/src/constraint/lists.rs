//! Lists of numbers: which dofs a panel has, which trees a row, which rows a tree.

use core::ops::Range;

/// Several lists of numbers, one after the other.
#[derive(Debug, Default)]
pub(super) struct Lists {
    ends: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    /// Removes all lists.
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.items.clear();
    }

    /// Number of lists that are complete.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    fn start(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.ends[i - 1] }
    }

    /// Where list `i` lies among all items.
    pub(super) fn range(&self, i: usize) -> Range<usize> {
        self.start(i)..self.ends[i]
    }

    /// List `i`.
    pub(super) fn list(&self, i: usize) -> &[u32] {
        &self.items[self.range(i)]
    }

    /// Appends to the list that is being made.
    pub(super) fn push(&mut self, item: u32) {
        self.items.push(item);
    }

    /// Appends to the list that is being made, unless that ends with the item.
    pub(super) fn push_new(&mut self, item: u32) {
        if self.items[self.start(self.len())..].last() != Some(&item) {
            self.items.push(item);
        }
    }

    /// Completes the list that is being made, and starts the next.
    pub(super) fn end_list(&mut self) -> &mut [u32] {
        self.ends.push(self.items.len());
        let range = self.range(self.len() - 1);
        &mut self.items[range]
    }

    /// Appends the last list once more.
    pub(super) fn repeat_list(&mut self) {
        if let Some(last) = self.len().checked_sub(1) {
            let range = self.range(last);
            self.items.extend_from_within(range);
            self.ends.push(self.items.len());
        }
    }

    /// Makes `out` tell for each of `n` items in which lists it is.
    pub(super) fn invert(&self, n: usize, out: &mut Lists) {
        // counts, starts, then every entry moves its start to the end
        out.ends.clear();
        out.ends.resize(n, 0);
        for &item in &self.items {
            out.ends[item as usize] += 1;
        }
        let mut sum = 0;
        for end in &mut out.ends {
            sum += core::mem::replace(end, sum);
        }
        out.items.clear();
        out.items.resize(sum, 0);
        for i in 0..self.len() {
            for &item in self.list(i) {
                let end = &mut out.ends[item as usize];
                out.items[*end] = i as u32;
                *end += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverted_lists_tell_where_an_item_is() {
        let mut lists = Lists::default();
        for list in [&[0, 2][..], &[], &[2, 2, 3], &[0]] {
            list.iter().for_each(|&item| lists.push_new(item));
            lists.end_list();
        }
        assert_eq!(lists.list(2), [2, 3]);
        lists.repeat_list();
        let mut out = Lists::default();
        lists.invert(5, &mut out);
        let all: Vec<&[u32]> = (0..out.len()).map(|i| out.list(i)).collect();
        assert_eq!(all, [&[0, 3, 4][..], &[], &[0, 2], &[2], &[]]);
    }
}
