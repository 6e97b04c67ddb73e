//! Faults that are visible before the first step.

use sinew_engine::forward;
use sinew_model::state::load_keyframe;
use sinew_model::{Data, Model};

use crate::explicit::explicit;
use crate::finding::Finding;
use crate::rows::stiff_elements;
use crate::shapes::shapes;
use crate::soft::soft_contacts;
use crate::start::{DEEP, beyond_limits, overlaps, violated_equalities};
use crate::values::{inverted_ranges, not_finite};

/// Distance of a joint beyond its limit at the start, relative to its range, from which it is
/// reported.
const BEYOND: f64 = 0.05;
/// Violation of an equality at the start, relative to the model's size, from which it is reported.
const VIOLATED: f64 = 0.5;

/// Runs the rules that need no simulation, and returns probable faults and remarks. The rules find
/// geoms that overlap at the start and joints beyond their limits. The rules find gains, springs
/// and contacts that are too stiff for the time step, and contacts that the time step makes too
/// soft. Further rules find NaN, infinities and reversed ranges. The last ones find negligible
/// inertias, meshes unlike their convex hulls, and unused assets.
///
/// The rules see the initial state, and the joint positions of keyframes.
pub fn check(m: &Model) -> Vec<Finding> {
    let mut d = Data::new(m);
    forward(m, &mut d);
    let mut found = not_finite(m);
    found.extend(inverted_ranges(m));
    found.extend(soft_contacts(m));
    found.extend(explicit(m, &Data::new(m), &|| true));
    found.extend(stiff_elements(m));
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
