//! Exact friction: its settings in a `Model`, and the certificate of the last step in a `Data`.
//!
//! MuJoCo has neither. A model without this mode has the same arrays and bytes as MuJoCo's.

use sinew_math::{Mat3, Vec3};

/// Friction law of the exact mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionLaw {
    /// Coulomb's law: a sliding contact stays closed.
    #[default]
    Exact,
    /// The convex relaxation: a sliding contact separates at its friction coefficient times the
    /// sliding speed. The solution is unique and cheaper.
    Convex,
}

/// Settings of the exact friction mode, with rigid contacts and exact static friction.
#[derive(Clone, Debug, PartialEq)]
pub struct Coulomb {
    /// Whether steps use this mode.
    pub enabled: bool,
    /// Friction law.
    pub law: FrictionLaw,
    /// Tolerance of the residual, relative to the impulse of the step's largest change of a row's
    /// velocity.
    pub tolerance: f64,
    /// Maximum number of factorisations per island and step.
    pub iterations: usize,
    /// Approach speed above which contacts bounce, m/s.
    pub bounce_speed: f64,
    /// Permitted penetration depth, m. With zero depth geoms need a margin, because a contact
    /// without margin exists only at positive depth.
    pub slop: f64,
    /// Fraction of the position error that a step corrects.
    pub correction: f64,
    /// Restitution of each geom; missing geoms have none.
    pub geom_restitution: Vec<f64>,
    /// Restitution of each pair; if negative or missing, the geoms' restitution is used.
    pub pair_restitution: Vec<f64>,
}

impl Default for Coulomb {
    fn default() -> Self {
        Coulomb {
            enabled: false,
            law: FrictionLaw::Exact,
            tolerance: 1e-10,
            iterations: 200,
            bounce_speed: 0.05,
            slop: 1e-5,
            correction: 0.2,
            geom_restitution: Vec::new(),
            pair_restitution: Vec::new(),
        }
    }
}

/// Result of a step in the exact mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoulombStatus {
    /// No step in this mode, or no constraints.
    #[default]
    Idle,
    /// The impulses satisfy the law up to the tolerance.
    Converged,
    /// The iteration limit was reached. The impulses are feasible, and `residual` is their error.
    NotConverged,
    /// The rows are contradictory; the impulses are feasible.
    IllPosed,
    /// Some values were not finite; there are no impulses.
    Invalid,
    /// The integrator is neither `Euler` nor `implicitfast`, so the step used MuJoCo's contacts.
    Unsupported,
}

const STATUSES: [CoulombStatus; 6] = [
    CoulombStatus::Idle,
    CoulombStatus::Converged,
    CoulombStatus::NotConverged,
    CoulombStatus::IllPosed,
    CoulombStatus::Invalid,
    CoulombStatus::Unsupported,
];

/// State of a contact in the exact mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactState {
    /// Without impulse.
    #[default]
    Separate,
    /// Sticking.
    Stick,
    /// Sliding: friction is at its limit.
    Slide,
}

/// One contact of the last step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactCertificate {
    /// Index in `contact`.
    pub contact: usize,
    /// State.
    pub state: ContactState,
    /// Impulses along the axes of the contact, N s: normal, tangents, spin, rolling.
    pub impulse: [f64; 6],
    /// The two geoms.
    pub geom: [i32; 2],
    /// The contact point in the frames of the two geoms.
    pub point: [Vec3; 2],
    /// The axes of the contact, as rows.
    pub frame: Mat3,
    /// Depth, m, limited to the depth that the geoms' motion since the last step explains.
    pub depth: f64,
}

/// Contacts and rows of a step, the warmstart of another.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impulses {
    /// As in [`Certificate`].
    pub contacts: Vec<ContactCertificate>,
    /// As in [`Certificate`].
    pub rows: Vec<RowImpulse>,
}

/// Certificate of the last computed impulses, with the impulses.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Certificate {
    /// Result of the step; the worst of all islands.
    pub status: CoulombStatus,
    /// Residual, relative as the tolerance; the largest of all islands.
    pub residual: f64,
    /// Residual as an impulse, N s or N m s; the largest of all islands.
    pub residual_impulse: f64,
    /// Residual as a velocity error of a contact by its own inertia, m/s or rad/s; the largest of
    /// all contacts.
    pub residual_velocity: f64,
    /// Number of factorisations in all islands.
    pub iterations: usize,
    /// Number of convex problems in all islands. With the exact law, a convex problem is solved as
    /// a start if the previous step's impulses are no suitable start.
    pub convex_problems: usize,
    /// Factor of the restitution that adds no energy: below one only if several contacts bounce at
    /// once.
    pub restitution_scale: f64,
    /// Change of kinetic energy by the impulses, J: not positive up to rounding.
    pub energy: f64,
    /// Every contact with constraint rows.
    pub contacts: Vec<ContactCertificate>,
    /// Impulse of every other row: equalities, dry friction, limits.
    pub rows: Vec<RowImpulse>,
    /// Position correction at the end of the step; empty without a correction.
    pub shift: Vec<f64>,
    /// Contacts and rows of the last step, the warmstart of the next. A call of `forward` alone
    /// does not change them. No state vector contains them; see [`Certificate::forget`].
    pub start: Impulses,
}

