"""Editable models: `MjSpec` and its elements.

An element is the handle of a record that Rust keeps. `fields` lists the attributes of elements, and
`values` reads and writes them. `base`, `elements`, `actuator` and `settings` are the classes, and
`add` gives them `add_*`. `tree` attaches, deletes and copies. `spec` is the model, and `bind` leads
from it to the compiled model.
"""
