"""The attributes of every kind of element: their types, their defaults, their names in MJCF.

A line is `name type default xml`. Types are `i` (integer), `u` (flag), `f` and `d` (real, of 4 and
8 bytes), `s` (text), `e:X` (enumeration X), `k:X` (integer with the keywords X in MJCF), these with
a count (`d3`) for arrays, `D F I S` for lists of any length, `FF II` for lists of lists, `B` for
bytes, `c3` for characters, `alt` and `plugin` for what they say. A default of several numbers has
commas. `xml` is the attribute in MJCF where it is called otherwise, and `-` where there is none.
"""

SOLREF = "0.02,1"
SOLIMP = "0.9,0.95,0.001,0.5,2"
GRAY = "0.5,0.5,0.5,1"

TABLES = {
    "body": """
        childclass s
        pos d3
        quat d4 1,0,0,0
        alt alt
        mass d 0 -
        ipos d3 nan,0,0 -
        iquat d4 1,0,0,0 -
        inertia d3 0 -
        ialt alt
        fullinertia d6 nan,0,0,0,0,0 -
        mocap u
        gravcomp d
        sleep e:mjtSleepPolicy
        userdata D - user
        explicitinertial u 0 -
        plugin plugin
        info s
    """,
    "frame": """
        childclass s
        pos d3
        quat d4 1,0,0,0
        alt alt
        info s
    """,
    "geom": f"""
        type e:mjtGeom 2
        pos d3
        quat d4 1,0,0,0
        alt alt
        fromto d6 nan,0,0,0,0,0
        size d3
        contype i 1
        conaffinity i 1
        condim i 3
        priority i
        friction d3 1,0.005,0.0001
        solmix d 1
        solref d2 {SOLREF}
        solimp d5 {SOLIMP}
        margin d
        gap d
        mass d nan
        density d 1000
        typeinertia e:mjtGeomInertia 0 shellinertia
        fluid_ellipsoid d 0 fluidshape
        fluid_coefs d5 0.5,0.25,1.5,1,1 fluidcoef
        material s
        rgba f4 {GRAY}
        group i
        hfieldname s - hfield
        meshname s - mesh
        fitscale d 1
        userdata D - user
        plugin plugin
        info s
    """,
    "joint": f"""
        type e:mjtJoint 3
        pos d3
        axis d3 0,0,1
        ref d
        align k:tri 2
        stiffness d
        springref d
        springdamper d2
        limited k:tri 2
        range d2
        margin d
        solref_limit d2 {SOLREF} solreflimit
        solimp_limit d5 {SOLIMP} solimplimit
        actfrclimited k:tri 2 actuatorfrclimited
        actfrcrange d2 0 actuatorfrcrange
        armature d
        damping d
        frictionloss d
        solref_friction d2 {SOLREF} solreffriction
        solimp_friction d5 {SOLIMP} solimpfriction
        group i
        actgravcomp u 0 actuatorgravcomp
        userdata D - user
        info s
    """,
    "site": f"""
        pos d3
        quat d4 1,0,0,0
        alt alt
        fromto d6 nan,0,0,0,0,0
        size d3 0.005,0.005,0.005
        type e:mjtGeom 2
        material s
        group i
        rgba f4 {GRAY}
        userdata D - user
        info s
    """,
    "camera": """
        pos d3
        quat d4 1,0,0,0
        alt alt
        mode e:mjtCamLight
        targetbody s - target
        proj e:mjtProjection 0 projection
        resolution i2 1,1
        output i 1
        fovy d 45
        ipd d 0.068
        intrinsic f4 0 -
        sensor_size f2 0 sensorsize
        focal_length f2 0 focal
        focal_pixel f2 0 focalpixel
        principal_length f2 0 principal
        principal_pixel f2 0 principalpixel
        userdata D - user
        info s
    """,
    "light": """
        pos d3
        dir d3 0,0,-1
        mode e:mjtCamLight
        targetbody s - target
        active u 1
        type e:mjtLightType
        texture s
        castshadow u 1
        bulbradius f 0.02
        intensity f
        range f 10
        attenuation f3 1,0,0
        cutoff f 45
        exponent f 10
        ambient f3
        diffuse f3 0.7,0.7,0.7
        specular f3 0.3,0.3,0.3
        info s
    """,
    "flex": f"""
        contype i 1
        conaffinity i 1
        condim i 3
        priority i
        friction d3 1,0.005,0.0001
        solmix d 1
        solref d2 {SOLREF}
        solimp d5 {SOLIMP}
        margin d
        gap d
        dim i 2
        radius d 0.005
        size d3 0 -
        internal u
        flatskin u
        selfcollide k:flexself 4
        vertcollide k:bool
        passive k:bool
        activelayers i 1
        group i
        edgestiffness d 0 stiffness
        edgedamping d 0 damping
        rgba f4 {GRAY}
        material s
        young d
        poisson d
        damping d
        thickness d -1
        elastic2d k:elastic2d
        nodebody S - node
        vertbody S - body
        node D - -
        vert D - vertex
        elem I - element
        texcoord F
        elemtexcoord I
        info s
    """,
    "mesh": """
        content_type s
        file s
        refpos d3
        refquat d4 1,0,0,0
        scale d3 1,1,1
        inertia e:mjtMeshInertia 2
        smoothnormal u
        needsdf u 0 -
        maxhullvert i -1
        uservert F - vertex
        usernormal F - normal
        usertexcoord F - texcoord
        userface I - face
        userfacenormal I - facenormal
        userfacetexcoord I - facetexcoord
        plugin plugin
        material s
        info s
    """,
    "hfield": """
        content_type s
        file s
        size d4
        nrow i
        ncol i
        userdata F - -
        info s
    """,
    "skin": f"""
        file s
        material s
        rgba f4 {GRAY}
        inflate f
        group i
        vert F - vertex
        texcoord F
        face I
        bodyname S - -
        bindpos F - -
        bindquat F - -
        vertid II - -
        vertweight FF - -
        info s
    """,
    "texture": """
        type e:mjtTexture 1
        colorspace e:mjtColorSpace
        builtin k:builtin
        mark k:mark
        rgb1 d3 0.8,0.8,0.8
        rgb2 d3 0.5,0.5,0.5
        markrgb d3
        random d 0.01
        height i
        width i
        nchannel i 3
        content_type s
        file s
        gridsize i2 1,1
        gridlayout c12 ............
        cubefiles S ,,,,, -
        data B - -
        hflip u
        vflip u
        info s
    """,
    "material": """
        textures S ,,,,,,,,, -
        texuniform u
        texrepeat f2 1,1
        emission f
        specular f 0.5
        shininess f 0.5
        reflectance f
        metallic f -1
        roughness f -1
        rgba f4 1,1,1,1
        info s
    """,
    "pair": f"""
        geomname1 s - geom1
        geomname2 s - geom2
        condim i 3
        solref d2 {SOLREF}
        solreffriction d2
        solimp d5 {SOLIMP}
        margin d
        gap d
        friction d5 1,1,0.005,0.0001,0.0001
        info s
    """,
    "exclude": """
        bodyname1 s - body1
        bodyname2 s - body2
        info s
    """,
    "equality": f"""
        type e:mjtEq 0 -
        data d11 0,1,0,0,0,0,0,0,0,0,1 -
        active u 1
        name1 s - -
        name2 s - -
        objtype e:mjtObj 0 -
        solref d2 {SOLREF}
        solimp d5 {SOLIMP}
        info s
    """,
    "tendon": f"""
        stiffness d
        springlength d2 -1,-1
        damping d
        frictionloss d
        solref_friction d2 {SOLREF} solreffriction
        solimp_friction d5 {SOLIMP} solimpfriction
        armature d
        limited k:tri 2
        actfrclimited k:tri 0 actuatorfrclimited
        range d2
        actfrcrange d2 0 actuatorfrcrange
        margin d
        solref_limit d2 {SOLREF} solreflimit
        solimp_limit d5 {SOLIMP} solimplimit
        material s
        width d 0.003
        rgba f4 {GRAY}
        group i
        userdata D - user
        info s
    """,
    "actuator": """
        gaintype e:mjtGain
        gainprm d10 1,0,0,0,0,0,0,0,0,0
        biastype e:mjtBias
        biasprm d10
        dyntype e:mjtDyn
        dynprm d10 1,0,0,0,0,0,0,0,0,0
        actdim i -1
        actearly u
        trntype e:mjtTrn 1000 -
        gear d6 1,0,0,0,0,0
        target s - -
        refsite s
        slidersite s
        cranklength d
        lengthrange d2
        inheritrange d
        ctrllimited k:tri 2
        ctrlrange d2
        forcelimited k:tri 2
        forcerange d2
        actlimited k:tri 2
        actrange d2
        group i
        nsample i
        interp k:interp
        delay d
        userdata D - user
        plugin plugin
        info s
    """,
    "sensor": """
        type e:mjtSensor 0 -
        objtype e:mjtObj 0 -
        objname s - -
        reftype e:mjtObj 0 -
        refname s - -
        intprm i3 0 -
        datatype e:mjtDataType 0 -
        needstage e:mjtStage 3 -
        dim i 0 -
        cutoff d
        noise d
        nsample i
        interp k:interp
        delay d
        interval d2
        userdata D - user
        plugin plugin
        info s
    """,
    "numeric": """
        data D
        size i
        info s
    """,
    "text": """
        data s
        info s
    """,
    "tuple": """
        objtype I - -
        objname S - -
        objprm D - -
        info s
    """,
    "key": """
        time d
        qpos D
        qvel D
        act D
        mpos D
        mquat D
        ctrl D
        info s
    """,
    "plugin": """
        name s
        plugin_name s
        active u
        info s
    """,
    "wrap": """
        type e:mjtWrap
        info s
    """,
    "orientation": """
        type e:mjtOrientation
        axisangle d4
        xyaxes d6
        zaxis d3
        euler d3
    """,
    "compiler": """
        autolimits u 1
        boundmass d
        boundinertia d
        settotalmass d -1
        balanceinertia u
        fitaabb u
        degree u 1 -
        eulerseq c3 xyz
        discardvisual u
        usethread u 1
        fusestatic u
        inertiafromgeom k:tri 2
        inertiagrouprange i2 0,5
        saveinertial u
        alignfree u
        meshdir s
        texturedir s
    """,
    "spec": """
        strippath u
        memory i -1
        nemax i
        njmax i -1
        nconmax i -1
        nstack i -1
        nuserdata i
        nkey i
        nuser_body i -1
        nuser_jnt i -1
        nuser_geom i -1
        nuser_site i -1
        nuser_cam i -1
        nuser_tendon i -1
        nuser_actuator i -1
        nuser_sensor i -1
        modelname s MuJoCo~Model
        comment s
        modelfiledir s
        hasImplicitPluginElem u
    """,
}


