use super::*;
use crate::builtins::Builtin;

fn vec3(name: &str, access: Access) -> ArrayParam {
    ArrayParam {
        name: name.into(),
        leaves: vec![Scalar::F32; 3],
        rank: 1,
        strided: false,
        access,
        storage: Storage::Elements,
    }
}

/// ```text
/// let p = pos[i]; let r = p.length();
/// if r < 1e-6 { return; }
/// let a = -p / r * (G / (r * r)); vel[i] += a * dt; pos[i] = p + vel[i] * dt;
/// ```
fn particles() -> Kernel {
    let mut b = Builder::new("particles");
    let (pos, vel) = (b.array(vec3("pos", Access::Write)), b.array(vec3("vel", Access::Write)));
    let dt = b.param("dt", Scalar::F32);
    let here = place(&mut b);
    let i = b.tid(0);
    b.check_index(Mem::Array(pos), 0, i, here);
    let p: Vec<Value> = (0..3).map(|k| b.load(Mem::Array(pos), i, k)).collect();
    let squares: Vec<Value> = p.iter().map(|&x| b.mul(x, x)).collect();
    let xy = b.add(squares[0], squares[1]);
    let xyz = b.add(xy, squares[2]);
    let r = b.sqrt(xyz);
    let eps = b.f32(1e-6);
    let near = b.lt(r, eps);
    let (no, yes) = (b.bool(false), b.bool(true));
    let returned = b.if_(near, |_| vec![yes], |_| vec![no])[0];
    let live = b.not(returned);
    b.if_then(live, |b| {
        let g = b.f32(0.5);
        let rr = b.mul(r, r);
        let scale = b.div(g, rr);
        for k in 0..3u16 {
            let minus = b.neg(p[k as usize]);
            let unit = b.div(minus, r);
            let a = b.mul(unit, scale);
            let step = b.mul(a, dt);
            b.check_index(Mem::Array(vel), 0, i, here);
            let v = b.load(Mem::Array(vel), i, k);
            let v = b.add(v, step);
            b.store(Mem::Array(vel), i, k, v);
        }
        for k in 0..3u16 {
            b.check_index(Mem::Array(vel), 0, i, here);
            let v = b.load(Mem::Array(vel), i, k);
            let way = b.mul(v, dt);
            let x = b.add(p[k as usize], way);
            b.check_index(Mem::Array(pos), 0, i, here);
            b.store(Mem::Array(pos), i, k, x);
        }
    });
    b.finish_kernel(1)
}

#[test]
fn a_particle_that_returns_early_has_one_branch_and_no_flags() {
    let mut kernel = particles();
    simplify(&mut kernel);
    elide(&mut kernel);
    println!("{}", print_kernel(&kernel));
    let body = &kernel.function.body;
    assert_eq!(count(body, &|op| matches!(op, Op::If { .. })), 1);
    assert_eq!(count(body, &|op| matches!(op, Op::Pure { builtin: Builtin::Not | Builtin::Select, .. })), 0);
    assert_eq!(count(body, &|op| matches!(op, Op::Load { .. })), 6, "each component is loaded once");
    assert_eq!(checks(&kernel), 2, "one a dimension and array");
    let (covered, covers) = cover(&kernel).expect("covering saves both checks");
    assert_eq!(checks(&covered), 0);
    let cover = |array| Cover { array: ArrayId(array), dim: 0, tid_dim: 0 };
    assert_eq!(covers, [cover(0), cover(1)]);
}

/// `while k < steps { x2, y2; if x2 + y2 > 4 { break; } zy = ..; zx = ..; k += 1; } count[p] = k`
fn mandelbrot() -> Kernel {
    let mut b = Builder::new("mandelbrot");
    let counts = b.slice("counts", Scalar::I32, Access::Write);
    let (steps, n) = (b.param("steps", Scalar::I32), b.param("n", Scalar::F32));
    let here = place(&mut b);
    let t = b.tid(0);
    let x = b.cast(Scalar::F32, t);
    let cx = b.div(x, n);
    let cy = b.div(n, x);
    let (zero, k0, no, yes) = (b.f32(0.0), b.i32(0), b.bool(false), b.bool(true));
    let out = b.loop_(
        &[zero, zero, k0, no],
        |b, c| {
            let more = b.lt(c[2], steps);
            let live = b.not(c[3]);
            b.and(more, live)
        },
        |b, c| {
            let (x2, y2) = (b.mul(c[0], c[0]), b.mul(c[1], c[1]));
            let sum = b.add(x2, y2);
            let four = b.f32(4.0);
            let far = b.gt(sum, four);
            let broken = b.if_(far, |_| vec![yes], |_| vec![c[3]])[0];
            let live = b.not(broken);
            let next = b.if_(
                live,
                |b| {
                    let twice = b.add(c[0], c[0]);
                    let product = b.mul(twice, c[1]);
                    let zy = b.add(product, cy);
                    let difference = b.sub(x2, y2);
                    let zx = b.add(difference, cx);
                    let one = b.i32(1);
                    let k = b.add(c[2], one);
                    vec![zx, zy, k]
                },
                |_| vec![c[0], c[1], c[2]],
            );
            vec![next[0], next[1], next[2], broken]
        },
    );
    b.check_index(Mem::Array(counts), 0, t, here);
    b.store(Mem::Array(counts), t, 0, out[2]);
    b.finish_kernel(1)
}

