//! A soak test. Eight models run for many steps. Their states must repeat in a second run, in
//! another thread and from saved states, and memory must stay constant. Three more models run with
//! random controls for a tenth of the steps, with invariants checked after each. A full test has
//! ten million steps.
//!
//! `cargo xtask soak --steps 10000000`
// the program prints to stdout; the libraries do not
#![allow(clippy::print_stdout)]

use std::env::args;
use std::fs::read_to_string;

use sinew::model::enums::{ConeType, ConstraintType, JointType};
use sinew::{Data, Model};
use sinew_testkit::Random;
use sinew_workload::soak::{CASES, soak_batch};

/// Number of checkpoints per run.
const CHECKPOINTS: usize = 20;

/// Steps before memory is measured.
const WARM_UP: usize = 20_000;

/// Growth of memory that counts as a leak, in KiB.
const LEAK: usize = 4096;

/// Observations of a run.
#[derive(Default)]
struct Seen {
    rows: usize,
    contacts: usize,
    speed: f64,
    depth: f64,
    resets: usize,
    faults: Vec<String>,
}

impl Seen {
    fn fault(&mut self, step: usize, text: String) {
        if self.faults.len() < 10 {
            self.faults.push(format!("step {step}: {text}"));
        }
    }

    /// Checks the invariants after a step.
    fn check(&mut self, m: &Model, d: &Data, step: usize) {
        self.rows = self.rows.max(d.nefc);
        self.contacts = self.contacts.max(d.contact.len());
        self.speed = d.qvel.iter().fold(self.speed, |s, v| s.max(v.abs()));
        self.depth = d.contact.iter().fold(self.depth, |s, c| s.max(-c.dist));

        let numbers: [&[f64]; 5] = [&d.qpos, &d.qvel, &d.qacc, &d.act, &d.sensordata];
        if numbers.iter().any(|list| list.iter().any(|x| !x.is_finite())) {
            self.fault(step, "a number that is not finite".into());
        }
        for j in m.joints() {
            let at = match m.jnt_type[j] {
                JointType::Free => m.jnt_qposadr[j] as usize + 3,
                JointType::Ball => m.jnt_qposadr[j] as usize,
                _ => continue,
            };
            let length: f64 = d.qpos.iter().skip(at).take(4).map(|x| x * x).sum();
            if (length - 1.0).abs() > 1e-6 {
                self.fault(step, format!("joint {}: quaternion of length² {length}", j.idx()));
            }
        }
        self.check_forces(m, d, step);
        if d.efc_force.len() < d.nefc || d.efc_J.len() < d.nJ {
            self.fault(step, "lists that are too short".into());
        }
    }

    /// Checks that contacts do not pull and that friction stays in its cone.
    fn check_forces(&mut self, m: &Model, d: &Data, step: usize) {
        for r in d.ne..d.nefc {
            let force = d.efc_force[r];
            match d.efc_type[r] {
                ConstraintType::FrictionDof | ConstraintType::FrictionTendon
                    if force.abs() > d.efc_frictionloss[r] * (1.0 + 1e-9) =>
                {
                    self.fault(step, format!("row {r}: dry friction of {force}"));
                }
                ConstraintType::FrictionDof
                | ConstraintType::FrictionTendon
                | ConstraintType::ContactElliptic => {}
                _ if force < 0.0 => self.fault(step, format!("row {r} pulls with {force}")),
                _ => {}
            }
        }
        if m.opt.cone != ConeType::Elliptic {
            return;
        }
        for contact in d.contact.iter().filter(|c| c.efc_address >= 0 && c.dim > 1) {
            let first = contact.efc_address as usize;
            let forces = &d.efc_force.flat()[first..first + contact.dim as usize];
            let friction =
                forces[1..].iter().zip(&contact.friction).map(|(f, mu)| (f / mu).powi(2));
            if friction.sum::<f64>().sqrt() > forces[0] * (1.0 + 1e-6) + 1e-9 {
                self.fault(step, format!("friction outside of its cone: {forces:?}"));
            }
        }
    }
}

