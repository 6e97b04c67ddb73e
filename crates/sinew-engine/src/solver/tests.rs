//! The solvers on random problems, against plain loops and the laws that hold at a solution.

use sinew_model::enums::{ConeType, ConstraintState, ConstraintType, SolverType};
use sinew_model::{Contact, Data, DofId, Model};
use sinew_testkit::Random;

use super::constraint_update;
use super::primal::hessian::Hessian;
use super::primal::part::all_rows;
use super::primal::problem::Problem;
use crate::constraint::{inertia_row, jacobian_row, mul_jac_t_vec, project_constraint};
use crate::smooth::inertia::{factor_m, mul_m, solve_m};
use crate::step::forward::fwd_constraint;

pub(crate) fn random(n: usize, seed: u64) -> Vec<f64> {
    Random::new(seed).vector(n)
}

#[track_caller]
pub(crate) fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-12 * (1.0 + b.abs()), "{a} {b}");
}

/// Contents of a random problem.
#[derive(Clone, Copy)]
struct Kind {
    /// Trees, of six dofs in a chain and three more on two branches.
    trees: usize,
    cone: ConeType,
    solver: SolverType,
    contacts: usize,
}

const TREE: usize = 9;

/// Dof above each dof of a tree: six in a chain, then branches of one and two.
const ABOVE: [Option<usize>; TREE] =
    [None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5), Some(5), Some(7)];

fn model(kind: &Kind) -> Model {
    let mut m = Model { nbody: 1, nv: kind.trees * TREE, ntree: kind.trees, ..Model::default() };
    let chain = |dof: usize| {
        let mut chain: Vec<usize> =
            core::iter::successors(Some(dof % TREE), |&dof| ABOVE[dof]).collect();
        chain.reverse();
        chain.into_iter().map(move |above| above + dof / TREE * TREE)
    };
    m.nC = (0..m.nv).map(|dof| chain(dof).count()).sum();
    m.nM = m.nC;
    m.allocate();
    let mut adr = 0;
    for dof in 0..m.nv {
        m.dof_treeid[dof] = sinew_model::TreeId::new(dof / TREE);
        m.dof_parentid[dof] = ABOVE[dof % TREE].map(|up| DofId::new(dof / TREE * TREE + up)).into();
        m.M_rowadr[dof] = adr as i32;
        for above in chain(dof) {
            m.M_colind[adr] = DofId::new(above);
            adr += 1;
        }
        m.M_rownnz[dof] = adr as i32 - m.M_rowadr[dof];
    }
    for tree in 0..kind.trees {
        m.tree_dofnum[tree] = TREE as i32;
        m.tree_dofadr[tree] = DofId::new(tree * TREE);
    }
    m.opt.cone = kind.cone;
    m.opt.solver = kind.solver;
    m.opt.iterations = 200;
    m.opt.ls_iterations = 50;
    m.opt.tolerance = 1e-14;
    m.opt.ls_tolerance = 0.01;
    m.stat.meaninertia = 1.0;
    m
}

/// A positive definite inertia, forces, and rows of every kind.
fn data(m: &Model, kind: &Kind, seed: u64) -> Data {
    let mut random = Random::new(seed);
    let mut d = Data::new(m);
    for i in m.dofs() {
        let row = m.M_row(i);
        for k in row.clone() {
            d.M[k] = 0.3 * random.signed();
        }
        d.M[row.end - 1] = 4.0 + random.signed();
    }
    factor_m(m, &mut d);
    for x in d.qfrc_smooth.iter_mut().chain(d.qacc_warmstart.iter_mut()) {
        *x = 10.0 * random.signed();
    }
    let smooth = d.qfrc_smooth.clone();
    let mut acc = vec![0.0; m.nv];
    solve_m(m, &d, &mut acc, &smooth);
    d.qacc_smooth.copy_from_slice(&acc);

    // two equalities, dry friction on some dofs, two limits
    for tree in [0, kind.trees - 1] {
        add_rows(&mut d, &mut random, &mut [tree], 1, ConstraintType::Equality, 0);
        d.ne += 1;
    }
    for dof in (0..m.nv).step_by(3) {
        add_row(&mut d, &mut random, &[dof as i32], ConstraintType::FrictionDof, 0);
        d.efc_frictionloss[d.nefc - 1] = 0.5;
        d.nf += 1;
    }
    for dof in [1, m.nv - 1] {
        add_row(&mut d, &mut random, &[dof as i32], ConstraintType::LimitJoint, 0);
    }
    for contact in 0..kind.contacts {
        add_contact(m, &mut d, &mut random, kind, contact);
    }
    d
}

