//! MuJoCo's enumerations, with its numbers.
//!
//! Each is an open set: a transparent integer with named constants, because arrays of them can be
//! written from outside (numpy views, binary files). `match` works on the constants.

use crate::pod::{Pod, Scalar, pod};

/// One named value: MuJoCo's name and number.
pub type EnumValue = (&'static str, i64);

macro_rules! enums {
    ($(
        $name:ident: $int:ident, $mj:literal { $($var:ident = $val:literal, $mjvar:literal;)* }
    )*) => {
        $(
            #[doc = concat!("`", $mj, "`")]
            #[doc(alias = $mj)]
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
            #[repr(transparent)]
            pub struct $name(pub $int);

            #[allow(non_upper_case_globals)]
            impl $name {
                $(
                    #[doc = concat!("`", $mjvar, "`")]
                    #[doc(alias = $mjvar)]
                    pub const $var: $name = $name($val);
                )*
            }

            impl $name {
                /// MuJoCo's names and numbers.
                pub const VALUES: &'static [EnumValue] = &[$(($mjvar, $val),)*];
            }

            enums!(@pod $name $int);
        )*

        /// Every enumeration by MuJoCo's name, with its values in order of declaration.
        pub const ENUMS: &[(&str, &[EnumValue])] = &[$(($mj, $name::VALUES),)*];
    };
    (@pod $name:ident i32) => { pod! { $name: I32 1, crate::pod::Meaning::OneOf($name::VALUES); } };
    (@pod $name:ident u8) => { pod! { $name: U8 1, crate::pod::Meaning::OneOf($name::VALUES); } };
}

impl StateBit {
    /// `mjSTATE_PLASTIC` of MuJoCo 4.0, under a number that is no signature in 3.5.
    pub const PLASTIC: StateBit = StateBit(1 << 15);
}

impl GeomType {
    /// Whether the shape comes from a mesh.
    pub fn is_mesh(self) -> bool {
        matches!(self, GeomType::Mesh | GeomType::Sdf)
    }

    /// Number of sizes that describe the shape; none where they follow from an asset.
    pub fn size_count(self) -> usize {
        match self {
            GeomType::Sphere => 1,
            GeomType::Capsule | GeomType::Cylinder => 2,
            GeomType::Plane | GeomType::Ellipsoid | GeomType::Box => 3,
            _ => 0,
        }
    }
}

enums! {
    DisableBit: i32, "mjtDisableBit" {
        Constraint = 1, "mjDSBL_CONSTRAINT";
        Equality = 2, "mjDSBL_EQUALITY";
        Frictionloss = 4, "mjDSBL_FRICTIONLOSS";
        Limit = 8, "mjDSBL_LIMIT";
        Contact = 16, "mjDSBL_CONTACT";
        Spring = 32, "mjDSBL_SPRING";
        Damper = 64, "mjDSBL_DAMPER";
        Gravity = 128, "mjDSBL_GRAVITY";
        Clampctrl = 256, "mjDSBL_CLAMPCTRL";
        Warmstart = 512, "mjDSBL_WARMSTART";
        Filterparent = 1024, "mjDSBL_FILTERPARENT";
        Actuation = 2048, "mjDSBL_ACTUATION";
        Refsafe = 4096, "mjDSBL_REFSAFE";
        Sensor = 8192, "mjDSBL_SENSOR";
        Midphase = 16384, "mjDSBL_MIDPHASE";
        Eulerdamp = 32768, "mjDSBL_EULERDAMP";
        Autoreset = 65536, "mjDSBL_AUTORESET";
        Nativeccd = 131072, "mjDSBL_NATIVECCD";
        Island = 262144, "mjDSBL_ISLAND";
        Count = 19, "mjNDISABLE";
    }
    EnableBit: i32, "mjtEnableBit" {
        Override = 1, "mjENBL_OVERRIDE";
        Energy = 2, "mjENBL_ENERGY";
        Fwdinv = 4, "mjENBL_FWDINV";
        Invdiscrete = 8, "mjENBL_INVDISCRETE";
        Multiccd = 16, "mjENBL_MULTICCD";
        Sleep = 32, "mjENBL_SLEEP";
        Count = 6, "mjNENABLE";
    }
    JointType: i32, "mjtJoint" {
        Free = 0, "mjJNT_FREE";
        Ball = 1, "mjJNT_BALL";
        Slide = 2, "mjJNT_SLIDE";
        Hinge = 3, "mjJNT_HINGE";
    }
    GeomType: i32, "mjtGeom" {
        Plane = 0, "mjGEOM_PLANE";
        Hfield = 1, "mjGEOM_HFIELD";
        Sphere = 2, "mjGEOM_SPHERE";
        Capsule = 3, "mjGEOM_CAPSULE";
        Ellipsoid = 4, "mjGEOM_ELLIPSOID";
        Cylinder = 5, "mjGEOM_CYLINDER";
        Box = 6, "mjGEOM_BOX";
        Mesh = 7, "mjGEOM_MESH";
        Sdf = 8, "mjGEOM_SDF";
        Count = 9, "mjNGEOMTYPES";
        Arrow = 100, "mjGEOM_ARROW";
        Arrow1 = 101, "mjGEOM_ARROW1";
        Arrow2 = 102, "mjGEOM_ARROW2";
        Line = 103, "mjGEOM_LINE";
        Linebox = 104, "mjGEOM_LINEBOX";
        Flex = 105, "mjGEOM_FLEX";
        Skin = 106, "mjGEOM_SKIN";
        Label = 107, "mjGEOM_LABEL";
        Triangle = 108, "mjGEOM_TRIANGLE";
        None = 1001, "mjGEOM_NONE";
    }
    Projection: i32, "mjtProjection" {
        Perspective = 0, "mjPROJ_PERSPECTIVE";
        Orthographic = 1, "mjPROJ_ORTHOGRAPHIC";
    }
    CamLight: i32, "mjtCamLight" {
        Fixed = 0, "mjCAMLIGHT_FIXED";
        Track = 1, "mjCAMLIGHT_TRACK";
        Trackcom = 2, "mjCAMLIGHT_TRACKCOM";
        Targetbody = 3, "mjCAMLIGHT_TARGETBODY";
        Targetbodycom = 4, "mjCAMLIGHT_TARGETBODYCOM";
    }
    LightType: i32, "mjtLightType" {
        Spot = 0, "mjLIGHT_SPOT";
        Directional = 1, "mjLIGHT_DIRECTIONAL";
        Point = 2, "mjLIGHT_POINT";
        Image = 3, "mjLIGHT_IMAGE";
    }
    TextureType: i32, "mjtTexture" {
        T2d = 0, "mjTEXTURE_2D";
        Cube = 1, "mjTEXTURE_CUBE";
        Skybox = 2, "mjTEXTURE_SKYBOX";
    }
    TextureRole: i32, "mjtTextureRole" {
        User = 0, "mjTEXROLE_USER";
        Rgb = 1, "mjTEXROLE_RGB";
        Occlusion = 2, "mjTEXROLE_OCCLUSION";
        Roughness = 3, "mjTEXROLE_ROUGHNESS";
        Metallic = 4, "mjTEXROLE_METALLIC";
        Normal = 5, "mjTEXROLE_NORMAL";
        Opacity = 6, "mjTEXROLE_OPACITY";
        Emissive = 7, "mjTEXROLE_EMISSIVE";
        Rgba = 8, "mjTEXROLE_RGBA";
        Orm = 9, "mjTEXROLE_ORM";
        Count = 10, "mjNTEXROLE";
    }
    ColorSpace: i32, "mjtColorSpace" {
        Auto = 0, "mjCOLORSPACE_AUTO";
        Linear = 1, "mjCOLORSPACE_LINEAR";
        Srgb = 2, "mjCOLORSPACE_SRGB";
    }
    Integrator: i32, "mjtIntegrator" {
        Euler = 0, "mjINT_EULER";
        Rk4 = 1, "mjINT_RK4";
        Implicit = 2, "mjINT_IMPLICIT";
        Implicitfast = 3, "mjINT_IMPLICITFAST";
    }
    ConeType: i32, "mjtCone" {
        Pyramidal = 0, "mjCONE_PYRAMIDAL";
        Elliptic = 1, "mjCONE_ELLIPTIC";
    }
    JacobianType: i32, "mjtJacobian" {
        Dense = 0, "mjJAC_DENSE";
        Sparse = 1, "mjJAC_SPARSE";
        Auto = 2, "mjJAC_AUTO";
    }
    SolverType: i32, "mjtSolver" {
        Pgs = 0, "mjSOL_PGS";
        Cg = 1, "mjSOL_CG";
        Newton = 2, "mjSOL_NEWTON";
    }
    EqType: i32, "mjtEq" {
        Connect = 0, "mjEQ_CONNECT";
        Weld = 1, "mjEQ_WELD";
        Joint = 2, "mjEQ_JOINT";
        Tendon = 3, "mjEQ_TENDON";
        Flex = 4, "mjEQ_FLEX";
        Flexvert = 5, "mjEQ_FLEXVERT";
        Distance = 6, "mjEQ_DISTANCE";
    }
    WrapType: i32, "mjtWrap" {
        None = 0, "mjWRAP_NONE";
        Joint = 1, "mjWRAP_JOINT";
        Pulley = 2, "mjWRAP_PULLEY";
        Site = 3, "mjWRAP_SITE";
        Sphere = 4, "mjWRAP_SPHERE";
        Cylinder = 5, "mjWRAP_CYLINDER";
    }
    TrnType: i32, "mjtTrn" {
        Joint = 0, "mjTRN_JOINT";
        Jointinparent = 1, "mjTRN_JOINTINPARENT";
        Slidercrank = 2, "mjTRN_SLIDERCRANK";
        Tendon = 3, "mjTRN_TENDON";
        Site = 4, "mjTRN_SITE";
        Body = 5, "mjTRN_BODY";
        Undefined = 1000, "mjTRN_UNDEFINED";
    }
    DynType: i32, "mjtDyn" {
        None = 0, "mjDYN_NONE";
        Integrator = 1, "mjDYN_INTEGRATOR";
        Filter = 2, "mjDYN_FILTER";
        Filterexact = 3, "mjDYN_FILTEREXACT";
        Muscle = 4, "mjDYN_MUSCLE";
        User = 5, "mjDYN_USER";
    }
    GainType: i32, "mjtGain" {
        Fixed = 0, "mjGAIN_FIXED";
        Affine = 1, "mjGAIN_AFFINE";
        Muscle = 2, "mjGAIN_MUSCLE";
        User = 3, "mjGAIN_USER";
    }
    BiasType: i32, "mjtBias" {
        None = 0, "mjBIAS_NONE";
        Affine = 1, "mjBIAS_AFFINE";
        Muscle = 2, "mjBIAS_MUSCLE";
        User = 3, "mjBIAS_USER";
    }
    ObjType: i32, "mjtObj" {
        Unknown = 0, "mjOBJ_UNKNOWN";
        Body = 1, "mjOBJ_BODY";
        Xbody = 2, "mjOBJ_XBODY";
        Joint = 3, "mjOBJ_JOINT";
        Dof = 4, "mjOBJ_DOF";
        Geom = 5, "mjOBJ_GEOM";
        Site = 6, "mjOBJ_SITE";
        Camera = 7, "mjOBJ_CAMERA";
        Light = 8, "mjOBJ_LIGHT";
        Flex = 9, "mjOBJ_FLEX";
        Mesh = 10, "mjOBJ_MESH";
        Skin = 11, "mjOBJ_SKIN";
        Hfield = 12, "mjOBJ_HFIELD";
        Texture = 13, "mjOBJ_TEXTURE";
        Material = 14, "mjOBJ_MATERIAL";
        Pair = 15, "mjOBJ_PAIR";
        Exclude = 16, "mjOBJ_EXCLUDE";
        Equality = 17, "mjOBJ_EQUALITY";
        Tendon = 18, "mjOBJ_TENDON";
        Actuator = 19, "mjOBJ_ACTUATOR";
        Sensor = 20, "mjOBJ_SENSOR";
        Numeric = 21, "mjOBJ_NUMERIC";
        Text = 22, "mjOBJ_TEXT";
        Tuple = 23, "mjOBJ_TUPLE";
        Key = 24, "mjOBJ_KEY";
        Plugin = 25, "mjOBJ_PLUGIN";
        Count = 26, "mjNOBJECT";
        Frame = 100, "mjOBJ_FRAME";
        Default = 101, "mjOBJ_DEFAULT";
        Model = 102, "mjOBJ_MODEL";
    }
    SensorType: i32, "mjtSensor" {
        Touch = 0, "mjSENS_TOUCH";
        Accelerometer = 1, "mjSENS_ACCELEROMETER";
        Velocimeter = 2, "mjSENS_VELOCIMETER";
        Gyro = 3, "mjSENS_GYRO";
        Force = 4, "mjSENS_FORCE";
        Torque = 5, "mjSENS_TORQUE";
        Magnetometer = 6, "mjSENS_MAGNETOMETER";
        Rangefinder = 7, "mjSENS_RANGEFINDER";
        Camprojection = 8, "mjSENS_CAMPROJECTION";
        Jointpos = 9, "mjSENS_JOINTPOS";
        Jointvel = 10, "mjSENS_JOINTVEL";
        Tendonpos = 11, "mjSENS_TENDONPOS";
        Tendonvel = 12, "mjSENS_TENDONVEL";
        Actuatorpos = 13, "mjSENS_ACTUATORPOS";
        Actuatorvel = 14, "mjSENS_ACTUATORVEL";
        Actuatorfrc = 15, "mjSENS_ACTUATORFRC";
        Jointactfrc = 16, "mjSENS_JOINTACTFRC";
        Tendonactfrc = 17, "mjSENS_TENDONACTFRC";
        Ballquat = 18, "mjSENS_BALLQUAT";
        Ballangvel = 19, "mjSENS_BALLANGVEL";
        Jointlimitpos = 20, "mjSENS_JOINTLIMITPOS";
        Jointlimitvel = 21, "mjSENS_JOINTLIMITVEL";
        Jointlimitfrc = 22, "mjSENS_JOINTLIMITFRC";
        Tendonlimitpos = 23, "mjSENS_TENDONLIMITPOS";
        Tendonlimitvel = 24, "mjSENS_TENDONLIMITVEL";
        Tendonlimitfrc = 25, "mjSENS_TENDONLIMITFRC";
        Framepos = 26, "mjSENS_FRAMEPOS";
        Framequat = 27, "mjSENS_FRAMEQUAT";
        Framexaxis = 28, "mjSENS_FRAMEXAXIS";
        Frameyaxis = 29, "mjSENS_FRAMEYAXIS";
        Framezaxis = 30, "mjSENS_FRAMEZAXIS";
        Framelinvel = 31, "mjSENS_FRAMELINVEL";
        Frameangvel = 32, "mjSENS_FRAMEANGVEL";
        Framelinacc = 33, "mjSENS_FRAMELINACC";
        Frameangacc = 34, "mjSENS_FRAMEANGACC";
        Subtreecom = 35, "mjSENS_SUBTREECOM";
        Subtreelinvel = 36, "mjSENS_SUBTREELINVEL";
        Subtreeangmom = 37, "mjSENS_SUBTREEANGMOM";
        Insidesite = 38, "mjSENS_INSIDESITE";
        Geomdist = 39, "mjSENS_GEOMDIST";
        Geomnormal = 40, "mjSENS_GEOMNORMAL";
        Geomfromto = 41, "mjSENS_GEOMFROMTO";
        Contact = 42, "mjSENS_CONTACT";
        EPotential = 43, "mjSENS_E_POTENTIAL";
        EKinetic = 44, "mjSENS_E_KINETIC";
        Clock = 45, "mjSENS_CLOCK";
        Tactile = 46, "mjSENS_TACTILE";
        Plugin = 47, "mjSENS_PLUGIN";
        User = 48, "mjSENS_USER";
    }
    Stage: i32, "mjtStage" {
        None = 0, "mjSTAGE_NONE";
        Pos = 1, "mjSTAGE_POS";
        Vel = 2, "mjSTAGE_VEL";
        Acc = 3, "mjSTAGE_ACC";
    }
    DataType: i32, "mjtDataType" {
        Real = 0, "mjDATATYPE_REAL";
        Positive = 1, "mjDATATYPE_POSITIVE";
        Axis = 2, "mjDATATYPE_AXIS";
        Quaternion = 3, "mjDATATYPE_QUATERNION";
    }
    ConDataField: i32, "mjtConDataField" {
        Found = 0, "mjCONDATA_FOUND";
        Force = 1, "mjCONDATA_FORCE";
        Torque = 2, "mjCONDATA_TORQUE";
        Dist = 3, "mjCONDATA_DIST";
        Pos = 4, "mjCONDATA_POS";
        Normal = 5, "mjCONDATA_NORMAL";
        Tangent = 6, "mjCONDATA_TANGENT";
        Count = 7, "mjNCONDATA";
    }
    RayDataField: i32, "mjtRayDataField" {
        Dist = 0, "mjRAYDATA_DIST";
        Dir = 1, "mjRAYDATA_DIR";
        Origin = 2, "mjRAYDATA_ORIGIN";
        Point = 3, "mjRAYDATA_POINT";
        Normal = 4, "mjRAYDATA_NORMAL";
        Depth = 5, "mjRAYDATA_DEPTH";
        Count = 6, "mjNRAYDATA";
    }
    CamOutBit: i32, "mjtCamOutBit" {
        Rgb = 1, "mjCAMOUT_RGB";
        Depth = 2, "mjCAMOUT_DEPTH";
        Dist = 4, "mjCAMOUT_DIST";
        Normal = 8, "mjCAMOUT_NORMAL";
        Seg = 16, "mjCAMOUT_SEG";
        Count = 5, "mjNCAMOUT";
    }
    SameFrame: u8, "mjtSameFrame" {
        None = 0, "mjSAMEFRAME_NONE";
        Body = 1, "mjSAMEFRAME_BODY";
        Inertia = 2, "mjSAMEFRAME_INERTIA";
        Bodyrot = 3, "mjSAMEFRAME_BODYROT";
        Inertiarot = 4, "mjSAMEFRAME_INERTIAROT";
    }
    SleepPolicy: i32, "mjtSleepPolicy" {
        Auto = 0, "mjSLEEP_AUTO";
        AutoNever = 1, "mjSLEEP_AUTO_NEVER";
        AutoAllowed = 2, "mjSLEEP_AUTO_ALLOWED";
        Never = 3, "mjSLEEP_NEVER";
        Allowed = 4, "mjSLEEP_ALLOWED";
        Init = 5, "mjSLEEP_INIT";
    }
    LRMode: i32, "mjtLRMode" {
        None = 0, "mjLRMODE_NONE";
        Muscle = 1, "mjLRMODE_MUSCLE";
        Muscleuser = 2, "mjLRMODE_MUSCLEUSER";
        All = 3, "mjLRMODE_ALL";
    }
    FlexSelf: i32, "mjtFlexSelf" {
        None = 0, "mjFLEXSELF_NONE";
        Narrow = 1, "mjFLEXSELF_NARROW";
        Bvh = 2, "mjFLEXSELF_BVH";
        Sap = 3, "mjFLEXSELF_SAP";
        Auto = 4, "mjFLEXSELF_AUTO";
    }
    SDFType: i32, "mjtSDFType" {
        Single = 0, "mjSDFTYPE_SINGLE";
        Intersection = 1, "mjSDFTYPE_INTERSECTION";
        Midsurface = 2, "mjSDFTYPE_MIDSURFACE";
        Collision = 3, "mjSDFTYPE_COLLISION";
    }
    TaskStatus: i32, "mjtTaskStatus" {
        New = 0, "mjTASK_NEW";
        Queued = 1, "mjTASK_QUEUED";
        Completed = 2, "mjTASK_COMPLETED";
    }
    StateBit: i32, "mjtState" {
        Time = 1, "mjSTATE_TIME";
        Qpos = 2, "mjSTATE_QPOS";
        Qvel = 4, "mjSTATE_QVEL";
        Act = 8, "mjSTATE_ACT";
        History = 16, "mjSTATE_HISTORY";
        Warmstart = 32, "mjSTATE_WARMSTART";
        Ctrl = 64, "mjSTATE_CTRL";
        QfrcApplied = 128, "mjSTATE_QFRC_APPLIED";
        XfrcApplied = 256, "mjSTATE_XFRC_APPLIED";
        EqActive = 512, "mjSTATE_EQ_ACTIVE";
        MocapPos = 1024, "mjSTATE_MOCAP_POS";
        MocapQuat = 2048, "mjSTATE_MOCAP_QUAT";
        Userdata = 4096, "mjSTATE_USERDATA";
        Plugin = 8192, "mjSTATE_PLUGIN";
        Count = 14, "mjNSTATE";
        Physics = 30, "mjSTATE_PHYSICS";
        Fullphysics = 8223, "mjSTATE_FULLPHYSICS";
        User = 8128, "mjSTATE_USER";
        Integration = 16383, "mjSTATE_INTEGRATION";
    }
    ConstraintType: i32, "mjtConstraint" {
        Equality = 0, "mjCNSTR_EQUALITY";
        FrictionDof = 1, "mjCNSTR_FRICTION_DOF";
        FrictionTendon = 2, "mjCNSTR_FRICTION_TENDON";
        LimitJoint = 3, "mjCNSTR_LIMIT_JOINT";
        LimitTendon = 4, "mjCNSTR_LIMIT_TENDON";
        ContactFrictionless = 5, "mjCNSTR_CONTACT_FRICTIONLESS";
        ContactPyramidal = 6, "mjCNSTR_CONTACT_PYRAMIDAL";
        ContactElliptic = 7, "mjCNSTR_CONTACT_ELLIPTIC";
    }
    ConstraintState: i32, "mjtConstraintState" {
        Satisfied = 0, "mjCNSTRSTATE_SATISFIED";
        Quadratic = 1, "mjCNSTRSTATE_QUADRATIC";
        Linearneg = 2, "mjCNSTRSTATE_LINEARNEG";
        Linearpos = 3, "mjCNSTRSTATE_LINEARPOS";
        Cone = 4, "mjCNSTRSTATE_CONE";
    }
    Warning: i32, "mjtWarning" {
        Inertia = 0, "mjWARN_INERTIA";
        Contactfull = 1, "mjWARN_CONTACTFULL";
        Cnstrfull = 2, "mjWARN_CNSTRFULL";
        Vgeomfull = 3, "mjWARN_VGEOMFULL";
        Badqpos = 4, "mjWARN_BADQPOS";
        Badqvel = 5, "mjWARN_BADQVEL";
        Badqacc = 6, "mjWARN_BADQACC";
        Badctrl = 7, "mjWARN_BADCTRL";
        Count = 8, "mjNWARNING";
    }
    Timer: i32, "mjtTimer" {
        Step = 0, "mjTIMER_STEP";
        Forward = 1, "mjTIMER_FORWARD";
        Inverse = 2, "mjTIMER_INVERSE";
        Position = 3, "mjTIMER_POSITION";
        Velocity = 4, "mjTIMER_VELOCITY";
        Actuation = 5, "mjTIMER_ACTUATION";
        Constraint = 6, "mjTIMER_CONSTRAINT";
        Advance = 7, "mjTIMER_ADVANCE";
        PosKinematics = 8, "mjTIMER_POS_KINEMATICS";
        PosInertia = 9, "mjTIMER_POS_INERTIA";
        PosCollision = 10, "mjTIMER_POS_COLLISION";
        PosMake = 11, "mjTIMER_POS_MAKE";
        PosProject = 12, "mjTIMER_POS_PROJECT";
        ColBroad = 13, "mjTIMER_COL_BROAD";
        ColNarrow = 14, "mjTIMER_COL_NARROW";
        Count = 15, "mjNTIMER";
    }
    SleepState: i32, "mjtSleepState" {
        Static = -1, "mjS_STATIC";
        Asleep = 0, "mjS_ASLEEP";
        Awake = 1, "mjS_AWAKE";
    }
    GeomInertia: i32, "mjtGeomInertia" {
        Volume = 0, "mjINERTIA_VOLUME";
        Shell = 1, "mjINERTIA_SHELL";
    }
    MeshInertia: i32, "mjtMeshInertia" {
        Convex = 0, "mjMESH_INERTIA_CONVEX";
        Exact = 1, "mjMESH_INERTIA_EXACT";
        Legacy = 2, "mjMESH_INERTIA_LEGACY";
        Shell = 3, "mjMESH_INERTIA_SHELL";
    }
    MeshBuiltin: i32, "mjtMeshBuiltin" {
        None = 0, "mjMESH_BUILTIN_NONE";
        Sphere = 1, "mjMESH_BUILTIN_SPHERE";
        Hemisphere = 2, "mjMESH_BUILTIN_HEMISPHERE";
        Cone = 3, "mjMESH_BUILTIN_CONE";
        Supersphere = 4, "mjMESH_BUILTIN_SUPERSPHERE";
        Supertorus = 5, "mjMESH_BUILTIN_SUPERTORUS";
        Wedge = 6, "mjMESH_BUILTIN_WEDGE";
        Plate = 7, "mjMESH_BUILTIN_PLATE";
    }
    Builtin: i32, "mjtBuiltin" {
        None = 0, "mjBUILTIN_NONE";
        Gradient = 1, "mjBUILTIN_GRADIENT";
        Checker = 2, "mjBUILTIN_CHECKER";
        Flat = 3, "mjBUILTIN_FLAT";
    }
    Mark: i32, "mjtMark" {
        None = 0, "mjMARK_NONE";
        Edge = 1, "mjMARK_EDGE";
        Cross = 2, "mjMARK_CROSS";
        Random = 3, "mjMARK_RANDOM";
    }
    Limited: i32, "mjtLimited" {
        False = 0, "mjLIMITED_FALSE";
        True = 1, "mjLIMITED_TRUE";
        Auto = 2, "mjLIMITED_AUTO";
    }
    AlignFree: i32, "mjtAlignFree" {
        False = 0, "mjALIGNFREE_FALSE";
        True = 1, "mjALIGNFREE_TRUE";
        Auto = 2, "mjALIGNFREE_AUTO";
    }
    InertiaFromGeom: i32, "mjtInertiaFromGeom" {
        False = 0, "mjINERTIAFROMGEOM_FALSE";
        True = 1, "mjINERTIAFROMGEOM_TRUE";
        Auto = 2, "mjINERTIAFROMGEOM_AUTO";
    }
    OrientationType: i32, "mjtOrientation" {
        Quat = 0, "mjORIENTATION_QUAT";
        Axisangle = 1, "mjORIENTATION_AXISANGLE";
        Xyaxes = 2, "mjORIENTATION_XYAXES";
        Zaxis = 3, "mjORIENTATION_ZAXIS";
        Euler = 4, "mjORIENTATION_EULER";
    }
    CatBit: i32, "mjtCatBit" {
        Static = 1, "mjCAT_STATIC";
        Dynamic = 2, "mjCAT_DYNAMIC";
        Decor = 4, "mjCAT_DECOR";
        All = 7, "mjCAT_ALL";
    }
    VisMouse: i32, "mjtMouse" {
        None = 0, "mjMOUSE_NONE";
        RotateV = 1, "mjMOUSE_ROTATE_V";
        RotateH = 2, "mjMOUSE_ROTATE_H";
        MoveV = 3, "mjMOUSE_MOVE_V";
        MoveH = 4, "mjMOUSE_MOVE_H";
        Zoom = 5, "mjMOUSE_ZOOM";
        MoveVRel = 6, "mjMOUSE_MOVE_V_REL";
        MoveHRel = 7, "mjMOUSE_MOVE_H_REL";
    }
    PertBit: i32, "mjtPertBit" {
        Translate = 1, "mjPERT_TRANSLATE";
        Rotate = 2, "mjPERT_ROTATE";
    }
    VisCamera: i32, "mjtCamera" {
        Free = 0, "mjCAMERA_FREE";
        Tracking = 1, "mjCAMERA_TRACKING";
        Fixed = 2, "mjCAMERA_FIXED";
        User = 3, "mjCAMERA_USER";
    }
    VisLabel: i32, "mjtLabel" {
        None = 0, "mjLABEL_NONE";
        Body = 1, "mjLABEL_BODY";
        Joint = 2, "mjLABEL_JOINT";
        Geom = 3, "mjLABEL_GEOM";
        Site = 4, "mjLABEL_SITE";
        Camera = 5, "mjLABEL_CAMERA";
        Light = 6, "mjLABEL_LIGHT";
        Tendon = 7, "mjLABEL_TENDON";
        Actuator = 8, "mjLABEL_ACTUATOR";
        Constraint = 9, "mjLABEL_CONSTRAINT";
        Flex = 10, "mjLABEL_FLEX";
        Skin = 11, "mjLABEL_SKIN";
        Selection = 12, "mjLABEL_SELECTION";
        Selpnt = 13, "mjLABEL_SELPNT";
        Contactpoint = 14, "mjLABEL_CONTACTPOINT";
        Contactforce = 15, "mjLABEL_CONTACTFORCE";
        Island = 16, "mjLABEL_ISLAND";
        Count = 17, "mjNLABEL";
    }
    VisFrame: i32, "mjtFrame" {
        None = 0, "mjFRAME_NONE";
        Body = 1, "mjFRAME_BODY";
        Geom = 2, "mjFRAME_GEOM";
        Site = 3, "mjFRAME_SITE";
        Camera = 4, "mjFRAME_CAMERA";
        Light = 5, "mjFRAME_LIGHT";
        Contact = 6, "mjFRAME_CONTACT";
        World = 7, "mjFRAME_WORLD";
        Count = 8, "mjNFRAME";
    }
    VisFlag: i32, "mjtVisFlag" {
        Convexhull = 0, "mjVIS_CONVEXHULL";
        Texture = 1, "mjVIS_TEXTURE";
        Joint = 2, "mjVIS_JOINT";
        Camera = 3, "mjVIS_CAMERA";
        Actuator = 4, "mjVIS_ACTUATOR";
        Activation = 5, "mjVIS_ACTIVATION";
        Light = 6, "mjVIS_LIGHT";
        Tendon = 7, "mjVIS_TENDON";
        Rangefinder = 8, "mjVIS_RANGEFINDER";
        Constraint = 9, "mjVIS_CONSTRAINT";
        Inertia = 10, "mjVIS_INERTIA";
        Sclinertia = 11, "mjVIS_SCLINERTIA";
        Pertforce = 12, "mjVIS_PERTFORCE";
        Pertobj = 13, "mjVIS_PERTOBJ";
        Contactpoint = 14, "mjVIS_CONTACTPOINT";
        Island = 15, "mjVIS_ISLAND";
        Contactforce = 16, "mjVIS_CONTACTFORCE";
        Contactsplit = 17, "mjVIS_CONTACTSPLIT";
        Transparent = 18, "mjVIS_TRANSPARENT";
        Autoconnect = 19, "mjVIS_AUTOCONNECT";
        Com = 20, "mjVIS_COM";
        Select = 21, "mjVIS_SELECT";
        Static = 22, "mjVIS_STATIC";
        Skin = 23, "mjVIS_SKIN";
        Flexvert = 24, "mjVIS_FLEXVERT";
        Flexedge = 25, "mjVIS_FLEXEDGE";
        Flexface = 26, "mjVIS_FLEXFACE";
        Flexskin = 27, "mjVIS_FLEXSKIN";
        Bodybvh = 28, "mjVIS_BODYBVH";
        Meshbvh = 29, "mjVIS_MESHBVH";
        Sdfiter = 30, "mjVIS_SDFITER";
        Count = 31, "mjNVISFLAG";
    }
    RndFlag: i32, "mjtRndFlag" {
        Shadow = 0, "mjRND_SHADOW";
        Wireframe = 1, "mjRND_WIREFRAME";
        Reflection = 2, "mjRND_REFLECTION";
        Additive = 3, "mjRND_ADDITIVE";
        Skybox = 4, "mjRND_SKYBOX";
        Fog = 5, "mjRND_FOG";
        Haze = 6, "mjRND_HAZE";
        Depth = 7, "mjRND_DEPTH";
        Segment = 8, "mjRND_SEGMENT";
        Idcolor = 9, "mjRND_IDCOLOR";
        CullFace = 10, "mjRND_CULL_FACE";
        Count = 11, "mjNRNDFLAG";
    }
    VisStereo: i32, "mjtStereo" {
        None = 0, "mjSTEREO_NONE";
        Quadbuffered = 1, "mjSTEREO_QUADBUFFERED";
        Sidebyside = 2, "mjSTEREO_SIDEBYSIDE";
    }
    PluginCapabilityBit: i32, "mjtPluginCapabilityBit" {
        Actuator = 1, "mjPLUGIN_ACTUATOR";
        Sensor = 2, "mjPLUGIN_SENSOR";
        Passive = 4, "mjPLUGIN_PASSIVE";
        Sdf = 8, "mjPLUGIN_SDF";
    }
    GridPos: i32, "mjtGridPos" {
        Topleft = 0, "mjGRID_TOPLEFT";
        Topright = 1, "mjGRID_TOPRIGHT";
        Bottomleft = 2, "mjGRID_BOTTOMLEFT";
        Bottomright = 3, "mjGRID_BOTTOMRIGHT";
        Top = 4, "mjGRID_TOP";
        Bottom = 5, "mjGRID_BOTTOM";
        Left = 6, "mjGRID_LEFT";
        Right = 7, "mjGRID_RIGHT";
    }
    Framebuffer: i32, "mjtFramebuffer" {
        Window = 0, "mjFB_WINDOW";
        Offscreen = 1, "mjFB_OFFSCREEN";
    }
    DepthMap: i32, "mjtDepthMap" {
        Zeronear = 0, "mjDEPTH_ZERONEAR";
        Zerofar = 1, "mjDEPTH_ZEROFAR";
    }
    FontScale: i32, "mjtFontScale" {
        T50 = 50, "mjFONTSCALE_50";
        T100 = 100, "mjFONTSCALE_100";
        T150 = 150, "mjFONTSCALE_150";
        T200 = 200, "mjFONTSCALE_200";
        T250 = 250, "mjFONTSCALE_250";
        T300 = 300, "mjFONTSCALE_300";
    }
    VisFont: i32, "mjtFont" {
        Normal = 0, "mjFONT_NORMAL";
        Shadow = 1, "mjFONT_SHADOW";
        Big = 2, "mjFONT_BIG";
    }
    VisButton: i32, "mjtButton" {
        None = 0, "mjBUTTON_NONE";
        Left = 1, "mjBUTTON_LEFT";
        Right = 2, "mjBUTTON_RIGHT";
        Middle = 3, "mjBUTTON_MIDDLE";
    }
    VisEvent: i32, "mjtEvent" {
        None = 0, "mjEVENT_NONE";
        Move = 1, "mjEVENT_MOVE";
        Press = 2, "mjEVENT_PRESS";
        Release = 3, "mjEVENT_RELEASE";
        Scroll = 4, "mjEVENT_SCROLL";
        Key = 5, "mjEVENT_KEY";
        Resize = 6, "mjEVENT_RESIZE";
        Redraw = 7, "mjEVENT_REDRAW";
        Filesdrop = 8, "mjEVENT_FILESDROP";
    }
    VisItem: i32, "mjtItem" {
        End = -2, "mjITEM_END";
        Section = -1, "mjITEM_SECTION";
        Separator = 0, "mjITEM_SEPARATOR";
        Static = 1, "mjITEM_STATIC";
        Button = 2, "mjITEM_BUTTON";
        Checkint = 3, "mjITEM_CHECKINT";
        Checkbyte = 4, "mjITEM_CHECKBYTE";
        Radio = 5, "mjITEM_RADIO";
        Radioline = 6, "mjITEM_RADIOLINE";
        Select = 7, "mjITEM_SELECT";
        Sliderint = 8, "mjITEM_SLIDERINT";
        Slidernum = 9, "mjITEM_SLIDERNUM";
        Editint = 10, "mjITEM_EDITINT";
        Editnum = 11, "mjITEM_EDITNUM";
        Editfloat = 12, "mjITEM_EDITFLOAT";
        Edittxt = 13, "mjITEM_EDITTXT";
        Count = 14, "mjNITEM";
    }
    VisSection: i32, "mjtSection" {
        Closed = 0, "mjSECT_CLOSED";
        Open = 1, "mjSECT_OPEN";
        Fixed = 2, "mjSECT_FIXED";
    }
}
