//! Plugins: code outside of the engine that `<plugin>` elements name.
//!
//! A [`Plugin`] is a kind (`mujoco.pid`), found by its name in a [`Registry`], which is a value:
//! there is no global table. A compiled model keeps the plugin of each of its instances beside the
//! tables. An [`Instance`] is what a plugin makes of one `<plugin>` element or `<instance>` for one
//! `Data`.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use sinew_math::{Mat3, Vec3};

use crate::beside::{Instances, Plugins};
use crate::data::Data;
use crate::enums::{GeomType, PluginCapabilityBit, Stage};
use crate::ids::{GeomId, PluginId, SensorId};
use crate::model::Model;
use crate::table::Storage;

/// A kind of plugin.
#[doc(alias = "mjpPlugin")]
pub trait Plugin: Send + Sync {
    /// The name by which `<plugin plugin="...">` finds it.
    fn name(&self) -> &str;

    /// The keys that `<config>` may have, in the order in which a model stores their values.
    fn attributes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// What it computes: bits of [`PluginCapabilityBit`].
    fn capabilities(&self) -> i32;

    /// The stage after which its sensors are computed; `None` stands for the position stage.
    fn needstage(&self) -> Stage {
        Stage::None
    }

    /// How many numbers of `plugin_state` an instance has.
    fn nstate(&self, _m: &Model, _id: PluginId) -> Result<usize, String> {
        Ok(0)
    }

    /// How many numbers a sensor of an instance gives.
    fn nsensordata(&self, _m: &Model, _id: PluginId, _sensor: SensorId) -> Result<usize, String> {
        Ok(0)
    }

    /// Makes an instance for a new `Data`, or says why its settings make no sense.
    ///
    /// Whoever needs a `Data` to find out makes one with [`Data::without_plugins`].
    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String>;

    /// The distance field of given settings, one value per attribute and empty where none is
    /// written; meshes are made of it. None where the plugin has no such capability.
    #[doc(alias = "sdf_staticdistance")]
    fn distance_field(&self, _values: &[&str]) -> Option<Result<Box<dyn DistanceField>, String>> {
        None
    }
}

/// What a plugin keeps and does for one instance in one `Data`.
///
/// An instance is shared: what changes while a simulation runs belongs into its numbers of
/// `plugin_state`, which are copied, saved and restored with the rest of the state.
pub trait Instance: Send + Sync {
    /// The instance for a copy of the `Data`; none if both may share this one.
    fn duplicate(&self) -> Option<Arc<dyn Instance>> {
        None
    }

    /// Called when the `Data` is reset; `state` are its numbers of `plugin_state`, which keep their
    /// values unless this changes them.
    fn reset(&self, _m: &Model, _id: PluginId, _state: &mut [f64]) {}

    /// Writes rates of activation of its actuators to `act_dot`, after those of their dynamics.
    #[doc(alias = "actuator_act_dot")]
    fn act_dot(&self, _m: &Model, _d: &mut Data, _id: PluginId) {}

    /// Computes what `capability` names: `actuator_force` of its actuators, `sensordata` of its
    /// sensors, or what it adds to `qfrc_passive`. Never called for distance fields.
    fn compute(&self, _m: &Model, _d: &mut Data, _id: PluginId, _capability: PluginCapabilityBit) {}

    /// Advances its numbers of `plugin_state` at the end of a step.
    fn advance(&self, _m: &Model, _d: &mut Data, _id: PluginId) {}

    /// Shows things beside the model.
    fn visualize(&self, _m: &Model, _d: &Data, _id: PluginId, _show: &mut dyn FnMut(Shown)) {}

    /// Colours geoms of the model otherwise than by their own red, green and blue.
    fn colors(
        &self,
        _m: &Model,
        _d: &Data,
        _id: PluginId,
        _paint: &mut dyn FnMut(GeomId, [f32; 3]),
    ) {
    }

    /// Its distance field, if it is one.
    fn distance_field(&self) -> Option<&dyn DistanceField> {
        None
    }
}

