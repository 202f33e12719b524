//! Workload W15: one function of each number of an array, swept again and again.

use crate::random::uniform;

/// The exponent of `pow`.
pub const EXPONENT: f32 = 0.7;

/// The function of one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Map {
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
    /// e to the power of a number.
    Exp,
    /// The natural logarithm.
    Log,
    /// The power with a fixed exponent.
    Pow,
    /// The angle of the point (w, x).
    Atan2,
    /// The square root.
    Sqrt,
    /// The quotient x / w.
    Div,
}

impl Map {
    /// All, with the names that runs know them by.
    pub const ALL: [(&'static str, Map); 8] = [
        ("sin", Map::Sin),
        ("cos", Map::Cos),
        ("exp", Map::Exp),
        ("log", Map::Log),
        ("pow", Map::Pow),
        ("atan2", Map::Atan2),
        ("sqrt", Map::Sqrt),
        ("div", Map::Div),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Map> {
        Map::ALL.iter().find(|(known, _)| *known == name).map(|(_, map)| *map)
    }

    /// `x` and `w`: from -20 to 20, and where numbers must be positive, e to that power.
    pub fn inputs(self, n: usize) -> (Vec<f32>, Vec<f32>) {
        let wide = |stream: u64, k: u64| 40.0 * uniform(stream, k) - 20.0;
        let x = |k: u64| match self {
            Map::Log | Map::Pow | Map::Sqrt => wide(15, k).exp() as f32,
            _ => wide(15, k) as f32,
        };
        let w = |k: u64| match self {
            Map::Atan2 => wide(16, k) as f32,
            _ => (20.0 * uniform(16, k) + 0.5) as f32,
        };
        ((0..n as u64).map(x).collect(), (0..n as u64).map(w).collect())
    }

    /// The function in `f64`.
    pub fn value(self, x: f32, w: f32) -> f64 {
        let (x, w) = (f64::from(x), f64::from(w));
        match self {
            Map::Sin => x.sin(),
            Map::Cos => x.cos(),
            Map::Exp => x.exp(),
            Map::Log => x.ln(),
            Map::Pow => x.powf(f64::from(EXPONENT)),
            Map::Atan2 => x.atan2(w),
            Map::Sqrt => x.sqrt(),
            Map::Div => x / w,
        }
    }

    /// The largest distance from the function in `f64`, in units of the last place of `f32` there. Where sine, cosine and
    /// logarithm are below 2^-6, the unit is that at 2^-6.
    ///
    /// # Panics
    /// Where the counts differ.
    pub fn largest_error(self, x: &[f32], w: &[f32], y: &[f32]) -> f64 {
        assert!(x.len() == y.len() && w.len() == y.len(), "as many results as numbers");
        let least = match self {
            Map::Sin | Map::Cos | Map::Log => 2f64.powi(-6),
            _ => 0.0,
        };
        let errors = x.iter().zip(w).zip(y).map(|((x, w), y)| {
            let exact = self.value(*x, *w);
            (f64::from(*y) - exact).abs() / unit(exact.abs().max(least))
        });
        errors.fold(0.0, |most, e| if e > most || e.is_nan() { e } else { most })
    }
}

/// The distance of neighbours of `f32` at a positive number of normal size.
fn unit(size: f64) -> f64 {
    let exponent = (size.to_bits() >> 52) as i32 - 1023;
    2f64.powi(exponent - 23)
}

/// The sum of the magnitudes.
pub use super::sum_of_magnitudes as checksum;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::expected;

    #[test]
    fn the_references_have_the_known_checksums() {
        for (name, map) in Map::ALL {
            let (x, w) = map.inputs(1 << 20);
            let sum = x.iter().zip(&w).map(|(x, w)| map.value(*x, *w).abs()).sum();
            expected("w15", name, 1 << 20, 16).unwrap().check(sum).unwrap();
            assert_eq!(Map::named(name), Some(map));
        }
        assert_eq!(Map::named("sinus"), None);
    }

    #[test]
    fn errors_are_counted_in_units_of_the_last_place() {
        assert_eq!(unit(1.0), f64::from(f32::EPSILON));
        assert_eq!(unit(1.99), f64::from(f32::EPSILON));
        // A quotient of 1.5, and its second neighbour above.
        let off = 1.5f32.next_up().next_up();
        assert_eq!(Map::Div.largest_error(&[3.0, 3.0], &[2.0, 2.0], &[1.5, off]), 2.0);
        // Near zero the sine's unit is that of 2^-6.
        assert_eq!(Map::Sin.largest_error(&[0.0], &[0.0], &[2f32.powi(-29)]), 1.0);
        assert!(Map::Exp.largest_error(&[0.0, 0.0], &[0.0, 0.0], &[f32::NAN, 1.0]).is_nan());
    }
}
