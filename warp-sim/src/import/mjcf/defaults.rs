//! Classes of defaults: what an element has that it does not say itself.

use std::collections::BTreeMap;

use super::super::ImportError;
use super::super::xml::Element;

/// Values of attributes by class, by element and by name. A class has those of the classes around it.
#[derive(Debug, Default)]
pub(super) struct Defaults {
    classes: BTreeMap<String, Class>,
}

type Class = BTreeMap<String, BTreeMap<String, String>>;

/// The class of all that names none.
const MAIN: &str = "main";

/// Actuators of all kinds write to one set of defaults, that of the last kind.
pub(super) const ACTUATORS: [&str; 10] =
    ["general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor"];

impl Defaults {
    /// Reads the default sections of a file.
    pub fn read(root: &Element) -> Result<Defaults, ImportError> {
        let mut defaults = Defaults::default();
        defaults.classes.insert(MAIN.to_owned(), Class::new());
        for section in root.all("default") {
            defaults.add(section, None)?;
        }
        Ok(defaults)
    }

    fn add(&mut self, of: &Element, parent: Option<&str>) -> Result<(), ImportError> {
        let name = match (of.get("class"), parent) {
            (Some(name), _) => name,
            (None, None) => MAIN,
            (None, Some(_)) => return Err(of.wrong("a class inside of another has to have a name, by `class`")),
        };
        let mut class = match parent {
            Some(parent) => self.classes.get(parent).cloned().unwrap_or_default(),
            None => self.classes.get(name).cloned().unwrap_or_default(),
        };
        for element in of.children.iter().filter(|child| child.name != "default") {
            let own = class.entry(element.name.clone()).or_default();
            own.extend(element.attributes.iter().cloned());
        }
        self.classes.insert(name.to_owned(), class);
        of.all("default").try_for_each(|inner| self.add(inner, Some(name)))
    }

    /// The element with all that it has by its own class, or by the class of the bodies around it.
    pub fn applied(&self, element: &Element, around: Option<&str>) -> Result<Element, ImportError> {
        let class = element.get("class").or(around).unwrap_or(MAIN);
        let class = self.classes.get(class);
        let class = class.ok_or_else(|| {
            element.wrong(format!("there is no default class `{}`", element.get("class").or(around).unwrap_or(MAIN)))
        })?;
        let mut whole = element.clone();
        let mut add = |name: &str| {
            for (attribute, value) in class.get(name).into_iter().flatten() {
                if whole.get(attribute).is_none() {
                    whole.attributes.push((attribute.clone(), value.clone()));
                }
            }
        };
        add(&element.name);
        if ACTUATORS.contains(&element.name.as_str()) {
            add("general");
        }
        // A size that the element says in one way is not said in another by its class.
        if element.get("fromto").is_none() && element.get("pos").is_some() {
            whole.attributes.retain(|(name, _)| name != "fromto");
        }
        for group in [["quat", "axisangle", "euler", "xyaxes", "zaxis"]] {
            if group.iter().any(|name| element.get(name).is_some()) {
                whole.attributes.retain(|(name, _)| !group.contains(&name.as_str()) || element.get(name).is_some());
            }
        }
        Ok(whole)
    }
}
