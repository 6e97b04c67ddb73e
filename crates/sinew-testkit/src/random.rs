/// Pseudo-random numbers (SplitMix64), the same in every run and on every machine.
///
/// Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with a seed; neighbouring seeds give unrelated sequences.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1), a multiple of 2⁻⁵³.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number in [-1, 1), a multiple of 2⁻⁵².
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// A number in `[low, high)`.
    pub fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * self.unit()
    }

    /// `N` numbers in [-1, 1), for vectors and quaternions.
    pub fn array<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.signed())
    }

    /// `n` numbers in [-1, 1).
    pub fn vector(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.signed()).collect()
    }

    /// An integer below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        // the bias of the remainder is below n / 2^64
        (self.bits() % n.max(1) as u64) as usize
    }

    /// A random item.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// True once in `n` times on average.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_equals_the_reference() {
        // the first numbers of seed 1234567 from the authors' program
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
        assert_eq!(random.bits(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn numbers_stay_in_their_ranges_and_fill_them() {
        let mut random = Random::new(1);
        let (mut low, mut high, mut sum) = (1.0_f64, -1.0_f64, 0.0);
        for _ in 0..10_000 {
            let x = random.signed();
            (low, high, sum) = (low.min(x), high.max(x), sum + x);
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((3.0..4.0).contains(&random.between([3.0, 4.0])));
            assert!(random.below(7) < 7);
        }
        assert!((-1.0..-0.99).contains(&low) && (0.99..1.0).contains(&high));
        // the standard deviation of the mean is 0.0058
        assert!((sum / 10_000.0).abs() < 0.03);
        assert_eq!(random.below(0), 0);
    }
}
