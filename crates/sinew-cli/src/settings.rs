//! `--set option.timestep=0.001`: options of a model as arguments.

use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use sinew::Model;
use sinew::model::options::Options;
use sinew::model::pod::Scalar;
use sinew::model::record::{Record, RecordField, record_bytes_mut};

/// The name of an option and the text of its value.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    name: String,
    value: String,
}

/// Keywords of options in MJCF, in the order of their numbers.
const KEYWORDS: [(&str, &[&str]); 4] = [
    ("integrator", &["Euler", "RK4", "implicit", "implicitfast"]),
    ("cone", &["pyramidal", "elliptic"]),
    ("jacobian", &["dense", "sparse", "auto"]),
    ("solver", &["PGS", "CG", "Newton"]),
];

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        let (name, value) = text.split_once('=').ok_or("wanted NAME=VALUE")?;
        Ok(Setting { name: name.trim().into(), value: value.trim().into() })
    }
}

impl Setting {
    /// Sets the option of a model.
    pub(crate) fn apply(&self, m: &mut Model) -> Result<()> {
        // the field by name
        let known =
            |name: &str| Options::FIELDS.iter().find(|f| f.name == name && f.name != "pad_");
        let Some(field) = self.name.strip_prefix("option.").and_then(known) else {
            let fields = Options::FIELDS.iter().filter(|f| f.name != "pad_");
            let names: Vec<String> = fields.map(|f| format!("option.{}", f.name)).collect();
            bail!("--set {}: no such setting; there are {}", self.name, names.join(", "));
        };

        // check the number of values
        let numbers = self.numbers(field)?;
        ensure!(
            numbers.len() == field.width,
            "--set {}: wanted {} numbers, found {}",
            self.name,
            field.width,
            numbers.len()
        );

        // write them in the field's type
        let bytes = &mut record_bytes_mut(&mut m.opt)[field.offset..];
        let size = field.scalar.size();
        for (place, x) in bytes.chunks_exact_mut(size).zip(numbers) {
            match field.scalar {
                Scalar::F64 => place.copy_from_slice(&x.to_ne_bytes()),
                _ => place.copy_from_slice(&(x as i32).to_ne_bytes()),
            }
        }
        Ok(())
    }

    /// The numbers of the value, or of its keyword.
    fn numbers(&self, field: &RecordField) -> Result<Vec<f64>> {
        let words = KEYWORDS.iter().find(|(name, _)| *name == field.name).map(|(_, words)| *words);
        if let Some(words) = words {
            match words.iter().position(|w| w.eq_ignore_ascii_case(&self.value)) {
                Some(number) => return Ok(vec![number as f64]),
                None => bail!("--set {}: wanted one of {}", self.name, words.join(", ")),
            }
        }
        let mut numbers = Vec::new();
        for word in self.value.split([' ', ',']).filter(|w| !w.is_empty()) {
            let number: f64 = match word.parse() {
                Ok(number) => number,
                Err(_) => bail!("--set {}: '{word}' is not a number", self.name),
            };
            let whole = field.scalar == Scalar::F64 || number == f64::from(number as i32);
            ensure!(whole, "--set {}: '{word}' is not a whole number", self.name);
            ensure!(number.is_finite(), "--set {}: '{word}' is not finite", self.name);
            numbers.push(number);
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> Result<Model> {
        let mut m = Model::default();
        text.parse::<Setting>().map_err(anyhow::Error::msg)?.apply(&mut m)?;
        Ok(m)
    }

    #[test]
    fn options_take_numbers_vectors_and_keywords() {
        assert_eq!(set("option.timestep=0.001").unwrap().opt.timestep, 0.001);
        assert_eq!(set("option.gravity=0 0 -1.6").unwrap().opt.gravity.z, -1.6);
        assert_eq!(set("option.integrator=rk4").unwrap().opt.integrator.0, 1);
        assert_eq!(set("option.iterations=7").unwrap().opt.iterations, 7);
    }

    #[test]
    fn what_cannot_be_set_is_refused_with_what_can() {
        let words = |text: &str| set(text).unwrap_err().to_string();
        assert!(words("option.timestp=1").contains("option.timestep"));
        assert!(words("option.timestep=fast").contains("'fast' is not a number"));
        assert!(words("option.gravity=1 2").contains("wanted 3 numbers, found 2"));
        assert!(words("option.iterations=1.5").contains("not a whole number"));
        assert!(words("option.cone=round").contains("pyramidal, elliptic"));
        assert!(words("timestep").contains("wanted NAME=VALUE"));
    }
}
