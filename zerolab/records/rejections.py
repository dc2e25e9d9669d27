"""What became of the records that were read."""

from typing import NamedTuple

from zerolab.records.recorded_game import Reason, RecordError


class Rejected(NamedTuple):
    """Records that cannot be used for the same reason."""

    number: int
    first: str
    """What the first of them was, and what is wrong with it."""


class Summary:
    """Counts records, those that can be used and the others by reason."""

    def __init__(self) -> None:
        self.games = 0
        """Those that can be used."""
        self.rejected: dict[Reason, Rejected] = {}

    @property
    def read(self) -> int:
        """All that were read."""
        return self.games + sum(each.number for each in self.rejected.values())

    def reject(self, error: RecordError) -> None:
        """Count a record that cannot be used."""
        before = self.rejected.get(error.reason, Rejected(0, str(error)))
        self.rejected[error.reason] = before._replace(number=before.number + 1)

    def as_dict(self) -> dict[str, dict[str, int | str]]:
        """What was rejected, the most frequent reason first."""
        items = sorted(self.rejected.items(), key=lambda item: (-item[1].number, item[0]))
        return {str(reason): each._asdict() for reason, each in items}
