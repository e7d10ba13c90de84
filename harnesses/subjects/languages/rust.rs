// SPDX-License-Identifier: MIT
//
// Rust's standard library as a subject: String::from_utf8_lossy, whose text is UTF-8, and str::from_utf8, in pieces, too: an error without error_len() is a
// character that the end of the piece cuts.

use std::io::{self, BufRead, Write};

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" {
        return vec![];
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn spelled(text: &str) -> String {
    if text.is_empty() { "ok -".to_string() } else { format!("ok {}", text.bytes().map(|one| format!("{:02X}", one)).collect::<String>()) }
}

fn scalars(text: &str) -> String {
    let points: Vec<String> = text.chars().map(|one| format!("{:X}", one as u32)).collect();
    if points.is_empty() { "-".to_string() } else { points.join(",") }
}

/// The first error: its piece, the groups up to that one, offset and length.
type Error = (usize, String, usize, usize);

fn streamed(pieces: &[Vec<u8>]) -> Result<String, Error> {
    let (mut held, mut before, mut groups) = (Vec::new(), 0, Vec::new());
    for (index, piece) in pieces.iter().enumerate() {
        held.extend_from_slice(piece);
        let (good, length) = match std::str::from_utf8(&held) {
            Ok(_) => (held.len(), None),
            Err(error) if error.error_len().is_none() && index + 1 < pieces.len() => (error.valid_up_to(), None),
            Err(error) => (error.valid_up_to(), error.error_len().or(Some(held.len() - error.valid_up_to()))),
        };
        groups.push(scalars(std::str::from_utf8(&held[..good]).unwrap()));
        before += good;
        if let Some(length) = length {
            return Err((index, groups.join("|"), before, length));
        }
        held.drain(..good);
    }
    Ok(groups.join("|"))
}

/// Code points that are no `char` are none of a string of Rust.
fn encoded(points: &str) -> String {
    let digits = points.split(',').filter(|one| *one != "-");
    match digits.map(|one| u32::from_str_radix(one, 16).ok().and_then(char::from_u32)).collect::<Option<String>>() {
        Some(text) => spelled(&text),
        None => "error".to_string(),
    }
}

/// From UTF-16 units, strict or, as its document says, with U+FFFD.
fn encoded_utf16(policy: &str, units: &str) -> String {
    let units: Vec<u16> = units.split(',').filter_map(|one| u16::from_str_radix(one, 16).ok()).collect();
    let text = if policy == "whatwg" { Ok(String::from_utf16_lossy(&units)) } else { String::from_utf16(&units) };
    match text {
        Ok(text) => spelled(&text),
        Err(_) => "error".to_string(),
    }
}

/// A str is well-formed.
fn boundaries(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => format!("ok {}", (0..=text.len()).map(|at| text.floor_char_boundary(at).to_string()).collect::<Vec<_>>().join(",")),
        Err(_) => "skip a str is well-formed".to_string(),
    }
}

fn answer(request: &[&str]) -> String {
    let operation = request[1];
    if operation == "encode" && request[2] == "utf-8" && request[3] == "strict" {
        return encoded(request[4]);
    }
    if operation == "encode-utf16" && request[2] == "utf-8" && ["strict", "whatwg"].contains(&request[3]) {
        return encoded_utf16(request[3], request[4]);
    }
    if operation == "to-well-formed" && request[2] == "utf-8" && request[3] == "own" {
        return spelled(&String::from_utf8_lossy(&bytes(request[4])));
    }
    if operation == "boundaries" && request[2] == "utf-8" {
        return boundaries(&bytes(request[3]));
    }
    if !["validate", "decode", "stop"].contains(&operation) {
        return "skip not offered".to_string();
    }
    let policy = if operation == "decode" { request[3] } else { "strict" };
    let pieces: Vec<Vec<u8>> = request[request.len() - 1].split(',').map(bytes).collect();
    if request[2] != "utf-8" || (policy != "strict" && (policy != "own" || pieces.len() > 1)) {
        return "skip not offered".to_string();
    }
    if policy == "own" {
        return format!("ok {}", scalars(&String::from_utf8_lossy(&pieces[0])));
    }
    match streamed(&pieces) {
        Ok(_) if operation == "validate" => "ok".to_string(),
        Ok(groups) => format!("ok {}", groups),
        Err((piece, groups, offset, length)) if operation == "stop" => format!("error {} {} {} {}", piece, groups, offset, length),
        Err((_, _, offset, length)) => format!("error {} {}", offset, length),
    }
}

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let request: Vec<&str> = line.split(' ').collect();
        if request[0] == "hello" {
            println!("hello assay/1 rust-std encodings=utf-8 policies=strict,own,whatwg ops=validate,decode,stop,encode,encode-utf16,boundaries,to-well-formed chunks=yes");
        } else {
            println!("{} {}", request[0], answer(&request));
        }
        io::stdout().flush().unwrap();
    }
}
