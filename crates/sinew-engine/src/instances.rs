//! The calls to the instances of plugins, each from its place in the pipeline.

use std::sync::Arc;

use sinew_model::enums::PluginCapabilityBit;
use sinew_model::nesting::user_code;
use sinew_model::plugin::Instance;
use sinew_model::{Data, Model, PluginId};

/// Calls `f` with every instance whose plugin has the capability, in order.
pub(crate) fn each(
    m: &Model,
    d: &mut Data,
    capability: PluginCapabilityBit,
    mut f: impl FnMut(&Arc<dyn Instance>, &mut Data, PluginId),
) {
    for id in m.plugin_ids() {
        let able = m.plugin_of(id).is_some_and(|p| p.capabilities() & capability.0 != 0);
        let Some(instance) = d.plugin_instance(id).filter(|_| able).cloned() else { continue };
        user_code(|| m.plugin_label(id), || f(&instance, d, id));
    }
}

/// Runs the computation of a capability in every plugin that has it.
pub(crate) fn compute(m: &Model, d: &mut Data, capability: PluginCapabilityBit) {
    each(m, d, capability, |instance, d, id| instance.compute(m, d, id, capability));
}

/// Lets actuator plugins set rates of activation.
pub(crate) fn act_dot(m: &Model, d: &mut Data) {
    each(m, d, PluginCapabilityBit::Actuator, |instance, d, id| instance.act_dot(m, d, id));
}

/// Lets all plugins advance their state.
pub(crate) fn advance(m: &Model, d: &mut Data) {
    for id in m.plugin_ids() {
        let Some(instance) = d.plugin_instance(id).cloned() else { continue };
        user_code(|| m.plugin_label(id), || instance.advance(m, d, id));
    }
}
