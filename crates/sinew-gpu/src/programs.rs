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

/// The entry of the kernel for models that are plain, or for all, and its program.
///
/// The program is for a card of some compute capability, with a number of registers for a thread.
/// Programs have machine code if there is some of the card's generation.
pub(crate) fn program(
    precision: Precision,
    plain: bool,
    (major, minor): (i32, i32),
    registers: u32,
) -> (&'static str, Program<'static>) {
    // the order of the table: both precisions for plain models, then both for all
    let place = usize::from(precision == Precision::Single) + 2 * usize::from(!plain);
    let (entry, text) = machine::TEXT[place];
    let runs = |card: i32| card / 10 == major && card % 10 <= minor;
    let found = machine::CODE.iter().find(|(card, of, _)| runs(*card) && *of == entry);
    let code = found.filter(|_| registers == REGISTERS).map(|(.., code)| *code);
    (entry, Program { text, code })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_code_of_their_generation() {
        for (precision, plain, wanted) in [
            (Precision::Double, true, "step_f64"),
            (Precision::Single, true, "step_f32"),
            (Precision::Double, false, "step_f64_full"),
            (Precision::Single, false, "step_f32_full"),
        ] {
            let of =
                |capability, registers| super::program(precision, plain, capability, registers);
            assert_eq!(of((8, 0), REGISTERS).0, wanted);
            let program = |capability, registers| of(capability, registers).1;
            let code = |capability| program(capability, REGISTERS).code;
            for capability in [(8, 0), (8, 9), (9, 0)] {
                let elf = code(capability).is_some_and(|code| code.starts_with(b"\x7fELF"));
                assert!(elf, "{capability:?}");
            }
            assert_eq!(code((8, 6)), code((8, 0)));
            assert_ne!(code((9, 0)), code((8, 0)));

            // other cards, and other numbers of registers, translate the text
            assert_eq!(code((7, 5)), None);
            assert_eq!(code((12, 0)), None);
            assert!(program((9, 0), 64).code.is_none());
            let begins = format!(".entry {wanted}(");
            assert!(program((12, 0), REGISTERS).text.contains(&begins));
        }
    }
}
