//! Ranges and whether they limit: `limited="auto"` and the compiler's `autolimits`.

use crate::spec::Tri;

/// Whether a range limits: said so, or left open and the range is not empty.
pub(crate) fn limits(limited: Tri, range: [f64; 2]) -> bool {
    limited == Tri::True || (limited == Tri::Auto && range[0] < range[1])
}

/// The owner of a range, for messages: an element, and the prefix of its attributes.
#[derive(Clone, Copy)]
pub(crate) struct Limited<'a> {
    pub(crate) entity: &'a str,
    pub(crate) attr: &'a str,
}

/// MuJoCo's complaint about a range that neither limits nor does not, if there is one.
pub(crate) fn undecided(
    autolimits: bool,
    limited: Tri,
    range: [f64; 2],
    what: Limited<'_>,
) -> Option<String> {
    let Limited { entity, attr } = what;
    let open = !autolimits && limited == Tri::Auto && range != [0.0; 2];
    open.then(|| {
        format!(
            "{entity} has `{attr}range` but not `{attr}limited`. set the autolimits=\"true\" \
             compiler option, specify `{attr}limited` explicitly (\"true\" or \"false\"), or \
             remove the `{attr}range` attribute."
        )
    })
}
