//! Textures: from elements to the tables of the model.

use std::sync::Arc;

use sinew_model::Model;

use crate::asset::cache::Made;
use crate::asset::error::AssetError;
use crate::asset::texture::CompiledTexture;
use crate::asset::texture::input::TextureInput;
use crate::compile::assets::jobs::Jobs;
use crate::compile::assets::source::{asset_name, asset_size, read_asset, without};
use crate::compile::cx::{At, Cx};
use crate::compile::rows::put;
use crate::files::{AssetKind, Files};
use crate::spec::{Attr, Texture};

/// The textures that are to be compiled.
pub(crate) fn texture_jobs<'a>(
    cx: &'a Cx<'_>,
    files: &'a Files<'_>,
) -> Jobs<'a, Made<CompiledTexture>> {
    let (spec, cache) = (cx.spec, &cx.opts.cache);
    let elems = if cx.settings[0].discardvisual { &[] } else { &*spec.textures };
    let keys = elems.iter().map(|e| {
        let key =
            e.file.is_set().then(|| (e.head.scope, false, without(e.attributes(), &["name"])));
        (key, asset_size(files, &spec.scopes, &e.head, AssetKind::Texture, &e.file))
    });
    Jobs::new(keys, move |id| {
        let e = &elems[id];
        let mut read =
            |file: &str| read_asset(files, &spec.scopes, &e.head, AssetKind::Texture, file);
        cache.make(&texture_input(e, id)?, &mut read)
    })
}

/// The textures that were compiled; failures are reported.
pub(crate) fn take_textures(
    cx: &mut Cx<'_>,
    made: Vec<Made<CompiledTexture>>,
) -> Vec<Arc<CompiledTexture>> {
    let spec = cx.spec;
    let mut out = Vec::with_capacity(made.len());
    for (id, result) in made.into_iter().enumerate() {
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
