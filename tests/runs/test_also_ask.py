"""Several raters about the same transcripts, in one output; and what that took."""

from pathlib import Path
from typing import Any

import pytest
from builders import (
    FORMS,
    REAL_LOGS,
    believer,
    chat,
    chat_file,
    is_probe,
    log_file,
    rater,
    sample,
)
from click.testing import CliRunner, Result
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, ModelCost, ModelInfo, set_model_info
from inspect_ai.scorer import Score
from tiny import model_folder

from inspect_awareness.cli import main
from inspect_awareness.cli._score_page import print_scored
from inspect_awareness.datasets._transcript import Origin, Transcript
from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.measurements import Measurements
from inspect_awareness.report import build_report, write_report
from inspect_awareness.runs import (
    Inputs,
    Scored,
    Target,
    journal_path,
    plan_raters,
    score_files,
)
from inspect_awareness.runs._rated import rated_by
from inspect_awareness.runs._scoring import ScoredTranscript
from inspect_awareness.solvers._asking import asking

SURE = believer("evaluation")
DOUBTS = believer("deployment")


def first() -> Model:
    return rater(SURE)


def second(answer: Any = DOUBTS) -> Model:
    return rater(answer, name="second")


def scored(path: Path, output: Path, also: list[Model], **options: Any) -> Scored:
    how = asking(questions=options.pop("questions", None))
    return score_files(
        Inputs([str(path)]), first(), how, Target(output, **options), also=also
    )


def both(log: EvalLog) -> list[dict[str, float]]:
    return [
        {name: s.as_float() for name, s in (sample.scores or {}).items()}
        for sample in log.samples or []
    ]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_both_raters_scores_stand_in_one_copy(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(3)])
    made = scored(log, tmp_path / "b.eval", [second()])
    copy = read_eval_log(str(tmp_path / "b.eval"))
    assert both(copy) == [{"p_eval": 1.0, "p_eval1": 0.0}] * 3
    (one, *_) = copy.samples or []
    raters = {
        name: score.metadata["awareness"]["rater"]  # type: ignore[index]
        for name, score in (one.scores or {}).items()
    }
    assert raters == {"p_eval": "mockllm/model", "p_eval1": "mockllm/second"}
    assert copy.results is not None
    means = {s.name: s.metrics["mean"].value for s in copy.results.scores}
    assert means == {"p_eval": 1.0, "p_eval1": 0.0}
    assert [(r.rater, r.scored, r.mean.value) for r in made.raters] == [
        ("mockllm/model", 3, 1.0),
        ("mockllm/second", 3, 0.0),
    ]
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval", "b.eval"}


def test_an_earlier_score_keeps_its_name(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    scored(log, tmp_path / "b.eval", [])
    scored(tmp_path / "b.eval", tmp_path / "c.eval", [second()])
    assert both(read_eval_log(str(tmp_path / "c.eval"))) == [
        {"p_eval": 1.0, "p_eval1": 1.0, "p_eval2": 0.0}
    ]


def test_both_raters_stand_in_a_log_of_transcripts(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "t.jsonl", *(chat(f"hi {i}", "yes") for i in range(15)))
    scored(path, tmp_path / "b.eval", [second()])
    log = read_eval_log(str(tmp_path / "b.eval"))
    assert both(log) == [{"p_eval": 1.0, "p_eval1": 0.0}] * 15
    assert log.results is not None
    assert [s.name for s in log.results.scores] == ["p_eval", "p_eval1"]


def test_both_raters_rows_are_among_the_numbers_alone(tmp_path: Path) -> None:
    path = chat_file(tmp_path / "t.jsonl", chat("hi", "yes"), chat("secret", "no"))
    scored(path, tmp_path / "b.parquet", [second()], scores_only=True)
    values = Measurements.from_parquet(str(tmp_path / "b.parquet")).values
    scores = values[values["channel"].eq("score")]
    assert scores.groupby("rater")["value"].agg(list).to_dict() == {
        "mockllm/model": [1.0, 1.0],
        "mockllm/second": [0.0, 0.0],
    }
    assert b"secret" not in (tmp_path / "b.parquet").read_bytes()


def test_the_report_shows_each_rater_apart(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(4)])
    scored(log, tmp_path / "b.eval", [second()])
    write_report(build_report([str(tmp_path / "b.eval")]), tmp_path / "r.md")
    page = (tmp_path / "r.md").read_text()
    for name in ("mockllm/model", "mockllm/second"):
        assert any(name in line for line in page.splitlines() if line.startswith("#"))


