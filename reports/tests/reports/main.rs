//! Tests of all output, on the made-up results of the sample page.

mod atomic;
mod bench;
mod browser;
mod files;
mod page;
mod pandas;
mod pictures;
mod records;
mod report;
mod results;
mod sample;
mod site;
