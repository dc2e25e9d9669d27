"""A notebook as a page: its texts, its code, and the outputs that it was committed with."""

import json
from pathlib import Path
from typing import Any


def show_notebook(path: Path) -> str:
    """The Markdown of a notebook."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "\n\n".join(_show_cell(cell) for cell in cells) + "\n"


def _show_cell(cell: dict[str, Any]) -> str:
    text = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return text
    outputs = [_show_output(output) for output in cell["outputs"]]
    return "\n\n".join([f"```python\n{text}\n```", *filter(None, outputs)])


def _show_output(output: dict[str, Any]) -> str:
    """The richest form that the output has."""
    data = output.get("data", {})
    if "image/png" in data:
        return f'<img alt="" src="data:image/png;base64,{"".join(data["image/png"]).strip()}">'
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            line = " ".join("".join(data[kind]).split())
            return f'<div class="output">{line}</div>'
    text = "".join(output.get("text", data.get("text/plain", ""))).rstrip()
    return f"```text\n{text}\n```" if text else ""
