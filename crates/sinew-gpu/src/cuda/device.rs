//! A GPU: its memory, programs and streams.
#![allow(unsafe_code)] // calls of the driver

use core::ffi::{c_int, c_void};
use std::ffi::CString;
use std::sync::Arc;

use super::driver::{Address, Driver, Handle};
use crate::error::GpuError;

/// A GPU, with the context that all libraries of a process share.
#[derive(Debug)]
pub struct Device {
    driver: &'static Driver,
    context: Handle,
    device: c_int,
    ordinal: i32,
    name: String,
    capability: (i32, i32),
    processors: u32,
    /// The process that opened it.
    process: u32,
}

// SAFETY: a context may be used by any thread, as every use makes it current for its own thread.
unsafe impl Send for Device {}
// SAFETY: as above; calls of the driver may overlap.
unsafe impl Sync for Device {}

/// A stream of the device, by the driver's handle; by default the one that all libraries share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stream(pub usize);

impl Stream {
    fn handle(self) -> Handle {
        core::ptr::without_provenance_mut(self.0)
    }
}

/// Options of the driver's translation of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Registers of a thread, at most; 0 to let the driver choose.
    pub registers: u32,
}

/// A program for a GPU.
#[derive(Clone, Copy, Debug)]
pub struct Program<'a> {
    /// PTX, which the driver translates.
    pub text: &'a str,
    /// The program's translation for this GPU, if there is one.
    pub code: Option<&'a [u8]>,
}

/// Attributes of devices and functions, and options of the translator, by the driver's numbers.
const MULTIPROCESSORS: c_int = 16;
const CAPABILITY: [c_int; 2] = [75, 76];
const LOCAL_BYTES: c_int = 3;
const REGISTERS: c_int = 4;
const MAX_REGISTERS: c_int = 0;
const ERROR_LOG: c_int = 5;
const ERROR_LOG_BYTES: c_int = 6;

/// Memory of the processor that has the same address on a GPU.
const MAPPED: u32 = 2;

/// The context is current for this thread while this lives.
struct Current<'d>(&'d Device);

impl Drop for Current<'_> {
    fn drop(&mut self) {
        let mut popped = core::ptr::null_mut();
        // SAFETY: undoes the push that made this value.
        unsafe { (self.0.driver.context_pop)(&mut popped) };
    }
}

impl Device {
    /// Opens a GPU by its number.
    pub fn open(ordinal: i32) -> Result<Arc<Device>, GpuError> {
        let driver = Driver::get()?;
        let process = std::process::id();
        if driver.process != process {
            return Err(GpuError::Forked);
        }
        let (mut count, mut device) = (0, 0);
        // SAFETY: each call writes the number it is given.
        driver.check("cuDeviceGetCount", unsafe { (driver.device_count)(&mut count) })?;
        if ordinal < 0 || ordinal >= count {
            return Err(GpuError::NoDevice { ordinal, count });
        }
        // SAFETY: as above.
        driver.check("cuDeviceGet", unsafe { (driver.device)(&mut device, ordinal) })?;

        // properties
        let attribute = |kind| {
            let mut x = 0;
            // SAFETY: as above.
            let code = unsafe { (driver.device_attribute)(&mut x, kind, device) };
            driver.check("cuDeviceGetAttribute", code).map(|()| x)
        };
        let mut letters = [0_u8; 128];
        let (start, length) = (letters.as_mut_ptr().cast(), letters.len() as c_int - 1);
        // SAFETY: writes at most the length of the buffer.
        driver.check("cuDeviceGetName", unsafe { (driver.device_name)(start, length, device) })?;
        let end = letters.iter().position(|&letter| letter == 0).unwrap_or(0);
        let name = String::from_utf8_lossy(&letters[..end]).into_owned();
        let capability = (attribute(CAPABILITY[0])?, attribute(CAPABILITY[1])?);
        if capability < (8, 0) {
            return Err(GpuError::OldDevice { name, capability });
        }
        let processors = attribute(MULTIPROCESSORS)?.max(1) as u32;

        let mut context = core::ptr::null_mut();
        // SAFETY: writes the handle; released when the device is dropped.
        driver.check("cuDevicePrimaryCtxRetain", unsafe {
            (driver.context_retain)(&mut context, device)
        })?;
        Ok(Arc::new(Device {
            driver,
            context,
            device,
            ordinal,
            name,
            capability,
            processors,
            process,
        }))
    }

