//! Macros that turn a table of fields into a struct with its allocation and description.

use crate::pod::{Meaning, Scalar};
use crate::table::Shape;

/// Roles of a field, beyond the numbers it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A value of a state that no stage computes, or computes only in part.
    Input,
    /// A part of a state that a step carries over to the next. Examples are components of the
    /// state, the solver's warmstart, and readings of sensors with an interval.
    Carried,
    /// A result of a step that no stage uses: only readers of a state need it.
    Result,
    /// A constant of a model that `set_const` computes from other fields.
    Derived,
    /// Memory that a plugin resets.
    Plugin,
}

/// Description of a field: its name, its scalar type and the meaning of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldInfo {
    /// MuJoCo's name.
    pub name: &'static str,
    /// Documentation.
    pub doc: &'static str,
    /// Kind of number.
    pub scalar: Scalar,
    /// Meaning of integers, if their type determines it.
    pub meaning: Meaning,
    /// Name of the size that is the number of rows.
    pub rows: &'static str,
    /// Whether it lives as long as the `Data` (false for per-step lists).
    pub fixed: bool,
    /// Roles of the field.
    pub marks: &'static [Mark],
}

impl FieldInfo {
    /// Whether the field has a role.
    pub fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }
}

/// Memory and shape of a field.
#[derive(Debug)]
pub struct FieldView<'a> {
    /// Description.
    pub info: &'static FieldInfo,
    /// Present shape.
    pub shape: Shape,
    /// Bytes of the field, in native order.
    pub bytes: &'a [u8],
}

/// Writable memory and shape of a field.
#[derive(Debug)]
pub struct FieldViewMut<'a> {
    /// Description.
    pub info: &'static FieldInfo,
    /// Present shape.
    pub shape: Shape,
    /// Bytes of the field, in native order.
    pub bytes: &'a mut [u8],
}

/// Storage of a field: a table of rows, or rows of run-time width.
macro_rules! storage {
    ($id:ident, $ty:ty) => { crate::table::Table<$id, $ty> };
    ($id:ident, $ty:ty, $($w:tt)+) => { crate::table::Strided<$id, $ty> };
}
pub(crate) use storage;

