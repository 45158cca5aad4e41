//! Data model of results, and the CSV, JSON, HTML and SVG written from it.
