"""Agents and clients of the generated bindings against the official SDKs, over stdio.

`agent.py` and `client.py` are programs: they speak the directive protocol of peers/HARNESS.md,
which the scripts in peers/ speak too. Importing this package makes the committed bindings
importable; an installed copy, or one on PYTHONPATH, comes first.
"""

import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "generated" / "src"

if str(SOURCE) not in sys.path:
    sys.path.append(str(SOURCE))
