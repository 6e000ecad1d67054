"""Stages 1 to 3 composed, for `inspect eval`."""

from inspect_awareness.tasks.probe_log import probe_log

__all__ = ["probe_log"]
