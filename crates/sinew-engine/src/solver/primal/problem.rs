//! The problem of a primal solver: the rows and dofs of an island, laid out for its loops.
//!
//! Positions of rows are positions in `rows`; rows of one kind and pattern form a group.

use core::ops::Range;

use sinew_math::simd::{LANES, lanes, lanes_mut, padded};
use sinew_math::vector;
use sinew_model::{Data, Model};

use super::inertia::{Inertia, Layout};
use super::nnz::EntryCounter;
use super::part::{Part, RowKind};
use super::rows::{Rows, ZoneCounts};
use super::symbolic::{Fronts, Patterns};
use crate::constraint::{jacobian_row, rows_alike};
use crate::solver::kernel::{Jacobian, NarrowRow, RowGroup, Single, mul_jacobian, mul_jacobian_t};

/// With up to this many dofs the rows may have a number for every dof.
const WHOLE_ROWS: usize = 32;

/// With up to this many dofs all rows have a number for every dof, and form one group in the order
/// of their positions. Rows of a single number belong to it unless all are such.
const ONE_GROUP: usize = 8;

/// The vectors over dofs, with `ld` numbers, zeros from `n` on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vectors {
    pub(crate) qacc: Vec<f64>,
    /// M q̈
    pub(crate) ma: Vec<f64>,
    pub(crate) qfrc_smooth: Vec<f64>,
    pub(crate) qacc_smooth: Vec<f64>,
    /// Jᵀ force
    pub(crate) qfrc: Vec<f64>,
    pub(crate) grad: Vec<f64>,
    /// M⁻¹ grad
    pub(crate) mgrad: Vec<f64>,
    pub(crate) search: Vec<f64>,
    /// M times the direction of search.
    pub(crate) mv: Vec<f64>,
    /// Of the iteration before.
    pub(crate) old_grad: Vec<f64>,
    /// Of the iteration before.
    pub(crate) old_mgrad: Vec<f64>,
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

/// Rows and dofs of an island, or all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Problem {
    /// Number of dofs.
    pub(crate) n: usize,
    /// Length of a vector over dofs: at least one more than `n`.
    pub(crate) ld: usize,
    /// The dofs, in the order of elimination.
    pub(crate) dofs: Vec<u32>,
    /// The first of them, if the others follow it.
    run: Option<usize>,
    pub(crate) v: Vectors,
    pub(crate) inertia: Inertia,
    pub(crate) rows: Rows,
    pub(crate) jac: Jacobian,
    /// Layout of the Newton matrix.
    pub(crate) fronts: Fronts,
    patterns: Patterns,
    entries: EntryCounter,
    /// A pattern while it is sorted: columns, and where they were.
    sorting: Vec<(u32, u32)>,
    /// The result of the last update of the rows.
    pub(crate) counts: ZoneCounts,
    /// The cost of the acceleration: ½ (M q̈ - f_smooth) · (q̈ - q̈_smooth).
    pub(crate) gauss: f64,
    /// Scratch for the longest pattern of a group.
    scratch: Vec<f64>,
}

impl Problem {
    /// Takes over a part of the data, but no acceleration yet.
    pub(crate) fn gather(&mut self, m: &Model, d: &Data, part: &Part<'_>, newton: bool) {
        // dofs in the order of elimination
        if self.n != part.dofs.len() {
            self.n = part.dofs.len();
            self.ld = padded(self.n + 1);
            self.v.reset(self.ld);
        }
        if newton && !Fronts::small(self.n) {
            self.patterns.take(m, d, part);
            if self.fronts.analyse(&mut self.patterns) {
                self.entries.forget();
            }
        } else {
            self.fronts.dense(self.n);
        }
        self.take_dofs(part);

        // inputs of the cost: forces, inertia, rows
        self.pick(&d.qfrc_smooth, |v| &mut v.qfrc_smooth);
        self.pick(&d.qacc_smooth, |v| &mut v.qacc_smooth);
        let layout = Layout { dofs: &self.dofs, fronts: &self.fronts, ld: self.ld, newton };
        self.inertia.gather(m, d, part, &layout);
        self.rows.layout(d, part);
        self.jac.whole = is_dense(d, part);
        self.gather_rows(d, part, newton);
    }

    fn take_dofs(&mut self, part: &Part<'_>) {
        self.dofs.resize(self.n, 0);
        let in_order = self.fronts.nodes.len() == 1;
        self.run = part.run_of_dofs().filter(|_| in_order);
        for (&new, &dof) in self.fronts.order.iter().zip(part.dofs) {
            self.dofs[new as usize] = dof as u32;
        }
    }

