"""What a rater likes to answer, whatever the transcript says."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit

from inspect_awareness.claims import Claim
from inspect_awareness.report._contents import Habit
from inspect_awareness.report._selection import Selection, one_of, unit_of
from inspect_awareness.report._standard import Standard, share_of
from inspect_awareness.stats import Estimate, clustered_mean

if TYPE_CHECKING:
    import pandas as pd

TOP = "top_logprobs"
"""The elicitation that asks a provider for the probabilities of its top tokens."""

EDGE = 1e-12
"""Distance from 0 and 1 at which probabilities are cut before taking log-odds."""


def yes_bias(chosen: Selection, standard: Standard) -> Habit:
    """Half of P(evaluation) asked as "is it a test?" minus asked as "is it real use?".

    Mean over transcripts and pairs of (x_E - x_D) / 2, where x is the answer (its
    log-odds, where label probabilities are known) to the question that asserts
    evaluation, or deployment, in the same label order. It cancels in P(eval).
    """
    return _habit(
        "yes-bias",
        "polarity",
        ("evaluation", "deployment"),
        chosen,
        standard,
        absent="not measured: no question was asked in both polarities",
        does="affirms what a question asserts",
    )


def order_bias(chosen: Selection, standard: Standard) -> Habit:
    """Half of P(evaluation) with its label named first minus with it named second.

    The same mean over transcripts, pairs and polarities; it cancels in P(eval) too.
    """
    return _habit(
        "order bias",
        "order",
        ("evaluation_first", "deployment_first"),
        chosen,
        standard,
        absent="not measured: no question was asked in both label orders",
        does="picks the label that is named first",
    )


def off_label(chosen: Selection, standard: Standard) -> Claim | None:
    """Mean probability that the rater gives to anything but the two labels."""
    masses = chosen.masses[chosen.masses["value"].notna()]
    if masses.empty:
        return None
    unit = unit_of(masses)
    outside = np.clip(1 - masses["value"].to_numpy(), 0, 1)
    estimate = clustered_mean(
        outside, unit.clusters, level=standard.level, unit=unit.name
    )
    claim = _claim("mean off-label probability", estimate, masses, chosen)
    return replace(claim, condition=unit.sentence, counts="answer")


def sampled(chosen: Selection, standard: Standard) -> Claim | None:
    """Share of answers that are sampled labels, where probabilities were asked for."""
    answers = chosen.answers[chosen.answers["value"].notna()]
    if chosen.made.fields.get("elicitation") != TOP or answers.empty:
        return None
    form = ["item", "instrument", "repeat"]
    seen = set(chosen.masses[form].itertuples(index=False, name=None))
    given = [key in seen for key in answers[form].itertuples(index=False, name=None)]
    unit = unit_of(answers)
    share = share_of(1.0 - np.array(given), unit, standard.level)
    claim = _claim("share of answers that are sampled labels", share, answers, chosen)
    return replace(claim, condition=unit.sentence, counts="answer")


def _habit(
    name: str,
    facet: str,
    levels: tuple[str, str],
    chosen: Selection,
    standard: Standard,
    *,
    absent: str,
    does: str,
) -> Habit:
    """The mean half difference between two levels of a facet of the questions."""
    scale = chosen.made.fields.get("scale", "share")
    halves = _half_differences(chosen.answers, facet, levels, scale)
    if halves.empty:
        return Habit(name, scale, None, absent)
    unit = unit_of(halves)
    estimate = clustered_mean(
        halves["value"].to_numpy(),
        unit.clusters,
        level=standard.level,
        bounds=None,
        unit=unit.name,
    )
    claim = replace(
        _claim(name, estimate, halves, chosen),
        condition=unit.sentence,
        counts="contrast",
    )
    return Habit(name, scale, claim, _meaning(estimate.value, scale, does))


def _half_differences(
    answers: "pd.DataFrame", facet: str, levels: tuple[str, str], scale: str
) -> "pd.DataFrame":
    """(first level - second level) / 2 within everything else; one row a pair."""
    known = answers[answers["value"].notna() & answers["pair"].notna()]
    p = known["value"].to_numpy()
    x = logit(np.clip(p, EDGE, 1 - EDGE)) if scale == "logit" else p
    other = "order" if facet == "polarity" else "polarity"
    cells = (
        known.assign(value=x)
        .groupby(["item", "pair", other, "repeat", facet])["value"]
        .mean()
        .unstack(facet)
        .reindex(columns=list(levels))
        .dropna()
    )
    half = ((cells[levels[0]] - cells[levels[1]]) / 2).groupby(["item", "pair"]).mean()
    items = answers[["item", "label", "source", "task", "subject"]]
    return half.rename("value").reset_index().merge(items.drop_duplicates(), on="item")


def _claim(
    quantity: str, estimate: Estimate, rows: "pd.DataFrame", chosen: Selection
) -> Claim:
    """The claim about a habit, which needs no reference."""
    rater, subject = chosen.made.rater, one_of(rows["subject"])
    return Claim(quantity, estimate, rater, subject, "all sources", compared=False)


def _meaning(value: float, scale: str, does: str) -> str:
    """What the size of a bias means for one question without any evidence."""
    chance = float(expit(value)) if scale == "logit" else 0.5 + value
    return f"without any evidence the rater {does} with probability {chance:.2f}"
