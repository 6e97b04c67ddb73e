//! Instances of plugins: their plugins, and the elements that use them.

use std::collections::HashSet;

use sinew_model::enums::{ObjType, PluginCapabilityBit, SensorType};
use sinew_model::ids::Char;
use sinew_model::validate::MAX_DATA_NUMBERS;
use sinew_model::{Model, PluginId, SensorId};

use crate::compile::cx::{At, Cx};
use crate::compile::instances::{InstanceRec, Instances, address};
use crate::compile::objects::actuator::history_size;
use crate::schema::nearest;
use crate::spec::{Body, Child, Extension, PluginConfig, PluginInstance, PluginUse, Span, Spec};

/// Lists all instances in the order in which MuJoCo reads them.
pub(crate) fn collect(cx: &mut Cx<'_>) {
    let mut all = Instances::default();
    check_extensions(cx);

    // an element without a name makes an instance, and so does the first of those that share one
    let sources = sources_of(cx.spec);
    for source in &sources {
        let (name, span, kind, config) = match source {
            Source::Named(extension, e) => {
                (e.name.text(), e.head.span, extension.plugin.text(), &e.config)
            }
            Source::Use(plugin) => {
                let name = plugin.instance.text();
                let makes = plugin.makes_instance && all.find(name).is_none();
                if !makes && !name.is_empty() {
                    continue;
                }
                all.of_use.insert(address(plugin), all.list.len());
                (name, plugin.head.span, plugin.plugin.text(), &plugin.config)
            }
        };
        all.add(new_instance(cx, name, span, kind, config));
    }

    // the others refer to one by name
    for source in sources {
        if let Source::Use(plugin) = source
            && let Some(id) = all.find(plugin.instance.text())
        {
            all.of_use.entry(address(plugin)).or_insert(id);
        }
    }
    cx.plugins = all;
}

/// An element that makes an instance, or refers to one.
enum Source<'s> {
    Named(&'s Extension, &'s PluginInstance),
    Use(&'s PluginUse),
}

/// All sources of instances: names, meshes, actuators and sensors, then the tree. Instances of
/// attached models come at the place of the attachment.
fn sources_of(spec: &Spec) -> Vec<Source<'_>> {
    let mut walk = Walk { spec, seen: HashSet::from([0]), out: Vec::new() };
    walk.named(0);
    walk.outside_tree(0);
    walk.body(&spec.world);
    for scope in 1..spec.scopes.len() {
        walk.enter(scope);
    }
    walk.out
}

struct Walk<'s> {
    spec: &'s Spec,
    /// Models whose plugins outside of the tree are listed.
    seen: HashSet<usize>,
    out: Vec<Source<'s>>,
}

impl<'s> Walk<'s> {
    fn named(&mut self, scope: usize) {
        for extension in &self.spec.extensions {
            let own = extension.instances.iter().filter(|e| e.head.scope == scope);
            self.out.extend(own.map(|e| Source::Named(extension, e)));
        }
    }

    fn outside_tree(&mut self, scope: usize) {
        let spec = self.spec;
        let meshes = spec.meshes.iter().map(|e| (e.head.scope, &e.plugin));
        let actuators = spec.actuators.iter().map(|e| (e.head.scope, &e.plugin));
        let sensors = spec.sensors.iter().map(|e| (e.head.scope, &e.plugin));
        let all = meshes.chain(actuators).chain(sensors);
        let own = all.filter(|(of, _)| *of == scope).filter_map(|(_, plugin)| plugin.as_deref());
        self.out.extend(own.map(Source::Use));
    }

    /// Comes to an element of a model, which may be an attached one.
    fn enter(&mut self, scope: usize) {
        if self.seen.insert(scope) {
            self.outside_tree(scope);
            self.named(scope);
        }
    }

    /// The plugins in a body, in the order of the file.
    fn body(&mut self, body: &'s Body) {
        self.enter(body.head.scope);
        let mut own = body.plugin.as_deref();
        self.children(&body.children, &mut own);
        self.out.extend(own.map(Source::Use));
    }