    /// Number of the GPU.
    pub fn ordinal(&self) -> i32 {
        self.ordinal
    }

    /// Name of the GPU.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Compute capability of the GPU.
    pub fn capability(&self) -> (i32, i32) {
        self.capability
    }

    /// Number of its multiprocessors.
    pub fn processors(&self) -> u32 {
        self.processors
    }

    /// Makes the context current.
    fn enter(&self) -> Result<Current<'_>, GpuError> {
        if self.process != std::process::id() {
            return Err(GpuError::Forked);
        }
        // SAFETY: the context is retained.
        let code = unsafe { (self.driver.context_push)(self.context) };
        self.driver.check("cuCtxPushCurrent", code)?;
        Ok(Current(self))
    }

    /// Waits until a stream has nothing left to do.
    pub fn wait(&self, stream: Stream) -> Result<(), GpuError> {
        let _current = self.enter()?;
        // SAFETY: the handle belongs to the caller, and so does the stream.
        self.driver
            .check("cuStreamSynchronize", unsafe { (self.driver.stream_wait)(stream.handle()) })
    }

    /// Memory of `bytes` bytes, all zero.
    pub fn allocate(self: &Arc<Device>, bytes: usize) -> Result<Buffer, GpuError> {
        let current = self.enter()?;
        let wanted = bytes.max(16);
        let mut address = 0;
        // SAFETY: writes the address, which the buffer frees.
        let code = unsafe { (self.driver.allocate)(&mut address, wanted) };
        if let Err(error) = self.driver.check("cuMemAlloc", code) {
            let (mut free, mut total) = (0, 0);
            // SAFETY: writes both numbers.
            let _ = unsafe { (self.driver.memory_info)(&mut free, &mut total) };
            let full = matches!(error, GpuError::Memory { .. });
            return Err(if full { GpuError::Memory { wanted, free } } else { error });
        }
        drop(current);
        let buffer = Buffer { device: Arc::clone(self), address, bytes };
        buffer.clear(Stream::default())?;
        self.wait(Stream::default())?;
        Ok(buffer)
    }

    /// A word of the processor's memory that programs write.
    pub fn signal(self: &Arc<Device>) -> Result<Signal, GpuError> {
        let _current = self.enter()?;
        let mut word = core::ptr::null_mut();
        // SAFETY: writes the address, which the signal frees.
        self.driver.check("cuMemHostAlloc", unsafe {
            (self.driver.host_allocate)(&mut word, size_of::<u32>(), MAPPED)
        })?;
        let signal = Signal { device: Arc::clone(self), word: word.cast() };
        signal.set(0);
        Ok(signal)
    }

    /// Loads a program, and finds one of its functions. A driver that refuses the machine code
    /// translates the text.
    pub fn kernel(
        self: &Arc<Device>,
        program: Program<'_>,
        function: &str,
        limits: Limits,
    ) -> Result<Kernel, GpuError> {
        let _current = self.enter()?;
        let translated = program.code.and_then(|code| self.load(code, Limits::default()).ok());
        let module = match translated {
            Some(module) => module,
            None => {
                let text = CString::new(program.text).unwrap_or_default();
                self.load(text.as_bytes_with_nul(), limits)?
            }
        };
        let module = Arc::new(Module { device: Arc::clone(self), module });
        module.kernel(function)
    }

    /// Loads machine code, or text that ends with a zero, in the current context.
    fn load(&self, image: &[u8], limits: Limits) -> Result<Handle, GpuError> {
        // machine code has numbers of eight bytes in their places
        let mut words = vec![0_u64; image.len().div_ceil(8)];
        for (word, bytes) in words.iter_mut().zip(image.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_ne_bytes(whole);
        }

        // options of the driver
        let mut log = vec![0_u8; 4096];
        let number = |x: usize| core::ptr::without_provenance_mut::<c_void>(x);
        let options = [ERROR_LOG, ERROR_LOG_BYTES, MAX_REGISTERS];
        let values =
            [log.as_mut_ptr().cast(), number(log.len()), number(limits.registers as usize)];
        let count = if limits.registers > 0 { 3 } else { 2 };
        let mut module = core::ptr::null_mut();
        // SAFETY: text ends with a zero and machine code has its length in its head. The numbers of
        // options and values are equal, and the log has the given length.
        let code = unsafe {
            let (image, options, values) =
                (words.as_ptr().cast(), options.as_ptr(), values.as_ptr());
            (self.driver.module_load)(&mut module, image, count, options, values)
        };

        // an error with the words of the driver
        let Err(error) = self.driver.check("cuModuleLoadDataEx", code) else { return Ok(module) };
        let end = log.iter().position(|&letter| letter == 0).unwrap_or(0);
        let said = String::from_utf8_lossy(&log[..end]).trim().to_owned();
        Err(match error {
            GpuError::Call { name, reason } if !said.is_empty() => {
                GpuError::Call { name, reason: format!("{reason}: {said}") }
            }
            other => other,
        })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        if self.process == std::process::id() {
            // SAFETY: retained once by `open`.
            unsafe { (self.driver.context_release)(self.device) };
        }
    }
}

