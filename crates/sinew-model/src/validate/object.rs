//! Equality constraints, tendons, actuators, plugins, tuples and histories.

use super::{Check, Requirement, check, exactly, maybe_row, row, rows};
use crate::enums::{DynType, EqType, JointType, ObjType, TrnType, WrapType};
use crate::ids::{ActuatorId, EqId};
use crate::later::TRN_SO3;
use crate::model::Model;

impl Model {
    /// References to elements of the tree are valid.
    pub(super) fn check_objects(&self) -> Check {
        for e in self.equalities() {
            self.check_equality(e)?;
        }
        self.check_paths()?;
        for u in self.actuators() {
            self.check_transmission(u)?;
        }
        self.check_moments()?;
        self.check_states()?;
        self.check_histories()?;

        // members of tuples
        for k in 0..self.ntupledata {
            let (kind, id) = (self.tuple_objtype[k], self.tuple_objid[k]);
            maybe_row(id, self.count(kind), "tuple_objid", k)?;
        }

        // texts are zero-terminated
        for k in 0..self.ntext {
            let text = rows(self.text_adr[k], self.text_size[k]);
            let closed = self.text_data.rows(text).last().is_none_or(|c| c.0 == 0);
            check(
                closed,
                "text_size",
                k,
                Requirement::Such("the size of a text that ends with a zero"),
            )?;
        }
        Ok(())
    }

    fn check_equality(&self, e: EqId) -> Check {
        let (at, kind) = (e.idx(), self.eq_objtype[e]);
        let (n, optional) = match self.eq_type[e] {
            EqType::Joint => (self.njnt, true),
            EqType::Tendon => (self.ntendon, true),
            EqType::Flex | EqType::Flexvert => (self.nflex, true),
            EqType::Connect | EqType::Weld => {
                let known = matches!(kind, ObjType::Body | ObjType::Site);
                check(known, "eq_objtype", at, Requirement::Such("a body or a site"))?;
                (self.count(kind), false)
            }
            _ => return check(false, "eq_type", at, Requirement::Between(0, 5)),
        };
        let (first, second) = (self.eq_obj1id[e], self.eq_obj2id[e]);
        row(first, n, "eq_obj1id", at)?;
        if optional {
            maybe_row(second, n, "eq_obj2id", at)
        } else {
            row(second, n, "eq_obj2id", at)
        }
    }

    /// Elements of tendon paths, and the trees that tendons span.
    fn check_paths(&self) -> Check {
        for w in 0..self.nwrap {
            let n = match self.wrap_type[w] {
                WrapType::Joint => self.njnt,
                WrapType::Site => self.nsite,
                WrapType::Sphere | WrapType::Cylinder => {
                    // the side is a site, or missing
                    let fits = self.wrap_prm[w] < self.nsite as f64;
                    check(fits, "wrap_prm", w, Requirement::Between(-1, self.nsite as i64 - 1))?;
                    self.ngeom
                }
                _ => continue,
            };
            row(self.wrap_objid[w], n, "wrap_objid", w)?;
        }
        for t in self.tendons() {
            let path = rows(self.tendon_adr[t].idx() as i32, self.tendon_num[t]);
            let words =
                Requirement::Such("a sum of joints, or sites with geoms between two of them");
            check(is_path(self.wrap_type.rows(path.clone())), "wrap_type", path.start, words)?;
            let trees = self.tendon_treeid[t].iter().filter(|tree| tree.get().is_some()).count();
            let spanned = self.tendon_treenum[t];
            let fits = (spanned as usize).min(2) == trees;
            check(
                fits,
                "tendon_treenum",
                t.idx(),
                Requirement::Such("the number of trees it spans"),
            )?;
        }
        Ok(())
    }

