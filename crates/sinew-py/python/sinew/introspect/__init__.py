"""The C interface of MuJoCo 3.5.0 as data: enumerations, structs and functions with their types.

The modules `enums`, `structs` and `functions` describe MuJoCo's interface, for binding generators.
Sinew itself does not have these C headers.
"""
