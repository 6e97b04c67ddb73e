//! Elements of deformable objects: flexes, skins, and what generates them.

use sinew_model::enums::{FlexSelf, JointType};

use crate::spec::attr::{Attr, Partial, Words};
use crate::spec::elements::body::{Geom, Orientation, Site};
use crate::spec::elements::declare::elements;
use crate::spec::elements::plugin::PluginUse;
use crate::spec::keywords::{
    CompositeType, Elastic2d, FlexEquality, FlexcompDof, FlexcompType, JointKind, Tri,
};

elements! {
    /// `<deformable><flex>`.
    Flex {
        name: String = "name";
        group: i32 = "group";
        dim: i32 = "dim";
        radius: f64 = "radius";
        material: String = "material";
        rgba: [f32; 4] = "rgba";
        flatskin: bool = "flatskin";
        body: Words = "body";
        vertex: Vec<f64> = "vertex";
        element: Vec<i32> = "element";
        texcoord: Vec<f32> = "texcoord";
        elemtexcoord: Vec<i32> = "elemtexcoord";
        node: Words = "node";
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
        contype: i32 = "contype";
        conaffinity: i32 = "conaffinity";
        condim: i32 = "condim";
        priority: i32 = "priority";
        friction: Partial<3> = "friction";
        solmix: f64 = "solmix";
        solref: Partial<2> = "solref";
        solimp: Partial<5> = "solimp";
        margin: f64 = "margin";
        gap: f64 = "gap";
        internal: bool = "internal";
        selfcollide: FlexSelf = "selfcollide";
        activelayers: i32 = "activelayers";
        vertcollide: bool = "vertcollide";
        passive: bool = "passive";
    }
    /// `<edge>` of a flex.
    FlexEdge {
        stiffness: f64 = "stiffness";
        damping: f64 = "damping";
    }
    /// `<elasticity>` of a flex or flexcomp.
    FlexElasticity {
        young: f64 = "young";
        poisson: f64 = "poisson";
        damping: f64 = "damping";
        thickness: f64 = "thickness";
        elastic2d: Elastic2d = "elastic2d";
    }
    /// `<skin>`, of `<deformable>` or `<asset>`.
    Skin {
        name: String = "name";
        file: String = "file";
        material: String = "material";
        rgba: [f32; 4] = "rgba";
        inflate: f32 = "inflate";
        vertex: Vec<f32> = "vertex";
        texcoord: Vec<f32> = "texcoord";
        face: Vec<i32> = "face";
        group: i32 = "group";
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
        type_: FlexcompType = "type";
        group: i32 = "group";
        dim: i32 = "dim";
        dof: FlexcompDof = "dof";
        count: [i32; 3] = "count";
        spacing: [f64; 3] = "spacing";
        radius: f64 = "radius";
        rigid: bool = "rigid";
        mass: f64 = "mass";
        inertiabox: f64 = "inertiabox";
        scale: [f64; 3] = "scale";
        file: String = "file";
        point: Vec<f64> = "point";
        element: Vec<i32> = "element";
        texcoord: Vec<f32> = "texcoord";
        material: String = "material";
        rgba: [f32; 4] = "rgba";
        flatskin: bool = "flatskin";
        pos: [f64; 3] = "pos";
        quat: [f64; 4] = "quat";
        origin: [f64; 3] = "origin";
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
        type_: CompositeType = "type";
        count: Vec<i32> = "count";
        offset: [f64; 3] = "offset";
        vertex: Vec<f32> = "vertex";
        initial: String = "initial";
        curve: String = "curve";
        size: Partial<3> = "size";
        quat: [f64; 4] = "quat";
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
        texcoord: bool = "texcoord";
        material: String = "material";
        group: i32 = "group";
        rgba: [f32; 4] = "rgba";
        inflate: f32 = "inflate";
        subgrid: i32 = "subgrid";
    }
}
