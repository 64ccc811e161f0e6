//! Fuzzes `specimen_fuzz::stl`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::stl(bytes));
