//! Colours for numbers.

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// A map from 0 (dark blue) over orange to 1 (near white); numbers outside are held to that range, NaN is dark.
pub fn heat(value: f32) -> Rgb {
    const STOPS: [[f32; 3]; 6] = [
        [0.02, 0.02, 0.10],
        [0.20, 0.07, 0.40],
        [0.60, 0.13, 0.42],
        [0.90, 0.32, 0.24],
        [0.99, 0.68, 0.22],
        [1.00, 1.00, 0.84],
    ];
    let held = if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) };
    let position = held * (STOPS.len() - 1) as f32;
    let low = (position as usize).min(STOPS.len() - 2);
    let part = position - low as f32;
    std::array::from_fn(|c| {
        let mixed = STOPS[low][c] + (STOPS[low + 1][c] - STOPS[low][c]) * part;
        (mixed * 255.0).round() as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_and_what_lies_outside() {
        assert_eq!(heat(0.0), [5, 5, 26]);
        assert_eq!(heat(1.0), [255, 255, 214]);
        assert_eq!((heat(-1.0), heat(9.0)), (heat(0.0), heat(1.0)));
        assert_eq!(heat(f32::NAN), heat(0.0));
    }

    #[test]
    fn brighter_for_larger() {
        let light = |k: i32| heat(k as f32 / 20.0).iter().map(|c| u32::from(*c)).sum::<u32>();
        assert!((0..20).all(|k| light(k) < light(k + 1)));
    }
}
