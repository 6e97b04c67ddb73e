//! Parameters of a model that came with later versions of MuJoCo, under their names.
//!
//! A model without any has the same arrays and bytes as MuJoCo 3.5's.

use crate::enums::{BiasType, DynType, GainType, TrnType};

/// Dynamics of a motor with a commutator (3.7), under a number that 3.5 does not use.
pub const DYN_DCMOTOR: DynType = DynType(1005);
/// Gain of such a motor.
pub const GAIN_DCMOTOR: GainType = GainType(1003);
/// Bias of such a motor.
pub const BIAS_DCMOTOR: BiasType = BiasType(1003);

/// Dynamics of a controller of position and velocity (3.12).
pub const DYN_PID: DynType = DynType(6);
/// Gain of such a controller.
pub const GAIN_PID: GainType = GainType(5);
/// Gain of a servo of orientations (3.11).
pub const GAIN_SO3: GainType = GainType(4);
/// Bias of such a servo.
pub const BIAS_SO3: BiasType = BiasType(4);
/// Transmission of such a servo: a ball joint, or a site relative to another.
pub const TRN_SO3: TrnType = TrnType(6);

/// Control of an actuator as a position (3.11).
pub const INPUT_POS: i32 = 1;
/// Control of an actuator as a velocity.
pub const INPUT_VEL: i32 = 2;
/// Control of an actuator as a torque.
pub const INPUT_FF: i32 = 4;
/// Control of an actuator as a voltage.
pub const INPUT_VOLTAGE: i32 = 8;
/// Control of an actuator as a pressure (3.16).
pub const INPUT_PRESSURE: i32 = 32;
/// Controls of a servo of orientations as a vector of rotation.
pub const CHART_EXPMAP: i32 = 1;
/// Controls of such a servo as a quaternion.
pub const CHART_QUAT: i32 = 2;

/// The tables, each empty if all its numbers are zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Later {
    /// Coefficients of a joint's spring for the second and third power (3.7).
    pub jnt_stiffnesspoly: Vec<[f64; 2]>,
    /// Coefficients of a dof's damper for the second and third power (3.7).
    pub dof_dampingpoly: Vec<[f64; 2]>,
    /// Coefficients of a tendon's spring for the second and third power (3.7).
    pub tendon_stiffnesspoly: Vec<[f64; 2]>,
    /// Coefficients of a tendon's damper for the second and third power (3.7).
    pub tendon_dampingpoly: Vec<[f64; 2]>,
    /// Damping that an actuator adds to its joint or tendon (3.7).
    pub actuator_damping: Vec<f64>,
    /// Coefficients of that damping for the second and third power (3.7).
    pub actuator_dampingpoly: Vec<[f64; 2]>,
    /// Inertia that an actuator adds to its joint or tendon (3.7).
    pub actuator_armature: Vec<f64>,
    /// Velocity of the surface of a geom, linear and angular, in the frame of the geom (3.11).
    pub geom_surfacevel: Vec<[f64; 6]>,
    /// Force with which the contacts of a geom may pull (3.11).
    pub geom_adhesion: Vec<f64>,
    /// Force with which the contacts of an explicit pair may pull (3.11).
    pub pair_adhesion: Vec<f64>,
    /// The mesh of each site, -1 for sites with another shape; empty if none has a mesh (3.13).
    pub site_dataid: Vec<i32>,
    /// Deflection at which the spring of a joint yields (4.0).
    pub jnt_springyield: Vec<f64>,
    /// Distance from its resting lengths at which the spring of a tendon yields (4.0).
    pub tendon_springyield: Vec<f64>,
    /// The plastic state of each keyframe (4.0), `nplastic` numbers each.
    pub key_plastic: Vec<f64>,
    /// First number of a joint in the plastic state; -1 for a spring that never yields (4.0).
    pub jnt_plasticadr: Vec<i32>,
    /// The same of tendons.
    pub tendon_plasticadr: Vec<i32>,
    /// Length of the plastic state (4.0).
    pub nplastic: usize,
    /// Meaning of an actuator's control: `INPUT_POS` and others (3.11).
    pub actuator_ctrlspec: Vec<i32>,
    /// The first row of the actuator that a row belongs to; empty if each is an actuator (3.11).
    ///
    /// An actuator of several controls or forces has a row for each.
    pub actuator_owner: Vec<i32>,
    /// The actuator that adds damping or inertia to a joint; -1 for none, -2 for several (3.7).
    pub jnt_actuatorid: Vec<i32>,
    /// The same of tendons.
    pub tendon_actuatorid: Vec<i32>,
}

