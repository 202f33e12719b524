use std::ffi::{c_int, c_uint, c_ulonglong};
use std::sync::Arc;

use super::{call, give};
use crate::code::{self, Code};
use crate::state::Handle;
use crate::state::graph::kind;
use crate::state::work::Work;

/// What came of an update.
#[repr(C)]
pub struct UpdateInfo {
    result: c_int,
    nodes: [Handle; 2],
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphCreate(graph: *mut Handle, flags: c_uint) -> Code {
    call(|state| {
        if flags != 0 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        let handle = state.handle();
        state.graphs.insert(handle, Vec::new());
        // SAFETY: the caller's contract.
        unsafe { give(graph, handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphDestroy(graph: Handle) -> Code {
    call(|state| state.graphs.remove(&graph).map(|_| ()).ok_or(code::ERROR_INVALID_VALUE))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphInstantiateWithFlags(
    exec: *mut Handle,
    graph: Handle,
    flags: c_ulonglong,
) -> Code {
    call(|state| {
        state.current()?;
        let nodes = state.graphs.get(&graph).ok_or(code::ERROR_INVALID_VALUE)?.clone();
        if flags != 0 {
            return Err(code::ERROR_INVALID_VALUE);
        }
        let handle = state.handle();
        state.execs.insert(handle, Arc::new(nodes));
        // SAFETY: the caller's contract.
        unsafe { give(exec, handle) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphExecDestroy(exec: Handle) -> Code {
    call(|state| state.execs.remove(&exec).map(|_| ()).ok_or(code::ERROR_INVALID_VALUE))
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphLaunch(exec: Handle, stream: Handle) -> Code {
    call(|state| {
        let nodes = state.execs.get(&exec).ok_or(code::ERROR_INVALID_VALUE)?.clone();
        state.submit(stream, Work::Graph(nodes))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphUpload(exec: Handle, stream: Handle) -> Code {
    call(|state| {
        state.execs.get(&exec).ok_or(code::ERROR_INVALID_VALUE)?;
        state.submit(stream, Work::Nothing)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphExecUpdate_v2(exec: Handle, graph: Handle, info: *mut UpdateInfo) -> Code {
    call(|state| {
        let old = state.execs.get(&exec).ok_or(code::ERROR_INVALID_VALUE)?;
        let new = state.graphs.get(&graph).ok_or(code::ERROR_INVALID_VALUE)?;
        let result = state.difference(old, new);
        // SAFETY: the caller's contract.
        unsafe { give(info, UpdateInfo { result, nodes: [0; 2] }) }?;
        if result != 0 {
            return Err(code::ERROR_GRAPH_EXEC_UPDATE_FAILURE);
        }
        let new = Arc::new(new.clone());
        state.execs.insert(exec, new);
        Ok(())
    })
}

/// Names of nodes are the graph's and their numbers.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphGetNodes(graph: Handle, nodes: *mut Handle, count: *mut usize) -> Code {
    call(|state| {
        let found = state.graphs.get(&graph).ok_or(code::ERROR_INVALID_VALUE)?.len();
        if count.is_null() {
            return Err(code::ERROR_INVALID_VALUE);
        }
        if nodes.is_null() {
            // SAFETY: the caller's contract.
            return unsafe { give(count, found) };
        }
        // SAFETY: the caller's contract.
        let room = unsafe { count.read() };
        for k in 0..room {
            let name = if k < found { (graph << 20) | (k as u64 + 1) } else { 0 };
            // SAFETY: the caller's contract: there is room for so many.
            unsafe { nodes.add(k).write(name) };
        }
        // SAFETY: the caller's contract.
        unsafe { give(count, found.min(room)) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "system" fn cuGraphNodeGetType(node: Handle, what: *mut c_int) -> Code {
    call(|state| {
        let nodes = state.graphs.get(&(node >> 20)).ok_or(code::ERROR_INVALID_VALUE)?;
        let node = ((node & 0xf_ffff) as usize).checked_sub(1).and_then(|k| nodes.get(k));
        let node = node.ok_or(code::ERROR_INVALID_VALUE)?;
        // SAFETY: the caller's contract.
        unsafe { give(what, kind(&node.work)) }
    })
}
