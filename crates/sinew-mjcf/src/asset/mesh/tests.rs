use super::*;
use crate::asset::mesh::fit::FitShape;
use sinew_model::enums::MeshBuiltin;

fn compile(input: &MeshInput) -> Result<CompiledMesh, AssetError> {
    compile_mesh(input, &mut |path| Err(format!("Error opening file '{path}'")))
}

fn error(input: &MeshInput) -> String {
    compile(input).unwrap_err().message
}

/// A closed prism of height 0.1 over unit cells scaled by 0.1.
fn prism(cells: &[(i32, i32)]) -> MeshInput {
    let mut corners: Vec<[i32; 3]> = Vec::new();
    let mut userface = Vec::new();
    let mut quad = |points: [[i32; 3]; 4]| {
        let index = points.map(|p| {
            let known = corners.iter().position(|c| *c == p);
            known.unwrap_or_else(|| {
                corners.push(p);
                corners.len() - 1
            }) as i32
        });
        userface.extend([index[0], index[1], index[2], index[0], index[2], index[3]]);
    };
    for &(x, y) in cells {
        quad([[x, y + 1, 0], [x + 1, y + 1, 0], [x + 1, y, 0], [x, y, 0]]);
        quad([[x, y, 1], [x + 1, y, 1], [x + 1, y + 1, 1], [x, y + 1, 1]]);
        let sides = [
            ((1, 0), [x + 1, y], [x + 1, y + 1]),
            ((-1, 0), [x, y + 1], [x, y]),
            ((0, 1), [x + 1, y + 1], [x, y + 1]),
            ((0, -1), [x, y], [x + 1, y]),
        ];
        for ((dx, dy), a, b) in sides {
            if !cells.contains(&(x + dx, y + dy)) {
                quad([[a[0], a[1], 0], [b[0], b[1], 0], [b[0], b[1], 1], [a[0], a[1], 1]]);
            }
        }
    }
    let uservert = corners.iter().flatten().map(|c| (f64::from(*c) * 0.1) as f32).collect();
    MeshInput { name: "m".into(), uservert, userface, needhull: true, ..MeshInput::default() }
}

fn tetrahedron() -> MeshInput {
    MeshInput {
        name: "m".into(),
        uservert: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        ..MeshInput::default()
    }
}

/// Mass and principal inertia at density 1000, as a geom of this mesh has.
fn mass(mesh: &CompiledMesh) -> [f64; 4] {
    let m = 1000.0 * mesh.volume;
    let [x, y, z] = mesh.boxsz.to_array().map(|h| h * h);
    [m, m * (y + z) / 3.0, m * (x + z) / 3.0, m * (x + y) / 3.0]
}

#[test]
fn kinds_of_inertia_weigh_as_in_mujoco() {
    // body_mass and body_inertia of MuJoCo 3.5.0 for one mesh geom of each kind
    let cuboid = [(0, 0)];
    let l_shape = [(0, 0), (0, 1), (1, 0)];
    let u_shape = [(0, 0), (0, 1), (0, 2), (1, 0), (2, 0), (2, 1), (2, 2)];
    type Row<'a> = (&'a [(i32, i32)], MeshInertia, [f64; 4]);
    let table: [Row<'_>; 10] = [
        (&cuboid, MeshInertia::Legacy, [1.0, 1.0 / 600.0, 1.0 / 600.0, 1.0 / 600.0]),
        (&cuboid, MeshInertia::Exact, [1.0, 1.0 / 600.0, 1.0 / 600.0, 1.0 / 600.0]),
        (&l_shape, MeshInertia::Convex, [3.50000016, 0.0210317476, 0.0158333345, 0.0110317469]),
        (&l_shape, MeshInertia::Exact, [3.00000013, 0.0183333347, 0.0150000011, 0.00833333395]),
        (&l_shape, MeshInertia::Legacy, [3.00000013, 0.0183333347, 0.0150000011, 0.00833333395]),
        (&l_shape, MeshInertia::Shell, [140.000004, 1.20952388, 1.00000006, 0.642857181]),
        (&u_shape, MeshInertia::Convex, [9.00000085, 0.135000023, 0.0750000127, 0.0750000127]),
        (&u_shape, MeshInertia::Exact, [7.00000069, 0.120238117, 0.071666679, 0.0602381058]),
        (&u_shape, MeshInertia::Legacy, [8.61754092, 0.128324647, 0.0746175527, 0.0669913028]),
        (&u_shape, MeshInertia::Shell, [300.000021, 6.15333423, 3.70000051, 3.42000049]),
    ];
    for (cells, inertia, expected) in table {
        let mesh = compile(&MeshInput { inertia, ..prism(cells) }).unwrap();
        for (got, want) in mass(&mesh).into_iter().zip(expected) {
            assert!((got - want).abs() < 2e-7 * want, "{inertia:?}: {got} is not {want}");
        }
    }
}

