//! The backend beyond what every backend must do: what it leaves behind when the driver fails, and what it keeps.

mod kernels;
mod kills;
mod launches;
