"""Games being played: openings, many games side by side, how they ended."""
