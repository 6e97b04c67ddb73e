//! The server's access control, its limits on clients, and its independence of slow clients.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::client::{self, KEYS, MODEL, NOTICE, Running, STATE};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name)
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

#[test]
fn pages_are_served_to_clients_with_the_token() {
    let viewer = Running::start(&model("pendulum.xml"), true);
    let page = viewer.get(&format!("/{}/", viewer.token));
    assert_eq!(status(&page), "200");
    assert!(page.contains("viewer.js") && page.contains("Content-Security-Policy"));
    assert!(page.contains("frame-ancestors 'self' http://localhost:*"));
    assert_eq!(status(&viewer.get(&format!("/{}/viewer.js", viewer.token))), "200");
    for path in ["/", "/viewer.js", "/socket", "/0123456789abcdef0123456789abcdef/"] {
        assert_eq!(status(&viewer.get(path)), "403", "{path}");
    }
}

#[test]
fn nothing_outside_the_page_can_be_read() {
    let viewer = Running::start(&model("pendulum.xml"), true);
    for path in [
        "../../etc/passwd",
        "..%2f..%2fetc/passwd",
        "/etc/passwd",
        "dist/../viewer.js",
        "pendulum.xml",
        "viewer.js/",
        "\u{0}",
    ] {
        let answer = viewer.get(&format!("/{}/{path}", viewer.token));
        assert_eq!(status(&answer), "404", "{path}");
    }
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let viewer = Running::start(&model("pendulum.xml"), true);
    let own = format!("127.0.0.1:{}", viewer.port);
    let (token, port) = (viewer.token.clone(), viewer.port);
    let cases = [
        (token.as_str(), "evil.example", Some("http://evil.example".to_owned())),
        (&token, &own, Some("http://evil.example".to_owned())),
        (&token, &own, Some("null".to_owned())),
        (&token, &own, Some(format!("http://127.0.0.1:{}", port ^ 1))),
        (&token, &own, None),
        ("00000000000000000000000000000000", &own, Some(format!("http://{own}"))),
        ("", &own, Some(format!("http://{own}"))),
    ];
    for (token, host, origin) in cases {
        let (answer, _) = viewer.upgrade(token, host, origin.as_deref());
        assert_eq!(status(&answer), "403", "{token} {host} {origin:?}");
    }
    // port forwarding changes the port, which is permitted
    let forwarded = Some("http://localhost:1");
    assert_eq!(status(&viewer.upgrade(&token, "localhost:1", forwarded).0), "101");
    let post = format!("POST /{token}/drop HTTP/1.1\r\nHost: {own}\r\nOrigin: http://x\r\n\r\n");
    assert_eq!(status(&viewer.ask(&post)), "403");
}

