//! What to do about a result code, where there is something to do.

use super::CUresult;

/// The way out, as the second half of a sentence.
pub(crate) fn advice(code: CUresult) -> Option<&'static str> {
    Some(match code.0 {
        2 => "free arrays, or make them smaller",
        3 | 4 => "the process is ending or CUDA was not started; do not use devices from destructors of statics",
        34 => "the library is a stub for linking; install the NVIDIA driver",
        36 | 222 | 227 => "install a newer NVIDIA driver",
        46 => "another process has the device for itself; wait for it, or choose another device",
        100 => "no NVIDIA GPU is visible; look at `nvidia-smi` and at CUDA_VISIBLE_DEVICES",
        101 => "count the devices first",
        209 => "the machine code is for another GPU; load PTX in its place",
        214 => "the GPU's memory is broken or was disturbed; restart the program, and have the GPU looked at",
        221 | 223 => "the driver cannot compile PTX here; install it completely, or load machine code",
        700 | 716 | 717 | 718 | 719 | 714 | 715 => {
            "a kernel did what it must not, and the device's context is lost; end the process. Kernels of this crate \
             check their accesses: look at modules of your own first"
        }
        701 => "the block is too large for the kernel's registers or shared memory; launch smaller blocks",
        702 => "the system ends kernels that run too long on a GPU with a screen",
        802 => "the system is starting up; wait, and see that its services run (as nvidia-fabricmanager)",
        803 => "the loaded kernel module and the driver's library have different versions; restart the machine",
        804 => "the compatibility package does not know this GPU; use the driver's own library",
        900 => "a capture cannot hold it: do it before or after",
        901 => "something else went wrong during the capture",
        904 => "another stream took part in the capture, and nothing waits for it at the end",
        906 => "the default stream takes part in no capture",
        _ => return None,
    })
}
