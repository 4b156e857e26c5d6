"""The live page in a real browser: Chromium without a window, where it and its driver are installed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.plain_graph import plain_store
from tests.serving import server

CHROMIUM, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.enable_socket,
    pytest.mark.allow_hosts(["127.0.0.1", "localhost", "::1"]),
    pytest.mark.skipif(not CHROMIUM or not DRIVER, reason="Chromium and its driver are not installed"),
]

TEXT = (
    "Douglas Adams was born in Cambridge. He died in Paris. His spouse was Jane Belson. What did he write? "
    "Yoko Ono was married to John Lennon."
)
AXE = "const done = arguments[arguments.length - 1]; axe.run(document).then(done);"


@pytest.fixture(scope="module")
def page(small_kg, tmp_path_factory) -> Iterator[str]:
    """The address of a server of two KGs, which are the same but for their names."""
    folder = tmp_path_factory.mktemp("served")
    kgs = [folder / "small.kg", folder / "other.kg"]
    for one in kgs:
        one.symlink_to(small_kg)
    with server(*kgs) as (_, port):
        yield f"http://127.0.0.1:{port}/"


@pytest.fixture(scope="module")
def browser(page) -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM or ""
    for one in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(one)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    found = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    found.set_window_size(1280, 1000)
    found.set_script_timeout(120)
    yield found
    found.quit()


@pytest.fixture
def checked(browser, page) -> WebDriver:
    """The page with a report on `TEXT`."""
    browser.get(page)
    browser.find_element(By.ID, "text").send_keys(TEXT, Keys.CONTROL, Keys.ENTER)
    wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#claims .claim"))
    return browser


def wait(browser: WebDriver, condition: Any) -> Any:
    gone = [StaleElementReferenceException]
    return WebDriverWait(browser, 30, ignored_exceptions=gone).until(lambda _: condition())


def press(browser: WebDriver, *keys: str) -> None:
    webdriver.ActionChains(browser).send_keys(*keys).perform()


def focused(browser: WebDriver) -> str:
    return str(browser.switch_to.active_element.get_attribute("id"))


def text_of(browser: WebDriver, name: str) -> str:
    return browser.find_element(By.ID, name).text


def test_a_pasted_text_is_checked_and_marked(checked):
    labels = [one.get_attribute("class").split()[1] for one in checked.find_elements(By.CSS_SELECTOR, "#claims .claim")]
    assert labels[0] == "contradictory" and labels == sorted(labels, key=["contradictory", "extrapolatory",
                                                                          "attributable"].index)  # fmt: skip
    marks = {one.text: one.get_attribute("class") for one in checked.find_elements(By.CSS_SELECTOR, "#result mark")}
    assert marks["He died in Paris"] == "contradictory"
    assert "Read 4 of 5 sentences" in text_of(checked, "result")
    assert "question" in checked.find_element(By.CSS_SELECTOR, ".unread-list").get_attribute("textContent")


def test_verdicts_come_sentence_by_sentence_before_the_report(browser, page):
    browser.get(page)
    text = "Douglas Adams was born in Cambridge. He died in Paris.\n\nHe was born in Rome.\n\nHe died in Oslo."
    seen = browser.execute_async_script(
        """const done = arguments[1], seen = [];
        new MutationObserver(() => {
          const lines = [...document.querySelectorAll(".coming li")];
          if (lines.length) seen.push(lines.map((one) => one.textContent.trim()));
          if (document.querySelector("#claims")) done(seen);
        }).observe(document.getElementById("result"), { childList: true, subtree: true });
        check(arguments[0]);""",
        text,
    )
    many = [len(lines) for lines in seen]
    assert many[0] == 1 and max(many) == 4 and many == sorted(many)
    words = ["Cambridge", "Paris", "Rome", "Oslo"]
    assert all(word in line for word, line in zip(words, seen[-1], strict=True)), "in reading order, also those again"
    assert "changed by the rest of the text" in seen[-1][2]


def test_the_keyboard_is_enough(checked):
    press(checked, Keys.ESCAPE)
    checked.execute_script("document.activeElement.blur()")
    press(checked, "j")
    first = focused(checked)
    press(checked, "j")
    second = focused(checked)
    press(checked, "k")
    assert focused(checked) == first != second
    assert checked.find_element(By.ID, first).get_attribute("class").split()[1] == "contradictory"
    press(checked, Keys.ENTER)
    assert checked.find_element(By.CSS_SELECTOR, f"#{first} details.why").get_attribute("open") is not None
    press(checked, "?")
    assert checked.find_element(By.ID, "help").get_attribute("open") is not None
    press(checked, Keys.ESCAPE)
    assert checked.find_element(By.ID, "help").get_attribute("open") is None
    press(checked, "/")
    assert focused(checked) == "text"


def test_corrections_are_accepted_and_rejected(checked):
    assert "Santa Barbara" in text_of(checked, "corrected-text")
    checked.execute_script("document.activeElement.blur()")
    press(checked, "j", "x")
    assert "Santa Barbara" not in text_of(checked, "corrected-text")
    assert checked.execute_script("return corrected()") == TEXT
    press(checked, "a")
    assert checked.execute_script("return corrected()") == TEXT.replace("Paris", "Santa Barbara")
    assert text_of(checked, "corrected-count") == "1 correction accepted"


def test_the_graph_is_walked_from_the_evidence(checked):
    checked.execute_script("document.activeElement.blur()")
    press(checked, "j", "g")
    wait(checked, lambda: "Douglas Adams" in text_of(checked, "walk-body"))
    checked.find_element(By.CSS_SELECTOR, "#walk-body svg a").click()
    wait(checked, lambda: "Q42" not in checked.find_element(By.CSS_SELECTOR, "#walk-body h1").text)
    field = checked.find_element(By.ID, "path-to")
    field.send_keys("Douglas Adams", Keys.ENTER)
    wait(checked, lambda: "From" in checked.find_element(By.CSS_SELECTOR, "#walk-body h1").text)
    assert checked.find_elements(By.CSS_SELECTOR, "#walk-body svg.graph")
    assert checked.current_url.endswith("/")


def test_the_corrected_text_is_checked_again(checked):
    checked.find_element(By.ID, "recheck").click()
    wait(checked, lambda: "0 contradicted; 1 before" in text_of(checked, "state"))
    field = checked.find_element(By.ID, "text").get_attribute("value")
    assert field == TEXT.replace("Paris", "Santa Barbara") and not checked.find_elements(By.ID, "corrected")


def test_a_review_is_kept_with_who_made_it(checked, page):
    field = checked.find_element(By.ID, "by")
    assert field.get_attribute("value") == ""
    field.send_keys("Ann <b>Analyst</b>")
    checked.execute_script("document.activeElement.blur()")
    press(checked, "j", "r")
    wait(checked, lambda: "reviewed accusation" in text_of(checked, "measure"))
    first = checked.find_element(By.CSS_SELECTOR, "#claims .claim")
    assert first.find_element(By.CSS_SELECTOR, ".reviewed").text == "reviewed by Ann <b>Analyst</b>, just now"
    checked.find_element(By.CSS_SELECTOR, "#check button.main").click()
    wait(checked, lambda: "Analyst</b>, 2" in checked.find_element(By.CSS_SELECTOR, "#claims .reviewed").text)
    pressed = checked.find_elements(By.CSS_SELECTOR, "#claims .claim:first-of-type [data-mark][aria-pressed=true]")
    assert [one.text for one in pressed] == ["✓ right"] or [one.text for one in pressed] == ["right"]
    checked.get(f"{page}reviews?kg=small")
    row = checked.find_element(By.CSS_SELECTOR, "table.rows").text
    assert "He died in Paris" in row and "Ann <b>Analyst</b>" in row


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> Iterator[str]:
    """The address of a server of a KG whose names, descriptions and values hold markup."""
    folder = tmp_path_factory.mktemp("hostile")
    turtle = (
        f'ex:ann a ex:Person ; rdfs:label "Ann Smith" ; rdfs:comment "{HOSTILE}" ; ex:born ex:oslo .\n'
        f'ex:ann ex:note "{HOSTILE}" . ex:note rdfs:label "note {HOSTILE}" . ex:twin rdfs:label "twin {HOSTILE}" .\n'
        f'ex:oslo rdfs:label "Oslo" ; rdfs:comment "{HOSTILE}" ; ex:twin ex:odd . ex:odd rdfs:label "Odd {HOSTILE}" .\n'
        'ex:born rdfs:label "was born in" .'
    )
    plain_store(turtle, folder).close()
    with server(folder / "plain.kg") as (_, port):
        yield f"http://127.0.0.1:{port}/"


def test_nothing_of_a_text_or_a_kg_runs_in_the_browser(browser, hostile):
    browser.get(hostile)
    text = f"Ann Smith was born in Oslo. {HOSTILE} Ann Smith was born in Rome. \u202eabc 👩‍👩‍👧 {{{{7*7}}}}"
    browser.execute_script("at('text').value = arguments[0]; start()", text)
    wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#claims .claim"))
    assert HOSTILE in text_of(browser, "result")
    browser.execute_script("walk('/entity?id=http://example.org/oslo')")
    wait(browser, lambda: "Oslo" in text_of(browser, "walk-body"))
    assert HOSTILE in text_of(browser, "walk-body")
    assert no_markup(browser)
    for path in ("find?q=Ann", "entity?id=http://example.org/odd", "query?query=CONSTRUCT WHERE { ?s ?p ?o }"):
        browser.get(hostile + path)
        assert "alert(2)" in browser.find_element(By.ID, "main").text and no_markup(browser)


def no_markup(browser: WebDriver) -> bool:
    """No picture and no script but ours; an alert would make Selenium raise."""
    sources = "return [...document.querySelectorAll('img, script')].map((one) => one.getAttribute('src'))"
    return set(browser.execute_script(sources)) <= {"/static/page.js", "/static/query.js"}


SPOUSES = "query?query=CONSTRUCT { ?a wdt:P26 ?b } WHERE { ?a wdt:P26 ?b } LIMIT 14"
TEXTS = """return [...document.querySelectorAll(".ring text, .walkable g")].map((one) => one.getBoundingClientRect())
    .filter((one) => one.width).map((one) => [one.left, one.top, one.right, one.bottom])"""


@pytest.mark.parametrize("path", [SPOUSES, "entity?id=Q42"])
@pytest.mark.parametrize("wide", [320, 1280])
def test_names_of_pictures_stand_apart_and_inside(browser, page, path, wide):
    screen = {"width": wide, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(page + path)
    found = browser.execute_script(TEXTS)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert len(found) > 5 and all(left >= 0 and right <= wide for left, _, right, _ in found)
    for one, other in combinations(found, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] + 2 or other[3] <= one[1] + 2


def test_another_kg_is_chosen_and_two_are_compared(checked):
    Select(checked.find_element(By.ID, "kg")).select_by_visible_text("other")
    Select(checked.find_element(By.ID, "against")).select_by_visible_text("small")
    checked.find_element(By.CSS_SELECTOR, "#check button.main").click()
    wait(checked, lambda: checked.find_elements(By.CSS_SELECTOR, ".compared tbody tr"))
    assert "0 of 4 claims differ" in checked.find_element(By.CSS_SELECTOR, ".compared").text


def test_the_form_works_without_a_script(browser, page):
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.get(page)
        browser.find_element(By.ID, "text").send_keys(TEXT)
        browser.find_element(By.CSS_SELECTOR, "#check button.main").click()
        wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#claims .claim.contradictory"))
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_names_are_completed_in_a_query(browser, page):
    browser.get(f"{page}query")
    field = browser.find_element(By.ID, "query")
    field.clear()
    field.send_keys("SELECT ?where { wd:Q42 place of bir")
    wait(browser, lambda: "wdt:P19" in browser.find_element(By.ID, "names").text)
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    field.send_keys("?where }", Keys.CONTROL, Keys.ENTER)
    wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "table.rows"))
    assert "Cambridge" in browser.find_element(By.CSS_SELECTOR, "table.rows").text


def test_files_and_batches_are_taken(browser, page, tmp_path):
    lines = tmp_path / "texts.jsonl"
    lines.write_text("".join(json.dumps({"id": name, "text": TEXT}) + "\n" for name in ("one", "two")))
    browser.get(page)
    browser.find_element(By.ID, "file").send_keys(str(lines))
    browser.find_element(By.CSS_SELECTOR, "#check button.main").click()
    wait(browser, lambda: len(browser.find_elements(By.CSS_SELECTOR, "#batch tbody tr")) == 2)
    assert "2 texts" in text_of(browser, "batch")


PATHS = ["", "query?query=SELECT * { wd:Q42 ?p ?o } LIMIT 5", "entity?id=Q44461", "docs", "find?q=Adams", "reviews"]
NARROW, WIDE = ((320, 900), "light"), ((1920, 1080), "dark")
LOOKS = [(path, *look) for path in PATHS for look in (NARROW, WIDE)]
LOOKS += [("", (320, 900), "dark"), ("", (1280, 1000), "light"), ("", (1920, 1080), "light")]


@pytest.mark.parametrize(("path", "size", "theme"), LOOKS)
def test_nothing_serious_is_wrong_for_people_with_disabilities(browser, page, path, size, theme):
    import axe_core_python

    axe = Path(axe_core_python.__file__).parent.rglob("axe.min.js")
    screen = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(page + path)
    if not path:
        browser.find_element(By.ID, "text").send_keys(TEXT, Keys.CONTROL, Keys.ENTER)
        wait(browser, lambda: browser.find_elements(By.CSS_SELECTOR, "#claims .claim"))
    browser.execute_script(f"document.getElementById('theme-{theme}').checked = true")
    wide = browser.execute_script("return document.documentElement.scrollWidth")
    assert wide <= size[0], f"{wide} pixels wide"
    browser.execute_cdp_cmd("Runtime.evaluate", {"expression": next(axe).read_text(encoding="utf-8")})
    found = browser.execute_async_script(AXE)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    serious = [
        (one["id"], [node["html"][:200] for node in one["nodes"]])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert not serious


def test_nothing_is_asked_elsewhere_and_nothing_is_refused_by_the_policy(checked, page):
    asked = []
    for line in checked.get_log("performance"):
        message = json.loads(line["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            asked.append(message["params"]["request"]["url"])
    assert page in asked and all(url.startswith(("http://127.0.0.1:", "blob:", "data:", "chrome")) for url in asked)
    assert not [line for line in checked.get_log("browser") if "Content Security Policy" in line["message"]]
