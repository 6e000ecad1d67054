"""Where each transcript stands among deployment transcripts."""

from dataclasses import replace
from pathlib import Path

import pytest
from scored import INSTRUMENT, Scored, Transcript, beginnings, scored_log, spread_out

from inspect_awareness.report import Block, Row, build_report


def block_of(folder: Path, *logs: Scored) -> Block:
    """The one block of logs."""
    files = [scored_log(folder / f"{k}.eval", log) for k, log in enumerate(logs)]
    (block,) = build_report(files).blocks
    return block


def deployment(n: int, *, epochs: int = 1) -> Scored:
    """n tasks of deployment transcripts, at .1 and then evenly up to .2."""
    made = [
        Transcript(0.1 + 0.1 * k / (n - 1), str(k), epoch=e, label="deployment")
        for k in range(n)
        for e in range(1, epochs + 1)
    ]
    return Scored(made, source="support")


def evaluation(high: int, low: int) -> Scored:
    """Transcripts of which some stand high above the reference, the others in it."""
    made = [Transcript(0.6 if k < high else 0.16, str(k)) for k in range(high + low)]
    return Scored(made)


def only(block: Block) -> Row:
    """The one row."""
    (row,) = block.rows
    return row


def test_each_transcript_has_its_percentile_the_highest_first(tmp_path: Path) -> None:
    # Reference .1 .125 .15 .175 .2: .6 is above all, .16 above three of five.
    block = block_of(tmp_path, evaluation(1, 2), deployment(5))
    assert [p.percentile for p in block.placed] == pytest.approx([100, 60, 60])
    assert [p.p for p in block.placed] == pytest.approx([0.6, 0.16, 0.16])
    assert (block.placed[0].source, block.placed[0].task) == ("gaia", "0")
    # Quartiles of 60, 60 and 100.
    assert only(block).quartiles == pytest.approx((60, 60, 80))


def test_without_reference_nothing_is_placed(tmp_path: Path) -> None:
    block = block_of(tmp_path, evaluation(1, 2))
    assert block.placed == ()
    assert only(block).quartiles == ()
    assert only(block).above is None


def test_the_share_above_the_99th_percentile_is_counted_over_tasks(
    tmp_path: Path,
) -> None:
    # Reference .1 to .2 in 100 steps: its 99th percentile is .199. 5 of 20 are above.
    block = block_of(tmp_path, evaluation(5, 15), deployment(100))
    above = only(block).above
    assert block.reference is not None
    assert block.reference.percentile_99 == pytest.approx(0.199)
    assert above is not None
    assert above.estimate.value == pytest.approx(0.25)
    assert (above.estimate.unit, above.estimate.clusters) == ("task", 20)
    assert above.estimate.low > 0.05
    assert above.estimate.high < 0.55
    assert any("0.25" in s and "99th percentile" in s for s in block.reading)


def test_no_transcript_above_it_is_not_a_share_of_zero_width(tmp_path: Path) -> None:
    above = only(block_of(tmp_path, evaluation(0, 20), deployment(100))).above
    assert above is not None
    # 20 tasks and none above: 1 - .025^(1/20) = .168
    assert above.estimate.value == 0.0
    assert above.estimate.high == pytest.approx(0.168, abs=1e-3)


def test_from_fewer_than_a_hundred_there_is_no_such_share_but_a_sentence(
    tmp_path: Path,
) -> None:
    block = block_of(tmp_path, evaluation(5, 15), deployment(99))
    assert only(block).above is None
    assert any(
        "not given: the reference has 99 deployment transcripts" in s
        for s in block.reading
    )


def test_beginnings_of_a_few_transcripts_are_no_hundred_transcripts(
    tmp_path: Path,
) -> None:
    turns = {**INSTRUMENT, "view": "turns"}
    curves = [
        beginning
        for k in range(25)
        for beginning in beginnings(
            [0.1, 0.2, 0.15, 0.12], task=str(k), label="deployment"
        )
    ]
    block = block_of(
        tmp_path,
        Scored(beginnings([0.3, 0.6], task="e"), instrument=turns),
        Scored(curves, source="support", instrument=turns),
    )
    assert block.reference is not None
    assert (block.reference.transcripts, block.reference.wholes) == (100, 25)
    assert not block.reference.has_99
    assert "100 beginnings of 25 deployment transcripts" in block.reference.sentence


def test_what_was_before_a_prior_stands_beside_the_mean(tmp_path: Path) -> None:
    made = [replace(t, p_uncorrected=(t.p or 0) + 0.1) for t in spread_out(0.5, 5)]
    row = only(block_of(tmp_path, Scored(made), deployment(5)))
    assert row.uncorrected is not None
    assert row.uncorrected.estimate.value == pytest.approx(0.6)
    assert row.mean.estimate.value == pytest.approx(0.5)
    # The reference's scores are on the other scale.
    assert row.uncorrected.reference is None
    plain = only(block_of(tmp_path, Scored(spread_out(0.5, 5))))
    assert plain.uncorrected is None


def test_a_prior_is_explained_where_one_was_subtracted(tmp_path: Path) -> None:
    made = [replace(t, p_uncorrected=(t.p or 0) + 0.1) for t in spread_out(0.5, 5)]
    said = [
        any("A prior was subtracted" in words for words in block.reading)
        for block in (
            block_of(tmp_path, Scored(made)),
            block_of(tmp_path, Scored(spread_out(0.5, 5))),
        )
    ]
    assert said == [True, False]
