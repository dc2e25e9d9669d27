"""Games that come with the package, so that studies which learn from records run anywhere.

docs/records.md says how they were made.
"""

from pathlib import Path

GO_9X9 = Path(__file__).parent / "data" / "gnugo-9x9.sgfl.xz"
"""Games of GNU Go against itself on 9x9, each from another opening of two random moves."""
