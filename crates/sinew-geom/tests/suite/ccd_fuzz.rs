//! Convex collision of solids of all sizes, and of invalid solids: the search ends, returns no NaN,
//! and does not depend on its hints.

use sinew_geom::ccd::{Axis, Options, Work, collide_convex, collide_hfield, distance, is_apart};
use sinew_geom::hull::convex_hull;
use sinew_geom::shape::{Pose, Shape};
use sinew_geom::solid::{Form, HeightField, Hull, Solid};
use sinew_geom::touch::{MAX_CONTACTS, Touch};
use sinew_math::{Quat, Vec3};
use sinew_testkit::Random;

/// Random numbers, and the solids made of them.
struct Rng(Random);

impl Rng {
    fn new(seed: u64) -> Rng {
        Rng(Random::new(seed))
    }

    fn below(&mut self, n: usize) -> usize {
        self.0.below(n)
    }

    fn unit(&mut self) -> f64 {
        self.0.signed()
    }

    fn vec(&mut self) -> Vec3 {
        self.0.array().into()
    }

    fn size(&mut self) -> f64 {
        [1e-9, 1e-4, 0.01, 0.1, 0.3, 1.0, 1.0, 30.0, 1e6][self.below(9)] * (1.1 + self.unit())
    }

    fn quat(&mut self) -> Quat {
        if self.below(4) == 0 {
            return Quat::IDENTITY;
        }
        Quat::new(self.unit(), self.unit(), self.unit(), self.unit()).normalize().0
    }

    fn pose(&mut self, spread: f64) -> Pose {
        Pose { pos: self.vec() * spread, mat: self.quat().to_mat() }
    }

    fn shape(&mut self) -> Shape {
        let (x, y, z) = (self.size(), self.size(), self.size());
        match self.below(5) {
            0 => Shape::Sphere { radius: x },
            1 => Shape::Capsule { radius: x, half_len: y },
            2 => Shape::Ellipsoid { half: Vec3::new(x, y, z) },
            3 => Shape::Cylinder { radius: x, half_len: y },
            _ => Shape::Box { half: Vec3::new(x, y, z) },
        }
    }
}

/// Tables of a mesh whose polygons are triangles.
#[derive(Default)]
struct Mesh {
    vert: Vec<[f32; 3]>,
    graph: Vec<i32>,
    normal: Vec<Vec3>,
    adr: Vec<i32>,
    num: Vec<i32>,
    poly: Vec<i32>,
    map_adr: Vec<i32>,
    map_num: Vec<i32>,
    map: Vec<i32>,
}

impl Mesh {
    fn random(rng: &mut Rng, n: usize, scale: Vec3) -> Self {
        let vert: Vec<[f32; 3]> = (0..n)
            .map(|_| rng.vec().normalize().0.mul_elem(scale).to_array().map(|x| x as f32))
            .collect();
        let points: Vec<Vec3> = vert.iter().map(|v| Vec3::from(v.map(f64::from))).collect();
        let mut mesh = Mesh { vert, ..Mesh::default() };
        let Ok(hull) = convex_hull(&points, None) else { return mesh };
        mesh.graph = hull.graph();
        let mut around = vec![Vec::new(); n];
        for (i, face) in hull.faces().enumerate() {
            let [a, b, c] = face.map(|v| points[v as usize]);
            mesh.normal.push((b - a).cross(c - a).normalize().0);
            mesh.adr.push(3 * i as i32);
            mesh.num.push(3);
            for v in face {
                mesh.poly.push(v as i32);
                around[v as usize].push(i as i32);
            }
        }
        for faces in around {
            mesh.map_adr.push(mesh.map.len() as i32);
            mesh.map_num.push(faces.len() as i32);
            mesh.map.extend(faces);
        }
        mesh
    }

    /// Numbers without meaning in every table.
    fn broken(rng: &mut Rng) -> Self {
        let mut mesh = Mesh::random(rng, 30, Vec3::new(1.0, 1.0, 1.0));
        let tables = [
            &mut mesh.graph,
            &mut mesh.adr,
            &mut mesh.num,
            &mut mesh.poly,
            &mut mesh.map_adr,
            &mut mesh.map_num,
            &mut mesh.map,
        ];
        for table in tables {
            for x in table.iter_mut() {
                if rng.below(8) == 0 {
                    *x = [-1, 0, 5, 1000, i32::MAX, i32::MIN][rng.below(6)];
                }
            }
        }
        mesh
    }

    fn form(&self) -> Form<'_> {
        Form::Hull(Hull {
            vert: &self.vert,
            graph: &self.graph,
            links: &[],
            poly_normal: &self.normal,
            poly_vert_adr: &self.adr,
            poly_vert_num: &self.num,
            poly_vert: &self.poly,
            poly_map_adr: &self.map_adr,
            poly_map_num: &self.map_num,
            poly_map: &self.map,
            rbound: 1.0,
        })
    }
}

