"""A number and everything that it must not travel without."""

from dataclasses import replace
from math import isnan, nan

import pytest

from inspect_awareness.claims import (
    NO_FLOOR,
    UNCALIBRATED,
    Claim,
    Missing,
    Reference,
    Reliability,
    judging,
    shown,
)
from inspect_awareness.stats import Bounds, Estimate

ESTIMATE = Estimate(0.7, 0.6, 0.78, 0.95, 40, 20, "task")
REFERENCE = Reference(200, 3, tuple("abcdefgh"), ("a/x",), 0.2, 0.7)
CLAIM = Claim("mean P(eval)", ESTIMATE, "a/x", "a/x", "gaia")


def test_a_bare_claim_says_what_it_lacks() -> None:
    assert UNCALIBRATED in CLAIM.sentences
    assert NO_FLOOR in CLAIM.sentences


def test_its_number_comes_with_interval_n_and_unit() -> None:
    assert CLAIM.sentences[0] == (
        "mean P(eval) of gaia, a/x judging its own transcripts: 0.70 [0.60, 0.78] "
        "(95% interval; 40 transcripts, unit: task, 20 clusters)"
    )


def test_everything_that_is_known_is_said() -> None:
    claim = replace(
        CLAIM,
        condition="conditional on this 1 source; says nothing about others",
        reference=REFERENCE,
        floor=Estimate(0.5, 0.45, 0.55, 0.95, 40, 20),
        floor_name="words alone",
        reliability=Reliability(6, 0.08, 0.6, 0.8, "12 pairs would do"),
        missing=(Missing("refusal", 3, 0.06), Missing("off_label", 1, 0.02)),
        bounds=Bounds(0.64, 0.72, 40, 4),
    )
    assert claim.sentence.endswith(
        "Conditional on this 1 source; says nothing about others. Reference: 200 "
        "deployment transcripts from 8 sources, median P(eval) 0.20, 99th percentile "
        "0.70. Floor 0.50 [0.45, 0.55] by words alone; the value is +0.20 from it (no "
        "interval: the two were not compared transcript by transcript). Spread over 6 "
        "question pairs: SD 0.08, from 0.60 to 0.80; 12 pairs would do. 4 missing (8%: 3 refusal, 1 off_label); had they all been at "
        "one end, the value would be 0.64 or 0.72."
    )


def test_a_claim_about_anothers_transcripts_is_never_called_its_awareness() -> None:
    assert judging("a/x", "b/y") == "a/x judging b/y's transcripts"
    assert judging("a/x", None) == "a/x judging transcripts of an unknown model"


def test_a_small_or_narrow_reference_says_so() -> None:
    small = replace(REFERENCE, transcripts=19, sources=("a",))
    assert len(small.cautions) == 2
    assert "a tiny reference (fewer than 20)" in small.sentence
    assert "a narrow reference (fewer than 8 sources)" in small.sentence
    assert REFERENCE.cautions == ()


def test_the_excess_is_the_value_less_the_floor_and_nan_without_one() -> None:
    claim = replace(CLAIM, floor=Estimate(0.55, 0.5, 0.6, 0.95, 40, 20))
    assert claim.excess == pytest.approx(0.15)
    assert isnan(CLAIM.excess)


def test_what_is_no_level_of_awareness_lacks_neither_reference_nor_floor() -> None:
    sentences = replace(CLAIM, compared=False).sentences
    assert UNCALIBRATED not in sentences
    assert NO_FLOOR not in sentences


def test_a_reference_of_beginnings_counts_the_transcripts_they_begin() -> None:
    turns = replace(REFERENCE, wholes=30)
    assert "200 beginnings of 30 deployment transcripts" in turns.sentence
    assert REFERENCE.has_99
    assert not turns.has_99


def test_one_question_pair_has_no_spread() -> None:
    assert "unknown" in Reliability(1, nan, 0.5, 0.5).sentence


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.4, 0.6, "0.50 [0.40, 0.60]"),
        (0.495, 0.505, "0.500 [0.495, 0.505]"),
        (0.4995, 0.5005, "0.5000 [0.4995, 0.5005]"),
        (nan, nan, "0.50 [no interval]"),
    ],
)
def test_an_interval_never_looks_as_if_it_had_no_width(
    low: float, high: float, text: str
) -> None:
    assert shown(Estimate(0.5, low, high, 0.95, 9, 9)) == text


def test_a_value_that_does_not_exist_is_not_printed_as_nan() -> None:
    assert shown(Estimate(nan, nan, nan, 0.95, 0, 0)) == "not defined"
