//! Where an asset comes from: its name, its attributes, its bytes.

use std::borrow::Cow;

use crate::files::{self, AssetKind, Files};
use crate::spec::{Attr, Head};

/// Attributes that influence the result of an asset.
pub(crate) fn without(
    mut attributes: Vec<(&'static str, String)>,
    names: &[&str],
) -> Vec<(&'static str, String)> {
    attributes.retain(|(name, _)| !names.contains(name));
    attributes
}

/// The bytes of an asset in the scope of an element.
pub(crate) fn read_asset<'f>(
    files: &Files<'f>,
    scopes: &[crate::spec::Scope],
    head: &Head,
    kind: AssetKind,
    file: &str,
) -> Result<Cow<'f, [u8]>, String> {
    let scope = scopes.get(head.scope).ok_or_else(|| format!("Error opening file '{file}'"))?;
    files.read(scope, kind, file)
}

/// The size of the file of an asset; 0 if there is none.
pub(crate) fn asset_size(
    files: &Files<'_>,
    scopes: &[crate::spec::Scope],
    head: &Head,
    kind: AssetKind,
    file: &Attr<String>,
) -> u64 {
    let scope = scopes.get(head.scope).filter(|_| file.is_set());
    scope.map_or(0, |scope| files.size(scope, kind, file.text()))
}

/// The name of an asset, for messages and tables that outlive the spec.
pub(crate) fn asset_name(name: &Attr<String>, file: &Attr<String>) -> String {
    files::asset_name(name, file).to_owned()
}
