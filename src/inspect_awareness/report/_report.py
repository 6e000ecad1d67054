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
from inspect_awareness.report.voiced import VoicedTerms, all_voiced, cited, judges

NOTHING_KNOWN = VoicedTerms()
"""Nothing is said of the benchmarks, and awareness counts up to the end."""


def build_report(
    scored: Sequence[str | Path],
    *,
    reference: Sequence[str | Path] = (),
    floor: str | Path | None = None,
    level: float = 0.95,
    seed: int = 0,
    outcomes: Sequence[str] = (),
    about: VoicedTerms = NOTHING_KNOWN,
) -> Report:
    """Read scored and judged files, and report on them.

    Args:
        scored: Scored or judged logs, folders of them, or saved measurements: the
            transcripts in question. Deployment transcripts among them serve as
            reference.
        reference: The same for deployment transcripts, scored in the same way.
        floor: What surface form alone achieves on the same transcripts, as `awareness
            floor` writes it.
        level: Nominal coverage of all intervals.
        seed: Of the intervals of variance components, permutations and the like.
        outcomes: Which of the tasks' own scores is the outcome (`Measurements.load`).
        about: What is known of the benchmarks, for verdicts on voiced awareness.

    Raises:
        InputError: A file cannot be used, nothing has a score or verdict, or the
            reference holds no deployment transcript.
        IncomparableError: The reference was scored in another way.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    terms = Terms(level, now, seed, read_floors(floor) if floor else None)
    standard = Measurements.load(reference) if reference else None
    measured = Measurements.load(scored, outcomes=outcomes)
    return report_on(measured, standard, terms, about)


def report_on(
    scored: Measurements,
    reference: Measurements | None,
    terms: Terms,
    about: VoicedTerms = NOTHING_KNOWN,
) -> Report:
    """Report on measurements, against reference measurements if there are any.

    Each rater and way of asking makes a block of its own, and so does each judge and
    way of judging; nothing is pooled over them.

    Raises:
        InputError: Nothing has a score or verdict, or the reference holds no
            deployment transcript, or both disagree about a transcript.
        IncomparableError: The reference was scored in another way.
    """
    _check_scored(scored)
    everything = Measurements.concat([scored, reference]) if reference else scored
    made, judged = makers(scored), judges(scored)
    if reference is not None:
        _check_reference(reference, made, judged)
    references = _deployment_makers(everything, "score")
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
        all_voiced(scored, everything, terms, about),
        cited(scored, terms, least=about.min_aware),
    )


def _check_scored(scored: Measurements) -> None:
    """Something has a score, a verdict, or an answer that stands apart."""
    values = scored.values
    kinds = values["channel"].isin(("score", "verdict", *APART))
    if (kinds & values["value"].notna()).any():
        return
    scores = values[values["channel"].isin(("score", "verdict"))]
    names = ", ".join(file.name for file in scored.inputs)
    if scores.empty:
        raise InputError(
            f"{names}: no question was asked about these transcripts, and nobody "
            "judged them; use `awareness score` or `awareness judge run`"
        )
    counts = scores["reason"].fillna("unscored").value_counts()
    reasons = ", ".join(f"{reason}: {n}" for reason, n in counts.items())
    raise InputError(
        f"{names}: all {len(scores)} transcripts are unscored ({reasons}). Look at the "
        "replies with `inspect view`, and score again with another model or options"
    )


def _check_reference(
    reference: Measurements, made: list[Made], judged: list[Made]
) -> None:
    """The reference holds deployment transcripts, scored or judged in the same way."""
    scores = _deployment_makers(reference, "score")
    verdicts = _deployment_makers(reference, "verdict")
    if not scores and not verdicts:
        labels = reference.items["label"].fillna("unknown").value_counts()
        seen = ", ".join(f"{n} {label}" for label, n in labels.items())
        names = ", ".join(file.name for file in reference.inputs)
        raise InputError(
            f"reference {names}: no scored transcript is labelled deployment (labels: "
            f"{seen}); score deployment transcripts with `--label deployment`"
        )
    if made or not judged:
        check_comparable(made, scores)
    if judged:
        check_comparable(judged, verdicts)


def _deployment_makers(measurements: Measurements, channel: str) -> list[Made]:
    """How the deployment transcripts that have a value in a channel were scored."""
    items = measurements.items
    deployment = items.loc[items["label"].eq("deployment"), "item"]
    values = measurements.values
    usable = (
        values["channel"].eq(channel)
        & values["value"].notna()
        & values["item"].isin(deployment)
    )
    found = values.loc[usable, ["rater", "implementation"]].drop_duplicates()
    return [Made(rater, how) for rater, how in found.itertuples(index=False)]
