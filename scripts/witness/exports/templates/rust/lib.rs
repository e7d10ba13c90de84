// SPDX-License-Identifier: CC0-1.0

//! The golden vectors of utf8-assay: a conformance set for decoders and encoders of UTF-8 and its family. A test is a line of a table; its
//! columns are the fields of FORMAT.md, a field in an object being OBJECT.FIELD.
//!
//! ```
//! for test in utf8_assay_vectors::tests("utf-8/overlong") {
//!     let bytes = utf8_assay_vectors::unhex(&test["bytes"]);
//!     assert_eq!(std::str::from_utf8(&bytes).is_ok(), &test["well_formed"] == "true", "{}", &test["id"]);
//! }
//! ```

mod files;

/// The tables, by name: ENCODING/CATEGORY.
pub use files::FILES;

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    names: Vec<&'static str>,
    cells: Vec<&'static str>,
}

impl Test {
    /// The cell in a column, if there is such a column.
    pub fn get(&self, name: &str) -> Option<&'static str> {
        self.names.iter().position(|one| *one == name).map(|at| self.cells[at])
    }
}

impl std::ops::Index<&str> for Test {
    type Output = str;

    /// The cell in a column. Panics if there is no such column.
    fn index(&self, name: &str) -> &str {
        self.get(name).unwrap_or_else(|| panic!("no column is called {name}"))
    }
}

/// The tests of a category. Panics if there is no such category.
pub fn tests(name: &str) -> impl Iterator<Item = Test> {
    let file = FILES.iter().find(|file| file.0 == name);
    let mut lines = file.unwrap_or_else(|| panic!("no vectors are called {name}")).1.lines();
    let names: Vec<&str> = lines.next().unwrap_or("").split('\t').collect();
    lines.map(move |line| Test { names: names.clone(), cells: line.split('\t').collect() })
}

/// HEX as bytes; `-` is none. Panics if it is no HEX.
pub fn unhex(text: &str) -> Vec<u8> {
    let digits = if text == "-" { "" } else { text };
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("HEX")).collect()
}

/// SCALARS as code points; `-` is none. Panics if it is no SCALARS.
pub fn scalars(text: &str) -> Vec<u32> {
    let items = if text == "-" { "" } else { text };
    items.split(',').filter(|item| !item.is_empty()).map(|item| u32::from_str_radix(item, 16).expect("SCALARS")).collect()
}
