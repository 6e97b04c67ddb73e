//! What can be wrong with a camera, a scene or a gesture.

use core::fmt;

/// Why something could not be drawn or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// A fixed camera whose number is not that of a camera.
    FixedCamera,
    /// A tracking camera whose body does not exist.
    TrackedBody,
    /// A camera of no known type.
    CameraType,
    /// A scene whose camera has no near plane: it was never updated.
    NearPlane,
    /// A scene scaled to nothing.
    Scale,
    /// Two cameras, one of which is orthographic.
    MixedProjection,
    /// A gesture that is none of `mjtMouse`, or has no meaning here.
    MouseAction(i32),
    /// A geom type that cannot connect two points.
    ConnectorType(i32),
    /// An interpolated flex none of whose nodes moves the vertex.
    FlexNode(usize),
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneError::FixedCamera => f.write_str("fixed camera id is outside valid range"),
            SceneError::TrackedBody => f.write_str("track body id is outside valid range"),
            SceneError::CameraType => f.write_str("unknown camera type"),
            SceneError::NearPlane => f.write_str("mjvScene frustum_near too small"),
            SceneError::Scale => f.write_str("mjvScene scale too small"),
            SceneError::MixedProjection => {
                f.write_str("cannot average perspective and orthographic cameras")
            }
            SceneError::MouseAction(action) => write!(f, "unexpected mouse action {action}"),
            SceneError::ConnectorType(kind) => {
                write!(f, "invalid geom type {kind} for connector")
            }
            SceneError::FlexNode(flex) => {
                write!(f, "flex {flex}: node closest to the vertex not found")
            }
        }
    }
}

impl core::error::Error for SceneError {}