    fn check_transmission(&self, u: ActuatorId) -> Check {
        let at = 2 * u.idx();
        let [id, second] = self.actuator_trnid[u];
        let field = "actuator_trnid";
        match self.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => row(id, self.njnt, field, at),
            TrnType::Tendon => row(id, self.ntendon, field, at),
            TrnType::Body => row(id, self.nbody, field, at),
            TrnType::Site => {
                row(id, self.nsite, field, at)?;
                maybe_row(second, self.nsite, field, at + 1)
            }
            TrnType::Slidercrank => {
                row(id, self.nsite, field, at)?;
                row(second, self.nsite, field, at + 1)
            }
            TRN_SO3 if second >= 0 => {
                row(id, self.nsite, field, at)?;
                row(second, self.nsite, field, at + 1)
            }
            TRN_SO3 => {
                row(id, self.njnt, field, at)?;
                let ball = self.jnt_type[id as usize] == JointType::Ball;
                check(ball, field, at, Requirement::Such("a ball joint"))
            }
            _ => check(false, "actuator_trntype", u.idx(), Requirement::Between(0, 5)),
        }
    }

    /// Entries of the moment matrix: the joint's dofs, or all dofs.
    fn check_moments(&self) -> Check {
        let moments = self.actuators().map(|u| match self.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => {
                self.jnt_type[self.actuator_trnid[u][0] as usize].nv()
            }
            TRN_SO3 if self.actuator_trnid[u][1] < 0 => 1,
            _ => self.nv,
        });
        exactly(self.nJmom as i64, moments.sum(), "nJmom", 0)
    }

    /// Activations and plugin states in consecutive ranges.
    fn check_states(&self) -> Check {
        let mut next = 0;
        for u in self.actuators() {
            let (adr, num) = (self.actuator_actadr[u], self.actuator_actnum[u]);
            let wanted = if num == 0 { -1 } else { next };
            let fits = i64::from(adr) == wanted;
            check(fits, "actuator_actadr", u.idx(), Requirement::Exactly(wanted))?;
            let stateful =
                self.actuator_dyntype[u] != DynType::None && !self.is_motor(u) && !self.is_pid(u);
            check(
                !stateful || num > 0,
                "actuator_actnum",
                u.idx(),
                Requirement::Such("at least 1"),
            )?;
            next += i64::from(num);
        }
        exactly(self.na as i64, next as usize, "na", 0)?;
        let mut next = 0;
        for p in self.plugin_ids() {
            exactly(i64::from(self.plugin_stateadr[p]), next, "plugin_stateadr", p.idx())?;
            next += self.plugin_statenum[p] as usize;
        }
        exactly(self.npluginstate as i64, next, "npluginstate", 0)
    }

    /// Consecutive history buffers: two values, then a time and a sample for each entry.
    fn check_histories(&self) -> Check {
        let mut next = 0i64;

        // a buffer starts at the end of the previous one
        let mut fits = |[n, _]: [i32; 2], dim: i32, adr: i32, field: &'static str, at: usize| {
            let wanted = if n > 0 { next } else { -1 };
            check(i64::from(adr) == wanted, field, at, Requirement::Exactly(wanted))?;
            if n > 0 {
                next += 2 + i64::from(n) * (1 + i64::from(dim));
            }
            Ok(())
        };
        let order = |interp: i32, field: &'static str, at: usize| {
            check(interp >= 0, field, 2 * at + 1, Requirement::Between(0, i64::from(i32::MAX)))
        };

        // actuators, then sensors
        for u in self.actuators() {
            order(self.actuator_history[u][1], "actuator_history", u.idx())?;
            let adr = self.actuator_historyadr[u];
            fits(self.actuator_history[u], 1, adr, "actuator_historyadr", u.idx())?;
        }
        for s in self.sensors() {
            order(self.sensor_history[s][1], "sensor_history", s.idx())?;
            let adr = self.sensor_historyadr[s];
            let dim = self.sensor_dim[s];
            fits(self.sensor_history[s], dim, adr, "sensor_historyadr", s.idx())?;
        }
        check(self.nhistory as i64 == next, "nhistory", 0, Requirement::Exactly(next))
    }
}

/// Whether a tendon is a sum of joints, or a path over sites with geoms between two sites.
fn is_path(path: &[WrapType]) -> bool {
    let is_site = |k: Option<usize>| k.and_then(|k| path.get(k)) == Some(&WrapType::Site);
    !path.is_empty()
        && path.iter().enumerate().all(|(k, &kind)| match kind {
            WrapType::Joint => path[0] == WrapType::Joint,
            WrapType::Sphere | WrapType::Cylinder => {
                is_site(k.checked_sub(1)) && is_site(k.checked_add(1))
            }
            WrapType::Site | WrapType::Pulley => path[0] != WrapType::Joint,
            _ => false,
        })
}
