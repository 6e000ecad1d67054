"""The part of a report that is about awareness that models voiced by themselves."""

from inspect_awareness.report.voiced._cases import Decision, checked_decision, judges
from inspect_awareness.report.voiced._contents import (
    Convention,
    Voiced,
    VoicedRate,
    VoicedTax,
)
from inspect_awareness.report.voiced._cues import Cited, CitedBy, cited, cited_table
from inspect_awareness.report.voiced._figure import DRAWN, convention_svg
from inspect_awareness.report.voiced._headings import headings
from inspect_awareness.report.voiced._tables import judged_how, voiced_tables
from inspect_awareness.report.voiced._voiced import VoicedTerms, all_voiced

__all__ = [
    "DRAWN",
    "Cited",
    "CitedBy",
    "Convention",
    "Decision",
    "Voiced",
    "VoicedRate",
    "VoicedTax",
    "VoicedTerms",
    "all_voiced",
    "checked_decision",
    "cited",
    "cited_table",
    "convention_svg",
    "headings",
    "judged_how",
    "judges",
    "voiced_tables",
]
