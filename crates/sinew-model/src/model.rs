//! The table of `Model`: every size and array of `mjModel`, in MuJoCo's order.

use sinew_math::{Mat3, Quat, Vec3};

use crate::enums::*;
use crate::fields::model_table;
use crate::ids::*;
use crate::options::{Options, Statistic, Visual};

model_table! {
    sizes {
        nq, "length of `qpos`";
        nv, "degrees of freedom: length of `qvel`";
        nu, "actuators: length of `ctrl`";
        na, "actuator states: length of `act`";
        nbody, "bodies, the world included";
        nbvh, "nodes of all bounding-volume trees";
        nbvhstatic, "nodes whose box is fixed in the frame of its owner";
        nbvhdynamic, "nodes whose box is recomputed every step";
        noct, "cells of all mesh octrees";
        njnt, "joints";
        ntree, "kinematic trees";
        nM, "entries of `qM`";
        nB, "entries of the body-dof incidence";
        nC, "entries of the lower triangle of M, by rows";
        nD, "entries of the symmetric pattern of M";
        ngeom, "geoms";
        nsite, "sites";
        ncam, "cameras";
        nlight, "lights";
        nflex, "flexible objects";
        nflexnode, "nodes of all flexes";
        nflexvert, "vertices of all flexes";
        nflexedge, "edges of all flexes";
        nflexelem, "elements of all flexes";
        nflexelemdata, "vertex ids of all flex elements";
        nflexelemedge, "edge ids of all flex elements";
        nflexshelldata, "vertex ids of all flex shell fragments";
        nflexevpair, "element-vertex pairs of all flexes";
        nflextexcoord, "texture coordinates of all flexes";
        nJfe, "entries of the flex-edge Jacobian";
        nJfv, "entries of the flex-vertex Jacobian";
        nmesh, "meshes";
        nmeshvert, "vertices of all meshes";
        nmeshnormal, "normals of all meshes";
        nmeshtexcoord, "texture coordinates of all meshes";
        nmeshface, "triangles of all meshes";
        nmeshgraph, "integers of all hull graphs";
        nmeshpoly, "polygons of all meshes";
        nmeshpolyvert, "vertex ids of all mesh polygons";
        nmeshpolymap, "entries of all vertex-to-polygon maps";
        nskin, "skins";
        nskinvert, "vertices of all skins";
        nskintexvert, "texture coordinates of all skins";
        nskinface, "triangles of all skins";
        nskinbone, "bones of all skins";
        nskinbonevert, "vertices of all bones";
        nhfield, "height fields";
        nhfielddata, "samples of all height fields";
        ntex, "textures";
        ntexdata, "bytes of all textures";
        nmat, "materials";
        npair, "explicit contact pairs";
        nexclude, "excluded body pairs";
        neq, "equality constraints";
        ntendon, "tendons";
        nwrap, "elements of all tendon paths";
        nsensor, "sensors";
        nnumeric, "custom number fields";
        nnumericdata, "numbers of all custom fields";
        ntext, "custom text fields";
        ntextdata, "bytes of all custom texts";
        ntuple, "custom tuples";
        ntupledata, "members of all custom tuples";
        nkey, "keyframes";
        nmocap, "mocap bodies";
        nplugin, "plugin instances";
        npluginattr, "bytes of all plugin settings";
        nuser_body, "user numbers per body";
        nuser_jnt, "user numbers per joint";
        nuser_geom, "user numbers per geom";
        nuser_site, "user numbers per site";
        nuser_cam, "user numbers per camera";
        nuser_tendon, "user numbers per tendon";
        nuser_actuator, "user numbers per actuator";
        nuser_sensor, "user numbers per sensor";
        nnames, "bytes of all names";
        npaths, "bytes of all asset paths";
        nnames_map, "slots of the name hash tables";
        nJmom, "entries of the actuator moment matrix";
        ngravcomp, "bodies with gravity compensation";
        nemax, "most equality rows there can be";
        njmax, "legacy limit on constraint rows; -1 if unset";
        nconmax, "legacy limit on contacts; -1 if unset";
        nuserdata, "numbers set aside for the user";
        nsensordata, "length of `sensordata`";
        npluginstate, "length of the plugin state";
        nhistory, "length of the history buffer";
        narena, "bytes of MuJoCo's arena; kept for its file format";
        nbuffer, "bytes of MuJoCo's buffer; kept for its file format";
    }
    nq(Row) {
        qpos0: f64, "configuration in which the model was written";
        qpos_spring: f64, "configuration at which joint springs rest";
    }
    nbody(BodyId) {
        body_parentid: BodyId, "parent body; the world is its own";
        body_rootid: BodyId, "ancestor directly below the world";
        body_weldid: BodyId, "highest ancestor this body is rigidly fixed to";
        body_mocapid: Maybe<MocapId>, "row in the mocap arrays, if a mocap body";
        body_jntnum: i32, "joints of the body";
        body_jntadr: Maybe<JointId>, "first joint";
        body_dofnum: i32, "degrees of freedom of the body";
        body_dofadr: Maybe<DofId>, "first degree of freedom";
        body_treeid: Maybe<TreeId>, "kinematic tree, if the body moves";
        body_geomnum: i32, "geoms of the body";
        body_geomadr: Maybe<GeomId>, "first geom";
        body_simple: u8, "1 if its part of M is diagonal, 2 if by sliders alone";
        body_sameframe: SameFrame, "which of body and inertial frame coincide";
        body_pos: Vec3, "position in the parent's frame";
        body_quat: Quat, "orientation in the parent's frame";
        body_ipos: Vec3, "centre of mass in the body frame";
        body_iquat: Quat, "principal axes of inertia in the body frame";
        body_mass: f64, "mass";
        body_subtreemass: f64, "mass of the body and all below it", Derived;
        body_inertia: Vec3, "principal moments of inertia";
        body_invweight0: [f64; 2], "mean inverse inertia at `qpos0`: translation, rotation", Derived;
        body_gravcomp: f64, "part of the weight that is compensated";
        body_margin: f64, "largest contact margin of its geoms";
        body_user: f64 [nuser_body], "user numbers";
        body_plugin: Maybe<PluginId>, "plugin instance";
        body_contype: i32, "union of its geoms' `contype`";
        body_conaffinity: i32, "union of its geoms' `conaffinity`";
        body_bvhadr: i32, "root of its bounding-volume tree";
        body_bvhnum: i32, "nodes of its bounding-volume tree";
    }
    nbvh(Row) {
        bvh_depth: i32, "depth in the tree";
        bvh_child: [i32; 2], "left and right child; -1 at a leaf";
        bvh_nodeid: i32, "geom or element at a leaf; -1 elsewhere";
    }
    nbvhstatic(Row) {
        bvh_aabb: [f64; 6], "box of the node: centre, half sizes";
    }
    noct(Row) {
        oct_depth: i32, "depth in the octree";
        oct_child: [i32; 8], "the eight children; -1 at a leaf";
        oct_aabb: [f64; 6], "box of the cell: centre, half sizes";
        oct_coeff: [f64; 8], "interpolation coefficients at the corners";
    }
    njnt(JointId) {
        jnt_type: JointType, "kind of joint";
        jnt_qposadr: i32, "first coordinate in `qpos`";
        jnt_dofadr: DofId, "first degree of freedom";
        jnt_bodyid: BodyId, "body it moves";
        jnt_group: i32, "group for display";
        jnt_limited: Flag, "whether it has limits";
        jnt_actfrclimited: Flag, "whether the total actuator force on it is limited";
        jnt_actgravcomp: Flag, "whether gravity compensation counts as actuator force";
        jnt_solref: [f64; 2], "limit: reference parameters";
        jnt_solimp: [f64; 5], "limit: impedance parameters";
        jnt_pos: Vec3, "anchor in the body frame";
        jnt_axis: Vec3, "axis in the body frame";
        jnt_stiffness: f64, "spring stiffness";
        jnt_range: [f64; 2], "limits, in radians or metres";
        jnt_actfrcrange: [f64; 2], "bounds of the total actuator force";
        jnt_margin: f64, "distance at which the limit becomes active";
        jnt_user: f64 [nuser_jnt], "user numbers";
    }
    nv(DofId) {
        dof_bodyid: BodyId, "body it moves";
        dof_jntid: JointId, "joint it belongs to";
        dof_parentid: Maybe<DofId>, "the dof before it on the way to the root";
        dof_treeid: TreeId, "kinematic tree";
        dof_Madr: i32, "start of its row in `qM`";
        dof_simplenum: i32, "how many dofs from here on are simple";
        dof_solref: [f64; 2], "dry friction: reference parameters";
        dof_solimp: [f64; 5], "dry friction: impedance parameters";
        dof_frictionloss: f64, "dry friction";
        dof_armature: f64, "inertia added to the diagonal of M";
        dof_damping: f64, "damping coefficient";
        dof_invweight0: f64, "diagonal of M⁻¹ at `qpos0`", Derived;
        dof_M0: f64, "diagonal of M at `qpos0`", Derived;
        dof_length: f64, "length that makes its velocity comparable: one for linear dofs", Derived;
    }
    ntree(TreeId) {
        tree_bodyadr: BodyId, "first body";
        tree_bodynum: i32, "number of bodies";
        tree_dofadr: DofId, "first degree of freedom";
        tree_dofnum: i32, "number of degrees of freedom";
        tree_sleep_policy: SleepPolicy, "whether the tree may sleep";
    }
    ngeom(GeomId) {
        geom_type: GeomType, "shape";
        geom_contype: i32, "bits that say what it is, for collision filtering";
        geom_conaffinity: i32, "bits that say what it meets, for collision filtering";
        geom_condim: i32, "contact dimension: 1, 3, 4 or 6";
        geom_bodyid: BodyId, "body it is fixed to";
        geom_dataid: i32, "mesh or height field; -1 for primitives";
        geom_matid: Maybe<MatId>, "material";
        geom_group: i32, "group for display";
        geom_priority: i32, "whose contact parameters win";
        geom_plugin: Maybe<PluginId>, "plugin instance";
        geom_sameframe: SameFrame, "which body frame it coincides with";
        geom_solmix: f64, "weight in the mean of contact parameters";
        geom_solref: [f64; 2], "contact: reference parameters";
        geom_solimp: [f64; 5], "contact: impedance parameters";
        geom_size: Vec3, "size, by shape";
        geom_aabb: [f64; 6], "bounding box in its own frame: centre, half sizes";
        geom_rbound: f64, "radius of the bounding sphere; 0 for planes";
        geom_pos: Vec3, "position in the body frame";
        geom_quat: Quat, "orientation in the body frame";
        geom_friction: Vec3, "friction: sliding, torsion, rolling";
        geom_margin: f64, "distance at which contacts are found";
        geom_gap: f64, "part of the margin in which contacts exert no force";
        geom_fluid: [f64; 12], "coefficients of the ellipsoid fluid model";
        geom_user: f64 [nuser_geom], "user numbers";
        geom_rgba: [f32; 4], "colour, where there is no material";
    }
    nsite(SiteId) {
        site_type: GeomType, "shape, for display and touch sensors";
        site_bodyid: BodyId, "body it is fixed to";
        site_matid: Maybe<MatId>, "material";
        site_group: i32, "group for display";
        site_sameframe: SameFrame, "which body frame it coincides with";
        site_size: Vec3, "size, by shape";
        site_pos: Vec3, "position in the body frame";
        site_quat: Quat, "orientation in the body frame";
        site_user: f64 [nuser_site], "user numbers";
        site_rgba: [f32; 4], "colour, where there is no material";
    }
    ncam(CamId) {
        cam_mode: CamLight, "how it follows bodies";
        cam_bodyid: BodyId, "body it is fixed to";
        cam_targetbodyid: Maybe<BodyId>, "body it looks at";
        cam_pos: Vec3, "position in the body frame";
        cam_quat: Quat, "orientation in the body frame";
        cam_poscom0: Vec3, "offset from the subtree's centre of mass at `qpos0`, in the world's axes", Derived;
        cam_pos0: Vec3, "offset from the body at `qpos0`, world frame", Derived;
        cam_mat0: Mat3, "orientation at `qpos0`", Derived;
        cam_projection: Projection, "perspective or orthographic";
        cam_fovy: f64, "vertical field of view in degrees, or height if orthographic";
        cam_ipd: f64, "distance between the eyes";
        cam_resolution: [i32; 2], "pixels: width, height";
        cam_output: i32, "what it renders, as bits";
        cam_sensorsize: [f32; 2], "size of the sensor";
        cam_intrinsic: [f32; 4], "focal lengths and principal point";
        cam_user: f64 [nuser_cam], "user numbers";
    }
    nlight(LightId) {
        light_mode: CamLight, "how it follows bodies";
        light_bodyid: BodyId, "body it is fixed to";
        light_targetbodyid: Maybe<BodyId>, "body it shines at";
        light_type: LightType, "kind of light";
        light_texid: Maybe<TexId>, "texture of an image light";
        light_castshadow: Flag, "whether it casts shadows";
        light_bulbradius: f32, "radius of the bulb, for soft shadows";
        light_intensity: f32, "intensity in candela";
        light_range: f32, "range within which it lights";
        light_active: Flag, "whether it is on";
        light_pos: Vec3, "position in the body frame";
        light_dir: Vec3, "direction in the body frame";
        light_poscom0: Vec3, "offset from the subtree's centre of mass at `qpos0`, in the world's axes", Derived;
        light_pos0: Vec3, "offset from the body at `qpos0`, world frame", Derived;
        light_dir0: Vec3, "direction at `qpos0`", Derived;
        light_attenuation: [f32; 3], "attenuation: constant, linear, quadratic";
        light_cutoff: f32, "angle of the cone, degrees";
        light_exponent: f32, "how the cone softens";
        light_ambient: [f32; 3], "ambient colour";
        light_diffuse: [f32; 3], "diffuse colour";
        light_specular: [f32; 3], "specular colour";
    }
    nflex(FlexId) {
        flex_contype: i32, "bits that say what it is";
        flex_conaffinity: i32, "bits that say what it meets";
        flex_condim: i32, "contact dimension";
        flex_priority: i32, "whose contact parameters win";
        flex_solmix: f64, "weight in the mean of contact parameters";
        flex_solref: [f64; 2], "contact: reference parameters";
        flex_solimp: [f64; 5], "contact: impedance parameters";
        flex_friction: Vec3, "friction: sliding, torsion, rolling";
        flex_margin: f64, "distance at which contacts are found";
        flex_gap: f64, "part of the margin in which contacts exert no force";
        flex_internal: Flag, "whether collisions inside an element are found";
        flex_selfcollide: i32, "how self-collisions are found";
        flex_activelayers: i32, "layers of elements that collide with themselves";
        flex_passive: i32, "whether contacts act as passive forces";
        flex_dim: i32, "dimension of its elements";
        flex_matid: Maybe<MatId>, "material";
        flex_group: i32, "group for display";
        flex_interp: i32, "order of interpolation; 0 if vertices move by themselves";
        flex_nodeadr: i32, "first node";
        flex_nodenum: i32, "number of nodes";
        flex_vertadr: i32, "first vertex";
        flex_vertnum: i32, "number of vertices";
        flex_edgeadr: i32, "first edge";
        flex_edgenum: i32, "number of edges";
        flex_elemadr: i32, "first element";
        flex_elemnum: i32, "number of elements";
        flex_elemdataadr: i32, "first vertex id of its elements";
        flex_elemedgeadr: i32, "first edge id of its elements";
        flex_shellnum: i32, "number of shell fragments";
        flex_shelldataadr: i32, "first vertex id of its shell";
        flex_evpairadr: i32, "first element-vertex pair";
        flex_evpairnum: i32, "number of element-vertex pairs";
        flex_texcoordadr: i32, "first texture coordinate; -1 if none";
    }
    nflexnode(Row) {
        flex_nodebodyid: BodyId, "body of the node";
    }
    nflexvert(Row) {
        flex_vertbodyid: Maybe<BodyId>, "body of the vertex; none where it is interpolated";
        flex_vertedgeadr: i32, "first edge at the vertex";
        flex_vertedgenum: i32, "number of edges at the vertex";
    }
    nflexedge(Row) {
        flex_vertedge: [i32; 2], "edges at each vertex";
        flex_edge: [i32; 2], "the two vertices";
        flex_edgeflap: [i32; 2], "the vertices opposite to the edge";
    }
    nflexelemdata(Row) {
        flex_elem: i32, "vertex ids of the elements";
        flex_elemtexcoord: i32, "texture-coordinate ids of the elements";
    }
    nflexelemedge(Row) {
        flex_elemedge: i32, "edge ids of the elements";
    }
    nflexelem(Row) {
        flex_elemlayer: i32, "distance of the element from the surface";
    }
    nflexshelldata(Row) {
        flex_shell: i32, "vertex ids of the shell fragments";
    }
    nflexevpair(Row) {
        flex_evpair: [i32; 2], "element and vertex that may collide";
    }
    nflexvert(Row) {
        flex_vert: Vec3, "position in the body frame";
        flex_vert0: Vec3, "position at `qpos0`, in the unit box", Derived;
        flex_vertmetric: [f64; 4], "inverse of the reference shape matrix", Derived;
    }
    nflexnode(Row) {
        flex_node: Vec3, "position in the body frame";
        flex_node0: Vec3, "position at `qpos0`";
    }
    nflexedge(Row) {
        flexedge_length0: f64, "length at `qpos0`", Derived;
        flexedge_invweight0: f64, "inverse inertia at `qpos0`", Derived;
    }
    nflex(FlexId) {
        flex_radius: f64, "thickness around its elements";
        flex_size: Vec3, "half sizes of its box at `qpos0`";
    }
    nflexelem(Row) {
        flex_stiffness: [f64; 21], "stiffness of the element";
    }
    nflexedge(Row) {
        flex_bending: [f64; 17], "bending stiffness of the edge";
    }
    nflex(FlexId) {
        flex_damping: f64, "damping of its elasticity";
        flex_edgestiffness: f64, "stiffness of its edges";
        flex_edgedamping: f64, "damping of its edges";
        flex_edgeequality: i32, "which equality constraints hold its edges";
        flex_rigid: Flag, "whether all its vertices are on one body", Derived;
    }
    nflexedge(Row) {
        flexedge_rigid: Flag, "whether both ends are on one body", Derived;
    }
    nflex(FlexId) {
        flex_centered: Flag, "whether vertices coincide with their bodies";
        flex_flatskin: Flag, "whether it is shaded flat";
        flex_bvhadr: i32, "root of its bounding-volume tree";
        flex_bvhnum: i32, "nodes of its bounding-volume tree";
    }
    nflexedge(Row) {
        flexedge_J_rownnz: i32, "entries of the row of the edge Jacobian";
        flexedge_J_rowadr: i32, "start of the row of the edge Jacobian";
    }
    nJfe(Row) {
        flexedge_J_colind: i32, "columns of the edge Jacobian";
    }
    nflexvert(Row) {
        flexvert_J_rownnz: [i32; 2], "entries of the rows of the vertex Jacobian";
        flexvert_J_rowadr: [i32; 2], "starts of the rows of the vertex Jacobian";
    }
    nJfv(Row) {
        flexvert_J_colind: [i32; 2], "columns of the vertex Jacobian";
    }
    nflex(FlexId) {
        flex_rgba: [f32; 4], "colour, where there is no material";
    }
    nflextexcoord(Row) {
        flex_texcoord: [f32; 2], "texture coordinates";
    }
    nmesh(MeshId) {
        mesh_vertadr: i32, "first vertex";
        mesh_vertnum: i32, "number of vertices";
        mesh_faceadr: i32, "first triangle";
        mesh_facenum: i32, "number of triangles";
        mesh_bvhadr: i32, "root of its bounding-volume tree";
        mesh_bvhnum: i32, "nodes of its bounding-volume tree";
        mesh_octadr: i32, "root of its octree";
        mesh_octnum: i32, "cells of its octree";
        mesh_normaladr: i32, "first normal";
        mesh_normalnum: i32, "number of normals";
        mesh_texcoordadr: i32, "first texture coordinate; -1 if none";
        mesh_texcoordnum: i32, "number of texture coordinates";
        mesh_graphadr: i32, "start of its hull graph; -1 if none";
    }
    nmeshvert(Row) {
        mesh_vert: [f32; 3], "vertex positions";
    }
    nmeshnormal(Row) {
        mesh_normal: [f32; 3], "unit normals";
    }
    nmeshtexcoord(Row) {
        mesh_texcoord: [f32; 2], "texture coordinates";
    }
    nmeshface(Row) {
        mesh_face: [i32; 3], "vertices of the triangle, counted from the mesh's first";
        mesh_facenormal: [i32; 3], "normals of the triangle";
        mesh_facetexcoord: [i32; 3], "texture coordinates of the triangle";
    }
    nmeshgraph(Row) {
        mesh_graph: i32, "hull graphs: sizes, edges of each vertex, faces";
    }
    nmesh(MeshId) {
        mesh_scale: Vec3, "scale applied to the file's vertices";
        mesh_pos: Vec3, "translation that was applied to the vertices";
        mesh_quat: Quat, "rotation that was applied to the vertices";
        mesh_pathadr: i32, "path of the file in `paths`; -1 if none";
        mesh_polynum: i32, "number of polygons";
        mesh_polyadr: i32, "first polygon";
    }
    nmeshpoly(Row) {
        mesh_polynormal: Vec3, "normal of the polygon";
        mesh_polyvertadr: i32, "first vertex id of the polygon";
        mesh_polyvertnum: i32, "number of vertices of the polygon";
    }
    nmeshpolyvert(Row) {
        mesh_polyvert: i32, "vertex ids of the polygons";
    }
    nmeshvert(Row) {
        mesh_polymapadr: i32, "first polygon at the vertex";
        mesh_polymapnum: i32, "number of polygons at the vertex";
    }
    nmeshpolymap(Row) {
        mesh_polymap: i32, "polygons at each vertex";
    }
    nskin(SkinId) {
        skin_matid: Maybe<MatId>, "material";
        skin_group: i32, "group for display";
        skin_rgba: [f32; 4], "colour, where there is no material";
        skin_inflate: f32, "offset along the normals";
        skin_vertadr: i32, "first vertex";
        skin_vertnum: i32, "number of vertices";
        skin_texcoordadr: i32, "first texture coordinate; -1 if none";
        skin_faceadr: i32, "first triangle";
        skin_facenum: i32, "number of triangles";
        skin_boneadr: i32, "first bone";
        skin_bonenum: i32, "number of bones";
    }
    nskinvert(Row) {
        skin_vert: [f32; 3], "vertex positions when bound";
    }
    nskintexvert(Row) {
        skin_texcoord: [f32; 2], "texture coordinates";
    }
    nskinface(Row) {
        skin_face: [i32; 3], "vertices of the triangle";
    }
    nskinbone(Row) {
        skin_bonevertadr: i32, "first vertex of the bone";
        skin_bonevertnum: i32, "number of vertices of the bone";
        skin_bonebindpos: [f32; 3], "position when bound";
        skin_bonebindquat: [f32; 4], "orientation when bound";
        skin_bonebodyid: BodyId, "body of the bone";
    }
    nskinbonevert(Row) {
        skin_bonevertid: i32, "vertices of the bones";
        skin_bonevertweight: f32, "weights of the bones' vertices";
    }
    nskin(SkinId) {
        skin_pathadr: i32, "path of the file in `paths`; -1 if none";
    }
    nhfield(HFieldId) {
        hfield_size: [f64; 4], "half widths in x and y, height at 1, depth below 0";
        hfield_nrow: i32, "rows, along y";
        hfield_ncol: i32, "columns, along x";
        hfield_adr: i32, "first sample";
    }
    nhfielddata(Row) {
        hfield_data: f32, "heights in [0, 1]";
    }
    nhfield(HFieldId) {
        hfield_pathadr: i32, "path of the file in `paths`; -1 if none";
    }
    ntex(TexId) {
        tex_type: TextureType, "2-D, cube or sky box";
        tex_colorspace: ColorSpace, "colour space of the file";
        tex_height: i32, "rows of pixels";
        tex_width: i32, "columns of pixels";
        tex_nchannel: i32, "bytes per pixel";
        tex_adr: i64, "first byte";
    }
    ntexdata(Row) {
        tex_data: u8, "pixels";
    }
    ntex(TexId) {
        tex_pathadr: i32, "path of the file in `paths`; -1 if none";
    }
    nmat(MatId) {
        mat_texid: [Maybe<TexId>; 10], "texture for each role";
        mat_texuniform: Flag, "whether the texture keeps its size in space";
        mat_texrepeat: [f32; 2], "repetitions of the texture in x and y";
        mat_emission: f32, "emission, as a factor of the colour";
        mat_specular: f32, "specular reflection";
        mat_shininess: f32, "size of the highlight";
        mat_reflectance: f32, "reflectance of planes and boxes";
        mat_metallic: f32, "metallic factor";
        mat_roughness: f32, "roughness factor";
        mat_rgba: [f32; 4], "colour";
    }
    npair(PairId) {
        pair_dim: i32, "contact dimension";
        pair_geom1: GeomId, "first geom";
        pair_geom2: GeomId, "second geom";
        pair_signature: i32, "both bodies in one number, for sorting";
        pair_solref: [f64; 2], "contact: reference parameters";
        pair_solreffriction: [f64; 2], "contact: reference parameters of friction; 0 0 for `solref`";
        pair_solimp: [f64; 5], "contact: impedance parameters";
        pair_margin: f64, "distance at which contacts are found";
        pair_gap: f64, "part of the margin in which contacts exert no force";
        pair_friction: [f64; 5], "friction: two sliding, torsion, two rolling";
    }
    nexclude(ExcludeId) {
        exclude_signature: i32, "both bodies in one number";
    }
    neq(EqId) {
        eq_type: EqType, "kind of constraint";
        eq_obj1id: i32, "first object";
        eq_obj2id: i32, "second object; -1 if none";
        eq_objtype: ObjType, "kind of both objects";
        eq_active0: Flag, "whether it is active after reset";
        eq_solref: [f64; 2], "reference parameters";
        eq_solimp: [f64; 5], "impedance parameters";
        eq_data: [f64; 11], "anchors, relative pose or polynomial, by kind";
    }
    ntendon(TendonId) {
        tendon_adr: WrapId, "first element of its path";
        tendon_num: i32, "elements of its path";
        tendon_matid: Maybe<MatId>, "material";
        tendon_group: i32, "group for display";
        tendon_treenum: i32, "number of trees it spans";
        tendon_treeid: [Maybe<TreeId>; 2], "the first two of these trees";
        tendon_limited: Flag, "whether its length is limited";
        tendon_actfrclimited: Flag, "whether the total actuator force on it is limited";
        tendon_width: f64, "width, for display";
        tendon_solref_lim: [f64; 2], "limit: reference parameters";
        tendon_solimp_lim: [f64; 5], "limit: impedance parameters";
        tendon_solref_fri: [f64; 2], "dry friction: reference parameters";
        tendon_solimp_fri: [f64; 5], "dry friction: impedance parameters";
        tendon_range: [f64; 2], "bounds of its length";
        tendon_actfrcrange: [f64; 2], "bounds of the total actuator force";
        tendon_margin: f64, "distance at which the limit becomes active";
        tendon_stiffness: f64, "spring stiffness";
        tendon_damping: f64, "damping coefficient";
        tendon_armature: f64, "inertia along its length";
        tendon_frictionloss: f64, "dry friction";
        tendon_lengthspring: [f64; 2], "lengths between which the spring is slack", Derived;
        tendon_length0: f64, "length at `qpos0`", Derived;
        tendon_invweight0: f64, "inverse inertia along its length at `qpos0`", Derived;
        tendon_user: f64 [nuser_tendon], "user numbers";
        tendon_rgba: [f32; 4], "colour, where there is no material";
    }
    nwrap(WrapId) {
        wrap_type: WrapType, "kind of path element";
        wrap_objid: i32, "its joint, site or geom; -1 for pulleys";
        wrap_prm: f64, "divisor of a pulley, coefficient of a joint, side site of a geom";
    }
    nu(ActuatorId) {
        actuator_trntype: TrnType, "what it acts on";
        actuator_dyntype: DynType, "how its activation evolves";
        actuator_gaintype: GainType, "how its gain is computed";
        actuator_biastype: BiasType, "how its bias is computed";
        actuator_trnid: [i32; 2], "joint, tendon, site or body, and a second one; -1 if none";
        actuator_actadr: i32, "first activation in `act`; -1 if it has none";
        actuator_actnum: i32, "number of activations";
        actuator_group: i32, "group for display and for switching off";
        actuator_history: [i32; 2], "samples of the delay line, and its interpolation";
        actuator_historyadr: i32, "start of the delay line in `history`; -1 if none";
        actuator_delay: f64, "delay, seconds";
        actuator_ctrllimited: Flag, "whether the control is clamped";
        actuator_forcelimited: Flag, "whether the force is clamped";
        actuator_actlimited: Flag, "whether the activation is clamped";
        actuator_dynprm: [f64; 10], "parameters of the activation dynamics";
        actuator_gainprm: [f64; 10], "parameters of the gain";
        actuator_biasprm: [f64; 10], "parameters of the bias", Derived;
        actuator_actearly: Flag, "whether the force uses the next activation";
        actuator_ctrlrange: [f64; 2], "bounds of the control";
        actuator_forcerange: [f64; 2], "bounds of the force";
        actuator_actrange: [f64; 2], "bounds of the activation";
        actuator_gear: [f64; 6], "gear: scales length and force";
        actuator_cranklength: f64, "length of the crank";
        actuator_acc0: f64, "acceleration by a unit force at `qpos0`", Derived;
        actuator_length0: f64, "length at `qpos0`", Derived;
        actuator_lengthrange: [f64; 2], "shortest and longest length";
        actuator_user: f64 [nuser_actuator], "user numbers";
        actuator_plugin: Maybe<PluginId>, "plugin instance";
    }
    nsensor(SensorId) {
        sensor_type: SensorType, "what it measures";
        sensor_datatype: DataType, "kind of numbers it gives";
        sensor_needstage: Stage, "stage after which it can be computed";
        sensor_objtype: ObjType, "kind of the object";
        sensor_objid: i32, "the object";
        sensor_reftype: ObjType, "kind of the reference frame";
        sensor_refid: i32, "the reference frame; -1 for the world";
        sensor_intprm: [i32; 3], "integer parameters";
        sensor_dim: i32, "how many numbers it gives";
        sensor_adr: i32, "first number in `sensordata`";
        sensor_cutoff: f64, "largest absolute value; 0 for none";
        sensor_noise: f64, "standard deviation of noise, for the user";
        sensor_history: [i32; 2], "samples of the delay line, and its interpolation";
        sensor_historyadr: i32, "start of the delay line in `history`; -1 if none";
        sensor_delay: f64, "delay, seconds";
        sensor_interval: [f64; 2], "period and phase at which it is sampled";
        sensor_user: f64 [nuser_sensor], "user numbers";
        sensor_plugin: Maybe<PluginId>, "plugin instance";
    }
    nplugin(PluginId) {
        plugin: i32, "registered slot of the plugin";
        plugin_stateadr: i32, "first number of its state";
        plugin_statenum: i32, "numbers of its state";
    }
    npluginattr(Row) {
        plugin_attr: Char, "settings of all instances";
    }
    nplugin(PluginId) {
        plugin_attradr: i32, "first byte of its settings";
    }
    nnumeric(NumericId) {
        numeric_adr: i32, "first number";
        numeric_size: i32, "how many numbers";
    }
    nnumericdata(Row) {
        numeric_data: f64, "the numbers";
    }
    ntext(TextId) {
        text_adr: i32, "first byte";
        text_size: i32, "bytes, the closing zero included";
    }
    ntextdata(Row) {
        text_data: Char, "the texts";
    }
    ntuple(TupleId) {
        tuple_adr: i32, "first member";
        tuple_size: i32, "number of members";
    }
    ntupledata(Row) {
        tuple_objtype: ObjType, "kind of the member";
        tuple_objid: i32, "the member";
        tuple_objprm: f64, "parameter of the member";
    }
    nkey(KeyId) {
        key_time: f64, "time";
        key_qpos: f64 [nq], "positions";
        key_qvel: f64 [nv], "velocities";
        key_act: f64 [na], "activations";
        key_mpos: f64 [nmocap * 3], "positions of mocap bodies";
        key_mquat: f64 [nmocap * 4], "orientations of mocap bodies";
        key_ctrl: f64 [nu], "controls";
    }
    nbody(BodyId) {
        name_bodyadr: i32, "where its name starts in `names`";
    }
    njnt(JointId) {
        name_jntadr: i32, "where its name starts in `names`";
    }
    ngeom(GeomId) {
        name_geomadr: i32, "where its name starts in `names`";
    }
    nsite(SiteId) {
        name_siteadr: i32, "where its name starts in `names`";
    }
    ncam(CamId) {
        name_camadr: i32, "where its name starts in `names`";
    }
    nlight(LightId) {
        name_lightadr: i32, "where its name starts in `names`";
    }
    nflex(FlexId) {
        name_flexadr: i32, "where its name starts in `names`";
    }
    nmesh(MeshId) {
        name_meshadr: i32, "where its name starts in `names`";
    }
    nskin(SkinId) {
        name_skinadr: i32, "where its name starts in `names`";
    }
    nhfield(HFieldId) {
        name_hfieldadr: i32, "where its name starts in `names`";
    }
    ntex(TexId) {
        name_texadr: i32, "where its name starts in `names`";
    }
    nmat(MatId) {
        name_matadr: i32, "where its name starts in `names`";
    }
    npair(PairId) {
        name_pairadr: i32, "where its name starts in `names`";
    }
    nexclude(ExcludeId) {
        name_excludeadr: i32, "where its name starts in `names`";
    }
    neq(EqId) {
        name_eqadr: i32, "where its name starts in `names`";
    }
    ntendon(TendonId) {
        name_tendonadr: i32, "where its name starts in `names`";
    }
    nu(ActuatorId) {
        name_actuatoradr: i32, "where its name starts in `names`";
    }
    nsensor(SensorId) {
        name_sensoradr: i32, "where its name starts in `names`";
    }
    nnumeric(NumericId) {
        name_numericadr: i32, "where its name starts in `names`";
    }
    ntext(TextId) {
        name_textadr: i32, "where its name starts in `names`";
    }
    ntuple(TupleId) {
        name_tupleadr: i32, "where its name starts in `names`";
    }
    nkey(KeyId) {
        name_keyadr: i32, "where its name starts in `names`";
    }
    nplugin(PluginId) {
        name_pluginadr: i32, "where its name starts in `names`";
    }
    nnames(Row) {
        names: Char, "all names, each closed by a zero; first the model's";
    }
    nnames_map(Row) {
        names_map: i32, "hash tables from names to ids";
    }
    npaths(Row) {
        paths: Char, "all asset paths, each closed by a zero";
    }
    nbody(BodyId) {
        B_rownnz: i32, "dofs that move the body";
        B_rowadr: i32, "start of the body's row";
    }
    nB(Row) {
        B_colind: DofId, "dofs that move each body";
    }
    nv(DofId) {
        M_rownnz: i32, "entries of the row of M";
        M_rowadr: i32, "start of the row of M";
    }
    nC(Row) {
        M_colind: DofId, "columns of M: ancestors, then the dof itself";
        mapM2M: i32, "place in `qM` of each entry of `M`";
    }
    nv(DofId) {
        D_rownnz: i32, "entries of the row of the symmetric pattern";
        D_rowadr: i32, "start of the row of the symmetric pattern";
        D_diag: i32, "place of the diagonal in the row";
    }
    nD(Row) {
        D_colind: DofId, "columns of the symmetric pattern";
        mapM2D: i32, "entry of `M` for each entry of the symmetric pattern";
    }
    nC(Row) {
        mapD2M: i32, "entry of the symmetric pattern for each entry of `M`";
    }
}
