//! A world on the processor, stepped by the code that runs on a GPU.
//!
//! Tests compare it with the engine; no GPU is needed.
#![allow(unsafe_code)] // the kernel takes addresses

use sinew_kernel::job::Kept;
use sinew_kernel::real::Real;
use sinew_kernel::team::Team;
use sinew_kernel::{Job, outcome, result, run};
use sinew_model::{Data, Model};

use crate::pack::{Field, Packed, Unsupported, pack};

/// A packed model, the row of its world and a workspace.
pub struct World<R> {
    packed: Packed,
    state: Vec<R>,
    work: Vec<u128>,
}

impl<R: Real> World<R> {
    /// A world whose numbers are zero.
    pub fn new(m: &Model) -> Result<Self, Unsupported> {
        let packed = pack::<R>(m)?;
        let state = vec![R::ZERO; packed.state_stride as usize];
        let work = vec![0; packed.work_stride.div_ceil(16) as usize];
        Ok(World { packed, state, work })
    }

    /// The packed model.
    pub fn packed(&self) -> &Packed {
        &self.packed
    }

    /// The row: all fields of the state, one after another.
    pub fn row(&self) -> &[R] {
        &self.state
    }

    /// Takes the state of the engine.
    pub fn set(&mut self, d: &Data) {
        let active: Vec<f64> = d.eq_active.iter().map(|on| f64::from(on.get())).collect();
        let fields: [(&str, &[f64]); 12] = [
            ("time", &[d.time]),
            ("qpos", &d.qpos),
            ("qvel", &d.qvel),
            ("act", &d.act),
            ("ctrl", &d.ctrl),
            ("qfrc_applied", &d.qfrc_applied),
            ("xfrc_applied", d.xfrc_applied.flat()),
            ("mocap_pos", d.mocap_pos.flat()),
            ("mocap_quat", d.mocap_quat.flat()),
            ("eq_active", &active),
            ("qacc_warmstart", &d.qacc_warmstart),
            ("history", &d.history),
        ];
        for (name, values) in fields {
            self.put(name, values);
        }
    }

    /// Writes a field of the state.
    ///
    /// # Panics
    /// There is no such field, or it has another width.
    pub fn put(&mut self, name: &str, from: &[f64]) {
        let Field { offset, width, .. } = self.field(name);
        assert_eq!(width, from.len(), "{name}");
        for (to, &x) in self.state[offset..offset + width].iter_mut().zip(from) {
            *to = R::of(x);
        }
    }

    /// A field of the state.
    ///
    /// # Panics
    /// There is no such field.
    pub fn get(&self, name: &str) -> Vec<f64> {
        let Field { offset, width, .. } = self.field(name);
        self.state[offset..offset + width].iter().map(|x| x.to_f64()).collect()
    }

    fn field(&self, name: &str) -> Field {
        self.packed.field(name).unwrap_or_else(|| panic!("no field {name}"))
    }

    /// Numbers of the workspace, as the last step has left them.
    ///
    /// # Panics
    /// There is no such field.
    pub fn work(&self, name: &str) -> Vec<f64> {
        let field = self.packed.work_fields.iter().find(|field| field.name == name);
        let field = field.unwrap_or_else(|| panic!("no numbers {name}"));
        let base = self.work.as_ptr().cast::<u8>();
        // SAFETY: the field is inside of the workspace and has numbers.
        let x =
            unsafe { core::slice::from_raw_parts(base.add(field.offset).cast::<R>(), field.width) };
        x.iter().map(|x| x.to_f64()).collect()
    }

    /// A result of the last step, by its name in `Data`; none if the kernel does not have it.
    pub fn result(&self, name: &str) -> Option<Vec<f64>> {
        let kept = self.packed.result(name)?;
        let base = self.work.as_ptr().cast::<u8>();
        // SAFETY: the result is inside of the workspace and has numbers.
        let x = unsafe { core::slice::from_raw_parts(base.add(kept.from).cast::<R>(), kept.len) };
        Some(x.iter().map(|x| x.to_f64()).collect())
    }

    /// Indices of the workspace, as the last step has left them.
    ///
    /// # Panics
    /// There is no such field.
    pub fn words(&self, name: &str) -> Vec<usize> {
        let field = self.packed.work_words.iter().find(|field| field.name == name);
        let field = field.unwrap_or_else(|| panic!("no indices {name}"));
        let base = self.work.as_ptr().cast::<u8>();
        // SAFETY: the field is inside of the workspace and has indices.
        let x = unsafe {
            core::slice::from_raw_parts(base.add(field.offset).cast::<u32>(), field.width)
        };
        x.iter().map(|&x| x as usize).collect()
    }

    /// Clears the workspace of the last step.
    pub fn clear_work(&mut self) {
        self.work.fill(0);
    }

    /// Exchanges what the last steps of two worlds of a model have left.
    pub fn swap_work(&mut self, other: &mut World<R>) {
        core::mem::swap(&mut self.work, &mut other.work);
    }

    /// Makes steps; the outcome and the number of steps made.
    pub fn step(&mut self, team: impl Team, steps: u32) -> (u32, u32) {
        let (mut flag, mut any) = (0, 0);
        // results are computed, and stay in the workspace
        let nothing = Kept { from: 0, len: 0, to: self.state.as_mut_ptr() };
        let job = Job {
            model: self.packed.as_ptr(),
            state: self.state.as_mut_ptr(),
            state_stride: self.packed.state_stride,
            work: self.work.as_mut_ptr().cast(),
            work_stride: self.packed.work_stride,
            worlds: 1,
            steps,
            flags: &raw mut flag,
            any: &raw mut any,
            mask: core::ptr::null(),
            own: self.packed.as_ptr(),
            own_stride: 0,
            wanted: result::PLACES | result::ACCELERATIONS | result::SENSORS,
            kept: &raw const nothing,
            nkept: 1,
        };
        // SAFETY: state and workspace have the sizes of the packed model.
        unsafe { run(job, team) };
        assert_eq!(any != 0, flag & outcome::MASK != outcome::OK);
        (flag & outcome::MASK, flag >> outcome::SHIFT)
    }
}
