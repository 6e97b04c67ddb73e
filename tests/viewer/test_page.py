"""A user's actions in the page of `sinew view`, with real mouse and key events."""

import math
import time

from conftest import BALL, MODELS, SIZE, opened, serve

MIDDLE = (450, 300)


def test_a_model_is_drawn_and_runs_at_the_pace_of_the_clock(browser, ball):
    with serve(ball) as url, opened(browser, url) as page:
        assert "ball.xml" in page.page.title()
        seen = page.pixels()
        assert seen["red"] > 300 and seen["green"] > 30 and seen["colors"] > 20, seen
        page.wait("sinew.frame.time > 1.5")
        pace = page.get("sinew.frame.numbers[4][4]")
        assert 0.8 < pace < 1.2, pace


def test_the_view_turns_moves_and_zooms(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url) as page:
        before = page.get("({...sinew.view.is, lookat: [...sinew.view.is.lookat]})")
        red = page.pixels()["red"]
        page.drag(MIDDLE, (550, 330))
        turned = page.get("sinew.view.is")
        assert turned["azimuth"] < before["azimuth"] - 10 and turned["elevation"] < before["elevation"]
        page.drag(MIDDLE, (350, 300), button="right")
        assert page.get("sinew.view.is.lookat") != before["lookat"]
        page.page.mouse.wheel(0, -400)
        page.wait(f"sinew.view.is.distance < {0.8 * before['distance']}")
        assert page.pixels()["red"] != red


def test_a_body_is_pulled_while_it_runs(browser, ball):
    with serve(ball) as url, opened(browser, url) as page:
        page.page.click("#do-hand")
        x, y = page.middle_of_red()
        start = page.geom(1)
        mouse = page.page.mouse
        mouse.move(x, y)
        mouse.down()
        page.wait("sinew.state.held", "held")
        for k in range(1, 9):
            mouse.move(x - 15 * k, y)
        page.wait(f"Math.abs(sinew.drawing.slots[1].position[0] - {start[0]}) > 0.08", "moved")
        mouse.up()
        page.wait("!sinew.state.held", "let go")
        assert page.middle_of_red()[0] < x - 20
        assert page.get("sinew.model.bodies[sinew.state.selected]") == "ball"


def test_a_body_is_moved_while_time_stands_still(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url) as page:
        x, y = page.middle_of_red()
        page.page.mouse.dblclick(x, y)
        page.wait("sinew.state.selected", "selected")
        time_before, start = page.time(), page.geom(1)
        page.page.keyboard.down("Control")
        page.drag((x, y), (x + 80, y), button="right")
        page.page.keyboard.up("Control")
        page.wait(f"Math.abs(sinew.drawing.slots[1].position[0] - {start[0]}) > 0.1", "moved")
        assert page.time() == time_before


def test_time_is_paused_stepped_slowed_scrubbed_and_reset(browser, ball):
    with serve(ball) as url, opened(browser, url) as page:
        page.wait("sinew.frame.time > 0.7")
        page.page.keyboard.press("Space")
        page.wait("!sinew.state.running", "paused")
        page.settle()
        now = page.time()
        page.page.keyboard.press("ArrowRight")
        page.wait(f"Math.abs(sinew.frame.time - {now} - 0.002) < 1e-6", "one step")
        page.page.click("#do-step")
        page.wait(f"Math.abs(sinew.frame.time - {now} - 0.004) < 1e-6", "another step")

        # back through the history with the slider, by a real drag
        box = page.page.locator("#scrub").bounding_box()
        y = box["y"] + box["height"] / 2
        page.drag((box["x"] + box["width"] - 8, y), (box["x"] + box["width"] * 0.2, y))
        page.wait(f"sinew.frame.time < {0.6 * now}", "scrubbed")
        page.page.keyboard.press("Backspace")
        page.wait("sinew.frame.time === 0", "reset")
        page.page.select_option("#key", label="high")
        page.wait("sinew.drawing.slots[1].position[2] > 0.9", "at the keyframe")
        page.page.select_option("#speed", label="10 %")
        page.wait("sinew.state.speed === 0.1", "slow")
        page.page.click("#do-play")
        page.wait("sinew.state.running", "running")


def test_sliders_set_controls_and_joints(browser, ball):
    with serve(ball) as url, opened(browser, url) as page:
        box = page.page.locator("#control-0").bounding_box()
        y = box["y"] + box["height"] / 2
        page.drag((box["x"] + box["width"] / 2, y), (box["x"] + box["width"] * 0.85, y))
        page.wait("sinew.frame.numbers[0][0] > 0.4", "controlled")
        page.wait("sinew.frame.numbers[1][0] > 0.3", "the joint followed")
        page.page.click("#clear-controls")
        page.wait("sinew.frame.numbers[0][0] === 0", "cleared")
        page.page.keyboard.press("Space")
        page.page.click("#section-joints summary")
        page.page.locator("#joint-0").evaluate(
            "node => { node.value = '-1.2'; node.dispatchEvent(new Event('input')); }"
        )
        page.wait("Math.abs(sinew.frame.numbers[1][0] + 1.2) < 0.01", "placed")


