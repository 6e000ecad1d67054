"""Errors about the local model that Inspect's command line prints as one line.

Inspect prints a ``PrerequisiteError`` without a traceback; every other error of a
provider ends in one. So what a user can put right before a run is both: one of our
errors, and a prerequisite.
"""

# Private, and without a public equivalent: it is the one error that Inspect prints
# as a line. `tests/whitebox/test_entry.py` notices when it moves.
from inspect_ai._util.error import PrerequisiteError
from rich.markup import escape

from inspect_awareness.errors import MissingExtraError, ModelError


class UnusableModelError(ModelError, PrerequisiteError):
    """A model name, its weights or its arguments cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.args = (message,)
        self.message = escape(message)


class MissingLocalExtraError(MissingExtraError, PrerequisiteError):
    """torch and transformers are not installed."""

    def __init__(self) -> None:
        super().__init__("the local model provider `whitebox`", "local")
        self.args = (self.message,)  # MissingExtraError wrote the message
        self.message = escape(str(self))
