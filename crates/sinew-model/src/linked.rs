//! Parameters of later versions of MuJoCo as a part of their model.

use crate::enums::{JointType, TrnType};
use crate::later::{BIAS_DCMOTOR, DYN_DCMOTOR, GAIN_DCMOTOR, Later, motor_states, row};
use crate::{ActuatorId, JointId, Model, TendonId};

impl Later {
    /// How many numbers the table called `name` has in a model, if it has any.
    pub fn length(name: &str, m: &Model) -> Option<usize> {
        if name == "key_plastic" {
            return Some(m.nkey * m.nplastic());
        }
        let (name, width) = Later::REALS.into_iter().find(|(known, _)| *known == name)?;
        let rows = match name.split('_').next() {
            Some("jnt") => m.njnt,
            Some("dof") => m.nv,
            Some("tendon") => m.ntendon,
            Some("geom") => m.ngeom,
            _ => m.nu,
        };
        Some(rows * width)
    }

    /// Whether every table is empty or has a row for each object of a model.
    pub(crate) fn fits(&self, m: &Model) -> bool {
        let mut tables = self.reals().into_iter().zip(Later::REALS);
        let specs = self.actuator_ctrlspec.len();
        (specs == 0 || specs == m.nu)
            && self.fits_plastic(m)
            && tables.all(|(table, (name, _))| {
                table.is_empty() || Some(table.len()) == Later::length(name, m)
            })
    }

    /// Whether the parts of the plastic state follow each other and fill it.
    fn fits_plastic(&self, m: &Model) -> bool {
        let mut end = 0;
        let mut follows = |adr: i32, length: usize| {
            let here = usize::try_from(adr) == Ok(end);
            end += if here { length } else { 0 };
            here || adr == -1
        };
        let (joints, tendons) = (&self.jnt_plasticadr, &self.tendon_plasticadr);
        (joints.is_empty() || joints.len() == m.njnt)
            && (tendons.is_empty() || tendons.len() == m.ntendon)
            && joints.iter().zip(m.jnt_type.iter()).all(|(&adr, &t)| follows(adr, plastic_length(t)))
            && tendons.iter().all(|&adr| follows(adr, 2))
            && end == self.nplastic
            && m.nkey.checked_mul(end) == Some(self.key_plastic.len())
    }
}

/// How many numbers a joint has in the plastic state.
fn plastic_length(kind: JointType) -> usize {
    match kind {
        JointType::Free => 0,
        JointType::Ball => 4,
        _ => 1,
    }
}

impl Model {
    /// Gives every spring that yields its place in the plastic state, and the keyframes room.
    pub fn place_plastic(&mut self) {
        let Some(later) = &mut self.later else { return };
        let mut length = 0;
        let mut place = |yields: bool, count: usize| {
            let adr = if yields { length as i32 } else { -1 };
            length += if yields { count } else { 0 };
            adr
        };
        later.jnt_plasticadr = later
            .jnt_springyield
            .iter()
            .zip(self.jnt_type.iter())
            .map(|(&bound, &kind)| place(bound > 0.0, plastic_length(kind)))
            .collect();
        later.tendon_plasticadr =
            later.tendon_springyield.iter().map(|&bound| place(bound > 0.0, 2)).collect();
        later.nplastic = length;
        if length == 0 {
            later.jnt_plasticadr.clear();
            later.tendon_plasticadr.clear();
        }
        let start = self.plastic_start();
        if let Some(later) = &mut self.later {
            later.key_plastic = start.repeat(self.nkey);
        }
    }

    /// Length of the plastic state.
    pub fn nplastic(&self) -> usize {
        self.later.as_ref().map_or(0, |later| later.nplastic)
    }

    /// Where the spring of a joint has its numbers in the plastic state, if it yields.
    pub fn plastic_joint(&self, j: JointId) -> Option<usize> {
        let later = self.later.as_ref()?;
        usize::try_from(*later.jnt_plasticadr.get(j.idx())?).ok()
    }

