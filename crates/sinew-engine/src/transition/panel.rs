//! Systems with several right-hand sides at once, one in each lane.

use sinew_math::chol::panel::{Row, TreeFactor, add_vectors, multiply, solve_lu, solve_tree};
use sinew_math::ldl::TreeRows;
use sinew_math::simd::padded;
use sinew_model::{Data, Model};

use super::hessian::Hessian;
use super::integrate::Scheme;
use crate::derivative::lu::d_rows;
use crate::smooth::factor::m_rows;

pub(super) use sinew_math::chol::panel::WIDTH;

/// Vectors of the dofs, side by side.
#[derive(Debug, Default)]
pub(super) struct Panel {
    x: Vec<Row>,
    product: Vec<Row>,
    /// The vectors on the dofs of one part.
    own: Vec<Row>,
    /// The dofs of the parts where a vector is not zero.
    dofs: Vec<u32>,
    parts: Vec<usize>,
    zero: Vec<f64>,
    /// Bits that a number of each dof has in any vector, without the sign.
    bits: Vec<u64>,
}

impl Panel {
    /// Turns rows of dG into rows of da', with dX if anything is implicit. At most `WIDTH` rows.
    pub(super) fn solve(
        &mut self,
        m: &Model,
        d: &Data,
        system: (&Hessian, Option<Scheme>),
        rows: &mut [f64],
        extra: &[f64],
    ) {
        self.solve_lanes(m, d, system, rows, extra);
        for (lane, row) in rows.chunks_exact_mut(m.nv).enumerate() {
            for &v in &self.dofs {
                row[v as usize] = self.x[v as usize][lane];
            }
        }
    }

    /// Rows of da' from rows of dG, with dX if anything is implicit: dofs, and a row of lanes for
    /// each dof. Rows of other dofs are zero, and mean nothing here.
    pub(super) fn solve_lanes(
        &mut self,
        m: &Model,
        d: &Data,
        (hessian, scheme): (&Hessian, Option<Scheme>),
        rows: &[f64],
        extra: &[f64],
    ) -> (&[u32], &[Row]) {
        self.find_parts(m, hessian, rows, extra);
        self.load(m, rows);
        let Panel { x, product, own, dofs, parts, zero, .. } = self;
        let tree = |ld, diag_inv| TreeFactor { rows: m_rows(m), ld, diag_inv };

        // da = -H⁻¹ dG
        if d.nefc > 0 {
            parts.iter().for_each(|&part| hessian.solve(part, x, own));
        } else if scheme.is_none() {
            solve_tree(tree(&d.qLD, &d.qLDiagInv), dofs, x);
        }
        let Some(scheme) = scheme else { return (dofs, &x[..m.nv]) };

        // da' = (M - h D)⁻¹ (M da + dX); without rows H is M
        product.resize(x.len(), [0.0; WIDTH]);
        let by_damping = d.nefc > 0 && scheme == Scheme::Damping;
        if by_damping {
            // with the dampers of dofs alone, da' = da + (M - h D)⁻¹ (h D da + dX)
            for &v in &*dofs {
                let v = v as usize;
                let scale = -m.opt.timestep * m.dof_damping[v];
                product[v] = x[v].map(|x| scale * x);
            }
            core::mem::swap(x, product);
        } else if d.nefc > 0 {
            let rows: TreeRows<'_> = m_rows(m);
            multiply(rows, &d.M, dofs, x, product);
            core::mem::swap(x, product);
        }
        if !extra.is_empty() {
            let lanes = lanes(m, extra, zero);
            if dofs.len() == m.nv {
                add_vectors(lanes, 1.0, &mut x[..m.nv]);
            } else {
                for &v in &*dofs {
                    let v = v as usize;
                    x[v].iter_mut().zip(lanes).for_each(|(x, row)| *x += row[v]);
                }
            }
        }
        if scheme == Scheme::Full {
            solve_lu(d_rows(m), &d.qLU, dofs, x);
        } else {
            solve_tree(tree(&d.qH, &d.qHDiagInv), dofs, x);
        }
        if by_damping {
            for &v in &*dofs {
                let (x, da) = (&mut x[v as usize], &product[v as usize]);
                x.iter_mut().zip(da).for_each(|(x, da)| *x += da);
            }
        }
        (dofs, &x[..m.nv])
    }

    /// Finds the parts where a row is not zero.
    fn find_parts(&mut self, m: &Model, hessian: &Hessian, rows: &[f64], extra: &[f64]) {
        let Panel { dofs, parts, bits, .. } = self;
        dofs.clear();
        parts.clear();
        if hessian.parts() == 1 {
            parts.push(0);
            dofs.extend_from_slice(hessian.dofs(0));
            return;
        }
        bits.clear();
        bits.resize(m.nv, 0);
        for row in rows.chunks_exact(m.nv).chain(extra.chunks_exact(m.nv)) {
            bits.iter_mut().zip(row).for_each(|(bits, x)| *bits |= x.to_bits() << 1);
        }
        for part in 0..hessian.parts() {
            let own = hessian.dofs(part);
            if own.iter().any(|&v| bits[v as usize] != 0) {
                parts.push(part);
                dofs.extend_from_slice(own);
            }
        }
    }

    /// Takes the negative of some rows.
    fn load(&mut self, m: &Model, rows: &[f64]) {
        let Panel { x, dofs, zero, .. } = self;
        x.resize(padded(m.nv), [0.0; WIDTH]);
        x[m.nv..].fill([0.0; WIDTH]);
        zero.resize(m.nv, 0.0);
        let lanes = lanes(m, rows, zero);
        if dofs.len() == m.nv {
            x[..m.nv].fill([0.0; WIDTH]);
            add_vectors(lanes, -1.0, &mut x[..m.nv]);
        } else {
            for &v in &*dofs {
                x[v as usize] = lanes.map(|row| -row[v as usize]);
            }
        }
    }
}

/// The rows of all lanes, where lanes without row have zeros.
fn lanes<'a>(m: &Model, rows: &'a [f64], zero: &'a [f64]) -> [&'a [f64]; WIDTH] {
    let mut lanes = [zero; WIDTH];
    lanes.iter_mut().zip(rows.chunks_exact(m.nv)).for_each(|(lane, row)| *lane = row);
    lanes.map(|row| &row[..m.nv])
}
