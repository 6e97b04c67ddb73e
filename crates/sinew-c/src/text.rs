//! Strings to and from C, and the last error of a thread.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};

/// Message of a failed call.
#[derive(Debug)]
pub(crate) struct Failure(pub(crate) String);

impl From<String> for Failure {
    fn from(text: String) -> Failure {
        Failure(text)
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Stores the message of a failed call.
pub(crate) fn remember(text: &str) {
    let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
    LAST.with(|last| *last.borrow_mut() = text);
}

pub(crate) fn last_error() -> *const c_char {
    LAST.with(|last| last.borrow().as_ptr())
}

/// A string from C.
///
/// # Safety
/// `text` is null or a C string that outlives the call.
pub(crate) unsafe fn given<'a>(text: *const c_char) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Err(Failure::from("a text is NULL".to_string()));
    }
    // SAFETY: not null, and the caller's promise
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::from("a text is not UTF-8".to_string()))
}

/// A string that C must free.
pub(crate) fn owned(text: &str) -> *mut c_char {
    CString::new(text.replace('\0', " ")).unwrap_or_default().into_raw()
}

/// Frees a string.
///
/// # Safety
/// `text` is null or from [`owned`] and not freed.
pub(crate) unsafe fn empty(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller's promise
        drop(unsafe { CString::from_raw(text) });
    }
}

/// The text of an error without its final line feed.
pub(crate) fn failure_text(error: sinew::Error) -> String {
    error.to_string().trim_end().to_string()
}
