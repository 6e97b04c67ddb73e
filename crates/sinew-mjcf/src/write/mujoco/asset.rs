//! Assets, flexes and skins.

use sinew_model::enums::{Builtin, ColorSpace, MeshBuiltin, TextureRole};

use crate::files::asset_name;
use crate::number::{short, short_row};
use crate::spec::attr::Value;
use crate::spec::{Flex, FlexElasticity, HField, Head, Material, Mesh, Skin, Texture};
use crate::write::mujoco::Writer;
use crate::write::mujoco::node::Node;

/// The textures of a material by their roles.
fn textures(e: &Material) -> [&str; TextureRole::Orm.0 as usize + 1] {
    let mut names = [""; TextureRole::Orm.0 as usize + 1];
    names[TextureRole::Rgb.0 as usize] = e.texture.text();
    for layer in &e.layers {
        let role = layer.role.or(TextureRole::Rgb).0;
        if let Some(name) = usize::try_from(role).ok().and_then(|role| names.get_mut(role)) {
            *name = layer.texture.text();
        }
    }
    names
}

/// The part of a list of the model that belongs to one of several.
fn part<T>(list: &[T], first: i32, count: usize) -> &[T] {
    let first = usize::try_from(first).unwrap_or(0);
    list.get(first..first + count).unwrap_or(&[])
}

/// Integers in a row.
fn integers(values: &[i32]) -> String {
    values.iter().map(i32::to_string).collect::<Vec<_>>().join(" ")
}

