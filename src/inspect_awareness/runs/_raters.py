"""The raters of a run, each with a journal of its own."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from inspect_ai.model import Model

from inspect_awareness.errors import InputError
from inspect_awareness.runs._journal import Journal
from inspect_awareness.scorers.p_eval import NOBODY


def check_raters(raters: Sequence[Model]) -> None:
    """Refuse nobody, and the same rater twice.

    Raises:
        InputError: A rater is `none/none`, or is given twice.
    """
    names = [str(rater) for rater in raters]
    if NOBODY in names:
        raise InputError("none/none is nobody; give the model that is to be asked")
    twice = sorted(name for name, n in Counter(names).items() if n > 1)
    if twice:
        raise InputError(
            f"{', '.join(twice)} is given twice; a rater is asked once about each "
            "transcript (more often with --repeats)"
        )


def journal_path(output: Path, also: Model | None = None) -> Path:
    """Where the replies of a run are kept until its output is whole.

    Args:
        output: What is written.
        also: A further rater, whose replies are kept beside the first's.
    """
    if also is None:
        return output.with_name(f"{output.name}.partial")
    name = re.sub(r"[^\w.-]+", "-", str(also))
    return output.with_name(f"{output.name}.{name}.partial")


def journals_of(raters: Sequence[Model], output: Path) -> list[Journal]:
    """A journal for each rater, all of them or none."""
    made: list[Journal] = []
    try:
        for index, rater in enumerate(raters):
            path = journal_path(output, rater if index else None)
            made.append(Journal(path, rater))
    except BaseException:
        for journal in made:
            journal.close()
        raise
    return made
