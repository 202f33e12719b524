//! Graphs.

use std::ffi::c_int;

use crate::error::Error;
use crate::sys::{CUgraph, CUgraphExec, CUgraphExecUpdateResultInfo, CUgraphNode, Table};

/// Makes something that can be launched.
///
/// # Safety
/// The graph is alive.
pub unsafe fn instantiate(cuda: &Table, graph: CUgraph) -> Result<CUgraphExec, Error> {
    let mut exec = CUgraphExec::NULL;
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuGraphInstantiateWithFlags(&mut exec, graph, 0) }?;
    Ok(exec)
}

/// Puts the parameters of another graph of the same form in place; else the number of what differs.
///
/// # Safety
/// Both are alive.
pub unsafe fn update(cuda: &Table, exec: CUgraphExec, graph: CUgraph) -> Result<(), (Error, c_int)> {
    let mut info = CUgraphExecUpdateResultInfo { result: 0, node: CUgraphNode::NULL, from: CUgraphNode::NULL };
    // SAFETY: the pointer is valid; the rest is the caller's contract.
    unsafe { cuda.cuGraphExecUpdate_v2(exec, graph, &mut info) }.map_err(|error| (error, info.result))
}

/// How many pieces of work it has.
///
/// # Safety
/// The graph is alive.
pub unsafe fn count(cuda: &Table, graph: CUgraph) -> Result<usize, Error> {
    let mut count = 0;
    // SAFETY: without a list only the number is asked for; the rest is the caller's contract.
    unsafe { cuda.cuGraphGetNodes(graph, std::ptr::null_mut(), &mut count) }?;
    Ok(count)
}
