//! Messages of the viewer's page, with invalid numbers or mutations: as text, and as requests and
//! frames for a server.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sinew::{Data, Model};
use sinew_testkit::Random;
use sinew_view::{Event, Player, Server, set_option};

use crate::mutate::bytes;
use crate::{Outcome, refused};

/// Messages with placeholders `#` for numbers.
const MESSAGES: [&str; 26] = [
    r##"{"do":"drawn"}"##,
    r##"{"do":"run","on":true}"##,
    r##"{"do":"step","n":#}"##,
    r##"{"do":"speed","x":#}"##,
    r##"{"do":"reset"}"##,
    r##"{"do":"key","i":#}"##,
    r##"{"do":"scrub","i":#}"##,
    r##"{"do":"control","i":#,"x":#}"##,
    r##"{"do":"clear"}"##,
    r##"{"do":"joint","i":#,"x":#}"##,
    r##"{"do":"flag","i":#,"on":false}"##,
    r##"{"do":"group","kind":#,"i":#,"on":true}"##,
    r##"{"do":"choice","of":"bvh_depth","i":#}"##,
    r##"{"do":"look","camera":{"type":#,"fixedcamid":#,"trackbodyid":#,"orthographic":#,"lookat":[#,#,#],"distance":#,"azimuth":#,"elevation":#}}"##,
    r##"{"do":"select","camera":{"type":#,"fixedcamid":#,"trackbodyid":#,"orthographic":0,"lookat":[0,0,0],"distance":#,"azimuth":#,"elevation":#},"aspect":#,"x":#,"y":#}"##,
    r##"{"do":"grab","camera":{"type":0,"fixedcamid":-1,"trackbodyid":-1,"orthographic":0,"lookat":[0,0,0],"distance":2,"azimuth":#,"elevation":#},"aspect":1,"x":0.5,"y":0.5,"turn":false,"pick":true}"##,
    r##"{"do":"drag","action":"turn-level","dx":#,"dy":#}"##,
    r##"{"do":"release"}"##,
    r##"{"do":"drop","files":[{"name":"a.xml","data":"aGk="}]}"##,
    r##"{"do":"size","width":#,"height":#}"##,
    r##"{"do":"new_key"}"##,
    r##"{"do":"set_key","i":#}"##,
    r##"{"do":"option","name":"disableflags","x":[#]}"##,
    r##"{"do":"option","name":"solver","x":[#]}"##,
    r##"{"do":"option","name":"gravity","x":[#,#,#]}"##,
    r##"{"do":"widget","id":#,"x":#}"##,
];

const NUMBERS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "2",
    "7",
    "0.5",
    "1e99",
    "-1e99",
    "1e-300",
    "2147483647",
    "4294967295",
    "100",
    "null",
    "1e308",
];

fn model() -> &'static Model {
    static MODEL: OnceLock<Model> = OnceLock::new();
    MODEL.get_or_init(|| {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gripper.xml");
        sinew::load(path).expect("a model of the project")
    })
}

fn message(random: &mut Random) -> String {
    let mut text = String::new();
    for part in random.pick(&MESSAGES).split_inclusive('#') {
        text.push_str(part.trim_end_matches('#'));
        if part.ends_with('#') {
            text.push_str(random.pick(&NUMBERS));
        }
    }
    if random.below(4) == 0 {
        let mut raw = text.into_bytes();
        bytes::mutate(random, &mut raw);
        text = String::from_utf8_lossy(&raw).into_owned();
    }
    text
}

pub(super) fn viewer(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let mut m = model().clone();
    let mut d = Data::new(&m);
    let mut player = Player::new(&m, false);
    let mut outcome = Outcome::Refused;
    for _ in 0..1 + random.below(8) {
        match Event::parse(&message(&mut random)) {
            Ok(event) => {
                if let Some(Event::Option(name, values)) = player.apply(&m, &mut d, event)
                    && set_option(&mut m, &name, &values).is_ok()
                {
                    sinew::forward(&m, &mut d);
                }
                outcome = Outcome::Accepted;
            }
            Err(reason) => {
                let _ = refused(&reason);
            }
        }
    }
    outcome
}

