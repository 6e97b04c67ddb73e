//! Plugins: code outside the engine that `<plugin>` elements refer to.
//!
//! A [`Plugin`] (such as `mujoco.pid`) is found by name in a [`Registry`], which is a value instead
//! of a global table. A compiled model stores the plugin of each instance beside its tables. An
//! [`Instance`] is made by a plugin for one `<plugin>` element or `<instance>` and one `Data`.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use sinew_math::{Mat3, Vec3};

use crate::data::Data;
use crate::enums::{GeomType, PluginCapabilityBit, Stage};
use crate::ids::{GeomId, PluginId, SensorId};
use crate::model::Model;
use crate::nesting::{UserCall, user_code};
use crate::plugin_memory::{Instances, Plugins};
use crate::table::Storage;

/// A type of plugin.
#[doc(alias = "mjpPlugin")]
pub trait Plugin: Send + Sync {
    /// The name in `<plugin plugin="...">`.
    fn name(&self) -> &str;

    /// The permitted keys of `<config>`, in the order of their values in a model.
    fn attributes(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Capabilities of the plugin: bits of [`PluginCapabilityBit`].
    fn capabilities(&self) -> i32;

    /// The stage that precedes its sensors' computation; `None` means the position stage.
    fn needstage(&self) -> Stage {
        Stage::None
    }

    /// Number of values of an instance in `plugin_state`.
    fn nstate(&self, _m: &Model, _id: PluginId) -> Result<usize, String> {
        Ok(0)
    }

    /// Number of values of an instance's sensor.
    fn nsensordata(&self, _m: &Model, _id: PluginId, _sensor: SensorId) -> Result<usize, String> {
        Ok(0)
    }

    /// Makes an instance for a new `Data`, or returns the fault of its configuration.
    ///
    /// A plugin that needs a `Data` for this can make one with [`Data::without_plugins`].
    fn init(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String>;

    /// The distance field of a configuration, for making meshes. The values are in the order of the
    /// attributes, empty for missing ones. Returns `None` for a plugin without this capability.
    #[doc(alias = "sdf_staticdistance")]
    fn distance_field(&self, _values: &[&str]) -> Option<Result<Box<dyn DistanceField>, String>> {
        None
    }
}

impl dyn Plugin {
    /// The result of user code of this plugin; an error if it calls itself without end.
    fn guarded<R>(&self, f: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
        let call = UserCall::enter(|| label(self.name()));
        call.map_err(|endless| endless.to_string()).and_then(|_call| f())
    }

    /// [`Plugin::init`], with a bound on nested calls.
    pub fn instance(&self, m: &Model, id: PluginId) -> Result<Arc<dyn Instance>, String> {
        self.guarded(|| self.init(m, id))
    }

    /// [`Plugin::nstate`], with a bound on nested calls.
    pub fn state_size(&self, m: &Model, id: PluginId) -> Result<usize, String> {
        self.guarded(|| self.nstate(m, id))
    }

    /// [`Plugin::nsensordata`], with a bound on nested calls.
    pub fn sensor_size(&self, m: &Model, id: PluginId, sensor: SensorId) -> Result<usize, String> {
        self.guarded(|| self.nsensordata(m, id, sensor))
    }

    /// [`Plugin::distance_field`], with a bound on nested calls.
    pub fn field(&self, values: &[&str]) -> Option<Result<Box<dyn DistanceField>, String>> {
        self.guarded(|| self.distance_field(values).transpose()).transpose()
    }
}

/// The copy of an instance in a message.
fn copying() -> String {
    "the copy of a plugin's instance".to_owned()
}

/// A plugin in a message.
fn label(name: &str) -> String {
    format!("plugin '{name}'")
}

/// State and behaviour of an instance in one `Data`.
///
/// An instance is shared. Values that change during a simulation belong in `plugin_state`, which is
/// copied, saved and restored with the state.
pub trait Instance: Send + Sync {
    /// The instance for a copy of the `Data`; `None` if both may share this instance.
    fn duplicate(&self) -> Option<Arc<dyn Instance>> {
        None
    }

    /// Called when the `Data` is reset; `state` is its part of `plugin_state`, which is otherwise
    /// unchanged.
    fn reset(&self, _m: &Model, _id: PluginId, _state: &mut [f64]) {}

    /// Writes the derivatives of its actuators' activations to `act_dot`, after the actuators' own
    /// dynamics.
    #[doc(alias = "actuator_act_dot")]
    fn act_dot(&self, _m: &Model, _d: &mut Data, _id: PluginId) {}

    /// Computes the quantities of `capability`: `actuator_force` of its actuators, `sensordata` of
    /// its sensors, or a contribution to `qfrc_passive`. Never called for distance fields.
    fn compute(&self, _m: &Model, _d: &mut Data, _id: PluginId, _capability: PluginCapabilityBit) {}

    /// Updates its part of `plugin_state` at the end of a step.
    fn advance(&self, _m: &Model, _d: &mut Data, _id: PluginId) {}

    /// Adds visual geoms to a scene.
    fn visualize(&self, _m: &Model, _d: &Data, _id: PluginId, _show: &mut dyn FnMut(Shown)) {}

    /// Overrides the colours of geoms of the model.
    fn colors(
        &self,
        _m: &Model,
        _d: &Data,
        _id: PluginId,
        _paint: &mut dyn FnMut(GeomId, [f32; 3]),
    ) {
    }

    /// The plugin's distance field, if it has one.
    fn distance_field(&self) -> Option<&dyn DistanceField> {
        None
    }
}

/// A visual geom of a plugin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// Shape.
    pub kind: GeomType,
    /// Size, as of a geom.
    pub size: Vec3,
    /// Position.
    pub pos: Vec3,
    /// Orientation.
    pub mat: Mat3,
    /// Colour.
    pub rgba: [f32; 4],
    /// Id for selection.
    pub objid: usize,
}

/// A signed distance field, negative inside.
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

