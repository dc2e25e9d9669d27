import pytest

from tests.interfaces.web.pages.browsing import CHROMIUM, PATIENCE, serving, wait_until_connected
from zerolab.evaluation.players.engine_process import find_program


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def address(runs):
    with serving(runs) as (url, _):
        yield url


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = find_program(CHROMIUM)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """Opens pages; an error in the browser, or a request to another machine, fails the test."""
    contexts, faults = [], []

    def opening(url, width=1440, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda it: faults.append(it.text) if it.type == "error" else None)
        page.on(
            "request",
            lambda it: (
                None
                if "127.0.0.1" in it.url or it.url[:5] in ("data:", "blob:")
                else faults.append(it.url)
            ),
        )
        page.goto(url)
        wait_until_connected(page)
        return page

    yield opening
    for context in contexts:
        context.close()
    assert faults == []
