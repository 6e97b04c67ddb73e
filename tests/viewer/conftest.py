"""A viewer, a browser without a window, and functions that wait for a state of the page.

The browser is Debian's Chromium, or the one that CHROMIUM names; it draws without a graphics card.
"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).parents[2]
MODELS = ROOT / "models"
# folder of images for the documentation, if requested
PICTURES = os.environ.get("SINEW_PICTURES")
SIZE = {"width": 900, "height": 560}
PATIENCE = 90.0

BALL = """<mujoco model="ball">
  <option timestep="0.002"/>
  <visual><headlight ambient=".5 .5 .5"/></visual>
  <worldbody>
    <camera name="above" pos="0 0 3"/>
    <geom name="floor" type="plane" size="3 3 .1" rgba=".2 .3 .4 1"/>
    <body name="ball" pos="0 0 .2">
      <freejoint/>
      <geom name="ball" type="sphere" size=".2" rgba="1 0 0 1"/>
    </body>
    <body pos=".8 .8 .5">
      <joint name="hinge" axis="0 1 0" damping="1" range="-90 90" limited="true"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" rgba="0 .8 0 1"/>
    </body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="50" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/><framepos name="where" objtype="body" objname="ball"/></sensor>
  <keyframe><key name="high" qpos="0 0 1 1 0 0 0 0"/></keyframe>
</mujoco>
"""


def chromium():
    names = [os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"]
    found = [path for name in names if name and (path := shutil.which(name))]
    assert found, "Chromium is needed: apt-get install chromium, or set CHROMIUM"
    return found[0]


@pytest.fixture(scope="session")
def browser():
    flags = "--no-sandbox --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags.split())
        yield browser
        browser.close()


def program():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    path = ROOT / target / "debug" / ("sinew.exe" if sys.platform == "win32" else "sinew")
    assert path.exists(), "build the program first: cargo build -p sinew-cli"
    return path


@contextlib.contextmanager
def serve(model, *options):
    """The address of `sinew view` for a model."""
    command = [program(), "view", str(model), "--no-open", "--json", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        text = ""
        while not text.rstrip().endswith("}"):
            line = process.stdout.readline()
            assert line, f"the viewer ended: {text}"
            text += line
        yield json.loads(text)["url"]
    finally:
        process.kill()
        process.wait()


class Page:
    """A page and its displayed values."""

    def __init__(self, page):
        self.page, self.errors = page, []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: m.type == "error" and self.errors.append(m.text))

    def get(self, script):
        return self.page.evaluate(script)

    def wait(self, script, what=None):
        """Waits until a script returns true, and returns its value."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            value = self.get(script)
            if value:
                return value
            time.sleep(0.05)
        raise AssertionError(f"never {what or script}: {self.errors}")

    def ready(self):
        self.wait("window.sinew?.drawn > 0", "drawn")
        return self

    def time(self):
        return self.get("sinew.frame.time")

    def geom(self, index):
        """The position of a geom of the scene."""
        return self.get(f"sinew.drawing.slots[{index}].position")

    def drawn(self):
        """Waits until pending frames have been drawn."""
        count = self.get("sinew.drawn")
        self.wait(f"sinew.drawn > {count} + 2")

    def settle(self):
        """Waits until nothing new has been drawn for a second; a frame may take half a second on a
        busy machine."""
        last, still = None, 0
        for _ in range(200):
            now = self.get("sinew.drawn")
            still = still + 1 if now == last else 0
            if still == 4:
                return
            last = now
            time.sleep(0.25)

    def pixels(self):
        """Numbers of reddish, greenish and distinct colours in the view, and the centre of the red
        pixels."""
        return self.get(
            """() => {
              sinew.drawing.render(sinew.view.update());
              const copy = document.createElement('canvas');
              copy.width = sinew.canvas.width; copy.height = sinew.canvas.height;
              const context = copy.getContext('2d');
              context.drawImage(sinew.canvas, 0, 0);
              const { data } = context.getImageData(0, 0, copy.width, copy.height);
              let red = 0, green = 0, x = 0, y = 0;
              const colors = new Set();
              for (let i = 0; i < data.length; i += 4) {
                const [r, g, b] = [data[i], data[i + 1], data[i + 2]];
                colors.add((r >> 3 << 10) + (g >> 3 << 5) + (b >> 3));
                if (r > 90 && r > 2 * g && r > 2 * b) {
                  red++; x += (i / 4) % copy.width; y += Math.floor(i / 4 / copy.width);
                }
                if (g > 70 && g > 2 * r && g > 2 * b) green++;
              }
              return { red, green, colors: colors.size, x: x / red / copy.width, y: y / red / copy.height };
            }"""
        )

    def middle_of_red(self):
        """The centre of the red pixels on the page."""
        seen = self.pixels()
        assert seen["red"] > 50, seen
        return seen["x"] * SIZE["width"], seen["y"] * SIZE["height"]

    def drag(self, start, end, button="left", steps=8):
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down(button=button)
        for k in range(1, steps + 1):
            mouse.move(*(a + (b - a) * k / steps for a, b in zip(start, end)))
            time.sleep(0.03)
        mouse.up(button=button)

    def picture(self, name):
        """Saves an image for the documentation, if requested."""
        if PICTURES:
            self.page.screenshot(path=pathlib.Path(PICTURES) / f"{name}.png")


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text(BALL)
    return path


@contextlib.contextmanager
def opened(browser, url, size=SIZE, **options):
    page = browser.new_page(viewport=size, **options)
    try:
        wrapped = Page(page)
        # the page draws its first frame asynchronously; `ready` waits for it
        page.goto(url, wait_until="commit")
        yield wrapped.ready()
        assert not wrapped.errors, wrapped.errors
    finally:
        page.close()
