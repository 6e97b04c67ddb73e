"""The viewer and recordings of the Python package, in a browser."""

import threading
import time

import sinew
from conftest import BALL, opened
from sinew import viewer


class Script(threading.Thread):
    """A user's script that makes steps and shows them."""

    def __init__(self, handle, model, data):
        super().__init__(daemon=True)
        self.handle, self.model, self.data = handle, model, data
        self.done = threading.Event()

    def run(self):
        while not self.done.is_set() and self.handle.is_running():
            with self.handle.lock():
                sinew.mj_step(self.model, self.data)
            self.handle.sync()
            time.sleep(0.002)


def start(**options):
    model = sinew.MjModel.from_xml_string(BALL)
    data = sinew.MjData(model)
    return model, data, viewer.launch_passive(model, data, open_browser=False, **options)


def test_a_script_is_shown_and_shares_camera_options_and_geoms_with_the_page(browser):
    keys = []
    model, data, handle = start(key_callback=keys.append)
    with handle:
        handle.cam.azimuth = 33
        geom = handle.user_scn.geoms[0]
        sinew.mjv_initGeom(geom, 6, [0.1, 0.1, 0.1], [0.5, 0, 0.5], None, [0, 1, 0, 1])
        handle.user_scn.ngeom = 1
        handle.set_texts((None, None, "speed", "fast"))
        script = Script(handle, model, data)
        script.start()
        with opened(browser, handle.url) as page:
            page.wait("sinew.view.is.azimuth === 33", "the script's camera")
            page.wait("document.querySelector('#overlay')?.innerText.includes('fast')", "a text")
            assert page.get("sinew.drawing.slots.at(-1).geom.rgba") == [0, 1, 0, 1]
            assert page.get("sinew.state.passive")

            # actions in the page reach the script
            page.page.keyboard.press("c")
            page.wait("sinew.state.flags[14] === 1", "contacts")
            page.drag((450, 300), (500, 300))
            page.page.click("#do-hand")
            x, y = page.middle_of_red()
            page.page.mouse.move(x, y)
            page.page.mouse.down()
            page.wait("sinew.state.held", "held")
            assert handle.perturb.select == 1 and handle.perturb.active
            page.page.mouse.up()
            page.wait("!sinew.state.held", "let go")
        script.done.set()
        script.join()
        assert handle.opt.flags[14] == 1
        assert handle.cam.azimuth != 33
        assert ord("C") in keys
        assert handle.viewport.width == 900
    assert not handle.is_running()


def test_widgets_of_a_script_are_used_in_the_page(browser):
    model, data, handle = start()
    with handle:
        heard = []
        speed = handle.add_slider("walking speed of the robot", 0, 2, 0.5, heard.append)
        jump = handle.add_button("Jump")
        state, note = handle.add_text("state", "idle"), handle.add_text("note", editable=True)
        script = Script(handle, model, data)
        script.start()
        with opened(browser, handle.url, {"width": 1280, "height": 900}) as page:
            page.page.wait_for_selector("#section-script", timeout=20000)
            slider = page.page.locator("#section-script input[type=range]")
            assert slider.input_value() == "0.5"
            slider.fill("1.5")
            page.page.get_by_text("Jump").click()
            typed = page.page.locator("#section-script input[type=text]")
            typed.fill("w c")
            typed.press("Enter")
            page.wait("true")
            for _ in range(400):
                if heard and jump.value and note.value:
                    break
                time.sleep(0.05)
            assert heard[-1] == 1.5 and jump.value == 1 and note.value == "w c"
            # letters that are typed are no keys of the view
            assert page.get("sinew.state.flags[14]") == 0
            state.value, speed.value = "walking", 0.25
            page.wait("document.querySelector('#section-script output[id]').textContent === 'walking'", "a text")
            page.wait("document.querySelector('#section-script input[type=range]').value === '0.25'", "the slider")
            page.picture("viewer-widgets")
            jump.remove()
            page.wait("!document.querySelector('#section-script button')", "no button")
        script.done.set()
        script.join()


def test_a_recording_plays_without_a_server(browser, tmp_path):
    model = sinew.MjModel.from_xml_string(BALL)
    data = sinew.MjData(model)
    sinew.mj_resetDataKeyframe(model, data, 0)
    recording = sinew.Recording(model, name="fall")
    while data.time < 1.5:
        sinew.mj_step(model, data)
        recording.append(data)
    path = tmp_path / "fall.html"
    recording.save(path)
    with opened(browser, path.as_uri()) as page:
        assert page.get("sinew.model.name") == "fall"
        page.wait("sinew.frame.time > 0.3", "it plays")
        page.page.keyboard.press("Space")
        page.wait("!sinew.state.running", "paused")

        # finally the ball lies on the ground, with a contact force
        page.get("sinew.send({ do: 'scrub', i: 10000 })")
        page.wait("sinew.frame.time > 1.4", "scrubbed")
        assert page.geom(1)[2] < 0.25
        forces = "sinew.drawing.slots.filter(s => s.geom.extra && s.object?.visible).length"
        page.wait(f"{forces} > 0", "a force")
        page.page.click("#show-extra")
        page.wait(f"{forces} === 0", "no force")
        page.get("sinew.send({ do: 'scrub', i: 0 })")
        page.wait("sinew.drawing.slots[1].position[2] > 0.9", "at the start")
        assert page.pixels()["red"] > 100
