//! Hooks are called where MuJoCo calls its callbacks, and give MuJoCo's numbers.

use sinew::engine::{collision_with, inverse_with, step1_with, step2_with};
use sinew::model::enums::{DisableBit, Stage, Timer};
use sinew::{
    ActuatorId, Data, GeomId, Hooks, Model, forward, forward_with, load_str, step, step_with,
};

/// Two links; a user-defined actuator, an actuator with two activations, and user sensors.
fn model(option: &str) -> Model {
    load_str(&format!(
        "<mujoco><option {option}/><worldbody><body pos='0 0 1'>\
         <joint name='a' axis='0 1 0' damping='.1'/><geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/>\
         <body pos='.4 0 0'><joint name='b' axis='0 1 0'/>\
         <geom type='capsule' size='.03' fromto='0 0 0 .3 0 0'/></body></body></worldbody>\
         <actuator><general joint='a' dyntype='user' gaintype='user' biastype='user' dynprm='.1' \
         gainprm='3' biasprm='.2'/><general joint='b' dyntype='user' actdim='2'/></actuator>\
         <sensor><user dim='1' needstage='pos'/><user dim='2' needstage='vel' cutoff='.5'/>\
         <user dim='1' needstage='acc'/><jointpos joint='a'/></sensor></mujoco>"
    ))
    .unwrap()
}

/// Implements every hook and counts the calls of `control`.
#[derive(Default)]
struct All {
    controls: usize,
}

impl Hooks for All {
    fn control(&mut self, _m: &Model, d: &mut Data) {
        self.controls += 1;
        d.ctrl[0] = 1.0 - d.qpos[0] - 0.1 * d.qvel[0];
        d.ctrl[1] = 0.3;
    }

    fn passive(&mut self, _m: &Model, d: &mut Data) {
        d.qfrc_passive[1] -= 0.05 * d.qvel[1] * d.qvel[1].abs();
    }

    fn act_dyn(&mut self, m: &Model, d: &mut Data, u: ActuatorId) -> f64 {
        if u.idx() == 0 {
            return (d.ctrl[u] - d.act[0]) / m.actuator_dynprm[u][0];
        }
        d.act_dot[1] = d.ctrl[u] - d.act[1];
        d.act_dot[2] = 5.0 * (d.act[1] - d.act[2]);
        99.0 // ignored: there are two activations
    }

    fn act_gain(&mut self, m: &Model, d: &mut Data, u: ActuatorId) -> f64 {
        m.actuator_gainprm[u][0] * (1.0 - 0.5 * d.actuator_velocity[u])
    }

    fn act_bias(&mut self, m: &Model, d: &mut Data, u: ActuatorId) -> f64 {
        -m.actuator_biasprm[u][0] * d.actuator_length[u]
    }

    fn sensor(&mut self, _m: &Model, d: &mut Data, stage: Stage) {
        match stage {
            Stage::Pos => d.sensordata[0] = d.xipos[2].z,
            Stage::Vel => {
                d.sensordata[1] = d.qvel[0];
                d.sensordata[2] = 10.0 * d.qvel[1];
            }
            _ => d.sensordata[3] = d.qacc[0],
        }
    }
}

#[track_caller]
fn close(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= 1e-10 * w.abs().max(1.0), "{got:?}, wanted {want:?}");
    }
}

/// A hook that calls itself through the engine without end.
struct Endless;

impl Hooks for Endless {
    fn control(&mut self, m: &Model, d: &mut Data) {
        forward_with(m, d, self);
    }
}

#[test]
fn a_hook_that_calls_itself_without_end_is_named() {
    let m = model("");
    let mut d = Data::new(&m);
    let panic = std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| {
        step_with(&m, &mut d, &mut Endless);
    }));
    let words = *panic.unwrap_err().downcast::<String>().unwrap();
    assert!(words.starts_with("the hook mjcb_control calls the engine"), "{words}");

    // a simulation inside of a hook is not endless
    struct Ahead(usize);
    impl Hooks for Ahead {
        fn control(&mut self, m: &Model, d: &mut Data) {
            if self.0 > 0 {
                step_with(m, &mut d.clone(), &mut Ahead(self.0 - 1));
            }
        }
    }
    step_with(&m, &mut Data::new(&m), &mut Ahead(3));
}

