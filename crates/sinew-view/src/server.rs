//! The server: pages over HTTP, frames and events over WebSockets, a few threads per client.
//!
//! The server has threads and blocking sockets, no asynchronous runtime. A viewer has a handful of
//! clients, a blocked write identifies a slow client, and the crate builds in seconds.

use std::io::{self, Read};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::access::Access;
use crate::board::{Board, Next, Seen, Slot};
use crate::connections::{Connections, Until};
use crate::event::Event;
use crate::http::{self, Request};
use crate::{page, websocket, wire};

/// Maximum sizes in bytes of an event and of a drop of files.
const MAX_EVENT: usize = 64 << 10;
const MAX_DROP: usize = 64 << 20;
/// Capacity of the queue of events; a full queue blocks the sending client.
const MAX_WAITING: usize = 1024;
/// Maximum number of frames that a client has received but not drawn.
const IN_FLIGHT: u64 = 2;
/// Time limits for receiving a whole head, for receiving dropped files, and for sending a message.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
const DROP_TIMEOUT: Duration = Duration::from_secs(300);
const WRITE_TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit for the listener to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// A server of one simulation.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    events: Receiver<Event>,
}

/// State shared by the threads of a server.
#[derive(Debug)]
struct Shared {
    access: Access,
    board: Board,
    events: SyncSender<Event>,
    connections: Connections,
    viewers: AtomicUsize,
}

impl Server {
    /// Listens at an address; port 0 chooses a free port.
    pub fn start(address: IpAddr, port: u16) -> io::Result<Server> {
        let listener = TcpListener::bind((address, port))?;
        let address = listener.local_addr()?;
        let access = Access::new(address).map_err(io::Error::other)?;
        let (sender, events) = sync_channel(MAX_WAITING);
        let shared = Arc::new(Shared {
            access,
            board: Board::default(),
            events: sender,
            connections: Connections::default(),
            viewers: AtomicUsize::new(0),
        });
        let listening = Arc::clone(&shared);
        thread::Builder::new()
            .name("sinew-view".into())
            .spawn(move || listen(&listener, &listening))?;
        Ok(Server { address, shared, events })
    }

    /// The address to open in a browser, including the token.
    pub fn url(&self) -> String {
        let ip = self.address.ip();
        let host = if ip.is_unspecified() { "127.0.0.1".into() } else { host_name(ip) };
        format!("http://{host}:{}/{}/", self.address.port(), self.shared.access.token())
    }

    /// Whether the server is reachable from this machine only.
    pub fn is_local(&self) -> bool {
        self.address.ip().is_loopback()
    }

    /// The number of pages that are open.
    pub fn viewers(&self) -> usize {
        self.shared.viewers.load(Ordering::Relaxed)
    }

    /// The board with the newest messages for pages.
    pub(crate) fn board(&self) -> &Board {
        &self.shared.board
    }

    /// Lays texts, pictures and figures over the view. The JSON object has the lists `texts`,
    /// `images` and `figures`, as read by `web/src/overlay.js`. The error names the fault.
    pub fn post_overlay(&self, json: &str) -> Result<(), String> {
        let value = serde_json::from_str(json).map_err(|e| e.to_string())?;
        let message = wire::json_message(wire::OVERLAY, &value);
        self.board().post(vec![(Slot::Overlay, message)]);
        Ok(())
    }

    /// Shows a message, such as the reason why a model does not load; an empty message clears it.
    pub fn post_notice(&self, title: &str, message: &str) {
        let list = match message {
            "" => json!([]),
            _ => json!([{ "error": true, "code": "script", "message": message }]),
        };
        let value = json!({ "title": title, "list": list });
        self.board().post(vec![(Slot::Notice, wire::json_message(wire::NOTICE, &value))]);
    }

    /// The next event in the queue, without waiting.
    pub fn try_event(&self) -> Option<Event> {
        self.events.try_recv().ok()
    }

    /// The next event, waiting at most `time`.
    pub fn wait_event(&self, time: Duration) -> Option<Event> {
        self.events.recv_timeout(time).ok()
    }

