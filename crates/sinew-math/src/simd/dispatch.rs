//! Run-time choice between baseline and wide registers.

/// Declares functions that run a kernel on the widest registers of the processor.
///
/// The form is `fn name(arguments) = kernel::<Kind>;`, where `kernel` is an `#[inline(always)]`
/// function with one type parameter. With a constant parameter the form is `kernel::<Kind, 4>`.
/// `Kind` is `Exact`, `Fused` or `Single`: see [`simd`](crate::simd). A kernel that the compiler
/// vectorises has no parameter: `fn name(arguments) = kernel;`.
#[doc(hidden)]
#[macro_export]
macro_rules! __simd_dispatch {
    ($(
        $(#[$attr:meta])*
        $vis:vis fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)?
            = $kernel:ident $(::<$kind:ident $(, $size:literal)?>)?;
    )*) => {$(
        $(#[$attr])*
        #[allow(unsafe_code)] // call of the wide function, after checking the processor
        #[inline(always)]
        $vis fn $name($($arg: $ty),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($arg: $ty),*) $(-> $ret)? {
                    $kernel$(::<$crate::simd::wide::$kind $(, $size)?>)?($($arg),*)
                }
                if $crate::simd::has_avx2_and_fma() {
                    // SAFETY: the processor has the features that the function is compiled for.
                    return unsafe { wide($($arg),*) };
                }
            }
            // a separate function, so that only the check is inlined
            #[cfg_attr(target_arch = "x86_64", cold, inline(never))]
            fn baseline($($arg: $ty),*) $(-> $ret)? {
                $kernel$(::<$crate::simd::baseline::$kind $(, $size)?>)?($($arg),*)
            }
            baseline($($arg),*)
        }
    )*};
}

pub use __simd_dispatch as dispatch;

/// Whether the processor has AVX2 and FMA.
#[inline(always)]
#[doc(hidden)]
pub fn has_avx2_and_fma() -> bool {
    // kernels are short and check at every call: this check is one load, the standard library's
    // needs two
    #[cfg(target_arch = "x86_64")]
    return wide_found::KNOWN.load(core::sync::atomic::Ordering::Relaxed) || wide_found::find();
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

/// Cached capabilities of the processor.
#[cfg(target_arch = "x86_64")]
mod wide_found {
    use core::sync::atomic::{AtomicBool, Ordering};

    /// Whether AVX2 and FMA are known to be present.
    pub(super) static KNOWN: AtomicBool = AtomicBool::new(false);

    /// Checks the processor, and caches a positive result.
    #[cold]
    #[inline(never)]
    pub(super) fn find() -> bool {
        let found = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        KNOWN.store(found, Ordering::Relaxed);
        found
    }
}
