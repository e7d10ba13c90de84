// SPDX-License-Identifier: CC0-1.0
// Holds Rust's decoder against the golden vectors: scripts/export --form tsv out && rustc check.rs && ./check out/tsv/utf-8
use std::{env, fs, process};

fn scalars(text: &str) -> String {
    let points: Vec<String> = text.chars().map(|c| format!("{:X}", c as u32)).collect();
    if points.is_empty() { "-".to_string() } else { points.join(",") }
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Option<Vec<u32>> = if hex == "-" { Some(vec![]) } else { hex.chars().map(|c| c.to_digit(16)).collect() };
    match digits {
        Some(digits) if digits.len() % 2 == 0 => Ok(digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()),
        _ => Err(format!("{hex} is no hex")),
    }
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

#[derive(Default)]
struct Results {
    total: usize,
    strict: usize,
    whatwg: usize,
    failed: Vec<String>,
}

fn check_table(text: &str, results: &mut Results) -> Result<(), String> {
    let names: Vec<&str> = text.lines().next().ok_or("no header")?.split('\t').collect();
    if !names.contains(&"bytes") {
        return Ok(());
    }
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let field = |name: &str| {
            let column = names.iter().position(|&n| n == name);
            column.and_then(|i| fields.get(i).copied()).ok_or(format!("{}: no {name}", fields[0]))
        };
        let hex = field("bytes")?;
        let data = bytes(hex)?;
        let first: Vec<&str> = field("spans")?.split(':').take(2).collect();
        let failed = &mut results.failed;
        let mut check = |policy: &str, given: String, wanted: &str| {
            if given != wanted {
                failed.push(format!("{}: {policy} of {hex}: {given}, not {wanted}", fields[0]));
            }
            (given == wanted) as usize
        };
        results.strict += check("strict", span(&data), &first.join(":"));
        results.whatwg += check("whatwg", scalars(&String::from_utf8_lossy(&data)), field("outputs.whatwg")?);
        results.total += 1;
    }
    Ok(())
}

fn fail(text: String) -> ! {
    eprintln!("{text}");
    process::exit(2)
}

fn main() {
    let folder = env::args().nth(1).unwrap_or_else(|| fail("usage: check FOLDER-OF-TABLES".to_string()));
    let mut results = Results::default();
    for entry in fs::read_dir(&folder).unwrap_or_else(|error| fail(format!("no vectors in {folder}: {error}"))) {
        let path = entry.unwrap_or_else(|error| fail(format!("{folder}: {error}"))).path();
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        text.and_then(|text| check_table(&text, &mut results)).unwrap_or_else(|error| fail(format!("{}: {error}", path.display())));
    }
    let Results { total, strict, whatwg, failed } = results;
    if total == 0 {
        fail(format!("no vectors in {folder}"));
    }
    for line in failed.iter().take(SHOWN) {
        eprintln!("{line}");
    }
    println!("strict: {strict} of {total} passed\nwhatwg: {whatwg} of {total} passed");
    process::exit(!failed.is_empty() as i32);
}
