"""Which prompts run together: a function of the whole list of prompts, and of no more.

The number of a floating-point sum depends on the shape of the batch that it is
computed in. So the plan is made from all prompts before any is run. A run that was
interrupted, or one of several that share the work, computes each batch as every other
run would.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from inspect_awareness.whitebox._convention import digest
from inspect_awareness.whitebox._pooling import last_text_token
from inspect_awareness.whitebox._prompts import Rendered
from inspect_awareness.whitebox._tokens import common

_LEAST_PREFIX = 16  # tokens; a shorter one is not worth a batch of its own
_LEAST_SHARING = 4  # prompts


@dataclass(frozen=True)
class Batch:
    """Prompts that one pass computes.

    Args:
        name: Stands for the plan and the batch's place in it.
        rows: Which prompts, by their place in the plan.
        prefix: Tokens that all of them begin with and that are computed once.
        padded: Tokens that the pass computes, padding included.
    """

    name: str
    rows: tuple[int, ...]
    prefix: int
    padded: int


@dataclass(frozen=True)
class _Part:
    """Prompts in the order in which they are batched, with their common prefix."""

    rows: tuple[int, ...]
    prefix: int


def plan(
    prompts: Sequence[Rendered], *, budget: int | None, share: bool
) -> tuple[Batch, ...]:
    """Sort prompts by length, and cut them into batches.

    Prompts of one framing form batches of their own where enough of them begin with
    enough of the same tokens; all others are mixed.

    Args:
        prompts: Prompts, none twice.
        budget: Most tokens in one pass, padding included and prefix left out; None
            for one prompt at a time. A prompt that is longer runs on its own.
        share: Whether common prefixes are computed once.
    """
    parts = _parts(prompts) if share else [_whole(prompts, range(len(prompts)))]
    runs = [
        (part.prefix, run) for part in parts for run in _runs(prompts, part, budget)
    ]
    name = digest([[prefix, [prompts[row].key for row in run]] for prefix, run in runs])
    return tuple(
        Batch(
            name=f"{name}-{number:05d}",
            rows=tuple(run),
            prefix=prefix,
            padded=len(run) * (len(prompts[run[-1]].tokens) - prefix),
        )
        for number, (prefix, run) in enumerate(runs)
    )


def common_start(prompts: Sequence[Rendered]) -> int:
    """Tokens that all prompts begin with and that mean the same in all of them.

    At least the last token that any pooling may want is left out, so that what
    ``last`` picks never lies in the prefix.

    Args:
        prompts: At least one.
    """
    ordered = sorted(prompts, key=lambda prompt: prompt.tokens)
    length = common(ordered[0].tokens, ordered[-1].tokens)
    length = min(length, *(last_text_token(prompt) for prompt in prompts))
    first = ordered[0].flags
    for prompt in ordered[1:]:
        unequal = (first[:length] != prompt.flags[:length]).any(axis=1).nonzero()[0]
        length = int(unequal[0]) if len(unequal) else length
    return length


def _parts(prompts: Sequence[Rendered]) -> list[_Part]:
    """Framings that share a prefix, and all that do not."""
    framings: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row, prompt in enumerate(prompts):
        framings[prompt.framing].append(row)
    shared, others = [], []
    for rows in framings.values():
        length = common_start([prompts[row] for row in rows])
        if len(rows) >= _LEAST_SHARING and length >= _LEAST_PREFIX:
            shared.append(_Part(_by_length(prompts, rows), length))
        else:
            others += rows
    shared.sort(key=lambda part: prompts[part.rows[0]].tokens)
    return [*shared, _whole(prompts, others)]


def _whole(prompts: Sequence[Rendered], rows: Sequence[int]) -> _Part:
    """Prompts of which every token is run."""
    return _Part(_by_length(prompts, rows), prefix=0)


def _by_length(prompts: Sequence[Rendered], rows: Sequence[int]) -> tuple[int, ...]:
    """The short ones first; the order of the list plays no part."""

    def key(row: int) -> tuple[int, tuple[int, ...], str]:
        prompt = prompts[row]
        return len(prompt.tokens), prompt.tokens, prompt.key

    return tuple(sorted(rows, key=key))


def _runs(
    prompts: Sequence[Rendered], part: _Part, budget: int | None
) -> Iterator[list[int]]:
    """Runs of prompts that fit the budget when padded to the longest.

    A run that fills a quarter of the budget ends where padding would pass an eighth
    of it: a batch of that size is as fast for each token as a full one.
    """
    run: list[int] = []
    tokens = padded = 0
    for row in part.rows:
        longest = len(prompts[row].tokens) - part.prefix
        wider = (len(run) + 1) * longest
        wasteful = wider - tokens - longest > wider / 8
        if run and (
            budget is None or wider > budget or (wasteful and padded >= budget / 4)
        ):
            yield run
            run, tokens, wider = [], 0, longest
        run.append(row)
        tokens += longest
        padded = wider
    if run:
        yield run