/// Resident memory of this process in KiB; 0 on other systems.
fn memory() -> usize {
    let status = read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Runs one model and returns whether there were no faults.
fn soak(name: &str, cone: ConeType, steps: usize, seed: u64) -> sinew::Result<bool> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    let mut m = sinew::load(format!("{folder}{name}"))?;
    m.opt.cone = cone;
    let mut d = Data::new(&m);
    let mut random = Random::new(seed);
    let mut seen = Seen::default();
    let mut start_memory = 0;
    let mut ctrl = vec![0.0; m.nu];
    for step in 0..steps {
        // slowly drifting controls with occasional jumps
        let (drift, jump) = (0.1, random.signed() > 0.99);
        for u in 0..m.nu {
            let change = random.signed();
            ctrl[u] = if jump { change } else { (ctrl[u] + drift * change).clamp(-1.0, 1.0) };
            d.ctrl[u] = ctrl[u];
        }
        let warnings: i32 = d.warning.iter().map(|w| w.number).sum();
        sinew::step(&m, &mut d);
        if d.warning.iter().map(|w| w.number).sum::<i32>() > warnings {
            seen.resets += 1;
            seen.fault(step, format!("warnings {:?}", d.warning.map(|w| w.number)));
        }
        seen.check(&m, &d, step);
        if step == WARM_UP {
            start_memory = memory();
        }
    }
    let growth = if steps > WARM_UP { memory().saturating_sub(start_memory) } else { 0 };
    if growth > LEAK {
        seen.fault(steps, format!("memory grew by {growth} KiB"));
    }

    println!(
        "{name} {}: {steps} steps, at most {} rows, {} contacts, speed {:.1}, depth {:.4}; {} warnings, \
         memory grew by {growth} KiB",
        if cone == ConeType::Elliptic { "elliptic" } else { "pyramidal" },
        seen.rows,
        seen.contacts,
        seen.speed,
        seen.depth,
        seen.resets,
    );
    for fault in &seen.faults {
        println!("  {fault}");
    }
    Ok(seen.faults.is_empty())
}

/// Runs the eight reproducible cases, or one of them, and returns whether there were no faults.
fn reproduce(steps: usize, only: Option<&str>) -> Result<bool, Box<dyn std::error::Error>> {
    let mut well = true;
    let names = CASES.iter().map(|case| case.name).chain(["batch"]);
    for name in names.filter(|name| only.is_none_or(|only| only == *name)) {
        let mut report = match CASES.iter().find(|case| case.name == name) {
            Some(case) => case.soak(steps, CHECKPOINTS)?,
            None => soak_batch(steps, CHECKPOINTS)?,
        };
        if report.growth > LEAK {
            report.faults.push(format!("memory grew by {} KiB", report.growth));
        }
        let last = report.hashes.last().copied().unwrap_or(0);
        println!(
            "{name:8} {steps} steps, {} checkpoints, last {last:016x}, memory grew by {} KiB",
            report.hashes.len(),
            report.growth
        );
        for fault in &report.faults {
            println!("  {fault}");
        }
        well &= report.faults.is_empty();
    }
    Ok(well)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = args().skip(1).collect();
    let (mut steps, mut only) = (10_000, None);
    for pair in args.iter().map(String::as_str).collect::<Vec<_>>().chunks(2) {
        match *pair {
            ["--steps", n] => steps = n.parse()?,
            ["--model", name] => only = Some(name),
            _ => return Err("usage: soak [--steps N] [--model NAME]".into()),
        }
    }
    let mut well = reproduce(steps, only)?;
    let driven = ["humanoid.xml", "quadruped.xml", "pile.xml"];
    for name in driven.into_iter().filter(|_| only.is_none()) {
        for cone in [ConeType::Pyramidal, ConeType::Elliptic] {
            well &= soak(name, cone, steps / 10, 1)?;
        }
    }
    println!("{}", if well { "all was well" } else { "something went wrong" });
    std::process::exit(i32::from(!well));
}
