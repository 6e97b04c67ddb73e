//! Textures: from elements to the tables of the model.

use std::sync::Arc;

use sinew_model::Model;

use crate::asset::error::AssetError;
use crate::asset::texture::CompiledTexture;
use crate::asset::texture::input::TextureInput;
use crate::compile::assets::source::{asset_name, once_each, read_asset, without};
use crate::compile::cx::{At, Cx};
use crate::compile::rows::put;
use crate::files::{AssetKind, Files};
use crate::spec::{Attr, Texture};

/// Compiles the textures; failures are reported.
pub(crate) fn compile_textures(cx: &mut Cx<'_>, files: &Files<'_>) -> Vec<Arc<CompiledTexture>> {
    let spec = cx.spec;
    if cx.settings[0].discardvisual {
        return Vec::new();
    }

    // a texture from its attributes
    let compile = |id: usize| {
        let e = &spec.textures[id];
        let mut read =
            |file: &str| read_asset(files, &spec.scopes, &e.head, AssetKind::Texture, file);
        cx.opts.cache.make(&texture_input(e, id)?, &mut read)
    };

    // equal ones are compiled once
    let mut out = Vec::with_capacity(spec.textures.len());
    let keys = spec.textures.iter().map(|e| {
        e.file.is_set().then(|| (e.head.scope, false, without(e.attributes(), &["name"])))
    });
    for (id, result) in once_each(keys, &compile).into_iter().enumerate() {
        match result {
            Ok(texture) => out.push(texture),
            Err(error) => {
                let e = &spec.textures[id];
                let name = asset_name(&e.name, &e.file);
                cx.fail(At { name: &name, id, span: e.head.span }, error);
            }
        }
    }
    out
}

fn texture_input(e: &Texture, id: usize) -> Result<TextureInput, AssetError> {
    // the layout has one letter for each cell
    let gridsize = e.values().gridsize();
    let mut layout = "............".to_owned();
    if let Some(text) = e.gridlayout.get() {
        if text.len() > 12 {
            return Err(AssetError::new("gridlayout length cannot exceed 12 characters"));
        }
        let cells = i64::from(gridsize[0]) * i64::from(gridsize[1]);
        if text.len() as i64 != cells {
            return Err(AssetError::new("gridlayout length must match gridsize"));
        }
        layout = format!("{text:.<12}");
    }

    // attributes and their defaults
    let side = |a: &Attr<String>| a.text().to_owned();
    Ok(TextureInput {
        name: asset_name(&e.name, &e.file),
        id,
        kind: e.values().type_(),
        colorspace: e.values().colorspace(),
        file: side(&e.file),
        content_type: side(&e.content_type),
        cubefiles: [
            side(&e.fileright),
            side(&e.fileleft),
            side(&e.fileup),
            side(&e.filedown),
            side(&e.filefront),
            side(&e.fileback),
        ],
        gridsize,
        gridlayout: layout,
        builtin: e.values().builtin(),
        rgb1: e.values().rgb1(),
        rgb2: e.values().rgb2(),
        mark: e.values().mark(),
        markrgb: e.values().markrgb(),
        random: e.values().random(),
        width: e.values().width(),
        height: e.values().height(),
        hflip: e.values().hflip(),
        vflip: e.values().vflip(),
        nchannel: e.values().nchannel(),
        data: e.data.clone(),
    })
}

/// Adds the sizes of textures.
pub(crate) fn count_textures(textures: &[Arc<CompiledTexture>], m: &mut Model) {
    m.ntex = textures.len();
    m.ntexdata = textures.iter().map(|t| t.data.len()).sum();
}

/// Copies the textures into the model.
pub(crate) fn store_textures(textures: &[Arc<CompiledTexture>], m: &mut Model) {
    let mut adr = 0;
    for (i, texture) in textures.iter().enumerate() {
        m.tex_type[i] = texture.kind;
        m.tex_colorspace[i] = texture.colorspace;
        m.tex_height[i] = texture.height;
        m.tex_width[i] = texture.width;
        m.tex_nchannel[i] = texture.nchannel;
        m.tex_adr[i] = adr as i64;
        put(&mut m.tex_data, adr, &texture.data);
        adr += texture.data.len();
    }
}
