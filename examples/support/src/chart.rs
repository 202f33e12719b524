//! Curves with axes.

use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::ascii::FONT_7X13;
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{Circle, Line, PrimitiveStyle};
use embedded_graphics::text::{Alignment, Text};

use crate::color::Rgb;
use crate::picture::Picture;

/// Points that a line joins, and their name in the legend.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The name; an empty one is not in the legend.
    pub name: String,
    /// The points.
    pub points: Vec<[f64; 2]>,
    /// The colour.
    pub color: Rgb,
    /// Whether each point is marked, and no line drawn.
    pub dots: bool,
}

/// Axes for curves.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    title: String,
    /// What goes to the right, and what goes up.
    names: [String; 2],
    logarithmic: bool,
    curves: Vec<Curve>,
}

/// The colours of one curve after the other.
pub const COLORS: [Rgb; 5] = [[31, 95, 170], [214, 84, 36], [40, 140, 75], [130, 70, 160], [120, 120, 120]];

const WIDTH: usize = 560;
const HEIGHT: usize = 420;
/// Space left, right, above and below the axes.
const MARGINS: [f64; 4] = [84.0, 18.0, 34.0, 48.0];
const PAPER: Rgb888 = Rgb888::WHITE;
const INK: Rgb888 = Rgb888::new(40, 40, 40);
const GRID: Rgb888 = Rgb888::new(222, 222, 222);

impl Chart {
    /// Axes without curves.
    pub fn new(title: &str, right: &str, up: &str) -> Chart {
        let names = [right.to_owned(), up.to_owned()];
        Chart { title: title.to_owned(), names, logarithmic: false, curves: Vec::new() }
    }

    /// The upward axis by powers of ten; numbers that are not positive are left out.
    pub fn logarithmic(self) -> Chart {
        Chart { logarithmic: true, ..self }
    }

    /// A loss after each step, on a logarithmic axis.
    pub fn of_losses(title: &str, losses: impl IntoIterator<Item = f64>) -> Picture {
        let points = losses.into_iter().enumerate().map(|(k, loss)| [k as f64, loss]).collect();
        Chart::new(title, "step", "loss").logarithmic().line("", points).draw()
    }

    /// One more curve, in the next colour.
    pub fn line(self, name: &str, points: Vec<[f64; 2]>) -> Chart {
        self.curve(name, points, false)
    }

    /// Points that are marked one by one.
    pub fn dots(self, name: &str, points: Vec<[f64; 2]>) -> Chart {
        self.curve(name, points, true)
    }

    fn curve(mut self, name: &str, points: Vec<[f64; 2]>, dots: bool) -> Chart {
        let color = COLORS[self.curves.len() % COLORS.len()];
        self.curves.push(Curve { name: name.to_owned(), points, color, dots });
        self
    }

    /// The picture.
    pub fn draw(&self) -> Picture {
        let mut picture = Picture::from_fn(WIDTH, HEIGHT, |_, _| [255; 3]);
        picture.clear(PAPER).unwrap_or_else(|never| match never {});
        let axes = [self.axis(0), self.axis(1)];
        self.draw_axes(&mut picture, &axes);
        for (k, curve) in self.curves.iter().enumerate() {
            self.draw_curve(&mut picture, &axes, curve, k);
        }
        picture
    }

    /// What an axis measures: the coordinate itself, or its decimal logarithm.
    fn measured(&self, point: &[f64; 2], c: usize) -> f64 {
        if c == 1 && self.logarithmic { point[1].log10() } else { point[c] }
    }

    /// The points that can be drawn, as the axes measure them.
    fn shown<'a>(&'a self, curve: &'a Curve) -> impl Iterator<Item = [f64; 2]> + 'a {
        let points = curve.points.iter().map(|p| [self.measured(p, 0), self.measured(p, 1)]);
        points.filter(|p| p.iter().all(|c| c.is_finite()))
    }

    fn axis(&self, c: usize) -> Axis {
        let all = self.curves.iter().flat_map(|curve| self.shown(curve)).map(|p| p[c]);
        let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let length =
            if c == 0 { WIDTH as f64 - MARGINS[0] - MARGINS[1] } else { HEIGHT as f64 - MARGINS[2] - MARGINS[3] };
        Axis::over(low, high, length)
    }

    fn place(axes: &[Axis; 2], p: [f64; 2]) -> Point {
        let right = MARGINS[0] + axes[0].along(p[0]);
        let down = HEIGHT as f64 - MARGINS[3] - axes[1].along(p[1]);
        Point::new(right.round() as i32, down.round() as i32)
    }

    fn draw_axes(&self, picture: &mut Picture, axes: &[Axis; 2]) {
        let ends = [[axes[0].low, axes[0].high], [axes[1].low, axes[1].high]];
        for (c, axis) in axes.iter().enumerate() {
            for tick in axis.ticks() {
                let at = |other: f64| if c == 0 { [tick, other] } else { [other, tick] };
                let (from, to) = (Self::place(axes, at(ends[1 - c][0])), Self::place(axes, at(ends[1 - c][1])));
                line(picture, from, to, GRID, 1);
                let text = axis.label(tick, c == 1 && self.logarithmic);
                let (place, side) = if c == 0 {
                    (from + Point::new(0, 16), Alignment::Center)
                } else {
                    (from + Point::new(-8, 4), Alignment::Right)
                };
                write(picture, &text, place, side);
            }
        }
        let corner = Self::place(axes, [ends[0][0], ends[1][0]]);
        line(picture, corner, Self::place(axes, [ends[0][1], ends[1][0]]), INK, 1);
        line(picture, corner, Self::place(axes, [ends[0][0], ends[1][1]]), INK, 1);
        let middle = (WIDTH as i32 + MARGINS[0] as i32) / 2;
        write(picture, &self.title, Point::new(middle, 20), Alignment::Center);
        write(picture, &self.names[0], Point::new(middle, HEIGHT as i32 - 10), Alignment::Center);
        write(picture, &self.names[1], Point::new(8, 20), Alignment::Left);
    }