def test_plots_show_energy_solver_and_sensors(browser, ball):
    with serve(ball) as url, opened(browser, url) as page:
        page.page.select_option("#add-plot", label="where")
        page.wait("sinew.right.plots.length === 4")
        page.wait("sinew.right.plots.every(p => p.data[0].length > 5)", "data")
        page.wait("document.querySelectorAll('#plot-energy canvas').length === 1")
        energy = page.get("sinew.right.plots[0].data.map(list => list.at(-1))")
        assert math.isclose(energy[1] + energy[2], energy[3], rel_tol=1e-5)
        drawn = """() => {
          const c = document.querySelector('#plot-energy canvas');
          const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          return d.some((x, i) => i % 4 === 1 && x > 150 && d[i - 1] < 140);
        }"""
        page.wait(f"({drawn})()", "a curve")


def test_everything_mjv_shows_is_switched_by_keys_and_buttons(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url) as page:
        count = page.get("sinew.drawing.slots.length")
        page.page.keyboard.press("c")
        page.wait(f"sinew.drawing.slots.length > {count}", "contacts")
        assert page.page.locator("#flag-14").is_checked()
        page.page.keyboard.press("f")
        page.wait("sinew.state.flags[16] === 1", "forces")
        page.page.select_option("#frame", label="Body")
        page.page.select_option("#label", label="Body")
        page.wait("sinew.drawing.labels.group.children.length >= 2", "labels")
        page.page.click("#group-0-0")
        page.wait("sinew.state.groups[0][0] === 0", "a group is hidden")
        page.wait("!sinew.drawing.slots.some(s => s.geom.objtype === 5)", "geoms are hidden")


def test_cameras_of_the_model_are_looked_through(browser, ball):
    with serve(ball, "--paused", "--camera", "above") as url, opened(browser, url) as page:
        page.wait("sinew.view.is.type === 2", "through the camera")
        x, y = page.middle_of_red()
        assert abs(x - SIZE["width"] / 2) < 12 and abs(y - SIZE["height"] / 2) < 12
        page.page.keyboard.press("Escape")
        page.wait("sinew.view.is.type === 0", "free")
        page.page.keyboard.press("]")
        page.wait("sinew.view.is.type === 2", "through the camera again")


def test_a_broken_save_is_shown_at_its_line_and_a_good_one_is_loaded(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url) as page:
        ball.write_text(BALL.replace('rgba="1 0 0 1"', 'rgbb="1 0 0 1"'))
        page.page.wait_for_selector("#notices article.error", timeout=20000)
        text = page.page.inner_text("#notices")
        line = 1 + next(n for n, text in enumerate(BALL.splitlines()) if "rgba=\"1 0 0 1\"" in text)
        assert "rgbb" in text and f":{line}:" in text, text
        assert page.pixels()["red"] > 300
        page.picture("viewer-diagnostics")
        ball.write_text(BALL.replace('rgba="1 0 0 1"', 'rgba="0 0 1 1"'))
        page.wait("!document.querySelector('#notices article')", "no more errors")
        page.wait("sinew.drawing.slots.some(s => s.geom.rgba[2] === 1 && s.geom.rgba[0] === 0)", "blue")
        page.settle()
        assert page.pixels()["red"] == 0


def test_pictures_and_videos_are_saved_and_files_are_loaded(browser, ball):
    with serve(ball) as url, opened(browser, url, accept_downloads=True) as page:
        with page.page.expect_download() as download:
            page.page.click("#do-picture")
        saved = download.value.path().read_bytes()
        assert saved.startswith(b"\x89PNG") and len(saved) > 5000
        page.page.click("#do-video")
        first = page.time()
        page.wait(f"sinew.frame.time > {first + 1.5}")
        with page.page.expect_download() as download:
            page.page.click("#do-video")
        assert len(download.value.path().read_bytes()) > 1000
        page.page.set_input_files("#file", MODELS / "pendulum.xml")
        page.wait("sinew.model.name === 'pendulum.xml'", "another model")
        page.page.keyboard.press("F1")
        assert page.page.locator("#help .card").is_visible()


def test_two_pages_see_the_same_simulation(browser, ball):
    with serve(ball) as url, opened(browser, url) as one, opened(browser, url) as two:
        one.page.bring_to_front()
        one.page.keyboard.press("Space")
        two.page.bring_to_front()
        two.wait("!sinew.state.running", "paused for both")