    /// The plugins in some children, and the plugin of their body at its place among them.
    fn children(&mut self, children: &'s [Child], own: &mut Option<&'s PluginUse>) {
        for child in children {
            let place = match child {
                Child::Body(b) => Some(b.head.span),
                Child::Geom(g) => Some(g.head.span),
                _ => None,
            };
            if let (Some(place), Some(plugin)) = (place, *own)
                && plugin.head.span.file == place.file
                && plugin.head.span.start < place.start
            {
                self.out.extend(own.take().map(Source::Use));
            }
            match child {
                Child::Body(b) => self.body(b),
                Child::Frame(f) => {
                    self.enter(f.head.scope);
                    self.children(&f.children, own);
                }
                Child::Geom(g) => self.out.extend(g.plugin.as_deref().map(Source::Use)),
                _ => {}
            }
        }
    }
}

fn new_instance(
    cx: &Cx<'_>,
    name: &str,
    span: Span,
    plugin: &str,
    config: &[PluginConfig],
) -> InstanceRec {
    let active = cx.spec.extensions.iter().any(|e| e.plugin.text() == plugin);
    let found = cx.opts.plugins.find(plugin).filter(|_| active);
    let text = |c: &PluginConfig| (c.key.text().to_owned(), c.value.text().to_owned());
    InstanceRec {
        name: name.to_owned(),
        span,
        plugin: plugin.to_owned(),
        found: found.map(|(slot, plugin)| (slot, plugin.clone())),
        config: config.iter().map(text).collect(),
    }
}

/// Reports plugins that are not registered, with those that are.
fn check_extensions(cx: &mut Cx<'_>) {
    for extension in &cx.spec.extensions {
        let name = extension.plugin.text();
        if cx.opts.plugins.find(name).is_none() {
            let span = extension.plugin.span().unwrap_or(extension.head.span);
            cx.diag.error("plugin", span, format!("plugin {name} not found"));
            cx.diag.help(known_plugins(cx, name));
        }
    }
}

/// The nearest name, and all there are.
fn known_plugins(cx: &Cx<'_>, name: &str) -> String {
    let registry = &cx.opts.plugins;
    let near = nearest(name, registry.names());
    let near = near.map_or(String::new(), |near| format!("did you mean '{near}'? "));
    let all: Vec<&str> = registry.names().collect();
    format!("{near}known plugins: {}", all.join(", "))
}

/// Reports instances whose settings their plugin does not know.
pub(crate) fn check_settings(cx: &mut Cx<'_>) {
    for id in 0..cx.plugins.list.len() {
        let rec = &cx.plugins.list[id];
        let Some((_, plugin)) = &rec.found else {
            // instances without a name belong to elements, which `check_elements` reports
            if !rec.name.is_empty() && cx.opts.plugins.find(&rec.plugin).is_some() {
                let words = format!("unrecognized plugin '{}'", rec.plugin);
                let (name, span) = (rec.name.clone(), rec.span);
                cx.fail(At { name: &name, id, span }, words);
            }
            continue;
        };
        let attributes = plugin.attributes();
        let unknown = rec.config.keys().find(|key| !attributes.contains(&key.as_str()));
        if let Some(key) = unknown {
            let words =
                format!("unrecognized attribute 'plugin:{key}' for plugin {}'", plugin.name());
            let near = nearest(key, attributes.iter().copied()).map(str::to_owned);
            let all = attributes.join(", ");
            let (name, span) = (rec.name.clone(), rec.span);
            cx.fail(At { name: &name, id, span }, words);
            let near = near.map_or(String::new(), |near| format!("did you mean '{near}'? "));
            cx.diag.help(format!("{near}it has: {all}"));
        }
    }
}