    /// Takes the numbers of its dofs from a vector over the model's dofs.
    #[inline(always)]
    pub(crate) fn pick(&mut self, from: &[f64], to: impl Fn(&mut Vectors) -> &mut [f64]) {
        let to = &mut to(&mut self.v)[..self.n];
        if let Some(from) = self.run.and_then(|first| from.get(first..first + to.len())) {
            vector::copy(to, from);
            return;
        }
        for (to, &dof) in to.iter_mut().zip(&self.dofs) {
            *to = from[dof as usize];
        }
    }

    /// The inverse of `pick`.
    #[inline(always)]
    pub(crate) fn put(&self, from: &[f64], to: &mut [f64]) {
        let from = &from[..self.n];
        if let Some(to) = self.run.and_then(|first| to.get_mut(first..first + from.len())) {
            vector::copy(to, from);
            return;
        }
        for (from, &dof) in from.iter().zip(&self.dofs) {
            to[dof as usize] = *from;
        }
    }

    /// Entries of MuJoCo's Newton matrix and of its factors where it is sparse, without the entries
    /// of M.
    pub(crate) fn newton_entries(&mut self, m: &Model, d: &Data, part: &Part<'_>) -> usize {
        self.entries.newton_entries(m, d, part, &mut self.fronts, &self.jac)
    }

    fn gather_rows(&mut self, d: &Data, part: &Part<'_>, newton: bool) {
        self.jac.clear();
        let several = |&r: &i32| d.efc_J_rownnz[r as usize] > 1;
        if self.n <= ONE_GROUP && part.rows.iter().any(several) {
            self.gather_one_group(d, part);
        } else {
            self.gather_groups(d, part, newton);
        }
    }

    /// All rows as one group.
    fn gather_one_group(&mut self, d: &Data, part: &Part<'_>) {
        let width = self.ld;
        self.jac.vals.resize(self.rows.d.len() * width, 0.0);

        // segments of rows of one kind, each kind to its own place
        let mut ends = self.rows.kinds().map(|range| range.start);
        let mut p = 0;
        while p < part.rows.len() {
            let kind = part.kind(d, p);
            let n = part.segment(d, p, kind);
            let (first, at) = (part.rows[p] as usize, ends[kind as usize]);
            self.rows.take(d, first, at, n);
            if kind == RowKind::Conic {
                self.rows.take_cones(d, first, at, n);
            }

            // their columns, a run of one pattern at a time
            let mut done = 0;
            while done < n {
                let run = part.run(d, p + done, kind);
                let rows = first + done..first + done + run;
                put_whole(d, part, rows, &mut self.jac.vals[(at + done) * width..], width);
                done += run;
            }
            ends[kind as usize] += n;
            p += n;
        }

        // space for two more rows of each cone
        let (n, cones) = (self.rows.d.len(), self.rows.cones.len());
        self.jac.vals.resize((n + 2 * cones) * width, 0.0);
        self.jac.groups.push(RowGroup { k: self.n, width, n, cones, ..RowGroup::default() });
    }

    /// Rows in groups of one pattern, or of whole rows.
    #[inline(never)]
    fn gather_groups(&mut self, d: &Data, part: &Part<'_>, newton: bool) {
        // runs of rows of one kind and pattern, each kind to its own place
        let mut ends = self.rows.kinds().map(|range| range.start);
        let mut p = 0;
        while p < part.rows.len() {
            let (first, kind) = (part.rows[p] as usize, part.kind(d, p));
            let run = part.run(d, p, kind);
            let at = ends[kind as usize];
            ends[kind as usize] += run;
            self.rows.take(d, first, at, run);
            let cone = self.rows.cones.len();
            if kind == RowKind::Conic {
                self.rows.take_cones(d, first, at, run);
            }
            let cones = cone..self.rows.cones.len();
            p += run;

            // their columns: single short rows, whole rows, or groups by pattern
            let narrow = !newton && !self.jac.whole && run == 1 && cones.is_empty();
            if narrow && self.gather_narrow(d, part, first, at) {
                continue;
            }
            let rows = Run { efc: first..first + run, at, cones };
            if self.jac.whole {
                self.gather_whole(d, part, rows);
            } else if newton || jacobian_row(d, first).0.len() <= 1 {
                self.gather_group(d, part, rows);
            } else {
                self.gather_unsorted(d, part, rows);
            }
        }

        // scratch for the widest group
        let widest = self.jac.groups.iter().map(|g| g.width).max().unwrap_or(0);
        self.scratch.clear();
        self.scratch.resize(widest, 0.0);
    }

