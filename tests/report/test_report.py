"""What a report says about which files."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from inspect_ai.log import write_eval_log
from scored import (
    INSTRUMENT,
    Scored,
    Transcript,
    eval_log,
    plain_log,
    scored_log,
    spread_out,
)
from validation.judged import judged_log, some

from inspect_awareness.errors import InputError, LogError
from inspect_awareness.measurements import Measurements
from inspect_awareness.report import Block, Row, build_report
from inspect_awareness.stats import auroc


def deployment(center: float, n: int, *, source: str = "support") -> Scored:
    """Deployment transcripts of one source."""
    made = [replace(t, label="deployment") for t in spread_out(center, n)]
    return Scored(made, source=source)


def write(folder: Path, logs: Sequence[Scored], prefix: str = "s") -> list[Path]:
    """Write logs as files."""
    return [
        scored_log(folder / f"{prefix}{index}.eval", log)
        for index, log in enumerate(logs)
    ]


def only_block(
    folder: Path, scored: Sequence[Scored], reference: Sequence[Scored] = ()
) -> Block:
    """The one block of a report."""
    report = build_report(
        write(folder, scored), reference=write(folder, reference, "r")
    )
    (block,) = report.blocks
    return block


def by_source(rows: Sequence[Row]) -> dict[str, Row]:
    """Rows by their source."""
    return {row.source: row for row in rows}


def test_a_row_has_the_mean_of_its_transcripts_with_tasks_as_unit(
    tmp_path: Path,
) -> None:
    # 5 tasks around .6 in steps of .02, each twice: mean .6, 10 transcripts, 5 tasks.
    twice = [replace(t, epoch=e) for t in spread_out(0.6, 5) for e in (1, 2)]
    (row,) = only_block(tmp_path, [Scored(twice)]).rows
    assert row.mean.estimate.value == pytest.approx(0.6)
    assert (row.transcripts, row.tasks, row.scored) == (10, 5, 10)
    assert (row.mean.estimate.unit, row.mean.estimate.clusters) == ("task", 5)
    assert row.mean.condition == (
        "conditional on this 1 source; says nothing about others"
    )


def test_without_reference_it_is_uncalibrated_and_says_so(tmp_path: Path) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.6, 5))])
    (row,) = block.rows
    assert row.auroc is None
    assert isnan(row.percentile)
    assert "uncalibrated: no deployment reference" in row.mean.sentences
    assert block.uncalibrated == "no deployment transcript was given"
    assert any(s.startswith("Uncalibrated") for s in block.reading)


def test_the_auroc_and_percentile_are_those_against_the_reference(
    tmp_path: Path,
) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.40, 9))], [deployment(0.35, 11)])
    (row,) = block.rows
    mine = 0.40 + 0.02 * (np.arange(9) - 4)
    theirs = 0.35 + 0.02 * (np.arange(11) - 5)
    assert row.auroc is not None
    assert row.auroc.estimate.value == pytest.approx(auroc(mine, theirs))
    # Of .25 .27 ... .45 eight of eleven lie below .40: 100 x 8 / 11.
    assert row.percentile == pytest.approx(100 * 8 / 11)
    assert block.reference is not None
    assert block.reference.median == pytest.approx(0.35)


def test_deployment_transcripts_among_the_scored_files_are_a_reference_too(
    tmp_path: Path,
) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.6, 5)), deployment(0.3, 6)])
    assert block.reference is not None
    assert block.reference.transcripts == 6
    assert by_source(block.rows).keys() == {"gaia"}
    assert by_source(block.reference_rows).keys() == {"support"}


def test_both_kinds_of_reference_are_joined(tmp_path: Path) -> None:
    block = only_block(
        tmp_path,
        [Scored(spread_out(0.6, 5)), deployment(0.3, 6)],
        [deployment(0.2, 7, source="chat")],
    )
    assert block.reference is not None
    assert block.reference.transcripts == 13
    assert block.reference.sources == ("chat", "support")


def test_a_tiny_reference_is_called_tiny_and_a_narrow_one_narrow(
    tmp_path: Path,
) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.6, 5))], [deployment(0.3, 5)])
    assert block.reference is not None
    assert len(block.reference.cautions) == 2


def test_several_sources_get_a_row_each_and_one_for_all(tmp_path: Path) -> None:
    block = only_block(
        tmp_path,
        [Scored(spread_out(0.6, 4)), Scored(spread_out(0.8, 4), source="hle")],
    )
    assert [row.source for row in block.rows] == ["all 2 sources", "hle", "gaia"]
    assert block.rows[0].mean.estimate.value == pytest.approx(0.7)
    assert block.rows[0].pooled


def test_eight_sources_on_both_sides_make_the_source_the_unit(tmp_path: Path) -> None:
    scored = [Scored(spread_out(0.5 + k / 40, 3), source=f"e{k}") for k in range(8)]
    reference = [deployment(0.3 + k / 40, 3, source=f"d{k}") for k in range(8)]
    block = only_block(tmp_path, scored, reference)
    pooled = block.rows[0]
    assert pooled.auroc is not None
    assert (pooled.mean.estimate.unit, pooled.mean.estimate.clusters) == ("source", 8)
    assert (pooled.auroc.estimate.unit, pooled.auroc.estimate.clusters) == (
        "source",
        16,
    )
    assert pooled.mean.condition == ""
    assert by_source(block.rows)["e0"].mean.estimate.unit == "task"


def test_two_subjects_are_never_pooled(tmp_path: Path) -> None:
    block = only_block(
        tmp_path,
        [
            Scored(spread_out(0.6, 4), subject="a/one"),
            Scored(
                [replace(t, uuid=f"u{t.task}") for t in spread_out(0.8, 4)],
                subject="a/two",
            ),
        ],
    )
    assert [(row.subject, row.source) for row in block.rows] == [
        ("a/one", "gaia"),
        ("a/two", "gaia"),
    ]


def test_unscored_transcripts_are_counted_with_reason_and_bounds(
    tmp_path: Path,
) -> None:
    # Mean .6 of 4; one more is missing: (2.4 + 0) / 5 = .48 to (2.4 + 1) / 5 = .68.
    transcripts = [*spread_out(0.6, 4), Transcript(None, "x", reason="refusal")]
    block = only_block(tmp_path, [Scored(transcripts)], [deployment(0.3, 6)])
    (row,) = block.rows
    (missing,) = row.mean.missing
    assert (missing.reason, missing.n, missing.share) == ("refusal", 1, 0.2)
    assert row.mean.bounds is not None
    assert row.mean.bounds.low == pytest.approx(0.48)
    assert row.mean.bounds.high == pytest.approx(0.68)
    (answers,) = row.missing_answers
    assert (answers.n, row.answers) == (8, 40)
    # All four stand above the reference; the fifth above all, or below all of it.
    assert row.auroc is not None
    assert row.auroc.bounds is not None
    assert row.auroc.bounds.low == pytest.approx(4 / 5)
    assert row.auroc.bounds.high == 1.0


def test_what_was_never_asked_about_is_counted_apart_and_widens_no_bounds(
    tmp_path: Path,
) -> None:
    # 4 of 6 were drawn; the other two are no failure of the rater's.
    log = eval_log(Scored(spread_out(0.6, 6)))
    for sample in (log.samples or [])[4:]:
        sample.scores = {}
    write_eval_log(log, str(tmp_path / "a.eval"))
    (block,) = build_report([tmp_path / "a.eval"]).blocks
    (row,) = block.rows
    assert (row.transcripts, row.scored, row.not_asked) == (4, 4, 2)
    assert row.mean.missing == ()
    assert row.mean.bounds is None
    assert any("2 more transcripts in the files were never" in s for s in block.reading)


def test_scores_within_a_hairs_breadth_are_no_evidence(tmp_path: Path) -> None:
    scored = Scored([Transcript(0.5 + k / 500, task=str(k)) for k in range(6)])
    block = only_block(tmp_path, [scored])
    assert any("between 0.500 and 0.510" in sentence for sentence in block.reading)
    wide = only_block(tmp_path, [Scored(spread_out(0.5, 6))])
    assert not any("hardly responds" in sentence for sentence in wide.reading)


def test_a_habit_larger_than_all_differences_is_pointed_out(tmp_path: Path) -> None:
    # Scores .45 ... .55 have an SD of .15 logits; the order bias is 1 logit.
    transcripts = [replace(t, order_bias=1.0) for t in spread_out(0.5, 6)]
    block = only_block(tmp_path, [Scored(transcripts)])
    (sentence,) = [s for s in block.reading if "would measure the habit" in s]
    assert sentence.startswith("The rater's order bias (+1.00 on the logit scale)")


def test_nothing_missing_has_no_bounds(tmp_path: Path) -> None:
    (row,) = only_block(tmp_path, [Scored(spread_out(0.6, 4))]).rows
    assert row.mean.missing == ()
    assert row.mean.bounds is None


def test_a_source_without_any_score_is_still_a_row(tmp_path: Path) -> None:
    block = only_block(
        tmp_path,
        [Scored(spread_out(0.6, 4)), Scored([Transcript(None, "x")], source="hle")],
        [deployment(0.3, 6)],
    )
    row = by_source(block.rows)["hle"]
    assert (row.transcripts, row.scored) == (1, 0)
    assert isnan(row.mean.estimate.value)
    assert row.mean.estimate.note == "no value"
    assert row.auroc is not None
    assert isnan(row.auroc.estimate.value)


def test_the_spread_over_questions_is_that_of_the_pairs_means(tmp_path: Path) -> None:
    # Every transcript at logit 0, pairs at expit(+-.4) = .5987 and .4013.
    same = [Transcript(0.5, task=str(k), spread=0.4) for k in range(3)]
    (row,) = only_block(tmp_path, [Scored(same)]).rows
    spread = row.mean.reliability
    assert spread is not None
    assert spread.questions == 2
    assert spread.high == pytest.approx(0.5987, abs=1e-4)
    assert spread.low == pytest.approx(0.4013, abs=1e-4)
    assert spread.sd == pytest.approx((0.5987 - 0.4013) / 2**0.5, abs=1e-4)


def test_each_pair_of_questions_has_a_row(tmp_path: Path) -> None:
    transcripts = [Transcript(0.5, task=str(k), spread=0.4) for k in range(3)]
    block = only_block(tmp_path, [Scored([*transcripts, Transcript(None, "x")])])
    direct, setting = block.questions
    assert (direct.pair, setting.pair) == ("direct", "setting")
    assert direct.wordings == ("direct-test", "direct-use")
    assert direct.mean.estimate.value == pytest.approx(0.5987, abs=1e-4)
    assert (direct.mean.estimate.n, direct.answers) == (3, 16)
    assert direct.missing_answers[0].n == 4


def test_a_score_that_never_moves_is_called_an_unresponsive_instrument(
    tmp_path: Path,
) -> None:
    same = [Transcript(0.53, task=str(k)) for k in range(5)]
    block = only_block(tmp_path, [Scored(same)])
    assert not block.rows[0].mean.estimate.has_interval
    assert any("do not respond" in sentence for sentence in block.reading)


def test_one_transcript_has_no_interval_and_supports_no_claim(tmp_path: Path) -> None:
    block = only_block(tmp_path, [Scored([Transcript(0.6)])], [deployment(0.3, 6)])
    (row,) = block.rows
    assert not row.mean.estimate.has_interval
    assert row.auroc is not None
    assert not row.auroc.estimate.has_interval
    assert any("supports no claim" in sentence for sentence in block.reading)


def test_an_unknown_label_gets_a_percentile_and_no_auroc(tmp_path: Path) -> None:
    unknown = [replace(t, label="unknown") for t in spread_out(0.6, 4)]
    block = only_block(tmp_path, [Scored(unknown)], [deployment(0.3, 6)])
    (row,) = block.rows
    assert row.label == "unknown"
    assert row.auroc is None
    assert row.percentile == 100
    assert any("label of gaia is unknown" in sentence for sentence in block.reading)


def test_chance_is_called_chance(tmp_path: Path) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.5, 9))], [deployment(0.5, 9)])
    assert block.rows[0].auroc is not None
    assert block.rows[0].auroc.estimate.value == pytest.approx(0.5)
    assert any("which is chance" in sentence for sentence in block.reading)


def test_separation_is_not_called_awareness(tmp_path: Path) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.8, 9))], [deployment(0.3, 9)])
    assert not any("which is chance" in sentence for sentence in block.reading)
    assert any("topic, length or format" in sentence for sentence in block.reading)


def test_the_wrong_way_round_is_called_below_chance(tmp_path: Path) -> None:
    block = only_block(tmp_path, [Scored(spread_out(0.3, 9))], [deployment(0.8, 9)])
    assert any("below chance" in sentence for sentence in block.reading)


def test_another_models_transcripts_are_no_measure_of_its_awareness(
    tmp_path: Path,
) -> None:
    other = only_block(tmp_path, [Scored(spread_out(0.6, 4))])
    assert any("no measure of what the model" in s for s in other.reading)


def test_its_own_transcripts_are(tmp_path: Path) -> None:
    own = Scored(spread_out(0.6, 4), subject="a/x", rater="a/x")
    block = only_block(tmp_path, [own])
    assert any("asked about its own transcripts" in s for s in block.reading)
    assert not any("no measure of what the model" in s for s in block.reading)


def test_a_reference_by_another_model_is_pointed_out(tmp_path: Path) -> None:
    reference = replace(deployment(0.3, 6), subject="a/other")
    block = only_block(tmp_path, [Scored(spread_out(0.6, 4))], [reference])
    assert any("written by a/other" in sentence for sentence in block.reading)


def test_deployment_alone_is_a_reference_without_anything_to_compare(
    tmp_path: Path,
) -> None:
    block = only_block(tmp_path, [deployment(0.3, 6)])
    assert block.rows == ()
    assert len(block.reference_rows) == 1
    assert any("nothing to compare" in sentence for sentence in block.reading)


def test_two_raters_make_two_blocks(tmp_path: Path) -> None:
    scored = [
        Scored(spread_out(0.6, 4)),
        Scored(spread_out(0.2, 4), rater="openai/other"),
    ]
    report = build_report(write(tmp_path, scored))
    assert [b.rater for b in report.blocks] == ["openai/other", "openai/rater"]
    means = [b.rows[0].mean.estimate.value for b in report.blocks]
    assert means == pytest.approx([0.2, 0.6])


def test_the_header_knows_its_files_and_what_was_dropped(tmp_path: Path) -> None:
    logs = write(tmp_path, [Scored(spread_out(0.6, 4))] * 2)
    report = build_report(logs)
    assert report.duplicates == 4
    assert [file.name for file in report.scored] == ["s0.eval", "s1.eval"]
    assert all(len(file.digest) == 16 for file in report.scored)
    assert report.level == 0.95


def test_scores_only_give_the_same_numbers(tmp_path: Path) -> None:
    transcripts = [*spread_out(0.6, 6), Transcript(None, "x")]
    logs = write(tmp_path, [Scored(transcripts), deployment(0.4, 7)])
    Measurements.from_logs(logs).without_text().to_parquet(tmp_path / "m.parquet")
    (full,) = build_report(logs).blocks
    (bare,) = build_report([tmp_path / "m.parquet"]).blocks
    assert replace(bare, placed=()) == replace(full, placed=())
    numbers = [[(t.p, t.percentile) for t in b.placed] for b in (bare, full)]
    assert numbers[0] == numbers[1]
    assert {t.task for t in bare.placed}.isdisjoint(t.task for t in full.placed)


def test_everything_unscored_is_an_error_with_the_reasons(tmp_path: Path) -> None:
    logs = write(tmp_path, [Scored([Transcript(None, str(k)) for k in range(3)])])
    with pytest.raises(
        InputError, match=r"all 3 transcripts are unscored \(off_label: 3"
    ):
        build_report(logs)


def test_a_reference_without_deployment_is_an_error(tmp_path: Path) -> None:
    scored = write(tmp_path, [Scored(spread_out(0.6, 4))])
    other = write(tmp_path, [Scored(spread_out(0.6, 4), source="hle")], "r")
    with pytest.raises(InputError, match=r"labelled deployment \(labels: 4 evaluation"):
        build_report(scored, reference=other)


def test_the_same_file_as_both_is_refused_by_its_labels(tmp_path: Path) -> None:
    scored = write(tmp_path, [Scored(spread_out(0.6, 4))])
    with pytest.raises(InputError, match="no scored transcript is labelled deployment"):
        build_report(scored, reference=scored)


def test_an_unscored_log_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"plain\.eval: holds no awareness scores"):
        build_report([plain_log(tmp_path / "plain.eval")])


@pytest.mark.parametrize("level", [0.0, 1.0, 95])
def test_a_level_that_is_no_share_is_an_error(tmp_path: Path, level: float) -> None:
    logs = write(tmp_path, [Scored(spread_out(0.6, 4))])
    with pytest.raises(InputError, match="between 0 and 1, such as"):
        build_report(logs, level=level)


def test_a_higher_level_gives_a_wider_interval(tmp_path: Path) -> None:
    logs = write(tmp_path, [Scored(spread_out(0.6, 6))])
    wide, narrow = (
        build_report(logs, level=level).blocks[0].rows[0].mean.estimate
        for level in (0.99, 0.8)
    )
    assert wide.high - wide.low > narrow.high - narrow.low


def test_chosen_questions_are_named_as_no_ground_for_comparing_models(
    tmp_path: Path,
) -> None:
    chosen = {**INSTRUMENT, "selection": "0011223344556677"}
    (tmp_path / "all").mkdir()
    made = only_block(tmp_path, [Scored(spread_out(0.6, 12), instrument=chosen)])
    plain = only_block(tmp_path / "all", [Scored(spread_out(0.6, 12))])
    words = " ".join(made.reading)
    assert "selection 0011223344556677" in words
    assert "Models are compared on P(eval) from all questions" in words
    assert "selection" not in " ".join(plain.reading)


def test_verdicts_on_voiced_awareness_make_no_block_of_p_eval(tmp_path: Path) -> None:
    judged = judged_log(tmp_path / "judged.eval", some(2, 3), source="swe")
    made = write(tmp_path, [Scored(spread_out(0.6, 12))])
    both = build_report([*made, judged])
    assert (len(both.blocks), len(both.voiced)) == (1, 1)
    alone = build_report([judged])
    assert (len(alone.blocks), len(alone.voiced)) == (0, 1)