#[test]
fn fifty_steps_with_every_hook_give_mujocos_state() {
    for (integrator, per_step, qpos, act, sensordata) in [
        (
            "Euler",
            1,
            [0.146_979_445_433_988, -0.168_592_250_422_601],
            [0.491_949_293_694_131, 0.028_575_954_598_789, 0.006_095_398_283_802],
            [0.946_811_959_905_223, 0.5, -0.5, 16.833_322_667_445_33, 0.141_803_020_631_902],
        ),
        (
            "RK4",
            4,
            [0.144_238_228_469_400, -0.165_525_071_732_282],
            [0.487_882_329_860_406, 0.028_548_774_589_208, 0.006_175_767_716_869],
            [0.947_827_968_820_047, 0.5, -0.5, 16.997_811_143_817_13, 0.139_102_207_196_123],
        ),
        (
            "implicit",
            1,
            [0.146_965_378_931_598, -0.168_512_775_871_238],
            [0.491_962_680_613_405, 0.028_575_954_598_789, 0.006_095_398_283_802],
            [0.946_808_031_764_835, 0.5, -0.5, 16.850_572_302_803_07, 0.141_789_849_962_572],
        ),
    ] {
        let m = model(&format!("integrator='{integrator}'"));
        let (mut d, mut hooks) = (Data::new(&m), All::default());
        for _ in 0..50 {
            step_with(&m, &mut d, &mut hooks);
        }
        assert_eq!(hooks.controls, 50 * per_step, "{integrator}");
        close(&d.qpos, &qpos);
        close(&d.act, &act);
        close(&d.sensordata, &sensordata);
    }
}

#[test]
fn no_hooks_are_the_plain_pipeline() {
    let m = model("");
    let (mut plain, mut hooked) = (Data::new(&m), Data::new(&m));
    let none: &mut dyn Hooks = &mut ();
    for _ in 0..10 {
        step(&m, &mut plain);
        step_with(&m, &mut hooked, none);
    }
    forward(&m, &mut plain);
    forward_with(&m, &mut hooked, none);
    assert_eq!((&plain.qpos, &plain.qacc), (&hooked.qpos, &hooked.qacc));
    assert_eq!(plain.sensordata.flat()[..4], [0.0; 4]);
}

#[test]
fn halves_make_a_step() {
    let m = model("");
    let (mut whole, mut halves) = (Data::new(&m), Data::new(&m));
    let mut hooks = All::default();
    for _ in 0..10 {
        step_with(&m, &mut whole, &mut hooks);
        step1_with(&m, &mut halves, &mut hooks);
        step2_with(&m, &mut halves, &mut hooks);
    }
    assert_eq!((&whole.qpos, &whole.sensordata), (&halves.qpos, &halves.sensordata));
}

#[test]
fn hooks_of_disabled_stages_are_not_called() {
    let mut m = model("");
    m.opt.disableflags = i32::MAX;
    let (mut d, mut hooks) = (Data::new(&m), All::default());
    d.qvel[1] = 1.0;
    forward_with(&m, &mut d, &mut hooks);
    assert_eq!((hooks.controls, d.qfrc_passive[1], d.sensordata[0]), (0, 0.0, 0.0));
}

/// Touching geoms and bodies, some without common collision bits.
const CROWD: &str = "<mujoco><worldbody><geom type='plane' size='1 1 .1'/>\
    <body pos='0 0 .09'><freejoint/><geom size='.1'/>\
    <geom size='.1' pos='.15 0 0' contype='0' conaffinity='0'/></body>\
    <body pos='0 .15 .09'><freejoint/><geom size='.1' contype='2' conaffinity='2'/>\
    <geom type='box' size='.1 .1 .1' pos='.15 0 0'/></body>\
    <body pos='0 .3 .09'><freejoint/><geom size='.1' contype='2' conaffinity='2'/></body>\
    <body pos='0 .45 .09'><freejoint/><geom name='e' type='capsule' size='.1 .05'/></body>\
    <body pos='0 .6 .09'><freejoint/><geom name='f' size='.1' contype='0' conaffinity='0'/></body>\
    </worldbody><contact><pair geom1='e' geom2='f'/></contact></mujoco>";

/// A contact filter by the sum of two geoms' ids, and a clock that advances when read.
struct Filter {
    stops: fn(usize) -> bool,
    ticks: f64,
}

impl Hooks for Filter {
    fn filters_contacts(&self) -> bool {
        true
    }

    fn contact_filter(&mut self, _m: &Model, _d: &mut Data, pair: [GeomId; 2]) -> bool {
        (self.stops)(pair[0].idx() + pair[1].idx())
    }

    fn time(&mut self) -> f64 {
        self.ticks += 1.0;
        self.ticks
    }
}

/// The geoms of all contacts, each pair once.
fn touching(d: &Data) -> Vec<[i32; 2]> {
    let mut pairs: Vec<_> = d.contact.iter().map(|c| c.geom).collect();
    pairs.dedup();
    pairs
}