fn add_contact(m: &Model, d: &mut Data, random: &mut Random, kind: &Kind, contact: usize) {
    let dim = [3, 4, 6, 1][contact % 4];
    let mut trees = [random.below(kind.trees), random.below(kind.trees)];
    let mut friction = [0.0; 5];
    for mu in &mut friction {
        *mu = 0.6 + 0.3 * random.signed();
    }
    d.contact.push(Contact { dim, friction, mu: friction[0], ..Contact::default() });
    let elliptic = m.opt.cone == ConeType::Elliptic && dim > 1;
    let (rows, row_kind) = if elliptic {
        (dim as usize, ConstraintType::ContactElliptic)
    } else if dim == 1 {
        (1, ConstraintType::ContactFrictionless)
    } else {
        (2 * (dim as usize - 1), ConstraintType::ContactPyramidal)
    };
    let first = d.nefc;
    add_rows(d, random, &mut trees, rows, row_kind, contact);
    if elliptic {
        // regularisation as in MuJoCo, for which forces are in the cone
        for j in 1..rows {
            let ratio = friction[j - 1] / friction[0];
            d.efc_D[first + j] = d.efc_D[first] * ratio * ratio;
        }
    }
}

/// Rows over the chains of some trees, without their last branch.
fn add_rows(
    d: &mut Data,
    random: &mut Random,
    trees: &mut [usize],
    rows: usize,
    kind: ConstraintType,
    id: usize,
) {
    trees.sort_unstable();
    let mut cols: Vec<i32> =
        trees.iter().flat_map(|t| t * TREE..t * TREE + 7).map(|dof| dof as i32).collect();
    cols.dedup();
    cols.sort_unstable();
    cols.dedup();
    for row in 0..rows {
        add_row(d, random, &cols, kind, id);
        d.efc_J_rowsuper[d.nefc - 1] = (rows - 1 - row) as i32;
    }
}

fn add_row(d: &mut Data, random: &mut Random, cols: &[i32], kind: ConstraintType, id: usize) {
    d.efc_J_rowadr.push(d.efc_J.len() as i32);
    d.efc_J_rownnz.push(cols.len() as i32);
    d.efc_J_rowsuper.push(0);
    for &col in cols {
        d.efc_J_colind.push(col);
        d.efc_J.push(random.signed());
    }
    let stiff = 5.0 + 4.0 * random.signed();
    d.efc_type.push(kind);
    d.efc_id.push(id as i32);
    d.efc_D.push(stiff);
    d.efc_R.push(1.0 / stiff);
    d.efc_frictionloss.push(0.0);
    d.efc_aref.push(3.0 * random.signed());
    d.nefc += 1;
    d.nJ = d.efc_J.len();
}

const KINDS: [Kind; 4] = [
    Kind { trees: 2, cone: ConeType::Pyramidal, solver: SolverType::Newton, contacts: 6 },
    Kind { trees: 3, cone: ConeType::Elliptic, solver: SolverType::Newton, contacts: 9 },
    // more dofs than a dense front takes
    Kind { trees: 14, cone: ConeType::Pyramidal, solver: SolverType::Newton, contacts: 20 },
    Kind { trees: 14, cone: ConeType::Elliptic, solver: SolverType::Newton, contacts: 20 },
];

