//! The subset of HTTP/1.1 that a page and its WebSocket need.

use std::io::{self, Read, Write};

/// Maximum length of a request's head in bytes.
const MAX_HEAD: usize = 16 << 10;

/// The head of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// Requested path without the query.
    pub(crate) path: String,
    /// Headers, their names in lower case.
    headers: Vec<(String, String)>,
}

impl Request {
    /// The value of a header, or `None` if it is missing or repeated.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(n, _)| n == name).map(|(_, v)| v.as_str());
        let value = values.next()?;
        values.next().is_none().then_some(value)
    }

    /// The number of times a header occurs.
    pub(crate) fn count(&self, name: &str) -> usize {
        self.headers.iter().filter(|(n, _)| n == name).count()
    }

    /// Whether a header's comma-separated list contains a word, ignoring case.
    pub(crate) fn has_word(&self, name: &str, word: &str) -> bool {
        let value = self.header(name).unwrap_or("");
        value.split(',').any(|part| part.trim().eq_ignore_ascii_case(word))
    }

    /// Reads the head of a request byte by byte, so that the bytes after it stay in the stream.
    pub(crate) fn read(stream: &mut impl Read) -> io::Result<Request> {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") {
            if head.len() >= MAX_HEAD {
                return Err(bad("the head of the request is too long"));
            }
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        Request::parse(&head).ok_or_else(|| bad("not a request of HTTP/1.1"))
    }

    fn parse(head: &[u8]) -> Option<Request> {
        let text = std::str::from_utf8(head).ok()?;
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target, version) = (first.next()?, first.next()?, first.next()?);
        if first.next().is_some() || !matches!(version, "HTTP/1.1" | "HTTP/1.0") {
            return None;
        }
        let path = target.split(['?', '#']).next()?.to_owned();
        let mut headers = Vec::new();
        for line in lines.take_while(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
            if name.is_empty() || !name.chars().all(token) {
                return None;
            }
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Some(Request { method: method.to_owned(), path, headers })
    }
}

fn bad(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason)
}

/// Headers of every response: content policy and referrer policy.
///
/// Scripts may come from this server alone. Only pages of this machine, such as notebooks, and
/// editors may show the page in a frame. No referrer is sent, because the address contains the
/// token.
const HEADERS: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; \
     style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src blob:; \
     connect-src 'self' ws: wss:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self' http://localhost:* http://127.0.0.1:* https://localhost:* \
     https://127.0.0.1:* vscode-webview:\r\n\
     Referrer-Policy: no-referrer\r\n\
     X-Content-Type-Options: nosniff\r\n\
     Cross-Origin-Resource-Policy: same-origin\r\n\
     Cache-Control: no-store\r\n\
     Connection: close\r\n";

/// Sends a response and closes the connection.
pub(crate) fn respond(
    stream: &mut impl Write,
    status: &str,
    kind: &str,
    body: &[u8],
) -> io::Result<()> {
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{HEADERS}\r\n"
    )?;
    stream.write_all(body)?;
    stream.flush()
}

/// Sends an error response with a reason in plain text.
pub(crate) fn refuse(stream: &mut impl Write, status: &str, reason: &str) -> io::Result<()> {
    respond(stream, status, "text/plain; charset=utf-8", format!("{reason}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> io::Result<Request> {
        Request::read(&mut text.as_bytes())
    }

    #[test]
    fn a_request_is_its_method_path_and_headers() {
        let text = "GET /a/b?c=d HTTP/1.1\r\nHost: x:1\r\nConnection: keep-alive, Upgrade\r\n\r\n";
        let request = read(text).unwrap();
        assert_eq!((request.method.as_str(), request.path.as_str()), ("GET", "/a/b"));
        assert_eq!(request.header("host"), Some("x:1"));
        assert!(request.has_word("connection", "upgrade"));
    }

    #[test]
    fn malformed_endless_and_ambiguous_heads_are_refused() {
        for text in
            ["\r\n\r\n", "GET / HTTP/2\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/1.1\r\nx y\r\n\r\n"]
        {
            assert!(read(text).is_err(), "{text:?}");
        }
        let endless = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "x".repeat(MAX_HEAD));
        assert!(read(&endless).is_err());
        let twice = read("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n").unwrap();
        assert_eq!(twice.header("host"), None);
    }
}
