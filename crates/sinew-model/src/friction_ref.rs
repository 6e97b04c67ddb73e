//! Friction reference parameters of geoms, which MuJoCo has for explicit pairs only.
//!
//! A model whose geoms have none has the same arrays and bytes as MuJoCo's.

use crate::{GeomId, Model};

/// First bytes of the parameters in a binary file.
const MAGIC: [u8; 8] = *b"SINEWSF1";

impl Model {
    /// Friction reference parameters of a geom; zeros mean `solref`.
    #[inline]
    pub fn solreffriction(&self, g: GeomId) -> [f64; 2] {
        self.geom_solreffriction.get(g.idx()).copied().unwrap_or_default()
    }
}

/// Combined friction reference parameters of two geoms; the first has the weight `mix`. If only one
/// geom has parameters, they are used. Time constants are averaged, and of stiffness and damping
/// the larger is used, as for `solref`.
pub fn mix_solreffriction(a: [f64; 2], b: [f64; 2], mix: f64) -> [f64; 2] {
    if a == [0.0; 2] {
        return b;
    }
    if b == [0.0; 2] {
        return a;
    }
    let standard = a[0] > 0.0 && b[0] > 0.0;
    core::array::from_fn(|i| match standard {
        true => mix * a[i] + (1.0 - mix) * b[i],
        false if a[i] < b[i] => a[i],
        false => b[i],
    })
}

/// Appends the parameters of all geoms to the bytes of a model.
pub(crate) fn append(geoms: &[[f64; 2]], out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&(geoms.len() as u64).to_le_bytes());
    out.extend(geoms.as_flattened().iter().flat_map(|x| x.to_le_bytes()));
}

/// Reads the output of `append`, and returns the remaining bytes; `None` for other input.
pub(crate) fn read(bytes: &[u8]) -> Option<(Vec<[f64; 2]>, &[u8])> {
    let (count, rest) = bytes.strip_prefix(&MAGIC)?.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(16)?;
    let (table, rest) = rest.split_at_checked(length)?;
    let numbers = table.as_chunks::<8>().0.iter().map(|x| f64::from_le_bytes(*x));
    let numbers: Vec<f64> = numbers.collect();
    Some((numbers.as_chunks::<2>().0.to_vec(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_takes_one_of_two_or_a_mixture() {
        let (none, soft, hard) = ([0.0; 2], [0.05, 1.0], [0.01, 2.0]);
        assert_eq!(mix_solreffriction(none, none, 0.5), none);
        assert_eq!(mix_solreffriction(soft, none, 0.1), soft);
        assert_eq!(mix_solreffriction(none, soft, 0.9), soft);
        assert_eq!(mix_solreffriction(soft, hard, 0.25), [0.02, 1.75]);
        assert_eq!(mix_solreffriction([-100.0, -10.0], soft, 0.5), [-100.0, -10.0]);
        assert_eq!(mix_solreffriction([-100.0, -10.0], [-50.0, -20.0], 0.5), [-100.0, -20.0]);
    }

    #[test]
    fn bytes_that_are_something_else_are_ignored() {
        let mut bytes = Vec::new();
        append(&[[1.0, 2.0], [3.0, 4.0]], &mut bytes);
        bytes.push(7);
        assert_eq!(read(&bytes), Some((vec![[1.0, 2.0], [3.0, 4.0]], &[7][..])));
        for end in 0..bytes.len() - 1 {
            assert_eq!(read(&bytes[..end]), None);
        }
        bytes[8..16].fill(255);
        assert_eq!(read(&bytes), None);
    }
}
