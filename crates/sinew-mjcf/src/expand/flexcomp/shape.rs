//! Points and elements of a flexcomp, by its type.

use crate::pose::EPS;
use crate::spec::{Flexcomp, FlexcompDof, FlexcompType};

/// The mesh of a flexcomp, in its own frame.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// Dimension of the elements.
    pub(super) dim: i32,
    /// Coordinates, flat.
    pub(super) point: Vec<f64>,
    /// Points of the elements, flat.
    pub(super) element: Vec<i32>,
    /// Texture coordinates of the points, flat; empty if there are none.
    pub(super) texcoord: Vec<f32>,
    /// Texture coordinates of the elements; empty if the points' coordinates apply.
    pub(super) elemtexcoord: Vec<i32>,
}

/// Maximum number of points: a bound on memory, above MuJoCo's limit on bodies.
pub(super) const MAX_POINTS: usize = 1 << 22;

/// Maximum number of points that a type without a file makes of three numbers.
const MAX_GENERATED: usize = 1 << 17;

/// As above if each of them becomes a body: MuJoCo needs a minute for 4,000.
const MAX_BODIES: usize = 1 << 14;

/// Numbers of points along the axes, and whether texture coordinates are to be made.
struct Lattice {
    kind: FlexcompType,
    count: [i32; 3],
    spacing: [f64; 3],
    textured: bool,
}

impl Shape {
    /// The written points and elements of a flexcomp; its type adds to them.
    pub(super) fn written(fc: &Flexcomp) -> Shape {
        Shape {
            dim: fc.values().dim(),
            point: fc.values().point().to_vec(),
            element: fc.values().element().to_vec(),
            texcoord: fc.values().texcoord().to_vec(),
            elemtexcoord: Vec::new(),
        }
    }

    /// Adds the points and elements of the types without a file.
    pub(super) fn generate(&mut self, fc: &Flexcomp) -> Result<(), String> {
        let lattice = Lattice {
            kind: fc.values().type_(),
            count: fc.values().count(),
            spacing: fc.values().spacing(),
            textured: self.texcoord.is_empty() && !fc.material.text().is_empty(),
        };

        // sizes are bounded before anything is allocated
        let most = match fc.values().dof() {
            FlexcompDof::Full | FlexcompDof::Radial => MAX_BODIES,
            _ => MAX_GENERATED,
        };
        let points = lattice.count.iter().try_fold(1usize, |all, &n| all.checked_mul(n as usize));
        if points.is_none_or(|points| points > most) {
            return Err(format!("flexcomp has more than {most} points"));
        }

        // points and elements
        match lattice.kind {
            FlexcompType::Grid | FlexcompType::Circle => self.grid(&lattice),
            FlexcompType::Box | FlexcompType::Cylinder | FlexcompType::Ellipsoid => {
                if lattice.count.iter().any(|n| *n < 2) {
                    return Err("Count too small: box, cylinder and ellipsoid need at least 2 \
                                points along each axis"
                        .into());
                }
                self.shell(&lattice);
                Ok(())
            }
            FlexcompType::Square | FlexcompType::Disc => {
                self.dim = 2;
                self.grid(&lattice)?;
                if lattice.kind == FlexcompType::Disc {
                    self.round(&lattice);
                }
                Ok(())
            }
            FlexcompType::Mesh | FlexcompType::Gmsh | FlexcompType::Direct => Ok(()),
        }
    }

    #[doc(alias = "MakeGrid")]
    fn grid(&mut self, lattice: &Lattice) -> Result<(), String> {
        match self.dim {
            1 => self.line(lattice),
            2 => self.plane(lattice),
            _ => self.block(lattice),
        }
        match self.element.is_empty() {
            true => Err("No elements were created in grid".into()),
            false => Ok(()),
        }
    }

