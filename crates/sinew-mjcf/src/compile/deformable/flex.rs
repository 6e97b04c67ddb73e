//! Flexes: vertices and elements to the tables of the model.

use sinew_geom::bvh::{Bvh, BvhItem};
use sinew_math::{MINVAL, Quat, Vec3};
use sinew_model::enums::{FlexSelf, ObjType};

use crate::compile::cx::{At, Cx};
use crate::compile::deformable::elastic::{self, Material, Stiffness};
use crate::compile::deformable::shell::{Edges, Shell};
use crate::pose::Pose;
use crate::spec::{Attr, Flex, Words};

/// A compiled flex; addresses count from its own first row.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlexRec {
    /// The element.
    pub(crate) elem: Flex,
    /// Dimension of the elements.
    pub(crate) dim: usize,
    /// Material.
    pub(crate) matid: Option<usize>,
    /// Order of interpolation; 0 if vertices move by themselves.
    pub(crate) order: i32,
    /// Whether vertices are interpolated between nodes.
    pub(crate) interpolated: bool,
    /// Whether all vertices are on one body.
    pub(crate) rigid: bool,
    /// Whether vertices (or nodes) are the origins of their bodies.
    pub(crate) centered: bool,
    /// Body of each vertex; none where it is interpolated.
    pub(crate) vertbody: Vec<Option<usize>>,
    /// Body of each node.
    pub(crate) nodebody: Vec<usize>,
    /// Vertices in their bodies.
    pub(crate) vert: Vec<Vec3>,
    /// Nodes in their bodies.
    pub(crate) node: Vec<Vec3>,
    /// Vertices at `qpos0`, in the unit box.
    pub(crate) vert0: Vec<Vec3>,
    /// Nodes at `qpos0`.
    pub(crate) node0: Vec<Vec3>,
    /// Half sizes of the box at `qpos0`.
    pub(crate) size: Vec3,
    /// Vertices of the elements; tetrahedra have their faces outside.
    pub(crate) elements: Vec<i32>,
    /// Texture coordinates of the elements; empty if there are none.
    pub(crate) elemtexcoord: Vec<i32>,
    /// Edges.
    pub(crate) edges: Edges,
    /// Border.
    pub(crate) shell: Shell,
    /// Stiffness by element, flat; empty if there is none.
    pub(crate) stiffness: Vec<f64>,
    /// Bending stiffness by edge; empty if there is none.
    pub(crate) bending: Vec<[f64; 17]>,
    /// Boxes around the elements.
    pub(crate) bvh: Bvh,
}

/// Compiles all flexes; bodies must be final.
pub(crate) fn compile_flexes(cx: &mut Cx<'_>) -> Vec<FlexRec> {
    let spec = cx.spec;
    let poses: Vec<Pose> = cx.world.bodies.iter().map(|b| b.world).collect();
    let mut recs = Vec::with_capacity(spec.flexes.len());
    for (id, elem) in spec.flexes.iter().enumerate() {
        let at = At { name: elem.name.text(), id, span: elem.head.span };
        match compile_flex(cx, elem, &poses) {
            Ok(rec) => recs.push(rec),
            Err(wrong) => {
                let span = wrong.span.unwrap_or(at.span);
                cx.fail(At { span, ..at }, wrong.words);
                if let Some((kind, name)) = wrong.unknown {
                    cx.suggest(kind, &name);
                }
            }
        }
    }
    recs
}

/// Why a flex cannot be compiled.
struct Wrong {
    words: String,
    span: Option<crate::spec::Span>,
    /// A name that nothing has.
    unknown: Option<(ObjType, String)>,
}

impl From<String> for Wrong {
    fn from(words: String) -> Wrong {
        Wrong { words, span: None, unknown: None }
    }
}

impl From<&str> for Wrong {
    fn from(words: &str) -> Wrong {
        words.to_owned().into()
    }
}

