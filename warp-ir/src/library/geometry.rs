// Segments, triangles and rays.
//
// Closest points follow Ericson, Real-Time Collision Detection, chapter 5; they are right for needles, and for triangles
// whose corners lie on a line or in a point, too. Results depend smoothly on the points inside each region; across the
// borders between regions they are continuous, and have the derivative of one of both sides. Fourth powers of lengths have
// to be numbers: scale what is smaller than about 1e-9 or larger than 1e9 (f64: 1e-75, 1e75) first.

/// The points between `a` and `b`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Segment {
    /// One end.
    pub a: Vec3,
    /// The other.
    pub b: Vec3,
}

/// A triangle; seen from the side where its corners go round to the left, its normal points to the eye.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Triangle {
    /// The first corner.
    pub a: Vec3,
    /// The second corner.
    pub b: Vec3,
    /// The third corner.
    pub c: Vec3,
}

/// The points `origin + t * direction` for `t` from 0 on; `t` counts lengths of `direction`, whatever that is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes.
    pub direction: Vec3,
}

impl Segment {
    /// The points between `a` and `b`.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`, `s.b` is
    /// `Vec3::new(4.0, 0.0, 0.0)`.
    pub fn new(a: Vec3, b: Vec3) -> Segment {
        Segment { a, b }
    }

    /// The point at the part `t` of the way from `a` to `b`. Beyond 0 and 1 it goes on.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`, `s.at(0.25)` is
    /// `Vec3::new(1.0, 0.0, 0.0)`.
    pub fn at(self, t: f32) -> Vec3 {
        self.a + (self.b - self.a) * t
    }

    /// The distance between the ends. The derivative is 0 where both ends are one point.
    ///
    /// Example: `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0)).length()` is `4.0`.
    pub fn length(self) -> f32 {
        (self.b - self.a).safe_length()
    }

    /// How far along the segment its point closest to `p` lies, from 0 to 1; 0 where both ends are one point.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`,
    /// `s.closest_parameter(Vec3::new(1.0, 2.0, 3.0))` is `0.25`.
    pub fn closest_parameter(self, p: Vec3) -> f32 {
        let ab = self.b - self.a;
        let square = ab.length_squared();
        let along = (p - self.a).dot(ab);
        if along <= 0.0 {
            0.0
        } else if along >= square {
            1.0
        } else {
            along / square
        }
    }

    /// The point of the segment closest to `p`.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`,
    /// `s.closest_point(Vec3::new(1.0, 2.0, 3.0))` is `Vec3::new(1.0, 0.0, 0.0)`.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`,
    /// `s.closest_point(Vec3::new(9.0, 2.0, 3.0))` is `Vec3::new(4.0, 0.0, 0.0)`.
    pub fn closest_point(self, p: Vec3) -> Vec3 {
        self.at(self.closest_parameter(p))
    }

    /// The distance of `p`; its derivative is zero for points of the segment.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`,
    /// `s.distance(Vec3::new(1.0, 3.0, 4.0))` is `5.0`.
    pub fn distance(self, p: Vec3) -> f32 {
        (p - self.closest_point(p)).safe_length()
    }

    /// How far along each of two segments their closest points lie, from 0 to 1. Of parallel segments, which have many
    /// such pairs, one pair.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`, where `r` is
    /// `Segment::new(Vec3::new(1.0, -1.0, 2.0), Vec3::new(1.0, 3.0, 2.0))`, `s.closest_parameters(r)` is
    /// `(0.25, 0.25)`.
    pub fn closest_parameters(self, rhs: Segment) -> (f32, f32) {
        let d1 = self.b - self.a;
        let d2 = rhs.b - rhs.a;
        let r = self.a - rhs.a;
        let a = d1.length_squared();
        let e = d2.length_squared();
        let f = d2.dot(r);
        let c = d1.dot(r);
        if a <= 0.0 && e <= 0.0 {
            return (0.0, 0.0);
        }
        if a <= 0.0 {
            return (0.0, (f / e).max(0.0).min(1.0));
        }
        if e <= 0.0 {
            return ((-c / a).max(0.0).min(1.0), 0.0);
        }
        let b = d1.dot(d2);
        let across = a * e - b * b;
        // Parallel within rounding: any point of the first will do.
        let s = if across > 4.0 * f32::EPSILON * a * e { ((b * f - c * e) / across).max(0.0).min(1.0) } else { 0.0 };
        let along = b * s + f;
        if along <= 0.0 {
            ((-c / a).max(0.0).min(1.0), 0.0)
        } else if along >= e {
            (((b - c) / a).max(0.0).min(1.0), 1.0)
        } else {
            (s, along / e)
        }
    }

