//! The law of a cone, made linear.
//!
//! With the velocity u and the impulse λ of its rows, and the least velocity w of the normal:
//!
//! ```text
//! sticks   u = (w, 0)
//! slides   u_n = w    s λ_j + λ_n μ_j² u_j = 0,   s² = Σ μ_j² u_j²
//! ```
//!
//! In the convex law u_n = w + s.

use sinew_cone::{Cone, State};

/// Maximum number of rows of a cone.
pub(super) const ROWS: usize = 6;

/// A square matrix over the rows of a cone.
type Square = [[f64; ROWS]; ROWS];

/// `by_velocity` du + `by_impulse` dλ = dw in the first row, and zero in the others.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinearLaw {
    pub(super) by_velocity: Square,
    pub(super) by_impulse: Square,
    /// How far the cone is from another state, as a velocity and as an impulse.
    pub(super) apart: [f64; 2],
}

impl LinearLaw {
    /// The law of a cone in a state, at u and λ.
    pub(super) fn new(
        (cone, state): (&Cone, State),
        u: &[f64],
        impulse: &[f64],
        convex: bool,
    ) -> LinearLaw {
        let mut by_velocity = [[0.0; ROWS]; ROWS];
        let by_impulse = [[0.0; ROWS]; ROWS];
        for (k, row) in by_velocity.iter_mut().enumerate() {
            row[k] = 1.0;
        }
        let mut law = LinearLaw { by_velocity, by_impulse, apart: [f64::INFINITY; 2] };
        match cone {
            Cone::Free => {}
            Cone::HalfLine => law.apart[1] = impulse[0],
            Cone::Interval { lower, upper } => {
                law.apart[1] = (impulse[0] - lower).abs().min((upper - impulse[0]).abs());
            }
            _ => law.contact(cone.friction(), state, u, impulse, convex),
        }
        law
    }

    fn contact(&mut self, mu: &[f64], state: State, u: &[f64], impulse: &[f64], convex: bool) {
        let axes = || mu.iter().enumerate().filter(|(_, mu)| **mu > 0.0).map(|(j, mu)| (j + 1, mu));
        let load = axes().map(|(j, mu)| (impulse[j] / mu).powi(2)).sum::<f64>().sqrt();
        let s = axes().map(|(j, mu)| (mu * u[j]).powi(2)).sum::<f64>().sqrt();
        let slides = state == State::Slide;
        self.apart = [if slides { s } else { f64::INFINITY }, impulse[0]];
        if !slides {
            self.apart[1] = impulse[0] - load;
        }

        // an axis without friction has no impulse
        for (j, _) in mu.iter().enumerate().filter(|(_, mu)| **mu <= 0.0) {
            self.by_velocity[j + 1] = [0.0; ROWS];
            self.by_impulse[j + 1][j + 1] = 1.0;
        }
        if !slides {
            return;
        }
        for (j, mu_j) in axes() {
            let square = mu_j * mu_j;
            self.by_velocity[j] = [0.0; ROWS];
            for (k, mu_k) in axes() {
                self.by_velocity[j][k] = impulse[j] * mu_k * mu_k * u[k] / s;
            }
            self.by_velocity[j][j] += impulse[0] * square;
            self.by_impulse[j][j] = s;
            self.by_impulse[j][0] = square * u[j];
        }
        if convex {
            for (k, mu_k) in axes() {
                self.by_velocity[0][k] = -mu_k * mu_k * u[k] / s;
            }
        }
    }
}
