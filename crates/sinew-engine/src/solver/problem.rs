//! The problem of a primal solver: the rows and dofs of an island, laid out for its loops.
//!
//! Rows are sorted by kind: equalities, dry friction, one-sided rows, elliptic cones; each kind
//! begins at a whole register and ends with rows that do nothing. Within a kind, rows keep their
//! order, and those of one pattern form a group.

use core::ops::Range;

use sinew_model::enums::{ConeType, ConstraintState, ConstraintType};
use sinew_model::{Contact, Data, DofId, Model};

use crate::constraint::jacobian_row;

use super::fill::{Fill, ONE_WORD, one_word};
use super::kernel::{Group, Jacobian, Kernel, MulDense, MulJacobian, MulJacobianT, Single, padded};
use super::lane::Level;
use super::symbolic::{Fronts, Patterns};
use super::zones::Census;

/// An elliptic contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// First of its rows.
    pub(super) row: usize,
    /// How many rows.
    pub(super) dim: usize,
    /// Friction of the regularised cone.
    pub(super) mu: f64,
    /// What makes the cone circular: `mu`, then the friction coefficients.
    pub(super) scale: [f64; 6],
    /// D of the normal / (µ² (1 + µ²)).
    pub(super) dm: f64,
    /// Where it is.
    pub(super) state: ConstraintState,
    /// Its contact.
    pub(super) contact: usize,
    /// Whether it has ever slid.
    pub(super) slid: bool,
    /// When it last slid: the direction, of length one, in the space where the cone is circular;
    /// the first number is zero.
    pub(super) slide: [f64; 6],
    /// When it last slid: the curvature across that direction, over `dm`.
    pub(super) across: f64,
}

/// The rows by position, and their vectors.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// Equalities.
    pub(super) equality: Range<usize>,
    /// Dry friction.
    pub(super) friction: Range<usize>,
    /// One-sided rows: limits, frictionless contacts, edges of pyramids.
    pub(super) one_sided: Range<usize>,
    /// Rows of elliptic contacts.
    pub(super) conic: Range<usize>,
    /// The row of `efc_*` at each position; none at padding.
    pub(super) efc: Vec<Option<u32>>,
    pub(super) d: Vec<f64>,
    pub(super) aref: Vec<f64>,
    pub(super) frictionloss: Vec<f64>,
    /// R times friction loss: the half width of the quadratic zone.
    pub(super) bound: Vec<f64>,
    /// J q̈ - aref
    pub(super) jar: Vec<f64>,
    /// J times the direction of search.
    pub(super) jv: Vec<f64>,
    pub(super) force: Vec<f64>,
    /// D where the row is quadratic, else 0.
    pub(super) weight: Vec<f64>,
    /// Where each dry-friction row is.
    pub(super) friction_state: Vec<ConstraintState>,
    /// A bit for each one-sided row that pushes, four to a byte.
    pub(super) pushes: Vec<u8>,
    pub(super) cones: Vec<Cone>,
}

/// The vectors over dofs, with `ld` numbers, zeros from `n` on.
#[derive(Clone, Debug, Default)]
pub(super) struct Vectors {
    pub(super) qacc: Vec<f64>,
    /// M q̈
    pub(super) ma: Vec<f64>,
    pub(super) qfrc_smooth: Vec<f64>,
    pub(super) qacc_smooth: Vec<f64>,
    /// Jᵀ force
    pub(super) qfrc: Vec<f64>,
    pub(super) grad: Vec<f64>,
    /// M⁻¹ grad
    pub(super) mgrad: Vec<f64>,
    pub(super) search: Vec<f64>,
    /// M times the direction of search.
    pub(super) mv: Vec<f64>,
    /// Of the iteration before.
    pub(super) old_grad: Vec<f64>,
    /// Of the iteration before.
    pub(super) old_mgrad: Vec<f64>,
}

impl Vectors {
    fn reset(&mut self, ld: usize) {
        for v in [
            &mut self.qacc,
            &mut self.ma,
            &mut self.qfrc_smooth,
            &mut self.qacc_smooth,
            &mut self.qfrc,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
            &mut self.mv,
            &mut self.old_grad,
            &mut self.old_mgrad,
        ] {
            v.clear();
            v.resize(ld, 0.0);
        }
    }
}

