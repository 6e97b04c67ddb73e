#![allow(missing_docs, clippy::all, clippy::unwrap_used, clippy::print_stdout)]
use sinew_model::{Contact, Data, Model};
use std::collections::BTreeMap;
type Rec = BTreeMap<String, Vec<u8>>;
fn f64s(b: &[u8]) -> Vec<f64> {
    b.chunks_exact(8).map(|c| f64::from_le_bytes(c.try_into().unwrap())).collect()
}
fn i32s(b: &[u8]) -> Vec<i32> {
    b.chunks_exact(4).map(|c| i32::from_le_bytes(c.try_into().unwrap())).collect()
}
fn rel(a: &[f64], b: &[f64]) -> f64 {
    let scale = b.iter().fold(1e-8f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0f64, |m, (x, y)| {
        let e = (x - y).abs() / scale;
        if e.is_nan() { f64::INFINITY } else { m.max(e) }
    })
}
fn main() {
    let verbose = std::env::var("V").is_ok();
    let reps: usize = std::env::var("REPS").ok().and_then(|s| s.parse().ok()).unwrap_or(30);
    for base in std::env::args().skip(1) {
        let m = Model::from_binary(&std::fs::read(format!("{base}.mjb")).unwrap()).unwrap();
        let raw = std::fs::read(format!("{base}.bin")).unwrap();
        let mut states: Vec<Rec> = vec![];
        let mut cur = Rec::new();
        let mut at = 0;
        while at < raw.len() {
            let n = u32::from_le_bytes(raw[at..at + 4].try_into().unwrap()) as usize;
            let l = u32::from_le_bytes(raw[at + 4..at + 8].try_into().unwrap()) as usize;
            let name = String::from_utf8(raw[at + 8..at + 8 + n].to_vec()).unwrap();
            at += 8 + n;
            if name == "." {
                states.push(std::mem::take(&mut cur));
            } else {
                cur.insert(name, raw[at..at + l].to_vec());
            }
            at += l;
        }
        let mut d = Data::new(&m);
        let (mut worst, mut worst_f, mut badit, mut badstat, mut worst_stat, mut total, mut mj) =
            (0.0f64, 0.0f64, 0, 0, 0.0f64, 0.0, 0.0);
        let (mut nit, mut nefc, mut wb, mut badstate) = (0, 0, 0.0f64, 0);
        let mut worst_hist = vec![];
        for (si, s) in states.iter().enumerate() {
            let sizes: Vec<i64> = s["sizes"]
                .chunks_exact(8)
                .map(|c| i64::from_le_bytes(c.try_into().unwrap()))
                .collect();
            d.ncon = sizes[0] as usize;
            d.ne = sizes[1] as usize;
            d.nf = sizes[2] as usize;
            d.nl = sizes[3] as usize;
            d.nefc = sizes[4] as usize;
            d.nJ = sizes[5] as usize;
            d.nisland = sizes[6] as usize;
            d.nidof = sizes[7] as usize;
            for (k, v) in s {
                if k.starts_with('=') || k == "sizes" || k.starts_with("con_") {
                    continue;
                }
                let w = if k.starts_with("efc_") && !k.ends_with("colind") && k != "efc_J" {
                    d.nefc
                } else {
                    usize::MAX
                };
                let _ = w;
                let es = if ["efc_J", "efc_D", "efc_R", "efc_frictionloss", "efc_aref"]
                    .contains(&k.as_str())
                {
                    8
                } else {
                    4
                };
                d.resize_list(k, v.len() / es);
                let f = d.field_mut(k).unwrap();
                assert_eq!(f.bytes.len(), v.len(), "{k}");
                f.bytes.copy_from_slice(v);
            }
            let (mu, fr, dim) = (f64s(&s["con_mu"]), f64s(&s["con_friction"]), i32s(&s["con_dim"]));
            d.contact.clear();
            for c in 0..d.ncon {
                d.contact.push(Contact {
                    mu: mu[c],
                    friction: fr[c * 5..c * 5 + 5].try_into().unwrap(),
                    dim: dim[c],
                    ..Contact::default()
                });
            }
            sinew_engine::fwd_constraint(&m, &mut d);
            let e = rel(&d.qacc, &f64s(&s["=qacc"]));
            worst_hist.push(e);
            worst = worst.max(e);
            worst_f = worst_f.max(rel(&d.efc_force, &f64s(&s["=efc_force"])));
            wb = wb.max(rel(&d.efc_b, &f64s(&s["=efc_b"])));
            let st: Vec<i32> = d.efc_state.iter().map(|x| x.0).collect();
            if st != i32s(&s["=efc_state"]) {
                badstate += 1;
            }
            if d.nisland > 0 {
                let st: Vec<i32> = d.iefc_state.iter().map(|x| x.0).collect();
                if st != i32s(&s["=iefc_state"]) {
                    badstate += 1;
                }
            }
            let it = i32s(&s["=solver_niter"]);
            if it != d.solver_niter {
                badit += 1;
            }
            let want = f64s(&s["=stats"]);
            for a in 0..20.min(d.nisland.max(1)) {
                for b in 0..(d.solver_niter[a] as usize).min(200) {
                    let x = &want[(a * 200 + b) * 7..][..7];
                    let y = d.solver[a * 200 + b];
                    let ints = [y.nactive, y.nchange, y.neval, y.nupdate];
                    let bad = (0..4).any(|k| ints[k] as f64 != x[3 + k]);
                    if bad {
                        badstat += 1;
                    }
                    worst_stat = worst_stat
                        .max((y.improvement - x[0]).abs() / (x[0].abs() + 1e-10))
                        .max((y.gradient - x[1]).abs() / (x[1].abs() + 1e-8));
                    if verbose && (bad || it != d.solver_niter) {
                        println!("  state {si} island {a} iter {b}: got {y:?} want {x:?}");
                    }
                }
            }
            if verbose {
                println!(
                    " state {si} nefc {} niter {:?} want {:?} err {e:e} nnz {} want {}",
                    d.nefc,
                    &d.solver_niter[..d.nisland.clamp(1, 20)],
                    &it[..d.nisland.clamp(1, 20)],
                    d.solver_nnz[0],
                    i32s(&s["=solver_nnz"])[0]
                );
            }
            nit += it.iter().sum::<i32>();
            nefc += d.nefc;
            let mut best = f64::MAX;
            for _ in 0..reps {
                let t = std::time::Instant::now();
                sinew_engine::fwd_constraint(&m, &mut d);
                best = best.min(t.elapsed().as_secs_f64() * 1e6);
            }
            total += best;
            if let Some(t) = s.get("=mjtime") {
                mj += f64s(t)[0];
            }
        }
        let n = states.len() as f64;
        worst_hist.sort_by(f64::total_cmp);
        println!(
            "{:28} nv {:4} nefc {:6.1} it {:5.1} | qacc {:8.1e} (med {:7.1e}) force {:8.1e} b {:7.1e} state {badstate} niter {badit}/{} stat {badstat} {:8.1e} | us {:9.2} mj {:9.2} ratio {:5.2}",
            base.rsplit('/').next().unwrap(),
            m.nv,
            nefc as f64 / n,
            nit as f64 / n,
            worst,
            worst_hist[worst_hist.len() / 2],
            worst_f,
            wb,
            states.len(),
            worst_stat,
            total / n,
            mj / n,
            mj / total
        );
    }
}
