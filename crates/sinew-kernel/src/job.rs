//! The arguments of a launch: worlds, their memory, and the loop over them.
#![allow(unsafe_code)] // raw pointers from outside; entry points of a GPU

use crate::outcome;
use crate::real::Real;
use crate::result;
use crate::step::{Moment, step};
use crate::tables::{Header, Model, World};
use crate::team::Team;

/// Worlds of one model to step, and the memory for it. All pointers are of the memory in which the
/// job runs.
#[derive(Debug)]
#[repr(C)]
pub struct Job<R> {
    /// The packed model, aligned to 16 bytes.
    pub model: *const u8,
    /// A row of numbers for each world.
    pub state: *mut R,
    /// Numbers from one row to the next.
    pub state_stride: u32,
    /// A workspace for each team, aligned to 16 bytes, initialized.
    pub work: *mut u8,
    /// Bytes from one workspace to the next.
    pub work_stride: u32,
    /// How many worlds there are.
    pub worlds: u32,
    /// How many steps each takes; 0 to find results alone.
    pub steps: u32,
    /// The outcome of each world, by [`outcome`].
    pub flags: *mut u32,
    /// 1 is written here if any world has another outcome than that its steps are done.
    pub any: *mut u32,
    /// A byte for each world, whether it is stepped; null for all.
    pub mask: *const u8,
    /// Tables of numbers of each world, as [`Model::with_numbers`] wants them for the first; only
    /// programs for all models read them.
    pub own: *const u8,
    /// Bytes to the tables of the next world.
    pub own_stride: u32,
    /// Which results are computed beside those of a step: bits of [`result`](mod@crate::result).
    pub wanted: u32,
    /// Fields of the workspace that are kept of the last step.
    pub kept: *const Kept<R>,
    /// How many.
    pub nkept: u32,
}

/// A field of the workspace, and where worlds keep it.
#[derive(Debug)]
#[repr(C)]
pub struct Kept<R> {
    /// First byte of the result.
    pub from: u32,
    /// Length of the result.
    pub len: u32,
    /// Numbers of the first world; the other worlds' numbers follow.
    pub to: *mut R,
}

impl<R> Clone for Job<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Job<R> {}

impl<R> Clone for Kept<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Kept<R> {}

/// The team `slot` of `slots` steps every `slots`-th world.
///
/// # Safety
/// The pointers of the job are valid for its sizes, the model was packed for `R`, and no other team
/// has this slot.
#[inline(always)]
unsafe fn run_slot<R: Real, T: Team>(job: Job<R>, t: T, slot: usize, slots: usize) {
    // SAFETY: the caller's promise.
    let shared = unsafe { Model::<R>::new(job.model) };
    let worlds = job.worlds as usize;
    for round in 0..worlds.div_ceil(slots) {
        let i = round * slots + slot;
        let mut m = shared;
        if T::FULL {
            let at = i.min(worlds - 1) * job.own_stride as usize;
            // SAFETY: the caller's promise.
            m = unsafe { shared.with_numbers(job.own.wrapping_add(at)) };
        }
        // SAFETY: the caller's promise; rows and workspaces do not overlap.
        let w = unsafe {
            let state = job.state.add(i.min(worlds - 1) * job.state_stride as usize);
            World::new(m, state, job.work.add(slot * job.work_stride as usize))
        };
        // SAFETY: the caller's promise.
        let chosen = i < worlds && (job.mask.is_null() || unsafe { *job.mask.add(i) } != 0);
        let (mut done, mut flag) = (0, if chosen { outcome::OK } else { outcome::IDLE });
        for k in 0..job.steps.max(1) {
            t.lockstep();
            let results = |moment| {
                if k + 1 >= job.steps && job.nkept > 0 {
                    // SAFETY: the caller's promise.
                    unsafe { keep_results(t, &job, m, w, i, moment) }
                }
            };
            flag = step(t, m, w, (flag, job.steps > 0), results);
            done += (flag == outcome::OK) as u32;
        }
        if i >= worlds {
            continue;
        }
        if flag == outcome::IDLE {
            (done, flag) = (job.steps, outcome::OK);
        }
        t.par(1, |_| {
            // SAFETY: the caller's promise; one lane writes the flag of a world.
            unsafe {
                job.flags.add(i).write(done << outcome::SHIFT | flag);
                if flag != outcome::OK {
                    job.any.write(1);
                }
            }
        });
    }
}

