//! Wavefront OBJ files.
//!
//! Only MuJoCo's subset of a file is read: all vertices, normals and texture coordinates, and the
//! faces of the first group or object with faces. Polygons are cut into triangles by clipping ears
//! in the plane of two axes, as in MuJoCo's loader (tinyobjloader 2.0 rc). Numbers are read digit
//! by digit, as there, so that they round the same way.

use crate::asset::error::AssetError;
use crate::asset::mesh::data::{RawMesh, points};

/// One corner of a face: vertex, normal, texture coordinate; -1 where not given.
#[derive(Clone, Copy, Debug)]
struct Corner {
    vert: i32,
    normal: i32,
    texcoord: i32,
}

/// The content of a file.
pub(crate) fn load(bytes: &[u8], path: &str, righthand: bool) -> Result<RawMesh, AssetError> {
    let mut parser = Parser::new();
    if parser.run(bytes).is_none() {
        return Err(AssetError::new(format!("could not parse OBJ file '{path}'")));
    }
    let Parser { vert, normal, mut texcoord, first, .. } = parser;

    // corners; a mirroring scale turns the triangles around
    let mut corners = first.unwrap_or_default();
    if !righthand {
        for triangle in corners.chunks_exact_mut(3) {
            triangle.swap(1, 2);
        }
    }
    let face = corners.iter().map(|c| c.vert).collect();
    let pick = |given: bool, field: fn(&Corner) -> i32| -> Vec<i32> {
        if given { corners.iter().map(field).collect() } else { Vec::new() }
    };
    let facenormal = pick(!normal.is_empty(), |c| c.normal);
    let facetexcoord = pick(!texcoord.is_empty(), |c| c.texcoord);

    // OBJ measures the second texture coordinate upwards
    for uv in texcoord.chunks_exact_mut(2) {
        uv[1] = 1.0 - uv[1];
    }
    let vert = points(&vert)?;
    Ok(RawMesh { vert, normal, texcoord, face, facenormal, facetexcoord })
}

struct Parser {
    vert: Vec<f32>,
    normal: Vec<f32>,
    texcoord: Vec<f32>,
    /// Triangles of the group being read.
    triangles: Vec<Corner>,
    /// Faces of the group being read that are not cut into triangles yet: end of each in `corners`.
    pending: Vec<usize>,
    corners: Vec<Corner>,
    /// Whether the group has lines or points.
    other: bool,
    /// Triangles of the first group with content.
    first: Option<Vec<Corner>>,
    /// Powers 10^-k.
    tenth: Vec<f64>,
}

impl Parser {
    fn new() -> Self {
        Parser {
            vert: Vec::new(),
            normal: Vec::new(),
            texcoord: Vec::new(),
            triangles: Vec::new(),
            pending: Vec::new(),
            corners: Vec::new(),
            other: false,
            first: None,
            tenth: (0..64).map(|k| if k < 8 { LUT[k] } else { power(10.0, -(k as i32)) }).collect(),
        }
    }

    /// Reads all lines; `None` if a face cannot be read.
    fn run(&mut self, bytes: &[u8]) -> Option<()> {
        for line in bytes.split(|&b| b == b'\n' || b == b'\r') {
            // text ends at a zero byte, as in C
            let line = line.split(|&b| b == 0).next().unwrap_or_default();
            let line = skip(line);
            let space = |i: usize| matches!(line.get(i), Some(b' ' | b'\t'));
            match line {
                [b'v', ..] if space(1) => self.numbers(&line[2..], 3, |p| &mut p.vert),
                [b'v', b'n', ..] if space(2) => self.numbers(&line[3..], 3, |p| &mut p.normal),
                [b'v', b't', ..] if space(2) => self.numbers(&line[3..], 2, |p| &mut p.texcoord),
                [b'f', ..] if space(1) => self.face(skip(&line[2..]))?,
                [b'l' | b'p', ..] if space(1) => self.line_or_points(&line[2..])?,
                [b'g', ..] if space(1) => self.flush(false),
                [b'o', ..] if space(1) => self.flush(true),
                _ => {}
            }
        }
        self.flush(true);
        Some(())
    }

