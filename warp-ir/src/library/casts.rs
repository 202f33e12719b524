// Conversions between the types of one shape. Not a template.

impl Vec2 {
    /// Each component `as f64`.
    ///
    /// Example: `Vec2::new(1.75, 2.0).as_dvec2()` is `DVec2::new(1.75, 2.0)`.
    pub fn as_dvec2(self) -> DVec2 {
        DVec2::new(self.x as f64, self.y as f64)
    }

    /// Each component `as i32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `Vec2::new(1.75, 2.0).as_ivec2()` is `IVec2::new(1, 2)`.
    pub fn as_ivec2(self) -> IVec2 {
        IVec2::new(self.x as i32, self.y as i32)
    }

    /// Each component `as u32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `Vec2::new(1.75, 2.0).as_uvec2()` is `UVec2::new(1, 2)`.
    pub fn as_uvec2(self) -> UVec2 {
        UVec2::new(self.x as u32, self.y as u32)
    }
}

impl DVec2 {
    /// Each component `as f32`. Rounded to the nearest.
    ///
    /// Example: `DVec2::new(1.75, 2.0).as_vec2()` is `Vec2::new(1.75, 2.0)`.
    pub fn as_vec2(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }

    /// Each component `as i32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `DVec2::new(1.75, 2.0).as_ivec2()` is `IVec2::new(1, 2)`.
    pub fn as_ivec2(self) -> IVec2 {
        IVec2::new(self.x as i32, self.y as i32)
    }

    /// Each component `as u32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `DVec2::new(1.75, 2.0).as_uvec2()` is `UVec2::new(1, 2)`.
    pub fn as_uvec2(self) -> UVec2 {
        UVec2::new(self.x as u32, self.y as u32)
    }
}

impl IVec2 {
    /// Each component `as f32`.
    ///
    /// Example: `IVec2::new(1, 2).as_vec2()` is `Vec2::new(1.0, 2.0)`.
    pub fn as_vec2(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }

    /// Each component `as f64`.
    ///
    /// Example: `IVec2::new(1, 2).as_dvec2()` is `DVec2::new(1.0, 2.0)`.
    pub fn as_dvec2(self) -> DVec2 {
        DVec2::new(self.x as f64, self.y as f64)
    }

    /// Each component `as u32`. The bits stay.
    ///
    /// Example: `IVec2::new(1, 2).as_uvec2()` is `UVec2::new(1, 2)`.
    pub fn as_uvec2(self) -> UVec2 {
        UVec2::new(self.x as u32, self.y as u32)
    }
}

impl UVec2 {
    /// Each component `as f32`.
    ///
    /// Example: `UVec2::new(1, 2).as_vec2()` is `Vec2::new(1.0, 2.0)`.
    pub fn as_vec2(self) -> Vec2 {
        Vec2::new(self.x as f32, self.y as f32)
    }

    /// Each component `as f64`.
    ///
    /// Example: `UVec2::new(1, 2).as_dvec2()` is `DVec2::new(1.0, 2.0)`.
    pub fn as_dvec2(self) -> DVec2 {
        DVec2::new(self.x as f64, self.y as f64)
    }

    /// Each component `as i32`. The bits stay.
    ///
    /// Example: `UVec2::new(1, 2).as_ivec2()` is `IVec2::new(1, 2)`.
    pub fn as_ivec2(self) -> IVec2 {
        IVec2::new(self.x as i32, self.y as i32)
    }
}

impl Vec3 {
    /// Each component `as f64`.
    ///
    /// Example: `Vec3::new(1.75, 2.0, 3.5).as_dvec3()` is `DVec3::new(1.75, 2.0, 3.5)`.
    pub fn as_dvec3(self) -> DVec3 {
        DVec3::new(self.x as f64, self.y as f64, self.z as f64)
    }

    /// Each component `as i32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `Vec3::new(1.75, 2.0, 3.5).as_ivec3()` is `IVec3::new(1, 2, 3)`.
    pub fn as_ivec3(self) -> IVec3 {
        IVec3::new(self.x as i32, self.y as i32, self.z as i32)
    }

    /// Each component `as u32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `Vec3::new(1.75, 2.0, 3.5).as_uvec3()` is `UVec3::new(1, 2, 3)`.
    pub fn as_uvec3(self) -> UVec3 {
        UVec3::new(self.x as u32, self.y as u32, self.z as u32)
    }
}

