"""The one exception that is shown to people without a traceback."""


class MorposError(Exception):
    """A fault in the input or the set-up; the message names the place and what to do next."""
