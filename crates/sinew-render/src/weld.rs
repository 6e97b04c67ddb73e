//! Numbers for equal keys, and meshes without repeated vertices.

use crate::mesh::{Mesh, Vertex};

/// Mark of an empty slot.
const EMPTY: u32 = u32::MAX;

/// Equal keys with one number: numbers go up in the order of first appearance.
pub(crate) struct Numbered {
    /// Number of each key.
    pub(crate) number: Vec<u32>,
    /// First key of each number.
    pub(crate) first: Vec<u32>,
}

/// Numbers `n` keys, so that equal keys share a number.
pub(crate) fn numbered<const N: usize>(n: usize, key: impl Fn(usize) -> [u32; N]) -> Numbered {
    // a table of numbers with open addressing, at most half full
    let bits = (2 * n).max(2).next_power_of_two().trailing_zeros();
    let mask = (1 << bits) - 1;
    let mut slot = vec![EMPTY; 1 << bits];
    let mut out = Numbered { number: Vec::with_capacity(n), first: Vec::new() };
    for i in 0..n {
        let own = key(i);
        let mut at = (hash(&own) >> (64 - bits)) as usize;
        while slot[at] != EMPTY && key(out.first[slot[at] as usize] as usize) != own {
            at = (at + 1) & mask;
        }
        if slot[at] == EMPTY {
            slot[at] = out.first.len() as u32;
            out.first.push(i as u32);
        }
        out.number.push(slot[at]);
    }
    out
}

/// A hash whose upper bits depend on all words (multiplier of Steele and Vigna, "Computationally
/// easy, spectrally good multipliers", 2021).
fn hash(words: &[u32]) -> u64 {
    words.iter().fold(0, |h: u64, &word| {
        (h.rotate_left(5) ^ u64::from(word)).wrapping_mul(0xf135_7aea_2e62_a9c5)
    })
}

/// The mesh with one copy of equal vertices; its triangles keep their order.
pub(crate) fn welded(mesh: &Mesh) -> Mesh {
    let words = |v: &Vertex| {
        let ([x, y, z], [a, b, c], [s, t]) = (v.pos, v.normal, v.uv);
        [x, y, z, a, b, c, s, t].map(f32::to_bits)
    };
    let unique = numbered(mesh.vert.len(), |i| words(&mesh.vert[i]));
    Mesh {
        vert: unique.first.iter().map(|&i| mesh.vert[i as usize]).collect(),
        tri: mesh.tri.iter().map(|t| t.map(|v| unique.number[v as usize])).collect(),
        radius: mesh.radius,
        cluster: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_keys_share_a_number_in_order_of_appearance() {
        let keys = [7, 3, 7, 9, 3, 0];
        let Numbered { number, first } = numbered(keys.len(), |i| [keys[i], 1]);
        assert_eq!(number, [0, 1, 0, 2, 1, 3]);
        assert_eq!(first, [0, 1, 3, 5]);
        assert!(numbered(0, |_| [0]).first.is_empty());
    }
}
