import json

import pytest

from tests.networks.making import CONFIGS
from zerolab.errors import UsageError
from zerolab.games.clobber import Clobber
from zerolab.networks.header import Header, parse_header


def header(**changes):
    made = Header.of(Clobber(4, 4), next(iter(CONFIGS.values())), "own")
    return json.dumps(json.loads(made.model_dump_json()) | changes)


def test_this_version_writes_format_2_and_reads_no_newer_one(tmp_path):
    assert json.loads(header())["format"] == 2
    parse_header(tmp_path / "network", header())
    with pytest.raises(UsageError, match="of another format than 2"):
        parse_header(tmp_path / "network", header(format=3))
