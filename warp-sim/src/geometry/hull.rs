//! Convex hulls of points.

use std::collections::HashMap;

use warp::math::DVec3;

use super::mesh::{Mesh, MeshError};

impl Mesh {
    /// The convex hull of points, with at most so many of them as corners: those that are farthest out come first, so that a limit
    /// makes a hull that lies within the whole one. Points may be many, equal, inside, or in one plane with others.
    ///
    /// By the quickhull algorithm (Barber, Dobkin and Huhdanpaa, *ACM Transactions on Mathematical Software* 22, 1996).
    ///
    /// # Errors
    /// Where a point is not finite, the limit is below four, or the points lie in one plane.
    pub fn hull(points: &[DVec3], most: usize) -> Result<Mesh, MeshError> {
        if let Some(point) = points.iter().position(|point| !point.is_finite()) {
            return Err(MeshError::NotFinite { point });
        }
        if most < 4 {
            return Err(MeshError::Flat);
        }
        let mut hull = Hull::simplex(points)?;
        while hull.corners < most
            && let Some((face, point)) = hull.farthest()
        {
            hull.add(face, point);
        }
        hull.mesh()
    }
}

/// A face, with the points that it has outside.
#[derive(Clone, Debug)]
struct Side {
    corners: [usize; 3],
    normal: DVec3,
    offset: f64,
    outside: Vec<usize>,
}

struct Hull<'a> {
    points: &'a [DVec3],
    /// Those that were taken away are none.
    sides: Vec<Option<Side>>,
    /// The face to the left of each edge.
    edges: HashMap<(usize, usize), usize>,
    corners: usize,
    /// What counts as on a face, m.
    tolerance: f64,
}

impl<'a> Hull<'a> {
    /// Four points that span a volume, with all others outside of their faces.
    fn simplex(points: &'a [DVec3]) -> Result<Hull<'a>, MeshError> {
        let first = *points.first().ok_or(MeshError::Empty)?;
        let size = points.iter().fold(0.0, |most: f64, point| most.max((*point - first).abs().max_element()));
        let tolerance = 1e-10 * size;
        let farthest = |distance: &dyn Fn(DVec3) -> f64| {
            let best = (0..points.len()).max_by(|a, b| distance(points[*a]).total_cmp(&distance(points[*b])));
            best.filter(|best| distance(points[*best]) > tolerance).ok_or(MeshError::Flat)
        };
        let a = farthest(&|point| point.distance(first))?;
        let b = farthest(&|point| point.distance(points[a]))?;
        let along = (points[b] - points[a]).normalize();
        let c = farthest(&|point| (point - points[a]).cross(along).length())?;
        let normal = along.cross(points[c] - points[a]).normalize();
        let d = farthest(&|point| normal.dot(point - points[a]).abs())?;
        let (b, c) = if normal.dot(points[d] - points[a]) > 0.0 { (c, b) } else { (b, c) };
        let mut hull = Hull { points, sides: vec![], edges: HashMap::new(), corners: 4, tolerance };
        let faces = [[a, b, c], [a, d, b], [b, d, c], [c, d, a]];
        let new: Vec<usize> = faces.into_iter().map(|corners| hull.side(corners)).collect();
        hull.spread((0..points.len()).collect(), &new);
        Ok(hull)
    }

    fn side(&mut self, corners: [usize; 3]) -> usize {
        let [a, b, c] = corners.map(|corner| self.points[corner]);
        let normal = (b - a).cross(c - a).normalize_or_zero();
        let number = self.sides.len();
        self.sides.push(Some(Side { corners, normal, offset: normal.dot(a), outside: vec![] }));
        for k in 0..3 {
            self.edges.insert((corners[k], corners[(k + 1) % 3]), number);
        }
        number
    }

    fn above(&self, side: usize, point: usize) -> f64 {
        self.sides[side].as_ref().map_or(0.0, |side| side.normal.dot(self.points[point]) - side.offset)
    }

    /// Gives points to faces that they are outside of; the others are inside.
    fn spread(&mut self, points: Vec<usize>, sides: &[usize]) {
        for point in points {
            let seen = sides.iter().copied().find(|side| self.above(*side, point) > self.tolerance);
            if let Some(side) = seen.and_then(|side| self.sides[side].as_mut()) {
                side.outside.push(point);
            }
        }
    }

    /// The face with the point that is farthest outside, and that point.
    fn farthest(&self) -> Option<(usize, usize)> {
        let all = self.sides.iter().enumerate().filter_map(|(number, side)| Some((number, side.as_ref()?)));
        let each = all.flat_map(|(number, side)| side.outside.iter().map(move |point| (number, *point)));
        each.max_by(|a, b| self.above(a.0, a.1).total_cmp(&self.above(b.0, b.1)))
    }

    /// Takes all faces away that a point sees, and ties it to the edges around them.
    fn add(&mut self, from: usize, point: usize) {
        let (mut seen, mut waiting) = (vec![from], vec![from]);
        let mut horizon = vec![];
        while let Some(side) = waiting.pop() {
            let Some(corners) = self.sides[side].as_ref().map(|side| side.corners) else { continue };
            for k in 0..3 {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                let Some(&other) = self.edges.get(&(b, a)) else { continue };
                if seen.contains(&other) {
                    continue;
                }
                if self.above(other, point) > self.tolerance {
                    seen.push(other);
                    waiting.push(other);
                } else {
                    horizon.push((a, b));
                }
            }
        }
        let mut loose = vec![];
        for side in seen {
            if let Some(side) = self.sides[side].take() {
                for k in 0..3 {
                    self.edges.remove(&(side.corners[k], side.corners[(k + 1) % 3]));
                }
                loose.extend(side.outside.into_iter().filter(|other| *other != point));
            }
        }
        let new: Vec<usize> = horizon.into_iter().map(|(a, b)| self.side([a, b, point])).collect();
        self.spread(loose, &new);
        let mut corners: Vec<usize> = self.sides.iter().flatten().flat_map(|side| side.corners).collect();
        corners.sort_unstable();
        corners.dedup();
        self.corners = corners.len();
    }

    fn mesh(&self) -> Result<Mesh, MeshError> {
        let mut numbers = HashMap::new();
        let mut points = vec![];
        let mut number = |corner: usize| {
            *numbers.entry(corner).or_insert_with(|| {
                points.push(self.points[corner]);
                points.len() as u32 - 1
            })
        };
        let triangles = self.sides.iter().flatten().map(|side| side.corners.map(&mut number)).collect();
        Mesh::new(points, triangles)
    }
}
