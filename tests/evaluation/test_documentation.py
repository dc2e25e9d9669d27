"""docs/ratings.md: the examples print what the page shows.

python -m tests.evaluation.test_documentation      write into the page what they print now
"""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ratings.md"
_EXAMPLE = re.compile(r"```python\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)


def printed(example: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(example, {})
    return out.getvalue()


def test_examples_print_what_the_page_shows() -> None:
    examples = _EXAMPLE.findall(PAGE.read_text("utf-8"))
    assert len(examples) == 3
    for example, shown in examples:
        assert printed(example) == shown


def renew() -> None:
    def again(match: re.Match[str]) -> str:
        return f"```python\n{match[1]}```\n\n```text\n{printed(match[1])}```"

    PAGE.write_text(_EXAMPLE.sub(again, PAGE.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    renew()
