//! What a file says of how it is to be read, and where things are.

use std::path::PathBuf;

use warp::math::{DMat3, DQuat, DTransform, DVec3};

use super::super::xml::Element;
use super::super::{ImportError, Importer, Notes};

#[derive(Debug)]
pub(super) struct Compiler {
    /// What angles are multiplied by.
    pub angle: f64,
    /// Which axes Euler angles turn about; capital letters for fixed ones.
    eulerseq: Vec<char>,
    pub autolimits: bool,
    pub from_geoms: FromGeoms,
    pub groups: [f64; 2],
    pub total_mass: Option<f64>,
    pub balance: bool,
    pub least: [f64; 2],
    pub meshes: PathBuf,
}

/// Whether bodies are weighed by their geoms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FromGeoms {
    Always,
    WhereNothingElse,
    Never,
}

impl Compiler {
    pub fn read(root: &Element, how: &Importer, notes: &mut Notes) -> Result<Compiler, ImportError> {
        let mut compiler = Compiler {
            angle: 1f64.to_radians(),
            eulerseq: vec!['x', 'y', 'z'],
            autolimits: true,
            from_geoms: FromGeoms::WhereNothingElse,
            groups: [0.0, 5.0],
            total_mass: None,
            balance: false,
            least: [0.0; 2],
            meshes: how.folder.clone(),
        };
        for element in root.all("compiler") {
            compiler.add(element, how, notes)?;
        }
        Ok(compiler)
    }

    fn add(&mut self, of: &Element, how: &Importer, notes: &mut Notes) -> Result<(), ImportError> {
        for (name, value) in &of.attributes {
            let value = value.as_str();
            match name.as_str() {
                "angle" => match value {
                    "degree" => self.angle = 1f64.to_radians(),
                    "radian" => self.angle = 1.0,
                    _ => return Err(of.wrong(format!("`angle` is `{value}`, and has to be `degree` or `radian`"))),
                },
                "coordinate" if value == "local" => {}
                "coordinate" => {
                    return Err(of.wrong("coordinates that are not local have left the format: convert the file"));
                }
                "eulerseq" => {
                    let axes: Vec<char> = value.chars().collect();
                    if axes.len() != 3 || !axes.iter().all(|axis| "xyzXYZ".contains(*axis)) {
                        return Err(
                            of.wrong(format!("`eulerseq` is `{value}`, and has to be three of x, y, z, X, Y, Z"))
                        );
                    }
                    self.eulerseq = axes;
                }
                "autolimits" => self.autolimits = truth(of, name, value)?,
                "inertiafromgeom" => {
                    self.from_geoms = match value {
                        "auto" => FromGeoms::WhereNothingElse,
                        _ if truth(of, name, value)? => FromGeoms::Always,
                        _ => FromGeoms::Never,
                    }
                }
                "inertiagrouprange" => match of.numbers(name)?.as_deref() {
                    Some(&[low, high]) => self.groups = [low, high],
                    _ => return Err(of.wrong("`inertiagrouprange` has to be two numbers")),
                },
                "settotalmass" => self.total_mass = of.number(name)?.filter(|mass| *mass > 0.0),
                "balanceinertia" => self.balance = truth(of, name, value)?,
                "boundmass" => self.least[0] = of.number(name)?.unwrap_or(0.0),
                "boundinertia" => self.least[1] = of.number(name)?.unwrap_or(0.0),
                "meshdir" => self.meshes = how.folder.join(value),
                "assetdir" if of.get("meshdir").is_none() => self.meshes = how.folder.join(value),
                "strippath" if value == "false" => {}
                // These say how it looks, or how fast it is read.
                "texturedir" | "assetdir" | "discardvisual" | "usethread" | "convexhull" | "fitaabb"
                | "exactmeshinertia" | "saveinertial" | "alignfree" => {}
                "fusestatic" => {}
                _ => notes.warn_once(
                    format!("compiler@{name}"),
                    of,
                    format!("its `{name}` is not known here, and left out"),
                ),
            }
        }
        Ok(())
    }

    /// Where an element is in what is around it.
    pub fn pose(&self, of: &Element) -> Result<DTransform, ImportError> {
        Ok(DTransform::new(of.vector("pos")?.unwrap_or(DVec3::ZERO), self.rotation(of)?))
    }

    /// How an element is turned.
    pub fn rotation(&self, of: &Element) -> Result<DQuat, ImportError> {
        let count = |name: &str, wanted: usize| -> Result<Option<Vec<f64>>, ImportError> {
            let found = of.numbers(name)?;
            match &found {
                Some(all) if all.len() != wanted => {
                    Err(of.wrong(format!("`{name}` has {} numbers, and has to have {wanted}", all.len())))
                }
                _ => Ok(found),
            }
        };
        let direction =
            |v: DVec3, name: &str| v.try_normalize().ok_or_else(|| of.wrong(format!("`{name}` has no direction")));
        if let Some(q) = count("quat", 4)? {
            let quat = DQuat::from_xyzw(q[1], q[2], q[3], q[0]);
            if quat.length_squared() == 0.0 {
                return Err(of.wrong("`quat` has no length"));
            }
            return Ok(quat.normalize());
        }
        if let Some(a) = count("axisangle", 4)? {
            let axis = direction(DVec3::new(a[0], a[1], a[2]), "axisangle")?;
            return Ok(DQuat::from_axis_angle(axis, a[3] * self.angle));
        }
        if let Some(angles) = count("euler", 3)? {
            return Ok(self.euler(&angles));
        }
        if let Some(a) = count("xyaxes", 6)? {
            let x = direction(DVec3::new(a[0], a[1], a[2]), "xyaxes")?;
            let y = DVec3::new(a[3], a[4], a[5]);
            let y = direction(y - x * x.dot(y), "xyaxes")?;
            return Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))));
        }
        if let Some(z) = count("zaxis", 3)? {
            let z = direction(DVec3::new(z[0], z[1], z[2]), "zaxis")?;
            return Ok(DQuat::from_rotation_arc(DVec3::Z, z));
        }
        Ok(DQuat::IDENTITY)
    }

    fn euler(&self, angles: &[f64]) -> DQuat {
        self.eulerseq.iter().zip(angles).fold(DQuat::IDENTITY, |all, (axis, angle)| {
            let angle = angle * self.angle;
            let turn = match axis.to_ascii_lowercase() {
                'x' => DQuat::from_rotation_x(angle),
                'y' => DQuat::from_rotation_y(angle),
                _ => DQuat::from_rotation_z(angle),
            };
            // Small letters turn with the frame, capitals about the axes that stay.
            if axis.is_lowercase() { all * turn } else { turn * all }
        })
    }
}

/// A word that is true or false.
pub(super) fn truth(of: &Element, name: &str, value: &str) -> Result<bool, ImportError> {
    match value {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(of.wrong(format!("`{name}` is `{value}`, and has to be `true` or `false`"))),
    }
}
