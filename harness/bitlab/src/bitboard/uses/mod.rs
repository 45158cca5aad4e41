//! The algorithms at work where published counts exist to check them against.

pub mod connect_four;
pub mod lights_out;
pub mod othello;
pub mod playouts;
