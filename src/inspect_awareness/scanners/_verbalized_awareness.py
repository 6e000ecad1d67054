"""Scanner: whether a model voiced, by itself, that it is being tested."""

from typing import Any

from inspect_scout import Scanner, Transcript, scanner

from inspect_awareness.scanners._scanned import scanned
from inspect_awareness.scorers._metrics import mean
from inspect_awareness.scorers.verbalized_awareness import (
    verbalized_awareness as the_scorer,
)
from inspect_awareness.scorers.verdicts._metrics import rate_interval


@scanner(  # type: ignore[untyped-decorator]
    messages="all", metrics=[mean(), rate_interval()]
)
def verbalized_awareness(**arguments: Any) -> Scanner[Transcript]:
    """The scorer `verbalized_awareness`, over transcripts of Scout."""
    return scanned(the_scorer, "verbalized_awareness", arguments)
