//! Selection of the n-th element, with the comparisons and swaps of the C++ library that MuJoCo's
//! package is built with.
//!
//! Of a proper order any selection gives the same halves. Comparison within a margin is not an
//! order, nor is comparison with NaN (the centres of triangles without area). Then the halves
//! depend on the pairs that are compared.

/// Ranges up to this length are sorted.
const SHORT: usize = 7;

/// Moves the element that belongs at `nth` there, those before it to the left, the others to the
/// right. Any order is accepted.
pub(crate) fn select_nth<T>(items: &mut [T], nth: usize, before: &impl Fn(&T, &T) -> bool) {
    let (mut lo, mut hi) = (0, items.len());
    while nth < hi {
        match hi - lo {
            0 | 1 => return,
            2 => {
                if before(&items[hi - 1], &items[lo]) {
                    items.swap(lo, hi - 1);
                }
                return;
            }
            3 => {
                sort_three(items, [lo, lo + 1, lo + 2], before);
                return;
            }
            4..=SHORT => return sort_short(&mut items[lo..hi], before),
            _ => {}
        }
        match split(items, nth, [lo, hi], before) {
            Some([first, last]) => (lo, hi) = (first, last),
            None => return,
        }
    }
}

/// One round: the range in which the n-th element is still to be found, if it is.
fn split<T>(
    items: &mut [T],
    nth: usize,
    [lo, hi]: [usize; 2],
    before: &impl Fn(&T, &T) -> bool,
) -> Option<[usize; 2]> {
    // the median of three, in the middle
    let mut pivot = lo + (hi - lo) / 2;
    let mut moved = sort_three(items, [lo, pivot, hi - 1], before);
    let (mut i, mut j) = (lo, hi - 1);
    if !before(&items[lo], &items[pivot]) {
        // the first one does not belong to the left: one from the right does, or all are at least
        // it
        loop {
            j -= 1;
            if i == j {
                return split_equal(items, nth, [lo, hi], before);
            }
            if before(&items[j], &items[pivot]) {
                items.swap(i, j);
                moved = true;
                break;
            }
        }
    }
    i += 1;

    // smaller elements to the left of the pivot
    while i < j {
        while i < hi - 1 && before(&items[i], &items[pivot]) {
            i += 1;
        }
        j -= 1;
        while j > lo && !before(&items[j], &items[pivot]) {
            j -= 1;
        }
        if i >= j {
            break;
        }
        items.swap(i, j);
        moved = true;
        if pivot == i {
            pivot = j;
        }
        i += 1;
    }
    if i != pivot && before(&items[pivot], &items[i]) {
        items.swap(i, pivot);
        moved = true;
    }
    if nth == i || (!moved && is_sorted(items, if nth < i { [lo, i] } else { [i, hi] }, before)) {
        return None;
    }
    Some(if nth < i { [lo, i] } else { [i + 1, hi] })
}

/// A round in which the first element is before none: it and its equals go to the left.
fn split_equal<T>(
    items: &mut [T],
    nth: usize,
    [lo, hi]: [usize; 2],
    before: &impl Fn(&T, &T) -> bool,
) -> Option<[usize; 2]> {
    let (mut i, mut j) = (lo + 1, hi - 1);
    if !before(&items[lo], &items[j]) {
        // one that is not equal, for the right end
        loop {
            if i == j {
                return None;
            }
            i += 1;
            if before(&items[lo], &items[i - 1]) {
                items.swap(i - 1, j);
                break;
            }
        }
    }
    if i == j {
        return None;
    }
    loop {
        while i < hi - 1 && !before(&items[lo], &items[i]) {
            i += 1;
        }
        j -= 1;
        while j > lo && before(&items[lo], &items[j]) {
            j -= 1;
        }
        if i >= j {
            break;
        }
        items.swap(i, j);
        i += 1;
    }
    (nth >= i).then_some([i, hi])
}

fn is_sorted<T>(items: &[T], [lo, hi]: [usize; 2], before: &impl Fn(&T, &T) -> bool) -> bool {
    items[lo..hi].windows(2).all(|pair| !before(&pair[1], &pair[0]))
}

/// Sorts three elements; whether any was moved.
fn sort_three<T>(items: &mut [T], [x, y, z]: [usize; 3], before: &impl Fn(&T, &T) -> bool) -> bool {
    if !before(&items[y], &items[x]) {
        if !before(&items[z], &items[y]) {
            return false;
        }
        items.swap(y, z);
        if before(&items[y], &items[x]) {
            items.swap(x, y);
        }
    } else if before(&items[z], &items[y]) {
        items.swap(x, z);
    } else {
        items.swap(x, y);
        if before(&items[z], &items[y]) {
            items.swap(y, z);
        }
    }
    true
}

/// Sorts by selecting the least again and again.
fn sort_short<T>(items: &mut [T], before: &impl Fn(&T, &T) -> bool) {
    for first in 0..items.len().saturating_sub(1) {
        let mut least = first;
        for i in first + 1..items.len() {
            if before(&items[i], &items[least]) {
                least = i;
            }
        }
        items.swap(first, least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_like_sorting() {
        let mut random = sinew_testkit::Random::new(1);
        for len in 1..200 {
            for below in [2, 16, 1000] {
                let mut values: Vec<usize> = (0..len).map(|_| random.below(below)).collect();
                let mut sorted = values.clone();
                sorted.sort_unstable();
                let nth = values.len() / 2;
                select_nth(&mut values, nth, &|a, b| a < b);
                assert_eq!(values[nth], sorted[nth]);
                assert!(values[..nth].iter().all(|v| *v <= values[nth]));
                assert!(values[nth..].iter().all(|v| *v >= values[nth]));
                values.sort_unstable();
                assert_eq!(values, sorted);
            }
        }
    }

    #[test]
    fn any_order_comes_to_an_end() {
        let mut random = sinew_testkit::Random::new(2);
        for len in 1..200 {
            let number = |r: &mut sinew_testkit::Random| match r.below(4) {
                0 => f64::NAN,
                n => n as f64 + r.below(3) as f64 * 0.4,
            };
            let mut values: Vec<f64> = (0..len).map(|_| number(&mut random)).collect();
            let bits = |v: &[f64]| {
                let mut bits: Vec<u64> = v.iter().map(|x| x.to_bits()).collect();
                bits.sort_unstable();
                bits
            };
            let before = bits(&values);
            // within a margin, and numbers that are none are before all others
            select_nth(&mut values, len / 2, &|a, b| a.is_nan() || *a < *b - 0.5);
            assert_eq!(bits(&values), before);
        }
    }
}
