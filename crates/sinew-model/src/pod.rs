//! Rows as scalars: the only place that treats tables as plain memory.
#![allow(unsafe_code)]

use sinew_math::{Inertia, Mat3, Quat, Spatial, Vec3};

use crate::ids::*;

/// Scalar type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `f64`
    F64,
    /// `f32`
    F32,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `u8`
    U8,
    /// A byte of text.
    Char,
}

impl Scalar {
    /// Bytes per scalar.
    pub const fn size(self) -> usize {
        match self {
            Scalar::F64 | Scalar::I64 | Scalar::U64 => 8,
            Scalar::F32 | Scalar::I32 => 4,
            Scalar::U8 | Scalar::Char => 1,
        }
    }
}

/// Meaning of a row's integers, if their type determines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Meaning {
    /// A measure or a byte of text.
    Number,
    /// A truth value.
    Flag,
    /// An index of a row; this size is the number of rows.
    Row(&'static str),
    /// An index of a row, or -1; this size is the number of rows.
    MaybeRow(&'static str),
    /// A value of an enumeration.
    OneOf(&'static [(&'static str, i64)]),
    /// An integer without further type.
    Untold,
}

/// A row of `WIDTH` scalars of one type.
///
/// # Safety
/// The type has no padding, no invalid bit pattern, and is exactly `WIDTH * SCALAR.size()` bytes.
pub unsafe trait Pod: Copy + Default + Send + Sync + 'static {
    /// Scalar type.
    const SCALAR: Scalar;
    /// Number of scalars per row.
    const WIDTH: usize;
    /// Meaning of integers.
    const MEANING: Meaning;
}

macro_rules! pod {
    ($($t:ty: $s:ident $w:expr, $meaning:expr;)*) => {$(
        // SAFETY: a plain number or a repr(C)/repr(transparent) row of them.
        #[allow(unsafe_code)]
        unsafe impl Pod for $t {
            const SCALAR: Scalar = Scalar::$s;
            const WIDTH: usize = $w;
            const MEANING: crate::pod::Meaning = $meaning;
        }
        const _: () = assert!(size_of::<$t>() == $w * Scalar::$s.size());
    )*};
}
pub(crate) use pod;

pod! {
    f64: F64 1, Meaning::Number; f32: F32 1, Meaning::Number; u64: U64 1, Meaning::Number;
    i32: I32 1, Meaning::Untold; i64: I64 1, Meaning::Untold; u8: U8 1, Meaning::Untold;
    Char: Char 1, Meaning::Number; Flag: U8 1, Meaning::Flag;
    Vec3: F64 3, Meaning::Number; Quat: F64 4, Meaning::Number; Mat3: F64 9, Meaning::Number;
    Spatial: F64 6, Meaning::Number; Inertia: F64 10, Meaning::Number;
}

/// Typed ids are indices of the rows that their type counts.
macro_rules! pod_ids {
    ($($t:ty)*) => { pod! { $($t: I32 1, Meaning::Row(<$t as Id>::COUNTED_BY);)* } };
}
pod_ids! {
    BodyId JointId DofId TreeId GeomId SiteId CamId LightId FlexId MeshId SkinId HFieldId TexId
    MatId PairId ExcludeId EqId TendonId WrapId ActuatorId SensorId PluginId NumericId TextId
    TupleId KeyId MocapId
}

// SAFETY: transparent over `i32`.
unsafe impl<I: Id + Send + Sync + 'static> Pod for Maybe<I> {
    const SCALAR: Scalar = Scalar::I32;
    const WIDTH: usize = 1;
    const MEANING: Meaning = Meaning::MaybeRow(I::COUNTED_BY);
}

macro_rules! pod_arrays {
    ($($n:literal)*) => {$(
        // SAFETY: an array of `n` `Pod` rows consists of `n` times the scalars of a row.
        unsafe impl<T: Pod> Pod for [T; $n] {
            const SCALAR: Scalar = T::SCALAR;
            const WIDTH: usize = $n * T::WIDTH;
            const MEANING: Meaning = T::MEANING;
        }
    )*};
}
pod_arrays! { 2 3 4 5 6 8 9 10 11 12 17 20 21 31 }

/// The bytes of a row or of many.
pub fn bytes_of<T: Pod>(rows: &[T]) -> &[u8] {
    // SAFETY: `Pod` types have no padding, so every byte is initialised.
    unsafe { core::slice::from_raw_parts(rows.as_ptr().cast(), size_of_val(rows)) }
}

/// The writable bytes of one or many rows.
pub fn bytes_of_mut<T: Pod>(rows: &mut [T]) -> &mut [u8] {
    // SAFETY: `Pod` types accept any bit pattern and have no padding.
    unsafe { core::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), size_of_val(rows)) }
}

/// The rows as one flat slice of `f64`; panics if the rows hold another kind of scalar.
pub fn as_f64<T: Pod>(rows: &[T]) -> &[f64] {
    assert!(T::SCALAR == Scalar::F64, "rows of f64");
    // SAFETY: the rows are `WIDTH` f64 each, without padding.
    unsafe { core::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * T::WIDTH) }
}

/// The rows as one flat slice of `i32`, such as ids; panics if the rows hold another kind of
/// scalar.
pub fn as_i32<T: Pod>(rows: &[T]) -> &[i32] {
    assert!(T::SCALAR == Scalar::I32, "rows of i32");
    // SAFETY: the rows are `WIDTH` i32 each, without padding.
    unsafe { core::slice::from_raw_parts(rows.as_ptr().cast(), rows.len() * T::WIDTH) }
}

/// The rows as one flat mutable slice of `f64`; panics if the rows hold another kind of scalar.
pub fn as_f64_mut<T: Pod>(rows: &mut [T]) -> &mut [f64] {
    assert!(T::SCALAR == Scalar::F64, "rows of f64");
    // SAFETY: the rows are `WIDTH` f64 each, without padding, and accept any value.
    unsafe { core::slice::from_raw_parts_mut(rows.as_mut_ptr().cast(), rows.len() * T::WIDTH) }
}
