//! Races builds of this crate's library with each other, and fails where the last one is slower.
//!
//! `race BEFORE TWIN NOW MODEL...`, where `TWIN` is a copy of `BEFORE` and shows the noise.
//! `cargo xtask race REVISION` builds the libraries and runs this program.
// the program prints to stdout and calls functions of libraries
#![allow(clippy::print_stdout, unsafe_code)]

use std::error::Error;
use std::ffi::{CStr, CString, c_char, c_double, c_int, c_void};
use std::process::ExitCode;

use libloading::Library;

/// Microseconds of steps per repetition, pieces of a repetition, and warm-up steps.
const MICROSECONDS: f64 = 5e4;
const PIECES: usize = 40;
const WARMUP: c_int = 50;

/// Repetitions of the first measurement, and of the second, which a slow model gets.
const REPEAT: [usize; 2] = [7, 21];

/// A model is slower if it takes this much longer than the slower copy of the earlier build.
const MODEL_LIMIT: f64 = 1.02;

/// All models are slower if their geometric mean is.
const MEAN_LIMIT: f64 = 1.01;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(([before, twin, now], models)) = args.split_first_chunk() else {
        return Err("usage: race BEFORE TWIN NOW MODEL...".into());
    };
    let builds = [Build::open(before)?, Build::open(twin)?, Build::open(now)?];

    // a line for each model
    println!("{:>10} {:>10} {:>7} {:>7}  model", "before us", "now us", "now", "twin");
    let (mut slower, mut logs) = (Vec::new(), Vec::new());
    for model in models {
        let mut us = match race(&builds, model, REPEAT[0]) {
            Ok(us) => us,
            Err(reason) => {
                println!("# {model}: {reason}");
                continue;
            }
        };
        if is_slower(us) {
            us = race(&builds, model, REPEAT[1])?;
            if is_slower(us) {
                slower.push(model.as_str());
            }
        }
        let [before, twin, now] = us;
        let (now_ratio, twin_ratio) = (now / before, twin / before);
        println!("{before:10.2} {now:10.2} {now_ratio:7.3} {twin_ratio:7.3}  {model}");
        logs.push(now.ln() - (before.ln() + twin.ln()) / 2.0);
    }

    // the verdict
    if logs.is_empty() {
        return Err("no model was raced".into());
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    println!("{} models: {mean:.3} of the earlier time (geometric mean)", logs.len());
    for model in &slower {
        println!("slower in two measurements: {model}");
    }
    let failed = !slower.is_empty() || mean > MEAN_LIMIT;
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn is_slower([before, twin, now]: [f64; 3]) -> bool {
    now > MODEL_LIMIT * before.max(twin)
}

/// Microseconds per step of each build: the sum over short pieces of each piece's minimum over all
/// repetitions. The builds take turns after every piece.
fn race(builds: &[Build; 3], model: &str, repeat: usize) -> Result<[f64; 3], Box<dyn Error>> {
    let mut entrants = Vec::new();
    for build in builds {
        entrants.push(Entrant { build, handle: build.load(model)? });
    }
    entrants.iter().for_each(Entrant::warm_up);
    let guess = entrants.iter().map(|e| e.run(10)).fold(0.01, f64::max) / 10.0;
    let steps = ((MICROSECONDS / guess / PIECES as f64) as c_int).clamp(1, 1000);

    let mut least = [[f64::INFINITY; 3]; PIECES];
    for round in 0..repeat {
        entrants.iter().for_each(Entrant::warm_up);
        for least in &mut least {
            for turn in 0..entrants.len() {
                let k = (round + turn) % entrants.len();
                least[k] = least[k].min(entrants[k].run(steps));
            }
        }
    }
    let total = (PIECES as f64) * f64::from(steps);
    Ok([0, 1, 2].map(|k| least.iter().map(|piece| piece[k]).sum::<f64>() / total))
}

// SAFETY: types of functions; each call proves the conditions of its function
type Open = unsafe extern "C" fn(*const c_char, c_int, u64, c_double, *mut c_char, c_int) -> Handle;
type Run = unsafe extern "C" fn(Handle, c_int, c_int, *mut c_double);
type Reset = unsafe extern "C" fn(Handle);
type Handle = *mut c_void;

/// The library of a build.
struct Build {
    open: Open,
    run: Run,
    reset: Reset,
    // keeps the functions loaded
    _library: Library,
}

impl Build {
    fn open(path: &str) -> Result<Build, libloading::Error> {
        // SAFETY: a library of this crate, whose functions have had these types from its start.
        unsafe {
            let library = Library::new(path)?;
            let (open, run, reset) =
                (*library.get(b"sh_open")?, *library.get(b"sh_run")?, *library.get(b"sh_reset")?);
            Ok(Build { open, run, reset, _library: library })
        }
    }

    fn load(&self, model: &str) -> Result<Handle, Box<dyn Error>> {
        let (path, mut reason) = (CString::new(model)?, [0; 1000]);
        let len = reason.len() as c_int;
        // SAFETY: a C string, and room for `len` bytes.
        let handle = unsafe { (self.open)(path.as_ptr(), -1, 1, 0.3, reason.as_mut_ptr(), len) };
        if handle.is_null() {
            // SAFETY: `sh_open` ends the reason with a zero.
            return Err(unsafe { CStr::from_ptr(reason.as_ptr()) }.to_string_lossy().into());
        }
        Ok(handle)
    }
}

/// A model in a build.
struct Entrant<'a> {
    build: &'a Build,
    handle: Handle,
}

impl Entrant<'_> {
    fn warm_up(&self) {
        // SAFETY: a handle of this build.
        unsafe { (self.build.reset)(self.handle) };
        self.run(WARMUP);
    }

    /// Makes steps and returns their CPU time in microseconds.
    fn run(&self, steps: c_int) -> f64 {
        let mut out = [0.0; 32];
        // SAFETY: a handle of this build, and room for 32 numbers.
        unsafe { (self.build.run)(self.handle, steps, 0, out.as_mut_ptr()) };
        out[0]
    }
}
