//! Pictures as PNG files.

use std::convert::Infallible;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{OriginDimensions, Size};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::prelude::RgbColor;

use crate::color::Rgb;
use crate::failure::Failure;

/// A picture in memory, rows from top to bottom.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<Rgb>,
}

impl Picture {
    /// A picture whose pixel in column `x` of row `y` is `color(x, y)`.
    pub fn from_fn(width: usize, height: usize, mut color: impl FnMut(usize, usize) -> Rgb) -> Picture {
        let pixels = (0..width * height).map(|k| color(k % width, k / width)).collect();
        Picture { width, height, pixels }
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The pixel in column `x` of row `y`.
    ///
    /// # Panics
    /// Where there is no such pixel.
    pub fn at(&self, x: usize, y: usize) -> Rgb {
        assert!(x < self.width, "column {x} of {}", self.width);
        self.pixels[y * self.width + x]
    }

    /// Both pictures side by side, tops aligned, on white.
    pub fn beside(&self, right: &Picture) -> Picture {
        let inside = |picture: &Picture, x: usize, y: usize| {
            if y < picture.height { picture.at(x, y) } else { [255; 3] }
        };
        Picture::from_fn(self.width + right.width, self.height.max(right.height), |x, y| {
            if x < self.width { inside(self, x, y) } else { inside(right, x - self.width, y) }
        })
    }

    /// Each pixel as a square of so many.
    pub fn enlarged(&self, times: usize) -> Picture {
        Picture::from_fn(self.width * times, self.height * times, |x, y| self.at(x / times, y / times))
    }

    /// A density picture: how many of the points, seen along z, fall into each pixel, on a logarithmic scale.
    /// The square from `-extent` to `extent` fills the picture; y points up.
    pub fn density(side: usize, extent: f32, points: impl Iterator<Item = [f32; 3]>) -> Picture {
        let mut counts = vec![0u32; side * side];
        let scale = side as f32 / (2.0 * extent);
        for [x, y, _] in points {
            let (column, row) = ((x + extent) * scale, (extent - y) * scale);
            let inside = |v: f32| v >= 0.0 && v < side as f32;
            if inside(column) && inside(row) {
                counts[row as usize * side + column as usize] += 1;
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0).max(1);
        let full = (1.0 + most as f32).ln();
        Picture::from_fn(side, side, |x, y| crate::color::heat((1.0 + counts[y * side + x] as f32).ln() / full))
    }

    /// Writes the picture as a PNG file. The file appears when it is complete: a failure leaves what was there before.
    /// A device or a pipe is written to, and a link leads to the file that is replaced.
    pub fn save(&self, path: &Path) -> Result<(), Failure> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(known) if known.is_dir() => Err(Failure::of_file(path, "written", "it is a folder")),
            Ok(known) if !known.is_file() => self.write(&target).map_err(|e| Failure::of_file(path, "written", e)),
            _ => self.replace(&target, path),
        }
    }

    /// Writes beside `path` and renames; `told` is the user's name of it.
    fn replace(&self, path: &Path, told: &Path) -> Result<(), Failure> {
        if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|e| Failure::of_file(folder, "created", e))?;
        }
        let unfinished = beside(path);
        let written = self.write(&unfinished).and_then(|()| Ok(fs::rename(&unfinished, path)?));
        written.map_err(|e| {
            // The file may not exist; what matters is told by `e`.
            let _ = fs::remove_file(&unfinished);
            Failure::of_file(told, "written", e)
        })
    }

    fn write(&self, path: &Path) -> Result<(), png::EncodingError> {
        let too_large = |_| png::EncodingError::from(std::io::Error::other("the picture is too large for a PNG file"));
        let (width, height) =
            (u32::try_from(self.width).map_err(too_large)?, u32::try_from(self.height).map_err(too_large)?);
        let mut encoder = png::Encoder::new(BufWriter::new(fs::File::create(path)?), width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()
    }
}

impl OriginDimensions for Picture {
    fn size(&self) -> Size {
        Size::new(self.width as u32, self.height as u32)
    }
}

/// Lines and text are drawn by `embedded_graphics`; what lies outside is left out.
impl DrawTarget for Picture {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, color) in pixels {
            if let (Ok(x), Ok(y)) = (usize::try_from(at.x), usize::try_from(at.y))
                && x < self.width
                && y < self.height
            {
                self.pixels[y * self.width + x] = [color.r(), color.g(), color.b()];
            }
        }
        Ok(())
    }
}

/// The name under which a file grows until it is complete.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> (u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::BufReader::new(fs::File::open(path).unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        (info.width, info.height, bytes)
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("warp-picture-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_saved_picture_reads_back() {
        let folder = folder("back");
        let path = folder.join("new/deep.png");
        Picture::from_fn(3, 2, |x, y| [x as u8, y as u8, 9]).save(&path).unwrap();
        assert_eq!(read(&path), (3, 2, vec![0, 0, 9, 1, 0, 9, 2, 0, 9, 0, 1, 9, 1, 1, 9, 2, 1, 9]));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_failure_is_a_sentence_and_leaves_nothing() {
        let folder = folder("fail");
        let taken = folder.join("taken.png");
        fs::create_dir_all(taken.join("inner")).unwrap();
        let error = Picture::from_fn(1, 1, |_, _| [0; 3]).save(&taken).unwrap_err().to_string();
        assert!(error.contains("taken.png cannot be written: "), "{error}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    /// Renaming a new file over a device or a link would do away with it.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_stays_what_it_is() {
        use std::os::unix::fs::symlink;
        let folder = folder("links");
        let (file, link) = (folder.join("file.png"), folder.join("link.png"));
        fs::write(&file, "old").unwrap();
        symlink(&file, &link).unwrap();
        let picture = Picture::from_fn(1, 1, |_, _| [7; 3]);
        picture.save(&link).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(read(&file), (1, 1, vec![7, 7, 7]));
        // A link to a device: a save that renames takes the link's place, and leaves the machine's device alone.
        let null = folder.join("null.png");
        symlink("/dev/null", &null).unwrap();
        picture.save(&null).unwrap();
        assert!(fs::symlink_metadata(&null).unwrap().is_symlink() && !fs::metadata(&null).unwrap().is_file());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn pictures_stand_side_by_side_and_grow() {
        let small = Picture::from_fn(1, 1, |_, _| [1; 3]);
        let tall = Picture::from_fn(1, 2, |_, y| [y as u8 + 5; 3]);
        assert_eq!(small.beside(&tall).pixels, [[1; 3], [5; 3], [255; 3], [6; 3]]);
        assert_eq!(tall.enlarged(2).pixels, [[5; 3], [5; 3], [5; 3], [5; 3], [6; 3], [6; 3], [6; 3], [6; 3]]);
    }

    #[test]
    fn points_land_where_they_are() {
        // The first lies in the upper right quarter, the second outside.
        let picture = Picture::density(2, 1.0, [[0.5, 0.5, 7.0], [1.5, 0.0, 0.0]].into_iter());
        let (dark, light) = (crate::color::heat(0.0), crate::color::heat(1.0));
        assert_eq!(picture.pixels, [dark, light, dark, dark]);
    }
}
