//! Options, visual settings and sizes that are only copied.

use sinew_model::Model;
use sinew_model::enums::{DisableBit, EnableBit};
use sinew_model::options::{MAX_ITERATIONS, Options};
use sinew_model::validate::MAX_DATA_NUMBERS;

use crate::compile::cx::Cx;
use crate::spec::{Attr, Enable, FlagElement, OptionElement, memory_bytes};

/// Calls [`set_if_written`] for each field of the list, by name.
macro_rules! overwrite {
    ($to:expr, $from:expr; $($field:ident)*) => {
        $(set_if_written(&mut $to.$field, &$from.$field);)*
    };
}

/// Overwrites the positions that are written, for each field of the list.
macro_rules! overlay {
    ($to:expr, $from:expr; $($field:ident)*) => {
        $($to.$field = $from.$field.fill($to.$field);)*
    };
}

/// Overwrites a field if its attribute is written.
fn set_if_written<T: Copy + Into<F>, F>(field: &mut F, attribute: &Attr<T>) {
    if let Some(value) = attribute.get() {
        *field = (*value).into();
    }
}

/// Copies `<option>` and `<visual>` into the model.
pub(crate) fn store_options(cx: &mut Cx<'_>, m: &mut Model) {
    let spec = cx.spec;
    read_option(cx, &spec.option, &mut m.opt);
    read_flags(&spec.option.flag, &mut m.opt);
    store_visual(cx, m);
}

fn read_option(cx: &mut Cx<'_>, e: &OptionElement, opt: &mut Options) {
    overwrite! { opt, e;
        timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance
        gravity wind magnetic density viscosity o_margin integrator cone jacobian solver iterations
        ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints
    }
    overlay! { opt, e; o_solref o_solimp o_friction }
    cap_iterations(cx, e, opt);
    let groups = e.actuatorgroupdisable.get().map_or(&[][..], Vec::as_slice);
    let span = e.actuatorgroupdisable.span().unwrap_or_default();
    for &group in groups {
        match group {
            0..=30 => opt.disableactuator |= 1 << group,
            ..0 => {
                let text = "disabled actuator group value must be non-negative";
                cx.diag.error("option", span, text);
            }
            _ => cx.diag.error("option", span, "disabled actuator group value cannot exceed 30"),
        }
    }
}

/// Caps numbers of iterations, with a warning.
fn cap_iterations(cx: &mut Cx<'_>, e: &OptionElement, opt: &mut Options) {
    let all = [
        ("iterations", &e.iterations, &mut opt.iterations),
        ("ls_iterations", &e.ls_iterations, &mut opt.ls_iterations),
        ("noslip_iterations", &e.noslip_iterations, &mut opt.noslip_iterations),
        ("ccd_iterations", &e.ccd_iterations, &mut opt.ccd_iterations),
        ("sdf_iterations", &e.sdf_iterations, &mut opt.sdf_iterations),
        ("sdf_initpoints", &e.sdf_initpoints, &mut opt.sdf_initpoints),
    ];
    for (name, attribute, value) in all {
        if *value > MAX_ITERATIONS {
            let text = format!("<option>: {name} = {value} is capped at {MAX_ITERATIONS}");
            cx.diag.warn("iterations", attribute.span().unwrap_or_default(), text);
            *value = MAX_ITERATIONS;
        }
    }
}

