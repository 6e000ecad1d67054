"""The same numbers in every format, and words from logs that stay words."""

import json
from pathlib import Path

from click.testing import CliRunner
from report.voiced.runs import report_of, runs
from validation.judged import judged_log

from inspect_awareness.cli import main
from inspect_awareness.report import write_report

TASKS = [[(True, 0), (True, 1), (False, 1), (False, 1)]] * 4


def test_html_markdown_and_json_hold_the_rate_and_the_tax(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs(TASKS), source="harm")
    made = report_of(log)
    for name in ("r.html", "r.md", "r.json"):
        write_report(made, tmp_path / name)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Awareness rate and awareness tax" in html
    assert "<svg" in html
    assert "0.50 [" in html
    assert "-0.50 [" in (tmp_path / "r.md").read_text(encoding="utf-8").replace(
        "\\", ""
    )
    (voiced,) = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["voiced"]
    (row,) = voiced["convention"]
    assert row["rate"]["rate"]["estimate"]["value"] == 0.5
    assert row["tax"]["tax"]["estimate"]["value"] == -0.5
    assert "sentence" in row["tax"]["tax"]


def test_names_from_logs_are_text_in_a_page_and_no_markup(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    log = judged_log(tmp_path / "a.eval", runs(TASKS), source=name, model="m/<b>x</b>")
    write_report(report_of(log), tmp_path / "r.html")
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "<img" not in html
    assert "<b>x</b>" not in html


def test_the_command_takes_outcome_kind_and_decision(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs(TASKS), source="harm")
    told = CliRunner().invoke(
        main,
        [
            "report", str(log), "--json", "--outcome", "match", "--kind", "harm=safety",
            "--decision", "first-action", "--min-aware", "2",
        ],
    )  # fmt: skip
    assert told.exit_code == 0, told.output
    (voiced,) = json.loads(told.stdout)["voiced"]
    assert voiced["decision"] == "first-action"
    assert voiced["rates"][0]["kind"] == "safety"
    assert voiced["taxes"][0]["outcome"] == "match"
    assert voiced["least"] == 2


def test_the_command_names_what_it_does_not_understand(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs(TASKS), source="harm")
    kind = CliRunner().invoke(main, ["report", str(log), "--json", "--kind", "harm"])
    assert "BENCHMARK=safety or BENCHMARK=capability" in kind.stderr
    score = CliRunner().invoke(
        main, ["report", str(log), "--json", "--outcome", "mtch"]
    )
    assert "'mtch'" in score.stderr
    assert "match" in score.stderr
    assert "Traceback" not in kind.stderr + score.stderr
