//! A grid of cells with particles in it, as a simulation would write it: everything of the language in one place.

use std::ops::AddAssign;

use warp::prelude::*;
use warp::{Float, SoaArray};
use warp_test_devices::{device, on_every_device};

const REST: f32 = 0.25;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Struct)]
#[repr(u32)]
enum Kind {
    #[default]
    Fluid,
    Wall,
    Ghost = 7,
}

#[methods]
impl Kind {
    fn weight<T: Float>(self, of_fluid: T, of_wall: T) -> Option<T> {
        match self {
            Kind::Fluid => Some(of_fluid),
            Kind::Wall if of_wall < of_fluid => Some(of_wall),
            Kind::Wall | Kind::Ghost => None,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Struct)]
#[repr(C)]
struct Particle {
    pos: Vec3,
    vel: Vec3,
    kind: Kind,
    mass: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Struct)]
#[repr(C)]
struct Tally {
    density: f32,
    drift: Vec3,
    by_kind: [u32; 3],
}

impl Tally {
    const NOTHING: Tally = Tally { density: 0.0, drift: Vec3::ZERO, by_kind: [0; 3] };
}

#[methods]
impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.density += other.density;
        self.drift += other.drift;
        for (mine, theirs) in self.by_kind.iter_mut().zip(other.by_kind) {
            *mine += theirs;
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Struct)]
#[repr(C)]
struct Grid {
    origin: Vec3,
    cell: f32,
    extent: UVec3,
}

#[methods]
impl Grid {
    const REACH: i32 = 1;

    fn cell_of(&self, p: Vec3) -> Option<IVec3> {
        let at = ((p - self.origin) / self.cell).floor().as_ivec3();
        if self.holds(at) { Some(at) } else { None }
    }

    fn holds(&self, cell: IVec3) -> bool {
        cell.cmpge(IVec3::ZERO).all() && cell.cmplt(self.extent.as_ivec3()).all()
    }

    fn flat(&self, cell: IVec3) -> usize {
        let Grid { extent, .. } = *self;
        let c = cell.as_uvec3();
        ((c.z * extent.y + c.y) * extent.x + c.x) as usize
    }

    fn around(self, center: IVec3) -> Cells {
        let reach = IVec3::splat(Self::REACH);
        Cells { low: center - reach, high: center + reach, at: center - reach, grid: self }
    }
}

/// The cells around one, those outside of the grid left out.
#[derive(Clone, Copy, Struct)]
#[repr(C)]
struct Cells {
    low: IVec3,
    high: IVec3,
    at: IVec3,
    grid: Grid,
}

#[methods]
impl Iterator for Cells {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while self.at.z <= self.high.z {
            let cell = self.at;
            self.at.x += 1;
            if self.at.x > self.high.x {
                (self.at.x, self.at.y) = (self.low.x, self.at.y + 1);
            }
            if self.at.y > self.high.y {
                (self.at.y, self.at.z) = (self.low.y, self.at.z + 1);
            }
            if self.grid.holds(cell) {
                return Some(self.grid.flat(cell));
            }
        }
        None
    }
}

#[derive(Args)]
struct Table<'a> {
    starts: &'a [u32],
    items: &'a [u32],
}

#[derive(Args)]
struct World<'a> {
    grid: Grid,
    table: Table<'a>,
    particles: &'a [Particle],
}

#[kernel]
fn count(grid: Grid, particles: &[Particle], counts: &mut [u32]) {
    if let Some(cell) = grid.cell_of(particles[tid()].pos) {
        atomic_add(&mut counts[grid.flat(cell)], 1);
    }
}

#[kernel]
fn sort(grid: Grid, particles: &[Particle], cursors: &mut [u32], items: &mut [u32]) {
    let i = tid();
    let Some(cell) = grid.cell_of(particles[i].pos) else { return };
    let place = atomic_add(&mut cursors[grid.flat(cell)], 1);
    items[place as usize] = i as u32;
}

