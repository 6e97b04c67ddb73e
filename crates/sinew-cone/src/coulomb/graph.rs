//! An order of contacts that keeps those that couple near each other (Cuthill and McKee 1969,
//! reversed): everything then works on the stretch of a row that can be nonzero.

use crate::cone::{Cone, with_rows};
use crate::tuning::FEW_CONES;

/// Which cones couple, and their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    /// Cones in their order.
    pub(super) order: Vec<usize>,
    /// First row of each cone.
    first: Vec<usize>,
    links: Vec<bool>,
    weight: Vec<f64>,
    degree: Vec<usize>,
    placed: Vec<bool>,
}

impl Graph {
    /// Orders the cones of a matrix; few are left as they are.
    pub(super) fn arrange(&mut self, a: &[f64], cones: &[Cone]) {
        self.order.clear();
        if cones.len() <= FEW_CONES {
            self.order.extend(0..cones.len());
            return;
        }
        self.link(a, cones);
        self.walk(cones.len());
    }

    /// Whether two cones couple, of more than a few.
    pub(super) fn linked(&self, a: usize, b: usize) -> bool {
        self.links[a * self.first.len() + b]
    }

    /// Reads the coupling off the zeros of the matrix.
    fn link(&mut self, a: &[f64], cones: &[Cone]) {
        let n = cones.len();
        self.first.clear();
        self.first.extend(with_rows(cones).map(|(_, rows)| rows.start));
        let rows = self.first[n - 1] + cones[n - 1].dim();
        self.links.clear();
        self.links.resize(n * n, false);
        self.degree.clear();
        self.degree.resize(n, 0);
        self.weight.resize(rows, 0.0);
        for (c, cone) in cones.iter().enumerate() {
            // sums of columns, over the rows of this cone
            let (at, weight) = (self.first[c], &mut self.weight[..self.first[c]]);
            weight.fill(0.0);
            for line in a[at * rows..(at + cone.dim()) * rows].chunks_exact(rows) {
                weight.iter_mut().zip(line).for_each(|(sum, x)| *sum += x.abs());
            }
            for other in 0..c {
                let columns = self.first[other]..self.first[other + 1];
                if weight[columns].iter().any(|w| *w != 0.0) {
                    self.links[c * n + other] = true;
                    self.links[other * n + c] = true;
                    self.degree[c] += 1;
                    self.degree[other] += 1;
                }
            }
        }
    }

    /// Breadth first from a cone of lowest degree, neighbours of low degree first; then backwards.
    fn walk(&mut self, n: usize) {
        self.placed.clear();
        self.placed.resize(n, false);
        let mut at = 0;
        while self.order.len() < n {
            if at == self.order.len() {
                let open = (0..n).filter(|c| !self.placed[*c]);
                let Some(next) = open.min_by_key(|c| self.degree[*c]) else { break };
                self.placed[next] = true;
                self.order.push(next);
            }
            let from = self.order.len();
            let links = &self.links[self.order[at] * n..][..n];
            for (c, linked) in links.iter().enumerate() {
                if *linked && !std::mem::replace(&mut self.placed[c], true) {
                    self.order.push(c);
                }
            }
            let degree = &self.degree;
            self.order[from..].sort_unstable_by_key(|c| (degree[*c], *c));
            at += 1;
        }
        self.order.reverse();
    }
}
