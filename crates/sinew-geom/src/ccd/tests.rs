//! Literal cases, with the numbers of MuJoCo 3.5.0; wide comparison with it is in the conformance
//! tests.

use sinew_math::{Mat3, Quat, Vec3};

use super::*;
use crate::shape::{Pose, Shape};
use crate::solid::{Form, HeightField, Hull, Link};
use crate::touch::Touch;

/// Contacts agree to the bit from equal poses; these are rounded differently.
const TOL: f64 = 1e-9;

const EGG: Shape = Shape::Ellipsoid { half: Vec3::new(0.3, 0.2, 0.1) };
const CAN: Shape = Shape::Cylinder { radius: 0.2, half_len: 0.4 };
const BRICK: Shape = Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) };
const CAPSULE: Shape = Shape::Capsule { radius: 0.1, half_len: 0.3 };
const BALL: Shape = Shape::Sphere { radius: 0.25 };

/// A cube of half size one as a mesh, searched in full.
const CUBE: Hull<'static> = Hull {
    vert: &[
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ],
    graph: &[],
    links: &[],
    poly_normal: &[
        Vec3::new(0.0, 0.0, -1.0),
        Vec3::new(0.0, -1.0, 0.0),
        Vec3::new(-1.0, 0.0, 0.0),
        Vec3::X,
        Vec3::Y,
        Vec3::Z,
    ],
    poly_vert_adr: &[0, 4, 8, 12, 16, 20],
    poly_vert_num: &[4; 6],
    #[rustfmt::skip]
    poly_vert: &[0, 2, 3, 1,  0, 1, 5, 4,  0, 4, 6, 2,  1, 3, 7, 5,  2, 6, 7, 3,  4, 5, 7, 6],
    poly_map_adr: &[0, 3, 6, 9, 12, 15, 18, 21],
    poly_map_num: &[3; 8],
    #[rustfmt::skip]
    poly_map: &[0, 1, 2,  0, 1, 3,  0, 2, 4,  0, 3, 4,  1, 2, 5,  1, 3, 5,  2, 4, 5,  3, 4, 5],
    rbound: 1.7320508075688772,
};

fn placed<'a>(form: Form<'a>, pos: [f64; 3], [w, x, y, z]: [f64; 4]) -> Solid<'a> {
    let mat = Quat::new(w, x, y, z).normalize().0.to_mat();
    Solid { pose: Pose { pos: pos.into(), mat }, form }
}

