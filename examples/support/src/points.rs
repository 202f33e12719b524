//! Point files: PLY and OBJ through crates, XYZ (plain text) here.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use obj::{ObjData, ObjError};
use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{PropertyAccess, PropertyAccessResult, PropertyType};

use crate::failure::Failure;

/// The points of a `.ply`, `.obj` or `.xyz` file, in the file's order. Colours, normals and faces are left out.
pub fn read(path: &Path) -> Result<Vec<[f32; 3]>, Failure> {
    let parse = parser(path)?;
    let file = File::open(path).map_err(|e| Failure::of_file(path, "read", e))?;
    let points = parse(BufReader::new(file)).map_err(|e| Failure::of_file(path, "read", e))?;
    if points.is_empty() {
        return Err(Failure::of_file(path, "used", "it holds no points"));
    }
    if let Some(k) = points.iter().position(|p| p.iter().any(|c| !c.is_finite())) {
        return Err(Failure::of_file(path, "used", format!("a coordinate of point {k} is not a finite number")));
    }
    Ok(points)
}

type Parse = fn(BufReader<File>) -> Result<Vec<[f32; 3]>, String>;

fn parser(path: &Path) -> Result<Parse, Failure> {
    match path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
        Some("ply") => Ok(ply),
        Some("obj") => Ok(obj),
        Some("xyz") => Ok(xyz),
        _ => Err(Failure::of_file(path, "read", "its name must end in .ply, .obj or .xyz")),
    }
}

