"""The same instruments as scanners of Inspect Scout (extra `scout`)."""

from inspect_awareness.scanners._entry import (
    factor_attribution,
    probe_questions,
    verbalized_awareness,
)

__all__ = ["factor_attribution", "probe_questions", "verbalized_awareness"]
