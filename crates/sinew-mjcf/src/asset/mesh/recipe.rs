//! Meshes in the cache of assets.

use crate::asset::cache::{Recipe, bytes_of};
use crate::asset::error::AssetError;
use crate::asset::fingerprint::Fingerprint;
use crate::asset::mesh::compile_mesh;
use crate::asset::mesh::data::{CompiledMesh, MeshInput};
use crate::asset::source::{ReadFile, content_type};

impl Recipe for MeshInput {
    type Made = CompiledMesh;

    fn files(&self) -> Vec<&str> {
        let reads = self.builtin.is_none() && self.field.is_none() && !self.file.is_empty();
        if reads { vec![&self.file] } else { Vec::new() }
    }

    fn add_settings(&self, to: &mut Fingerprint<'_>) {
        // all of them, apart from names in messages
        let MeshInput { name: _, file, content_type: kind, uservert, .. } = self;
        let MeshInput { usernormal, usertexcoord, userface, userfacenormal, .. } = self;
        let MeshInput { userfacetexcoord, builtin, scale, refpos, refquat, .. } = self;
        let MeshInput { smoothnormal, maxhullvert, inertia, needhull, needoctree, .. } = self;
        let MeshInput { only_field, plugin, field, .. } = self;
        to.add((file.is_empty(), content_type(file, kind)));

        // lists in the element
        [uservert, usernormal, usertexcoord].iter().for_each(|list| to.add_f32(list));
        to.add((userface, userfacenormal, userfacetexcoord));

        // results
        to.add(builtin.as_ref().map(|(shape, _)| *shape));
        to.add_f64(builtin.as_ref().map_or(&[], |(_, params)| params));
        [&scale[..], refpos, refquat].iter().for_each(|list| to.add_f64(list));
        to.add((smoothnormal, maxhullvert, inertia));
        to.add((needhull, needoctree, only_field, plugin, field.is_some()));
        if let Some(Ok(grid)) = field.as_ref().map(|field| field.grid()) {
            to.add_f64(&grid.aabb);
            to.add(grid.n);
            to.add_f32(&grid.samples);
        }
    }

    fn make(&self, read: &mut ReadFile<'_>) -> Result<CompiledMesh, AssetError> {
        compile_mesh(self, read)
    }

    fn bytes(made: &CompiledMesh) -> usize {
        let (bvh, octree) = (&made.bvh, &made.octree);
        let corners = [&made.face, &made.facenormal, &made.facetexcoord];
        let polygons = [
            &made.graph,
            &made.polyvertadr,
            &made.polyvertnum,
            &made.polyvert,
            &made.polymapadr,
            &made.polymapnum,
            &made.polymap,
        ];
        size_of::<CompiledMesh>()
            + bytes_of(&made.vert)
            + bytes_of(&made.normal)
            + bytes_of(&made.texcoord)
            + corners.iter().map(|list| bytes_of(list)).sum::<usize>()
            + polygons.iter().map(|list| bytes_of(list)).sum::<usize>()
            + bytes_of(&made.polynormal)
            + bytes_of(&bvh.depth)
            + bytes_of(&bvh.child)
            + bytes_of(&bvh.nodeid)
            + bytes_of(&bvh.aabb)
            + bytes_of(&octree.aabb)
            + bytes_of(&octree.child)
            + bytes_of(&octree.depth)
            + bytes_of(&octree.coeff)
            + made.warnings.iter().map(String::len).sum::<usize>()
    }
}