/// The impulse of a row other than contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowImpulse {
    /// `efc_type` and `efc_id`: the source of the row.
    pub source: [i32; 2],
    /// Impulse, N s or N m s.
    pub impulse: f64,
}

impl Certificate {
    /// Whether the law is satisfied up to the tolerance.
    pub fn converged(&self) -> bool {
        matches!(self.status, CoulombStatus::Idle | CoulombStatus::Converged)
    }

    /// Copies `src` into existing buffers.
    pub(crate) fn copy_from(&mut self, src: &Certificate) {
        let Certificate { mut contacts, mut rows, mut shift, mut start, .. } =
            core::mem::take(self);
        contacts.clone_from(&src.contacts);
        rows.clone_from(&src.rows);
        shift.clone_from(&src.shift);
        start.contacts.clone_from(&src.start.contacts);
        start.rows.clone_from(&src.start.rows);
        *self = Certificate { contacts, rows, shift, start, ..*src };
    }

    /// Clears everything and keeps the buffers.
    pub fn clear(&mut self) {
        self.clear_results();
        self.forget();
    }

    /// Clears the results and keeps the warmstart.
    pub fn clear_results(&mut self) {
        let Certificate { mut contacts, mut rows, mut shift, start, .. } = core::mem::take(self);
        contacts.clear();
        rows.clear();
        shift.clear();
        let empty = Certificate::default();
        *self = Certificate { contacts, rows, shift, start, restitution_scale: 1.0, ..empty };
    }

    /// Clears the warmstart: the next step depends on the state alone.
    pub fn forget(&mut self) {
        self.start.contacts.clear();
        self.start.rows.clear();
    }

    /// Stores the present impulses as the warmstart of the next step.
    pub fn keep(&mut self) {
        self.start.contacts.clone_from(&self.contacts);
        self.start.rows.clone_from(&self.rows);
    }
}

// serialisation of a certificate, for pickles

/// Number of values per contact and per row.
const CONTACT: usize = 26;
const ROW: usize = 3;

/// Number of values before the lists.
const HEAD: usize = 12;

impl ContactCertificate {
    fn to_numbers(self) -> [f64; CONTACT] {
        let mut out = [0.0; CONTACT];
        (out[0], out[1]) = (self.contact as f64, f64::from(self.state as u8));
        out[2..8].copy_from_slice(&self.impulse);
        out[8..10].copy_from_slice(&self.geom.map(f64::from));
        out[10..13].copy_from_slice(&self.point[0].to_array());
        out[13..16].copy_from_slice(&self.point[1].to_array());
        out[16..25].copy_from_slice(&self.frame.to_array());
        out[25] = self.depth;
        out
    }

    fn from_numbers(x: &[f64; CONTACT]) -> Self {
        let states = [ContactState::Separate, ContactState::Stick, ContactState::Slide];
        ContactCertificate {
            contact: x[0] as usize,
            state: states.get(x[1] as usize).copied().unwrap_or_default(),
            impulse: [x[2], x[3], x[4], x[5], x[6], x[7]],
            geom: [x[8] as i32, x[9] as i32],
            point: [Vec3::from_slice(&x[10..13]), Vec3::from_slice(&x[13..16])],
            frame: Mat3::from_slice(&x[16..25]),
            depth: x[25],
        }
    }
}

impl RowImpulse {
    fn to_numbers(self) -> [f64; ROW] {
        [f64::from(self.source[0]), f64::from(self.source[1]), self.impulse]
    }

    fn from_numbers(x: &[f64; ROW]) -> Self {
        RowImpulse { source: [x[0] as i32, x[1] as i32], impulse: x[2] }
    }
}

impl Certificate {
    /// All values except `shift`, which is used within a step only.
    pub fn to_numbers(&self) -> Vec<f64> {
        let status = STATUSES.iter().position(|s| *s == self.status).unwrap_or(0);
        let lists = [&self.contacts, &self.start.contacts];
        let rows = [&self.rows, &self.start.rows];
        let mut out = vec![
            status as f64,
            self.residual,
            self.residual_impulse,
            self.residual_velocity,
            self.iterations as f64,
            self.convex_problems as f64,
            self.restitution_scale,
            self.energy,
        ];
        out.extend(lists.map(|list| list.len() as f64));
        out.extend(rows.map(|list| list.len() as f64));
        out.extend(lists.into_iter().flatten().flat_map(|c| c.to_numbers()));
        out.extend(rows.into_iter().flatten().flat_map(|r| r.to_numbers()));
        out
    }