#[test]
fn mesh_is_moved_to_its_frame_of_inertia() {
    // mesh_pos, mesh_quat of MuJoCo 3.5.0
    let cells = [(0, 0), (0, 1), (1, 0)];
    let mesh = compile(&MeshInput { inertia: MeshInertia::Convex, ..prism(&cells) }).unwrap();
    let pos = [0.09047619182439078, 0.09047619182439079, 0.05000000074505807];
    let quat = [0.2705980500730991, 0.6532814824381896, -0.2705980500730991, 0.6532814824381896];
    assert!(mesh.pos.dist(pos.into()) < 1e-15);
    assert!((0..4).all(|k| (mesh.quat[k] - quat[k]).abs() < 1e-15));
    let bounds = mesh.aamm;
    assert!((0..3).all(|k| bounds[k] < 0.0 && bounds[k + 3] > 0.0));
}

#[test]
fn faces_come_from_the_hull_if_none_are_given() {
    // mesh_face of MuJoCo 3.5.0
    let mesh = compile(&tetrahedron()).unwrap();
    assert_eq!(mesh.face, [[2, 1, 0], [1, 3, 0], [3, 2, 0], [2, 3, 1]]);
    assert_eq!(mesh.graph[..2], [4, 4]);
    assert!((mesh.volume - 1.0 / 6.0).abs() < 1e-12);
    assert_eq!(mesh.polyvertnum, [3, 3, 3, 3]);
    assert_eq!(mesh.polymapnum, [3, 3, 3, 3]);
    assert_eq!(mesh.bvh.len(), 7);
}

#[test]
fn flat_sides_become_polygons() {
    let mesh = compile(&prism(&[(0, 0)])).unwrap();
    assert_eq!(mesh.polyvertnum, [4; 6]);
    assert_eq!(mesh.polymapnum, [3; 8]);
}

#[test]
fn scale_turns_and_mirrors() {
    let cells = [(0, 0), (0, 1), (1, 0)];
    let plain = compile(&prism(&cells)).unwrap();
    let doubled = compile(&MeshInput { scale: [2.0; 3], ..prism(&cells) }).unwrap();
    assert!((doubled.volume - 8.0 * plain.volume).abs() < 1e-12);
    let shifted = compile(&MeshInput { refpos: [1.0, 0.0, 0.0], ..prism(&cells) }).unwrap();
    assert!((shifted.pos.x - plain.pos.x + 1.0).abs() < 1e-12);
    // inline faces are not turned around by a mirroring scale
    let mirrored = MeshInput { scale: [-1.0, 1.0, 1.0], ..prism(&cells) };
    assert!((compile(&mirrored).unwrap().volume - plain.volume).abs() < 1e-12);
    let exact = MeshInput { inertia: MeshInertia::Exact, ..mirrored };
    assert_eq!(error(&exact), "mesh volume is negative (misoriented triangles): m");
}

