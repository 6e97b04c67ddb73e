//! Machine code of the kernel for common cards, made by `cargo xtask ptx`.

// of a210742f149747b9 f64.ptx
// of e377ff54ac9d1029 f32.ptx

/// Registers of a thread.
pub(crate) const REGISTERS: u32 = 128;

/// The first card that runs the code, its numbers, and the code.
pub(crate) static CODE: [(i32, &str, &[u8]); 8] = [
    (80, "f64", include_bytes!("f64.sm_80.cubin")),
    (90, "f64", include_bytes!("f64.sm_90.cubin")),
    (100, "f64", include_bytes!("f64.sm_100.cubin")),
    (120, "f64", include_bytes!("f64.sm_120.cubin")),
    (80, "f32", include_bytes!("f32.sm_80.cubin")),
    (90, "f32", include_bytes!("f32.sm_90.cubin")),
    (100, "f32", include_bytes!("f32.sm_100.cubin")),
    (120, "f32", include_bytes!("f32.sm_120.cubin")),
];
