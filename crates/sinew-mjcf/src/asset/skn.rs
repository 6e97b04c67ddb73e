//! SKN files: MuJoCo's binary format of skins.

use crate::asset::error::AssetError;

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Skn {
    /// Vertices when bound, flat.
    pub(crate) vert: Vec<f32>,
    /// Texture coordinates, flat.
    pub(crate) texcoord: Vec<f32>,
    /// Triangles, flat.
    pub(crate) face: Vec<i32>,
    /// Bones.
    pub(crate) bones: Vec<SknBone>,
}

/// A bone of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SknBone {
    pub(crate) body: String,
    pub(crate) bindpos: [f32; 3],
    pub(crate) bindquat: [f32; 4],
    pub(crate) vertid: Vec<i32>,
    pub(crate) vertweight: Vec<f32>,
}

/// Words of 4 bytes, one after the other.
struct Words<'b> {
    rest: &'b [u8],
}

impl Words<'_> {
    fn left(&self) -> usize {
        self.rest.len() / 4
    }

    /// The next `count` words, or an error.
    fn take<T>(&mut self, count: usize, read: fn([u8; 4]) -> T) -> Vec<T> {
        let (now, rest) = self.rest.split_at(4 * count);
        self.rest = rest;
        now.chunks_exact(4).map(|w| read([w[0], w[1], w[2], w[3]])).collect()
    }

    fn ints(&mut self, count: usize) -> Vec<i32> {
        self.take(count, i32::from_le_bytes)
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.take(count, f32::from_le_bytes)
    }
}

/// Words of a bone before its vertices: name, position, orientation, number of vertices.
const BONE_HEADER: usize = 18;
/// Bytes of a bone's name, with the zero at its end.
const NAME: usize = 40;

/// Reads a file; `path` is for messages.
#[doc(alias = "LoadSKN")]
pub(crate) fn load(bytes: &[u8], path: &str) -> Result<Skn, AssetError> {
    let wrong = |words: String| Err(AssetError::new(words));

    // the sizes in the header
    if bytes.is_empty() {
        return wrong(format!("SKN file '{path}' is empty"));
    }
    if bytes.len() < 16 {
        return wrong(format!("missing header in SKN file '{path}'"));
    }
    let mut words = Words { rest: bytes };
    let sizes = words.ints(4);
    let sizes: Vec<usize> = sizes.iter().filter_map(|&n| usize::try_from(n).ok()).collect();
    let [vert, texcoord, face, bones] = sizes[..] else {
        return wrong(format!("negative size in header of SKN file '{path}'"));
    };

    // vertices and faces
    if words.left() < 3 * vert + 2 * texcoord + 3 * face {
        return wrong(format!("insufficient data in SKN file '{path}'"));
    }
    let mut skin = Skn {
        vert: words.floats(3 * vert),
        texcoord: words.floats(2 * texcoord),
        face: words.ints(3 * face),
        bones: Vec::new(),
    };

    // bones: a name, a pose and weights of vertices
    for i in 0..bones {
        if words.left() < BONE_HEADER {
            return wrong(format!("insufficient data in SKN file '{path}', bone {i}"));
        }
        let name = &words.rest[..NAME - 1];
        let name = name.split(|b| *b == 0).next().unwrap_or(name);
        let body = String::from_utf8_lossy(name).into_owned();
        words.rest = &words.rest[NAME..];
        let pose = words.floats(7);
        let count = words.ints(1)[0];
        let Some(count) = usize::try_from(count).ok().filter(|n| *n > 0) else {
            return wrong(format!("vertex count must be positive in SKN file '{path}', bone {i}"));
        };
        if words.left() < 2 * count {
            return wrong(format!("insufficient vertex data in SKN file '{path}', bone {i}"));
        }
        skin.bones.push(SknBone {
            body,
            bindpos: [pose[0], pose[1], pose[2]],
            bindquat: [pose[3], pose[4], pose[5], pose[6]],
            vertid: words.ints(count),
            vertweight: words.floats(count),
        });
    }
    match words.rest.is_empty() {
        true => Ok(skin),
        false => wrong(format!("unexpected buffer size in SKN file '{path}'")),
    }
}