fn compile_flex(cx: &Cx<'_>, elem: &Flex, poses: &[Pose]) -> Result<FlexRec, Wrong> {
    check_sizes(elem)?;
    let mut rec = FlexRec {
        elem: elem.clone(),
        dim: elem.values().dim() as usize,
        elements: elem.values().element().to_vec(),
        interpolated: !words(&elem.node).is_empty(),
        ..FlexRec::default()
    };
    set_vertices(&mut rec)?;
    set_order(&mut rec)?;
    check_elements(&rec)?;
    set_texcoord(&mut rec)?;
    rec.matid = material(cx, elem)?;
    set_bodies(cx, &mut rec)?;
    set_rigid_and_centered(&mut rec);

    // quantities that depend on the vertices at qpos0
    let world = world_vertices(&rec, poses);
    rec.node0 = world_nodes(&rec, poses);
    if rec.interpolated {
        rec.vertbody = vec![None; rec.vertbody.len()];
    }
    orient(&mut rec, &world);
    rec.edges = Edges::of(&rec.elements, rec.dim);
    set_elasticity(&mut rec, &world)?;
    rec.shell = Shell::of(&rec.elements, rec.dim);
    build_bvh(&mut rec, &world)?;
    set_unit_box(&mut rec, &world);
    Ok(rec)
}

fn words(list: &Attr<Words>) -> &[String] {
    list.get().map_or(&[], |Words(list)| list)
}

fn check_sizes(elem: &Flex) -> Result<(), Wrong> {
    let dim = elem.values().dim();
    let count = elem.element.get().map_or(0, Vec::len);
    let interpolated = !words(&elem.node).is_empty();
    let collides = elem.contact.values().selfcollide() != FlexSelf::None;
    let checks = [
        (!(1..=3).contains(&dim), "dim must be 1, 2 or 3"),
        (count == 0, "elem is empty"),
        (
            !count.is_multiple_of(dim.clamp(1, 3) as usize + 1),
            "elem size must be multiple of (dim+1)",
        ),
        (words(&elem.body).is_empty() && !interpolated, "vertbody and nodebody are both empty"),
        (
            !elem.vertex.get().map_or(0, Vec::len).is_multiple_of(3),
            "vert size must be a multiple of 3",
        ),
        (
            elem.edge.values().stiffness() > 0.0 && dim > 1,
            "edge stiffness only available for dim=1, please use elasticity plugins",
        ),
        (!(0..=6).contains(&elem.contact.values().condim()), "invalid condim in flex"),
        (interpolated && collides, "trilinear interpolation cannot do self-collision"),
        (
            interpolated && elem.contact.values().internal(),
            "trilinear interpolation cannot do internal collisions",
        ),
    ];
    match checks.iter().find(|(wrong, _)| *wrong) {
        Some((_, words)) => Err((*words).into()),
        None => Ok(()),
    }
}

/// Vertices in their bodies; without any, one at the origin of each body.
fn set_vertices(rec: &mut FlexRec) -> Result<(), Wrong> {
    let bodies = words(&rec.elem.body).len();
    match rec.elem.vertex.get() {
        None => {
            rec.centered = true;
            rec.vert = vec![Vec3::ZERO; bodies];
        }
        Some(flat) => {
            rec.vert = flat.chunks_exact(3).map(Vec3::from_slice).collect();
            rec.rigid = bodies == 1;
            if bodies != 1 && bodies != rec.vert.len() {
                return Err("vertbody size must be 1 or nvert".into());
            }
        }
    }
    if rec.vert.len() < rec.dim + 1 {
        return Err("not enough vertices".into());
    }
    if rec.interpolated && (rec.rigid || rec.elem.vertex.get().is_none()) {
        return Err("vertbody size must be nvert, with vertices, where there are nodes".into());
    }
    Ok(())
}

/// Order of the interpolation, from the number of nodes.
fn set_order(rec: &mut FlexRec) -> Result<(), Wrong> {
    let nodes = words(&rec.elem.node).len();
    rec.order = match (rec.elem.order, nodes) {
        (_, 0) => 0,
        (_, 8) => 1,
        (_, 27) => 2,
        _ => {
            let order = (nodes as f64).cbrt() as i32 - 1;
            return Err(format!(
                "number of nodes must be {order}^3 but it is {nodes}; wanted 8 or 27"
            )
            .into());
        }
    };
    let flat = &rec.elem.node_pos;
    rec.node = match flat.is_empty() {
        true => vec![Vec3::ZERO; nodes],
        false => flat.chunks_exact(3).map(Vec3::from_slice).collect(),
    };
    Ok(())
}

fn check_elements(rec: &FlexRec) -> Result<(), Wrong> {
    let missing = |v: &i32| usize::try_from(*v).map_or(true, |v| v >= rec.vert.len());
    if rec.elements.iter().any(missing) {
        return Err("elem vertex id out of range".into());
    }
    for corners in rec.elements.chunks_exact(rec.dim + 1) {
        let mut sorted = corners.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("repeated vertex in element".into());
        }
    }
    Ok(())
}

