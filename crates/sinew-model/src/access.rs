//! Iteration over a model: the only place that converts addresses to ranges.

use core::ops::Range;

use crate::enums::{ConeType, DisableBit, JacobianType, JointType};
use crate::ids::*;
use crate::model::Model;

impl JointType {
    /// Number of coordinates of this joint type in `qpos`.
    pub const fn nq(self) -> usize {
        match self {
            JointType::Free => 7,
            JointType::Ball => 4,
            _ => 1,
        }
    }

    /// Number of degrees of freedom of this joint type.
    pub const fn nv(self) -> usize {
        match self {
            JointType::Free => 6,
            JointType::Ball => 3,
            _ => 1,
        }
    }
}

/// `num` ids from `start` on; empty without a start.
fn ids<I: Id>(start: Maybe<I>, num: i32) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator {
    let first = start.get().map_or(0, I::idx);
    (first..first + num.max(0) as usize).map(I::new)
}

/// `num` rows from `start` on.
fn rows(start: i32, num: i32) -> Range<usize> {
    let first = start.max(0) as usize;
    first..first + num.max(0) as usize
}

impl Model {
    /// All bodies, the world first.
    #[inline]
    pub fn bodies(&self) -> impl DoubleEndedIterator<Item = BodyId> + ExactSizeIterator + use<> {
        (0..self.nbody).map(BodyId::new)
    }

    /// All joints.
    #[inline]
    pub fn joints(&self) -> impl DoubleEndedIterator<Item = JointId> + ExactSizeIterator + use<> {
        (0..self.njnt).map(JointId::new)
    }

    /// All degrees of freedom.
    #[inline]
    pub fn dofs(&self) -> impl DoubleEndedIterator<Item = DofId> + ExactSizeIterator + use<> {
        (0..self.nv).map(DofId::new)
    }

    /// All kinematic trees.
    #[inline]
    pub fn trees(&self) -> impl DoubleEndedIterator<Item = TreeId> + ExactSizeIterator + use<> {
        (0..self.ntree).map(TreeId::new)
    }

    /// All geoms.
    #[inline]
    pub fn geoms(&self) -> impl DoubleEndedIterator<Item = GeomId> + ExactSizeIterator + use<> {
        (0..self.ngeom).map(GeomId::new)
    }

    /// All sites.
    #[inline]
    pub fn sites(&self) -> impl DoubleEndedIterator<Item = SiteId> + ExactSizeIterator + use<> {
        (0..self.nsite).map(SiteId::new)
    }

    /// All cameras.
    #[inline]
    pub fn cameras(&self) -> impl DoubleEndedIterator<Item = CamId> + ExactSizeIterator + use<> {
        (0..self.ncam).map(CamId::new)
    }

    /// All lights.
    #[inline]
    pub fn lights(&self) -> impl DoubleEndedIterator<Item = LightId> + ExactSizeIterator + use<> {
        (0..self.nlight).map(LightId::new)
    }

    /// All flexes.
    #[inline]
    pub fn flexes(&self) -> impl DoubleEndedIterator<Item = FlexId> + ExactSizeIterator + use<> {
        (0..self.nflex).map(FlexId::new)
    }

    /// All equality constraints.
    #[inline]
    pub fn equalities(&self) -> impl DoubleEndedIterator<Item = EqId> + ExactSizeIterator + use<> {
        (0..self.neq).map(EqId::new)
    }

    /// All tendons.
    #[inline]
    pub fn tendons(&self) -> impl DoubleEndedIterator<Item = TendonId> + ExactSizeIterator + use<> {
        (0..self.ntendon).map(TendonId::new)
    }

    /// All actuators.
    pub fn actuators(
        &self,
    ) -> impl DoubleEndedIterator<Item = ActuatorId> + ExactSizeIterator + use<> {
        (0..self.nu).map(ActuatorId::new)
    }

    /// All sensors.
    #[inline]
    pub fn sensors(&self) -> impl DoubleEndedIterator<Item = SensorId> + ExactSizeIterator + use<> {
        (0..self.nsensor).map(SensorId::new)
    }

