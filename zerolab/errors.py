"""The error for mistakes of the user: its message is a sentence that says what is allowed."""


class UsageError(ValueError):
    """Raised for input that cannot be used; the command line prints it and exits with code 2."""
