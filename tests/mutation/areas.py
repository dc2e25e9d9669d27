"""The areas that mutants are spread over: the layers of the package, and large rooms of them."""

from pathlib import Path

# Folders and files that are areas of their own, or belong to another; the rest of a layer is one.
PLACES = {
    "kernels": "games",
    "records": "training",
    "encodings": "networks",
    "solver/values": "values",
    "solver/cgt": "values",
    "evaluation/ratings": "ratings",
    "evaluation/perfect": "judging",
    "evaluation/matches/ladder.py": "judging",
    "experiments": "judging",
    "benchmarks": "studies",
    "interfaces/plots": "plots",
    "api.py": "interfaces",
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
            found.setdefault(area_of(inside), []).append(path.relative_to(root).as_posix())
    return found


def area_of(path: Path) -> str:
    """The area of a file, by the longest of its places that has one."""
    for place in (path, *path.parents):
        if place.as_posix() in PLACES:
            return PLACES[place.as_posix()]
    return path.parts[0]
