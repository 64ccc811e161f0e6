//! Fuzzes `specimen_fuzz::fql`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::fql(bytes));