    /// The joints of a body.
    #[inline]
    pub fn body_joints(&self, b: BodyId) -> impl DoubleEndedIterator<Item = JointId> + use<> {
        ids(self.body_jntadr[b], self.body_jntnum[b])
    }

    /// The degrees of freedom of a body.
    #[inline]
    pub fn body_dofs(&self, b: BodyId) -> impl DoubleEndedIterator<Item = DofId> + use<> {
        ids(self.body_dofadr[b], self.body_dofnum[b])
    }

    /// The degrees of freedom of a body, as a range of rows.
    #[inline]
    pub fn body_dof_range(&self, b: BodyId) -> Range<usize> {
        let first = self.body_dofadr[b].get().map_or(0, DofId::idx);
        first..first + self.body_dofnum[b].max(0) as usize
    }

    /// The geoms of a body.
    #[inline]
    pub fn body_geoms(&self, b: BodyId) -> impl DoubleEndedIterator<Item = GeomId> + use<> {
        ids(self.body_geomadr[b], self.body_geomnum[b])
    }

    /// The ids of a body's geoms, as a range.
    #[inline]
    pub fn body_geom_range(&self, b: BodyId) -> Range<usize> {
        let first = self.body_geomadr[b].get().map_or(0, GeomId::idx);
        first..first + self.body_geomnum[b].max(0) as usize
    }

    /// The ids of the joints of consecutive bodies.
    #[inline(always)]
    pub fn joint_range(&self, bodies: Range<usize>) -> Range<usize> {
        if bodies == (0..self.nbody) { 0..self.njnt } else { self.joints_of_some(bodies) }
    }

    fn joints_of_some(&self, bodies: Range<usize>) -> Range<usize> {
        let mut jointed = bodies.filter(|&b| self.body_jntnum[b] > 0);
        let Some(first) = jointed.next() else { return 0..0 };
        let last = jointed.next_back().unwrap_or(first);
        let adr = |b: usize| self.body_jntadr[b].get().map_or(0, JointId::idx);
        adr(first)..adr(last) + self.body_jntnum[last].max(0) as usize
    }

    /// The degrees of freedom of a joint.
    #[inline]
    pub fn jnt_dofs(&self, j: JointId) -> impl DoubleEndedIterator<Item = DofId> + Clone + use<> {
        let first = self.jnt_dofadr[j].idx();
        (first..first + self.jnt_type[j].nv()).map(DofId::new)
    }

    /// Range of a joint's coordinates in `qpos`.
    #[inline]
    pub fn jnt_qpos(&self, j: JointId) -> Range<usize> {
        let adr = self.jnt_qposadr[j] as usize;
        adr..adr + self.jnt_type[j].nq()
    }

    /// The vertices of a flex, as rows of `flex_vert`.
    #[inline]
    pub fn flex_verts(&self, f: FlexId) -> Range<usize> {
        rows(self.flex_vertadr[f], self.flex_vertnum[f])
    }

    /// The nodes of a flex, as rows of `flex_node`.
    #[inline]
    pub fn flex_nodes(&self, f: FlexId) -> Range<usize> {
        rows(self.flex_nodeadr[f], self.flex_nodenum[f])
    }

    /// The edges of a flex, as rows of `flex_edge`.
    #[inline]
    pub fn flex_edges(&self, f: FlexId) -> Range<usize> {
        rows(self.flex_edgeadr[f], self.flex_edgenum[f])
    }

    /// The elements of a flex, as rows of `flex_elemlayer`.
    #[inline]
    pub fn flex_elems(&self, f: FlexId) -> Range<usize> {
        rows(self.flex_elemadr[f], self.flex_elemnum[f])
    }

    /// The vertices of element `e` of a flex, relative to the first vertex of the flex; `e` is
    /// relative to its first element.
    #[inline]
    pub fn flex_elem_verts(&self, f: FlexId, e: usize) -> &[i32] {
        let width = self.flex_dim[f] as usize + 1;
        let adr = self.flex_elemdataadr[f] as usize + e * width;
        self.flex_elem.rows(adr..adr + width)
    }

