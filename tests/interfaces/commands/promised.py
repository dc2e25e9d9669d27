"""What the documentation says of the options of a command."""

import re

from tests.documentation import ROOT


def promised(page, command):
    """Defaults by option: numbers in brackets in the table of options after an example."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    table = re.search(r"(^\| `--.*\n)+", text[text.index(f"$ zerolab {command} ") :], re.MULTILINE)
    found = {}
    for row in table[0].splitlines():
        default = re.search(r"\((\d+)\)", row)
        if default is not None:
            found[re.search(r"`--(\w+)", row)[1]] = int(default[1])
    return found
