// SPDX-License-Identifier: CC0-1.0
// Holds Rust's decoders and encoders against the golden vectors. In a checkout:
//
//     scripts/export --form tsv /tmp/tables && rustc vectors/examples/check.rs -o /tmp/check-rust && /tmp/check-rust /tmp/tables/tsv/utf-8
//
// In share/utf8-assay of an installation:
//
//     rustc vectors/examples/check.rs -o /tmp/check-rust && /tmp/check-rust tsv/utf-8
//
// To test others, put them into `strict`, `lossy`, `encoded`, `encoded_lossy` and `in_pieces`. One that panics has failed that case.
use std::collections::HashSet;
use std::io::{self, BufReader, Read};
use std::panic::{self, AssertUnwindSafe};
use std::{env, fs, process};

fn scalars(text: &str) -> String {
    let points: Vec<String> = text.chars().map(|c| format!("{:X}", c as u32)).collect();
    if points.is_empty() {
        "-".to_string()
    } else {
        points.join(",")
    }
}

fn hex(text: &str) -> String {
    if text.is_empty() {
        return "-".to_string();
    }
    text.bytes().map(|byte| format!("{byte:02X}")).collect()
}

/// The first span as the tables write it, as far as Rust reports it: offset and length.
fn strict(data: &[u8]) -> String {
    match std::str::from_utf8(data) {
        Ok(_) => "-".to_string(),
        Err(error) => {
            let start = error.valid_up_to();
            format!(
                "{}:{}",
                start,
                error.error_len().unwrap_or(data.len() - start)
            )
        }
    }
}

fn lossy(data: &[u8]) -> String {
    scalars(&String::from_utf8_lossy(data))
}

/// A reader that gives one piece at a time, or what there is room for.
struct Pieces<'a>(Vec<&'a [u8]>);

impl Read for Pieces<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = match self.0.first_mut() {
            Some(piece) => piece.read(room)?,
            None => 0,
        };
        self.0.retain(|piece| !piece.is_empty());
        Ok(count)
    }
}

/// What read_to_string makes of the pieces.
fn in_pieces(pieces: &[Vec<u8>]) -> String {
    let mut text = String::new();
    match BufReader::new(Pieces(pieces.iter().map(|piece| &piece[..]).collect()))
        .read_to_string(&mut text)
    {
        Ok(_) => scalars(&text),
        Err(_) => "ill-formed".to_string(),
    }
}

/// The bytes of code points before the first that is no scalar value, and the index of that one.
fn encoded(units: &[u32]) -> String {
    let text: String = units
        .iter()
        .map_while(|&unit| char::from_u32(unit))
        .collect();
    match units
        .iter()
        .position(|&unit| char::from_u32(unit).is_none())
    {
        Some(index) => format!("{} and an error at {index}", hex(&text)),
        None => hex(&text),
    }
}

/// The bytes of UTF-16.
fn encoded_lossy(units: &[u32]) -> String {
    let units: Vec<u16> = units.iter().map(|&unit| unit as u16).collect();
    hex(&String::from_utf16_lossy(&units))
}

// ---- what is asked, and what is wanted ----

/// A line of a table: the names of its columns, and its fields.
struct Line<'a> {
    names: &'a [&'a str],
    fields: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn field(&self, name: &str) -> Result<&'a str, String> {
        let column = self.names.iter().position(|&n| n == name);
        let field = column.and_then(|i| self.fields.get(i).copied());
        field.ok_or(format!("{}: no {name}", self.fields[0]))
    }
}

struct Question<'a> {
    name: &'static str,
    shown: &'a str,
    call: Box<dyn Fn() -> String + 'a>,
    wanted: String,
}

fn bytes(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Option<Vec<u32>> = if hex == "-" {
        Some(vec![])
    } else {
        hex.chars().map(|c| c.to_digit(16)).collect()
    };
    match digits {
        Some(digits) if digits.len() % 2 == 0 => {
            let byte = |pair: &[u32]| (pair[0] << 4 | pair[1]) as u8;
            Ok(digits.chunks(2).map(byte).collect())
        }
        _ => Err(format!("{hex} is no hex")),
    }
}

fn units_of(text: &str) -> Result<Vec<u32>, String> {
    let unit = |one: &str| u32::from_str_radix(one, 16).map_err(|error| format!("{one}: {error}"));
    text.split(',')
        .filter(|&one| one != "-")
        .map(unit)
        .collect()
}