fn is_sound(touch: &Touch) -> bool {
    touch.dist.is_finite()
        && touch.pos.is_finite()
        && touch.normal.is_finite()
        && (touch.normal.norm() - 1.0).abs() < 1e-6
}

#[track_caller]
fn check(a: &Solid<'_>, b: &Solid<'_>, rng: &mut Rng, work: &mut Work) {
    let options = Options {
        multi: rng.below(2) == 0,
        native: rng.below(4) != 0,
        iterations: [0, 1, 5, 35, 35, 35, 200][rng.below(7)],
        rbound: 0.1,
        ..Options::default()
    };
    let margin = [0.0, 0.0, 0.01, 1.0][rng.below(4)];
    let mut out = Vec::new();
    collide_convex(a, b, margin, &options, work, &mut out);
    assert!(
        out.len() <= MAX_CONTACTS && out.iter().all(is_sound),
        "{a:?} {b:?} {options:?} {out:?}"
    );
    let (dist, points) = distance(a, b, 1e10, &options, work);
    assert!(dist.is_finite() && points.iter().all(|p| p.is_finite()), "{a:?} {b:?} {options:?}");
}

#[test]
fn sizes_from_atoms_to_mountains_do_no_harm() {
    let mut rng = Rng::new(1);
    let mut work = Work::default();
    for _ in 0..30_000 {
        let (a, b) = (rng.shape(), rng.shape());
        let spread = rng.size();
        let a = Solid { pose: rng.pose(spread), form: Form::Shape(a) };
        let mut b = Solid { pose: rng.pose(spread), form: Form::Shape(b) };
        match rng.below(10) {
            0 => b.pose.pos = a.pose.pos,
            1 => b.pose = a.pose,
            2 => b.pose.mat = a.pose.mat,
            _ => {}
        }
        check(&a, &b, &mut rng, &mut work);
    }
}

#[test]
fn hulls_round_flat_and_broken_do_no_harm() {
    let mut rng = Rng::new(2);
    let mut work = Work::default();
    let mut meshes = Vec::new();
    for n in [4, 5, 8, 12, 60, 600] {
        for flat in [1.0, 0.3, 1e-3, 1e-7, 0.0] {
            meshes.push(Mesh::random(&mut rng, n, Vec3::new(1.0, 0.7, flat)));
        }
    }
    meshes.extend((0..20).map(|_| Mesh::broken(&mut rng)));
    meshes.push(Mesh::default());
    for _ in 0..20_000 {
        let (i, j) = (rng.below(meshes.len()), rng.below(meshes.len()));
        let a = Solid { pose: rng.pose(1.0), form: meshes[i].form() };
        let b = match rng.below(3) {
            0 => Form::Shape(rng.shape()),
            _ => meshes[j].form(),
        };
        let b = Solid { pose: rng.pose(1.0), form: b };
        check(&b, &a, &mut rng, &mut work);
    }
}

#[test]
fn numbers_that_are_none_leave_no_trace() {
    let mut rng = Rng::new(3);
    let mut work = Work::default();
    let mesh = Mesh::random(&mut rng, 40, Vec3::new(1.0, 1.0, 1.0));
    let mut out = Vec::new();
    for _ in 0..3000 {
        let bad = [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300][rng.below(4)];
        let form = if rng.below(2) == 0 { mesh.form() } else { Form::Shape(rng.shape()) };
        let mut a = Solid { pose: rng.pose(1.0), form };
        match rng.below(3) {
            0 => a.pose.pos.x = bad,
            1 => a.pose.mat = a.pose.mat * (Quat::new(bad, 0.0, 0.0, 0.0).to_mat()),
            _ => a.form = Form::Shape(Shape::Ellipsoid { half: Vec3::new(bad, 1.0, 0.0) }),
        }
        let b = Solid { pose: rng.pose(1.0), form: Form::Shape(rng.shape()) };
        let native = rng.below(2) == 0;
        let options = Options { pair: 1, multi: true, native, ..Options::default() };
        out.clear();
        collide_convex(&a, &b, 0.01, &options, &mut work, &mut out);
        assert!(out.len() <= MAX_CONTACTS, "{a:?} {b:?} {out:?}");
        distance(&a, &b, 1.0, &options, &mut work);

        // the scratch memory that saw them gives a good pair the same answers as a fresh one
        let good = [Form::Shape(rng.shape()), mesh.form()];
        let [c, d] = good.map(|form| Solid { pose: rng.pose(1.0), form });
        let mut answers =
            [(options, &mut work), (Options { pair: 0, ..options }, &mut Work::default())]
                .map(|(options, work)| {
                    let mut touches = Vec::new();
                    collide_convex(&c, &d, 0.01, &options, work, &mut touches);
                    (touches, distance(&c, &d, 1.0, &options, work))
                })
                .into_iter();
        assert_eq!(answers.next(), answers.next(), "{a:?} {b:?} {c:?}");
    }
}

