//! Memory for the surfaces of flexes and skins.

use sinew_model::Model;

use crate::span::span;

/// Vertices, edges and triangles of all flexes, in the layout of MuJoCo's `mjvScene`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexScene {
    /// First edge of every flex.
    pub flexedgeadr: Vec<i32>,
    /// Number of edges of every flex.
    pub flexedgenum: Vec<i32>,
    /// First vertex of every flex.
    pub flexvertadr: Vec<i32>,
    /// Number of vertices of every flex.
    pub flexvertnum: Vec<i32>,
    /// First triangle of every flex.
    pub flexfaceadr: Vec<i32>,
    /// Capacity for triangles of every flex.
    pub flexfacenum: Vec<i32>,
    /// Number of triangles of every flex in use.
    pub flexfaceused: Vec<i32>,
    /// The vertices of every edge.
    pub flexedge: Vec<[i32; 2]>,
    /// Positions of the vertices.
    pub flexvert: Vec<[f32; 3]>,
    /// Corners of the triangles.
    pub flexface: Vec<[[f32; 3]; 3]>,
    /// Normals at the corners.
    pub flexnormal: Vec<[[f32; 3]; 3]>,
    /// Texture coordinates at the corners.
    pub flextexcoord: Vec<[[f32; 2]; 3]>,
    /// Whether vertices, edges, faces and skin are shown.
    pub options: [bool; 4],
}

impl FlexScene {
    /// Memory for the flexes of a model.
    pub(crate) fn new(m: &Model) -> FlexScene {
        // triangles of each flex, in consecutive ranges
        let facenum: Vec<i32> = (0..m.nflex).map(|f| most_faces(m, f)).collect();
        let faceadr = facenum
            .iter()
            .scan(0, |sum, &num| {
                *sum += num;
                Some(*sum - num)
            })
            .collect();
        let nface = facenum.iter().sum::<i32>().max(0) as usize;
        let shown = m.nflex > 0;
        FlexScene {
            flexedgeadr: m.flex_edgeadr.to_vec(),
            flexedgenum: m.flex_edgenum.to_vec(),
            flexvertadr: m.flex_vertadr.to_vec(),
            flexvertnum: m.flex_vertnum.to_vec(),
            flexfaceadr: faceadr,
            flexfaceused: vec![0; m.nflex],
            flexfacenum: facenum,
            flexedge: if shown { m.flex_edge.to_vec() } else { Vec::new() },
            flexvert: vec![[0.0; 3]; if shown { m.nflexvert } else { 0 }],
            flexface: vec![[[0.0; 3]; 3]; nface],
            flexnormal: vec![[[0.0; 3]; 3]; nface],
            flextexcoord: vec![[[0.0; 2]; 3]; nface],
            options: [false; 4],
        }
    }
}

/// Maximum number of triangles of a flex under any visual options.
fn most_faces(m: &Model, f: usize) -> i32 {
    match m.flex_dim[f] {
        0 => 0,
        2 => 2 * m.flex_shellnum[f] + 2 * m.flex_elemnum[f],
        _ => {
            let layers = span(&m.flex_elemlayer, m.flex_elemadr[f], m.flex_elemnum[f]);
            let count = |layer: i32| layers.iter().filter(|&&l| l == layer).count() as i32;
            let largest = (0..).map(count).take_while(|&n| n > 0).max().unwrap_or(0);
            m.flex_shellnum[f].max(4 * largest)
        }
    }
}

/// Vertices of all skins, in the layout of MuJoCo's `mjvScene`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinScene {
    /// Number of triangles of every skin.
    pub skinfacenum: Vec<i32>,
    /// First vertex of every skin.
    pub skinvertadr: Vec<i32>,
    /// Number of vertices of every skin.
    pub skinvertnum: Vec<i32>,
    /// Positions of the vertices.
    pub skinvert: Vec<[f32; 3]>,
    /// Normals at the vertices.
    pub skinnormal: Vec<[f32; 3]>,
}

impl SkinScene {
    /// Memory for the skins of a model.
    pub(crate) fn new(m: &Model) -> SkinScene {
        SkinScene {
            skinfacenum: m.skin_facenum.to_vec(),
            skinvertadr: m.skin_vertadr.to_vec(),
            skinvertnum: m.skin_vertnum.to_vec(),
            skinvert: vec![[0.0; 3]; m.nskinvert],
            skinnormal: vec![[0.0; 3]; m.nskinvert],
        }
    }
}
