//! Arguments of random kernels, for each way to run them.

use warp::prelude::*;

use crate::bounded::{F32, F64, Vec3B};
use crate::random::Random;
use crate::shared::{Body, BodyB, Inner, InnerB, Rig, RigB};

/// Host arguments.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Data {
    pub fa: Vec<f32>,
    pub ga: Vec<f64>,
    pub ia: Vec<i32>,
    pub ua: Vec<u64>,
    pub va: Vec<Vec3>,
    pub sa: Vec<Body>,
    pub ra: Vec<Rig>,
    pub fb: Vec<f32>,
    pub ib: Vec<i32>,
    pub sb: Vec<Body>,
    pub hb: Vec<bool>,
    pub nf: f32,
    pub ni: i32,
    pub nu: u32,
}

impl Data {
    /// Arguments for `threads` threads; `special` mixes in NaN, infinities, signed zeros and extreme integers.
    pub fn new(seed: u64, threads: usize, special: bool) -> Data {
        let mut r = Random::new(seed);
        let f = |r: &mut Random| {
            if special && r.chance(15) {
                return r.pick(&[
                    f32::NAN,
                    f32::INFINITY,
                    f32::NEG_INFINITY,
                    -0.0,
                    0.0,
                    f32::MAX,
                    f32::MIN_POSITIVE,
                    1e-42,
                ]);
            }
            ((r.below(8001) as f32) - 4000.0) / 1000.0
        };
        let i = |r: &mut Random| {
            if special && r.chance(15) {
                return r.pick(&[i32::MIN, i32::MAX, 0, -1]);
            }
            r.below(41) as i32 - 20
        };
        let body = |r: &mut Random| Body {
            p: Vec3::new(f(r), f(r), f(r)),
            m: f(r),
            k: i(r),
            q: Inner { c: f(r), n: r.bits() as u16 },
        };
        let rig = |r: &mut Random| Rig {
            t: std::array::from_fn(|_| f(r)),
            w: std::array::from_fn(|_| i(r)),
            c: Vec3::new(f(r), f(r), f(r)),
        };
        let n = threads;
        Data {
            fa: (0..n).map(|_| f(&mut r)).collect(),
            ga: (0..n).map(|_| f(&mut r) as f64).collect(),
            ia: (0..n).map(|_| i(&mut r)).collect(),
            ua: (0..n).map(|_| if special { r.bits() } else { r.bits() >> 40 }).collect(),
            va: (0..n).map(|_| Vec3::new(f(&mut r), f(&mut r), f(&mut r))).collect(),
            sa: (0..n).map(|_| body(&mut r)).collect(),
            ra: (0..n).map(|_| rig(&mut r)).collect(),
            fb: (0..9).map(|_| f(&mut r)).collect(),
            ib: (0..7).map(|_| i(&mut r)).collect(),
            sb: (0..5).map(|_| body(&mut r)).collect(),
            hb: (0..11).map(|_| r.chance(50)).collect(),
            nf: f(&mut r),
            ni: i(&mut r),
            nu: r.below(40) as u32,
        }
    }

    /// Each written value's name and bits, with every NaN as one and -0 as 0 in the sign of nothing.
    pub fn bits(&self) -> Vec<(String, u64)> {
        let mut out = vec![];
        let f = |v: f32| if v.is_nan() { u64::MAX } else { v.to_bits() as u64 };
        let d = |v: f64| if v.is_nan() { u64::MAX } else { v.to_bits() };
        for i in 0..self.fa.len() {
            out.push((format!("fa[{i}]"), f(self.fa[i])));
            out.push((format!("ga[{i}]"), d(self.ga[i])));
            out.push((format!("ia[{i}]"), self.ia[i] as u32 as u64));
            out.push((format!("ua[{i}]"), self.ua[i]));
            for (c, v) in self.va[i].to_array().into_iter().enumerate() {
                out.push((format!("va[{i}].{c}"), f(v)));
            }
            let b = &self.sa[i];
            for (c, v) in b.p.to_array().into_iter().enumerate() {
                out.push((format!("sa[{i}].p.{c}"), f(v)));
            }
            out.push((format!("sa[{i}].m"), f(b.m)));
            out.push((format!("sa[{i}].k"), b.k as u32 as u64));
            out.push((format!("sa[{i}].q.c"), f(b.q.c)));
            out.push((format!("sa[{i}].q.n"), b.q.n as u64));
            let rig = &self.ra[i];
            for (c, v) in rig.t.into_iter().chain(rig.c.to_array()).enumerate() {
                out.push((format!("ra[{i}], float {c}"), f(v)));
            }
            for (c, v) in rig.w.into_iter().enumerate() {
                out.push((format!("ra[{i}].w[{c}]"), v as u32 as u64));
            }
        }
        out
    }
}

