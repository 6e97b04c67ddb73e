//! Machine code of the kernel for common cards, made by `cargo xtask ptx`.

// of 1434dae21fe646cf f64.ptx
// of b78f1977ceebdeb5 f32.ptx
// of 7fab57182033ec3a f64_full.ptx
// of 676b8a730455d58a f32_full.ptx

/// Registers of a thread.
pub(crate) const REGISTERS: u32 = 128;

/// Programs: the entry, and the text.
pub(crate) static TEXT: [(&str, &str); 4] = [
    ("step_f64", include_str!("f64.ptx")),
    ("step_f32", include_str!("f32.ptx")),
    ("step_f64_full", include_str!("f64_full.ptx")),
    ("step_f32_full", include_str!("f32_full.ptx")),
];

/// The first card that runs the code, the entry of the program, and the code.
pub(crate) static CODE: [(i32, &str, &[u8]); 8] = [
    (80, "step_f64", include_bytes!("f64.sm_80.cubin")),
    (90, "step_f64", include_bytes!("f64.sm_90.cubin")),
    (80, "step_f32", include_bytes!("f32.sm_80.cubin")),
    (90, "step_f32", include_bytes!("f32.sm_90.cubin")),
    (80, "step_f64_full", include_bytes!("f64_full.sm_80.cubin")),
    (90, "step_f64_full", include_bytes!("f64_full.sm_90.cubin")),
    (80, "step_f32_full", include_bytes!("f32_full.sm_80.cubin")),
    (90, "step_f32_full", include_bytes!("f32_full.sm_90.cubin")),
];
