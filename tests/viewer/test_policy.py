"""`sinew view --policy`: a network drives a robot, and the keyboard commands it."""

import json
import struct
import subprocess

from conftest import opened, program, serve

CART = """<mujoco model="cart">
  <option timestep="0.01"/>
  <worldbody>
    <geom type="plane" size="3 3 .1" rgba=".2 .3 .4 1"/>
    <body pos="0 0 .2"><joint name="x" type="slide" axis="1 0 0"/><geom size=".2" mass="1" rgba="1 0 0 1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="x"/></actuator>
</mujoco>"""


def varint(n):
    out = b""
    while n >= 0x80:
        out, n = out + bytes([n & 0x7F | 0x80]), n >> 7
    return out + bytes([n])


def part(number, content):
    """A field of a protocol buffer: an integer, a text or a message."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def value(name, size):
    shape = b"".join(part(1, part(1, n)) for n in (1, size))
    return part(1, name) + part(2, part(1, part(1, 11) + part(2, shape)))


def weight(name, *numbers):
    shape, raw = part(1, 1) + part(1, len(numbers)), struct.pack(f"<{len(numbers)}d", *numbers)
    return part(5, shape + part(2, 11) + part(8, name) + part(9, raw))


def node(operator, inputs, output):
    return part(1, b"".join(part(1, name) for name in inputs) + part(2, output) + part(4, operator))


def policy(commands, size):
    """Pulls the cart to the first command: 30 (command - qpos) - 10 qvel."""
    nodes = [
        node("Slice", ["command", "zero", "one", "one"], "place"),
        node("Sub", ["place", "qpos"], "miss"),
        node("Mul", ["miss", "stiffness"], "pull"),
        node("Mul", ["qvel", "damping"], "brake"),
        node("Sub", ["pull", "brake"], "ctrl"),
    ]
    numbers = [part(5, part(1, 1) + part(2, 7) + part(8, n) + part(9, struct.pack("<q", x))) for n, x in (("zero", 0), ("one", 1))]
    weights = [weight("stiffness", 30.0), weight("damping", 10.0), *numbers]
    inputs = [part(11, value(name, n)) for name, n in (("qpos", 1), ("qvel", 1), ("command", size))]
    graph = part(7, b"".join([*nodes, *weights, *inputs, part(12, value("ctrl", 1))]))
    about = {"sinew.period": "0.02", "sinew.commands": json.dumps(commands)}
    return graph + b"".join(part(14, part(1, k) + part(2, v)) for k, v in about.items())


def files(folder, commands):
    (folder / "cart.xml").write_text(CART)
    (folder / "drive.onnx").write_bytes(policy(commands, len(commands)))
    return folder / "cart.xml", folder / "drive.onnx"


def test_arrow_keys_command_a_robot(browser, tmp_path):
    commands = [["forward", -1, 1], ["to the left", -0.3, 0.3], ["turn", -1, 1]]
    model, network = files(tmp_path, commands)
    size = {"width": 1280, "height": 760}
    with serve(model, "--policy", str(network)) as url, opened(browser, url, size) as page:
        page.page.wait_for_selector("#section-script input", timeout=20000)
        shown = page.page.locator("#section-script .slider span").all_inner_texts()
        assert shown == ["forward", "to the left", "turn"]
        for _ in range(5):
            page.page.keyboard.press("ArrowUp")
        page.page.keyboard.press("ArrowLeft")
        page.page.keyboard.press("Shift+ArrowRight")
        page.wait("Math.abs(sinew.drawing.slots[1].position[0] - 0.5) < 0.02", "half a metre forward")
        values = "[...document.querySelectorAll('#section-script input')].map(i => +i.value)"
        page.wait(f"{values}.every((x, i) => Math.abs(x - [0.5, -0.03, 0.1][i]) < 1e-6)", "the sliders")
        assert page.get("sinew.state.running")
        page.picture("viewer-policy")

        # the slider does the same, and Enter is rest
        page.page.locator("#section-script input").first.fill("-0.8")
        page.wait("Math.abs(sinew.drawing.slots[1].position[0] + 0.8) < 0.02", "back")
        page.page.locator("canvas#view").click()
        page.page.keyboard.press("Enter")
        page.wait("Math.abs(sinew.drawing.slots[1].position[0]) < 0.02", "in the middle")


def test_a_policy_that_does_not_fit_says_why(tmp_path):
    model, network = files(tmp_path, [["forward", -1, 1]])
    other = tmp_path / "other.xml"
    other.write_text(CART.replace('<joint name="x" type="slide" axis="1 0 0"/>', '<freejoint name="x"/>'))
    for shown, path, why in (
        (other, network, "takes 1 numbers of qpos, and the model has 7"),
        (model, model, "is not a policy"),
        (model, tmp_path / "missing.onnx", "cannot read"),
    ):
        command = [program(), "view", str(shown), "--policy", str(path), "--no-open"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert done.returncode == 1 and why in done.stderr, done.stderr
