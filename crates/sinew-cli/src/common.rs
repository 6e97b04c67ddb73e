//! Options of every command.

use sinew::LoadOptions;

use crate::settings::Setting;

#[derive(clap::Args)]
pub(crate) struct Common {
    /// Print data as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Reject everything MuJoCo rejects
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Set an option of the model, as in --set option.timestep=0.001; may be repeated
    #[arg(long, global = true, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<Setting>,
}

impl Common {
    /// Options for loading models.
    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions { strict: self.strict, ..LoadOptions::default() }
    }
}
