//! Workload W4: a square cloth of masses and springs that hangs by two corners.

use crate::random::uniform;

/// Stiffness of a spring.
pub const STIFFNESS: f32 = 1000.0;
/// Damping along a spring.
pub const DAMPING: f32 = 0.1;
/// Seconds a step.
pub const STEP: f32 = 1e-3;
/// Acceleration by gravity, along y.
pub const GRAVITY: f32 = -9.81;
/// Distance of neighbours at rest, in metres.
pub const SPACING: f32 = 0.1;
const MASS: f64 = 0.1;

/// A cloth of `n` times `n` particles; particle `(i, j)` has index `i n + j`.
#[derive(Clone, PartialEq, Debug)]
pub struct Cloth {
    /// Places.
    pub places: Vec<[f32; 3]>,
    /// Speeds.
    pub speeds: Vec<[f32; 3]>,
    /// One over the mass; 0 for a particle that is held.
    pub inverse_masses: Vec<f32>,
    /// The springs.
    pub springs: Springs,
}

/// Springs, one entry of each list a spring.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Springs {
    /// The particle at one end.
    pub from: Vec<i32>,
    /// The particle at the other end.
    pub to: Vec<i32>,
    /// Length at rest.
    pub rest: Vec<f32>,
}

impl Cloth {
    /// A flat cloth with small random speeds; two corners are held.
    pub fn new(n: usize) -> Cloth {
        let held = |k: usize| k == 0 || k + 1 == n;
        let speed = |k: usize| std::array::from_fn(|c| (uniform(6, (3 * k + c) as u64) - 0.5) as f32);
        Cloth {
            places: (0..n * n).map(|k| [(k % n) as f32 * SPACING, 0.0, (k / n) as f32 * SPACING]).collect(),
            speeds: (0..n * n).map(|k| if held(k) { [0.0; 3] } else { speed(k) }).collect(),
            inverse_masses: (0..n * n).map(|k| if held(k) { 0.0 } else { (1.0 / MASS) as f32 }).collect(),
            springs: Springs::new(n),
        }
    }
}

impl Springs {
    /// Both ends and the length at rest of each.
    fn iter(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let ends = self.from.iter().zip(&self.to).zip(&self.rest);
        ends.map(|((from, to), rest)| (*from as usize, *to as usize, f64::from(*rest)))
    }

    /// Along rows, along columns, and both diagonals of each cell.
    fn new(n: usize) -> Springs {
        let mut springs = Springs::default();
        let diagonal = (0.1 * 2f64.sqrt()) as f32;
        let less = n.saturating_sub(1);
        let index = |i: usize, j: usize| (i * n + j) as i32;
        let mut add = |rows: usize, columns: usize, rest: f32, ends: &dyn Fn(usize, usize) -> [i32; 2]| {
            for k in 0..rows * columns {
                let [from, to] = ends(k / columns, k % columns);
                springs.from.push(from);
                springs.to.push(to);
                springs.rest.push(rest);
            }
        };
        add(n, less, SPACING, &|i, j| [index(i, j), index(i, j + 1)]);
        add(less, n, SPACING, &|i, j| [index(i, j), index(i + 1, j)]);
        add(less, less, diagonal, &|i, j| [index(i, j), index(i + 1, j + 1)]);
        add(less, less, diagonal, &|i, j| [index(i + 1, j), index(i, j + 1)]);
        springs
    }
}

/// Where each particle should be at the end, from where it started.
pub const GOAL: [f32; 3] = [0.0, -0.5, 0.0];

/// Places and speeds in `f64`.
#[derive(Clone)]
struct State {
    places: Vec<[f64; 3]>,
    speeds: Vec<[f64; 3]>,
}

/// The places after `steps` steps, in `f64` from the `f32` inputs.
pub fn reference(cloth: &Cloth, steps: usize) -> Vec<[f64; 3]> {
    let mut state = State::of(cloth);
    (0..steps).for_each(|_| state.step(cloth));
    state.places
}

impl State {
    fn of(cloth: &Cloth) -> State {
        let wide = |list: &[[f32; 3]]| list.iter().map(|v| v.map(f64::from)).collect();
        State { places: wide(&cloth.places), speeds: wide(&cloth.speeds) }
    }

    fn step(&mut self, cloth: &Cloth) {
        let forces = self.forces(cloth);
        for (k, force) in forces.iter().enumerate() {
            let inverse_mass = f64::from(cloth.inverse_masses[k]);
            for (c, force) in force.iter().enumerate() {
                let gravity = if c == 1 { -9.81 } else { 0.0 };
                if inverse_mass > 0.0 {
                    self.speeds[k][c] += (force * inverse_mass + gravity) * 1e-3;
                }
                self.places[k][c] += self.speeds[k][c] * 1e-3;
            }
        }
    }

