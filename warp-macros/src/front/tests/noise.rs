//! Derivatives of noise and of random numbers: of the code as it stands, against the gradients that the functions give,
//! central differences, and laws.

use super::derivatives::{Map, samples};

/// Coordinates, and a field.
const POINT: &str = "
    let f = DNoise::new(42);
    let p2 = DVec2::new(x[0], x[1]);
    let p3 = DVec3::new(x[0], x[1], x[2]);
    let p4 = DVec4::new(x[0], x[1], x[2], x[3]);
    let n2 = IVec2::new(5, 3); let n3 = IVec3::new(5, 3, 4); let n4 = IVec4::new(5, 3, 4, 7);
";

/// The values of all fields, in the order of [`GRADIENTS`].
const VALUES: &str = "
    y[0] = f.perlin1(x[0]); y[1] = f.perlin2(p2); y[2] = f.perlin3(p3); y[3] = f.perlin4(p4);
    y[4] = f.periodic1(x[0], 5); y[5] = f.periodic2(p2, n2); y[6] = f.periodic3(p3, n3); y[7] = f.periodic4(p4, n4);
    y[8] = f.simplex1(x[0]); y[9] = f.simplex2(p2); y[10] = f.simplex3(p3); y[11] = f.simplex4(p4);
";

/// Four numbers for each field.
const GRADIENTS: &str = "
    let zero = DVec4::new(0.0, 0.0, 0.0, 0.0);
    let mut all = [zero; 12];
    all[0].x = f.perlin1_gradient(x[0]).1;
    all[1] = f.perlin2_gradient(p2).1.extend(0.0).extend(0.0);
    all[2] = f.perlin3_gradient(p3).1.extend(0.0);
    all[3] = f.perlin4_gradient(p4).1;
    all[4].x = f.periodic1_gradient(x[0], 5).1;
    all[5] = f.periodic2_gradient(p2, n2).1.extend(0.0).extend(0.0);
    all[6] = f.periodic3_gradient(p3, n3).1.extend(0.0);
    all[7] = f.periodic4_gradient(p4, n4).1;
    all[8].x = f.simplex1_gradient(x[0]).1;
    all[9] = f.simplex2_gradient(p2).1.extend(0.0).extend(0.0);
    all[10] = f.simplex3_gradient(p3).1.extend(0.0);
    all[11] = f.simplex4_gradient(p4).1;
    for k in 0..12 { y[k * 4] = all[k].x; y[k * 4 + 1] = all[k].y; y[k * 4 + 2] = all[k].z; y[k * 4 + 3] = all[k].w; }
";

/// Places where cells meet: lattice points, sides, and where the order of coordinates changes.
const BORDERS: [[f64; 4]; 6] = [
    [0.0, 0.0, 0.0, 0.0],
    [-3.0, 2.0, 5.0, -1.0],
    [1.0, 0.25, -2.0, 0.75],
    [0.3, 0.3, 0.3, 0.3],
    [-0.7, 0.3, 0.3, -0.7],
    [0.5, 0.5, -0.5, 0.5],
];

fn field(body: &str, count: usize) -> Map {
    Map::new(Box::leak(format!("{POINT} {body}").into_boxed_str()), count)
}

#[test]
fn noise_has_the_gradient_that_it_gives() {
    let (values, gradients) = (field(VALUES, 12), field(GRADIENTS, 48));
    for at in BORDERS.into_iter().map(|at| at.to_vec()).chain((0..6).map(|seed| samples(seed, 4))) {
        let given = gradients.value(&at);
        for by in 0..4 {
            for (k, found) in values.derivative(&at, by).into_iter().enumerate() {
                let expected = given[k * 4 + by];
                assert!((found - expected).abs() < 1e-13, "field {k} by {by} at {at:?}: {found}, {expected}");
            }
        }
    }
}