def test_several_logs_become_a_folder_with_both(tmp_path: Path) -> None:
    for task in ("one", "two"):
        log_file(tmp_path / "in" / f"{task}.eval", [sample(task)], task=task)
    scored(tmp_path / "in", tmp_path / "out", [second()])
    for task in ("one", "two"):
        log = read_eval_log(str(tmp_path / "out" / f"{task}.eval"))
        assert both(log) == [{"p_eval": 1.0, "p_eval1": 0.0}]


def test_a_second_rater_that_fails_leaves_both_journals(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(5)])
    output = tmp_path / "b.eval"

    def dead(text: str) -> str:
        raise RuntimeError("401 invalid key")

    with pytest.raises(ModelError, match=r"mockllm/second: .*401 invalid key"):
        scored(log, output, [second(dead)])
    assert not output.exists()
    assert journal_path(output).exists()
    # the same command again asks the second rater only
    asked: list[str] = []

    def counted(text: str) -> str:
        if is_probe(text):
            asked.append(text)
        return str(DOUBTS(text))

    again = score_files(
        Inputs([str(log)]),
        rater(dead),
        asking(),
        Target(output),
        also=[second(counted)],
    )
    assert len(asked) == 5 * FORMS
    assert [(r.scored, r.resumed) for r in again.raters] == [(5, 5), (5, 0)]
    assert both(read_eval_log(str(output))) == [{"p_eval": 1.0, "p_eval1": 0.0}] * 5
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval", "b.eval"}


def test_journals_are_told_apart_by_rater(tmp_path: Path) -> None:
    output = tmp_path / "b.eval"
    assert journal_path(output).name == "b.eval.partial"
    assert journal_path(output, second()).name == "b.eval.mockllm-second.partial"


def test_the_same_rater_twice_is_refused(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    with pytest.raises(InputError, match="mockllm/model is given twice"):
        scored(log, tmp_path / "b.eval", [first()])
    with pytest.raises(InputError, match="none/none is nobody"):
        scored(log, tmp_path / "b.eval", [rater(SURE, name="x"), none()])


def none() -> Model:
    from inspect_ai.model import get_model

    return get_model("none/none", memoize=False)


def test_a_plan_counts_every_rater(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(), sample(2)])
    plans = plan_raters(Inputs([str(log)]), asking(), [first(), second()])
    assert [plan.calls for plan in plans] == [2 * FORMS, 2 * FORMS]
    arguments = ("score", log, "--model", "mockllm/a", "--also-ask", "mockllm/b")
    result = run(*arguments, "--dry-run")
    assert "64 answers of mockllm/a" in result.output
    assert "64 answers of mockllm/b" in result.output
    assert '"answers": 128' in run(*arguments, "--dry-run", "--json").output
    result = run(*arguments, "--also-ask", "mockllm/b", "--dry-run")
    assert "mockllm/b is given twice" in result.stderr


def test_tokens_are_those_of_the_replies(tmp_path: Path) -> None:
    # the scripted rater reads 100 tokens and writes 1 for each form
    log = log_file(tmp_path / "a.eval", [sample(), sample(2)])
    made = scored(log, tmp_path / "b.eval", [second()])
    for each in made.raters:
        assert (each.tokens.input, each.tokens.output) == (200 * FORMS, 2 * FORMS)
        assert each.tokens.price is None


