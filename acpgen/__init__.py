"""acpgen: Python bindings from the schemas of the Agent Client Protocol."""

__version__ = "0.1.0"