/// Inertia of the dofs: sparse rows as in `M`, and the same as a dense matrix for a dense front.
#[derive(Clone, Debug, Default)]
pub(super) struct Inertia {
    /// Where each row begins; the last is the end.
    pub(super) adr: Vec<u32>,
    /// Columns: the row's ancestors in the tree and, last, itself.
    pub(super) cols: Vec<u32>,
    pub(super) vals: Vec<f64>,
    /// Where each number adds to the fronts, if there are several.
    pub(super) at: Vec<u32>,
    /// The factor LᵀDL, if asked for.
    pub(super) factor: Vec<f64>,
    /// Inverse of D.
    pub(super) diag_inv: Vec<f64>,
    /// Sum of the diagonal.
    pub(super) trace: f64,
    /// Both triangles by columns of `ld` numbers; empty if there are several fronts, or many dofs
    /// and no fronts.
    pub(super) dense: Vec<f64>,
}

/// Which dofs and rows of the `Data` make up a problem.
pub(super) struct Part<'a> {
    /// Dofs, rising.
    pub(super) dofs: &'a [i32],
    /// Place of every dof of the model among those of its part, plus `first`.
    pub(super) place: &'a [i32],
    pub(super) first: usize,
    /// Rows, rising.
    pub(super) rows: &'a [i32],
    /// How many of them are equalities.
    pub(super) ne: usize,
    /// How many after that are dry friction.
    pub(super) nf: usize,
}

/// Rows and dofs of an island, or all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub(super) level: Level,
    /// Number of dofs.
    pub(super) n: usize,
    /// Length of a vector over dofs: at least one more than `n`.
    pub(super) ld: usize,
    /// Number of rows.
    pub(super) nefc: usize,
    /// The dofs, in the order of elimination.
    pub(super) dofs: Vec<u32>,
    pub(super) v: Vectors,
    pub(super) inertia: Inertia,
    pub(super) rows: Rows,
    pub(super) jac: Jacobian,
    /// Layout of the Newton matrix.
    pub(super) fronts: Fronts,
    patterns: Patterns,
    /// Dofs while they are counted.
    seen: Vec<bool>,
    /// A pattern while it is sorted: columns, and where they were.
    sorting: Vec<(u32, u32)>,
    /// What the last update of the rows found.
    pub(super) census: Census,
    /// Room for the longest pattern of a group.
    pub(super) room: Vec<f64>,
}

impl Problem {
    /// Takes over a part of the data, but no acceleration yet.
    pub(super) fn gather(&mut self, m: &Model, d: &Data, part: &Part<'_>, newton: bool) {
        if self.n != part.dofs.len() {
            self.n = part.dofs.len();
            self.ld = padded(self.n + 1);
            self.v.reset(self.ld);
        }
        self.nefc = part.rows.len();
        if newton && !Fronts::small(self.n) {
            self.patterns.take(m, d, part);
            self.fronts.analyse(&mut self.patterns);
        } else {
            self.fronts.dense(self.n);
        }
        self.dofs.resize(self.n, 0);
        for (&new, &dof) in self.fronts.order.iter().zip(part.dofs) {
            self.dofs[new as usize] = dof as u32;
        }
        for (k, &dof) in self.dofs.iter().enumerate() {
            self.v.qfrc_smooth[k] = d.qfrc_smooth[dof as usize];
            self.v.qacc_smooth[k] = d.qacc_smooth[dof as usize];
        }
        self.gather_inertia(m, d, part, newton);
        self.rows.layout(d, part);
        self.gather_rows(d, part);
    }

    /// Entries of MuJoCo's Newton matrix and of its factors; `inertia` are those of M that it makes
    /// room for.
    pub(super) fn newton_entries(&mut self, m: &Model, part: &Part<'_>, inertia: usize) -> usize {
        if !m.is_sparse() {
            return self.n * self.n;
        }
        let fill = self.fill(m, part);
        let factors = if m.opt.cone == ConeType::Elliptic { 2 } else { 1 };
        factors * fill.factor + fill.pairs + fill.touched + inertia
    }

