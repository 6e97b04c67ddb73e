//! Statistics of the solvers, as MuJoCo keeps them.

use sinew_model::Model;
use sinew_model::options::SolverStat;

/// Islands of which statistics are kept (`mjNISLAND`).
pub(crate) const STAT_ISLANDS: usize = 20;

/// Iterations of each (`mjNSOLVER`).
pub(crate) const STAT_ITERATIONS: usize = 200;

/// Statistics of an iteration that was not made.
pub(crate) const NO_STAT: SolverStat = SolverStat {
    improvement: 0.0,
    gradient: 0.0,
    lineslope: 0.0,
    nactive: 0,
    nchange: 0,
    neval: 0,
    nupdate: 0,
};

/// Keeps the statistics of an iteration, as long as there is a place for them.
pub(crate) fn save_stat(stats: &mut Vec<SolverStat>, island: usize, iter: usize, stat: SolverStat) {
    if island >= STAT_ISLANDS || iter >= STAT_ITERATIONS {
        return;
    }
    let at = island * STAT_ITERATIONS + iter;
    if stats.len() <= at {
        stats.resize(at + 1, NO_STAT);
    }
    stats[at] = stat;
}

/// One over the inertia that makes improvements comparable between models.
pub(crate) fn cost_scale(m: &Model) -> f64 {
    1.0 / (m.stat.meaninertia * m.nv.max(1) as f64)
}
