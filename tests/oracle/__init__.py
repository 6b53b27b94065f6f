"""The independent judge of generated models.

Nothing here uses acpgen: the contract schema is read as plain JSON and judged by the jsonschema
library. See `judge`.
"""
