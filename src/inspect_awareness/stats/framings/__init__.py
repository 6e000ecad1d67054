"""Do framings order items alike, and is their effect more than their own spread?"""

from inspect_awareness.stats.framings._concordance import Concordance, kendall_w
from inspect_awareness.stats.framings._framing_effect import (
    FramingEffect,
    framing_effect,
)
from inspect_awareness.stats.framings._min_f import FTest, MinF, min_f

__all__ = [
    "Concordance",
    "FTest",
    "FramingEffect",
    "MinF",
    "framing_effect",
    "kendall_w",
    "min_f",
]
