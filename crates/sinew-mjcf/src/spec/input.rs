//! Meaning of an actuator's controls.

use sinew_model::later::{
    CHART_EXPMAP, CHART_QUAT, INPUT_FF, INPUT_POS, INPUT_PRESSURE, INPUT_VEL, INPUT_VOLTAGE,
};

use crate::spec::attr::{Value, ValueError};
use crate::spec::datum::Datum;
use crate::spec::kind::{Kind, Preset};

/// Quantities that the controls of an actuator stand for, as bits; 0 for the usual ones.
///
/// The controls of a servo of orientations are a chart of rotations instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Input {
    /// MuJoCo's number.
    pub spec: i32,
    /// Whether the number is one of a chart.
    pub chart: bool,
}

/// Quantities in the order of controls.
const QUANTITIES: [(&str, i32); 4] =
    [("pos", INPUT_POS), ("vel", INPUT_VEL), ("ff", INPUT_FF), ("voltage", INPUT_VOLTAGE)];

/// Meanings that stand alone: quantities that declare, and charts.
const ALONE: [(&str, Input); 3] = [
    ("pressure", Input::of(INPUT_PRESSURE)),
    ("expmap", Input { spec: CHART_EXPMAP, chart: true }),
    ("quat", Input { spec: CHART_QUAT, chart: true }),
];

impl Input {
    /// Quantities by their bits.
    pub const fn of(spec: i32) -> Input {
        Input { spec, chart: false }
    }
}

impl Value for Input {
    type Given<'a> = Input;
    type Whole<'e> = Input;
    const KIND: Kind = Kind::Integer;

    fn whole(written: Option<&Self>, default: Input) -> Input {
        written.copied().unwrap_or(default)
    }

    fn preset(default: Input) -> Preset {
        Preset::Numbers(vec![f64::from(default.spec)])
    }

    fn difference(value: Input, base: Input, _: bool) -> Option<String> {
        (value != base).then(|| value.write()).filter(|words| !words.is_empty())
    }

    fn given(given: Input) -> Self {
        given
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        if let Some((_, input)) = ALONE.iter().find(|(word, _)| *word == text.trim()) {
            return Ok(*input);
        }
        let mut spec = 0;
        for word in text.split_ascii_whitespace() {
            let found = QUANTITIES.iter().find(|(w, _)| *w == word);
            let &(_, bit) = found.ok_or_else(|| ValueError::Keyword {
                found: word.to_owned(),
                words: QUANTITIES.iter().map(|(w, _)| *w).chain(ALONE.map(|(w, _)| w)).collect(),
            })?;
            if bit <= spec {
                let text =
                    "inputs must be listed in canonical order [pos, vel, ff, voltage, pressure]";
                return Err(ValueError::Other(text.into()));
            }
            spec |= bit;
        }
        Ok(Input::of(spec))
    }

    fn write(&self) -> String {
        if let Some((word, _)) = ALONE.iter().find(|(_, input)| input == self) {
            return (*word).to_owned();
        }
        let set = QUANTITIES.iter().filter(|(_, bit)| self.spec & bit != 0).map(|(w, _)| *w);
        set.collect::<Vec<_>>().join(" ")
    }

    fn datum(&self) -> Datum {
        Datum::Integer(self.spec)
    }

    fn of_datum(datum: &Datum) -> Result<Self, ValueError> {
        match datum {
            Datum::Integer(spec) => Ok(Input::of(*spec)),
            Datum::Text(text) => Self::parse(text),
            _ => Err(ValueError::Other("wanted an integer or keywords".into())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_words_in_order() {
        for text in ["pos", "pos vel ff voltage", "vel ff", "quat", "expmap", "pressure"] {
            assert_eq!(Input::parse(text).expect("inputs").write(), text);
        }
        assert_eq!(Input::parse("pos vel"), Ok(Input::of(3)));
        assert!(Input::parse("vel pos").is_err() && Input::parse("pos pos").is_err());
        assert!(Input::parse("pos quat").is_err() && Input::parse("none").is_err());
    }
}
