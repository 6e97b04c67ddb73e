"""Pictures by `Renderer`: their shapes, their contents, and equality of a second picture.

How they compare with MuJoCo's own is told by `tests/pictures/compare.py`, which needs OpenGL.
"""

import copy
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import sinew

SCENE = """
<mujoco>
  <visual><map znear=".01"/><quality shadowsize="512"/></visual>
  <asset>
    <texture name="sky" type="skybox" builtin="flat" rgb1="0 0 1" width="8" height="8"/>
    <texture name="board" type="2d" builtin="checker" rgb1="1 1 1" rgb2="0 0 0" width="64" height="64"/>
    <material name="board" texture="board" texrepeat="2 2" texuniform="true" reflectance=".3"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1" cutoff="60"/>
    <camera name="above" pos="0 0 4"/>
    <camera name="flat" pos="0 0 4" projection="orthographic" fovy="4"/>
    <geom name="floor" type="plane" size="0 0 .1" material="board"/>
    <body pos="0 0 .5">
      <freejoint/>
      <geom name="ball" size=".3" rgba="1 0 0 1"/>
    </body>
    <body pos="1 0 .5"><geom name="glass" type="box" size=".2 .2 .2" rgba="0 1 0 .3"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def scene():
    m = sinew.MjModel.from_xml_string(SCENE)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return m, d


def test_an_image_has_the_colours_of_the_scene(scene):
    m, d = scene
    with sinew.Renderer(m, 60, 80) as renderer:
        assert (renderer.height, renderer.width, renderer.model) == (60, 80, m)
        renderer.update_scene(d, "above")
        image = renderer.render()
        assert image.shape == (60, 80, 3) and image.dtype == np.uint8
        red = image[30, 40].astype(int)
        assert red[0] > 100 and red[0] > red[1] + 50
        out = np.zeros_like(image)
        assert renderer.render(out=out) is out and (out == image).all()
        with pytest.raises(ValueError, match="out.shape"):
            renderer.render(out=np.zeros((3, 3)))
    renderer.close()
    with pytest.raises(RuntimeError, match="after close"):
        renderer.render()


def test_the_sky_is_behind_everything(scene):
    m, d = scene
    with sinew.Renderer(m, 40, 40) as renderer:
        camera = sinew.MjvCamera()
        camera.elevation, camera.lookat[2] = 45, 5
        renderer.update_scene(d, camera)
        top = renderer.render()[0, 20]
        assert top[2] > 200 and top[0] < 30


def test_shadows_darken_the_floor(scene):
    m, d = scene
    shadow = int(sinew.mjtRndFlag.mjRND_SHADOW)
    with sinew.Renderer(m, 100, 100) as renderer:
        renderer.update_scene(d)
        lit = renderer.scene.flags[shadow]
        with_shadow = renderer.render().astype(int)
        renderer.scene.flags[shadow] = 0
        without = renderer.render().astype(int)
    assert lit == 1
    assert (without - with_shadow).max() > 30 and (with_shadow - without).max() < 30


def test_depth_and_segmentation(scene):
    m, d = scene
    for camera in ("above", "flat"):
        with sinew.Renderer(m, 61, 81) as renderer:
            renderer.update_scene(d, camera)
            renderer.enable_depth_rendering()
            depth = renderer.render()
            assert depth.shape == (61, 81) and depth.dtype == np.float32
            assert depth[30, 40] == pytest.approx(3.2, abs=0.01)
            assert depth[0, 0] == pytest.approx(4, abs=0.01)
            renderer.enable_segmentation_rendering()
            objects = renderer.render()
            assert objects.shape == (61, 81, 2) and objects.dtype == np.int32
            geom = int(sinew.mjtObj.mjOBJ_GEOM)
            assert objects[30, 40].tolist() == [m.geom("ball").id, geom]
            assert objects[0, 0].tolist() == [m.geom("floor").id, geom]
            renderer.disable_segmentation_rendering()
            assert renderer.render().dtype == np.uint8


def test_glass_lets_through(scene):
    m, d = scene
    with sinew.Renderer(m, 61, 81) as renderer:
        renderer.update_scene(d, "above")
        image = renderer.render().astype(int)
        renderer.enable_segmentation_rendering()
        glass = renderer.render()[:, :, 0] == m.geom("glass").id
    green = image[glass]
    assert glass.any() and (green[:, 1] > green[:, 0]).mean() > 0.9 and green[:, 2].max() > 10


def test_the_same_bytes_again_and_in_other_threads(scene):
    m, d = scene
    results = []

    def draw():
        with sinew.Renderer(m, 120, 160) as renderer:
            renderer.update_scene(d)
            results.append(renderer.render())

    threads = [threading.Thread(target=draw) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    draw()
    assert all((image == results[0]).all() for image in results)


def test_the_same_bytes_with_any_number_of_threads(scene, tmp_path):
    model = tmp_path / "scene.xml"
    model.write_text(SCENE)
    program = """
