"""zerolab: a laboratory for AlphaZero on small board games, Clobber first."""

import os

__version__ = "0.1.0"

# PyTorch's threads wait for each other after every layer. Its OpenMP library lets them spin for
# milliseconds, which makes learning tens of times slower where other programs use the cores. So
# short a spin loses little, idle or busy (zerolab bench learning). The library reads this when
# PyTorch is loaded, so it stands here.
if "OMP_WAIT_POLICY" not in os.environ:
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