    /// The body of a vertex; the world if the vertex is interpolated.
    #[inline]
    pub fn flex_vert_body(&self, v: usize) -> BodyId {
        self.flex_vertbodyid[v].get().unwrap_or(BodyId::WORLD)
    }

    /// Whether element `e` of a flex takes part in self-collisions; elements of a solid do only
    /// near its surface.
    #[doc(alias = "mj_isElemActive")]
    #[inline]
    pub fn flex_elem_is_active(&self, f: FlexId, e: usize) -> bool {
        let layer = self.flex_elemlayer[self.flex_elems(f).start + e];
        self.flex_dim[f] < 3 || layer < self.flex_activelayers[f]
    }

    /// The nodes of a flex's bounding-volume tree; empty if it has none.
    #[inline]
    pub fn flex_bvh(&self, f: FlexId) -> Range<usize> {
        match self.flex_bvhadr[f] {
            adr if adr < 0 => 0..0,
            adr => rows(adr, self.flex_bvhnum[f]),
        }
    }

    /// Range of dof `v`'s row in `M`, `qLD` and `M_colind`: ancestors first, itself last.
    #[inline]
    pub fn M_row(&self, v: DofId) -> Range<usize> {
        let adr = self.M_rowadr[v] as usize;
        adr..adr + self.M_rownnz[v] as usize
    }

    /// Range of the rows of consecutive dofs in `M`, `qLD` and `M_colind`.
    #[inline]
    pub fn M_rows(&self, dofs: Range<usize>) -> Range<usize> {
        if dofs.is_empty() {
            return 0..0;
        }
        let end = self.M_row(DofId::new(dofs.end - 1)).end;
        self.M_row(DofId::new(dofs.start)).start..end
    }

    /// Range of the rows of consecutive dofs in `qDeriv` and `D_colind`.
    #[inline]
    pub fn D_rows(&self, dofs: Range<usize>) -> Range<usize> {
        if dofs.is_empty() {
            return 0..0;
        }
        let last = dofs.end - 1;
        let end = self.D_rowadr[last] as usize + self.D_rownnz[last] as usize;
        self.D_rowadr[dofs.start] as usize..end
    }

    /// The last dof that moves a body: its own, or the last dof of the ancestor to which it is
    /// welded.
    #[inline]
    pub fn body_last_dof(&self, b: BodyId) -> Option<DofId> {
        let mover = self.body_weldid[b];
        let last = self.body_dofnum[mover].checked_sub(1)?;
        let first = self.body_dofadr[mover].get()?;
        Some(DofId::new(first.idx() + usize::try_from(last).ok()?))
    }

    /// The dofs that move a body, from the last towards the root.
    #[inline]
    pub fn body_chain(&self, b: BodyId) -> impl Iterator<Item = DofId> + '_ {
        core::iter::successors(self.body_last_dof(b), |&v| self.dof_parentid[v].get())
    }

    /// Whether gravity is enabled and not zero.
    pub fn has_gravity(&self) -> bool {
        !self.opt.disabled(DisableBit::Gravity) && self.opt.gravity.norm() != 0.0
    }

    /// Whether Jacobians are stored as sparse rows.
    #[doc(alias = "mj_isSparse")]
    #[inline]
    pub fn is_sparse(&self) -> bool {
        match self.opt.jacobian {
            JacobianType::Sparse => true,
            JacobianType::Auto => self.nv >= 60,
            _ => false,
        }
    }

    /// The friction cone of contact rows: the cone of the options, or always the elliptic cone in
    /// the exact friction mode.
    #[inline]
    pub fn cone(&self) -> ConeType {
        if self.coulomb.enabled { ConeType::Elliptic } else { self.opt.cone }
    }

    /// A dof and its ancestors, towards the root.
    #[inline]
    pub fn dof_chain(&self, v: DofId) -> impl Iterator<Item = DofId> + '_ {
        core::iter::successors(Some(v), |&v| self.dof_parentid[v].get())
    }
}