/// Largest difference of two vectors.
#[track_caller]
fn assert_near(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (i, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() <= tolerance, "{i}: {x} and {y}");
    }
}

/// M (q̈ - q̈_smooth) - Jᵀ f
fn imbalance(m: &Model, d: &Data) -> Vec<f64> {
    let change: Vec<f64> = d.qacc.iter().zip(d.qacc_smooth.iter()).map(|(a, b)| a - b).collect();
    let (mut left, mut right) = (vec![0.0; m.nv], vec![0.0; m.nv]);
    mul_m(m, d, &mut left, &change);
    mul_jac_t_vec(d, &mut right, &d.efc_force);
    left.iter().zip(right).map(|(l, r)| l - r).collect()
}

#[test]
fn forces_balance_at_the_solution() {
    for mut kind in KINDS {
        for (solver, seed) in [(SolverType::Newton, 1), (SolverType::Cg, 2)] {
            kind.solver = solver;
            let m = model(&kind);
            let mut d = data(&m, &kind, seed);
            fwd_constraint(&m, &mut d);
            assert!(d.solver_niter[0] > 1 && d.solver_niter[0] < 200);
            assert_near(&imbalance(&m, &d), &vec![0.0; m.nv], 1e-5);
        }
    }
}

#[test]
fn forces_are_those_of_the_acceleration() {
    for kind in KINDS {
        let m = model(&kind);
        let mut d = data(&m, &kind, 3);
        fwd_constraint(&m, &mut d);
        let (force, state) = (d.efc_force.clone(), d.efc_state.clone());
        let jar: Vec<f64> = (0..d.nefc)
            .map(|r| {
                let (cols, vals) = jacobian_row(&d, r);
                let product: f64 =
                    cols.iter().zip(vals).map(|(&c, x)| x * d.qacc[c as usize]).sum();
                product - d.efc_aref[r]
            })
            .collect();
        constraint_update(&m, &mut d, &jar, None, false);
        assert_near(&force, &d.efc_force, 1e-9);
        assert_eq!(*state, *d.efc_state);
    }
}

#[test]
fn contact_forces_are_in_their_cones() {
    let kind = KINDS[3];
    let m = model(&kind);
    let mut d = data(&m, &kind, 4);
    fwd_constraint(&m, &mut d);
    let mut sliding = 0;
    for (r, &row_kind) in d.efc_type.iter().enumerate() {
        let con = &d.contact[d.efc_id[r] as usize];
        let first = r == 0 || d.efc_id[r - 1] != d.efc_id[r] || d.efc_type[r - 1] != row_kind;
        if row_kind != ConstraintType::ContactElliptic || !first {
            continue;
        }
        let normal = d.efc_force[r];
        let tangent: f64 =
            (1..con.dim as usize).map(|j| (d.efc_force[r + j] / con.friction[j - 1]).powi(2)).sum();
        assert!(normal >= 0.0 && tangent.sqrt() <= normal * (1.0 + 1e-9));
        sliding += usize::from(d.efc_state[r] == ConstraintState::Cone);
    }
    assert!(sliding > 0);
}

#[test]
fn newton_and_conjugate_gradient_agree() {
    for mut kind in KINDS {
        let m = model(&kind);
        let mut newton = data(&m, &kind, 5);
        fwd_constraint(&m, &mut newton);
        kind.solver = SolverType::Cg;
        let m = model(&kind);
        let mut gradient = data(&m, &kind, 5);
        fwd_constraint(&m, &mut gradient);
        assert_near(&newton.qacc, &gradient.qacc, 1e-6);
    }
}

