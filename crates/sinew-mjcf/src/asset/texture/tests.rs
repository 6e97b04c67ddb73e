use super::*;
use crate::asset::png::tests::encode;
use sinew_model::enums::Mark;

fn compile(input: &TextureInput, bytes: &[u8]) -> Result<CompiledTexture, AssetError> {
    compile_texture(input, &mut |_| Ok(bytes.into()))
}

fn error(input: &TextureInput, bytes: &[u8]) -> String {
    compile(input, bytes).unwrap_err().message
}

fn flat(width: i32, height: i32) -> TextureInput {
    TextureInput {
        kind: TextureType::T2d,
        builtin: Builtin::Flat,
        rgb1: [0.2, 0.4, 1.0],
        markrgb: [1.0, 0.0, 0.0],
        width,
        height,
        ..TextureInput::default()
    }
}

fn file(kind: TextureType) -> TextureInput {
    TextureInput { kind, file: "a.png".into(), ..TextureInput::default() }
}

#[test]
fn patterns_have_the_bytes_of_mujoco() {
    // tex_data of MuJoCo 3.5.0 for the same attributes
    let checker = TextureInput { builtin: Builtin::Checker, ..flat(3, 2) };
    let data = compile(&checker, &[]).unwrap().data;
    let (a, b) = ([51, 102, 255], [127, 127, 127]);
    assert_eq!(data, [a, b, b, b, a, a].concat());

    let gradient = TextureInput {
        builtin: Builtin::Gradient,
        kind: TextureType::Cube,
        rgb2: [0.0; 3],
        ..flat(2, 0)
    };
    let texture = compile(&gradient, &[]).unwrap();
    assert_eq!((texture.width, texture.height, texture.data.len()), (2, 12, 72));
}

#[test]
fn random_dots_are_those_of_mujoco() {
    // the dots of MuJoCo 3.5.0 for mark="random" random="0.3" width="7" height="5"
    let input = TextureInput { mark: Mark::Random, random: 0.3, ..flat(7, 5) };
    let data = compile(&input, &[]).unwrap().data;
    let dots: Vec<usize> = (0..35).filter(|i| data[3 * i] == 255).collect();
    assert_eq!(dots, [3, 5, 8, 10, 18, 19, 21, 23, 24, 25, 29, 34]);
}

#[test]
fn marks_frame_and_cross() {
    let edge = TextureInput { mark: Mark::Edge, ..flat(3, 3) };
    let red = |data: &[u8]| (0..9).filter(|i| data[3 * i] == 255).collect::<Vec<usize>>();
    assert_eq!(red(&compile(&edge, &[]).unwrap().data), [0, 1, 2, 3, 5, 6, 7, 8]);
    let cross = TextureInput { mark: Mark::Cross, ..flat(3, 3) };
    assert_eq!(red(&compile(&cross, &[]).unwrap().data), [1, 3, 4, 5, 7]);
}

#[test]
fn images_are_flipped() {
    let bytes = encode(2, 2, ::png::ColorType::Grayscale, &[1, 2, 3, 4]);
    let one = TextureInput { nchannel: 1, ..file(TextureType::T2d) };
    let across = TextureInput { hflip: true, ..one.clone() };
    let down = TextureInput { vflip: true, ..one.clone() };
    assert_eq!(compile(&one, &bytes).unwrap().data, [1, 2, 3, 4]);
    assert_eq!(compile(&across, &bytes).unwrap().data, [2, 1, 4, 3]);
    assert_eq!(compile(&down, &bytes).unwrap().data, [3, 4, 1, 2]);
    assert_eq!(compile(&one, &bytes).unwrap().colorspace, ColorSpace::Linear);
}

#[test]
fn cubes_are_cut_out_of_grids() {
    let bytes = encode(2, 1, ::png::ColorType::Rgb, &[1, 2, 3, 4, 5, 6]);
    let input = TextureInput {
        gridsize: [1, 2],
        gridlayout: "UL".into(),
        rgb1: [1.0; 3],
        ..file(TextureType::Cube)
    };
    let texture = compile(&input, &bytes).unwrap();
    assert_eq!((texture.width, texture.height), (1, 6));
    let white = [255; 3];
    assert_eq!(texture.data, [white, [4, 5, 6], [1, 2, 3], white, white, white].concat());
}

#[test]
fn cubes_are_put_together_from_files() {
    let bytes = encode(1, 1, ::png::ColorType::Rgb, &[1, 2, 3]);
    let mut input = TextureInput { rgb1: [0.0; 3], ..TextureInput::default() };
    input.cubefiles[3] = "down.png".into();
    let texture = compile(&input, &bytes).unwrap();
    assert_eq!(texture.data[9..12], [1, 2, 3]);
    assert_eq!(texture.data.iter().filter(|x| **x == 0).count(), 15);
}

#[test]
fn what_is_wrong_is_named() {
    assert_eq!(error(&flat(0, 1), &[]), "Invalid width of builtin texture");
    assert_eq!(error(&flat(1, 0), &[]), "Invalid height of builtin texture");
    let huge = flat(i32::MAX, i32::MAX);
    assert_eq!(error(&huge, &[]), "Could not allocate memory for texture");
    let none = TextureInput { kind: TextureType::T2d, ..TextureInput::default() };
    assert_eq!(error(&none, &[]), "Cannot load 2D texture from separate files, texture");
    let cube = TextureInput::default();
    assert_eq!(error(&cube, &[]), "No cubefiles_ defined in cube or skybox texture");
    let jpeg = TextureInput { content_type: "image/jpeg".into(), ..file(TextureType::T2d) };
    assert_eq!(error(&jpeg, &[]), "unsupported content type: 'image/jpeg'");
    let ktx =
        TextureInput { content_type: "image/ktx".into(), hflip: true, ..file(TextureType::T2d) };
    assert_eq!(error(&ktx, &[1]), "cannot flip KTX textures");
    let two = TextureInput { nchannel: 2, ..file(TextureType::T2d) };
    assert_eq!(error(&two, &[1]), "Unsupported number of channels: 2");
    let grid = TextureInput { gridsize: [5, 5], ..file(TextureType::Cube) };
    let text = "gridsize must be non-zero and no more than 12 squares in texture";
    assert_eq!(error(&grid, &[]), text);
    let custom = TextureInput { file: "a.bin".into(), ..file(TextureType::T2d) };
    assert!(error(&custom, &[1; 9]).contains("unexpected file size in file 'a.bin'"));
    assert!(error(&custom, &[0; 9]).contains("non-positive texture dimensions"));
}