#[test]
fn builtin_shapes_have_their_sizes() {
    // mesh_vertnum and mesh_facenum of MuJoCo 3.5.0
    let table: [(MeshBuiltin, &[f64], usize, usize); 8] = [
        (MeshBuiltin::Sphere, &[2.0], 162, 320),
        (MeshBuiltin::Hemisphere, &[3.0], 42, 80),
        (MeshBuiltin::Cone, &[5.0, 0.5], 10, 16),
        (MeshBuiltin::Cone, &[5.0, 0.0], 6, 8),
        (MeshBuiltin::Supersphere, &[10.0, 0.5, 0.5], 92, 180),
        (MeshBuiltin::Supertorus, &[20.0, 0.5, 1.0, 1.0], 400, 800),
        (MeshBuiltin::Wedge, &[10.0, 10.0, 60.0, 30.0, 0.0], 100, 196),
        (MeshBuiltin::Plate, &[10.0, 10.0], 100, 162),
    ];
    for (shape, params, nvert, nface) in table {
        let input = MeshInput { builtin: Some((shape, params.to_vec())), ..MeshInput::default() };
        let mesh = compile(&input).unwrap();
        assert_eq!((mesh.vert.len(), mesh.face.len()), (nvert, nface), "{shape:?}");
    }
}

#[test]
fn bad_builtin_parameters_are_named() {
    let text = |shape, params: &[f64]| {
        error(&MeshInput { builtin: Some((shape, params.to_vec())), ..MeshInput::default() })
    };
    assert_eq!(text(MeshBuiltin::Sphere, &[]), "Sphere mesh type requires 1 parameter");
    assert_eq!(text(MeshBuiltin::Sphere, &[5.0]), "Sphere subdivision cannot be greater than 4");
    assert_eq!(text(MeshBuiltin::Cone, &[2.0, 0.0]), "at least 4 vertices required");
    assert_eq!(text(MeshBuiltin::Plate, &[1e9, 1e9]), "builtin mesh is too large");
    assert_eq!(text(MeshBuiltin::Cone, &[-3.0, 1.0]), "at least 4 vertices required");
    let radius = text(MeshBuiltin::Supertorus, &[9.0, 2.0, 1.0, 1.0]);
    assert_eq!(radius, "Supertorus radius must be in (0, 1]");
}

#[test]
fn bad_data_is_named() {
    let with = |change: fn(&mut MeshInput)| {
        let mut input =
            MeshInput { userface: vec![0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], ..tetrahedron() };
        change(&mut input);
        error(&input)
    };
    assert_eq!(with(|m| _ = m.uservert.pop()), "vertex data must be a multiple of 3");
    assert_eq!(with(|m| m.uservert.truncate(9)), "at least 4 vertices required");
    assert_eq!(with(|m| _ = m.userface.pop()), "face data must be a multiple of 3");
    assert_eq!(with(|m| m.userface[4] = 4), "in face 1, vertex index 4 does not exist");
    assert_eq!(with(|m| m.userface[4] = -1), "in face 1, vertex index -1 does not exist");
    assert_eq!(with(|m| m.usernormal = vec![0.0]), "normal data must be a multiple of 3");
    assert_eq!(with(|m| m.usertexcoord = vec![0.0]), "texcoord must be a multiple of 2");
    assert!(with(|m| m.usertexcoord = vec![0.0; 2]).starts_with("texcoord must be 2*nv"));
    assert_eq!(with(|m| m.uservert[5] = f32::NAN), "vertex coordinate 1 is not finite");
    assert_eq!(with(|m| m.uservert.fill(1.0)), "mesh surface area is too small: m");
    let flat = with(|m| m.uservert[11] = 0.0);
    assert_eq!(flat, "mesh volume is too small: m . Try setting inertia to shell");
    let turned = with(|m| {
        m.inertia = MeshInertia::Exact;
        m.userface.swap(0, 1);
    });
    assert!(turned.starts_with("faces of mesh 'm' have inconsistent orientation."), "{turned}");
}

#[test]
fn flat_meshes_without_faces_have_no_hull() {
    let mut input = tetrahedron();
    input.uservert[11] = 0.0;
    assert_eq!(error(&input), "qhull error");
}

#[test]
fn files_are_told_apart() {
    let file = |path: &str, kind: &str| {
        let input =
            MeshInput { file: path.into(), content_type: kind.into(), ..MeshInput::default() };
        compile_mesh(&input, &mut |_| Ok(Vec::new().into())).unwrap_err().message
    };
    assert_eq!(file("a.STL", ""), "STL file 'a.STL' is empty");
    assert_eq!(file("a.msh", ""), "MSH file 'a.msh' is empty");
    assert_eq!(file("a.obj", ""), "at least 4 vertices required");
    assert_eq!(file("a.ply", ""), "unsupported mesh type: 'model/ply'");
    assert_eq!(file("a.dae", ""), "unknown or unsupported mesh file: 'a.dae'");
    assert_eq!(file("a.stl", "bogus"), "invalid content type: 'bogus'");
    assert_eq!(file("a.stl", "model/obj"), "at least 4 vertices required");
    let missing = MeshInput { file: "a.stl".into(), ..MeshInput::default() };
    assert_eq!(error(&missing), "Error opening file 'a.stl'");
}