/// Bits of the flags that are written.
fn read_flags(e: &FlagElement, opt: &mut Options) {
    // flags that are on by default
    let disable = [
        (&e.constraint, DisableBit::Constraint),
        (&e.equality, DisableBit::Equality),
        (&e.frictionloss, DisableBit::Frictionloss),
        (&e.limit, DisableBit::Limit),
        (&e.contact, DisableBit::Contact),
        (&e.spring, DisableBit::Spring),
        (&e.damper, DisableBit::Damper),
        (&e.gravity, DisableBit::Gravity),
        (&e.clampctrl, DisableBit::Clampctrl),
        (&e.warmstart, DisableBit::Warmstart),
        (&e.filterparent, DisableBit::Filterparent),
        (&e.actuation, DisableBit::Actuation),
        (&e.refsafe, DisableBit::Refsafe),
        (&e.sensor, DisableBit::Sensor),
        (&e.midphase, DisableBit::Midphase),
        (&e.eulerdamp, DisableBit::Eulerdamp),
        (&e.autoreset, DisableBit::Autoreset),
        (&e.nativeccd, DisableBit::Nativeccd),
        (&e.island, DisableBit::Island),
    ];
    for (flag, bit) in disable {
        if flag.get() == Some(&Enable(false)) {
            opt.disableflags |= bit.0;
        }
    }

    // flags that are off by default
    let enable = [
        (&e.override_, EnableBit::Override),
        (&e.energy, EnableBit::Energy),
        (&e.fwdinv, EnableBit::Fwdinv),
        (&e.invdiscrete, EnableBit::Invdiscrete),
        (&e.multiccd, EnableBit::Multiccd),
        (&e.sleep, EnableBit::Sleep),
    ];
    for (flag, bit) in enable {
        if flag.get() == Some(&Enable(true)) {
            opt.enableflags |= bit.0;
        }
    }
}

fn store_visual(cx: &mut Cx<'_>, m: &mut Model) {
    let (vis, e) = (&mut m.vis, &cx.spec.visual);

    // written values, field by field
    overwrite! { vis.global, e.global;
        cameraid orthographic fovy ipd azimuth elevation linewidth glow realtime offwidth offheight
        ellipsoidinertia bvactive
    }
    overwrite! { vis.quality, e.quality; shadowsize offsamples numslices numstacks numquads }
    overwrite! { vis.headlight, e.headlight; ambient diffuse specular active }
    overwrite! { vis.map, e.map;
        stiffness stiffnessrot force torque alpha fogstart fogend znear zfar haze shadowclip
        shadowscale actuatortendon
    }
    overwrite! { vis.scale, e.scale;
        forcewidth contactwidth contactheight connect com camera light selectpoint jointlength
        jointwidth actuatorlength actuatorwidth framelength framewidth constraint slidercrank
        frustum
    }
    overwrite! { vis.rgba, e.rgba;
        fog haze force inertia joint actuator actuatornegative actuatorpositive com camera light
        selectpoint connect contactpoint contactforce contactfriction contacttorque contactgap
        rangefinder constraint slidercrank crankbroken frustum bv bvactive
    }

    // numbers by which a renderer would divide
    if vis.global.realtime <= 0.0 {
        let span = e.global.realtime.span().unwrap_or_default();
        cx.diag.error("visual", span, "realtime must be greater than 0");
    }
    if vis.map.znear <= 0.0 {
        let span = e.map.znear.span().unwrap_or_default();
        cx.diag.error("visual", span, "znear must be strictly positive");
    }
}

/// Overwrites the statistics that are written.
pub(crate) fn store_statistic(cx: &mut Cx<'_>, m: &mut Model) {
    let e = &cx.spec.statistic;
    overwrite! { m.stat, e; meaninertia meanmass meansize extent center }
    if e.extent.get().is_some_and(|x| *x <= 0.0) {
        let span = e.extent.span().unwrap_or_default();
        cx.diag.error("statistic", span, "extent must be strictly positive");
    }
}

/// Refuses a model whose states would not fit into memory.
pub(crate) fn check_sizes(cx: &mut Cx<'_>, m: &Model) {
    let sizes = m.data_sizes();
    if sizes.iter().map(|(_, n)| n).sum::<usize>() > MAX_DATA_NUMBERS {
        let sizes = sizes.map(|(name, n)| format!("{name} {n}")).join(", ");
        let text = format!("states have more than {MAX_DATA_NUMBERS} numbers: {sizes}");
        cx.diag.error("too-large", cx.spec.size.head.span, text);
    }
}

