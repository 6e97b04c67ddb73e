//! Skins: surfaces bound to bodies.

use sinew_math::{MINVAL, Quat};
use sinew_model::enums::ObjType;
use sinew_model::{BodyId, MatId, Model, SkinId};

use crate::asset::skn;
use crate::compile::cx::{At, Cx};
use crate::compile::rows::put;
use crate::files::{AssetKind, Files};
use crate::pose::unit_quat;
use crate::spec::{Attr, Bone, Skin};

/// A compiled skin.
#[derive(Clone, Debug, Default)]
pub(crate) struct SkinRec {
    /// The element, with the contents of its file.
    pub(crate) elem: Skin,
    /// Material.
    pub(crate) matid: Option<usize>,
    /// Bodies of the bones.
    pub(crate) bodies: Vec<usize>,
    /// Weights of the bones' vertices; they sum to one at each vertex.
    pub(crate) weights: Vec<Vec<f32>>,
    /// Orientations of the bones when bound.
    pub(crate) bindquat: Vec<[f32; 4]>,
}

/// Compiles all skins.
pub(crate) fn compile_skins(cx: &mut Cx<'_>, files: &Files<'_>) -> Vec<SkinRec> {
    let spec = cx.spec;
    let mut recs = Vec::with_capacity(spec.skins.len());
    for (id, elem) in spec.skins.iter().enumerate() {
        let name = crate::compile::assets::source::asset_name(&elem.name, &elem.file);
        let at = At { name: &name, id, span: elem.head.span };
        let loaded = load(cx, files, elem).and_then(|elem| check(&elem).map(|()| elem));
        match loaded {
            Ok(elem) => recs.extend(compile_skin(cx, at, elem)),
            Err(words) => cx.fail(at, words),
        }
    }
    recs
}

/// The element, completed by its file.
fn load(cx: &Cx<'_>, files: &Files<'_>, elem: &Skin) -> Result<Skin, String> {
    let file = elem.file.text();
    if file.is_empty() {
        return Ok(elem.clone());
    }

    // either in the file or in the element
    let inline = elem.vertex.is_set() || elem.texcoord.is_set() || elem.face.is_set();
    if inline || !elem.bones.is_empty() {
        return Err(format!("Both skin data and file were specified: {file}"));
    }
    if !file.to_ascii_lowercase().ends_with(".skn") {
        return Err(format!("Unknown skin file type: {file}"));
    }

    // read
    let scope = &cx.spec.scopes[elem.head.scope];
    let bytes = files.read(scope, AssetKind::Mesh, file)?;
    let data = skn::load(&bytes, file).map_err(|e| e.message)?;

    // as attributes, at the place of the element
    let span = elem.head.span;
    let bones = data.bones.into_iter().map(|b| Bone {
        head: elem.head,
        body: Attr::at(b.body, span),
        bindpos: Attr::at(b.bindpos, span),
        bindquat: Attr::at(b.bindquat, span),
        vertid: Attr::at(b.vertid, span),
        vertweight: Attr::at(b.vertweight, span),
    });
    let mut out = elem.clone();
    out.bones = bones.collect();
    out.vertex.set(data.vert);
    if !data.texcoord.is_empty() {
        out.texcoord.set(data.texcoord);
    }
    out.face.set(data.face);
    Ok(out)
}

/// Sizes that must fit together.
fn check(elem: &Skin) -> Result<(), String> {
    let (vert, face) = (elem.values().vertex().to_vec(), elem.values().face().to_vec());
    let texcoord = elem.texcoord.get().map_or(0, Vec::len);
    let checks = [
        (vert.is_empty() || face.is_empty() || elem.bones.is_empty(), "Missing data in skin"),
        (!vert.len().is_multiple_of(3), "Vertex data must be multiple of 3"),
        (
            texcoord > 0 && texcoord != 2 * vert.len() / 3,
            "Vertex and texcoord data incompatible size",
        ),
        (!face.len().is_multiple_of(3), "Face data must be multiple of 3"),
    ];
    if let Some((_, words)) = checks.iter().find(|(wrong, _)| *wrong) {
        return Err((*words).into());
    }
    // MuJoCo takes any, and reads beyond the vertices when it draws
    let there = |id: i32| usize::try_from(id).is_ok_and(|id| id < vert.len() / 3);
    match face.iter().find(|id| !there(**id)) {
        Some(id) => Err(format!("face vertex {id} out of range in skin")),
        None => Ok(()),
    }
}

fn compile_skin(cx: &mut Cx<'_>, at: At<'_>, elem: Skin) -> Option<SkinRec> {
    // bodies and material
    let mut bodies = Vec::with_capacity(elem.bones.len());
    for bone in &elem.bones {
        let name = bone.body.text();
        let Some(body) = cx.find(ObjType::Body, name) else {
            let at = At { span: bone.body.span().unwrap_or(at.span), ..at };
            cx.fail(at, format!("unknown body '{name}' in skin"));
            cx.suggest(ObjType::Body, name);
            return None;
        };
        bodies.push(body);
    }
    let material = elem.material.text();
    let matid = cx.find(ObjType::Material, material);
    if matid.is_none() && !material.is_empty() && !cx.settings[0].discardvisual {
        let at = At { span: elem.material.span().unwrap_or(at.span), ..at };
        cx.fail(at, format!("material '{material}' not found in skin {}", at.id));
        cx.suggest(ObjType::Material, material);
        return None;
    }

    let weights = match weights(&elem) {
        Ok(weights) => weights,
        Err(words) => {
            cx.fail(at, words);
            return None;
        }
    };
    let bindquat = elem.bones.iter().map(|b| {
        let quat = b.bindquat.or([0.0; 4]).map(f64::from);
        unit_quat(Quat::from(quat)).to_array().map(|x| x as f32)
    });
    Some(SkinRec { matid, bodies, weights, bindquat: bindquat.collect(), elem })
}

