// Matrices of 3 columns: eigenvalues, singular values, polar decomposition.

impl Mat3 {
    /// The motion of the rows and columns `x` and `y` of a symmetric matrix that makes its element between them zero:
    /// cosine and sine. `gap` is the second diagonal element less the first, `twice` twice the element between.
    ///
    /// Written for the smaller angle, so that it is smooth wherever the eigenvalues differ; where `gap` and `twice` are
    /// both zero there is nothing to do, and the derivative is zero.
    fn jacobi_rotation(gap: f32, twice: f32) -> (f32, f32) {
        let t = Mat2::jacobi_tangent(gap, twice);
        let c = 1.0 / (1.0 + t * t).sqrt();
        (c, t * c)
    }

    /// Two columns after the rotation of their plane by this cosine and sine.
    fn turned(a: Vec3, b: Vec3, c: f32, s: f32) -> (Vec3, Vec3) {
        (a * c - b * s, a * s + b * c)
    }

    /// Two diagonal elements of a symmetric matrix and the one between them after the rotation of their rows and columns.
    fn turned_elements(xx: f32, yy: f32, xy: f32, c: f32, s: f32) -> (f32, f32, f32) {
        let x = c * c * xx - 2.0 * c * s * xy + s * s * yy;
        let y = s * s * xx + 2.0 * c * s * xy + c * c * yy;
        (x, y, (c * c - s * s) * xy + c * s * (xx - yy))
    }

    /// Eigenvalues, the smallest first, and the rotation whose columns are the eigenvectors, of the symmetric matrix
    /// `(self + transpose(self)) / 2`.
    ///
    /// Jacobi's method, cyclic, with a fixed number of sweeps (Golub and Van Loan, algorithm 8.5.3). The derivative is
    /// right wherever the eigenvalues differ. Where two are the same, their vectors are any in a plane: the derivative
    /// is finite, and right for sums over all eigenvalues; of `V * diag(f(l)) * transpose(V)` it lacks there what `f`
    /// makes of two eigenvalues that part.
    ///
    /// Example: `Mat3::from_cols_array(&[2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 5.0]).symmetric_eigen().0` is about
    /// `Vec3::new(1.0, 3.0, 5.0)`.
    pub fn symmetric_eigen(self) -> (Vec3, Mat3) {
        let (mut xx, mut yy, mut zz) = (self.x_axis.x, self.y_axis.y, self.z_axis.z);
        let mut xy = 0.5 * (self.x_axis.y + self.y_axis.x);
        let mut xz = 0.5 * (self.x_axis.z + self.z_axis.x);
        let mut yz = 0.5 * (self.y_axis.z + self.z_axis.y);
        let mut v0 = Vec3::new(1.0, 0.0, 0.0);
        let mut v1 = Vec3::new(0.0, 1.0, 0.0);
        let mut v2 = Vec3::new(0.0, 0.0, 1.0);
        for _ in 0..7 {
            let (c, s) = Mat3::jacobi_rotation(yy - xx, 2.0 * xy);
            (xx, yy, xy) = Mat3::turned_elements(xx, yy, xy, c, s);
            (xz, yz) = (c * xz - s * yz, s * xz + c * yz);
            (v0, v1) = Mat3::turned(v0, v1, c, s);

            let (c, s) = Mat3::jacobi_rotation(zz - xx, 2.0 * xz);
            (xx, zz, xz) = Mat3::turned_elements(xx, zz, xz, c, s);
            (xy, yz) = (c * xy - s * yz, s * xy + c * yz);
            (v0, v2) = Mat3::turned(v0, v2, c, s);

            let (c, s) = Mat3::jacobi_rotation(zz - yy, 2.0 * yz);
            (yy, zz, yz) = Mat3::turned_elements(yy, zz, yz, c, s);
            (xy, xz) = (c * xy - s * xz, s * xy + c * xz);
            (v1, v2) = Mat3::turned(v1, v2, c, s);
        }
        // Exchanged with one of the two reversed, so that the vectors stay a rotation.
        if yy < xx {
            let (a, b) = (xx, v0);
            xx = yy;
            yy = a;
            v0 = v1;
            v1 = -b;
        }
        if zz < yy {
            let (a, b) = (yy, v1);
            yy = zz;
            zz = a;
            v1 = v2;
            v2 = -b;
        }
        if yy < xx {
            let (a, b) = (xx, v0);
            xx = yy;
            yy = a;
            v0 = v1;
            v1 = -b;
        }
        (Vec3::new(xx, yy, zz), Mat3::from_cols(v0, v1, v2))
    }