/// Returns the shape and the bytes of a field.
pub type FieldAccess<T> = for<'a> fn(&'a mut T) -> (Shape, &'a mut [u8]);

/// Run-time width of a row: a size of the model, or a multiple of one.
macro_rules! width {
    ($m:ident, $size:ident) => {
        $m.$size
    };
    ($m:ident, $size:ident * $k:literal) => {
        $m.$size * $k
    };
}
pub(crate) use width;

/// `FIELDS`, `field` and `field_mut` of a struct, from its table.
macro_rules! describe {
    ($name:ident {
        $($rows:ident, $fixed:literal, $f:ident: $store:ty, $doc:literal, [$($mark:ident)*];)*
    }) => {
        impl $name {
            /// Every array field, in MuJoCo's order.
            pub const FIELDS: &'static [crate::fields::FieldInfo] = &[$(
                crate::fields::FieldInfo {
                    name: stringify!($f),
                    doc: $doc,
                    scalar: <<$store as crate::table::Storage>::Row as crate::pod::Pod>::SCALAR,
                    meaning: <<$store as crate::table::Storage>::Row as crate::pod::Pod>::MEANING,
                    rows: stringify!($rows),
                    fixed: $fixed,
                    marks: &[$(crate::fields::Mark::$mark),*],
                },
            )*];

            /// Access to every array field, in the order of [`Self::FIELDS`].
            pub const ACCESS: &'static [crate::fields::FieldAccess<Self>] = &[$(
                |owner| {
                    use crate::table::Storage;
                    (owner.$f.shape(), owner.$f.bytes_mut())
                },
            )*];

            /// Calls `f` with every field in order.
            pub fn for_each_field<'a>(&'a self, mut f: impl FnMut(crate::fields::FieldView<'a>)) {
                use crate::table::Storage;
                let mut infos = Self::FIELDS.iter();
                $(
                    let info = infos.next().expect("one description per field");
                    let (shape, bytes) = (self.$f.shape(), self.$f.bytes());
                    f(crate::fields::FieldView { info, shape, bytes });
                )*
            }

            /// Calls `f` with every writable field in order.
            pub fn for_each_field_mut<'a>(
                &'a mut self,
                mut f: impl FnMut(crate::fields::FieldViewMut<'a>),
            ) {
                use crate::table::Storage;
                let mut infos = Self::FIELDS.iter();
                $(
                    let info = infos.next().expect("one description per field");
                    let shape = self.$f.shape();
                    f(crate::fields::FieldViewMut { info, shape, bytes: self.$f.bytes_mut() });
                )*
            }

            /// The field called `name`.
            pub fn field(&self, name: &str) -> Option<crate::fields::FieldView<'_>> {
                use crate::table::Storage;
                match name {
                    $(stringify!($f) => {
                        let info = Self::FIELDS.iter().find(|i| i.name == name)?;
                        let (shape, bytes) = (self.$f.shape(), self.$f.bytes());
                        Some(crate::fields::FieldView { info, shape, bytes })
                    })*
                    _ => None,
                }
            }

            /// The writable field called `name`.
            pub fn field_mut(&mut self, name: &str) -> Option<crate::fields::FieldViewMut<'_>> {
                use crate::table::Storage;
                match name {
                    $(stringify!($f) => {
                        let info = Self::FIELDS.iter().find(|i| i.name == name)?;
                        let shape = self.$f.shape();
                        let bytes = self.$f.bytes_mut();
                        Some(crate::fields::FieldViewMut { info, shape, bytes })
                    })*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use describe;

/// Declares `Model` from its sizes and arrays.
macro_rules! model_table {
    (
        sizes { $($size:ident, $sdoc:literal;)* }
        $($rows:ident($id:ident) {
            $($f:ident: $ty:ty $([$($w:tt)*])?, $doc:literal $(, $($mark:ident)+)?;)*
        })*
    ) => {
        /// A compiled model: constant while a simulation runs, shared by many `Data`.
        #[doc(alias = "mjModel")]
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct Model {
            $(#[doc = $sdoc] pub $size: usize,)*
            /// Simulation options.
            pub opt: Options,
            /// Visual settings.
            pub vis: Visual,
            /// Statistics of the model.
            pub stat: Statistic,
            /// Settings of the exact friction mode, which MuJoCo does not have.
            pub coulomb: crate::coulomb::Coulomb,
            /// Friction reference parameters of each geom, which MuJoCo does not have; zeros mean
            /// `solref`. Empty if no geom has any.
            pub geom_solreffriction: Vec<[f64; 2]>,
            /// Parameters that came with later versions of MuJoCo; none in most models.
            pub later: Option<Box<crate::later::Later>>,
            /// The code of the plugins, by instance.
            pub plugins: crate::plugin_memory::Plugins,
            $($(#[doc = $doc] pub $f: crate::fields::storage!($id, $ty $(, $($w)*)?),)*)*
        }

        impl Model {
            /// The names of the sizes, in MuJoCo's order.
            pub const SIZES: &'static [(&'static str, &'static str)] =
                &[$((stringify!($size), $sdoc),)*];

            /// The size called `name`.
            pub fn size(&self, name: &str) -> Option<usize> {
                match name {
                    $(stringify!($size) => Some(self.$size),)*
                    _ => None,
                }
            }

            /// The size called `name`, to be written.
            pub fn size_mut(&mut self, name: &str) -> Option<&mut usize> {
                match name {
                    $(stringify!($size) => Some(&mut self.$size),)*
                    _ => None,
                }
            }

            /// Bytes all arrays take at the present sizes; none if that overflows.
            pub fn array_bytes(&self) -> Option<usize> {
                let m = self;
                let mut total = 0usize;
                $($(
                    let widths = [1usize $(, crate::fields::width!(m, $($w)*))?];
                    let width: usize = widths.into_iter().last()?;
                    let row = size_of::<$ty>().checked_mul(width)?;
                    total = total.checked_add(m.$rows.checked_mul(row)?)?;
                )*)*
                Some(total)
            }

            /// Takes over the contents of `src` while the arrays stay where they are in memory;
            /// panics if the two differ in a size.
            pub fn copy_from(&mut self, src: &Model) {
                use crate::table::Storage;
                $(self.$size = src.$size;)*
                (self.opt, self.vis, self.stat) = (src.opt, src.vis, src.stat);
                self.coulomb.clone_from(&src.coulomb);
                self.geom_solreffriction.clone_from(&src.geom_solreffriction);
                self.later.clone_from(&src.later);
                self.plugins.clone_from(&src.plugins);
                $($(self.$f.bytes_mut().copy_from_slice(src.$f.bytes());)*)*
            }

            /// Allocates every array at the length its size says, with default rows.
            pub fn allocate(&mut self) {
                use crate::table::Storage;
                let m = self;
                $($(
                    m.$f = Storage::alloc(m.$rows, 0 $(+ crate::fields::width!(m, $($w)*))?);
                )*)*
            }
        }

        crate::fields::describe! { Model {
            $($($rows, true, $f: crate::fields::storage!($id, $ty $(, $($w)*)?), $doc,
                [$($($mark)+)?];)*)*
        } }
    };
}
pub(crate) use model_table;

/// Declares `Data` from its state arrays (sized by the model) and per-step lists.
macro_rules! data_table {
    (
        state { $($rows:ident($id:ident) {
            $($f:ident: $ty:ty $([$($w:tt)*])?, $doc:literal $(, $($mark:ident)+)?;)*
        })* }
        lists { $($lrows:ident($lid:ident) {
            $($lf:ident: $lty:ty, $ldoc:literal $(, $($lmark:ident)+)?;)*
        })* }
    ) => {
        /// The state of a simulation and everything computed from it.
        ///
        /// Owns its buffers and holds no reference to the `Model`; `clone` branches a simulation.
        #[doc(alias = "mjData")]
        #[derive(Clone, Debug, Default)]
        pub struct Data {
            /// Simulation time, seconds.
            pub time: f64,
            /// Potential and kinetic energy.
            pub energy: [f64; 2],
            /// Number of detected contacts.
            pub ncon: usize,
            /// Number of equality constraint rows.
            pub ne: usize,
            /// Number of dry-friction rows.
            pub nf: usize,
            /// Number of limit rows.
            pub nl: usize,
            /// Number of constraint rows.
            pub nefc: usize,
            /// Non-zeros of the constraint Jacobian.
            #[allow(non_snake_case)]
            pub nJ: usize,
            /// Non-zeros of the inverse inertia in constraint space.
            #[allow(non_snake_case)]
            pub nA: usize,
            /// Number of constraint islands.
            pub nisland: usize,
            /// Number of dofs in all islands.
            pub nidof: usize,
            /// Number of awake trees.
            pub ntree_awake: usize,
            /// Number of awake and static bodies.
            pub nbody_awake: usize,
            /// Number of bodies whose parent is awake.
            pub nparent_awake: usize,
            /// Number of awake dofs.
            pub nv_awake: usize,
            /// Whether the potential energy is up to date.
            pub flg_energypos: bool,
            /// Whether the kinetic energy is up to date.
            pub flg_energyvel: bool,
            /// Whether the subtree velocities are up to date.
            pub flg_subtreevel: bool,
            /// Whether `rne_post_constraint` has run.
            pub flg_rnepost: bool,
            /// Largest number of contacts seen since reset.
            pub maxuse_con: usize,
            /// Largest number of constraint rows seen since reset.
            pub maxuse_efc: usize,
            /// Solver statistics per island and iteration.
            pub solver: Vec<SolverStat>,
            /// Solver iterations per island.
            pub solver_niter: [i32; 20],
            /// Non-zeros of the Hessian or of `efc_AR`, per island.
            pub solver_nnz: [i32; 20],
            /// Forward against inverse dynamics: difference in joint and constraint space.
            pub solver_fwdinv: [f64; 2],
            /// Warnings, by kind.
            pub warning: [WarningStat; 8],
            /// Timers, by stage.
            pub timer: [TimerStat; 15],
            /// The contacts found by the last collision detection.
            pub contact: Vec<Contact>,
            $($(#[doc = $doc] pub $f: crate::fields::storage!($id, $ty $(, $($w)*)?),)*)*
            $($(#[doc = $ldoc] pub $lf: crate::fields::storage!($lid, $lty),)*)*
            /// Where springs that yield have come to rest (MuJoCo 4.0); empty in most models.
            pub plastic: Vec<f64>,
            /// Certificate of the last step of the exact friction mode.
            pub coulomb: crate::coulomb::Certificate,
            /// Plugin instances.
            pub plugins: crate::plugin_memory::Instances,
            /// Scratch memory of the engine.
            pub work: crate::work::Scratch,
        }

        impl Data {
            /// Allocates every state array for the model, with default rows; lists stay empty.
            pub(crate) fn allocate(m: &Model) -> Data {
                use crate::table::Storage;
                Data {
                    $($($f: Storage::alloc(m.$rows, 0 $(+ crate::fields::width!(m, $($w)*))?),)*)*
                    plastic: vec![0.0; m.nplastic()],
                    ..Data::default()
                }
            }

            /// Empties every per-step list, keeping capacity.
            pub(crate) fn clear_lists(&mut self) {
                $($(self.$lf.clear();)*)*
            }

            /// Copies `src` into the existing memory. The state arrays do not move, and nothing is
            /// allocated once the lists have grown. Panics if the sizes of the two models differ.
            /// Plugin instances are kept.
            #[doc(alias = "mj_copyData")]
            pub fn copy_from(&mut self, src: &Data) {
                use crate::table::Storage;
                $($(self.$f.bytes_mut().copy_from_slice(src.$f.bytes());)*)*
                $($(self.$lf.clone_from(&src.$lf);)*)*
                // all that is no table by its name, so that a new field cannot be forgotten
                let Data {
                    time, energy, ncon, ne, nf, nl, nefc, nJ, nA, nisland, nidof, ntree_awake,
                    nbody_awake, nparent_awake, nv_awake, flg_energypos, flg_energyvel,
                    flg_subtreevel, flg_rnepost, maxuse_con, maxuse_efc, solver, solver_niter,
                    solver_nnz, solver_fwdinv, warning, timer, contact, plastic, coulomb,
                    plugins: _, work: _,
                    $($($f: _,)*)* $($($lf: _,)*)*
                } = src;
                (self.time, self.energy) = (*time, *energy);
                (self.ncon, self.ne, self.nf, self.nl) = (*ncon, *ne, *nf, *nl);
                (self.nefc, self.nJ, self.nA) = (*nefc, *nJ, *nA);
                (self.nisland, self.nidof) = (*nisland, *nidof);
                (self.ntree_awake, self.nbody_awake) = (*ntree_awake, *nbody_awake);
                (self.nparent_awake, self.nv_awake) = (*nparent_awake, *nv_awake);
                (self.flg_energypos, self.flg_energyvel) = (*flg_energypos, *flg_energyvel);
                (self.flg_subtreevel, self.flg_rnepost) = (*flg_subtreevel, *flg_rnepost);
                (self.maxuse_con, self.maxuse_efc) = (*maxuse_con, *maxuse_efc);
                (self.solver_niter, self.solver_nnz) = (*solver_niter, *solver_nnz);
                (self.solver_fwdinv, self.warning, self.timer) = (*solver_fwdinv, *warning, *timer);
                self.solver.clone_from(solver);
                self.contact.clone_from(contact);
                self.plastic.copy_from_slice(plastic);
                self.coulomb.copy_from(coulomb);
            }

            /// Changes the number of rows of the per-step list called `name`; false if there is
            /// no such list.
            pub fn resize_list(&mut self, name: &str, rows: usize) -> bool {
                match name {
                    $($(stringify!($lf) => self.$lf.resize(rows),)*)*
                    _ => return false,
                }
                true
            }
        }

        crate::fields::describe! { Data {
            $($($rows, true, $f: crate::fields::storage!($id, $ty $(, $($w)*)?), $doc,
                [$($($mark)+)?];)*)*
            $($($lrows, false, $lf: crate::fields::storage!($lid, $lty), $ldoc,
                [$($($lmark)+)?];)*)*
        } }
    };
}
pub(crate) use data_table;