/// Computes the wanted results of world `i`, and copies the kept ones.
///
/// # Safety
/// Each field is one of the workspace, and there is room for it in every world.
#[inline(never)]
unsafe fn keep_results<R: Real, T: Team>(
    t: T,
    job: &Job<R>,
    m: Model<'_, R>,
    w: World<'_, R>,
    i: usize,
    moment: Moment,
) {
    let read = moment == Moment::End || T::FULL && m.nkeeping() > 0;
    let done = if read { result::SENSORS } else { 0 };
    result::compute::<R, T>(t, m, w, job.wanted & !done);
    if moment == Moment::Start {
        return;
    }
    for k in 0..job.nkept as usize {
        // SAFETY: the caller's promise.
        unsafe {
            let kept = *job.kept.add(k);
            let (from, len) = (w.field(kept.from, kept.len), kept.len as usize);
            let to = kept.to.add(i * len);
            t.par(len, |n| to.add(n).write(from.at(n)));
        }
    }
}

/// Steps all worlds natively, by one team, one world after another.
///
/// # Safety
/// The pointers of the job are valid for its sizes, for nobody else meanwhile, and the model is one
/// that was packed for `R`.
#[cfg(not(target_arch = "nvptx64"))]
pub unsafe fn run<R: Real, T: Team>(job: Job<R>, team: T) {
    // SAFETY: the caller's promise.
    unsafe { run_slot(job, team, 0, 1) }
}

/// Bytes of the header of a model for `R`.
pub const fn header_size<R>() -> usize {
    size_of::<Header<R>>()
}

#[cfg(target_arch = "nvptx64")]
mod entry {
    use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};

    use super::{Job, run_slot};
    use crate::real::Real;
    use crate::team::{PARTS, Warp};

    /// Every warp is a team.
    ///
    /// # Safety
    /// As for `step_f64`.
    #[inline(always)]
    unsafe fn run_warps<R: Real, const FULL: bool>(job: Job<R>) {
        // SAFETY: reads registers; then the promise of the launch.
        unsafe {
            let warps = _block_dim_x() as usize / PARTS;
            let slot = _block_idx_x() as usize * warps + _thread_idx_x() as usize / PARTS;
            run_slot(job, Warp::<FULL>, slot, _grid_dim_x() as usize * warps);
        }
    }

    /// Steps worlds of a plain model in double precision.
    ///
    /// # Safety
    /// The pointers of the job are valid for its sizes, with a workspace for every warp. The number
    /// of threads of a block is a multiple of 32.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn step_f64(job: Job<f64>) {
        // SAFETY: the caller's promise.
        unsafe { run_warps::<_, false>(job) }
    }

    /// Steps worlds of a plain model in single precision.
    ///
    /// # Safety
    /// As for `step_f64`.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn step_f32(job: Job<f32>) {
        // SAFETY: the caller's promise.
        unsafe { run_warps::<_, false>(job) }
    }

    /// Steps worlds of any model in double precision.
    ///
    /// # Safety
    /// As for `step_f64`.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn step_f64_full(job: Job<f64>) {
        // SAFETY: the caller's promise.
        unsafe { run_warps::<_, true>(job) }
    }

    /// Steps worlds of any model in single precision.
    ///
    /// # Safety
    /// As for `step_f64`.
    #[unsafe(no_mangle)]
    pub unsafe extern "ptx-kernel" fn step_f32_full(job: Job<f32>) {
        // SAFETY: the caller's promise.
        unsafe { run_warps::<_, true>(job) }
    }
}
