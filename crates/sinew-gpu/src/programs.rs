//! The kernel for GPUs: programs for each kind of number and of model, as text and, for common
//! cards, as machine code.

use crate::cuda::Program;

#[path = "../ptx/machine.rs"]
mod machine;

pub(crate) use machine::REGISTERS;

/// The numbers of a simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// f64.
    #[default]
    Double,
    /// f32.
    Single,
}

impl Precision {
    /// Bytes of a number.
    pub fn size(self) -> usize {
        if self == Precision::Double { 8 } else { 4 }
    }
}

/// The entry of the kernel for models that are plain, or for all.
pub(crate) fn entry(precision: Precision, plain: bool) -> &'static str {
    match (precision, plain) {
        (Precision::Double, true) => "step_f64",
        (Precision::Single, true) => "step_f32",
        (Precision::Double, false) => "step_f64_full",
        (Precision::Single, false) => "step_f32_full",
    }
}

/// The program with an entry for a card of some compute capability, with a number of registers for
/// a thread. The program has machine code if there is some of the card's generation.
pub(crate) fn with_entry(
    entry: &str,
    (major, minor): (i32, i32),
    registers: u32,
) -> Option<Program<'static>> {
    let name = entry.strip_prefix("step_")?;
    let (_, text) = machine::TEXT.iter().find(|(of, _)| *of == name)?;
    let runs = |card: i32| card / 10 == major && card % 10 <= minor;
    let found = machine::CODE.iter().find(|(card, of, _)| runs(*card) && *of == name);
    let code = found.filter(|_| registers == REGISTERS).map(|(.., code)| *code);
    Some(Program { text, code })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_code_of_their_generation() {
        for (precision, plain) in [
            (Precision::Double, true),
            (Precision::Single, true),
            (Precision::Double, false),
            (Precision::Single, false),
        ] {
            let entry = entry(precision, plain);
            let program = |capability, registers| with_entry(entry, capability, registers);
            let code = |capability| program(capability, REGISTERS).and_then(|found| found.code);
            for capability in [(8, 0), (8, 9), (9, 0)] {
                let elf = code(capability).is_some_and(|code| code.starts_with(b"\x7fELF"));
                assert!(elf, "{capability:?}");
            }
            assert_eq!(code((8, 6)), code((8, 0)));
            assert_ne!(code((9, 0)), code((8, 0)));

            // other cards, and other numbers of registers, translate the text
            assert_eq!(code((7, 5)), None);
            assert_eq!(code((12, 0)), None);
            assert!(program((9, 0), 64).is_some_and(|found| found.code.is_none()));
            let begins = format!(".entry {entry}(");
            assert!(program((12, 0), REGISTERS).is_some_and(|found| found.text.contains(&begins)));
        }
    }
}
