"""The viewer for scripts without a browser: its interface, and a client that writes frames
itself."""

import base64
import json
import os
import re
import socket
import struct
import threading
import time
import urllib.error
import urllib.request
import zlib

import numpy as np
import pytest

import sinew
from sinew import viewer

XML = """<mujoco>
  <worldbody>
    <camera name="eye" pos="0 -2 1"/>
    <geom type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 .1"><freejoint/><geom size=".1"/></body>
  </worldbody>
  <keyframe><key qpos="0 0 1 1 0 0 0"/></keyframe>
</mujoco>"""


@pytest.fixture
def pair():
    model = sinew.MjModel.from_xml_string(XML)
    return model, sinew.MjData(model)


class Page:
    """A page's socket: sends events as JSON and receives messages."""

    def __init__(self, url):
        host, port, token = re.match(r"http://([^:]+):(\d+)/(\w+)/", url).groups()
        self.socket = socket.create_connection((host, int(port)), timeout=20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /{token}/socket HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n\r\n".encode()
        )
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)
        assert b"101" in head.split(b"\r\n")[0]

    def send(self, **event):
        data = json.dumps(event).encode()
        self.socket.sendall(b"\x81" + struct.pack(">BQ", 0x80 | 127, len(data)) + bytes(4) + data)

    def _read(self, count):
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            assert more, "the viewer hung up"
            data += more
        return data

    def receive(self):
        """Kind and bytes of the next message."""
        _, length = self._read(2)
        if length == 126:
            (length,) = struct.unpack(">H", self._read(2))
        elif length == 127:
            (length,) = struct.unpack(">Q", self._read(8))
        data = self._read(length)
        return data[0], data

    def wait(self, kind):
        while True:
            found, data = self.receive()
            if found == 4:
                self.send(do="drawn")
            if found == kind:
                return data

    def json(self, kind):
        data = self.wait(kind)
        (length,) = struct.unpack_from("<I", data, 4)
        return json.loads(data[8 : 8 + length])


MODEL, STATE, FRAME, OVERLAY, KEYS, WIDGETS = 1, 2, 4, 6, 7, 8


def launch(pair, **options):
    return viewer.launch_passive(*pair, open_browser=False, **options)


def test_a_handle_has_what_mujocos_has(pair):
    model, data = pair
    with launch(pair) as handle:
        assert handle.is_running() and handle.m is model and handle.d is data
        assert isinstance(handle.cam, sinew.MjvCamera) and isinstance(handle.opt, sinew.MjvOption)
        assert isinstance(handle.perturb, sinew.MjvPerturb)
        assert handle.user_scn.maxgeom == viewer.MAX_GEOM and handle.user_scn.ngeom == 0
        assert handle.cam.distance == pytest.approx(1.5 * model.stat.extent)
        with handle.lock():
            handle.sync()
            handle.sync(state_only=True)
    assert not handle.is_running() and handle.m is None and handle.viewport is None
    handle.close()
    handle.sync()
    with handle.lock():
        pass


def test_wrong_arguments_are_refused_in_mujocos_words(pair):
    model, data = pair
    with pytest.raises(ValueError, match="`model` is not a mujoco.MjModel"):
        viewer.launch_passive(None, data)
    with pytest.raises(ValueError, match="`data` is not a mujoco.MjData"):
        viewer.launch_passive(model, None)
    with pytest.raises(ValueError, match="`key_callback` is not callable"):
        viewer.launch_passive(model, data, key_callback=1)
    with pytest.raises(ValueError, match="mjData is specified but mjModel is not"):
        viewer.launch(None, data)
    with pytest.raises(ValueError, match="both specified"):
        viewer.launch(model, loader=lambda: None)
    with pytest.raises(ValueError, match="is not an address"):
        launch(pair, address="nowhere")


def test_what_a_page_does_reaches_the_script_at_sync(pair):
    model, data = pair
    keys = []
    with launch(pair, key_callback=keys.append) as handle:
        page = Page(handle.url)
        page.wait(MODEL)
        page.send(do="flag", i=14, on=True)
        page.send(do="group", kind=0, i=4, on=True)
        page.send(do="pressed", key=65)
        page.send(do="size", width=640, height=480)
        camera = dict(type=2, fixedcamid=0, trackbodyid=-1, orthographic=0)
        camera |= dict(lookat=[0, 0, 0], distance=2, azimuth=0, elevation=0)
        page.send(do="look", camera=camera)
        while not keys or handle.viewport.width == 0 or handle.cam.type != 2:
            handle.sync()
        assert keys == [65] and handle.opt.flags[14] == 1 and handle.opt.geomgroup[4] == 1
        assert handle.cam.fixedcamid == 0
        page.send(do="key", i=0)
        while data.qpos[2] != 1:
            handle.sync()


