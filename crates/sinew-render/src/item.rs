//! Conversion of the geoms of a scene to items with vertices.

use std::borrow::Cow;

use sinew_model::Model;
use sinew_model::enums::{CatBit, GeomType};
use sinew_scene::{Scene, SceneGeom};

use crate::assets::Assets;
use crate::detail::Detailed;
use crate::geometry::PlaneGrid;
use crate::linear::{V3, add, column, cross, dot, normalize, rotate, scale, sub};
use crate::material::Surface;
use crate::mesh::Mesh;
use crate::shape::Levels;

/// Method of colouring an item.
#[derive(Clone, Debug)]
pub(crate) enum Look<'a> {
    /// Lighting at the vertices.
    Lit,
    /// Constant colour without lighting.
    Flat,
    /// Lighting at the points of a grid.
    Plane(Cow<'a, PlaneGrid>),
    /// Constant colour with an alpha per vertex (the first texture coordinate).
    Haze,
}

/// The visible sides of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sides {
    Front,
    Back,
    Both,
}

/// The triangles of a part.
pub(crate) enum Form<'a> {
    /// A mesh of fixed resolution.
    Mesh(Cow<'a, Mesh>),
    /// A mesh of the model.
    Model(&'a Detailed),
    /// A unit shape with levels of detail.
    Shape(&'a Levels),
}

impl Form<'_> {
    pub(crate) fn radius(&self) -> f32 {
        match self {
            Form::Mesh(mesh) => mesh.radius,
            Form::Model(mesh) => mesh.full().radius,
            Form::Shape(levels) => levels.finest().radius,
        }
    }
}

/// A mesh with its transform in the frame of its item.
pub(crate) struct MeshPart<'a> {
    pub(crate) form: Form<'a>,
    /// Added to the vertices before scaling.
    pub(crate) offset: V3,
    pub(crate) scale: V3,
}

/// An object to draw.
pub(crate) struct Item<'a> {
    pub(crate) parts: Vec<MeshPart<'a>>,
    /// Lines in world coordinates, and their width in pixels.
    pub(crate) lines: Vec<[V3; 2]>,
    pub(crate) line_width: f32,
    pub(crate) pos: V3,
    pub(crate) mat: [V3; 3],
    pub(crate) surface: Surface,
    pub(crate) look: Look<'a>,
    pub(crate) sides: Sides,
    /// Whether the item receives shadows.
    pub(crate) shaded: bool,
    /// Whether the item is a mirror.
    pub(crate) mirror: bool,
    /// Whether the surface is closed, so that only triangles facing a light cast shadows.
    pub(crate) closed: bool,
    /// Whether the item is convex without edges, so that neighbouring triangles have similar
    /// colours.
    pub(crate) smooth: bool,
    /// Index of the geom in the scene.
    pub(crate) geom: usize,
}

/// Whether a point is below the xy plane of a frame.
pub(crate) fn behind(point: V3, pos: V3, mat: &[V3; 3]) -> bool {
    dot(sub(point, pos), column(mat, 2)) < 0.0
}

impl<'a> Item<'a> {
    /// The item of a geom, or `None` if nothing of it is visible.
    pub(crate) fn new(
        assets: &'a Assets,
        m: &'a Model,
        scn: &'a Scene,
        index: usize,
        head: V3,
    ) -> Option<Item<'a>> {
        let geom = &scn.geoms[index];
        let culls = scn.renders(sinew_model::enums::RndFlag::CullFace);

        // attributes of all kinds of geoms
        let mut item = Item {
            parts: Vec::new(),
            lines: Vec::new(),
            line_width: 0.0,
            pos: geom.pos,
            mat: geom.mat,
            surface: Surface {
                rgba: geom.rgba,
                emission: geom.emission,
                specular: geom.specular,
                shininess: geom.shininess,
                paint: assets.materials.paint(geom, &assets.textures),
            },
            look: Look::Lit,
            sides: if culls { Sides::Front } else { Sides::Both },
            shaded: true,
            mirror: false,
            closed: matches!(
                geom.r#type,
                GeomType::Sphere
                    | GeomType::Ellipsoid
                    | GeomType::Capsule
                    | GeomType::Cylinder
                    | GeomType::Box
            ),
            smooth: matches!(
                geom.r#type,
                GeomType::Sphere | GeomType::Ellipsoid | GeomType::Capsule
            ),
            geom: index,
        };

