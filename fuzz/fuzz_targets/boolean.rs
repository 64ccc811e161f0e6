//! Fuzzes `specimen_fuzz::boolean`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::boolean(bytes));
