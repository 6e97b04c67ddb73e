//! Rows as scalars: the one place that looks at tables as plain memory.
#![allow(unsafe_code)]

use sinew_math::{Inertia, Mat3, Quat, Spatial, Vec3};

use crate::ids::*;

/// The kind of number a field holds.
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

/// A row made of `WIDTH` scalars of one kind and nothing else.
///
/// # Safety
/// The type has no padding, no invalid bit pattern, and is exactly `WIDTH * SCALAR.size()` bytes.
pub unsafe trait Pod: Copy + Default + Send + Sync + 'static {
    /// Kind of the scalars.
    const SCALAR: Scalar;
    /// Scalars per row.
    const WIDTH: usize;
}

macro_rules! pod {
    ($($t:ty: $s:ident $w:expr;)*) => {$(
        // SAFETY: a plain number or a repr(C)/repr(transparent) row of them.
        #[allow(unsafe_code)]
        unsafe impl Pod for $t {
            const SCALAR: Scalar = Scalar::$s;
            const WIDTH: usize = $w;
        }
        const _: () = assert!(size_of::<$t>() == $w * Scalar::$s.size());
    )*};
}
pub(crate) use pod;

pod! {
    f64: F64 1; f32: F32 1; i32: I32 1; i64: I64 1; u64: U64 1; u8: U8 1;
    Char: Char 1; Flag: U8 1;
    Vec3: F64 3; Quat: F64 4; Mat3: F64 9; Spatial: F64 6; Inertia: F64 10;
    BodyId: I32 1; JointId: I32 1; DofId: I32 1; TreeId: I32 1; GeomId: I32 1; SiteId: I32 1;
    CamId: I32 1; LightId: I32 1; FlexId: I32 1; MeshId: I32 1; SkinId: I32 1; HFieldId: I32 1;
    TexId: I32 1; MatId: I32 1; PairId: I32 1; ExcludeId: I32 1; EqId: I32 1; TendonId: I32 1;
    WrapId: I32 1; ActuatorId: I32 1; SensorId: I32 1; PluginId: I32 1; NumericId: I32 1;
    TextId: I32 1; TupleId: I32 1; KeyId: I32 1; MocapId: I32 1;
}

// SAFETY: transparent over `i32`.
unsafe impl<I: Id + Send + Sync + 'static> Pod for Maybe<I> {
    const SCALAR: Scalar = Scalar::I32;
    const WIDTH: usize = 1;
}

macro_rules! pod_arrays {
    ($($n:literal)*) => {$(
        // SAFETY: an array of `Pod` rows is `n` times as many of the same scalars.
        unsafe impl<T: Pod> Pod for [T; $n] {
            const SCALAR: Scalar = T::SCALAR;
            const WIDTH: usize = $n * T::WIDTH;
        }
    )*};
}
pod_arrays! { 2 3 4 5 6 8 9 10 11 12 17 20 21 31 }

/// The bytes of a row or of many.
pub fn bytes_of<T: Pod>(rows: &[T]) -> &[u8] {
    // SAFETY: `Pod` types have no padding, so every byte is initialised.
    unsafe { core::slice::from_raw_parts(rows.as_ptr().cast(), size_of_val(rows)) }
}

/// The bytes of a row or of many, to be written.
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

/// The rows as one flat slice of `i32`, such as ids; panics if the rows hold another kind of scalar.
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
