//! Fuzzes `specimen_fuzz::tlsf`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| specimen_fuzz::tlsf(bytes));
