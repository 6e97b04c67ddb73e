//! Typed ids: indices of one table only, stored as MuJoCo's `i32`.

use core::marker::PhantomData;

/// Declares id types: transparent `i32`s that index their own tables.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $size:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(transparent)]
        pub struct $name(i32);

        impl $name {
            /// The id of row `i`; tables hold at most `i32::MAX` rows.
            pub const fn new(i: usize) -> Self {
                $name(i as i32)
            }

            /// The row of this id.
            pub const fn idx(self) -> usize {
                self.0 as usize
            }
        }

        impl Id for $name {
            const COUNTED_BY: &'static str = $size;
            fn new(i: usize) -> Self {
                $name::new(i)
            }
            fn idx(self) -> usize {
                $name::idx(self)
            }
        }

        impl IndexOf<$name> for $name {
            fn row(self) -> usize {
                self.idx()
            }
        }
    )*};
}

/// A typed row index.
pub trait Id: Copy {
    /// The size of a model that is the number of rows.
    const COUNTED_BY: &'static str;
    /// The id of row `i`.
    fn new(i: usize) -> Self;
    /// The row of this id.
    fn idx(self) -> usize;
}

/// Index types of a table with ids `I`: `I` itself, or a plain `usize`.
pub trait IndexOf<I> {
    /// The row number.
    fn row(self) -> usize;
}

impl<I> IndexOf<I> for usize {
    fn row(self) -> usize {
        self
    }
}

/// Rows without an id type, indexed by their number.
#[derive(Clone, Copy, Debug)]
pub enum Row {}

ids! {
    /// A body; 0 is the world.
    BodyId, "nbody";
    /// A joint.
    JointId, "njnt";
    /// A degree of freedom: a row of `qvel`.
    DofId, "nv";
    /// A kinematic tree.
    TreeId, "ntree";
    /// A geom.
    GeomId, "ngeom";
    /// A site.
    SiteId, "nsite";
    /// A camera.
    CamId, "ncam";
    /// A light.
    LightId, "nlight";
    /// A flexible object.
    FlexId, "nflex";
    /// A mesh.
    MeshId, "nmesh";
    /// A skin.
    SkinId, "nskin";
    /// A height field.
    HFieldId, "nhfield";
    /// A texture.
    TexId, "ntex";
    /// A material.
    MatId, "nmat";
    /// An explicit contact pair.
    PairId, "npair";
    /// An excluded pair of bodies.
    ExcludeId, "nexclude";
    /// An equality constraint.
    EqId, "neq";
    /// A tendon.
    TendonId, "ntendon";
    /// An element of a tendon's path.
    WrapId, "nwrap";
    /// An actuator.
    ActuatorId, "nu";
    /// A sensor.
    SensorId, "nsensor";
    /// A plugin instance.
    PluginId, "nplugin";
    /// A custom numeric field.
    NumericId, "nnumeric";
    /// A custom text field.
    TextId, "ntext";
    /// A custom tuple.
    TupleId, "ntuple";
    /// A keyframe.
    KeyId, "nkey";
    /// A mocap body's row in `mocap_pos`.
    MocapId, "nmocap";
}

impl BodyId {
    /// The world body.
    pub const WORLD: BodyId = BodyId::new(0);
}

/// An optional id; MuJoCo's `-1` is not visible outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Maybe<I>(i32, PhantomData<I>);

impl<I: Id> Maybe<I> {
    /// No id.
    pub const NONE: Maybe<I> = Maybe(-1, PhantomData);

    /// The id `i`.
    pub fn some(i: I) -> Self {
        Maybe(i.idx() as i32, PhantomData)
    }

    /// The id, if there is one.
    pub fn get(self) -> Option<I> {
        (self.0 >= 0).then(|| I::new(self.0 as usize))
    }
}

impl<I> Default for Maybe<I> {
    fn default() -> Self {
        Maybe(-1, PhantomData)
    }
}

impl<I: Id> From<Option<I>> for Maybe<I> {
    fn from(o: Option<I>) -> Self {
        o.map_or(Maybe::NONE, Maybe::some)
    }
}

/// MuJoCo's `mjtByte` used as a truth value: any non-zero byte is true.
#[derive(Clone, Copy, Debug, Default)]
#[repr(transparent)]
pub struct Flag(u8);

impl Flag {
    /// Whether the flag is set.
    pub const fn get(self) -> bool {
        self.0 != 0
    }
}

impl From<bool> for Flag {
    fn from(b: bool) -> Self {
        Flag(b.into())
    }
}

impl PartialEq for Flag {
    fn eq(&self, o: &Flag) -> bool {
        self.get() == o.get()
    }
}

/// A byte of text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Char(pub u8);
