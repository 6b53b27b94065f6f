"""What the commands of a page print: python -m tests.docs docs/tutorial-publish.md"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.docs.shell import play

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        for command, code, shown in play(Path(sys.argv[1]).read_text(), Path(temporary)):
            print(f"$ {command.text}" + (f"   # exit {code}" if code else ""))
            print("".join(f"{line}\n" for line in shown), end="", flush=True)
