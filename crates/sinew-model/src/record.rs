//! Small structs with described fields: options, statistics, contacts.

use crate::pod::Scalar;

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordField {
    /// MuJoCo's name.
    pub name: &'static str,
    /// Documentation.
    pub doc: &'static str,
    /// Scalar type.
    pub scalar: Scalar,
    /// Number of scalars.
    pub width: usize,
    /// Byte offset in the record.
    pub offset: usize,
}

/// A `#[repr(C)]` struct of plain numbers with no padding, described field by field.
///
/// # Safety
/// Every byte belongs to a field listed in `FIELDS` or to a numeric field named `pad_`.
#[allow(unsafe_code)]
pub unsafe trait Record: Copy {
    /// The fields in order of declaration.
    const FIELDS: &'static [RecordField];
}

/// Declares records in MuJoCo's layout.
#[macro_export]
macro_rules! records {
    ($($(#[$meta:meta])* $name:ident { $($f:ident: $ty:ty, $doc:literal;)* })*) => {$(
        $(#[$meta])*
        #[allow(non_snake_case)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[repr(C)]
        pub struct $name {
            $(#[doc = $doc] pub $f: $ty,)*
        }

        // SAFETY: the sizes of the fields add up to the size of the struct, so there is no padding.
        #[allow(unsafe_code)]
        unsafe impl $crate::record::Record for $name {
            const FIELDS: &'static [$crate::record::RecordField] = &[$(
                $crate::record::RecordField {
                    name: stringify!($f),
                    doc: $doc,
                    scalar: <$ty as $crate::pod::Pod>::SCALAR,
                    width: <$ty as $crate::pod::Pod>::WIDTH,
                    offset: core::mem::offset_of!($name, $f),
                },
            )*];
        }
        const _: () = assert!(0 $(+ size_of::<$ty>())* == size_of::<$name>());
    )*};
}
pub(crate) use records;

/// The bytes of a record.
#[allow(unsafe_code)]
pub fn record_bytes<R: Record>(r: &R) -> &[u8] {
    // SAFETY: a record has no padding.
    unsafe { core::slice::from_raw_parts(core::ptr::from_ref(r).cast(), size_of::<R>()) }
}

/// The writable bytes of a record.
#[allow(unsafe_code)]
pub fn record_bytes_mut<R: Record>(r: &mut R) -> &mut [u8] {
    // SAFETY: a record has no padding and its fields accept any bit pattern.
    unsafe { core::slice::from_raw_parts_mut(core::ptr::from_mut(r).cast(), size_of::<R>()) }
}