    /// A line, or one that closes to a circle.
    fn line(&mut self, lattice: &Lattice) {
        let n = lattice.count[0];
        if lattice.kind != FlexcompType::Circle {
            for ix in 0..n {
                self.point.extend([centered(lattice, 0, ix), 0.0, 0.0]);
                if ix < n - 1 {
                    self.element.extend([ix, ix + 1]);
                }
            }
            return;
        }
        let theta = 2.0 * core::f64::consts::PI / f64::from(n - 1);
        for ix in 0..n - 1 {
            let radius = lattice.spacing[0] / (theta / 2.0).sin() / 2.0;
            let angle = theta * f64::from(ix);
            self.point.extend([radius * angle.cos(), radius * angle.sin(), 0.0]);
            self.element.extend([ix, if ix == n - 2 { 0 } else { ix + 1 }]);
        }
    }

    /// Squares of two triangles; the squares of a disc are cut along the lines to its centre.
    fn plane(&mut self, lattice: &Lattice) {
        let [nx, ny, nz] = lattice.count;
        for ix in 0..nx {
            for iy in 0..ny {
                let (x, y) = (centered(lattice, 0, ix), centered(lattice, 1, iy));
                self.point.extend([x, y, 0.0]);
                if lattice.textured {
                    let part = |i: i32, n: i32| (f64::from(i) / f64::from((n - 1).max(1))) as f32;
                    self.texcoord.extend([part(ix, nx), part(iy, ny)]);
                }
                if ix >= nx - 1 || iy >= ny - 1 {
                    continue;
                }
                let across = (x < -EPS && y > -EPS) || (x > -EPS && y < -EPS);
                let corner = |dx: i32, dy: i32| nz * ny * (ix + dx) + nz * (iy + dy);
                let quad = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                let cut = match across && lattice.kind == FlexcompType::Disc {
                    true => [0, 1, 3, 1, 2, 3],
                    false => [0, 1, 2, 0, 2, 3],
                };
                self.element.extend(cut.map(|c: usize| quad[c]));
            }
        }
    }

    /// Cubes of six tetrahedra.
    fn block(&mut self, lattice: &Lattice) {
        const TETRAHEDRA: [usize; 24] =
            [0, 3, 1, 7, 0, 1, 4, 7, 1, 3, 2, 7, 1, 2, 6, 7, 1, 5, 4, 7, 1, 6, 5, 7];
        let [nx, ny, nz] = lattice.count;
        for ix in 0..nx {
            for iy in 0..ny {
                for iz in 0..nz {
                    // points
                    let axis = |k: usize, i: i32| centered(lattice, k, i);
                    self.point.extend([axis(0, ix), axis(1, iy), axis(2, iz)]);
                    if lattice.textured {
                        self.texcoord.extend([part(ix, nx), part(iy, ny)]);
                    }

                    // the cube whose lowest corner this is
                    if ix >= nx - 1 || iy >= ny - 1 || iz >= nz - 1 {
                        continue;
                    }
                    let corner =
                        |dx: i32, dy: i32, dz: i32| nz * ny * (ix + dx) + nz * (iy + dy) + iz + dz;
                    let cube = [
                        corner(0, 0, 0),
                        corner(1, 0, 0),
                        corner(1, 1, 0),
                        corner(0, 1, 0),
                        corner(0, 0, 1),
                        corner(1, 0, 1),
                        corner(1, 1, 1),
                        corner(0, 1, 1),
                    ];
                    self.element.extend(TETRAHEDRA.map(|c| cube[c]));
                }
            }
        }
    }

    /// Presses a square into a disc: rings of the square become circles.
    fn round(&mut self, lattice: &Lattice) {
        let size = half_sizes(lattice);
        for p in self.point.chunks_exact_mut(3) {
            let ring = larger(p[0].abs(), p[1].abs());
            unit(&mut p[..2]);
            p[0] *= size[0] * ring;
            p[1] *= size[1] * ring;
        }
    }

    /// The surface of a box, cylinder or ellipsoid, with tetrahedra to a point in the centre; in
    /// two dimensions triangles without the top.
    #[doc(alias = "MakeBox")]
    fn shell(&mut self, lattice: &Lattice) {
        let solid = self.dim == 3;
        if solid {
            self.point.extend([0.0; 3]);
        }
        if lattice.textured {
            self.texcoord.extend([0.0; 2]);
        }
        let id = self.shell_points(lattice);
        let faces = Faces { lattice, solid, id: &id };
        self.element.extend(faces.z_sides());
        self.element.extend(faces.y_sides());
        self.element.extend(faces.x_sides());
    }

