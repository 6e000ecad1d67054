"""What may be compared with what."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scored import INSTRUMENT, Scored, scored_log, spread_out

from inspect_awareness.errors import IncomparableError
from inspect_awareness.report import build_report


def files(
    folder: Path, changed: Mapping[str, Any], rater: str = "openai/rater"
) -> tuple[Path, Path]:
    """A scored file, and a reference asked with a changed instrument."""
    scored = scored_log(folder / "s.eval", Scored(spread_out(0.6, 5)))
    reference = Scored(
        [replace(t, label="deployment") for t in spread_out(0.3, 5)],
        source="support",
        instrument={**INSTRUMENT, **changed},
        rater=rater,
    )
    return scored, scored_log(folder / "r.eval", reference)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"view": "prompt"}, "view: full (scored) / prompt (reference)"),
        ({"elicitation": "label"}, "elicitation: logprob (scored) / label (reference)"),
        (
            {"bank_hash": "ffffffffffffffff"},
            "bank_hash: 0123456789abcdef (scored) / ffffffffffffffff (reference)",
        ),
        ({"min_mass": 0.5}, "min_mass: 0.01 (scored) / 0.5 (reference)"),
        (
            {"config": {"temperature": 0.7}},
            'config: {"max_tokens":1,"temperature":0} (scored) / {"temperature":0.7} '
            "(reference)",
        ),
        (
            {"questions": ["direct-test"], "bank_hash": "ffffffffffffffff"},
            'questions: ["direct-test","direct-use","setting-arranged",'
            '"setting-natural"] (scored) / ["direct-test"] (reference)',
        ),
    ],
)
def test_a_reference_asked_otherwise_is_refused_with_what_differs_and_no_more(
    tmp_path: Path, changed: Mapping[str, Any], words: str
) -> None:
    scored, reference = files(tmp_path, changed)
    with pytest.raises(IncomparableError) as caught:
        build_report([scored], reference=[reference])
    assert f"compares it with the scored files. {words}. Score the" in str(caught.value)


def test_a_reference_of_another_rater_is_refused(tmp_path: Path) -> None:
    scored, reference = files(tmp_path, {}, rater="openai/other")
    with pytest.raises(
        IncomparableError, match=r"rater: openai/rater \(scored\) / openai/other"
    ):
        build_report([scored], reference=[reference])


def test_the_order_in_which_fields_were_written_does_not_matter(tmp_path: Path) -> None:
    scored, reference = files(tmp_path, {"config": {"max_tokens": 1, "temperature": 0}})
    (block,) = build_report([scored], reference=[reference]).blocks
    assert block.reference is not None


def test_a_block_that_the_reference_does_not_match_says_why(tmp_path: Path) -> None:
    scored, reference = files(tmp_path, {})
    other = scored_log(
        tmp_path / "o.eval", Scored(spread_out(0.7, 5), rater="openai/zeta")
    )
    matched, unmatched = build_report([scored, other], reference=[reference]).blocks
    assert matched.reference is not None
    assert unmatched.reference is None
    assert unmatched.uncalibrated == (
        "the deployment transcripts were scored differently: rater: openai/zeta "
        "(scored) / openai/rater (reference)"
    )
    assert any("scored differently" in sentence for sentence in unmatched.reading)


def test_deployment_among_the_scored_files_does_not_hide_a_useless_reference(
    tmp_path: Path,
) -> None:
    scored, reference = files(tmp_path, {"view": "prompt"})
    mine = Scored(
        [replace(t, label="deployment") for t in spread_out(0.3, 5)], source="chat"
    )
    own = scored_log(tmp_path / "d.eval", mine)
    assert build_report([scored, own]).blocks[0].reference is not None
    with pytest.raises(IncomparableError):
        build_report([scored, own], reference=[reference])


def test_scored_files_that_differ_among_themselves_are_blocks_not_an_error(
    tmp_path: Path,
) -> None:
    one = scored_log(tmp_path / "a.eval", Scored(spread_out(0.6, 5)))
    prompt = {**INSTRUMENT, "view": "prompt"}
    two = scored_log(tmp_path / "b.eval", Scored(spread_out(0.4, 5), instrument=prompt))
    views = [b.implementation["view"] for b in build_report([one, two]).blocks]
    assert sorted(views) == ["full", "prompt"]