        // triangles and lines
        match geom.r#type {
            GeomType::Plane => item.plane(assets, geom, head),
            GeomType::Line | GeomType::Linebox => item.outline(assets, geom),
            GeomType::Flex => item.flex(assets, scn, geom),
            GeomType::Skin => item.skin(m, scn, geom),
            _ => item.shape(assets, geom),
        }
        (!item.parts.is_empty() || !item.lines.is_empty()).then_some(item)
    }

    fn part(&mut self, levels: &'a Levels, offset: f32, scale: V3) {
        let offset = [0.0, 0.0, offset];
        self.parts.push(MeshPart { form: Form::Shape(levels), offset, scale });
    }

    fn given(&mut self, mesh: Cow<'a, Mesh>, scale: V3) {
        self.parts.push(MeshPart { form: Form::Mesh(mesh), offset: [0.0; 3], scale });
    }

    /// Items made of unit shapes and meshes (`renderGeom` in `render_gl3.c`).
    fn shape(&mut self, assets: &'a Assets, geom: &SceneGeom) {
        let shapes = &assets.shapes;
        let [x, y, z] = geom.size;
        match geom.r#type {
            GeomType::Sphere | GeomType::Ellipsoid => self.part(&shapes.sphere, 0.0, [x, y, z]),
            GeomType::Capsule => {
                let r = 0.5 * (x + y);
                self.part(&shapes.cylinder_open, 0.0, [x, y, z]);
                self.part(&shapes.sphere_top, (z - r) / r, [x, y, r]);
                self.part(&shapes.sphere_bottom, (r - z) / r, [x, y, r]);
            }
            GeomType::Cylinder => self.part(&shapes.cylinder, 0.0, [x, y, z]),
            GeomType::Box => self.part(&shapes.cuboid, 0.0, [x, y, z]),
            GeomType::Mesh | GeomType::Sdf => {
                if let Some(mesh) = assets.mesh(geom) {
                    let (form, offset) = (Form::Model(mesh), [0.0; 3]);
                    self.parts.push(MeshPart { form, offset, scale: [1.0; 3] });
                }
            }
            GeomType::Hfield => {
                let field = usize::try_from(geom.dataid).ok().and_then(|id| assets.fields.get(id));
                if let Some(field) = field {
                    self.given(Cow::Borrowed(field), [1.0; 3]);
                }
            }
            GeomType::Arrow | GeomType::Arrow1 => {
                let wide = if geom.r#type == GeomType::Arrow { 1.75 } else { 1.0 };
                self.part(&shapes.cylinder, 1.0, [x, y, z / 6.0]);
                self.part(&shapes.cone, 2.0, [wide * x, wide * y, z / 6.0]);
            }
            GeomType::Arrow2 => {
                self.part(&shapes.cylinder_open, 0.0, [x, y, z / 3.0]);
                self.part(&shapes.cone_down, -2.0, [1.75 * x, 1.75 * y, z / 6.0]);
                self.part(&shapes.cone, 2.0, [1.75 * x, 1.75 * y, z / 6.0]);
            }
            GeomType::Triangle => {
                self.sides = Sides::Both;
                self.given(Cow::Borrowed(&shapes.triangle), [x, y, 1.0]);
            }
            _ => {}
        }
    }

    fn plane(&mut self, assets: &'a Assets, geom: &SceneGeom, head: V3) {
        let known = usize::try_from(geom.dataid).ok().and_then(|id| assets.planes.get(id));
        let [x, y, _] = geom.size;
        let Some(grid) = known else {
            return self.given(Cow::Borrowed(&assets.shapes.square), [x, y, 1.0]);
        };
        // an eye behind the plane sees its other side, which is transparent
        if behind(head, geom.pos, &geom.mat) {
            if self.sides == Sides::Front {
                self.sides = Sides::Back;
            }
            self.surface.rgba[3] *= 0.3;
        }
        let ([x0, x1], [y0, y1]) = (grid.range(0), grid.range(1));
        let mut mesh = Mesh::default();
        let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(|[x, y]| [x, y, 0.0]);
        mesh.flat_quad(corners, [0.0, 0.0, 1.0]);
        self.look = Look::Plane(Cow::Borrowed(grid));
        self.given(Cow::Owned(mesh), [1.0; 3]);
    }

    fn outline(&mut self, assets: &Assets, geom: &SceneGeom) {
        let world = |v: V3| add(geom.pos, rotate(&geom.mat, v));
        self.look = Look::Flat;
        self.sides = Sides::Both;
        let [x, y, z] = geom.size;
        if geom.r#type == GeomType::Line {
            self.line_width = x * assets.line_width;
            self.lines.push([world([0.0; 3]), world([0.0, 0.0, z])]);
            return;
        }
        self.line_width = 1.5 * assets.line_width;
        let corner = |i: usize| {
            let side = |bit: usize, half: f32| if i & bit != 0 { half } else { -half };
            world([side(1, x), side(2, y), side(4, z)])
        };
        for i in 0..8usize {
            for bit in [1, 2, 4].into_iter().filter(|bit| i & bit == 0) {
                self.lines.push([corner(i), corner(i | bit)]);
            }
        }
    }

    /// Flexes: spheres at vertices and cylinders along edges, or the triangles of the faces or
    /// skin.
    fn flex(&mut self, assets: &'a Assets, scn: &Scene, geom: &SceneGeom) {
        // vertices are in world coordinates
        self.pos = [0.0; 3];
        self.mat = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (flex, f, radius) = (&scn.flex, geom.objid.max(0) as usize, geom.size[0]);
        let (Some(&used), Some(&vertadr)) = (flex.flexfaceused.get(f), flex.flexvertadr.get(f))
        else {
            return;
        };
        let first = vertadr.max(0) as usize;
        let vert = &flex.flexvert[first..first + flex.flexvertnum[f].max(0) as usize];
        let [shows_vert, shows_edge, _, shows_skin] = flex.options;
        let covered = shows_skin && used > 0;

        // vertices and edges, unless the skin covers them
        let mut mesh = Mesh::default();
        if radius > 0.0 && shows_vert && !covered {
            for &v in vert {
                append(
                    &mut mesh,
                    assets.shapes.sphere.finest(),
                    |p| add(v, scale(p, radius)),
                    |n| n,
                );
            }
        }
        if radius > 0.0 && shows_edge && !covered {
            let first = flex.flexedgeadr[f].max(0) as usize;
            for edge in &flex.flexedge[first..first + flex.flexedgenum[f].max(0) as usize] {
                append_edge(&mut mesh, assets, edge.map(|v| vert[v as usize]), radius);
            }
        }

        // faces or skin
        let first = flex.flexfaceadr[f].max(0) as usize;
        for face in first..first + used.max(0) as usize {
            let ids = core::array::from_fn(|k| {
                let (pos, normal) = (flex.flexface[face][k], flex.flexnormal[face][k]);
                mesh.vertex_uv(pos, normal, flex.flextexcoord[face][k])
            });
            mesh.tri.push(ids);
        }
        self.own(mesh);
    }

    fn skin(&mut self, m: &Model, scn: &Scene, geom: &SceneGeom) {
        self.pos = [0.0; 3];
        self.mat = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let s = geom.objid.max(0) as usize;
        if s >= m.nskin || scn.skin.skinvert.len() != m.nskinvert {
            return;
        }
        let first = m.skin_vertadr[s].max(0) as usize;
        let texcoord = usize::try_from(m.skin_texcoordadr[s]).ok();
        let mut mesh = Mesh::default();
        for v in 0..m.skin_vertnum[s].max(0) as usize {
            let uv = texcoord.map_or([0.0; 2], |adr| m.skin_texcoord[adr + v]);
            let (pos, normal) = (scn.skin.skinvert[first + v], scn.skin.skinnormal[first + v]);
            mesh.vertex_uv(pos, normal, uv);
        }
        let first = m.skin_faceadr[s].max(0) as usize;
        let faces = first..first + m.skin_facenum[s].max(0) as usize;
        mesh.tri.extend(faces.map(|face| m.skin_face[face].map(|v| v as u32)));
        self.own(mesh);
    }

    fn own(&mut self, mesh: Mesh) {
        if !mesh.tri.is_empty() {
            self.given(Cow::Owned(mesh), [1.0; 3]);
        }
    }

    /// Whether the item casts shadows; decor does not.
    pub(crate) fn casts(&self, scn: &Scene) -> bool {
        // sky and haze are no geoms
        let geom = scn.geoms.get(self.geom);
        self.lines.is_empty() && geom.is_some_and(|geom| geom.category != CatBit::Decor.0)
    }
}

/// Appends a mesh with transformed vertices and normals.
fn append(to: &mut Mesh, from: &Mesh, place: impl Fn(V3) -> V3, turn: impl Fn(V3) -> V3) {
    let first = to.vert.len() as u32;
    for v in &from.vert {
        to.vertex(place(v.pos), turn(v.normal));
    }
    to.tri.extend(from.tri.iter().map(|t| t.map(|v| v + first)));
}

/// Adds an open cylinder from one point to another.
fn append_edge(mesh: &mut Mesh, assets: &Assets, [a, b]: [V3; 2], radius: f32) {
    let vec = sub(b, a);
    let half = 0.5 * dot(vec, vec).sqrt();
    let z = normalize(vec);
    let other = if z[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let x = normalize(cross(other, z));
    let y = cross(z, x);
    let turn = |p: V3| add(add(scale(x, p[0]), scale(y, p[1])), scale(z, p[2]));
    let middle = scale(add(a, b), 0.5);
    let place = |p: V3| add(middle, turn([radius * p[0], radius * p[1], half * p[2]]));
    append(mesh, assets.shapes.cylinder_open.finest(), place, turn);
}