    /// The closest points of two segments: one of this segment, one of the other.
    ///
    /// Example: where `s` is `Segment::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0))`, where `r` is
    /// `Segment::new(Vec3::new(1.0, -1.0, 2.0), Vec3::new(1.0, 3.0, 2.0))`, `s.closest_points(r).1` is
    /// `Vec3::new(1.0, 0.0, 2.0)`.
    pub fn closest_points(self, rhs: Segment) -> (Vec3, Vec3) {
        let (s, t) = self.closest_parameters(rhs);
        (self.at(s), rhs.at(t))
    }
}

impl Triangle {
    /// The triangle of these corners.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`, `t.c` is
    /// `Vec3::new(0.0, 2.0, 0.0)`.
    pub fn new(a: Vec3, b: Vec3, c: Vec3) -> Triangle {
        Triangle { a, b, c }
    }

    /// The normal, as long as twice the area.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.scaled_normal()` is `Vec3::new(0.0, 0.0, 8.0)`.
    pub fn scaled_normal(self) -> Vec3 {
        (self.b - self.a).cross(self.c - self.a)
    }

    /// The normal of length 1; zero where the corners lie on a line. The derivative is 0 there, too.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`, `t.normal()` is
    /// `Vec3::new(0.0, 0.0, 1.0)`.
    pub fn normal(self) -> Vec3 {
        self.scaled_normal().safe_normalize()
    }

    /// The area; its derivative is zero where the corners lie on a line.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`, `t.area()` is
    /// `4.0`.
    pub fn area(self) -> f32 {
        0.5 * self.scaled_normal().safe_length()
    }

    /// The point with these weights of the corners.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.at(Vec3::new(0.25, 0.25, 0.5))` is `Vec3::new(1.0, 1.0, 0.0)`.
    pub fn at(self, weights: Vec3) -> Vec3 {
        self.a * weights.x + self.b * weights.y + self.c * weights.z
    }

    /// The weights of the corners, of sum 1, of the point of the triangle's plane that is closest to `p`. Where the
    /// corners lie on a line there are none: then all the weight is on `a`.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.barycentric(Vec3::new(1.0, 1.0, 9.0))` is `Vec3::new(0.25, 0.25, 0.5)`.
    pub fn barycentric(self, p: Vec3) -> Vec3 {
        let (v0, v1, v2) = (self.b - self.a, self.c - self.a, p - self.a);
        // By cross products: the difference of dot products of the same value has half of the places in a needle.
        let normal = v0.cross(v1);
        let square = normal.length_squared();
        if square > 0.0 {
            let v = v2.cross(v1).dot(normal) / square;
            let w = v0.cross(v2).dot(normal) / square;
            Vec3::new(1.0 - v - w, v, w)
        } else {
            Vec3::new(1.0, 0.0, 0.0)
        }
    }

