//! `A = J M⁻¹ Jᵀ` from a Jacobian and a factored mass matrix.

use crate::dense;
use crate::problem::{Error, ErrorKind};

/// Something that can apply the inverse of the mass matrix, usually from its factors.
///
/// Closures `Fn(&mut [f64])` are such things.
pub trait InverseMass {
    /// `x <- M⁻¹ x`.
    fn apply(&self, x: &mut [f64]);
}

impl<F: Fn(&mut [f64])> InverseMass for F {
    fn apply(&self, x: &mut [f64]) {
        self(x);
    }
}

/// Builds the matrix of a problem and keeps its buffers.
///
/// ```
/// use sinew_cone::{Cone, Delassus, Problem};
///
/// // a point of mass 2 above the ground: normal z, tangents x and y
/// let jacobian = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
/// let mut delassus = Delassus::default();
/// let a = delassus.assemble(&jacobian, 3, &|x: &mut [f64]| x.iter_mut().for_each(|x| *x /= 2.0))?;
/// assert_eq!(a[0], 0.5);
/// let problem = Problem::new(a, &[1.0, 0.0, 0.0], &[Cone::contact(0.5)])?;
/// # Ok::<(), sinew_cone::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Delassus {
    a: Vec<f64>,
    image: Vec<f64>,
}

impl Delassus {
    /// The matrix of a Jacobian with one row per row of the problem and `dofs` columns. Exactly
    /// symmetric.
    ///
    /// # Errors
    /// A Jacobian whose length is not a multiple of `dofs`, or with values that are not finite.
    pub fn assemble(
        &mut self,
        jacobian: &[f64],
        dofs: usize,
        mass: &impl InverseMass,
    ) -> Result<&[f64], Error> {
        if dofs == 0 && !jacobian.is_empty() || dofs > 0 && !jacobian.len().is_multiple_of(dofs) {
            return Err(Error::new(ErrorKind::Jacobian { len: jacobian.len(), dofs }));
        }
        if let Some(at) = jacobian.iter().position(|x| !x.is_finite()) {
            let (row, col) = (at / dofs, at % dofs);
            return Err(Error::new(ErrorKind::NotFinite { what: "Jacobian", row, col }));
        }
        let rows = jacobian.len().checked_div(dofs).unwrap_or(0);
        self.a.resize(rows * rows, 0.0);
        for i in 0..rows {
            self.image.clear();
            self.image.extend_from_slice(&jacobian[i * dofs..(i + 1) * dofs]);
            mass.apply(&mut self.image);
            for (j, row) in jacobian.chunks_exact(dofs).enumerate().take(i + 1) {
                let entry = dense::dot(row, &self.image);
                self.a[i * rows + j] = entry;
                self.a[j * rows + i] = entry;
            }
        }
        Ok(&self.a)
    }
}
