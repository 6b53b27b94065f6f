"""The independent judges: of generated models (see `judge`), and of diffs (see `diff_check`).

No judge uses acpgen: the contract schema is read as plain JSON and judged by the jsonschema library.
What is judged comes from acpgen, in the tests.
"""