def test_pulling_leaves_the_scripts_own_forces_alone(pair):
    model, data = pair
    with launch(pair) as handle:
        data.xfrc_applied[1] = 1, 2, 3, 0, 0, 0
        handle.sync()
        assert data.xfrc_applied[1].tolist() == [1, 2, 3, 0, 0, 0]
        handle.perturb.select, handle.perturb.active = 1, 1
        handle.perturb.refselpos = 1, 0, 0.1
        handle.perturb.localmass = 1
        handle.sync()
        assert data.xfrc_applied[1][0] > 1
        handle.perturb.active = 0
        handle.sync()
        assert not data.xfrc_applied.any()


def sync_until(handle, true):
    for _ in range(2000):
        handle.sync()
        if true():
            return
        time.sleep(0.005)
    raise AssertionError("never")


def test_widgets_are_shown_and_their_input_reaches_the_script(pair):
    heard = []
    with launch(pair) as handle:
        speed = handle.add_slider("speed", 0, 2, 0.5, callback=heard.append)
        jump = handle.add_button("jump", callback=heard.append)
        shown, typed = handle.add_text("state", "idle"), handle.add_text("name", "a", heard.append)
        handle.sync()
        page = Page(handle.url)
        widgets = page.json(WIDGETS)["list"]
        assert [w["kind"] for w in widgets] == ["slider", "button", "text", "text"]
        assert [w.get("editable") for w in widgets] == [None, None, False, True]
        ids = [w["id"] for w in widgets]
        page.send(do="widget", id=ids[0], x=9)
        page.send(do="widget", id=ids[1])
        page.send(do="widget", id=ids[1])
        page.send(do="widget", id=ids[2], text="changed")
        page.send(do="widget", id=ids[3], text="b")
        sync_until(handle, lambda: len(heard) == 4)
        assert heard == [2.0, 1, 2, "b"] and speed.value == 2 and jump.value == 2
        assert shown.value == "idle" and typed.value == "b" and "speed" in repr(speed)

        # the script sets the state of the pages
        speed.value, shown.value = 1.25, "running"
        jump.remove()
        handle.sync()
        while len(widgets := page.json(WIDGETS)["list"]) == 4:
            pass
        assert widgets[0]["value"] == 1.25 and widgets[1]["text"] == "running"
        with pytest.raises(ValueError, match="low < high"):
            handle.add_slider("a", 1, 1)
        with pytest.raises(ValueError, match="not callable"):
            handle.add_button("a", 5)
    with pytest.raises(RuntimeError, match="closed"):
        handle.add_button("late")


def test_options_of_the_physics_and_keyframes_are_set_in_the_page(pair):
    model, data = pair
    with launch(pair) as handle:
        page = Page(handle.url)
        page.send(do="option", name="gravity", x=[0, 0, -1.5])
        page.send(do="option", name="timestep", x=[-1])
        page.send(do="option", name="cone", x=[1])
        sync_until(handle, lambda: model.opt.cone == 1)
        assert model.opt.gravity.tolist() == [0, 0, -1.5] and model.opt.timestep == 0.002
        data.qpos[2] = 3
        page.send(do="new_key")
        page.send(do="option", name="density", x=[1])
        sync_until(handle, lambda: model.opt.density == 1)
        while len(keys := page.json(KEYS)) == 1:
            pass
        assert keys[1]["name"] == "pose 1" and 'qpos="0 0 3 1 0 0 0"' in keys[1]["xml"]
        data.qpos[2] = 0
        page.send(do="key", i=1)
        sync_until(handle, lambda: data.qpos[2] == 3)


def test_overlays_are_sent_and_checked(pair):
    with launch(pair) as handle:
        page = Page(handle.url)
        handle.set_texts([(None, None, "a", None), (100, 1, "b", "c")])
        assert page.json(OVERLAY)["texts"] == [[150, 0, "a", ""], [100, 1, "b", "c"]]
        picture = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
        handle.set_images((sinew.MjrRect(1, 2, 4, 2), picture))
        sent = page.json(OVERLAY)["images"][0]
        assert sent["rect"] == [1, 2, 4, 2] and base64.b64decode(sent["data"]) == picture.tobytes()
        with pytest.raises(ValueError, match="does not match target shape"):
            handle.set_images((sinew.MjrRect(1, 2, 4, 3), picture))
        figure = sinew.MjvFigure()
        figure.linepnt[0] = 2
        figure.linedata[0, :4] = 0, 1, 2, 3
        handle.set_figures((sinew.MjrRect(0, 0, 50, 50), figure))
        assert page.json(OVERLAY)["figures"][0]["lines"] == [[[0, 1], [2, 3]]]
        for clear in (handle.clear_texts, handle.clear_images, handle.clear_figures):
            clear()
        assert page.json(OVERLAY) is not None


