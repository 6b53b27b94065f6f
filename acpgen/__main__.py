"""`python -m acpgen`."""

from acpgen.cli import app

if __name__ == "__main__":
    app(prog_name="acpgen")
