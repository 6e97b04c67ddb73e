//! The path of a spatial tendon: from site to site, over geoms, through pulleys.

use sinew_math::Vec3;
use sinew_model::enums::WrapType;
use sinew_model::{Data, GeomId, Model, SiteId, TendonId};

use crate::tendon::wrap::Obstacle;

/// One step along a spatial tendon.
pub(crate) enum PathItem {
    /// A new branch begins.
    Pulley,
    /// From one site to the next.
    Span(Span),
}

/// The way from a site to the next one.
pub(crate) struct Span {
    pub(crate) from: SiteId,
    pub(crate) to: SiteId,
    /// The geom on the way.
    pub(crate) over: Option<Over>,
    /// Lengths of this branch are divided by this.
    pub(crate) divisor: f64,
    /// Whether the branch ends here.
    pub(crate) last: bool,
}

/// A geom that a tendon may wrap around.
#[derive(Clone, Copy)]
pub(crate) struct Over {
    pub(crate) geom: GeomId,
    cylinder: bool,
    side: Option<SiteId>,
}

impl Over {
    pub(crate) fn obstacle(&self, m: &Model, d: &Data) -> Obstacle {
        Obstacle {
            cylinder: self.cylinder,
            pos: d.geom_xpos[self.geom],
            mat: d.geom_xmat[self.geom],
            radius: m.geom_size[self.geom][0],
        }
    }

    pub(crate) fn side_pos(&self, d: &Data) -> Option<Vec3> {
        self.side.map(|s| d.site_xpos[s])
    }
}

/// Walks the path of a spatial tendon.
pub(crate) struct Path<'m> {
    m: &'m Model,
    next: usize,
    last: usize,
    divisor: f64,
}

/// Rows of `wrap_*` that make up a tendon.
pub(crate) fn path_range(m: &Model, t: TendonId) -> core::ops::Range<usize> {
    let start = m.tendon_adr[t].idx();
    start..start + m.tendon_num[t] as usize
}

impl<'m> Path<'m> {
    pub(crate) fn new(m: &'m Model, t: TendonId) -> Self {
        let range = path_range(m, t);
        Path { m, next: range.start, last: range.end - 1, divisor: 1.0 }
    }

    fn over(&self, w: usize) -> Option<Over> {
        let m = self.m;
        let cylinder = match m.wrap_type[w] {
            WrapType::Sphere => false,
            WrapType::Cylinder => true,
            _ => return None,
        };
        // the side site is stored as a number, -1 for none
        let side = (m.wrap_prm[w] > -0.5).then(|| SiteId::new(m.wrap_prm[w].round() as usize));
        Some(Over { geom: GeomId::new(m.wrap_objid[w] as usize), cylinder, side })
    }
}

impl Iterator for Path<'_> {
    type Item = PathItem;

    #[inline(always)]
    fn next(&mut self) -> Option<PathItem> {
        let m = self.m;
        while self.next < self.last {
            let at = self.next;

            // a pulley begins a new branch; before it nothing spans
            if m.wrap_type[at] == WrapType::Pulley {
                self.next += 1;
                self.divisor = m.wrap_prm[at];
                return Some(PathItem::Pulley);
            }
            if m.wrap_type[at + 1] == WrapType::Pulley {
                self.next += 1;
                continue;
            }

            // from site to site, past a geom if one stands between them
            let over = self.over(at + 1);
            let to = if over.is_some() { at + 2 } else { at + 1 };
            self.next = to;
            let site = |w: usize| SiteId::new(m.wrap_objid[w] as usize);
            return Some(PathItem::Span(Span {
                from: site(at),
                to: site(to),
                over,
                divisor: self.divisor,
                last: to >= self.last || m.wrap_type[to + 1] == WrapType::Pulley,
            }));
        }
        None
    }
}