/// A word of the processor's memory that programs write, freed when it is dropped.
#[derive(Debug)]
pub struct Signal {
    device: Arc<Device>,
    word: *mut u32,
}

// SAFETY: the word is read and written as a whole.
unsafe impl Send for Signal {}
// SAFETY: as above.
unsafe impl Sync for Signal {}

impl Signal {
    /// Where it is, for programs too.
    pub fn address(&self) -> *mut u32 {
        self.word
    }

    /// The last value written by programs that have finished.
    pub fn get(&self) -> u32 {
        // SAFETY: allocated by `signal`; programs write it meanwhile.
        unsafe { self.word.read_volatile() }
    }

    /// Writes the word.
    pub fn set(&self, x: u32) {
        // SAFETY: as above.
        unsafe { self.word.write_volatile(x) }
    }
}

impl Drop for Signal {
    fn drop(&mut self) {
        if let Ok(_current) = self.device.enter() {
            // SAFETY: allocated by `signal`, and nobody else has it once all programs have ended.
            unsafe {
                (self.device.driver.context_wait)();
                (self.device.driver.host_free)(self.word.cast());
            }
        }
    }
}

/// Memory of a GPU, freed when it is dropped.
#[derive(Debug)]
pub struct Buffer {
    device: Arc<Device>,
    address: Address,
    bytes: usize,
}

impl Buffer {
    /// Where it is, as the GPU sees it.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn check_range(&self, at: usize, bytes: usize) -> Result<(), GpuError> {
        let end = at.saturating_add(bytes);
        if end <= self.bytes {
            return Ok(());
        }
        Err(GpuError::Size { what: "memory of the GPU", found: self.bytes, wanted: end })
    }

    /// Writes zeros, in the order of a stream.
    pub fn clear(&self, stream: Stream) -> Result<(), GpuError> {
        let _current = self.device.enter()?;
        let driver = self.device.driver;
        // SAFETY: the memory is of this size.
        driver.check("cuMemsetD8Async", unsafe {
            (driver.fill)(self.address, 0, self.bytes, stream.handle())
        })
    }

    /// Writes bytes from `at` on, in the order of a stream, and waits.
    pub fn write(&self, at: usize, bytes: &[u8], stream: Stream) -> Result<(), GpuError> {
        self.check_range(at, bytes.len())?;
        let current = self.device.enter()?;
        let driver = self.device.driver;
        let address = self.address + at as Address;
        // SAFETY: both ranges are valid, and the bytes stay until the stream was waited for.
        driver.check("cuMemcpyHtoDAsync", unsafe {
            (driver.upload)(address, bytes.as_ptr().cast(), bytes.len(), stream.handle())
        })?;
        drop(current);
        self.device.wait(stream)
    }

    /// Reads bytes from `at` on, in the order of a stream.
    pub fn read(&self, at: usize, bytes: &mut [u8], stream: Stream) -> Result<(), GpuError> {
        self.check_range(at, bytes.len())?;
        let current = self.device.enter()?;
        let driver = self.device.driver;
        let address = self.address + at as Address;
        // SAFETY: both ranges are valid, and the bytes stay until the stream was waited for.
        driver.check("cuMemcpyDtoHAsync", unsafe {
            (driver.download)(bytes.as_mut_ptr().cast(), address, bytes.len(), stream.handle())
        })?;
        drop(current);
        self.device.wait(stream)
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // in a forked process the memory is not this one's to free
        if let Ok(_current) = self.device.enter() {
            // SAFETY: allocated by `allocate`, and nobody else has the buffer; frees wait for work
            // that may still use the memory.
            unsafe { (self.device.driver.free)(self.address) };
        }
    }
}

