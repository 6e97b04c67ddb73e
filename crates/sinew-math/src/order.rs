//! Reverse Cuthill-McKee order of coupled unknowns (Cuthill and McKee 1969), which gives their
//! matrix a narrow profile.

/// Couplings of unknowns, and their order; buffers are reused.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// Unknowns of each coupling in consecutive lists, and the end of each list.
    members: Vec<u32>,
    ends: Vec<u32>,
    /// Couplings of each unknown, in the same form.
    couplings: Vec<u32>,
    coupling_ends: Vec<u32>,
    /// Unknowns sorted by the number of their couplings.
    starts: Vec<u32>,
    /// Unknowns in their order.
    list: Vec<u32>,
    listed: Vec<bool>,
    done: Vec<bool>,
}

impl Order {
    /// Removes all couplings.
    pub fn clear(&mut self) {
        self.members.clear();
        self.ends.clear();
    }

    /// Couples some unknowns with each other.
    pub fn couple(&mut self, members: impl IntoIterator<Item = u32>) {
        self.members.extend(members);
        self.ends.push(self.members.len() as u32);
    }

    /// Orders `n` unknowns; unknowns without couplings keep their order.
    ///
    /// The search is breadth-first from an unknown with few couplings, visits neighbours with few
    /// couplings first, and is then reversed.
    pub fn arrange(&mut self, n: usize) -> &[u32] {
        self.list.clear();
        if self.members.is_empty() {
            self.list.extend(0..n as u32);
            return &self.list;
        }
        self.invert(n);
        self.done.clear();
        self.done.resize(self.ends.len(), false);
        self.listed.clear();
        self.listed.resize(n, false);
        for k in 0..n {
            if !self.listed[self.starts[k] as usize] {
                self.walk(self.starts[k]);
            }
        }
        self.list.reverse();
        &self.list
    }

    /// Lists the couplings of each unknown.
    fn invert(&mut self, n: usize) {
        let Order { members, ends, couplings, coupling_ends: counts, starts, .. } = self;
        counts.clear();
        counts.resize(n, 0);
        members.iter().for_each(|&unknown| counts[unknown as usize] += 1);
        starts.clear();
        starts.extend(0..n as u32);
        starts.sort_unstable_by_key(|&unknown| (counts[unknown as usize], unknown));

        // counts become starts, and starts ends
        let mut sum = 0;
        for count in &mut *counts {
            (sum, *count) = (sum + *count, sum);
        }
        couplings.resize(members.len(), 0);
        for c in 0..ends.len() as u32 {
            for &unknown in &members[range(ends, c)] {
                let end = &mut counts[unknown as usize];
                couplings[*end as usize] = c;
                *end += 1;
            }
        }
    }

    /// Lists an unknown and all unknowns connected to it, directly or indirectly.
    fn walk(&mut self, start: u32) {
        let mut at = self.list.len();
        self.list.push(start);
        self.listed[start as usize] = true;
        while let Some(&unknown) = self.list.get(at) {
            at += 1;
            let new = self.list.len();
            for &c in &self.couplings[range(&self.coupling_ends, unknown)] {
                if std::mem::replace(&mut self.done[c as usize], true) {
                    continue;
                }
                for &other in &self.members[range(&self.ends, c)] {
                    if !std::mem::replace(&mut self.listed[other as usize], true) {
                        self.list.push(other);
                    }
                }
            }
            let ends = &self.coupling_ends;
            self.list[new..].sort_unstable_by_key(|&u| (range(ends, u).len(), u));
        }
    }
}

/// Range of an index's list.
fn range(ends: &[u32], at: u32) -> std::ops::Range<usize> {
    let at = at as usize;
    at.checked_sub(1).map_or(0, |before| ends[before] as usize)..ends[at] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_in_any_order_becomes_a_chain() {
        let names = [3, 7, 1, 5, 0, 6, 2, 4];
        let mut order = Order::default();
        for link in [4, 0, 2, 6, 1, 3, 5] {
            order.couple([names[link], names[link + 1]]);
        }
        let mut list = order.arrange(8).to_vec();
        if list[0] == names[7] {
            list.reverse();
        }
        assert_eq!(list, names);
    }

    #[test]
    fn unknowns_without_couplings_are_listed_too() {
        let mut order = Order::default();
        order.couple([1, 3, 3]);
        let mut list = order.arrange(5).to_vec();
        list.sort_unstable();
        assert_eq!(list, [0, 1, 2, 3, 4]);
        order.clear();
        assert_eq!(order.arrange(0), []);
    }
}
