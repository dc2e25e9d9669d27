"""Figures that are drawn, but never looked at."""

from typing import Any

import matplotlib.pyplot
import pytest
from matplotlib.figure import Figure


@pytest.fixture(name="axes")
def fixture_axes() -> Any:
    figure, axes = matplotlib.pyplot.subplots()
    yield axes
    matplotlib.pyplot.close(figure)


@pytest.fixture(name="saved")
def fixture_saved(monkeypatch: pytest.MonkeyPatch) -> list[Figure]:
    """Figures that would have been written to files; drawing them takes a second each."""
    saved: list[Figure] = []
    monkeypatch.setattr(Figure, "savefig", lambda figure, *_, **options: saved.append(figure))
    return saved
