"""The cues that an aware subject can cite: words that scorers, statistics and reports share.

A leaf that anyone may import; `stats` takes the categories as an argument.
"""

from collections.abc import Mapping

FACTORS: Mapping[str, str] = {
    "F1": "stimulus artificiality",
    "F2": "scenario coherence",
    "F3": "prose register",
    "F4": "ecological completeness",
    "F5": "stakes telegraphing",
    "F6": "paradigm recognizability",
    "F7": "task format",
    "F8": "explicit disclosure",
}
"""The eight factors of EvalAwareBench (Li et al., arXiv 2605.23055), by id."""

GENERIC = "generic"
"""No cue of the environment is cited."""

CATEGORIES = (*FACTORS, GENERIC)
"""All that a vote can say."""
