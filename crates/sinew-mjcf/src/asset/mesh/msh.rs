//! MuJoCo's legacy binary meshes: counts, vertices, normals, texture coordinates, faces.

use crate::asset::error::AssetError;
use crate::asset::mesh::data::{RawMesh, points};

/// Bytes of the four counts.
const HEADER: usize = 16;

/// The content of a file.
pub(crate) fn load(bytes: &[u8], path: &str, righthand: bool) -> Result<RawMesh, AssetError> {
    // counts
    let fail = |text: &str| Err(AssetError::new(text.replace("{}", path)));
    if bytes.is_empty() {
        return fail("MSH file '{}' is empty");
    }
    if bytes.len() < HEADER {
        return fail("missing header in MSH file '{}'");
    }
    let mut words = bytes.chunks_exact(4).map(|b| [b[0], b[1], b[2], b[3]]);
    let mut count = || words.next().map_or(0, i32::from_le_bytes);
    let (nvert, nnormal, ntexcoord, nface) = (count(), count(), count(), count());
    if nvert < 4
        || nface < 0
        || nnormal < 0
        || ntexcoord < 0
        || (nnormal > 0 && nnormal != nvert)
        || (ntexcoord > 0 && ntexcoord != nvert)
    {
        return fail("invalid sizes in MSH file '{}'");
    }
    let limit = |width: i32| i32::MAX / 4 / width;
    if nvert >= limit(3) || nnormal >= limit(3) || ntexcoord >= limit(2) || nface >= limit(3) {
        return fail("too large sizes in MSH file '{}'.");
    }
    let [nvert, nnormal, ntexcoord, nface] = [nvert, nnormal, ntexcoord, nface].map(|n| n as usize);
    if bytes.len() != HEADER + 4 * (3 * nvert + 3 * nnormal + 2 * ntexcoord + 3 * nface) {
        return fail("unexpected file size in MSH file '{}'");
    }

    // data
    let mut floats =
        |n: usize| -> Vec<f32> { words.by_ref().take(n).map(f32::from_le_bytes).collect() };
    let vert = floats(3 * nvert);
    let normal = floats(3 * nnormal);
    let texcoord = floats(2 * ntexcoord);
    let mut face: Vec<i32> = words.map(i32::from_le_bytes).collect();
    let facenormal = face.clone();
    let facetexcoord = if texcoord.is_empty() { Vec::new() } else { face.clone() };

    // a mirroring scale turns the triangles around
    if !righthand {
        for corners in face.chunks_exact_mut(3) {
            corners.swap(1, 2);
        }
    }
    let vert = points(&vert)?;
    Ok(RawMesh { vert, normal, texcoord, face, facenormal, facetexcoord })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn file(counts: [i32; 4], floats: usize, faces: &[i32]) -> Vec<u8> {
        let mut bytes: Vec<u8> = counts.iter().flat_map(|n| n.to_le_bytes()).collect();
        (0..floats).for_each(|i| bytes.extend((i as f32).to_le_bytes()));
        faces.iter().for_each(|i| bytes.extend(i.to_le_bytes()));
        bytes
    }

    #[test]
    fn reads_all_parts() {
        let mesh = load(&file([4, 4, 4, 1], 32, &[0, 1, 2]), "a.msh", false).unwrap();
        assert_eq!((mesh.vert.len(), mesh.normal.len(), mesh.texcoord.len()), (4, 12, 8));
        assert_eq!(mesh.normal[0], 12.0);
        assert_eq!((mesh.face, mesh.facenormal), (vec![0, 2, 1], vec![0, 1, 2]));
    }

    #[test]
    fn bad_files_are_named() {
        let text = |bytes: &[u8]| load(bytes, "a.msh", true).unwrap_err().message;
        assert_eq!(text(&[]), "MSH file 'a.msh' is empty");
        assert_eq!(text(&[0; 8]), "missing header in MSH file 'a.msh'");
        assert_eq!(text(&file([3, 0, 0, 0], 9, &[])), "invalid sizes in MSH file 'a.msh'");
        assert_eq!(
            text(&file([i32::MAX, 0, 0, 0], 0, &[])),
            "too large sizes in MSH file 'a.msh'."
        );
        assert_eq!(text(&file([4, 0, 0, 0], 11, &[])), "unexpected file size in MSH file 'a.msh'");
    }
}
