//! Fingerprints: the inputs of an asset, as 128 bits.
//!
//! Contents are compressed to a sixty-fourth by NH, the universal hash of UMAC (Black, Halevi,
//! Krawczyk, Krovetz, Rogaway 1999), and the rest goes through SipHash. The keys are random, so
//! that nobody can prepare two files with the same fingerprint: two contents collide with a
//! probability of 2⁻⁶⁴.

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher, RandomState};

/// Bytes that are compressed to one number of 16 bytes.
const BLOCK: usize = 1024;

/// Random keys; fingerprints of different keys are not comparable.
pub(crate) struct Keys {
    words: [u64; BLOCK / 8],
    states: [RandomState; 2],
}

impl Keys {
    /// Keys of their own.
    pub(crate) fn new() -> Keys {
        let random = RandomState::new();
        Keys {
            words: std::array::from_fn(|i| random.hash_one(i)),
            states: std::array::from_fn(|_| RandomState::new()),
        }
    }

    /// The fingerprint of nothing so far.
    pub(crate) fn fingerprint(&self) -> Fingerprint<'_> {
        let hashers = self.states.each_ref().map(BuildHasher::build_hasher);
        Fingerprint { words: &self.words, hashers }
    }

    /// NH of at most a block; missing bytes are zeros.
    fn compress(words: &[u64; BLOCK / 8], block: &[u8]) -> u128 {
        let word = |b: &[u8]| b.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        let product = |a: u64, b: u64, key: &[u64]| {
            u128::from(a.wrapping_add(key[0])) * u128::from(b.wrapping_add(key[1]))
        };

        // pairs of words
        let mut sum = 0u128;
        let (pairs, rest) = block.as_chunks::<16>();
        for (pair, key) in pairs.iter().zip(words.chunks_exact(2)) {
            let [a, b] =
                [u128::from_le_bytes(*pair) as u64, (u128::from_le_bytes(*pair) >> 64) as u64];
            sum = sum.wrapping_add(product(a, b, key));
        }

        // the last one, incomplete
        if !rest.is_empty() {
            let (a, b) = rest.split_at(rest.len().min(8));
            sum = sum.wrapping_add(product(word(a), word(b), &words[2 * pairs.len()..]));
        }
        sum
    }
}

/// A fingerprint in the making.
#[derive(Clone)]
pub(crate) struct Fingerprint<'k> {
    words: &'k [u64; BLOCK / 8],
    hashers: [DefaultHasher; 2],
}

impl Fingerprint<'_> {
    /// Adds a value.
    pub(crate) fn add(&mut self, value: impl Hash) {
        self.hashers.iter_mut().for_each(|hasher| value.hash(hasher));
    }

    /// Adds bytes and their number.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) {
        self.add(bytes.len());
        for block in bytes.chunks(BLOCK) {
            self.add(Keys::compress(self.words, block));
        }
    }

    /// Adds numbers, bit for bit, and how many there are.
    pub(crate) fn add_f64(&mut self, numbers: &[f64]) {
        self.add(numbers.len());
        numbers.iter().for_each(|x| self.add(x.to_bits()));
    }

    /// Adds numbers of single precision, bit for bit, and how many there are.
    pub(crate) fn add_f32(&mut self, numbers: &[f32]) {
        self.add(numbers.len());
        numbers.iter().for_each(|x| self.add(x.to_bits()));
    }

    /// The fingerprint of all that was added.
    pub(crate) fn finish(&self) -> [u64; 2] {
        self.hashers.each_ref().map(Hasher::finish)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(keys: &Keys, parts: &[&[u8]]) -> [u64; 2] {
        let mut f = keys.fingerprint();
        parts.iter().for_each(|part| f.add_bytes(part));
        f.finish()
    }

    #[test]
    fn every_byte_and_every_length_counts() {
        let keys = Keys::new();
        let content: Vec<u8> = (0..3000u32).map(|i| (i * 7) as u8).collect();
        let mut seen = std::collections::HashSet::new();
        for length in (0..=64).chain(1000..1060).chain([2048, 3000]) {
            assert!(seen.insert(of(&keys, &[&content[..length]])), "length {length}");
        }
        for at in [0, 1, 7, 8, 15, 16, 1023, 1024, 2047, 2048, 2999] {
            let mut other = content.clone();
            other[at] ^= 1;
            assert!(seen.insert(of(&keys, &[&other])), "byte {at}");
        }
        assert_eq!(of(&keys, &[&content]), of(&keys, &[&content]));
    }

    #[test]
    fn zeros_and_borders_count() {
        let keys = Keys::new();
        assert_ne!(of(&keys, &[&[0; 5]]), of(&keys, &[&[0; 6]]));
        assert_ne!(of(&keys, &[b"ab", b"c"]), of(&keys, &[b"a", b"bc"]));
        assert_ne!(of(&keys, &[b"a", b""]), of(&keys, &[b"", b"a"]));
    }
}
