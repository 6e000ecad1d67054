"""The scanners, as Inspect's registry knows them; light until they are used.

Inspect loads every package's entry point at its start, and Scout takes longer to import
than Inspect itself. So what is registered is a function that imports it when called.
"""

from importlib.util import find_spec
from typing import Any

# Private: Scout's own decorator would register, and import Scout. Of the public API,
# nothing adds to the registry. `tests/scanners/test_entry.py` notices when it moves.
from inspect_ai._util.registry import registry_add
from inspect_ai.util import RegistryInfo

from inspect_awareness._prerequisites import checked
from inspect_awareness.errors import MissingExtraError


@checked
def probe_questions(**arguments: Any) -> Any:
    """Scanner: P(evaluation) of a transcript, from answers to probe questions.

    It asks the scan's model (`scout scan --model`), or the evaluated one
    (`inspect eval --scanner`), and gives what the scorer `p_eval` gives: P(eval) as
    value, the table of answers as explanation, the record as metadata. A transcript
    without a number has no value, and the typed `reason` in its metadata.

    Args:
        **arguments: The arguments of `p_eval`.

    Raises:
        MissingExtraError: The extra ``scout`` is not installed.
        InputError: An argument is not among the allowed ones.
        QuestionError: A question is unknown.
    """
    if find_spec("inspect_scout") is None:
        raise MissingExtraError("the scanner `probe_questions`", "scout")
    from inspect_awareness.scanners._probe_questions import probe_questions as scanner

    return scanner(**arguments)


@checked
def verbalized_awareness(**arguments: Any) -> Any:
    """Scanner: whether a model voiced, by itself, that it is being tested.

    It asks the scan's model (`scout scan --model`), or the model role `grader`, and
    gives what the scorer `verbalized_awareness` gives: 1 or 0 as value, the verdict
    with its quotes as explanation, the record as metadata, and a reference for each
    message that is quoted. A transcript without a verdict has no value, and the typed
    `reason` in its metadata.

    Args:
        **arguments: The arguments of the scorer.

    Raises:
        MissingExtraError: The extra ``scout`` is not installed.
        InputError: An argument is not among the allowed ones.
    """
    if find_spec("inspect_scout") is None:
        raise MissingExtraError("the scanner `verbalized_awareness`", "scout")
    from inspect_awareness.scanners._verbalized_awareness import (
        verbalized_awareness as scanner,
    )

    return scanner(**arguments)


@checked
def factor_attribution(**arguments: Any) -> Any:
    """Scanner: the cue that an aware subject cites, `F1` to `F8` or `generic`.

    It reads the verdict of `verbalized_awareness` among the scores of the log that the
    transcript is from, and asks the scan's model (`scout scan --model`), or the model
    role `grader`. It gives what the scorer `factor_attribution` gives; a transcript
    without a cue has no value, and the typed `reason` in its metadata.

    Args:
        **arguments: The arguments of the scorer.

    Raises:
        MissingExtraError: The extra ``scout`` is not installed.
        InputError: An argument is not among the allowed ones.
    """
    if find_spec("inspect_scout") is None:
        raise MissingExtraError("the scanner `factor_attribution`", "scout")
    from inspect_awareness.scanners._factor_attribution import (
        factor_attribution as scanner,
    )

    return scanner(**arguments)


if find_spec("inspect_scout") is not None:
    for entry in (factor_attribution, probe_questions, verbalized_awareness):
        registry_add(
            entry,
            RegistryInfo(type="scanner", name=f"inspect_awareness/{entry.__name__}"),
        )