    /// Reads the output of `to_numbers`; `None` for invalid input.
    pub fn from_numbers(numbers: &[f64]) -> Option<Certificate> {
        let (x, rest) = numbers.split_first_chunk::<HEAD>()?;
        let [mut contacts, mut start] = <[Vec<ContactCertificate>; 2]>::default();
        let [mut rows, mut start_rows] = <[Vec<RowImpulse>; 2]>::default();

        // lists of contacts and of rows, with lengths from the head
        let mut rest = rest;
        for (list, count) in [(&mut contacts, x[8]), (&mut start, x[9])] {
            let (own, others) = rest.split_at_checked((count as usize).checked_mul(CONTACT)?)?;
            let own = own.as_chunks().0.iter();
            *list = own.map(ContactCertificate::from_numbers).collect();
            rest = others;
        }
        for (list, count) in [(&mut rows, x[10]), (&mut start_rows, x[11])] {
            let (own, others) = rest.split_at_checked((count as usize).checked_mul(ROW)?)?;
            *list = own.as_chunks().0.iter().map(RowImpulse::from_numbers).collect();
            rest = others;
        }

        // the head
        rest.is_empty().then_some(Certificate {
            status: *STATUSES.get(x[0] as usize)?,
            residual: x[1],
            residual_impulse: x[2],
            residual_velocity: x[3],
            iterations: x[4] as usize,
            convex_problems: x[5] as usize,
            restitution_scale: x[6],
            energy: x[7],
            contacts,
            rows,
            shift: Vec::new(),
            start: Impulses { contacts: start, rows: start_rows },
        })
    }
}

impl Coulomb {
    /// Restitution of two touching geoms: the larger of the two.
    pub fn restitution_of_geoms(&self, geom: [usize; 2]) -> f64 {
        let [a, b] = geom.map(|g| self.geom_restitution.get(g).copied().unwrap_or(0.0));
        a.max(b)
    }
}

/// First bytes of the settings in a binary file.
const MAGIC: [u8; 8] = *b"SINEWCL1";

impl Coulomb {
    /// Appends the settings to the bytes of a model.
    pub(crate) fn append_to(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&MAGIC);
        let law = match self.law {
            FrictionLaw::Exact => 0,
            FrictionLaw::Convex => 1,
        };
        let counts = [
            u64::from(self.enabled),
            law,
            self.iterations as u64,
            self.geom_restitution.len() as u64,
            self.pair_restitution.len() as u64,
        ];
        out.extend(counts.iter().flat_map(|n| n.to_le_bytes()));
        let numbers = [self.tolerance, self.bounce_speed, self.slop, self.correction];
        let tables = self.geom_restitution.iter().chain(&self.pair_restitution);
        out.extend(numbers.iter().chain(tables).flat_map(|x| x.to_le_bytes()));
    }

    /// Reads the output of `append_to`, and returns the remaining bytes; `None` for other input.
    pub(crate) fn read_from(bytes: &[u8]) -> Option<(Coulomb, &[u8])> {
        let (words, _) = bytes.strip_prefix(&MAGIC)?.as_chunks::<8>();
        let (counts, words) = words.split_at_checked(5)?;
        let counts = counts.iter().map(|w| usize::try_from(u64::from_le_bytes(*w)).ok());
        let counts: Vec<usize> = counts.collect::<Option<_>>()?;
        let (numbers, tables) = words.split_at_checked(4)?;
        let float = |w: &[u8; 8]| f64::from_le_bytes(*w);
        let (geoms, rest) = tables.split_at_checked(counts[3])?;
        let pairs = rest.get(..counts[4])?;
        let settings = Coulomb {
            enabled: counts[0] != 0,
            law: if counts[1] == 1 { FrictionLaw::Convex } else { FrictionLaw::Exact },
            tolerance: float(&numbers[0]),
            iterations: counts[2],
            bounce_speed: float(&numbers[1]),
            slop: float(&numbers[2]),
            correction: float(&numbers[3]),
            geom_restitution: geoms.iter().map(float).collect(),
            pair_restitution: pairs.iter().map(float).collect(),
        };
        let length = MAGIC.len() + 8 * (5 + 4 + geoms.len() + pairs.len());
        Some((settings, &bytes[length..]))
    }
}
