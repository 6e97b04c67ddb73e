//! Trees of degrees of freedom and the sparsity of matrices over them.

use sinew_math::Vec3;
use sinew_model::Model;
use sinew_model::enums::{JointType, SameFrame, WrapType};
use sinew_model::ids::{BodyId, DofId, Maybe, TreeId};

use crate::compile::cx::Cx;
use crate::compile::objects::tendon::TendonRec;
use crate::compile::tree::body::inertial_frame;
use crate::pose::{EPS, same_pos};

/// Properties of the degrees of freedom that the allocation of the model needs.
#[derive(Debug, Default)]
pub(crate) struct Dofs {
    /// Parent of each dof.
    parent: Vec<Option<usize>>,
    /// Body of each dof.
    body: Vec<usize>,
    /// Whether the inertia of each body is diagonal: 1, or 2 if it only slides.
    simple: Vec<u8>,
    /// Dofs of each body's subtree.
    subtree: Vec<usize>,
}

/// Finds the parents of all dofs and the bodies whose inertia is diagonal.
pub(crate) fn link_dofs(cx: &Cx<'_>, tendons: &[TendonRec]) -> Dofs {
    let bodies = &cx.world.bodies;
    let mut dofs = Dofs::default();

    // a dof's parent is the one before it in its body, or the last of an ancestor
    let mut last: Vec<Option<usize>> = vec![None; bodies.len()];
    for (b, body) in bodies.iter().enumerate() {
        let mut parent = if b == 0 { None } else { last[body.parent] };
        for _ in 0..body.dofnum {
            let v = dofs.parent.len();
            dofs.parent.push(parent);
            dofs.body.push(b);
            parent = Some(v);
        }
        last[b] = parent;
    }

    dofs.subtree = bodies.iter().map(|b| b.dofnum).collect();
    for b in (1..bodies.len()).rev() {
        let own = dofs.subtree[b];
        dofs.subtree[bodies[b].parent] += own;
    }
    dofs.simple = simple_bodies(cx, tendons);
    dofs
}

/// Whether each body has a diagonal inertia in joint space.
fn simple_bodies(cx: &Cx<'_>, tendons: &[TendonRec]) -> Vec<u8> {
    let bodies = &cx.world.bodies;
    let mut simple = vec![0u8; bodies.len()];
    for (b, body) in bodies.iter().enumerate() {
        let parent = &bodies[body.parent];
        let root = b == 0 || body.parent == 0;
        let on_fixed_root = parent.parent == 0 && parent.dofnum == 0;
        let centered = inertial_frame(body.ipose()) == SameFrame::Body;
        let leaf = b == 0 || body.children.is_empty();
        if centered && leaf && (root || on_fixed_root) && joints_are_simple(cx, b) {
            let slides = |&j: &usize| cx.world.joints[j].kind == JointType::Slide;
            simple[b] = if body.dofnum > 0 && body.joints.iter().all(slides) { 2 } else { 1 };
        }
    }

    // a tendon with inertia couples the bodies it touches
    for tendon in tendons.iter().filter(|t| t.elem.values().armature() != 0.0) {
        for wrap in &tendon.path {
            let Some(obj) = wrap.obj else { continue };
            match wrap.kind {
                WrapType::Site => simple[cx.world.sites[obj].body] = 0,
                WrapType::Sphere | WrapType::Cylinder => {
                    simple[cx.world.geoms[obj].body] = 0;
                }
                _ => {}
            }
        }
    }
    simple
}

/// Whether joints are at the centre, along axes, and at most the last one turns.
fn joints_are_simple(cx: &Cx<'_>, body: usize) -> bool {
    let mut turned = false;
    for &j in &cx.world.bodies[body].joints {
        let joint = &cx.world.joints[j];
        let along_axis = joint.axis.to_array().iter().filter(|x| x.abs() > EPS).count() == 1;
        let scalar = matches!(joint.kind, JointType::Hinge | JointType::Slide);
        if turned || !same_pos(joint.pos, Vec3::ZERO) || (scalar && !along_axis) {
            return false;
        }
        turned |= matches!(joint.kind, JointType::Ball | JointType::Hinge);
    }
    true
}

