//! Elements and vertices of flexible objects against convex solids and each other.

use crate::ccd::gjk::Pair;
use crate::ccd::normal;
use crate::ccd::options::Options;
use crate::ccd::query::find_contacts;
use crate::ccd::support::{Convex, Outline};
use crate::ccd::work::Work;
use crate::solid::Solid;
use crate::touch::Touch;

/// The contact of two solids of which the second, and maybe the first, is an element: at most one.
///
/// EPA of a triangle that is thinner than the overlap finds poor normals. If one of the two is a
/// triangle, the other solid gives the normal where it is round.
#[doc(alias = "mjc_ConvexElem")]
pub fn collide_element(
    a: &Solid,
    b: &Solid,
    margin: f64,
    options: &Options,
    work: &mut Work,
    out: &mut Vec<Touch>,
) {
    let Work { search, library, .. } = work;
    library.admit_pair([a, b]);
    let convex = |solid| Convex::new(solid, margin, library);
    let (Some(a), Some(b)) = (convex(a), convex(b)) else { return };
    let mut pair = Pair { a, b };
    let before = out.len();
    find_contacts(&mut pair, 1, margin, options, search, out);
    if options.native && [&pair.a, &pair.b].into_iter().any(is_triangle) {
        for touch in &mut out[before..] {
            *touch = normal::fixed(*touch, [Some((&pair.a.outline, pair.a.pose)), None]);
        }
    }
}

fn is_triangle(solid: &Convex) -> bool {
    matches!(solid.outline, Outline::Element(element) if element.corners().len() == 3)
}
