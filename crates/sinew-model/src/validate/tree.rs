//! Bodies, joints, dofs and kinematic trees: all references between them are consistent.

use super::{Check, Requirement, check, exactly, rows};
use crate::ids::{BodyId, DofId, Id, Maybe};
use crate::model::Model;

/// The value of an id, -1 for none.
fn number<I: Id>(id: Maybe<I>) -> i64 {
    id.get().map_or(-1, |id| id.idx() as i64)
}

impl Model {
    /// The order of the tree, and all fields that follow from parents and joints.
    pub(super) fn check_tree(&self) -> Check {
        check(self.nbody > 0, "nbody", 0, Requirement::Such("at least 1"))?;
        self.check_parents()?;
        self.check_parts()?;
        self.check_joints()?;
        self.check_dofs()?;
        self.check_trees()?;
        self.check_mocap()
    }

    /// Parents come first; roots and welded bodies follow from them.
    fn check_parents(&self) -> Check {
        for b in self.bodies() {
            let (at, parent) = (b.idx(), self.body_parentid[b]);
            let last = at.saturating_sub(1);
            let fits = parent.idx() <= last;
            check(fits, "body_parentid", at, Requirement::Between(0, last as i64))?;
            let root = if parent == BodyId::WORLD { b } else { self.body_rootid[parent] };
            exactly(self.body_rootid[b].idx() as i64, root.idx(), "body_rootid", at)?;
            let fixed = self.body_jntnum[b] == 0;
            let weld = match at {
                0 => BodyId::WORLD,
                _ if fixed => self.body_weldid[parent],
                _ => b,
            };
            exactly(self.body_weldid[b].idx() as i64, weld.idx(), "body_weldid", at)?;
        }
        Ok(())
    }

    /// Joints, dofs and geoms are sorted by body.
    fn check_parts(&self) -> Check {
        exactly(i64::from(self.body_jntnum[0]), 0, "body_jntnum", 0)?;
        let (mut joints, mut dofs, mut geoms) = (0, 0, 0);
        for b in self.bodies() {
            let at = b.idx();
            let run = |adr: i64, num: i32, next: usize, field| match num {
                0 => check(adr == -1, field, at, Requirement::Exactly(-1)),
                _ => exactly(adr, next, field, at),
            };

            // the body's ranges start at the end of the previous body's
            run(number(self.body_jntadr[b]), self.body_jntnum[b], joints, "body_jntadr")?;
            run(number(self.body_dofadr[b]), self.body_dofnum[b], dofs, "body_dofadr")?;
            run(number(self.body_geomadr[b]), self.body_geomnum[b], geoms, "body_geomadr")?;
            let own: usize = self.body_joints(b).map(|j| self.jnt_type[j].nv()).sum();
            exactly(i64::from(self.body_dofnum[b]), own, "body_dofnum", at)?;

            // members refer to the body
            for j in self.body_joints(b) {
                exactly(self.jnt_bodyid[j].idx() as i64, at, "jnt_bodyid", j.idx())?;
            }
            for g in self.body_geoms(b) {
                exactly(self.geom_bodyid[g].idx() as i64, at, "geom_bodyid", g.idx())?;
            }
            joints += self.body_jntnum[b] as usize;
            dofs += own;
            geoms += self.body_geomnum[b] as usize;
        }
        exactly(self.njnt as i64, joints, "njnt", 0)?;
        exactly(self.nv as i64, dofs, "nv", 0)?;
        exactly(self.ngeom as i64, geoms, "ngeom", 0)
    }

    /// Coordinates and dofs of consecutive joints.
    fn check_joints(&self) -> Check {
        let (mut qpos, mut dof) = (0, 0);
        for j in self.joints() {
            let (at, kind) = (j.idx(), self.jnt_type[j]);
            exactly(i64::from(self.jnt_qposadr[j]), qpos, "jnt_qposadr", at)?;
            exactly(self.jnt_dofadr[j].idx() as i64, dof, "jnt_dofadr", at)?;
            qpos += kind.nq();
            dof += kind.nv();
        }
        exactly(self.nq as i64, qpos, "nq", 0)
    }