#[test]
fn terrains_of_all_kinds_do_no_harm() {
    let mut rng = Rng::new(4);
    let mut work = Work::default();
    let mut out = Vec::new();
    for _ in 0..500 {
        let (nrow, ncol) = (rng.below(12), rng.below(12));
        let mut data: Vec<f32> = (0..nrow * ncol).map(|_| rng.unit().abs() as f32).collect();
        if rng.below(10) == 0 {
            data.truncate(nrow * ncol / 2);
        }
        let size = [rng.size(), rng.size(), rng.size(), rng.size()];
        let field = HeightField { size, nrow, ncol, data: &data };
        let terrain = Solid { pose: rng.pose(0.1), form: Form::HeightField(field) };
        let b = Solid { pose: rng.pose(0.5), form: Form::Shape(rng.shape()) };
        let options = Options { native: rng.below(3) != 0, ..Options::default() };
        out.clear();
        collide_hfield(&terrain, &b, 0.01, &options, &mut work, &mut out);
        assert!(out.len() <= MAX_CONTACTS && out.iter().all(is_sound), "{b:?} {out:?}");
    }
}

#[test]
fn memory_does_not_change_results() {
    let mut rng = Rng::new(5);
    let meshes: Vec<Mesh> =
        [12, 30, 300].map(|n| Mesh::random(&mut rng, n, Vec3::new(0.3, 0.2, 0.1))).into();
    let mut work = Work::default();
    let (mut with, mut without) = (Vec::new(), Vec::new());
    let (mut separated, mut touching) = (0, 0);
    for pair in 1..400 {
        let i = rng.below(3);
        let form = match rng.below(3) {
            0 => Form::Shape(Shape::Capsule { radius: 0.1, half_len: 0.2 }),
            1 => Form::Shape(Shape::Box { half: Vec3::new(0.2, 0.1, 0.2) }),
            _ => meshes[rng.below(3)].form(),
        };
        let mut a = Solid { pose: rng.pose(0.3), form };
        let b = Solid { pose: rng.pose(0.3), form: meshes[i].form() };
        for _ in 0..30 {
            a.pose.pos += rng.vec() * 0.03;
            a.pose.mat = a.pose.mat * Quat::from_axis_angle(Vec3::Z, rng.unit() * 0.1).to_mat();
            let options = Options { pair, multi: true, rbound: 0.1, ..Options::default() };
            with.clear();
            without.clear();
            collide_convex(&a, &b, 0.0, &options, &mut work, &mut with);
            collide_convex(
                &a,
                &b,
                0.0,
                &Options { pair: 0, ..options },
                &mut Work::default(),
                &mut without,
            );
            assert_eq!(with, without);
            *(if with.is_empty() { &mut separated } else { &mut touching }) += 1;
        }
    }
    assert!(separated > 1000 && touching > 1000, "{separated} {touching}");
}

#[test]
fn solids_that_an_axis_separates_have_no_contacts() {
    let mut rng = Rng::new(6);
    let meshes: Vec<Mesh> =
        [8, 30, 300].map(|n| Mesh::random(&mut rng, n, Vec3::new(0.3, 0.2, 0.1))).into();
    let mut work = Work::default();
    let (mut apart, mut found) = (0, 0);
    for _ in 0..20_000 {
        let mut form = || match rng.below(5) {
            0 => Form::Shape(Shape::Capsule { radius: 0.1, half_len: 0.2 }),
            1 => Form::Shape(Shape::Box { half: Vec3::new(0.2, 0.1, 0.2) }),
            2 => Form::Shape(Shape::Ellipsoid { half: Vec3::new(0.2, 0.1, 0.2) }),
            i => meshes[i % 3].form(),
        };
        let (a, b) = (form(), form());
        let a = Solid { pose: rng.pose(0.3), form: a };
        let b = Solid { pose: rng.pose(0.3), form: b };
        let margin = [0.0, 0.01][rng.below(2)];
        let options = Options { rbound: 0.1, ..Options::default() };
        let mut out = Vec::new();
        collide_convex(&a, &b, margin, &options, &mut work, &mut out);

        // any axis, with any vertices; the one that the search found says the same again
        let graph_vertex = [rng.below(400) as u32, rng.below(400) as u32];
        let mut axis = Axis { dir: (b.pose.pos - a.pose.pos).normalize().0, graph_vertex };
        if is_apart(&a, &b, margin, &options, &mut axis) {
            assert!(out.is_empty(), "{a:?} {b:?} {axis:?} {out:?}");
            apart += 1;
        }
        if let Some(mut axis) = work.axis() {
            assert!(out.is_empty());
            found += usize::from(is_apart(&a, &b, margin, &options, &mut axis));
        }
    }
    assert!(apart > 1000 && found > 1000, "{apart} {found}");
}
