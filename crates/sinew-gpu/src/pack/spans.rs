//! Paths of spatial tendons: the ways from site to site, over geoms.

use std::collections::BTreeSet;

use sinew_kernel::real::Real;
use sinew_model::enums::WrapType;
use sinew_model::{BodyId, GeomId, Model, SiteId, TendonId};

use super::blob::Blob;
use super::bodies::{NONE, by_rows};
use super::pairs::chain;
use super::sites::{Sites, side};

/// A geom that a tendon may wrap around.
#[derive(Clone, Copy)]
struct Over {
    geom: usize,
    cylinder: bool,
    side: Option<usize>,
}

/// The way from a site to the next one.
#[derive(Clone, Copy)]
struct Span {
    sites: [usize; 2],
    over: Option<Over>,
    divisor: f64,
    /// Pulleys divide a path into branches.
    branch: usize,
}

/// The path of a spatial tendon.
#[derive(Default)]
pub(super) struct Spans(Vec<Span>);

impl Spans {
    pub(super) fn of(m: &Model, t: TendonId) -> Spans {
        let first = m.tendon_adr[t].idx();
        let last = first + (m.tendon_num[t] as usize).saturating_sub(1);
        let (mut at, mut divisor, mut branch, mut spans) = (first, 1.0, 0, Vec::new());
        while at < last {
            if m.wrap_type[at] == WrapType::Pulley {
                (divisor, branch) = (m.wrap_prm[at], branch + 1);
                at += 1;
                continue;
            }
            if m.wrap_type[at + 1] == WrapType::Pulley {
                at += 1;
                continue;
            }
            let cylinder = m.wrap_type[at + 1] == WrapType::Cylinder;
            let over = (cylinder || m.wrap_type[at + 1] == WrapType::Sphere).then(|| Over {
                geom: m.wrap_objid[at + 1] as usize,
                cylinder,
                side: side(m, at + 1),
            });
            let to = if over.is_some() { at + 2 } else { at + 1 };
            let sites = [at, to].map(|w| m.wrap_objid[w] as usize);
            spans.push(Span { sites, over, divisor, branch });
            at = to;
        }
        Spans(spans)
    }

    /// The dofs that change the length: in a branch those that move some of its bodies but not all.
    pub(super) fn dofs(&self, m: &Model) -> BTreeSet<u32> {
        let mut dofs = BTreeSet::new();
        for branch in self.0.chunk_by(|a, b| a.branch == b.branch) {
            let sites = branch.iter().flat_map(|span| span.sites);
            let geoms = branch.iter().filter_map(|span| span.over);
            let bodies: BTreeSet<BodyId> = sites
                .map(|s| m.site_bodyid[SiteId::new(s)])
                .chain(geoms.map(|over| m.geom_bodyid[GeomId::new(over.geom)]))
                .collect();
            let chains: Vec<Vec<u32>> = bodies.iter().map(|&b| chain(m, b)).collect();
            let all = |v: &&u32| chains.iter().all(|chain| chain.contains(v));
            dofs.extend(chains.iter().flatten().filter(|v| !all(v)));
        }
        dofs
    }
}

/// Packs the paths of all tendons; fixed ones have none.
pub(super) fn add<R: Real>(m: &Model, paths: &[Spans], sites: &Sites, blob: &mut Blob<R>) {
    for path in paths {
        blob.ten_span.push(blob.span_side.len() as u32);
        for span in &path.0 {
            blob.span_share.push(R::of(1.0 / span.divisor));
            let side = span.over.and_then(|over| over.side);
            blob.span_side.push(side.map_or(NONE, |s| sites.place(s)));
            let geom = blob.wrap_body.len() as u32;
            blob.span_wrap.push(span.over.map_or(NONE, |_| geom));
            if let Some(over) = span.over {
                let g = GeomId::new(over.geom);
                blob.wrap_body.push(m.geom_bodyid[g].idx() as u32);
                blob.wrap_cylinder.push(u32::from(over.cylinder));
                blob.wrap_radius.push(R::of(m.geom_size[g].x));
            }
        }
    }
    blob.ten_span.push(blob.span_side.len() as u32);
    let spans = || paths.iter().flat_map(|path| &path.0);
    let ends = |k: usize| spans().map(move |span| sites.place(span.sites[k])).collect::<Vec<_>>();
    blob.span_site = [ends(0), ends(1)].concat();
    let geoms = || spans().filter_map(|span| span.over).map(|over| GeomId::new(over.geom));
    blob.wrap_pos = by_rows(&geoms().map(|g| m.geom_pos[g].into()).collect::<Vec<[f64; 3]>>());
    blob.wrap_quat = by_rows(&geoms().map(|g| m.geom_quat[g].to_array()).collect::<Vec<_>>());
    blob.counts.nspan = blob.span_side.len() as u32;
    blob.counts.nwrap = blob.wrap_body.len() as u32;
    blob.work.span = 16 * blob.span_side.len();
    blob.work.span_bends = blob.span_side.len();
}