    /// Gradient of the distance; by finite differences unless overridden.
    #[doc(alias = "sdf_gradient")]
    fn gradient(&self, point: Vec3) -> Vec3 {
        const EPS: f64 = 1e-8;
        let here = self.distance(point);
        let slope = |x: f64, y: f64, z: f64| (self.distance(Vec3::new(x, y, z)) - here) / EPS;
        let Vec3 { x, y, z } = point;
        Vec3::new(slope(x + EPS, y, z), slope(x, y + EPS, z), slope(x, y, z + EPS))
    }

    /// Bounding box: centre and half sizes.
    #[doc(alias = "sdf_aabb")]
    fn aabb(&self) -> [f64; 6];
}

/// The plugins that a model may refer to, in order of registration.
///
/// The index of a plugin is its slot, which `m.plugin` stores.
#[derive(Clone, Default)]
pub struct Registry {
    plugins: Vec<Arc<dyn Plugin>>,
}

/// Reasons why a plugin cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name is empty.
    Unnamed,
    /// The name is already registered.
    Taken(String),
    /// The plugin has too many attributes.
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

/// Maximum number of attributes of a plugin.
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

    /// Adds a plugin, or replaces the plugin of the same name, and returns its slot.
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

/// A plugin of a model is missing from a registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownSlot {
    /// The instance.
    pub instance: usize,
    /// The slot of its plugin when the model was compiled.
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

    /// The value of an attribute in an instance's `<config>`, empty by default; `None` if the
    /// plugin has no such attribute.
    #[doc(alias = "mj_getPluginConfig")]
    pub fn plugin_config(&self, id: PluginId, attribute: &str) -> Option<&str> {
        let place = self.plugin_of(id)?.attributes().iter().position(|a| *a == attribute)?;
        Some(self.plugin_values(id).nth(place).unwrap_or(""))
    }

    /// The values of an instance's attributes, in the order of its plugin's attributes.
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

    /// The plugin of an instance in a message.
    pub fn plugin_label(&self, id: PluginId) -> String {
        label(self.plugin_of(id).map_or("", |plugin| plugin.name()))
    }

    /// Range of an instance's values in `plugin_state`.
    pub fn plugin_state(&self, id: PluginId) -> Range<usize> {
        let start = self.plugin_stateadr[id].max(0) as usize;
        start..start + self.plugin_statenum[id].max(0) as usize
    }
}

impl Data {
    /// An instance, or `None` if its plugin could not make it.
    #[inline]
    pub fn plugin_instance(&self, id: PluginId) -> Option<&Arc<dyn Instance>> {
        self.plugins.get(id.idx())
    }

    /// Makes the instances of all plugins.
    pub(crate) fn init_plugins(&mut self, m: &Model) {
        self.plugins = Instances::default();
        for id in m.plugin_ids() {
            let made = m.plugin_of(id).and_then(|plugin| plugin.instance(m, id).ok());
            self.plugins.push(made, |held| match held.downcast_ref::<Arc<dyn Instance>>() {
                Some(instance) => match user_code(copying, || instance.duplicate()) {
                    Some(own) => Arc::new(own),
                    None => held.clone(),
                },
                None => held.clone(),
            });
        }
    }

    /// Informs the plugin instances that everything else has been reset.
    pub(crate) fn reset_plugins(&mut self, m: &Model) {
        for id in m.plugin_ids() {
            let Some(instance) = self.plugin_instance(id).cloned() else { continue };
            user_code(
                || m.plugin_label(id),
                || instance.reset(m, id, &mut self.plugin_state.flat_mut()[m.plugin_state(id)]),
            );
        }
    }
}
