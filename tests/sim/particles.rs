//! Particles on springs.

use warp::sim::ModelBuilder;

use super::{assert_near, cpu, semi_implicit, weightless};

/// Times at which a value crosses zero upwards, between samples by a straight line.
fn upward(samples: &[f64], dt: f64) -> Vec<f64> {
    let crossing = |i: usize| samples[i] < 0.0 && samples[i + 1] >= 0.0;
    let time = |i: usize| (i as f64 + samples[i] / (samples[i] - samples[i + 1])) * dt;
    (0..samples.len() - 1).filter(|&i| crossing(i)).map(time).collect()
}

fn stretches(damping: f64, steps: usize, dt: f32) -> Vec<f64> {
    let mut b = weightless();
    let held = b.particle([0.0, 0.0, 0.0]).fixed().id();
    let ball = b.particle([1.1, 0.0, 0.0]).mass(1.0).id();
    b.spring(held, ball, 100.0).rest(1.0).damping(damping).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    (0..steps)
        .map(|_| {
            sim.step(dt).unwrap();
            f64::from(sim.state.particle_q.get(1).unwrap().x) - 1.0
        })
        .collect()
}

#[test]
fn a_mass_on_a_spring_swings_in_its_period() {
    let times = upward(&stretches(0.0, 6_500, 1e-3), 1e-3);
    assert_eq!(times.len(), 10);
    assert_near("the period", (times[9] - times[0]) / 9.0, 0.62831853, 6.3e-4);
    // Damped: 9.99687 rad/s, and each swing exp(-0.25 T) of the last one.
    let damped = stretches(0.5, 6_500, 1e-3);
    let times = upward(&damped, 1e-3);
    let frequency = 2.0 * std::f64::consts::PI * 9.0 / (times[9] - times[0]);
    assert_near("the damped frequency", frequency, 9.99687, 1e-2);
    let peak = |from: usize| damped[from..from + 629].iter().fold(0.0f64, |peak, x| peak.max(*x));
    let decay = (peak(0) / peak(3_142)).ln() / 3_142e-3;
    assert_near("the damping ratio", decay / 10.0, 0.025, 0.025 * 0.01);
}

/// Twenty links between two ends that are less far apart than the rope is long.
#[test]
fn a_rope_hangs_as_a_chain_of_links_does() {
    let mut b = ModelBuilder::new();
    let links = 20;
    let place = |k: u32| f64::from(k) / f64::from(links);
    // Not far from where it will hang, so that it gets there soon.
    let depth = |x: f64| -1.16 * x * (1.0 - x);
    let ids: Vec<_> = (0..=links)
        .map(|k| {
            let end = k == 0 || k == links;
            let particle = b.particle([place(k), 0.0, depth(place(k))]).mass(0.05);
            if end { particle.fixed().id() } else { particle.id() }
        })
        .collect();
    for pair in ids.windows(2) {
        b.spring(pair[0], pair[1], 2e5).rest(0.06).damping(2.0).id();
    }
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    // Stopping it whenever it moves fastest takes the energy out without a force that would show in the result.
    let mut last = 0.0;
    for _ in 0..20_000 {
        sim.step(1e-4).unwrap();
        let moving = model.measure(&sim.state).unwrap()[0].kinetic;
        if moving < last {
            sim.state.particle_qd.fill(warp::Vec3::ZERO).unwrap();
        }
        last = if moving < last { 0.0 } else { moving };
    }
    let lowest = sim.state.particle_q.to_vec().unwrap().iter().fold(0.0f32, |low, q| low.min(q.z));
    assert_near("the sag", f64::from(-lowest), 0.29272148, 0.0029);
    // The ends carry the weight of the 19 particles between them.
    let pulls = sim.state.spring_f.to_vec().unwrap();
    let weight = 19.0 * 0.05 * 9.81;
    assert_near("what the ends carry", f64::from(pulls[19].z - pulls[0].z), weight, 0.01 * weight);
}

#[test]
fn ends_at_one_place_pull_nowhere() {
    let mut b = weightless();
    let a = b.particle([1.0, 2.0, 3.0]).id();
    let c = b.particle([1.0, 2.0, 3.0]).id();
    b.spring(a, c, 100.0).rest(1.0).damping(1.0).id();
    let model = cpu(&b);
    let mut sim = semi_implicit(&model);
    sim.step(0.01).unwrap();
    sim.check().unwrap();
    assert_eq!(sim.state.particle_q.to_vec().unwrap(), [warp::Vec3::new(1.0, 2.0, 3.0); 2]);
}