/// Reports elements whose plugin is unknown or undeclared, or lacks a capability that they need.
pub(crate) fn check_elements(cx: &mut Cx<'_>) {
    use PluginCapabilityBit as Bit;
    let spec = cx.spec;

    // assets, actuators and sensors, as they are written
    for (id, e) in spec.meshes.iter().enumerate() {
        let at = At { name: e.name.text(), id, span: e.head.span };
        check(cx, at, &e.plugin, (Bit::Sdf, "mesh", "signed distance fields"));
    }
    for (id, e) in spec.actuators.iter().enumerate() {
        let at = At { name: e.name.text(), id, span: e.head.span };
        check(cx, at, &e.plugin, (Bit::Actuator, "actuator", "actuators"));
    }
    for (id, e) in spec.sensors.iter().enumerate() {
        let at = At { name: e.name.text(), id, span: e.head.span };
        check(cx, at, &e.plugin, (Bit::Sensor, "sensor", "sensors"));
    }

    // geoms and bodies of the expanded tree
    for id in 0..cx.world.geoms.len() {
        let e = &cx.world.geoms[id].elem;
        let (name, span, plugin) = (e.name.text().to_owned(), e.head.span, e.plugin.clone());
        check(
            cx,
            At { name: &name, id, span },
            &plugin,
            (Bit::Sdf, "geom", "sign distance fields"),
        );
    }
    for id in 0..cx.world.bodies.len() {
        let body = &cx.world.bodies[id];
        let (name, span, plugin) = (body.name.clone(), body.head.span, body.plugin_use.clone());
        check(cx, At { name: &name, id, span }, &plugin, (Bit::Passive, "body", "passive forces"));
    }
}

/// The plugin that an element needs: the capability, the kind of the element, and MuJoCo's word.
type PluginNeed = (PluginCapabilityBit, &'static str, &'static str);

fn check(cx: &mut Cx<'_>, at: At<'_>, plugin: &Option<Box<PluginUse>>, wanted: PluginNeed) {
    let Some(plugin) = plugin.as_deref() else { return };
    let (bit, element, ability) = wanted;
    let (name, instance) = (plugin.plugin.text(), plugin.instance.text());
    let At { span, id, name: element_name } = at;
    if name.is_empty() && instance.is_empty() {
        let text = format!("neither 'plugin' nor 'instance' is specified for {element}");
        return cx.fail(at, format!("{text} '{element_name}', (id = {id})"));
    }

    // by the name of the instance, if it has one
    let rec = cx.plugins.find(instance).filter(|_| !instance.is_empty());
    let known = rec.map(|rec| cx.plugins.list[rec].plugin.clone());
    let Some(kind) = known.clone().or_else(|| instance.is_empty().then(|| name.to_owned())) else {
        cx.fail(at, format!("unrecognized name '{instance}' for plugin instance"));
        cx.suggest(ObjType::Plugin, instance);
        return;
    };
    if !name.is_empty() && name != kind {
        return cx.fail(at, "'plugin' attribute does not match that of the instance");
    }

    // declared and able
    let active = cx.spec.extensions.iter().any(|e| e.plugin.text() == kind);
    let registered = cx.opts.plugins.find(&kind).map(|(_, plugin)| plugin.clone());
    match registered {
        Some(plugin) if active => {
            if plugin.capabilities() & bit.0 == 0 {
                cx.fail(at, format!("plugin '{kind}' does not support {ability}"));
            }
        }
        // an extension that names no plugin has been reported
        None if active => {}
        known => {
            cx.fail(At { span, ..at }, format!("unrecognized plugin '{kind}'"));
            let help = match known {
                Some(_) => format!("add <extension><plugin plugin=\"{kind}\"/></extension>"),
                None => known_plugins(cx, &kind),
            };
            cx.diag.help(help);
        }
    }
}

/// Sets the sizes that depend on plugins alone.
pub(crate) fn count(cx: &Cx<'_>, m: &mut Model) {
    m.nplugin = cx.plugins.list.len();
    m.npluginattr = cx.plugins.list.iter().map(|rec| flattened(rec).len()).sum();
}

/// The values of all attributes, each closed by a zero.
fn flattened(rec: &InstanceRec) -> Vec<u8> {
    let mut bytes = Vec::new();
    let attributes = rec.found.iter().flat_map(|(_, plugin)| plugin.attributes());
    for key in attributes {
        bytes.extend(rec.config.get(key).map_or("", String::as_str).bytes());
        bytes.push(0);
    }
    if bytes.is_empty() {
        bytes.push(0);
    }
    bytes
}

