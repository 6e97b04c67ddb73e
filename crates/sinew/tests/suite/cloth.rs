//! Flexible objects compared with MuJoCo's numbers: sizes, rows, and the equilibrium of a cloth.

use sinew::{Data, Model, load_str, step};

fn flexcomp(attributes: &str, children: &str) -> Result<Model, String> {
    let text = format!(
        "<mujoco><option timestep='.001'/><worldbody><flexcomp name='f' spacing='.1 .1 .1' radius='.005' \
         {attributes}>{children}</flexcomp></worldbody></mujoco>"
    );
    load_str(&text).map_err(|error| error.to_string())
}

fn cloth(children: &str) -> Model {
    flexcomp("type='grid' dim='2' count='4 4 1' pos='0 0 1' mass='1'", children).unwrap()
}

fn run(m: &Model, d: &mut Data, steps: usize) -> (f64, f64) {
    (0..steps).for_each(|_| step(m, d));
    let lowest = d.flexvert_xpos.iter().fold(f64::INFINITY, |low, v| low.min(v.z));
    let stretch = d.flexedge_length.iter().zip(m.flexedge_length0.iter());
    (lowest, stretch.fold(0.0, |most: f64, (l, l0)| most.max((l / l0 - 1.0).abs())))
}

fn assert_near(got: (f64, f64), want: (f64, f64)) {
    assert!((got.0 - want.0).abs() < 1e-9 && (got.1 - want.1).abs() < 1e-9, "{got:?}");
}

#[test]
fn a_pinned_cloth_hangs_where_mujocos_does() {
    let m = cloth("<pin id='0 3'/><edge equality='true' damping='.01'/>");
    let mut d = Data::new(&m);
    assert_near(run(&m, &mut d, 100), (0.951_440_504_284_66, 0.020_576_605_403_37));
    // a row for each edge that is not rigid
    assert_eq!((m.nv, d.nefc), (42, 33));
    assert_near(run(&m, &mut d, 400), (0.914_546_784_176_45, 0.037_220_341_095_86));
}

#[test]
fn without_elasticity_a_cloth_falls_freely() {
    let m = cloth("");
    // `flexvert_xpos` is computed before the last integration
    let fallen = 9.81 * 1e-6 * (499.0 * 500.0 / 2.0);
    assert_near(run(&m, &mut Data::new(&m), 500), (1.0 - fallen, 0.0));
}

#[test]
fn lattices_and_shapes_have_mujocos_sizes() {
    for (attributes, sizes) in [
        ("type='grid' dim='1' count='5 1 1'", (5, 4, 4, 15)),
        ("type='grid' dim='2' count='4 4 1'", (16, 18, 33, 48)),
        ("type='grid' dim='3' count='3 3 3'", (27, 48, 98, 81)),
        ("type='box' dim='3' count='3 3 3'", (27, 48, 98, 81)),
        ("type='ellipsoid' dim='3' count='4 4 4'", (57, 108, 218, 171)),
        ("type='cylinder' dim='3' count='4 4 4'", (57, 108, 218, 171)),
    ] {
        let m = flexcomp(attributes, "").unwrap();
        assert_eq!((m.nflexvert, m.nflexelem, m.nflexedge, m.nv), sizes, "{attributes}");
    }
}

#[test]
fn vertices_that_are_held_have_two_rows_each() {
    let m = cloth("<edge equality='vert'/>");
    let mut d = Data::new(&m);
    step(&m, &mut d);
    assert_eq!(d.nefc, 2 * m.nflexvert);
}

#[test]
fn invalid_flexcomps_are_errors_as_in_mujoco() {
    let grid = "type='grid' dim='2' count='3 3 1'";
    for (attributes, children, words) in [
        ("type='sphere' count='3 3 3'", "", "sphere"),
        (grid, "<edge stiffness='1'/>", "edge stiffness only available for dim=1"),
        (grid, "<elasticity young='1e4' elastic2d='bend'/><pin id='0'/>", "bending"),
        ("type='grid' dim='2' count='3 3 1' young='1'", "", "young"),
    ] {
        let error = flexcomp(attributes, children).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
