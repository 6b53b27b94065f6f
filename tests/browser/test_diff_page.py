"""The page of a diff in a real browser: filters, links, history, keyboard, sizes, schemes, and without JavaScript."""

from __future__ import annotations

import pytest

from tests.browser.page import DiffPage
from tests.unit.diff.samples import findings

TOTAL = len(findings())
DOWN, UP, ENTER, ESCAPE, TAB = "\ue015", "\ue013", "\ue007", "\ue00c", "\ue004"


class TestFilters:
    def test_at_first_everything_is_shown(self, page: DiffPage) -> None:
        assert len(page.shown) == TOTAL
        assert page.count == f"{TOTAL} changes"

    def test_by_severity(self, page: DiffPage) -> None:
        page.toggle("breaking")
        page.toggle("compatible")
        assert set(page.rows("row.dataset.s")) == {"risky"}
        assert page.hash == "#severity=risky"
        assert page.count == f"{len(page.shown)} of {TOTAL} changes"

    def test_by_side(self, page: DiffPage) -> None:
        page.choose("side", "client")
        assert page.shown and all(page.rows("Boolean(row.dataset.client)"))
        assert "capability.moved" not in page.shown
        assert page.hash == "#side=client"

    def test_by_kind_and_by_area(self, page: DiffPage) -> None:
        page.choose("kind", "field.type")
        assert set(page.shown) == {"field.type"}
        page.choose("kind", "field")
        assert set(page.shown) == {"field.renamed", "field.type"}

    def test_by_text_of_name_consequence_or_use(self, page: DiffPage) -> None:
        page.type("PLACE.X number")
        assert page.shown == ["field.type"]
        assert page.hash == "#q=PLACE.X%20number"

    def test_filters_add_up(self, page: DiffPage) -> None:
        page.choose("kind", "method")
        page.choose("side", "agent")
        page.toggle("risky")
        page.type("login")
        assert page.shown == ["method.renamed"]
        assert page.hash == "#severity=breaking,compatible&side=agent&kind=method&q=login"

    def test_groups_and_parts_without_a_match_are_hidden(self, page: DiffPage) -> None:
        page.choose("kind", "error")
        assert (
            page.run(
                "return [...document.querySelectorAll('.group')].filter(g => g.checkVisibility()).length"
            )
            == 1
        )
        assert not page.find("#types").is_displayed()
        assert page.find(".toc [data-n=types]").text == "0"

    def test_no_match_is_said(self, page: DiffPage) -> None:
        page.type("no such thing")
        assert page.shown == []
        assert page.find("#nothing").is_displayed()
        assert page.count == f"0 of {TOTAL} changes"
        page.click("#reset")
        assert (
            len(page.shown) == TOTAL
            and page.hash == ""
            and not page.find("#nothing").is_displayed()
        )

    def test_by_method_of_the_map(self, page: DiffPage) -> None:
        page.click("tr[data-old=rest] .more")
        assert sorted(page.shown) == ["field.type", "gate.added"]
        assert page.find("#method").text.startswith("Method rest")
        page.click("#unmethod")
        assert len(page.shown) == TOTAL

    def test_the_figures_of_the_overview_are_links(self, page: DiffPage) -> None:
        page.click(".card.risky")
        assert set(page.rows("row.dataset.s")) == {"risky"}
        assert page.in_view("#changes .row:not([hidden])")

    def test_severity_is_what_it_is_for_the_side(self, page: DiffPage) -> None:
        page.run(
            "document.querySelector('.row[data-k=\"method.renamed\"]').dataset.client = 'risky'"
        )
        page.choose("side", "client")
        page.toggle("risky")
        assert "method.renamed" not in page.shown