/// The first line of what an error says; parsers add pages for people who write parsers.
fn text(error: impl Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

#[derive(Default)]
struct Vertex {
    place: [f32; 3],
}

impl Vertex {
    fn set(&mut self, name: &str, value: f32) -> PropertyAccessResult {
        match name {
            "x" => self.place[0] = value,
            "y" => self.place[1] = value,
            "z" => self.place[2] = value,
            _ => return PropertyAccessResult::Ignored,
        }
        PropertyAccessResult::Set
    }
}

impl PropertyAccess for Vertex {
    fn new() -> Self {
        Self::default()
    }
    fn set_float(&mut self, name: &str, value: f32) -> PropertyAccessResult {
        self.set(name, value)
    }
    fn set_double(&mut self, name: &str, value: f64) -> PropertyAccessResult {
        self.set(name, value as f32)
    }
    fn set_int(&mut self, name: &str, value: i32) -> PropertyAccessResult {
        self.set(name, value as f32)
    }
    fn set_uint(&mut self, name: &str, value: u32) -> PropertyAccessResult {
        self.set(name, value as f32)
    }
    fn set_short(&mut self, name: &str, value: i16) -> PropertyAccessResult {
        self.set(name, value.into())
    }
    fn set_ushort(&mut self, name: &str, value: u16) -> PropertyAccessResult {
        self.set(name, value.into())
    }
    fn set_char(&mut self, name: &str, value: i8) -> PropertyAccessResult {
        self.set(name, value.into())
    }
    fn set_uchar(&mut self, name: &str, value: u8) -> PropertyAccessResult {
        self.set(name, value.into())
    }
}

fn ply(file: BufReader<File>) -> Result<Vec<[f32; 3]>, String> {
    let mut reader = Reader::new(file);
    let parser = Parser::<Vertex>::new();
    let header = parser.read_header(&mut reader).map_err(text)?;
    let Some(first) = header.elements.values().next() else { return Ok(Vec::new()) };
    if first.name != "vertex" {
        return Err(format!("its first element is \"{}\", expected is \"vertex\"", first.name));
    }
    for axis in ["x", "y", "z"] {
        match first.properties.get(axis).map(|property| &property.data_type) {
            Some(PropertyType::Scalar(_)) => {}
            Some(_) => return Err(format!("the property \"{axis}\" of its vertices is a list, expected is a number")),
            None => return Err(format!("its vertices have no property \"{axis}\"")),
        }
    }
    let vertices = parser.read_payload_for_element(&mut reader, first, &header).map_err(text)?;
    Ok(vertices.into_iter().map(|v| v.place).collect())
}

fn obj(file: BufReader<File>) -> Result<Vec<[f32; 3]>, String> {
    Ok(ObjData::load_buf(file).map_err(obj_text)?.position)
}

/// What is wrong in an OBJ file; its parser counts lines from 0.
fn obj_text(error: ObjError) -> String {
    match error {
        ObjError::ArgumentListFailure { line_number, .. } => {
            format!("line {}: a number is missing or is none", line_number + 1)
        }
        ObjError::MalformedFaceGroup { line_number, group } => {
            format!("line {}: \"{group}\" is no corner of a face", line_number + 1)
        }
        ObjError::UnexpectedCommand { line_number, command } => {
            format!("line {}: \"{command}\" is no command of OBJ files", line_number + 1)
        }
        ObjError::MissingMTLName { line_number } => format!("line {}: the material has no name", line_number + 1),
        ObjError::ZeroVertexNumber { line_number } => {
            format!("line {}: vertices are counted from 1, not from 0", line_number + 1)
        }
        other => text(other),
    }
}

/// One point a line: `x y z`, or `name x y z` as chemists write it, more columns are left out; `#` starts a comment.
/// The chemists' head is a count, which must be right, and a line of comment.
fn xyz(file: BufReader<File>) -> Result<Vec<[f32; 3]>, String> {
    let lines = file.lines().collect::<Result<Vec<_>, _>>().map_err(text)?;
    let counted = lines.first().and_then(|line| line.trim().parse::<usize>().ok());
    let mut points = Vec::new();
    for (k, line) in lines.iter().enumerate().skip(if counted.is_some() { 2 } else { 0 }) {
        let line = line.split('#').next().unwrap_or_default();
        if !line.trim().is_empty() {
            points.push(xyz_point(line).ok_or_else(|| format!("line {} is no point: \"{}\"", k + 1, line.trim()))?);
        }
    }
    match counted {
        Some(n) if n != points.len() => Err(format!("its first line says {n} points, but it holds {}", points.len())),
        _ => Ok(points),
    }
}

fn xyz_point(line: &str) -> Option<[f32; 3]> {
    let mut words = line.split([' ', '\t', ',', ';']).filter(|w| !w.is_empty()).peekable();
    if words.peek()?.parse::<f32>().is_err() {
        words.next();
    }
    let mut number = || words.next()?.parse().ok();
    Some([number()?, number()?, number()?])
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn given(name: &str, content: &str) -> Result<Vec<[f32; 3]>, String> {
        // Tests run side by side, and several write a file of one name.
        static FOLDERS: AtomicUsize = AtomicUsize::new(0);
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("warp-points-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        let points = read(&path).map_err(text);
        std::fs::remove_dir_all(&folder).unwrap();
        points
    }

    const TWO: [[f32; 3]; 2] = [[1.0, -2.5, 3.0], [4.0, 0.5, 6.0]];

    #[test]
    fn ply_with_colours_and_double_coordinates() {
        let header = "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty float y\nproperty int z\n\
                      property uchar red\nend_header\n";
        assert_eq!(given("a.ply", &format!("{header}1 -2.5 3 255\n4 0.5 6 0\n")).unwrap(), TWO);
        let error = given("b.ply", &format!("{header}1 -2.5 3 255\n")).unwrap_err();
        assert!(error.contains("b.ply cannot be read: "), "{error}");
        let error = given("c.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n");
        assert!(error.unwrap_err().contains("no property \"y\""));
    }

    /// A coordinate is never left at zero because the file keeps it in another way.
    #[test]
    fn ply_with_coordinates_of_all_types() {
        let header = |x: &str| {
            format!(
                "ply\nformat ascii 1.0\nelement vertex 1\nproperty {x} x\nproperty uint y\nproperty ushort z\nend_header\n"
            )
        };
        assert_eq!(given("a.ply", &(header("uchar") + "200 4000000000 60000\n")).unwrap(), [[200.0, 4e9, 6e4]]);
        assert_eq!(given("b.ply", &(header("char") + "-2 0 1\n")).unwrap(), [[-2.0, 0.0, 1.0]]);
        let error = given("c.ply", &(header("list uchar float") + "1 5 0 1\n")).unwrap_err();
        assert!(error.contains("the property \"x\" of its vertices is a list"), "{error}");
    }

    #[test]
    fn obj_with_and_without_faces() {
        assert_eq!(given("a.obj", "v 1 -2.5 3\nv 4 0.5 6\n").unwrap(), TWO);
        assert_eq!(given("b.obj", "o box\nv 1 -2.5 3\nv 4 0.5 6\nf 1 2 1\n").unwrap(), TWO);
        let error = given("c.obj", "v 1 2 3\nv 1 two 3\n").unwrap_err();
        assert!(error.contains("c.obj cannot be read: line 2: a number is missing or is none."), "{error}");
        let error = given("d.obj", "v 1 2 3\nf 1 0 1\n").unwrap_err();
        assert!(error.contains("d.obj cannot be read: line 2: vertices are counted from 1, not from 0."), "{error}");
    }

    #[test]
    fn xyz_of_both_kinds() {
        assert_eq!(given("a.xyz", "# scan\n1 -2.5 3 0.7\n\n4,0.5,6\n").unwrap(), TWO);
        assert_eq!(given("b.xyz", "2\nwater\nO 1 -2.5 3\nH 4 0.5 6\n").unwrap(), TWO);
        assert!(given("c.xyz", "1 2 3\n1 2\n").unwrap_err().contains("line 2 is no point: \"1 2\""));
        let error = given("d.xyz", "3\nwater, cut off\nO 1 -2.5 3\nH 4 0.5 6\n").unwrap_err();
        assert!(error.contains("d.xyz cannot be read: its first line says 3 points, but it holds 2."), "{error}");
    }

    #[test]
    fn what_cannot_be_used_is_said() {
        assert!(given("a.xyz", "").unwrap_err().contains("holds no points"));
        assert!(given("b.xyz", "1 2 inf\n").unwrap_err().contains("point 0 is not a finite number"));
        assert!(given("a.stl", "").unwrap_err().contains("must end in .ply, .obj or .xyz"));
        assert!(read(Path::new("no/such.ply")).unwrap_err().to_string().contains("no/such.ply cannot be read: "));
    }
}
