//! Fuzzes `specimen_fuzz::project`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::project(bytes));