impl Dofs {
    /// A dof's ancestors, nearest first.
    fn ancestors(&self, v: usize) -> impl Iterator<Item = usize> + '_ {
        core::iter::successors(self.parent[v], |&p| self.parent[p])
    }

    /// Adds the sizes of trees and matrices.
    pub(crate) fn count(&self, cx: &Cx<'_>, m: &mut Model) {
        let nv = self.parent.len();
        m.ntree = self.parent.iter().filter(|p| p.is_none()).count();
        let mut below = vec![0usize; nv];
        for v in 0..nv {
            below[v] = self.parent[v].map_or(0, |p| below[p] + 1);
        }
        m.nM = nv + below.iter().sum::<usize>();
        m.nD = 2 * m.nM - nv;
        let coupled = (0..nv).filter(|&v| self.simple[self.body[v]] == 0);
        m.nC = nv + coupled.map(|v| below[v]).sum::<usize>();

        // B: the dofs of each body's subtree and of its ancestors
        let bodies = &cx.world.bodies;
        let mut above = vec![0usize; bodies.len()];
        for (b, body) in bodies.iter().enumerate().skip(1) {
            above[b] = above[body.parent] + bodies[body.parent].dofnum;
        }
        m.nB = if nv == 0 { 0 } else { self.subtree.iter().zip(&above).map(|(s, a)| s + a).sum() };
    }

    /// Copies trees and sparsity structures into the model.
    pub(crate) fn store(&self, m: &mut Model) {
        // parents, trees, and rows of the mass matrix
        let nv = self.parent.len();
        m.body_simple.copy_from_slice(&self.simple);
        let (mut trees, mut adr, mut run) = (0, 0, 0);
        for v in 0..nv {
            m.dof_parentid[v] = self.parent[v].map(DofId::new).into();
            trees += usize::from(self.parent[v].is_none());
            m.dof_treeid[v] = TreeId::new(trees.saturating_sub(1));
            m.dof_Madr[v] = adr;
            adr += 1 + self.ancestors(v).count() as i32;
        }

        // runs of simple bodies
        for v in (0..nv).rev() {
            run = if self.simple[self.body[v]] != 0 { run + 1 } else { 0 };
            m.dof_simplenum[v] = run;
        }

        // trees of bodies
        for b in m.bodies() {
            let weld = m.body_weldid[b];
            let first = m.body_dofadr[weld].get();
            m.body_treeid[b] = first.map_or(Maybe::NONE, |v| Maybe::some(m.dof_treeid[v]));
        }

        // patterns of matrices
        self.store_d(m);
        self.store_m(m);
        self.store_b(m);
        store_maps(m);
    }

    /// D: every dof with its ancestors and descendants.
    fn store_d(&self, m: &mut Model) {
        let nv = self.parent.len();
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); nv];
        for v in 0..nv {
            // ancestors are smaller and descendants come later: rows stay sorted
            let mut line: Vec<usize> = self.ancestors(v).collect();
            line.reverse();
            m.D_diag[v] = line.len() as i32;
            for &a in &line {
                rows[a].push(v);
            }
            line.push(v);
            rows[v] = line;
        }
        store_rows(&rows, &mut m.D_rownnz, &mut m.D_rowadr, &mut m.D_colind);
    }

    /// M: every dof with its ancestors, only itself if its body is simple.
    fn store_m(&self, m: &mut Model) {
        let mut at = 0;
        for v in 0..self.parent.len() {
            let mut line: Vec<usize> =
                if m.dof_simplenum[v] == 0 { self.ancestors(v).collect() } else { Vec::new() };
            line.reverse();
            line.push(v);
            m.M_rowadr[v] = at as i32;
            m.M_rownnz[v] = line.len() as i32;
            // the old format has the diagonal first, then ancestors upwards
            for (k, &u) in line.iter().enumerate() {
                m.M_colind[at + k] = DofId::new(u);
                m.mapM2M[at + k] = m.dof_Madr[v] + (line.len() - 1 - k) as i32;
            }
            at += line.len();
        }
    }

    /// B: every body with the dofs that move it and those it carries.
    fn store_b(&self, m: &mut Model) {
        let nbody = m.nbody;
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); nbody];
        if !self.parent.is_empty() {
            for b in (0..nbody).map(BodyId::new) {
                // the dofs above, from the root down
                let mut chain: Vec<BodyId> = Vec::new();
                let mut up = m.body_parentid[b];
                while up.idx() > 0 {
                    chain.push(up);
                    up = m.body_parentid[up];
                }
                for &a in chain.iter().rev() {
                    rows[b.idx()].extend(m.body_dofs(a).map(DofId::idx));
                }
            }
            // bodies are depth first, so a subtree's dofs are in order
            for b in (0..nbody).map(BodyId::new) {
                let own: Vec<usize> = m.body_dofs(b).map(DofId::idx).collect();
                let mut up = b;
                loop {
                    rows[up.idx()].extend(&own);
                    if up.idx() == 0 {
                        break;
                    }
                    up = m.body_parentid[up];
                }
            }
        }
        store_rows(&rows, &mut m.B_rownnz, &mut m.B_rowadr, &mut m.B_colind);
    }
}

/// Copies rows of column numbers as a compressed matrix.
fn store_rows(rows: &[Vec<usize>], nnz: &mut [i32], adr: &mut [i32], col: &mut [DofId]) {
    let mut at = 0;
    for (i, row) in rows.iter().enumerate() {
        adr[i] = at as i32;
        nnz[i] = row.len() as i32;
        for (to, &from) in col[at..].iter_mut().zip(row) {
            *to = DofId::new(from);
        }
        at += row.len();
    }
}

/// Where each entry of D is in M, and the other way round.
fn store_maps(m: &mut Model) {
    m.mapM2D.fill(-1);
    for i in 0..m.nv {
        let start = m.M_rowadr[i] as usize;
        for k in start..start + m.M_rownnz[i] as usize {
            let j = m.M_colind[k].idx();
            for (row, col) in [(i, j), (j, i)] {
                let first = m.D_rowadr[row] as usize;
                let columns: &[DofId] = &m.D_colind;
                let line = &columns[first..first + m.D_rownnz[row] as usize];
                if let Ok(at) = line.binary_search(&DofId::new(col)) {
                    m.mapM2D[first + at] = k as i32;
                    if row == i {
                        m.mapD2M[k] = (first + at) as i32;
                    }
                }
            }
        }
    }
}