    /// The points of the surface side by side, and their numbers by place in the lattice.
    fn shell_points(&mut self, lattice: &Lattice) -> Vec<i32> {
        let [nx, ny, nz] = lattice.count;
        let solid = self.dim == 3;
        let open = self.dim == 2;
        let mut id = vec![0; (nx * ny * nz) as usize];
        let mut next = 0;

        // appends a point, with its texture coordinates
        let mut add = |this: &mut Shape, at: [i32; 3], uv: [f32; 2]| {
            this.point.extend(project(lattice, at));
            id[place(lattice, at)] = next;
            next += 1;
            if lattice.textured {
                this.texcoord.extend(uv);
            }
        };

        // bottom and top
        for iz in [0, nz - 1] {
            for ix in (0..nx).filter(|_| !(open && iz != 0)) {
                for iy in 0..ny {
                    add(self, [ix, iy, iz], [part(ix, nx), part(iy, ny)]);
                }
            }
        }

        // front and back, then left and right, without the edges that are there already
        let top = if open { nz } else { nz - 1 };
        for iy in [0, ny - 1] {
            for ix in 0..nx {
                for iz in 1..top {
                    add(self, [ix, iy, iz], [part(ix, nx), part(iz, nz)]);
                }
            }
        }
        for ix in [0, nx - 1] {
            for iy in 1..ny - 1 {
                for iz in 1..top {
                    add(self, [ix, iy, iz], [part(iy, ny), part(iz, nz)]);
                }
            }
        }
        debug_assert!(solid || next as usize * 3 <= self.point.len());
        id
    }
}

/// The sides of a box.
struct Faces<'a> {
    lattice: &'a Lattice,
    solid: bool,
    id: &'a [i32],
}

impl Faces<'_> {
    fn z_sides(&self) -> Vec<i32> {
        let [nx, ny, nz] = self.lattice.count;
        let mut out = Vec::new();
        for iz in [0, nz - 1] {
            if self.lattice_is_open() && iz != 0 {
                continue;
            }
            for ix in 0..nx - 1 {
                for iy in 0..ny - 1 {
                    let at = |dx: i32, dy: i32| [ix + dx, iy + dy, iz];
                    if self.solid {
                        out.extend(self.tetrahedra([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]));
                        continue;
                    }
                    let (a, b) = if iz == 0 { (1, 0) } else { (0, 1) };
                    out.extend(self.triangle([at(0, 0), at(1, a), at(1, b)]));
                    out.extend(self.triangle([at(0, 0), at(b, 1), at(a, 1)]));
                }
            }
        }
        out
    }

    fn y_sides(&self) -> Vec<i32> {
        let [nx, ny, nz] = self.lattice.count;
        let mut out = Vec::new();
        for iy in [0, ny - 1] {
            for ix in 0..nx - 1 {
                for iz in 0..nz - 1 {
                    let (from, step) = if iy == 0 || self.solid { (ix, 1) } else { (ix + 1, -1) };
                    let at = |dx: i32, dz: i32| [from + dx * step, iy, iz + dz];
                    out.extend(self.square([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]));
                }
            }
        }
        out
    }

    fn x_sides(&self) -> Vec<i32> {
        let [nx, ny, nz] = self.lattice.count;
        let mut out = Vec::new();
        for ix in [0, nx - 1] {
            for iy in 0..ny - 1 {
                for iz in 0..nz - 1 {
                    let (from, step) = if ix != 0 || self.solid { (iy, 1) } else { (iy + 1, -1) };
                    let at = |dy: i32, dz: i32| [ix, from + dy * step, iz + dz];
                    out.extend(self.square([at(0, 0), at(1, 0), at(0, 1), at(1, 1)]));
                }
            }
        }
        out
    }

    fn lattice_is_open(&self) -> bool {
        !self.solid
    }

    /// Both triangles of a square given by its corners 00, 10, 01, 11.
    fn square(&self, [a, b, c, d]: [[i32; 3]; 4]) -> Vec<i32> {
        match self.solid {
            true => self.tetrahedra([a, b, c, d]),
            false => [self.triangle([a, b, d]), self.triangle([a, d, c])].concat(),
        }
    }

    /// Two tetrahedra from the centre to a square given by its corners 00, 10, 01, 11.
    fn tetrahedra(&self, corners: [[i32; 3]; 4]) -> Vec<i32> {
        let [a, b, c, d] = corners.map(|at| box_id(self.lattice, at));
        vec![0, a, b, d, 0, a, c, d]
    }

    fn triangle(&self, corners: [[i32; 3]; 3]) -> Vec<i32> {
        corners.map(|at| self.id[place(self.lattice, at)]).to_vec()
    }
}

