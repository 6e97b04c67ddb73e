//! Systems with several right-hand sides at once, one in each lane.
//!
//! A factor is read once for all lanes, and the lanes are in registers.

use sinew_math::{chol, ldl, lu};
use sinew_model::{Data, Model};

use super::constraint::Hessian;
use super::integrate::Scheme;
use crate::derivative::lu::d_rows;
use crate::smooth::factor::m_rows;

/// Right-hand sides at once.
pub(super) const WIDTH: usize = 8;

type Lanes = [f64; WIDTH];

/// Vectors of the dofs, side by side.
#[derive(Debug, Default)]
pub(super) struct Panel {
    x: Vec<Lanes>,
    product: Vec<Lanes>,
    dofs: Vec<u32>,
}

impl Panel {
    /// Turns rows of dG into rows of da', with dX if anything is implicit. At most `WIDTH` rows.
    pub(super) fn solve(
        &mut self,
        m: &Model,
        d: &Data,
        (hessian, scheme): (&Hessian, Option<Scheme>),
        rows: &mut [f64],
        extra: &[f64],
    ) {
        self.dofs.clear();
        self.dofs.extend(0..m.nv as u32);
        self.load(m, rows);

        // da = -H⁻¹ dG
        if d.nefc > 0 {
            chol::solve_on(hessian.factor(), &mut self.x);
        } else if scheme.is_none() {
            ldl::solve_on(&m_rows(m), &d.qLD, &d.qLDiagInv, &self.dofs, &mut self.x);
        }
        let Some(scheme) = scheme else { return self.store(m, rows) };

        // da' = (M - h D)⁻¹ (M da + dX); without rows H is M
        if d.nefc > 0 {
            self.multiply(m, d);
        }
        for (lane, row) in extra.chunks_exact(m.nv).enumerate() {
            for (x, extra) in self.x.iter_mut().zip(row) {
                x[lane] += extra;
            }
        }
        if scheme == Scheme::Full {
            lu::solve_on(&d_rows(m), 0..m.nv, &d.qLU, &mut self.x);
        } else {
            ldl::solve_on(&m_rows(m), &d.qH, &d.qHDiagInv, &self.dofs, &mut self.x);
        }
        self.store(m, rows);
    }

    /// Takes the negative of some rows.
    fn load(&mut self, m: &Model, rows: &[f64]) {
        self.x.clear();
        self.x.resize(m.nv, [0.0; WIDTH]);
        for (lane, row) in rows.chunks_exact(m.nv).enumerate() {
            for (x, y) in self.x.iter_mut().zip(row) {
                x[lane] = -y;
            }
        }
    }

    fn store(&self, m: &Model, rows: &mut [f64]) {
        for (lane, row) in rows.chunks_exact_mut(m.nv).enumerate() {
            for (x, y) in self.x.iter().zip(row) {
                *y = x[lane];
            }
        }
    }

    /// x = M x
    fn multiply(&mut self, m: &Model, d: &Data) {
        let Panel { x, product, .. } = self;
        product.clear();
        product.resize(m.nv, [0.0; WIDTH]);
        for i in m.dofs() {
            for k in m.M_row(i) {
                let (j, value) = (m.M_colind[k].idx(), d.M[k]);
                add(&mut product[i.idx()], &x[j], value);
                if j != i.idx() {
                    add(&mut product[j], &x[i.idx()], value);
                }
            }
        }
        core::mem::swap(x, product);
    }
}

fn add(sum: &mut Lanes, x: &Lanes, scale: f64) {
    for (sum, x) in sum.iter_mut().zip(x) {
        *sum += scale * x;
    }
}