/// A program on a GPU.
#[derive(Debug)]
struct Module {
    device: Arc<Device>,
    module: Handle,
}

// SAFETY: handles of the driver may be used by any thread whose context is current.
unsafe impl Send for Module {}
// SAFETY: as above; nothing is changed after loading.
unsafe impl Sync for Module {}

impl Module {
    /// Finds a function.
    fn kernel(self: &Arc<Module>, function: &str) -> Result<Kernel, GpuError> {
        let name = CString::new(function).unwrap_or_default();
        let _current = self.device.enter()?;
        let (device, module) = (Arc::clone(&self.device), Arc::clone(self));
        let function = core::ptr::null_mut();
        let mut kernel = Kernel { device, module, function, registers: 0, local: 0 };
        // SAFETY: writes the handle; the name ends with a zero.
        self.device.driver.check("cuModuleGetFunction", unsafe {
            (self.device.driver.function)(&mut kernel.function, self.module, name.as_ptr())
        })?;
        kernel.registers = kernel.attribute(REGISTERS)?;
        kernel.local = kernel.attribute(LOCAL_BYTES)?;
        Ok(kernel)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        if let Ok(_current) = self.device.enter() {
            // SAFETY: loaded by `Device::kernel`, and no function of it is left.
            unsafe { (self.device.driver.module_unload)(self.module) };
        }
    }
}

/// A function that runs on a GPU.
#[derive(Debug)]
pub struct Kernel {
    device: Arc<Device>,
    module: Arc<Module>,
    function: Handle,
    registers: u32,
    local: u32,
}

// SAFETY: handles of the driver may be used by any thread whose context is current.
unsafe impl Send for Kernel {}
// SAFETY: as above; nothing is changed after loading.
unsafe impl Sync for Kernel {}

impl Kernel {
    /// Another function of its program.
    pub fn beside(&self, function: &str) -> Result<Kernel, GpuError> {
        self.module.kernel(function)
    }

    /// Registers of a thread.
    pub fn registers(&self) -> u32 {
        self.registers
    }

    /// Bytes of local memory of a thread: spilled registers and arrays.
    pub fn local_bytes(&self) -> u32 {
        self.local
    }

    /// Writes a variable of its program, in the order of a stream, and waits.
    pub fn set_global(&self, name: &str, bytes: &[u8], stream: Stream) -> Result<(), GpuError> {
        let text = CString::new(name).unwrap_or_default();
        let (mut address, mut size) = (0, 0);
        let (driver, module) = (self.device.driver, self.module.module);
        let current = self.device.enter()?;
        // SAFETY: writes both numbers; the name ends with a zero.
        driver.check("cuModuleGetGlobal", unsafe {
            (driver.global)(&mut address, &mut size, module, text.as_ptr())
        })?;
        if bytes.len() > size {
            let (found, wanted) = (bytes.len(), size);
            return Err(GpuError::Size { what: "a variable of the program", found, wanted });
        }
        // SAFETY: the range is inside, and the bytes stay until the stream was waited for.
        driver.check("cuMemcpyHtoDAsync", unsafe {
            (driver.upload)(address, bytes.as_ptr().cast(), bytes.len(), stream.handle())
        })?;
        drop(current);
        self.device.wait(stream)
    }

