//! Models with one deliberate fault each: the diagnosis names the cause, and its first remedy
//! works. Sound models have no findings.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use sinew::diagnose::{
    Cause, Diagnosis, NoDiagnosis, Signs, Watch, Weight, check, flex_instability,
};
use sinew::{Data, Model};

/// A faulty model: its description, its cause, and a word of the responsible element's name.
struct Broken {
    name: &'static str,
    xml: &'static str,
    cause: Cause,
    culprit: &'static str,
    spoil: fn(&Model, &mut Data),
}

fn nothing(_: &Model, _: &mut Data) {}

/// A model for each cause.
fn broken() -> Vec<Broken> {
    let mut list = first_half();
    list.extend(second_half());
    list
}

fn of(name: &'static str, cause: Cause, culprit: &'static str, xml: &'static str) -> Broken {
    Broken { name, xml, cause, culprit, spoil: nothing }
}

fn first_half() -> Vec<Broken> {
    vec![
        of(
            "a servo's gain",
            Cause::Gain,
            "servo",
            "<mujoco><worldbody><body name='upper'><joint name='shoulder' axis='0 1 0'/>
               <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
               <body name='lower' pos='.3 0 0'><joint name='elbow' axis='0 1 0'/>
                 <geom type='capsule' fromto='0 0 0 .2 0 0' size='.02'/></body></body></worldbody>
             <actuator><position name='servo' joint='elbow' kp='5000'/></actuator></mujoco>",
        ),
        of(
            "the damping of a velocity servo",
            Cause::Damping,
            "brake",
            "<mujoco><worldbody><body name='wheel'><joint name='axle' axis='0 1 0'/>
               <geom type='cylinder' size='.05 .01'/></body></worldbody>
             <actuator><velocity name='brake' joint='axle' kv='2' ctrlrange='-1 1'/></actuator>
             <keyframe><key qvel='1'/></keyframe></mujoco>",
        ),
        of(
            "the spring of a tendon",
            Cause::Spring,
            "rope",
            "<mujoco><worldbody><site name='hook' pos='0 0 1'/>
               <body name='load' pos='0 0 .5'><joint type='slide' axis='0 0 1'/>
               <geom size='.02' mass='.01'/><site name='ring'/></body></worldbody>
             <tendon><spatial name='rope' stiffness='20000' springlength='.49'>
               <site site='hook'/><site site='ring'/></spatial></tendon></mujoco>",
        ),
        of(
            "the spring of a joint",
            Cause::Spring,
            "coil",
            "<mujoco><worldbody><body name='bob'><joint name='coil' type='slide' axis='0 0 1'
               stiffness='1e5' springref='.1'/><geom size='.02' mass='.05'/></body></worldbody></mujoco>",
        ),
        of(
            "a flexible body",
            Cause::Flex,
            "sheet",
            "<mujoco><worldbody><flexcomp name='sheet' type='grid' count='4 4 1' spacing='.05 .05 .05'
               dim='2' mass='.01' radius='.005' pos='0 0 1'><elasticity young='3e5' poisson='.2'
               thickness='.005' elastic2d='stretch'/>
               <pin id='0 3'/></flexcomp></worldbody></mujoco>",
        ),
        of(
            "a contact given as a stiffness",
            Cause::StiffConstraint,
            "ball",
            "<mujoco><default><geom solref='-4e6 -20'/></default><worldbody>
               <geom name='floor' type='plane' size='1 1 1'/>
               <geom name='ceiling' type='plane' size='1 1 1' pos='0 0 .4' euler='180 0 0'/>
               <body name='ball' pos='0 0 .2'><freejoint/><geom name='ball' size='.1'/></body>
             </worldbody></mujoco>",
        ),
        of(
            "a limit given as a stiffness",
            Cause::StiffConstraint,
            "stop",
            "<mujoco><worldbody><body name='flap'><joint name='stop' axis='0 1 0' range='-20 20'
               solreflimit='-4e6 -10'/><geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/></body>
             </worldbody></mujoco>",
        ),
    ]
}