    fn fill(&mut self, m: &Model, part: &Part<'_>) -> Fill {
        let Problem { jac, fronts, seen, .. } = self;
        if Fronts::small(self.n) {
            let mut above = [0_u64; ONE_WORD];
            let inertia = (0..self.n).map(|k| {
                let parent = part.parent(m, k);
                if parent < k && !part.is_simple(m, k) {
                    above[k] = above[parent] | 1 << parent;
                }
                above[k]
            });
            return one_word(jac, inertia);
        }

        // dofs that only rows with a single column have
        seen.clone_from(&fronts.in_square);
        let mut fill = fronts.fill;
        let narrow = jac.groups.iter().filter(|group| group.k == 1);
        let cols = narrow.map(|group| jac.cols[group.cols]);
        for col in cols.chain(jac.singles.iter().map(|single| single.col)) {
            fill.touched += usize::from(!core::mem::replace(&mut seen[col as usize], true));
        }
        fill
    }

    fn gather_inertia(&mut self, m: &Model, d: &Data, part: &Part<'_>, newton: bool) {
        let Problem { inertia, fronts, .. } = self;
        inertia.clear();
        if fronts.nodes.len() == 1 && (newton || Fronts::small(self.n)) {
            inertia.take_dense(m, d, part, self.ld);
        }
        if newton && fronts.nodes.len() == 1 {
            return;
        }
        for &dof in &self.dofs {
            let row = m.M_row(DofId::new(dof as usize));
            let cols = &(*m.M_colind)[row.clone()];
            let local = cols.iter().map(|c| fronts.order[part.local(c.idx())]);
            inertia.cols.extend(local);
            inertia.vals.extend_from_slice(&d.M.flat()[row.clone()]);
            if !newton {
                inertia.factor.extend_from_slice(&d.qLD.flat()[row]);
                inertia.diag_inv.push(d.qLDiagInv[dof as usize]);
            }
            inertia.adr.push(inertia.cols.len() as u32);
        }
        if newton {
            inertia.find_places(fronts);
        }
        inertia.trace = inertia.adr[1..].iter().map(|&end| inertia.vals[end as usize - 1]).sum();
    }

    fn gather_rows(&mut self, d: &Data, part: &Part<'_>) {
        self.jac.clear();
        let mut ends = self.rows.starts();
        let mut p = 0;
        while p < part.rows.len() {
            let (first, kind) = (part.rows[p] as usize, part.kind(d, p));
            let run = part.run(d, p, kind);
            let at = ends[kind as usize];
            ends[kind as usize] += run;
            self.rows.take(d, first, at, run);
            let cone = self.rows.cones.len();
            if kind == Kind::Conic {
                self.rows.take_cones(&d.contact, &d.efc_id, first, at, run);
            }
            let cones = cone..self.rows.cones.len();
            self.gather_group(d, part, first..first + run, at, cones);
            p += run;
        }
        let room = self.jac.groups.iter().map(|g| g.width).max().unwrap_or(0);
        self.room.clear();
        self.room.resize(room, 0.0);
    }

