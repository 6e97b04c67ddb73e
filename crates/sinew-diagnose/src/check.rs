//! What can be found before the first step.

use sinew_engine::forward;
use sinew_model::state::load_keyframe;
use sinew_model::{Data, Model};

use crate::explicit::explicit;
use crate::finding::Finding;
use crate::rows::hasty_elements;
use crate::shapes::shapes;
use crate::start::{DEEP, beyond_limits, overlaps, violated_equalities};

/// Share of a range by which a joint may start beyond it.
const BEYOND: f64 = 0.05;
/// Share of the model's size by which an equality may be violated at the start.
const VIOLATED: f64 = 0.5;

/// What will probably go wrong with a model, and what is worth knowing: geoms that overlap at the
/// start, joints beyond their limits, gains, springs and contacts too stiff for the time step,
/// inertias of nearly nothing, meshes unlike their hulls, assets that nothing uses.
///
/// Takes no step. Looks at the first state, and at the limits of keyframes.
pub fn check(m: &Model) -> Vec<Finding> {
    let mut d = Data::new(m);
    forward(m, &mut d);
    let mut found = explicit(m, &Data::new(m));
    found.extend(hasty_elements(m));
    found.extend(overlaps(m, &d, DEEP));
    found.extend(beyond_limits(m, &d.qpos, &d, BEYOND));
    found.extend(violated_equalities(m, &d, VIOLATED));
    for key in 0..m.nkey {
        let mut posed = Data::new(m);
        load_keyframe(m, &mut posed, key);
        for mut finding in beyond_limits(m, &posed.qpos, &d, BEYOND) {
            if found.iter().any(|f| f.parts == finding.parts && f.text == finding.text) {
                continue;
            }
            let name = m.id2name(sinew_model::enums::ObjType::Key, key).unwrap_or_default();
            finding.text = format!("keyframe '{name}': {}", finding.text);
            found.push(finding);
        }
    }
    found.extend(shapes(m));
    found
}