fn questions<'a>(line: &Line<'a>, category: &str) -> Result<Vec<Question<'a>>, String> {
    let has = |name: &str| line.names.contains(&name);
    if has("bytes") {
        let shown = line.field("bytes")?;
        let (data, again) = (bytes(shown)?, bytes(shown)?);
        let span: Vec<&str> = line.field("spans")?.split(':').take(2).collect();
        let wanted = line.field("outputs.whatwg")?.to_string();
        let first = Box::new(move || strict(&data));
        let second = Box::new(move || lossy(&again));
        return Ok(vec![
            Question {
                name: "strict",
                shown,
                call: first,
                wanted: span.join(":"),
            },
            Question {
                name: "whatwg",
                shown,
                call: second,
                wanted,
            },
        ]);
    }
    if has("pieces") {
        let shown = line.field("pieces")?;
        let pieces: Vec<Vec<u8>> = shown.split(',').map(bytes).collect::<Result<_, _>>()?;
        let emitted: Vec<&str> = line
            .field("emitted.strict")?
            .split('|')
            .filter(|&one| one != "-")
            .collect();
        let wanted = match (line.field("well_formed")?, emitted.is_empty()) {
            ("false", _) => "ill-formed".to_string(),
            (_, true) => "-".to_string(),
            _ => emitted.join(","),
        };
        let pieces: Vec<Vec<u8>> = pieces
            .into_iter()
            .filter(|piece| !piece.is_empty())
            .collect();
        let call = Box::new(move || in_pieces(&pieces));
        return Ok(vec![Question {
            name: "strict in pieces",
            shown,
            call,
            wanted,
        }]);
    }
    if !has("units") {
        return Ok(vec![]);
    }
    let shown = line.field("units")?;
    let units = units_of(shown)?;
    if category.ends_with("encode-utf16") {
        let wanted = line.field("outputs.whatwg.bytes")?.to_string();
        let call = Box::new(move || encoded_lossy(&units));
        return Ok(vec![Question {
            name: "whatwg of the encoder, from UTF-16",
            shown,
            call,
            wanted,
        }]);
    }
    let stopped = match line.field("outputs.strict.stopped_at")? {
        "null" => String::new(),
        index => format!(" and an error at {index}"),
    };
    let wanted = format!("{}{stopped}", line.field("outputs.strict.bytes")?);
    let call = Box::new(move || encoded(&units));
    Ok(vec![Question {
        name: "strict of the encoder",
        shown,
        call,
        wanted,
    }])
}

// ---- asking ----

const SHOWN: usize = 60; // characters of a long row

/// A long row, cut so that the place `at` is in it.
fn cut(text: &str, at: usize) -> String {
    let start = if text.len() > SHOWN {
        at.saturating_sub(SHOWN / 2)
    } else {
        0
    };
    let part: String = text.chars().skip(start).take(SHOWN).collect();
    let before = if start > 0 { "..." } else { "" };
    let after = if text.chars().count() > start + SHOWN {
        "..."
    } else {
        ""
    };
    format!("{before}{part}{after}")
}

fn letter(id: &str, asked: &Question, given: &str) -> String {
    let at = given
        .bytes()
        .zip(asked.wanted.bytes())
        .take_while(|(a, b)| a == b)
        .count();
    let (shown, given, wanted) = (cut(asked.shown, 0), cut(given, at), cut(&asked.wanted, at));
    format!(
        "{id}: {} of {shown}\n    given   {given}\n    wanted  {wanted}",
        asked.name
    )
}

fn answer(call: &dyn Fn() -> String) -> String {
    panic::catch_unwind(AssertUnwindSafe(call)).unwrap_or_else(|_| "panicked".to_string())
}

/// Of each question in the order of the first time: its name, how many answers were right, and how many there were.
#[derive(Default)]
struct Counts(Vec<(&'static str, usize, usize)>);

impl Counts {
    fn add(&mut self, name: &'static str, passed: bool) {
        if !self.0.iter().any(|row| row.0 == name) {
            self.0.push((name, 0, 0));
        }
        for row in self.0.iter_mut().filter(|row| row.0 == name) {
            row.1 += passed as usize;
            row.2 += 1;
        }
    }
}

fn check_table(text: &str, category: &str, counts: &mut Counts) -> Result<(), String> {
    let names: Vec<&str> = text
        .lines()
        .next()
        .ok_or("no header")?
        .split('\t')
        .collect();
    let (mut asked, mut failed, mut first) = (HashSet::new(), HashSet::new(), None);
    for line in text.lines().skip(1) {
        let line = Line {
            names: &names,
            fields: line.split('\t').collect(),
        };
        let id = line.fields[0];
        for question in questions(&line, category)? {
            let given = answer(&*question.call);
            counts.add(question.name, given == question.wanted);
            asked.insert(id);
            if given != question.wanted {
                failed.insert(id);
                first.get_or_insert_with(|| letter(id, &question, &given));
            }
        }
    }
    if let Some(first) = first {
        let (failed, asked) = (failed.len(), asked.len());
        eprintln!("utf-8/{category}: {failed} of {asked} cases failed, the first:\n  {first}");
    }
    Ok(())
}

fn fail(text: String) -> ! {
    eprintln!("{text}");
    process::exit(2)
}

fn main() {
    let folder = env::args()
        .nth(1)
        .unwrap_or_else(|| fail("usage: check FOLDER-OF-TABLES".to_string()));
    let entries = fs::read_dir(&folder)
        .unwrap_or_else(|error| fail(format!("no vectors in {folder}: {error}")));
    let mut paths: Vec<_> = entries
        .filter_map(|entry| entry.ok())
        .map(|entry| entry.path())
        .collect();
    paths.sort();
    let mut counts = Counts::default();
    panic::set_hook(Box::new(|_| {})); // a panic is an answer, which is printed with its case
    for path in paths {
        let category = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .to_string();
        let text = fs::read_to_string(&path).map_err(|error| error.to_string());
        let checked = text.and_then(|text| check_table(&text, &category, &mut counts));
        checked.unwrap_or_else(|error| fail(format!("{}: {error}", path.display())));
    }
    if counts.0.is_empty() {
        fail(format!("no vectors in {folder}"));
    }
    for (name, passed, total) in &counts.0 {
        println!("{name}: {passed} of {total} passed");
    }
    process::exit(counts.0.iter().any(|row| row.1 < row.2) as i32);
}
