"""The processes that search, solve and ask networks, so that the event loop never waits."""
