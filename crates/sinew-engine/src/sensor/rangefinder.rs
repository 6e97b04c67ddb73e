//! Rangefinders: a ray along a site's z axis, or one for each pixel of a camera.

use core::mem::take;

use sinew_geom::ray::Ray;
use sinew_math::Vec3;
use sinew_model::enums::{ObjType, RayDataField};
use sinew_model::{CamId, Data, Model, SensorId, SiteId};

use crate::ray::{RayFilter, RayHit, cast_ray, multi_ray};
use crate::smooth::camera::cam_intrinsics;
use crate::work::scratch;

/// Farther than anything: camera rays have no cutoff of their own.
const FAR: f64 = 1e10;

pub(super) fn rangefinder(m: &Model, d: &mut Data, s: SensorId, out: &mut [f64]) {
    let fields = m.sensor_intprm[s][0];
    let id = m.sensor_objid[s] as usize;
    if m.sensor_objtype[s] == ObjType::Site {
        let site = SiteId::new(id);
        let filter = RayFilter { exclude: Some(m.site_bodyid[site]), ..RayFilter::default() };
        let beam = Ray { origin: d.site_xpos[site], dir: d.site_xmat[site].col(2) };
        Reading { ray: beam, hit: cast_ray(m, d, beam, &filter) }.write(fields, None, out);
    } else {
        depth_image(m, d, CamId::new(id), fields, out);
    }
}

/// One reading per pixel, by rows from the top.
fn depth_image(m: &Model, d: &mut Data, cam: CamId, fields: i32, out: &mut [f64]) {
    let [width, height] = m.cam_resolution[cam];
    let (pos, mat) = (d.cam_xpos[cam], d.cam_xmat[cam]);
    let view = Some(View { pos, back: mat.col(2) });
    let filter = RayFilter { exclude: Some(m.cam_bodyid[cam]), ..RayFilter::default() };
    let lens = cam_intrinsics(m, cam);
    let pixels = (0..height).flat_map(|row| (0..width).map(move |col| (col, row)));
    let rays = pixels.map(|(col, row)| lens.pixel_ray(pos, mat, col, row));
    let width = reading_size(fields).max(1);

    if lens.extent.is_some() {
        for (beam, out) in rays.zip(out.chunks_exact_mut(width)) {
            Reading { ray: beam, hit: cast_ray(m, d, beam, &filter) }.write(fields, view, out);
        }
        return;
    }

    // perspective: all rays from one point
    let mut dirs = take(&mut scratch(d).sensor.dirs);
    dirs.clear();
    dirs.extend(rays.map(|beam| beam.dir));
    multi_ray(m, d, pos, &dirs, &filter, FAR, |i, hit| {
        if let Some(out) = out.get_mut(i * width..(i + 1) * width) {
            Reading { ray: Ray { origin: pos, dir: dirs[i] }, hit }.write(fields, view, out);
        }
    });
    scratch(d).sensor.dirs = dirs;
}

/// Numbers of one reading with the given fields.
#[doc(alias = "mju_raydataSize")]
fn reading_size(fields: i32) -> usize {
    let sizes = [1, 3, 3, 3, 3, 1];
    (0..).zip(sizes).filter(|&(bit, _)| fields & (1 << bit) != 0).map(|(_, size)| size).sum()
}

/// The camera of a reading: depth is measured along its axis.
#[derive(Clone, Copy)]
struct View {
    pos: Vec3,
    /// Direction away from the seen object.
    back: Vec3,
}

/// Result of a ray.
struct Reading {
    ray: Ray,
    hit: Option<RayHit>,
}

impl Reading {
    /// Writes the fields of the sensor. Nothing hit: distances of -1, zero vectors.
    fn write(&self, fields: i32, view: Option<View>, out: &mut [f64]) {
        let point = self.hit.map_or(Vec3::ZERO, |hit| self.ray.at(hit.dist));
        let depth = self.hit.map_or(-1.0, |hit| match view {
            Some(view) => -(point - view.pos).dot(view.back),
            None => hit.dist,
        });
        let mut at = 0;
        let mut put = |field: RayDataField, numbers: &[f64]| {
            if fields & (1 << field.0) != 0 {
                out[at..at + numbers.len()].copy_from_slice(numbers);
                at += numbers.len();
            }
        };
        let vector = |v: Option<Vec3>| v.unwrap_or_default().to_array();
        put(RayDataField::Dist, &[self.hit.map_or(-1.0, |hit| hit.dist)]);
        put(RayDataField::Dir, &vector(self.hit.map(|_| self.ray.dir)));
        put(RayDataField::Origin, &vector(Some(self.ray.origin)));
        put(RayDataField::Point, &vector(Some(point)));
        put(RayDataField::Normal, &vector(self.hit.map(|hit| hit.normal)));
        put(RayDataField::Depth, &[depth]);
    }
}