def _keywords(words, first=0):
    """Keywords in order of their numbers."""
    return dict(enumerate(words.split(), first))


KEYWORDS = {
    "bool": _keywords("false true"),
    "tri": _keywords("false true auto"),
    "interp": _keywords("zoh linear cubic"),
    "flexself": _keywords("none narrow bvh sap auto"),
    "elastic2d": _keywords("none bend stretch both"),
    "builtin": _keywords("none gradient checker flat"),
    "mark": _keywords("none edge cross random"),
    "mjtSleepPolicy": {0: "auto", 3: "never", 4: "allowed", 5: "init"},
    "mjtGeom": {
        **_keywords("plane hfield sphere capsule ellipsoid cylinder box mesh sdf"),
    },
    "mjtGeomInertia": _keywords("false true"),
    "mjtJoint": _keywords("free ball slide hinge"),
    "mjtCamLight": _keywords("fixed track trackcom targetbody targetbodycom"),
    "mjtProjection": _keywords("perspective orthographic"),
    "mjtLightType": _keywords("spot directional point image"),
    "mjtMeshInertia": _keywords("convex exact legacy shell"),
    "mjtTexture": _keywords("2d cube skybox"),
    "mjtColorSpace": _keywords("auto linear sRGB"),
    "mjtEq": _keywords("connect weld joint tendon flex flexvert distance"),
    "mjtGain": _keywords("fixed affine muscle user"),
    "mjtBias": _keywords("none affine muscle user"),
    "mjtDyn": _keywords("none integrator filter filterexact muscle user"),
    "mjtDataType": _keywords("real positive axis quaternion"),
    "mjtStage": _keywords("none pos vel acc"),
    "mjtIntegrator": _keywords("Euler RK4 implicit implicitfast"),
    "mjtCone": _keywords("pyramidal elliptic"),
    "mjtJacobian": _keywords("dense sparse auto"),
    "mjtSolver": _keywords("PGS CG Newton"),
    "mjtLRMode": _keywords("none muscle muscleuser all"),
    "camout": {1: "rgb", 2: "depth", 4: "distance", 8: "normal", 16: "segmentation"},
    "texrole": _keywords(
        "rgb occlusion roughness metallic normal opacity emissive rgba orm", first=1
    ),
    "raydata": _keywords("dist dir origin point normal depth"),
    "condata": _keywords("found force torque dist pos normal tangent"),
    "reduce": _keywords("none mindist maxforce netforce"),
}
NUMBERS = {name: {word: n for n, word in words.items()} for name, words in KEYWORDS.items()}
