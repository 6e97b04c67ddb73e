//! Mutations of binary models at the positions of their values.

use sinew::Model;
use sinew::model::pod::Scalar;
use sinew_testkit::Random;

/// Positions of a model's fields in its file.
#[derive(Debug)]
pub struct Layout {
    /// Name, first byte and length of every nonempty array.
    fields: Vec<ArrayRange>,
    /// First byte and number of the sizes.
    sizes: (usize, usize),
}

/// Position of an array in a file.
#[derive(Clone, Copy, Debug)]
struct ArrayRange {
    start: usize,
    bytes: usize,
    scalar: Scalar,
}

impl Layout {
    /// The layout of the file that `to_binary` writes.
    pub fn new(m: &Model, file: &[u8]) -> Layout {
        let mut fields = Vec::new();
        let mut start = 0;
        m.for_each_field(|f| {
            if !f.bytes.is_empty() {
                fields.push(ArrayRange { start, bytes: f.bytes.len(), scalar: f.info.scalar });
            }
            start += f.bytes.len();
        });
        // the arrays are last, except for settings that MuJoCo does not have
        let mut plain = m.clone();
        plain.coulomb = Default::default();
        plain.geom_solreffriction.clear();
        let end = plain.to_binary().len().min(file.len());
        for place in &mut fields {
            place.start += end - start;
        }
        Layout { fields, sizes: (20, Model::SIZES.len()) }
    }
}

/// Mutates a binary model.
pub fn mutate(random: &mut Random, layout: &Layout, file: &mut Vec<u8>) {
    if file.is_empty() {
        return;
    }
    match random.below(24) {
        0 => {
            let at = random.below(file.len());
            file.truncate(at);
        }
        1 | 2 => {
            let at = random.below(file.len());
            file[at] ^= 1 << random.below(8);
        }
        3 => {
            let (first, count) = layout.sizes;
            let at = first + 8 * random.below(count);
            let mut old = [0; 8];
            old.copy_from_slice(&file[at..at + 8]);
            let new = integer(random, i64::from_le_bytes(old));
            file[at..at + 8].copy_from_slice(&new.to_le_bytes());
        }
        4 => {
            // options and visual settings
            let first = layout.sizes.0 + 8 * layout.sizes.1;
            let end = layout.fields.first().map_or(file.len(), |f| f.start);
            let at = first + 4 * random.below((end - first) / 4);
            let new = integer(random, 0) as i32;
            file[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
        _ => element(random, layout, file),
    }
}

/// Changes one value of an array; integers are more likely.
fn element(random: &mut Random, layout: &Layout, file: &mut [u8]) {
    let place = (0..4).find_map(|_| {
        let place = random.pick(&layout.fields);
        matches!(place.scalar, Scalar::I32 | Scalar::I64 | Scalar::U8).then_some(place)
    });
    let place = place.unwrap_or_else(|| random.pick(&layout.fields));
    let size = place.scalar.size();
    let count = place.bytes / size;
    let at = place.start + size * random.below(count);
    // another value of the same array is a plausible wrong value
    if random.below(4) == 0 {
        let from = place.start + size * random.below(count);
        file.copy_within(from..from + size, at);
        return;
    }
    change(random, place.scalar, &mut file[at..at + size]);
}

/// Changes the value in `old`.
pub fn change(random: &mut Random, scalar: Scalar, old: &mut [u8]) {
    match scalar {
        Scalar::F64 => {
            let new = float(random, f64::from_le_bytes(old.try_into().unwrap_or_default()));
            old.copy_from_slice(&new.to_le_bytes());
        }
        Scalar::F32 => {
            let new =
                float(random, f64::from(f32::from_le_bytes(old.try_into().unwrap_or_default())));
            old.copy_from_slice(&(new as f32).to_le_bytes());
        }
        Scalar::I32 => {
            let was = i32::from_le_bytes(old.try_into().unwrap_or_default());
            old.copy_from_slice(&(integer(random, i64::from(was)) as i32).to_le_bytes());
        }
        Scalar::I64 | Scalar::U64 => {
            let was = i64::from_le_bytes(old.try_into().unwrap_or_default());
            old.copy_from_slice(&integer(random, was).to_le_bytes());
        }
        Scalar::U8 | Scalar::Char => old[0] = integer(random, i64::from(old[0])) as u8,
    }
}

/// Another integer: near the old value, at the end of a range, or random.
fn integer(random: &mut Random, was: i64) -> i64 {
    match random.below(10) {
        0 => was.wrapping_add(1),
        1 => was.wrapping_sub(1),
        2 => -1,
        3 => 0,
        4 => random.below(16) as i64,
        5 => random.below(1000) as i64,
        6 => i64::from(i32::MAX),
        7 => i64::from(i32::MIN),
        8 => was.wrapping_mul(2),
        _ => random.bits() as i64,
    }
}

/// Another number: an extreme one, or a modified one.
fn float(random: &mut Random, was: f64) -> f64 {
    match random.below(10) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => -f64::INFINITY,
        3 => 0.0,
        4 => 1e308,
        5 => -was,
        6 => 1e-308,
        7 => was * 1e10,
        8 => was * 1e-10,
        _ => random.signed(),
    }
}
