// The orders of Euler angles. Not a template.

impl EulerRot {
    /// The axes of the first, second and third angle, as Shoemake numbers them (Euler angle conversion, Graphics gems
    /// IV, 1994): whether they follow each other, whether the first and the last are one, and whether the angles come
    /// last first.
    pub(crate) fn axes(self) -> (usize, usize, usize, bool, bool, bool) {
        let (first, even, repeated, relative) = match self {
            EulerRot::XYZ => (0, true, false, false),
            EulerRot::XYX => (0, true, true, false),
            EulerRot::XZY => (0, false, false, false),
            EulerRot::XZX => (0, false, true, false),
            EulerRot::YZX => (1, true, false, false),
            EulerRot::YZY => (1, true, true, false),
            EulerRot::YXZ => (1, false, false, false),
            EulerRot::YXY => (1, false, true, false),
            EulerRot::ZXY => (2, true, false, false),
            EulerRot::ZXZ => (2, true, true, false),
            EulerRot::ZYX => (2, false, false, false),
            EulerRot::ZYZ => (2, false, true, false),
            EulerRot::ZYXEx => (0, true, false, true),
            EulerRot::XYXEx => (0, true, true, true),
            EulerRot::YZXEx => (0, false, false, true),
            EulerRot::XZXEx => (0, false, true, true),
            EulerRot::XZYEx => (1, true, false, true),
            EulerRot::YZYEx => (1, true, true, true),
            EulerRot::ZXYEx => (1, false, false, true),
            EulerRot::YXYEx => (1, false, true, true),
            EulerRot::YXZEx => (2, true, false, true),
            EulerRot::ZXZEx => (2, true, true, true),
            EulerRot::XYZEx => (2, false, false, true),
            EulerRot::ZYZEx => (2, false, true, true),
        };
        let (next, last) = ((first + 1) % 3, (first + 2) % 3);
        if even { (first, next, last, even, repeated, relative) } else { (first, last, next, even, repeated, relative) }
    }
}
