//! Anchors of connect and weld constraints.

use sinew_math::Vec3;
use sinew_model::enums::{EqType, GeomType, ObjType, VisFlag, VisLabel};

use crate::draw::{Draw, Owner};

pub(super) fn anchors(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Constraint) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for e in m.equalities() {
        let weld = m.eq_type[e] == EqType::Weld;
        if !d.eq_active[e].get() || !(weld || m.eq_type[e] == EqType::Connect) {
            continue;
        }
        let (j, k) = (m.eq_obj1id[e] as usize, m.eq_obj2id[e] as usize);
        let ends = if m.eq_objtype[e] == ObjType::Site {
            [(d.site_xpos[j], d.site_xmat[j]), (d.site_xpos[k], d.site_xmat[k])]
        } else {
            // a weld stores its second anchor first
            let (first, second) = if weld { (3, 0) } else { (0, 3) };
            let anchor = |b: usize, at: usize| {
                let local = Vec3::from_slice(&m.eq_data[e][at..]);
                (d.xmat[b] * local + d.xpos[b], d.xmat[b])
            };
            [anchor(j, first), anchor(k, second)]
        };
        let colors = [m.vis.rgba.connect, m.vis.rgba.constraint];
        for ((pos, mat), rgba) in ends.into_iter().zip(colors) {
            let owner = Owner::decor(ObjType::Equality, e.idx());
            let Some(mut geom) = draw.acquire(owner) else { return };
            let size = f64::from(draw.meansize() * m.vis.scale.constraint);
            let size = Vec3::new(size, 0.0, 0.0);
            geom.init(GeomType::Sphere, Some(size), Some(pos), Some(mat), Some(rgba));
            draw.label(&mut geom, VisLabel::Constraint, ObjType::Equality, e.idx());
            draw.push(geom);
        }
    }
}
