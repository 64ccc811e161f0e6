//! Fuzzes `specimen_fuzz::traces`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::traces(bytes));
