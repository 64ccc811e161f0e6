//! Fuzzes `specimen_fuzz::c`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::c(bytes));