class TestAddress:
    def test_a_filtered_view_can_be_linked(self, page: DiffPage) -> None:
        page.open("#severity=breaking,risky&side=agent&kind=field&q=number")
        assert page.shown == ["field.type"]
        assert page.find("#q").get_attribute("value") == "number"
        assert page.find("#side").get_attribute("value") == "agent"
        assert page.find("#kind").get_attribute("value") == "field"
        assert not page.find("input[value=compatible]").is_selected()

    @pytest.mark.parametrize(
        "address",
        ["#%E0%A4%A", "#q=%", "#&&=&x=y", "#kind=none.such&side=all", "#f-none", "#__proto__=1"],
    )
    def test_an_odd_address_does_no_harm(self, page: DiffPage, address: str) -> None:
        page.open(address)
        page.toggle("risky")
        assert page.count.endswith("changes")

    def test_a_row_is_opened_and_shown(self, page: DiffPage) -> None:
        row = page.row("field.type")
        page.open(f"#{row}")
        assert page.rows("row.id", "row.open") == [row]
        assert page.focused == row
        assert page.in_view(f"#{row}")

    @pytest.mark.parametrize(
        "address", ["#kind=field", "#side=agent", "#q=enter", "#severity=risky"]
    )
    def test_an_address_of_filters_alone_shows_the_list(self, page: DiffPage, address: str) -> None:
        page.look(1280, height=500)
        page.open()
        assert not page.in_view(f"#{page.rows('row.id')[0]}")
        page.open(address)
        assert page.in_view(f"#{page.rows('row.id', '!row.hidden')[0]}")

    def test_an_address_of_a_change_that_is_not_there_says_so(self, page: DiffPage) -> None:
        page.look(1280, height=500)
        page.open("#f-none&kind=field")
        assert page.find("#gone").text.startswith("The address names #f-none, which is not on this")
        assert page.in_view("#gone")
        page.choose("kind", "")
        assert not page.find("#gone").is_displayed()
        page.open(f"#{page.row('field.type')}")
        assert not page.find("#gone").is_displayed()

    def test_a_row_is_shown_though_the_filters_leave_it_out(self, page: DiffPage) -> None:
        row = page.row("field.type")
        page.open(f"#{row}&severity=breaking&kind=method")
        assert page.rows("row.id", "row.open") == [row]
        assert page.in_view(f"#{row}")
        assert page.rows("row.id", "row.classList.contains('outside')") == [row]
        assert page.count.startswith("2 of "), "it does not count as a match"

    def test_the_link_of_a_row_keeps_the_filters(self, page: DiffPage) -> None:
        row = page.row("method.renamed")
        page.choose("kind", "method")
        page.click(f"#{row} summary")
        page.click(f"#{row} .permalink")
        assert page.hash == f"#{row}&kind=method"
        assert page.find(f"#{row} .permalink").get_attribute("href") == f"{page.url}#{row}"

    def test_back_and_forward(self, page: DiffPage) -> None:
        page.choose("kind", "method")
        page.toggle("compatible")
        kept = page.shown
        page.type("enter")
        page.driver.back()
        assert (page.hash, page.shown) == ("#severity=breaking,risky&kind=method", kept)
        assert page.find("#q").get_attribute("value") == ""
        page.driver.back()
        assert page.hash == "#kind=method" and page.find("input[value=compatible]").is_selected()
        page.driver.back()
        assert page.hash == "" and len(page.shown) == TOTAL
        page.driver.forward()
        page.driver.forward()
        page.driver.forward()
        assert page.hash == "#severity=breaking,risky&kind=method&q=enter", "one entry for a word"

    def test_a_link_to_a_part_keeps_the_filters(self, page: DiffPage) -> None:
        page.choose("side", "agent")
        page.click('.toc a[href="#updates"]')
        assert page.hash == "#updates&side=agent"
        assert page.in_view("#updates")


class TestKeyboard:
    def test_a_slash_is_for_the_search(self, page: DiffPage) -> None:
        page.press("/")
        assert page.focused == "q"
        page.press("/")
        assert page.find("#q").get_attribute("value") == "/", "in the field it is a letter"
        page.press(ESCAPE)
        assert page.find("#q").get_attribute("value") == "" and len(page.shown) == TOTAL
        page.press(ESCAPE)
        assert page.focused != "q"

    def test_to_the_next_and_previous_row(self, page: DiffPage) -> None:
        ids = page.rows("row.id")
        page.run("document.querySelector('#methods').scrollIntoView()")
        page.press("j")
        assert page.focused == ids[0]
        page.press("j", DOWN)
        assert page.focused == ids[2]
        page.press("k", UP, "k")
        assert page.focused == ids[0], "and stays on the first"

    def test_rows_that_are_hidden_are_passed_over(self, page: DiffPage) -> None:
        page.choose("kind", "field")
        page.press(TAB)
        for kind in ("field.renamed", "field.type", "field.type", "field.type"):
            page.press("j")
            assert page.focused in page.rows("row.id", f"row.dataset.k === '{kind}'")
            assert page.in_view(f"#{page.focused}")

    def test_enter_opens_and_closes(self, page: DiffPage) -> None:
        page.press("j", ENTER)
        (row,) = page.rows("row.id", "row.open")
        assert row == page.focused
        page.press(ENTER)
        assert page.rows("row.id", "row.open") == []

    def test_keys_with_a_modifier_are_the_browsers(self, page: DiffPage) -> None:
        for init in ("ctrlKey", "metaKey", "altKey"):
            page.run(
                f"document.body.dispatchEvent(new KeyboardEvent('keydown', {{key: '/', {init}: true, bubbles: true}}))"
            )
            assert page.focused != "q"

    def test_everything_is_reached_by_tab_and_is_marked(self, page: DiffPage) -> None:
        seen: list[str] = []
        for _ in range(400):
            page.press(TAB)
            what = page.run(
                """const one = document.activeElement;
                const mark = one.matches('.chip input') ? one.nextElementSibling : one;
                if (one === document.body) return null;
                return [one.matches('summary') ? one.parentElement.id : one.id || one.textContent,
                  getComputedStyle(mark).outlineStyle, parseFloat(getComputedStyle(mark).outlineWidth)]"""
            )
            if what is None:
                break
            assert what[1] == "solid" and what[2] >= 2, what
            seen.append(what[0])
        assert set(page.rows("row.id")) <= set(seen)
        assert {"q", "side", "kind", "all", "reset"} <= set(seen)
        assert seen[0] == "Skip to the changes"

    def test_all_are_opened_and_closed(self, page: DiffPage) -> None:
        page.click("#all")
        assert all(page.rows("row.open"))
        page.click("#all")
        assert not any(page.rows("row.open"))


