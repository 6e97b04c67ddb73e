//! Sensors with a visualisation: tactile sensors, range finders, distances between geoms.

use sinew_engine::cam_intrinsics;
use sinew_math::{MINVAL, Mat3, Vec3};
use sinew_model::enums::{GeomType, ObjType, RayDataField, SensorType, VisFlag};
use sinew_model::{CamId, SensorId, SiteId};

use crate::camera::wide;
use crate::draw::{Draw, Link, Owner};
use crate::span::{rest, span};

/// Width of rays, in pixels.
const LINE_WIDTH: f64 = 3.0;

/// Number of values in each field of a ray's reading (`mjRAYDATA_SIZE`).
const FIELD_SIZES: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// The faces of tactile sensors, coloured by their readings.
pub(super) fn tactile(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Contactpoint) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for s in m.sensors().filter(|&s| m.sensor_type[s] == SensorType::Tactile) {
        let (mesh, geom) = (m.sensor_objid[s] as usize, m.sensor_refid[s] as usize);
        let nvert = m.mesh_vertnum[mesh] as usize;
        let readings = span(&d.sensordata, m.sensor_adr[s], m.sensor_dim[s]);
        let channels = m.sensor_dim[s] as usize / nvert.max(1);

        // colours are relative to the largest normal force
        let largest = readings[..nvert].iter().fold(0.0f64, |max, x| max.max(x.abs()));
        if largest == 0.0 || m.geom_rbound[geom] < MINVAL {
            continue;
        }

        // mean over the corners of each face, one channel per colour
        let vert = rest(&m.mesh_vert, m.mesh_vertadr[mesh]);
        for face in span(&m.mesh_face, m.mesh_faceadr[mesh], m.mesh_facenum[mesh]) {
            let face = face.map(|v| v as usize);
            let corners = face.map(|v| d.geom_xmat[geom] * wide(vert[v]) + d.geom_xpos[geom]);
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            for r in 0..channels.min(3) {
                let values = face.map(|v| readings[r * nvert + v]);
                rgba[r] = mean_strength(values, largest);
            }
            if rgba[..3] == [0.0; 3] {
                rgba[3] = 0.1;
            }
            draw.triangle(Owner::decor(ObjType::Sensor, s.idx()), corners, rgba);
        }
    }
}

/// The mean of the nonzero values relative to the largest.
fn mean_strength(values: [f64; 3], largest: f64) -> f32 {
    let sum = values.iter().fold(0.0f32, |sum, x| (f64::from(sum) + x.abs() / largest) as f32);
    let touched = values.iter().filter(|&&x| x != 0.0).count();
    if touched > 0 { (f64::from(sum) / touched as f64) as f32 } else { sum }
}

pub(super) fn distances(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Rangefinder) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for s in m.sensors() {
        match m.sensor_type[s] {
            SensorType::Rangefinder => range_finder(draw, s),
            SensorType::Geomfromto => {
                let points = span(&d.sensordata, m.sensor_adr[s], 6);
                if points.iter().any(|&x| x != 0.0) {
                    let (from, to) = (Vec3::from_slice(points), Vec3::from_slice(&points[3..]));
                    line(draw, s, from, to);
                }
            }
            _ => {}
        }
    }
}

fn line(draw: &mut Draw<'_>, s: SensorId, from: Vec3, to: Vec3) {
    let link = Link { kind: GeomType::Line, width: LINE_WIDTH, from, to };
    let rgba = draw.m.vis.rgba.rangefinder;
    draw.link(Owner::decor(ObjType::Sensor, s.idx()), link, Some(rgba));
}

/// One ray of a range finder: origin, direction, reading, and the size of the sphere that marks the
/// point.
struct RayReading<'a> {
    origin: Vec3,
    dir: Vec3,
    reading: &'a [f64],
    ball: f64,
}

/// Rays of a range finder at a site, or through every pixel of a camera.
fn range_finder(draw: &mut Draw<'_>, s: SensorId) {
    let (m, d) = (draw.m, draw.d);
    let object = m.sensor_objid[s] as usize;
    let readings = span(&d.sensordata, m.sensor_adr[s], m.sensor_dim[s]);

    // values per ray
    let spec = m.sensor_intprm[s][0];
    let size: usize = (0..6).filter(|f| spec & (1 << f) != 0).map(|f| FIELD_SIZES[f]).sum();

    // one ray, or one for each pixel
    if m.sensor_objtype[s] == ObjType::Site {
        let site = SiteId::new(object);
        let reading = &readings[..size];
        let (origin, dir) = (d.site_xpos[site], d.site_xmat[site].col(2));
        ray(draw, s, RayReading { origin, dir, reading, ball: 1.5 });
    } else if m.sensor_objtype[s] == ObjType::Camera {
        let cam = CamId::new(object);
        let [width, height] = m.cam_resolution[cam];
        let intrinsics = cam_intrinsics(m, cam);
        for row in 0..height {
            for col in 0..width {
                let start = (row * width + col) as usize * size;
                let reading = &readings[start..start + size];
                let pixel = intrinsics.pixel_ray(d.cam_xpos[cam], d.cam_xmat[cam], col, row);
                let (origin, dir) = (pixel.origin, pixel.dir);
                ray(draw, s, RayReading { origin, dir, reading, ball: 1.3 });
            }
        }
    }
}

/// One ray: a line to the hit point, a sphere there, and an arrow along the normal.
fn ray(draw: &mut Draw<'_>, s: SensorId, ray: RayReading<'_>) {
    let m = draw.m;
    let rgba = m.vis.rgba.rangefinder;
    let owner = Owner::decor(ObjType::Sensor, s.idx());
    let width = f64::from(m.vis.scale.framewidth * draw.meansize());
    let length = f64::from(m.vis.scale.framelength * draw.meansize());
    let spec = m.sensor_intprm[s][0];
    let field = |field: RayDataField| -> Option<&[f64]> {
        let f = field.0 as usize;
        let before = (0..f).filter(|k| spec & (1 << k) != 0).map(|k| FIELD_SIZES[k]).sum();
        (spec & (1 << f) != 0).then(|| &ray.reading[before..][..FIELD_SIZES[f]])
    };

    // the line, if the reading has the distance
    let mut point = Vec3::ZERO;
    let dist = field(RayDataField::Dist).map_or(-1.0, |dist| dist[0]);
    if dist >= 0.0 {
        point = ray.origin + ray.dir * dist;
        line(draw, s, ray.origin, point);
    }

    // the point
    let found = field(RayDataField::Point).map(Vec3::from_slice).filter(|&p| p != Vec3::ZERO);
    if let Some(found) = found {
        point = found;
        if let Some(mut geom) = draw.acquire(owner) {
            let size = [(ray.ball * width) as f32; 3];
            geom.place(GeomType::Sphere, size, point, Mat3::IDENTITY);
            geom.rgba = rgba;
            draw.push(geom);
        }
    }

    // the normal
    let valid = dist >= 0.0 || point != Vec3::ZERO;
    if let Some(normal) = field(RayDataField::Normal).filter(|_| valid) {
        let to = point + Vec3::from_slice(normal) * (2.0 * length);
        let link = Link { kind: GeomType::Arrow1, width, from: point, to };
        draw.link(owner, link, Some(rgba));
    }
}
