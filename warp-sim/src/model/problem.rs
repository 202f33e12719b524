//! What can be wrong with the description of a model.

use thiserror::Error;

/// What is wrong with the description of a model, by the name of what has it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Two things of a world have one name.
    #[error("two things of one world are the {kind} `{label}`: give each a name of its own, or none")]
    SameLabel {
        /// Body, shape, particle.
        kind: &'static str,
        /// The name.
        label: String,
    },
    /// Nothing has this name.
    #[error("there is no {kind} `{label}`{}", offer(.near))]
    NoSuchLabel {
        /// Body, shape, particle.
        kind: &'static str,
        /// The name that was asked for.
        label: String,
        /// A name that begins alike.
        near: Option<String>,
    },
    /// A body has neither a mass nor a shape of which it would follow.
    #[error(
        "{body} has no mass: give it a shape with a density, say its mass with `mass_properties`, or make it `kinematic`"
    )]
    NoMass {
        /// The body.
        body: String,
    },
    /// A mass beside mass properties, which have one.
    #[error("{body} has both `mass` and `mass_properties`: leave one of them out")]
    TwoMasses {
        /// The body.
        body: String,
    },
    /// An inertia that no distribution of mass has.
    #[error("the inertia of {body} is impossible: {why}. `repair_inertia(true)` takes the nearest possible one")]
    Inertia {
        /// The body.
        body: String,
        /// What is wrong with it.
        why: String,
    },
    /// A number that is not finite, or of the wrong sign.
    #[error("{property} of {of} is {value}, and has to be {wanted}")]
    Number {
        /// Whose.
        of: String,
        /// Which property.
        property: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        wanted: &'static str,
    },
    /// A plane, or another shape of infinite size, on a body that moves.
    #[error("{body} has a plane, which has no mass and no end: planes belong to the world, by `fixed_shape`")]
    PlaneOnBody {
        /// The body.
        body: String,
    },
    /// A spring whose ends are one particle, or not there.
    #[error("{spring} ties {} to {}: its ends have to be two particles of its world", .ends[0], .ends[1])]
    SpringEnds {
        /// The spring.
        spring: String,
        /// The particles' numbers.
        ends: [u32; 2],
    },
    /// A joint whose bodies are one, or not there.
    #[error("{joint} has to hold a body of its world, and its parent be another one, or the world by `None`")]
    JointEnds {
        /// The joint.
        joint: String,
    },
    /// Two joints hold one body.
    #[error("{body} is the child of two joints, {} and {}: bodies form trees, so turn one of the joints round", .joints[0], .joints[1])]
    TwoJoints {
        /// The child.
        body: String,
        /// The joints.
        joints: [String; 2],
    },
    /// Joints that lead back to where they start.
    #[error("the parents of {joint} lead back to itself: a tree of joints hangs on the world or on one free body")]
    JointLoop {
        /// One of them.
        joint: String,
    },
    /// Axes in another order than joints have.
    #[error("{joint} has up to three axes to slide along, and after them up to three to turn about, in this order")]
    JointAxes {
        /// The joint.
        joint: String,
    },
    /// Coordinates of a ball or free joint, said one by one.
    #[error(
        "{joint} has a quaternion among its coordinates, which no position, target, rest or limit of one degree of freedom can mean: start a ball joint by `turned`, a free body by its pose, and keep a ball joint by `cone` and `twist`"
    )]
    JointCoordinate {
        /// The joint.
        joint: String,
    },
    /// A velocity of a body that a joint moves.
    #[error(
        "{body} is held by {joint}, which says how it moves at the start: give the joint's `velocity` in place of the body's"
    )]
    JointedMotion {
        /// The body.
        body: String,
        /// The joint.
        joint: String,
    },
    /// A joint that holds a body that its velocity alone moves.
    #[error("{body} is kinematic, so {joint} cannot hold it: a kinematic body may be a parent, and no child")]
    JointedKinematic {
        /// The body.
        body: String,
        /// The joint.
        joint: String,
    },
    /// A pair of bodies that is not there.
    #[error("`exclude` names a body that is not there: this world has {bodies}")]
    Excluded {
        /// How many bodies there are.
        bodies: usize,
    },
    /// Worlds that are not alike, where that is needed.
    #[error("{what} takes worlds that are alike, as `replicate` makes them, and these are not")]
    Unlike {
        /// What takes them.
        what: &'static str,
    },
    /// A joint that cannot follow another.
    #[error("{joint} cannot follow another joint: {why}")]
    Mimic {
        /// The joint.
        joint: String,
        /// Why not.
        why: &'static str,
    },
    /// A world that is not there.
    #[error("there is no world {world}: the model has {worlds}, counted from zero")]
    NoSuchWorld {
        /// Which one was asked for.
        world: usize,
        /// How many there are.
        worlds: usize,
    },
    /// An id of another kind of world.
    #[error("there is no {kind} {number} in world {world}, which has {count}: the id belongs to another kind of world")]
    NotInWorld {
        /// Body, particle.
        kind: &'static str,
        /// The id's number.
        number: usize,
        /// The world.
        world: usize,
        /// How many it has.
        count: usize,
    },
    /// More of something than an array can hold.
    #[error("the model has {count} {unit}, and the most is {most}")]
    TooMany {
        /// What is counted.
        unit: &'static str,
        /// How many.
        count: usize,
        /// The most.
        most: usize,
    },
    /// Bodies or particles that were described beside finished worlds.
    #[error(
        "worlds were added to this builder, and bodies or particles of no world described beside: only fixed shapes and gravity belong to all worlds"
    )]
    BesideWorlds,
    /// No world at all.
    #[error("a model has at least one world, and this one was to have none")]
    NoWorld,
    /// A mesh whose triangles are clockwise from outside.
    #[error("the mesh of {of} is inside out: its volume is {volume} m³. `Mesh::flipped` turns it")]
    InsideOut {
        /// Whose.
        of: String,
        /// The volume that was found.
        volume: f64,
    },
}

fn offer(near: &Option<String>) -> String {
    near.as_ref().map(|near| format!("; there is `{near}`")).unwrap_or_default()
}