def test_changed_assets_are_sent_again(pair):
    model, data = pair
    with launch(pair) as handle:
        page = Page(handle.url)
        page.wait(MODEL)
        for update in (handle.update_hfield, handle.update_mesh, handle.update_texture):
            with pytest.raises(ValueError, match="the model has 0"):
                update(0)
    ground = sinew.MjModel.from_xml_string(
        "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 .1'/></asset>"
        "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>"
    )
    with launch((ground, sinew.MjData(ground))) as handle:
        page = Page(handle.url)
        before = page.wait(MODEL)
        ground.hfield_data[:] = 0, 1, 0, 1
        handle.update_hfield(0)
        assert page.wait(MODEL) != before


def test_launch_makes_the_steps_until_the_user_quits(pair):
    model, data = pair
    address = threading.Event()
    urls = []

    def show(url, local, open_browser):
        urls.append(url)
        address.set()

    original, viewer._show = viewer._show, show
    try:
        thread = threading.Thread(target=viewer.launch, args=(model, data))
        thread.start()
        assert address.wait(20)
        page = Page(urls[0])
        while page.json(STATE)["running"] is not True:
            pass
        page.wait(FRAME)
        while data.time < 0.05:
            page.wait(FRAME)
        page.send(do="quit")
        thread.join(20)
        assert not thread.is_alive()
    finally:
        viewer._show = original


def test_dropped_models_read_only_what_was_dropped_with_them():
    other = b"<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"
    files = [("a.xml", b"<mujoco><include file='b.xml'/></mujoco>"), ("../b.xml", other)]
    loader, folder = viewer._take_files(files)
    with folder:
        assert loader()[0].ngeom == 1
    thief = b"<mujoco><include file='/etc/passwd'/></mujoco>"
    loader, folder = viewer._take_files([("a.xml", thief)])
    with folder, pytest.raises(ValueError, match="outside the model's folder"):
        loader()
    with pytest.raises(ValueError, match="none of these files is a model"):
        viewer._take_files([("a.txt", b"")])


def test_strangers_are_refused(pair):
    with launch(pair) as handle:
        assert urllib.request.urlopen(handle.url).status == 200
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(handle.url.rsplit("/", 2)[0] + "/")
        request = urllib.request.Request(handle.url, headers={"Host": "evil.example"})
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(request)


def messages(html):
    """The messages in a recording."""
    packed = re.search(r'id="recording">([^<]*)<', html).group(1)
    data = zlib.decompress(base64.b64decode(packed))
    while data:
        (length,) = struct.unpack_from("<I", data)
        yield data[4 : 4 + length]
        data = data[4 + length :]


def test_a_recording_has_the_states_at_its_rate(pair):
    model, data = pair
    recording = sinew.Recording(model, fps=50)
    added = 0
    for _ in range(100):
        sinew.mj_step(model, data)
        added += recording.append(data)
    assert len(recording) == added == 10
    found = list(messages(recording.html()))
    times = [struct.unpack_from("<d", m, 8)[0] for m in found if m[0] == FRAME]
    assert times == pytest.approx(0.002 + 0.02 * np.arange(10))
    assert [m[0] for m in found].count(MODEL) == 1

    # without a rate every state is kept, also when time goes back
    every = sinew.Recording(model, fps=None)
    assert all(every.append(data) for _ in range(3))
    sinew.mj_resetData(model, data)
    sinew.mj_forward(model, data)
    assert recording.append(data)


def test_a_recording_is_saved_and_shows_itself(pair, tmp_path):
    model, data = pair
    sinew.mj_forward(model, data)
    with sinew.Recording(model, camera="eye") as recording:
        recording.append(data)
    recording.save(tmp_path / "a.html")
    html = (tmp_path / "a.html").read_text()
    assert html == recording.html() and html.startswith("<!doctype html>")
    assert recording._repr_html_().startswith("<iframe")
    state = next(m for m in messages(html) if m[0] == STATE)
    (length,) = struct.unpack_from("<I", state, 4)
    assert json.loads(state[8 : 8 + length])["camera"]["fixedcamid"] == 0
    for camera in ("nose", 5):
        with pytest.raises(ValueError, match="has no camera"):
            sinew.Recording(model, camera=camera)
    with pytest.raises(ValueError, match="fps"):
        sinew.Recording(model, fps=0)


def test_mujocos_name_of_the_module_is_ours():
    import subprocess
    import sys

    code = "import mujoco.viewer, sinew.viewer; assert mujoco.viewer.launch is sinew.viewer.launch"
    subprocess.run([sys.executable, "-m", "sinew.as_mujoco", "-c", code], check=True)
