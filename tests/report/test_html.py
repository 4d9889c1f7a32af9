"""The report in a real browser: escaping, sorting, filtering, marks, themes, and no network."""

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from morpos.io import tables
from morpos.io.files import slug, write_segments
from morpos.report.html import embedded, heat
from morpos.report.html.testset import LayerFiles, collect_segments, group_coefficients, shade_line
from tests.small_results import Results

LIMIT = 20_000_000

#: Names and sentences that a careless page would run, swallow or change.
NAMES = ["<b>x</b> & \"y\"'z'", "</script><img src=q>", "{{ 7*7 }}", "plain", "<!--", "a, b"]
REFERENCE = [
    "write <script>alert(1)</script> & go",
    "a &amp; b",
    "{{ 7*7 }} {% x %}",
    "the cat sat on the mat",
    "one two three four five six",
]


def outputs() -> dict[str, list[str]]:
    """Outputs that differ; "plain" has a segment whose marked units are known by hand."""
    rng = random.Random(3)
    found = {
        name: [
            " ".join(rng.sample(line.split(), len(line.split()) - rng.randrange(3)))
            for line in REFERENCE
        ]
        for name in NAMES
    }
    found[NAMES[0]] = list(REFERENCE)
    found["plain"][3] = "a cat sat on mat the the"
    return found


#: The earlier a name stands, the better, but for segment 4, where "plain" is thought best of all.
JUDGMENTS = [
    (NAMES[i], NAMES[j], 1 + (segment == 4 and NAMES[j] == "plain"), 2 - (segment == 4), segment)
    for segment in range(1, 6)
    for j in range(5)
    for i in range(j)
]  # the last system is never judged


