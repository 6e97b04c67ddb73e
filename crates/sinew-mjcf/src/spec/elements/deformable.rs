//! Elements of deformable objects: flexes, skins, and their generators.

use sinew_model::enums::{FlexSelf, JointType};
use sinew_model::options::{DEFAULT_SOLIMP, DEFAULT_SOLREF};

use crate::spec::attr::{Attr, Partial, Words};
use crate::spec::elements::body::{Geom, Orientation, Site};
use crate::spec::elements::common::{FRICTION, GRAY};
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;
use crate::spec::keywords::{
    CompositeType, Elastic2d, FlexEquality, FlexcompDof, FlexcompType, JointKind, Tri,
};
use crate::spec::kind::Kind;

elements! {
    /// `<deformable><flex>`.
    Flex {
        name: String = "name";
        group: i32 = "group" or 0;
        dim: i32 = "dim" or 2;
        radius: f64 = "radius" or 0.005;
        material: String = "material" or "";
        rgba: [f32; 4] = "rgba" or GRAY;
        flatskin: bool = "flatskin" or false;
        body: Words = "body" or &[] => vertbody;
        vertex: Vec<f64> = "vertex" or &[] => vert;
        element: Vec<i32> = "element" or &[] => elem;
        texcoord: Vec<f32> = "texcoord" or &[];
        elemtexcoord: Vec<i32> = "elemtexcoord" or &[];
        node: Words = "node" or &[] => nodebody;
        + /// `<contact>`.
        contact: FlexContact;
        + /// `<edge>`.
        edge: FlexEdge;
        + /// `<elasticity>`.
        elasticity: FlexElasticity;
        + /// Positions of the nodes in their bodies; only a flexcomp gives them.
        node_pos: Vec<f64>;
        + /// Order of interpolation if it is known; otherwise it follows from the number of nodes.
        order: Option<i32>;
    }
    /// `<contact>` of a flex or flexcomp.
    FlexContact {
        contype: i32 = "contype" or 1;
        conaffinity: i32 = "conaffinity" or 1;
        condim: i32 = "condim" or 3;
        priority: i32 = "priority" or 0;
        friction: Partial<3> = "friction" or FRICTION;
        solmix: f64 = "solmix" or 1.0;
        solref: Partial<2> = "solref" or DEFAULT_SOLREF;
        solimp: Partial<5> = "solimp" or DEFAULT_SOLIMP;
        margin: f64 = "margin" or 0.0;
        gap: f64 = "gap" or 0.0;
        internal: bool = "internal" or false;
        selfcollide: FlexSelf = "selfcollide" or FlexSelf::Auto;
        activelayers: i32 = "activelayers" or 1;
        vertcollide: bool = "vertcollide" or false => vertcollide: Kind::Words("bool");
        passive: bool = "passive" or false => passive: Kind::Words("bool");
    }
    /// `<edge>` of a flex.
    FlexEdge {
        stiffness: f64 = "stiffness" or 0.0 => edgestiffness;
        damping: f64 = "damping" or 0.0 => edgedamping;
    }
    /// `<elasticity>` of a flex or flexcomp.
    FlexElasticity {
        young: f64 = "young" or 0.0;
        poisson: f64 = "poisson" or 0.0;
        damping: f64 = "damping" or 0.0;
        thickness: f64 = "thickness" or -1.0;
        elastic2d: Elastic2d = "elastic2d" or Elastic2d(0);
    }
    /// `<skin>`, of `<deformable>` or `<asset>`.
    Skin {
        name: String = "name";
        file: String = "file" or "";
        material: String = "material" or "";
        rgba: [f32; 4] = "rgba" or GRAY;
        inflate: f32 = "inflate" or 0.0;
        vertex: Vec<f32> = "vertex" or &[] => vert;
        texcoord: Vec<f32> = "texcoord" or &[];
        face: Vec<i32> = "face" or &[];
        group: i32 = "group" or 0;
        + /// `<bone>` children.
        bones: Vec<Bone>;
    }
    /// `<skin><bone>`.
    Bone {
        body: String = "body";
        bindpos: [f32; 3] = "bindpos";
        bindquat: [f32; 4] = "bindquat";
        vertid: Vec<i32> = "vertid";
        vertweight: Vec<f32> = "vertweight";
    }
    /// `<flexcomp>`: bodies with joints at the points of a mesh, and a flex over them.
    Flexcomp {
        name: String = "name";
        type_: FlexcompType = "type" or FlexcompType::Grid => _;
        group: i32 = "group";
        dim: i32 = "dim" or 2 => _;
        dof: FlexcompDof = "dof" or FlexcompDof::Full => _;
        count: [i32; 3] = "count" or [10; 3] => _;
        spacing: [f64; 3] = "spacing" or [0.02; 3] => _;
        radius: f64 = "radius" or 0.005 => _;
        rigid: bool = "rigid" or false => _;
        mass: f64 = "mass" or 1.0 => _;
        inertiabox: f64 = "inertiabox" or 0.005 => _;
        scale: [f64; 3] = "scale" or [1.0; 3] => _;
        file: String = "file";
        point: Vec<f64> = "point" or &[] => _;
        element: Vec<i32> = "element" or &[] => _;
        texcoord: Vec<f32> = "texcoord" or &[] => _;
        material: String = "material";
        rgba: [f32; 4] = "rgba";
        flatskin: bool = "flatskin";
        pos: [f64; 3] = "pos" or [0.0; 3] => _;
        quat: [f64; 4] = "quat";
        origin: [f64; 3] = "origin" or [0.0; 3] => _;
        + /// Orientation other than `quat`.
        alt: Attr<Orientation>;
        + /// `<edge>`.
        edge: FlexcompEdge;
        + /// `<elasticity>`.
        elasticity: FlexElasticity;
        + /// `<contact>`.
        contact: FlexContact;
        + /// `<pin>` children.
        pins: Vec<Pin>;
        + /// `<plugin>`.
        plugin: Option<Box<PluginUse>>;
    }
    /// `<flexcomp><edge>`.
    FlexcompEdge {
        equality: FlexEquality = "equality";
        solref: Partial<2> = "solref";
        solimp: Partial<5> = "solimp";
        stiffness: f64 = "stiffness";
        damping: f64 = "damping";
    }
    /// `<flexcomp><pin>`: points that are fixed to the parent.
    Pin {
        id: Vec<i32> = "id";
        range: Vec<i32> = "range";
        grid: Vec<i32> = "grid";
        gridrange: Vec<i32> = "gridrange";
    }
    /// `<composite>`: a chain of bodies.
    Composite {
        prefix: String = "prefix";
        type_: CompositeType = "type" or CompositeType::Cable => _;
        count: Vec<i32> = "count" or &[] => _;
        offset: [f64; 3] = "offset" or [0.0; 3] => _;
        vertex: Vec<f32> = "vertex";
        initial: String = "initial";
        curve: String = "curve";
        size: Partial<3> = "size" or [1.0, 0.0, 0.0] => _;
        quat: [f64; 4] = "quat" or [1.0, 0.0, 0.0, 0.0] => _;
        + /// `<joint>` children.
        joints: Vec<CompositeJoint>;
        + /// `<skin>`.
        skin: Option<CompositeSkin>;
        + /// `<geom>`.
        geom: Geom;
        + /// `<site>`.
        site: Site;
        + /// `<plugin>`.
        plugin: Option<Box<PluginUse>>;
    }
    /// `<composite><joint>`.
    CompositeJoint {
        kind: JointKind = "kind";
        group: i32 = "group";
        stiffness: f64 = "stiffness";
        damping: f64 = "damping";
        armature: f64 = "armature";
        solreffix: Partial<2> = "solreffix";
        solimpfix: Partial<5> = "solimpfix";
        type_: JointType = "type";
        axis: [f64; 3] = "axis";
        limited: Tri = "limited";
        range: [f64; 2] = "range";
        margin: f64 = "margin";
        solreflimit: Partial<2> = "solreflimit";
        solimplimit: Partial<5> = "solimplimit";
        frictionloss: f64 = "frictionloss";
        solreffriction: Partial<2> = "solreffriction";
        solimpfriction: Partial<5> = "solimpfriction";
    }
    /// `<composite><skin>`.
    CompositeSkin {
        texcoord: bool = "texcoord" or false => _;
        material: String = "material";
        group: i32 = "group" or 0 => _;
        rgba: [f32; 4] = "rgba" or [1.0; 4] => _;
        inflate: f32 = "inflate";
        subgrid: i32 = "subgrid" or 0 => _;
    }
}
