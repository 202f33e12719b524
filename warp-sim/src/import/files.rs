//! Finds and reads the files that a file names.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warp::math::DVec3;

use super::ImportError;
use crate::geometry::Mesh;

/// The text of a file. Bytes that are no UTF-8 are replaced: they stand in comments.
pub(super) fn text(path: &Path) -> Result<String, ImportError> {
    let bytes = fs::read(path)
        .map_err(|error| ImportError::File { file: path.display().to_string(), why: error.to_string() })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where a file lies that a robot in `folder` names. Names with `package://` are looked for in that folder and in all above it,
/// with the package's own folder and without.
pub(super) fn found(name: &str, folder: &Path) -> Option<PathBuf> {
    let name = name.replace('\\', "/");
    let name = name.strip_prefix("file://").unwrap_or(&name);
    let Some(inside) = name.strip_prefix("package://").or_else(|| name.strip_prefix("model://")) else {
        return Some(folder.join(name)).filter(|path| path.is_file());
    };
    let without = inside.split_once('/').map_or(inside, |(_, rest)| rest);
    let start = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let above = start.ancestors().flat_map(|above| [above.join(inside), above.join(without)]);
    above.into_iter().find(|path| path.is_file())
}

/// The triangles of a file, made larger by factors: STL, OBJ or MuJoCo's MSH.
pub(super) fn mesh(path: &Path, scale: DVec3) -> Result<Arc<Mesh>, ImportError> {
    let broken = |why: String| ImportError::Mesh { file: path.display().to_string(), why };
    let kind = path.extension().map(|kind| kind.to_string_lossy().to_lowercase()).unwrap_or_default();
    let (points, triangles) = match kind.as_str() {
        "stl" => stl(path),
        "obj" => obj(path),
        "msh" => msh(&fs::read(path).map_err(|error| broken(error.to_string()))?),
        _ => Err(format!("files of kind `{kind}` are not known: STL, OBJ and MSH are")),
    }
    .map_err(broken)?;
    let mesh = Mesh::new(points, triangles).map_err(|error| broken(error.to_string()))?;
    Ok(Arc::new(if scale == DVec3::ONE { mesh } else { mesh.scaled(scale) }))
}

type Triangles = (Vec<DVec3>, Vec<[u32; 3]>);

fn stl(path: &Path) -> Result<Triangles, String> {
    let mut file = fs::File::open(path).map_err(|error| error.to_string())?;
    let mesh = stl_io::read_stl(&mut file).map_err(|error| error.to_string())?;
    let points = mesh.vertices.iter().map(|v| DVec3::new(v[0].into(), v[1].into(), v[2].into())).collect();
    let triangles = mesh.faces.iter().map(|face| face.vertices.map(|point| point as u32)).collect();
    Ok((points, triangles))
}

fn obj(path: &Path) -> Result<Triangles, String> {
    let options =
        tobj::LoadOptions { triangulate: true, ignore_lines: true, ignore_points: true, ..Default::default() };
    // Materials say how it looks alone, and are often missing.
    let no_materials = |_: &Path| tobj::MTLLoadResult::Ok(Default::default());
    let file = fs::File::open(path).map_err(|error| error.to_string())?;
    let mut reader = std::io::BufReader::new(file);
    let (models, _) = tobj::load_obj_buf(&mut reader, &options, no_materials).map_err(|error| error.to_string())?;
    let (mut points, mut triangles) = (vec![], vec![]);
    for model in models {
        let first = points.len() as u32;
        let mesh = model.mesh;
        points.extend(mesh.positions.chunks_exact(3).map(|v| DVec3::new(v[0].into(), v[1].into(), v[2].into())));
        triangles.extend(mesh.indices.chunks_exact(3).map(|t| [first + t[0], first + t[1], first + t[2]]));
    }
    Ok((points, triangles))
}

/// Counts of points, normals, texture coordinates and triangles, then the arrays: little endian, in words of four bytes.
fn msh(bytes: &[u8]) -> Result<Triangles, String> {
    let word = |at: usize| bytes.get(4 * at..4 * at + 4).map(|word| [word[0], word[1], word[2], word[3]]);
    let count = |at: usize| word(at).map(i32::from_le_bytes).and_then(|count| usize::try_from(count).ok());
    let counts = [0, 1, 2, 3].map(count);
    let [Some(points), Some(normals), Some(coordinates), Some(triangles)] = counts else {
        return Err("it ends before its counts".to_owned());
    };
    let float = |at: usize| word(at).map(|word| f64::from(f32::from_le_bytes(word)));
    let point = |k: usize| Some(DVec3::new(float(4 + 3 * k)?, float(5 + 3 * k)?, float(6 + 3 * k)?));
    let first = 4 + 3 * points + 3 * normals + 2 * coordinates;
    let corner = |k: usize| word(first + k).map(u32::from_le_bytes);
    let triangle = |k: usize| Some([corner(3 * k)?, corner(3 * k + 1)?, corner(3 * k + 2)?]);
    let most = bytes.len() / 4;
    let fits = points <= most && normals <= most && coordinates <= most && triangles <= most;
    let read =
        || Some(((0..points).map(point).collect::<Option<_>>()?, (0..triangles).map(triangle).collect::<Option<_>>()?));
    fits.then(read).flatten().ok_or_else(|| "it ends before its points and triangles".to_owned())
}
