//! Checks that every reference of a model points at something, so that no stage can go astray.

mod sensor;

use crate::enums::{EqType, GeomType, JointType, ObjType, TrnType, WrapType};
use crate::ids::{BodyId, DofId};
use crate::model::Model;

/// A field of a model that refers to nothing, or to the wrong thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidModel {
    /// The field.
    pub field: &'static str,
    /// The row of it.
    pub row: usize,
}

impl core::fmt::Display for InvalidModel {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "invalid model: {}[{}] is out of bounds", self.field, self.row)
    }
}

impl core::error::Error for InvalidModel {}

/// Fields that must name a row, and the size that counts those rows.
const REQUIRED: &[(&str, &str)] = &[
    ("body_parentid", "nbody"),
    ("body_rootid", "nbody"),
    ("body_weldid", "nbody"),
    ("jnt_bodyid", "nbody"),
    ("dof_bodyid", "nbody"),
    ("dof_jntid", "njnt"),
    ("dof_treeid", "ntree"),
    ("geom_bodyid", "nbody"),
    ("site_bodyid", "nbody"),
    ("cam_bodyid", "nbody"),
    ("light_bodyid", "nbody"),
    ("pair_geom1", "ngeom"),
    ("pair_geom2", "ngeom"),
    ("flex_edge", "nflexvert"),
    ("flex_elem", "nflexvert"),
    ("skin_bonebodyid", "nbody"),
    ("skin_bonevertid", "nskinvert"),
    ("mapM2M", "nM"),
    ("mapD2M", "nD"),
    ("name_bodyadr", "nnames"),
    ("name_jntadr", "nnames"),
    ("name_geomadr", "nnames"),
    ("name_siteadr", "nnames"),
    ("name_camadr", "nnames"),
    ("name_lightadr", "nnames"),
    ("name_meshadr", "nnames"),
    ("name_hfieldadr", "nnames"),
    ("name_texadr", "nnames"),
    ("name_matadr", "nnames"),
    ("name_pairadr", "nnames"),
    ("name_excludeadr", "nnames"),
    ("name_eqadr", "nnames"),
    ("name_tendonadr", "nnames"),
    ("name_actuatoradr", "nnames"),
    ("name_sensoradr", "nnames"),
    ("name_numericadr", "nnames"),
    ("name_textadr", "nnames"),
    ("name_tupleadr", "nnames"),
    ("name_keyadr", "nnames"),
];

/// Fields that name a row or nothing.
const OPTIONAL: &[(&str, &str)] = &[
    ("body_mocapid", "nmocap"),
    ("body_treeid", "ntree"),
    ("body_plugin", "nplugin"),
    ("geom_matid", "nmat"),
    ("geom_plugin", "nplugin"),
    ("site_matid", "nmat"),
    ("cam_targetbodyid", "nbody"),
    ("light_targetbodyid", "nbody"),
    ("light_texid", "ntex"),
    ("mat_texid", "ntex"),
    ("mesh_graphadr", "nmeshgraph"),
    ("skin_matid", "nmat"),
    ("tendon_matid", "nmat"),
    ("tendon_treeid", "ntree"),
    ("actuator_plugin", "nplugin"),
    ("sensor_plugin", "nplugin"),
    ("mapM2D", "nC"),
    ("hfield_pathadr", "npaths"),
    ("mesh_pathadr", "npaths"),
    ("skin_pathadr", "npaths"),
    ("tex_pathadr", "npaths"),
];

/// First row, number of rows, and the size that counts them all.
const RANGES: &[(&str, &str, &str)] = &[
    ("body_jntadr", "body_jntnum", "njnt"),
    ("body_dofadr", "body_dofnum", "nv"),
    ("body_geomadr", "body_geomnum", "ngeom"),
    ("body_bvhadr", "body_bvhnum", "nbvh"),
    ("tree_bodyadr", "tree_bodynum", "nbody"),
    ("tree_dofadr", "tree_dofnum", "nv"),
    ("mesh_vertadr", "mesh_vertnum", "nmeshvert"),
    ("mesh_normaladr", "mesh_normalnum", "nmeshnormal"),
    ("mesh_texcoordadr", "mesh_texcoordnum", "nmeshtexcoord"),
    ("mesh_faceadr", "mesh_facenum", "nmeshface"),
    ("mesh_bvhadr", "mesh_bvhnum", "nbvh"),
    ("mesh_polyadr", "mesh_polynum", "nmeshpoly"),
    ("mesh_polyvertadr", "mesh_polyvertnum", "nmeshpolyvert"),
    ("mesh_polymapadr", "mesh_polymapnum", "nmeshpolymap"),
    ("tendon_adr", "tendon_num", "nwrap"),
    ("actuator_actadr", "actuator_actnum", "na"),
    ("sensor_adr", "sensor_dim", "nsensordata"),
    ("plugin_stateadr", "plugin_statenum", "npluginstate"),
    ("numeric_adr", "numeric_size", "nnumericdata"),
    ("text_adr", "text_size", "ntextdata"),
    ("tuple_adr", "tuple_size", "ntupledata"),
];

