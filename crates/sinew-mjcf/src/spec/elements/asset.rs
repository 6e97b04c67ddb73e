//! `<asset>`: meshes, height fields, textures, materials, models.

use sinew_model::enums::*;

use crate::spec::attr::Attr;
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;

elements! {
    /// `<asset><mesh>`.
    Mesh {
        name: String = "name";
        content_type: String = "content_type" or "";
        file: String = "file" or "";
        vertex: Vec<f32> = "vertex" or &[] => uservert;
        normal: Vec<f32> = "normal" or &[] => usernormal;
        texcoord: Vec<f32> = "texcoord" or &[] => usertexcoord;
        face: Vec<i32> = "face" or &[] => userface;
        refpos: [f64; 3] = "refpos" or [0.0; 3];
        refquat: [f64; 4] = "refquat" or [1.0, 0.0, 0.0, 0.0];
        scale: [f64; 3] = "scale" or [1.0; 3];
        smoothnormal: bool = "smoothnormal" or false;
        maxhullvert: i32 = "maxhullvert" or -1;
        inertia: MeshInertia = "inertia" or MeshInertia::Legacy;
        builtin: MeshBuiltin = "builtin";
        params: Vec<f64> = "params";
        material: String = "material" or "";
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
        content_type: String = "content_type" or "";
        file: String = "file" or "";
        nrow: i32 = "nrow" or 0;
        ncol: i32 = "ncol" or 0;
        size: [f64; 4] = "size" or [0.0; 4];
        elevation: Vec<f32> = "elevation";
    }
    /// `<asset><texture>`.
    Texture {
        name: String = "name";
        type_: TextureType = "type" or TextureType::Cube;
        colorspace: ColorSpace = "colorspace" or ColorSpace::Auto;
        content_type: String = "content_type" or "";
        file: String = "file" or "";
        gridsize: [i32; 2] = "gridsize" or [1; 2];
        gridlayout: String = "gridlayout";
        fileright: String = "fileright";
        fileleft: String = "fileleft";
        fileup: String = "fileup";
        filedown: String = "filedown";
        filefront: String = "filefront";
        fileback: String = "fileback";
        builtin: Builtin = "builtin" or Builtin::None;
        rgb1: [f64; 3] = "rgb1" or [0.8; 3];
        rgb2: [f64; 3] = "rgb2" or [0.5; 3];
        mark: Mark = "mark" or Mark::None;
        markrgb: [f64; 3] = "markrgb" or [0.0; 3];
        random: f64 = "random" or 0.01;
        width: i32 = "width" or 0;
        height: i32 = "height" or 0;
        hflip: bool = "hflip" or false;
        vflip: bool = "vflip" or false;
        nchannel: i32 = "nchannel" or 3;
        + /// Its pixels, row by row; only code gives them.
        data: Vec<u8>;
    }
    /// `<asset><material>`.
    Material {
        name: String = "name";
        texture: String = "texture";
        texrepeat: [f32; 2] = "texrepeat" or [1.0; 2];
        texuniform: bool = "texuniform" or false;
        emission: f32 = "emission" or 0.0;
        specular: f32 = "specular" or 0.5;
        shininess: f32 = "shininess" or 0.5;
        reflectance: f32 = "reflectance" or 0.0;
        metallic: f32 = "metallic" or -1.0;
        roughness: f32 = "roughness" or -1.0;
        rgba: [f32; 4] = "rgba" or [1.0; 4];
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