    fn attribute(&self, kind: c_int) -> Result<u32, GpuError> {
        let mut x = 0;
        // SAFETY: writes one number; the context is current.
        let code = unsafe { (self.device.driver.function_attribute)(&mut x, kind, self.function) };
        self.device.driver.check("cuFuncGetAttribute", code)?;
        Ok(x.max(0) as u32)
    }

    /// Number of blocks of `threads` threads that are resident on the whole GPU at once.
    pub fn resident_blocks(&self, threads: u32) -> Result<u32, GpuError> {
        let _current = self.device.enter()?;
        let mut blocks = 0;
        // SAFETY: writes one number.
        self.device.driver.check("cuOccupancyMaxActiveBlocksPerMultiprocessor", unsafe {
            (self.device.driver.occupancy)(&mut blocks, self.function, threads as c_int, 0)
        })?;
        Ok(blocks.max(1) as u32 * self.device.processors)
    }

    /// Starts it with one argument, in the order of a stream.
    ///
    /// # Safety
    /// The function takes one argument of this type, by value. The targets of the argument's
    /// pointers are valid on this GPU until the stream has finished.
    pub unsafe fn launch<A: Copy>(
        &self,
        blocks: u32,
        threads: u32,
        stream: Stream,
        argument: A,
    ) -> Result<(), GpuError> {
        let _current = self.device.enter()?;
        let mut argument = argument;
        let arguments = [(&raw mut argument).cast::<c_void>()];
        let (function, arguments) = (self.function, arguments.as_ptr());
        // SAFETY: the driver copies the argument; the rest is the caller's promise.
        self.device.driver.check("cuLaunchKernel", unsafe {
            let (none, launch) = (core::ptr::null(), self.device.driver.launch);
            launch(function, blocks, 1, 1, threads, 1, 1, 0, stream.handle(), arguments, none)
        })
    }
}

/// A moment in a stream, for timing.
#[derive(Debug)]
pub struct Event {
    device: Arc<Device>,
    event: Handle,
}

// SAFETY: any thread may wait for an event, and every use makes the context current.
unsafe impl Send for Event {}
// SAFETY: as above.
unsafe impl Sync for Event {}

impl Event {
    /// The moment at which a stream finishes its work so far.
    pub fn record(device: &Arc<Device>, stream: Stream) -> Result<Event, GpuError> {
        let _current = device.enter()?;
        let mut event = core::ptr::null_mut();
        // SAFETY: writes the handle.
        device
            .driver
            .check("cuEventCreate", unsafe { (device.driver.event_create)(&mut event, 0) })?;
        let made = Event { device: Arc::clone(device), event };
        // SAFETY: both handles are valid.
        device.driver.check("cuEventRecord", unsafe {
            (device.driver.event_record)(event, stream.handle())
        })?;
        Ok(made)
    }

    /// Waits for it.
    pub fn wait(&self) -> Result<(), GpuError> {
        let _current = self.device.enter()?;
        let driver = self.device.driver;
        // SAFETY: a valid handle.
        driver.check("cuEventSynchronize", unsafe { (driver.event_wait)(self.event) })
    }

    /// Seconds from an earlier moment to this one; waits for it.
    pub fn seconds_since(&self, earlier: &Event) -> Result<f64, GpuError> {
        self.wait()?;
        let _current = self.device.enter()?;
        let driver = self.device.driver;
        let mut milliseconds = 0.0;
        // SAFETY: as above, and one number is written.
        driver.check("cuEventElapsedTime", unsafe {
            (driver.event_elapsed)(&mut milliseconds, earlier.event, self.event)
        })?;
        Ok(f64::from(milliseconds) * 1e-3)
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if let Ok(_current) = self.device.enter() {
            // SAFETY: created by `record`.
            unsafe { (self.device.driver.event_destroy)(self.event) };
        }
    }
}
