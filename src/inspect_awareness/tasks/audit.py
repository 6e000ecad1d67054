"""Task: any other task, with the probe questions asked after each sample."""

from copy import copy
from inspect import signature
from logging import getLogger
from typing import Any

from inspect_ai import Task, task, task_with
from inspect_ai.util import registry_info

from inspect_awareness._prerequisites import checked
from inspect_awareness._version import __version__
from inspect_awareness.scorers.p_eval import p_eval
from inspect_awareness.tasks._added import added
from inspect_awareness.tasks._inner import inner_task, provider

OURS = frozenset(signature(p_eval).parameters)
"""Arguments that go to `p_eval`; every other one goes to the audited task."""


@task
@checked
def audit(task: str, task_args: dict[str, Any] | None = None, **arguments: Any) -> Task:
    """Run a task as it is, and add P(eval) of its transcripts as a further score.

    Solver, scores, metrics, limits and the name in the log are the audited task's.
    The questions are asked when its own scorers are done, so that these see what they
    would have seen.

    Args:
        task: A task of a package (`package/name`), or of a file (`file.py@name`; the
            name may be left out where the file has one task).
        task_args: Arguments of the audited task. They are only needed for one that is
            called as one of `audit`'s own: `-T task_args="{config: hard}"`.
        **arguments: What is called as an argument of `p_eval` (`questions`,
            `elicitation`, `repeats`, `view`, `config`, ...) goes there; every other
            argument goes to the audited task.

    Raises:
        InputError: There is no such task, it takes no such argument, or an argument
            of `p_eval` is not among the allowed values.
        QuestionError: A question is unknown.
    """
    ours = {name: value for name, value in arguments.items() if name in OURS}
    theirs = {name: arguments[name] for name in arguments if name not in OURS}
    inner = inner_task(task, {**theirs, **(task_args or {})})
    _warn_of_shared(inner, set(ours) - set(task_args or {}))
    return _audited(inner, ours)


def _audited(inner: Task, ours: dict[str, Any]) -> Task:
    """A copy of the task with one more scorer; a task may hand out itself twice."""
    made = task_with(
        copy(inner),
        name=inner.name,
        scorer=[*(inner.scorer or []), added(p_eval(**ours))],
        metadata={
            **(inner.metadata or {}),
            "inspect_awareness": __version__,
            "audited_task": {
                "name": inner.registry_name,
                "package": provider(inner.registry_name or ""),
                "attribs": inner.attribs,
            },
        },
    )
    # `task_with` cannot set it, and takes it from `name` unless it is set
    made._display_name = inner.display_name
    return made


def _warn_of_shared(inner: Task, given: set[str]) -> None:
    """Say which arguments the audited task might have been meant to get."""
    for name in sorted(given & set(registry_info(inner).metadata.get("params", []))):
        getLogger(__name__).warning(
            f"{name} is an argument of p_eval and of {inner.name}; p_eval got it. For "
            f'the task write -T task_args="{{{name}: ...}}"'
        )