/// What one neighbour adds.
#[func]
fn seen(own: Particle, other: &Particle, radius: f32) -> Option<(Tally, f32)> {
    let way = other.pos - own.pos;
    let distance = way.length();
    match (distance < radius, other.kind.weight(1.0, 0.5)) {
        (true, Some(weight)) => {
            let closeness = 1.0 - distance / radius;
            let mut by_kind = [0; 3];
            by_kind[(other.kind as u32 as usize).min(2)] = 1;
            let density = other.mass * weight * closeness.powi(2);
            Some((Tally { density, drift: (other.vel - own.vel) * closeness, by_kind }, distance))
        }
        _ => None,
    }
}

#[kernel]
fn survey(world: World<'_>, tallies: &mut [Tally], nearest: &mut [u32], moved: &mut Soa<Particle>) {
    let i = tid();
    let own = world.particles[i];
    let mut tally = Tally::NOTHING;
    let mut best: Option<(usize, f32)> = None;
    let Some(center) = world.grid.cell_of(own.pos) else {
        nearest[i] = u32::MAX;
        moved[i] = Particle { kind: Kind::Ghost, ..own };
        return;
    };
    for cell in world.grid.around(center) {
        let (from, to) = (world.table.starts[cell], world.table.starts[cell + 1]);
        for &item in &world.table.items[from as usize..to as usize] {
            let j = item as usize;
            if j == i {
                continue;
            }
            let Some((more, distance)) = seen(own, &world.particles[j], world.grid.cell) else { continue };
            tally += more;
            best = match best {
                Some((k, least)) if (least, k) <= (distance, j) => Some((k, least)),
                _ => Some((j, distance)),
            };
        }
    }
    nearest[i] = best.map_or(u32::MAX - 1, |(j, _)| j as u32);
    let crowded = tally.density > REST && own.kind != Kind::Wall;
    let after = if crowded { own.vel + tally.drift * 0.5 } else { own.vel };
    moved[i] = own;
    moved[i].vel = after;
    if let (true, Some((j, distance))) = (crowded, best)
        && distance > 0.0
    {
        moved[i].pos += (own.pos - world.particles[j].pos) / distance * 0.01;
    }
    tallies[i] = tally;
}

const GRID: Grid = Grid { origin: Vec3::new(-1.0, 0.0, 2.0), cell: 0.5, extent: UVec3::new(5, 4, 3) };

/// Particles that lie all over the grid, some outside of it; no two in one place.
fn particles() -> Vec<Particle> {
    let part = |i: u32, by: u32| ((i * i % 101 * by + 31 * i) % 101) as f32 / 101.0;
    let particle = |i: u32| Particle {
        pos: GRID.origin + Vec3::new(2.7 * part(i, 37) - 0.1, 2.1 * part(i, 59), 1.5 * part(i, 83)),
        vel: Vec3::new(part(i, 7), -part(i, 11), 0.5),
        kind: [Kind::Fluid, Kind::Fluid, Kind::Wall, Kind::Ghost, Kind::Fluid][i as usize % 5],
        mass: 0.5 + part(i, 3),
    };
    (0..100).map(particle).collect()
}

/// Starts and items of the cells, by kernels where threads meet and by the host where they do not.
fn table(device: &Device, particles: &Array<Particle>) -> Result<(Vec<u32>, Vec<u32>), Error> {
    let cells = GRID.extent.element_product() as usize;
    let mut counts = Array::zeros(device, cells)?;
    count::launch(particles.len(), GRID, particles, &mut counts)?;
    let mut starts = vec![0];
    starts.extend(counts.to_vec()?.iter().scan(0, |sum, n| {
        *sum += n;
        Some(*sum)
    }));
    let mut cursors = Array::from_slice(device, &starts[..cells])?;
    let mut items = Array::zeros(device, starts[cells] as usize)?;
    sort::launch(particles.len(), GRID, particles, &mut cursors, &mut items)?;
    assert_eq!(cursors.to_vec()?, starts[1..]);
    // The order inside of a cell is that of the threads.
    let mut items = items.to_vec()?;
    starts.windows(2).for_each(|ends| items[ends[0] as usize..ends[1] as usize].sort_unstable());
    Ok((starts, items))
}