impl DVec3 {
    /// Each component `as f32`. Rounded to the nearest.
    ///
    /// Example: `DVec3::new(1.75, 2.0, 3.5).as_vec3()` is `Vec3::new(1.75, 2.0, 3.5)`.
    pub fn as_vec3(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    /// Each component `as i32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `DVec3::new(1.75, 2.0, 3.5).as_ivec3()` is `IVec3::new(1, 2, 3)`.
    pub fn as_ivec3(self) -> IVec3 {
        IVec3::new(self.x as i32, self.y as i32, self.z as i32)
    }

    /// Each component `as u32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `DVec3::new(1.75, 2.0, 3.5).as_uvec3()` is `UVec3::new(1, 2, 3)`.
    pub fn as_uvec3(self) -> UVec3 {
        UVec3::new(self.x as u32, self.y as u32, self.z as u32)
    }
}

impl IVec3 {
    /// Each component `as f32`.
    ///
    /// Example: `IVec3::new(1, 2, 3).as_vec3()` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn as_vec3(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    /// Each component `as f64`.
    ///
    /// Example: `IVec3::new(1, 2, 3).as_dvec3()` is `DVec3::new(1.0, 2.0, 3.0)`.
    pub fn as_dvec3(self) -> DVec3 {
        DVec3::new(self.x as f64, self.y as f64, self.z as f64)
    }

    /// Each component `as u32`. The bits stay.
    ///
    /// Example: `IVec3::new(1, 2, 3).as_uvec3()` is `UVec3::new(1, 2, 3)`.
    pub fn as_uvec3(self) -> UVec3 {
        UVec3::new(self.x as u32, self.y as u32, self.z as u32)
    }
}

impl UVec3 {
    /// Each component `as f32`.
    ///
    /// Example: `UVec3::new(1, 2, 3).as_vec3()` is `Vec3::new(1.0, 2.0, 3.0)`.
    pub fn as_vec3(self) -> Vec3 {
        Vec3::new(self.x as f32, self.y as f32, self.z as f32)
    }

    /// Each component `as f64`.
    ///
    /// Example: `UVec3::new(1, 2, 3).as_dvec3()` is `DVec3::new(1.0, 2.0, 3.0)`.
    pub fn as_dvec3(self) -> DVec3 {
        DVec3::new(self.x as f64, self.y as f64, self.z as f64)
    }

    /// Each component `as i32`. The bits stay.
    ///
    /// Example: `UVec3::new(1, 2, 3).as_ivec3()` is `IVec3::new(1, 2, 3)`.
    pub fn as_ivec3(self) -> IVec3 {
        IVec3::new(self.x as i32, self.y as i32, self.z as i32)
    }
}

impl Vec4 {
    /// Each component `as f64`.
    ///
    /// Example: `Vec4::new(1.75, 2.0, 3.5, 4.0).as_dvec4()` is `DVec4::new(1.75, 2.0, 3.5, 4.0)`.
    pub fn as_dvec4(self) -> DVec4 {
        DVec4::new(self.x as f64, self.y as f64, self.z as f64, self.w as f64)
    }

    /// Each component `as i32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `Vec4::new(1.75, 2.0, 3.5, 4.0).as_ivec4()` is `IVec4::new(1, 2, 3, 4)`.
    pub fn as_ivec4(self) -> IVec4 {
        IVec4::new(self.x as i32, self.y as i32, self.z as i32, self.w as i32)
    }

    /// Each component `as u32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `Vec4::new(1.75, 2.0, 3.5, 4.0).as_uvec4()` is `UVec4::new(1, 2, 3, 4)`.
    pub fn as_uvec4(self) -> UVec4 {
        UVec4::new(self.x as u32, self.y as u32, self.z as u32, self.w as u32)
    }
}

impl DVec4 {
    /// Each component `as f32`. Rounded to the nearest.
    ///
    /// Example: `DVec4::new(1.75, 2.0, 3.5, 4.0).as_vec4()` is `Vec4::new(1.75, 2.0, 3.5, 4.0)`.
    pub fn as_vec4(self) -> Vec4 {
        Vec4::new(self.x as f32, self.y as f32, self.z as f32, self.w as f32)
    }

    /// Each component `as i32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `DVec4::new(1.75, 2.0, 3.5, 4.0).as_ivec4()` is `IVec4::new(1, 2, 3, 4)`.
    pub fn as_ivec4(self) -> IVec4 {
        IVec4::new(self.x as i32, self.y as i32, self.z as i32, self.w as i32)
    }

    /// Each component `as u32`. Truncated toward zero and saturated; NaN becomes 0.
    ///
    /// Example: `DVec4::new(1.75, 2.0, 3.5, 4.0).as_uvec4()` is `UVec4::new(1, 2, 3, 4)`.
    pub fn as_uvec4(self) -> UVec4 {
        UVec4::new(self.x as u32, self.y as u32, self.z as u32, self.w as u32)
    }
}

impl IVec4 {
    /// Each component `as f32`.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).as_vec4()` is `Vec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn as_vec4(self) -> Vec4 {
        Vec4::new(self.x as f32, self.y as f32, self.z as f32, self.w as f32)
    }

    /// Each component `as f64`.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).as_dvec4()` is `DVec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn as_dvec4(self) -> DVec4 {
        DVec4::new(self.x as f64, self.y as f64, self.z as f64, self.w as f64)
    }

    /// Each component `as u32`. The bits stay.
    ///
    /// Example: `IVec4::new(1, 2, 3, 4).as_uvec4()` is `UVec4::new(1, 2, 3, 4)`.
    pub fn as_uvec4(self) -> UVec4 {
        UVec4::new(self.x as u32, self.y as u32, self.z as u32, self.w as u32)
    }
}

