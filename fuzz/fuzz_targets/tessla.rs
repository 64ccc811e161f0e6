//! Fuzzes `specimen_fuzz::tessla`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::tessla(bytes));
