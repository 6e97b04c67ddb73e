//! `mujoco.sensor.touch_grid`: forces of contacts, gathered in a grid of angles seen from a site.

use core::f64::consts::PI;
use std::sync::Arc;

use sinew_math::{Quat, Vec3, scalar};
use sinew_model::enums::{GeomType, ObjType, PluginCapabilityBit, SensorType, Stage};
use sinew_model::plugin::{Instance, Plugin, Shown};
use sinew_model::{BodyId, Data, Model, PluginId, SensorId, SiteId};

use crate::constraint::contact_force;
use crate::plugin::settings::{is_number, leading_number, number, text};

/// The plugin.
pub(super) struct TouchGrid;

/// Maximum number of entries a sensor may give, so that a typing error does not exhaust the memory.
const MAX_NUMBERS: usize = 1 << 24;

impl Plugin for TouchGrid {
    fn name(&self) -> &str {
        "mujoco.sensor.touch_grid"
    }

    fn attributes(&self) -> Vec<&str> {
        vec!["nchannel", "size", "fov", "gamma"]
    }

    fn capabilities(&self) -> i32 {
        PluginCapabilityBit::Sensor.0
    }

    fn needstage(&self) -> Stage {
        Stage::Acc
    }

    fn nsensordata(&self, m: &Model, id: PluginId, _sensor: SensorId) -> Result<usize, String> {
        let [columns, rows] = resolution(m, id)?;
        let numbers = columns.checked_mul(rows).and_then(|n| n.checked_mul(channels(m, id).ok()?));
        numbers.filter(|n| *n <= MAX_NUMBERS).ok_or_else(|| "touch grid is too large".to_owned())
    }

    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        if !is_number(m, id, "gamma") || !is_number(m, id, "nchannel") {
            return Err("Invalid or missing parameters in touch_grid sensor plugin".into());
        }
        let nchannel = channels(m, id)?;
        let [columns, rows] = resolution(m, id)?;
        let fov = field_of_view(m, id)?;
        let gamma = number(m, id, "gamma");
        if !(0.0..=1.0).contains(&gamma) {
            return Err("`gamma` must be a nonnegative float between [0, 1]".into());
        }

        // the first sensor of the instance has the readings; all must be at sites
        let mut own = m.sensors().filter(|&s| {
            m.sensor_type[s] == SensorType::Plugin && m.sensor_plugin[s].get() == Some(id)
        });
        let sensor = own.next();
        let at_site = |s: SensorId| m.sensor_objtype[s] == ObjType::Site;
        if sensor.is_some_and(|s| !at_site(s)) || own.any(|s| !at_site(s)) {
            return Err("Touch Grid sensor must be attached to a site".into());
        }
        let edges = |n: usize, degrees: f64| bin_edges(n, degrees, gamma);
        let (azimuth, elevation) = (edges(columns, fov[0]), edges(rows, fov[1]));
        Ok(Arc::new(Grid { sensor, nchannel, azimuth, elevation }))
    }
}

/// Number of channels: the forces along three axes, then torques.
fn channels(m: &Model, id: PluginId) -> Result<usize, String> {
    let n = number(m, id, "nchannel") as i32;
    match n {
        0 => Ok(1),
        1..=6 => Ok(n as usize),
        _ => Err("nchannel must be between 1 and 6".into()),
    }
}

/// Columns and rows of the grid.
fn resolution(m: &Model, id: PluginId) -> Result<[usize; 2], String> {
    let words = numbers(text(m, id, "size"));
    let [columns, rows] = words[..] else {
        return Err("Both horizontal and vertical resolutions must be specified".into());
    };
    let count = |x: f64| usize::try_from(x as i32).ok().filter(|n| *n > 0);
    let both = count(columns).zip(count(rows)).map(|(columns, rows)| [columns, rows]);
    both.ok_or_else(|| "Horizontal and vertical resolutions must be positive".into())
}

/// Horizontal and vertical field of view, degrees.
fn field_of_view(m: &Model, id: PluginId) -> Result<[f64; 2], String> {
    let words = numbers(text(m, id, "fov"));
    let [horizontal, vertical] = words[..] else {
        return Err("Both horizontal and vertical fields of view must be specified".into());
    };
    if !(horizontal > 0.0 && horizontal <= 180.0) {
        return Err("`fov[0]` must be a float between (0, 180] degrees".into());
    }
    if !(vertical > 0.0 && vertical <= 90.0) {
        return Err("`fov[1]` must be a float between (0, 90] degrees".into());
    }
    Ok([horizontal, vertical])
}

