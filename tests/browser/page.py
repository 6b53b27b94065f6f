"""The page of a diff as its reader meets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
const paper = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const colour = rgb(getComputedStyle(one).backgroundColor);
    if (colour.length < 4 || colour[3] === 1) return colour;
    if (colour[3] > 0) throw new Error('a translucent background');
  }
  return [255, 255, 255];
};
const found = [];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!own || !element.checkVisibility() || element.matches('script, style, option, .skip')) continue;
  const [one, two] = [rgb(getComputedStyle(element).color), paper(element)].map(light).sort((a, b) => a - b);
  found.push([(two + 0.05) / (one + 0.05), element.outerHTML.slice(0, 120)]);
}
return found;
"""


class DiffPage:
    """driver: a Selenium driver of Chromium. path: the file of the page."""

    def __init__(self, driver: Any, path: Path) -> None:
        self.driver = driver
        self.path = path
        self.url = path.as_uri()
        self.scripted = True

    def open(self, address: str = "") -> None:
        """Open afresh, with the hash of an address."""
        self.driver.get("about:blank")
        self.driver.get(self.url + address)
        if self.scripted:
            self.driver.execute_async_script(
                "setTimeout(arguments[0])"
            )  # what it does after loading

    def look(self, width: int, *, height: int = 900, dark: bool = False) -> None:
        """The size of the window in CSS pixels, and the colour scheme that the reader prefers."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})

    def scripts(self, on: bool) -> None:
        """Whether the page's own scripts run."""
        self.scripted = on
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not on})

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def click(self, selector: str) -> None:
        element = self.find(selector)
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)

    def type(self, text: str) -> None:
        self.find("#q").send_keys(text)

    def choose(self, field: str, value: str) -> None:
        from selenium.webdriver.support.select import Select

        Select(self.find(f"#{field}")).select_by_value(value)

    def toggle(self, severity: str) -> None:
        self.find(f"input[value={severity}]").click()

    @property
    def hash(self) -> str:
        return str(self.run("return location.hash"))

    @property
    def shown(self) -> list[str]:
        """The kinds of the rows that are shown, in order."""
        return [str(kind) for kind in self.rows("row.dataset.k")]

    def rows(self, what: str, among: str = "row.checkVisibility()") -> list[Any]:
        script = f"return [...document.querySelectorAll('.row')].filter((row) => {among}).map((row) => {what})"
        return list(self.run(script))

    @property
    def count(self) -> str:
        return str(self.find("#count").text)

    @property
    def focused(self) -> str:
        """What has the focus: the id of a row, or of an element."""
        return str(
            self.run(
                "const one = document.activeElement; return one.matches('summary') ? one.parentElement.id : one.id"
            )
        )

    def row(self, kind: str) -> str:
        """The id of the first row of a kind, shown or not."""
        found, *_ = self.rows("row.id", f"row.dataset.k === '{kind}'")
        return str(found)

    def in_view(self, selector: str) -> bool:
        """The element's top is in the window and not under the filters."""
        script = """
        const box = document.querySelector(arguments[0]).getBoundingClientRect();
        const bar = document.querySelector('#filters').getBoundingClientRect();
        return box.top >= Math.max(0, bar.bottom) - 1 && box.top < innerHeight;
        """
        return bool(self.run(script, selector))

    @property
    def overflow(self) -> list[str]:
        """What reaches beyond the right edge of the window."""
        script = """
        const wide = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility()
          && !one.closest('.scroll, .skip, .sr, thead') && one.getBoundingClientRect().right > innerWidth + 0.5);
        const root = document.documentElement;
        return wide.map((one) => one.outerHTML.slice(0, 120))
          .concat(root.scrollWidth > root.clientWidth ? ['the page scrolls'] : []);
        """
        return list(self.run(script))

    @property
    def contrasts(self) -> list[tuple[float, str]]:
        """(contrast with what is behind it, element) of every element with text of its own that is shown."""
        return [(ratio, element) for ratio, element in self.run(_CONTRAST)]

    def quiet(self) -> None:
        """Nothing was logged, and nothing but the page was asked for, since it was last asked."""
        assert self.driver.get_log("browser") == []
        events = [
            json.loads(one["message"])["message"] for one in self.driver.get_log("performance")
        ]
        asked = {
            event["params"]["request"]["url"].partition("#")[0]
            for event in events
            if event["method"] == "Network.requestWillBeSent"
        }
        assert asked <= {self.url, "data:,", "about:blank"}, asked
