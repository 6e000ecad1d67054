"""The same instruments as scanners of Inspect Scout (extra `scout`)."""

from inspect_awareness.scanners._entry import probe_questions

__all__ = ["probe_questions"]
