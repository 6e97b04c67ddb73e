//! Steps by the kernel, natively, beside those of the engine.
#![allow(unsafe_code, clippy::unwrap_used, dead_code)]

use std::path::Path;

use sinew_gpu::pack::{Field, Packed, pack};
use sinew_kernel::real::Real;
use sinew_kernel::team::Team;
use sinew_kernel::{Job, outcome, run};
use sinew_mjcf::{load_path, load_str};
use sinew_model::{Data, Model};
use sinew_testkit::Random;

/// A model of the project.
pub(crate) fn model(name: &str) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    load_path(&path, &Default::default()).unwrap().model
}

/// A model from a text.
pub(crate) fn inline(xml: &str) -> Model {
    load_str(xml, &Default::default(), &Default::default()).unwrap().model
}

/// A chain of three bodies on a free joint, and sites and geoms for tendons.
pub(crate) const CHAIN: &str = r#"<worldbody>
      <site name="s0" pos="0 0 2"/><site name="s1" pos="-.3 .1 1.9" quat="1 .1 .2 0"/>
      <body pos="0 0 1.5"><joint name="free" type="free"/>
        <geom name="ball" size=".12" mass="1"/><site name="a0" pos=".3 .05 -.1" quat="1 0 .3 .1"/>
        <site name="aside" pos="0 .25 0"/>
        <body pos=".5 0 0"><joint name="ball" type="ball" damping=".1"/>
          <geom name="rod" type="cylinder" size=".08 .2" mass="1" quat="1 .3 0 0"/>
          <site name="b0" pos=".1 0 .2"/><site name="inside" pos="0 .02 0"/>
          <body pos=".5 0 0"><joint name="hinge" axis="0 1 0"/>
            <joint name="slide" type="slide" axis="1 0 0"/>
            <geom size=".05" pos=".1 0 0" mass=".5"/><site name="c0" pos=".1 .1 0" quat="1 .2 .1 0"/>
          </body></body></body>
    </worldbody>"#;

/// A model, a world's row and a workspace.
pub(crate) struct Kernel<R> {
    pub(crate) packed: Packed,
    pub(crate) state: Vec<R>,
    work: Vec<u128>,
}

impl<R: Real> Kernel<R> {
    pub(crate) fn new(m: &Model) -> Self {
        let packed = pack::<R>(m).unwrap();
        let state = vec![R::ZERO; packed.state_stride as usize];
        let work = vec![0; packed.work_stride.div_ceil(16) as usize];
        Kernel { packed, state, work }
    }

    /// Takes the state of the engine.
    pub(crate) fn set(&mut self, d: &Data) {
        self.put("time", &[d.time]);
        self.put("qpos", &d.qpos);
        self.put("qvel", &d.qvel);
        self.put("act", &d.act);
        self.put("ctrl", &d.ctrl);
        self.put("qfrc_applied", &d.qfrc_applied);
        self.put("xfrc_applied", d.xfrc_applied.flat());
        self.put("mocap_pos", d.mocap_pos.flat());
        self.put("mocap_quat", d.mocap_quat.flat());
        let active: Vec<f64> = d.eq_active.iter().map(|on| f64::from(on.get())).collect();
        self.put("eq_active", &active);
        self.put("qacc_warmstart", &d.qacc_warmstart);
    }

    pub(crate) fn put(&mut self, name: &str, from: &[f64]) {
        let Field { offset, width, .. } = self.packed.field(name).unwrap();
        assert_eq!(width, from.len(), "{name}");
        for (to, &x) in self.state[offset..offset + width].iter_mut().zip(from) {
            *to = R::of(x);
        }
    }

    /// A field of the state.
    pub(crate) fn get(&self, name: &str) -> Vec<f64> {
        let Field { offset, width, .. } = self.packed.field(name).unwrap();
        self.state[offset..offset + width].iter().map(|x| x.to_f64()).collect()
    }

    /// A field of the workspace, as the last step has left it.
    pub(crate) fn work(&self, name: &str) -> Vec<f64> {
        let field = self.packed.work_fields.iter().find(|field| field.name == name).unwrap();
        let base = self.work.as_ptr().cast::<u8>();
        // SAFETY: the field is inside of the workspace and has numbers.
        let x =
            unsafe { core::slice::from_raw_parts(base.add(field.offset).cast::<R>(), field.width) };
        x.iter().map(|x| x.to_f64()).collect()
    }

    /// A field of indices of the workspace.
    pub(crate) fn words(&self, name: &str) -> Vec<usize> {
        let field = self.packed.work_words.iter().find(|field| field.name == name).unwrap();
        let base = self.work.as_ptr().cast::<u8>();
        // SAFETY: the field is inside of the workspace and has indices.
        let x = unsafe {
            core::slice::from_raw_parts(base.add(field.offset).cast::<u32>(), field.width)
        };
        x.iter().map(|&x| x as usize).collect()
    }

    /// Forgets what the last step has left.
    pub(crate) fn clear_work(&mut self) {
        self.work.fill(0);
    }

    /// Some steps; the outcome and the number of steps taken.
    pub(crate) fn step(&mut self, team: impl Team, steps: u32) -> (u32, u32) {
        let mut flag = 0;
        let job = Job {
            model: self.packed.as_ptr(),
            state: self.state.as_mut_ptr(),
            state_stride: self.packed.state_stride,
            work: self.work.as_mut_ptr().cast(),
            work_stride: self.packed.work_stride,
            worlds: 1,
            steps,
            flags: &raw mut flag,
        };
        // SAFETY: state and workspace have the sizes of the packed model.
        unsafe { run(job, team) };
        (flag & outcome::MASK, flag >> outcome::SHIFT)
    }
}

/// A state in which everything moves.
pub(crate) fn disturb(m: &Model, d: &mut Data, rng: &mut Random, size: f64) {
    let mut along = vec![0.0; m.nv];
    along.fill_with(|| rng.between([-size, size]));
    sinew_engine::integrate_pos(m, &mut d.qpos, &along, 1.0);
    d.qvel.iter_mut().for_each(|x| *x = rng.between([-size, size]));
    d.act.iter_mut().for_each(|x| *x = rng.between([0.0, size]));
    d.ctrl.iter_mut().for_each(|x| *x = rng.between([-1.0, 1.0]));
    d.qfrc_applied.iter_mut().for_each(|x| *x = rng.between([-size, size]));
    d.xfrc_applied.flat_mut()[6..].iter_mut().for_each(|x| *x = rng.between([-size, size]));
}

/// The largest difference, relative to the largest number.
pub(crate) fn difference(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    let scale = theirs.iter().fold(1.0_f64, |max, x| max.max(x.abs()));
    let worst = ours.iter().zip(theirs).fold(0.0_f64, |max, (a, b)| {
        let dif = (a - b).abs();
        if dif.is_nan() { f64::INFINITY } else { max.max(dif) }
    });
    worst / scale
}

#[track_caller]
pub(crate) fn near(name: &str, ours: &[f64], theirs: &[f64], tolerance: f64) {
    let dif = difference(ours, theirs);
    assert!(dif <= tolerance, "{name} differs by {dif:e}:\n{ours:?}\n{theirs:?}");
}
