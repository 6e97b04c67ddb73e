//! The table of `Model`: every size and array of `mjModel`, in MuJoCo's order.

use sinew_math::{Mat3, Quat, Vec3};

use crate::enums::*;
use crate::fields::model_table;
use crate::ids::*;
use crate::options::{Options, Statistic, Visual};

model_table! {
    sizes {
        nq, "number of generalized coordinates = dim(qpos)";
        nv, "number of degrees of freedom = dim(qvel)";
        nu, "number of actuators/controls = dim(ctrl)";
        na, "number of activation states = dim(act)";
        nbody, "number of bodies";
        nbvh, "number of total bounding volumes in all bodies";
        nbvhstatic, "number of static bounding volumes (aabb stored in mjModel)";
        nbvhdynamic, "number of dynamic bounding volumes (aabb stored in mjData)";
        noct, "number of total octree cells in all meshes";
        njnt, "number of joints";
        ntree, "number of kinematic trees under world body";
        nM, "number of non-zeros in sparse inertia matrix";
        nB, "number of non-zeros in sparse body-dof matrix";
        nC, "number of non-zeros in sparse reduced dof-dof matrix";
        nD, "number of non-zeros in sparse dof-dof matrix";
        ngeom, "number of geoms";
        nsite, "number of sites";
        ncam, "number of cameras";
        nlight, "number of lights";
        nflex, "number of flexes";
        nflexnode, "number of dofs in all flexes";
        nflexvert, "number of vertices in all flexes";
        nflexedge, "number of edges in all flexes";
        nflexelem, "number of elements in all flexes";
        nflexelemdata, "number of element vertex ids in all flexes";
        nflexelemedge, "number of element edge ids in all flexes";
        nflexshelldata, "number of shell fragment vertex ids in all flexes";
        nflexevpair, "number of element-vertex pairs in all flexes";
        nflextexcoord, "number of vertices with texture coordinates";
        nJfe, "number of non-zeros in sparse flexedge Jacobian matrix";
        nJfv, "number of non-zeros in sparse flexvert Jacobian matrix";
        nmesh, "number of meshes";
        nmeshvert, "number of vertices in all meshes";
        nmeshnormal, "number of normals in all meshes";
        nmeshtexcoord, "number of texcoords in all meshes";
        nmeshface, "number of triangular faces in all meshes";
        nmeshgraph, "number of ints in mesh auxiliary data";
        nmeshpoly, "number of polygons in all meshes";
        nmeshpolyvert, "number of vertices in all polygons";
        nmeshpolymap, "number of polygons in vertex map";
        nskin, "number of skins";
        nskinvert, "number of vertices in all skins";
        nskintexvert, "number of vertices with texcoords in all skins";
        nskinface, "number of triangular faces in all skins";
        nskinbone, "number of bones in all skins";
        nskinbonevert, "number of vertices in all skin bones";
        nhfield, "number of heightfields";
        nhfielddata, "number of data points in all heightfields";
        ntex, "number of textures";
        ntexdata, "number of bytes in texture rgb data";
        nmat, "number of materials";
        npair, "number of predefined geom pairs";
        nexclude, "number of excluded geom pairs";
        neq, "number of equality constraints";
        ntendon, "number of tendons";
        nwrap, "number of wrap objects in all tendon paths";
        nsensor, "number of sensors";
        nnumeric, "number of numeric custom fields";
        nnumericdata, "number of mjtNums in all numeric fields";
        ntext, "number of text custom fields";
        ntextdata, "number of mjtBytes in all text fields";
        ntuple, "number of tuple custom fields";
        ntupledata, "number of objects in all tuple fields";
        nkey, "number of keyframes";
        nmocap, "number of mocap bodies";
        nplugin, "number of plugin instances";
        npluginattr, "number of chars in all plugin config attributes";
        nuser_body, "number of mjtNums in body_user";
        nuser_jnt, "number of mjtNums in jnt_user";
        nuser_geom, "number of mjtNums in geom_user";
        nuser_site, "number of mjtNums in site_user";
        nuser_cam, "number of mjtNums in cam_user";
        nuser_tendon, "number of mjtNums in tendon_user";
        nuser_actuator, "number of mjtNums in actuator_user";
        nuser_sensor, "number of mjtNums in sensor_user";
        nnames, "number of chars in all names";
        npaths, "number of chars in all paths";
        nnames_map, "number of slots in the names hash map";
        nJmom, "number of non-zeros in sparse actuator_moment matrix";
        ngravcomp, "number of bodies with nonzero gravcomp";
        nemax, "number of potential equality-constraint rows";
        njmax, "number of available rows in constraint Jacobian (legacy)";
        nconmax, "number of potential contacts in contact list (legacy)";
        nuserdata, "number of mjtNums reserved for the user";
        nsensordata, "number of mjtNums in sensor data vector";
        npluginstate, "number of mjtNums in plugin state vector";
        nhistory, "number of mjtNums in history buffer";
        narena, "number of bytes in the mjData arena (inclusive of stack)";
        nbuffer, "number of bytes in buffer";
    }
    nq(Row) {
        qpos0: f64, "qpos values at default pose";
        qpos_spring: f64, "reference pose for springs";
    }
    nbody(BodyId) {
        body_parentid: BodyId, "id of body's parent";
        body_rootid: BodyId, "ancestor that is direct child of world";
        body_weldid: BodyId, "top ancestor with no dofs to this body";
        body_mocapid: Maybe<MocapId>, "id of mocap data; -1: none";
        body_jntnum: i32, "number of joints for this body";
        body_jntadr: Maybe<JointId>, "start addr of joints; -1: no joints";
        body_dofnum: i32, "number of motion degrees of freedom";
        body_dofadr: Maybe<DofId>, "start addr of dofs; -1: no dofs";
        body_treeid: Maybe<TreeId>, "id of body's kinematic tree; -1: static";
        body_geomnum: i32, "number of geoms";
        body_geomadr: Maybe<GeomId>, "start addr of geoms; -1: no geoms";
        body_simple: u8, "1: diag M; 2: diag M, sliders only";
        body_sameframe: SameFrame, "same frame as inertia (mjtSameframe)";
        body_pos: Vec3, "position offset rel. to parent body";
        body_quat: Quat, "orientation offset rel. to parent body";
        body_ipos: Vec3, "local position of center of mass";
        body_iquat: Quat, "local orientation of inertia ellipsoid";
        body_mass: f64, "mass";
        body_subtreemass: f64, "mass of subtree starting at this body";
        body_inertia: Vec3, "diagonal inertia in ipos/iquat frame";
        body_invweight0: [f64; 2], "mean inv inert in qpos0 (trn, rot)";
        body_gravcomp: f64, "antigravity force, units of body weight";
        body_margin: f64, "MAX over all geom margins";
        body_user: f64 [nuser_body], "user data";
        body_plugin: Maybe<PluginId>, "plugin instance id; -1: not in use";
        body_contype: i32, "OR over all geom contypes";
        body_conaffinity: i32, "OR over all geom conaffinities";
        body_bvhadr: i32, "address of bvh root";
        body_bvhnum: i32, "number of bounding volumes";
    }
    nbvh(Row) {
        bvh_depth: i32, "depth in the bounding volume hierarchy";
        bvh_child: [i32; 2], "left and right children in tree";
        bvh_nodeid: i32, "geom or elem id of node; -1: non-leaf";
    }
    nbvhstatic(Row) {
        bvh_aabb: [f64; 6], "local bounding box (center, size)";
    }
    noct(Row) {
        oct_depth: i32, "depth in the octree";
        oct_child: [i32; 8], "children of octree node";
        oct_aabb: [f64; 6], "octree node bounding box (center, size)";
        oct_coeff: [f64; 8], "octree interpolation coefficients";
    }
    njnt(JointId) {
        jnt_type: JointType, "type of joint (mjtJoint)";
        jnt_qposadr: i32, "start addr in 'qpos' for joint's data";
        jnt_dofadr: DofId, "start addr in 'qvel' for joint's data";
        jnt_bodyid: BodyId, "id of joint's body";
        jnt_group: i32, "group for visibility";
        jnt_limited: Flag, "does joint have limits";
        jnt_actfrclimited: Flag, "does joint have actuator force limits";
        jnt_actgravcomp: Flag, "is gravcomp force applied via actuators";
        jnt_solref: [f64; 2], "constraint solver reference: limit";
        jnt_solimp: [f64; 5], "constraint solver impedance: limit";
        jnt_pos: Vec3, "local anchor position";
        jnt_axis: Vec3, "local joint axis";
        jnt_stiffness: f64, "stiffness coefficient";
        jnt_range: [f64; 2], "joint limits";
        jnt_actfrcrange: [f64; 2], "range of total actuator force";
        jnt_margin: f64, "min distance for limit detection";
        jnt_user: f64 [nuser_jnt], "user data";
    }
    nv(DofId) {
        dof_bodyid: BodyId, "id of dof's body";
        dof_jntid: JointId, "id of dof's joint";
        dof_parentid: Maybe<DofId>, "id of dof's parent; -1: none";
        dof_treeid: TreeId, "id of dof's kinematic tree";
        dof_Madr: i32, "dof address in M-diagonal";
        dof_simplenum: i32, "number of consecutive simple dofs";
        dof_solref: [f64; 2], "constraint solver reference:frictionloss";
        dof_solimp: [f64; 5], "constraint solver impedance:frictionloss";
        dof_frictionloss: f64, "dof friction loss";
        dof_armature: f64, "dof armature inertia/mass";
        dof_damping: f64, "damping coefficient";
        dof_invweight0: f64, "diag. inverse inertia in qpos0";
        dof_M0: f64, "diag. inertia in qpos0";
        dof_length: f64, "linear: 1; angular: approx. length scale";
    }
    ntree(TreeId) {
        tree_bodyadr: BodyId, "start addr of bodies";
        tree_bodynum: i32, "number of bodies in tree";
        tree_dofadr: DofId, "start addr of dofs";
        tree_dofnum: i32, "number of dofs in tree";
        tree_sleep_policy: SleepPolicy, "sleep policy (mjtSleepPolicy)";
    }
    ngeom(GeomId) {
        geom_type: GeomType, "geometric type (mjtGeom)";
        geom_contype: i32, "geom contact type";
        geom_conaffinity: i32, "geom contact affinity";
        geom_condim: i32, "contact dimensionality (1, 3, 4, 6)";
        geom_bodyid: BodyId, "id of geom's body";
        geom_dataid: i32, "id of geom's mesh/hfield; -1: none";
        geom_matid: Maybe<MatId>, "material id for rendering; -1: none";
        geom_group: i32, "group for visibility";
        geom_priority: i32, "geom contact priority";
        geom_plugin: Maybe<PluginId>, "plugin instance id; -1: not in use";
        geom_sameframe: SameFrame, "same frame as body (mjtSameframe)";
        geom_solmix: f64, "mixing coef for solref/imp in geom pair";
        geom_solref: [f64; 2], "constraint solver reference: contact";
        geom_solimp: [f64; 5], "constraint solver impedance: contact";
        geom_size: Vec3, "geom-specific size parameters";
        geom_aabb: [f64; 6], "bounding box, (center, size)";
        geom_rbound: f64, "radius of bounding sphere";
        geom_pos: Vec3, "local position offset rel. to body";
        geom_quat: Quat, "local orientation offset rel. to body";
        geom_friction: Vec3, "friction for (slide, spin, roll)";
        geom_margin: f64, "detect contact if dist<margin";
        geom_gap: f64, "include in solver if dist<margin-gap";
        geom_fluid: [f64; 12], "fluid interaction parameters";
        geom_user: f64 [nuser_geom], "user data";
        geom_rgba: [f32; 4], "rgba when material is omitted";
    }
    nsite(SiteId) {
        site_type: GeomType, "geom type for rendering (mjtGeom)";
        site_bodyid: BodyId, "id of site's body";
        site_matid: Maybe<MatId>, "material id for rendering; -1: none";
        site_group: i32, "group for visibility";
        site_sameframe: SameFrame, "same frame as body (mjtSameframe)";
        site_size: Vec3, "geom size for rendering";
        site_pos: Vec3, "local position offset rel. to body";
        site_quat: Quat, "local orientation offset rel. to body";
        site_user: f64 [nuser_site], "user data";
        site_rgba: [f32; 4], "rgba when material is omitted";
    }
    ncam(CamId) {
        cam_mode: CamLight, "camera tracking mode (mjtCamLight)";
        cam_bodyid: BodyId, "id of camera's body";
        cam_targetbodyid: Maybe<BodyId>, "id of targeted body; -1: none";
        cam_pos: Vec3, "position rel. to body frame";
        cam_quat: Quat, "orientation rel. to body frame";
        cam_poscom0: Vec3, "global position rel. to sub-com in qpos0";
        cam_pos0: Vec3, "global position rel. to body in qpos0";
        cam_mat0: Mat3, "global orientation in qpos0";
        cam_projection: Projection, "projection type (mjtProjection)";
        cam_fovy: f64, "y field-of-view (ortho ? len : deg)";
        cam_ipd: f64, "inter-pupilary distance";
        cam_resolution: [i32; 2], "resolution: pixels [width, height]";
        cam_output: i32, "output types (mjtCamOut bit flags)";
        cam_sensorsize: [f32; 2], "sensor size: length [width, height]";
        cam_intrinsic: [f32; 4], "[focal length; principal point]";
        cam_user: f64 [nuser_cam], "user data";
    }
    nlight(LightId) {
        light_mode: CamLight, "light tracking mode (mjtCamLight)";
        light_bodyid: BodyId, "id of light's body";
        light_targetbodyid: Maybe<BodyId>, "id of targeted body; -1: none";
        light_type: LightType, "spot, directional, etc. (mjtLightType)";
        light_texid: Maybe<TexId>, "texture id for image lights";
        light_castshadow: Flag, "does light cast shadows";
        light_bulbradius: f32, "light radius for soft shadows";
        light_intensity: f32, "intensity, in candela";
        light_range: f32, "range of effectiveness";
        light_active: Flag, "is light on";
        light_pos: Vec3, "position rel. to body frame";
        light_dir: Vec3, "direction rel. to body frame";
        light_poscom0: Vec3, "global position rel. to sub-com in qpos0";
        light_pos0: Vec3, "global position rel. to body in qpos0";
        light_dir0: Vec3, "global direction in qpos0";
        light_attenuation: [f32; 3], "OpenGL attenuation (quadratic model)";
        light_cutoff: f32, "OpenGL cutoff";
        light_exponent: f32, "OpenGL exponent";
        light_ambient: [f32; 3], "ambient rgb (alpha=1)";
        light_diffuse: [f32; 3], "diffuse rgb (alpha=1)";
        light_specular: [f32; 3], "specular rgb (alpha=1)";
    }
    nflex(FlexId) {
        flex_contype: i32, "flex contact type";
        flex_conaffinity: i32, "flex contact affinity";
        flex_condim: i32, "contact dimensionality (1, 3, 4, 6)";
        flex_priority: i32, "flex contact priority";
        flex_solmix: f64, "mix coef for solref/imp in contact pair";
        flex_solref: [f64; 2], "constraint solver reference: contact";
        flex_solimp: [f64; 5], "constraint solver impedance: contact";
        flex_friction: Vec3, "friction for (slide, spin, roll)";
        flex_margin: f64, "detect contact if dist<margin";
        flex_gap: f64, "include in solver if dist<margin-gap";
        flex_internal: Flag, "internal flex collision enabled";
        flex_selfcollide: i32, "self collision mode (mjtFlexSelf)";
        flex_activelayers: i32, "number of active element layers, 3D only";
        flex_passive: i32, "passive collisions enabled";
        flex_dim: i32, "1: lines, 2: triangles, 3: tetrahedra";
        flex_matid: Maybe<MatId>, "material id for rendering";
        flex_group: i32, "group for visibility";
        flex_interp: i32, "interpolation (0: vertex, 1: nodes)";
        flex_nodeadr: i32, "first node address";
        flex_nodenum: i32, "number of nodes";
        flex_vertadr: i32, "first vertex address";
        flex_vertnum: i32, "number of vertices";
        flex_edgeadr: i32, "first edge address";
        flex_edgenum: i32, "number of edges";
        flex_elemadr: i32, "first element address";
        flex_elemnum: i32, "number of elements";
        flex_elemdataadr: i32, "first element vertex id address";
        flex_elemedgeadr: i32, "first element edge id address";
        flex_shellnum: i32, "number of shells";
        flex_shelldataadr: i32, "first shell data address";
        flex_evpairadr: i32, "first evpair address";
        flex_evpairnum: i32, "number of evpairs";
        flex_texcoordadr: i32, "address in flex_texcoord; -1: none";
    }
    nflexnode(Row) {
        flex_nodebodyid: BodyId, "node body ids";
    }
    nflexvert(Row) {
        flex_vertbodyid: BodyId, "vertex body ids";
        flex_vertedgeadr: i32, "first edge address";
        flex_vertedgenum: i32, "number of edges";
    }
    nflexedge(Row) {
        flex_vertedge: [i32; 2], "edge indices";
        flex_edge: [i32; 2], "edge vertex ids (2 per edge)";
        flex_edgeflap: [i32; 2], "adjacent vertex ids (dim=2 only)";
    }
    nflexelemdata(Row) {
        flex_elem: i32, "element vertex ids (dim+1 per elem)";
        flex_elemtexcoord: i32, "element texture coordinates (dim+1)";
    }
    nflexelemedge(Row) {
        flex_elemedge: i32, "element edge ids";
    }
    nflexelem(Row) {
        flex_elemlayer: i32, "element distance from surface, 3D only";
    }
    nflexshelldata(Row) {
        flex_shell: i32, "shell fragment vertex ids (dim per frag)";
    }
    nflexevpair(Row) {
        flex_evpair: [i32; 2], "(element, vertex) collision pairs";
    }
    nflexvert(Row) {
        flex_vert: Vec3, "vertex positions in local body frames";
        flex_vert0: Vec3, "vertex positions in qpos0 on [0, 1]^d";
        flex_vertmetric: [f64; 4], "inverse of reference shape matrix";
    }
    nflexnode(Row) {
        flex_node: Vec3, "node positions in local body frames";
        flex_node0: Vec3, "Cartesian node positions in qpos0";
    }
    nflexedge(Row) {
        flexedge_length0: f64, "edge lengths in qpos0";
        flexedge_invweight0: f64, "edge inv. weight in qpos0";
    }
    nflex(FlexId) {
        flex_radius: f64, "radius around primitive element";
        flex_size: Vec3, "vertex bounding box half sizes in qpos0";
    }
    nflexelem(Row) {
        flex_stiffness: [f64; 21], "finite element stiffness matrix";
    }
    nflexedge(Row) {
        flex_bending: [f64; 17], "bending stiffness";
    }
    nflex(FlexId) {
        flex_damping: f64, "Rayleigh's damping coefficient";
        flex_edgestiffness: f64, "edge stiffness";
        flex_edgedamping: f64, "edge damping";
        flex_edgeequality: i32, "0: none, 1: edges, 2: vertices";
        flex_rigid: Flag, "are all vertices in the same body";
    }
    nflexedge(Row) {
        flexedge_rigid: Flag, "are both edge vertices in same body";
    }
    nflex(FlexId) {
        flex_centered: Flag, "are all vertex coordinates (0,0,0)";
        flex_flatskin: Flag, "render flex skin with flat shading";
        flex_bvhadr: i32, "address of bvh root; -1: no bvh";
        flex_bvhnum: i32, "number of bounding volumes";
    }
    nflexedge(Row) {
        flexedge_J_rownnz: i32, "number of non-zeros in Jacobian row";
        flexedge_J_rowadr: i32, "row start address in colind array";
    }
    nJfe(Row) {
        flexedge_J_colind: i32, "column indices in sparse Jacobian";
    }
    nflexvert(Row) {
        flexvert_J_rownnz: [i32; 2], "number of non-zeros in Jacobian row";
        flexvert_J_rowadr: [i32; 2], "row start address in colind array";
    }
    nJfv(Row) {
        flexvert_J_colind: [i32; 2], "column indices in sparse Jacobian";
    }
    nflex(FlexId) {
        flex_rgba: [f32; 4], "rgba when material is omitted";
    }
    nflextexcoord(Row) {
        flex_texcoord: [f32; 2], "vertex texture coordinates";
    }
    nmesh(MeshId) {
        mesh_vertadr: i32, "first vertex address";
        mesh_vertnum: i32, "number of vertices";
        mesh_faceadr: i32, "first face address";
        mesh_facenum: i32, "number of faces";
        mesh_bvhadr: i32, "address of bvh root";
        mesh_bvhnum: i32, "number of bvh";
        mesh_octadr: i32, "address of octree root";
        mesh_octnum: i32, "number of octree nodes";
        mesh_normaladr: i32, "first normal address";
        mesh_normalnum: i32, "number of normals";
        mesh_texcoordadr: i32, "texcoord data address; -1: no texcoord";
        mesh_texcoordnum: i32, "number of texcoord";
        mesh_graphadr: i32, "graph data address; -1: no graph";
    }
    nmeshvert(Row) {
        mesh_vert: [f32; 3], "vertex positions for all meshes";
    }
    nmeshnormal(Row) {
        mesh_normal: [f32; 3], "normals for all meshes";
    }
    nmeshtexcoord(Row) {
        mesh_texcoord: [f32; 2], "vertex texcoords for all meshes";
    }
    nmeshface(Row) {
        mesh_face: [i32; 3], "vertex face data";
        mesh_facenormal: [i32; 3], "normal face data";
        mesh_facetexcoord: [i32; 3], "texture face data";
    }
    nmeshgraph(Row) {
        mesh_graph: i32, "convex graph data";
    }
    nmesh(MeshId) {
        mesh_scale: Vec3, "scaling applied to asset vertices";
        mesh_pos: Vec3, "translation applied to asset vertices";
        mesh_quat: Quat, "rotation applied to asset vertices";
        mesh_pathadr: i32, "address of asset path for mesh; -1: none";
        mesh_polynum: i32, "number of polygons per mesh";
        mesh_polyadr: i32, "first polygon address per mesh";
    }
    nmeshpoly(Row) {
        mesh_polynormal: Vec3, "all polygon normals";
        mesh_polyvertadr: i32, "polygon vertex start address";
        mesh_polyvertnum: i32, "number of vertices per polygon";
    }
    nmeshpolyvert(Row) {
        mesh_polyvert: i32, "all polygon vertices";
    }
    nmeshvert(Row) {
        mesh_polymapadr: i32, "first polygon address per vertex";
        mesh_polymapnum: i32, "number of polygons per vertex";
    }
    nmeshpolymap(Row) {
        mesh_polymap: i32, "vertex to polygon map";
    }
    nskin(SkinId) {
        skin_matid: Maybe<MatId>, "skin material id; -1: none";
        skin_group: i32, "group for visibility";
        skin_rgba: [f32; 4], "skin rgba";
        skin_inflate: f32, "inflate skin in normal direction";
        skin_vertadr: i32, "first vertex address";
        skin_vertnum: i32, "number of vertices";
        skin_texcoordadr: i32, "texcoord data address; -1: no texcoord";
        skin_faceadr: i32, "first face address";
        skin_facenum: i32, "number of faces";
        skin_boneadr: i32, "first bone in skin";
        skin_bonenum: i32, "number of bones in skin";
    }
    nskinvert(Row) {
        skin_vert: [f32; 3], "vertex positions for all skin meshes";
    }
    nskintexvert(Row) {
        skin_texcoord: [f32; 2], "vertex texcoords for all skin meshes";
    }
    nskinface(Row) {
        skin_face: [i32; 3], "triangle faces for all skin meshes";
    }
    nskinbone(Row) {
        skin_bonevertadr: i32, "first vertex in each bone";
        skin_bonevertnum: i32, "number of vertices in each bone";
        skin_bonebindpos: [f32; 3], "bind pos of each bone";
        skin_bonebindquat: [f32; 4], "bind quat of each bone";
        skin_bonebodyid: BodyId, "body id of each bone";
    }
    nskinbonevert(Row) {
        skin_bonevertid: i32, "mesh ids of vertices in each bone";
        skin_bonevertweight: f32, "weights of vertices in each bone";
    }
    nskin(SkinId) {
        skin_pathadr: i32, "address of asset path for skin; -1: none";
    }
    nhfield(HFieldId) {
        hfield_size: [f64; 4], "(x, y, z_top, z_bottom)";
        hfield_nrow: i32, "number of rows in grid";
        hfield_ncol: i32, "number of columns in grid";
        hfield_adr: i32, "address in hfield_data";
    }
    nhfielddata(Row) {
        hfield_data: f32, "elevation data";
    }
    nhfield(HFieldId) {
        hfield_pathadr: i32, "address of hfield asset path; -1: none";
    }
    ntex(TexId) {
        tex_type: TextureType, "texture type (mjtTexture)";
        tex_colorspace: ColorSpace, "texture colorspace (mjtColorSpace)";
        tex_height: i32, "number of rows in texture image";
        tex_width: i32, "number of columns in texture image";
        tex_nchannel: i32, "number of channels in texture image";
        tex_adr: i64, "start address in tex_data";
    }
    ntexdata(Row) {
        tex_data: u8, "pixel values";
    }
    ntex(TexId) {
        tex_pathadr: i32, "address of texture asset path; -1: none";
    }
    nmat(MatId) {
        mat_texid: [Maybe<TexId>; 10], "indices of textures; -1: none";
        mat_texuniform: Flag, "make texture cube uniform";
        mat_texrepeat: [f32; 2], "texture repetition for 2d mapping";
        mat_emission: f32, "emission (x rgb)";
        mat_specular: f32, "specular (x white)";
        mat_shininess: f32, "shininess coef";
        mat_reflectance: f32, "reflectance (0: disable)";
        mat_metallic: f32, "metallic coef";
        mat_roughness: f32, "roughness coef";
        mat_rgba: [f32; 4], "rgba";
    }
    npair(PairId) {
        pair_dim: i32, "contact dimensionality";
        pair_geom1: GeomId, "id of geom1";
        pair_geom2: GeomId, "id of geom2";
        pair_signature: i32, "body1 << 16 + body2";
        pair_solref: [f64; 2], "solver reference: contact normal";
        pair_solreffriction: [f64; 2], "solver reference: contact friction";
        pair_solimp: [f64; 5], "solver impedance: contact";
        pair_margin: f64, "detect contact if dist<margin";
        pair_gap: f64, "include in solver if dist<margin-gap";
        pair_friction: [f64; 5], "tangent1, 2, spin, roll1, 2";
    }
    nexclude(ExcludeId) {
        exclude_signature: i32, "body1 << 16 + body2";
    }
    neq(EqId) {
        eq_type: EqType, "constraint type (mjtEq)";
        eq_obj1id: i32, "id of object 1";
        eq_obj2id: i32, "id of object 2";
        eq_objtype: ObjType, "type of both objects (mjtObj)";
        eq_active0: Flag, "initial enable/disable constraint state";
        eq_solref: [f64; 2], "constraint solver reference";
        eq_solimp: [f64; 5], "constraint solver impedance";
        eq_data: [f64; 11], "numeric data for constraint";
    }
    ntendon(TendonId) {
        tendon_adr: WrapId, "address of first object in tendon's path";
        tendon_num: i32, "number of objects in tendon's path";
        tendon_matid: Maybe<MatId>, "material id for rendering";
        tendon_group: i32, "group for visibility";
        tendon_treenum: i32, "number of trees along tendon's path";
        tendon_treeid: [Maybe<TreeId>; 2], "first two trees along tendon's path";
        tendon_limited: Flag, "does tendon have length limits";
        tendon_actfrclimited: Flag, "does tendon have actuator force limits";
        tendon_width: f64, "width for rendering";
        tendon_solref_lim: [f64; 2], "constraint solver reference: limit";
        tendon_solimp_lim: [f64; 5], "constraint solver impedance: limit";
        tendon_solref_fri: [f64; 2], "constraint solver reference: friction";
        tendon_solimp_fri: [f64; 5], "constraint solver impedance: friction";
        tendon_range: [f64; 2], "tendon length limits";
        tendon_actfrcrange: [f64; 2], "range of total actuator force";
        tendon_margin: f64, "min distance for limit detection";
        tendon_stiffness: f64, "stiffness coefficient";
        tendon_damping: f64, "damping coefficient";
        tendon_armature: f64, "inertia associated with tendon velocity";
        tendon_frictionloss: f64, "loss due to friction";
        tendon_lengthspring: [f64; 2], "spring resting length range";
        tendon_length0: f64, "tendon length in qpos0";
        tendon_invweight0: f64, "inv. weight in qpos0";
        tendon_user: f64 [nuser_tendon], "user data";
        tendon_rgba: [f32; 4], "rgba when material is omitted";
    }
    nwrap(WrapId) {
        wrap_type: WrapType, "wrap object type (mjtWrap)";
        wrap_objid: i32, "object id: geom, site, joint";
        wrap_prm: f64, "divisor, joint coef, or site id";
    }
    nu(ActuatorId) {
        actuator_trntype: TrnType, "transmission type (mjtTrn)";
        actuator_dyntype: DynType, "dynamics type (mjtDyn)";
        actuator_gaintype: GainType, "gain type (mjtGain)";
        actuator_biastype: BiasType, "bias type (mjtBias)";
        actuator_trnid: [i32; 2], "transmission id: joint, tendon, site";
        actuator_actadr: i32, "first activation address; -1: stateless";
        actuator_actnum: i32, "number of activation variables";
        actuator_group: i32, "group for visibility";
        actuator_history: [i32; 2], "history buffer: [nsample, interp]";
        actuator_historyadr: i32, "address in history buffer; -1: none";
        actuator_delay: f64, "delay time in seconds; 0: no delay";
        actuator_ctrllimited: Flag, "is control limited";
        actuator_forcelimited: Flag, "is force limited";
        actuator_actlimited: Flag, "is activation limited";
        actuator_dynprm: [f64; 10], "dynamics parameters";
        actuator_gainprm: [f64; 10], "gain parameters";
        actuator_biasprm: [f64; 10], "bias parameters";
        actuator_actearly: Flag, "step activation before force";
        actuator_ctrlrange: [f64; 2], "range of controls";
        actuator_forcerange: [f64; 2], "range of forces";
        actuator_actrange: [f64; 2], "range of activations";
        actuator_gear: [f64; 6], "scale length and transmitted force";
        actuator_cranklength: f64, "crank length for slider-crank";
        actuator_acc0: f64, "acceleration from unit force in qpos0";
        actuator_length0: f64, "actuator length in qpos0";
        actuator_lengthrange: [f64; 2], "feasible actuator length range";
        actuator_user: f64 [nuser_actuator], "user data";
        actuator_plugin: Maybe<PluginId>, "plugin instance id; -1: not a plugin";
    }
    nsensor(SensorId) {
        sensor_type: SensorType, "sensor type (mjtSensor)";
        sensor_datatype: DataType, "numeric data type (mjtDataType)";
        sensor_needstage: Stage, "required compute stage (mjtStage)";
        sensor_objtype: ObjType, "type of sensorized object (mjtObj)";
        sensor_objid: i32, "id of sensorized object";
        sensor_reftype: ObjType, "type of reference frame (mjtObj)";
        sensor_refid: i32, "id of reference frame; -1: global frame";
        sensor_intprm: [i32; 3], "sensor parameters";
        sensor_dim: i32, "number of scalar outputs";
        sensor_adr: i32, "address in sensor array";
        sensor_cutoff: f64, "cutoff for real and positive; 0: ignore";
        sensor_noise: f64, "noise standard deviation";
        sensor_history: [i32; 2], "history buffer: [nsample, interp]";
        sensor_historyadr: i32, "address in history buffer; -1: none";
        sensor_delay: f64, "delay time in seconds; 0: no delay";
        sensor_interval: [f64; 2], "interval: [period, phase] in seconds";
        sensor_user: f64 [nuser_sensor], "user data";
        sensor_plugin: Maybe<PluginId>, "plugin instance id; -1: not a plugin";
    }
    nplugin(PluginId) {
        plugin: i32, "globally registered plugin slot number";
        plugin_stateadr: i32, "address in the plugin state array";
        plugin_statenum: i32, "number of states in the plugin instance";
    }
    npluginattr(Row) {
        plugin_attr: Char, "config attributes of plugin instances";
    }
    nplugin(PluginId) {
        plugin_attradr: i32, "address to each instance's config attrib";
    }
    nnumeric(NumericId) {
        numeric_adr: i32, "address of field in numeric_data";
        numeric_size: i32, "size of numeric field";
    }
    nnumericdata(Row) {
        numeric_data: f64, "array of all numeric fields";
    }
    ntext(TextId) {
        text_adr: i32, "address of text in text_data";
        text_size: i32, "size of text field (strlen+1)";
    }
    ntextdata(Row) {
        text_data: Char, "array of all text fields (0-terminated)";
    }
    ntuple(TupleId) {
        tuple_adr: i32, "address of text in text_data";
        tuple_size: i32, "number of objects in tuple";
    }
    ntupledata(Row) {
        tuple_objtype: ObjType, "array of object types in all tuples";
        tuple_objid: i32, "array of object ids in all tuples";
        tuple_objprm: f64, "array of object params in all tuples";
    }
    nkey(KeyId) {
        key_time: f64, "key time";
        key_qpos: f64 [nq], "key position";
        key_qvel: f64 [nv], "key velocity";
        key_act: f64 [na], "key activation";
        key_mpos: f64 [nmocap * 3], "key mocap position";
        key_mquat: f64 [nmocap * 4], "key mocap quaternion";
        key_ctrl: f64 [nu], "key control";
    }
    nbody(BodyId) {
        name_bodyadr: i32, "body name pointers";
    }
    njnt(JointId) {
        name_jntadr: i32, "joint name pointers";
    }
    ngeom(GeomId) {
        name_geomadr: i32, "geom name pointers";
    }
    nsite(SiteId) {
        name_siteadr: i32, "site name pointers";
    }
    ncam(CamId) {
        name_camadr: i32, "camera name pointers";
    }
    nlight(LightId) {
        name_lightadr: i32, "light name pointers";
    }
    nflex(FlexId) {
        name_flexadr: i32, "flex name pointers";
    }
    nmesh(MeshId) {
        name_meshadr: i32, "mesh name pointers";
    }
    nskin(SkinId) {
        name_skinadr: i32, "skin name pointers";
    }
    nhfield(HFieldId) {
        name_hfieldadr: i32, "hfield name pointers";
    }
    ntex(TexId) {
        name_texadr: i32, "texture name pointers";
    }
    nmat(MatId) {
        name_matadr: i32, "material name pointers";
    }
    npair(PairId) {
        name_pairadr: i32, "geom pair name pointers";
    }
    nexclude(ExcludeId) {
        name_excludeadr: i32, "exclude name pointers";
    }
    neq(EqId) {
        name_eqadr: i32, "equality constraint name pointers";
    }
    ntendon(TendonId) {
        name_tendonadr: i32, "tendon name pointers";
    }
    nu(ActuatorId) {
        name_actuatoradr: i32, "actuator name pointers";
    }
    nsensor(SensorId) {
        name_sensoradr: i32, "sensor name pointers";
    }
    nnumeric(NumericId) {
        name_numericadr: i32, "numeric name pointers";
    }
    ntext(TextId) {
        name_textadr: i32, "text name pointers";
    }
    ntuple(TupleId) {
        name_tupleadr: i32, "tuple name pointers";
    }
    nkey(KeyId) {
        name_keyadr: i32, "keyframe name pointers";
    }
    nplugin(PluginId) {
        name_pluginadr: i32, "plugin instance name pointers";
    }
    nnames(Row) {
        names: Char, "names of all objects, 0-terminated";
    }
    nnames_map(Row) {
        names_map: i32, "internal hash map of names";
    }
    npaths(Row) {
        paths: Char, "paths to assets, 0-terminated";
    }
    nbody(BodyId) {
        B_rownnz: i32, "body-dof: non-zeros in each row";
        B_rowadr: i32, "body-dof: row addresses";
    }
    nB(Row) {
        B_colind: DofId, "body-dof: column indices";
    }
    nv(DofId) {
        M_rownnz: i32, "reduced inertia: non-zeros in each row";
        M_rowadr: i32, "reduced inertia: row addresses";
    }
    nC(Row) {
        M_colind: DofId, "reduced inertia: column indices";
        mapM2M: i32, "index mapping from qM to M";
    }
    nv(DofId) {
        D_rownnz: i32, "full inertia: non-zeros in each row";
        D_rowadr: i32, "full inertia: row addresses";
        D_diag: i32, "full inertia: index of diagonal element";
    }
    nD(Row) {
        D_colind: DofId, "full inertia: column indices";
        mapM2D: i32, "index mapping from M to D";
    }
    nC(Row) {
        mapD2M: i32, "index mapping from D to M";
    }
}