/// Islands of trees that rows tie together, as `island` lists them; every tree has a row.
fn find_islands(m: &Model, d: &mut Data, trees: usize) {
    let mut of_tree: Vec<usize> = (0..trees).collect();
    for _ in 0..trees {
        for r in 0..d.nefc {
            let cols = jacobian_row(d, r).0;
            let least =
                cols.iter().map(|&c| of_tree[c as usize / TREE]).min().expect("a row has columns");
            for &c in cols {
                of_tree[c as usize / TREE] = least;
            }
        }
    }
    let mut names = of_tree.clone();
    names.sort_unstable();
    names.dedup();
    d.nisland = names.len();
    d.nidof = m.nv;
    d.map_dof2idof.resize(m.nv);
    d.map_efc2iefc.resize(d.nefc);
    for name in names {
        let dofs: Vec<usize> = (0..m.nv).filter(|dof| of_tree[dof / TREE] == name).collect();
        let rows: Vec<usize> = (0..d.nefc)
            .filter(|&r| of_tree[jacobian_row(d, r).0[0] as usize / TREE] == name)
            .collect();
        let count = |range: core::ops::Range<usize>| {
            rows.iter().filter(|r| range.contains(r)).count() as i32
        };
        d.island_ne.push(count(0..d.ne));
        d.island_nf.push(count(d.ne..d.ne + d.nf));
        d.island_nv.push(dofs.len() as i32);
        d.island_idofadr.push(d.map_idof2dof.len() as i32);
        d.island_nefc.push(rows.len() as i32);
        d.island_iefcadr.push(d.map_iefc2efc.len() as i32);
        for dof in dofs {
            d.map_dof2idof[dof] = d.map_idof2dof.len() as i32;
            d.map_idof2dof.push(dof as i32);
        }
        for row in rows {
            d.map_efc2iefc[row] = d.map_iefc2efc.len() as i32;
            d.map_iefc2efc.push(row as i32);
        }
    }
}

#[test]
fn islands_change_nothing() {
    for mut kind in KINDS {
        kind.contacts = kind.trees - 1;
        let m = model(&kind);
        let mut whole = data(&m, &kind, 6);
        fwd_constraint(&m, &mut whole);
        let mut parts = data(&m, &kind, 6);
        find_islands(&m, &mut parts, kind.trees);
        assert!(parts.nisland > 1);
        fwd_constraint(&m, &mut parts);
        assert_near(&whole.qacc, &parts.qacc, 1e-7);
        assert_near(&whole.efc_force, &parts.efc_force, 1e-6);
        for (r, &place) in parts.map_efc2iefc.iter().enumerate() {
            assert_eq!(whole.efc_state[r], parts.iefc_state[place as usize]);
        }
    }
}

/// The problems of many islands are solved from the last acceleration before it is known that the
/// smooth one is no better start.
#[test]
fn an_early_solution_is_the_same() {
    for solver in [SolverType::Newton, SolverType::Cg] {
        let kind = Kind { trees: 60, cone: ConeType::Elliptic, solver, contacts: 20 };
        let m = model(&kind);
        let mut d = data(&m, &kind, 10);
        find_islands(&m, &mut d, kind.trees);
        assert!(d.nisland > 30);
        for step in 0..12 {
            // scratch that knows no step before
            let mut fresh = d.clone();
            fwd_constraint(&m, &mut d);
            fwd_constraint(&m, &mut fresh);
            assert_eq!((&d.qacc, &d.efc_force), (&fresh.qacc, &fresh.efc_force));
            assert_eq!((&d.efc_state, &d.iefc_state), (&fresh.efc_state, &fresh.iefc_state));
            assert_eq!((&d.efc_b, &d.qfrc_constraint), (&fresh.efc_b, &fresh.qfrc_constraint));
            for (ours, theirs) in d.contact.iter().zip(&fresh.contact) {
                assert_eq!(ours.H, theirs.H);
            }

            // the next start, far away only once; contacts are found anew in each step
            d.contact.iter_mut().for_each(|con| con.H = [[0.0; 6]; 6]);
            d.qacc_warmstart = d.qacc.clone();
            if step == 8 {
                d.qacc_warmstart.iter_mut().for_each(|x| *x = 1e3 - *x);
            }
        }
    }
}

