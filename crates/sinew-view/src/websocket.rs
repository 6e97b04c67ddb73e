//! The server's side of a WebSocket (RFC 6455), with limits on the client's messages.

use std::io::{self, Read, Write};

use crate::digest::{base64, sha1};
use crate::http::Request;

/// Appended to the client's key before it is hashed (RFC 6455, §1.3).
const MAGIC: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/// Maximum payload of a control frame in bytes (RFC 6455, §5.5).
const MAX_CONTROL: u64 = 125;

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Message {
    Text(String),
    Ping(Vec<u8>),
    /// Pongs and binary messages, which the server ignores.
    Other,
    Close,
}

/// Opcodes of frames (RFC 6455, §5.2).
const CONTINUED: u8 = 0;
const TEXT: u8 = 1;
const BINARY: u8 = 2;
const CLOSE: u8 = 8;
const PING: u8 = 9;
const PONG: u8 = 10;

/// Whether a request asks for an upgrade to a WebSocket.
pub(crate) fn is_upgrade(request: &Request) -> bool {
    request.method == "GET"
        && request.has_word("upgrade", "websocket")
        && request.has_word("connection", "upgrade")
}

/// Accepts a WebSocket; an incomplete request is an error.
pub(crate) fn accept(request: &Request, stream: &mut impl Write) -> io::Result<()> {
    let key = request.header("sec-websocket-key").filter(|key| key.len() == 24);
    let key = key.filter(|_| request.header("sec-websocket-version") == Some("13"));
    let Some(key) = key else {
        return Err(bad("version 13 and a key of 24 letters are needed"));
    };
    let answer = base64(&sha1(format!("{key}{MAGIC}").as_bytes()));
    write!(
        stream,
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {answer}\r\n\r\n"
    )?;
    stream.flush()
}

fn bad(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// Sends one message in one frame.
fn send(stream: &mut impl Write, kind: u8, parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let mut head = vec![0x80 | kind];
    match length {
        0..126 => head.push(length as u8),
        126..0x1_0000 => {
            head.push(126);
            head.extend((length as u16).to_be_bytes());
        }
        _ => {
            head.push(127);
            head.extend((length as u64).to_be_bytes());
        }
    }
    stream.write_all(&head)?;
    for part in parts {
        stream.write_all(part)?;
    }
    stream.flush()
}

/// Sends a binary message.
pub(crate) fn send_binary(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    send(stream, BINARY, &[bytes])
}

/// Answers a ping.
pub(crate) fn send_pong(stream: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    send(stream, PONG, &[bytes])
}

/// Sends a close frame with a status (RFC 6455, §7.4) and a reason.
pub(crate) fn send_close(stream: &mut impl Write, status: u16, reason: &str) -> io::Result<()> {
    send(stream, CLOSE, &[&status.to_be_bytes(), reason.as_bytes()])
}

/// One frame: whether it ends its message, its opcode and its payload.
struct Frame {
    last: bool,
    kind: u8,
    bytes: Vec<u8>,
}

fn read_frame(stream: &mut impl Read, most: u64) -> io::Result<Frame> {
    let mut head = [0; 2];
    stream.read_exact(&mut head)?;
    let [first, second] = head;
    if first & 0x70 != 0 || second & 0x80 == 0 {
        return Err(bad("an extension that was not agreed on, or a frame without a mask"));
    }
    let kind = first & 15;
    let length = match second & 127 {
        126 => {
            let mut bytes = [0; 2];
            stream.read_exact(&mut bytes)?;
            u64::from(u16::from_be_bytes(bytes))
        }
        127 => {
            let mut bytes = [0; 8];
            stream.read_exact(&mut bytes)?;
            u64::from_be_bytes(bytes)
        }
        short => u64::from(short),
    };
    let most = if kind >= CLOSE { MAX_CONTROL } else { most };
    if length > most || kind >= CLOSE && first & 0x80 == 0 {
        return Err(bad("the message is too large"));
    }
    let mut mask = [0; 4];
    stream.read_exact(&mut mask)?;

    // memory grows with the received bytes, not with the announced length
    let mut bytes = Vec::new();
    stream.take(length).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    for (i, byte) in bytes.iter_mut().enumerate() {
        *byte ^= mask[i % 4];
    }
    Ok(Frame { last: first & 0x80 != 0, kind, bytes })
}

/// Reads messages and joins their fragments.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// Opcode and payload of an incomplete message.
    open: Option<(u8, Vec<u8>)>,
}

