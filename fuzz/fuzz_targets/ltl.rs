//! Fuzzes `specimen_fuzz::ltl`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::ltl(bytes));
