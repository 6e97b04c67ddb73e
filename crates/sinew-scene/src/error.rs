//! Errors of cameras, scenes and mouse actions.

use core::fmt;

/// Reasons why a scene cannot be drawn or moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneError {
    /// The id of a fixed camera is out of range.
    FixedCamera,
    /// The body of a tracking camera does not exist.
    TrackedBody,
    /// The type of the camera is unknown.
    CameraType,
    /// The scene's camera has no near plane, because the scene was never updated.
    NearPlane,
    /// The scale of the scene is too small.
    Scale,
    /// One camera is orthographic, the other is not.
    MixedProjection,
    /// The mouse action is not in `mjtMouse`, or has no meaning here.
    MouseAction(i32),
    /// The geom type cannot connect two points.
    ConnectorType(i32),
    /// No node of an interpolated flex moves the vertex.
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
