//! `discardvisual`: geoms that touch nothing and meshes that only they use are left out.

use std::collections::{BTreeSet, HashSet};

use sinew_model::enums::ObjType;

use crate::compile::cx::Cx;
use crate::spec::{Attr, Spec, object_type};

/// Removes geoms that are only seen, then meshes no remaining geom shows. Inertias are unchanged.
pub(crate) fn discard_visual(cx: &mut Cx<'_>) {
    // geoms that collide or are referred to
    let used = Used::of(cx.spec);
    let geoms = cx.world.geoms.iter();
    let mut keep: Vec<bool> = geoms
        .map(|g| g.contype != 0 || g.conaffinity != 0 || used.geoms.contains(g.elem.name.text()))
        .collect();
    for name in &used.geoms {
        if let Some(g) = cx.names.get(ObjType::Geom, name) {
            keep[g] = true;
        }
    }

    // renumber them
    let ids = new_ids(&keep);
    retain(&mut cx.world.geoms, &keep);
    cx.names.retain(ObjType::Geom, &keep, &ids);
    for body in &mut cx.world.bodies {
        body.geoms.retain(|&g| keep[g]);
        body.geoms.iter_mut().for_each(|g| *g = ids[*g]);
    }

    // meshes that are shown or referred to
    let mut keep: Vec<bool> = cx
        .names
        .list(ObjType::Mesh)
        .iter()
        .map(|name| used.meshes.contains(name.as_str()))
        .collect();
    let of_sites = cx.world.sites.iter().filter_map(|s| s.mesh);
    for mesh in cx.world.geoms.iter().filter_map(|g| g.mesh).chain(of_sites) {
        keep[mesh] = true;
    }
    let ids = new_ids(&keep);
    retain(&mut cx.meshes, &keep);
    retain(&mut cx.mesh_elems, &keep);
    for geom in &mut cx.world.geoms {
        geom.mesh = geom.mesh.map(|m| ids[m]);
    }
    for site in &mut cx.world.sites {
        site.mesh = site.mesh.map(|m| ids[m]);
    }
}

/// Says that the material of something that is kept is left out: MuJoCo still looks for it.
pub(crate) fn warn_lost(cx: &mut Cx<'_>, material: &Attr<String>) {
    let (name, span) = (material.text(), material.span().unwrap_or_default());
    if cx.spec.materials.iter().any(|e| e.name.text() == name) {
        let text = format!("object not found: material '{name}' is discarded as visual");
        cx.diag.extension("discarded", span, &text, "it is left out here too");
    } else {
        cx.diag.error("compile", span, format!("material '{name}' not found"));
    }
}

/// Position of each kept item among the kept.
fn new_ids(keep: &[bool]) -> Vec<usize> {
    let mut next = 0;
    keep.iter()
        .map(|&keep| {
            next += usize::from(keep);
            next.saturating_sub(1)
        })
        .collect()
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().copied().unwrap_or(true));
}

/// Names of geoms and meshes that something refers to.
struct Used<'a> {
    geoms: BTreeSet<&'a str>,
    meshes: HashSet<&'a str>,
}

impl<'a> Used<'a> {
    fn of(spec: &'a Spec) -> Used<'a> {
        let mut used = Used { geoms: BTreeSet::new(), meshes: HashSet::new() };
        for pair in &spec.pairs {
            used.geoms.extend([pair.geom1.text(), pair.geom2.text()]);
        }
        for wrap in spec.tendons.iter().flat_map(|t| &t.path) {
            used.geoms.insert(wrap.geom.text());
        }
        for s in &spec.sensors {
            used.geoms.extend([s.geom.text(), s.geom1.text(), s.geom2.text()]);
            used.meshes.insert(s.mesh.text());
            used.add(s.objtype.text(), s.objname.text());
            used.add(s.reftype.text(), s.refname.text());
        }
        for element in spec.tuples.iter().flat_map(|t| &t.elements) {
            used.add(element.objtype.text(), element.objname.text());
        }
        used.geoms.remove("");
        used.meshes.remove("");
        used
    }

    fn add(&mut self, kind: &str, name: &'a str) {
        match object_type(kind) {
            Some(ObjType::Geom) => _ = self.geoms.insert(name),
            Some(ObjType::Mesh) => _ = self.meshes.insert(name),
            _ => {}
        }
    }
}
