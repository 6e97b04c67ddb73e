//! SHA-1 and Base64, as the opening handshake of a WebSocket needs them (RFC 6455, §4.2.2).

/// The SHA-1 digest of some bytes (RFC 3174). The protocol requires SHA-1; no secret depends on it.
pub(crate) fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut hash: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        mix(&mut hash, block);
    }
    let mut out = [0; 20];
    for (to, word) in out.chunks_exact_mut(4).zip(hash) {
        to.copy_from_slice(&word.to_be_bytes());
    }
    out
}

fn mix(hash: &mut [u32; 5], block: &[u8]) {
    let mut word = [0u32; 80];
    for (to, from) in word.iter_mut().zip(block.chunks_exact(4)) {
        *to = u32::from_be_bytes([from[0], from[1], from[2], from[3]]);
    }
    for t in 16..80 {
        word[t] = (word[t - 3] ^ word[t - 8] ^ word[t - 14] ^ word[t - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *hash;
    for (t, w) in word.into_iter().enumerate() {
        let (f, k) = match t / 20 {
            0 => ((b & c) | (!b & d), 0x5a82_7999),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6),
        };
        let next = a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next.wrapping_add(w));
    }
    for (h, x) in hash.iter_mut().zip([a, b, c, d, e]) {
        *h = h.wrapping_add(x);
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 with padding (RFC 4648, §4).
pub(crate) fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let at = |k: usize| u32::from(chunk.get(k).copied().unwrap_or(0));
        let group = at(0) << 16 | at(1) << 8 | at(2);
        for k in 0..4 {
            let digit = ALPHABET[(group >> (18 - 6 * k)) as usize & 63];
            out.push(if k <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// The bytes of a Base64 text, or `None` if the text is malformed.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').as_bytes();
    let mut out = Vec::with_capacity(digits.len() * 3 / 4);
    for chunk in digits.chunks(4) {
        let mut group = 0;
        for &digit in chunk {
            group = group << 6 | value(digit)?;
        }
        group <<= 6 * (4 - chunk.len());
        let bytes = group.to_be_bytes();
        out.extend_from_slice(bytes.get(1..chunk.len())?);
    }
    Some(out)
}

fn value(digit: u8) -> Option<u32> {
    Some(u32::from(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha1_has_the_digests_of_the_standard() {
        let hex = |bytes: [u8; 20]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
        assert_eq!(hex(sha1(b"abc")), "a9993e364706816aba3e25717850c26c9cd0d89d");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(sha1(long)), "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
        assert_eq!(hex(sha1(b"")), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    }

    #[test]
    fn base64_survives_the_round_trip_at_every_length() {
        for n in 0..50u8 {
            let bytes: Vec<u8> = (0..n).map(|i| i.wrapping_mul(37)).collect();
            assert_eq!(from_base64(&base64(&bytes)), Some(bytes));
        }
        assert_eq!(base64(b"foob"), "Zm9vYg==");
        assert_eq!(from_base64("a*b="), None);
    }
}
