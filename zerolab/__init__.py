"""zerolab: a laboratory for AlphaZero on small board games, Clobber first."""

__version__ = "0.1.0"