impl Reader {
    /// The next message of at most `most` bytes; a violation of the protocol is an error.
    pub(crate) fn read(&mut self, stream: &mut impl Read, most: usize) -> io::Result<Message> {
        loop {
            let so_far = self.open.as_ref().map_or(0, |(_, bytes)| bytes.len());
            let frame = read_frame(stream, most.saturating_sub(so_far) as u64)?;

            // control frames may come between fragments
            match (frame.kind, self.open.take()) {
                (CLOSE, _) => return Ok(Message::Close),
                (PING, open) => {
                    self.open = open;
                    return Ok(Message::Ping(frame.bytes));
                }
                (PONG, open) => {
                    self.open = open;
                    return Ok(Message::Other);
                }
                (TEXT | BINARY, None) => self.open = Some((frame.kind, frame.bytes)),
                (CONTINUED, Some((kind, mut bytes))) => {
                    bytes.extend(frame.bytes);
                    self.open = Some((kind, bytes));
                }
                _ => return Err(bad("a frame that does not belong here")),
            }

            // the message is complete
            if frame.last
                && let Some((kind, bytes)) = self.open.take()
            {
                if kind == BINARY {
                    return Ok(Message::Other);
                }
                let text = String::from_utf8(bytes).map_err(|_| bad("the text is not UTF-8"))?;
                return Ok(Message::Text(text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: usize = 1000;

    /// A frame as clients send it.
    fn frame(first: u8, bytes: &[u8]) -> Vec<u8> {
        let mask = [1, 2, 3, 4];
        let mut out = vec![first];
        if bytes.len() < 126 {
            out.push(0x80 | bytes.len() as u8);
        } else {
            out.push(0x80 | 126);
            out.extend((bytes.len() as u16).to_be_bytes());
        }
        out.extend(mask);
        out.extend(bytes.iter().enumerate().map(|(i, b)| b ^ mask[i % 4]));
        out
    }

    #[test]
    fn the_handshake_has_the_answer_of_the_standard() {
        let text = "GET / HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
                    Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        let request = Request::read(&mut text.as_bytes()).unwrap();
        assert!(is_upgrade(&request));
        let mut answer = Vec::new();
        accept(&request, &mut answer).unwrap();
        assert!(String::from_utf8(answer).unwrap().contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
    }

    #[test]
    fn fragments_are_joined_across_pings() {
        let mut bytes = frame(TEXT, b"one ");
        bytes.extend(frame(0x80 | PING, b"?"));
        bytes.extend(frame(0x80 | CONTINUED, b"two"));
        let (mut reader, mut from) = (Reader::default(), bytes.as_slice());
        assert_eq!(reader.read(&mut from, MOST).unwrap(), Message::Ping(b"?".to_vec()));
        assert_eq!(reader.read(&mut from, MOST).unwrap(), Message::Text("one two".into()));
    }

    #[test]
    fn oversized_unmasked_and_disordered_frames_are_errors() {
        let mut pieces = frame(TEXT, &[b'x'; 600]);
        pieces.extend(frame(0x80 | CONTINUED, &[b'x'; 600]));
        let cases = [
            frame(0x80 | TEXT, &[b'x'; MOST + 1]),
            pieces,
            vec![0x81, 5, b'h', b'e', b'l', b'l', b'o'],
            frame(0x80 | CONTINUED, b"x"),
            frame(0x80 | 0x40 | TEXT, b"x"),
            frame(PING, b"x"),
            frame(0x80 | TEXT, &[0xff]),
            vec![0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ];
        for case in cases {
            assert!(Reader::default().read(&mut case.as_slice(), MOST).is_err());
        }
    }

    #[test]
    fn random_bytes_have_no_more_messages_than_headers() {
        let mut seed = 1u64;
        for _ in 0..2000 {
            let bytes: Vec<u8> = (0..40)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    (seed >> 33) as u8
                })
                .collect();
            let (mut reader, mut from) = (Reader::default(), bytes.as_slice());
            let mut messages = 0;
            while reader.read(&mut from, MOST).is_ok() {
                messages += 1;
            }
            // two bytes and a mask of four before every payload
            assert!(6 * messages <= bytes.len());
        }
    }

    #[test]
    fn long_messages_have_long_lengths() {
        for (length, head) in [(125, 2), (126, 4), (70_000, 10)] {
            let mut out = Vec::new();
            send_binary(&mut out, &vec![0; length]).unwrap();
            assert_eq!(out.len(), length + head);
        }
    }
}