/// Texture coordinates of the corners: by vertex, unless written. MuJoCo takes the number of a
/// triangle's corners for tetrahedra too.
fn set_texcoord(rec: &mut FlexRec) -> Result<(), Wrong> {
    let texcoord = rec.elem.texcoord.get().map_or(0, Vec::len);
    let written = rec.elem.values().elemtexcoord().to_vec();
    if texcoord == 0 {
        return Ok(());
    }
    if texcoord != 2 * rec.vert.len() && written.is_empty() {
        return Err("two texture coordinates per vertex expected".into());
    }
    let count = rec.elements.len() / (rec.dim + 1);
    let mut list = match written.is_empty() {
        true => rec.elements.iter().copied().take(3 * count).collect(),
        false => written,
    };
    list.resize(rec.elements.len(), 0);
    rec.elemtexcoord = list;
    Ok(())
}

fn material(cx: &Cx<'_>, elem: &Flex) -> Result<Option<usize>, Wrong> {
    let name = elem.material.text();
    let id = cx.find(ObjType::Material, name);
    if id.is_none() && !name.is_empty() {
        return Err(Wrong {
            words: format!("unknown material '{name}' in flex"),
            span: elem.material.span(),
            unknown: Some((ObjType::Material, name.to_owned())),
        });
    }
    Ok(id)
}

fn set_bodies(cx: &Cx<'_>, rec: &mut FlexRec) -> Result<(), Wrong> {
    let find = |name: &String| {
        cx.find(ObjType::Body, name).ok_or_else(|| Wrong {
            words: format!("unknown body '{name}' in flex"),
            span: rec.elem.body.span(),
            unknown: Some((ObjType::Body, name.clone())),
        })
    };

    // bodies of the vertices; those that bend must be free to move along all three axes
    let bends = rec.dim == 2 && matches!(elastic2d(&rec.elem), 1 | 3);
    let mut vertbody = Vec::with_capacity(rec.vert.len());
    for name in words(&rec.elem.body) {
        let body = find(name)?;
        if bends && cx.world.bodies[body].joints.len() != 3 {
            return Err("pins are not supported for bending".into());
        }
        vertbody.push(Some(body));
    }

    // bodies of the nodes; a rigid flex has one body for all vertices
    let nodebody = words(&rec.elem.node).iter().map(find).collect::<Result<Vec<usize>, Wrong>>()?;
    if rec.rigid {
        vertbody = vec![vertbody[0]; rec.vert.len()];
    }
    rec.vertbody = vertbody;
    rec.nodebody = nodebody;
    Ok(())
}

fn elastic2d(elem: &Flex) -> i32 {
    elem.elasticity.values().elastic2d().0
}

fn set_rigid_and_centered(rec: &mut FlexRec) {
    if !rec.interpolated {
        rec.rigid |= rec.vertbody.windows(2).all(|pair| pair[0] == pair[1]);
    }
    let points = if rec.interpolated { &rec.node } else { &rec.vert };
    rec.centered |= points.iter().all(|p| p.to_array() == [0.0; 3]);
}

fn world_vertices(rec: &FlexRec, poses: &[Pose]) -> Vec<Vec3> {
    let place = |(&local, body): (&Vec3, &Option<usize>)| {
        let pose = body.map_or(Pose::IDENTITY, |b| poses[b]);
        match rec.centered && !rec.interpolated {
            true => pose.pos,
            false => pose.pos + pose.quat.rotate(local),
        }
    };
    rec.vert.iter().zip(&rec.vertbody).map(place).collect()
}

fn world_nodes(rec: &FlexRec, poses: &[Pose]) -> Vec<Vec3> {
    let place = |(&local, &body): (&Vec3, &usize)| match rec.centered {
        true => poses[body].pos,
        false => poses[body].pos + poses[body].quat.rotate(local),
    };
    rec.node.iter().zip(&rec.nodebody).map(place).collect()
}

/// Turns tetrahedra so that the faces of `FRAGMENTS` look outside.
fn orient(rec: &mut FlexRec, world: &[Vec3]) {
    if rec.dim != 3 {
        return;
    }
    for corners in rec.elements.chunks_exact_mut(4) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k: usize| world[corners[k] as usize]);
        if (b - a).cross(c - a).dot(d - a) > 0.0 {
            corners.swap(1, 2);
        }
    }
}

