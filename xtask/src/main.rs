//! The specimen program.
fn main() {}
