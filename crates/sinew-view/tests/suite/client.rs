//! A viewer in a thread, and clients of it that write HTTP and WebSocket frames themselves.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use sinew_mjcf::LoadOptions;
use sinew_view::{Options, Start, Viewer};

/// A viewer that runs until it is dropped.
pub(crate) struct Running {
    pub(crate) port: u16,
    pub(crate) token: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn start(model: &Path, paused: bool) -> Running {
        let options = Options {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            start: if paused { Start::Paused } else { Start::Seen },
            camera: None,
            key: None,
            state: None,
            policy: None,
            load: LoadOptions { confine: true, ..LoadOptions::default() },
        };
        let (mut viewer, _) = Viewer::start(model, options).unwrap();
        let url = viewer.server().url();
        let rest = url.strip_prefix("http://127.0.0.1:").unwrap();
        let (port, token) = rest.trim_end_matches('/').split_once('/').unwrap();
        let (port, token) = (port.parse().unwrap(), token.to_owned());
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || viewer.run(|| stopped.load(Ordering::Relaxed)));
        Running { port, token, stop, thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream
    }

    /// Sends raw bytes and returns the whole response.
    pub(crate) fn ask(&self, request: &str) -> String {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The response to a request for a path, with the headers of a browser.
    pub(crate) fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port))
    }

    /// Requests a WebSocket with some headers; returns the status line and the stream.
    pub(crate) fn upgrade(
        &self,
        token: &str,
        host: &str,
        origin: Option<&str>,
    ) -> (String, TcpStream) {
        let mut stream = self.connect();
        let origin = origin.map_or(String::new(), |o| format!("Origin: {o}\r\n"));
        let request = format!(
            "GET /{token}/socket HTTP/1.1\r\nHost: {host}\r\n{origin}Upgrade: websocket\r\n\
             Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap() == 1 {
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        (head.lines().next().unwrap_or("").to_owned(), stream)
    }

    /// Opens the WebSocket of a page.
    pub(crate) fn open(&self) -> Socket {
        let host = format!("127.0.0.1:{}", self.port);
        let (status, stream) = self.upgrade(&self.token, &host, Some(&format!("http://{host}")));
        assert!(status.contains("101"), "{status}");
        Socket { stream }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let result = thread.join();
            assert!(std::thread::panicking() || result.is_ok());
        }
    }
}

/// The client's side of a WebSocket.
pub(crate) struct Socket {
    pub(crate) stream: TcpStream,
}

pub(crate) const MODEL: u32 = 1;
pub(crate) const STATE: u32 = 2;
pub(crate) const FRAME: u32 = 4;
pub(crate) const NOTICE: u32 = 5;
pub(crate) const KEYS: u32 = 7;

/// Tag of the sections of a frame that have numbers.
const NUMBERS: u32 = 6;

impl Socket {
    /// Sends a text in one masked frame.
    pub(crate) fn send(&mut self, text: &str) {
        self.send_frame(0x81, text.as_bytes());
    }

    pub(crate) fn send_frame(&mut self, first: u8, bytes: &[u8]) {
        let mut frame = vec![first, 0x80 | 127];
        frame.extend((bytes.len() as u64).to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(bytes);
        // the server may have closed the connection, which a test sees by reading
        let _ = self.stream.write_all(&frame);
    }

    /// The next frame: its opcode and its payload; `None` at the end.
    pub(crate) fn receive(&mut self) -> Option<(u8, Vec<u8>)> {
        let mut head = [0; 2];
        self.stream.read_exact(&mut head).ok()?;
        let length = match head[1] & 127 {
            126 => {
                let mut bytes = [0; 2];
                self.stream.read_exact(&mut bytes).ok()?;
                u64::from(u16::from_be_bytes(bytes))
            }
            127 => {
                let mut bytes = [0; 8];
                self.stream.read_exact(&mut bytes).ok()?;
                u64::from_be_bytes(bytes)
            }
            short => u64::from(short),
        };
        let mut bytes = vec![0; length as usize];
        self.stream.read_exact(&mut bytes).ok()?;
        Some((head[0] & 15, bytes))
    }

    /// The next message of a kind; frames received meanwhile are acknowledged.
    pub(crate) fn wait(&mut self, kind: u32) -> Vec<u8> {
        loop {
            let (_, bytes) = self.receive().expect("the server is there");
            let found = u32::from_le_bytes(bytes[..4].try_into().unwrap());
            if found == FRAME {
                self.send(r#"{"do":"drawn"}"#);
            }
            if found == kind {
                return bytes;
            }
        }
    }

    /// The next JSON message of a kind.
    pub(crate) fn json(&mut self, kind: u32) -> serde_json::Value {
        let bytes = self.wait(kind);
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        serde_json::from_slice(&bytes[8..8 + length]).unwrap()
    }

    /// Numbers of the next frame; `about` says which.
    pub(crate) fn numbers(&mut self, about: u32) -> Vec<f32> {
        let frame = self.wait(FRAME);
        let word = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap());
        let mut at = 24;
        while at < frame.len() {
            let end = at + 12 + word(at + 8) as usize;
            if (word(at), word(at + 4)) == (NUMBERS, about) {
                return (at + 12..end).step_by(4).map(|k| f32::from_bits(word(k))).collect();
            }
            at = end;
        }
        Vec::new()
    }

    /// The simulated time of the next frame.
    pub(crate) fn time(&mut self) -> f64 {
        let frame = self.wait(FRAME);
        f64::from_le_bytes(frame[8..16].try_into().unwrap())
    }

    /// The simulated time of the first frame whose time differs from `time`.
    pub(crate) fn time_other_than(&mut self, time: f64) -> f64 {
        (0..100).map(|_| self.time()).find(|&t| t != time).expect("time moves")
    }

    /// Waits for a state that satisfies a predicate.
    pub(crate) fn until(&mut self, what: &str, holds: impl Fn(&serde_json::Value) -> bool) {
        self.first(STATE, what, holds);
    }

    /// The first JSON message of a kind that satisfies a predicate; older messages are skipped.
    pub(crate) fn first(
        &mut self,
        kind: u32,
        what: &str,
        holds: impl Fn(&serde_json::Value) -> bool,
    ) -> serde_json::Value {
        for _ in 0..100 {
            let value = self.json(kind);
            if holds(&value) {
                return value;
            }
        }
        panic!("never {what}");
    }
}
