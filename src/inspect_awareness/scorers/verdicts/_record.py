"""A verdict's record in its score's metadata: all that is needed to check it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from inspect_awareness._version import __version__
from inspect_awareness.datasets._reasoning import Voice
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.scorers.verdicts._verdict import Ballot, Verdict, tokens_of
from inspect_awareness.scorers.verdicts._votes import Instrument, Vote, Votes

RECORD = "verbalized"
"""Where a score's metadata holds the record."""

SCHEMA_VERSION = 1
"""Version of the record."""


def base_record(
    voice: Voice, origin: Origin, instrument: Instrument, flags: Sequence[str]
) -> dict[str, Any]:
    """The record of a transcript that nobody has judged."""
    transcript = asdict(origin)
    subject = transcript.pop("subject")
    return {
        "schema_version": SCHEMA_VERSION,
        "package": {"name": "inspect-awareness", "version": __version__},
        "judge": ", ".join(instrument.judges),
        "subject": subject,
        "instrument": instrument.model_dump(),
        "transcript": {**transcript, "digest": voice.digest},
        "channel": {
            "name": voice.channel,
            "kind": voice.kind,
            "turns": voice.turns,
            "first_action": voice.first_action,
            "reasoned": voice.reasoned,
            "withheld": voice.withheld,
            "characters": voice.characters,
        },
        "flags": list(flags),
        "asked": None,
        "verdict": None,
        "type": None,
        "hypothetical": None,
        "evidence": [],
        "onset": None,
        "votes": [],
        "agreement": None,
        "missing": {},
        "reason": voice.missing,
        "tokens": tokens_of([]),
    }


def judged_record(
    base: dict[str, Any], verdict: Verdict, votes: Votes
) -> dict[str, Any]:
    """The record of a transcript that was judged."""
    return {
        **base,
        "asked": votes.asked,
        "verdict": verdict.aware,
        "type": verdict.type,
        "hypothetical": verdict.hypothetical,
        "evidence": [each.record() for each in verdict.evidence],
        "onset": _onset(verdict),
        "votes": [_vote(ballot) for ballot in verdict.ballots],
        "agreement": verdict.agreement,
        "missing": verdict.missing,
        "reason": verdict.reason,
        "tokens": tokens_of(votes.votes),
    }


def votes_from_record(record: dict[str, Any]) -> Votes:
    """The votes that a verdict was made from."""
    return Votes(
        asked=record["asked"],
        votes=[
            Vote(**{name: vote[name] for name in Vote.model_fields})
            for vote in record["votes"]
        ],
    )


def _onset(verdict: Verdict) -> dict[str, Any] | None:
    """Where an aware subject first says so."""
    onset = verdict.onset
    if onset is None:
        return None
    return {"turn": onset.turn, "part": onset.part, "position": onset.position}


def _vote(ballot: Ballot) -> dict[str, Any]:
    """One vote as plain values: what it counts as, and the reply itself."""
    return {
        **ballot.vote.model_dump(),
        "verdict": ballot.aware,
        "type": ballot.reading.type,
        "hypothetical": ballot.reading.hypothetical,
        "unsupported": ballot.stray,
        "evidence": [each.record() for each in ballot.evidence],
        "reason": ballot.reason,
    }
