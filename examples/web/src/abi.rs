//! The exports of the module: memory for a request, its answer, and memory back.
//!
//! A host writes a request into memory from [`paishan_allocate`] and calls [`paishan_answer`], which frees the request. The
//! result has the address of the answer in its upper 32 bits and the number of its bytes in the lower ones. The host reads
//! the answer and frees it with [`paishan_free`].
#![allow(
    unsafe_code,
    reason = "a host passes addresses in the memory of the module"
)]

use crate::Engine;
use std::cell::RefCell;

/// The allocator. That of the standard library is slower in WebAssembly.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

fn leak(bytes: Vec<u8>) -> (*mut u8, usize) {
    let bytes = Box::leak(bytes.into_boxed_slice());
    (bytes.as_mut_ptr(), bytes.len())
}

/// Memory for so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn paishan_allocate(len: usize) -> *mut u8 {
    leak(vec![0; len]).0
}

/// Frees memory.
///
/// # Safety
/// `bytes` comes from [`paishan_allocate`] or [`paishan_answer`], has `len` bytes, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn paishan_free(bytes: *mut u8, len: usize) {
    // SAFETY: the memory was leaked by this module as a boxed slice of this length.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(bytes, len)) });
}

/// Answers a request, a line of JSON in UTF-8, and frees its memory.
///
/// # Safety
/// `request` comes from [`paishan_allocate`] with `len` and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn paishan_answer(request: *mut u8, len: usize) -> u64 {
    // SAFETY: as in `paishan_free`.
    let request = unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(request, len)) };
    let answer = ENGINE.with_borrow_mut(|engine| engine.answer(&request));
    let (bytes, len) = leak(answer.into_bytes());
    (bytes as u64) << 32 | len as u64
}