fn second_half() -> Vec<Broken> {
    let mut list = vec![
        of(
            "an equality given as a stiffness",
            Cause::StiffConstraint,
            "pin",
            "<mujoco><worldbody><body name='a'><joint axis='0 1 0'/>
               <geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/>
               <body name='b' pos='.3 0 0'><joint axis='0 1 0'/>
                 <geom type='capsule' fromto='0 0 0 .3 0 0' size='.02'/></body></body></worldbody>
             <equality><connect name='pin' body1='b' anchor='.3 0 0' solref='-4e6 -10'/></equality></mujoco>",
        ),
        of(
            "geoms that overlap at the start",
            Cause::Overlap,
            "block",
            "<mujoco><default><geom solref='.004 1'/></default><worldbody>
               <geom name='block' type='box' size='2 2 2'/>
               <body name='plank' pos='.25 .02 0'><freejoint/>
                 <geom name='plank' type='box' size='.3 .1 .01' euler='10 20 0'/>
                 <body name='flap' pos='.3 0 0'><joint axis='0 1 0'/>
                   <geom name='flap' type='box' size='.1 .1 .01' pos='.1 0 0'/></body>
               </body></worldbody></mujoco>",
        ),
        of(
            "a body that spins too fast",
            Cause::Spin,
            "top",
            "<mujoco><worldbody><body name='top' pos='0 0 1'><freejoint/>
               <geom type='box' size='.3 .1 .02'/></body></worldbody>
             <keyframe><key qvel='0 0 0 300 500 200'/></keyframe></mujoco>",
        ),
        of(
            "an inertia too small for its motor",
            Cause::Inertia,
            "needle",
            "<mujoco><worldbody><body name='base'><joint axis='0 1 0'/>
               <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/>
               <body name='tip' pos='.3 0 0'><joint name='needle' axis='0 1 0'/>
                 <inertial pos='0.01 0 0' mass='1e-5' diaginertia='1e-9 1e-9 1e-9'/></body></body></worldbody>
             <actuator><motor name='motor' joint='needle' gear='100'/></actuator>
             <keyframe><key ctrl='1'/></keyframe></mujoco>",
        ),
        of(
            "a servo that pushes away from its target",
            Cause::Feedback,
            "wrong",
            "<mujoco><worldbody><body name='cart'><joint name='rail' type='slide' axis='1 0 0'/>
               <geom size='.05' mass='.2'/></body></worldbody>
             <actuator><general name='wrong' joint='rail' gainprm='300' biastype='affine'
               biasprm='0 300 0'/></actuator><keyframe><key qpos='.01'/></keyframe></mujoco>",
        ),
        of(
            "damping that is not implicit",
            Cause::Damping,
            "hinge",
            "<mujoco><option><flag eulerdamp='disable'/></option><worldbody><body name='door'>
               <joint name='hinge' axis='0 0 1' damping='5'/><geom type='box' size='.1 .01 .1'
               pos='.1 0 0' mass='.1'/></body></worldbody><keyframe><key qvel='1'/></keyframe></mujoco>",
        ),
        of(
            "a fluid too thick for a light body",
            Cause::Fluid,
            "fluid",
            "<mujoco><option viscosity='50'/><worldbody><body name='dust' pos='0 0 1'><freejoint/>
               <geom size='.05' mass='.001'/></body></worldbody><keyframe><key qvel='1 0 0 0 0 0'/>
             </keyframe></mujoco>",
        ),
        of(
            "a heavy body on light ones, with a solver that cannot cope",
            Cause::Solver,
            "a ratio of 10000",
            "<mujoco><option solver='PGS' iterations='30'/><default><default class='rod'><geom type='capsule'
               size='.01' fromto='0 0 0 0 0 -.1' mass='.01'/></default></default><worldbody>
               <geom name='floor' type='plane' size='1 1 1' pos='0 0 -.65'/>
               <body pos='0 0 -.1' childclass='rod'><joint type='ball'/><geom/><body pos='0 0 -.1'><joint type='ball'/>
               <geom/><body pos='0 0 -.1'><joint type='ball'/><geom/><body pos='0 0 -.1'>
               <joint type='ball'/><geom/><body pos='0 0 -.1'><joint type='ball'/><geom/>
               <body pos='0 0 -.1'><joint type='ball'/><geom mass='100'/></body></body></body></body>
               </body></body></worldbody></mujoco>",
        ),
    ];
    list.push(Broken {
        name: "a force of the user",
        cause: Cause::Input,
        culprit: "slide",
        xml: "<mujoco><worldbody><body><joint name='slide' type='slide'/><geom size='.1'/></body>
              </worldbody></mujoco>",
        spoil: |_, d| d.qfrc_applied[0] = 1e14,
    });
    list
}

