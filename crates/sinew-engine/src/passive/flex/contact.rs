//! Contacts of flexes that use springs instead of constraints (`passive`).

use sinew_model::{Contact, Data, Model};

use crate::smooth::flex::weighted::contact_columns;
use crate::smooth::flex::work::FlexWork;
use crate::work::scratch;

/// Stiffness of such a contact, in N/m (`kContactStiffness`).
const STIFFNESS: f64 = 1e4;

/// Adds the forces of passive contacts to `qfrc_spring`, along their normals.
///
/// Reads `contact`. Writes `exclude` of contacts that nothing can move.
#[doc(alias = "mj_contactPassive")]
pub(crate) fn contact_springs(m: &Model, d: &mut Data) {
    if m.nv == 0 || !d.contact.iter().any(|con| con.exclude == Contact::PASSIVE) {
        return;
    }
    let mut work = scratch(d).flex.take::<FlexWork>();
    for c in 0..d.contact.len() {
        if d.contact[c].exclude != Contact::PASSIVE {
            continue;
        }
        contact_columns(m, d, &d.contact[c], &mut work);
        let con = &mut d.contact[c];
        con.efc_address = -1;
        if work.dofs.is_empty() && m.is_sparse() {
            con.exclude = Contact::FIXED;
            continue;
        }
        let (normal, scale) = (con.frame.row(0), -STIFFNESS * con.dist);
        for (&dof, [linear, _]) in work.dofs.iter().zip(&work.columns) {
            d.qfrc_spring[dof] += normal.dot(*linear) * scale;
        }
    }
    scratch(d).flex.put(work);
}
