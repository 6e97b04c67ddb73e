"""Editable models: `MjSpec` and its elements.

`fields` lists what elements have and `values` keeps it; `base`, `elements`, `actuator` and
`settings` are the classes, `add` gives them `add_*`; `read` makes them from a file, `build` hands
them to the compiler, `tree` attaches, deletes and copies, `write` (with `write_parts` and `xml`)
saves; `spec` is the model, and `bind` leads from it to the compiled one.
"""
