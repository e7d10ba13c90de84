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

#[repr(C)]
struct Stream {
    state: [u64; 12],
}

const UTF_8: c_int = 1;
const UTF_16: c_int = 32;
const WHATWG: c_int = 1;

extern "C" {
    fn utf8_assay_convert(from: c_int, to: c_int, policy: c_int, input: *const c_void, unit_count: usize, output: *mut c_void, capacity: usize) -> Outcome;
    fn utf8_assay_count(from: c_int, to: c_int, policy: c_int, input: *const c_void, unit_count: usize) -> Outcome;
    fn utf8_assay_stream_start(stream: *mut Stream, from: c_int, to: c_int, policy: c_int) -> c_int;
    fn utf8_assay_stream_feed(stream: *mut Stream, bytes: *const c_void, byte_count: usize, is_last: c_int, output: *mut c_void, capacity: usize) -> Outcome;
    fn utf8_assay_validate(encoding: c_int, bytes: *const c_void, byte_count: usize, error: *mut Error) -> c_int;
}

// The text in pieces of one byte.
fn streamed(text: &[u8]) -> Vec<u16> {
    let mut stream = Stream { state: [0; 12] };
    let mut all = Vec::new();
    assert_eq!(unsafe { utf8_assay_stream_start(&mut stream, UTF_8, UTF_16, WHATWG) }, 0);
    for (at, byte) in text.iter().enumerate() {
        let mut units = [0u16; 18]; // UTF8_ASSAY_MAX_FROM_BYTES(1)
        let is_last = (at + 1 == text.len()) as c_int;
        let fed = unsafe { utf8_assay_stream_feed(&mut stream, (byte as *const u8).cast(), 1, is_last, units.as_mut_ptr().cast(), units.len()) };
        assert_eq!((fed.status, fed.read), (0, 1));
        all.extend_from_slice(&units[..fed.written]);
    }
    all
}

fn main() {
    let text = b"caf\xC3\xA9 \xFF";
    let needed = unsafe { utf8_assay_count(UTF_8, UTF_16, WHATWG, text.as_ptr().cast(), text.len()) };
    let mut units = vec![0u16; needed.written];
    let mut error = Error { offset: 0, length: 0, fault: 0, incomplete: 0 };
    let (result, status) = unsafe {
        (
            utf8_assay_convert(UTF_8, UTF_16, WHATWG, text.as_ptr().cast(), text.len(), units.as_mut_ptr().cast(), units.len()),
            utf8_assay_validate(UTF_8, text.as_ptr().cast(), text.len(), &mut error),
        )
    };
    assert_eq!((result.read, result.error.length), (text.len(), 0));
    assert_eq!((status, error.offset, error.length, error.fault, error.incomplete), (1, 6, 1, 4, 0));
    assert_eq!(streamed(text), units);
    println!("{} {} {:04X} {:04X}", result.status, result.written, units[3], units[5]);
}