impl UVec4 {
    /// Each component `as f32`.
    ///
    /// Example: `UVec4::new(1, 2, 3, 4).as_vec4()` is `Vec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn as_vec4(self) -> Vec4 {
        Vec4::new(self.x as f32, self.y as f32, self.z as f32, self.w as f32)
    }

    /// Each component `as f64`.
    ///
    /// Example: `UVec4::new(1, 2, 3, 4).as_dvec4()` is `DVec4::new(1.0, 2.0, 3.0, 4.0)`.
    pub fn as_dvec4(self) -> DVec4 {
        DVec4::new(self.x as f64, self.y as f64, self.z as f64, self.w as f64)
    }

    /// Each component `as i32`. The bits stay.
    ///
    /// Example: `UVec4::new(1, 2, 3, 4).as_ivec4()` is `IVec4::new(1, 2, 3, 4)`.
    pub fn as_ivec4(self) -> IVec4 {
        IVec4::new(self.x as i32, self.y as i32, self.z as i32, self.w as i32)
    }
}

impl Mat2 {
    /// Each element in the other precision.
    ///
    /// Example: `Mat2::from_diagonal(Vec2::new(0.5, 0.5)).as_dmat2()` is `DMat2::from_diagonal(DVec2::new(0.5, 0.5))`.
    pub fn as_dmat2(self) -> DMat2 {
        DMat2::from_cols(self.x_axis.as_dvec2(), self.y_axis.as_dvec2())
    }
}

impl Mat3 {
    /// Each element in the other precision.
    ///
    /// Example: `Mat3::from_diagonal(Vec3::new(0.5, 0.5, 0.5)).as_dmat3()` is
    /// `DMat3::from_diagonal(DVec3::new(0.5, 0.5, 0.5))`.
    pub fn as_dmat3(self) -> DMat3 {
        DMat3::from_cols(self.x_axis.as_dvec3(), self.y_axis.as_dvec3(), self.z_axis.as_dvec3())
    }
}

impl Mat4 {
    /// Each element in the other precision.
    ///
    /// Example: `Mat4::from_diagonal(Vec4::new(0.5, 0.5, 0.5, 0.5)).as_dmat4()` is
    /// `DMat4::from_diagonal(DVec4::new(0.5, 0.5, 0.5, 0.5))`.
    pub fn as_dmat4(self) -> DMat4 {
        DMat4::from_cols(self.x_axis.as_dvec4(), self.y_axis.as_dvec4(), self.z_axis.as_dvec4(), self.w_axis.as_dvec4())
    }
}

impl Quat {
    /// Each component in the other precision.
    ///
    /// Example: `Quat::from_xyzw(0.0, 0.5, 0.0, 1.0).as_dquat()` is `DQuat::from_xyzw(0.0, 0.5, 0.0, 1.0)`.
    pub fn as_dquat(self) -> DQuat {
        DQuat::from_xyzw(self.x as f64, self.y as f64, self.z as f64, self.w as f64)
    }
}

impl DMat2 {
    /// Each element in the other precision.
    ///
    /// Example: `DMat2::from_diagonal(DVec2::new(0.5, 0.5)).as_mat2()` is `Mat2::from_diagonal(Vec2::new(0.5, 0.5))`.
    pub fn as_mat2(self) -> Mat2 {
        Mat2::from_cols(self.x_axis.as_vec2(), self.y_axis.as_vec2())
    }
}

impl DMat3 {
    /// Each element in the other precision.
    ///
    /// Example: `DMat3::from_diagonal(DVec3::new(0.5, 0.5, 0.5)).as_mat3()` is
    /// `Mat3::from_diagonal(Vec3::new(0.5, 0.5, 0.5))`.
    pub fn as_mat3(self) -> Mat3 {
        Mat3::from_cols(self.x_axis.as_vec3(), self.y_axis.as_vec3(), self.z_axis.as_vec3())
    }
}

impl DMat4 {
    /// Each element in the other precision.
    ///
    /// Example: `DMat4::from_diagonal(DVec4::new(0.5, 0.5, 0.5, 0.5)).as_mat4()` is
    /// `Mat4::from_diagonal(Vec4::new(0.5, 0.5, 0.5, 0.5))`.
    pub fn as_mat4(self) -> Mat4 {
        Mat4::from_cols(self.x_axis.as_vec4(), self.y_axis.as_vec4(), self.z_axis.as_vec4(), self.w_axis.as_vec4())
    }
}

impl DQuat {
    /// Each component in the other precision.
    ///
    /// Example: `DQuat::from_xyzw(0.0, 0.5, 0.0, 1.0).as_quat()` is `Quat::from_xyzw(0.0, 0.5, 0.0, 1.0)`.
    pub fn as_quat(self) -> Quat {
        Quat::from_xyzw(self.x as f32, self.y as f32, self.z as f32, self.w as f32)
    }
}
