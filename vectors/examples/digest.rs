// SPDX-License-Identifier: CC0-1.0
// Rust's answers to every string of 1, 2, 3 (and, if asked, 4) bytes, as digests. In a checkout, or in share/utf8-assay of an
// installation:
//
//     rustc -O vectors/examples/digest.rs -o /tmp/digest && /tmp/digest vectors/complete/utf-8-digests.tsv 3
use std::{env, fs, process, str};

fn value(text: &str) -> u64 {
    text.chars().fold(1, |v: u64, c| {
        v.wrapping_mul(0x100000001B3).wrapping_add(c as u64 + 1)
    })
}

/// The columns verdict, strict and whatwg over all strings of `length` bytes.
fn digests(length: usize) -> [u64; 3] {
    let mut h = [0u64; 3];
    for number in 0..1u64 << (8 * length) {
        let bytes = &number.to_be_bytes()[8 - length..];
        let strict = str::from_utf8(bytes).map(value).ok();
        let answers = [
            strict.is_some() as u64,
            strict.unwrap_or(0),
            value(&String::from_utf8_lossy(bytes)),
        ];
        for i in 0..3 {
            h[i] = h[i]
                .wrapping_mul(0x9E3779B97F4A7C15)
                .wrapping_add(answers[i]);
        }
    }
    h
}

fn fail(text: String) -> ! {
    eprintln!("{text}");
    process::exit(2)
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let longest = arguments
        .get(2)
        .and_then(|length| length.parse().ok())
        .filter(|length| (1..=4).contains(length));
    let longest: usize =
        longest.unwrap_or_else(|| fail("usage: digest TABLE-OF-DIGESTS 1|2|3|4".to_string()));
    let table = fs::read_to_string(&arguments[1])
        .unwrap_or_else(|error| fail(format!("{}: {error}", arguments[1])));
    let mut differs = false;
    for length in 1..=longest {
        let name = format!("bytes-{length}");
        let line = table
            .lines()
            .find(|line| line.split('\t').next() == Some(&name));
        let line = line.unwrap_or_else(|| fail(format!("no {name} in {}", arguments[1])));
        let same = line.ends_with(&digests(length).map(|h| format!("{h:016X}")).join("\t"));
        println!(
            "{name}: {}",
            if same { "as it should be" } else { "differs" }
        );
        differs |= !same;
    }
    process::exit(differs as i32);
}
