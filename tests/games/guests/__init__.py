"""Tests of zerolab/games/guests."""