impl Writer<'_> {
    /// The section of assets.
    pub(super) fn asset(&self, root: &mut Node) -> Result<(), String> {
        let (spec, mut section) = (self.spec, Node::new("asset"));
        for (i, e) in spec.textures.iter().enumerate() {
            section.push(self.texture(e, i)?);
        }
        for e in &spec.materials {
            let base = &self.class_of(&e.head).material;
            section.push(self.material(&self.defaults.material(e), base, Some(&e.head)));
        }
        for e in &spec.meshes {
            let base = &self.class_of(&e.head).mesh;
            section.push(self.mesh_asset(&self.defaults.mesh(e), base)?);
        }
        spec.hfields.iter().for_each(|e| section.push(hfield(e)));
        root.push_full(section);
        Ok(())
    }

    fn texture(&self, e: &Texture, i: usize) -> Result<Node, String> {
        let (mut node, v) = (Node::new("texture"), e.values());
        let mut space = v.colorspace();
        if v.builtin() == Builtin::None && e.data.is_empty() {
            space = ColorSpace(self.m.tex_colorspace.get(i).map_or(space.0, |space| space.0));
        }
        node.text("type", v.type_().write());
        node.text("colorspace", space.write());
        node.text("name", asset_name(&e.name, &e.file));

        // generated, or from files
        let sides = [&e.fileright, &e.fileleft, &e.fileup, &e.filedown, &e.filefront, &e.fileback];
        let names = ["fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"];
        let none = Texture::default();
        if v.builtin() != Builtin::None {
            node.text("builtin", v.builtin().write());
            node.extend(e.differing(&none, "mark rgb1 rgb2 markrgb random"));
            node.text("width", v.width().to_string());
            node.text("height", self.m.tex_height.get(i).map_or(0, |h| *h).to_string());
            return Ok(node);
        }
        let no_files = v.file().is_empty() && sides.iter().all(|side| side.text().is_empty());
        if no_files && v.gridsize() == [1, 1] {
            return Err("no support for buffer textures.".to_owned());
        }
        node.text("content_type", v.content_type());
        node.text("file", v.file());
        names.into_iter().zip(sides).for_each(|(name, side)| node.text(name, side.text()));
        node.extend(e.differing(&none, "hflip vflip gridsize"));
        if v.gridsize() != [1, 1] {
            node.text("gridlayout", format!("{:.<12}", e.gridlayout.text()));
        }
        Ok(node)
    }

    /// A material; its textures are elements of their own if there are several.
    pub(super) fn material(&self, e: &Material, base: &Material, head: Option<&Head>) -> Node {
        let mut node = Node::new("material");
        if let Some(head) = head {
            self.named(&mut node, e.name.text(), head);
        }
        let (own, usual) = (textures(e), textures(base));
        if own.iter().skip(2).any(|name| !name.is_empty()) {
            for (role, name) in own.iter().enumerate().skip(1).filter(|(_, n)| !n.is_empty()) {
                let mut layer = Node::new("layer");
                layer.text("texture", *name);
                layer.text("role", TextureRole(role as i32).write());
                node.push(layer);
            }
        } else if own[1] != usual[1] {
            node.text("texture", own[1]);
        }
        let order = "texuniform texrepeat emission specular shininess reflectance metallic \
                     roughness rgba";
        node.extend(e.differing(base, order));
        node
    }

    fn mesh_asset(&self, e: &Mesh, base: &Mesh) -> Result<Node, String> {
        if e.plugin.is_some() {
            let mut node = Node::new("mesh");
            node.text("name", asset_name(&e.name, &e.file));
            node.text("file", e.values().file());
            self.push_plugin(&mut node, e.plugin.as_deref());
            return Ok(node);
        }
        let mut e = e.clone();
        if let Some(shape) = e.builtin.get().copied().filter(|s| *s != MeshBuiltin::None) {
            let params = e.params.or(Vec::new());
            e.make(shape, &params)?;
        }
        Ok(self.mesh("mesh", &e, base, Some(&e.head)))
    }

    /// A mesh.
    pub(super) fn mesh(&self, tag: &str, e: &Mesh, base: &Mesh, head: Option<&Head>) -> Node {
        let mut node = Node::new(tag);
        if let Some(head) = head {
            let v = e.values();
            self.named(&mut node, asset_name(&e.name, &e.file), head);
            node.text("content_type", v.content_type());
            node.text("file", v.file());
            node.text("vertex", short_row(v.vertex()));
            node.text("normal", short_row(v.normal()));
            node.text("texcoord", short_row(v.texcoord()));
            node.text("face", integers(v.face()));
        }
        node.extend(e.differing(base, "inertia refpos refquat scale smoothnormal"));
        node
    }

    /// The section of flexes and skins.
    pub(super) fn deformable(&self, root: &mut Node) {
        let mut section = Node::new("deformable");
        let flexes = self.spec.flexes.iter().enumerate();
        flexes.for_each(|(i, e)| section.push(self.flex(e, i)));
        let skins = self.spec.skins.iter().enumerate();
        skins.for_each(|(i, e)| section.push(self.skin(e, i)));
        root.push_full(section);
    }

    fn flex(&self, e: &Flex, i: usize) -> Node {
        let (mut node, none, v) = (Node::new("flex"), Flex::default(), e.values());
        node.text("name", e.name.text());
        node.extend(e.differing(&none, "radius material rgba flatskin dim group"));

        // points and elements; elements of dimension two with all sides turned alike
        node.text("body", e.body.get().map_or(String::new(), Value::write));
        node.text("vertex", short_row(v.vertex()));
        let written = v.element();
        let first = self.m.flex_elemdataadr.get(i).map_or(0, |first| *first);
        node.text("element", integers(part(&self.m.flex_elem, first, written.len())));
        node.text("texcoord", short_row(v.texcoord()));
        if !v.texcoord().is_empty() {
            // if none are given, MuJoCo takes the number for triangles
            let corners = usize::try_from(v.dim() + 1).map_or(1, |n| n.max(1));
            let count = (3 * (written.len() / corners)).min(written.len());
            let given = v.elemtexcoord();
            let given = if given.is_empty() { &written[..count] } else { given };
            node.text("elemtexcoord", integers(given));
        }
        node.text("node", e.node.get().map_or(String::new(), Value::write));

        // contact, elasticity, edges
        let mut contact = Node::new("contact");
        let order = "contype conaffinity condim priority friction solmix solref solimp margin gap \
                     internal selfcollide activelayers";
        contact.extend(e.contact.differing(&none.contact, order));
        node.push_said(contact);
        let mut elastic = Node::new("elasticity");
        let mut elasticity = e.elasticity.clone();
        if !matches!(e.elasticity.values().elastic2d().0, 0 | 1) {
            // MuJoCo has no more keywords here
            elasticity.elastic2d.clear();
        }
        let order = "young poisson thickness damping elastic2d";
        elastic.extend(elasticity.differing(&FlexElasticity::default(), order));
        node.push(elastic);
        let mut edge = Node::new("edge");
        edge.extend(e.edge.differing(&none.edge, "stiffness damping"));
        node.push_said(edge);
        node
    }

    fn skin(&self, e: &Skin, i: usize) -> Node {
        let (mut node, v) = (Node::new("skin"), e.values());
        node.text("name", asset_name(&e.name, &e.file));
        node.text("file", v.file());
        node.extend(e.differing(&Skin::default(), "material group rgba inflate"));
        if !v.file().is_empty() {
            return node;
        }
        node.text("vertex", short_row(v.vertex()));
        node.text("texcoord", short_row(v.texcoord()));
        node.text("face", integers(v.face()));
        let m = self.m;
        let first = m.skin_boneadr.get(i).map_or(0, |first| *first);
        for (k, written) in (usize::try_from(first).unwrap_or(0)..).zip(&e.bones) {
            let (Some(pos), Some(quat)) = (m.skin_bonebindpos.get(k), m.skin_bonebindquat.get(k))
            else {
                break;
            };
            let mut bone = Node::new("bone");
            bone.text("body", written.body.text());
            bone.all("bindpos", &pos.map(f64::from));
            bone.all("bindquat", &quat.map(f64::from));
            let count = usize::try_from(m.skin_bonevertnum[k]).unwrap_or(0);
            let at = m.skin_bonevertadr[k];
            bone.text("vertid", integers(part(&m.skin_bonevertid, at, count)));
            bone.text("vertweight", short_row(part(&m.skin_bonevertweight, at, count)));
            node.push(bone);
        }
        node
    }
}

fn hfield(e: &HField) -> Node {
    let (mut node, v) = (Node::new("hfield"), e.values());
    node.text("name", asset_name(&e.name, &e.file));
    node.all("size", &v.size());
    if !v.file().is_empty() {
        node.text("content_type", v.content_type());
        node.text("file", v.file());
        return node;
    }
    node.text("nrow", v.nrow().to_string());
    node.text("ncol", v.ncol().to_string());
    let (rows, columns) = (v.nrow().max(0) as usize, v.ncol().max(0) as usize);
    let heights = e.elevation.or(vec![0.0; rows.saturating_mul(columns)]);
    let row = |row: &[f32]| {
        let words: Vec<String> = row.iter().map(|x| short(f64::from(*x))).collect();
        format!("\n            {}", words.join(" "))
    };
    node.text("elevation", heights.chunks(columns.max(1)).map(row).collect::<String>());
    node
}
