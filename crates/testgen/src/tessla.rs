//! TeSSLa: from the flat core to the slot grid.
