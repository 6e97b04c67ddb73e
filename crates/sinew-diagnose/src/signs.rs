//! Signs of a wrong simulation that has no bad state: bodies that sink into others or jump through
//! them, and energy that appears.

use sinew_engine::{com_pos, energy_pos, energy_vel, kinematics, make_m, tendon};
use sinew_math::Vec3;
use sinew_model::enums::ObjType;
use sinew_model::{Data, GeomId, Model};

use crate::element::Element;
use crate::finding::{Cause, Finding, Weight, shown};
use crate::start::thickness;

/// Depth of a contact, relative to the half thickness of the thinner geom, that is reported.
const SUNK: f64 = 1.0;
/// Steps between two measurements of the energy.
const PERIOD: u64 = 50;
/// Growth of the energy that is reported, relative to the largest kinetic energy and to the work of
/// gravity along the size of the model.
const GROWTH: f64 = 0.25;

/// Watches the states of a run without inputs of a user.
///
/// Call [`Signs::after`] after each step. The cost is a look at the contacts and the positions of
/// geoms, and a measurement of the energy every 50 steps.
#[derive(Clone, Debug)]
pub struct Signs {
    /// Half thickness of the geoms, and of the thinnest geom that may stop another.
    half: Vec<f64>,
    thinnest: f64,
    /// Positions of geoms after the last step.
    last: Vec<Vec3>,
    time: f64,
    sunk: Option<Sign>,
    jumped: Option<Sign>,
    energy: Option<Energy>,
    steps: u64,
}

/// The worst event of a kind.
#[derive(Clone, Debug)]
struct Sign {
    geoms: [usize; 2],
    /// Metres.
    size: f64,
    /// The same relative to the bound.
    share: f64,
    /// Time of the first event.
    since: f64,
    /// Steps with such an event.
    count: u64,
}

/// Energy since the start of the run.
#[derive(Clone, Debug)]
struct Energy {
    /// Scratch state.
    scratch: Box<Data>,
    start: f64,
    largest: f64,
    kinetic: f64,
    time: f64,
}

impl Sign {
    /// Counts an event, and keeps it if it is worse than the others.
    fn add(sign: &mut Option<Sign>, geoms: [usize; 2], [size, share]: [f64; 2], time: f64) {
        let first = Sign { geoms, size, share, since: time, count: 0 };
        let kept = sign.get_or_insert(first);
        kept.count += 1;
        if share > kept.share {
            (kept.geoms, kept.size, kept.share) = (geoms, size, share);
        }
    }
}

impl Signs {
    /// Starts to watch a run from a state.
    pub fn new(m: &Model, d: &Data) -> Signs {
        let collides = |g: &GeomId| m.geom_contype[*g] != 0 || m.geom_conaffinity[*g] != 0;
        let half: Vec<f64> = m.geoms().map(|g| thickness(m, g)).collect();
        let stopping = m.geoms().filter(collides).map(|g| half[g.idx()]).filter(|&x| x > 0.0);
        let mut signs = Signs {
            thinnest: stopping.fold(f64::MAX, f64::min),
            half,
            last: Vec::new(),
            time: d.time,
            sunk: None,
            jumped: None,
            energy: None,
            steps: 0,
        };
        if conserves(m) {
            let scratch = Box::new(Data::new(m));
            let (start, largest) = (f64::NAN, f64::NEG_INFINITY);
            let mut energy = Energy { scratch, start, largest, kinetic: 0.0, time: d.time };
            energy.measure(m, d);
            energy.start = energy.largest;
            signs.energy = Some(energy);
        }
        signs
    }

    /// Looks at the state after a step.
    pub fn after(&mut self, m: &Model, d: &Data) {
        self.steps += 1;
        self.contacts(d);
        self.jumps(m, d);
        if let Some(energy) = self.energy.as_mut().filter(|_| self.steps.is_multiple_of(PERIOD)) {
            energy.measure(m, d);
        }
    }

    fn contacts(&mut self, d: &Data) {
        for contact in d.contact.iter().filter(|c| c.dist < 0.0 && c.exclude == 0) {
            let [Ok(a), Ok(b)] = contact.geom.map(usize::try_from) else { continue };
            let (Some(x), Some(y)) = (self.half.get(a), self.half.get(b)) else { continue };
            // a flat mesh has no thickness
            let thin = x.min(*y);
            let share = -contact.dist / thin;
            if thin > 0.0 && share > SUNK {
                Sign::add(&mut self.sunk, [a, b], [-contact.dist, share], d.time);
            }
        }
    }

