//! The cones of a problem and the Euclidean projection onto them.

use std::ops::Range;

/// The set one group of rows is confined to.
///
/// A contact's rows are its normal impulse `n` followed by its friction impulses `t`; the cone is
/// `sqrt(Σ (t_j / friction_j)²) <= n`. Equal coefficients give Coulomb's circular cone. An axis
/// without friction has impulse exactly zero; for a contact without any friction prefer
/// [`Cone::HalfLine`], which needs only the normal row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Cone {
    /// One row, any value: a bilateral constraint.
    Free,
    /// One row, not negative: a frictionless contact or a limit.
    HalfLine,
    /// One row in `lower..=upper`: dry friction in a joint, a motor with bounded impulse.
    Interval {
        /// Smallest value; may be minus infinity.
        lower: f64,
        /// Largest value; may be infinity.
        upper: f64,
    },
    /// Three rows: normal and two tangents, each with its coefficient.
    Contact3([f64; 2]),
    /// Four rows: normal, two tangents, spin about the normal.
    Contact4([f64; 3]),
    /// Six rows: normal, two tangents, spin, two rolling axes.
    Contact6([f64; 5]),
}

impl Cone {
    /// A contact with the same friction in both tangential directions.
    pub fn contact(friction: f64) -> Cone {
        Cone::Contact3([friction; 2])
    }

    /// Number of rows.
    pub fn dim(&self) -> usize {
        1 + self.friction().len()
    }

    /// Coefficients of the friction rows; empty where there are none.
    pub fn friction(&self) -> &[f64] {
        match self {
            Cone::Free | Cone::HalfLine | Cone::Interval { .. } => &[],
            Cone::Contact3(mu) => mu,
            Cone::Contact4(mu) => mu,
            Cone::Contact6(mu) => mu,
        }
    }

    /// Whether this is a contact: its normal is pushed and never pulled.
    pub fn is_contact(&self) -> bool {
        !matches!(self, Cone::Free | Cone::Interval { .. })
    }

    /// Replaces `x` by the nearest point of the set.
    ///
    /// ```
    /// let mut x = [0.0, 2.0, 0.0];
    /// sinew_cone::Cone::contact(1.0).project(&mut x);
    /// assert_eq!(x, [1.0, 1.0, 0.0]);
    /// ```
    ///
    /// # Panics
    /// If `x` is not as long as [`Cone::dim`] says.
    pub fn project(&self, x: &mut [f64]) {
        assert_eq!(x.len(), self.dim(), "one value per row of the cone");
        match *self {
            Cone::Free => {}
            Cone::HalfLine => x[0] = x[0].max(0.0),
            Cone::Interval { lower, upper } => x[0] = x[0].max(lower).min(upper),
            _ => project_elliptic(self.friction(), x),
        }
    }
}

/// Cones, each with its rows.
pub(crate) fn with_rows(cones: &[Cone]) -> impl Iterator<Item = (&Cone, Range<usize>)> {
    let mut first = 0;
    cones.iter().map(move |cone| {
        let rows = first..first + cone.dim();
        first = rows.end;
        (cone, rows)
    })
}

fn project_elliptic(mu: &[f64], x: &mut [f64]) {
    let (normal, t) = x.split_at_mut(1);
    let n = normal[0];
    for (t, mu) in t.iter_mut().zip(mu) {
        if *mu == 0.0 {
            *t = 0.0;
        }
    }

    // inside: the point itself
    let slope = norm(t.iter().zip(mu).map(|(t, mu)| if *mu > 0.0 { t / mu } else { 0.0 }));
    if slope <= n {
        return;
    }

    // in the polar cone: the apex
    let lever = norm(t.iter().zip(mu).map(|(t, mu)| t * mu));
    if lever <= -n {
        x.fill(0.0);
        return;
    }

    // surface, by the multiplier ν of Σ(t/mu)² = n²:  t_j = p_j mu_j² / (mu_j² + ν), and
    // n = |t/mu| turns the normal's equation into ψ(ν) = (1 - ν) |t/mu| - p_n = 0
    let equal = mu.iter().all(|m| *m == mu[0]);
    if equal {
        let tangent = norm(t.iter().copied());
        let new = (n + mu[0] * tangent) / (1.0 + mu[0] * mu[0]);
        normal[0] = new;
        t.iter_mut().for_each(|t| *t *= mu[0] * new / tangent);
        return;
    }
    let nu = surface_multiplier(mu, n, t);
    for (t, mu) in t.iter_mut().zip(mu) {
        *t *= mu * mu / (mu * mu + nu);
    }
    normal[0] = norm(t.iter().zip(mu).map(|(t, mu)| if *mu > 0.0 { t / mu } else { 0.0 }));
}

/// Root of ψ, which falls from a positive value at zero to a negative one at infinity.
fn surface_multiplier(mu: &[f64], n: f64, t: &[f64]) -> f64 {
    let (mut low, mut high, mut nu) = (0.0, f64::INFINITY, 0.0_f64);
    for _ in 0..100 {
        // N = |t/mu| and its derivative
        let (mut square, mut slope) = (0.0, 0.0);
        for (t, mu) in t.iter().zip(mu).filter(|(_, mu)| **mu > 0.0) {
            let term = t * mu / (mu * mu + nu);
            square += term * term;
            slope -= term * term / (mu * mu + nu);
        }
        let length = square.sqrt();
        let psi = (1.0 - nu) * length - n;
        if psi > 0.0 {
            low = nu;
        } else {
            high = nu;
        }

        // Newton, or a safe point of the bracket
        let newton = nu - psi / ((1.0 - nu) * slope / length - length);
        let next = if newton >= low && newton <= high {
            newton
        } else if high.is_finite() {
            0.5 * (low + high)
        } else {
            2.0 * low + 1.0
        };
        if (next - nu).abs() <= f64::EPSILON * nu || psi == 0.0 {
            return next;
        }
        nu = next;
    }
    nu
}

fn norm(values: impl Iterator<Item = f64>) -> f64 {
    values.map(|v| v * v).sum::<f64>().sqrt()
}