/// Sizes that the user sets and the memory MuJoCo would reserve.
pub(crate) fn store_sizes(cx: &mut Cx<'_>, m: &mut Model) {
    let e = &cx.spec.size;
    let (nconmax, njmax, nstack) = (e.values().nconmax(), e.values().njmax(), e.values().nstack());
    let nuserdata = e.values().nuserdata();
    if nuserdata < 0 || nuserdata as usize > MAX_DATA_NUMBERS {
        let span = e.nuserdata.span().unwrap_or_default();
        let text = format!("nuserdata is {nuserdata}, wanted 0 to {MAX_DATA_NUMBERS}");
        cx.diag.error("size", span, text);
    }
    m.nuserdata = usize::try_from(nuserdata).unwrap_or(0);
    // -1 is kept as MuJoCo keeps it
    m.nconmax = nconmax as isize as usize;
    m.njmax = njmax as isize as usize;
    for (value, name) in [(nconmax, "nconmax"), (njmax, "njmax"), (nstack, "nstack")] {
        if value < -1 {
            cx.diag.error("size", e.head.span, format!("{name} must be >= -1"));
        }
    }

    match memory_bytes(e.memory.text()) {
        Err(_) => {
            let span = e.memory.span().unwrap_or_default();
            let text = "unsigned integer with an optional suffix {K,M,G,T,P,E} is expected in \
                        attribute 'memory' (or the size specified is too big)";
            cx.diag.error("size", span, text);
        }
        Ok(Some(bytes)) => {
            check_memory(cx, bytes);
            m.narena = usize::try_from(bytes).unwrap_or(usize::MAX);
        }
        Ok(None) => m.narena = arena_bytes(m, nconmax, njmax, nstack),
    }
}

/// Bytes below which MuJoCo cannot compile an empty model (measured), and above which no machine
/// has an address for them (47 bits).
const MEMORY: core::ops::RangeInclusive<u64> = 128..=1 << 47;

/// Sinew's lists grow as needed: `memory` is only a number here, but MuJoCo allocates it.
fn check_memory(cx: &mut Cx<'_>, bytes: u64) {
    let span = cx.spec.size.memory.span().unwrap_or_default();
    if bytes > *MEMORY.end() {
        cx.diag.error("memory", span, "Could not allocate memory");
    } else if bytes < *MEMORY.start() {
        let ours = "memory grows as needed";
        cx.diag.extension("memory", span, "mj_stackAlloc: out of memory, stack overflow", ours);
    }
}

/// MuJoCo's guess of the memory a model needs; Sinew grows its lists and only reports the number.
fn arena_bytes(m: &Model, nconmax: i32, njmax: i32, nstack: i32) -> usize {
    /// Bytes of MuJoCo's `mjContact`.
    const CONTACT: i64 = 576;
    const MEGABYTE: i64 = 1 << 20;
    let count = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);

    // bounds on contacts and rows, or their defaults
    let (nconmax, njmax) =
        (if nconmax == -1 { 100 } else { nconmax }, if njmax == -1 { 500 } else { njmax });
    let (nconmax, njmax, nv) = (i64::from(nconmax), i64::from(njmax), count(m.nv));
    let rows = njmax + count(m.neq) + nv;

    // stack
    let others =
        [m.nq, m.nv, m.nu, m.na, m.nbody, m.njnt, m.ngeom, m.nsite, m.neq, m.ntendon, m.nwrap];
    let stack = if nstack == -1 {
        let sum: i64 = others.into_iter().map(count).sum();
        (rows.saturating_mul(rows).saturating_mul(5)).saturating_add(20 * sum).max(1000)
    } else {
        i64::from(nstack)
    };

    // contacts, rows, Jacobians
    let lists = nconmax * CONTACT
        + njmax * (8 * 4 + 14 * 8)
        + nv * (3 * 4)
        + njmax.saturating_mul(nv).saturating_mul(2 * 4 + 2 * 8)
        + njmax.saturating_mul(njmax).saturating_mul(4 + 8);

    // rounded up to megabytes
    let bytes = stack.saturating_mul(8).saturating_add(lists).max(0);
    let megabytes = bytes / MEGABYTE + i64::from(bytes % MEGABYTE != 0);
    usize::try_from(megabytes.saturating_mul(MEGABYTE)).unwrap_or(usize::MAX)
}
