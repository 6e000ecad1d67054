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

from inspect_awareness.errors import MissingExtraError


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


if find_spec("inspect_scout") is not None:
    registry_add(
        probe_questions,
        RegistryInfo(type="scanner", name="inspect_awareness/probe_questions"),
    )
