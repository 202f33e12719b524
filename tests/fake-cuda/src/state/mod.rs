//! What the driver knows: one state a process, behind one lock.

pub mod capture;
pub mod context;
pub mod counts;
pub mod event;
pub mod graph;
pub mod memory;
pub mod module;
pub mod random;
pub mod schedule;
pub mod stream;
pub mod work;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

use self::capture::Capture;
use self::context::Context;
use self::event::Event;
use self::graph::Node;
use self::memory::{Pool, Space};
use self::module::{Function, Loaded};
use self::random::Random;
use self::stream::Stream;
use crate::code::{self, Code};
use crate::settings::Settings;

/// The name of an object: never used again, so that a dead one is known.
pub type Handle = u64;

/// All that there is.
pub struct State {
    pub settings: Settings,
    pub initialized: bool,
    pub contexts: Vec<Context>,
    pub space: Space,
    pub pools: BTreeMap<Handle, Pool>,
    pub streams: BTreeMap<Handle, Stream>,
    pub events: BTreeMap<Handle, Arc<Event>>,
    pub modules: BTreeMap<Handle, Loaded>,
    pub functions: BTreeMap<Handle, Function>,
    pub graphs: BTreeMap<Handle, Vec<Node>>,
    pub execs: BTreeMap<Handle, Arc<Vec<Node>>>,
    pub captures: BTreeMap<Handle, Capture>,
    /// Nanoseconds of work done.
    pub clock: u64,
    pub random: Random,
    /// Calls so far.
    pub calls: u64,
    /// The call that fails, and how.
    pub fail_call: Option<(u64, Code)>,
    /// Its name, when it has failed.
    pub failed: &'static str,
    /// How many more allocations succeed before one does not.
    pub fail_allocation: Option<u64>,
    /// Objects that were alive when their context went.
    pub leaked: counts::Live,
    /// What the last kernel that failed did.
    pub last_fault: String,
    next: Handle,
}

/// The state of this copy of the driver.
pub static STATE: LazyLock<Mutex<State>> = LazyLock::new(|| Mutex::new(State::new(Settings::from_environment())));

impl State {
    fn new(settings: Settings) -> State {
        State {
            contexts: (0..settings.devices).map(Context::new).collect(),
            random: Random::new(settings.seed),
            fail_call: settings.fail_call,
            failed: "",
            fail_allocation: settings.fail_allocation,
            settings,
            initialized: false,
            space: Space::default(),
            pools: BTreeMap::new(),
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            graphs: BTreeMap::new(),
            execs: BTreeMap::new(),
            captures: BTreeMap::new(),
            clock: 0,
            calls: 0,
            leaked: counts::Live::default(),
            last_fault: String::new(),
            next: 0,
        }
    }

    /// A name for a new object.
    pub fn handle(&mut self) -> Handle {
        self.next += 1;
        0x1000_0000 + 0x40 * self.next
    }

    /// Counts a call of that name; says whether it has to fail.
    pub fn count_call(&mut self, name: &'static str) -> Result<(), Code> {
        self.calls += 1;
        match self.fail_call {
            Some((call, code)) if call == self.calls => {
                self.failed = name;
                Err(code)
            }
            _ => Ok(()),
        }
    }

    /// Counts an allocation; says whether it has to fail.
    pub fn count_allocation(&mut self) -> Result<(), Code> {
        match &mut self.fail_allocation {
            Some(0) => {
                self.fail_allocation = None;
                Err(code::ERROR_OUT_OF_MEMORY)
            }
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}