    /// Appends `n` numbers; unreadable ones are 0.
    fn numbers(&mut self, mut text: &[u8], n: usize, list: fn(&mut Parser) -> &mut Vec<f32>) {
        for _ in 0..n {
            let (word, rest) = word(text);
            let value = self.number(word).unwrap_or(0.0) as f32;
            list(self).push(value);
            text = rest;
        }
    }

    /// Appends a face of three corners or more.
    fn face(&mut self, text: &[u8]) -> Option<()> {
        let start = self.corners.len();
        self.read_corners(text)?;
        if self.corners.len() - start < 3 {
            // remembered as a face, but without triangles
            self.corners.truncate(start);
        }
        self.pending.push(self.corners.len());
        Some(())
    }

    fn line_or_points(&mut self, text: &[u8]) -> Option<()> {
        let start = self.corners.len();
        self.read_corners(text)?;
        self.corners.truncate(start);
        self.other = true;
        Some(())
    }

    /// Appends the corners `v`, `v/t`, `v//n` or `v/t/n` to the end of the line.
    fn read_corners(&mut self, mut text: &[u8]) -> Option<()> {
        let nvert = (self.vert.len() / 3) as i32;
        let nnormal = (self.normal.len() / 3) as i32;
        let ntexcoord = (self.texcoord.len() / 2) as i32;
        while !text.is_empty() {
            let mut corner = Corner { vert: index(text, nvert)?, normal: -1, texcoord: -1 };
            text = to_separator(text);
            if let [b'/', b'/', rest @ ..] = text {
                corner.normal = index(rest, nnormal)?;
                text = to_separator(rest);
            } else if let [b'/', rest @ ..] = text {
                corner.texcoord = index(rest, ntexcoord)?;
                text = to_separator(rest);
                if let [b'/', rest @ ..] = text {
                    corner.normal = index(rest, nnormal)?;
                    text = to_separator(rest);
                }
            }
            self.corners.push(corner);
            text = skip(text);
        }
        Some(())
    }

    /// Ends a group. A group with lines or points counts as content at an object's end only.
    fn flush(&mut self, object: bool) {
        let content = !self.pending.is_empty() || self.other;
        if self.first.is_none() && content {
            let mut start = 0;
            for end in core::mem::take(&mut self.pending) {
                let mut polygon = self.corners[start..end].to_vec();
                triangulate(&mut polygon, &self.vert, &mut self.triangles);
                start = end;
            }
            if !self.triangles.is_empty() || (object && self.other) {
                self.first = Some(core::mem::take(&mut self.triangles));
            }
        }
        self.triangles.clear();
        self.pending.clear();
        self.corners.clear();
        self.other = false;
    }

    /// A decimal number from the start of a word.
    fn number(&self, word: &[u8]) -> Option<f64> {
        let (negative, mut at) = match word.first()? {
            b'-' => (true, 1),
            b'+' => (false, 1),
            b'0'..=b'9' | b'.' => (false, 0),
            _ => return None,
        };
        let digit = |at: usize| word.get(at).filter(|b| b.is_ascii_digit()).map(|b| b - b'0');

        // digits before and after the point
        let mut mantissa = 0.0;
        if word.get(at) != Some(&b'.') {
            digit(at)?;
            while let Some(d) = digit(at) {
                mantissa = mantissa * 10.0 + f64::from(d);
                at += 1;
            }
        }
        if word.get(at) == Some(&b'.') {
            at += 1;
            let mut place = 1;
            while let Some(d) = digit(at) {
                let unit = self.tenth.get(place).copied();
                mantissa += f64::from(d) * unit.unwrap_or_else(|| power(10.0, -(place as i32)));
                place += 1;
                at += 1;
            }
        }

        // exponent
        let mut exponent = 0_i32;
        if matches!(word.get(at), Some(b'e' | b'E')) {
            at += 1;
            let mut down = false;
            if let Some(sign @ (b'+' | b'-')) = word.get(at) {
                down = *sign == b'-';
                at += 1;
            }
            digit(at)?;
            while let Some(d) = digit(at) {
                exponent = exponent.saturating_mul(10).saturating_add(i32::from(d));
                at += 1;
            }
            exponent = exponent.min(4000);
            if down {
                exponent = -exponent;
            }
        }
        let value = if exponent == 0 {
            mantissa
        } else {
            scale_by_two(mantissa * power(5.0, exponent), exponent)
        };
        Some(if negative { -value } else { value })
    }
}

