"""The areas that mutants are spread over: the layers of the package, large ones in two parts."""

from pathlib import Path

_VALUES = "cgt cgt_notation kept_values value_forms value_order value_sums values yardsticks"
_RATING = "bradley_terry elo history pairs progress_elo ratings results series sprt statistics"
_JUDGING = "exam examination exhaustive judge ladder evaluators perfect regret"
_PLOTS = (
    "curves exam_plots heat_maps pages plots progress_elo_plot run_graphs run_plots tensorboard "
    "tournament_plots tree_picture"
)

# Parts of layers that are areas of their own; the rest of a layer is one.
PARTS = {
    **{f"solver/{name}.py": "values" for name in _VALUES.split()},
    **{f"evaluation/{name}.py": "ratings" for name in _RATING.split()},
    **{f"evaluation/{name}.py": "judging" for name in _JUDGING.split()},
    **{f"interfaces/{name}.py": "plots" for name in _PLOTS.split()},
    "files.py": "training",
    "errors.py": "training",
    "__main__.py": "interfaces",
}
_PLAIN = "__init__.py"  # these hold docstrings and names only


def areas(root: Path, package: str) -> dict[str, list[str]]:
    """The files of each area, as paths from the root of the tree."""
    found: dict[str, list[str]] = {}
    for path in sorted((root / package).rglob("*.py")):
        inside = path.relative_to(root / package)
        if path.name != _PLAIN:
            area = PARTS.get(inside.as_posix(), inside.parts[0])
            found.setdefault(area, []).append(path.relative_to(root).as_posix())
    return found
