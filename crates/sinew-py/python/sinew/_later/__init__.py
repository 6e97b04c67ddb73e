"""Names of MuJoCo's packages other than 3.5.0: names from `names.tsv`, and names written here.

`fields` gives classes their other fields, and `computed` has the fields with a value of their own.
`functions`, `classes` and `elements` have the other names. `layout` brings them to all classes.
`sinew._names` reads the table.
"""
