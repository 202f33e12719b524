//! The print ring: what threads leave in device memory for the host to print.
//!
//! | word | what | before a launch |
//! |---|---|---|
//! | 0 | words of records that threads asked for | 0 |
//! | 1 | records that found no room | 0 |
//! | 2 | words that there are for records | the capacity |
//! | 3.. | records, one behind the other | anything |
//!
//! A record is a word `site + 1 | count << 32`, the thread's number, and `count` words of argument bits. A thread reserves
//! its words by an atomic addition; one that finds no room counts itself, and if its record would have begun inside, it
//! leaves a 0 there, behind which nothing follows.

/// A print ring's layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrintRing {
    /// Words for records.
    pub capacity: usize,
}

/// What a print ring tells.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prints {
    /// The records. Those of one thread are in its order.
    pub printed: Vec<Printed>,
    /// Records that found no room: they are lost, which the user has to be told.
    pub lost: u64,
}

/// A print site that a thread executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// Row-major number of the thread.
    pub thread: u64,
    /// The site, by its position in the kernel's print sites.
    pub site: usize,
    /// Bits of the arguments.
    pub args: Vec<u64>,
}

impl PrintRing {
    /// The word that counts what was asked for.
    pub const CURSOR: usize = 0;
    /// The word that counts records without room.
    pub const LOST: usize = 1;
    /// The word with the capacity.
    pub const CAPACITY: usize = 2;
    /// The first word of records.
    pub const RECORDS: usize = 3;

    /// Words of the ring.
    pub fn words(&self) -> usize {
        PrintRing::RECORDS + self.capacity
    }

    /// What the ring's first words hold before a launch; the others may hold anything.
    pub fn quiet(&self) -> [u64; PrintRing::RECORDS] {
        [0, 0, self.capacity as u64]
    }

    /// Words of the ring that hold something after a launch, by its first words: what there is to copy.
    pub fn used(head: [u64; PrintRing::RECORDS]) -> usize {
        PrintRing::RECORDS + head[PrintRing::CURSOR].min(head[PrintRing::CAPACITY]) as usize
    }

    /// What the ring tells after a launch, from as many words as are used.
    pub fn read(words: &[u64]) -> Prints {
        let Some((head, mut rest)) = words.split_first_chunk::<{ PrintRing::RECORDS }>() else {
            return Prints::default();
        };
        rest = &rest[..rest.len().min(PrintRing::used(*head) - PrintRing::RECORDS)];
        let mut prints = Prints { printed: vec![], lost: head[PrintRing::LOST] };
        while let [what, thread, args @ ..] = rest
            && *what != 0
        {
            let (site, count) = ((what & 0xffff_ffff) as usize - 1, (what >> 32) as usize);
            let Some((args, behind)) = args.split_at_checked(count) else { break };
            prints.printed.push(Printed { thread: *thread, site, args: args.to_vec() });
            rest = behind;
        }
        prints
    }
}
