//! Names of objects.

use crate::enums::ObjType;
use crate::model::Model;

impl Model {
    /// The name of object `id` of type `kind`: empty if it has none, `None` if there is no such
    /// object.
    #[doc(alias = "mj_id2name")]
    pub fn id2name(&self, kind: ObjType, id: usize) -> Option<&str> {
        let adr = *self.name_addresses(kind)?.get(id)?;
        let bytes = self.names.get(usize::try_from(adr).ok()?..)?;
        let len = bytes.iter().position(|c| c.0 == 0)?;
        core::str::from_utf8(crate::pod::bytes_of(&bytes[..len])).ok()
    }

    /// The object of type `kind` called `name`.
    #[doc(alias = "mj_name2id")]
    pub fn name2id(&self, kind: ObjType, name: &str) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        let n = self.name_addresses(kind)?.len();
        (0..n).find(|&i| self.id2name(kind, i) == Some(name))
    }

    /// Start of the names of one object type in `names`.
    fn name_addresses(&self, kind: ObjType) -> Option<&[i32]> {
        Some(match kind {
            ObjType::Body | ObjType::Xbody => &self.name_bodyadr,
            ObjType::Joint => &self.name_jntadr,
            ObjType::Geom => &self.name_geomadr,
            ObjType::Site => &self.name_siteadr,
            ObjType::Camera => &self.name_camadr,
            ObjType::Light => &self.name_lightadr,
            ObjType::Flex => &self.name_flexadr,
            ObjType::Mesh => &self.name_meshadr,
            ObjType::Skin => &self.name_skinadr,
            ObjType::Hfield => &self.name_hfieldadr,
            ObjType::Texture => &self.name_texadr,
            ObjType::Material => &self.name_matadr,
            ObjType::Pair => &self.name_pairadr,
            ObjType::Exclude => &self.name_excludeadr,
            ObjType::Equality => &self.name_eqadr,
            ObjType::Tendon => &self.name_tendonadr,
            ObjType::Actuator => &self.name_actuatoradr,
            ObjType::Sensor => &self.name_sensoradr,
            ObjType::Numeric => &self.name_numericadr,
            ObjType::Text => &self.name_textadr,
            ObjType::Tuple => &self.name_tupleadr,
            ObjType::Key => &self.name_keyadr,
            ObjType::Plugin => &self.name_pluginadr,
            _ => return None,
        })
    }
}
