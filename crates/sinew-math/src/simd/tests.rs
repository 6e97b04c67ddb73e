use super::*;

/// Inputs with rounding, infinities, NaN and both zeros; sixteen numbers.
const SAMPLES: [[f64; 16]; 3] = [
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0],
    [1.1, -2.3, 1e-17, 7.7, 0.1, 0.2, 0.3, -0.7, 3.3, -1e9, 1e-9, 5.5, 2.25, 1.0, 3.0, 9.9],
    [
        f64::NAN,
        1.0,
        f64::INFINITY,
        -0.0,
        2.0,
        f64::NAN,
        1.0,
        0.0,
        0.5,
        -0.5,
        f64::NEG_INFINITY,
        1e300,
        -3.0,
        4.0,
        f64::NAN,
        6.0,
    ],
];

/// All operations that never fuse, as bits.
#[inline(always)]
fn operations<L: Lane>(x: &[f64; 16]) -> Vec<u64> {
    let x = lanes(x);
    let [a, b, c, d] = [L::load(&x[0]), L::load(&x[1]), L::load(&x[2]), L::new(x[3])];
    let (below, most, least) = (a.less(b), a.at_most(b), a.at_least(b));
    let mut out: Vec<L> = vec![a + b, a - b, a * b, a / b, d.abs().sqrt(), a.larger(b)];
    out.extend([a.smaller(b), most.select(c, d), c.and(below), c.and_not(least)]);
    out.extend(L::split([a, b, c]));
    out.extend(L::join([a, b, c]));
    out.extend(L::transpose([a, b, c, d]));
    let sums = L::sums([a, b, c, d]);
    out.push(sums);
    let mut numbers: Vec<f64> = out.into_iter().flat_map(L::to_array).collect();
    numbers.extend([a.sum(), b.first(), c.larger(c).largest()]);
    numbers.extend([below, most, least].map(|mask| f64::from(mask.bits())));
    numbers.extend([below, most, least].map(|mask| f64::from(u8::from(mask.any()))));
    // the bits of a generated NaN depend on the processor
    numbers.into_iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
}

/// `add_mul`, `sub_mul` and `sub_mul_one`.
#[inline(always)]
fn products<L: Lane>(x: &[f64; 16]) -> Vec<f64> {
    let x = lanes(x);
    let [a, b, c] = [L::load(&x[0]), L::load(&x[1]), L::load(&x[2])];
    let mut out: Vec<f64> = [a.add_mul(b, c), a.sub_mul(b, c)].map(L::to_array).concat();
    out.push(L::sub_mul_one(x[0][0], x[1][0], x[2][0]));
    out
}

/// `count` triples, split and joined.
#[inline(always)]
fn triples<L: Lane>(x: &[f64; 16], count: usize) -> Vec<f64> {
    let parts = load3::<L>(&x[..3 * count], count);
    let mut back = vec![0.0; 3 * count];
    store3(parts, &mut back, count);
    let (mut some, four) = (vec![0.0; 4], L::load_some(x, count));
    four.store_some(&mut some, count);
    [parts.map(L::to_array).concat(), back, some].concat()
}

#[inline(always)]
fn comparisons<L: LaneF32>(x: &[f32; 8], y: &[f32; 8]) -> [u8; 2] {
    let (a, b) = (L::load(x), L::load(y));
    let near = ((a - b) * (a + b)).not_above(L::splat(1.0));
    [near.bits(), a.not_above(b).and(near).bits()]
}

dispatch! {
    fn operations_exact(x: &[f64; 16]) -> Vec<u64> = operations::<Exact>;
    fn operations_fused(x: &[f64; 16]) -> Vec<u64> = operations::<Fused>;
    fn products_exact(x: &[f64; 16]) -> Vec<f64> = products::<Exact>;
    fn products_fused(x: &[f64; 16]) -> Vec<f64> = products::<Fused>;
    fn triples_fused(x: &[f64; 16], count: usize) -> Vec<f64> = triples::<Fused>;
    fn comparisons_single(x: &[f32; 8], y: &[f32; 8]) -> [u8; 2] = comparisons::<Single>;
}

#[test]
fn every_register_has_the_bits_of_single_numbers() {
    for x in &SAMPLES {
        let expected = operations::<Portable>(x);
        assert_eq!(operations_exact(x), expected);
        assert_eq!(operations_fused(x), expected);
    }
}

#[test]
fn exact_products_round_twice_and_fused_ones_at_most_twice() {
    for x in &SAMPLES[..2] {
        let expected = products::<Portable>(x);
        assert_eq!(products_exact(x), expected);
        let fused = products_fused(x);
        let size = x.iter().fold(0.0, |size: f64, x| size.max(x.abs()));
        for (a, b) in fused.iter().zip(&expected) {
            assert!((a - b).abs() <= f64::EPSILON * size * size, "{a} {b}");
        }
    }
    let [a, b, c] = [0.1, 0.2, 0.3];
    assert_eq!(
        Portable::splat(a).add_mul(Portable::splat(b), Portable::splat(c)).first(),
        a + b * c
    );
    assert_eq!(Portable::new([1.0, 2.0, 4.0, 8.0]).sum(), 15.0);
}

#[test]
fn triples_come_apart_and_together() {
    for x in &SAMPLES[..2] {
        for count in 0..=4 {
            let out = triples_fused(x, count);
            assert_eq!(out, triples::<Portable>(x, count));
            for k in 0..3 * count {
                assert_eq!(out[k % 3 * 4 + k / 3], x[k]);
                assert_eq!(out[12 + k], x[k]);
            }
            assert_eq!(out[12 + 3 * count..][..count], x[..count]);
        }
    }
}

#[test]
fn rows_become_columns() {
    let x = &SAMPLES[0];
    let rows = [0, 1, 2, 3].map(|i| Portable::load(&lanes(x)[i]));
    let columns = Portable::transpose(rows).map(Portable::to_array).concat();
    assert!((0..16).all(|k| columns[k] == x[k % 4 * 4 + k / 4]));
}

#[test]
fn comparisons_of_single_precision_count_nan_as_not_above() {
    let x = [1.0, -2.0, f32::NAN, 4.0, 0.5, f32::INFINITY, -0.0, 7.0];
    let y = [0.5, 2.0, 3.0, f32::NAN, 0.5, 1.0, 0.0, f32::NEG_INFINITY];
    let found = comparisons_single(&x, &y);
    assert_eq!(found, comparisons::<PortableF32>(&x, &y));
    assert_eq!(found[1] & 0b1100, 0b1100, "NaN");
}