    /// The gradient that goes back through `symmetric_eigen` (Giles, Collected matrix derivative results, 2008). Where two
    /// eigenvalues are the same but for rounding, only what does not depend on the choice of their vectors counts.
    fn symmetric_eigen_grad(self, dl: Vec3, dv: Mat3) -> Mat3 {
        let (l, v) = self.symmetric_eigen();
        let k = v.transpose() * dv;
        let k = (k - k.transpose()) * 0.5;
        let least = 32.0 * f32::EPSILON * l.abs().max_element();
        let xy = Mat3::over(k.y_axis.x, l.y - l.x, least);
        let xz = Mat3::over(k.z_axis.x, l.z - l.x, least);
        let yz = Mat3::over(k.z_axis.y, l.z - l.y, least);
        let inner = Mat3::from_cols(Vec3::new(dl.x, xy, xz), Vec3::new(xy, dl.y, yz), Vec3::new(xz, yz, dl.z));
        v * inner * v.transpose()
    }

    /// `a / b`, or zero where `b` is nothing but rounding.
    fn over(a: f32, b: f32, least: f32) -> f32 {
        if b.abs() > least { a / b } else { 0.0 }
    }

    /// `U`, the singular values `s` and `V`, so that `U * diag(s) * transpose(V)` is the matrix. `U` and `V` are
    /// rotations; the magnitudes of `s` fall, and the last one has the sign of the determinant.
    ///
    /// These are the signs that Warp's `svd3` has. The columns are rotated until they lie across each other (one-sided
    /// Jacobi: Demmel and Veselic, 1992), which keeps small singular values right, down to about 1e-18 of the largest one
    /// (f64: 1e-150), where squares vanish. The derivative is right wherever the magnitudes differ. Where two are the
    /// same, or two are zero, `U` and `V` are some of many: the derivatives are finite there, right for sums and products
    /// over all values, and in gradients for `U * transpose(V)`; not for `U * diag(s) * transpose(V)`, which is the
    /// matrix itself.
    ///
    /// Example: `Mat3::from_cols_array(&[0.0, 3.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0]).svd().1` is about
    /// `Vec3::new(3.0, 2.0, 1.0)`.
    pub fn svd(self) -> (Mat3, Vec3, Mat3) {
        // Scaled, so that squares of tiny and huge elements are still numbers.
        let largest = self.x_axis.abs().max(self.y_axis.abs()).max(self.z_axis.abs()).max_element();
        let size = if largest > 0.0 { largest } else { 1.0 };
        let (mut b0, mut b1, mut b2) = (self.x_axis / size, self.y_axis / size, self.z_axis / size);
        let mut v0 = Vec3::new(1.0, 0.0, 0.0);
        let mut v1 = Vec3::new(0.0, 1.0, 0.0);
        let mut v2 = Vec3::new(0.0, 0.0, 1.0);
        for _ in 0..8 {
            let (c, s) = Mat3::jacobi_rotation(b1.dot(b1) - b0.dot(b0), 2.0 * b0.dot(b1));
            (b0, b1) = Mat3::turned(b0, b1, c, s);
            (v0, v1) = Mat3::turned(v0, v1, c, s);

            let (c, s) = Mat3::jacobi_rotation(b2.dot(b2) - b0.dot(b0), 2.0 * b0.dot(b2));
            (b0, b2) = Mat3::turned(b0, b2, c, s);
            (v0, v2) = Mat3::turned(v0, v2, c, s);

            let (c, s) = Mat3::jacobi_rotation(b2.dot(b2) - b1.dot(b1), 2.0 * b1.dot(b2));
            (b1, b2) = Mat3::turned(b1, b2, c, s);
            (v1, v2) = Mat3::turned(v1, v2, c, s);
        }
        // Exchanged with one of the two reversed, so that the vectors stay a rotation.
        if b0.length_squared() < b1.length_squared() {
            let (a, b) = (b0, v0);
            b0 = b1;
            b1 = -a;
            v0 = v1;
            v1 = -b;
        }
        if b1.length_squared() < b2.length_squared() {
            let (a, b) = (b1, v1);
            b1 = b2;
            b2 = -a;
            v1 = v2;
            v2 = -b;
        }
        if b0.length_squared() < b1.length_squared() {
            let (a, b) = (b0, v0);
            b0 = b1;
            b1 = -a;
            v0 = v1;
            v1 = -b;
        }
        let s0 = b0.safe_length();
        let u0 = if s0 > 0.0 { b0 / s0 } else { Vec3::new(1.0, 0.0, 0.0) };
        // What rounding left of the first direction is taken out, twice, since the rest may be tiny.
        let once = b1 - u0 * u0.dot(b1);
        let rest = once - u0 * u0.dot(once);
        let s1 = rest.safe_length();
        let u1 = if s1 > 0.0 { rest / s1 } else { u0.any_orthonormal_vector() };
        let u2 = u0.cross(u1);
        (Mat3::from_cols(u0, u1, u2), Vec3::new(s0, s1, u2.dot(b2)) * size, Mat3::from_cols(v0, v1, v2))
    }