/// 10^-k for the first few k, as the reference loader rounds them.
const LUT: [f64; 8] = [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001, 0.0000001];

fn power(base: f64, exponent: i32) -> f64 {
    sinew_math::scalar::pow(base, f64::from(exponent))
}

/// x 2^n, in steps that overflow or vanish only if the result does.
fn scale_by_two(mut x: f64, mut n: i32) -> f64 {
    while n != 0 {
        let step = n.clamp(-1000, 1000);
        x *= power(2.0, step);
        n -= step;
    }
    x
}

/// The text after leading blanks.
fn skip(text: &[u8]) -> &[u8] {
    let n = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    &text[n..]
}

/// The next word and the text after it.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = skip(text);
    text.split_at(text.iter().take_while(|b| !matches!(b, b' ' | b'\t')).count())
}

/// The text from the next slash or blank.
fn to_separator(text: &[u8]) -> &[u8] {
    let n = text.iter().take_while(|b| !matches!(b, b'/' | b' ' | b'\t')).count();
    &text[n..]
}

/// A one-based or, if negative, relative index at the start of the text; `None` if it is zero or
/// not a number.
fn index(text: &[u8], count: i32) -> Option<i32> {
    let text = skip(text);
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let value = digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0_i32, |n, b| n.saturating_mul(10).saturating_add(i32::from(b - b'0')));
    match value {
        0 => None,
        n if negative => Some(count.saturating_sub(n)),
        n => Some(n - 1),
    }
}

/// Cuts a polygon into triangles by clipping ears.
fn triangulate(polygon: &mut Vec<Corner>, vert: &[f32], out: &mut Vec<Corner>) {
    if polygon.len() < 3 {
        return;
    }
    if polygon.len() == 3 {
        out.extend_from_slice(polygon);
        return;
    }
    let axes = plane_axes(polygon, vert);
    let flat = |c: &Corner| -> Option<[f32; 2]> {
        let at = usize::try_from(c.vert).ok()? * 3;
        Some([*vert.get(at + axes[0])?, *vert.get(at + axes[1])?])
    };
    let area = signed_area(polygon, flat);

    let (mut guess, mut tries, mut before) = (0, polygon.len(), polygon.len());
    while polygon.len() > 3 && tries > 0 {
        let n = polygon.len();
        if guess >= n {
            guess -= n;
        }
        if before == n {
            tries -= 1;
        } else {
            (before, tries) = (n, n);
        }

        // an ear is convex and contains no other corner
        let ear = [0, 1, 2].map(|k| polygon[(guess + k) % n]);
        let p = ear.map(|c| flat(&c).unwrap_or_default());
        let cross =
            (p[1][0] - p[0][0]) * (p[2][1] - p[1][1]) - (p[1][1] - p[0][1]) * (p[2][0] - p[1][0]);
        let others = (3..n).filter_map(|k| flat(&polygon[(guess + k) % n]));
        if cross * area < 0.0 || others.into_iter().any(|q| contains(&p, q)) {
            guess += 1;
            continue;
        }
        out.extend(ear);
        polygon.remove((guess + 1) % n);
    }
    if polygon.len() == 3 {
        out.extend_from_slice(polygon);
    }
}

/// The two axes onto which the first proper corner of a polygon projects best.
fn plane_axes(polygon: &[Corner], vert: &[f32]) -> [usize; 2] {
    let n = polygon.len();
    let point = |k: usize| -> Option<[f32; 3]> {
        let at = usize::try_from(polygon[k % n].vert).ok()? * 3;
        vert.get(at..at + 3)?.try_into().ok()
    };
    for k in 0..n {
        let (Some(a), Some(b), Some(c)) = (point(k), point(k + 1), point(k + 2)) else { continue };
        let (e, f) = ([0, 1, 2].map(|i| b[i] - a[i]), [0, 1, 2].map(|i| c[i] - b[i]));
        let cx = (e[1] * f[2] - e[2] * f[1]).abs();
        let cy = (e[2] * f[0] - e[0] * f[2]).abs();
        let cz = (e[0] * f[1] - e[1] * f[0]).abs();
        if cx > f32::EPSILON || cy > f32::EPSILON || cz > f32::EPSILON {
            return if cx > cy && cx > cz {
                [1, 2]
            } else if cz > cx && cz > cy {
                [0, 1]
            } else {
                [0, 2]
            };
        }
    }
    [1, 2]
}

