/// A number that changes with any bit of any of the numbers, and with their order.
///
/// The multiplication is that of the hash of Fowler, Noll and Vo, a word at a time; the rotation
/// carries high bits down, which a multiplication alone never does.
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