/// The same arguments in bounded numbers.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct DataB {
    pub fa: Vec<F32>,
    pub ga: Vec<F64>,
    pub ia: Vec<i32>,
    pub ua: Vec<u64>,
    pub va: Vec<Vec3B>,
    pub sa: Vec<BodyB>,
    pub ra: Vec<RigB>,
    pub fb: Vec<F32>,
    pub ib: Vec<i32>,
    pub sb: Vec<BodyB>,
    pub hb: Vec<bool>,
    pub nf: F32,
    pub ni: i32,
    pub nu: u32,
}

fn f(v: f32) -> F32 {
    F32::exact(v as f64)
}

fn vector(v: Vec3) -> Vec3B {
    Vec3B::new(f(v.x), f(v.y), f(v.z))
}

fn body(b: &Body) -> BodyB {
    BodyB { p: vector(b.p), m: f(b.m), k: b.k, q: InnerB { c: f(b.q.c), n: b.q.n } }
}

impl From<&Data> for DataB {
    fn from(d: &Data) -> DataB {
        DataB {
            fa: d.fa.iter().map(|v| f(*v)).collect(),
            ga: d.ga.iter().map(|v| F64::exact(*v)).collect(),
            ia: d.ia.clone(),
            ua: d.ua.clone(),
            va: d.va.iter().map(|v| vector(*v)).collect(),
            sa: d.sa.iter().map(body).collect(),
            ra: d.ra.iter().map(|r| RigB { t: r.t.map(f), w: r.w, c: vector(r.c) }).collect(),
            fb: d.fb.iter().map(|v| f(*v)).collect(),
            ib: d.ib.clone(),
            sb: d.sb.iter().map(body).collect(),
            hb: d.hb.clone(),
            nf: f(d.nf),
            ni: d.ni,
            nu: d.nu,
        }
    }
}

impl DataB {
    /// The first value of thread `i` that lies outside its bound, in words.
    pub fn outside(&self, i: usize, d: &Data) -> Option<String> {
        let mut wrong = None;
        let mut float = |name: &str, found: f64, value: f64, error: f64| {
            let within = (found - value).abs() <= error;
            if !within && wrong.is_none() {
                wrong = Some(format!("{name}[{i}] is {found:e}, expected {value:e} within {error:e}"));
            }
        };
        float("fa", d.fa[i] as f64, self.fa[i].value, self.fa[i].error);
        float("ga", d.ga[i], self.ga[i].value, self.ga[i].error);
        let vectors = |a: Vec3, b: Vec3B| [(a.x, b.x), (a.y, b.y), (a.z, b.z)];
        for (a, b) in vectors(d.va[i], self.va[i]).into_iter().chain(vectors(d.sa[i].p, self.sa[i].p)) {
            float("va or sa.p", a as f64, b.value, b.error);
        }
        for (a, b) in d.ra[i].t.into_iter().zip(self.ra[i].t).chain(vectors(d.ra[i].c, self.ra[i].c)) {
            float("ra.t or ra.c", a as f64, b.value, b.error);
        }
        float("sa.m", d.sa[i].m as f64, self.sa[i].m.value, self.sa[i].m.error);
        float("sa.q.c", d.sa[i].q.c as f64, self.sa[i].q.c.value, self.sa[i].q.c.error);
        if wrong.is_some() {
            return wrong;
        }
        let integers = [
            ("ia", d.ia[i] as i64, self.ia[i] as i64),
            ("ua", d.ua[i] as i64, self.ua[i] as i64),
            ("sa.k", d.sa[i].k as i64, self.sa[i].k as i64),
            ("sa.q.n", d.sa[i].q.n as i64, self.sa[i].q.n as i64),
        ];
        let inside = d.ra[i].w.into_iter().zip(self.ra[i].w).map(|(a, b)| ("ra.w", a as i64, b as i64));
        integers
            .into_iter()
            .chain(inside)
            .find(|(_, a, b)| a != b)
            .map(|(n, a, b)| format!("{n}[{i}] is {a}, expected {b}"))
    }
}
