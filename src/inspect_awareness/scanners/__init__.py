"""The same instruments as scanners of Inspect Scout (extra `scout`)."""

from inspect_awareness.scanners._entry import probe_questions, verbalized_awareness

__all__ = ["probe_questions", "verbalized_awareness"]