#[test]
fn the_direction_solves_the_newton_system() {
    for kind in KINDS {
        let m = model(&kind);
        let d = data(&m, &kind, 7);
        let mut problem = Problem::default();
        let counting: Vec<i32> = (0..m.nv.max(d.nefc) as i32).collect();
        problem.gather(&m, &d, &all_rows(&m, &d, &counting), true);
        assert_eq!(problem.fronts.nodes.len() > 1, kind.trees > 5);
        for (x, &dof) in problem.v.qacc.iter_mut().zip(&problem.dofs) {
            *x = d.qacc_warmstart[dof as usize];
        }
        problem.start_inertia();
        problem.start_rows();
        problem.gradient();
        problem.newton_direction(&mut Hessian::default());

        // by definition: M + Jᵀ H_rows J, with the states and curvatures of the rows
        let mut check = data(&m, &kind, 7);
        let mut product = vec![0.0; m.nv];
        let mut search = vec![0.0; m.nv];
        let mut grad = vec![0.0; m.nv];
        for (k, &dof) in problem.dofs.iter().enumerate() {
            search[dof as usize] = problem.v.search[k];
            grad[dof as usize] = problem.v.grad[k];
        }
        mul_m(&m, &d, &mut product, &search);
        let mut jar = vec![0.0; d.nefc];
        problem.rows.put(&problem.rows.jar, &mut jar);
        check.efc_force.resize(d.nefc);
        check.efc_state.resize(d.nefc);
        constraint_update(&m, &mut check, &jar, None, true);
        for (r, force) in curved(&check, &search).into_iter().enumerate() {
            let (cols, vals) = jacobian_row(&d, r);
            for (&c, x) in cols.iter().zip(vals) {
                product[c as usize] += x * force;
            }
        }
        let negative: Vec<f64> = grad.iter().map(|g| -g).collect();
        assert_near(&product, &negative, 1e-9);
    }
}

/// H_rows J v for the states of the rows.
fn curved(d: &Data, v: &[f64]) -> Vec<f64> {
    let along = |r: usize| -> f64 {
        let (cols, vals) = jacobian_row(d, r);
        cols.iter().zip(vals).map(|(&c, x)| x * v[c as usize]).sum()
    };
    let mut start = 0;
    (0..d.nefc)
        .map(|r| {
            if r == 0 || d.efc_id[r] != d.efc_id[r - 1] || d.efc_type[r] != d.efc_type[r - 1] {
                start = r;
            }
            match d.efc_state[r] {
                ConstraintState::Quadratic => d.efc_D[r] * along(r),
                ConstraintState::Cone => {
                    let con = &d.contact[d.efc_id[r] as usize];
                    let dim = con.dim as usize;
                    let row = &con.H.as_flattened()[(r - start) * dim..][..dim];
                    row.iter().enumerate().map(|(j, h)| h * along(start + j)).sum()
                }
                _ => 0.0,
            }
        })
        .collect()
}

#[test]
fn the_result_depends_on_nothing_but_the_inputs() {
    for kind in KINDS {
        let m = model(&kind);
        let mut fresh = data(&m, &kind, 8);
        fwd_constraint(&m, &mut fresh);

        // scratch that has seen another problem
        let mut used = data(&m, &kind, 9);
        fwd_constraint(&m, &mut used);
        let work = core::mem::take(&mut used.work);
        let mut again = data(&m, &kind, 8);
        again.work = work;
        fwd_constraint(&m, &mut again);
        let bits = |d: &Data| d.qacc.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&fresh), bits(&again));
    }
}