    /// The gradient that goes back through `svd` (Ionescu, Vantzos and Sminchisescu, 2015), with the differences and the
    /// sums of singular values taken apart. Where a difference is nothing but rounding, only what does not depend on the
    /// choice of the vectors counts.
    fn svd_grad(self, du: Mat3, ds: Vec3, dv: Mat3) -> Mat3 {
        let (u, s, v) = self.svd();
        let (k, l) = (u.transpose() * du, v.transpose() * dv);
        let (k, l) = (k - k.transpose(), l - l.transpose());
        let (both, apart) = ((k + l) * 0.5, (k - l) * 0.5);
        let least = 32.0 * f32::EPSILON * s.x;
        let xy = Mat3::over(both.y_axis.x, s.y - s.x, least);
        let xz = Mat3::over(both.z_axis.x, s.z - s.x, least);
        let yz = Mat3::over(both.z_axis.y, s.z - s.y, least);
        let turn_xy = Mat3::over(apart.y_axis.x, s.y + s.x, least);
        let turn_xz = Mat3::over(apart.z_axis.x, s.z + s.x, least);
        let turn_yz = Mat3::over(apart.z_axis.y, s.z + s.y, least);
        let inner = Mat3::from_cols(
            Vec3::new(ds.x, xy - turn_xy, xz - turn_xz),
            Vec3::new(xy + turn_xy, ds.y, yz - turn_yz),
            Vec3::new(xz + turn_xz, yz + turn_yz, ds.z),
        );
        u * inner * v.transpose()
    }

    /// The orthogonal `R` nearest to the matrix and the symmetric `S` without negative eigenvalues, so that `R * S` is
    /// the matrix. The determinant of `R` has the sign of that of the matrix.
    ///
    /// Newton's method with scaling (Higham, Computing the polar decomposition, 1986). The derivative is right for every
    /// regular matrix, also where singular values are the same, as at the identity. For a singular matrix `R` is made
    /// by [`svd`](Self::svd) and is a rotation, and its derivative is finite, one of many.
    ///
    /// Example: `Mat3::from_cols_array(&[0.0, 3.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 1.0]).polar().0` is about
    /// `Mat3::from_cols_array(&[0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0])`.
    pub fn polar(self) -> (Mat3, Mat3) {
        let size = self.x_axis.abs().max(self.y_axis.abs()).max(self.z_axis.abs()).max_element();
        let some = size > 0.0;
        let scaled = if some { self / size } else { self };
        let (u, s, v) = scaled.svd();
        let regular = s.z.abs() > 16.0 * f32::EPSILON * s.x;
        let r = if regular { scaled.polar_newton() } else { u * v.transpose() };
        let product = r.transpose() * self;
        (r, (product + product.transpose()) * 0.5)
    }

    /// The orthogonal factor of a regular matrix.
    fn polar_newton(self) -> Mat3 {
        let mut r = self;
        for step in 0..12 {
            let back = r.inverse().transpose();
            // The scale brings the singular values together; near the end it would only add rounding.
            let ratio = back.ddot(back) / r.ddot(r);
            let scale = if step < 8 { ratio.sqrt().sqrt() } else { 1.0 };
            r = (r * scale + back * (1.0 / scale)) * 0.5;
        }
        r
    }
}