import hashlib, sys, sinew
m = sinew.MjModel.from_xml_path(sys.argv[1])
d = sinew.MjData(m)
sinew.mj_forward(m, d)
with sinew.Renderer(m, 240, 320) as renderer:
    renderer.update_scene(d)
    print(hashlib.sha256(renderer.render().tobytes()).hexdigest())
"""

    def digest(threads):
        env = {**os.environ, "RAYON_NUM_THREADS": str(threads)}
        command = [sys.executable, "-c", program, str(model)]
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout

    assert len({digest(threads) for threads in (1, 2, 5)}) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_renders(scene):
    m, d = scene
    with sinew.Renderer(m, 200, 300) as renderer:
        renderer.update_scene(d)
        image, batch = renderer.render(), renderer.render_batch([d, d, d])
        child = os.fork()
        if child == 0:
            same = (renderer.render() == image).all()
            same = same and (renderer.render_batch([d, d, d]) == batch).all()
            os._exit(0 if same else 1)
        for _ in range(600):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            time.sleep(0.1)
        else:
            os.kill(child, 9)
            os.waitpid(child, 0)
            pytest.fail("the child does not finish")
        assert status == 0
        assert (renderer.render() == image).all()


def test_many_states_at_once(scene):
    m, d = scene
    other = copy.copy(d)
    other.qpos[0] = 0.5
    sinew.mj_forward(m, other)
    with sinew.Renderer(m, 30, 40) as renderer:
        images = renderer.render_batch([d, other, d], "above")
        assert images.shape == (3, 30, 40, 3)
        renderer.update_scene(other, "above")
        assert (images[1] == renderer.render()).all()
        assert (images[0] == images[2]).all() and (images[0] != images[1]).any()


def ball_of_a_mesh(shape):
    """A ball of 5,120 triangles, or of one geom, over a floor."""
    m = sinew.MjModel.from_xml_string(
        f"""
        <mujoco>
          <asset><mesh name="ball" builtin="sphere" params="4" scale=".5 .5 .5"/></asset>
          <worldbody>
            <light pos="1 0 3" dir="-.3 0 -1"/>
            <camera pos="0 -2.5 .6" xyaxes="1 0 0 0 .2 1"/>
            <geom type="plane" size="2 2 .1" pos="0 0 -.5"/>
            <body><freejoint/><geom {shape} rgba=".8 .5 .3 1"/></body>
          </worldbody>
        </mujoco>"""
    )
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return m, d


def test_large_meshes_look_the_same_with_fewer_triangles():
    images = []
    for shape in ('type="mesh" mesh="ball"', 'size=".5"'):
        m, d = ball_of_a_mesh(shape)
        with sinew.Renderer(m, 84, 84) as renderer:
            renderer.update_scene(d, 0)
            images.append(renderer.render().astype(float))
            # levels made by several threads at once are those of one thread
            batch = sinew.Renderer(m, 84, 84).render_batch([d] * 6, 0)
            assert (batch == renderer.render()).all()
    error = np.mean((images[0] - images[1]) ** 2)
    # the geom has 28 slices, so its own outline is coarser than the mesh
    assert 10 * np.log10(255**2 / error) > 32


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_makes_levels_of_meshes():
    m, d = ball_of_a_mesh('type="mesh" mesh="ball"')
    with sinew.Renderer(m, 84, 84) as renderer:
        renderer.update_scene(d)
        child = os.fork()
        if child == 0:
            os._exit(0 if renderer.render().std() > 1 else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert renderer.render().std() > 1


def test_bad_requests_are_refused(scene):
    m, d = scene
    with pytest.raises(ValueError, match="framebuffer width"):
        sinew.Renderer(m, 10, 10000)
    with pytest.raises(ValueError, match="framebuffer height"):
        sinew.Renderer(m, 10000, 10)
    with sinew.Renderer(m) as renderer:
        with pytest.raises(ValueError, match="does not exist"):
            renderer.update_scene(d, "nowhere")
        with pytest.raises(ValueError, match="out of range"):
            renderer.update_scene(d, 9)
        with pytest.raises(sinew.FatalError, match="frustum_near"):
            renderer.render()


def test_own_geoms_are_drawn(scene):
    m, d = scene
    with sinew.Renderer(m, 60, 80) as renderer:
        renderer.update_scene(d, "above")
        before = renderer.render()
        scn = renderer.scene
        kinds = "SPHERE CAPSULE ELLIPSOID CYLINDER BOX ARROW ARROW1 ARROW2 LINE LINEBOX TRIANGLE".split()
        for kind in kinds:
            value = getattr(sinew.mjtGeom, f"mjGEOM_{kind}")
            rgba, place = [1, 1, 0, 1], [-1, 0.5, 1]
            sinew.mjv_initGeom(
                scn.geoms[scn.ngeom], value, [0.4, 0.4, 0.4], place, np.eye(3).ravel(), rgba
            )
            scn.ngeom += 1
            assert (renderer.render() != before).any(), kind
            scn.ngeom -= 1


def test_the_functions_of_the_c_interface_draw_what_the_renderer_draws(scene):
    m, d = scene
    context = sinew.MjrContext(m, 150)
    scn = sinew.MjvScene(m, 100)
    camera, option = sinew.MjvCamera(), sinew.MjvOption()
    sinew.mjv_updateScene(m, d, option, None, camera, 7, scn)
    rect = sinew.MjrRect(0, 0, 80, 60)
    sinew.mjr_setBuffer(sinew.mjtFramebuffer.mjFB_OFFSCREEN, context)
    sinew.mjr_render(rect, scn, context)
    rgb, depth = np.zeros((60, 80, 3), np.uint8), np.zeros((60, 80), np.float32)
    sinew.mjr_readPixels(rgb, depth, rect, context)
    with sinew.Renderer(m, 60, 80) as renderer:
        renderer.update_scene(d, camera)
        assert (np.flipud(rgb) == renderer.render()).all()
    assert 0 <= depth.min() < depth.max() <= 1
    assert sinew.mjr_maxViewport(context) == sinew.MjrRect(0, 0, 640, 480)
    assert sinew.mjr_getError() == 0
    m.tex_data[:] = 255
    sinew.mjr_uploadTexture(m, context, 1)
    with pytest.raises(sinew.FatalError, match="Invalid texture"):
        sinew.mjr_uploadTexture(m, context, 99)
    context.free()
    with pytest.raises(sinew.FatalError, match="freed"):
        sinew.mjr_render(rect, scn, context)


def test_nothing_to_see():
    m = sinew.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    with sinew.Renderer(m, 1, 1) as renderer:
        renderer.update_scene(d)
        assert renderer.render().tolist() == [[[0, 0, 0]]]


def test_rectangles_are_filled_in_the_current_context():
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    first, second = sinew.MjrContext(m, 150), sinew.MjrContext(m, 150)
    sinew.mjr_setBuffer(sinew.mjtFramebuffer.mjFB_OFFSCREEN, first)
    whole = sinew.MjrRect(0, 0, 640, 480)
    sinew.mjr_rectangle(whole, 0, 0, 0, 1)
    sinew.mjr_rectangle(sinew.MjrRect(56, 67, 234, 123), 0, 0, 1, 1)
    sinew.mjr_rectangle(sinew.MjrRect(-10, 470, 20, 20), 1, 0, 0, 0.5)
    wanted = np.zeros((480, 640, 3), np.uint8)
    wanted[67 : 67 + 123, 56 : 56 + 234, 2] = 255
    wanted[470:, :10, 0] = 128
    for context, picture in ((first, wanted), (second, 0 * wanted)):
        pixels = np.empty((480, 640, 3), np.uint8)
        sinew.mjr_readPixels(pixels, None, whole, context)
        np.testing.assert_array_equal(pixels, picture)
    assert repr(sinew.MjrRect(1, 2, 3, 4)) == "<MjrRect\n  bottom: 2\n  height: 4\n  left: 1\n  width: 3\n>"


def test_labels_are_written_where_their_geoms_are(scene):
    m, d = scene
    option = sinew.MjvOption()
    with sinew.Renderer(m, 120, 160) as renderer:
        renderer.update_scene(d)
        before = renderer.render()
        option.label = int(sinew.mjtLabel.mjLABEL_GEOM)
        renderer.update_scene(d, scene_option=option)
        changed = (renderer.render() != before).any(axis=-1)
        assert 30 < changed.sum() < 0.5 * changed.size
        written = renderer.render()[changed]
        assert (written == 255).all(axis=-1).any() and (written == 0).all(axis=-1).any()
        renderer.enable_segmentation_rendering()
        plain = renderer.render()
        renderer.update_scene(d)
        np.testing.assert_array_equal(plain, renderer.render())


def test_texts_and_plots_are_drawn_over_the_picture():
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    context = sinew.MjrContext(m, sinew.mjtFontScale.mjFONTSCALE_100)
    whole, normal = sinew.MjrRect(0, 0, 640, 480), sinew.mjtFont.mjFONT_NORMAL

    def drawn(draw):
        """The changed pixels of the image, the lowest row first."""
        sinew.mjr_rectangle(whole, 0, 0.5, 0, 1)
        before, after = np.empty((2, 480, 640, 3), np.uint8)
        sinew.mjr_readPixels(before, None, whole, context)
        draw()
        sinew.mjr_readPixels(after, None, whole, context)
        return after, (before != after).any(axis=-1)

    # text begins at its position; the letter I has 11 dots
    after, at = drawn(lambda: sinew.mjr_text(normal, "I", context, 0.5, 0.25, 1, 0, 0))
    rows, columns = np.nonzero(at)
    assert (after[at] == [255, 0, 0]).all() and len(rows) == 11
    assert 320 <= columns.min() <= columns.max() < 326 and 120 <= rows.min() <= rows.max() < 130
    same, _ = drawn(lambda: sinew.mjr_text(normal, b"I", context, 0.5, 0.25, 1, 0, 0))
    np.testing.assert_array_equal(same, after)
    _, at = drawn(lambda: sinew.mjr_text(normal, "I", context, 1.5, 0, 1, 0, 0))
    assert not at.any()
    sinew.mjr_changeFont(sinew.mjtFontScale.mjFONTSCALE_200, context)
    _, at = drawn(lambda: sinew.mjr_text(normal, "I", context, 0.5, 0.25, 1, 0, 0))
    assert at.sum() == 44

    # overlays are at the edges of the grid
    for place, half in (("TOPLEFT", (1, 0)), ("BOTTOMRIGHT", (0, 1)), ("BOTTOM", (0, None))):
        pos = getattr(sinew.mjtGridPos, f"mjGRID_{place}")
        _, at = drawn(lambda: sinew.mjr_overlay(normal, pos, whole, b"Time\nSteps", "1.5\n3", context))
        rows, columns = np.nonzero(at)
        assert len(rows) > 100 and ((rows > 240) == half[0]).all(), place
        assert half[1] is None or ((columns > 320) == half[1]).all(), place

    # a label fills its rectangle
    rect = sinew.MjrRect(100, 50, 80, 30)
    _, at = drawn(lambda: sinew.mjr_label(rect, normal, "go", 1, 1, 1, 1, 0, 0, 0, context))
    assert at[50:80, 100:180].all() and at.sum() == 80 * 30

    # a figure shows its lines in their colours, and sets the positions of its axes
    figure = sinew.MjvFigure()
    sinew.mjv_defaultFigure(figure)
    figure.title, figure.linepnt[0] = "plot", 50
    figure.linedata[0][:100] = np.stack([np.arange(50), np.arange(50) ** 2]).T.ravel()
    after, at = drawn(lambda: sinew.mjr_figure(sinew.MjrRect(10, 20, 300, 200), figure, context))
    assert at[20:220, 10:310].all() and not at[230:].any()
    colour = np.rint(255 * figure.linergb[0]).astype(int)
    assert (after == colour).all(axis=-1).sum() > 300
    assert figure.xaxisdata.tolist() == [0, 49] and figure.yaxisdata.tolist() == [0, 2401]

    # pixels are copied into the image
    rgb = np.full((10, 20, 3), 77, np.uint8)
    after, at = drawn(lambda: sinew.mjr_drawPixels(rgb, None, sinew.MjrRect(5, 6, 20, 10), context))
    assert at.sum() == 200 and (after[6:16, 5:25] == 77).all()