#[test]
fn statistics_count_what_the_solver_did() {
    let kind = KINDS[1];
    let m = model(&kind);
    let mut d = data(&m, &kind, 10);
    fwd_constraint(&m, &mut d);
    let n = d.solver_niter[0] as usize;
    assert_eq!(d.solver.len(), n);
    let last = d.solver[n - 1];
    assert!(last.improvement < m.opt.tolerance || last.gradient < m.opt.tolerance);
    assert!(d.solver.iter().all(|s| s.neval >= 2 && s.nactive > 0));
    assert!(d.solver[..n - 1].iter().all(|s| s.improvement > 0.0));
}

#[test]
fn numbers_that_are_none_do_not_hang_or_panic() {
    for kind in KINDS {
        for value in [f64::NAN, f64::INFINITY, 1e300] {
            let m = model(&kind);
            let mut d = data(&m, &kind, 11);
            d.qfrc_smooth[0] = value;
            d.efc_J[3] = value;
            d.efc_D[1] = value;
            fwd_constraint(&m, &mut d);
            // and the next step is itself again
            let work = core::mem::take(&mut d.work);
            let (mut used, mut fresh) = (data(&m, &kind, 12), data(&m, &kind, 12));
            used.work = work;
            fwd_constraint(&m, &mut used);
            fwd_constraint(&m, &mut fresh);
            assert_near(&used.qacc, &fresh.qacc, 0.0);
        }
    }
}

/// One tree, for which A is full, with rows that move all of it and rows that move one dof.
const ONE_TREE: [Kind; 2] = [
    Kind { trees: 1, cone: ConeType::Pyramidal, solver: SolverType::Pgs, contacts: 5 },
    Kind { trees: 1, cone: ConeType::Elliptic, solver: SolverType::Pgs, contacts: 7 },
];

#[test]
fn inverse_inertia_is_that_of_plain_products() {
    for mut kind in KINDS.into_iter().chain(ONE_TREE) {
        kind.solver = SolverType::Pgs;
        let m = model(&kind);
        let mut d = data(&m, &kind, 11);
        project_constraint(&m, &mut d);
        let dense = |d: &Data, r: usize| {
            let mut row = vec![0.0; m.nv];
            let (cols, values) = jacobian_row(d, r);
            cols.iter().zip(values).for_each(|(&c, &x)| row[c as usize] = x);
            row
        };
        assert_eq!(d.nA, d.efc_AR.len());
        assert_eq!(d.nA == d.nefc * d.nefc, kind.trees == 1);
        for r in 0..d.nefc {
            let mut solved = vec![0.0; m.nv];
            solve_m(&m, &d, &mut solved, &dense(&d, r));
            let mut expected: Vec<f64> = (0..d.nefc)
                .map(|o| dense(&d, o).iter().zip(&solved).map(|(x, y)| x * y).sum())
                .collect();
            expected[r] += d.efc_R[r];
            let mut found = vec![0.0; d.nefc];
            let (cols, values) = inertia_row(&d, r);
            assert!(cols.is_sorted());
            cols.iter().zip(values).for_each(|(&c, &x)| found[c as usize] = x);
            assert_near(&found, &expected, 1e-12);
        }
    }
}

#[test]
fn dual_forces_are_those_of_the_primal_solvers() {
    // sweeps over elliptic cones may end short of the optimum
    let pyramidal = |kind: &Kind| kind.cone == ConeType::Pyramidal;
    for mut kind in KINDS.into_iter().chain(ONE_TREE).filter(pyramidal) {
        kind.solver = SolverType::Newton;
        let mut m = model(&kind);
        let mut primal = data(&m, &kind, 12);
        fwd_constraint(&m, &mut primal);

        m.opt.solver = SolverType::Pgs;
        (m.opt.iterations, m.opt.tolerance) = (20_000, 1e-16);
        let mut dual = data(&m, &kind, 12);
        project_constraint(&m, &mut dual);
        fwd_constraint(&m, &mut dual);
        assert!(dual.solver_niter[0] > 1 && dual.solver_niter[0] < 20_000);
        assert_near(&dual.efc_force, &primal.efc_force, 1e-4);
        assert_near(&dual.qacc, &primal.qacc, 1e-4);
    }
}
