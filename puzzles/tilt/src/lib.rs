//! ThinkFun's Tilt: rules, fast variant, instances and claims.

pub mod sweep;
