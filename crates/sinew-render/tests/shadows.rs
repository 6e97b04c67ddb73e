//! Shadows of small scenes that are made by hand.

use sinew_model::Model;
use sinew_model::enums::{GeomType, LightType};
use sinew_render::{Picture, Renderer};
use sinew_scene::{GlCamera, Light, Scene, SceneGeom};

/// Width and height of the pictures.
const SIZE: usize = 64;

/// An orthographic camera that looks down on the square from -1 to 1.
fn above() -> GlCamera {
    GlCamera {
        pos: [0.0, 0.0, 5.0],
        forward: [0.0, 0.0, -1.0],
        up: [0.0, 1.0, 0.0],
        frustum_bottom: -1.0,
        frustum_top: 1.0,
        frustum_near: 0.01,
        frustum_far: 20.0,
        orthographic: 1,
        ..GlCamera::default()
    }
}

/// A white light with shadows that shines down from a height.
fn lamp(r#type: LightType, height: f32) -> Light {
    Light {
        r#type,
        pos: [0.0, 0.0, height],
        dir: [0.0, 0.0, -1.0],
        attenuation: [1.0, 0.0, 0.0],
        cutoff: 60.0,
        diffuse: [0.8; 3],
        castshadow: 1,
        ..Light::default()
    }
}

fn geom(r#type: GeomType, size: [f32; 3], pos: [f32; 3]) -> SceneGeom {
    SceneGeom {
        r#type,
        size,
        pos,
        rgba: [1.0, 1.0, 1.0, 1.0],
        specular: 0.0,
        ..SceneGeom::default()
    }
}

/// A white floor at height 0 with other geoms over it.
fn draw(light: Light, geoms: &[SceneGeom]) -> Picture {
    let mut m = Model::default();
    m.vis.quality.offsamples = 0;
    // the maps of spot lights cover the whole picture
    m.vis.map.shadowscale = 1.3;
    let mut scn = Scene::new(&m, 100);
    scn.camera = [above(); 2];
    scn.lights.push(light);
    scn.geoms.push(geom(GeomType::Plane, [4.0, 4.0, 1.0], [0.0; 3]));
    scn.geoms.extend_from_slice(geoms);
    Renderer::new(&m).render(&m, &scn, SIZE, SIZE).expect("the scene has a camera")
}

/// The mean of all red components.
fn brightness(picture: &Picture) -> f64 {
    let sum: f64 = picture.rgb.iter().map(|rgb| f64::from(rgb[0])).sum();
    sum / picture.rgb.len() as f64
}

#[test]
fn a_light_in_a_closed_shape_does_not_leave_it() {
    for r#type in [GeomType::Sphere, GeomType::Box, GeomType::Cylinder, GeomType::Capsule] {
        let shape = geom(r#type, [0.1; 3], [0.0, 0.0, 1.0]);
        let far = geom(r#type, [0.1; 3], [9.0, 0.0, 1.0]);
        let light = lamp(LightType::Spot, 1.0);
        assert!(brightness(&draw(light, &[far])) > 60.0);
        assert!(brightness(&draw(light, &[shape])) < 1.0, "{type:?}");
    }
}

#[test]
fn a_triangle_that_reaches_behind_the_light_has_a_shadow_in_front_of_it() {
    // a wall from below the floor to above the light
    let wall = geom(GeomType::Box, [0.01, 4.0, 9.0], [0.3, 0.0, 0.0]);
    let picture = draw(lamp(LightType::Spot, 1.0), &[wall]);
    let row = &picture.rgb[SIZE / 2 * SIZE..][..SIZE];
    assert!(row[..SIZE / 2 + 8].iter().all(|rgb| rgb[0] > 40), "{row:?}");
    assert!(row[SIZE / 2 + 11..].iter().all(|rgb| rgb[0] == 0), "{row:?}");
}

/// A shadow's edge is as exact as the map of 4096 texels, in a picture of 64 pixels.
#[test]
fn edges_of_shadows_are_exact_in_small_pictures() {
    let light = lamp(LightType::Directional, 3.0);
    for i in 0..SIZE - 4 {
        // the box ends right after the centre of pixel i, far above the camera's view
        let end = (2.0 * (i as f32 + 0.5) - SIZE as f32) / SIZE as f32 + 0.003;
        let shape = geom(GeomType::Box, [2.0, 2.0, 0.1], [end - 2.0, 0.0, 6.0]);
        let light = Light { pos: [0.0, 0.0, 8.0], ..light };
        let picture = draw(light, &[shape]);
        let row = &picture.rgb[SIZE / 2 * SIZE..][..SIZE];
        assert!(row[..=i].iter().all(|rgb| rgb[0] == 0), "{i} {row:?}");
        assert!(row[i + 1..].iter().all(|rgb| rgb[0] > 180), "{i} {row:?}");
    }
}

/// MuJoCo draws a line without lighting, and again in the pass of each light with shadows.
#[test]
fn a_line_has_its_colour_once_more_in_a_light_with_shadows() {
    let line = SceneGeom {
        size: [9.0, 9.0, 2.0],
        pos: [-1.0, 0.0, 0.5],
        mat: [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        rgba: [0.2, 0.1, 0.0, 1.0],
        ..geom(GeomType::Line, [0.0; 3], [0.0; 3])
    };
    let middle = |light: Light| draw(light, &[line]).rgb[SIZE / 2 * SIZE + SIZE / 2];
    let light = lamp(LightType::Directional, 3.0);
    assert_eq!(middle(light), [102, 51, 0]);
    assert_eq!(middle(Light { castshadow: 0, ..light }), [51, 26, 0]);
}
