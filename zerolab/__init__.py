"""zerolab: a laboratory for AlphaZero on small board games, Clobber first."""

import os

__version__ = "0.1.0"

# PyTorch's threads wait for each other after every layer. Its OpenMP library lets them spin, which
# takes 50 times as long where other programs use the cores; asleep, they lose little
# (zerolab bench learning). The library reads this when PyTorch is loaded, so it stands here.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