    fn draw_curve(&self, picture: &mut Picture, axes: &[Axis; 2], curve: &Curve, k: usize) {
        let [r, g, b] = curve.color;
        let color = Rgb888::new(r, g, b);
        let places: Vec<Point> = self.shown(curve).map(|p| Self::place(axes, p)).collect();
        if curve.dots || places.len() == 1 {
            let dot = PrimitiveStyle::with_fill(color);
            for place in &places {
                Circle::with_center(*place, 7).into_styled(dot).draw(picture).unwrap_or_else(|never| match never {});
            }
        } else {
            places.windows(2).for_each(|pair| line(picture, pair[0], pair[1], color, 2));
        }
        if !curve.name.is_empty() {
            let at = Point::new(WIDTH as i32 - MARGINS[1] as i32 - 8, MARGINS[2] as i32 + 14 * (k as i32 + 1));
            let style = MonoTextStyle::new(&FONT_7X13, color);
            let text = Text::with_alignment(&curve.name, at, style, Alignment::Right);
            text.draw(picture).unwrap_or_else(|never| match never {});
        }
    }
}

fn line(picture: &mut Picture, from: Point, to: Point, color: Rgb888, width: u32) {
    let style = PrimitiveStyle::with_stroke(color, width);
    Line::new(from, to).into_styled(style).draw(picture).unwrap_or_else(|never| match never {});
}

fn write(picture: &mut Picture, text: &str, at: Point, side: Alignment) {
    let style = MonoTextStyle::new(&FONT_7X13, INK);
    Text::with_alignment(text, at, style, side).draw(picture).unwrap_or_else(|never| match never {});
}

/// A range of numbers on a length of pixels.
struct Axis {
    low: f64,
    high: f64,
    length: f64,
    /// From one tick to the next.
    every: f64,
}

impl Axis {
    /// A range that holds `low` and `high`, with round ticks.
    fn over(low: f64, high: f64, length: f64) -> Axis {
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let size = (high - low).max(1e-9 * (1.0 + low.abs()));
        let rough = size / 5.0;
        let power = 10f64.powf(rough.log10().floor());
        let every = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|e| *e >= rough).unwrap_or(rough);
        let (low, high) = ((low / every).floor() * every, (high / every).ceil() * every);
        Axis { low, high: if high > low { high } else { low + every }, length, every }
    }

    fn along(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low) * self.length
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.every).round() as usize;
        (0..=count).map(|k| self.low + k as f64 * self.every)
    }

    fn label(&self, tick: f64, logarithmic: bool) -> String {
        if logarithmic {
            return if self.every >= 1.0 { format!("1e{tick:.0}") } else { format!("{:.2e}", 10f64.powf(tick)) };
        }
        let digits = (-self.every.log10().floor()).max(0.0) as usize;
        if digits > 6 || self.high.abs().max(self.low.abs()) >= 1e6 {
            return format!("{tick:.2e}");
        }
        format!("{:.digits$}", if tick.abs() < self.every / 2.0 { 0.0 } else { tick })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_the_range() {
        let axis = Axis::over(0.13, 0.88, 100.0);
        assert_eq!(
            axis.ticks().map(|t| axis.label(t, false)).collect::<Vec<_>>(),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]
        );
        assert_eq!((axis.along(0.0), axis.along(1.0)), (0.0, 100.0));
        let powers = Axis::over(-7.2, 1.0, 100.0);
        assert_eq!(powers.label(powers.low, true), "1e-8");
        let flat = Axis::over(3.0, 3.0, 100.0);
        assert!(flat.high > flat.low && flat.low <= 3.0 && flat.high >= 3.0);
        assert!(Axis::over(f64::INFINITY, f64::NEG_INFINITY, 100.0).high == 1.0);
    }

    #[test]
    fn a_curve_goes_through_its_points() {
        let chart = Chart::new("title", "x", "y").line("", vec![[0.0, 0.0], [10.0, 5.0]]);
        let picture = chart.draw();
        let axes = [chart.axis(0), chart.axis(1)];
        let at = Chart::place(&axes, [5.0, 2.5]);
        assert_eq!(picture.at(at.x as usize, at.y as usize), COLORS[0]);
        assert_eq!(picture.at(at.x as usize, at.y as usize - 12), [255; 3]);
    }

    #[test]
    fn losses_that_are_no_numbers_are_left_out() {
        let with = Chart::of_losses("", [1.0, 0.1, f64::NAN, 0.0, 0.01]);
        assert_ne!(with, Chart::of_losses("", [1.0, 0.1, 0.05, 0.03, 0.01]));
        assert_eq!(Chart::of_losses("", []).size(), (WIDTH, HEIGHT));
    }
}
