// SPDX-License-Identifier: CC0-1.0
// Holds Rust's decoder against the golden vectors: scripts/export --form tsv out && rustc check.rs && ./check out/tsv/utf-8
use std::{env, fs};

fn scalars(text: &str) -> String {
    let points: Vec<String> = text.chars().map(|c| format!("{:X}", c as u32)).collect();
    if points.is_empty() { "-".to_string() } else { points.join(",") }
}

fn bytes(hex: &str) -> Vec<u8> {
    let pairs = if hex == "-" { 0 } else { hex.len() / 2 };
    (0..pairs).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
}

/// The first span as the tables write it, as far as Rust reports it: offset and length.
fn span(data: &[u8]) -> String {
    match std::str::from_utf8(data) {
        Ok(_) => "-".to_string(),
        Err(error) => {
            let start = error.valid_up_to();
            format!("{}:{}", start, error.error_len().unwrap_or(data.len() - start))
        }
    }
}

const SHOWN: usize = 10; // of those that fail

fn main() {
    let (mut total, mut strict, mut whatwg, mut failed) = (0, 0, 0, Vec::new());
    for entry in fs::read_dir(env::args().nth(1).expect("a folder")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        let names: Vec<&str> = text.lines().next().unwrap().split('\t').collect();
        let column = |name: &str| names.iter().position(|&n| n == name);
        let Some(input) = column("bytes") else { continue };
        for line in text.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let data = bytes(fields[input]);
            let first: Vec<&str> = fields[column("spans").unwrap()].split(':').take(2).collect();
            total += 1;
            let mut check = |policy: &str, passed: &mut i32, given: String, wanted: &str| {
                *passed += (given == wanted) as i32;
                if given != wanted {
                    failed.push(format!("{}: {policy} of {}: {given}, not {wanted}", fields[0], fields[input]));
                }
            };
            check("strict", &mut strict, span(&data), &first.join(":"));
            check("whatwg", &mut whatwg, scalars(&String::from_utf8_lossy(&data)), fields[column("outputs.whatwg").unwrap()]);
        }
    }
    for line in failed.iter().take(SHOWN) {
        eprintln!("{line}");
    }
    println!("strict: {strict} of {total} passed\nwhatwg: {whatwg} of {total} passed");
    std::process::exit(!failed.is_empty() as i32);
}
