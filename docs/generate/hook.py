"""The hook of mkdocs: adds the pages that are not in docs/, and leads links to them.

- README.md, CONTRIBUTING.md, CHANGELOG.md and benchmarks/README.md become pages.
- The reference is written from the code, and each notebook of examples/ is shown.
- A source that a page links to gets a page of its own, so that no link leaves the site.
"""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs.generate.command_reference import write_command_reference
from docs.generate.links import Link, change_links, for_python_markdown, links_of
from docs.generate.notebooks import show_notebook
from docs.generate.python_reference import write_python_reference

ROOT = Path(__file__).resolve().parents[2]

ADDRESSES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""From paths in the repository to pages of the site; docs/PAGE.md is PAGE.md."""

_LOGS = ("RESULTS.md", "changelog.md", "papers/damhuis-networks.md")  # found after other pages
_LANGUAGES = {".py": "python", ".js": "javascript", ".toml": "toml", ".css": "css"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages to those of docs/."""
    origins = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    texts = {origin: (ROOT / origin).read_text("utf-8") for origin in [*origins, *ADDRESSES]}
    for origin, address in ADDRESSES.items():
        files.append(File.generated(config, address, content=texts[origin]))
    for path in sorted((ROOT / "examples").glob("*.ipynb")):
        origin = f"examples/{path.name}"
        texts[origin] = show_notebook(path)
        files.append(File.generated(config, _address(origin), content=texts[origin]))
    reference = {"commands": write_command_reference(), "python": write_python_reference()}
    for name, text in reference.items():
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    targets = {_target(origin, link) for origin, text in texts.items() for link in links_of(text)}
    for source in sorted({each for target in targets for each in _sources(target)}):
        content = _show_source(source)
        files.append(File.generated(config, _address(source), content=content))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Lead links to pages of the site, and write what Python-Markdown understands otherwise."""
    address = page.file.src_uri
    if address.startswith("source/"):
        return markdown
    if address.startswith("reference/"):
        return for_python_markdown(markdown)
    if address in _LOGS:
        page.meta["search"] = {"boost": 0.001}
    origin = _origin(address)

    def lead(link: Link) -> str:
        if not link.path:
            return str(link)
        path = posixpath.relpath(_address(_target(origin, link)), posixpath.dirname(address))
        return str(Link(path, link.anchor))

    return for_python_markdown(change_links(markdown, lead))


def _target(origin: str, link: Link) -> str:
    """Where a link of a page leads, as a path in the repository."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), link.path or origin))


def _address(path: str) -> str:
    """The address on the site of a path in the repository."""
    if path in ADDRESSES:
        return ADDRESSES[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if path.endswith(".ipynb"):
        return f"notebooks/{Path(path).stem}.md"
    return f"source/{path}" if path.endswith(".txt") else f"source/{path}.md"


def _origin(address: str) -> str:
    for origin, other in ADDRESSES.items():
        if address == other:
            return origin
    if address.startswith("notebooks/"):
        return f"examples/{Path(address).stem}.ipynb"
    return f"docs/{address}"


def _sources(target: str) -> Iterator[str]:
    """What has to be shown for a link: a source; a folder of sources with its files; or nothing."""
    is_shown = target.startswith("docs/") or target in ADDRESSES or target.endswith(".ipynb")
    if is_shown or not (ROOT / target).exists():  # mkdocs warns of what is not there
        return
    yield target
    if (ROOT / target).is_dir():
        yield from (f"{target}/{path.name}" for path in _files(target))


def _files(folder: str) -> list[Path]:
    paths = sorted((ROOT / folder).iterdir())
    return [path for path in paths if path.is_file() and path.suffix in _LANGUAGES]


def _show_source(source: str) -> str:
    path = ROOT / source
    if path.suffix == ".txt":
        return path.read_text("utf-8")
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {source}\n\n"
    if path.is_dir():
        names = [each.name for each in _files(source)]
        return head + "".join(f"- [{name}]({path.name}/{name}.md)\n" for name in names)
    language = _LANGUAGES.get(path.suffix, "text")
    return f"{head}`````{language}\n{path.read_text('utf-8').rstrip()}\n`````\n"
