//! Numbers with their first and second derivatives by six inputs.

use core::ops::{Add, Div, Mul, Sub};

use super::dual::{Dual, Smooth};

/// A number and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Jet {
    pub(super) x: f64,
    pub(super) by: [f64; 6],
    /// Symmetric.
    pub(super) second: [[f64; 6]; 6],
}

impl Jet {
    /// A function of the number, by its value and its first two slopes.
    fn map(self, x: f64, slope: f64, bend: f64) -> Self {
        let second = core::array::from_fn(|k| {
            core::array::from_fn(|l| slope * self.second[k][l] + bend * self.by[k] * self.by[l])
        });
        Jet { x, by: self.by.map(|y| y * slope), second }
    }

    /// The sum of multiples.
    fn sum(self, o: Jet, x: f64, [own, other]: [f64; 2]) -> Self {
        let second = core::array::from_fn(|k| {
            core::array::from_fn(|l| own * self.second[k][l] + other * o.second[k][l])
        });
        Jet { x, by: core::array::from_fn(|k| own * self.by[k] + other * o.by[k]), second }
    }
}

impl Smooth for Jet {
    fn constant(x: f64) -> Self {
        Jet { x, by: [0.0; 6], second: [[0.0; 6]; 6] }
    }

    fn input(x: f64, input: usize) -> Self {
        Jet { by: Dual::input(x, input).by, ..Jet::constant(x) }
    }

    fn value(self) -> f64 {
        self.x
    }

    fn sqrt(self) -> Self {
        let root = self.x.sqrt();
        self.map(root, 0.5 / root, -0.25 / (root * self.x))
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, o: Jet) -> Jet {
        self.sum(o, self.x + o.x, [1.0, 1.0])
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, o: Jet) -> Jet {
        self.sum(o, self.x - o.x, [1.0, -1.0])
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, o: Jet) -> Jet {
        let mut out = self.sum(o, self.x * o.x, [o.x, self.x]);
        for (k, row) in out.second.iter_mut().enumerate() {
            for (l, x) in row.iter_mut().enumerate() {
                *x += self.by[k] * o.by[l] + o.by[k] * self.by[l];
            }
        }
        out
    }
}

impl Div for Jet {
    type Output = Jet;
    fn div(self, o: Jet) -> Jet {
        let inverse = 1.0 / o.x;
        let square = inverse * inverse;
        self * o.map(inverse, -square, 2.0 * square * inverse)
    }
}

impl Mul<f64> for Jet {
    type Output = Jet;
    fn mul(self, o: f64) -> Jet {
        self.map(self.x * o, o, 0.0)
    }
}

impl Add<f64> for Jet {
    type Output = Jet;
    fn add(self, o: f64) -> Jet {
        Jet { x: self.x + o, ..self }
    }
}
