//! Fuzzes `specimen_fuzz::suite`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::suite(bytes));
