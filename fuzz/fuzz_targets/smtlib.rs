//! Fuzzes `specimen_fuzz::smtlib`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::smtlib(bytes));