def test_a_humanoid_falls_and_its_contact_forces_are_seen(browser):
    size = {"width": 1280, "height": 760}
    with serve(MODELS / "humanoid.xml") as url, opened(browser, url, size=size) as page:
        page.page.keyboard.press("c")
        page.page.keyboard.press("f")
        page.wait("sinew.frame.time > 1.2 && sinew.frame.numbers[3][3] > 2", "on the ground")
        page.page.keyboard.press("Space")
        page.wait("!sinew.state.running", "paused")
        page.settle()
        page.get("Object.assign(sinew.view.is, { azimuth: 130, elevation: -22 }); sinew.looked()")
        decor = page.get("sinew.drawing.slots.filter(s => s.geom.category === 4).length")
        assert decor > 2, decor
        assert page.pixels()["colors"] > 150
        page.picture("viewer-humanoid")


PHONE = {"width": 390, "height": 760}
INSIDE = """() => [...document.querySelectorAll('header button, header select, footer input')]
  .filter(e => e.offsetParent && getComputedStyle(e).visibility !== 'hidden')
  .map(e => [e.id, e.getBoundingClientRect()])
  .filter(([, b]) => b.width > 0 && (b.left < 0 || b.right > innerWidth + 0.5 || b.bottom > innerHeight))
  .map(([id]) => id)"""


def test_nothing_of_the_header_is_cut_off(browser, ball):
    for width in (390, 768, 1000):
        size = {"width": width, "height": 600}
        with serve(ball, "--paused") as url, opened(browser, url, size) as page:
            page.get("sinew.send({ do: 'select', camera: sinew.view.is, aspect: 1, x: .5, y: .5 })")
            page.wait("sinew.state.selected !== undefined")
            page.get("document.querySelector('#selected').textContent = 'a_body_with_a_long_name'")
            assert page.get(INSIDE) == [], width
            page.page.click("#do-help")
            page.wait("document.querySelector('#help').classList.contains('on')", "help")
            card = page.page.locator("#help .card").bounding_box()
            assert card["x"] >= 0 and card["x"] + card["width"] <= width, (width, card)


def test_a_phone_reaches_everything(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url, PHONE, has_touch=True) as page:
        # panels are folded at first, and cover the view one at a time
        left, right = page.page.locator("#left"), page.page.locator("#right")
        assert not left.is_visible() and not right.is_visible()
        page.page.tap("#do-right")
        assert right.is_visible() and page.page.locator("#control-0").is_visible()
        page.picture("viewer-phone-panel")
        page.page.tap("#do-left")
        assert left.is_visible() and not right.is_visible()
        page.page.tap("#do-left")
        assert not left.is_visible()

        # the menu has the cameras, keyframes and pictures
        assert not page.page.locator("#camera").is_visible()
        page.page.tap("#do-menu")
        for part in ("#camera", "#key", "#do-picture", "#do-video", "#do-reload"):
            assert page.page.locator(part).is_visible(), part
        assert page.get(INSIDE) == []
        page.picture("viewer-phone-menu")
        page.page.tap("#do-menu")
        page.page.tap("#do-play")
        page.wait("sinew.state.running", "running")


class Fingers:
    """Touches of the page, as the browser receives them from a screen."""

    def __init__(self, page):
        self.session = page.page.context.new_cdp_session(page.page)
        self.time = time.time()

    def send(self, kind, *points):
        # events are 20 ms apart, however busy the machine is
        self.time += 0.02
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        event = {"type": kind, "touchPoints": touches, "timestamp": self.time}
        self.session.send("Input.dispatchTouchEvent", event)

    def move(self, start, end, steps=8):
        """Fingers from some points to others."""
        self.send("touchStart", *start)
        for k in range(1, steps + 1):
            mix = [(a + (c - a) * k / steps, b + (d - b) * k / steps) for (a, b), (c, d) in zip(start, end)]
            self.send("touchMove", *mix)
        self.send("touchEnd")


def test_fingers_turn_zoom_select_and_pull(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url, PHONE, has_touch=True) as page:
        fingers = Fingers(page)
        # a body: two taps select it, the hand pulls it
        seen = page.pixels()
        x, y = seen["x"] * PHONE["width"], seen["y"] * PHONE["height"]
        for _ in range(2):
            fingers.move([(x, y)], [(x, y)], steps=0)
        page.wait("sinew.model.bodies[sinew.state.selected] === 'ball'", "selected")
        start = page.geom(1)
        page.page.tap("#do-hand")
        fingers.time += 1
        fingers.send("touchStart", (x, y))
        page.wait("sinew.state.held", "held")
        for k in range(1, 9):
            fingers.send("touchMove", (x + 8 * k, y))
        page.wait(f"Math.abs(sinew.drawing.slots[1].position[0] - {start[0]}) > 0.02", "pulled")
        fingers.send("touchEnd")
        page.wait("!sinew.state.held", "let go")

        # the view
        page.page.tap("#do-hand")
        before = page.get("({...sinew.view.is, lookat: [...sinew.view.is.lookat]})")
        fingers.move([(200, 400)], [(280, 430)])
        page.wait(f"sinew.view.is.azimuth < {before['azimuth']} - 5", "turned")
        fingers.move([(150, 400), (250, 400)], [(100, 400), (300, 400)])
        page.wait(f"sinew.view.is.distance < {0.7 * before['distance']}", "nearer")
        fingers.move([(150, 400), (250, 400)], [(150, 500), (250, 500)])
        assert page.get("sinew.view.is.lookat") != before["lookat"]