    /// Every dof has the preceding dof on the path to the root as parent.
    fn check_dofs(&self) -> Check {
        for b in self.bodies() {
            let mut parent = self.body_last_dof(self.body_parentid[b]);
            for v in self.body_dofs(b) {
                let at = v.idx();
                exactly(self.dof_bodyid[v].idx() as i64, b.idx(), "dof_bodyid", at)?;
                let (found, wanted) = (number(self.dof_parentid[v]), number(Maybe::from(parent)));
                check(found == wanted, "dof_parentid", at, Requirement::Exactly(wanted))?;
                parent = Some(v);
            }
        }
        for j in self.joints() {
            for v in self.jnt_dofs(j) {
                exactly(self.dof_jntid[v].idx() as i64, j.idx(), "dof_jntid", v.idx())?;
            }
        }

        // entries of `qM`, and consecutive simple dofs
        let mut entries = 0;
        for v in self.dofs() {
            let (at, simple) = (v.idx(), self.dof_simplenum[v]);
            exactly(i64::from(self.dof_Madr[v]), entries, "dof_Madr", at)?;
            entries += self.dof_chain(v).count();
            let next = self.dof_simplenum.get(at + 1).map_or(0, |n| i64::from(*n));
            let run = Requirement::Exactly(next + 1);
            check(simple == 0 || i64::from(simple) == next + 1, "dof_simplenum", at, run)?;
        }
        exactly(self.nM as i64, entries, "nM", 0)
    }

    /// A tree is a range of bodies below its moving root, and a range of dofs.
    fn check_trees(&self) -> Check {
        // bodies belong to the parent's tree, or begin a tree
        let mut trees = 0;
        for b in self.bodies() {
            let above = number(self.body_treeid[self.body_parentid[b]]);
            let tree = match b {
                BodyId::WORLD => -1,
                _ if above < 0 && self.body_jntnum[b] > 0 => {
                    trees += 1;
                    trees - 1
                }
                _ => above,
            };
            let found = number(self.body_treeid[b]);
            check(found == tree, "body_treeid", b.idx(), Requirement::Exactly(tree))?;
        }
        exactly(self.ntree as i64, trees as usize, "ntree", 0)?;

        // bodies and dofs of a tree
        let mut dofs = 0;
        for t in self.trees() {
            let at = t.idx();
            let bodies = rows(self.tree_bodyadr[t].idx() as i32, self.tree_bodynum[t]);
            let own = |b: usize| self.body_treeid[b].get() == Some(t);
            let starts = !bodies.is_empty() && (bodies.start == 0 || !own(bodies.start - 1));
            let run =
                starts && bodies.clone().all(own) && !(bodies.end < self.nbody && own(bodies.end));
            check(run, "tree_bodyadr", at, Requirement::Such("the first body of the tree"))?;
            exactly(self.tree_dofadr[t].idx() as i64, dofs, "tree_dofadr", at)?;
            let wanted = bodies.map(|b| self.body_dofnum[b] as usize).sum();
            exactly(i64::from(self.tree_dofnum[t]), wanted, "tree_dofnum", at)?;
            for v in dofs..dofs + wanted {
                exactly(self.dof_treeid[DofId::new(v)].idx() as i64, at, "dof_treeid", v)?;
            }
            dofs += wanted;
        }
        exactly(self.nv as i64, dofs, "nv", 0)
    }

    /// Every row of the mocap arrays belongs to one body.
    fn check_mocap(&self) -> Check {
        // counted first, because the size has no array in the file and may be huge
        let bodies = self.bodies().filter(|&b| self.body_mocapid[b].get().is_some()).count();
        exactly(self.nmocap as i64, bodies, "nmocap", 0)?;
        let mut seen = vec![false; self.nmocap];
        for b in self.bodies() {
            let Some(k) = self.body_mocapid[b].get() else { continue };
            let fresh = seen.get_mut(k.idx()).is_some_and(|s| !core::mem::replace(s, true));
            check(fresh, "body_mocapid", b.idx(), Requirement::Such("a row of no other body"))?;
        }
        Ok(())
    }
}
