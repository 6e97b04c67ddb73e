//! URDF to `Spec`, by MuJoCo's rules.

use crate::diag::Diagnostics;
use crate::include::Document;
use crate::spec::Spec;

/// Reads a robot.
pub(crate) fn read(doc: &Document, diag: &mut Diagnostics) -> Spec {
    let root = doc.tree.node(doc.root);
    diag.error("not-supported", root.span(), "URDF is not supported yet");
    Spec { sources: doc.tree.sources.clone(), ..Spec::default() }
}
