//! Remarks about a model alone: meshes unlike their hulls, unused assets, limits that are always
//! active, negligible inertias.

use sinew_model::enums::{GeomType, JointType, ObjType, TrnType};
use sinew_model::{GeomId, MeshId, Model};

use crate::element::Element;
use crate::finding::{Cause, Finding, Weight, shown};

/// Volume of a hull relative to its mesh from which it is reported.
const HULL_RATIO: f64 = 1.5;
/// Inertia relative to the largest of its tree below which the equations are ill-conditioned.
const INERTIA_RATIO: f64 = 1e-12;

/// A finding without a remedy.
fn remark(cause: Cause, weight: Weight, part: Element, text: String) -> Finding {
    Finding { cause, weight, parts: vec![part], text, remedies: Vec::new() }
}

/// All findings that need no state.
pub(crate) fn shapes(m: &Model) -> Vec<Finding> {
    let mut found = Vec::new();
    tiny_inertias(m, &mut found);
    limits_always_active(m, &mut found);
    targets_out_of_reach(m, &mut found);
    hulls(m, &mut found);
    unused(m, &mut found);
    found
}

fn tiny_inertias(m: &Model, found: &mut Vec<Finding>) {
    for v in m.dofs() {
        let tree = m.dof_treeid[v];
        let first = m.tree_dofadr[tree].idx();
        let dofs = first..first + m.tree_dofnum[tree].max(0) as usize;
        let largest = dofs.map(|v| m.dof_M0[v]).fold(0.0, f64::max);
        if m.dof_M0[v] < INERTIA_RATIO * largest {
            let part = Element::new(m, ObjType::Joint, m.dof_jntid[v].idx());
            let text = format!(
                "{part} moves an inertia of {}, next to nothing beside {} in the same tree",
                shown(m.dof_M0[v]),
                shown(largest)
            );
            found.push(remark(Cause::Inertia, Weight::Warning, part, text));
        }
    }
}

fn limits_always_active(m: &Model, found: &mut Vec<Finding>) {
    for j in m.joints().filter(|&j| m.jnt_limited[j].get()) {
        let [low, high] = m.jnt_range[j];
        let margin = m.jnt_margin[j];
        let two_sided = matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide);
        if two_sided && margin > 0.0 && 2.0 * margin >= high - low {
            let part = Element::new(m, ObjType::Joint, j.idx());
            let text = format!(
                "{part} is within the margin of {} of both its limits everywhere in its range of {} to {}",
                shown(margin),
                shown(low),
                shown(high)
            );
            found.push(remark(Cause::Limit, Weight::Note, part, text));
        }
    }
}

/// Servos whose targets are all beyond the limits of their joint.
fn targets_out_of_reach(m: &Model, found: &mut Vec<Finding>) {
    for u in m.actuators() {
        // position servos of limited hinges and slides
        let servo = m.actuator_gainprm[u][0] != 0.0
            && m.actuator_gainprm[u][0] == -m.actuator_biasprm[u][1];
        let of_joint = m.actuator_trntype[u] == TrnType::Joint && m.actuator_ctrllimited[u].get();
        let Ok(j) = usize::try_from(m.actuator_trnid[u][0]) else { continue };
        if !(servo && of_joint && j < m.njnt && m.jnt_limited[j].get()) {
            continue;
        }
        let gear = m.actuator_gear[u][0];
        if !matches!(m.jnt_type[j], JointType::Hinge | JointType::Slide) || gear == 0.0 {
            continue;
        }

        // targets in units of the joint
        let [a, b] = m.actuator_ctrlrange[u].map(|x| x / gear);
        let [low, high] = m.jnt_range[j];
        if a.max(b) < low || a.min(b) > high {
            let part = Element::new(m, ObjType::Actuator, u.idx());
            let text = format!(
                "{part} can ask for {} to {} only, while joint {} is limited to {} to {}",
                shown(a.min(b)),
                shown(a.max(b)),
                Element::new(m, ObjType::Joint, j).name.unwrap_or_else(|| j.to_string()),
                shown(low),
                shown(high)
            );
            found.push(remark(Cause::Limit, Weight::Warning, part, text));
        }
    }
}