/// The tally of one particle by looking at all others, in double precision, and how far the nearest is.
fn by_all_pairs(all: &[Particle], i: usize) -> (f64, [f64; 3], [u32; 3], Option<f64>) {
    let (own, radius) = (all[i], f64::from(GRID.cell));
    let (mut density, mut drift, mut by_kind) = (0.0, [0.0; 3], [0; 3]);
    let mut best: Option<f64> = None;
    for (j, other) in all.iter().enumerate() {
        let distance = (other.pos.as_dvec3() - own.pos.as_dvec3()).length();
        if j == i || distance >= radius || GRID.cell_of(other.pos).is_none() || other.kind == Kind::Ghost {
            continue;
        }
        let closeness = 1.0 - distance / radius;
        let weight = if other.kind == Kind::Wall { 0.5 } else { 1.0 };
        density += f64::from(other.mass) * weight * closeness * closeness;
        for (axis, drift) in drift.iter_mut().enumerate() {
            *drift += f64::from(other.vel[axis] - own.vel[axis]) * closeness;
        }
        by_kind[other.kind as usize] += 1;
        best = Some(best.map_or(distance, |best| best.min(distance)));
    }
    (density, drift, by_kind, best)
}

#[on_every_device]
fn a_grid_finds_what_all_pairs_find() -> Result<(), Error> {
    let device = device();
    let all = particles();
    let n = all.len();
    let given = Array::from_slice(&device, &all)?;
    let (starts, items) = table(&device, &given)?;
    let (starts_there, items_there) = (Array::from_slice(&device, &starts)?, Array::from_slice(&device, &items)?);
    let mut tallies = Array::from_slice(&device, &vec![Tally::default(); n])?;
    let mut nearest = Array::zeros(&device, n)?;
    let mut moved = SoaArray::from_slice(&device, &all)?;
    let table = TableArrays { starts: &starts_there, items: &items_there };
    let world = WorldArrays { grid: GRID, table, particles: &given };
    survey::launch(n, world, &mut tallies, &mut nearest, &mut moved)?;
    let (found, nearest, moved) = (tallies.to_vec()?, nearest.to_vec()?, moved.to_vec()?);

    let (mut inside, mut crowded) = (0, 0);
    for (i, own) in all.iter().enumerate() {
        if GRID.cell_of(own.pos).is_none() {
            assert_eq!((found[i], nearest[i]), (Tally::default(), u32::MAX));
            assert_eq!(moved[i], Particle { kind: Kind::Ghost, ..*own });
            continue;
        }
        inside += 1;
        let (density, drift, by_kind, best) = by_all_pairs(&all, i);
        assert!((f64::from(found[i].density) - density).abs() < 1e-5, "{i}: {} {density}", found[i].density);
        for (axis, drift) in drift.iter().enumerate() {
            assert!((f64::from(found[i].drift[axis]) - drift).abs() < 1e-5, "{i}: {} {drift}", found[i].drift);
        }
        assert_eq!(found[i].by_kind, by_kind, "{i}");
        match best {
            // Others may be as near as that but for rounding.
            Some(least) => {
                let to = all[nearest[i] as usize].pos.as_dvec3();
                assert!(((to - own.pos.as_dvec3()).length() - least).abs() < 1e-6, "{i}: {}", nearest[i]);
            }
            None => assert_eq!(nearest[i], u32::MAX - 1, "{i}"),
        }
        let moves = density > 0.25 && own.kind != Kind::Wall;
        crowded += u32::from(moves);
        assert_eq!(moved[i].pos != own.pos, moves, "{i}");
        assert!(moves || moved[i] == *own, "{i}");
    }
    // The same formulas in another language.
    assert_eq!((inside, crowded), (88, 29));

    // As plain Rust.
    let (mut tallies, mut near, mut planes) = (vec![Tally::default(); n], vec![0; n], Soa::from_slice(&all));
    let world = World { grid: GRID, table: Table { starts: &starts, items: &items }, particles: &all };
    survey::plain(n, world, &mut tallies, &mut near, &mut planes)?;
    assert_eq!(near, nearest);
    for (plain, found) in tallies.iter().zip(&found) {
        assert_eq!(plain.by_kind, found.by_kind);
        assert!((plain.density - found.density).abs() < 1e-5 && (plain.drift - found.drift).length() < 1e-5);
    }
    Ok(())
}