#[test]
fn primitives_fit_the_box_of_inertia_or_the_bounds() {
    let mesh = compile(&prism(&[(0, 0), (1, 0), (2, 0)])).unwrap();
    let (size, center) = mesh.fit(FitShape::Box, [0.0; 3], 1.0, false);
    assert!((size[2] - 0.15).abs() < 1e-7 && center == Vec3::ZERO, "{size:?}");
    let (size, center) = mesh.fit(FitShape::Capsule, [0.0; 3], 2.0, true);
    assert!((size[0] - 0.1).abs() < 1e-7 && (size[1] - 0.2).abs() < 1e-7, "{size:?}");
    assert!(center.norm() < 1e-12);
    let (pos, _) = mesh.geom_frame(Vec3::X, Quat::IDENTITY, Vec3::ZERO);
    assert!(pos.dist(Vec3::X + mesh.pos) < 1e-15);
}

#[test]
fn mutated_files_never_panic() {
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvt .5 .5\n\
               f 1/1/1 3/1/1 2/1/1\nf 1 2 4\ng a\nf 1//1 4//1 3//1\nf 2 3 4 1\n";
    let mut stl = vec![0; 80];
    stl.extend(4_i32.to_le_bytes());
    let mut msh: Vec<u8> = [4_i32, 4, 4, 4].iter().flat_map(|n| n.to_le_bytes()).collect();
    let corner = |i: usize| [0, 1, 2].map(|k| if i == k + 1 { 1.0_f32 } else { 0.0 });
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    for face in faces {
        stl.extend([0; 12]);
        face.iter().flat_map(|i| corner(*i)).for_each(|x| stl.extend(x.to_le_bytes()));
        stl.extend([0; 2]);
    }
    (0..8).flat_map(|i| corner(i % 4)).for_each(|x| msh.extend(x.to_le_bytes()));
    (0..8).for_each(|_| msh.extend(0.5_f32.to_le_bytes()));
    faces.iter().flatten().for_each(|i| msh.extend((*i as i32).to_le_bytes()));

    let mut random = sinew_testkit::Random::new(7);
    for (path, bytes) in [("a.obj", obj.as_bytes().to_vec()), ("a.stl", stl), ("a.msh", msh)] {
        let input = MeshInput { file: path.into(), needhull: true, ..MeshInput::default() };
        assert!(compile_mesh(&input, &mut |_| Ok(bytes.clone().into())).is_ok(), "{path}");
        for _ in 0..400 {
            let mut broken = bytes.clone();
            for _ in 0..=random.below(4) {
                let at = random.below(broken.len());
                broken[at] = random.below(256) as u8;
            }
            if random.below(4) == 0 {
                broken.truncate(random.below(broken.len()));
            }
            let _ = compile_mesh(&input, &mut |_| Ok(broken.clone().into()));
        }
    }
}

#[test]
fn a_hull_much_larger_than_its_mesh_is_worth_a_warning() {
    let corner = compile(&prism(&[(0, 0), (1, 0), (0, 1)])).unwrap();
    let words = "the mesh is not convex: geoms collide as its convex hull, with 1.17 times its \
                 volume";
    assert_eq!(corner.warnings, [words]);

    // convex, with faces of its own or without; not used for collision
    assert!(compile(&prism(&[(0, 0), (1, 0)])).unwrap().warnings.is_empty());
    assert!(compile(&MeshInput { needhull: true, ..tetrahedron() }).unwrap().warnings.is_empty());
    let seen = MeshInput { needhull: false, ..prism(&[(0, 0), (1, 0), (0, 1)]) };
    assert!(compile(&seen).unwrap().warnings.is_empty());
}
