//! The schemas of the messages: the names and types of their members.

use serde_json::{Map, Value, json};

/// `foxglove.FrameTransforms`.
pub(super) fn frame_transforms() -> Value {
    let transform = object(
        "FrameTransform",
        &[
            ("timestamp", time()),
            ("parent_frame_id", text()),
            ("child_frame_id", text()),
            ("translation", numbers("Vector3", "xyz")),
            ("rotation", numbers("Quaternion", "xyzw")),
        ],
    );
    object("FrameTransforms", &[("transforms", list(transform))])
}

/// `foxglove.SceneUpdate`; lists that stay empty have objects without members.
pub(super) fn scene_update() -> Value {
    let color = || numbers("Color", "rgba");
    let point = || numbers("Point3", "xyz");
    let solid = |title: &str, more: &[(&str, Value)]| {
        let mut members =
            vec![("pose", pose()), ("size", numbers("Vector3", "xyz")), ("color", color())];
        members.extend_from_slice(more);
        list(object(title, &members))
    };
    let empty = |title: &str| list(object(title, &[]));
    let number = || json!({ "type": "number" });
    let triangles = object(
        "TriangleListPrimitive",
        &[
            ("pose", pose()),
            ("points", list(point())),
            ("color", color()),
            ("colors", list(color())),
            ("indices", list(json!({ "type": "integer", "minimum": 0 }))),
        ],
    );
    let entity = object(
        "SceneEntity",
        &[
            ("timestamp", time()),
            ("frame_id", text()),
            ("id", text()),
            ("lifetime", time()),
            ("frame_locked", json!({ "type": "boolean" })),
            ("metadata", empty("KeyValuePair")),
            ("arrows", empty("ArrowPrimitive")),
            ("cubes", solid("CubePrimitive", &[])),
            ("spheres", solid("SpherePrimitive", &[])),
            (
                "cylinders",
                solid("CylinderPrimitive", &[("bottom_scale", number()), ("top_scale", number())]),
            ),
            ("lines", empty("LinePrimitive")),
            ("triangles", list(triangles)),
            ("texts", empty("TextPrimitive")),
            ("models", empty("ModelPrimitive")),
        ],
    );
    object(
        "SceneUpdate",
        &[("deletions", empty("SceneEntityDeletion")), ("entities", list(entity))],
    )
}

fn object(title: &str, members: &[(&str, Value)]) -> Value {
    let members: Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({ "title": title, "type": "object", "properties": members })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text() -> Value {
    json!({ "type": "string" })
}

/// An object of numbers, whose names have one letter each.
fn numbers(title: &str, names: &str) -> Value {
    let members: Map<String, Value> =
        names.chars().map(|name| (name.to_string(), json!({ "type": "number" }))).collect();
    json!({ "title": title, "type": "object", "properties": members })
}

/// A time or a duration.
fn time() -> Value {
    let whole = json!({ "type": "integer", "minimum": 0 });
    json!({ "type": "object", "title": "time", "properties": { "sec": whole, "nsec": whole } })
}

fn pose() -> Value {
    let members =
        [("position", numbers("Vector3", "xyz")), ("orientation", numbers("Quaternion", "xyzw"))];
    object("Pose", &members)
}
