//! The pipeline: from a state to forces and accelerations, one function per stage.
//!
//! Every stage is `(m: &Model, d: &mut Data)`, named after MuJoCo's without the prefix, and
//! documents its inputs and outputs. [`step::forward`] is the table of contents. The modules stand
//! in reading order: each uses only those above it.

mod bad_numbers;
mod dof_chain;
mod geometry;
mod hooks;
mod instances;
mod later;
mod plastic;
mod sparse;
mod timer;

mod work;

mod sleep;

pub mod smooth;

mod tendon;

pub mod passive;

mod sdf;

pub mod ray;
mod ray_flex;

mod collision;

mod constraint;

mod actuator;

mod island;

pub mod derivative;

mod solver;

mod coulomb;

pub mod sensor;

pub mod step;

pub mod finite;

pub mod setup;

mod plain;

pub mod transition;

pub mod plugin;

pub use actuator::actuation::{
    actuator_disabled, advance_act, fwd_actuation_with, next_activation,
};
pub use actuator::history::{HistoryError, init_ctrl_history, read_ctrl, record_ctrl};
pub use actuator::muscle::{muscle_bias, muscle_dynamics, muscle_gain, muscle_gain_length};
pub use actuator::transmission::{actuator_vel, transmission};
pub use bad_numbers::is_bad;
pub use collision::{
    Distance, add_contact, collision_with, contact_param, geom_distance, mark_nodes,
};
pub use constraint::{
    ContactForce, add_adhesion, contact_adhesion, contact_force, inertia_row, is_dual,
    jacobian_row, make_constraint, mul_jac_t_vec, mul_jac_vec, project_constraint,
    reference_constraint, rne_post_constraint, row_response,
};
pub use derivative::smooth_vel;
pub use finite::{
    FiniteDifferenceError, InverseJacobians, Transition, inverse_fd_with, transition_fd_with,
};
pub use geometry::{height_field, inside_site, mesh_hull, shape, site_pose};
pub use hooks::Hooks;
pub use island::{island, island_copies};
pub use passive::fluid::semi_axes;
pub use passive::forces::passive_with;
pub use plain::{
    collision, forward, forward_skip, fwd_actuation, fwd_position, fwd_velocity, inv_position,
    inv_velocity, inverse, inverse_fd, inverse_skip, passive, runge_kutta, sensor_acc, sensor_pos,
    sensor_vel, set_length_range, step, step1, step2, transition_fd,
};
pub use ray::{Ray, RayFilter, RayHit, cast_ray, cast_ray_at, multi_ray, ray, ray_geom};
pub use ray_flex::{FlexParts, SoftHit, ray_flex, ray_skin};
pub use sensor::{
    init_sensor_history, read_sensor, record_sensors, sensor_acc_with, sensor_pos_with,
    sensor_vel_with,
};
pub use setup::length_range::{
    LengthRangeError, LengthRangeOptions, set_length_range_with, set_length_ranges,
};
pub use setup::{ConstError, set_const};
pub use sinew_model::awake::update_sleep;
pub use sinew_model::state::{
    StateError, copy_state, extract_state, get_state, set_keyframe, set_state, state_size,
};
pub use sleep::{SleepError, refuses_sleep, sleep_state};
pub use smooth::acceleration::fwd_acceleration;
pub use smooth::camera::{Intrinsics, cam_intrinsics};
pub use smooth::camlight::camlight;
pub use smooth::com::{com_pos, com_vel};
pub use smooth::energy::{energy_pos, energy_vel};
pub use smooth::flex::{eval_basis, flex};
pub use smooth::inertia::{
    add_m, crb, factor_i, factor_m, full_m, make_m, mul_m, mul_m2, solve_ld, solve_m, solve_m2,
    tendon_armature,
};
pub use smooth::jacobian::{
    BodyPoint, apply_ft, jac, jac_body, jac_body_com, jac_dif_pair, jac_dot, jac_geom,
    jac_point_axis, jac_site, jac_sparse, jac_subtree_com, merge_chain, point_jacobian,
    xfrc_accumulate,
};
pub use smooth::kinematics::{kinematics, local_2_global};
pub use smooth::mass::{get_totalmass, set_totalmass};
pub use smooth::object::{Frame, object_acceleration, object_frame, object_velocity};
pub use smooth::position::{differentiate_pos, integrate_pos, normalize_quat};
pub use smooth::rne::rne;
pub use smooth::subtree::{angmom_mat, subtree_vel};
pub use solver::constraint_update;
pub use step::advance::{advance, step_with, step1_with, step2_with};
pub use step::check::{check_acc, check_pos, check_vel};
pub use step::forward::{
    forward_skip_with, forward_with, fwd_constraint, fwd_kinematics, fwd_position_with,
    fwd_velocity_with,
};
pub use step::four::{four_at_once, step_four};
pub use step::integrate::{euler, implicit, runge_kutta_with};
pub use step::inverse::{
    InverseError, compare_fwd_inv, inv_constraint, inv_position_with, inverse_skip_with,
    inverse_with,
};
pub use step::reset::{reset_data, reset_data_debug, reset_data_keyframe, reset_data_with};
pub use tendon::{Obstacle, Wrap, tendon, tendon_bias, tendon_dot, tendon_vel, wrap};
pub use transition::{
    Parameter, ParameterGradient, Rollout, RolloutGradient, StepGradient, Switches,
    TransitionError, step_jvp, step_vjp, transition,
};
