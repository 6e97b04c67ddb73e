//! The coefficients of a spring or damper.

use crate::spec::attr::{Partial, Value, ValueError};
use crate::spec::datum::Datum;
use crate::spec::kind::{Kind, Preset};

/// Coefficients of a spring or damper: linear, and since MuJoCo 3.7 of the second and the third
/// power. One number, or two, may be written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Poly(pub Partial<3>);

impl From<f64> for Poly {
    fn from(linear: f64) -> Self {
        Poly(Partial { value: [linear, 0.0, 0.0], len: 1 })
    }
}

impl Poly {
    /// The same coefficients of higher powers with another linear one.
    pub fn with_linear(mut self, linear: f64) -> Self {
        self.0.value[0] = linear;
        self.0.len = self.0.len.max(1);
        self
    }
}

impl Value for Poly {
    type Given<'a> = f64;
    type Whole<'e> = [f64; 3];
    const BLANK_IS_ABSENT: bool = true;
    const KIND: Kind = Kind::Poly;

    fn whole(written: Option<&Self>, default: [f64; 3]) -> [f64; 3] {
        written.map_or(default, |poly| poly.0.fill(default))
    }

    fn preset(default: [f64; 3]) -> Preset {
        Preset::Numbers(default.to_vec())
    }

    fn difference(value: [f64; 3], base: [f64; 3], _: bool) -> Option<String> {
        <[f64; 3]>::difference(value, base, true)
    }

    fn given(linear: f64) -> Self {
        linear.into()
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        Partial::parse(text).map(Poly)
    }

    fn write(&self) -> String {
        self.0.write()
    }

    fn datum(&self) -> Datum {
        self.0.datum()
    }

    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        Partial::of_datum(datum).map(Poly)
    }

    fn has_nan(&self) -> bool {
        self.0.has_nan()
    }

    fn over(&self, base: &Self) -> Self {
        Poly(self.0.over(&base.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_give_the_positions_that_an_element_lacks() {
        let class = Poly::parse("1 2 3").expect("three numbers");
        let own = Poly::parse("4").expect("a number");
        assert_eq!(Poly::whole(Some(&own.over(&class)), [0.0; 3]), [4.0, 2.0, 3.0]);
        assert_eq!(own.write(), "4");
        assert!(Poly::parse("1 2 3 4").is_err());
        assert_eq!(Poly::difference([1.0, 0.0, 0.0], [0.0; 3], true).as_deref(), Some("1"));
        assert_eq!(Poly::difference([1.0, 2.0, 0.0], [0.0; 3], true).as_deref(), Some("1 2"));
        assert_eq!(Poly::difference([0.0; 3], [0.0; 3], true), None);
    }
}