/// The numbers of a text, separated by single spaces: two in a row have a zero between them.
fn numbers(text: &str) -> Vec<f64> {
    let text = text.strip_suffix(' ').unwrap_or(text);
    if text.is_empty() {
        return Vec::new();
    }
    text.split(' ').map(|word| leading_number(word).map_or(0.0, |(x, _)| x)).collect()
}

/// Edges of `n` bins over ± an angle, denser towards the middle the larger `gamma` is.
fn bin_edges(n: usize, degrees: f64, gamma: f64) -> Vec<f64> {
    let step = 2.0 / n as f64;
    let mut x = -1.0;
    let mut edges = Vec::with_capacity(n + 1);
    for _ in 0..=n {
        let bent = if gamma == 0.0 { x } else { gamma * scalar::pow(x, 5.0) + (1.0 - gamma) * x };
        edges.push(bent * (degrees * PI / 180.0));
        x += step;
    }
    edges
}

/// The settings of an instance.
struct Grid {
    sensor: Option<SensorId>,
    nchannel: usize,
    /// Edges of the columns.
    azimuth: Vec<f64>,
    /// Edges of the rows.
    elevation: Vec<f64>,
}

impl Instance for Grid {
    fn compute(&self, m: &Model, d: &mut Data, _id: PluginId, _capability: PluginCapabilityBit) {
        let Some(sensor) = self.sensor else { return };
        let start = m.sensor_adr[sensor] as usize;
        let readings = start..start + m.sensor_dim[sensor] as usize;
        d.sensordata.flat_mut()[readings.clone()].fill(0.0);
        let site = SiteId::new(m.sensor_objid[sensor].max(0) as usize);
        let parent = m.body_weldid[m.site_bodyid[site]];
        let weld = m.body_weldid[parent];
        for c in 0..d.ncon {
            let bodies = d.contact[c].geom.map(|g| body_of(m, g));
            if !bodies.iter().any(|&b| m.body_weldid[b] == weld) {
                continue;
            }
            let Some(bin) = self.bin(d, site, d.contact[c].pos) else { continue };
            let forces = forces(m, d, c, site, parent, bodies);
            let frame = (self.azimuth.len() - 1) * (self.elevation.len() - 1);
            let out = &mut d.sensordata.flat_mut()[readings.clone()];
            for (channel, force) in out.chunks_exact_mut(frame).zip(&forces[..self.nchannel]) {
                channel[bin] += force;
            }
        }
    }

    /// A box for each bin with contacts, coloured by the first three channels.
    fn visualize(&self, m: &Model, d: &Data, _id: PluginId, show: &mut dyn FnMut(Shown)) {
        let Some(sensor) = self.sensor else { return };
        let start = m.sensor_adr[sensor] as usize;
        let readings = &d.sensordata.flat()[start..start + m.sensor_dim[sensor] as usize];

        // colours are relative to the largest normal force
        let (columns, rows) = (self.azimuth.len() - 1, self.elevation.len() - 1);
        let frame = columns * rows;
        let largest = readings.iter().take(frame).fold(0.0f64, |most, x| most.max(x.abs()));
        if largest == 0.0 || readings.len() < frame * self.nchannel {
            return;
        }

        // a box at the mean distance of the contacts of its bin
        let site = SiteId::new(m.sensor_objid[sensor].max(0) as usize);
        let distances = self.distances(m, d, site);
        for i in 0..columns {
            for j in 0..rows {
                let bin = j * columns + i;
                if distances[bin] == 0.0 {
                    continue;
                }
                let mut taxel = self.taxel(d, site, [i, j], distances[bin]);
                for (k, x) in taxel.rgba[..self.nchannel.min(3)].iter_mut().enumerate() {
                    *x = (readings[k * frame + bin].abs() / largest) as f32;
                }
                show(Shown { objid: sensor.idx(), ..taxel });
            }
        }
    }
}

/// Thickness of the boxes that are shown, relative to the distance of contacts.
const THICKNESS: f64 = 0.02;

