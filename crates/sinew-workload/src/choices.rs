//! All combinations of integrator, solver and cone.

use sinew::Model;
use sinew::model::enums::{ConeType, Integrator, SolverType};

const INTEGRATORS: [Integrator; 4] =
    [Integrator::Euler, Integrator::Rk4, Integrator::Implicit, Integrator::Implicitfast];
const SOLVERS: [SolverType; 3] = [SolverType::Pgs, SolverType::Cg, SolverType::Newton];
const CONES: [ConeType; 2] = [ConeType::Pyramidal, ConeType::Elliptic];

/// Calls `visit` with a copy of a model for every combination of integrator, solver and cone.
pub fn with_every_choice(model: &Model, mut visit: impl FnMut(Model)) {
    for integrator in INTEGRATORS {
        for solver in SOLVERS {
            for cone in CONES {
                let mut model = model.clone();
                let opt = &mut model.opt;
                (opt.integrator, opt.solver, opt.cone) = (integrator, solver, cone);
                visit(model);
            }
        }
    }
}
