//! Hooks are called where MuJoCo calls its callbacks: the numbers are MuJoCo's with the same ones.
#![allow(clippy::unwrap_used)]

use sinew::engine::{step1_with, step2_with};
use sinew::model::enums::Stage;
use sinew::{ActuatorId, Data, Hooks, Model, forward, forward_with, load_str, step, step_with};

/// Two links; an actuator that is the user's altogether, one with two activations, user sensors.
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

/// Something in every hook, and how often `control` was called.
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

#[test]
fn fifty_steps_with_every_hook() {
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
fn disabled_parts_are_not_asked() {
    let mut m = model("");
    m.opt.disableflags = i32::MAX;
    let (mut d, mut hooks) = (Data::new(&m), All::default());
    d.qvel[1] = 1.0;
    forward_with(&m, &mut d, &mut hooks);
    assert_eq!((hooks.controls, d.qfrc_passive[1], d.sensordata[0]), (0, 0.0, 0.0));
}
