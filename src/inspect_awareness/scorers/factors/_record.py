"""The record of an attribution in its score's metadata: all that is needed to check it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from inspect_awareness._version import __version__
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.scorers.factors._attributing import CueInstrument, Passages
from inspect_awareness.scorers.factors._cue import Cue, CueBallot
from inspect_awareness.scorers.verdicts._verdict import tokens_of
from inspect_awareness.scorers.verdicts._votes import Votes

RECORD = "cue"
"""Where a score's metadata holds the record."""

SCHEMA_VERSION = 1
"""Version of the record."""


def unasked_record(
    instrument: CueInstrument, verdict: Mapping[str, Any], origin: Origin, reason: str
) -> dict[str, Any]:
    """The record of a transcript that nobody was asked about.

    Args:
        instrument: How it is asked about.
        verdict: The record of the verdict on awareness.
        origin: Where the transcript comes from.
        reason: Why nobody was asked.
    """
    transcript = asdict(origin)
    subject = transcript.pop("subject")
    return {
        "schema_version": SCHEMA_VERSION,
        "package": {"name": "inspect-awareness", "version": __version__},
        "judge": ", ".join(instrument.judges),
        "subject": subject,
        "instrument": instrument.model_dump(),
        "transcript": {**transcript, "digest": verdict["transcript"]["digest"]},
        "aware": verdict["verdict"],
        "turns": [],
        "statements": [],
        "flags": [],
        "asked": None,
        "factor": None,
        "evidence": [],
        "counts": {},
        "votes": [],
        "agreement": None,
        "missing": {},
        "reason": reason,
        "tokens": tokens_of([]),
    }


def cue_record(
    base: Mapping[str, Any],
    cue: Cue,
    votes: Votes,
    passages: Passages,
    flags: Sequence[str],
) -> dict[str, Any]:
    """The record of a transcript that was asked about."""
    return {
        **base,
        "turns": list(passages.turns),
        "statements": list(passages.statements),
        "flags": list(flags),
        "asked": votes.asked,
        "factor": cue.factor,
        "evidence": [each.record() for each in cue.evidence],
        "counts": cue.counts,
        "votes": [_vote(ballot) for ballot in cue.ballots],
        "agreement": cue.agreement,
        "missing": cue.missing,
        "reason": cue.reason,
        "tokens": tokens_of(votes.votes),
    }


def _vote(ballot: CueBallot) -> dict[str, Any]:
    """One vote as plain values: what it counts as, and the reply itself."""
    return {
        **ballot.vote.model_dump(),
        "factor": ballot.factor,
        "named": ballot.reading.factor,
        "evidence": None if ballot.evidence is None else ballot.evidence.record(),
        "reason": ballot.reason,
    }
