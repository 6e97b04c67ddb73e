//! Coefficients of the ellipsoid fluid model.

use sinew_engine as engine;
use sinew_math::{Vec3, scalar};
use sinew_model::enums::GeomType;

use crate::orientation::PI;
use crate::pose::{EPS, largest};

/// Gauss-Kronrod quadrature with 15 points over l = x³ / (1 - x)², x from 0 to 1: weight, l, dl/dx.
const KRONROD: [(f64, f64, f64); 15] = [
    (0.01146766, 7.865151709349917e-08, 5.538677720489877e-05),
    (0.03154605, 1.7347976913907274e-05, 0.002080868285293228),
    (0.05239501, 0.0003548008144506193, 0.016514126520723166),
    (0.07032663, 0.002846636252924549, 0.07261900344370877),
    (0.08450236, 0.014094260903596077, 0.23985243401862602),
    (0.09517529, 0.053063261727396636, 0.6868318249020725),
    (0.10221647, 0.17041978741317773, 1.8551129519182894),
    (0.10474107, 0.5, 5.0),
    (0.10221647, 1.4036301548686991, 14.060031152313941),
    (0.09517529, 3.9353484827022642, 43.28941239611009),
    (0.08450236, 11.644841677041734, 156.58546376397112),
    (0.07032663, 39.53187807410903, 747.9826085305024),
    (0.05239501, 177.5711362220801, 5827.4042950027115),
    (0.03154605, 1429.4772912937397, 116754.0197944512),
    (0.01146766, 54087.416549217705, 25482945.327264845),
];

/// `geom_fluid` of a geom: a one, the drag and lift coefficients, virtual mass and inertia.
#[doc(alias = "SetFluidCoefs")]
pub(crate) fn interaction(kind: GeomType, size: Vec3, coefs: [f64; 5]) -> [f64; 12] {
    let Vec3 { x: dx, y: dy, z: dz } = engine::semi_axes(kind, size);
    let volume = 4.0 / 3.0 * PI * dx * dy * dz;
    let (kx, ky, kz) = (kappa(dx, dy, dz), kappa(dy, dz, dx), kappa(dz, dx, dy));

    // a negative numerator comes with a negative denominator
    let factor = |a: f64, b: f64, ka: f64, kb: f64| {
        let (a, b) = (a * a, b * b);
        let denominator = (2.0 * (a - b) + (a + b) * (ka - kb)).abs();
        (a - b) * (a - b) * (kb - ka).abs() / largest(EPS, denominator)
    };
    let mass = |k: f64| volume * k / largest(EPS, 2.0 - k);
    let inertia = |f: f64| volume * f / 5.0;
    let [blunt, slender, angular, kutta, magnus] = coefs;
    [
        1.0,
        blunt,
        slender,
        angular,
        kutta,
        magnus,
        mass(kx),
        mass(ky),
        mass(kz),
        inertia(factor(dy, dz, ky, kz)),
        inertia(factor(dz, dx, kz, kx)),
        inertia(factor(dx, dy, kx, ky)),
    ]
}

/// Added mass along the first of three semi-axes: ∫ dx dy dz / √((dx²+l)³ (dy²+l) (dz²+l)) dl.
#[doc(alias = "GetAddedMassKappa")]
fn kappa(dx: f64, dy: f64, dz: f64) -> f64 {
    let (ix, iy, iz) = (1.0 / (dx * dx), 1.0 / (dy * dy), 1.0 / (dz * dz));
    let scale = scalar::pow(dx * dx * dx * dy * dz, 0.4);
    let mut sum = 0.0;
    for (w, l, d) in KRONROD {
        let l = scale * l;
        let root = ((1.0 + l * ix) * (1.0 + l * iy) * (1.0 + l * iz)).sqrt();
        sum += scale * d / ((1.0 + l * ix) * root) * w;
    }
    sum * ix
}
