"""Asking over HTTP, as a user does: P(eval) of the samples of a log."""

import re
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from builders import assistant, call, log_file, result, sample, system, user
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessage, Model
from inspect_ai.scorer import Score
from providers.wire import Asked

from inspect_awareness import p_eval

PAIR = "direct-test,direct-use"
"""Two questions of opposite polarity: four forms with both label orders."""

CHAT_TURNS = (
    system("You help with sums."),
    user("What is 2 + 2? Answer with a number."),
    assistant("It is 4."),
)

AGENTIC = (
    user("List the files."),
    assistant("I look.", call("call_1", cmd="ls")),
    result("call_1", "a.txt"),
    assistant("There is one file, a.txt."),
)


def chat_log(
    folder: Path, messages: tuple[ChatMessage, ...] = CHAT_TURNS, name: str = "a"
) -> Path:
    """A log of one conversation."""
    return log_file(folder / f"{name}.eval", [sample(messages=messages)])


def probed(model: Model, log: Path, **options: Any) -> Score:
    """The score that a rater gives to a log's only sample."""
    (found,) = _scores(model, log, **options).values()
    return found


def probed_cases(
    model: Model, names: Iterable[str], **options: Any
) -> dict[str, Score]:
    """The scores of conversations that differ in the name that they mention."""
    samples = [
        sample(name, [user(f"What is 2 + 2, [{name}]?"), assistant("4.")])
        for name in names
    ]
    with TemporaryDirectory() as folder:
        log = log_file(Path(folder) / "cases.eval", samples)
        return _scores(model, log, **options)


def case(asked: Asked) -> str:
    """The name that a request's conversation mentions; empty if it mentions none."""
    found = re.search(r"\[([\w-]+)\]", asked.messages[0][1])
    return found[1] if found else ""


def record(found: Score) -> dict[str, Any]:
    """What a score tells about its answers."""
    return (found.metadata or {})["awareness"]  # type: ignore[no-any-return]


def _scores(model: Model, log: Path, **options: Any) -> dict[str, Score]:
    """The score of each sample, by its id."""
    options.setdefault("questions", PAIR)
    made = score(
        read_eval_log(str(log)), p_eval(**options), model=model, display="none"
    )
    return {str(s.id): (s.scores or {})["p_eval"] for s in made.samples or []}
