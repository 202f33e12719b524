//! Actuators that are drives of joints.

use super::super::ImportError;
use super::super::xml::Element;
use super::Reader;
use super::defaults::ACTUATORS;

impl Reader<'_, '_> {
    /// Motors need nothing but their effort, by `joint_f`; servos of position and speed are drives.
    pub(super) fn actuators(&mut self, root: &Element) -> Result<(), ImportError> {
        for actuator in root.all("actuator").flat_map(|section| &section.children) {
            if !ACTUATORS.contains(&actuator.name.as_str()) {
                self.notes.unsupported(actuator, format!("an actuator of kind `{}`", actuator.name))?;
                continue;
            }
            let whole = self.defaults.applied(actuator, None)?;
            self.actuator(&whole)?;
        }
        Ok(())
    }

    fn actuator(&mut self, of: &Element) -> Result<(), ImportError> {
        let Some(name) = of.get("joint").or_else(|| of.get("jointinparent")) else {
            return self.notes.unsupported(of, "an actuator that pulls at no joint");
        };
        let found = self.joints.iter().find(|(joint, _)| joint.name == name).map(|(_, link)| *link);
        let link = found.ok_or_else(|| of.wrong(format!("there is no joint `{name}`")))?;
        let gear = of.numbers("gear")?.and_then(|all| all.first().copied()).unwrap_or(1.0);
        let Some([stiffness, damping]) = self.gains(of)? else { return Ok(()) };
        let most = match self.range(of, "forcerange", "forcelimited")? {
            Some([low, high]) => {
                if low != -high {
                    let text = "it may do more one way than the other; the smaller of both counts";
                    self.notes.warn_once("forcerange", of, text);
                }
                Some(low.abs().min(high.abs()) * gear.abs())
            }
            None => None,
        };
        let hold = &mut self.draft.links[link].hold;
        for dof in hold.dofs.iter_mut().chain(hold.every.as_mut()) {
            let mut driven = dof.clone();
            if stiffness != 0.0 || damping != 0.0 {
                driven = driven.drive(stiffness * gear * gear, damping * gear * gear);
            }
            // What the joint's own range allows its drives counts too.
            if let Some(most) = most {
                driven = driven.effort_limit(most.min(dof.most_effort()));
            }
            *dof = driven;
        }
        if gear != 1.0 {
            let text = format!(
                "it has a gear of {gear}: what this library's drives are told is the joint's own, not the motor's"
            );
            self.notes.warn_once("gear", of, text);
        }
        Ok(())
    }

    /// Stiffness and damping of a servo, zero for a motor; none for what is left out.
    fn gains(&mut self, of: &Element) -> Result<Option<[f64; 2]>, ImportError> {
        let number =
            |name: &str, otherwise: f64| -> Result<f64, ImportError> { Ok(of.number(name)?.unwrap_or(otherwise)) };
        let parameters = |name: &str| -> Result<Vec<f64>, ImportError> { Ok(of.numbers(name)?.unwrap_or_default()) };
        let at = |all: &[f64], k: usize| all.get(k).copied().unwrap_or(0.0);
        if of.get("dyntype").is_some_and(|kind| kind != "none")
            || of.numbers("timeconst")?.is_some_and(|all| at(&all, 0) != 0.0)
        {
            self.notes.unsupported(of, "an actuator with a state of its own")?;
            return Ok(None);
        }
        match of.name.as_str() {
            "motor" => Ok(Some([0.0; 2])),
            "position" => {
                if of.number("dampratio")?.is_some_and(|ratio| ratio != 0.0) {
                    self.notes.unsupported(of, "damping by a ratio (`dampratio`)")?;
                }
                Ok(Some([number("kp", 1.0)?, number("kv", 0.0)?]))
            }
            "velocity" => Ok(Some([0.0, number("kv", 1.0)?])),
            "general" => {
                let (gain, bias) = (parameters("gainprm")?, parameters("biasprm")?);
                let gain_kind = of.get("gaintype").unwrap_or("fixed");
                let bias_kind = of.get("biastype").unwrap_or("none");
                let stiffness = if gain.is_empty() { 1.0 } else { at(&gain, 0) };
                match (gain_kind, bias_kind) {
                    ("fixed", "none") => Ok(Some([0.0; 2])),
                    ("fixed", "affine") if at(&bias, 0) == 0.0 && at(&bias, 1) == -stiffness => {
                        Ok(Some([stiffness, -at(&bias, 2)]))
                    }
                    ("fixed", "affine") if at(&bias, 0) == 0.0 && at(&bias, 1) == 0.0 && at(&bias, 2) == -stiffness => {
                        Ok(Some([0.0, stiffness]))
                    }
                    _ => {
                        self.notes.unsupported(of, "an actuator whose force is neither a motor's nor a servo's")?;
                        Ok(None)
                    }
                }
            }
            kind => {
                self.notes.unsupported(of, format!("an actuator of kind `{kind}`"))?;
                Ok(None)
            }
        }
    }
}
