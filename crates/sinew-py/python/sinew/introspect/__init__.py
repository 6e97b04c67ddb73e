"""The C interface of MuJoCo 3.5.0 as data: enumerations, structs and functions with their types.

For tools that make bindings: what the modules `enums`, `structs` and `functions` describe is MuJoCo's
interface; Sinew itself has no C headers.
"""
