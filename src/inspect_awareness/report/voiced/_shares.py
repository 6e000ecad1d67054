"""Where awareness varies: models, benchmarks, tasks, and their interplay."""

from collections.abc import Mapping

from inspect_awareness.report._terms import Terms
from inspect_awareness.report.voiced._cases import Cases
from inspect_awareness.stats import (
    AwarenessShares,
    SharesWithout,
    awareness_shares,
    shares_without_each,
)

LEAST_LEFT = 2
"""Models without which nothing can be said of their interplay."""


def shares(cases: Cases, terms: Terms) -> AwarenessShares | None:
    """Variance shares over models x tasks; None with one model."""
    asked = cases.in_question
    if len(asked.models) < LEAST_LEFT:
        return None
    return awareness_shares(asked.aware, **asked.ids, rng=terms.rng, level=terms.level)


def shares_without(cases: Cases, terms: Terms) -> Mapping[str, SharesWithout]:
    """The same with each model left out; empty where too few would be left."""
    asked = cases.in_question
    if len(asked.models) <= LEAST_LEFT:
        return {}
    return shares_without_each(
        asked.aware, **asked.ids, rng=terms.rng, level=terms.level
    )