/// Meshes whose convex hull, which collides, is much larger.
fn hulls(m: &Model, found: &mut Vec<Finding>) {
    for mesh in (0..m.nmesh).map(MeshId::new) {
        let collides = (0..m.ngeom).any(|g| {
            m.geom_type[g] == GeomType::Mesh
                && m.geom_dataid[g] == mesh.idx() as i32
                && (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0)
        });
        if !collides {
            continue;
        }
        let (Some(own), Some(hull)) = (mesh_volume(m, mesh), hull_volume(m, mesh)) else {
            continue;
        };
        if own > 0.0 && hull > HULL_RATIO * own {
            let part = Element::new(m, ObjType::Mesh, mesh.idx());
            let text = format!(
                "{part} collides as its convex hull, which holds {} times as much",
                shown(hull / own)
            );
            found.push(remark(Cause::Hull, Weight::Note, part, text));
        }
    }
}

/// Volume enclosed by triangles, as a sum of tetrahedra with the origin.
fn volume(corners: impl Iterator<Item = [[f32; 3]; 3]>) -> f64 {
    let six = corners.map(|triangle| {
        let [a, b, c] = triangle.map(|p| p.map(f64::from));
        a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    });
    (six.sum::<f64>() / 6.0).abs()
}

fn mesh_volume(m: &Model, mesh: MeshId) -> Option<f64> {
    let first = m.mesh_vertadr[mesh].max(0) as usize;
    let faces = m.mesh_faceadr[mesh].max(0) as usize;
    let faces = m.mesh_face.get(faces..faces + m.mesh_facenum[mesh].max(0) as usize)?;
    let corner = |k: i32| m.mesh_vert.get(first + k.max(0) as usize).copied().unwrap_or_default();
    Some(volume(faces.iter().map(|face| face.map(corner))))
}

/// The hull's triangles end its graph: counts, two lists of vertices, edges, faces.
fn hull_volume(m: &Model, mesh: MeshId) -> Option<f64> {
    let graph = m.mesh_graph.get(usize::try_from(m.mesh_graphadr[mesh]).ok()?..)?;
    let [nvert, nface] = [*graph.first()?, *graph.get(1)?].map(|n| n.max(0) as usize);
    let faces = 2 + 3 * nvert + 3 * nface;
    let faces = graph.get(faces..faces + 3 * nface)?;
    let first = m.mesh_vertadr[mesh].max(0) as usize;
    let corner = |k: i32| m.mesh_vert.get(first + k.max(0) as usize).copied().unwrap_or_default();
    let (triangles, _) = faces.as_chunks::<3>();
    Some(volume(triangles.iter().map(|face| face.map(corner))))
}

fn unused(m: &Model, found: &mut Vec<Finding>) {
    let mut note = |kind: ObjType, n: usize, used: &dyn Fn(usize) -> bool| {
        for id in (0..n).filter(|&id| !used(id)) {
            let part = Element::new(m, kind, id);
            let text = format!("nothing uses {part}");
            found.push(remark(Cause::Unused, Weight::Note, part, text));
        }
    };

    // assets of geoms
    let geom_has = |of: &dyn Fn(GeomType) -> bool, id: usize| {
        (0..m.ngeom).map(GeomId::new).any(|g| of(m.geom_type[g]) && m.geom_dataid[g] == id as i32)
    };
    note(ObjType::Mesh, m.nmesh, &|id| geom_has(&GeomType::is_mesh, id));
    note(ObjType::Hfield, m.nhfield, &|id| geom_has(&|kind| kind == GeomType::Hfield, id));

    // materials, and textures that no material uses
    let is = |mat: &sinew_model::Maybe<sinew_model::MatId>, id: usize| {
        mat.get().is_some_and(|mat| mat.idx() == id)
    };
    note(ObjType::Material, m.nmat, &|id| {
        let lists =
            [&*m.geom_matid, &*m.site_matid, &*m.tendon_matid, &*m.skin_matid, &*m.flex_matid];
        lists.iter().any(|list| list.iter().any(|mat| is(mat, id)))
    });
    note(ObjType::Texture, m.ntex, &|id| {
        let skybox = m.tex_type[id].0 == 2;
        skybox
            || m.mat_texid.iter().flatten().any(|tex| tex.get().is_some_and(|tex| tex.idx() == id))
    });
}
