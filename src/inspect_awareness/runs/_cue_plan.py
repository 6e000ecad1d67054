"""What will be asked about cues, and about how much that costs."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from inspect_ai.model import Model

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._reasoning import checked_channel, voice_of
from inspect_awareness.datasets._transcript import Place, Transcript
from inspect_awareness.errors import InputError
from inspect_awareness.runs._judgements import Judgements, read_judgements
from inspect_awareness.scorers.factors._attributing import (
    Attributing,
    Passages,
    passages_of,
)
from inspect_awareness.scorers.verdicts._flags import flags_of
from inspect_awareness.stats.cues import (
    TaskKey,
    stably_aware,
)

NOT_STABLE = "not_stable"
"""Reason of an aware transcript whose task is not stably aware."""

_CHARACTERS_A_TOKEN = 4
"""English text in common tokenisers; an estimate, and called one."""

_VOTE_TOKENS = 60
"""A vote with one quote; a judge that reasons first writes more."""


@dataclass
class CuePlan:
    """What will be asked, and about how much that costs."""

    judged: Judgements
    """The verdicts."""

    stable: frozenset[TaskKey]
    """The stably aware tasks."""

    inputs: Inputs
    """The transcripts, in the view that was judged."""

    transcripts: int = 0
    """How many there are."""

    asked: int = 0
    """How many of them are asked about."""

    characters: int = 0
    """Length of what is shown."""

    left_out: Counter[str] = field(default_factory=Counter)
    """Transcripts that nobody is asked about, by reason."""

    flags: Counter[str] = field(default_factory=Counter)
    """Transcripts by flag."""

    by_log: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Samples left out, by reason."""

    calls: int = 0
    """Votes asked for in all."""

    input_tokens: int = 0
    """About how many tokens the judges read."""

    output_tokens: int = 0
    """About how many tokens they write."""

    @property
    def tasks(self) -> int:
        """Tasks with a verdict, as often as there are models."""
        return len({r.key for r in self.judged.repeats if r.aware is not None})

    def found(self, transcript: Transcript) -> Passages | str:
        """What is asked about a transcript, or why nobody is asked."""
        place = place_of(transcript)
        record = self.judged.records.get(place)
        if record is None:
            return "not_judged"
        channel = checked_channel(str(record["instrument"]["channel"]))
        found = passages_of(record, voice_of(transcript.messages, channel))
        return found if isinstance(found, str) else self._left_out(place) or found

    def _left_out(self, place: Place) -> str | None:
        """Why nobody is asked about an aware transcript, if nobody is."""
        key = self.judged.repeats[self.judged.rows[place]].key
        return None if key in self.stable else NOT_STABLE


def plan_attribution(
    paths: Sequence[str],
    how: Attributing,
    judges: Sequence[Model],
    *,
    awareness_judge: str | None = None,
) -> CuePlan:
    """What a run would ask, without asking.

    Only aware transcripts of stably aware tasks are asked about; a task is stably aware
    over all given logs.

    Args:
        paths: Judged logs, and folders of them.
        how: How it is asked.
        judges: The judges.
        awareness_judge: The judge of awareness, where several judged.

    Raises:
        InputError: Nothing was judged, or in several ways, or no task has enough
            repeats to be stably aware.
    """
    judged = read_judgements(paths, awareness_judge)
    if judged.most_repeats < how.min_aware:
        raise InputError(_too_few(judged.most_repeats, how.min_aware))
    stable = stably_aware(judged.repeats, min_aware=how.min_aware)
    found = CuePlan(judged, frozenset(stable), Inputs(paths, judged.selection))
    prompt = 0
    for transcript in found.inputs:
        found.transcripts += 1
        found.by_log[place_of(transcript).log] += 1
        asked = found.found(transcript)
        if isinstance(asked, str):
            found.left_out[asked] += 1
            continue
        found.asked += 1
        found.flags.update(flags_of(asked.shown))
        found.characters += asked.shown.characters
        prompt += len(how.words(asked))
    found.skipped = found.inputs.skipped
    often = len(judges) * how.how.votes
    found.calls = often * found.asked
    found.input_tokens = often * prompt // _CHARACTERS_A_TOKEN
    found.output_tokens = _VOTE_TOKENS * found.calls
    return found


def place_of(transcript: Transcript) -> Place:
    """The sample that a transcript was read from; all here are of logs."""
    if transcript.place is None:
        raise InputError("judged logs are needed here, and no chat files")
    return transcript.place


def _too_few(repeats: int, wanted: int) -> str:
    """That no task can be stably aware, and what to do."""
    has = (
        "no task has more than one transcript"
        if repeats < 2
        else (f"no task has more than {repeats} transcripts")
    )
    return (
        f"{has} with a verdict in these logs, so that none can be stably aware with "
        f"--min-aware {wanted}; run the benchmark with --epochs {max(10, wanted)} and "
        "judge it again, give all logs of the same model and benchmark together, or "
        "take a task as aware after a single transcript with --min-aware 1"
    )
