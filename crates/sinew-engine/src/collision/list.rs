//! The list of contacts while it is filled.

use sinew_geom::touch::Touch;
use sinew_math::{Mat3, Vec3};
use sinew_model::enums::Warning;
use sinew_model::state::clear_rows;
use sinew_model::{Contact, Data, GeomId};

use crate::collision::params::Params;

/// Maximum number of contacts; more are dropped with a warning, as by MuJoCo's full arena. Without
/// a maximum, a model of a few lines could exhaust the memory.
const MAX_CONTACTS: usize = 1 << 17;

/// The two things that touch, as contacts name them; -1 for none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touching {
    pub(crate) geom: [i32; 2],
    pub(crate) flex: [i32; 2],
    pub(crate) elem: [i32; 2],
    pub(crate) vert: [i32; 2],
}

impl Touching {
    /// Neither is named.
    pub(crate) const NOTHING: Touching =
        Touching { geom: [-1; 2], flex: [-1; 2], elem: [-1; 2], vert: [-1; 2] };

    /// Two geoms.
    #[inline]
    pub(crate) fn geoms(geoms: [GeomId; 2]) -> Touching {
        Touching { geom: geoms.map(|g| g.idx() as i32), ..Touching::NOTHING }
    }
}

/// The contacts found so far, which replace the contacts of the last step.
pub(crate) struct ContactList<'a> {
    contacts: &'a mut Vec<Contact>,
    len: usize,
    /// How often contacts were dropped because the list was full.
    pub(crate) overflows: usize,
}

impl<'a> ContactList<'a> {
    pub(crate) fn new(contacts: &'a mut Vec<Contact>) -> Self {
        ContactList { contacts, len: 0, overflows: 0 }
    }

    /// How many contacts were found.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether contacts were dropped: then all further ones would be, and need not be found.
    pub(crate) fn is_full(&self) -> bool {
        self.overflows > 0
    }

    /// Adds a contact for each touch; it exerts force below the distance `reach`.
    pub(crate) fn add(&mut self, touches: &[Touch], of: Touching, reach: f64, params: &Params) {
        let end = (self.len + touches.len()).min(MAX_CONTACTS);
        if self.contacts.len() < end {
            self.contacts.resize(end, Contact::default());
        }
        write_contacts(touches, of, reach, params, &mut self.contacts[self.len..end]);
        self.overflows += usize::from(self.len + touches.len() > MAX_CONTACTS);
        self.len = end;
    }

    /// Sorts the contacts from `start` on by their partners: geoms before elements before vertices.
    /// Equal ones keep their order. `order` is scratch.
    #[doc(alias = "contactcompare")]
    pub(crate) fn sort_from(&mut self, start: usize, order: &mut Vec<(i32, i32, u32)>) {
        let name = |con: &Contact, side: usize| {
            let names = [con.geom[side], con.elem[side], con.vert[side]];
            names.into_iter().find(|&id| id >= 0).unwrap_or(-1)
        };
        let found = &mut self.contacts[start..self.len];
        order.clear();
        let keys = found.iter().enumerate().map(|(k, con)| (name(con, 0), name(con, 1), k as u32));
        order.extend(keys);
        order.sort_unstable();

        // each place gets its contact, which may have been swapped away from where it was
        for k in 0..found.len() {
            let mut from = order[k].2 as usize;
            while from < k {
                from = order[from].2 as usize;
            }
            found.swap(k, from);
        }
    }
}

/// Appends a contact to those that were found, and drops the constraint rows; whether there was
/// room.
#[doc(alias = "mj_addContact")]
pub fn add_contact(d: &mut Data, contact: Contact) -> bool {
    clear_rows(d);
    if d.ncon >= MAX_CONTACTS {
        d.warn(Warning::Contactfull, d.ncon);
        return false;
    }
    d.contact.truncate(d.ncon);
    d.contact.push(contact);
    d.ncon = d.contact.len();
    true
}

/// Writes contacts over the old contents of the records.
#[doc(alias = "mj_setContact")]
fn write_contacts(
    touches: &[Touch],
    of: Touching,
    reach: f64,
    params: &Params,
    contacts: &mut [Contact],
) {
    let mut before: Option<&Touch> = None;
    let mut own_frame = Mat3::ZERO;
    for (touch, contact) in touches.iter().zip(contacts) {
        // contacts of flat sides have one frame
        let same = before.is_some_and(|before| {
            same_bits(before.normal, touch.normal) && same_bits(before.tangent, touch.tangent)
        });
        if !same {
            own_frame = make_frame(touch.normal, touch.tangent);
        }
        before = Some(touch);

        // every field in place: a record is large, and copying it costs more than finding it
        let Contact {
            dist,
            pos,
            frame,
            includemargin,
            friction,
            solref,
            solreffriction,
            solimp,
            mu,
            H,
            dim,
            geom1,
            geom2,
            geom,
            flex,
            elem,
            vert,
            exclude,
            efc_address,
            pad_,
        } = contact;
        (*dist, *pos, *frame) = (touch.dist, touch.pos, own_frame);
        *includemargin = reach;
        *friction = params.friction;
        (*solref, *solreffriction, *solimp) = (params.solref, params.solreffriction, params.solimp);
        (*mu, *H) = (0.0, [[0.0; 6]; 6]);
        *dim = params.dim;
        (*geom, *flex, *elem, *vert) = (of.geom, of.flex, of.elem, of.vert);
        (*geom1, *geom2) = (geom[0], geom[1]);
        *exclude = i32::from(touch.dist >= reach);
        (*efc_address, *pad_) = (-1, 0);
    }
}

/// Whether two vectors are the same, signs of zeros included.
#[inline]
fn same_bits(a: Vec3, b: Vec3) -> bool {
    let bits = |v: Vec3| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()];
    bits(a) == bits(b)
}

/// A right-handed frame, as rows: along the normal, then along the part of the tangent across it.
/// Without a tangent y is taken, or z if the normal is near y.
#[doc(alias = "mju_makeFrame")]
pub(crate) fn make_frame(normal: Vec3, tangent: Vec3) -> Mat3 {
    let x = normal.normalize().0;
    let given = match tangent.dot(tangent) < 0.25 {
        true if x.y < 0.5 && x.y > -0.5 => Vec3::Y,
        true => Vec3::Z,
        false => tangent,
    };
    let y = (given - x * x.dot(given)).normalize().0;
    Mat3::from_rows(x, y, x.cross(y))
}
