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

/// The places after `steps` steps, in `f64` from the `f32` inputs.
pub fn reference(cloth: &Cloth, steps: usize) -> Vec<[f64; 3]> {
    let wide = |list: &[[f32; 3]]| list.iter().map(|v| v.map(f64::from)).collect::<Vec<_>>();
    let (mut places, mut speeds) = (wide(&cloth.places), wide(&cloth.speeds));
    for _ in 0..steps {
        let forces = forces(cloth, &places, &speeds);
        for k in 0..places.len() {
            let inverse_mass = f64::from(cloth.inverse_masses[k]);
            for c in 0..3 {
                let gravity = if c == 1 { -9.81 } else { 0.0 };
                if inverse_mass > 0.0 {
                    speeds[k][c] += (forces[k][c] * inverse_mass + gravity) * 1e-3;
                }
                places[k][c] += speeds[k][c] * 1e-3;
            }
        }
    }
    places
}

fn forces(cloth: &Cloth, places: &[[f64; 3]], speeds: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut forces = vec![[0.0; 3]; places.len()];
    let Springs { from, to, rest } = &cloth.springs;
    for ((from, to), rest) in from.iter().zip(to).zip(rest) {
        let (a, b) = (*from as usize, *to as usize);
        let d: [f64; 3] = std::array::from_fn(|c| places[a][c] - places[b][c]);
        let length = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        let u = d.map(|c| c / length);
        let closing: f64 = (0..3).map(|c| u[c] * (speeds[a][c] - speeds[b][c])).sum();
        let strength = 1000.0 * (length - f64::from(*rest)) + 0.1 * closing;
        for c in 0..3 {
            forces[a][c] -= u[c] * strength;
            forces[b][c] += u[c] * strength;
        }
    }
    forces
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
    fn held_corners_stay_and_a_single_particle_is_held() {
        let ends = reference(&Cloth::new(3), 100);
        assert_eq!((ends[0], ends[2][1]), ([0.0; 3], 0.0));
        assert!(ends[4][1] < -0.01, "{ends:?}");
        let one = Cloth::new(1);
        assert!(one.springs.rest.is_empty());
        assert_eq!(reference(&one, 5), [[0.0; 3]]);
    }
}
