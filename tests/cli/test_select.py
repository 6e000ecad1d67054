"""`awareness select`: from tables and scored logs to a selection."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from commands import csv_file, failure_of, output_of, page_of, refused
from scored import INSTRUMENT, Scored, Transcript, scored_log

from inspect_awareness.cli._select import STRATEGIES, select
from inspect_awareness.measurements import Measurements
from inspect_awareness.selections import read_selection
from inspect_awareness.stats.selection import Strategy

HEADER = "item,source,label,question,value"

CONTRACT = {
    "strategy", "best_found", "chosen", "kept_all", "auroc_in_sample",
    "auroc_out_of_sample", "optimism", "permutation_p", "frequency",
}  # fmt: skip


def rows(
    *, sources: int = 20, each: int = 3, strengths: tuple[float, ...] = (0.6, 0.0, 0.0)
) -> list[str]:
    """A row for each item and question; odd sources are evaluations."""
    rng = np.random.default_rng(0)
    found = []
    for item in range(sources * each):
        source = item % sources
        label = "evaluation" if source % 2 else "deployment"
        for k, gain in enumerate(strengths):
            value = (1 - gain) * rng.random() + gain * (source % 2)
            found.append(f"i{item},s{source},{label},q{k},{value:.6f}")
    return found


def table(folder: Path, *lines: str) -> Path:
    return csv_file(folder, HEADER, *(lines or rows()))


def test_a_good_question_is_chosen_from_a_table(tmp_path: Path) -> None:
    output = tmp_path / "selection.json"
    found = output_of(select, "--table", table(tmp_path), "-o", output)
    assert set(found) >= CONTRACT
    assert (found["strategy"], found["chosen"]) == ("greedy", ["q0"])
    assert found["best_found"] == ["q0"]
    assert not found["kept_all"]
    out = found["auroc_out_of_sample"]
    assert 0.5 < out["low"] < out["value"] <= out["high"] <= 1
    assert found["optimism"] == pytest.approx(found["auroc_in_sample"] - out["value"])
    assert found["permutation_p"] == pytest.approx(1 / 201)
    assert found["frequency"]["q0"] == 1.0
    assert (found["transcripts"], found["sources"], found["folds"]) == (60, 20, 5)
    kept = read_selection(output)
    assert kept.model_dump(mode="json") == found
    assert (kept.unit, kept.rater) == ("question", None)


def test_labels_may_be_words_or_numbers_and_columns_in_any_order(
    tmp_path: Path,
) -> None:
    words = output_of(select, "--table", table(tmp_path), "--permutations", 9)
    numbers = [
        ",".join(reversed(r.replace("evaluation", "1").replace("deployment", "0").split(",")))
        for r in rows()
    ]  # fmt: skip
    path = csv_file(tmp_path, ",".join(reversed(HEADER.split(","))), *numbers)
    assert output_of(select, "--table", path, "--permutations", 9) == words


@pytest.mark.parametrize(
    ("evaluation", "deployment"),
    [("True", "FALSE"), ("yes", "No"), ("1.0", "0.0"), ("Evaluation", "DEPLOYMENT")],
)
def test_a_label_is_any_word_that_table_commands_know(
    tmp_path: Path, evaluation: str, deployment: str
) -> None:
    how = ("--permutations", 0, "--max-size", 1)
    words = output_of(select, "--table", table(tmp_path), *how)
    lines = [
        r.replace("evaluation", evaluation).replace("deployment", deployment)
        for r in rows()
    ]
    assert output_of(select, "--table", table(tmp_path, *lines), *how) == words


@pytest.mark.parametrize(("ending", "mark"), [("tsv", "\t"), ("txt", ";")])
def test_a_table_may_have_any_ending_and_tabs(
    tmp_path: Path, ending: str, mark: str
) -> None:
    path = tmp_path / f"answers.{ending}"
    path.write_text("\n".join([HEADER, *rows()]).replace(",", mark) + "\n")
    how = ("--permutations", 0, "--max-size", 1)
    assert output_of(select, "--table", path, *how) == output_of(
        select, "--table", table(tmp_path), *how
    )


def test_without_an_output_the_page_is_printed_and_nothing_written(
    tmp_path: Path,
) -> None:
    path = table(tmp_path)
    page = page_of(select, "--table", path, "--permutations", 0, "--max-size", 1)
    assert "chosen: q0\n" in page
    assert "selection:" not in page
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


def test_one_question_alone_is_named(tmp_path: Path) -> None:
    path = table(tmp_path, *rows(strengths=(0.6,)))
    page = page_of(select, "--table", path, "--permutations", 0)
    assert "chosen: q0\n" in page


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_strategy_has_the_same_answer_for_a_seed(
    tmp_path: Path, strategy: str
) -> None:
    arguments = ("--table", table(tmp_path), "--strategy", strategy, "--seed", 4)
    short = (*arguments, "--permutations", 9, "--max-size", 2)
    one, again = (output_of(select, *short) for _ in range(2))
    assert one == again
    assert one["strategy"] == strategy
    assert len(one["best_found"]) <= (3 if strategy == "all" else 2)


def test_the_command_names_the_strategies_that_there_are() -> None:
    assert get_args(Strategy) == STRATEGIES


def test_the_page_says_what_was_kept_and_why(tmp_path: Path) -> None:
    path = table(tmp_path, *rows(strengths=(0.0,) * 6))
    output = tmp_path / "s.json"
    page = page_of(select, "--table", path, "-o", output, "--permutations", 19)
    assert "chosen: all 6\n" in page
    assert "not more than one standard error" in page
    assert "with permuted labels the search finds" in page
    assert "search, out of sample" in page
    assert read_selection(output).kept_all


def test_one_source_a_class_keeps_all_and_says_why(tmp_path: Path) -> None:
    path = table(tmp_path, *rows(sources=2, each=20))
    found = output_of(select, "--table", path)
    assert found["auroc_out_of_sample"]["value"] is None
    assert (found["optimism"], found["permutation_p"]) == (None, None)
    assert found["frequency"] == {"q0": None, "q1": None, "q2": None}
    assert found["kept_all"]
    assert any("no honest out-of-sample value" in note for note in found["notes"])
    page = page_of(select, "--table", path, "-o", tmp_path / "s.json")
    assert "undefined" in page


def test_missing_answers_and_questions_are_counted(tmp_path: Path) -> None:
    lines = [r.rsplit(",", 1)[0] + "," if ",q2," in r else r for r in rows()]
    # Item 0 has no answer left but one of two: half is enough; item 1 has none.
    lines = [r.rsplit(",", 1)[0] + ",NA" if r.startswith("i1,") else r for r in lines]
    found = output_of(select, "--table", table(tmp_path, *lines))
    assert (found["questions"], found["dropped"]) == (["q0", "q1"], ["q2"])
    assert (found["transcripts"], found["left_out"]) == (59, 1)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["a,s,evaluation,q,0.5", "a,s,evaluation,q,0.6"], "2 values for question 'q'"),
        (["a,s,evaluation,q,1.5"], "line 2, column value: 1.5 is not in [0, 1]"),
        (["a,s,evaluation,q,yes"], "'yes' is not a number"),
        (["a,s,test,q,0.5"], "'test' is neither evaluation nor deployment"),
        (["a,s,evaluation,q,0.5", "a,s,deployment,p,0.5"], "another label than before"),
        (
            ["a,s,evaluation,q,0.5", "a,t,evaluation,p,0.5"],
            "another source than before",
        ),
        (["a,s,evaluation,q,0.5", "b,s,1,q,0.5"], "2 evaluation and 0 deployment"),
        (["a,s,evaluation,q,", "b,t,0,q,"], "no question has an answer"),
        ([",s,evaluation,q,0.5"], "is empty"),
        (["a,,evaluation,q,0.5"], "is empty"),
    ],
)
def test_bad_tables_are_one_line(tmp_path: Path, lines: list[str], words: str) -> None:
    path = table(tmp_path, *lines)
    assert words in failure_of(select, "--table", path, "--json")


def test_bad_calls_are_one_line(tmp_path: Path) -> None:
    path = table(tmp_path)
    (tmp_path / "sub").mkdir()
    missing = csv_file(tmp_path / "sub", "item,source,label,question", "a,s,1,q")
    assert "no column value" in failure_of(select, "--table", missing, "--json")
    assert "not both" in failure_of(select, "a.eval", "--table", path, "--json")
    assert "give scored logs, or --table" in failure_of(select, "--json")
    nowhere = tmp_path / "no" / "s.json"
    assert "no such folder" in failure_of(select, "--table", path, "-o", nowhere)
    assert "--folds" in refused(select, "--table", path, "--folds", 1)


def logs(folder: Path, **changes: Any) -> list[Path]:
    """Six sources of either label; `spread` keeps the pairs apart."""
    found = []
    for number in range(12):
        label = "evaluation" if number % 2 else "deployment"
        base = 0.62 if number % 2 else 0.38
        made = [
            Transcript(base + 0.03 * (k - 2), task=str(k), label=label, spread=0.1)
            for k in range(5)
        ]
        log = replace(Scored(made, source=f"source {number}"), **changes)
        found.append(scored_log(folder / f"{number}.eval", log))
    return found


def test_scored_logs_are_selected_by_pair(tmp_path: Path) -> None:
    output = tmp_path / "selection.json"
    found = output_of(
        select, *logs(tmp_path), "-o", output, "--permutations", 19, "--max-size", 1
    )
    assert found["questions"] == ["direct", "setting"]
    assert (found["transcripts"], found["sources"]) == (60, 12)
    # Both pairs separate perfectly: nothing beats all of them.
    assert found["auroc_in_sample"] == 1.0
    assert found["kept_all"]
    kept = read_selection(output)
    assert (kept.unit, kept.rater) == ("pair", "openai/rater")
    assert (kept.bank, kept.bank_hash) == ("core-1", "0123456789abcdef")
    assert kept.asked["view"] == "full"
    kept.check_bank("0123456789abcdef")
    kept.check_rater("openai/rater")


def test_saved_measurements_and_folders_give_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    paths = logs(folder)
    saved = tmp_path / "scores.parquet"
    Measurements.load(paths).to_parquet(saved)
    one, other, third = (
        output_of(select, *given, "--permutations", 9)
        for given in (paths, [saved], [folder])
    )
    assert one == other == third


def test_unlabelled_and_unscored_transcripts_are_left_out_and_counted(
    tmp_path: Path,
) -> None:
    paths = logs(tmp_path)
    odd = [
        Transcript(0.5, task="u", label="unknown"),
        Transcript(None, task="n", label="evaluation"),
    ]
    extra = scored_log(tmp_path / "x.eval", Scored(odd, source="source 1"))
    found = output_of(select, *paths, extra, "--permutations", 9)
    assert found["transcripts"] == 60
    assert found["left_out"] == 1
    assert "transcripts without a label are left out: 1" in found["notes"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rater": "openai/other"}, "more than one rater: openai/other, openai/rater"),
        (
            {"instrument": {**INSTRUMENT, "bank_hash": "fedcba9876543210"}},
            "more than one question bank",
        ),
        ({"instrument": {**INSTRUMENT, "view": "prompt"}}, "more than one view"),
    ],
)
def test_one_rater_one_bank_one_way_of_asking(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    paths = logs(tmp_path)
    other = replace(Scored([Transcript(0.5)], source="other"), **changes)
    extra = scored_log(tmp_path / "other.eval", other)
    assert words in failure_of(select, *paths, extra, "--json")


def test_a_prior_is_said_not_to_count(tmp_path: Path) -> None:
    how = ("--permutations", 0, "--max-size", 1)
    corrected = {"instrument": {**INSTRUMENT, "prior": "content_free"}}
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    found = output_of(select, *logs(tmp_path / "a", **corrected), *how)
    assert any("without it" in note for note in found["notes"])
    plain = output_of(select, *logs(tmp_path / "b"), *how)
    assert not any("prior" in note for note in plain["notes"])


def test_one_label_is_refused(tmp_path: Path) -> None:
    path = scored_log(tmp_path / "a.eval", Scored([Transcript(0.5)]))
    words = failure_of(select, path, "--json")
    assert "1 evaluation and 0 deployment" in words


def test_the_file_is_json_that_people_can_read(tmp_path: Path) -> None:
    output = tmp_path / "s.json"
    page_of(select, "--table", table(tmp_path), "-o", output, "--permutations", 0)
    text = output.read_text()
    assert text.count("\n") > 40
    assert json.loads(text)["permutation_p"] is None
