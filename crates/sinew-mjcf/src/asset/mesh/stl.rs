//! Binary STL files.

use crate::asset::error::AssetError;
use crate::asset::mesh::data::RawMesh;

/// Bytes before the first triangle: a comment and the number of triangles.
const HEADER: usize = 84;
/// Bytes of a triangle: normal, three corners, an unused word.
const TRIANGLE: usize = 50;
/// Maximum number of triangles of a file.
const MAX_FACES: i32 = 200_000;

/// The triangles of a file; equal corners become one vertex, numbered by first appearance.
pub(crate) fn load(bytes: &[u8], path: &str, righthand: bool) -> Result<RawMesh, AssetError> {
    // header and sizes
    let fail = |text: &str| Err(AssetError::new(text.replace("{}", path)));
    if bytes.is_empty() {
        return fail("STL file '{}' is empty");
    }
    if bytes.len() < HEADER {
        return fail("invalid header in STL file '{}'");
    }
    let nface = i32::from_le_bytes([bytes[80], bytes[81], bytes[82], bytes[83]]);
    if !(1..=MAX_FACES).contains(&nface) {
        return fail(
            "number of faces should be between 1 and 200000 in STL file '{}'; perhaps this is an \
             ASCII file?",
        );
    }
    if nface as usize * TRIANGLE != bytes.len() - HEADER {
        return fail("STL file '{}' has wrong size; perhaps this is an ASCII file?");
    }

    // corners; a mirroring scale swaps the last two
    let limit = (1_u32 << 30) as f32;
    let mut vert = Vec::with_capacity(3 * nface as usize);
    let mut face = Vec::with_capacity(3 * nface as usize);
    for triangle in bytes[HEADER..].chunks_exact(TRIANGLE) {
        let first = vert.len() as i32;
        for corner in triangle[12..48].chunks_exact(12) {
            let at = |i: usize| {
                f32::from_le_bytes([corner[i], corner[i + 1], corner[i + 2], corner[i + 3]])
            };
            let point = [at(0), at(4), at(8)];
            if point.iter().any(|x| x.abs() > limit) {
                return fail("vertex in STL file '{}' exceed maximum bounds");
            }
            vert.push(point);
        }
        face.extend(if righthand {
            [first, first + 1, first + 2]
        } else {
            [first, first + 2, first + 1]
        });
    }

    let vert = merge_equal(vert, &mut face)?;
    let vert = vert.iter().map(|v| v.map(f64::from).into()).collect();
    Ok(RawMesh { vert, face, ..RawMesh::default() })
}

/// Keeps the first of equal points and renumbers the corners.
fn merge_equal(points: Vec<[f32; 3]>, face: &mut [i32]) -> Result<Vec<[f32; 3]>, AssetError> {
    // a hash table with open addressing
    let slots = (2 * points.len()).next_power_of_two();
    let mut table = vec![u32::MAX; slots];
    let mut kept: Vec<[f32; 3]> = Vec::with_capacity(points.len() / 3);
    let mut number = Vec::with_capacity(points.len());

    // number each point after the first one that equals it
    for (i, point) in points.iter().enumerate() {
        if point.iter().any(|x| !x.is_finite()) {
            return Err(AssetError::new(format!("vertex coordinate {} is not finite", 3 * i)));
        }
        let mut slot = hash(point) & (slots - 1);
        loop {
            let entry = table[slot];
            if entry == u32::MAX {
                table[slot] = kept.len() as u32;
                number.push(kept.len() as i32);
                kept.push(*point);
                break;
            }
            if kept[entry as usize] == *point {
                number.push(entry as i32);
                break;
            }
            slot = (slot + 1) & (slots - 1);
        }
    }

    // renumber the corners
    for corner in face {
        *corner = number[*corner as usize];
    }
    Ok(kept)
}

/// A hash that takes 0 and -0 for the same number, as comparison does.
fn hash(point: &[f32; 3]) -> usize {
    let mut h = 0_u64;
    for x in point {
        h = (h.rotate_left(5) ^ u64::from((x + 0.0).to_bits())).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (h >> 20) as usize
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn file(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = vec![0; 80];
        bytes.extend((triangles.len() as i32).to_le_bytes());
        for triangle in triangles {
            bytes.extend([0; 12]);
            triangle.iter().flatten().for_each(|x| bytes.extend(x.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    #[test]
    fn equal_corners_become_one_vertex() {
        let (a, b, c, d) = ([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-0.0, -0.0, 1.0]);
        let bytes = file(&[[a, b, c], [[-0.0; 3], c, d]]);
        let mesh = load(&bytes, "a.stl", true).unwrap();
        assert_eq!((mesh.vert.len(), mesh.face), (4, vec![0, 1, 2, 0, 2, 3]));
        let mirrored = load(&bytes, "a.stl", false).unwrap();
        assert_eq!(mirrored.face[..3], [0, 2, 1]);
    }

    #[test]
    fn bad_files_are_named() {
        let text = |bytes: &[u8]| load(bytes, "a.stl", true).unwrap_err().message;
        assert_eq!(text(&[]), "STL file 'a.stl' is empty");
        assert_eq!(text(&[0; 83]), "invalid header in STL file 'a.stl'");
        assert!(text(&[0; 84]).starts_with("number of faces should be between 1 and 200000"));
        let mut short = file(&[[[0.0; 3]; 3]]);
        short.pop();
        assert!(text(&short).starts_with("STL file 'a.stl' has wrong size"));
        assert_eq!(
            text(&file(&[[[2e9, 0.0, 0.0]; 3]])),
            "vertex in STL file 'a.stl' exceed maximum bounds"
        );
        assert_eq!(text(&file(&[[[f32::NAN, 0.0, 0.0]; 3]])), "vertex coordinate 0 is not finite");
    }
}
