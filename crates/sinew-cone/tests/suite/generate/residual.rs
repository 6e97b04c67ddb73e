//! How far impulses are from the law, computed apart from the solver: from `A`, `b` and the cones
//! alone.

use sinew_cone::{Cone, Law};

/// `|λ - Π(λ - ĝ)|` over `max(1, |λ|∞)`, with `ĝ = A λ - b` and, for Coulomb's law, De Saxcé's
/// correction.
pub(crate) fn residual(a: &[f64], b: &[f64], cones: &[Cone], x: &[f64], law: Law) -> f64 {
    let n = b.len();
    let (mut sum, mut first) = (0.0, 0);
    for cone in cones {
        let rows = first..first + cone.dim();
        let mut g: Vec<f64> = rows
            .clone()
            .map(|i| a[i * n..(i + 1) * n].iter().zip(x).map(|(a, x)| a * x).sum::<f64>() - b[i])
            .collect();
        let mu = cone.friction();
        if law == Law::Coulomb {
            let slip: f64 = mu.iter().zip(&g[1..]).map(|(mu, g)| (mu * g) * (mu * g)).sum();
            g[0] += slip.sqrt();
        }
        let moved: Vec<f64> = x[rows.clone()].iter().zip(&g).map(|(x, g)| x - g).collect();
        let nearest = nearest(cone, &moved);
        sum += x[rows].iter().zip(&nearest).map(|(x, p)| (x - p) * (x - p)).sum::<f64>();
        first += cone.dim();
    }
    sum.sqrt() / x.iter().fold(1.0, |a: f64, x| a.max(x.abs()))
}

/// The nearest point of a cone, by bisection for the multiplier of its surface.
fn nearest(cone: &Cone, p: &[f64]) -> Vec<f64> {
    match *cone {
        Cone::Free => return p.to_vec(),
        Cone::HalfLine => return vec![p[0].max(0.0)],
        Cone::Interval { lower, upper } => return vec![p[0].clamp(lower, upper)],
        _ => {}
    }
    let mu = cone.friction();
    let norm = |f: &dyn Fn(usize) -> f64| (0..mu.len()).map(|k| f(k) * f(k)).sum::<f64>().sqrt();
    if norm(&|k| p[k + 1] / mu[k]) <= p[0] {
        return p.to_vec();
    }
    if norm(&|k| p[k + 1] * mu[k]) <= -p[0] {
        return vec![0.0; p.len()];
    }

    // t_k = p_k mu_k² / (mu_k² + ν), n = |t / mu|, and (1 - ν) n = p_n
    let used = |nu: f64| norm(&|k| p[k + 1] * mu[k] / (mu[k] * mu[k] + nu));
    let (mut low, mut high) = (0.0, 1.0);
    while (1.0 - high) * used(high) > p[0] {
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if (1.0 - middle) * used(middle) > p[0] {
            low = middle;
        } else {
            high = middle;
        }
    }
    let mut out = vec![used(low)];
    out.extend((0..mu.len()).map(|k| p[k + 1] * mu[k] * mu[k] / (mu[k] * mu[k] + low)));
    out
}
