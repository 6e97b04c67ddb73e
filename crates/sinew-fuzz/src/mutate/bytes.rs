//! Mutations of files that are not XML.

use sinew_testkit::Random;

/// Four-byte values that have broken counts of binary files.
const COUNTS: [[u8; 4]; 8] = [
    [0; 4],
    [0xff; 4],
    [0x7f; 4],
    [0xff, 0xff, 0xff, 0x7f],
    [0, 0, 0, 0x80],
    [1, 0, 0, 0],
    [0, 0, 0xc0, 0x7f],
    [0, 0, 0x80, 0x7f],
];

/// Words that have broken lists of numbers.
const WORDS: [&str; 10] =
    ["nan", "inf", "-1", "0", "1e308", "99999999999", "2147483648", "f 1 1 1", "$End", "\0"];

/// Mutates the bytes of a file.
pub fn mutate(random: &mut Random, bytes: &mut Vec<u8>) {
    if bytes.is_empty() {
        return;
    }
    let at = random.below(bytes.len());
    match random.below(10) {
        0 => bytes.truncate(at),
        1 | 2 => bytes[at] ^= 1 << random.below(8),
        3 => bytes[at] = 0xff,
        4 => {
            // a count at the start, where binary formats store theirs
            put(bytes, 4 * random.below(8), random.pick(&COUNTS));
        }
        5 => put(bytes, at, random.pick(&COUNTS)),
        6 => {
            let end = (at + 1 + random.below(16)).min(bytes.len());
            bytes.drain(at..end);
        }
        7 => {
            let end = (at + 1 + random.below(64)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        8 => {
            let word = random.pick(&WORDS);
            let end = (at + word.len()).min(bytes.len());
            bytes.splice(at..end, word.bytes());
        }
        _ => bytes.insert(at, b'\n'),
    }
}

/// Overwrites up to four bytes, within the file.
fn put(bytes: &mut [u8], at: usize, with: [u8; 4]) {
    for (byte, with) in bytes.iter_mut().skip(at).zip(with) {
        *byte = with;
    }
}
