//! The functions of the driver, by their symbols in its library.
#![allow(unsafe_code)] // a foreign library

use core::ffi::{c_char, c_int, c_uint, c_void};
use std::ffi::CStr;
use std::sync::OnceLock;

use libloading::Library;

use crate::error::GpuError;

/// The driver's library.
pub const LIBRARY: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };

/// The driver of PTX 7.0: CUDA 11.0.
const OLDEST: c_int = 11000;

/// A context, module, function, stream or event of the driver.
pub(super) type Handle = *mut c_void;
/// An address on the device.
pub(super) type Address = u64;

macro_rules! functions {
    ($($name:ident: $symbol:ident($($arg:ty),*);)*) => {
        /// The library with its functions.
        #[derive(Debug)]
        pub struct Driver {
            // SAFETY: each call passes the arguments of the driver's interface.
            $(pub(super) $name: unsafe extern "C" fn($($arg),*) -> c_int,)*
            /// The process that initialized it.
            pub(super) process: u32,
            _library: Library,
        }

        impl Driver {
            /// Finds all functions of a library.
            fn of(library: Library) -> Result<Driver, GpuError> {
                Ok(Driver {
                    // SAFETY: the signatures are those of the driver's interface, which does not
                    // change, and the library is kept as long as the functions.
                    $($name: unsafe {
                        *library.get(concat!(stringify!($symbol), "\0").as_bytes()).map_err(absent)?
                    },)*
                    process: std::process::id(),
                    _library: library,
                })
            }
        }
    };
}

functions! {
    init: cuInit(c_uint);
    version: cuDriverGetVersion(*mut c_int);
    error_text: cuGetErrorString(c_int, *mut *const c_char);
    device_count: cuDeviceGetCount(*mut c_int);
    device: cuDeviceGet(*mut c_int, c_int);
    device_name: cuDeviceGetName(*mut c_char, c_int, c_int);
    device_attribute: cuDeviceGetAttribute(*mut c_int, c_int, c_int);
    context_retain: cuDevicePrimaryCtxRetain(*mut Handle, c_int);
    context_release: cuDevicePrimaryCtxRelease_v2(c_int);
    context_push: cuCtxPushCurrent_v2(Handle);
    context_pop: cuCtxPopCurrent_v2(*mut Handle);
    context_wait: cuCtxSynchronize();
    module_load: cuModuleLoadDataEx(
        *mut Handle, *const c_void, c_uint, *const c_int, *const *mut c_void);
    module_unload: cuModuleUnload(Handle);
    function: cuModuleGetFunction(*mut Handle, Handle, *const c_char);
    global: cuModuleGetGlobal_v2(*mut Address, *mut usize, Handle, *const c_char);
    function_attribute: cuFuncGetAttribute(*mut c_int, c_int, Handle);
    occupancy: cuOccupancyMaxActiveBlocksPerMultiprocessor(*mut c_int, Handle, c_int, usize);
    launch: cuLaunchKernel(
        Handle, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, c_uint, Handle,
        *const *mut c_void, *const *mut c_void);
    memory_info: cuMemGetInfo_v2(*mut usize, *mut usize);
    allocate: cuMemAlloc_v2(*mut Address, usize);
    free: cuMemFree_v2(Address);
    host_allocate: cuMemHostAlloc(*mut *mut c_void, usize, c_uint);
    host_free: cuMemFreeHost(*mut c_void);
    fill: cuMemsetD8Async(Address, u8, usize, Handle);
    upload: cuMemcpyHtoDAsync_v2(Address, *const c_void, usize, Handle);
    download: cuMemcpyDtoHAsync_v2(*mut c_void, Address, usize, Handle);
    stream_wait: cuStreamSynchronize(Handle);
    event_create: cuEventCreate(*mut Handle, c_uint);
    event_record: cuEventRecord(Handle, Handle);
    event_wait: cuEventSynchronize(Handle);
    event_elapsed: cuEventElapsedTime(*mut f32, Handle, Handle);
    event_destroy: cuEventDestroy_v2(Handle);
}

fn absent(error: libloading::Error) -> GpuError {
    GpuError::NoDriver(error.to_string())
}

/// Codes of the driver that say more than a refused call.
mod code {
    pub(super) const OUT_OF_MEMORY: i32 = 2;
    pub(super) const NO_DEVICE: i32 = 100;
    /// Faults after which every call of the context fails.
    pub(super) const DEAD: [i32; 9] = [4, 700, 702, 709, 714, 715, 716, 717, 719];
}

impl Driver {
    /// The driver, loaded and initialized by the first call.
    pub fn get() -> Result<&'static Driver, GpuError> {
        static DRIVER: OnceLock<Result<Driver, GpuError>> = OnceLock::new();
        DRIVER.get_or_init(|| Driver::load(LIBRARY)).as_ref().map_err(GpuError::clone)
    }

    /// The driver in a library of this name.
    pub fn load(name: &str) -> Result<Driver, GpuError> {
        // SAFETY: the driver's library has no effect on a program that loads it.
        let driver = Driver::of(unsafe { Library::new(name) }.map_err(absent)?)?;
        let mut found = 0;
        // SAFETY: writes one number.
        driver.check("cuDriverGetVersion", unsafe { (driver.version)(&mut found) })?;
        if found < OLDEST {
            return Err(GpuError::OldDriver { found });
        }
        // SAFETY: may be called at any time.
        driver.check("cuInit", unsafe { (driver.init)(0) })?;
        Ok(driver)
    }

    /// An error, unless the code of a call says that it succeeded.
    pub(super) fn check(&self, name: &'static str, code: c_int) -> Result<(), GpuError> {
        match code {
            0 => Ok(()),
            code::OUT_OF_MEMORY => Err(GpuError::Memory { wanted: 0, free: 0 }),
            code::NO_DEVICE => Err(GpuError::NoDevice { ordinal: 0, count: 0 }),
            code if code::DEAD.contains(&code) => Err(GpuError::Dead(self.reason(code))),
            code => Err(GpuError::Call { name, reason: self.reason(code) }),
        }
    }

    /// The driver's words for a code.
    fn reason(&self, code: c_int) -> String {
        let mut text = core::ptr::null();
        // SAFETY: writes a pointer to a text that is never freed, or none.
        let known = unsafe { (self.error_text)(code, &mut text) } == 0 && !text.is_null();
        // SAFETY: as above.
        let words = known.then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
        words.unwrap_or_else(|| format!("error {code}"))
    }
}