/// Which activations a motor has: slew, integral, temperature, bristles, current.
#[doc(alias = "mj_dcmotorSlots")]
pub fn motor_states(dynprm: &[f64; 10], gainprm: &[f64; 10]) -> [bool; 5] {
    [dynprm[7], gainprm[5], dynprm[2], dynprm[5], dynprm[0]].map(|x| x > 0.0)
}

/// How many controls the bits of a controller or motor stand for.
pub fn count_inputs(spec: i32) -> usize {
    (spec & (INPUT_POS | INPUT_VEL | INPUT_FF | INPUT_VOLTAGE)).count_ones() as usize
}

/// A row of a table, zero where the table has none.
pub fn row<T: Copy + Default>(table: &[T], i: usize) -> T {
    table.get(i).copied().unwrap_or_default()
}

impl Later {
    /// Tables of real numbers by name, each as numbers of rows of the given width.
    pub const REALS: [(&'static str, usize); 12] = [
        ("jnt_stiffnesspoly", 2),
        ("dof_dampingpoly", 2),
        ("tendon_stiffnesspoly", 2),
        ("tendon_dampingpoly", 2),
        ("actuator_damping", 1),
        ("actuator_dampingpoly", 2),
        ("actuator_armature", 1),
        ("geom_surfacevel", 6),
        ("jnt_springyield", 1),
        ("tendon_springyield", 1),
        ("geom_adhesion", 1),
        ("pair_adhesion", 1),
    ];

    /// The numbers of the tables, in the order of `REALS`.
    pub(crate) fn reals(&self) -> [&[f64]; 12] {
        [
            self.jnt_stiffnesspoly.as_flattened(),
            self.dof_dampingpoly.as_flattened(),
            self.tendon_stiffnesspoly.as_flattened(),
            self.tendon_dampingpoly.as_flattened(),
            &self.actuator_damping,
            self.actuator_dampingpoly.as_flattened(),
            &self.actuator_armature,
            self.geom_surfacevel.as_flattened(),
            &self.jnt_springyield,
            &self.tendon_springyield,
            &self.geom_adhesion,
            &self.pair_adhesion,
        ]
    }

    /// The numbers of the table called `name`.
    pub fn table(&self, name: &str) -> Option<&[f64]> {
        if name == "key_plastic" {
            return Some(&self.key_plastic);
        }
        let i = Later::REALS.iter().position(|(known, _)| *known == name)?;
        Some(self.reals()[i])
    }

    /// Replaces the numbers of the table called `name`; false if there is none.
    pub fn set_table(&mut self, name: &str, numbers: &[f64]) -> bool {
        let pairs = || numbers.as_chunks::<2>().0.to_vec();
        match name {
            "jnt_stiffnesspoly" => self.jnt_stiffnesspoly = pairs(),
            "dof_dampingpoly" => self.dof_dampingpoly = pairs(),
            "tendon_stiffnesspoly" => self.tendon_stiffnesspoly = pairs(),
            "tendon_dampingpoly" => self.tendon_dampingpoly = pairs(),
            "actuator_damping" => self.actuator_damping = numbers.to_vec(),
            "actuator_dampingpoly" => self.actuator_dampingpoly = pairs(),
            "actuator_armature" => self.actuator_armature = numbers.to_vec(),
            "geom_surfacevel" => self.geom_surfacevel = numbers.as_chunks().0.to_vec(),
            "jnt_springyield" => self.jnt_springyield = numbers.to_vec(),
            "tendon_springyield" => self.tendon_springyield = numbers.to_vec(),
            "geom_adhesion" => self.geom_adhesion = numbers.to_vec(),
            "pair_adhesion" => self.pair_adhesion = numbers.to_vec(),
            "key_plastic" => self.key_plastic = numbers.to_vec(),
            _ => return false,
        }
        true
    }

    /// Damping that an actuator adds to its target, all coefficients.
    pub fn damping_of(&self, u: usize) -> [f64; 3] {
        let [second, third] = row(&self.actuator_dampingpoly, u);
        [row(&self.actuator_damping, u), second, third]
    }

    /// Whether an actuator adds anything to its target.
    pub(crate) fn adds(&self, u: usize) -> bool {
        self.damping_of(u) != [0.0; 3] || row(&self.actuator_armature, u) != 0.0
    }
}

/// First bytes of the tables in a binary file.
const MAGIC: [u8; 8] = *b"SINEWLT4";

/// Appends the length of a table and its bytes.
fn append<const N: usize>(out: &mut Vec<u8>, rows: impl ExactSizeIterator<Item = [u8; N]>) {
    out.extend_from_slice(&(rows.len() as u64).to_le_bytes());
    out.extend(rows.flatten());
}

/// Reads the output of `append`, and returns the remaining bytes.
fn take<const N: usize>(bytes: &[u8]) -> Option<(&[[u8; N]], &[u8])> {
    let (count, rest) = bytes.split_first_chunk()?;
    let length = usize::try_from(u64::from_le_bytes(*count)).ok()?.checked_mul(N)?;
    let (rows, rest) = rest.split_at_checked(length)?;
    Some((rows.as_chunks().0, rest))
}

fn reals(rows: &[[u8; 8]]) -> Vec<f64> {
    rows.iter().map(|x| f64::from_le_bytes(*x)).collect()
}

fn ids(rows: &[[u8; 4]]) -> Vec<i32> {
    rows.iter().map(|x| i32::from_le_bytes(*x)).collect()
}

impl Later {
    /// Appends the tables to the bytes of a model.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        for table in self.reals().into_iter().chain([&self.key_plastic[..]]) {
            append(out, table.iter().map(|x| x.to_le_bytes()));
        }
        let own = [&self.actuator_ctrlspec, &self.actuator_owner];
        let places = [&self.jnt_plasticadr, &self.tendon_plasticadr, &self.site_dataid];
        for table in own.into_iter().chain(places) {
            append(out, table.iter().map(|x| x.to_le_bytes()));
        }
        out.extend_from_slice(&(self.nplastic as u64).to_le_bytes());
    }

    /// Reads the output of `append_to`, and returns the remaining bytes; `None` for other input.
    pub(crate) fn read_from(bytes: &[u8]) -> Option<(Later, &[u8])> {
        let mut rest = bytes.strip_prefix(&MAGIC)?;
        let mut later = Later::default();
        for (name, _) in Later::REALS {
            let (rows, after) = take(rest)?;
            later.set_table(name, &reals(rows));
            rest = after;
        }
        let (rows, rest) = take(rest)?;
        later.key_plastic = reals(rows);
        let (rows, rest) = take(rest)?;
        later.actuator_ctrlspec = ids(rows);
        let (rows, rest) = take(rest)?;
        later.actuator_owner = ids(rows);
        let (rows, rest) = take(rest)?;
        later.jnt_plasticadr = ids(rows);
        let (rows, rest) = take(rest)?;
        later.tendon_plasticadr = ids(rows);
        let (rows, rest) = take(rest)?;
        later.site_dataid = ids(rows);
        let (count, rest) = rest.split_first_chunk()?;
        later.nplastic = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        Some((later, rest))
    }
}
