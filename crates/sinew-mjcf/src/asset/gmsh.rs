//! GMSH files: points and simplices, format 2.2 and 4.1, as text or binary.
//!
//! Only MuJoCo's subset is read: the nodes, which must be numbered in sequence, and the elements,
//! of one kind.

use crate::asset::error::AssetError;

/// The content of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Gmsh {
    /// Dimension of the elements.
    pub(crate) dim: i32,
    /// Coordinates of the nodes, flat.
    pub(crate) point: Vec<f64>,
    /// Nodes of the elements, flat.
    pub(crate) element: Vec<i32>,
}

/// Reads a file.
#[doc(alias = "LoadGMSH")]
pub(crate) fn load(bytes: &[u8]) -> Result<Gmsh, AssetError> {
    // header
    if bytes.is_empty() {
        return wrong("Empty GMSH file");
    }
    let Some(rest) = bytes.strip_prefix(b"$MeshFormat") else {
        return wrong("GMSH file must begin with $MeshFormat");
    };
    let mut header = Text::new(&rest[..rest.len().min(100)]);
    let (Some(version), Some(binary)) = (header.float(), header.integer()) else {
        return wrong("Could not read GMSH file header");
    };

    // sections; one more byte for the end of the line
    let section = |name: &str| {
        let begin = find(bytes, &format!("${name}")).map(|at| at + name.len() + 2);
        let Some(begin) = begin else { return Err(format!("GMSH file missing ${name}")) };
        match find(bytes, &format!("$End{name}")) {
            Some(end) if end >= begin => Ok(begin..end),
            _ => Err(format!("GMSH file missing $End{name} after ${name}")),
        }
    };
    let nodes = section("Nodes").map_err(AssetError::new)?;
    let elements = section("Elements").map_err(AssetError::new)?;

    let mut mesh = Gmsh::default();
    match ((100.0 * version).round() as i64, binary == 0) {
        (410, true) => {
            let first = text_nodes_41(&mut Text::new(&bytes[nodes]), &mut mesh)?;
            text_elements_41(&mut Text::new(&bytes[elements]), first, &mut mesh)?;
        }
        (410, false) => {
            let first = binary_nodes_41(&bytes[nodes], &mut mesh)?;
            binary_elements_41(&bytes[elements], first, &mut mesh)?;
        }
        (220, true) => {
            text_nodes_22(&bytes[nodes], &mut mesh)?;
            text_elements_22(&bytes[elements], &mut mesh)?;
        }
        (220, false) => {
            binary_nodes_22(&bytes[nodes.start..], nodes.len(), &mut mesh)?;
            binary_elements_22(&bytes[elements.start..], elements.len(), &mut mesh)?;
        }
        _ => return wrong("Only GMSH file format versions 4.1 and 2.2 are supported"),
    }
    Ok(mesh)
}

fn wrong<T>(words: &str) -> Result<T, AssetError> {
    Err(AssetError::new(words))
}

/// Where a text starts; MuJoCo does not look at the very end of the file.
fn find(bytes: &[u8], text: &str) -> Option<usize> {
    let at = bytes.windows(text.len()).position(|w| w == text.as_bytes())?;
    (at + text.len() < bytes.len()).then_some(at)
}

/// Words of a section. A word that touches the end of the section counts as missing, since a
/// stream of C++ is no longer good after it.
struct Text<'b> {
    rest: &'b [u8],
}

impl<'b> Text<'b> {
    fn new(rest: &'b [u8]) -> Self {
        Text { rest }
    }

    fn word(&mut self) -> Option<&'b str> {
        let start = self.rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let word = &self.rest[start..];
        let len = word.iter().position(u8::is_ascii_whitespace)?;
        self.rest = &word[len..];
        core::str::from_utf8(&word[..len]).ok()
    }

    fn integer(&mut self) -> Option<i64> {
        self.word()?.parse().ok()
    }

    fn float(&mut self) -> Option<f64> {
        self.word()?.parse().ok()
    }
}

