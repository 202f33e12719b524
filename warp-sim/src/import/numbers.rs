//! Numbers in attributes.

use warp::math::{DQuat, DVec3};

use super::ImportError;
use super::xml::Element;

impl Element {
    /// The numbers of an attribute; as many as may be there.
    pub(super) fn numbers(&self, name: &str) -> Result<Option<Vec<f64>>, ImportError> {
        let Some(text) = self.get(name) else { return Ok(None) };
        let number = |word: &str| {
            let value: f64 = word.parse().ok().filter(|value: &f64| value.is_finite())?;
            Some(value)
        };
        let all: Option<Vec<f64>> = text.split_whitespace().map(number).collect();
        match all {
            Some(all) => Ok(Some(all)),
            None => Err(self.wrong(format!("`{name}` is `{text}`, and has to be numbers that are finite"))),
        }
    }

    /// The only number of an attribute.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, ImportError> {
        match self.numbers(name)?.as_deref() {
            None => Ok(None),
            Some(&[value]) => Ok(Some(value)),
            Some(all) => Err(self.wrong(format!("`{name}` has {} numbers, and has to be one", all.len()))),
        }
    }

    /// The three numbers of an attribute.
    pub(super) fn vector(&self, name: &str) -> Result<Option<DVec3>, ImportError> {
        match self.numbers(name)?.as_deref() {
            None => Ok(None),
            Some(&[x, y, z]) => Ok(Some(DVec3::new(x, y, z))),
            Some(all) => Err(self.wrong(format!("`{name}` has {} numbers, and has to be three", all.len()))),
        }
    }

    /// An attribute without which the element means nothing.
    pub(super) fn needs(&self, name: &str) -> Result<&str, ImportError> {
        self.get(name).ok_or_else(|| self.wrong(format!("it has no `{name}`")))
    }
}

/// Roll, pitch and yaw as URDF has them: about the fixed axes x, then y, then z.
pub(super) fn from_rpy(rpy: DVec3) -> DQuat {
    DQuat::from_rotation_z(rpy.z) * DQuat::from_rotation_y(rpy.y) * DQuat::from_rotation_x(rpy.x)
}