def test_plots_are_chosen_and_removed_and_names_are_whole(browser, ball):
    with serve(ball) as url, opened(browser, url) as page:
        page.page.select_option("#add-plot", label="hinge (joint)")
        page.wait("sinew.right.plots.some(p => p.node.id === 'plot-joint-0' && p.data[0].length > 5)", "data")
        page.page.click("#plot-joint-0 .close")
        assert page.get("sinew.right.plots.every(p => p.node.id !== 'plot-joint-0')")
        name = page.page.locator(".slider span").first
        assert name.evaluate("e => e.scrollWidth <= e.clientWidth")


def test_physics_is_edited_while_it_runs(browser, ball):
    size = {"width": 1280, "height": 900}
    with serve(ball, "--paused") as url, opened(browser, url, size) as page:
        page.page.click("#section-physics summary")
        # no gravity: the ball that was lifted stays
        page.page.fill("#option-gravity-2", "0")
        page.page.keyboard.press("Enter")
        page.wait("sinew.state.physics.some(x => x.length === 3 && x[2] === 0)", "no gravity")
        page.page.select_option("#key", label="high")
        page.page.click("#do-play")
        page.wait("sinew.frame.time > 0.5")
        assert abs(page.geom(1)[2] - 1) < 1e-6
        page.page.uncheck("#option-contact")
        page.page.select_option("#option-integrator", label="implicit")
        page.page.fill("#option-gravity-2", "-9.81")
        page.page.keyboard.press("Enter")
        page.wait("sinew.drawing.slots[1].position[2] < -0.5", "it falls through the floor")
        page.page.fill("#option-timestep", "-5")
        page.page.keyboard.press("Enter")
        page.wait("sinew.state.physics[0][0] === 1e-6", "the nearest value")
        page.picture("viewer-physics")


def test_a_number_that_is_being_typed_stays(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url) as page, opened(browser, url) as other:
        for each in (page, other):
            each.page.click("#section-physics summary")
        page.page.fill("#option-timestep", "0.001")
        other.page.select_option("#option-integrator", label="implicit")
        chosen = "document.querySelector('#option-integrator').selectedOptions[0].label"
        page.wait(f"{chosen} === 'implicit'", "the other page's choice")
        assert page.page.input_value("#option-timestep") == "0.001"
        page.page.keyboard.press("Enter")
        other.wait("+document.querySelector('#option-timestep').value === 0.001", "the number")


def test_keyframes_are_set_from_the_pose(browser, ball):
    with serve(ball, "--paused") as url, opened(browser, url) as page:
        page.page.click("#section-joints summary")
        page.page.locator("#joint-0").evaluate(
            "node => { node.value = '-1.2'; node.dispatchEvent(new Event('input')); }"
        )
        page.wait("Math.abs(sinew.frame.numbers[1][0] + 1.2) < 0.01", "placed")
        page.page.click("#section-keyframes summary")
        page.page.click("#new-key")
        page.page.wait_for_selector("#key-1", timeout=20000)
        page.page.keyboard.press("Backspace")
        page.wait("sinew.frame.numbers[1][0] === 0", "reset")
        page.page.select_option("#key", label="pose 1")
        page.wait("Math.abs(sinew.frame.numbers[1][0] + 1.2) < 0.01", "the pose")
        page.page.click("#key-set-0")
        page.page.click("#key-show-0")
        text = page.page.locator("#key-xml-0")
        assert text.input_value().startswith('<key name="high" qpos="0 0 0.2 1 0 0 0 -1.2')
        page.page.click("#key-1")


def test_the_profiler_shows_where_a_step_spends_its_time(browser, ball):
    size = {"width": 1280, "height": 900}
    with serve(ball) as url, opened(browser, url, size) as page:
        page.page.click("#section-profiler summary")
        page.wait("document.querySelector('#step-time').textContent.endsWith('for a step')", "a time")
        step, *stages = page.get("[...sinew.frame.numbers[7]]")
        assert 0 < step < 1e5 and all(0 <= x <= step * 1.001 for x in stages)
        shown = page.page.locator("#section-profiler .stage").all_inner_texts()
        assert len(shown) == 10 and any("Collision" in text for text in shown)
        page.picture("viewer-profiler")