/// Sizes at the start of a section of format 4.1.
struct Header {
    blocks: i64,
    count: i64,
    first: i64,
    last: i64,
    dim: i64,
    /// Type of the elements; of nodes, whether they have parameters.
    kind: i64,
    in_block: i64,
}

/// Bytes of a binary header of format 4.1.
const HEADER_41: usize = 52;

impl Header {
    fn from_text(text: &mut Text<'_>) -> Option<Header> {
        let mut next = || text.integer();
        let (blocks, count, first, last) = (next()?, next()?, next()?, next()?);
        let (dim, _tag, kind, in_block) = (next()?, next()?, next()?, next()?);
        Some(Header { blocks, count, first, last, dim, kind, in_block })
    }

    fn from_bytes(bytes: &[u8]) -> Option<Header> {
        Some(Header {
            blocks: long(bytes, 0)?,
            count: long(bytes, 8)?,
            first: long(bytes, 16)?,
            last: long(bytes, 24)?,
            dim: int(bytes, 32)?.into(),
            kind: int(bytes, 40)?.into(),
            in_block: long(bytes, 44)?,
        })
    }

    /// Number of nodes, if all is as it must be.
    fn nodes(&self, mesh: &mut Gmsh) -> Result<usize, AssetError> {
        if self.blocks != 1 || self.count != self.in_block {
            return wrong("All nodes must be in single block");
        }
        if !(1..=3).contains(&self.dim) {
            return wrong("Entity must be 1D, 2D or 3D");
        }
        mesh.dim = self.dim as i32;
        checked_count(self.count, 3, "Invalid number of nodes.")
    }

    /// How many elements there are, if all is as it must be.
    fn elements(&self, mesh: &Gmsh) -> Result<usize, AssetError> {
        if self.blocks != 1 || self.count != self.in_block {
            return wrong("All elements must be in single block");
        }
        if self.dim != i64::from(mesh.dim) {
            return wrong("Inconsistent dimensionality in Elements");
        }
        if !matches!((self.dim, self.kind), (1, 1) | (2, 2) | (3, 4)) {
            return wrong("Element type inconsistent with dimensionality");
        }
        checked_count(self.count, 4, "Invalid numElements.")
    }
}

/// A number of rows of `width` integers that can be stored.
fn checked_count(count: i64, width: i64, words: &str) -> Result<usize, AssetError> {
    match usize::try_from(count) {
        Ok(n) if count < i64::from(i32::MAX) / width => Ok(n),
        _ => wrong(words),
    }
}

