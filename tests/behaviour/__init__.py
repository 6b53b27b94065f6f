"""What the generated package does, seen from outside.

Importing this package makes the committed bindings importable.
"""

from tests.behaviour import bindings as bindings
