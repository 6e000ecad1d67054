"""Stage 6: pages and tables. Works without torch and without any model's key."""

from inspect_awareness.report._contents import Block, Report, Row
from inspect_awareness.report._record import report_record
from inspect_awareness.report._report import build_report
from inspect_awareness.report._write import write_report
from inspect_awareness.report.voiced import Voiced, VoicedTerms

__all__ = [
    "Block",
    "Report",
    "Row",
    "Voiced",
    "VoicedTerms",
    "build_report",
    "report_record",
    "write_report",
]