class TestLooks:
    @pytest.mark.parametrize("width", [320, 360, 700, 1000, 1400])
    def test_nothing_reaches_beyond_the_window(self, page: DiffPage, width: int) -> None:
        page.look(width)
        page.open()
        page.run("for (const row of document.querySelectorAll('.row')) row.open = true")
        assert page.overflow == []

    def test_on_a_phone_the_filters_are_behind_a_button(self, page: DiffPage) -> None:
        page.look(360)
        page.open("#side=agent")
        toggle = page.find("#toggle")
        assert toggle.text == "Filters (1)" and not page.find("#kind").is_displayed()
        page.click("#toggle")
        assert toggle.get_attribute("aria-expanded") == "true"
        page.choose("kind", "method")
        assert set(page.shown) == {"method.renamed"} and toggle.text == "Filters (2)"

    @pytest.mark.parametrize(("width", "columns"), [(360, 1), (1400, 2)])
    def test_shapes_stand_side_by_side_where_there_is_room(
        self, page: DiffPage, width: int, columns: int
    ) -> None:
        page.look(width)
        page.open(f"#{page.row('field.type')}")
        lefts = page.run(
            "return [...document.querySelectorAll('.row[open] .pane')].map((one) => one.getBoundingClientRect().left)"
        )
        assert len(lefts) == 2 and len(set(lefts)) == columns

    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_text_stands_out(self, page: DiffPage, dark: bool) -> None:
        page.look(1400, dark=dark)
        page.open(f"#{page.row('field.renamed')}&kind=method")
        page.run("for (const row of document.querySelectorAll('.row')) row.open = true")
        found = page.contrasts
        assert len(found) > 200
        assert [one for one in found if one[0] < 4.5] == []
        dim = page.run("return getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, dim.strip("rgb()").split(","))) < 200) == dark

    def test_without_javascript_everything_is_readable(self, page: DiffPage) -> None:
        page.scripts(False)
        try:
            page.open()
            assert not page.find("#filters").is_displayed()
            assert len(page.shown) == TOTAL
            page.find(".row summary").click()
            assert page.find(".row[open] .effects").is_displayed()
        finally:
            page.scripts(True)

    def test_on_paper_every_change_is_open_and_the_filters_are_gone(self, page: DiffPage) -> None:
        page.run("dispatchEvent(new Event('beforeprint'))")
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        try:
            assert all(page.rows("row.open"))
            assert page.find(".row .effects").is_displayed()
            assert not page.find("#filters").is_displayed()
            page.run("dispatchEvent(new Event('afterprint'))")
            assert not any(page.rows("row.open"))
        finally:
            page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_names_from_schemas_do_nothing(page: DiffPage) -> None:
    assert page.run(
        "return [typeof window.evil, document.images.length, document.scripts.length]"
    ) == [
        "undefined",
        0,
        1,
    ]
    assert '</script><img src=q onerror="boom()">' in page.find("#types").text


class TestRealPage:
    """The page of v1 and v2."""

    def test_filters_and_a_link(self, real: DiffPage) -> None:
        total = len(real.shown)
        assert total > 100 and real.count == f"{total} changes"
        real.choose("side", "client")
        real.toggle("compatible")
        real.toggle("risky")
        assert 0 < len(real.shown) < total
        row = real.rows("row.id", "row.dataset.s === 'compatible'")[-1]
        real.open(f"#{row}&severity=breaking")
        assert real.rows("row.id", "row.open") == [row] and real.in_view(f"#{row}")

    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_text_stands_out(self, real: DiffPage, dark: bool) -> None:
        real.look(1400, dark=dark)
        real.open()
        assert [one for one in real.contrasts if one[0] < 4.5] == []

    @pytest.mark.parametrize("width", [360, 1400])
    def test_nothing_reaches_beyond_the_window(self, real: DiffPage, width: int) -> None:
        real.look(width)
        real.open()
        real.run("for (const row of document.querySelectorAll('.row')) row.open = true")
        assert real.overflow == []

    def test_every_method_of_the_map_has_the_changes_that_it_says(self, real: DiffPage) -> None:
        links = real.run(
            "return [...document.querySelectorAll('.map .more')]"
            ".map((one) => [one.getAttribute('href'), parseInt(one.textContent)])"
        )
        assert len(links) > 10
        for address, count in links:
            real.run("location.hash = arguments[0]", address)
            assert (
                real.run("return document.querySelectorAll('.row:not([hidden])').length") == count
            ), address
