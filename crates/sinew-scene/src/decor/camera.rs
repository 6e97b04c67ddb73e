//! Cameras with their view volumes, and lights.

use core::f64::consts::PI;

use sinew_math::{Mat3, Quat, Vec3, scalar};
use sinew_model::CamId;
use sinew_model::enums::{GeomType, ObjType, Projection, VisFlag, VisFrame, VisLabel};

use crate::camera::{Frustum, intrinsic_frustum};
use crate::draw::{Draw, Link, Owner};
use crate::geom::single;

/// Width of the edges of a frustum, in pixels.
const LINE_WIDTH: f64 = 3.0;

/// A product in single precision, scaled in double precision.
fn scaled(x: f32, by: f64) -> f32 {
    (f64::from(x) * by) as f32
}

pub(super) fn cameras(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Camera) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for c in m.cameras() {
        let owner = Owner::decor(ObjType::Camera, c.idx());
        let (pos, mat) = (d.cam_xpos[c], d.cam_xmat[c]);
        let mut rgba = m.vis.rgba.camera;

        // the view volume, if the resolution exceeds one pixel
        if m.cam_resolution[c].iter().any(|&pixels| pixels > 1) {
            rgba[3] = 0.3;
            frustum(draw, c);
        }

        // the body
        let size = draw.meansize() * m.vis.scale.camera;
        let Some(mut geom) = draw.acquire(owner) else { return };
        geom.place(GeomType::Box, [1.0, 0.8, 0.4].map(|k| scaled(size, k)), pos, mat);
        geom.rgba = rgba;
        draw.label(&mut geom, VisLabel::Camera, ObjType::Camera, c.idx());
        draw.push(geom);

        // the lens
        let Some(mut geom) = draw.acquire(owner) else { return };
        let ahead = pos - mat.col(2) * (f64::from(size) * 0.6);
        geom.place(GeomType::Cylinder, [0.4, 0.4, 0.3].map(|k| scaled(size, k)), ahead, mat);
        let [r, g, b, a] = rgba;
        geom.rgba = [r * 0.5, g * 0.5, b * 0.5, a];
        draw.push(geom);

        if draw.opt.frame == VisFrame::Camera {
            let axes = draw.axes(1.0);
            draw.frame(c.idx(), pos, mat, axes);
        }
    }
}

/// Distances of the near and far plane of a drawn camera, with the frustum at each.
fn planes(draw: &Draw<'_>, c: CamId) -> [(f64, Frustum); 2] {
    let m = draw.m;
    let near = f64::from(m.vis.map.znear) * m.stat.extent;
    let far = f64::from(m.vis.scale.frustum * draw.meansize());
    let [width, height] = m.cam_resolution[c];
    let aspect = width as f32 / height as f32;
    let [size_x, size_y] = m.cam_sensorsize[c];
    let fovy = m.cam_fovy[c];

    // orthographic: both planes are equal
    if m.cam_projection[c] == Projection::Orthographic {
        let zver = [(fovy / 2.0) as f32; 2];
        let zhor = [(fovy * f64::from(aspect) / 2.0) as f32; 2];
        let view = Frustum { zver, zhor, ..Frustum::default() };
        let far = f64::from((zhor[0] + zver[0]) / 2.0);
        return [(near, view), (far, view)];
    }

    // perspective: near plane from the sensor or the field of view, far plane in proportion
    let seen = if size_x != 0.0 && size_y != 0.0 {
        intrinsic_frustum(near as f32, m.cam_intrinsic[c], m.cam_sensorsize[c])
    } else {
        let half = (near * scalar::tan(fovy * PI / 360.0)) as f32;
        Frustum { zver: [half; 2], zhor: [half * aspect; 2], ..Frustum::default() }
    };
    let farther = |half: [f32; 2]| half.map(|x| scaled(x, far / near));
    let at_far =
        Frustum { zver: farther(seen.zver), zhor: farther(seen.zhor), ..Frustum::default() };
    [(near, seen), (far, at_far)]
}

/// Corners of the view volume at a distance, counter-clockwise from the lower left.
fn corners(pos: Vec3, mat: Mat3, dist: f64, seen: Frustum) -> [Vec3; 4] {
    let center = pos + mat.col(2) * -dist;
    let [left, right] = seen.zhor.map(f64::from);
    let [below, above] = seen.zver.map(f64::from);
    [(-left, -below), (right, -below), (right, above), (-left, above)]
        .map(|(x, y)| center + mat.col(0) * x + mat.col(1) * y)
}

/// Sides and edges of a camera's frustum.
fn frustum(draw: &mut Draw<'_>, c: CamId) {
    let d = draw.d;
    let owner = Owner::decor(ObjType::Camera, c.idx());
    let rgba = draw.m.vis.rgba.frustum;
    let [near, far] =
        planes(draw, c).map(|(dist, seen)| corners(d.cam_xpos[c], d.cam_xmat[c], dist, seen));
    for e in 0..4 {
        let next = (e + 1) % 4;
        draw.triangle(owner, [near[e], far[e], near[next]], rgba);
        draw.triangle(owner, [far[e], far[next], near[next]], rgba);
        for (from, to) in [(near[e], near[next]), (far[e], far[next]), (near[e], far[e])] {
            let link = Link { kind: GeomType::Line, width: LINE_WIDTH, from, to };
            draw.link(owner, link, Some(rgba));
        }
    }
}

pub(super) fn lights(draw: &mut Draw<'_>) {
    if !draw.shows(VisFlag::Light) {
        return;
    }
    let (m, d) = (draw.m, draw.d);
    for l in m.lights() {
        let mat = Quat::z_to(d.light_xdir[l]).to_mat();

        // behind the light, so that the geom casts no shadow
        let size = draw.meansize() * m.vis.scale.light;
        let pos = d.light_xpos[l] + d.light_xdir[l] * (-f64::from(size) - 0.0001);
        let Some(mut geom) = draw.acquire(Owner::decor(ObjType::Light, l.idx())) else { return };
        geom.place(GeomType::Cylinder, [0.8, 0.8, 1.0].map(|k| scaled(size, k)), pos, mat);
        geom.pos = single(pos);
        geom.rgba = m.vis.rgba.light;
        draw.label(&mut geom, VisLabel::Light, ObjType::Light, l.idx());
        draw.push(geom);
        if draw.opt.frame == VisFrame::Light {
            let axes = draw.axes(1.0);
            draw.frame(l.idx(), d.light_xpos[l], mat, axes);
        }
    }
}
