"""Taking a module apart, and putting it in an order that runs."""

from __future__ import annotations

import pytest

from acpgen.emit.statements import closure, ordered, statements, without_imports

MODULE = '''from __future__ import annotations

from typing import Literal

class Late(Base):
    """Late."""

    items: list[Item] = Field(default_factory=list[Default])
    later: Other = Field(default_factory=lambda: Later())


Alias: TypeAlias = Annotated[Union[Late, "Item"], Tagged("Base", {"Default": Default})]
"""The alias."""

Word: TypeAlias = Literal["Item", "x"]


class Base(Model):
    pass


Late.model_rebuild()
'''


def test_what_a_statement_needs() -> None:
    found = statements(without_imports(MODULE))
    assert sorted(found) == ["Alias", "Base", "Late", "Word"]
    late = found["Late"]
    assert late.is_class and late.hard == {"Base", "Field", "list", "Default"}
    assert {"Item", "Other", "Later"} <= late.soft
    assert found["Alias"].hard >= {"Late", "Item", "Default", "Tagged"}
    assert "Item" not in found["Word"].names


def test_text_keeps_docstrings_and_loses_quotes_around_names() -> None:
    found = statements(without_imports(MODULE))
    assert found["Alias"].text == (
        'Alias: TypeAlias = Annotated[Union[Late, Item], Tagged("Base", {"Default": Default})]\n'
        '"""The alias."""'
    )
    assert found["Word"].text == 'Word: TypeAlias = Literal["Item", "x"]'
    assert "model_rebuild" not in "".join(item.text for item in found.values())


def test_order() -> None:
    names = [item.name for item in ordered(statements(without_imports(MODULE)))]
    assert names.index("Base") < names.index("Late") < names.index("Alias")


def test_a_circle_of_annotations_is_fine_and_one_of_bases_is_not() -> None:
    text = "class A(M):\n    b: B\n\n\nclass B(M):\n    a: A\n\n\nU: TypeAlias = A | B\n"
    assert sorted(item.name for item in ordered(statements(text))) == ["A", "B", "U"]
    with pytest.raises(ValueError, match="need each other"):
        ordered(statements("class A(B):\n    pass\n\n\nclass B(A):\n    pass\n"))


def test_an_alias_between_two_classes_of_a_circle() -> None:
    text = (
        "class Holder(M):\n    u: U\n\n\nclass Part(M):\n    holder: Holder\n\n\n"
        "U: TypeAlias = Part | Holder\n"
    )
    names = [item.name for item in ordered(statements(text))]
    assert names.index("U") > max(names.index("Part"), names.index("Holder"))


def test_closure() -> None:
    text = "A: TypeAlias = B | C\n\nB: TypeAlias = int\n\nC: TypeAlias = B\n\nD: TypeAlias = A\n"
    assert closure(statements(text), ["A", "Nothing"]) == {"A", "B", "C"}
