"""The application layer: create or resume a run, train, judge."""