    /// Row `efc` of the data to the position `at`, if it has few numbers; whether it has.
    fn gather_narrow(&mut self, d: &Data, part: &Part<'_>, efc: usize, at: usize) -> bool {
        let (cols, vals) = jacobian_row(d, efc);
        if cols.len() < 2 || vals.len() != cols.len() {
            return false;
        }
        let Problem { jac, n, .. } = self;
        let local = |&c: &i32| part.local(c.max(0) as usize);
        let row = NarrowRow::new(at, *n, cols.iter().map(local).zip(vals.iter().copied()));
        jac.narrow.extend(row);
        row.is_some()
    }

    /// Rows of one pattern whose columns nothing asks the order of, nor the place in a front.
    fn gather_unsorted(&mut self, d: &Data, part: &Part<'_>, rows: Run) {
        let Problem { jac, .. } = self;
        let Run { efc, at, cones } = rows;
        let cols = jacobian_row(d, efc.start).0;
        let (k, start) = (cols.len(), jac.cols.len());
        let width = padded(k.max(1));
        jac.cols.extend(cols.iter().map(|&c| part.local(c.max(0) as usize) as u32));
        jac.cols.resize(start + width, jac.cols[start..].last().copied().unwrap_or(0));
        let vals = jac.vals.len();
        let (row, n) = (at, efc.len());
        let (cone, cones) = (cones.start, cones.len());
        jac.groups.push(RowGroup { cols: start, k, width, vals, row, n, cone, cones, front: 0 });
        for r in efc {
            let (vals, end) = (jacobian_row(d, r).1, jac.vals.len() + width);
            if vals.len() == k {
                jac.vals.extend_from_slice(vals);
            }
            jac.vals.resize(end, 0.0);
        }
    }

    /// Rows with a single number each; whether they are such.
    fn gather_singles(&mut self, d: &Data, part: &Part<'_>, rows: &Run) -> bool {
        let Problem { jac, fronts, .. } = self;
        let cols = jacobian_row(d, rows.efc.start).0;
        if cols.len() > 1 || !rows.cones.is_empty() {
            return false;
        }
        let col = cols.first().map_or(0, |&c| part.local(c.max(0) as usize));
        let col = fronts.order.get(col).copied().unwrap_or(0);
        for (row, r) in (rows.at as u32..).zip(rows.efc.clone()) {
            let val = jacobian_row(d, r).1.first().copied().unwrap_or(0.0);
            jac.singles.push(Single { row, col, val, at: fronts.diagonal(col) });
        }
        true
    }

    /// Rows of any pattern, with a number for every dof.
    fn gather_whole(&mut self, d: &Data, part: &Part<'_>, rows: Run) {
        if self.gather_singles(d, part, &rows) {
            return;
        }
        let Run { efc, at, cones } = rows;
        let Problem { jac, ld, .. } = self;
        let (width, vals) = (*ld, jac.vals.len());
        jac.vals.resize(vals + (efc.len() + 2 * cones.len()) * width, 0.0);
        put_whole(d, part, efc.clone(), &mut jac.vals[vals..], width);

        // rows of cones are followed by others, which belong to the same group
        if let Some(last) = jac.groups.last_mut()
            && cones.is_empty()
            && last.cones == 0
            && last.row + last.n == at
        {
            last.n += efc.len();
            return;
        }
        let (k, n) = (self.n, efc.len());
        let (cone, cones) = (cones.start, cones.len());
        jac.groups.push(RowGroup { cols: 0, k, width, vals, row: at, n, cone, cones, front: 0 });
    }