/// `Ok` if `ok`; otherwise names the field and row.
fn check(ok: bool, field: &'static str, row: usize) -> Result<(), InvalidModel> {
    if ok { Ok(()) } else { Err(InvalidModel { field, row }) }
}

/// Whether `id` is one of `n` rows.
fn within(id: i32, n: usize) -> bool {
    usize::try_from(id).is_ok_and(|id| id < n)
}

impl Model {
    /// Checks every reference between the arrays.
    ///
    /// Whoever fills a model from outside owes this check before simulating: stages index without
    /// asking.
    #[doc(alias = "mj_validateReferences")]
    pub fn validate(&self) -> Result<(), InvalidModel> {
        self.check_tables()?;
        self.check_totals()?;
        self.check_tree()?;
        self.check_patterns()?;
        self.check_shapes()?;
        self.check_objects()?;
        self.check_meshes()?;
        self.check_sensors()?;
        self.check_histories()
    }

    /// The references listed in the tables above.
    fn check_tables(&self) -> Result<(), InvalidModel> {
        let size = |name| self.size(name).expect("tables name sizes of the model");
        for &(field, target) in REQUIRED {
            for (row, id) in self.integers(field).enumerate() {
                check(within(id, size(target)), field, row)?;
            }
        }
        for &(field, target) in OPTIONAL {
            for (row, id) in self.integers(field).enumerate() {
                check(id == -1 || within(id, size(target)), field, row)?;
            }
        }
        for &(field, num, target) in RANGES {
            for (row, (adr, num)) in self.integers(field).zip(self.integers(num)).enumerate() {
                let end = i64::from(adr) + i64::from(num);
                let inside = adr >= 0 && num >= 0 && end <= size(target) as i64;
                check(inside || (num == 0 && adr == -1), field, row)?;
            }
        }
        Ok(())
    }

    /// Sizes of arrays that only `Data` has are what the model's rows add up to.
    fn check_totals(&self) -> Result<(), InvalidModel> {
        let sum = |field| self.integers(field).map(i64::from).sum::<i64>();
        check(sum("sensor_dim") == self.nsensordata as i64, "nsensordata", 0)?;
        check(sum("plugin_statenum") == self.npluginstate as i64, "npluginstate", 0)?;
        check(self.nbvhstatic.checked_add(self.nbvhdynamic) == Some(self.nbvh), "nbvhdynamic", 0)?;
        let moments = self.actuators().map(|u| match self.actuator_trntype[u] {
            TrnType::Joint | TrnType::Jointinparent => {
                let joint = usize::try_from(self.actuator_trnid[u][0]).ok();
                joint.and_then(|j| self.jnt_type.get(j)).map_or(0, |kind| kind.nv())
            }
            _ => self.nv,
        });
        check(moments.sum::<usize>() == self.nJmom, "nJmom", 0)?;
        let mocap = self.bodies().filter(|&b| self.body_mocapid[b].get().is_some()).count();
        check(mocap == self.nmocap, "nmocap", 0)
    }