    /// Where the spring of a tendon has its resting lengths in the plastic state, if it yields.
    pub fn plastic_tendon(&self, t: TendonId) -> Option<usize> {
        let later = self.later.as_ref()?;
        usize::try_from(*later.tendon_plasticadr.get(t.idx())?).ok()
    }

    /// The plastic state at the start: where springs rest.
    pub fn plastic_start(&self) -> Vec<f64> {
        let mut start = vec![0.0; self.nplastic()];
        self.start_plastic(&mut start);
        start
    }

    /// Sets a plastic state to that at the start.
    pub(crate) fn start_plastic(&self, plastic: &mut [f64]) {
        for j in self.joints() {
            if let Some(adr) = self.plastic_joint(j) {
                let (from, count) = (self.jnt_qpos(j).start, plastic_length(self.jnt_type[j]));
                plastic[adr..adr + count]
                    .copy_from_slice(self.qpos_spring.rows(from..from + count));
            }
        }
        for t in self.tendons() {
            if let Some(adr) = self.plastic_tendon(t) {
                plastic[adr..adr + 2].copy_from_slice(&self.tendon_lengthspring[t]);
            }
        }
    }

    /// The plastic state of a keyframe.
    pub fn key_plastic(&self, key: usize) -> &[f64] {
        let count = self.nplastic();
        let all = self.later.as_ref().map_or(&[][..], |later| &later.key_plastic);
        all.get(key * count..(key + 1) * count).unwrap_or(&[])
    }

    /// The plastic state of a keyframe, to be written.
    pub fn key_plastic_mut(&mut self, key: usize) -> &mut [f64] {
        let count = self.nplastic();
        let all = self.later.as_mut().map_or(&mut [][..], |later| &mut later.key_plastic);
        all.get_mut(key * count..(key + 1) * count).unwrap_or(&mut [])
    }

    /// Whether an actuator is a motor with a commutator: its types, its control and the number of
    /// its activations are those of a motor.
    pub fn is_motor(&self, u: ActuatorId) -> bool {
        let types =
            (self.actuator_gaintype[u], self.actuator_dyntype[u], self.actuator_biastype[u]);
        if types != (GAIN_DCMOTOR, DYN_DCMOTOR, BIAS_DCMOTOR) {
            return false;
        }
        let specs = self.later.as_ref().map(|later| later.actuator_ctrlspec.as_slice());
        let states = motor_states(&self.actuator_dynprm[u], &self.actuator_gainprm[u]);
        let count = states.into_iter().filter(|&has| has).count();
        row(specs.unwrap_or_default(), u.idx()) != 0 && self.actuator_actnum[u] == count as i32
    }

    /// Removes tables without an entry, and finds the actuators that add to joints and tendons.
    pub fn link_later(&mut self) {
        let Some(mut later) = self.later.take() else { return };
        for (name, _) in Later::REALS {
            if later.table(name).is_some_and(|table| table.iter().all(|&x| x == 0.0)) {
                later.set_table(name, &[]);
            }
        }
        if later.actuator_ctrlspec.iter().all(|&spec| spec == 0) {
            later.actuator_ctrlspec.clear();
        }
        let empty = later.reals().iter().all(|table| table.is_empty());
        if empty && later.actuator_ctrlspec.is_empty() && later.nplastic == 0 {
            return;
        }

        // targets of actuators
        later.jnt_actuatorid = vec![-1; self.njnt];
        later.tendon_actuatorid = vec![-1; self.ntendon];
        for u in self.actuators() {
            if !later.adds(u.idx()) {
                continue;
            }
            let ids = match self.actuator_trntype[u] {
                TrnType::Joint | TrnType::Jointinparent => &mut later.jnt_actuatorid,
                TrnType::Tendon => &mut later.tendon_actuatorid,
                _ => continue,
            };
            let target = usize::try_from(self.actuator_trnid[u][0]).unwrap_or(usize::MAX);
            if let Some(id) = ids.get_mut(target) {
                *id = if *id == -1 { u.idx() as i32 } else { -2 };
            }
        }
        self.later = Some(later);
    }
}
