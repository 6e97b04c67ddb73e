//! `<asset>`: meshes, height fields, textures, materials, models.

use sinew_model::enums::*;

use crate::spec::attr::Attr;
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;

elements! {
    /// `<asset><mesh>`.
    Mesh {
        name: String = "name";
        content_type: String = "content_type";
        file: String = "file";
        vertex: Vec<f32> = "vertex";
        normal: Vec<f32> = "normal";
        texcoord: Vec<f32> = "texcoord";
        face: Vec<i32> = "face";
        refpos: [f64; 3] = "refpos";
        refquat: [f64; 4] = "refquat";
        scale: [f64; 3] = "scale";
        smoothnormal: bool = "smoothnormal";
        maxhullvert: i32 = "maxhullvert";
        inertia: MeshInertia = "inertia";
        builtin: MeshBuiltin = "builtin";
        params: Vec<f64> = "params";
        material: String = "material";
        + /// `<plugin>`.
        plugin: Option<Box<PluginUse>>;
        + /// Normal of each corner of each face; only code gives them.
        facenormal: Vec<i32>;
        + /// Texture coordinate of each corner of each face; only code gives them.
        facetexcoord: Vec<i32>;
    }
    /// `<asset><hfield>`.
    HField {
        name: String = "name";
        content_type: String = "content_type";
        file: String = "file";
        nrow: i32 = "nrow";
        ncol: i32 = "ncol";
        size: [f64; 4] = "size";
        elevation: Vec<f32> = "elevation";
    }
    /// `<asset><texture>`.
    Texture {
        name: String = "name";
        type_: TextureType = "type";
        colorspace: ColorSpace = "colorspace";
        content_type: String = "content_type";
        file: String = "file";
        gridsize: [i32; 2] = "gridsize";
        gridlayout: String = "gridlayout";
        fileright: String = "fileright";
        fileleft: String = "fileleft";
        fileup: String = "fileup";
        filedown: String = "filedown";
        filefront: String = "filefront";
        fileback: String = "fileback";
        builtin: Builtin = "builtin";
        rgb1: [f64; 3] = "rgb1";
        rgb2: [f64; 3] = "rgb2";
        mark: Mark = "mark";
        markrgb: [f64; 3] = "markrgb";
        random: f64 = "random";
        width: i32 = "width";
        height: i32 = "height";
        hflip: bool = "hflip";
        vflip: bool = "vflip";
        nchannel: i32 = "nchannel";
        + /// Its pixels, row by row; only code gives them.
        data: Vec<u8>;
    }
    /// `<asset><material>`.
    Material {
        name: String = "name";
        texture: String = "texture";
        texrepeat: [f32; 2] = "texrepeat";
        texuniform: bool = "texuniform";
        emission: f32 = "emission";
        specular: f32 = "specular";
        shininess: f32 = "shininess";
        reflectance: f32 = "reflectance";
        metallic: f32 = "metallic";
        roughness: f32 = "roughness";
        rgba: [f32; 4] = "rgba";
        + /// `<layer>` children.
        layers: Vec<Layer>;
    }
    /// `<material><layer>`.
    Layer {
        texture: String = "texture";
        role: TextureRole = "role";
    }
    /// `<asset><model>`: another model to attach from.
    ModelAsset {
        name: String = "name";
        file: String = "file";
        content_type: String = "content_type";
    }
}

impl Texture {
    /// The names of all its files: the whole, and the sides of a cube.
    pub(crate) fn files_mut(&mut self) -> [&mut Attr<String>; 7] {
        [
            &mut self.file,
            &mut self.fileright,
            &mut self.fileleft,
            &mut self.fileup,
            &mut self.filedown,
            &mut self.filefront,
            &mut self.fileback,
        ]
    }
}
