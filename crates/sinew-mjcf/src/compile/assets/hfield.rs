//! Height fields: from elements to the tables of the model.

use std::sync::Arc;

use sinew_model::Model;

use crate::asset::cache::Made;
use crate::asset::hfield::{CompiledHField, HFieldInput};
use crate::compile::assets::jobs::Jobs;
use crate::compile::assets::source::{asset_name, asset_size, read_asset, without};
use crate::compile::cx::{At, Cx};
use crate::compile::rows::put;
use crate::files::{AssetKind, Files};

/// The height fields that are to be compiled.
pub(crate) fn hfield_jobs<'a>(
    cx: &'a Cx<'_>,
    files: &'a Files<'_>,
) -> Jobs<'a, Made<CompiledHField>> {
    let (spec, cache) = (cx.spec, &cx.opts.cache);
    let keys = spec.hfields.iter().map(|e| {
        let key =
            e.file.is_set().then(|| (e.head.scope, false, without(e.attributes(), &["name"])));
        (key, asset_size(files, &spec.scopes, &e.head, AssetKind::Mesh, &e.file))
    });
    Jobs::new(keys, move |id| {
        let e = &spec.hfields[id];
        let input = HFieldInput {
            file: e.file.text().to_owned(),
            content_type: e.content_type.text().to_owned(),
            nrow: e.values().nrow(),
            ncol: e.values().ncol(),
            size: e.values().size(),
            elevation: e.elevation.get().cloned(),
        };
        let mut read = |file: &str| read_asset(files, &spec.scopes, &e.head, AssetKind::Mesh, file);
        cache.make(&input, &mut read)
    })
}

/// The height fields that were compiled; failures are reported.
pub(crate) fn take_hfields(
    cx: &mut Cx<'_>,
    made: Vec<Made<CompiledHField>>,
) -> Vec<Arc<CompiledHField>> {
    let spec = cx.spec;
    let take = |(id, result): (usize, Made<CompiledHField>)| {
        result.unwrap_or_else(|error| {
            let e = &spec.hfields[id];
            let name = asset_name(&e.name, &e.file);
            cx.fail(At { name: &name, id, span: e.head.span }, error);
            Arc::default()
        })
    };
    made.into_iter().enumerate().map(take).collect()
}

/// Adds the sizes of height fields.
pub(crate) fn count_hfields(hfields: &[Arc<CompiledHField>], m: &mut Model) {
    m.nhfield = hfields.len();
    m.nhfielddata = hfields.iter().map(|h| h.data.len()).sum();
}

/// Copies the height fields into the model.
pub(crate) fn store_hfields(cx: &Cx<'_>, hfields: &[Arc<CompiledHField>], m: &mut Model) {
    let mut adr = 0;
    for (i, field) in hfields.iter().enumerate() {
        m.hfield_size[i] = cx.hfield_sizes[i];
        m.hfield_nrow[i] = field.nrow;
        m.hfield_ncol[i] = field.ncol;
        m.hfield_adr[i] = adr as i32;
        put(&mut m.hfield_data, adr, &field.data);
        adr += field.data.len();
    }
}