fn at_origin(form: Form<'_>) -> Solid<'_> {
    Solid { pose: Pose { pos: Vec3::ZERO, mat: Mat3::IDENTITY }, form }
}

fn touches(a: &Solid<'_>, b: &Solid<'_>, options: &Options) -> Vec<Touch> {
    let mut out = Vec::new();
    collide_convex(a, b, 0.0, options, &mut Work::default(), &mut out);
    out
}

/// Checks distance, position and normal of each contact.
#[track_caller]
fn check(got: &[Touch], want: &[(f64, [f64; 3], [f64; 3])]) {
    assert_eq!(got.len(), want.len(), "{got:?}");
    for (touch, &(dist, pos, normal)) in got.iter().zip(want) {
        assert!((touch.dist - dist).abs() < TOL, "{touch:?}, wanted distance {dist}");
        assert!(touch.pos.dist(pos.into()) < TOL, "{touch:?}, wanted position {pos:?}");
        assert!(touch.normal.dist(normal.into()) < TOL, "{touch:?}, wanted normal {normal:?}");
    }
}

const SINGLE: Options = Options {
    tolerance: 1e-6,
    iterations: 35,
    multi: false,
    steady: false,
    native: true,
    rbound: 0.0,
    pair: 0,
};
const MULTI: Options = Options { multi: true, ..SINGLE };

#[test]
fn smooth_sides_touch_once_and_flat_ones_several_times() {
    let b = placed(Form::Shape(BRICK), [0.1, 0.2, 0.45], [4.0, 1.0, 2.0, 3.0]);
    check(
        &touches(&at_origin(Form::Shape(CAN)), &b, &SINGLE),
        &[(
            -0.11573782966643635,
            [0.15434764467615752, 0.02800121766648166, 0.361420719572756],
            [0.73333330585863, 0.13333314991512432, 0.6666667335724531],
        )],
    );
}

#[test]
fn deep_capsule_falls_back_to_its_surface() {
    let b = placed(Form::Shape(EGG), [0.15, 0.1, 0.2], [1.0, -1.0, 2.0, 0.0]);
    check(
        &touches(&at_origin(Form::Shape(CAPSULE)), &b, &SINGLE),
        &[(
            -0.11955983732039263,
            [0.038743025998992764, 0.010799103699442116, 0.036030061417219005],
            [0.9632689964857469, 0.26853834066768795, 8.871074313661951e-07],
        )],
    );
}

#[test]
fn ball_is_searched_as_its_centre() {
    let b = placed(Form::Hull(CUBE), [0.5, 0.3, 1.15], [1.0, 0.0, 0.0, 0.0]);
    check(
        &touches(&at_origin(Form::Shape(BALL)), &b, &SINGLE),
        &[(-0.1, [0.0, 0.0, 0.2], [0.0, 0.0, 1.0])],
    );
}

#[test]
fn faces_on_each_other_touch_at_several_points() {
    let b = placed(Form::Hull(CUBE), [0.5, 0.3, 1.05], [1.0, 0.0, 0.0, 0.0]);
    let corner = |x: f64, y: f64| (-0.05, [x, y, 0.075], [0.0, 0.0, 1.0]);
    check(
        &touches(&at_origin(Form::Shape(BRICK)), &b, &MULTI),
        &[corner(-0.3, -0.2), corner(0.3, -0.2), corner(0.3, 0.2), corner(-0.3, 0.2)],
    );
}

#[test]
fn large_polygons_become_four_contacts() {
    let b = placed(Form::Hull(CUBE), [0.5, 0.3, 1.95], [1.0, 0.0, 0.0, 0.5]);
    let got = touches(&at_origin(Form::Hull(CUBE)), &b, &MULTI);
    assert_eq!(got.len(), 4);
    for touch in got {
        assert!((touch.dist + 0.05).abs() < TOL && (touch.pos.z - 0.975).abs() < TOL);
        assert!(touch.pos.x.abs() < 1.0 + TOL && touch.pos.y.abs() < 1.0 + TOL);
    }
}

#[test]
fn small_turns_find_more_contacts() {
    let b = placed(Form::Shape(CAN), [0.1, 0.05, 0.79], [1.0, 0.0, 0.0, 0.0]);
    let options = Options { rbound: 0.2f64.hypot(0.4), ..MULTI };
    let got = touches(&at_origin(Form::Shape(CAN)), &b, &options);
    assert_eq!(got.len(), 5);
    assert!(got.iter().all(|touch| (touch.dist + 0.01).abs() < TOL));
    assert!(got[1].pos.dist(Vec3::new(0.199988970961526, 0.00024644108195, 0.39500000515)) < TOL);
}

#[test]
fn common_centres_are_not_resolved() {
    // as in MuJoCo: there is no direction to start with
    let a = at_origin(Form::Shape(EGG));
    assert_eq!(touches(&a, &at_origin(Form::Shape(CAN)), &SINGLE), []);
}

#[test]
fn distances_are_those_of_nearest_points() {
    let b = placed(Form::Hull(CUBE), [0.5, 0.3, 1.5], [4.0, 1.0, 2.0, 3.0]);
    let (dist, [from, to]) =
        distance(&at_origin(Form::Shape(BRICK)), &b, 10.0, &SINGLE, &mut Work::default());
    assert!((dist - 0.09333333333333362).abs() < TOL);
    assert!(from.dist(Vec3::new(0.3, 0.2, 0.1)) < TOL);
    assert!(
        to.dist(Vec3::new(0.36844444444444463, 0.21244444444444444, 0.16222222222222243)) < TOL
    );
    let far = distance(&at_origin(Form::Shape(BRICK)), &b, 0.05, &SINGLE, &mut Work::default());
    assert_eq!(far, (0.05, [Vec3::ZERO; 2]));
}

#[test]
fn portals_find_the_same_overlap() {
    let a = at_origin(Form::Shape(BALL));
    let b = placed(Form::Hull(CUBE), [0.5, 0.3, 1.15], [1.0, 0.0, 0.0, 0.0]);
    let got = touches(&a, &b, &Options { native: false, ..SINGLE });
    assert_eq!(got.len(), 1);
    assert!(got[0].dist < 0.0 && got[0].normal.dot(Vec3::Z) > 0.9);
}

#[test]
fn terrain_holds_a_ball() {
    let data = [0.5f32; 16];
    let field = HeightField { size: [1.0, 1.0, 0.2, 0.1], nrow: 4, ncol: 4, data: &data };
    let terrain = at_origin(Form::HeightField(field));
    let ball = placed(Form::Shape(BALL), [0.1, 0.05, 0.34], [1.0, 0.0, 0.0, 0.0]);
    let mut out = Vec::new();
    collide_hfield(&terrain, &ball, 0.0, &SINGLE, &mut Work::default(), &mut out);
    assert!(out.iter().any(|touch| (touch.dist + 0.01).abs() < 1e-6));
    assert!(out.iter().all(|touch| touch.dist < 0.0 && touch.normal.z > 0.9));
}

/// Vertices tie in every way: of a face, of an edge, exactly and but for rounding.
#[test]
fn hints_and_links_do_not_change_support_points() {
    let signs = || [-1.0, 1.0].into_iter();
    let mut points = Vec::new();
    for (x, y, z) in
        signs().flat_map(|x| signs().flat_map(move |y| signs().map(move |z| (x, y, z))))
    {
        for [a, b, c] in [[1.0, 0.8, 0.6], [0.8, 1.0, 0.6], [0.6, 0.8, 1.0], [0.8, 0.6, 1.0]] {
            points.push(Vec3::new(a * x, b * y, c * z));
        }
    }
    let mut random = sinew_testkit::Random::new(7);
    let solid = crate::hull::convex_hull(&points, None).expect("the points span a solid");
    let (graph, vert) =
        (solid.graph(), points.iter().map(|p| [p.x as f32, p.y as f32, p.z as f32]));
    let vert: Vec<_> = vert.collect();
    let hull = Hull { vert: &vert, graph: &graph, ..CUBE };
    let links = Link::of_graph(&hull);
    assert!(links.len() > vert.len());
    let with_links = at_origin(Form::Hull(Hull { links: &links, ..hull }));
    let solid = at_origin(Form::Hull(hull));
    let (none, mut library) = (hints::Library::default(), hints::Library::default());
    library.admit(&graph);
    let mut plain = Convex::new(&solid, 0.0, &none).expect("a hull is convex");
    let mut hinted = Convex::new(&solid, 0.0, &library).expect("a hull is convex");
    let mut linked = Convex::new(&with_links, 0.0, &none).expect("a hull is convex");
    for _ in 0..20_000 {
        // about an axis, an edge or nothing, and a little or not at all off it
        let axis = Vec3::from([0; 3].map(|_| random.pick(&[-1.0, 0.0, 0.0, 1.0, 0.3])));
        let off = Vec3::from(random.array()) * random.pick(&[0.0, 1e-17, 1e-16, 1e-12, 1e-7, 1e-2]);
        let dir = (axis + off).normalize().0;
        hinted.start_at(plain.graph_vertex as u32);
        linked.start_at(plain.graph_vertex as u32);
        assert_eq!(hinted.support(dir), plain.support(dir), "in the direction {dir:?}");
        assert_eq!(hinted.graph_vertex, plain.graph_vertex, "in the direction {dir:?}");
        linked.support(dir);
        assert_eq!(linked.mark(), plain.mark(), "in the direction {dir:?}");
    }
}

/// Lists that say what is not there have links up to that place, where searches end, too.
#[test]
fn links_of_broken_graphs_end_where_searches_do() {
    assert!(Link::of_graph(&CUBE).is_empty());
    let vert = [[0.0; 3], [1.0; 3]];
    let of = |graph: &[i32]| Link::of_graph(&Hull { vert: &vert, graph, ..CUBE });
    assert!(of(&[9, 1, 0]).is_empty());
    let numbers =
        of(&[2, 1, 0, 3, 0, 7, 0, 1, -1, 5, 0]).iter().map(|l| l.vertex).collect::<Vec<_>>();
    assert_eq!(numbers, [0, -1, -1, -1, 0]);
}
