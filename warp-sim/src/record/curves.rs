//! Numbers over time, as tables and as plots.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use plotters::prelude::*;

use crate::Error;

/// Numbers over time, each with a name: energies, angles, forces. They go to a table, or to a plot.
///
/// ```
/// use warp::sim::record::Curves;
///
/// let mut curves = Curves::new("A ball", "height, m");
/// for k in 0..10 {
///     let t = 0.1 * f64::from(k);
///     curves.add("ball", t, 2.0 - 4.905 * t * t);
/// }
/// assert_eq!(curves.csv().lines().next(), Some("time,ball"));
/// assert!(curves.svg()?.starts_with("<svg"));
/// # Ok::<(), warp::sim::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    title: String,
    axis: String,
    /// In the order in which they were first named.
    curves: Vec<(String, Vec<(f64, f64)>)>,
}

/// Pixels of a plot.
const SIZE: (u32, u32) = (720, 440);
const COLORS: [RGBColor; 6] = [
    RGBColor(31, 95, 170),
    RGBColor(214, 84, 36),
    RGBColor(40, 140, 75),
    RGBColor(130, 70, 160),
    RGBColor(120, 120, 120),
    RGBColor(170, 130, 20),
];

impl Curves {
    /// None yet. `axis` says what the numbers are, with their unit.
    pub fn new(title: impl Into<String>, axis: impl Into<String>) -> Curves {
        Curves { title: title.into(), axis: axis.into(), curves: vec![] }
    }

    /// Adds a number at a time, s, to the curve of a name. What is not finite is left out of plots, and stands in tables.
    pub fn add(&mut self, name: &str, time: f64, value: f64) {
        let at = self.curves.iter().position(|(own, _)| own == name).unwrap_or_else(|| {
            self.curves.push((name.to_owned(), vec![]));
            self.curves.len() - 1
        });
        self.curves[at].1.push((time, value));
    }

    /// A table with a row for each time, and a column for each curve; empty where a curve has no number at that time.
    pub fn csv(&self) -> String {
        let quoted = |name: &str| match name.contains([',', '"', '\n']) {
            true => format!("\"{}\"", name.replace('"', "\"\"")),
            false => name.to_owned(),
        };
        let mut text = "time".to_owned();
        self.curves.iter().for_each(|(name, _)| text.extend([",", &quoted(name)]));
        text.push('\n');
        let mut times: Vec<f64> = self.curves.iter().flat_map(|(_, samples)| samples).map(|(time, _)| *time).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        for time in times {
            // Writing to a string does not fail.
            let _ = write!(text, "{time}");
            for (_, samples) in &self.curves {
                let value = samples.iter().find(|(at, _)| *at == time).map(|(_, value)| value.to_string());
                text.extend([",", &value.unwrap_or_default()]);
            }
            text.push('\n');
        }
        text
    }

    /// A plot, as SVG.
    ///
    /// # Errors
    /// Where there is no number to plot.
    pub fn svg(&self) -> Result<String, Error> {
        let wrong = |why: String| Error::Plot { title: self.title.clone(), why };
        let finite = |(time, value): &&(f64, f64)| time.is_finite() && value.is_finite();
        let all = || self.curves.iter().flat_map(|(_, samples)| samples).filter(finite);
        let over = |numbers: &mut dyn Iterator<Item = f64>| {
            let (low, high) =
                numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
            // A curve that stays needs room as well.
            let room = if high > low { 0.03 * (high - low) } else { 0.5 * high.abs().max(1e-3) };
            (low - room)..(high + room)
        };
        if all().next().is_none() {
            return Err(wrong("it has no number".to_owned()));
        }
        let (times, values) = (over(&mut all().map(|(time, _)| *time)), over(&mut all().map(|(_, value)| *value)));
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
            area.fill(&WHITE).map_err(|error| wrong(error.to_string()))?;
            let mut chart = ChartBuilder::on(&area)
                .caption(&self.title, ("sans-serif", 18))
                .margin(12)
                .x_label_area_size(36)
                .y_label_area_size(64)
                .build_cartesian_2d(times, values)
                .map_err(|error| wrong(error.to_string()))?;
            let mesh = chart.configure_mesh().x_desc("time, s").y_desc(&self.axis).light_line_style(WHITE).draw();
            mesh.map_err(|error| wrong(error.to_string()))?;
            for (k, (name, samples)) in self.curves.iter().enumerate() {
                let color = COLORS[k % COLORS.len()];
                let line = LineSeries::new(samples.iter().filter(finite).copied(), &color);
                let drawn = chart.draw_series(line).map_err(|error| wrong(error.to_string()))?;
                drawn.label(name).legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color));
            }
            if self.curves.len() > 1 {
                let labels =
                    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw();
                labels.map_err(|error| wrong(error.to_string()))?;
            }
            area.present().map_err(|error| wrong(error.to_string()))?;
        }
        Ok(text)
    }

    /// Writes the table, `.csv`, or the plot, `.svg`, by the file's ending.
    ///
    /// # Errors
    /// Where the file cannot be written, its ending is another one, or there is nothing to plot.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let wrong = |why: String| Error::Record { file: path.display().to_string(), why };
        let kind = path.extension().map(|kind| kind.to_string_lossy().to_lowercase()).unwrap_or_default();
        let text = match kind.as_str() {
            "csv" => self.csv(),
            "svg" => self.svg()?,
            _ => return Err(wrong("curves go to files that end in `.csv` or `.svg`".to_owned())),
        };
        fs::write(path, text).map_err(|error| wrong(error.to_string()))
    }
}
