//! `<asset>`: meshes, height fields, textures, materials and models to attach.

use super::{Reader, Setting, read_model};
use crate::include::Folder;
use crate::spec::{Attr, ClassId, HField, Layer, Material, Mesh, ModelAsset, SubModel, Texture};
use crate::xml::{Node, text_of};

/// Models that name models that name models ... end here.
const MAX_MODEL_DEPTH: usize = 20;

impl<'t> Reader<'_, 't> {
    pub(super) fn asset(&mut self, node: Node<'t>) {
        for child in node.children() {
            let class = self.class_of(child, Some(ClassId(0)));
            match child.name() {
                "mesh" => self.mesh(child, class),
                "hfield" => self.hfield(child),
                "texture" => self.texture(child),
                "material" => {
                    let material = self.material(child, class);
                    self.name(child, "material", &material.name);
                    self.spec.materials.push(material);
                }
                "skin" => self.skin(child),
                "model" => self.submodel(child),
                _ => {}
            }
        }
    }

    fn mesh(&mut self, node: Node<'t>, class: Option<ClassId>) {
        let mut mesh = Mesh::read(&mut self.source_of(node, class));
        self.name(node, "mesh", &mesh.name);
        self.check_mesh(node, &mesh);
        mesh.plugin = self.plugin_in(node);
        self.resolve(node, &mut mesh.file, Folder::Mesh);
        self.spec.meshes.push(mesh);
    }

    pub(super) fn check_mesh(&mut self, node: Node<'t>, mesh: &Mesh) {
        if mesh.maxhullvert.get().is_some_and(|n| *n != -1 && *n < 4) {
            self.error(node, "mesh", "maxhullvert must be larger than 3");
        }
        if mesh.builtin.is_set() {
            self.require(node, &["params"]);
            if mesh.file.is_set() {
                self.error(node, "mesh", "builtin cannot be used with a mesh file");
            }
            if mesh.vertex.is_set() {
                self.error(node, "mesh", "builtin mesh cannot be used with user vertex data");
            }
        }
    }

    fn hfield(&mut self, node: Node<'t>) {
        let mut hfield = HField::read(&mut self.source(node));
        self.name(node, "hfield", &hfield.name);
        self.require(node, &["size"]);
        self.resolve(node, &mut hfield.file, Folder::Asset);
        let (nrow, ncol) = (hfield.values().nrow(), hfield.values().ncol());
        if let Some(data) = hfield.elevation.get()
            && !hfield.file.is_set()
            && nrow > 0
            && ncol > 0
            && data.len() as i64 != i64::from(nrow) * i64::from(ncol)
        {
            self.error(node, "hfield", "elevation data length must match nrow*ncol");
        }
        self.spec.hfields.push(hfield);
    }

    fn texture(&mut self, node: Node<'t>) {
        let mut texture = Texture::read(&mut self.source(node));
        self.name(node, "texture", &texture.name);
        if let Some(class) = self.class_of(node, Some(ClassId(0))) {
            texture = texture.over(&self.class_texture(class));
        }

        // one letter for each cell of the grid
        if let Some(layout) = texture.gridlayout.get() {
            let [rows, columns] = texture.values().gridsize();
            if layout.len() > 12 {
                let words = "gridlayout length cannot exceed 12 characters";
                self.error(node, "texture", words);
            } else if i64::from(rows) * i64::from(columns) != layout.len() as i64 {
                self.error(node, "texture", "gridlayout length must match gridsize");
            }
        }

        // its files
        for file in texture.files_mut() {
            self.resolve(node, file, Folder::Texture);
        }
        self.spec.textures.push(texture);
    }

    /// A material with its layers.
    pub(super) fn material(&mut self, node: Node<'t>, class: Option<ClassId>) -> Material {
        let mut material = Material::read(&mut self.source_of(node, class));
        for child in node.children() {
            if material.texture.is_set() {
                let words = "A material with a texture attribute cannot have layer sub-elements";
                self.error(child, "material", words);
            }
            self.require(child, &["role", "texture"]);
            material.layers.push(Layer::read(&mut self.source(child)));
        }
        material
    }

    /// Makes a file name the one MuJoCo's reader would store.
    pub(super) fn resolve(&mut self, node: Node<'t>, file: &mut Attr<String>, folder: Folder) {
        if let Some(name) = file.get_mut() {
            *name = self.doc.resolve(node, name, folder, self.setting.files);
        }
    }

    /// `<model>`: reads the model it names.
    fn submodel(&mut self, node: Node<'t>) {
        // which file it is
        let asset = ModelAsset::read(&mut self.source(node));
        self.require(node, &["file"]);
        let Some((file, span)) = node.attr("file") else { return };
        let path = self.doc.model_path(node, file, self.setting.files);
        let known = path.ends_with(".xml") || path.ends_with(".urdf");
        if !known && asset.content_type.text() != "text/xml" {
            let words = "could not parse model file with error: could not decode content";
            self.error(node, "model", words);
            return;
        }

        // not one that is being read
        if self.setting.open.len() > MAX_MODEL_DEPTH || self.setting.open.contains(&path) {
            let words = format!("model file '{file}' contains itself or too many others");
            self.error(node, "model", words);
            return;
        }

        // its text
        let text = match self.setting.files.read_path("".as_ref(), &path) {
            Ok(bytes) => text_of(&bytes),
            Err(words) => {
                let words = format!("could not parse model file with error: ParseXML: {words}");
                self.diag.error("missing-file", span, words);
                return;
            }
        };

        // the model, whose sources follow all others
        let before = self.diag.list.iter().filter(|d| d.is_error()).count();
        let tree = &self.doc.tree;
        let base = tree.base + tree.sources.len() + self.submodel_sources.len();
        let mut open = self.setting.open.to_vec();
        open.push(path.clone());
        let setting = Setting { open: &open, ..self.setting };
        let mut spec = read_model(&path, text, base, setting, self.diag);
        if self.diag.list.iter().filter(|d| d.is_error()).count() > before {
            let words = format!("could not parse model file '{file}'");
            self.error(node, "model", words);
        }
        self.submodel_sources.append(&mut spec.sources);

        // under the name that is given here
        if let Some(name) = asset.name.get() {
            spec.modelname = Attr::at(name.clone(), span);
        }
        self.spec.models.push(SubModel { asset, spec });
    }
}
