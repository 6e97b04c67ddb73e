//! Quantities that sensors measure, by MuJoCo's numbers.

/// Normal forces of contacts at a site.
pub const TOUCH: u32 = 0;
/// Linear acceleration of a site, against gravity, in its axes.
pub const ACCELEROMETER: u32 = 1;
/// Linear velocity of a site in its axes.
pub const VELOCIMETER: u32 = 2;
/// Angular velocity of a site in its axes.
pub const GYRO: u32 = 3;
/// Force between the body of a site and its parent.
pub const FORCE: u32 = 4;
/// Torque between the body of a site and its parent.
pub const TORQUE: u32 = 5;
/// Magnetic flux in the axes of a site.
pub const MAGNETOMETER: u32 = 6;
/// The nearest geom along a ray.
pub const RANGEFINDER: u32 = 7;
/// Where a camera sees a site.
pub const CAMPROJECTION: u32 = 8;
/// Position of a hinge or slide.
pub const JOINTPOS: u32 = 9;
/// Velocity of a hinge or slide.
pub const JOINTVEL: u32 = 10;
/// Length of a tendon.
pub const TENDONPOS: u32 = 11;
/// Velocity of a tendon.
pub const TENDONVEL: u32 = 12;
/// Length of an actuator.
pub const ACTUATORPOS: u32 = 13;
/// Velocity of an actuator.
pub const ACTUATORVEL: u32 = 14;
/// Force of an actuator.
pub const ACTUATORFRC: u32 = 15;
/// Force of all actuators on a dof.
pub const JOINTACTFRC: u32 = 16;
/// Force of all actuators on a tendon.
pub const TENDONACTFRC: u32 = 17;
/// Orientation of a ball.
pub const BALLQUAT: u32 = 18;
/// Angular velocity of a ball.
pub const BALLANGVEL: u32 = 19;
/// Distance of a joint from its limit, less the margin.
pub const JOINTLIMITPOS: u32 = 20;
/// Velocity of that.
pub const JOINTLIMITVEL: u32 = 21;
/// Force of the limit.
pub const JOINTLIMITFRC: u32 = 22;
/// Distance of a tendon from its limit, less the margin.
pub const TENDONLIMITPOS: u32 = 23;
/// Velocity of that.
pub const TENDONLIMITVEL: u32 = 24;
/// Force of the limit.
pub const TENDONLIMITFRC: u32 = 25;
/// Position of a frame.
pub const FRAMEPOS: u32 = 26;
/// Orientation of a frame.
pub const FRAMEQUAT: u32 = 27;
/// The first axis of a frame.
pub const FRAMEXAXIS: u32 = 28;
/// The second axis.
pub const FRAMEYAXIS: u32 = 29;
/// The third axis.
pub const FRAMEZAXIS: u32 = 30;
/// Linear velocity of a frame.
pub const FRAMELINVEL: u32 = 31;
/// Angular velocity.
pub const FRAMEANGVEL: u32 = 32;
/// Linear acceleration, against gravity.
pub const FRAMELINACC: u32 = 33;
/// Angular acceleration.
pub const FRAMEANGACC: u32 = 34;
/// Centre of mass of a body and those below.
pub const SUBTREECOM: u32 = 35;
/// Velocity of that.
pub const SUBTREELINVEL: u32 = 36;
/// Angular momentum of a body and those below.
pub const SUBTREEANGMOM: u32 = 37;
/// Whether a frame is inside the volume of a site.
pub const INSIDESITE: u32 = 38;
/// Distance of two geoms, or of those of two bodies.
pub const GEOMDIST: u32 = 39;
/// Direction from the first to the second.
pub const GEOMNORMAL: u32 = 40;
/// The nearest points of both.
pub const GEOMFROMTO: u32 = 41;
/// Contacts of objects.
pub const CONTACT: u32 = 42;
/// Energy of gravity and of springs.
pub const E_POTENTIAL: u32 = 43;
/// Energy of motion.
pub const E_KINETIC: u32 = 44;
/// Seconds.
pub const CLOCK: u32 = 45;
