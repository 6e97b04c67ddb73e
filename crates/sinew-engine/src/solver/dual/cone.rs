//! Contacts with elliptic cones in the space of forces.

use core::ops::Range;

use sinew_math::{MINVAL, vector};
use sinew_model::Data;
use sinew_model::enums::{ConstraintState, ConstraintType};

use super::matrix::{Matrix, hard_diagonal};
use super::qcqp::{self, Qcqp};

/// Which matrix a solver works with.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Softness {
    /// A + R, as `efc_AR` has it.
    Soft,
    /// A alone, for the friction rows of cones.
    Hard,
}

/// The rows of a contact with an elliptic cone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FrictionCone {
    /// The first row, the row of the normal.
    pub(crate) row: usize,
    /// Number of rows.
    pub(crate) dim: usize,
    /// Friction of the regularised cone.
    mu: f64,
    /// Friction of each direction.
    friction: [f64; 5],
    /// Where its numbers begin among the blocks: the block of A, in rows; then the block of the
    /// friction directions once more, scaled.
    adr: usize,
    /// Rows and columns of the block of A: all, or the friction rows alone.
    size: usize,
}

impl FrictionCone {
    /// The contact's block of A.
    #[inline]
    pub(crate) fn block<'a>(&self, blocks: &'a [f64]) -> &'a [f64] {
        &blocks[self.adr..][..self.size * self.size]
    }

    /// The best friction force for a normal force, in the `N` directions there are. `b` is the
    /// linear part of the cost.
    #[inline(always)]
    pub(crate) fn best_friction<const N: usize>(
        &self,
        blocks: &[f64],
        normal: f64,
        b: &[f64; N],
    ) -> [f64; N] {
        let (a, _) = blocks[self.adr + self.size * self.size..].as_chunks::<N>();
        let (Some(a), Some(&mu)) = (a.first_chunk(), self.friction.first_chunk()) else {
            return [0.0; N];
        };
        let (y, on_surface) = Qcqp { a, mu }.solve(b, normal);
        // the minimum may be only near the surface: move it there
        let mut scale = 1.0;
        if on_surface {
            let sum = y.iter().fold(0.0, |sum, y| sum + y * y);
            scale = (normal * normal / sum.max(MINVAL)).sqrt();
        }
        core::array::from_fn(|i| y[i] * (mu[i] * scale))
    }

    /// The zone of the dual cone that a force is in, under the name of the primal zone.
    #[inline]
    pub(crate) fn state(&self, force: &[f64]) -> ConstraintState {
        let normal = force[0] / self.mu;
        let mut tangent = [0.0; 5];
        for (t, (f, mu)) in tangent.iter_mut().zip(force[1..].iter().zip(&self.friction)) {
            *t = f / mu;
        }
        let tangent = vector::norm(&tangent[..self.dim - 1]);
        if self.mu * normal >= tangent {
            ConstraintState::Satisfied
        } else if normal + self.mu * tangent <= 0.0 {
            ConstraintState::Quadratic
        } else {
            ConstraintState::Cone
        }
    }
}

/// The rows that are no part of a cone, and the cone that follows them.
#[inline]
pub(crate) fn segments(
    cones: &[FrictionCone],
    nefc: usize,
) -> impl Iterator<Item = (Range<usize>, Option<&FrictionCone>)> {
    let mut row = 0;
    cones.iter().map(Some).chain([None]).map(move |cone| {
        let rows = row..cone.map_or(nefc, |cone| cone.row);
        row = cone.map_or(nefc, |cone| cone.row + cone.dim);
        (rows, cone)
    })
}

/// Finds the cones and their blocks of A.
pub(crate) fn find_cones(
    d: &Data,
    a: Matrix<'_>,
    softness: Softness,
    cones: &mut Vec<FrictionCone>,
    blocks: &mut Vec<f64>,
) {
    cones.clear();
    blocks.clear();
    let mut row = (d.ne + d.nf).min(d.nefc);
    while row < d.nefc {
        let contact = d.contact.get(d.efc_id[row] as usize);
        let elliptic = d.efc_type[row] == ConstraintType::ContactElliptic;
        let Some(contact) = contact.filter(|_| elliptic) else {
            row += 1;
            continue;
        };

        // never more rows than there are
        let dim = (contact.dim.clamp(1, 6) as usize).min(d.nefc - row);
        let (first, size) = match softness {
            Softness::Soft => (row, dim),
            Softness::Hard => (row + 1, dim - 1),
        };
        let friction = contact.friction;
        let adr = blocks.len();
        cones.push(FrictionCone { row, dim, mu: contact.mu, friction, adr, size });

        // its block of A, then the block of the friction directions, scaled
        a.append_square(first, size, blocks);
        if softness == Softness::Hard {
            for k in 0..size {
                let diagonal = &mut blocks[adr + k * (size + 1)];
                *diagonal = hard_diagonal(*diagonal, d.efc_R[first + k]);
            }
        }
        let skip = size + 1 - dim;
        let place = |i: usize, j: usize| adr + (i + skip) * size + j + skip;
        qcqp::scale(blocks, &friction, dim - 1, place);
        row += dim;
    }
}