#[test]
fn noise_is_differentiated() {
    let (values, gradients) = (field(VALUES, 12), field(GRADIENTS, 48));
    for seed in 0..4 {
        values.is_smooth_at(&samples(seed, 4));
        gradients.is_smooth_at(&samples(seed, 4));
    }
    // Simplex noise has a third derivative everywhere, and so have differences of the fourth order.
    let simplex = field("y[0] = f.simplex2(p2); y[1] = f.simplex3(p3); y[2] = f.simplex4(p4);", 3);
    for at in BORDERS {
        gradients.is_finite_at(&at);
        simplex.is_smooth_at(&at);
    }
}

/// Beside a lattice point the second derivatives are those at it, so that no force jumps where a particle crosses a cell.
#[test]
fn second_derivatives_are_continuous() {
    let gradients = field(GRADIENTS, 48);
    for at in BORDERS {
        for (by, side) in (0..4).flat_map(|by| [(by, -1e-7), (by, 1e-7)]) {
            let (here, there) = (gradients.derivative(&at, by), gradients.derivative(&at.map(|x| x + side), by));
            for (k, (a, b)) in here.iter().zip(&there).enumerate() {
                assert!((a - b).abs() < 1e-3, "{k} by {by} at {at:?}: {a}, {b}");
            }
        }
    }
}

#[test]
fn flows_have_no_divergence() {
    let flows = field(
        "let a = f.curl2(p2); let b = f.curl3(p3); let c = f.curl4(p4);
        let d = f.curl2_octaves(p2, 3, 1.75, 0.6); let e = f.curl3_octaves(p3, 3, 1.75, 0.6);
        let g = f.curl4_octaves(p4, 2, 2.0, 0.5);
        y[0] = a.x; y[1] = a.y; y[2] = d.x; y[3] = d.y;
        y[4] = b.x; y[5] = b.y; y[6] = b.z; y[7] = c.x; y[8] = c.y; y[9] = c.z;
        y[10] = e.x; y[11] = e.y; y[12] = e.z; y[13] = g.x; y[14] = g.y; y[15] = g.z;",
        16,
    );
    for at in BORDERS.into_iter().map(|at| at.to_vec()).chain((0..4).map(|seed| samples(seed, 4))) {
        let by: Vec<Vec<f64>> = (0..3).map(|by| flows.derivative(&at, by)).collect();
        for first in [0, 2] {
            let divergence = by[0][first] + by[1][first + 1];
            assert!(divergence.abs() < 1e-12, "{divergence} of the flow at {first}, {at:?}");
        }
        for first in [4, 7, 10, 13] {
            let divergence = by[0][first] + by[1][first + 1] + by[2][first + 2];
            assert!(divergence.abs() < 1e-12, "{divergence} of the flow at {first}, {at:?}");
        }
    }
    for seed in 0..3 {
        let at = samples(seed, 4);
        flows.is_smooth_at(&at);
        // Not because they do not move.
        assert!((0..16).all(|k| (0..3).any(|by| flows.derivative(&at, by)[k].abs() > 1e-3)), "at {at:?}");
    }
}

/// A random number depends on what it is scaled by, for the same draw.
#[test]
fn random_numbers_are_differentiated_by_their_parameters() {
    let drawn = Map::new(
        "let mut r = DRng::with_offset(5, 9);
        let v = DVec3::new(x[0], x[1], x[2]);
        y[0] = r.uniform(x[0], x[1]); y[1] = r.normal_with(x[1], x[2]); y[2] = r.exponential(x[0] * x[0] + 1.0);
        y[3] = v.dot(r.on_unit_sphere()) + (v * r.in_unit_sphere()).x; y[4] = r.poisson(20.0 + x[0]) as f64;
        y[5] = (r.rotation() * v).y;",
        6,
    );
    for seed in 0..3 {
        let at = samples(seed, 3);
        drawn.is_smooth_at(&at);
        assert_eq!(drawn.derivative(&at, 0)[4], 0.0);
    }
}