    /// Rows `efc` of the data, all of one pattern, to the positions from `at`.
    fn gather_group(
        &mut self,
        d: &Data,
        part: &Part<'_>,
        efc: Range<usize>,
        at: usize,
        cones: Range<usize>,
    ) {
        let Problem { jac, fronts, sorting, .. } = self;
        let cols = jacobian_row(d, efc.start).0;
        if cols.len() <= 1 && cones.is_empty() {
            let col = cols.first().map_or(0, |&c| part.local(c.max(0) as usize));
            let col = fronts.order.get(col).copied().unwrap_or(0);
            for (i, r) in efc.enumerate() {
                let val = jacobian_row(d, r).1.first().copied().unwrap_or(0.0);
                let at = (at + i) as u32;
                jac.singles.push(Single { row: at, col, val, at: fronts.diagonal(col) });
            }
            return;
        }

        // columns in the order of elimination
        sorting.clear();
        let local = cols.iter().map(|&c| fronts.order[part.local(c.max(0) as usize)]);
        sorting.extend(local.zip(0..));
        let sorted = sorting.is_sorted();
        if !sorted {
            sorting.sort_unstable();
        }
        let (k, start) = (cols.len(), jac.cols.len());
        let width = padded(k.max(1));
        jac.cols.extend(sorting.iter().map(|s| s.0));
        let front = jac.cols.get(start).map_or(0, |&first| fronts.owner[first as usize] as usize);
        fronts.places_of(front, &jac.cols[start..], &mut jac.at);
        jac.cols.resize(start + width, jac.cols[start..].last().copied().unwrap_or(0));
        jac.at.resize(start + width, 0);
        jac.groups.push(Group {
            cols: start,
            k,
            width,
            vals: jac.vals.len(),
            row: at,
            n: efc.len(),
            cone: cones.start,
            cones: cones.len(),
            front,
        });
        for r in efc {
            let (vals, end) = (jacobian_row(d, r).1, jac.vals.len() + width);
            if vals.len() != k {
                // no row of this pattern
            } else if sorted {
                jac.vals.extend_from_slice(vals);
            } else {
                jac.vals.extend(sorting.iter().map(|s| vals[s.1 as usize]));
            }
            jac.vals.resize(end, 0.0);
        }
        jac.vals.resize(jac.vals.len() + 2 * cones.len() * width, 0.0);
    }

    /// v.mv = M v.search
    pub(super) fn mul_search(&mut self) {
        let Problem { v, inertia, .. } = self;
        inertia.mul(self.level, self.n, &v.search, &mut v.mv);
        let Problem { jac, rows, room, .. } = self;
        MulJacobian { jac, x: &v.search, out: &mut rows.jv, room }.dispatch(self.level);
    }

    /// Sets M q̈.
    pub(super) fn start_inertia(&mut self) {
        let Problem { v, inertia, .. } = self;
        inertia.mul(self.level, self.n, &v.qacc, &mut v.ma);
    }

    /// Sets J q̈ - aref, and forces and zones of the rows.
    pub(super) fn start_rows(&mut self) {
        let Problem { v, jac, rows, room, .. } = self;
        MulJacobian { jac, x: &v.qacc, out: &mut rows.jar, room }.dispatch(self.level);
        for (jar, aref) in rows.jar.iter_mut().zip(&rows.aref) {
            *jar -= aref;
        }
        self.update();
    }

    /// v.qfrc = Jᵀ force
    pub(super) fn map_force(&mut self) {
        let Problem { v, jac, rows, room, .. } = self;
        MulJacobianT { jac, f: &rows.force, out: &mut v.qfrc, room }.dispatch(self.level);
    }

    /// ½ (M q̈ - f_smooth) · (q̈ - q̈_smooth)
    pub(super) fn gauss(&self) -> f64 {
        let v = &self.v;
        (0..self.n).fold(0.0, |sum, i| {
            sum + 0.5 * (v.ma[i] - v.qfrc_smooth[i]) * (v.qacc[i] - v.qacc_smooth[i])
        })
    }
}

/// What a row is, in the order of their positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Equality,
    Friction,
    OneSided,
    Conic,
}

impl Part<'_> {
    /// Place of a dof in this part; the first if it is in another, which no row mixes.
    fn local(&self, dof: usize) -> usize {
        let place = self.place.get(dof).map_or(0, |&p| (p as usize).wrapping_sub(self.first));
        if place < self.dofs.len() { place } else { 0 }
    }

    /// The dof above the one at `k` in its tree; itself at a root.
    fn parent(&self, m: &Model, k: usize) -> usize {
        let above = m.dof_parentid[self.dofs[k] as usize].get();
        // parents come first; otherwise there is no tree
        above.map_or(k, |above| self.local(above.idx()).min(k))
    }

    /// Whether M has nothing but the diagonal for the dof at `k`, although it has one above it.
    fn is_simple(&self, m: &Model, k: usize) -> bool {
        m.M_row(DofId::new(self.dofs[k] as usize)).len() == 1
    }

    /// Entries of M.
    pub(super) fn inertia_entries(&self, m: &Model) -> usize {
        self.dofs.iter().map(|&dof| m.M_row(DofId::new(dof as usize)).len()).sum()
    }

    /// How many rows from the one at `p` have its pattern and kind.
    fn run(&self, d: &Data, p: usize, kind: Kind) -> usize {
        let first = self.rows[p] as usize;
        let alike = d.efc_J_rowsuper.get(first).map_or(0, |&n| n.max(0) as usize);
        let mut run = 1;
        while run <= alike
            && self.rows.get(p + run) == Some(&((first + run) as i32))
            && self.kind(d, p + run) == kind
        {
            run += 1;
        }
        run
    }

    fn kind(&self, d: &Data, p: usize) -> Kind {
        if p < self.ne {
            Kind::Equality
        } else if p < self.ne + self.nf {
            Kind::Friction
        } else if d.efc_type[self.rows[p] as usize] == ConstraintType::ContactElliptic {
            Kind::Conic
        } else {
            Kind::OneSided
        }
    }
}

