"""Projects: `acpgen new` makes one from a template, `acpgen update` brings a newer template into it."""

from acpgen.scaffold.making import Created, new
from acpgen.scaffold.template import KINDS
from acpgen.scaffold.updating import Updated, record, update
from acpgen.scaffold.wishes import Wishes, protocols

__all__ = [
    "KINDS",
    "Created",
    "Updated",
    "Wishes",
    "new",
    "protocols",
    "record",
    "update",
]
