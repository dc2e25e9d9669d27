"""The links and headings of a page of Markdown, as GitHub and the site both understand them."""

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

_FENCE = re.compile(r" *```")
_CODE = re.compile(r"(`+)(?:(?!\1).)+\1", re.DOTALL)
_LINK = re.compile(r"(?<=\])\((?P<target>[^()\s]+)(?P<title>\s+\"[^\"]*\")?\)")
_HEADING = re.compile(r"#{1,6} +(?P<text>.+?)(?: +#+)?$")
_ELSEWHERE = re.compile(r"[a-z][a-z+.-]*:")


class Link(NamedTuple):
    """Where a link leads: to a path, relative to the page or empty, and there to a heading."""

    path: str
    anchor: str

    def __str__(self) -> str:
        return f"{self.path}#{self.anchor}" if self.anchor else self.path


def links_of(text: str) -> list[Link]:
    """The relative links of a page, pictures included; not those within code."""
    found: list[Link] = []

    def keep(link: Link) -> str:
        found.append(link)
        return str(link)

    change_links(text, keep)
    return found


def change_links(text: str, change: Callable[[Link], str]) -> str:
    """The page with other targets for its relative links; code stays as it is."""

    def replace(match: re.Match[str]) -> str:
        target = match["target"]
        if _ELSEWHERE.match(target):
            return match[0]
        path, _, anchor = target.partition("#")
        return f"({change(Link(path, anchor))}{match['title'] or ''})"

    return "".join(
        part if is_code else _outside_code(part, replace) for is_code, part in _parts(text)
    )


def anchors_of(text: str) -> set[str]:
    """The anchors of the headings of a page."""
    seen: dict[str, int] = {}
    for is_code, part in _parts(text):
        for line in [] if is_code else part.splitlines():
            if heading := _HEADING.fullmatch(line):
                slug = slug_of(heading["text"])
                seen[slug] = seen.get(slug, 0) + 1
    return {slug if n == 0 else f"{slug}-{n}" for slug, count in seen.items() for n in range(count)}


def slug_of(heading: str) -> str:
    """The anchor of a heading: small letters, digits and hyphens, as GitHub makes it."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
    letters = (c for c in text.lower() if c in " -_" or unicodedata.category(c)[0] in "LN")
    return "".join(letters).strip().replace(" ", "-")


def _parts(text: str) -> list[tuple[bool, str]]:
    """Fenced blocks of code, and what is between them."""
    parts: list[tuple[bool, str]] = []
    lines: list[str] = []
    is_code = False
    for line in text.splitlines(keepends=True):
        if _FENCE.match(line):
            if is_code:
                lines.append(line)
            parts.append((is_code, "".join(lines)))
            lines = [] if is_code else [line]
            is_code = not is_code
        else:
            lines.append(line)
    return [*parts, (is_code, "".join(lines))]


def _outside_code(text: str, replace: Callable[[re.Match[str]], str]) -> str:
    # The text of a link may hold code, so code is masked and not cut out.
    masked = _CODE.sub(lambda code: "\0" * len(code[0]), text)
    result: list[str] = []
    end = 0
    for link in _LINK.finditer(masked):
        result += [text[end : link.start()], replace(link)]
        end = link.end()
    return "".join([*result, text[end:]])


def for_python_markdown(text: str) -> str:
    """The page as Python-Markdown wants it.

    Lists are indented by four and begin after an empty line, fences have no marks, and no backslash
    is before a bar within code of a table, where GitHub needs one.
    """
    changed = []
    for is_code, part in _parts(text):
        lines = part.splitlines(keepends=True)
        if is_code:
            indent = " " * (len(part) - len(part.lstrip(" ")))
            lines[0] = lines[0].replace(" no-test", "")
            changed += [f"{indent}{line}" for line in lines]
            continue
        begins, is_list = True, False  # a paragraph; whether it is a list
        for line in lines:
            if line.startswith("|"):
                line = _CODE.sub(lambda code: code[0].replace("\\|", "|"), line)
            if line.startswith("- ") and not begins and not is_list:
                changed.append("\n")
            is_list = line.startswith("- ") or (is_list and not begins)
            begins = not line.strip()
            changed.append(re.sub(r"^ {2,}", lambda spaces: 2 * spaces[0], line))
    return "".join(changed)