class Browser:
    """Chromium with a page."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def log(self, kind: str) -> list[dict[str, Any]]:
        """What came since it was asked last."""
        return list(self.driver.get_log(kind))  # type: ignore[no-untyped-call]

    def open(self, page: Path) -> None:
        self.log("performance")
        self.driver.get(page.as_uri())
        WebDriverWait(self.driver, 60).until(
            lambda d: d.execute_script("return document.documentElement.dataset.drawn") == "yes"
        )

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(f"return {script}", *arguments)

    def one(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def texts(self, selector: str) -> list[str]:
        """What is in sight, as a reader sees it."""
        script = "[...document.querySelectorAll(arguments[0])].filter(e => e.checkVisibility())"
        found = self.run(f"{script}.map(e => e.textContent.trim())", selector)
        return [str(text) for text in found]

    def axis(self, chart: str) -> list[str]:
        """The labels of a chart, from top to bottom."""
        top = "(e) => e.getBoundingClientRect().top"
        script = f"[...document.querySelectorAll('{chart} .role-axis-label text')]"
        script += f".sort((a, b) => ({top})(a) - ({top})(b)).map(e => e.textContent)"
        return [str(label) for label in self.run(script)]

    def media(self, **features: str) -> None:
        media = features.pop("media", "")
        named = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
        command = {"media": media, "features": named}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", command)

    def requests(self) -> set[str]:
        messages = (json.loads(entry["message"])["message"] for entry in self.log("performance"))
        urls = {
            str(message["params"]["request"]["url"])
            for message in messages
            if message["method"] == "Network.requestWillBeSent"
        }
        # Chromium's own start page, not ours.
        return {url for url in urls if not url.startswith(("chrome", "data:"))}


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not binary or not driver:
        pytest.skip("needs chromium and chromedriver (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for argument in (
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        f"--user-data-dir={tmp_path_factory.mktemp('chromium')}",
        "--window-size=1280,900",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    started = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield Browser(started)
    started.quit()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    made = Results(tmp_path_factory.mktemp("results"))
    made.testset("hostile", REFERENCE, outputs(), JUDGMENTS, samples=200)
    made.testset("unjudged", REFERENCE, outputs())
    made.index()
    return made


@pytest.fixture
def page(browser: Browser, results: Results) -> Browser:
    browser.media()
    browser.open(results.path("report/hostile.html"))
    return browser


@pytest.mark.parametrize("name", ["report.html", "report/hostile.html", "report/unjudged.html"])
def test_no_messages_and_no_requests(browser: Browser, results: Results, name: str) -> None:
    path = results.path(name)
    browser.open(path)
    assert browser.log("browser") == []
    assert browser.requests() == {path.as_uri()}
    # Whatever else might be run is refused.
    browser.run(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.evil = 1';"
        " document.body.append(s); })()"
    )
    assert browser.run("window.evil") is None
    assert "Content Security Policy" in str(browser.log("browser"))


def test_names_and_sentences_are_text(page: Browser, results: Results) -> None:
    assert sorted(page.texts("#scores tbody th")) == sorted(NAMES)
    assert set(page.texts("#ranks tbody th")) == set(NAMES) - {"a, b"}
    # Tokens of the first segments, from text nodes of the most divergent segments.
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    lines = " ".join(page.texts('.outputs p[data-line="word"]'))
    for text in ("<script>alert(1)</script>", "a &amp; b", "{{ 7*7 }}"):
        assert text in lines
    assert "49" not in lines
    assert page.run("document.querySelectorAll('b, img').length") == 0
    assert page.run("document.querySelectorAll('script').length") == 3
    source = results.path("report/hostile.html").read_text()
    assert source.count("</script>") == 3
    # Chart labels are text, too.
    assert "</script><img src=q>" in page.texts("#intervals text")


def test_embedded_json_cannot_end_its_element() -> None:
    text = embedded({"a": "</script><!--", "b": None})
    assert "<" not in text
    assert json.loads(text) == {"a": "</script><!--", "b": None}
    with pytest.raises(ValueError, match="JSON"):
        embedded(float("nan"))


def scored(results: Results, metric: str) -> dict[str, float]:
    rows = tables.read(results.path("scores/hostile.tsv"), tables.NOT_METRICS)
    return {row["system"]: row[metric] for row in rows}


def test_sorting(page: Browser, results: Results) -> None:
    button = page.one('#scores th[data-column="POSF"] button')
    head = page.one('#scores th[data-column="POSF"]')
    button.click()
    scores = scored(results, "POSF")
    falling = sorted(scores.values(), reverse=True)
    assert [scores[s] for s in page.texts("#scores tbody th")] == falling
    assert head.get_attribute("aria-sort") == "descending"
    button.send_keys(Keys.ENTER)  # by keyboard
    assert [scores[s] for s in page.texts("#scores tbody th")] == falling[::-1]
    assert head.get_attribute("aria-sort") == "ascending"
    # Undefined comes last either way.
    human = page.one("#scores thead th:nth-child(2) button")
    for order in ("descending", "ascending"):
        human.send_keys(Keys.SPACE)
        assert page.texts("#scores tbody th")[-1] == "a, b", order
        assert page.texts("#scores tbody td.undefined") == ["undefined"]
    assert page.one("#scores td.undefined").get_attribute("title") == "no human score"
    assert head.get_attribute("aria-sort") is None


def test_filtering(page: Browser) -> None:
    field = page.one('[data-filters="#scores tbody tr"] input')
    field.send_keys("PLAI")
    assert page.texts("#scores tbody th") == ["plain"]
    assert page.one('[data-filters="#scores tbody tr"] output').text == f"1 of {len(NAMES)}"
    field.send_keys(Keys.CONTROL, "a", Keys.DELETE)
    assert len(page.texts("#scores tbody th")) == len(NAMES)
    kinds = Select(page.one('[data-filters=".segment"] select'))
    everything = len(page.texts(".segment > summary"))
    kinds.select_by_value("human")
    human = page.texts(".segment > summary .who")
    assert human
    assert all(text.endswith("against humans") for text in human)
    kinds.select_by_value("metrics")
    assert len(page.texts(".segment > summary")) == everything - len(human)


def test_another_metric(page: Browser, results: Results) -> None:
    correlations = tables.read(results.path("correlations/hostile.tsv"))
    chooser = Select(page.one("#metric"))
    for metric in ("WORDF", "POSBLEU"):
        chooser.select_by_visible_text(metric)
        (row,) = (row for row in correlations if row["metric"] == metric)
        (shown,) = page.texts("[data-metric] .big")
        assert shown == f"{row['spearman']:.3f}"
        assert page.texts("th.chosen") == [metric] * 2
        # The systems of the chart, the best one on top.
        names = [label for label in page.axis("#intervals") if label in NAMES]
        scores = scored(results, metric)
        assert [scores[name] for name in names] == sorted(scores.values(), reverse=True)


def test_marks(page: Browser) -> None:
    """Segment 4, by hand: reference "the cat sat on the mat", output "a cat sat on mat the the"."""
    page.run("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    found = page.run(
        """[...document.querySelectorAll('.outputs > div')]
        .filter(d => d.querySelector('h4').textContent === 'plain')
        .map(d => d.querySelector('p[data-line="word"]'))
        .filter(p => p.textContent.includes('a cat sat'))
        .map(p => [...p.querySelectorAll('mark')].map(m => [m.className, m.textContent]))"""
    )
    assert found
    assert all(marks == [["m3", "cat sat on"], ["m1", "mat the the"]] for marks in found), found


def test_layers_can_be_hidden(page: Browser) -> None:
    assert page.texts('.outputs p[data-line="pos"]')
    page.one('[data-layer="pos"]').click()
    assert not page.texts('.outputs p[data-line="pos"]')
    assert page.texts('.outputs p[data-line="word"]')


def test_dark_light_and_print(page: Browser) -> None:
    colours = "[document.body, document.querySelector('#scatter svg text')].map("
    colours += "(e, i) => getComputedStyle(e)[i ? 'fill' : 'backgroundColor'])"
    light = page.run(colours)
    page.media(prefers_color_scheme="dark")
    dark = page.run(colours)
    assert light[0] != dark[0]
    assert light[1] != dark[1]
    page.media(prefers_color_scheme="dark", media="print")
    assert page.run(colours) == ["rgba(0, 0, 0, 0)", light[1]]  # white paper, dark ink
    # Closed segments are on paper, too.
    script = "[...document.querySelectorAll('.segment:not([open]) .outputs')]"
    assert page.run(f"{script}.every(e => e.checkVisibility({{contentVisibilityAuto: true}}))")
    page.media()
    assert not page.run(f"{script}.some(e => e.checkVisibility({{contentVisibilityAuto: true}}))")


def test_a_narrow_window_scrolls_tables_only(page: Browser) -> None:
    size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        assert page.run("document.documentElement.scrollWidth") <= 400
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_index_leads_to_the_pages(browser: Browser, results: Results) -> None:
    browser.open(results.path("report.html"))
    assert browser.texts("#heat tbody th") == ["hostile", "unjudged"]
    assert browser.texts("#heat tbody tr:nth-child(2) td.undefined")
    browser.one("#heat tbody a").click()
    assert browser.driver.title == "hostile – Test"
    browser.one("header a").click()
    assert browser.driver.title == "morpos"


def test_two_hundred_systems_and_forty_testsets(browser: Browser, tmp_path: Path) -> None:
    made = Results(tmp_path)
    page = made.large(systems=200, testsets=40)
    for path in (page, made.index()):
        assert path.stat().st_size < LIMIT
        browser.open(path)
        assert browser.log("browser") == []
        assert browser.run("document.documentElement.scrollWidth") <= 1280
    assert len(browser.texts("#heat tbody tr")) == 40
    browser.one('[data-filters="#heat tbody tr"] input').send_keys("large7")
    assert browser.texts("#heat tbody th") == ["large7"]
    browser.open(page)
    names = browser.texts("#scores tbody th")
    assert len(names) == 200
    assert len(set(browser.axis("#intervals")) & set(names)) == 200


def test_very_long_segments_are_cut_visibly() -> None:
    line = shade_line("word", ["ab"] * 10_000, [4] * 5_000 + [6] * 5_000)
    assert [shade for _, shade in line.stretches] == [4]
    assert len(line.stretches[0][0]) + line.more == len(" ".join(["ab"] * 10_000))
    (huge,) = shade_line("word", ["x" * 100_000], [0]).stretches
    assert len(huge[0]) == 800


def test_gzipped_layers_are_shown_like_plain_ones(tmp_path: Path) -> None:
    texts = {"ref": "a b c", slug("lab 1"): "a b x", slug("lab 2"): "c"}
    shown = []
    for ending in (".txt", ".txt.gz"):
        folder = tmp_path / ending
        for name, segment in texts.items():
            write_segments(folder / f"{name}{ending}", [segment])
        layer = LayerFiles("word", folder, (folder / f"ref{ending}",))
        row = {"segment": 1.0, "first": "lab 1", "second": "lab 2"}
        shown.append(collect_segments([row], [layer], 4))
    assert [line.stretches for line in shown[0][0]["outputs"]["lab 1"]] == [[("a b", 2), ("x", 0)]]
    assert shown[0] == shown[1]


def test_a_coefficient_without_value_is_undefined_and_never_nan() -> None:
    row = {"coefficient": "robust pearson", "value": float("nan"), "note": "why", "interval": ""}
    assert group_coefficients([row])["robust pearson"]["value"] is None


def test_heat() -> None:
    assert [heat(v) for v in (1, 0.5, 0.1, 0, -1, float("nan"))] == ["p20", "p2", "", "", "n20", ""]


def test_the_library_has_no_way_out_of_its_element(results: Results) -> None:
    library = results.path("report/vega.js").read_text()
    assert not re.search(r"<(/script|!--)", library, re.IGNORECASE)
    assert "BSD-3-Clause" in library[:400]


def test_the_worst_page_is_small_enough() -> None:
    """200 segments, each with a reference and two outputs in three layers, marked unit by unit."""
    units, levels = ["&"] * 10_000, [1, 2] * 5_000
    marked = sum(
        len(f'<mark class="m{shade}">{text.replace("&", "&amp;")}</mark> ')
        for text, shade in shade_line("word", units, levels).stretches
    )
    plain = len("&amp; ") * len(shade_line("word", units, [0] * 10_000).stretches[0][0]) // 2
    # What the filter searches is the reference once more; two million bytes are for all the rest.
    assert 200 * (3 * (2 * marked + plain) + plain) < LIMIT - 2_000_000