/// Requests for a page, a WebSocket or files; `TOKEN` and `HOST` are placeholders.
const REQUESTS: [&str; 4] = [
    "GET /TOKEN/ HTTP/1.1\r\nHost: HOST\r\n\r\n",
    "GET /TOKEN/socket HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nUpgrade: websocket\r\n\
     Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
     Sec-WebSocket-Version: 13\r\n\r\n",
    "POST /TOKEN/drop HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nContent-Length: 56\r\n\r\n\
     {\"do\":\"drop\",\"files\":[{\"name\":\"a.xml\",\"data\":\"aGk=\"}]}  ",
    "GET /TOKEN/../../etc/passwd HTTP/1.1\r\nHost: HOST\r\n\r\n",
];
/// Index of the request that opens a WebSocket, after which frames follow.
const SOCKET: usize = 1;
/// Time without an answer after which a server counts as hanging.
const PATIENCE: Duration = Duration::from_secs(200);

/// A frame of a client, with a correct or a wrong length.
fn frame(random: &mut Random) -> Vec<u8> {
    let kind = random.pick(&[0x81, 0x81, 0x81, 0x81, 0x01, 0x80, 0x82, 0x88, 0x89, 0x8a, 0xf3]);
    let payload = message(random).into_bytes();
    let length = match random.below(8) {
        0 => random.bits() >> random.below(64),
        _ => payload.len() as u64,
    };
    let mut bytes = vec![kind];
    match length {
        0..126 => bytes.push(0x80 | length as u8),
        126..0x1_0000 => {
            bytes.push(0x80 | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        _ => {
            bytes.push(0x80 | 127);
            bytes.extend(length.to_be_bytes());
        }
    }
    let mask = (random.bits() as u32).to_be_bytes();
    bytes.extend(mask);
    bytes.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}

/// Everything that a client sends in a connection.
fn conversation(random: &mut Random, host: &str, token: &str) -> Vec<u8> {
    let request = random.pick(&[0, SOCKET, SOCKET, SOCKET, SOCKET, 2, 3]);
    let head = REQUESTS[request].replace("TOKEN", token).replace("HOST", host);
    let mut bytes = head.into_bytes();
    if random.once_in(4) {
        bytes::mutate(random, &mut bytes);
    }
    if request == SOCKET {
        for _ in 0..random.below(6) {
            let mut frame = frame(random);
            if random.once_in(4) {
                bytes::mutate(random, &mut frame);
            }
            bytes.extend(frame);
        }
    }
    bytes
}

/// A listening server, its host and its token.
fn server() -> &'static (Mutex<Server>, String, String) {
    static SERVER: OnceLock<(Mutex<Server>, String, String)> = OnceLock::new();
    SERVER.get_or_init(|| {
        let server = Server::start(Ipv4Addr::LOCALHOST.into(), 0).expect("a free port");
        let url = server.url();
        let (host, token) = url.trim_start_matches("http://").split_once('/').expect("a path");
        let (host, token) = (host.to_owned(), token.trim_end_matches('/').to_owned());
        (Mutex::new(server), host, token)
    })
}

pub(super) fn serve(number: u64) -> Outcome {
    let mut random = Random::new(number);
    let (server, host, token) = server();
    let bytes = conversation(&mut random, host, token);

    // send everything, then read everything: the server closes the connection
    let mut stream = TcpStream::connect(host).expect("the server listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
    let _ = stream.write_all(&bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut answer = Vec::new();
    if let Err(error) = stream.read_to_end(&mut answer) {
        let silent =
            matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut);
        assert!(!silent, "the server does not answer");
    }

    // accepted events have their effect
    let m = model();
    let mut d = Data::new(m);
    let mut player = Player::new(m, false);
    let server = server.lock().unwrap_or_else(PoisonError::into_inner);
    while let Some(event) = server.try_event() {
        let _ = player.apply(m, &mut d, event);
    }
    let begins = |words: &str| answer.starts_with(words.as_bytes());
    if begins("HTTP/1.1 101") || begins("HTTP/1.1 200") {
        Outcome::Accepted
    } else {
        Outcome::Refused
    }
}
