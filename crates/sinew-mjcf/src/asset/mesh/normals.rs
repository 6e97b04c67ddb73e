//! Vertex normals of meshes that come without.

use sinew_math::Vec3;

/// Lengths below this are taken for zero (`mjEPS`, on the square).
const EPS: f64 = 1e-14;

/// Normals of the vertices: means of the faces' normals weighted by area. Unless `smooth`, faces
/// at a large angle to the mean are taken out again, so that edges stay sharp.
#[doc(alias = "MakeNormal")]
pub(crate) fn vertex_normals(vert: &[Vec3], face: &[i32], smooth: bool) -> Vec<f32> {
    let weighted: Vec<(Vec3, f64)> = face.chunks_exact(3).map(|f| face_normal(vert, f)).collect();

    // sums are in single precision, each term in double
    let mut normal = vec![[0.0_f32; 3]; vert.len()];
    for (corners, (n, area)) in face.chunks_exact(3).zip(&weighted) {
        for &corner in corners {
            add(&mut normal[corner as usize], *n, *area);
        }
    }
    if !smooth {
        let mut remove = vec![[0.0_f32; 3]; vert.len()];
        for (corners, (n, area)) in face.chunks_exact(3).zip(&weighted) {
            for &corner in corners {
                let mean: Vec3 = normal[corner as usize].map(f64::from).into();
                if n.dot(normalized(mean).0) < 0.8 {
                    add(&mut remove[corner as usize], *n, *area);
                }
            }
        }
        for (n, r) in normal.iter_mut().zip(&remove) {
            for k in 0..3 {
                n[k] -= r[k];
            }
        }
    }
    for n in &mut normal {
        let len = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(len) > sinew_math::MINVAL { n.map(|x| x / len) } else { [0.0, 0.0, 1.0] };
    }
    normal.concat()
}

/// Unit normal of a triangle and twice its area; both stay as they are if the area vanishes.
fn face_normal(vert: &[Vec3], corners: &[i32]) -> (Vec3, f64) {
    let at = |k: usize| vert[corners[k] as usize];
    normalized((at(1) - at(0)).cross(at(2) - at(0)))
}

/// The unit vector and the former length; a vanishing vector is kept, with length 0.
fn normalized(v: Vec3) -> (Vec3, f64) {
    let square = v.dot(v);
    if square < EPS {
        return (v, 0.0);
    }
    let norm = square.sqrt();
    if (norm - 1.0).abs() > EPS {
        (Vec3::new(v.x / norm, v.y / norm, v.z / norm), norm)
    } else {
        (v, norm)
    }
}

fn add(sum: &mut [f32; 3], n: Vec3, area: f64) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + n[k] * area) as f32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharp_edges_stay_sharp_unless_smooth() {
        let vert: Vec<Vec3> =
            [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from).to_vec();
        let face = [0, 2, 1, 0, 1, 3];
        let smooth = vertex_normals(&vert, &face, true);
        let half = 0.5_f32.sqrt();
        assert!((smooth[1] + half).abs() < 1e-6 && (smooth[2] + half).abs() < 1e-6);
        // both faces are 45 degrees off the mean: nothing is left, so the default is +z
        assert_eq!(vertex_normals(&vert, &face, false)[..3], [0.0, 0.0, 1.0]);
    }
}
