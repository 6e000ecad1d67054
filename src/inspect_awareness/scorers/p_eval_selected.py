"""Scorer: P(evaluation) from the questions that were chosen for a rater."""

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from inspect_ai.log import transcript
from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from inspect_awareness._prerequisites import checked
from inspect_awareness.errors import QuestionError, SelectionError
from inspect_awareness.scorers._awareness import Rule
from inspect_awareness.scorers._metrics import auroc, interval, mean
from inspect_awareness.scorers.p_eval import (
    NOBODY,
    awareness_score,
    found_replies,
    origin_of,
    unscored,
)
from inspect_awareness.solvers._ask import ask
from inspect_awareness.solvers._asking import Asking, Shown, asking, shown
from inspect_awareness.solvers._bank import load_bank
from inspect_awareness.solvers._replies import ProbeStore, Replies

if TYPE_CHECKING:
    from inspect_awareness.selections import Selection


@scorer(metrics=[mean(), interval(), auroc()])
@checked
def p_eval_selected(
    selection: str,
    bank: str | None = None,
    min_mass: float | None = None,
    min_answered: float | None = None,
) -> Scorer:
    """P(evaluation) in [0, 1] from the question pairs that `awareness select` chose.

    The questions are asked as they were when they were chosen: same view, elicitation,
    repeats and config, but no prior is subtracted: a selection compares pairs without.
    Stored replies to all questions of the bank, or to the chosen
    ones, are used if this rater gave them. Models are compared on `p_eval`, which asks
    all the same questions; this score is the best instrument for one rater.

    Args:
        selection: The file that `awareness select` wrote.
        bank: The folder of questions that it was made with; the package's by default.
        min_mass: Least probability of the two labels together (see `p_eval`); by
            default that of the scores that the selection was made from.
        min_answered: Least share of the chosen pairs with an answer for a score; by
            default the same as there.

    Raises:
        SelectionError: The file was edited, was made with other questions, or does not
            say how they were asked; or a transcript is another view than it was made
            with.
    """
    # statistics, which a registered component loads only when it is used
    from inspect_awareness.selections import read_selection

    chosen = read_selection(selection)
    everything = _asked_as(chosen, bank)
    how = _narrowed_to(everything, chosen.chosen)
    rule = _rule(chosen, min_mass, min_answered)

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        if any(event.event == "error" for event in transcript().events):
            return unscored("sample_error", "The sample ended in an error.")
        model, what = get_model(), shown(state, how)
        chosen.check_view(what.view)
        store = state.store_as(ProbeStore)
        replies = _stored(store, what, model, (how, everything))
        if replies is None and str(model) == NOBODY:
            return unscored("not_asked", "No replies to these questions are stored.")
        chosen.check_rater(replies.rater if replies else str(model))
        replies = replies or await ask(what, how, model)
        return awareness_score(
            replies, how, rule, origin=origin_of(state), selection=chosen.digest
        )

    return score


def _asked_as(chosen: "Selection", bank: str | None) -> Asking:
    """All questions, asked as when the selection was made."""
    asked: dict[str, Any] = dict(chosen.asked)
    if chosen.unit != "pair" or "elicitation" not in asked:
        raise SelectionError(
            "this selection was made from a table, and does not say how its questions "
            "were asked: select on scored logs (`awareness select SCORED -o FILE`)"
        )
    view = asked.get("view", "full")
    return asking(
        questions=_questions_of(chosen, bank),
        elicitation=asked["elicitation"],
        repeats=int(asked.get("repeats", 1)),
        view=view if view not in ("model", "turns") else "full",
        config=json.loads(asked.get("config", "{}")),
        bank=bank,
    )


def _questions_of(chosen: "Selection", bank: str | None) -> list[str]:
    """The questions among which were chosen; with comparisons, those of P(eval) alone.

    Comparisons need transcripts to compare with, which a selection does not hold.
    """
    asked = (
        json.loads(chosen.asked["questions"]) if "questions" in chosen.asked else None
    )
    try:
        asked_of = load_bank(bank).select(asked)
    except QuestionError as ex:
        raise SelectionError(
            f"this selection was made with question bank {chosen.bank}: {ex}"
        ) from ex
    chosen.check_bank(asked_of.hash)
    compares = any(q.family == "pairwise" for q in asked_of.questions)
    return [q.id for q in (asked_of.feeding if compares else asked_of.questions)]


def _rule(
    chosen: "Selection", min_mass: float | None, min_answered: float | None
) -> Rule:
    """When an answer counts: as it did for the selection, unless told otherwise."""
    given = {"min_mass": min_mass, "min_answered": min_answered}
    was = {name: float(chosen.asked[name]) for name in given if name in chosen.asked}
    return Rule(**(was | {k: v for k, v in given.items() if v is not None}))


def _narrowed_to(everything: Asking, pairs: tuple[str, ...]) -> Asking:
    """The same with the questions of some pairs only."""
    ids = [q.id for q in everything.bank.questions if q.pair in pairs]
    return replace(everything, bank=everything.bank.select(ids))


def _stored(
    store: ProbeStore, what: Shown, model: Model, ways: tuple[Asking, Asking]
) -> Replies | None:
    """Stored replies to the chosen questions, or to all of them, cut to the chosen."""
    how, everything = ways
    found = found_replies(store, what, how, model)
    if found is not None:
        return found
    whole = found_replies(store, what, everything, model)
    if whole is None:
        return None
    ids = set(how.bank.ids)
    narrowed = {"questions": sorted(ids), "bank_hash": how.bank.hash}
    return whole.model_copy(
        update={
            "replies": [reply for reply in whole.replies if reply.question in ids],
            "instrument": whole.instrument.model_copy(update=narrowed),
        }
    )