    /// Geoms that move farther in a step than they and the thinnest other geom are thick.
    fn jumps(&mut self, m: &Model, d: &Data) {
        let continues = d.time > self.time && self.last.len() == d.geom_xpos.len();
        if continues {
            for g in m.geoms().filter(|&g| m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0) {
                let way = d.geom_xpos[g] - self.last[g.idx()];
                let (length, bound) =
                    (way.dot(way).sqrt(), 2.0 * (self.half[g.idx()] + self.thinnest));
                if length > bound {
                    Sign::add(&mut self.jumped, [g.idx(); 2], [length, length / bound], d.time);
                }
            }
        }
        self.time = d.time;
        self.last.clear();
        self.last.extend_from_slice(&d.geom_xpos);
    }

    /// The signs so far.
    pub fn findings(&self, m: &Model) -> Vec<Finding> {
        let geom = |g: usize| Element::new(m, ObjType::Geom, g);
        let mut found = Vec::new();
        let mut add = |cause, parts, text| {
            let (weight, remedies) = (Weight::Warning, Vec::new());
            found.push(Finding { cause, weight, parts, text, remedies });
        };
        if let Some(s) = &self.sunk {
            let [a, b] = s.geoms.map(geom);
            let text = format!(
                "{a} and {b} overlap by {} m, {} times half the thickness of the thinner one ({} steps, \
                 since {} s)",
                shown(s.size),
                shown(s.share),
                s.count,
                shown(s.since)
            );
            add(Cause::Penetration, vec![a, b], text);
        }
        if let Some(s) = &self.jumped {
            let part = geom(s.geoms[0]);
            let text = format!(
                "{part} moves by {} m in one time step of {} s, and may pass through geoms without a \
                 contact ({} steps, since {} s)",
                shown(s.size),
                m.opt.timestep,
                s.count,
                shown(s.since)
            );
            add(Cause::Tunnelling, vec![part], text);
        }
        if let Some(gain) = self.energy.as_ref().and_then(|energy| energy.gain(m)) {
            let text = format!(
                "energy appears: {} J more than at the start at {} s, without actuators or applied forces",
                shown(gain),
                shown(self.energy.as_ref().map_or(0.0, |energy| energy.time))
            );
            add(Cause::Energy, Vec::new(), text);
        }
        found
    }
}

/// Whether the energy of a model cannot grow: it has no sources besides gravity and springs.
fn conserves(m: &Model) -> bool {
    let still = m.opt.wind.dot(m.opt.wind) == 0.0;
    m.nu == 0 && m.nplugin == 0 && m.nflex == 0 && m.nmocap == 0 && still
}

impl Energy {
    /// Measures the energy of a state.
    fn measure(&mut self, m: &Model, d: &Data) {
        // forces of the user are a source
        let applied = d.qfrc_applied.iter().chain(d.xfrc_applied.flat()).any(|&x| x != 0.0);
        let finite = d.qpos.iter().chain(d.qvel.iter()).all(|x| x.is_finite());
        if applied || !finite {
            return;
        }
        let scratch = &mut *self.scratch;
        scratch.qpos.copy_from_slice(&d.qpos);
        scratch.qvel.copy_from_slice(&d.qvel);
        kinematics(m, scratch);
        com_pos(m, scratch);
        tendon(m, scratch);
        make_m(m, scratch);
        energy_pos(m, scratch);
        energy_vel(m, scratch);
        let [potential, kinetic] = scratch.energy;
        self.kinetic = self.kinetic.max(kinetic);
        if potential + kinetic > self.largest {
            (self.largest, self.time) = (potential + kinetic, d.time);
        }
    }

    /// The energy that appeared, if it is much.
    fn gain(&self, m: &Model) -> Option<f64> {
        let gain = self.largest - self.start;
        let mass: f64 = m.body_mass.iter().sum();
        let fall = mass * m.opt.gravity.dot(m.opt.gravity).sqrt() * m.stat.meansize;
        (gain > GROWTH * (self.kinetic - gain.max(0.0)).max(0.0) + GROWTH * fall).then_some(gain)
    }
}
