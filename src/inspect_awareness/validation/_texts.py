"""What people read of a transcript: the very text that the judge read."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from inspect_awareness.datasets._log_files import SampleRef, index_logs
from inspect_awareness.datasets._reasoning import checked_channel, voice_of
from inspect_awareness.datasets._threads import model_view
from inspect_awareness.datasets.inspect_logs import read_samples
from inspect_awareness.errors import InputError
from inspect_awareness.measurements import item_of, judged_as, verdicts_of
from inspect_awareness.validation._frame import Frame

if TYPE_CHECKING:
    from inspect_ai.log import EvalSample

    from inspect_awareness.datasets._reasoning import Voice

TEXTS = ("judged", "evidence", "none")
"""What is shown: all that was judged, the judge's quotes, or nothing."""

Record = dict[str, Any]
RecordsOf = Callable[["EvalSample"], Sequence[tuple[Any, Record]]]
Judged = tuple[SampleRef, "EvalSample", Record]


def text_of(
    paths: Sequence[str], frame: Frame, items: Sequence[str], *, shown: str = "judged"
) -> dict[str, str]:
    """The text of each of some transcripts, by id, read from judged logs.

    Args:
        paths: The logs.
        frame: The judged transcripts.
        items: Ids of those that are wanted.
        shown: `judged`, the whole text that the judge read; `evidence`, the quotes
            that stand in it, of which there are some only where the judge said aware;
            `none`.

    Raises:
        InputError: A transcript is not in the logs, or is no longer what was judged.
    """
    if shown not in TEXTS:
        raise InputError(f"text {shown!r} is not one of: {', '.join(TEXTS)}")
    if shown == "none":
        return {}
    render: Callable[[Judged], str] = _evidence if shown == "evidence" else _judged
    found: dict[str, str] = {}
    hidden: list[SampleRef] = []
    wanted = set(items)
    for item, judged in _judged_samples(paths, frame):
        if item not in wanted or item in found:
            continue
        if shown == "judged" and needs_events(judged[2]):
            hidden.append(judged[0])
            continue
        found[item] = render(judged)
    for item, judged in in_samples(hidden, frame, events=True):
        found.setdefault(item, render(judged))
    lost = [item for item in items if item not in found]
    if lost:
        raise InputError(
            f"{len(lost)} of {len(items)} drawn transcripts (such as {lost[0]}) are "
            "not in these logs; give the judged logs themselves"
        )
    return found


def _judged_samples(paths: Sequence[str], frame: Frame) -> Iterator[tuple[str, Judged]]:
    """The samples that the frame's judge judged."""
    yield from in_samples(index_logs(paths).refs, frame, events=False)


def in_samples(
    refs: Sequence[SampleRef],
    frame: Frame,
    *,
    events: bool,
    records_of: RecordsOf = verdicts_of,
) -> Iterator[tuple[str, Judged]]:
    """The same of some samples, with their events where these are wanted."""
    for ref, sample in read_samples(refs, events=events):
        if sample is None:
            continue
        records = [record for _, record in records_of(sample)]
        mine = [record for record in records if _is_of(record, frame)]
        if mine:
            item = item_of(sample, mine, ref.log.header.eval.eval_id)
            yield item, (ref, sample, mine[0])


def _is_of(record: Record, frame: Frame) -> bool:
    """Whether a verdict is of the frame's judge, given in the frame's way."""
    how = judged_as(record)
    return record["judge"] == frame.judge and how == frame.implementation


def _judged(judged: Judged) -> str:
    """All pieces that were judged, each with its turn.

    A piece never begins a cell, so that no spreadsheet takes it for a formula.
    """
    return "\n\n".join(
        f"[turn {each.turn}, {each.part}]\n{each.text}"
        for each in judged_voice(judged).excerpts
    )


def _evidence(judged: Judged) -> str:
    """The quotes that stand in the judged text."""
    quotes = [e for e in judged[2].get("evidence") or [] if e.get("supported")]
    return "\n\n".join(f"[turn {e['turn']}, {e['part']}]\n{e['quote']}" for e in quotes)


def _known(record: Record) -> Record:
    """What a record says of its transcript."""
    known: Record = record.get("transcript") or {}
    return known


def needs_events(record: Record) -> bool:
    """Whether the judged turns stand in the sample's events alone."""
    role = record["instrument"].get("subject_role")
    return _known(record).get("view") == "model" or role is not None


def judged_voice(judged: Judged) -> "Voice":
    """The judged text, or an error where the log holds another by now."""
    ref, sample, record = judged
    known = _known(record)
    messages = sample.messages
    if needs_events(record):
        role = record["instrument"].get("subject_role")
        messages = model_view(sample, role=role) or []
    voice = voice_of(messages, checked_channel(record["instrument"]["channel"]))
    if voice.digest != known.get("digest"):
        raise InputError(
            f"{ref.log.name}: sample {sample.id} is not the text that was judged (view "
            f"{known.get('view')!r}); leave texts out with --text none, and label it "
            "in the log viewer"
        )
    return voice