/// Something that a plugin shows beside the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Shape.
    pub kind: GeomType,
    /// Its size, as of a geom.
    pub size: Vec3,
    /// Where it is.
    pub pos: Vec3,
    /// How it is turned.
    pub mat: Mat3,
    /// Its colour.
    pub rgba: [f32; 4],
    /// The number by which it is selected.
    pub objid: usize,
}

/// A signed distance, negative inside.
pub trait DistanceField: Send + Sync {
    /// Distance at a point.
    #[doc(alias = "sdf_distance")]
    fn distance(&self, point: Vec3) -> f64;

    /// Distances at several points.
    fn distances(&self, points: &[Vec3], out: &mut [f64]) {
        for (dist, point) in out.iter_mut().zip(points) {
            *dist = self.distance(*point);
        }
    }

    /// Direction in which the distance grows; by finite differences unless there is a formula.
    #[doc(alias = "sdf_gradient")]
    fn gradient(&self, point: Vec3) -> Vec3 {
        const EPS: f64 = 1e-8;
        let here = self.distance(point);
        let slope = |x: f64, y: f64, z: f64| (self.distance(Vec3::new(x, y, z)) - here) / EPS;
        let Vec3 { x, y, z } = point;
        Vec3::new(slope(x + EPS, y, z), slope(x, y + EPS, z), slope(x, y, z + EPS))
    }

    /// A box around it: centre, half sizes.
    #[doc(alias = "sdf_aabb")]
    fn aabb(&self) -> [f64; 6];
}

/// The plugins that a model may name, in order of registration.
///
/// The place of a plugin is its slot, which `m.plugin` stores.
#[derive(Clone, Default)]
pub struct Registry {
    plugins: Vec<Arc<dyn Plugin>>,
}

/// Why a plugin cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistryError {
    /// It has no name.
    Unnamed,
    /// There is one of this name.
    Taken(String),
    /// It has more attributes than a plugin may have.
    Attributes(usize),
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegistryError::Unnamed => write!(f, "plugin->name is an empty string"),
            RegistryError::Taken(name) => write!(f, "plugin '{name}' is already registered"),
            RegistryError::Attributes(n) => {
                write!(f, "plugin->nattribute is {n}: it exceeds the maximum of {MAX_ATTRIBUTES}")
            }
        }
    }
}

impl core::error::Error for RegistryError {}

/// Most attributes of a plugin.
const MAX_ATTRIBUTES: usize = 255;

impl Registry {
    /// Adds a plugin and returns its slot.
    #[doc(alias = "mjp_registerPlugin")]
    pub fn register(&mut self, plugin: Arc<dyn Plugin>) -> Result<usize, RegistryError> {
        let (name, attributes) = (plugin.name(), plugin.attributes().len());
        if name.is_empty() {
            return Err(RegistryError::Unnamed);
        } else if attributes > MAX_ATTRIBUTES {
            return Err(RegistryError::Attributes(attributes));
        } else if self.find(name).is_some() {
            return Err(RegistryError::Taken(name.to_owned()));
        }
        self.plugins.push(plugin);
        Ok(self.plugins.len() - 1)
    }

    /// Adds a plugin, in the place of one of the same name if there is one; its slot.
    pub fn replace(&mut self, plugin: Arc<dyn Plugin>) -> Result<usize, RegistryError> {
        let Some((slot, _)) = self.find(plugin.name()) else { return self.register(plugin) };
        self.plugins[slot] = plugin;
        Ok(slot)
    }

    /// The plugin of this name, with its slot.
    #[doc(alias = "mjp_getPlugin")]
    pub fn find(&self, name: &str) -> Option<(usize, &Arc<dyn Plugin>)> {
        self.plugins.iter().enumerate().find(|(_, p)| p.name() == name)
    }

    /// The plugin at a slot.
    #[doc(alias = "mjp_getPluginAtSlot")]
    pub fn at(&self, slot: usize) -> Option<&Arc<dyn Plugin>> {
        self.plugins.get(slot)
    }

