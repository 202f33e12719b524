//! glam's orders of Euler angles as values: parameters, elements of arrays, fields of structs.

use warp::math::EulerRot;
use warp::prelude::*;

use crate::references::{close, rows};

const ORDERS: [EulerRot; 24] = [
    EulerRot::ZYX,
    EulerRot::ZXY,
    EulerRot::YXZ,
    EulerRot::YZX,
    EulerRot::XYZ,
    EulerRot::XZY,
    EulerRot::ZYZ,
    EulerRot::ZXZ,
    EulerRot::YXY,
    EulerRot::YZY,
    EulerRot::XYX,
    EulerRot::XZX,
    EulerRot::ZYXEx,
    EulerRot::ZXYEx,
    EulerRot::YXZEx,
    EulerRot::YZXEx,
    EulerRot::XYZEx,
    EulerRot::XZYEx,
    EulerRot::ZYZEx,
    EulerRot::ZXZEx,
    EulerRot::YXYEx,
    EulerRot::YZYEx,
    EulerRot::XYXEx,
    EulerRot::XZXEx,
];

#[kernel]
fn by_order(order: EulerRot, a: &[DVec3], q: &mut [DQuat]) {
    let t = tid();
    q[t] = DQuat::from_euler(order, a[t].x, a[t].y, a[t].z);
}

/// A joint with its own order.
#[derive(Struct, Clone, Copy)]
#[repr(C)]
struct Joint {
    angles: DVec3,
    order: EulerRot,
}

#[kernel]
fn of_joints(joints: &[Joint], orders: &[EulerRot], q: &mut [DQuat], zyx: &mut [u32], last: &mut [EulerRot]) {
    let t = tid();
    let joint = joints[t];
    let order = orders[t];
    let (x, y, z) = (joint.angles.x, joint.angles.y, joint.angles.z);
    q[t] =
        if order == joint.order { DQuat::from_euler(joint.order, x, y, z) } else { DQuat::from_euler(order, z, y, x) };
    zyx[t] = match order {
        EulerRot::ZYX => 1,
        EulerRot::ZYXEx => 2,
        _ => 0,
    };
    last[t] = if t == 0 { EulerRot::XZXEx } else { orders[t - 1] };
}

#[test]
fn an_order_is_a_parameter() {
    let device = Device::cpu();
    for (order, k) in ORDERS.into_iter().zip(0..) {
        let table = rows(&format!("euler{k}"));
        let a: Vec<DVec3> = table.iter().map(|(a, _)| DVec3::from_slice(a)).collect();
        let mut q = Array::from_slice(&device, &vec![DQuat::IDENTITY; a.len()]).unwrap();
        by_order::launch(a.len(), order, &Array::from_slice(&device, &a).unwrap(), &mut q).unwrap();
        for (q, (_, expected)) in q.to_vec().unwrap().iter().zip(&table) {
            let q = if q.dot(DQuat::from_slice(expected)) < 0.0 { -*q } else { *q };
            close(&q.to_array(), &expected[..4], 1e-15, &[]);
        }
    }
}

#[test]
fn orders_are_elements_and_fields() {
    let device = Device::cpu();
    let angles = DVec3::new(0.3, -0.7, 1.1);
    let joints: Vec<Joint> =
        (0..24).map(|k| Joint { angles, order: if k % 2 == 0 { ORDERS[k] } else { EulerRot::XYZ } }).collect();
    let mut q = Array::from_slice(&device, &[DQuat::IDENTITY; 24]).unwrap();
    let mut zyx = Array::<u32>::zeros(&device, 24).unwrap();
    let mut last = Array::<EulerRot>::zeros(&device, 24).unwrap();
    assert_eq!(last.to_vec().unwrap(), [EulerRot::ZYX; 24]);
    let (joints, orders) = (Array::from_slice(&device, &joints).unwrap(), Array::from_slice(&device, &ORDERS).unwrap());
    of_joints::launch(24, &joints, &orders, &mut q, &mut zyx, &mut last).unwrap();
    for (k, (q, order)) in q.to_vec().unwrap().iter().zip(ORDERS).enumerate() {
        let (a, c) = if k % 2 == 0 { (angles.x, angles.z) } else { (angles.z, angles.x) };
        close(&q.to_array(), &DQuat::from_euler(order, a, angles.y, c).to_array(), 1e-15, &[k as f64]);
    }
    let zyx = zyx.to_vec().unwrap();
    assert_eq!((zyx[0], zyx[12], zyx.iter().sum::<u32>()), (1, 2, 3));
    let last = last.to_vec().unwrap();
    assert!(last[0] == EulerRot::XZXEx && last[1..] == ORDERS[..23]);
}
