//! Sites that tendons and actuators are attached to.

use std::collections::BTreeSet;

use sinew_kernel::real::Real;
use sinew_model::enums::{TrnType, WrapType};
use sinew_model::{Model, SiteId, TendonId};

use super::blob::Blob;
use super::bodies::by_rows;

/// The packed sites, rising.
pub(super) struct Sites(Vec<usize>);

impl Sites {
    /// The place of a site.
    pub(super) fn place(&self, site: usize) -> u32 {
        self.0.binary_search(&site).map_or(0, |place| place as u32)
    }
}

/// Packs the sites of these tendons, and the actuators' sites.
pub(super) fn add<R: Real>(m: &Model, tendons: &[TendonId], blob: &mut Blob<R>) -> Sites {
    let mut used = BTreeSet::new();
    for &t in tendons {
        for w in m.tendon_adr[t].idx()..m.tendon_adr[t].idx() + m.tendon_num[t] as usize {
            match m.wrap_type[w] {
                WrapType::Site => _ = used.insert(m.wrap_objid[w] as usize),
                WrapType::Sphere | WrapType::Cylinder => used.extend(side(m, w)),
                _ => {}
            }
        }
    }
    let attached = |kind| matches!(kind, TrnType::Site | TrnType::Slidercrank);
    for u in m.actuators().filter(|&u| attached(m.actuator_trntype[u])) {
        used.extend(m.actuator_trnid[u].into_iter().filter_map(|id| usize::try_from(id).ok()));
    }

    let sites: Vec<usize> = used.into_iter().collect();
    let ids = || sites.iter().map(|&s| SiteId::new(s));
    blob.counts.nsite = sites.len() as u32;
    blob.site_body = ids().map(|s| m.site_bodyid[s].idx() as u32).collect();
    blob.site_pos = by_rows(&ids().map(|s| m.site_pos[s].into()).collect::<Vec<[f64; 3]>>());
    blob.site_quat = by_rows(&ids().map(|s| m.site_quat[s].to_array()).collect::<Vec<_>>());
    blob.work.site_xpos = 3 * sites.len();
    Sites(sites)
}

/// The side site of a geom on a path.
pub(super) fn side(m: &Model, w: usize) -> Option<usize> {
    (m.wrap_prm[w] > -0.5).then(|| m.wrap_prm[w].round() as usize)
}