def test_a_known_price_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cost = ModelCost(input=1.0, output=100.0, input_cache_write=0, input_cache_read=0)
    set_model_info("mockllm/priced", ModelInfo(cost=cost))
    log = log_file(tmp_path / "a.eval", [sample(i) for i in range(10)])
    made = score_files(
        Inputs([str(log)]),
        rater(SURE, name="priced"),
        asking(),
        Target(tmp_path / "b.eval"),
    )
    # 320 forms x (100 tokens at $1 + 1 token at $100) a million
    assert made.raters[0].tokens.price == pytest.approx(320 * 200 / 1e6)
    print_scored(made, as_json=False)
    said = capsys.readouterr().out
    assert "tokens: 32,000 read, 320 written, at least $0.06" in said
    assert "mockllm/priced" not in said  # one rater needs no name


def test_without_any_p_eval_the_page_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = log_file(tmp_path / "a.eval", [sample(), sample(2)])
    made = scored(log, tmp_path / "b.eval", [], questions="control")
    print_scored(made, as_json=False)
    said = capsys.readouterr().out
    assert (
        "no P(eval) of any of 2 transcripts: none of the questions asked is one that "
        "makes P(eval)" in said
    )
    assert "nan" not in said
    assert "tokens: " in said


def test_without_labels_in_the_replies_the_page_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = log_file(tmp_path / "a.eval", [sample()])
    how = asking(questions="direct")
    inputs = Inputs([str(log)])
    made = score_files(inputs, rater("Hm."), how, Target(tmp_path / "b.eval"))
    print_scored(made, as_json=False)
    said = capsys.readouterr().out
    assert "no label could be read in the replies" in said
    assert "unscored: invalid_format 1" in said
    # six questions in two label orders
    assert "answers missing: invalid_format 12" in said
    assert "no P(eval) of the one transcript: " in said
    assert "shortened" not in said


def test_a_transcript_that_is_shortened_to_fit_is_counted() -> None:
    def cut(messages: int) -> ScoredTranscript:
        record = {
            "answers": [],
            "transcript": {"trimmed": messages},
            "tokens": {"input": 1, "output": 1},
        }
        origin = Origin(item=str(messages), label="evaluation")
        return ScoredTranscript(
            Transcript((), origin), Score(value=0.5, metadata={"awareness": record})
        )

    assert rated_by(rater("Yes"), [cut(0), cut(1), cut(7)], 0).trimmed == 2


@pytest.mark.local
def test_two_local_raters_from_the_command_line(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(), sample(2)])
    models = [f"whitebox/{model_folder(seed=seed)}" for seed in (0, 1)]
    result = run(
        "score", log, "--model", models[0], "--also-ask", models[1],
        "--questions", "direct", "--min-mass", 0, "-o", tmp_path / "b.eval",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for model in models:
        assert f"{model}: 2 scored; mean P(eval)" in result.stdout
    assert result.stdout.count("tokens: ") == 2
    (one, _) = both(read_eval_log(str(tmp_path / "b.eval")))
    assert set(one) == {"p_eval", "p_eval1"}


def test_a_real_log_is_asked_about_by_two(tmp_path: Path) -> None:
    path = REAL_LOGS / "inspect_scout_security-guide.eval"
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    made = scored(path, tmp_path / "b.eval", [second()], questions="direct")
    assert [r.scored for r in made.raters] == [16, 16]
    found = Measurements.from_logs([tmp_path / "b.eval"]).values
    assert set(found["rater"]) == {"mockllm/model", "mockllm/second"}


def test_sampled_labels_in_place_of_probabilities_are_counted(tmp_path: Path) -> None:
    # The scripted rater gives no probabilities: every answer is a sampled label.
    log = log_file(tmp_path / "a.eval", [sample(1)])
    made = score_files(
        Inputs([str(log)]),
        rater(believer("evaluation")),
        asking(elicitation="top_logprobs"),
        Target(tmp_path / "b.eval"),
    )
    assert made.raters[0].unseen == {"no_logprobs": 32}
    assert made.raters[0].scored == 1