    /// All names, in order of registration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.plugins.iter().map(|p| p.name())
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// Two registries are equal if they hold the same plugins in the same order.
impl PartialEq for Registry {
    fn eq(&self, other: &Registry) -> bool {
        let same = |(a, b): (&Arc<dyn Plugin>, &Arc<dyn Plugin>)| Arc::ptr_eq(a, b);
        self.plugins.len() == other.plugins.len()
            && self.plugins.iter().zip(&other.plugins).all(same)
    }
}

impl Eq for Registry {}

/// Why the plugins of a model cannot be found in a registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSlot {
    /// The instance.
    pub instance: usize,
    /// The slot its plugin was registered at when the model was compiled.
    pub slot: i32,
}

impl fmt::Display for UnknownSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownSlot { instance, slot } = self;
        write!(f, "plugin instance {instance} is of slot {slot}, where no plugin is registered")
    }
}

impl core::error::Error for UnknownSlot {}

impl Model {
    /// All plugin instances.
    #[inline]
    pub fn plugin_ids(
        &self,
    ) -> impl DoubleEndedIterator<Item = PluginId> + ExactSizeIterator + use<> {
        (0..self.nplugin).map(PluginId::new)
    }

    /// The value that an instance's `<config>` gives to an attribute of its plugin, empty if it
    /// gives none; none if the plugin has no such attribute.
    #[doc(alias = "mj_getPluginConfig")]
    pub fn plugin_config(&self, id: PluginId, attribute: &str) -> Option<&str> {
        let place = self.plugin_of(id)?.attributes().iter().position(|a| *a == attribute)?;
        Some(self.plugin_values(id).nth(place).unwrap_or(""))
    }

    /// The values of an instance's attributes, in the order of its plugin's.
    pub fn plugin_values(&self, id: PluginId) -> impl Iterator<Item = &str> {
        let start = self.plugin_attradr.get(id.idx()).and_then(|adr| usize::try_from(*adr).ok());
        let bytes = start.and_then(|start| self.plugin_attr.bytes().get(start..)).unwrap_or(&[]);
        bytes.split(|b| *b == 0).map(|value| core::str::from_utf8(value).unwrap_or(""))
    }

    /// Looks up the plugins of all instances by their slots.
    pub fn resolve_plugins(&mut self, registry: &Registry) -> Result<(), UnknownSlot> {
        let mut found = Plugins::default();
        for (instance, &slot) in self.plugin.iter().enumerate() {
            let plugin = usize::try_from(slot).ok().and_then(|slot| registry.at(slot));
            let plugin = plugin.ok_or(UnknownSlot { instance, slot })?;
            found.push(plugin.name(), plugin.clone());
        }
        self.plugins = found;
        Ok(())
    }

    /// The plugin of an instance.
    pub fn plugin_of(&self, id: PluginId) -> Option<&Arc<dyn Plugin>> {
        self.plugins.get(id.idx())
    }

    /// Where the numbers of an instance are in `plugin_state`.
    pub fn plugin_state(&self, id: PluginId) -> Range<usize> {
        let start = self.plugin_stateadr[id].max(0) as usize;
        start..start + self.plugin_statenum[id].max(0) as usize
    }
}

impl Data {
    /// An instance; none if its plugin could not make it.
    #[inline]
    pub fn plugin_instance(&self, id: PluginId) -> Option<&Arc<dyn Instance>> {
        self.plugins.get(id.idx())
    }

    /// Makes the instances of all plugins.
    pub(crate) fn init_plugins(&mut self, m: &Model) {
        self.plugins = Instances::default();
        for id in m.plugin_ids() {
            let made = m.plugin_of(id).and_then(|plugin| plugin.init(m, id).ok());
            self.plugins.push(made, |held| match held.downcast_ref::<Arc<dyn Instance>>() {
                Some(instance) => match instance.duplicate() {
                    Some(own) => Arc::new(own),
                    None => held.clone(),
                },
                None => held.clone(),
            });
        }
    }

    /// Tells the instances of plugins that everything else has been reset.
    pub(crate) fn reset_plugins(&mut self, m: &Model) {
        for id in m.plugin_ids() {
            let Some(instance) = self.plugin_instance(id).cloned() else { continue };
            instance.reset(m, id, &mut self.plugin_state.flat_mut()[m.plugin_state(id)]);
        }
    }
}