    /// Closes all connections and stops listening.
    pub fn close(&self) {
        if !self.shared.board.is_closed() {
            self.shared.board.close();
            // one more connection wakes the listener, which then sees that the server is closed
            let ip = if self.address.ip().is_unspecified() {
                [127, 0, 0, 1].into()
            } else {
                self.address.ip()
            };
            let _ = TcpStream::connect_timeout(&(ip, self.address.port()).into(), PATIENCE);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

fn host_name(ip: IpAddr) -> String {
    match ip {
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.board.is_closed() {
            return;
        }
        // a failed connection does not affect the others
        let Ok(mut stream) = stream else { continue };
        let Ok(address) = stream.peer_addr() else { continue };
        let Some(id) = shared.connections.add(address.ip(), &stream) else {
            let _ = stream.set_write_timeout(Some(PATIENCE));
            let _ = http::refuse(&mut stream, "503 Service Unavailable", "too many connections");
            continue;
        };
        let serving = Arc::clone(shared);
        let spawned = thread::Builder::new().name("sinew-view-client".into()).spawn(move || {
            // a disconnected client is no error of the server
            let _ = serve(stream, id, &serving);
            serving.connections.remove(id);
        });
        if spawned.is_err() {
            shared.connections.remove(id);
        }
    }
}

/// Answers one request.
fn serve(mut stream: TcpStream, id: u64, shared: &Arc<Shared>) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
    stream.set_nodelay(true)?;

    // the request, if it is well-formed and permitted
    let deadline = Instant::now() + HEAD_TIMEOUT;
    let request = match Request::read(&mut Until { stream: &stream, deadline }) {
        Ok(request) => request,
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            return http::refuse(&mut stream, "400 Bad Request", &error.to_string());
        }
        Err(error) => return Err(error),
    };
    shared.connections.has_request(id);
    let path = match shared.access.check(&request) {
        Ok(path) => path,
        Err((status, reason)) => return http::refuse(&mut stream, status, reason),
    };

    // a page's WebSocket, dropped files, or a file of the page
    match (request.method.as_str(), path) {
        ("GET", "socket") if websocket::is_upgrade(&request) => {
            if request.count("origin") == 0 {
                let reason = "a WebSocket is opened by the page, which has an Origin";
                return http::refuse(&mut stream, "403 Forbidden", reason);
            }
            if let Err(error) = websocket::accept(&request, &mut stream) {
                return http::refuse(&mut stream, "400 Bad Request", &error.to_string());
            }
            serve_socket(stream, shared)
        }
        ("POST", "drop") => take_files(stream, &request, shared),
        ("GET", _) => match page::file(path) {
            Some((kind, bytes)) => http::respond(&mut stream, "200 OK", kind, bytes),
            None => http::refuse(&mut stream, "404 Not Found", "there is no such page"),
        },
        _ => http::refuse(&mut stream, "405 Method Not Allowed", "that cannot be done here"),
    }
}

/// Receives files that were dropped on the page.
fn take_files(mut stream: TcpStream, request: &Request, shared: &Shared) -> io::Result<()> {
    // check the length before reading
    let length = request.header("content-length").and_then(|n| n.parse::<usize>().ok());
    let Some(length) = length else {
        return http::refuse(&mut stream, "411 Length Required", "a Content-Length is needed");
    };
    if length > MAX_DROP {
        return http::refuse(&mut stream, "413 Content Too Large", "files of at most 64 MiB");
    }

    // the whole body, which may contain files only
    let mut body = Vec::new();
    let deadline = Instant::now() + DROP_TIMEOUT;
    Until { stream: &stream, deadline }.take(length as u64).read_to_end(&mut body)?;
    let event = std::str::from_utf8(&body).ok().filter(|_| body.len() == length);
    let event = event.ok_or("the files did not arrive").and_then(|text| {
        Event::parse(text).map_err(|_| "these are not files").and_then(|event| match event {
            Event::Drop(_) => Ok(event),
            _ => Err("only files are dropped here"),
        })
    });
    match event {
        Ok(event) => {
            let _ = shared.events.send(event);
            http::respond(&mut stream, "200 OK", "text/plain", b"taken\n")
        }
        Err(reason) => http::refuse(&mut stream, "400 Bad Request", reason),
    }
}

/// State shared by the two threads of a client.
struct Client {
    signal: Arc<Condvar>,
    /// Counts of frames sent and of frames drawn by the page.
    sent: AtomicU64,
    drawn: AtomicU64,
    replies: Mutex<Replies>,
}

/// Control messages that the reader hands to the writer.
#[derive(Default)]
struct Replies {
    /// Answer to the last ping; earlier pings need no answer (RFC 6455, §5.5.3).
    pong: Option<Vec<u8>>,
    farewell: Option<(u16, String)>,
}

impl Client {
    fn replies(&self) -> MutexGuard<'_, Replies> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the writer has control messages to send.
    fn is_called(&self) -> bool {
        let replies = self.replies();
        replies.pong.is_some() || replies.farewell.is_some()
    }

