"""Stages 1 to 3 composed, for `inspect eval`."""

from inspect_awareness.tasks.audit import audit
from inspect_awareness.tasks.directions import directions
from inspect_awareness.tasks.everyday_requests import everyday_requests
from inspect_awareness.tasks.exam_items import exam_items
from inspect_awareness.tasks.probe_log import probe_log

__all__ = ["audit", "directions", "everyday_requests", "exam_items", "probe_log"]