#[test]
fn a_loop_with_a_break_has_one_branch() {
    let mut kernel = mandelbrot();
    simplify(&mut kernel);
    elide(&mut kernel);
    println!("{}", print_kernel(&kernel));
    let body = &kernel.function.body;
    assert_eq!(count(body, &|op| matches!(op, Op::If { .. })), 1);
    assert_eq!(count(body, &|op| matches!(op, Op::Pure { builtin: Builtin::Select, .. })), 0);
}

/// `if i > 0 && i + 1 < u.rows() && j > 0 && j + 1 < u.columns() { .. } else { out[(i, j)] = u[(i, j)] }`
fn heat(border: impl Fn(&mut Builder, [Value; 2], [Value; 2]) -> Value) -> Kernel {
    let mut b = Builder::new("heat");
    let view = |name: &str, access| ArrayParam {
        name: name.into(),
        leaves: vec![Scalar::F32],
        rank: 2,
        strided: true,
        access,
        storage: Storage::Elements,
    };
    let (u, out) = (b.array(view("u", Access::Read)), b.array(view("out", Access::Write)));
    let here = place(&mut b);
    let at = |b: &mut Builder, array: ArrayId, index: [Value; 2]| {
        let mut flat = vec![];
        for dim in 0..2 {
            b.check_index(Mem::Array(array), dim, index[dim as usize], here);
            let stride = b.stride(array, dim);
            flat.push(b.mul(index[dim as usize], stride));
        }
        b.add(flat[0], flat[1])
    };
    let index = [b.tid(0), b.tid(1)];
    let extents = [b.extent(u, 0), b.extent(u, 1)];
    let inside = border(&mut b, index, extents);
    let load = |b: &mut Builder, index| {
        let flat = at(b, u, index);
        b.load(Mem::Array(u), flat, 0)
    };
    let value = b.if_(
        inside,
        |b| {
            let one = b.u64(1);
            let [i, j] = index;
            let (up, down) = (b.sub(i, one), b.add(i, one));
            let (left, right) = (b.sub(j, one), b.add(j, one));
            let mut sum = load(b, [up, j]);
            for neighbour in [[down, j], [i, left], [i, right]] {
                let x = load(b, neighbour);
                sum = b.add(sum, x);
            }
            vec![sum]
        },
        |b| vec![load(b, index)],
    )[0];
    let flat = at(&mut b, out, index);
    b.store(Mem::Array(out), flat, 0, value);
    b.finish_kernel(2)
}

fn interior(b: &mut Builder, index: [Value; 2], extents: [Value; 2]) -> Value {
    let (zero, one) = (b.u64(0), b.u64(1));
    let mut all = None;
    for dim in 0..2 {
        let low = b.gt(index[dim], zero);
        let next = b.add(index[dim], one);
        let high = b.lt(next, extents[dim]);
        let both = b.and(low, high);
        all = Some(all.map_or(both, |a| b.and(a, both)));
    }
    all.unwrap()
}

fn not_border(b: &mut Builder, index: [Value; 2], extents: [Value; 2]) -> Value {
    let (zero, one) = (b.u64(0), b.u64(1));
    let mut any = None;
    for dim in 0..2 {
        let low = b.eq(index[dim], zero);
        let last = b.sub(extents[dim], one);
        let high = b.eq(index[dim], last);
        let either = b.or(low, high);
        any = Some(any.map_or(either, |a| b.or(a, either)));
    }
    let any = any.unwrap();
    b.not(any)
}

#[test]
fn a_stencil_checks_nothing_inside_its_border() {
    let mut kernel = heat(interior);
    simplify(&mut kernel);
    elide(&mut kernel);
    println!("{}", print_kernel(&kernel));
    assert_eq!(checks(&kernel), 4, "u at the border and out, two dimensions each");
    let (covered, covers) = cover(&kernel).expect("covering saves them");
    assert_eq!(checks(&covered), 0);
    assert_eq!(covers.len(), 4);
}

#[test]
fn a_border_by_inequalities_serves_when_the_launch_is_covered() {
    let mut kernel = heat(not_border);
    simplify(&mut kernel);
    elide(&mut kernel);
    let (covered, _) = cover(&kernel).expect("covering saves checks");
    println!("{}", print_kernel(&covered));
    assert_eq!(checks(&covered), 0);
}