    fn is_ready(&self) -> bool {
        let drawn = self.drawn.load(Ordering::Acquire);
        self.sent.load(Ordering::Acquire) < drawn.saturating_add(IN_FLIGHT)
    }
}

/// Reads events in this thread while another thread writes.
fn serve_socket(stream: TcpStream, shared: &Arc<Shared>) -> io::Result<()> {
    stream.set_read_timeout(None)?;
    let writing = stream.try_clone()?;
    let client = Arc::new(Client {
        signal: shared.board.enter(),
        sent: AtomicU64::new(0),
        drawn: AtomicU64::new(0),
        replies: Mutex::default(),
    });
    shared.viewers.fetch_add(1, Ordering::Relaxed);
    let (theirs, posting) = (Arc::clone(&client), Arc::clone(shared));
    let writer = thread::Builder::new().name("sinew-view-writer".into()).spawn(move || {
        let _ = write_news(&writing, &theirs, &posting.board);
        // shutting down unblocks the reader
        let _ = writing.shutdown(Shutdown::Both);
    });
    if let Ok(writer) = writer {
        // a client that violates the protocol gets the reason before the connection closes
        let farewell = read_events(&stream, &client, shared);
        if farewell.is_none() {
            let _ = stream.shutdown(Shutdown::Both);
        }
        client.replies().farewell = Some(farewell.unwrap_or((1000, String::new())));
        shared.board.wake(&client.signal);
        let _ = writer.join();
    }
    shared.board.leave(&client.signal);
    shared.viewers.fetch_sub(1, Ordering::Relaxed);
    Ok(())
}

fn write_news(mut stream: &TcpStream, client: &Client, board: &Board) -> io::Result<()> {
    let mut seen = Seen::default();
    loop {
        let next =
            board.next(&mut seen, &client.signal, || client.is_ready(), || client.is_called());

        // control messages come before news
        let Replies { pong, farewell } = std::mem::take(&mut *client.replies());
        if let Some(bytes) = pong {
            websocket::send_pong(&mut stream, &bytes)?;
        }
        if let Some((status, reason)) = farewell {
            return websocket::send_close(&mut stream, status, &reason);
        }

        // frames are counted, so that at most `IN_FLIGHT` are not drawn
        match next {
            Next::Closed => {
                return websocket::send_close(&mut stream, 1001, "the viewer is closed");
            }
            Next::Nothing => {}
            Next::Messages(messages) => {
                for message in messages {
                    if message.first() == Some(&wire::FRAME) {
                        client.sent.fetch_add(1, Ordering::AcqRel);
                    }
                    websocket::send_binary(&mut stream, &message)?;
                }
            }
        }
    }
}

/// Passes on events until the client leaves (`None`) or violates the protocol (status and reason).
fn read_events(mut stream: &TcpStream, client: &Client, shared: &Shared) -> Option<(u16, String)> {
    let mut reader = websocket::Reader::default();
    loop {
        match reader.read(&mut stream, MAX_EVENT) {
            Ok(websocket::Message::Text(text)) => match Event::parse(&text) {
                Ok(Event::Drawn) => {
                    client.drawn.fetch_add(1, Ordering::AcqRel);
                    shared.board.wake(&client.signal);
                }
                // the simulation may have ended
                Ok(event) => shared.events.send(event).ok()?,
                Err(reason) => return Some((1008, reason)),
            },
            Ok(websocket::Message::Ping(bytes)) => {
                client.replies().pong = Some(bytes);
                shared.board.wake(&client.signal);
            }
            Ok(websocket::Message::Other) => {}
            Ok(websocket::Message::Close) => return None,
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                return Some((1009, error.to_string()));
            }
            Err(_) => return None,
        }
    }
}
