//! Fuzzes `specimen_fuzz::action`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::action(bytes));