impl Grid {
    /// The mean distance of the contacts in each bin, row by row.
    fn distances(&self, m: &Model, d: &Data, site: SiteId) -> Vec<f64> {
        let weld = m.body_weldid[m.body_weldid[m.site_bodyid[site]]];
        let bins = (self.azimuth.len() - 1) * (self.elevation.len() - 1);
        let mut sums = vec![(0.0, 0); bins];
        for contact in &d.contact[..d.ncon] {
            if !contact.geom.iter().any(|&g| m.body_weldid[body_of(m, g)] == weld) {
                continue;
            }
            if let Some(bin) = self.bin(d, site, contact.pos) {
                let Vec3 { x, y, z } = d.site_xmat[site].tmul_vec(contact.pos - d.site_xpos[site]);
                sums[bin].0 += scalar::sqrt(x * x + z * z + y * y);
                sums[bin].1 += 1;
            }
        }
        sums.iter().map(|&(sum, n)| if n > 0 { sum / f64::from(n) } else { 0.0 }).collect()
    }

    /// The box of a bin at the distance of its contacts.
    fn taxel(&self, d: &Data, site: SiteId, [i, j]: [usize; 2], dist: f64) -> Shown {
        // angles of its middle, and the point there
        let (columns, rows) = (&self.azimuth[i..i + 2], &self.elevation[j..j + 2]);
        let (a, e) = (0.5 * (columns[1] + columns[0]), 0.5 * (rows[1] + rows[0]));
        let r = dist * (1.0 - THICKNESS);
        let (sin_a, cos_a) = (scalar::sin(a), scalar::cos(a));
        let (sin_e, cos_e) = (scalar::sin(e), scalar::cos(e));
        let local = Vec3::new(r * cos_e * sin_a, r * sin_e, -r * cos_e * cos_a);
        let mat = d.site_xmat[site];

        // turned towards it
        let up = Quat::from_axis_angle(mat.col(0), e) * mat.to_quat();
        let turned = Quat::from_axis_angle(mat.col(1) * -1.0, a) * up;
        Shown {
            kind: GeomType::Box,
            size: Vec3::new(
                dist * 0.5 * (columns[1] - columns[0]),
                dist * 0.5 * (rows[1] - rows[0]),
                dist * THICKNESS,
            ),
            pos: mat * local + d.site_xpos[site],
            mat: turned.to_mat(),
            rgba: [1.0; 4],
            objid: 0,
        }
    }

    /// The bin in which a point is seen from the site, which looks down its z axis.
    fn bin(&self, d: &Data, site: SiteId, point: Vec3) -> Option<usize> {
        let Vec3 { x, y, z } = d.site_xmat[site].tmul_vec(point - d.site_xpos[site]);
        let column = place(&self.azimuth, scalar::atan2(x, -z))?;
        let row = place(&self.elevation, scalar::atan2(y, scalar::sqrt(x * x + z * z)))?;
        Some(row * (self.azimuth.len() - 1) + column)
    }
}

/// The interval between two edges that has `x`, its upper end included.
fn place(edges: &[f64], x: f64) -> Option<usize> {
    let above = edges.partition_point(|edge| x > *edge);
    (above < edges.len()).then(|| above.checked_sub(1)).flatten()
}

/// Force and torque of a contact in the frame of the site, as felt by its body: along z, x, y.
fn forces(
    m: &Model,
    d: &Data,
    contact: usize,
    site: SiteId,
    parent: BodyId,
    bodies: [BodyId; 2],
) -> [f64; 6] {
    let felt = contact_force(m, d, contact);
    let frame = d.contact[contact].frame;
    // a contact pushes from the body with the smaller number to the other
    let sign = if parent < bodies[0].max(bodies[1]) { -1.0 } else { 1.0 };
    let turned = |v: Vec3| d.site_xmat[site].tmul_vec(frame.tmul_vec(v)) * sign;
    let (force, torque) = (turned(felt.force), turned(felt.torque));
    [force.z, force.x, force.y, torque.z, torque.x, torque.y]
}

/// The body of a geom of a contact.
///
/// The side that is a flex has the geom -1, and MuJoCo reads the number before its list of bodies.
/// The number is the last dimension of contacts if it fills its line of memory, else zero, which is
/// the world.
fn body_of(m: &Model, geom: i32) -> BodyId {
    if let Ok(g) = usize::try_from(geom) {
        return m.geom_bodyid.get(g).copied().unwrap_or(BodyId::WORLD);
    }
    let line = size_of::<[f64; 8]>() / size_of::<i32>();
    let before = m.geom_condim.last().filter(|_| m.ngeom.is_multiple_of(line));
    let body = before.map_or(0, |&x| x.max(0) as usize);
    if body < m.nbody { BodyId::new(body) } else { BodyId::WORLD }
}