/// Stiffness of elements, nodes and bending edges.
fn set_elasticity(rec: &mut FlexRec, world: &[Vec3]) -> Result<(), Wrong> {
    let elasticity = &rec.elem.elasticity;
    let (young, poisson) = (elasticity.values().young(), elasticity.values().poisson());
    let thickness = elasticity.values().thickness();
    let kind = elastic2d(&rec.elem);
    if young.is_nan() || young <= 0.0 {
        return Ok(());
    }
    if !(0.0..0.5).contains(&poisson) {
        return Err("Poisson ratio must be in [0, 0.5)".into());
    }
    let material = Material { young, poisson };
    let count = rec.elements.len() / (rec.dim + 1);
    let at = |v: i32| world[v as usize];

    // elements
    if rec.interpolated {
        let least = 9 * rec.node0.len() * rec.node0.len() / size_of_stiffness();
        if least > count {
            let words = format!("Trilinear dofs are require at least {least} elements");
            return Err(words.into());
        }
        rec.stiffness = elastic::lattice(&rec.node0, material, rec.order as usize);
        rec.stiffness.resize(size_of_stiffness() * count, 0.0);
    } else {
        rec.stiffness = rec
            .elements
            .chunks_exact(rec.dim + 1)
            .flat_map(|c| match (rec.dim, kind >= 2 && thickness > 0.0) {
                (2, true) => elastic::triangle([at(c[0]), at(c[1]), at(c[2])], material, thickness),
                (3, _) => elastic::tetrahedron([0, 1, 2, 3].map(|k| at(c[k])), material),
                _ => [0.0; size_of_stiffness()],
            })
            .collect();
    }

    // edges between two triangles
    if rec.dim == 2 && matches!(kind, 1 | 3) {
        if thickness < 0.0 {
            return Err("thickness must be positive for bending stiffness".into());
        }
        let shear = young / (2.0 * (1.0 + poisson));
        let edges = rec.edges.ends.iter().zip(&rec.edges.flap);
        rec.bending = edges
            .map(|(&[a, b], &[c, d])| match d {
                -1 => [0.0; 17],
                _ => elastic::bending([a, b, c, d].map(at), shear, thickness),
            })
            .collect();
    }
    Ok(())
}

/// Numbers of `flex_stiffness` per element.
const fn size_of_stiffness() -> usize {
    size_of::<Stiffness>() / size_of::<f64>()
}

/// Boxes around the elements; of tetrahedra only those near the border.
fn build_bvh(rec: &mut FlexRec, world: &[Vec3]) -> Result<(), Wrong> {
    let radius = rec.elem.values().radius();
    let layers = rec.elem.contact.values().activelayers();

    // boxes along the axes of the world, larger by the radius
    let mut items = Vec::new();
    for (e, corners) in rec.elements.chunks_exact(rec.dim + 1).enumerate() {
        if rec.dim == 3 && rec.shell.layer[e] >= layers {
            continue;
        }
        let mut lo = world[corners[0] as usize];
        let mut hi = lo;
        for &v in &corners[1..] {
            for k in 0..3 {
                let x = world[v as usize][k];
                lo[k] = if x < lo[k] { x } else { lo[k] };
                hi[k] = if hi[k] < x { x } else { hi[k] };
            }
        }
        let center = (hi + lo) * 0.5;
        let half = (hi - lo) * 0.5 + Vec3::new(radius, radius, radius);
        let id = e as i32;
        items.push(BvhItem { id, collides: true, pos: center, quat: None, center, half });
    }

    // the tree over them
    rec.bvh = Bvh::build(&items, Vec3::ZERO, Quat::IDENTITY);
    match rec.bvh.is_empty() {
        true => Err("no element is active: activelayers must be positive".into()),
        false => Ok(()),
    }
}

/// Half sizes of the box around the flex, and its vertices as parts of them.
fn set_unit_box(rec: &mut FlexRec, world: &[Vec3]) {
    let radius = rec.elem.values().radius();
    let root = rec.bvh.aabb[0];
    rec.size = Vec3::new(root[3] - radius, root[4] - radius, root[5] - radius);
    let size = rec.size;
    let part = |p: Vec3, k: usize| match size[k] > MINVAL {
        true => (p[k] - root[k]) / (2.0 * size[k]) + 0.5,
        false => 0.5,
    };
    rec.vert0 = world.iter().map(|&p| Vec3::new(part(p, 0), part(p, 1), part(p, 2))).collect();
}