    fn forces(&self, cloth: &Cloth) -> Vec<[f64; 3]> {
        let mut forces = vec![[0.0; 3]; self.places.len()];
        for spring in cloth.springs.iter() {
            let Pull { u, strength, .. } = self.pull(spring);
            for c in 0..3 {
                forces[spring.0][c] -= u[c] * strength;
                forces[spring.1][c] += u[c] * strength;
            }
        }
        forces
    }

    fn pull(&self, (a, b, rest): (usize, usize, f64)) -> Pull {
        let d: [f64; 3] = std::array::from_fn(|c| self.places[a][c] - self.places[b][c]);
        let length = dot(d, d).sqrt();
        let u = d.map(|c| c / length);
        let closing: [f64; 3] = std::array::from_fn(|c| self.speeds[a][c] - self.speeds[b][c]);
        Pull { u, length, closing, strength: 1000.0 * (length - rest) + 0.1 * dot(u, closing) }
    }
}

/// What a spring does.
struct Pull {
    u: [f64; 3],
    length: f64,
    closing: [f64; 3],
    strength: f64,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|c| a[c] * b[c]).sum()
}

/// How the loss changes with the first speeds, by an adjoint that is derived by hand, in `f64`. The loss is the mean square
/// distance of the particles from where they should be.
pub fn reference_gradient(cloth: &Cloth, steps: usize) -> Vec<[f64; 3]> {
    let mut states = vec![State::of(cloth)];
    for k in 0..steps {
        let mut next = states[k].clone();
        next.step(cloth);
        states.push(next);
    }
    let n = cloth.places.len();
    let off = |k: usize, c: usize| states[steps].places[k][c] - states[0].places[k][c] - f64::from(GOAL[c]);
    let mut by_place: Vec<[f64; 3]> = (0..n).map(|k| std::array::from_fn(|c| 2.0 * off(k, c) / n as f64)).collect();
    let mut by_speed = vec![[0.0; 3]; n];
    for state in states[..steps].iter().rev() {
        let mut by_force = vec![[0.0; 3]; n];
        for k in 0..n {
            let inverse_mass = f64::from(cloth.inverse_masses[k]);
            for c in 0..3 {
                by_speed[k][c] += by_place[k][c] * 1e-3;
                by_force[k][c] = by_speed[k][c] * inverse_mass * 1e-3;
            }
        }
        for spring in cloth.springs.iter() {
            let Pull { u, length, closing, strength } = state.pull(spring);
            let (a, b, _) = spring;
            let g: [f64; 3] = std::array::from_fn(|c| by_force[b][c] - by_force[a][c]);
            let by_strength = dot(g, u);
            let by_u: [f64; 3] = std::array::from_fn(|c| g[c] * strength + by_strength * 0.1 * closing[c]);
            let along = dot(by_u, u);
            for c in 0..3 {
                let by_d = (by_u[c] - u[c] * along) / length + by_strength * 1000.0 * u[c];
                let by_closing = by_strength * 0.1 * u[c];
                by_place[a][c] += by_d;
                by_place[b][c] -= by_d;
                by_speed[a][c] += by_closing;
                by_speed[b][c] -= by_closing;
            }
        }
    }
    by_speed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_reference_has_the_known_checksum() {
        let cloth = Cloth::new(128);
        assert_eq!(cloth.springs.rest.len(), 64_770);
        let sum = reference(&cloth, 200).as_flattened().iter().map(|c| c.abs()).sum();
        expected("w4", "", 128, 200).unwrap().check(sum).unwrap();
    }

    #[test]
    fn the_gradient_has_the_known_checksum() {
        let gradient = reference_gradient(&Cloth::new(128), 200);
        let sum = gradient.as_flattened().iter().map(|c| c.abs()).sum();
        expected("w4", "grad", 128, 200).unwrap().check(sum).unwrap();
    }

    #[test]
    fn the_gradient_is_that_of_differences() {
        let cloth = Cloth::new(4);
        let loss = |change: f32| {
            let mut cloth = cloth.clone();
            cloth.speeds[6][1] += change;
            let moved = reference(&cloth, 30);
            let off = moved.iter().zip(&cloth.places).map(|(p, start)| {
                (0..3).map(|c| (p[c] - f64::from(start[c]) - f64::from(GOAL[c])).powi(2)).sum::<f64>()
            });
            off.sum::<f64>() / 16.0
        };
        let step = 2f32.powi(-8);
        let difference = (loss(step) - loss(-step)) / (2.0 * f64::from(step));
        let exact = reference_gradient(&cloth, 30)[6][1];
        assert!((difference / exact - 1.0).abs() < 1e-3, "{difference} {exact}");
    }

    #[test]
    fn held_corners_stay_and_a_single_particle_is_held() {
        let ends = reference(&Cloth::new(3), 100);
        assert_eq!((ends[0], ends[2][1]), ([0.0; 3], 0.0));
        assert!(ends[4][1] < -0.01, "{ends:?}");
        let one = Cloth::new(1);
        assert!(one.springs.rest.is_empty());
        assert_eq!(reference(&one, 5), [[0.0; 3]]);
    }
}
