"""Benchmarks of acpgen beside its peers: `python -m benchmarks`. See README.md in this folder."""
