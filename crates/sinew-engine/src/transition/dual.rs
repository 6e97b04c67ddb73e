//! Numbers with their derivatives by six inputs.

use core::ops::{Add, Div, Mul, Neg, Sub};

use sinew_math::scalar;

/// A number and its derivatives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dual {
    pub(super) x: f64,
    pub(super) by: [f64; 6],
}

/// A number with derivatives by six inputs.
pub(super) trait Smooth:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Mul<f64, Output = Self>
    + Add<f64, Output = Self>
{
    /// A number that does not change.
    fn constant(x: f64) -> Self;

    /// The input with a number.
    fn input(x: f64, input: usize) -> Self;

    /// The number.
    fn value(self) -> f64;

    /// The square root.
    fn sqrt(self) -> Self;
}

impl Smooth for Dual {
    fn constant(x: f64) -> Self {
        Dual::constant(x)
    }

    fn input(x: f64, input: usize) -> Self {
        Dual::input(x, input)
    }

    fn value(self) -> f64 {
        self.x
    }

    fn sqrt(self) -> Self {
        Dual::sqrt(self)
    }
}

impl Dual {
    /// A number that does not change.
    pub(super) fn constant(x: f64) -> Self {
        Dual { x, by: [0.0; 6] }
    }

    /// The input with a number.
    pub(super) fn input(x: f64, input: usize) -> Self {
        let mut by = [0.0; 6];
        by[input] = 1.0;
        Dual { x, by }
    }

    /// A function of the number, by its value and its slope.
    fn map(self, x: f64, slope: f64) -> Self {
        Dual { x, by: self.by.map(|y| y * slope) }
    }

    pub(super) fn sqrt(self) -> Self {
        let root = self.x.sqrt();
        self.map(root, 0.5 / root)
    }

    pub(super) fn acos(self) -> Self {
        self.map(scalar::acos(self.x), -1.0 / (1.0 - self.x * self.x).sqrt())
    }

    pub(super) fn asin(self) -> Self {
        self.map(scalar::asin(self.x), 1.0 / (1.0 - self.x * self.x).sqrt())
    }

    pub(super) fn sin(self) -> Self {
        self.map(scalar::sin(self.x), scalar::cos(self.x))
    }

    pub(super) fn cos(self) -> Self {
        self.map(scalar::cos(self.x), -scalar::sin(self.x))
    }

    /// The angle of the point (x, self).
    pub(super) fn atan2(self, x: Dual) -> Self {
        let square = self.x * self.x + x.x * x.x;
        let by = core::array::from_fn(|k| (x.x * self.by[k] - self.x * x.by[k]) / square);
        Dual { x: scalar::atan2(self.x, x.x), by }
    }

    fn zip(self, o: Dual, x: f64, [own, other]: [f64; 2]) -> Self {
        Dual { x, by: core::array::from_fn(|k| own * self.by[k] + other * o.by[k]) }
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, o: Dual) -> Dual {
        self.zip(o, self.x + o.x, [1.0, 1.0])
    }
}

impl Sub for Dual {
    type Output = Dual;
    fn sub(self, o: Dual) -> Dual {
        self.zip(o, self.x - o.x, [1.0, -1.0])
    }
}

impl Mul for Dual {
    type Output = Dual;
    fn mul(self, o: Dual) -> Dual {
        self.zip(o, self.x * o.x, [o.x, self.x])
    }
}

impl Div for Dual {
    type Output = Dual;
    fn div(self, o: Dual) -> Dual {
        self.zip(o, self.x / o.x, [1.0 / o.x, -self.x / (o.x * o.x)])
    }
}

impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        self.map(-self.x, -1.0)
    }
}

impl Mul<f64> for Dual {
    type Output = Dual;
    fn mul(self, o: f64) -> Dual {
        self.map(self.x * o, o)
    }
}

impl Add<f64> for Dual {
    type Output = Dual;
    fn add(self, o: f64) -> Dual {
        Dual { x: self.x + o, ..self }
    }
}