    /// A field's numbers, row after row.
    fn integers(&self, field: &str) -> impl Iterator<Item = i32> + '_ {
        let bytes = self.field(field).expect("tables name fields of the model").bytes;
        bytes.as_chunks::<4>().0.iter().map(|&b| i32::from_ne_bytes(b))
    }

    /// Bodies and dofs come after their parents; joints have room for their coordinates.
    fn check_tree(&self) -> Result<(), InvalidModel> {
        check(self.nbody > 0, "nbody", 0)?;
        for b in self.bodies() {
            let row = b.idx();
            check(row == 0 || self.body_parentid[b] < b, "body_parentid", row)?;
            check(self.body_rootid[b] <= b, "body_rootid", row)?;
            check(self.body_weldid[b] <= b, "body_weldid", row)?;
        }
        for j in self.joints() {
            let (row, kind) = (j.idx(), self.jnt_type[j]);
            check((JointType::Free..=JointType::Hinge).contains(&kind), "jnt_type", row)?;
            let qpos = usize::try_from(self.jnt_qposadr[j]).is_ok_and(|q| q + kind.nq() <= self.nq);
            check(qpos, "jnt_qposadr", row)?;
            let dof = self.jnt_dofadr[j].idx();
            check(dof < self.nv && dof + kind.nv() <= self.nv, "jnt_dofadr", row)?;
        }
        for v in self.dofs() {
            check(self.dof_parentid[v].get().is_none_or(|p| p < v), "dof_parentid", v.idx())?;
        }
        Ok(())
    }

    /// Sparse patterns are those of the tree.
    fn check_patterns(&self) -> Result<(), InvalidModel> {
        let mut end = 0;
        for v in self.dofs() {
            // ancestors and itself; itself alone if simple, which no other dof may hang on
            let parent = self.dof_parentid[v].get();
            let simple = self.dof_simplenum[v] != 0;
            let above_simple = !simple && parent.is_some_and(|p| self.dof_simplenum[p] != 0);
            check(!above_simple, "dof_simplenum", v.idx())?;
            let mut chain = self.dof_chain(v).take(if simple { 1 } else { self.nv });
            let row = pattern_row(self.M_rowadr[v], self.M_rownnz[v], end, self.nC);
            let row = row.ok_or(InvalidModel { field: "M_rowadr", row: v.idx() })?;
            end = row.end;
            let same = row.clone().rev().all(|k| chain.next() == Some(self.M_colind[k]));
            check(same && chain.next().is_none(), "M_colind", row.start)?;
        }
        check(end == self.nC, "nC", 0)?;

        // ancestors, itself and descendants
        let related = |v: DofId, c: DofId| {
            self.dof_chain(v.max(c)).take_while(|&a| a >= v.min(c)).any(|a| a == v.min(c))
        };
        let mut end = 0;
        for v in self.dofs() {
            let row = pattern_row(self.D_rowadr[v], self.D_rownnz[v], end, self.nD);
            let row = row.ok_or(InvalidModel { field: "D_rowadr", row: v.idx() })?;
            end = row.end;
            let cols = &self.D_colind.split_at(row.start).1[..row.len()];
            let rising = cols.windows(2).all(|w| w[0] < w[1]);
            let known = cols.iter().all(|&c| c.idx() < self.nv && related(v, c));
            check(rising && known, "D_colind", row.start)?;
            let diag = usize::try_from(self.D_diag[v]).ok().and_then(|k| cols.get(k));
            check(diag == Some(&v), "D_diag", v.idx())?;
        }
        let pairs: usize = self.dofs().map(|v| self.dof_chain(v).count() - 1).sum();
        check(end == self.nD && end == self.nv + 2 * pairs, "nD", 0)?;
        check(self.nM == self.nv + pairs, "nM", 0)?;
        self.check_body_pattern()
    }

    /// Rows of bodies hold the dofs of ancestors, body and subtree.
    fn check_body_pattern(&self) -> Result<(), InvalidModel> {
        let in_subtree = |b: BodyId, mut of: BodyId| {
            while of > b {
                of = self.body_parentid[of];
            }
            of == b
        };
        let mut subtree_dofs: Vec<usize> =
            self.bodies().map(|b| self.body_dof_range(b).len()).collect();
        for b in self.bodies().skip(1).rev() {
            let own = subtree_dofs[b.idx()];
            subtree_dofs[self.body_parentid[b].idx()] += own;
        }
        let mut end = 0;
        for b in self.bodies() {
            let row = pattern_row(self.B_rowadr[b], self.B_rownnz[b], end, self.nB);
            let row = row.ok_or(InvalidModel { field: "B_rowadr", row: b.idx() })?;
            end = row.end;
            if b == BodyId::WORLD {
                continue; // never read
            }
            let cols = &self.B_colind.split_at(row.start).1[..row.len()];
            let above = self.body_chain(self.body_parentid[b]).count();
            let complete = row.len() == above + subtree_dofs[b.idx()];
            let rising = cols.windows(2).all(|w| w[0] < w[1]);
            let known = cols.iter().enumerate().all(|(k, &v)| {
                v.idx() < self.nv && (k < above || in_subtree(b, self.dof_bodyid[v]))
            });
            check(complete && rising && known, "B_colind", row.start)?;
        }
        Ok(())
    }

    /// Assets of geoms, height fields and textures.
    fn check_shapes(&self) -> Result<(), InvalidModel> {
        for g in self.geoms() {
            let n = match self.geom_type[g] {
                GeomType::Hfield => self.nhfield,
                GeomType::Mesh | GeomType::Sdf => self.nmesh,
                _ => continue,
            };
            let id = self.geom_dataid[g];
            check(id == -1 || within(id, n), "geom_dataid", g.idx())?;
        }
        for h in 0..self.nhfield {
            let (rows, cols) = (i64::from(self.hfield_nrow[h]), i64::from(self.hfield_ncol[h]));
            let adr = i64::from(self.hfield_adr[h]);
            let fits = adr >= 0 && rows >= 0 && cols >= 0;
            let end = rows.checked_mul(cols).and_then(|n| n.checked_add(adr));
            let fits = fits && end.is_some_and(|end| end <= self.nhfielddata as i64);
            check(fits, "hfield_adr", h)?;
        }
        for t in 0..self.ntex {
            let dims = [self.tex_nchannel[t], self.tex_height[t], self.tex_width[t]];
            let bytes = dims
                .iter()
                .try_fold(1i64, |n, &k| (k >= 0).then(|| n.checked_mul(i64::from(k))).flatten());
            let adr = self.tex_adr[t];
            let end = bytes.and_then(|n| n.checked_add(adr));
            check(adr >= 0 && end.is_some_and(|end| end <= self.ntexdata as i64), "tex_adr", t)?;
        }
        Ok(())
    }

    /// Objects of equality constraints, tendon paths and transmissions.
    fn check_objects(&self) -> Result<(), InvalidModel> {
        for e in self.equalities() {
            let (n, optional) = match (self.eq_type[e], self.eq_objtype[e]) {
                (EqType::Joint, _) => (self.njnt, true),
                (EqType::Tendon, _) => (self.ntendon, true),
                (EqType::Flex | EqType::Flexvert, _) => (self.nflex, true),
                (EqType::Connect | EqType::Weld, ObjType::Body) => (self.nbody, false),
                (EqType::Connect | EqType::Weld, ObjType::Site) => (self.nsite, false),
                _ => return check(false, "eq_type", e.idx()),
            };
            let (first, second) = (self.eq_obj1id[e], self.eq_obj2id[e]);
            check(within(first, n), "eq_obj1id", e.idx())?;
            check(within(second, n) || (optional && second == -1), "eq_obj2id", e.idx())?;
        }
        for w in 0..self.nwrap {
            let n = match self.wrap_type[w] {
                WrapType::Joint => self.njnt,
                WrapType::Site => self.nsite,
                WrapType::Sphere | WrapType::Cylinder => {
                    // the side is a site, or none
                    let side = self.wrap_prm[w];
                    check(side < self.nsite as f64, "wrap_prm", w)?;
                    self.ngeom
                }
                _ => continue,
            };
            check(within(self.wrap_objid[w], n), "wrap_objid", w)?;
        }
        for t in self.tendons() {
            let adr = self.tendon_adr[t].idx();
            let path = &self.wrap_type.split_at(adr).1[..self.tendon_num[t] as usize];
            check(is_path(path), "wrap_type", adr)?;
        }
        for u in self.actuators() {
            let stateful = self.actuator_actadr[u] >= 0;
            check(stateful == (self.actuator_actnum[u] > 0), "actuator_actnum", u.idx())?;
            let [id, second] = self.actuator_trnid[u];
            let ok = match self.actuator_trntype[u] {
                TrnType::Joint | TrnType::Jointinparent => within(id, self.njnt),
                TrnType::Tendon => within(id, self.ntendon),
                TrnType::Site => {
                    within(id, self.nsite) && (second == -1 || within(second, self.nsite))
                }
                TrnType::Slidercrank => within(id, self.nsite) && within(second, self.nsite),
                TrnType::Body => within(id, self.nbody),
                _ => true,
            };
            check(ok, "actuator_trnid", u.idx())?;
        }
        Ok(())
    }

    /// History buffers: two numbers, then a time and a sample for each entry.
    fn check_histories(&self) -> Result<(), InvalidModel> {
        let fits = |n: i32, dim: i32, adr: i32| {
            let len = 2 + i64::from(n) * (1 + i64::from(dim));
            n <= 0 || (adr >= 0 && i64::from(adr) + len <= self.nhistory as i64)
        };
        for u in self.actuators() {
            let ok = fits(self.actuator_history[u][0], 1, self.actuator_historyadr[u]);
            check(ok, "actuator_historyadr", u.idx())?;
        }
        for s in self.sensors() {
            let (n, dim) = (self.sensor_history[s][0], self.sensor_dim[s]);
            check(fits(n, dim, self.sensor_historyadr[s]), "sensor_historyadr", s.idx())?;
        }
        Ok(())
    }
}

/// Whether a tendon is a sum of joints, or runs over sites with geoms between two of them.
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

/// A row of a pattern that starts where the last one ended and stays within `total`.
fn pattern_row(adr: i32, nnz: i32, start: usize, total: usize) -> Option<core::ops::Range<usize>> {
    let end = start.checked_add(usize::try_from(nnz).ok()?)?;
    (usize::try_from(adr).ok()? == start && end <= total).then_some(start..end)
}
