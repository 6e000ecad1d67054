"""Verdicts of a judge about what a subject voiced by itself."""
