//! TeSSLa: from the flat core to the slot grid.

mod datum;
mod function;
mod gate;
mod grid;
