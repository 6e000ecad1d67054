"""Scanner: which cue in its situation an aware subject cites."""

from typing import Any

from inspect_scout import Scanner, Transcript, scanner

from inspect_awareness.scanners._scanned import scanned
from inspect_awareness.scorers.factor_attribution import (
    factor_attribution as the_scorer,
)
from inspect_awareness.scorers.factors._metrics import factor_shares


@scanner(messages="all", metrics=[factor_shares()])  # type: ignore[untyped-decorator]
def factor_attribution(**arguments: Any) -> Scanner[Transcript]:
    """The scorer `factor_attribution`, over transcripts of Scout."""
    return scanned(the_scorer, "factor_attribution", arguments)
