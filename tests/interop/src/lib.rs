//! Arrays, contexts and streams shared with cust, rustacuda and cudarc: all is in `tests`, and the feature `crates`.
