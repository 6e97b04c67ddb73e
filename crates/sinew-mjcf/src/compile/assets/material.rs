//! Materials.

use sinew_model::Model;
use sinew_model::enums::{ObjType, TextureRole};
use sinew_model::ids::{Maybe, TexId};

use crate::compile::cx::{At, Cx};
use crate::spec::Material;

/// A compiled material.
#[derive(Debug)]
pub(crate) struct MaterialRec {
    /// The element with its defaults.
    pub(crate) elem: Material,
    /// Texture of each role.
    pub(crate) textures: [Option<usize>; 10],
}

/// Compiles all materials.
pub(crate) fn compile_materials(cx: &mut Cx<'_>) -> Vec<MaterialRec> {
    if cx.settings[0].discardvisual {
        return Vec::new();
    }
    let spec = cx.spec;
    let mut out = Vec::with_capacity(spec.materials.len());
    for (id, written) in spec.materials.iter().enumerate() {
        // textures by role: the attribute, then the layers
        let elem = cx.defaults.material(written);
        let mut textures = [None; 10];
        let layers = elem.layers.iter().map(|l| (l.role.or(TextureRole::Rgb), l.texture.text()));
        let plain = (TextureRole::Rgb, elem.texture.text());
        for (role, name) in core::iter::once(plain).chain(layers) {
            if name.is_empty() {
                continue;
            }
            let found = cx.find(ObjType::Texture, name);
            if found.is_none() {
                let at = At { name: elem.name.text(), id, span: written.head.span };
                cx.fail(at, format!("texture '{name}' not found in material {id}"));
                cx.suggest(ObjType::Texture, name);
            }
            if let Some(slot) = textures.get_mut(usize::try_from(role.0).unwrap_or(usize::MAX)) {
                *slot = found;
            }
        }
        out.push(MaterialRec { elem, textures });
    }
    out
}

/// Copies the materials into the model.
pub(crate) fn store_materials(recs: &[MaterialRec], m: &mut Model) {
    for (i, rec) in recs.iter().enumerate() {
        let e = &rec.elem;
        m.mat_texid[i] = rec.textures.map(|t| Maybe::from(t.map(TexId::new)));
        m.mat_texuniform[i] = e.values().texuniform().into();
        m.mat_texrepeat[i] = e.values().texrepeat();
        m.mat_emission[i] = e.values().emission();
        m.mat_specular[i] = e.values().specular();
        m.mat_shininess[i] = e.values().shininess();
        m.mat_reflectance[i] = e.values().reflectance();
        m.mat_metallic[i] = e.values().metallic();
        m.mat_roughness[i] = e.values().roughness();
        m.mat_rgba[i] = e.values().rgba();
    }
}