#[test]
fn a_filter_of_the_user_replaces_the_bits_of_geoms() {
    // the third geom has no bits, and is not in its body's bounding volumes
    let none: fn(usize) -> bool = |_| false;
    let rest = [[0, 6], [1, 3], [1, 4]];
    type Discards = fn(usize) -> bool;
    let cases: [(Discards, bool, Vec<[i32; 2]>); 5] = [
        (none, true, [&[[0, 1], [0, 3], [0, 4]], &rest[..], &[[3, 5], [5, 4], [7, 6]]].concat()),
        (
            none,
            false,
            [&[[0, 1], [0, 2], [0, 3], [0, 4]], &rest[..], &[[2, 4], [3, 5], [5, 4], [7, 6]]]
                .concat(),
        ),
        (|_| true, true, vec![[7, 6]]),
        (|sum| sum % 3 == 0, true, vec![[0, 1], [0, 4], [1, 3], [1, 4], [3, 5], [7, 6]]),
        (|sum| sum % 2 == 1, true, vec![[0, 4], [0, 6], [1, 3], [3, 5], [7, 6]]),
    ];
    for (stops, midphase, expected) in cases {
        let mut m = load_str(CROWD).unwrap();
        if !midphase {
            m.opt.disableflags |= DisableBit::Midphase.0;
        }
        let (mut d, mut hooks) = (Data::new(&m), Filter { stops, ticks: 0.0 });
        forward_with(&m, &mut d, &mut hooks);
        assert_eq!(touching(&d), expected);
        inverse_with(&m, &mut d, &mut hooks).unwrap();
        assert_eq!(touching(&d), expected);

        // and without the filter, in the same state
        forward(&m, &mut d);
        let usual = [[0, 1], [0, 4], [0, 6], [1, 4], [3, 5], [7, 6]];
        assert_eq!(touching(&d), usual);
    }
}

#[test]
fn collision_times_its_phases() {
    let mut m = load_str(CROWD).unwrap();
    let (mut d, mut hooks) = (Data::new(&m), Filter { stops: |_| false, ticks: 0.0 });
    let times = |d: &Data| {
        [Timer::PosCollision, Timer::ColBroad, Timer::ColNarrow].map(|t| {
            let stat = d.timer[t.0 as usize];
            (stat.number, stat.duration)
        })
    };
    forward(&m, &mut d);
    let before = times(&d);
    assert_eq!(before, [(1, 0.0); 3]);
    collision_with(&m, &mut d, &mut hooks);
    // consecutive phases share a reading of the clock
    assert_eq!(times(&d), [(2, 2.0), (2, 1.0), (2, 1.0)]);

    // without collision detection nothing is timed
    m.opt.disableflags |= DisableBit::Contact.0;
    collision_with(&m, &mut d, &mut hooks);
    assert_eq!(times(&d)[0].0, 2);
}

/// Hooks that read fields computed for readers only, at every control.
#[derive(Default)]
struct Watcher {
    seen: Vec<(f64, [f64; 2])>,
}

impl Hooks for Watcher {
    fn control(&mut self, _m: &Model, d: &mut Data) {
        self.seen.push((d.cam_xpos.flat()[0], d.energy));
    }
}

#[test]
fn runge_kutta_leaves_the_same_views_whether_hooks_watch_or_not() {
    let m = load_str(
        "<mujoco><option integrator='RK4'><flag energy='enable'/></option><worldbody>\
         <light mode='trackcom' pos='0 0 3'/><body pos='0 0 1'><joint axis='0 1 0'/>\
         <geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/><camera pos='.2 -1 0'/>\
         </body></worldbody></mujoco>",
    )
    .unwrap();
    let (mut watched, mut plain) = (Data::new(&m), Data::new(&m));
    let mut watcher = Watcher::default();
    for _ in 0..20 {
        step_with(&m, &mut watched, &mut watcher);
        step(&m, &mut plain);
        assert_eq!(watched.qpos, plain.qpos);
        assert_eq!(watched.energy, plain.energy);
        assert_eq!((&watched.cam_xpos, &watched.cam_xmat), (&plain.cam_xpos, &plain.cam_xmat));
        assert_eq!(watched.light_xpos, plain.light_xpos);
    }

    // four evaluations per step, each with its own views
    let [first, .., last] = &watcher.seen[76..] else { panic!("four evaluations in a step") };
    assert_eq!(watcher.seen.len(), 80);
    assert_ne!(first, last);
    let positions = watcher.seen[76..].windows(2).map(|pair| pair[0].0 != pair[1].0);
    assert_eq!(positions.filter(|&moved| moved).count(), 3);
}