impl Rows {
    /// Where each kind begins and how much room all take.
    fn layout(&mut self, d: &Data, part: &Part<'_>) {
        let mut counts = [0; 4];
        for p in 0..part.rows.len() {
            counts[part.kind(d, p) as usize] += 1;
        }
        let mut end = 0;
        let [equality, friction, one_sided, conic] = counts.map(|count| {
            let start = end;
            end = padded(start + count);
            start..start + count
        });
        (self.equality, self.friction) = (equality, friction);
        (self.one_sided, self.conic) = (one_sided, conic);
        for v in [
            &mut self.d,
            &mut self.aref,
            &mut self.frictionloss,
            &mut self.bound,
            &mut self.jar,
            &mut self.jv,
            &mut self.force,
            &mut self.weight,
        ] {
            v.clear();
            v.resize(end, 0.0);
        }
        self.efc.clear();
        self.efc.resize(end, None);
        self.friction_state.clear();
        self.friction_state.resize(self.friction.len(), ConstraintState::Satisfied);
        self.pushes.clear();
        self.pushes.resize(self.one_sided.len().div_ceil(4), 0);
        self.cones.clear();
    }

    fn starts(&self) -> [usize; 4] {
        [&self.equality, &self.friction, &self.one_sided, &self.conic].map(|range| range.start)
    }

    /// Rows `first..` of the data to the positions from `at`.
    fn take(&mut self, d: &Data, first: usize, at: usize, run: usize) {
        for i in 0..run {
            self.efc[at + i] = Some((first + i) as u32);
            self.frictionloss[at + i] = d.efc_frictionloss[first + i];
            self.bound[at + i] = d.efc_R[first + i] * d.efc_frictionloss[first + i];
        }
        self.d[at..at + run].copy_from_slice(&d.efc_D.flat()[first..first + run]);
        self.aref[at..at + run].copy_from_slice(&d.efc_aref.flat()[first..first + run]);
    }

    /// The contacts of a run of conic rows.
    fn take_cones(&mut self, contact: &[Contact], id: &[i32], first: usize, at: usize, run: usize) {
        let mut i = 0;
        while i < run {
            let index = id[first + i].max(0) as usize;
            let Some(con) = contact.get(index) else { return };
            let dim = (con.dim.clamp(1, 6) as usize).min(run - i);
            let mu = con.mu;
            self.cones.push(Cone {
                row: at + i,
                dim,
                mu,
                scale: core::array::from_fn(|j| if j == 0 { mu } else { con.friction[j - 1] }),
                dm: self.d[at + i] / (mu * mu * (1.0 + mu * mu)),
                state: ConstraintState::Satisfied,
                contact: index,
                slid: false,
                slide: [0.0; 6],
                across: 0.0,
            });
            i += dim;
        }
    }
}

impl Jacobian {
    fn clear(&mut self) {
        self.groups.clear();
        self.cols.clear();
        self.at.clear();
        self.vals.clear();
        self.singles.clear();
    }
}

impl Patterns {
    /// The trees and the patterns of the rows.
    fn take(&mut self, m: &Model, d: &Data, part: &Part<'_>) {
        self.clear(part.dofs.len());
        for k in 0..part.dofs.len() {
            self.parent.push(part.parent(m, k) as u32);
            self.simple.push(part.is_simple(m, k));
        }
        let mut p = 0;
        while p < part.rows.len() {
            let cols = jacobian_row(d, part.rows[p] as usize).0;
            if cols.len() > 1 {
                self.add(cols.iter().map(|&c| part.local(c.max(0) as usize) as u32));
            }
            p += part.run(d, p, part.kind(d, p));
        }
    }
}

