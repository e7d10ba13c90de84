// SPDX-License-Identifier: MIT
//
// Rust's standard library as a subject: str::from_utf8, String::from_utf8_lossy, String::from_utf16.

use std::io::{self, BufRead, Write};

fn bytes(hex: &str) -> Vec<u8> {
    if hex == "-" {
        return vec![];
    }
    (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
}

fn scalars(text: &str) -> String {
    let points: Vec<String> = text.chars().map(|one| format!("{:X}", one as u32)).collect();
    if points.is_empty() { "-".to_string() } else { points.join(",") }
}

fn answer(request: &[&str]) -> String {
    let (operation, last) = (request[1], request[request.len() - 1]);
    let policy = if operation == "validate" { "strict" } else { request[3] };
    if request[2] != "utf-8" || !["validate", "decode"].contains(&operation) || !["strict", "own"].contains(&policy) || last.contains(',') {
        return "skip not offered".to_string();
    }
    let text = bytes(last);
    if policy == "own" {
        return format!("ok {}", scalars(&String::from_utf8_lossy(&text)));
    }
    match std::str::from_utf8(&text) {
        Ok(_) if operation == "validate" => "ok".to_string(),
        Ok(good) => format!("ok {}", scalars(good)),
        Err(error) => format!("error {} {}", error.valid_up_to(), error.error_len().unwrap_or(text.len() - error.valid_up_to())),
    }
}

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let request: Vec<&str> = line.split(' ').collect();
        if request[0] == "hello" {
            println!("hello assay/1 rust-std encodings=utf-8 policies=strict,own ops=validate,decode chunks=no");
        } else {
            println!("{} {}", request[0], answer(&request));
        }
        io::stdout().flush().unwrap();
    }
}
