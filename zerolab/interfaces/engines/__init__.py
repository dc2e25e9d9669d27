"""zerolab as an engine that other programs drive, over GTP or UCI."""
