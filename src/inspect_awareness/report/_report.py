"""From measurements to a report; pure but for `build_report`, which reads files."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from inspect_awareness._version import __version__
from inspect_awareness.errors import InputError
from inspect_awareness.measurements import Measurements
from inspect_awareness.report._blocks import block
from inspect_awareness.report._contents import Report
from inspect_awareness.report._floors import read_floors
from inspect_awareness.report._raters import rater_differences
from inspect_awareness.report._reference import Made, check_comparable
from inspect_awareness.report._selection import APART, makers, select
from inspect_awareness.report._terms import Terms


def build_report(
    scored: Sequence[str | Path],
    *,
    reference: Sequence[str | Path] = (),
    floor: str | Path | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Report:
    """Read scored files and report on them.

    Args:
        scored: Scored logs, folders of them, or saved measurements: the transcripts
            in question. Deployment transcripts among them serve as reference.
        reference: The same for deployment transcripts, scored in the same way.
        floor: What surface form alone achieves on the same transcripts, as `awareness
            floor` writes it.
        level: Nominal coverage of all intervals.
        seed: Of the intervals of variance components and the orders of turns.

    Raises:
        InputError: A file cannot be used, nothing has a score, or the reference holds
            no deployment transcript.
        IncomparableError: The reference was scored in another way.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    terms = Terms(level, now, seed, read_floors(floor) if floor else None)
    standard = Measurements.load(reference) if reference else None
    return report_on(Measurements.load(scored), standard, terms)


def report_on(
    scored: Measurements, reference: Measurements | None, terms: Terms
) -> Report:
    """Report on measurements, against reference measurements if there are any.

    Each rater and way of asking makes a block of its own; nothing is pooled over them.

    Raises:
        InputError: Nothing has a score, or the reference holds no deployment
            transcript, or both disagree about a transcript.
        IncomparableError: The reference was scored in another way.
    """
    _check_scored(scored)
    everything = Measurements.concat([scored, reference]) if reference else scored
    made = makers(scored)
    if reference is not None:
        check_comparable(made, _deployment_makers(reference))
    references = _deployment_makers(everything, required=False)
    items = set(scored.items["item"])
    chosen = [select(everything, how) for how in made]
    raters = rater_differences(chosen, level=terms.level)
    blocks = [
        block(each, each.scores["item"].isin(items), references, raters, terms)
        for each in chosen
    ]
    return Report(
        terms.created,
        __version__,
        terms.level,
        scored.inputs,
        reference.inputs if reference else (),
        everything.skipped,
        everything.duplicates,
        tuple(blocks),
        terms.seed,
        terms.floors,
        raters,
    )


def _check_scored(scored: Measurements) -> None:
    """Something has a score, or an answer that stands apart."""
    values = scored.values
    scores = values[values["channel"].eq("score")]
    usable = values["channel"].isin(("score", *APART)) & values["value"].notna()
    if usable.any():
        return
    if scores.empty:
        names = ", ".join(file.name for file in scored.inputs)
        raise InputError(
            f"{names}: no question was asked about these transcripts; score them with "
            "`awareness score` (verdicts on voiced awareness are read by `awareness "
            "judge score`)"
        )
    counts = scores["reason"].fillna("unscored").value_counts()
    reasons = ", ".join(f"{reason}: {n}" for reason, n in counts.items())
    names = ", ".join(file.name for file in scored.inputs)
    raise InputError(
        f"{names}: all {len(scores)} transcripts are unscored ({reasons}). Look at the "
        "replies with `inspect view`, and score again with another model or options"
    )


def _deployment_makers(
    measurements: Measurements, *, required: bool = True
) -> list[Made]:
    """How the deployment transcripts that have a score were scored."""
    items = measurements.items
    deployment = items.loc[items["label"].eq("deployment"), "item"]
    values = measurements.values
    usable = (
        values["channel"].eq("score")
        & values["value"].notna()
        & values["item"].isin(deployment)
    )
    found = values.loc[usable, ["rater", "implementation"]].drop_duplicates()
    if required and found.empty:
        labels = items["label"].fillna("unknown").value_counts()
        seen = ", ".join(f"{n} {label}" for label, n in labels.items())
        names = ", ".join(file.name for file in measurements.inputs)
        raise InputError(
            f"reference {names}: no scored transcript is labelled deployment (labels: "
            f"{seen}); score deployment transcripts with `--label deployment`"
        )
    return [Made(rater, how) for rater, how in found.itertuples(index=False)]
