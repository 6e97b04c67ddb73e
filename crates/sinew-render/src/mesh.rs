//! Triangles with normals and texture coordinates.

use crate::linear::{V3, cross, dot, normalize, sub};

/// Slack of the test of facing, for rounding.
const FACING: f32 = 1e-3;

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Position.
    pub pos: [f32; 3],
    /// Normal of the surface.
    pub normal: [f32; 3],
    /// Texture coordinates.
    pub uv: [f32; 2],
}

/// A surface of triangles, counter-clockwise seen from outside.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// Vertices.
    pub vert: Vec<Vertex>,
    /// Indices of the three vertices of each triangle.
    pub tri: Vec<[u32; 3]>,
    /// Radius of the sphere around the origin that contains all vertices.
    pub(crate) radius: f32,
    /// Clusters of a large mesh, in the order of its triangles; otherwise empty.
    pub(crate) cluster: Vec<Cluster>,
}

/// Consecutive triangles of a mesh with consecutive vertices of their own.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// First and last triangle, the last one excluded.
    pub(crate) tri: [usize; 2],
    /// First and last vertex, the last one excluded.
    pub(crate) vert: [usize; 2],
    /// Sphere that contains the triangles.
    pub(crate) center: V3,
    pub(crate) radius: f32,
    /// Mean normal, and the sine of the greatest angle to it; 1 if an angle is 90° or more.
    pub(crate) axis: V3,
    pub(crate) spread: f32,
}

impl Cluster {
    /// Whether no triangle faces a point: all of the sphere is behind each of the triangles.
    pub(crate) fn faces_away(&self, eye: V3) -> bool {
        // normals n within the angle of the axis and points p in the sphere obey `n·(p − eye) ≥
        // axis·to − spread |to| − radius`; `to` goes from the eye to the centre
        let to = sub(self.center, eye);
        let slack = self.spread + FACING;
        self.spread < 1.0 && dot(self.axis, to) > slack * dot(to, to).sqrt() + self.radius
    }
}

impl Mesh {
    pub(crate) fn vertex(&mut self, pos: V3, normal: V3) -> u32 {
        self.vertex_uv(pos, normal, [0.0; 2])
    }

    pub(crate) fn vertex_uv(&mut self, pos: V3, normal: V3, uv: [f32; 2]) -> u32 {
        self.vert.push(Vertex { pos, normal, uv });
        self.radius = self.radius.max(dot(pos, pos).sqrt());
        self.vert.len() as u32 - 1
    }

    /// Appends a quadrangle as two triangles, with the diagonal that OpenGL implementations choose:
    /// both contain the last corner. The diagonal decides how colours are interpolated.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.tri.push([a, b, d]);
        self.tri.push([b, c, d]);
    }

    /// Appends a triangle with its face normal.
    pub(crate) fn flat(&mut self, corners: [V3; 3]) {
        let normal = face_normal(corners);
        let ids = corners.map(|p| self.vertex(p, normal));
        self.tri.push(ids);
    }

    /// Appends a quadrangle with one normal.
    pub(crate) fn flat_quad(&mut self, corners: [V3; 4], normal: V3) {
        let ids = corners.map(|p| self.vertex(p, normal));
        self.quad(ids);
    }
}

/// The normal of a triangle.
pub(crate) fn face_normal([a, b, c]: [V3; 3]) -> V3 {
    normalize(cross(sub(b, a), sub(c, a)))
}
