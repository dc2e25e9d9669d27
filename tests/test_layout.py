"""The shape of the package: small folders, and file names that occur once."""

from collections import Counter

from tests.documentation import ROOT

MOST_FILES = 14
COMMANDS = ROOT / "zerolab" / "interfaces" / "commands"  # one file for each command


def modules():
    files = (ROOT / "zerolab").rglob("*.py")
    return [path for path in files if not path.name.startswith("__")]


def test_a_file_name_occurs_once():
    counts = Counter(path.name for path in modules())
    assert [name for name, count in counts.items() if count > 1] == []


def test_folders_are_small():
    counts = Counter(path.parent for path in modules() if path.parent != COMMANDS)
    assert {folder: count for folder, count in counts.items() if count > MOST_FILES} == {}


def test_every_folder_says_what_it_is():
    for folder in {path.parent for path in modules()}:
        assert (folder / "__init__.py").read_text("utf-8").startswith('"""'), folder


def test_every_command_has_a_file_of_its_name():
    from zerolab.interfaces import cli

    # gtp_command.py: a player of that name has the file gtp.py.
    files = [path for path in modules() if path.parent == COMMANDS]
    names = {path.stem.removesuffix("_command") for path in files}
    assert names == {*cli.COMMANDS, "arguments"}
