//! Values of a state outside its tables: scalars, and small arrays in the struct.

use sinew_model::pod::{Pod, Scalar, bytes_of_mut};

use crate::memory::Slot;

/// A value of a scalar field.
pub(crate) enum Number {
    /// A floating-point number.
    Float(f64),
    /// A count or flag.
    Int(i64),
}

/// A scalar field of a state.
pub(crate) struct ScalarField {
    pub(crate) name: &'static str,
    /// Whether it is a floating-point number.
    pub(crate) real: bool,
    pub(crate) get: fn(&sinew_model::Data) -> Number,
    set: fn(&mut sinew_model::Data, Number) -> bool,
}

/// Declares the scalar fields of a state.
macro_rules! scalars {
    ($($kind:ident { $($name:ident)* })*) => {
        /// The scalars of a state.
        pub(crate) const SCALARS: &[ScalarField] = &[$($(ScalarField {
            name: stringify!($name),
            real: scalars!(@float $kind),
            get: |d| scalars!(@get $kind d.$name),
            set: |d, value| match value {
                scalars!(@number $kind x) => {
                    d.$name = scalars!(@set $kind x);
                    true
                }
                _ => false,
            },
        },)*)*];
    };
    (@float real) => { true };
    (@float count) => { false };
    (@float flag) => { false };
    (@get real $x:expr) => { Number::Float($x) };
    (@get count $x:expr) => { Number::Int($x as i64) };
    (@get flag $x:expr) => { Number::Int($x.into()) };
    (@number real $x:ident) => { Number::Float($x) };
    (@number $other:ident $x:ident) => { Number::Int($x) };
    (@set real $x:ident) => { $x };
    (@set count $x:ident) => { $x.max(0) as usize };
    (@set flag $x:ident) => { $x != 0 };
}

scalars! {
    real { time }
    count {
        maxuse_con maxuse_efc ncon ne nf nl nefc nJ nA nisland nidof ntree_awake nbody_awake
        nparent_awake nv_awake
    }
    flag { flg_energypos flg_energyvel flg_subtreevel flg_rnepost }
}

impl ScalarField {
    /// Sets the scalar; an error, and no change, if it would count missing rows.
    pub(crate) fn put(&self, d: &mut sinew_model::Data, value: Number) -> Result<(), String> {
        if let Number::Int(n) = value {
            let most = self.most(d);
            if n < 0 || most.is_some_and(|most| n as usize > most) {
                let most = most.unwrap_or(usize::MAX);
                let name = self.name;
                return Err(format!("{name} = {n}, wanted 0 to {most}: the rows that there are"));
            }
        }
        (self.set)(d, value);
        Ok(())
    }

    /// Sets the scalar without a check; returns `false` for a value of the wrong type.
    pub(crate) fn put_unchecked(&self, d: &mut sinew_model::Data, value: Number) -> bool {
        (self.set)(d, value)
    }

    /// Upper bound of the scalar if it counts rows; `None` for other scalars.
    fn most(&self, d: &mut sinew_model::Data) -> Option<usize> {
        Some(match self.name {
            "ncon" => d.contact.len(),
            "nefc" => d.efc_type.len(),
            "nJ" => d.efc_J.len(),
            "nA" => d.efc_AR.len(),
            "nisland" => d.island_nv.len(),
            "nidof" => d.qvel.len(),
            // types of rows may be counted before the rows exist, as MJX does
            _ => return None,
        })
    }
}

/// Arrays outside the tables.
pub(crate) const INLINE: &[(&str, Scalar)] = &[
    ("energy", Scalar::F64),
    ("solver_niter", Scalar::I32),
    ("solver_nnz", Scalar::I32),
    ("solver_fwdinv", Scalar::F64),
    ("plastic", Scalar::F64),
];

pub(crate) fn inline<'a>(d: &'a mut sinew_model::Data, name: &str) -> Option<Slot<'a>> {
    fn slot<T: Pod>(numbers: &mut [T]) -> Slot<'_> {
        Slot::flat(bytes_of_mut(numbers), T::SCALAR)
    }
    Some(match name {
        "energy" => slot(&mut d.energy),
        "solver_niter" => slot(&mut d.solver_niter),
        "solver_nnz" => slot(&mut d.solver_nnz),
        "solver_fwdinv" => slot(&mut d.solver_fwdinv),
        "plastic" => slot(&mut d.plastic),
        _ => return None,
    })
}