fn signed_area(polygon: &[Corner], flat: impl Fn(&Corner) -> Option<[f32; 2]>) -> f32 {
    let n = polygon.len();
    let mut area = 0.0;
    for k in 0..n {
        if let (Some(a), Some(b)) = (flat(&polygon[k]), flat(&polygon[(k + 1) % n])) {
            area += (a[0] * b[1] - a[1] * b[0]) * 0.5;
        }
    }
    area
}

/// Whether a triangle contains a point, by the parity of crossings.
fn contains(p: &[[f32; 2]; 3], q: [f32; 2]) -> bool {
    let mut inside = false;
    for (a, b) in [(p[0], p[2]), (p[1], p[0]), (p[2], p[1])] {
        if (a[1] > q[1]) != (b[1] > q[1])
            && q[0] < (b[0] - a[0]) * (q[1] - a[1]) / (b[1] - a[1]) + a[0]
        {
            inside = !inside;
        }
    }
    inside
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const VERTS: &str = "v 0 0 0\nv 2 0 0\nv 2.2 1 0\nv 0 1.5 0\nv 0.5 0.5 1\n";
    const SIDES: &str = "\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

    fn faces(text: &str) -> Vec<i32> {
        load(text.as_bytes(), "a.obj", true).unwrap().face
    }

    #[test]
    fn quads_and_polygons_are_cut_as_mujoco_cuts_them() {
        // mesh_face of MuJoCo 3.5.0 for the same text
        let quad = faces(&format!("{VERTS}f 4 3 2 1{SIDES}"));
        assert_eq!(quad[..6], [3, 2, 1, 3, 1, 0]);
        let five = "v 0 0 0\nv 2 0 0\nv 2.5 1 0\nv 1 2 0\nv -.5 1 0\nf 4 3 2 1 5\n";
        assert_eq!(faces(five), [3, 2, 1, 3, 1, 0, 3, 0, 4]);
    }

    #[test]
    fn only_the_first_group_counts() {
        let one = faces(&format!("{VERTS}f 1 4 3 2{SIDES}o second\nf 1 2 3\n"));
        assert_eq!(one.len(), 18);
        let material = faces(&format!("{VERTS}f 1 4 3 2{SIDES}usemtl second\nf 1 2 3\n"));
        assert_eq!(material.len(), 21);
        let lines = faces(&format!("o x\nl 1 2\no y\n{VERTS}f 1 4 3 2{SIDES}"));
        assert!(lines.is_empty());
    }

    #[test]
    fn indices_may_be_relative_but_not_zero() {
        assert_eq!(faces(&format!("{VERTS}f 1 -2 -3\n")), [0, 3, 2]);
        let zero = load(format!("{VERTS}f 1 4 0\n").as_bytes(), "a.obj", true);
        assert_eq!(zero.unwrap_err().message, "could not parse OBJ file 'a.obj'");
    }

    #[test]
    fn normals_and_texture_coordinates_keep_their_own_indices() {
        let text = format!("{VERTS}vt 0.25 0.75\nvn 0 0 1\nvn 1 0 0\nf 1/1/2 2/1/1 3//1\n");
        let mesh = load(text.as_bytes(), "a.obj", true).unwrap();
        assert_eq!((mesh.facenormal, mesh.facetexcoord), (vec![1, 0, 0], vec![0, 0, -1]));
        assert_eq!(mesh.texcoord, [0.25, 0.25]);
    }

    #[test]
    fn numbers_are_read_leniently() {
        let parser = Parser::new();
        let number = |text: &str| parser.number(text.as_bytes());
        assert_eq!(number("-1.5e2"), Some(-150.0));
        assert_eq!(number(".5"), Some(0.5));
        assert_eq!(number("1.25x"), Some(1.25));
        assert_eq!(number("1e"), None);
        assert_eq!(number("nan"), None);
        assert_eq!(number("1e999999999999"), Some(f64::INFINITY));
    }
}
