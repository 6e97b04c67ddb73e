/// Hash of numbers, sensitive to every bit and to their order.
///
/// The multiplication is FNV-1a's, a word at a time. The rotation moves high bits down, which
/// multiplication alone does not.
pub fn hash<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> u64 {
    numbers.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, x| {
        (hash ^ x.to_bits()).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_the_order_matter() {
        let numbers = [1.0, 2.0, -0.0];
        assert_ne!(hash(&numbers), hash(&[1.0, 2.0, 0.0]));
        assert_ne!(hash(&numbers), hash(&[2.0, 1.0, -0.0]));
        assert_ne!(hash(&numbers), hash(&[1.0, 2.0_f64.next_up(), -0.0]));
        assert_eq!(hash(&numbers), hash(&[1.0, 2.0, -0.0]));
    }
}