#[test]
fn malformed_and_oversized_messages_end_their_connection_alone() {
    let viewer = Running::start(&model("pendulum.xml"), true);
    let mut good = viewer.open();
    good.wait(MODEL);
    let big = format!(r#"{{"do":"{}"}}"#, "x".repeat(70_000));
    let cases: [(u8, &[u8]); 6] = [
        (0x81, big.as_bytes()),
        (0x81, b"not json"),
        (0x81, br#"{"do":"run"}"#),
        (0x81, br#"{"do":"explode"}"#),
        (0x81, &[0xff, 0xfe]),
        (0x83, b"an opcode that does not exist"),
    ];
    for (first, bytes) in cases {
        let mut bad = viewer.open();
        bad.send_frame(first, bytes);
        let mut closed = false;
        while let Some((kind, _)) = bad.receive() {
            closed |= kind == 8;
        }
        assert!(closed, "{}", String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
    }
    let token = &viewer.token;
    let huge = format!(
        "POST /{token}/drop HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Length: 99999999999\r\n\r\n"
    );
    assert_eq!(status(&viewer.ask(&huge)), "413");
    let long = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", "x".repeat(20_000));
    assert!(matches!(status(&viewer.ask(&long)), "400" | "none"));

    // indices out of range change nothing
    for text in [
        r#"{"do":"control","i":999,"x":1}"#,
        r#"{"do":"joint","i":999,"x":1}"#,
        r#"{"do":"flag","i":999,"on":true}"#,
        r#"{"do":"group","kind":99,"i":99,"on":true}"#,
        r#"{"do":"key","i":999}"#,
        r#"{"do":"scrub","i":999}"#,
        r#"{"do":"step","n":-999}"#,
        r#"{"do":"choice","of":"label","i":-5}"#,
        r#"{"do":"drag","action":"move","dx":1e50,"dy":0}"#,
    ] {
        good.send(text);
    }
    good.send(r#"{"do":"flag","i":14,"on":true}"#);
    good.until("a flag is set", |state| state["flags"][14] == 1);
}

#[test]
fn idle_connections_do_not_shut_out_a_page() {
    let viewer = Running::start(&model("pendulum.xml"), true);
    let mut page = viewer.open();
    page.wait(MODEL);

    // the oldest idle connections leave, pages stay
    let idle: Vec<_> = (0..300).map(|_| viewer.connect()).collect();
    assert_eq!(status(&viewer.get(&format!("/{}/", viewer.token))), "200");
    let mut other = viewer.open();
    other.wait(MODEL);
    page.send(r#"{"do":"flag","i":14,"on":true}"#);
    page.until("a flag is set", |state| state["flags"][14] == 1);
    drop(idle);
}

#[test]
fn time_begins_when_the_first_page_is_open() {
    let viewer = Running::start(&model("pendulum.xml"), false);
    std::thread::sleep(Duration::from_millis(700));
    let mut page = viewer.open();
    let first = page.time();
    assert!(first < 0.5, "{first}");
    page.time_other_than(first);
}

#[test]
fn requests_of_pages_take_effect() {
    let viewer = Running::start(&model("arm.xml"), true);
    let mut page = viewer.open();
    let named = page.json(MODEL);
    assert_eq!(named["keys"], serde_json::json!(["home", "reach"]));
    let start = page.time();
    page.send(r#"{"do":"step","n":5}"#);
    let end = page.time_other_than(start);
    assert!((end - start - 5.0 * named["timestep"].as_f64().unwrap()).abs() < 1e-9);
    page.send(r#"{"do":"scrub","i":0}"#);
    assert_eq!(page.time_other_than(end), start);
    page.send(r#"{"do":"run","on":true}"#);
    page.until("it runs", |state| state["running"] == true);
    page.send(r#"{"do":"speed","x":0.1}"#);
    page.until("it is slow", |state| state["speed"] == 0.1);

    // an action of one page shows in the other
    let mut other = viewer.open();
    page.send(r#"{"do":"group","kind":0,"i":4,"on":true}"#);
    other.until("a group is shown", |state| state["groups"][0][4] == 1);
}

#[test]
fn physics_and_keyframes_are_edited_while_the_model_is_shown() {
    let viewer = Running::start(&model("arm.xml"), true);
    let mut page = viewer.open();
    let listed = page.json(MODEL)["physics"].clone();
    let place = |name: &str| {
        listed.as_array().unwrap().iter().position(|entry| entry["name"] == name).unwrap()
    };
    let (gravity, cone) = (place("gravity"), place("cone"));
    page.send(r#"{"do":"option","name":"gravity","x":[0,0,-1.6]}"#);
    page.until("the moon", |state| state["physics"][gravity][2] == -1.6);
    page.send(r#"{"do":"option","name":"cone","x":[1]}"#);
    page.until("elliptic cones", |state| state["physics"][cone][0] == 1.0);

    // values that a page does not offer are refused with a reason
    page.send(r#"{"do":"option","name":"timestep","x":[-1]}"#);
    let notice = page.first(NOTICE, "a reason", |n| n["title"].to_string().contains("option"));
    assert!(notice.to_string().contains("timestep takes numbers from"), "{notice}");

    page.send(r#"{"do":"step","n":7}"#);
    page.send(r#"{"do":"new_key"}"#);
    let keys = page.first(KEYS, "a pose", |keys| keys[2]["set"] == true);
    assert_eq!((&keys[0]["name"], &keys[2]["name"]), (&"home".into(), &"pose 1".into()));
    assert!(keys[2]["xml"].as_str().unwrap().starts_with("<key name=\"pose 1\" time=\"0.0"));
    page.send(r#"{"do":"set_key","i":99}"#);
    page.send(r#"{"do":"reset"}"#);
    while page.time() != 0.0 {}
    page.send(r#"{"do":"key","i":2}"#);
    assert!(page.time_other_than(0.0) > 0.0);
}

#[test]
fn stages_of_steps_are_timed() {
    let viewer = Running::start(&model("humanoid.xml"), false);
    let mut page = viewer.open();
    let stages = (0..400).map(|_| page.numbers(7)).find(|numbers| !numbers.is_empty()).unwrap();
    let (step, parts) = (stages[0], stages[4] + stages[6] + stages[7] + stages[10]);
    assert!(step > 0.0 && parts > 0.2 * step && parts < 1.01 * step, "{stages:?}");
}

#[test]
fn a_saved_file_is_loaded_again_and_its_errors_are_shown_at_their_lines() {
    let folder = std::env::temp_dir().join(format!("sinew-view-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("ball.xml");
    let good = "<mujoco>\n<worldbody>\n<body><freejoint/><geom size='.1'/></body>\n\
                </worldbody>\n</mujoco>\n";
    std::fs::write(&path, good).unwrap();
    let viewer = Running::start(&path, true);
    let mut page = viewer.open();
    assert_eq!(page.json(MODEL)["counts"]["geom"], 1);

    std::fs::write(&path, good.replace("size", "sise")).unwrap();
    let notice = page.first(NOTICE, "an error", |n| n["list"][0]["error"] == true);
    assert_eq!(notice["list"][0]["line"], 3);
    assert!(notice["list"][0]["message"].as_str().unwrap().contains("sise"));
    assert!(notice["list"][0]["lines"][2][1].as_str().unwrap().contains("sise"));

    std::fs::write(&path, good.replace("</body>", "</body><geom size='.2'/>")).unwrap();
    assert_eq!(page.json(MODEL)["counts"]["geom"], 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn dropped_files_are_loaded_and_cannot_read_others() {
    let viewer = Running::start(&model("pendulum.xml"), true);
    let mut page = viewer.open();
    page.wait(MODEL);
    let drop = |name: &str, base64: &str| {
        let body = format!(r#"{{"do":"drop","files":[{{"name":"{name}","data":"{base64}"}}]}}"#);
        let (token, port) = (&viewer.token, viewer.port);
        viewer.ask(&format!(
            "POST /{token}/drop HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\
             Origin: http://127.0.0.1:{port}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    };
    // <mujoco><worldbody><geom size="1"/></worldbody></mujoco>
    let ball = "PG11am9jbz48d29ybGRib2R5Pjxnb20gc2l6ZT0iMSIvPjwvd29ybGRib2R5PjwvbXVqb2NvPg==";
    assert_eq!(status(&drop("broken.xml", ball)), "200");
    page.first(NOTICE, "an error", |n| n["list"][0]["error"] == true);
    // <mujoco><worldbody><geom size="1"/><geom size="1"/></worldbody></mujoco>
    let balls = "PG11am9jbz48d29ybGRib2R5PjxnZW9tIHNpemU9IjEiLz48Z2VvbSBzaXplPSIxIi8+\
                 PC93b3JsZGJvZHk+PC9tdWpvY28+";
    assert_eq!(status(&drop("balls.xml", balls)), "200");
    assert_eq!(page.json(MODEL)["counts"]["geom"], 2);
    // <mujoco><include file="/etc/passwd"/></mujoco>
    let thief = "PG11am9jbz48aW5jbHVkZSBmaWxlPSIvZXRjL3Bhc3N3ZCIvPjwvbXVqb2NvPg==";
    assert_eq!(status(&drop("thief.xml", thief)), "200");
    let says = |text: &'static str| move |n: &serde_json::Value| n.to_string().contains(text);
    let notice = page.first(NOTICE, "why it is refused", says("passwd"));
    assert!(!notice.to_string().contains("root:"), "{notice}");
    assert_eq!(status(&drop("a.txt", "aGk=")), "200");
    page.first(NOTICE, "that nothing is a model", says("none of a.txt"));
}

/// Fifty pages and a page that never reads: the simulation keeps its pace, and the pages get
/// frames.
#[test]
fn fifty_viewers_and_a_stalled_one_do_not_slow_the_simulation() {
    let viewer = Running::start(&model("pile.xml"), false);
    let mut pages: Vec<_> = (0..49).map(|_| viewer.open()).collect();
    let stalled = viewer.open();
    for page in &mut pages {
        page.wait(STATE);
    }

    // up to five attempts of three seconds, because another process may take the processor
    let faults: Vec<String> = (0..5).map_while(|_| fault_of(&mut pages)).collect();
    drop(stalled);
    assert!(faults.len() < 5, "{faults:?}");
}

/// The fault found in three seconds of all pages, if any; each page draws its frames in its own
/// thread.
fn fault_of(pages: &mut [client::Socket]) -> Option<String> {
    let seen: Vec<(f64, f64, usize)> = std::thread::scope(|scope| {
        let watch = |page: &'_ mut client::Socket| {
            let (begin, first, mut frames, mut last) = (Instant::now(), page.time(), 0, 0.0);
            while begin.elapsed() < Duration::from_secs(3) {
                last = page.time();
                frames += 1;
            }
            (last - first, begin.elapsed().as_secs_f64(), frames)
        };
        let threads: Vec<_> =
            pages.iter_mut().map(|page| scope.spawn(move || watch(page))).collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    seen.into_iter().find_map(|(simulated, elapsed, frames)| {
        let fine = frames >= 5 && simulated / elapsed > 0.8;
        (!fine).then(|| format!("{frames} frames and {simulated} s simulated in {elapsed} s"))
    })
}
