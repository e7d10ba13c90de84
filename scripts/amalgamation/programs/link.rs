// SPDX-License-Identifier: MIT
//
// Rust calls the functions of the C file.
use std::os::raw::{c_int, c_void};

#[repr(C)]
struct Error {
    offset: usize,
    length: usize,
    fault: c_int,
    incomplete: c_int,
}

#[repr(C)]
struct Outcome {
    status: c_int,
    read: usize,
    written: usize,
    error: Error,
}

const UTF_8: c_int = 1;
const UTF_16: c_int = 32;
const WHATWG: c_int = 1;

extern "C" {
    fn utf8_assay_convert(from: c_int, to: c_int, policy: c_int, input: *const c_void, unit_count: usize, output: *mut c_void, capacity: usize) -> Outcome;
    fn utf8_assay_validate(encoding: c_int, bytes: *const c_void, byte_count: usize, error: *mut Error) -> c_int;
}

fn main() {
    let text = b"caf\xC3\xA9 \xFF";
    let mut units = [0u16; 64];
    let mut error = Error { offset: 0, length: 0, fault: 0, incomplete: 0 };
    let (result, status) = unsafe {
        (
            utf8_assay_convert(UTF_8, UTF_16, WHATWG, text.as_ptr().cast(), text.len(), units.as_mut_ptr().cast(), units.len()),
            utf8_assay_validate(UTF_8, text.as_ptr().cast(), text.len(), &mut error),
        )
    };
    assert_eq!((result.read, result.error.length), (text.len(), 0));
    assert_eq!((status, error.offset, error.length, error.fault, error.incomplete), (1, 6, 1, 4, 0));
    println!("{} {} {:04X} {:04X}", result.status, result.written, units[3], units[5]);
}
