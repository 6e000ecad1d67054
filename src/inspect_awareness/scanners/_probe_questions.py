"""Scanner: P(evaluation) of a transcript, from answers to probe questions."""

from typing import Any

from inspect_scout import Scanner, Transcript, scanner

from inspect_awareness.scanners._scanned import scanned
from inspect_awareness.scorers._metrics import auroc, interval, mean
from inspect_awareness.scorers.p_eval import p_eval


@scanner(  # type: ignore[untyped-decorator]
    messages="all", metrics=[mean(), interval(), auroc()]
)
def probe_questions(**arguments: Any) -> Scanner[Transcript]:
    """The scorer `p_eval`, over transcripts of Scout."""
    return scanned(p_eval, "probe_questions", arguments)