    /// The weights of the corners of the point of the triangle closest to `p`: none negative, of sum 1.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.closest_weights(Vec3::new(1.0, 1.0, 9.0))` is `Vec3::new(0.25, 0.25, 0.5)`.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.closest_weights(Vec3::new(-1.0, -1.0, 0.0))` is `Vec3::new(1.0, 0.0, 0.0)`.
    pub fn closest_weights(self, p: Vec3) -> Vec3 {
        let (ab, ac, ap) = (self.b - self.a, self.c - self.a, p - self.a);
        let (bp, cp) = (p - self.b, p - self.c);
        let (d1, d2) = (ab.dot(ap), ac.dot(ap));
        if d1 <= 0.0 && d2 <= 0.0 {
            return Vec3::new(1.0, 0.0, 0.0);
        }
        let (d3, d4) = (ab.dot(bp), ac.dot(bp));
        if d3 >= 0.0 && d4 <= d3 {
            return Vec3::new(0.0, 1.0, 0.0);
        }
        // The weights of the point of the plane, times the square of the normal; by cross products, since in a needle the
        // differences of products of dot products have no places left.
        let normal = ab.cross(ac);
        let va = bp.cross(cp).dot(normal);
        let vb = cp.cross(ap).dot(normal);
        let vc = ap.cross(bp).dot(normal);
        // A side without length is skipped: what lies beside it lies beside another one.
        if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 > d3 {
            let v = d1 / (d1 - d3);
            return Vec3::new(1.0 - v, v, 0.0);
        }
        let (d5, d6) = (ab.dot(cp), ac.dot(cp));
        if d6 >= 0.0 && d5 <= d6 {
            return Vec3::new(0.0, 0.0, 1.0);
        }
        if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 > d6 {
            let w = d2 / (d2 - d6);
            return Vec3::new(1.0 - w, 0.0, w);
        }
        let (e4, e5) = (d4 - d3, d5 - d6);
        if va <= 0.0 && e4 >= 0.0 && e5 >= 0.0 && e4 + e5 > 0.0 {
            let w = e4 / (e4 + e5);
            return Vec3::new(0.0, 1.0 - w, w);
        }
        // Inside; one that is not positive is so by rounding.
        let (wa, wb, wc) = (va.max(0.0), vb.max(0.0), vc.max(0.0));
        let sum = wa + wb + wc;
        Vec3::new(wa / sum, wb / sum, wc / sum)
    }

    /// The point of the triangle closest to `p`.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.closest_point(Vec3::new(1.0, 1.0, 9.0))` is `Vec3::new(1.0, 1.0, 0.0)`.
    pub fn closest_point(self, p: Vec3) -> Vec3 {
        self.at(self.closest_weights(p))
    }

    /// The distance of `p`; its derivative is zero for points of the triangle.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `t.distance(Vec3::new(1.0, 1.0, 9.0))` is `9.0`.
    pub fn distance(self, p: Vec3) -> f32 {
        (p - self.closest_point(p)).safe_length()
    }

