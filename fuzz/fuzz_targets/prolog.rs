//! Fuzzes `specimen_fuzz::prolog`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::prolog(bytes));