impl Fronts {
    /// Where the diagonal number of a dof is.
    fn diagonal(&self, dof: u32) -> usize {
        self.owner.get(dof as usize).map_or(0, |&node| {
            let node = &self.nodes[node as usize];
            node.vals + (dof as usize - node.first) * (node.ld + 1)
        })
    }
}

impl Inertia {
    fn clear(&mut self) {
        for list in [&mut self.adr, &mut self.cols, &mut self.at] {
            list.clear();
        }
        for list in [&mut self.vals, &mut self.factor, &mut self.diag_inv, &mut self.dense] {
            list.clear();
        }
        self.adr.push(0);
    }

    fn row(&self, i: usize) -> Range<usize> {
        self.adr[i] as usize..self.adr[i + 1] as usize
    }

    /// The dense matrix, and its trace.
    fn take_dense(&mut self, m: &Model, d: &Data, part: &Part<'_>, ld: usize) {
        let n = part.dofs.len();
        self.dense.resize(n * ld, 0.0);
        self.trace = 0.0;
        let first = part.dofs.first().map_or(0, |&dof| dof as usize);
        let consecutive = part.dofs.last().is_some_and(|&dof| dof as usize - first == n - 1);
        for (i, &dof) in part.dofs.iter().enumerate() {
            let row = m.M_row(DofId::new(dof as usize));
            let vals = &d.M.flat()[row.clone()];
            for (c, &val) in (*m.M_colind)[row].iter().zip(vals) {
                let j = if consecutive { c.idx().wrapping_sub(first) } else { part.local(c.idx()) };
                if j < n {
                    self.dense[j * ld + i] = val;
                    self.dense[i * ld + j] = val;
                }
            }
            self.trace += vals.last().copied().unwrap_or(0.0);
        }
    }

    /// Where the numbers add to the fronts.
    fn find_places(&mut self, fronts: &Fronts) {
        for i in 0..self.adr.len() - 1 {
            for k in self.row(i) {
                let (i, j) = (i as u32, self.cols[k]);
                let (col, row) = (i.min(j), i.max(j));
                let index = fronts.owner[col as usize] as usize;
                let node = &fronts.nodes[index];
                let column = node.vals + (col as usize - node.first) * node.ld;
                self.at.push((column + fronts.place_of(index, row)) as u32);
            }
        }
    }

    /// out = M x
    fn mul(&self, level: Level, n: usize, x: &[f64], out: &mut [f64]) {
        if !self.dense.is_empty() {
            MulDense { mat: &self.dense, x: &x[..n], out }.dispatch(level);
            return;
        }
        out.fill(0.0);
        for i in 0..n {
            let row = self.row(i);
            let (cols, vals) = (&self.cols[row.clone()], &self.vals[row]);
            let (Some((_, cols)), Some((diag, vals))) = (cols.split_last(), vals.split_last())
            else {
                continue;
            };
            let x_i = x[i];
            let mut sum = diag * x_i;
            for (&j, val) in cols.iter().zip(vals) {
                sum += val * x[j as usize];
                out[j as usize] += val * x_i;
            }
            out[i] += sum;
        }
    }

    /// x ← M⁻¹ x, with the factor.
    pub(super) fn solve(&self, x: &mut [f64]) {
        let n = self.diag_inv.len();
        let row = |i: usize| self.adr[i] as usize..self.adr[i + 1] as usize - 1;
        for i in (0..n).rev() {
            let x_i = x[i];
            if x_i != 0.0 {
                for (&j, val) in self.cols[row(i)].iter().zip(&self.factor[row(i)]) {
                    x[j as usize] -= val * x_i;
                }
            }
        }
        for (x, inv) in x.iter_mut().zip(&self.diag_inv) {
            *x *= inv;
        }
        for i in 0..n {
            let mut sum = 0.0;
            for (&j, val) in self.cols[row(i)].iter().zip(&self.factor[row(i)]) {
                sum += val * x[j as usize];
            }
            x[i] -= sum;
        }
    }
}
