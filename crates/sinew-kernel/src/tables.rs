//! The layout of a packed model, of the state of a world, and of a workspace: each field once.
#![allow(unsafe_code)] // a header is bytes from outside

use crate::memory::{Cells, Slice};
use crate::real::Real;

/// On a GPU, where a program has the header of its model: in the memory of constants, so that an
/// instruction has them as operands.
pub const HEADER: &str = "sinew_header";

#[cfg(target_arch = "nvptx64")]
core::arch::global_asm!(".visible .const .align 16 .b8 sinew_header[8192];");

const _: () = assert!(size_of::<Header<f64>>() <= 8192, "the program has room for a header");

/// The word of the header at byte `AT`.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn constant<const AT: usize>() -> u32 {
    let x: u32;
    // SAFETY: reads a constant of the program.
    unsafe {
        core::arch::asm!("ld.const.u32 {x}, [sinew_header + {at}];",
            x = out(reg32) x, at = const AT, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// A word of the header: `counts.nv`.
macro_rules! word {
    ($m:expr, $part:ident.$($name:ident).+) => {{
        #[cfg(not(target_arch = "nvptx64"))]
        let x = $m.header.$part.$($name).+;
        #[cfg(target_arch = "nvptx64")]
        let x = constant::<{ core::mem::offset_of!(Header<f64>, $part.$($name).+) }>();
        x
    }};
}

/// A span of the header.
macro_rules! span {
    ($m:expr, $part:ident.$name:ident) => {
        Span { at: word!($m, $part.$name.at), len: word!($m, $part.$name.len) }
    };
}

/// A single number of the header.
macro_rules! number {
    ($m:expr, $R:ty, $name:ident) => {{
        #[cfg(not(target_arch = "nvptx64"))]
        let x = $m.header.scalars.$name;
        #[cfg(target_arch = "nvptx64")]
        let x = {
            const FIRST: usize = core::mem::offset_of!(Header<f64>, work) + size_of::<Work>();
            const NUMBER: usize = core::mem::offset_of!(Scalars<u8>, $name);
            let (mut k, of_f64) = (0, size_of::<$R>() == 8);
            const LOW: usize = FIRST.next_multiple_of(8) + 8 * NUMBER;
            let words = if of_f64 {
                [constant::<LOW>(), constant::<{ LOW + 4 }>()]
            } else {
                [constant::<{ FIRST + 4 * NUMBER }>(), 0]
            };
            <$R>::ZERO.through_words(|_| {
                k += 1;
                words[k - 1]
            })
        };
        x
    }};
}

/// Where a field is, and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Span {
    /// Of a model and a workspace: the first byte. Of a state: the first number.
    pub at: u32,
    /// How many items it has.
    pub len: u32,
}

/// Every field, for a macro that takes them all: `sinew-gpu` makes the writer of models of it.
#[macro_export]
macro_rules! with_fields {
    ($with:ident) => {
        $with! {
            scalars {
                timestep: "seconds of a step";
                gravity_x: "gravity";
                gravity_y: "gravity";
                gravity_z: "gravity";
                wind_x: "wind";
                wind_y: "wind";
                wind_z: "wind";
                density: "density of the fluid";
                viscosity: "viscosity of the fluid";
                tolerance: "improvement and gradient at which the solver stops, scaled";
                ls_tolerance: "slope at which a line search stops, as part of the tolerance";
                ccd_tolerance: "accuracy of searches for contacts";
            }
            counts {
                nq: "numbers of a position";
                nv: "degrees of freedom";
                nu: "actuators";
                na: "activations";
                nbody: "bodies, the world included";
                njnt: "joints";
                nroot: "bodies on the world";
                nlevel: "levels of the tree of bodies below those on the world";
                nspring: "joints with springs";
                lifted: "whether limited or measured forces of actuators compensate gravity";
                implicit: "whether forces that depend on velocity are implicit in the integrator";
                unsymmetric: "whether forces of the motion are implicit in the integrator";
                sloped: "whether such forces, or those of a fluid, are";
                ngeom: "geoms that may collide";
                npair: "pairs of geoms that may collide";
                nslot: "places for contacts of pairs that are near";
                ncontact: "most contacts at once";
                nlane: "searches for contacts at once, each with scratch of its own";
                ccd_iterations: "most iterations of such a search";
                multiccd: "whether such a search finds several contacts";
                room_vertices: "vertices of a polytope that such a search has room for";
                room_faces: "faces of a polytope";
                room_polygon: "corners of a side";
                nfriction: "dofs with dry friction";
                nlimit: "joints with limits";
                nresponse: "answers to violations: of the pairs, of the limits, of blocks that stand";
                width: "numbers of a contact's row";
                iterations: "most iterations of the solver";
                ls_iterations: "most evaluations of a line search";
                warm: "whether the solver starts from the acceleration of the step before";
                nball: "balls with limits";
                ntenlimit: "tendons with limits";
                nequality: "equalities, active or not";
                nstanding: "blocks of rows of balls, tendons and equalities";
                nten: "tendons";
                nsite: "sites of tendons and actuators";
                nspan: "ways of tendons from site to site";
                nwrap: "geoms on such ways";
                npull: "tendons whose actuators' forces are limited";
                nspring_ten: "whether tendons have springs, dampers or armature";
                nheavy: "whether tendons have armature";
                constrained: "whether there can be rows";
                rk4: "whether the integrator is that of Runge and Kutta";
                conjugate: "whether the solver is that of conjugate gradients";
                fluid: "whether there is a fluid";
                nfluid: "geoms that a fluid acts on as ellipsoids";
                nplace: "frames of sites, of geoms, of bodies' principal axes, of bodies";
                nsensor: "sensors";
                delayed: "whether controls or readings have delays";
                nkeeping: "sensors with samples of their readings";
                nrare: "sensors that few models have";
                nholding: "sensors of forces between bodies";
                nseen: "geoms that rays meet";
                elliptic: "whether friction cones are elliptic";
            }
            reals {
                scale: "scale of costs and gradients: 1 / (mean inertia times dofs)";
                body_pos: "3 each: place in the parent's frame";
                body_quat: "4 each: orientation in the parent's frame";
                body_ipos: "3 each: centre of mass";
                body_inertia: "6 in a row: inertia about the centre of mass in the body's frame";
                body_mass: "mass";
                body_gravcomp: "part of the weight that is compensated as a passive force";
                body_iquat: "4 each: orientation of the principal axes in the body's frame";
                fluid_box: "3 each: sides of the box that a fluid acts on; 0 for none";
                fluid_pos: "3 each: place in the body's frame of a geom that a fluid acts on";
                fluid_quat: "4 each: its orientation";
                fluid_size: "3 each: its semi-axes as an ellipsoid";
                fluid_coef: "12 each: its coefficients, as in geom_fluid";
                root_inv_mass: "1 / mass of the tree on each root; 0 if it has none";
                jnt_pos: "3 each: anchor in the body's frame";
                jnt_axis: "3 each: axis in the body's frame";
                jnt_ref: "coordinate of a hinge or slide in the pose in which it was written";
                spring_stiffness: "stiffness of a spring";
                qpos_spring: "position at which springs rest";
                dof_armature: "inertia added to the diagonal of M";
                dof_damping: "damping";
                act_ctrlrange: "2 each: bounds of the control";
                act_forcerange: "2 each: bounds of the force";
                act_range: "2 each: bounds of the activation";
                act_gain: "3 each: gain, by length, by velocity";
                act_bias: "3 each: bias, by length, by velocity";
                act_rate: "2 each: rate of activation by control, and by activation";
                act_time: "time by which the rate of activation is multiplied in a step";
                act_delay: "delay of the control of an actuator, where any has some";
                act_gear: "6 each: gear, as force and torque";
                act_rod: "length of the rod of a crank";
                muscle_gain: "9 each: force, and the curve of a muscle";
                muscle_bias: "9 each: the same of the passive force";
                muscle_rate: "3 each: time constants of a muscle's activation, and their blend";
                pull_range: "2 each: range of the force of all actuators on a tendon";
                dof_act_range: "2 each: bounds of the force of all actuators on a dof";
                geom_pos: "3 each: place in the body's frame";
                geom_quat: "4 each: orientation in the body's frame";
                geom_size: "3 each: radius, half length; or half sizes";
                geom_rbound: "radius of a ball around a geom";
                geom_box: "6 each: centre and half sizes of a box around a geom, in its frame";
                field_size: "4 in a row: half widths, height, depth of a height field";
                pair_margin: "distance at which contacts are found";
                pair_include: "distance below which contacts have rows";
                pair_reach: "distance of centres, or height above a plane, beyond which nothing is found";
                pair_friction: "5 each: friction coefficients";
                pair_diag: "inverse inertia of a row";
                pair_edge: "R of an edge of a pyramid, or of the first tangent, over R of the normal";
                pair_mu: "friction of the regularised cone";
                pair_slip: "damping of the tangents of an elliptic cone";
                response: "7 each: stiffness, damping, impedance: least, most, width, middle, power";
                friction_loss: "dry friction of dofs, then of tendons";
                friction_D: "1 / R of a dry friction";
                friction_b: "damping of a dry friction";
                limit_range: "2 each: range of a joint";
                limit_margin: "distance from the end at which a limit acts";
                limit_diag: "inverse inertia of a dof";
                standing_range: "2 each: range of a tendon, or the largest angle of a ball";
                standing_margin: "distance from the end at which a limit acts";
                standing_diag: "2 each: inverse inertia of a block's rows, of a weld's turn";
                eq_anchor: "6 each: anchors in the frames of both bodies";
                eq_turn: "8 each: frames that a weld holds together, in those of both bodies";
                eq_scale: "how much the turn of a weld counts";
                eq_coef: "5 each: polynomial of a coupling";
                eq_ref: "2 each: lengths of coupled tendons at which both count as zero";
                site_pos: "3 each: place in the body's frame";
                site_quat: "4 each: orientation in the body's frame";
                span_share: "share of a span in the length of its tendon";
                wrap_pos: "3 each: place in the body's frame of a geom that a tendon wraps";
                wrap_quat: "4 each: its orientation";
                wrap_radius: "its radius";
                ten_coef: "weight of each coordinate of a tendon";
                ten_stiffness: "stiffness of a tendon";
                ten_damping: "damping of a tendon";
                ten_armature: "inertia of a tendon, where any has some";
                ten_rest: "2 each: lengths between which the spring of a tendon has no force";
                place_pos: "3 each: place of a frame in its body's";
                place_quat: "4 each: its orientation";
                sensor_cutoff: "largest absolute value of a sensor; 0 for none";
                sensor_delay: "delay of a sensor, where any has samples";
                sensor_interval: "time between its ticks";
                sensor_size: "3 each: size of a sensor's site, where few models have such sensors";
                apart_size: "6 each: sizes of two geoms whose distance is measured";
                seen_size: "3 each: size of a geom that rays meet";
                magnetic: "3: magnetic flux";
                subtree_mass: "mass of a body and those below, for sensors";
            }
            words {
                body_parent: "parent body";
                body_root: "the root above a body";
                body_end: "body after the last below a body";
                body_jntadr: "first joint";
                body_jntnum: "number of joints";
                body_mocap: "place among the mocap bodies, or none";
                fluid_adr: "first geom that a fluid acts on of each body; one more than bodies";
                root_body: "bodies on the world";
                chain_adr: "first entry in chain_body of each body; one more than bodies";
                chain_body: "the bodies from the root to each body";
                level_adr: "first entry in level_body of each level; one more than levels";
                level_body: "bodies of each level";
                jnt_type: "0 free, 1 ball, 2 slide, 3 hinge";
                jnt_qposadr: "first coordinate";
                jnt_dofadr: "first dof";
                jnt_body: "body that moves";
                dof_body: "body that moves";
                dof_lift: "whether actuators compensate gravity at a dof, where it matters for any";
                spring_jnt: "joints with springs";
                M_row: "row of each entry of the lower triangle of M";
                M_col: "column of each entry";
                act_act: "place of the activation of an actuator, or none";
                act_early: "whether the activation after the step counts";
                act_adr: "first entry in act_dof of each actuator; one more than actuators";
                act_dof: "dofs of each actuator";
                act_kind: "kind of transmission of an actuator";
                act_ring: "first number of an actuator's samples, or none, where any has some";
                act_samples: "how many";
                act_order: "order of interpolation between them";
                act_object: "2 each: joint, tendon or site; site it is relative to";
                act_muscle: "bits: gain, bias, activation of an actuator are those of a muscle";
                act_pull: "place of an actuator's tendon among those with limited forces, or none";
                entry_act: "actuator of each entry of act_dof";
                pull_adr: "first entry in pull_act of each such tendon; one more";
                pull_act: "actuators of each such tendon";
                dof_act_adr: "first entry in dof_act of each dof; one more than dofs";
                dof_act: "actuators of each dof";
                dof_act_entry: "the dof's entry in the moment of such an actuator";
                slope_entry: "entries of M to which derivatives of actuators are added";
                slope_adr: "first entry in slope_act of each; one more than such entries";
                slope_act: "actuators whose derivative is added";
                slope_first: "entry of the moment of an actuator at the row of M";
                slope_second: "the same at the column";
                dof_root: "the root above a dof";
                full_adr: "first entry in full_col of each row of M; one more than dofs";
                full_col: "columns of the rows of M, of both triangles";
                full_entry: "entries of M there";
                geom_body: "body of a geom";
                geom_type: "shape of a geom, by MuJoCo's number";
                geom_asset: "place of a geom's hull or height field, or none";
                hull: "12 in a row: first and number of vertices, graph, links, polygons, corners, around";
                hull_vert: "3 in a row: vertices of hulls, in f32";
                hull_graph: "edges of hulls";
                hull_link: "4 each: place of a neighbour in single precision, its number";
                hull_normal: "6 in a row: normals of polygons, in f64";
                hull_poly_adr: "first corner of a polygon, counted from the hull's first";
                hull_poly_num: "corners of a polygon";
                hull_corner: "vertices of polygons";
                hull_map_adr: "first polygon around a vertex, counted from the hull's first";
                hull_map_num: "polygons around a vertex";
                hull_around: "polygons around vertices";
                field_row: "rows of a height field";
                field_col: "columns of a height field";
                field_adr: "first sample of a height field";
                field_data: "samples of height fields, in f32";
                pair_geom: "2 each: geoms of a pair";
                pair_kind: "shapes of a pair";
                pair_dim: "dimension of the contacts of a pair";
                pair_most: "most contacts of a pair";
                pattern_adr: "first entry in pattern_dof of pairs, of blocks that stand; one more";
                pattern_dof: "dofs that move the bodies of a pair apart, or that a block has, rising";
                pattern_sign: "0 if a dof moves the first body of a pair, 1 if the second";
                corner_row: "rows of the lower triangle, row after row";
                corner_col: "columns of the lower triangle, row after row";
                friction_dof: "dofs with dry friction";
                friction_of: "place of a dof among those with dry friction, or none";
                limit_qpos: "coordinate of a joint with limits";
                limit_dof: "dof of a joint with limits";
                standing_object: "joint of a ball, or tendon";
                eq_kind: "kind of an equality";
                eq_id: "an equality's place among those of the model";
                eq_object: "2 each: bodies, or tendons, or none";
                couple_first: "entry of a block's dof in the derivative of its first tendon, or none";
                couple_second: "the same of its second tendon";
                ten_adr: "first entry in ten_dof of each tendon; one more than tendons";
                ten_dof: "dofs of each tendon";
                ten_qpos: "coordinates of each tendon";
                entry_ten: "tendon of each entry of ten_dof";
                ten_span: "first span of each tendon; one more than tendons";
                site_body: "body of a site";
                span_site: "2 each: sites from which and to which a span goes";
                span_side: "site near which a span passes its geom, or none";
                span_wrap: "geom that a span may wrap around, or none";
                wrap_body: "body of such a geom";
                wrap_cylinder: "whether such a geom is a cylinder";
                dof_ten_adr: "first entry in dof_ten of each dof; one more than dofs";
                dof_ten: "tendons with springs, dampers or armature of each dof";
                dof_ten_entry: "the dof's entry in the derivative of such a tendon";
                drag_entry: "entries of M to which dampers of tendons are added";
                drag_adr: "first entry in drag_ten of each; one more than such entries";
                drag_ten: "tendons whose damper is added";
                drag_first: "entry of the derivative of a tendon by the row of M";
                drag_second: "the same by the column";
                heavy_entry: "entries of M to which armature of tendons is added";
                heavy_adr: "first entry in heavy_ten of each; one more than such entries";
                heavy_ten: "tendons whose armature is added";
                heavy_first: "entry of the derivative of a tendon by the row of M";
                heavy_second: "the same by the column";
                limit_of: "place of a dof's joint among those with limits, or none";
                place_body: "body of a frame";
                place_still: "whether the body of a frame cannot move";
                sensor_type: "what a sensor measures, by MuJoCo's number";
                sensor_adr: "its first number";
                sensor_dim: "how many numbers it has";
                sensor_positive: "whether its numbers are cut off above alone";
                sensor_object: "frame, joint, dof, tendon, actuator or body of a sensor";
                sensor_ref: "frame in which it is seen, or none";
                sensor_ring: "first number of a sensor's samples, or none, where any has some";
                sensor_samples: "how many";
                sensor_order: "order of interpolation between them";
                sensor_rare: "whether few models have such a sensor";
                sensor_prm: "6 in a row: parameters, where few models have such sensors";
                apart: "5 in a row: frames and shapes of two geoms, whether they are swapped";
                seen_place: "frame of a geom that rays meet";
                seen_type: "its shape";
                seen_asset: "place of its height field or its mesh";
                seen_mesh: "6 in a row: first and number of vertices, triangles, nodes of a mesh";
                seen_vert: "3 in a row: vertices of meshes, in f32";
                seen_face: "3 in a row: vertices of triangles";
                seen_aabb: "12 in a row: boxes of nodes, in f64";
                seen_child: "2 in a row: children of nodes, or none";
                seen_item: "triangle of a leaf, or none";
            }
            state {
                time: "seconds";
                qpos: "position";
                qvel: "velocity";
                act: "activations";
                ctrl: "controls";
                qfrc_applied: "forces on the dofs, given by the user";
                xfrc_applied: "6 each: force and torque on the bodies, given by the user";
                mocap_pos: "3 each: places of the mocap bodies";
                mocap_quat: "4 each: orientations of the mocap bodies";
                eq_active: "whether an equality acts: 0 or 1";
                qacc_warmstart: "acceleration of the step before";
                history: "samples of controls and readings";
            }
            work_reals {
                jnt_quat: "4 each: rotation by a joint";
                xpos: "3 each: place of a body";
                xquat: "4 each: orientation of a body";
                xmat: "9 each: orientation of a body";
                xipos: "3 each: centre of mass of a body";
                xanchor: "3 each: anchor of a joint";
                xaxis: "3 each: axis of a joint";
                com: "3 each: centre of mass of the tree on each root";
                rigid: "16 in a row: inertia about the tree's centre of mass, force less those given";
                composite: "16 in a row: the sums of `rigid` over all bodies below";
                cdof: "6 each: motion axis of a dof";
                joint_vel: "6 each: velocity of a body relative to its parent";
                joint_acc: "6 each: acceleration of a body relative to its parent, by velocity";
                cvel: "6 each: velocity of a body";
                dof_force: "6 each: force of a unit acceleration along a dof";
                M: "lower triangle of the inertia matrix, by entries";
                moment: "moments of actuators at their dofs";
                pull_scale: "factor by which forces on a tendon are limited";
                act_force: "force of an actuator";
                act_slope: "derivative of the force of an actuator by its velocity";
                act_dot: "rate of an activation";
                start_time: "time at the start of the step";
                start_qpos: "position at the start of the step";
                start_qvel: "velocity at the start";
                start_act: "activations at the start";
                mean_qvel: "weighted mean of the velocities of a step's evaluations";
                mean_qacc: "weighted mean of accelerations";
                mean_act: "weighted mean of the rates of activations";
                old_grad: "gradient of the iteration before";
                solved: "M⁻¹ gradient";
                old_solved: "M⁻¹ gradient of the iteration before";
                qfrc_smooth: "forces of all but constraints";
                qacc: "acceleration";
                matrix: "matrix by columns with a right side, and its factors";
                matrix_inv: "scratch beside the matrix: inverse pivots first";
                geom_xpos: "3 each: place of a geom";
                geom_axis: "3 each: z axis of a geom";
                slot: "10 in a row: distance, place, normal, tangent of a contact";
                frame: "9 in a row: normal and tangents of a contact";
                J: "numbers of the rows of contacts, row after row";
                row_D: "1 / R of a row";
                row_sign: "direction of a limit's row";
                row_aref: "reference acceleration of a row";
                row_jar: "J q̈ - aref";
                row_jv: "J times the direction of search";
                row_force: "force of a row";
                row_H: "D of a row where its force depends on q̈";
                held: "24 in a row: what the rows of a block that stands are made of";
                site_xpos: "3 each: place of a site";
                span: "16 in a row: directions and ends of a span's straight pieces, its length";
                ten_length: "length of a tendon";
                ten_J: "derivatives of lengths by dofs";
                ten_force: "force of a tendon's spring and damper, less that of its armature";
                body_slope: "36 each: derivative of a body's force by its velocity, by columns";
                slope_sum: "36 each: the sums over all bodies below";
                dof_rate: "6 each: motion axis of a dof, turned by the velocities around its joint";
                ten_J_rate: "rates of the derivatives, of tendons with armature";
                Ma: "M q̈";
                Mv: "M times the direction of search";
                search: "direction of search";
                qfrc_constraint: "forces of the constraints";
                cone_J: "rows of a sliding contact: derivatives of N - µ T and of T";
                cone_bend: "weight of the directions across the sliding of a contact";
                place_xpos: "3 each: place of a frame";
                place_xmat: "9 each: orientation of a frame";
                body_force: "6 each: force that a body's motion asks for, less those from outside";
                cacc: "6 each: acceleration of a body, against gravity";
                sensordata: "numbers of sensors";
                sensor_shown: "numbers of sensors with delays";
            }
            work_words {
                span_bends: "whether a span wraps around its geom";
                held_rows: "rows of a block that stands";
                near: "pairs that are near";
                near_convex: "near pairs without a formula";
                pair_axis: "4 each: axis that separated a pair, in its first geom; where climbs begin";
                scratch: "lists of searches for contacts, for each lane in turn";
                near_slot: "2 runs: first place of a near pair, its first contact in the list";
                pair_count: "contacts of each near pair";
                con_pair: "pattern of a block of rows: pair of a contact, or beyond the pairs";
                con_slot: "place of a contact";
                con_row: "first row of a block; one more than blocks";
                con_active: "how the force of a contact depends on q̈: not, row by row, by its cone";
                row_contact: "block of a row";
                solved_rows: "2: end of the rows of limits, contacts";
                limit_row: "first row of a limit; one more than limits";
            }
        }
    };
}

macro_rules! declare {
    (
        scalars { $($scalar:ident: $scalar_doc:literal;)* }
        counts { $($count:ident: $count_doc:literal;)* }
        reals { $($real:ident: $real_doc:literal;)* }
        words { $($word:ident: $word_doc:literal;)* }
        state { $($state:ident: $state_doc:literal;)* }
        work_reals { $($work:ident: $work_doc:literal;)* }
        work_words { $($index:ident: $index_doc:literal;)* }
    ) => {
        /// Single numbers of a model.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Scalars<R> { $(#[doc = $scalar_doc] pub $scalar: R,)* }

        /// Sizes of a model.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Counts { $(#[doc = $count_doc] pub $count: u32,)* }

        /// Where the tables of a model are.
        #[allow(non_snake_case)] // M_row
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Tables {
            $(#[doc = $real_doc] pub $real: Span,)*
            $(#[doc = $word_doc] pub $word: Span,)*
        }

        /// Where the fields of a world's state are.
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct State { $(#[doc = $state_doc] pub $state: Span,)* }

        /// Where the fields of a workspace are.
        #[allow(non_snake_case)] // M
        #[derive(Clone, Copy, Debug, Default)]
        #[repr(C)]
        pub struct Work {
            $(#[doc = $work_doc] pub $work: Span,)*
            $(#[doc = $index_doc] pub $index: Span,)*
        }

        impl State {
            /// Every field with its name.
            pub fn fields(&self) -> impl Iterator<Item = (&'static str, Span)> {
                [$((stringify!($state), self.$state)),*].into_iter()
            }
        }

        impl Work {
            /// Every field of numbers with its name.
            pub fn reals(&self) -> impl Iterator<Item = (&'static str, Span)> {
                [$((stringify!($work), self.$work)),*].into_iter()
            }

            /// Every field of indices with its name.
            pub fn words(&self) -> impl Iterator<Item = (&'static str, Span)> {
                [$((stringify!($index), self.$index)),*].into_iter()
            }
        }

        #[allow(non_snake_case)] // M_row
        impl<'a, R: Real> Model<'a, R> {
            /// Single numbers of the model.
            #[inline(always)]
            pub fn scalars(self) -> Scalars<R> {
                Scalars { $($scalar: number!(self, R, $scalar),)* }
            }

            $(#[doc = $count_doc] #[inline(always)]
            pub fn $count(self) -> u32 { word!(self, counts.$count) })*
            $(#[doc = $real_doc] #[inline(always)]
            pub fn $real(self) -> Slice<'a, R> { self.numbers(span!(self, tables.$real)) })*
            $(#[doc = $word_doc] #[inline(always)]
            pub fn $word(self) -> Slice<'a, u32> { self.table(span!(self, tables.$word)) })*
        }

        #[allow(non_snake_case)] // M
        impl<'a, R: Real> World<'a, R> {
            $(#[doc = $state_doc] #[inline(always)]
            pub fn $state(self) -> Cells<'a, R> { self.of_state(span!(self.model, state.$state)) })*
            $(#[doc = $work_doc] #[inline(always)]
            pub fn $work(self) -> Cells<'a, R> { self.of_work(span!(self.model, work.$work)) })*
            $(#[doc = $index_doc] #[inline(always)]
            pub fn $index(self) -> Cells<'a, u32> { self.of_work(span!(self.model, work.$index)) })*
        }
    };
}
with_fields!(declare);

/// The beginning of a packed model.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Header<R> {
    /// Sizes.
    pub counts: Counts,
    /// Tables.
    pub tables: Tables,
    /// Fields of a state.
    pub state: State,
    /// Fields of a workspace.
    pub work: Work,
    /// Single numbers.
    pub scalars: Scalars<R>,
}

/// A packed model.
#[derive(Debug)]
pub struct Model<'a, R> {
    base: *const u8,
    /// Where the tables of numbers are counted from: worlds may have their own.
    own: *const u8,
    #[cfg(not(target_arch = "nvptx64"))]
    header: &'a Header<R>,
    #[cfg(target_arch = "nvptx64")]
    header: core::marker::PhantomData<&'a Header<R>>,
}

/// The state of a world and the workspace of the team that steps it.
#[derive(Debug)]
pub struct World<'a, R> {
    model: Model<'a, R>,
    state: *mut R,
    work: *mut u8,
}

impl<R> Clone for Model<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Model<'_, R> {}

impl<R> Clone for World<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for World<'_, R> {}

impl<'a, R: Real> Model<'a, R> {
    /// The model at `at`.
    ///
    /// # Safety
    /// The bytes are a model that was packed for `R`, whole, aligned to 16 bytes, and unchanged for
    /// `'a`. On a GPU its header is in the program's [`HEADER`].
    #[inline(always)]
    pub unsafe fn new(at: *const u8) -> Model<'a, R> {
        // SAFETY: the caller's promise.
        #[cfg(not(target_arch = "nvptx64"))]
        return Model { base: at, own: at, header: unsafe { &*at.cast() } };
        #[cfg(target_arch = "nvptx64")]
        return Model { base: at, own: at, header: core::marker::PhantomData };
    }

    /// The model with other tables of numbers, at the same distances from `own` as the model's
    /// tables from its start.
    ///
    /// # Safety
    /// The tables belong to a model with the same header, unchanged for `'a`.
    #[inline(always)]
    pub unsafe fn with_numbers(self, own: *const u8) -> Model<'a, R> {
        Model { own, ..self }
    }

    #[inline(always)]
    fn numbers(self, span: Span) -> Slice<'a, R> {
        // SAFETY: the promises of `new` and `with_numbers`.
        unsafe { Slice::new(self.own.wrapping_add(span.at as usize).cast(), span.len as usize) }
    }

    #[inline(always)]
    fn table<T: Copy>(self, span: Span) -> Slice<'a, T> {
        // SAFETY: the promise of `new`: a span lies in the model.
        unsafe { Slice::new(self.base.add(span.at as usize).cast(), span.len as usize) }
    }
}

impl<'a, R: Real> World<'a, R> {
    /// The world with a state and a workspace.
    ///
    /// # Safety
    /// Both are as long as the header says, aligned to 16 bytes, initialized, and for `'a` used by
    /// one team alone.
    #[inline(always)]
    pub unsafe fn new(model: Model<'a, R>, state: *mut R, work: *mut u8) -> World<'a, R> {
        World { model, state, work }
    }

    /// The model of the world.
    #[inline(always)]
    pub fn model(self) -> Model<'a, R> {
        self.model
    }

    /// A field of the workspace, by its first byte and its length.
    ///
    /// # Safety
    /// There is such a field of numbers.
    #[inline(always)]
    pub(crate) unsafe fn field(self, at: u32, len: u32) -> Cells<'a, R> {
        self.of_work(Span { at, len })
    }

    #[inline(always)]
    fn of_state(self, span: Span) -> Cells<'a, R> {
        // SAFETY: the promise of `new`.
        unsafe { Cells::new(self.state.add(span.at as usize), span.len as usize) }
    }

    #[inline(always)]
    fn of_work<T: Copy>(self, span: Span) -> Cells<'a, T> {
        // SAFETY: the promise of `new`.
        unsafe { Cells::new(self.work.add(span.at as usize).cast(), span.len as usize) }
    }
}