/// Weights, divided by their sum at each vertex.
fn weights(elem: &Skin) -> Result<Vec<Vec<f32>>, String> {
    let count = elem.vertex.get().map_or(0, Vec::len) / 3;
    let mut total = vec![0.0f32; count];
    let mut all = Vec::with_capacity(elem.bones.len());
    for bone in &elem.bones {
        let (ids, weights) = (bone.vertid.or(Vec::new()), bone.vertweight.or(Vec::new()));
        if ids.len() != weights.len() || ids.is_empty() {
            return Err("vertid and vertweight must have same non-zero size in skin".into());
        }
        for (&id, weight) in ids.iter().zip(&weights) {
            let vert = usize::try_from(id).ok().and_then(|v| total.get_mut(v));
            *vert.ok_or_else(|| format!("vertid {id} out of range in skin"))? += weight;
        }
        all.push(weights);
    }
    // a NaN is let through, as in MuJoCo
    if let Some(i) = total.iter().position(|&w| f64::from(w) <= MINVAL) {
        return Err(format!("vertex {i} must have positive total weight in skin"));
    }
    for (weights, bone) in all.iter_mut().zip(&elem.bones) {
        for (w, &id) in weights.iter_mut().zip(bone.vertid.get().into_iter().flatten()) {
            *w /= total[id as usize];
        }
    }
    Ok(all)
}

/// Sets the sizes that depend on skins.
pub(crate) fn count_skins(recs: &[SkinRec], m: &mut Model) {
    m.nskin = recs.len();
    for rec in recs {
        m.nskinvert += rec.elem.vertex.get().map_or(0, Vec::len) / 3;
        m.nskintexvert += rec.elem.texcoord.get().map_or(0, Vec::len) / 2;
        m.nskinface += rec.elem.face.get().map_or(0, Vec::len) / 3;
        m.nskinbone += rec.bodies.len();
        m.nskinbonevert += rec.weights.iter().map(Vec::len).sum::<usize>();
    }
}

/// Copies the skins into the model.
pub(crate) fn store_skins(recs: &[SkinRec], m: &mut Model) {
    let (mut vert, mut tex, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
    for (i, rec) in recs.iter().enumerate() {
        let s = SkinId::new(i);
        let elem = &rec.elem;
        m.skin_matid[s] = rec.matid.map(MatId::new).into();
        m.skin_group[s] = elem.values().group();
        m.skin_rgba[s] = elem.values().rgba();
        m.skin_inflate[s] = elem.values().inflate();

        // surface
        let verts = triples(elem.vertex.get());
        let faces = triples(elem.face.get());
        let texcoord = elem.values().texcoord().to_vec();
        let uvs: Vec<[f32; 2]> = texcoord.chunks_exact(2).map(|t| [t[0], t[1]]).collect();
        m.skin_vertadr[s] = vert as i32;
        m.skin_vertnum[s] = verts.len() as i32;
        m.skin_texcoordadr[s] = if uvs.is_empty() { -1 } else { tex as i32 };
        m.skin_faceadr[s] = face as i32;
        m.skin_facenum[s] = faces.len() as i32;
        put(&mut m.skin_vert, vert, &verts);
        put(&mut m.skin_texcoord, tex, &uvs);
        put(&mut m.skin_face, face, &faces);

        // bones
        m.skin_boneadr[s] = bone as i32;
        m.skin_bonenum[s] = rec.bodies.len() as i32;
        for (k, b) in elem.bones.iter().enumerate() {
            m.skin_bonebodyid[bone + k] = BodyId::new(rec.bodies[k]);
            m.skin_bonebindpos[bone + k] = b.bindpos.or([0.0; 3]);
            m.skin_bonebindquat[bone + k] = rec.bindquat[k];
            m.skin_bonevertadr[bone + k] = bonevert as i32;
            m.skin_bonevertnum[bone + k] = rec.weights[k].len() as i32;
            put(&mut m.skin_bonevertid, bonevert, &b.vertid.or(Vec::new()));
            put(&mut m.skin_bonevertweight, bonevert, &rec.weights[k]);
            bonevert += rec.weights[k].len();
        }
        vert += verts.len();
        tex += uvs.len();
        face += faces.len();
        bone += rec.bodies.len();
    }
}

fn triples<T: Copy>(flat: Option<&Vec<T>>) -> Vec<[T; 3]> {
    flat.into_iter().flat_map(|list| list.chunks_exact(3)).map(|t| [t[0], t[1], t[2]]).collect()
}
