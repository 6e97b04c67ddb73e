//! `sinew explain`: the softness of a contact in SI units, and the inverse.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use serde_json::json;
use sinew::softness::{Load, contact_parameters, contact_softness};
use sinew::{GeomId, Model};

use crate::common::Common;
use crate::{diagnostics, out};

/// Gravity that converts a mass to a weight, m/s².
const G: f64 = 9.81;

pub(crate) const EXAMPLES: &str = "Examples:
  sinew explain models/gripper.xml 0 1
  sinew explain robot.xml floor foot --load 400 --tangential 50
  sinew explain robot.xml floor foot --stiffness 1e5 --damping 800";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Model file: MJCF, URDF or MJB
    model: PathBuf,
    /// First geom, by name or number
    geom1: String,
    /// Second geom, by name or number
    geom2: String,
    /// Force that presses the geoms together, N [default: the weight of the moving mass]
    #[arg(long, value_name = "N")]
    load: Option<f64>,
    /// Force along the surface, N
    #[arg(long, default_value_t = 1.0, value_name = "N")]
    tangential: f64,
    /// Give solref and solimp for this stiffness, N/m
    #[arg(long, requires = "damping", value_name = "N/m")]
    stiffness: Option<f64>,
    /// Give solref and solimp for this damping, N s/m
    #[arg(long, requires = "stiffness", value_name = "N s/m")]
    damping: Option<f64>,
    /// Impedance of the wanted parameters, between 0 and 1
    #[arg(long, default_value_t = 0.95, value_name = "D")]
    impedance: f64,
}

pub(crate) fn run(args: &Args, common: &Common) -> Result<ExitCode> {
    let m = diagnostics::model(&args.model, common)?;
    let geoms = [find(&m, &args.geom1)?, find(&m, &args.geom2)?];
    let [g1, g2] = geoms;
    let moving = contact_softness(&m, g1, g2, Load { normal: 1.0, tangential: 0.0 });
    ensure!(moving.mass.is_finite(), "neither geom can move, so they have no contact");
    match (args.stiffness, args.damping) {
        (Some(stiffness), Some(damping)) => inverse(args, common, &m, geoms, [stiffness, damping]),
        _ => {
            let normal = args.load.unwrap_or(moving.mass * G);
            ensure!(normal > 0.0 && normal.is_finite(), "--load {normal}: wanted a force above 0");
            forward(common, &m, geoms, Load { normal, tangential: args.tangential })
        }
    }
}

fn forward(common: &Common, m: &Model, [g1, g2]: [GeomId; 2], load: Load) -> Result<ExitCode> {
    let soft = contact_softness(m, g1, g2, load);
    if common.json {
        out::json(&json!({
            "load": load.normal, "tangential_load": load.tangential,
            "mass": soft.mass, "impedance": soft.impedance,
            "stiffness": soft.stiffness, "damping": soft.damping,
            "time_constant": soft.time_constant, "damping_ratio": soft.damping_ratio,
            "penetration": soft.penetration, "creep_speed": soft.creep_speed,
            "sliding_load": soft.sliding_load,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }

    // text output
    let creep = match soft.creep_speed {
        Some(_) if load.tangential > soft.sliding_load => {
            format!("slides: friction holds {:.4} N", soft.sliding_load)
        }
        Some(speed) => {
            format!("{:.4} mm/s under {} N along the surface", speed * 1e3, load.tangential)
        }
        None => "frictionless".to_string(),
    };
    out::text(&format!(
        "one contact under {:.4} N, moving {:.4} kg\n\
         stiffness      {:.4e} N/m\n\
         damping        {:.4e} N s/m\n\
         time constant  {:.4} s, damping ratio {:.3}\n\
         penetration    {:.4} mm\n\
         creep          {creep}\n",
        load.normal,
        soft.mass,
        soft.stiffness,
        soft.damping,
        soft.time_constant,
        soft.damping_ratio,
        soft.penetration * 1e3,
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn inverse(
    args: &Args,
    common: &Common,
    m: &Model,
    geoms: [GeomId; 2],
    [stiffness, damping]: [f64; 2],
) -> Result<ExitCode> {
    let inside = args.impedance > 0.0 && args.impedance < 1.0;
    ensure!(inside, "--impedance {}: wanted a number between 0 and 1", args.impedance);
    ensure!(stiffness > 0.0 && damping > 0.0, "wanted a stiffness and a damping above 0");
    let wanted = contact_parameters(m, geoms, stiffness, damping, args.impedance);
    match common.json {
        true => out::json(&json!({ "solref": wanted.solref, "solimp": wanted.solimp }))?,
        false => {
            let list = |numbers: &[f64]| {
                numbers.iter().map(|x| format!("{x}")).collect::<Vec<_>>().join(" ")
            };
            let (solref, solimp) = (list(&wanted.solref), list(&wanted.solimp));
            out::line(&format!("solref=\"{solref}\" solimp=\"{solimp}\""))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn find(m: &Model, geom: &str) -> Result<GeomId> {
    let index = match geom.parse::<usize>() {
        Ok(index) => index,
        Err(_) => m.geom(geom)?.idx(),
    };
    ensure!(index < m.ngeom, "geom {index}: the model has {} geoms", m.ngeom);
    Ok(GeomId::new(index))
}
