"""Where transcripts rise over their turns."""

import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from scored import INSTRUMENT, Scored, Transcript, beginnings, scored_log

from inspect_awareness.measurements import Measurements
from inspect_awareness.report import Block, build_report, write_report
from inspect_awareness.report._curve_figure import curves_svg
from inspect_awareness.report._onset import Onset

TURNS = {**INSTRUMENT, "view": "turns"}
STEP = (0.20, 0.22, 0.21, 0.70, 0.72, 0.71, 0.73)
"""Low for three turns, high for four."""
FLAT = (0.31, 0.30, 0.29, 0.30, 0.31, 0.30, 0.29)


def turns_log(path: Path, curves: dict[str, tuple[float | None, ...]]) -> Path:
    """A log of beginnings: a curve a task."""
    made = [
        beginning
        for task, curve in curves.items()
        for beginning in beginnings(curve, task=task)
    ]
    return scored_log(path, Scored(made, instrument=TURNS))


def onset_of(*files: Path) -> Onset:
    """The onset of the one block of files."""
    found = block_of(*files).onset
    assert found is not None
    return found


def block_of(*files: Path) -> Block:
    """The one block of files."""
    (block,) = build_report(files).blocks
    return block


def test_the_turn_of_the_rise_is_that_of_the_step(tmp_path: Path) -> None:
    log = turns_log(tmp_path / "a.eval", {"flat": FLAT, "step": STEP})
    step, flat = onset_of(log).curves
    assert (step.task, step.turns) == ("step", (1, 2, 3, 4, 5, 6, 7))
    assert step.rise_at == 4
    assert step.before == pytest.approx(0.21)
    assert step.after == pytest.approx(0.715)
    # 3! 4! of the 7! orders of its values rise as clearly: 1 / 35
    assert step.p == pytest.approx(1 / 35, abs=0.015)
    assert flat.rise_at is None


def test_a_turn_without_score_is_left_out_and_the_others_keep_their_numbers(
    tmp_path: Path,
) -> None:
    curve = (*STEP[:3], None, *STEP[3:])
    (found,) = onset_of(turns_log(tmp_path / "a.eval", {"a": curve})).curves
    assert found.turns == (1, 2, 3, 5, 6, 7, 8)
    assert (found.missing, found.rise_at) == (1, 5)


def test_how_many_rise_is_a_share_of_those_long_enough(tmp_path: Path) -> None:
    curves = {f"s{k}": STEP for k in range(3)} | {"flat": FLAT, "short": STEP[2:5]}
    block = block_of(turns_log(tmp_path / "a.eval", curves))
    assert block.onset is not None
    (claim,) = block.onset.rising
    assert claim.source == "evaluation"
    assert (claim.estimate.value, claim.estimate.n) == (0.75, 4)
    assert any("Of 4 evaluation transcripts with 6 turns" in s for s in block.reading)


def test_a_short_curve_is_shown_with_the_reason_why_its_p_is_large(
    tmp_path: Path,
) -> None:
    block = block_of(turns_log(tmp_path / "a.eval", {"a": STEP[1:5]}))
    assert block.onset is not None
    (curve,) = block.onset.curves
    assert "no p of .05 or less" in curve.note
    assert block.onset.rising == ()
    assert any("No transcript has 6 scored turns" in s for s in block.reading)


def test_the_first_turn_above_the_references_99th_percentile(tmp_path: Path) -> None:
    scored = turns_log(tmp_path / "a.eval", {"step": STEP, "flat": FLAT})
    # 100 transcripts of two turns at .1 to .3: the 99th percentile is near .3
    reference = [
        beginning
        for k in range(100)
        for beginning in beginnings(
            (0.1, 0.1 + k / 500), task=str(k), label="deployment"
        )
    ]
    log = Scored(reference, source="support", instrument=TURNS)
    found = onset_of(scored, scored_log(tmp_path / "r.eval", log))
    assert 0.29 < found.threshold < 0.3
    above = {curve.task: curve.above_at for curve in found.curves}
    assert above["step"] == 4
    assert above["flat"] == 1
    few = onset_of(scored)
    assert few.threshold != few.threshold


def test_other_views_have_no_onset(tmp_path: Path) -> None:
    log = scored_log(
        tmp_path / "a.eval", Scored([Transcript(0.5), Transcript(0.6, "2")])
    )
    block = block_of(log)
    assert block.onset is None
    assert curves_svg(block) == ""


def test_files_without_a_column_of_turns_have_them_in_their_ids(tmp_path: Path) -> None:
    log = turns_log(tmp_path / "a.eval", {"step": STEP})
    Measurements.load([log]).to_parquet(tmp_path / "new.parquet")
    table = pq.read_table(tmp_path / "new.parquet")
    pq.write_table(table.drop_columns(["turn"]), tmp_path / "old.parquet")
    assert onset_of(tmp_path / "old.parquet").curves == onset_of(log).curves


def test_scores_that_left_the_house_keep_their_curves(tmp_path: Path) -> None:
    log = turns_log(tmp_path / "a.eval", {"step": STEP, "flat": FLAT})
    Measurements.load([log]).without_text().to_parquet(tmp_path / "m.parquet")
    bare, full = onset_of(tmp_path / "m.parquet"), onset_of(log)
    assert [c.values for c in bare.curves] == [c.values for c in full.curves]
    assert [c.rise_at for c in bare.curves] == [c.rise_at for c in full.curves]
    assert "step" not in " ".join(c.name for c in bare.curves)


def test_curves_are_drawn_and_tabulated(tmp_path: Path) -> None:
    log = turns_log(tmp_path / "a.eval", {f"t{k}": STEP for k in range(12)})
    report = build_report([log])
    write_report(report, tmp_path / "a.html")
    write_report(report, tmp_path / "a.md")
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "### Onset: P(eval) over turns" in text
    assert "| t0 (gaia) | 7 | 0.20 | 0.73 | 4 | +0.51 | 0.0" in text
    # nine of the twelve have a panel
    assert len(set(re.findall(r"t\d+ \(gaia\)", curves_svg(report.blocks[0])))) == 9
