//! ThinkFun's Tilt: rules, fast variant, instances and claims.
