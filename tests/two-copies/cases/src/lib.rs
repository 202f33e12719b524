//! Nothing: the cases beside are compiled one by one.
