//! Contacts.

use sinew_math::{Mat3, Vec3};

use crate::record::records;

records! {
    /// A contact between two geoms.
    #[derive(Default)]
    Contact {
        dist: f64, "distance between the surfaces; negative if they overlap";
        pos: Vec3, "point midway between the surfaces";
        frame: Mat3, "axes of the contact, as rows; the first is the normal, from the first geom to the second";
        includemargin: f64, "distance below which the contact exerts force";
        friction: [f64; 5], "friction: two sliding, torsion, two rolling";
        solref: [f64; 2], "reference parameters of the normal direction";
        solreffriction: [f64; 2], "reference parameters of the friction directions";
        solimp: [f64; 5], "impedance parameters";
        mu: f64, "friction of the regularised cone";
        H: [[f64; 6]; 6], "Hessian of the cone";
        dim: i32, "dimension: 1, 3, 4 or 6";
        geom1: i32, "first geom (older name of `geom[0]`)";
        geom2: i32, "second geom (older name of `geom[1]`)";
        geom: [i32; 2], "the geoms; -1 for a flex";
        flex: [i32; 2], "the flexes; -1 for a geom";
        elem: [i32; 2], "the flex elements; -1 for none";
        vert: [i32; 2], "the flex vertices; -1 for none";
        exclude: i32, "why it exerts no force: 0 it does, 1 in the gap, 2 fused, 3 no dofs, 4 passive";
        efc_address: i32, "first constraint row; -1 if none";
        pad_: i32, "unused; makes the size a multiple of eight";
    }
}

impl Contact {
    /// `exclude` of a contact that no dof can move.
    pub const FIXED: i32 = 3;
    /// `exclude` of a contact that acts as a spring, without constraint rows.
    pub const PASSIVE: i32 = 4;
}