    /// The solid angle, in steradians, that the triangle takes up in the view from `p`: positive where the normal points
    /// away from `p`. So the triangles of a closed surface whose normals point outwards add up to 4π for points inside,
    /// and to 0 for points outside (van Oosterom and Strackee, The solid angle of a plane triangle, 1983).
    ///
    /// From -2π to 2π. From one side of the triangle to the other it jumps between these; at a corner it is 0, and so is
    /// the derivative.
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.0, 0.0, 1.0))`,
    /// `t.solid_angle(Vec3::new(0.0, 0.0, 0.0))` is about `core::f32::consts::FRAC_PI_2`.
    pub fn solid_angle(self, p: Vec3) -> f32 {
        let (a, b, c) = (self.a - p, self.b - p, self.c - p);
        let (la, lb, lc) = (a.safe_length(), b.safe_length(), c.safe_length());
        let across = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * atan2(a.dot(b.cross(c)), across)
    }
}

impl Ray {
    /// The ray from `origin` along `direction`.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`, `ray.direction` is
    /// `Vec3::new(0.0, 0.0, -2.0)`.
    pub fn new(origin: Vec3, direction: Vec3) -> Ray {
        Ray { origin, direction }
    }

    /// The point at `t`.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`, `ray.at(2.0)` is
    /// `Vec3::new(0.0, 0.0, 1.0)`.
    pub fn at(self, t: f32) -> Vec3 {
        self.origin + self.direction * t
    }

    /// The point of the ray closest to `p`; the origin where `direction` is zero. The origin, too, for what lies behind
    /// it.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`,
    /// `ray.closest_point(Vec3::new(1.0, 2.0, 3.0))` is `Vec3::new(0.0, 0.0, 3.0)`.
    pub fn closest_point(self, p: Vec3) -> Vec3 {
        let along = (p - self.origin).dot(self.direction);
        if along > 0.0 { self.at(along / self.direction.length_squared()) } else { self.origin }
    }

    /// Where the ray meets the plane of the points `x` with `normal.dot(x) == offset`; `None` where it runs along the
    /// plane or away from it. The derivative grows without bound as the ray comes to run along the plane.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`,
    /// `ray.plane(Vec3::new(0.0, 0.0, 1.0), 1.0)` is `Some(2.0)`.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`,
    /// `ray.plane(Vec3::new(0.0, 0.0, 1.0), 6.0)` is `None`.
    pub fn plane(self, normal: Vec3, offset: f32) -> Option<f32> {
        let speed = normal.dot(self.direction);
        let gap = offset - normal.dot(self.origin);
        if speed.abs() > 0.0 && gap / speed >= 0.0 { Some(gap / speed) } else { None }
    }

    /// Where the ray first meets the surface of a sphere: `None` where it misses; from inside, where it leaves. The
    /// derivative grows without bound as the ray comes to graze the sphere; where it does so exactly, it is that of the
    /// point closest to the center.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`,
    /// `ray.sphere(Vec3::new(0.0, 0.0, 0.0), 1.0)` is `Some(2.0)`.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`,
    /// `ray.sphere(Vec3::new(3.0, 0.0, 0.0), 1.0)` is `None`.
    pub fn sphere(self, center: Vec3, radius: f32) -> Option<f32> {
        let a = self.direction.length_squared();
        let offset = self.origin - center;
        let b = offset.dot(self.direction);
        let c = offset.length_squared() - radius * radius;
        // The distance of the line from the center, against the radius, loses less to rounding than `b * b - a * c`.
        let square = if a > 0.0 { a } else { 1.0 };
        let beside = offset - self.direction * (b / square);
        let rest = a * (radius * radius - beside.length_squared());
        if a <= 0.0 || rest < 0.0 {
            return None;
        }
        if rest <= 0.0 {
            let t = -b / a;
            return if t >= 0.0 { Some(t) } else { None };
        }
        let root = rest.sqrt();
        // Two roots of a quadratic, each without the difference of two nearly equal numbers.
        let q = if b > 0.0 { -b - root } else { root - b };
        let (t0, t1) = if q.abs() > 0.0 {
            if b > 0.0 { (q / a, c / q) } else { (c / q, q / a) }
        } else {
            (0.0, 0.0)
        };
        if t0 >= 0.0 {
            Some(t0)
        } else if t1 >= 0.0 {
            Some(t1)
        } else {
            None
        }
    }

    /// Where the ray is inside a box with sides along the axes: from the first `t` to the second, the first not below
    /// 0. `None` where it misses. A ray that runs exactly in a side is inside.
    ///
    /// Example: where `ray` is `Ray::new(Vec3::new(0.0, 0.0, 5.0), Vec3::new(0.0, 0.0, -2.0))`,
    /// `ray.aabb(Vec3::new(-1.0, -1.0, -1.0), Vec3::new(1.0, 1.0, 1.0))` is `Some((2.0, 3.0))`.
    pub fn aabb(self, min: Vec3, max: Vec3) -> Option<(f32, f32)> {
        let (mut near, mut far) = (0.0, f32::INFINITY);
        let (o, d) = (self.origin, self.direction);
        for k in 0..3 {
            if d[k] > 0.0 || d[k] < 0.0 {
                let (one, other) = ((min[k] - o[k]) / d[k], (max[k] - o[k]) / d[k]);
                let (enter, leave) = if one < other { (one, other) } else { (other, one) };
                if enter > near {
                    near = enter;
                }
                if leave < far {
                    far = leave;
                }
            } else if o[k] < min[k] || o[k] > max[k] {
                return None;
            }
        }
        if near <= far { Some((near, far)) } else { None }
    }

    /// Where the ray meets a triangle, from either side: `t`, and the weights of the corners `b` and `c` there. `None`
    /// where it misses, or runs in the triangle's plane (Moeller and Trumbore, 1997).
    ///
    /// Example: where `t` is
    /// `Triangle::new(Vec3::new(0.0, 0.0, 0.0), Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0))`,
    /// `Ray::new(Vec3::new(1.0, 1.0, 5.0), Vec3::new(0.0, 0.0, -2.0)).triangle(t)` is `Some((2.5, 0.25, 0.5))`.
    pub fn triangle(self, triangle: Triangle) -> Option<(f32, f32, f32)> {
        let (ab, ac) = (triangle.b - triangle.a, triangle.c - triangle.a);
        let h = self.direction.cross(ac);
        let det = ab.dot(h);
        if det.abs() <= 0.0 {
            return None;
        }
        let s = self.origin - triangle.a;
        let v = s.dot(h) / det;
        let q = s.cross(ab);
        let w = self.direction.dot(q) / det;
        let t = ac.dot(q) / det;
        if v >= 0.0 && w >= 0.0 && v + w <= 1.0 && t >= 0.0 { Some((t, v, w)) } else { None }
    }
}