fn int(bytes: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<i64> {
    Some(i64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

fn double(bytes: &[u8], at: usize) -> Option<f64> {
    Some(f64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// A node's tag as an index; the check of all elements reports tags that do not fit.
fn index(tag: i64, first: i64) -> i32 {
    i32::try_from(tag.wrapping_sub(first)).unwrap_or(-1)
}

/// Nodes; the tag of the first.
fn text_nodes_41(text: &mut Text<'_>, mesh: &mut Gmsh) -> Result<i64, AssetError> {
    let Some(header) = Header::from_text(text) else {
        return wrong("Error reading Nodes header");
    };
    let count = header.nodes(mesh)?;
    if header.last != header.in_block {
        return wrong("Maximum number of nodes must be equal to number of nodes in a block");
    }
    for i in 0..count as i64 {
        match text.integer() {
            None => return wrong("Error reading node tags"),
            Some(tag) if tag != i + header.first => return wrong("Node tags must be sequential"),
            Some(_) => {}
        }
    }
    for _ in 0..3 * count {
        let Some(x) = text.float() else { return wrong("Error reading node coordinates") };
        mesh.point.push(x);
    }
    Ok(header.first)
}

fn text_elements_41(text: &mut Text<'_>, first: i64, mesh: &mut Gmsh) -> Result<(), AssetError> {
    let Some(header) = Header::from_text(text) else {
        return wrong("Error reading Elements header");
    };
    for _ in 0..header.elements(mesh)? {
        let _tag = text.integer();
        for _ in 0..=header.dim {
            let Some(tag) = text.integer() else { return wrong("Error reading Elements") };
            mesh.element.push(index(tag, first));
        }
    }
    Ok(())
}

fn binary_nodes_41(bytes: &[u8], mesh: &mut Gmsh) -> Result<i64, AssetError> {
    let Some(header) = Header::from_bytes(bytes) else { return wrong("Invalid nodes header") };
    let count = header.nodes(mesh)?;
    let coordinates = HEADER_41 + 8 * count;
    if bytes.len() < coordinates + 24 * count {
        return wrong("Insufficient byte size of Nodes");
    }
    for i in 0..count {
        if long(bytes, HEADER_41 + 8 * i) != Some(i as i64 + header.first) {
            return wrong("Node tags must be sequential");
        }
    }
    mesh.point.extend((0..3 * count).filter_map(|i| double(bytes, coordinates + 8 * i)));
    Ok(header.first)
}

fn binary_elements_41(bytes: &[u8], first: i64, mesh: &mut Gmsh) -> Result<(), AssetError> {
    let Some(header) = Header::from_bytes(bytes) else { return wrong("Invalid elements header") };
    let count = header.elements(mesh)?;
    let width = mesh.dim as usize + 2;
    if bytes.len() < HEADER_41 + 8 * width * count {
        return wrong("Insufficient byte size of Elements");
    }
    for e in 0..count {
        let nodes = (1..width).map(|k| long(bytes, HEADER_41 + 8 * (width * e + k)).unwrap_or(-1));
        mesh.element.extend(nodes.map(|tag| index(tag, first)));
    }
    Ok(())
}

/// Whether the first line of a section holds nothing but digits.
fn starts_with_count(bytes: &[u8]) -> bool {
    bytes.split(|b| *b == b'\n').next().is_some_and(|line| line.iter().all(u8::is_ascii_digit))
}

fn text_nodes_22(bytes: &[u8], mesh: &mut Gmsh) -> Result<(), AssetError> {
    if !starts_with_count(bytes) {
        return wrong("Invalid node header");
    }
    let text = &mut Text::new(bytes);
    let Some(count) = text.integer() else { return wrong("Error reading Nodes header") };
    for _ in 0..checked_count(count, 3, "Invalid number of nodes.")? {
        if text.integer().is_none() {
            return wrong("Error reading node tags");
        }
        for _ in 0..3 {
            let Some(x) = text.float() else { return wrong("Error reading node coordinates") };
            mesh.point.push(x);
        }
    }
    Ok(())
}

/// The dimension of a kind of elements: triangles or tetrahedra.
fn dim_of_kind(kind: i64) -> Result<i32, AssetError> {
    match kind {
        2 => Ok(2),
        4 => Ok(3),
        _ => wrong("Invalid number of node tags"),
    }
}

fn text_elements_22(bytes: &[u8], mesh: &mut Gmsh) -> Result<(), AssetError> {
    if !starts_with_count(bytes) {
        return wrong("Invalid elements header");
    }
    let text = &mut Text::new(bytes);
    let Some(count) = text.integer() else { return wrong("Error reading Elements header") };
    let count = checked_count(count, 4, "Invalid number of elements.")?;
    let nodes = mesh.point.len() as i64 / 3;

    // all have the kind of the first
    for i in 0..count.max(1) {
        let head = (text.integer(), text.integer(), text.integer());
        let (Some(_tag), Some(kind), Some(tags)) = head else {
            return wrong("Error reading Elements");
        };
        if i == 0 {
            mesh.dim = dim_of_kind(kind)?;
        }
        if tags > 0 && (text.integer().is_none() || text.integer().is_none()) {
            return wrong("Error reading Elements");
        }
        for _ in 0..=mesh.dim {
            match text.integer() {
                None => return wrong("Error reading Elements"),
                Some(tag) if tag > nodes || tag < 1 => return wrong("Invalid node tag"),
                Some(tag) => mesh.element.push(index(tag, 1)),
            }
        }
    }
    Ok(())
}

/// The count at the start of a binary section of format 2.2, and where the numbers begin.
///
/// The count is text and ends with a line feed. MuJoCo takes the bytes up to the first zero, of
/// which the last is the low byte of the first number.
fn count_22(bytes: &[u8], section: usize) -> Result<(i64, usize), AssetError> {
    let text = &bytes[..section.min(10).min(bytes.len())];
    let text = text.split(|b| *b == 0).next().unwrap_or(text);
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let count = core::str::from_utf8(&text[..digits]).ok().and_then(|t| t.parse().ok());
    match count {
        Some(count) => Ok((count, text.len() - 1)),
        None => wrong("exception while reading GMSH file"),
    }
}

/// Nodes: a tag of 4 bytes and three coordinates each. `bytes` may reach beyond the section.
fn binary_nodes_22(bytes: &[u8], section: usize, mesh: &mut Gmsh) -> Result<(), AssetError> {
    if section < 4 {
        return wrong("Invalid nodes header");
    }
    let (count, start) = count_22(bytes, section)?;
    let count = checked_count(count, 3, "Invalid number of nodes.")?;
    if section < 4 + 28 * count {
        return wrong("Insufficient byte size of Nodes");
    }
    for i in 0..3 * count {
        let at = start + 28 * (i / 3) + 4 + 8 * (i % 3);
        let Some(x) = double(bytes, at) else { return wrong("Insufficient byte size of Nodes") };
        mesh.point.push(x);
    }
    Ok(())
}

/// Elements, as GMSH writes them (with tags) or as fTetWild does (without).
fn binary_elements_22(bytes: &[u8], section: usize, mesh: &mut Gmsh) -> Result<(), AssetError> {
    const SHORT: &str = "Insufficient byte size of Elements";
    if section < 4 {
        return wrong("Invalid elements header");
    }
    let (count, start) = count_22(bytes, section)?;
    let count = checked_count(count, 4, "Invalid number of elements")?;
    let number = |k: usize| int(bytes, start + 4 * k).ok_or_else(|| AssetError::new(SHORT));
    let (kind, tags) = (number(0)?, number(2)?);
    mesh.dim = dim_of_kind(kind.into())?;
    let corners = mesh.dim as usize + 1;
    let width = 6 + corners;
    if section < 17 + 20 * count || (tags > 0 && section < 4 + 4 * width * count) {
        return wrong(SHORT);
    }

    // MuJoCo compares all but the first with the number of elements, not of nodes
    let nodes = mesh.point.len() / 3;
    for e in 0..count.max(1) {
        let first = match (tags > 0, e) {
            (true, _) => 6 + width * e,
            (false, 0) => 4,
            (false, _) => 9 + 5 * (e - 1),
        };
        let most = if e == 0 { nodes } else { count };
        for k in 0..corners {
            let tag = number(first + k)?;
            if tag < 1 || tag as usize > most {
                return wrong("Invalid node tag");
            }
            mesh.element.push(tag - 1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT_22: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n\
                           3 0 1 0\n$EndNodes\n$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n";

    #[test]
    fn a_triangle_is_read_from_text() {
        let mesh = load(TEXT_22.as_bytes()).expect("a good file");
        assert_eq!((mesh.dim, &mesh.element[..]), (2, &[0, 1, 2][..]));
        assert_eq!(mesh.point, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn every_truncated_file_is_rejected() {
        for len in 0..TEXT_22.len() - 1 {
            assert!(load(&TEXT_22.as_bytes()[..len]).is_err(), "{len} bytes");
        }
    }

    #[test]
    fn a_node_there_is_not_is_an_error() {
        let bad = TEXT_22.replace("1 2 3\n$EndE", "1 2 4\n$EndE");
        assert_eq!(load(bad.as_bytes()), wrong("Invalid node tag"));
    }
}
