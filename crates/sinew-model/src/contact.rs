//! Contacts.

use sinew_math::{Mat3, Vec3};

use crate::record::records;

records! {
    /// A contact between two geoms.
    Contact {
        dist: f64, "distance between nearest points; neg: penetration";
        pos: Vec3, "position of contact point: midpoint between geoms";
        frame: Mat3, "normal is in [0-2], points from geom[0] to geom[1]";
        includemargin: f64, "include if dist<includemargin=margin-gap";
        friction: [f64; 5], "tangent1, 2, spin, roll1, 2";
        solref: [f64; 2], "constraint solver reference, normal direction";
        solreffriction: [f64; 2], "constraint solver reference, friction directions";
        solimp: [f64; 5], "constraint solver impedance";
        mu: f64, "friction of regularized cone, set by mj_makeConstraint";
        H: [[f64; 6]; 6], "cone Hessian, set by mj_constraintUpdate";
        dim: i32, "contact space dimensionality: 1, 3, 4 or 6";
        geom1: i32, "id of geom 1; deprecated, use geom[0]";
        geom2: i32, "id of geom 2; deprecated, use geom[1]";
        geom: [i32; 2], "geom ids; -1 for flex";
        flex: [i32; 2], "flex ids; -1 for geom";
        elem: [i32; 2], "element ids; -1 for geom or flex vertex";
        vert: [i32; 2], "vertex ids;  -1 for geom or flex element";
        exclude: i32, "0: include, 1: in gap, 2: fused, 3: no dofs, 4: passive";
        efc_address: i32, "address in efc; -1: not included";
        pad_: i32, "unused; makes the size a multiple of eight";
    }
}
