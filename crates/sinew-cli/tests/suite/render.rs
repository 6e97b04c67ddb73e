//! `sinew render`: images, videos and errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn render(args: &[&str]) -> Output {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/pendulum.xml");
    let program =
        Command::new(env!("CARGO_BIN_EXE_sinew")).arg("render").arg(model).args(args).output();
    program.unwrap()
}

/// Renders into a file and returns its bytes.
fn written(option: &str, name: &str, more: &[&str]) -> Vec<u8> {
    let file = scratch(name);
    let mut args = vec![option, file.to_str().unwrap(), "--size", "64x48"];
    args.extend(more);
    let done = render(&args);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    fs::read(file).unwrap()
}

#[test]
fn pictures_are_png_files() {
    for (name, more) in
        [("c.png", vec![]), ("d.png", vec!["--depth"]), ("s.png", vec!["--segmentation"])]
    {
        let bytes = written("-o", name, &more);
        assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
        assert_eq!(bytes[16..24], [0, 0, 0, 64, 0, 0, 0, 48]);
    }
}

#[test]
fn videos_have_all_their_frames() {
    let more = ["--time", "0.2", "--fps", "20"];
    let gif = written("--video", "v.gif", &more);
    assert_eq!(&gif[..6], b"GIF89a");
    let y4m = written("--video", "v.y4m", &more);
    let frame = "FRAME\n".len() + 3 * 64 * 48;
    let head = y4m.iter().position(|&b| b == b'\n').unwrap() + 1;
    assert_eq!(y4m.len(), head + 4 * frame);
    let apng = written("--video", "v.png", &more);
    let count = apng.windows(4).filter(|w| w == b"fcTL").count();
    assert_eq!(count, 4);
}

#[test]
fn bad_requests_are_refused() {
    let out = scratch("bad.png");
    let file = out.to_str().unwrap();
    for (args, text) in [
        (vec!["-o", file, "--camera", "nowhere"], "nowhere"),
        (vec!["-o", file, "--camera", "99"], "cameras"),
        (vec!["-o", file, "--size", "0x10"], "pixels"),
        (vec!["-o", file, "--size", "wide"], "640x480"),
        (vec!["-o", "picture.bmp"], ".png"),
        (vec!["-o", file, "--time=-1"], "seconds"),
    ] {
        let done = render(&args);
        let err = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && err.contains(text), "{args:?}: {err}");
    }
}