/// Number of a point of a solid box, whose centre has number 0.
#[doc(alias = "BoxID")]
fn box_id(lattice: &Lattice, [ix, iy, iz]: [i32; 3]) -> i32 {
    let [nx, ny, nz] = lattice.count;
    let sides = 2 * nx * ny;
    if iz == 0 {
        ix * ny + iy + 1
    } else if iz == nz - 1 {
        nx * ny + ix * ny + iy + 1
    } else if iy == 0 {
        sides + ix * (nz - 2) + iz
    } else if iy == ny - 1 {
        sides + nx * (nz - 2) + ix * (nz - 2) + iz
    } else if ix == 0 {
        sides + 2 * nx * (nz - 2) + (iy - 1) * (nz - 2) + iz
    } else {
        sides + 2 * nx * (nz - 2) + (ny - 2) * (nz - 2) + (iy - 1) * (nz - 2) + iz
    }
}

/// A point on the surface of the box, pressed into the requested shape.
#[doc(alias = "BoxProject")]
fn project(lattice: &Lattice, at: [i32; 3]) -> [f64; 3] {
    let size = half_sizes(lattice);
    let mut p = [0.0; 3];
    for k in 0..3 {
        p[k] = 2.0 * f64::from(at[k]) / f64::from(lattice.count[k] - 1) - 1.0;
    }
    match lattice.kind {
        FlexcompType::Cylinder => {
            let ring = larger(p[0].abs(), p[1].abs());
            unit(&mut p[..2]);
            [p[0] * (size[0] * ring), p[1] * (size[1] * ring), p[2] * size[2]]
        }
        FlexcompType::Ellipsoid => {
            unit(&mut p);
            [p[0] * size[0], p[1] * size[1], p[2] * size[2]]
        }
        _ => [p[0] * size[0], p[1] * size[1], p[2] * size[2]],
    }
}

/// Makes a vector unit; a tiny one is left alone (`mjuu_normvec`).
fn unit(v: &mut [f64]) {
    let square = v.iter().fold(0.0, |sum, x| sum + x * x);
    if square < EPS {
        return;
    }
    let norm = square.sqrt();
    if (norm - 1.0).abs() > EPS {
        v.iter_mut().for_each(|x| *x /= norm);
    }
}

/// Place in the lattice as one number.
fn place(lattice: &Lattice, [ix, iy, iz]: [i32; 3]) -> usize {
    let [_, ny, nz] = lattice.count;
    (ix * ny * nz + iy * nz + iz) as usize
}

fn half_sizes(lattice: &Lattice) -> [f64; 3] {
    core::array::from_fn(|k| 0.5 * lattice.spacing[k] * f64::from(lattice.count[k] - 1))
}

/// Coordinate `k` of a lattice around the origin.
fn centered(lattice: &Lattice, k: usize, i: i32) -> f64 {
    lattice.spacing[k] * (f64::from(i) - 0.5 * f64::from(lattice.count[k] - 1))
}

/// Which part of `n` points is behind point `i`, as a texture coordinate.
fn part(i: i32, n: i32) -> f32 {
    i as f32 / (n - 1).max(1) as f32
}

fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}