    /// Rows of one pattern.
    fn gather_group(&mut self, d: &Data, part: &Part<'_>, rows: Run) {
        if self.gather_singles(d, part, &rows) {
            return;
        }
        let Run { efc, at, cones } = rows;
        let Problem { jac, fronts, sorting, .. } = self;
        let cols = jacobian_row(d, efc.start).0;

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
        jac.groups.push(RowGroup {
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

        // numbers in that order, and space for two more rows of each cone
        match rows_alike(d, efc.start, efc.len(), k).filter(|_| sorted && k > 0) {
            Some(vals) => jac.put_rows(vals, k, width),
            None => {
                for r in efc {
                    let (vals, end) = (jacobian_row(d, r).1, jac.vals.len() + width);
                    // no row of this pattern has another length
                    if vals.len() == k {
                        jac.vals.extend(sorting.iter().map(|s| vals[s.1 as usize]));
                    }
                    jac.vals.resize(end, 0.0);
                }
            }
        }
        jac.vals.resize(jac.vals.len() + 2 * cones.len() * width, 0.0);
    }

    /// v.mv = M v.search, rows.jv = J v.search
    pub(crate) fn mul_search(&mut self) {
        let Problem { v, inertia, jac, rows, scratch, .. } = self;
        inertia.mul(self.n, &v.search, &mut v.mv);
        mul_jacobian(jac, &v.search, &mut rows.jv, scratch);
    }

    /// Sets M q̈ and its cost.
    pub(crate) fn start_inertia(&mut self) {
        let Problem { v, inertia, .. } = self;
        inertia.mul(self.n, &v.qacc, &mut v.ma);
        self.update_gauss();
    }

    /// Sets J q̈ - aref, and forces and zones of the rows.
    pub(crate) fn start_rows(&mut self) {
        let Problem { v, jac, rows, scratch, .. } = self;
        mul_jacobian(jac, &v.qacc, &mut rows.jar, scratch);
        for (jar, aref) in lanes_mut(&mut rows.jar).iter_mut().zip(lanes(&rows.aref)) {
            *jar = core::array::from_fn(|k| jar[k] - aref[k]);
        }
        self.update();
    }

    /// Forces and zones of the rows at `rows.jar`.
    pub(crate) fn update(&mut self) {
        self.counts = self.rows.update();
    }

    /// v.qfrc = Jᵀ force
    pub(crate) fn map_force(&mut self) {
        let Problem { v, jac, rows, scratch, .. } = self;
        mul_jacobian_t(jac, &rows.force, &mut v.qfrc, scratch);
    }

    /// Sets ½ (M q̈ - f_smooth) · (q̈ - q̈_smooth).
    pub(crate) fn update_gauss(&mut self) {
        let (v, n) = (&self.v, self.n);
        let forces = v.ma[..n].iter().zip(&v.qfrc_smooth[..n]);
        let accelerations = v.qacc[..n].iter().zip(&v.qacc_smooth[..n]);
        let products =
            forces.zip(accelerations).map(|((ma, f), (acc, smooth))| (ma - f) * (acc - smooth));
        self.gauss = 0.5 * sum(0.0, products);
    }
}

/// Rows `efc` of the data, which have one pattern, as whole rows of `width` numbers.
fn put_whole(d: &Data, part: &Part<'_>, efc: Range<usize>, out: &mut [f64], width: usize) {
    let (cols, _) = jacobian_row(d, efc.start);
    if let Some(first) = part.consecutive(cols)
        && let Some(vals) = rows_alike(d, efc.start, efc.len(), cols.len())
    {
        let columns = first..first + cols.len();
        for (row, vals) in out.chunks_exact_mut(width).zip(vals.chunks_exact(cols.len())) {
            vector::copy(&mut row[columns.clone()], vals);
        }
        return;
    }
    for (row, r) in out.chunks_exact_mut(width).zip(efc) {
        let (cols, vals) = jacobian_row(d, r);
        for (&c, &val) in cols.iter().zip(vals) {
            if let Some(x) = row.get_mut(part.local(c.max(0) as usize)) {
                *x = val;
            }
        }
    }
}

/// Whether zeros in the rows of a part cost less than lists of columns. The dofs must be few, and
/// at least half of the numbers nonzero.
fn is_dense(d: &Data, part: &Part<'_>) -> bool {
    let n = part.dofs.len();
    if n <= ONE_GROUP || n > WHOLE_ROWS {
        return n <= ONE_GROUP;
    }
    let (mut numbers, mut rows) = (0, 0);
    for &row in part.rows {
        let nnz = d.efc_J_rownnz[row as usize].max(0) as usize;
        if nnz > 1 {
            numbers += nnz;
            rows += 1;
        }
    }
    2 * numbers >= n * rows
}

/// `start` and all numbers; a long sum in four parts, which need not wait for each other. Searches
/// end by the rounding of such sums, so that few numbers are added in MuJoCo's order.
pub(crate) fn sum(start: f64, mut numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    const FEW: usize = 200;
    if numbers.len() <= FEW {
        return numbers.fold(start, |sum, x| sum + x);
    }
    let mut parts = [0.0; LANES];
    loop {
        for part in &mut parts {
            let Some(x) = numbers.next() else { return start + parts.iter().sum::<f64>() };
            *part += x;
        }
    }
}

/// Rows of one pattern.
struct Run {
    /// Rows of the data.
    efc: Range<usize>,
    /// Their first position.
    at: usize,
    /// Their cones.
    cones: Range<usize>,
}
