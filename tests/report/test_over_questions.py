"""How far the questions asked suffice."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from inspect_ai.log import write_eval_log
from scored import INSTRUMENT, Scored, Transcript, beginnings, eval_log, scored_log

from inspect_awareness.report import Block, build_report
from inspect_awareness.report._question_coefficients import Needed
from inspect_awareness.stats import Estimate, variance_components


def pairs_log(path: Path, cells: np.ndarray, **about: str) -> Path:
    """A log whose pairs have these P(evaluation), a row a transcript; NaN is missing."""
    log = Scored(
        [Transcript(float(np.nanmean(row)), str(k)) for k, row in enumerate(cells)],
        **about,
    )
    made = eval_log(log)
    for sample, row in zip(made.samples or [], cells, strict=True):
        metadata = (sample.scores or {})["p_eval"].metadata
        assert metadata is not None
        known = [None if np.isnan(p) else float(p) for p in row]
        metadata["awareness"]["pairs"] = {f"q{k}": p for k, p in enumerate(known)}
    write_eval_log(made, str(path))
    return path


def simulated(
    transcripts: int, pairs: int, *, of: tuple[float, float, float], seed: int = 0
) -> np.ndarray:
    """Cells with these SDs between transcripts, between pairs, and of the rest."""
    rng = np.random.default_rng(seed)
    a, b, rest = of
    return np.clip(
        0.5
        + rng.normal(0, a, (transcripts, 1))
        + rng.normal(0, b, (1, pairs))
        + rng.normal(0, rest, (transcripts, pairs)),
        0.001,
        0.999,
    )


def block_of(*files: Path, seed: int = 0) -> Block:
    """The one block of files."""
    (block,) = build_report(files, seed=seed).blocks
    return block


def test_with_one_model_the_transcript_is_what_is_measured(tmp_path: Path) -> None:
    cells = simulated(30, 6, of=(0.1, 0.05, 0.1))
    design = block_of(pairs_log(tmp_path / "a.eval", cells)).over_questions
    (found,) = design.coefficients
    assert (found.object_, found.pairs) == ("transcript", 6)
    # E rho^2 = t / (t + tq / 6) and Phi = t / (t + q / 6 + tq / 6)
    t, q, tq = variance_components(cells, ["t", "q"]).truncated
    assert found.ranking.estimate.value == pytest.approx(t / (t + tq / 6))
    assert found.placing.estimate.value == pytest.approx(t / (t + (q + tq) / 6))
    assert found.ranking.estimate.has_interval
    assert [c.estimate.value for c in design.components] == pytest.approx([t, q, tq])
    assert sum(c.share for c in design.components) == pytest.approx(1)
    # .8 = t / (t + tq / k) at k = 4 tq / t
    assert found.needed_for_ranking.k.value == np.ceil(4 * tq / t)


def test_its_sentence_stands_in_the_reliability_of_every_mean(tmp_path: Path) -> None:
    cells = simulated(30, 6, of=(0.1, 0.05, 0.1))
    block = block_of(pairs_log(tmp_path / "a.eval", cells))
    spread = block.rows[0].mean.reliability
    assert spread is not None
    assert "with these 6 pairs transcripts are ranked with E rho^2" in spread.design
    assert spread.design in block.rows[0].mean.sentence


def test_without_any_difference_between_transcripts_no_number_suffices(
    tmp_path: Path,
) -> None:
    cells = simulated(30, 4, of=(0.0, 0.1, 0.1), seed=3)
    cells -= cells.mean(axis=1, keepdims=True) - 0.5
    design = block_of(pairs_log(tmp_path / "a.eval", cells)).over_questions
    (found,) = design.coefficients
    assert found.ranking.estimate.value == 0.0
    assert not found.needed_for_ranking.reachable
    assert found.needed_for_ranking.sentence.startswith("no number of question pairs")


def test_from_two_models_on_the_models_share_is_told(tmp_path: Path) -> None:
    one = pairs_log(
        tmp_path / "a.eval",
        simulated(12, 4, of=(0.05, 0.03, 0.05), seed=1) - 0.2,
        subject="a/one",
    )
    two = pairs_log(
        tmp_path / "b.eval",
        simulated(12, 4, of=(0.05, 0.03, 0.05), seed=1) + 0.2,
        subject="b/two",
        source="hle",
    )
    design = block_of(one, two).over_questions
    assert [c.object_ for c in design.coefficients] == ["model", "transcript"]
    shares = {c.name: c.share for c in design.components}
    # .4 apart: variance .08 between models, .0025 within them
    assert shares["model"] > 0.8
    assert "transcript (within a model)" in shares
    assert "2 objects" in design.coefficients[0].ranking.estimate.note


def test_cells_that_are_missing_are_counted_and_the_rest_is_used(
    tmp_path: Path,
) -> None:
    cells = simulated(20, 4, of=(0.1, 0.05, 0.1))
    cells[3, 1] = cells[7, 2] = np.nan
    design = block_of(pairs_log(tmp_path / "a.eval", cells)).over_questions
    assert design.method == "REML"
    assert design.coefficients[0].ranking.estimate.n == 78
    assert design.coefficients[0].ranking.estimate.has_interval
    assert any("2 cells of the design have no value" in note for note in design.notes)


def test_where_very_many_are_missing_whole_transcripts_are_used(
    tmp_path: Path,
) -> None:
    # 410 of 900 transcripts lack one pair: more cells than intervals are drawn for.
    cells = simulated(900, 3, of=(0.1, 0.05, 0.1))
    cells[:410, 0] = np.nan
    design = block_of(pairs_log(tmp_path / "a.eval", cells)).over_questions
    estimate = design.coefficients[0].ranking.estimate
    assert (estimate.n, estimate.clusters) == (490 * 3, 490)
    assert estimate.has_interval
    assert any("410 transcripts without an answer" in note for note in design.notes)


def test_what_is_ignored_is_stated(tmp_path: Path) -> None:
    cells = simulated(10, 4, of=(0.1, 0.05, 0.1))
    path = pairs_log(tmp_path / "a.eval", cells)
    other = pairs_log(tmp_path / "b.eval", cells, source="hle")
    notes = " ".join(block_of(path, other).over_questions.notes)
    assert "Ignored: that transcripts come from 2 sources" in notes
    assert "reliable is not the same as right" in notes


def test_epochs_of_the_same_tasks_are_named(tmp_path: Path) -> None:
    made = [
        Transcript(0.3 + k / 30, str(k % 5), epoch=1 + k // 5, spread=0.3 * (k % 3))
        for k in range(10)
    ]
    notes = block_of(scored_log(tmp_path / "a.eval", Scored(made))).over_questions.notes
    assert "that 10 transcripts repeat 5 tasks" in notes[0]


def test_one_pair_or_one_transcript_makes_no_design(tmp_path: Path) -> None:
    one_pair = block_of(pairs_log(tmp_path / "a.eval", np.array([[0.2], [0.5]])))
    assert one_pair.over_questions.coefficients == ()
    assert "fewer than 2 pairs" in one_pair.over_questions.notes[0]
    assert "spread over questions is unknown" in one_pair.rows[0].mean.sentence
    alone = block_of(pairs_log(tmp_path / "b.eval", np.array([[0.2, 0.5]])))
    assert "fewer than 2 scored transcripts" in alone.over_questions.notes[0]


def test_identical_values_give_no_coefficient_and_no_number(tmp_path: Path) -> None:
    block = block_of(pairs_log(tmp_path / "a.eval", np.full((5, 3), 0.5)))
    (found,) = block.over_questions.coefficients
    assert np.isnan(found.ranking.estimate.value)
    assert "not defined" in found.needed_for_ranking.sentence
    assert block.rows[0].mean.reliability is not None
    assert block.rows[0].mean.reliability.design == ""


def test_of_beginnings_the_last_one_counts(tmp_path: Path) -> None:
    turns = {**INSTRUMENT, "view": "turns"}
    made = [
        replace(beginning, spread=0.2 + 0.1 * (k % 4))
        for k in range(6)
        for beginning in beginnings([0.1, 0.2, 0.3 + k / 20], task=str(k))
    ]
    log = scored_log(tmp_path / "a.eval", Scored(made, instrument=turns))
    (found,) = block_of(log).over_questions.coefficients
    # 6 transcripts x 2 pairs, not 18 x 2
    assert found.ranking.estimate.n == 12


def test_the_seed_decides_the_interval(tmp_path: Path) -> None:
    path = pairs_log(tmp_path / "a.eval", simulated(12, 3, of=(0.1, 0.05, 0.1)))
    one, same, other = (
        block_of(path, seed=s).over_questions.coefficients[0].ranking.estimate
        for s in (1, 1, 2)
    )
    assert one == same
    assert one.high != other.high
    assert one.value == other.value


def test_a_number_of_pairs_beyond_asking_is_no_number() -> None:
    k = Estimate(8.6e17, 3.0, float("inf"), 0.95, 6, 3)
    words = Needed(0.8, k, 1.0).sentence
    assert words == "more than 10,000 question pairs would reach 0.8 [3 to no number]"
    one = Needed(0.8, Estimate(1.0, 1.0, 12.0, 0.95, 6, 3), 1.0).sentence
    assert one == "1 question pair would reach 0.8 [1 to 12]"
