//! The kernel for GPUs: its text for each kind of number, and machine code for common cards.

use crate::cuda::Program;
use crate::worlds::Precision;

#[path = "../ptx/machine.rs"]
mod machine;

pub(crate) use machine::REGISTERS;

/// The kernel for a card of some compute capability, with as many registers for a thread. It has
/// machine code if there is some of the card's generation.
pub(crate) fn kernel(
    precision: Precision,
    (major, minor): (i32, i32),
    registers: u32,
) -> Program<'static> {
    let (text, number) = match precision {
        Precision::Double => (include_str!("../ptx/f64.ptx"), "f64"),
        Precision::Single => (include_str!("../ptx/f32.ptx"), "f32"),
    };
    let runs = |card: i32| card / 10 == major && card % 10 <= minor;
    let found = machine::CODE.iter().find(|(card, of, _)| runs(*card) && *of == number);
    let code = found.filter(|_| registers == REGISTERS).map(|(.., code)| *code);
    Program { text, code }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_code_of_their_generation() {
        for precision in [Precision::Double, Precision::Single] {
            let code = |capability| kernel(precision, capability, REGISTERS).code;
            for capability in [(8, 0), (8, 9), (9, 0), (10, 0), (10, 3), (12, 0), (12, 1)] {
                let elf = code(capability).is_some_and(|code| code.starts_with(b"\x7fELF"));
                assert!(elf, "{capability:?}");
            }
            assert_eq!(code((8, 6)), code((8, 0)));
            assert_ne!(code((9, 0)), code((8, 0)));

            // other cards, and other numbers of registers, translate the text
            assert_eq!(code((7, 5)), None);
            assert_eq!(code((13, 0)), None);
            assert_eq!(kernel(precision, (9, 0), 64).code, None);
            assert!(kernel(precision, (13, 0), REGISTERS).text.contains(".version"));
        }
    }
}
