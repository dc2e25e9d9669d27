"""Games on disk: SGF and other formats, packed datasets, batches of positions."""
