//! Tests that go through the registry of engines. They are not unit tests, since the registry holds
//! every engine for both widths of keys, and all of them would be compiled a second time.

mod answers;
mod ida;
mod solutions;