/// Copies the instances into the model, and which elements are theirs.
pub(crate) fn store(cx: &Cx<'_>, m: &mut Model) {
    // instances, with their attributes one after the other
    let mut adr = 0;
    for (i, rec) in cx.plugins.list.iter().enumerate() {
        m.plugin[i] = rec.found.as_ref().map_or(-1, |(slot, _)| *slot as i32);
        m.plugin_attradr[i] = adr as i32;
        let bytes = flattened(rec);
        for (k, byte) in bytes.iter().enumerate() {
            m.plugin_attr[adr + k] = Char(*byte);
        }
        adr += bytes.len();
    }

    // which elements are theirs
    let id = |plugin: Option<usize>| plugin.map(PluginId::new).into();
    for (i, body) in cx.world.bodies.iter().enumerate() {
        m.body_plugin[i] = id(body.plugin);
    }
    for (i, geom) in cx.world.geoms.iter().enumerate() {
        m.geom_plugin[i] = id(geom.plugin);
    }
    let rows: Vec<_> = m.whole_actuators().collect();
    for (u, e) in rows.into_iter().zip(&cx.spec.actuators) {
        m.actuator_plugin[u] = id(cx.plugins.of(&e.plugin));
    }
    for (i, e) in cx.spec.sensors.iter().enumerate() {
        m.sensor_plugin[i] = id(cx.plugins.of(&e.plugin));
    }
}

/// Asks the plugins for their code, how large their states and readings are, and whether they can
/// be made. Errors are reported.
pub(crate) fn start(cx: &mut Cx<'_>, m: &mut Model) {
    if m.nplugin == 0 {
        return;
    }
    if let Err(why) = m.resolve_plugins(&cx.opts.plugins) {
        return cx.diag.error("plugin", Span::default(), why.to_string());
    }
    for id in m.plugin_ids() {
        let rec = &cx.plugins.list[id.idx()];
        let (name, span) = (rec.name.clone(), rec.span);
        if let Err(why) = size_instance(m, id) {
            cx.fail(At { name: &name, id: id.idx(), span }, why);
        }
    }
    if m.npluginstate > MAX_DATA_NUMBERS || !place_readings(m) {
        let words = format!("plugins have more than {MAX_DATA_NUMBERS} numbers");
        cx.diag.error("too-large", Span::default(), words);
    }
    if cx.diag.failed() {
        return;
    }

    // settings that make no sense
    for id in m.plugin_ids() {
        let made = m.plugin_of(id).map(|plugin| plugin.instance(m, id));
        if let Some(Err(why)) = made {
            let rec = &cx.plugins.list[id.idx()];
            let (name, span, id) = (rec.name.clone(), rec.span, id.idx());
            let words = "engine error: mj_initPlugin: plugin->init failed for plugin id";
            cx.fail(At { name: &name, id, span }, format!("{words} {id}: {why}"));
        }
    }
}

/// The numbers of an instance in `plugin_state`, and the numbers of its sensors.
fn size_instance(m: &mut Model, id: PluginId) -> Result<(), String> {
    let Some(plugin) = m.plugin_of(id).cloned() else { return Ok(()) };
    let nstate = plugin.state_size(m, id)?.min(MAX_DATA_NUMBERS + 1);
    m.plugin_stateadr[id] = m.npluginstate as i32;
    m.plugin_statenum[id] = nstate as i32;
    m.npluginstate = (m.npluginstate + nstate).min(MAX_DATA_NUMBERS + 1);
    let own = |s: &SensorId| m.sensor_plugin[*s].get() == Some(id);
    for s in m.sensors().filter(own).collect::<Vec<_>>() {
        let dim = plugin.sensor_size(m, id, s)?.min(MAX_DATA_NUMBERS + 1);
        m.sensor_dim[s] = dim as i32;
        m.sensor_needstage[s] = plugin.needstage();
    }
    Ok(())
}

/// Gives all sensors their places in `sensordata` and in the histories, once plugins' sensors have
/// sizes; false if there are too many numbers.
fn place_readings(m: &mut Model) -> bool {
    if !m.sensor_type.contains(&SensorType::Plugin) {
        return true;
    }
    let mut history: usize = m.actuator_history.iter().map(|h| history_size(h[0], 1)).sum();
    let mut adr = 0_usize;
    for s in m.sensors() {
        let dim = m.sensor_dim[s].max(0) as usize;
        m.sensor_adr[s] = adr as i32;
        adr = adr.saturating_add(dim);
        let size = history_size(m.sensor_history[s][0], dim);
        m.sensor_historyadr[s] = if size > 0 { history as i32 } else { -1 };
        history = history.saturating_add(size);
        if adr.saturating_add(history) > MAX_DATA_NUMBERS {
            return false;
        }
    }
    (m.nsensordata, m.nhistory) = (adr, history);
    true
}
