"""The exceptions of inspect-awareness, in one tree.

    AwarenessError                 everything below; the command line prints it as a line
    ├── InputError                 a file or value given by the user cannot be used
    │   ├── LogError               no Inspect log, truncated, or without samples
    │   ├── ChatFileError          a chat file with a broken line
    │   ├── SelectionError         a selection was edited, or is of another bank or rater
    │   └── OutputExistsError      the output path is taken
    ├── QuestionError              a probe question or a bank of them is malformed
    ├── ModelError                 a model cannot be found, loaded or asked
    │   └── MissingExtraError      an optional dependency is not installed
    ├── StoreError                 a store of activations cannot be written or read
    └── IncomparableError          two sets of scores were not made in the same way

Every message names the value, what was allowed, and what to do.
"""


class AwarenessError(Exception):
    """Base of every error that this package raises on purpose."""


class InputError(AwarenessError):
    """A file or value given by the user cannot be used."""


class LogError(InputError):
    """A path is no readable Inspect log, or holds no samples."""


class ChatFileError(InputError):
    """A chat file has a line that is not a conversation."""


class SelectionError(InputError):
    """A selection of questions was edited, or was made for another bank or rater."""


class OutputExistsError(InputError):
    """An output path exists and was not to be replaced."""


class QuestionError(AwarenessError):
    """A probe question, or a bank of them, is malformed or unknown."""


class ModelError(AwarenessError):
    """A model cannot be found, loaded or asked."""


class MissingExtraError(ModelError):
    """An optional dependency is not installed.

    Args:
        feature: What the user wanted to do.
        extra: The extra that brings it, as in ``inspect-awareness[extra]``.
    """

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs the extra `{extra}`: "
            f'pip install "inspect-awareness[{extra}]"'
        )


class StoreError(AwarenessError):
    """A store of activations cannot be written, or lacks what is asked for."""


class IncomparableError(AwarenessError):
    """Two sets of scores differ in how they were made, so no number compares them."""
