// SPDX-License-Identifier: CC0-1.0
// Rust's answers to every string of 1, 2, 3 (and, if asked, 4) bytes, as digests:
//     rustc -O digest.rs && ./digest vectors/complete/utf-8-digests.tsv 3
use std::{env, fs, str};

fn value(text: &str) -> u64 {
    text.chars().fold(1, |v: u64, c| v.wrapping_mul(0x100000001B3).wrapping_add(c as u64 + 1))
}

/// The columns verdict, strict and whatwg over all strings of so many bytes.
fn digests(length: usize) -> [u64; 3] {
    let mut h = [0u64; 3];
    for number in 0..1u64 << (8 * length) {
        let bytes = &number.to_be_bytes()[8 - length..];
        let strict = str::from_utf8(bytes).map(value).ok();
        let answers = [strict.is_some() as u64, strict.unwrap_or(0), value(&String::from_utf8_lossy(bytes))];
        for i in 0..3 {
            h[i] = h[i].wrapping_mul(0x9E3779B97F4A7C15).wrapping_add(answers[i]);
        }
    }
    h
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let table = fs::read_to_string(&arguments[1]).unwrap();
    for length in 1..=arguments[2].parse().unwrap() {
        let got = digests(length).map(|h| format!("{h:016X}")).join("\t");
        let line = table.lines().find(|line| line.starts_with(&format!("bytes-{length}\t"))).unwrap();
        println!("bytes-{length}: {}", if line.ends_with(&got) { "as it should be" } else { "differs" });
    }
}
