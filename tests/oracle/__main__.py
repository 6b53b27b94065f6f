"""Judge any generated package: `python -m tests.oracle SOURCE_FOLDER PACKAGE [SURFACE ...]`.

Prints what was tried and every fault; exits 1 if there is one.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.oracle.judge import Judge
from tests.oracle.package import surfaces
from tests.oracle.patch import patch_of


def main(arguments: list[str]) -> int:
    """Exit code 0: no fault; 1: faults, printed; 2: not called right."""
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    source, package, *wanted = arguments
    faults = 0
    for surface in surfaces(Path(source).resolve(), package):
        if wanted and surface.name not in wanted:
            continue
        report = Judge(surface, patch_of(surface.name)).run()
        print(report, flush=True)
        for count, fault in report.grouped():
            print(f"  {count} x {fault}")
        faults += len(report.faults)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
