"""Text from an agent, made safe to print: it must not drive the terminal that shows it."""

from __future__ import annotations

# Control characters become the pictures that Unicode has for them; the other characters below
# reorder or hide text, or are controls of eight bits.
_PICTURES = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_HIDDEN = [
    0x7F,
    *range(0x80, 0xA0),
    0x061C,
    *range(0x200B, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2060, 0x2070),
    0xFEFF,
    *range(0xD800, 0xE000),
    *range(0xE0000, 0xE0080),
]
_TABLE: dict[int, int | str] = {**_PICTURES, **dict.fromkeys(_HIDDEN, 0xFFFD)}
del _TABLE[0x200D]  # joins emoji; harmless


def clean(text: str) -> str:
    """The text without anything that a terminal obeys, but for newlines and tabs."""
    return text.replace("\r\n", "\n").translate(_TABLE)


def one_line(text: str, limit: int = 200) -> str:
    """The text on one line, shortened to `limit` characters."""
    head = " ".join(clean(text[: 4 * limit]).split())
    if len(head) > limit or len(text) > 4 * limit:
        return head[: limit - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return head


def clip(text: str, lines: int = 20, width: int = 400) -> list[str]:
    """The first lines of a text, each shortened; the last one says how many are missing."""
    head = text[: (lines + 1) * width].split("\n")
    if len(head) > 1 and head[-1] == "" and len(text) <= (lines + 1) * width:
        head.pop()
    found = [one_line_kept(line, width) for line in head[:lines]]
    rest = text.count("\n") + (not text.endswith("\n")) - lines
    if rest > 0:
        found.append(f"({rest} more lines)")
    elif len(text) > (lines + 1) * width:
        found.append(f"({len(text)} characters in all)")
    return found


def one_line_kept(line: str, width: int) -> str:
    """A line as it is, indentation included, shortened to `width` characters."""
    if len(line) > width:
        return clean(line[: width - 1]) + "\N{HORIZONTAL ELLIPSIS}"
    return clean(line)
