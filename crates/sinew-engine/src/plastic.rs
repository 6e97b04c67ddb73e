//! Springs that yield, as in MuJoCo 4.0: where they rest follows a deflection beyond a bound.

use sinew_math::Quat;
use sinew_model::enums::{DisableBit, JointType};
use sinew_model::later::row;
use sinew_model::{Data, JointId, Model, TendonId};

/// Moves the resting places of springs whose deflection is beyond the bound, after the positions.
///
/// A tendon has the length that its present rate of change, along `qvel` or along the state's
/// velocity, would give it. Reads `qpos`, `qvel`, `ten_length`, `ten_J`. Writes `plastic`.
#[cold]
pub(crate) fn advance(m: &Model, d: &mut Data, qvel: Option<&[f64]>) {
    if m.opt.disabled(DisableBit::Spring) {
        return;
    }
    let Some(later) = &m.later else { return };
    for j in m.joints() {
        if let Some(adr) = m.plastic_joint(j) {
            yield_joint(m, d, j, adr, row(&later.jnt_springyield, j.idx()).max(0.0));
        }
    }
    for t in m.tendons() {
        if let Some(adr) = m.plastic_tendon(t) {
            let length = d.ten_length[t] + m.opt.timestep * rate(m, d, t, qvel.unwrap_or(&d.qvel));
            let bound = row(&later.tendon_springyield, t.idx()).max(0.0);
            let rest = [d.plastic[adr], d.plastic[adr + 1]];
            d.plastic[adr..adr + 2].copy_from_slice(&yield_tendon(rest, length, bound));
        }
    }
}

fn yield_joint(m: &Model, d: &mut Data, j: JointId, adr: usize, bound: f64) {
    let Data { qpos, plastic, .. } = d;
    let (pos, rest) = (qpos.split_at(m.jnt_qpos(j).start).1, &mut plastic[adr..]);
    if m.jnt_type[j] == JointType::Ball {
        // along the shortest turn, by the excess over the bound
        let old = Quat::from_slice(rest);
        let dif = Quat::from_slice(pos).rotvec_from(old);
        let angle = dif.norm();
        if angle > bound {
            let new = old.integrate(dif, (angle - bound) / angle);
            rest[..4].copy_from_slice(&new.to_array());
        }
    } else {
        let dif = pos[0] - rest[0];
        if dif.abs() > bound {
            rest[0] += dif - bound.copysign(dif);
        }
    }
}

/// The resting lengths of a tendon of a certain length. A slack tendon that is stretched stays
/// slack down to zero.
fn yield_tendon([lower, upper]: [f64; 2], length: f64, bound: f64) -> [f64; 2] {
    let (long, short) = (length - upper - bound, lower - length - bound);
    if long > 0.0 {
        let is_slack = lower == 0.0 && upper > 0.0;
        [if is_slack { lower } else { lower + long }, upper + long]
    } else if short > 0.0 {
        [lower - short, upper - short]
    } else {
        [lower, upper]
    }
}

/// How fast a tendon becomes longer.
fn rate(m: &Model, d: &Data, t: TendonId, qvel: &[f64]) -> f64 {
    if !m.is_sparse() {
        return d.ten_J[t].iter().zip(qvel).map(|(j, v)| j * v).sum();
    }
    let adr = d.ten_J_rowadr[t] as usize;
    let row = adr..adr + d.ten_J_rownnz[t] as usize;
    let entries = d.ten_J.flat()[row.clone()].iter().zip(&d.ten_J_colind.flat()[row]);
    entries.map(|(j, v)| j * qvel[v.idx()]).sum()
}

#[cfg(test)]
mod tests {
    use super::yield_tendon;

    #[test]
    fn a_slack_tendon_that_is_stretched_stays_slack() {
        assert_eq!(yield_tendon([0.0, 0.25], 1.0, 0.25), [0.0, 0.75]);
        assert_eq!(yield_tendon([0.25, 0.5], 1.0, 0.25), [0.5, 0.75]);
        assert_eq!(yield_tendon([0.0, 0.25], -1.0, 0.25), [-0.75, -0.5]);
        assert_eq!(yield_tendon([0.0, 0.0], 1.0, 0.25), [0.75, 0.75]);
        assert_eq!(yield_tendon([0.0, 0.25], 0.5, 0.25), [0.0, 0.25]);
    }
}
