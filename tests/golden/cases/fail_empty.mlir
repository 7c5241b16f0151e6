//! policy: DRAM
// Nothing but comments.
