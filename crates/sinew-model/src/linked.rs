//! Parameters of later versions of MuJoCo as a part of their model.

use core::ops::Range;

use crate::enums::{BiasType, DynType, GeomType, JointType, SensorType, TrnType};
use crate::later::{
    BIAS_DCMOTOR, BIAS_SO3, CHART_QUAT, DYN_DCMOTOR, DYN_PID, GAIN_DCMOTOR, GAIN_PID, GAIN_SO3,
    Later, TRN_SO3, count_inputs, motor_states, row,
};
use crate::{ActuatorId, JointId, MeshId, Model, SensorId, SiteId, TendonId};

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
            Some("pair") => m.npair,
            _ => m.nu,
        };
        Some(rows * width)
    }

    /// Whether every table is empty or has a row for each object of a model.
    pub(crate) fn fits(&self, m: &Model) -> bool {
        let mut tables = self.reals().into_iter().zip(Later::REALS);
        let specs = self.actuator_ctrlspec.len();
        (specs == 0 || specs == m.nu)
            && self.fits_owners(m)
            && self.fits_plastic(m)
            && self.fits_sites(m)
            && tables.all(|(table, (name, _))| {
                table.is_empty() || Some(table.len()) == Later::length(name, m)
            })
    }

    /// Whether the rows of each actuator follow each other.
    fn fits_owners(&self, m: &Model) -> bool {
        let owners = &self.actuator_owner;
        let (mut first, mut fits) = (0, owners.is_empty() || owners.len() == m.nu);
        for (u, &owner) in owners.iter().enumerate() {
            first = if owner == u as i32 { owner } else { first };
            fits &= owner == first;
        }
        fits
    }

    /// Whether each site has a mesh of the model or none.
    fn fits_sites(&self, m: &Model) -> bool {
        let ids = &self.site_dataid;
        let exists = |id: i32| id == -1 || usize::try_from(id).is_ok_and(|id| id < m.nmesh);
        (ids.is_empty() || ids.len() == m.nsite) && ids.iter().all(|&id| exists(id))
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
            && joints.iter().zip(&*m.jnt_type).all(|(&adr, &t)| follows(adr, plastic_length(t)))
            && tendons.iter().all(|&adr| follows(adr, 2))
            && end == self.nplastic
            && m.nkey.checked_mul(end) == Some(self.key_plastic.len())
    }
}

/// Number of entries of a joint in the plastic state.
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

    /// The mesh of a site of that type.
    pub fn site_mesh(&self, s: SiteId) -> Option<MeshId> {
        let id = *self.later.as_ref()?.site_dataid.get(s.idx())?;
        let mesh = usize::try_from(id).ok().filter(|&mesh| mesh < self.nmesh)?;
        (self.site_type[s] == GeomType::Mesh).then(|| MeshId::new(mesh))
    }

    /// Whether a sensor of the inside of a site measures how far its object reaches out (3.15).
    pub fn is_enclosed(&self, s: SensorId) -> bool {
        self.sensor_type[s] == SensorType::Insidesite && self.sensor_intprm[s][0] == 1
    }

    /// Whether an actuator is a motor with a commutator, by its types, its control and the number
    /// of its activations.
    pub fn is_motor(&self, u: ActuatorId) -> bool {
        let types =
            (self.actuator_gaintype[u], self.actuator_dyntype[u], self.actuator_biastype[u]);
        if types != (GAIN_DCMOTOR, DYN_DCMOTOR, BIAS_DCMOTOR) {
            return false;
        }
        let states = motor_states(&self.actuator_dynprm[u], &self.actuator_gainprm[u]);
        let count = states.into_iter().filter(|&has| has).count();
        self.actuator_inputs(u) != 0
            && count_inputs(self.actuator_inputs(u)) == self.actuator_rows(u).len()
            && self.actuator_actnum[u] == count as i32
    }

    /// Whether the row of an actuator is the first of a controller of position and velocity.
    pub fn is_pid(&self, u: ActuatorId) -> bool {
        let stateful = self.actuator_dyntype[u] == DYN_PID;
        let types = (self.actuator_gaintype[u], self.actuator_biastype[u]);
        let states = [self.actuator_dynprm[u][1], self.actuator_gainprm[u][0]];
        let count = states.into_iter().filter(|&x| stateful && x > 0.0).count();
        types == (GAIN_PID, BiasType::Affine)
            && (stateful || self.actuator_dyntype[u] == DynType::None)
            && count_inputs(self.actuator_inputs(u)) == self.actuator_rows(u).len()
            && self.actuator_actnum[u] == count as i32
    }

    /// The rows of the servo of orientations that a row belongs to: one for each control, of which
    /// the first three are its torques.
    pub fn servo_rows(&self, u: ActuatorId) -> Option<Range<usize>> {
        let rows = self.actuator_rows(self.actuator_first(u));
        let first = ActuatorId::new(rows.start);
        let wanted = if self.actuator_inputs(first) == CHART_QUAT { 4 } else { 3 };
        let is_servo = |u: usize| {
            let u = ActuatorId::new(u);
            let types = (self.actuator_gaintype[u], self.actuator_biastype[u]);
            types == (GAIN_SO3, BIAS_SO3) && self.actuator_trntype[u] == TRN_SO3
        };
        let whole = rows.len() == wanted && (rows.start..rows.start + 3).all(is_servo);
        whole.then_some(rows)
    }

    /// The meaning of an actuator's controls, by its first row.
    pub fn actuator_inputs(&self, u: ActuatorId) -> i32 {
        let specs = self.later.as_ref().map(|later| later.actuator_ctrlspec.as_slice());
        row(specs.unwrap_or_default(), u.idx())
    }

    /// The first row of the actuator that a row belongs to.
    pub fn actuator_first(&self, u: ActuatorId) -> ActuatorId {
        let owners = self.later.as_ref().map(|later| later.actuator_owner.as_slice());
        let owner = owners.and_then(|owners| owners.get(u.idx()));
        owner.map_or(u, |&owner| ActuatorId::new(owner as usize))
    }

    /// The rows of the actuator that begins with a row: one, or one for each control.
    pub fn actuator_rows(&self, u: ActuatorId) -> Range<usize> {
        let owners = self.later.as_ref().map_or(&[][..], |later| &later.actuator_owner);
        let others = owners.iter().skip(u.idx() + 1);
        let count = others.take_while(|&&owner| owner == u.idx() as i32).count();
        u.idx()..u.idx() + 1 + count
    }

    /// The first rows of all actuators.
    pub fn whole_actuators(&self) -> impl Iterator<Item = ActuatorId> + '_ {
        self.actuators().filter(|&u| self.actuator_first(u) == u)
    }

    /// Sets controls to their initial values: zero, and no rotation for quaternions.
    #[doc(alias = "mj_resetCtrl")]
    pub(crate) fn start_ctrl(&self, ctrl: &mut [f64]) {
        ctrl.fill(0.0);
        if self.later.is_none() {
            return;
        }
        for u in self.whole_actuators() {
            if self.actuator_inputs(u) == CHART_QUAT && self.servo_rows(u).is_some() {
                ctrl[u.idx()] = 1.0;
            }
        }
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
        if later.actuator_owner.iter().enumerate().all(|(u, &owner)| owner == u as i32) {
            later.actuator_owner.clear();
        }
        if later.site_dataid.iter().all(|&mesh| mesh == -1) {
            later.site_dataid.clear();
        }
        let empty = later.reals().iter().all(|table| table.is_empty());
        let plain = later.actuator_ctrlspec.is_empty() && later.site_dataid.is_empty();
        if empty && plain && later.nplastic == 0 {
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