/// The initial state: the first keyframe if there is one.
fn start(m: &Model) -> Data {
    let mut d = Data::new(m);
    if m.nkey > 0 {
        sinew::reset_data_keyframe(m, &mut d, 0);
    }
    d
}

/// Runs until a state is bad and returns the diagnosis.
fn run(m: &Model, mut d: Data, steps: usize) -> Option<Diagnosis> {
    let mut watch = Watch::new(m);
    for _ in 0..steps {
        watch.before(m, &d);
        sinew::step(m, &mut d);
        if watch.diverged(&d) {
            return Some(watch.diagnose(m).expect("the same run goes bad again"));
        }
    }
    None
}

/// The fault of a diagnosis; `None` if it is correct.
fn fault(broken: &Broken) -> Option<String> {
    let m = sinew::load_str(broken.xml).unwrap();
    let mut d = start(&m);
    (broken.spoil)(&m, &mut d);
    let Some(why) = run(&m, d.clone(), 20_000) else { return Some("does not diverge".into()) };
    let text = why.to_string();
    if why.cause.cause != broken.cause || !why.cause.text.contains(broken.culprit) {
        return Some(text);
    }

    // the first remedy holds for ten times the tried steps
    let mut cured = m.clone();
    let remedy = &why.cause.remedies[0];
    assert!(remedy.held > 0 && remedy.change.apply(&mut cured, &mut d), "{text}");
    run(&cured, d, 10 * remedy.held).map(|still| format!("{text}\nwith the remedy: {still}"))
}

#[test]
fn the_cause_of_every_broken_simulation_is_named_and_its_remedy_holds() {
    let list = broken();
    let mut faults = Vec::new();
    for broken in &list {
        if let Some(fault) = fault(broken) {
            faults.push(format!("{}, wanted {:?}:\n{fault}", broken.name, broken.cause));
        }
    }
    assert!(faults.is_empty(), "{} of {}\n{}", faults.len(), list.len(), faults.join("\n\n"));
}

fn models(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            models(&path, out);
        } else if path.extension().is_some_and(|e| e == "xml" || e == "urdf") {
            out.push(path);
        }
    }
}

