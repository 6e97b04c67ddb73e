//! Reading and content types of asset files.

use std::borrow::Cow;

/// Reads the file of the given path, or says in MuJoCo's words why it cannot.
pub(crate) type ReadFile<'a> = dyn FnMut(&str) -> Result<Cow<'a, [u8]>, String> + 'a;

/// The content type of a file: `content_type` without its parameters where given, else the type of
/// the extension. `None` if the type is malformed or unknown.
pub(crate) fn content_type(path: &str, content_type: &str) -> Option<String> {
    if content_type.is_empty() {
        return type_of_extension(path).map(str::to_owned);
    }
    let (kind, rest) = content_type.split_once('/')?;
    let subtype = match rest.split_once(';') {
        None => rest,
        Some((_, parameter)) if parameter.find('=').is_none_or(|at| at == 0) => return None,
        Some((subtype, _)) => subtype,
    };
    Some(format!("{kind}/{subtype}"))
}

/// MuJoCo's content type of an extension, in any case of letters.
fn type_of_extension(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "stl" => Some("model/stl"),
        "obj" => Some("model/obj"),
        "ply" => Some("model/ply"),
        "msh" => Some("model/vnd.mujoco.msh"),
        "png" => Some("image/png"),
        _ => None,
    }
}