#[test]
fn no_sound_model_is_accused() {
    let mut list = Vec::new();
    models(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models"), &mut list);
    list.sort();
    let mut count = 0;
    for path in list {
        // some files are parts of other models and do not load alone
        let Ok(m) = sinew::load(&path) else { continue };
        count += 1;
        let warnings: Vec<String> = check(&m)
            .into_iter()
            .filter(|f| f.weight == Weight::Warning)
            .map(|f| f.to_string())
            .collect();
        assert!(warnings.is_empty(), "{}: {}", path.display(), warnings.join("\n"));
        if let Some(why) = run(&m, Data::new(&m), 100) {
            panic!("{}: {why}", path.display());
        }
    }
    assert!(count > 50, "only {count} models");
}

#[test]
fn a_check_finds_what_shows_before_the_first_step() {
    let of = |xml: &str| {
        let found = check(&sinew::load_str(xml).unwrap());
        found.into_iter().map(|f| (f.cause, format!("{f} {:?}", f.parts))).collect::<Vec<_>>()
    };
    for broken in broken() {
        let early =
            [Cause::Gain, Cause::Spring, Cause::Flex, Cause::Damping, Cause::StiffConstraint];
        if early.contains(&broken.cause) {
            let found = of(broken.xml);
            let named = |(cause, text): &(Cause, String)| {
                *cause == broken.cause && text.contains(broken.culprit)
            };
            assert!(found.iter().any(named), "{}: {found:?}", broken.name);
        }
    }
    let odd = of("<mujoco><asset><material name='gold'/><mesh name='star' vertex='0 0 0 1 0 0 0 1 0 0 0 1
        .1 .1 .1' face='0 2 1 0 1 3 0 3 2 1 2 4 1 4 3 2 3 4'/></asset><worldbody>
        <geom name='wall' type='box' size='1 1 1'/>
        <body pos='0 0 .9'><freejoint/><geom name='cube' type='box' size='.2 .2 .2'/></body>
        <body pos='5 0 0'><joint name='knee' range='-90 -30' limited='true'/><geom type='mesh' mesh='star'/></body>
        <body pos='9 0 0'><joint name='tight' range='-1 1' margin='.1' limited='true'/><geom size='.1'/></body>
        </worldbody><actuator><position joint='knee' ctrlrange='1 2' kp='1'/></actuator></mujoco>");
    for (cause, word) in [
        (Cause::Unused, "material 'gold'"),
        (Cause::Hull, "mesh 'star'"),
        (Cause::Overlap, "geom 'wall'"),
        (Cause::Limit, "joint 'knee' starts at 0"),
        (Cause::Limit, "joint 'tight' is within the margin"),
        (Cause::Limit, "actuator 0 can ask for 1 to 2 only"),
    ] {
        assert!(odd.iter().any(|(c, text)| *c == cause && text.contains(word)), "{word}: {odd:?}");
    }
}

#[test]
fn a_flex_that_will_diverge_names_the_time_step_that_holds() {
    for (young, sound) in [(1e3, true), (3e5, false)] {
        let xml = format!(
            "<mujoco><worldbody><flexcomp name='sheet' type='grid' count='4 4 1' spacing='.05 .05 .05'
               dim='2' mass='.01' radius='.005'><elasticity young='{young}' poisson='.2'
               thickness='.005' elastic2d='stretch'/></flexcomp>
             </worldbody></mujoco>"
        );
        let mut m = sinew::load_str(&xml).unwrap();
        let found = flex_instability(&m);
        assert_eq!(found.is_none(), sound, "{found:?}");
        let nudged = |m: &Model| {
            let mut d = Data::new(m);
            d.qvel[0] = 1e-3;
            d
        };
        assert_eq!(run(&m, nudged(&m), 2000).is_none(), sound);
        if let Some(found) = found {
            let mut scratch = Data::new(&m);
            assert!(found.remedies[0].text.starts_with("timestep="), "{found}");
            assert!(found.remedies[0].change.apply(&mut m, &mut scratch));
            assert!(run(&m, nudged(&m), 20_000).is_none(), "{found}");
        }
    }
}

#[test]
fn trials_of_remedies_end_when_their_user_says_so() {
    let m = sinew::load_str(
        "<mujoco><worldbody><body><joint name='elbow' axis='0 1 0'/>
           <geom type='capsule' fromto='0 0 0 .3 0 0' size='.03'/></body></worldbody>
           <actuator><position joint='elbow' kp='1e6'/></actuator></mujoco>",
    )
    .unwrap();
    let (mut d, mut watch) = (start(&m), Watch::new(&m));
    d.ctrl[0] = 0.1;
    for _ in 0..50 {
        watch.before(&m, &d);
        sinew::step(&m, &mut d);
        if watch.diverged(&d) {
            break;
        }
    }
    let search = |most: usize| {
        let steps = Cell::new(0);
        let go_on = || {
            steps.set(steps.get() + 1);
            steps.get() <= most
        };
        let found = watch.diagnose_while(&m, go_on);
        // the remaining work asks at most once for each rule and each remedy
        assert!(steps.get() < most + 40, "{} after {most}", steps.get());
        (found, steps.get())
    };
    assert_eq!(search(0).0.err(), Some(NoDiagnosis::Unfinished));
    let (whole, steps) = search(usize::MAX / 2);
    assert!(whole.unwrap().to_string().contains("  holds  with kp="));

    // a search that is ended anywhere knows the bad state, and lists the remedies that it has not
    // tried
    let (mut unknown, mut untried) = (0, 0);
    for most in (1..40).map(|k| k * steps / 40) {
        match search(most).0 {
            Err(why) => assert_eq!(why, NoDiagnosis::Unfinished),
            Ok(found) if found.cause.cause == Cause::Unknown => {
                assert!(found.cause.text.contains("the time of the search was over"), "{found}");
                unknown += 1;
            }
            Ok(found) => {
                assert_eq!(found.cause.cause, Cause::Gain, "{found}");
                untried += usize::from(found.cause.remedies.iter().all(|r| r.held == 0));
            }
        }
    }
    assert!(unknown > 0 && untried > 0, "{unknown} {untried}");
    assert!(watch.diagnose(&m).unwrap().to_string().contains("  holds  with kp="));
}

/// The texts of the findings of a kind.
fn texts(found: &[sinew::diagnose::Finding], cause: Cause) -> Vec<&str> {
    found.iter().filter(|f| f.cause == cause).map(|f| f.text.as_str()).collect()
}

/// The signs of a run.
fn signs(m: &Model, steps: usize) -> Vec<sinew::diagnose::Finding> {
    let mut d = start(m);
    let mut signs = Signs::new(m, &d);
    for _ in 0..steps {
        sinew::step(m, &mut d);
        signs.after(m, &d);
    }
    signs.findings(m)
}

fn falling_ball(option: &str) -> Model {
    sinew::load_str(&format!(
        "<mujoco><option {option}/><worldbody><geom type='plane' size='5 5 .1'/>
         <body pos='0 0 1'><freejoint/><geom name='ball' size='.1'/></body></worldbody></mujoco>"
    ))
    .unwrap()
}

#[test]
fn a_time_step_beyond_the_contacts_is_told_by_the_check_and_by_the_run() {
    let m = falling_ball("timestep='.5'");
    let found = check(&m);
    let raised = texts(&found, Cause::TimeStep);
    assert!(
        raised[0].contains("time constant of 0.02 s is below two time steps of 0.5 s"),
        "{raised:?}"
    );
    let sunk = texts(&found, Cause::Penetration);
    assert!(sunk[0].starts_with("geom 'ball': its contacts are so soft"), "{sunk:?}");
    let found = signs(&m, 60);
    let sunk = texts(&found, Cause::Penetration);
    assert!(sunk[0].contains("geom 'ball' overlap by"), "{found:?}");

    // a usual time step has none of these
    let m = falling_ball("");
    assert!(check(&m).is_empty(), "{:?}", check(&m));
    assert!(signs(&m, 2000).is_empty(), "{:?}", signs(&m, 2000));
}

#[test]
fn a_geom_that_jumps_over_a_wall_and_energy_that_appears_are_told() {
    let m = sinew::load_str(
        "<mujoco><option gravity='0 0 0'/><worldbody><geom type='box' size='.01 1 1' pos='1 0 0'/>
         <body><freejoint/><geom name='bullet' size='.01'/></body></worldbody>
         <keyframe><key qvel='100 0 0 0 0 0'/></keyframe></mujoco>",
    )
    .unwrap();
    let mut d = start(&m);
    sinew::reset_data_keyframe(&m, &mut d, 0);
    let mut signs_of = Signs::new(&m, &d);
    for _ in 0..20 {
        sinew::step(&m, &mut d);
        signs_of.after(&m, &d);
    }
    let found = signs_of.findings(&m);
    let jumped = texts(&found, Cause::Tunnelling);
    assert!(jumped[0].starts_with("geom 'bullet' moves by 0.2 m"), "{found:?}");

    // negative damping adds energy; a pendulum does not
    let pendulum = |damping: &str| {
        sinew::load_str(&format!(
            "<mujoco><worldbody><body><joint axis='0 1 0' damping='{damping}'/>
             <geom type='capsule' fromto='0 0 0 .5 0 0' size='.02'/></body></worldbody></mujoco>"
        ))
        .unwrap()
    };
    let grown = signs(&pendulum("-.05"), 2000);
    assert!(texts(&grown, Cause::Energy)[0].starts_with("energy appears"), "{grown:?}");
    assert!(signs(&pendulum("0"), 5000).is_empty());
}

#[test]
fn wrong_numbers_and_inverted_ranges_name_their_element() {
    let mut m = sinew::load_str(
        "<mujoco><worldbody><body name='arm'><joint name='elbow' range='90 -90'/>
         <geom name='link' size='.1'/></body></worldbody></mujoco>",
    )
    .unwrap();
    let found = check(&m);
    let range = texts(&found, Cause::Limit);
    assert!(range[0].starts_with("joint 'elbow': its range of 90 to -90"), "{found:?}");
    m.body_pos[1].y = f64::NAN;
    let found = check(&m);
    let nan = texts(&found, Cause::Input);
    assert_eq!(nan, ["body 'arm': body_pos has a number that is not finite"]);
}
