"""The demo: from bundled logs to a page."""

from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log
from tiny import model_folder

from inspect_awareness.datasets.bundled_items import NAMES, bundled_items, bundled_log
from inspect_awareness.demo import run_demo
from inspect_awareness.scorers._awareness import Rule


def test_the_demo_writes_two_scored_logs_and_a_calibrated_page(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    said: list[str] = []
    made = run_demo(
        tmp_path / "demo",
        say=said.append,
        model=f"whitebox/{model_folder()}",
        rule=Rule(min_mass=0.0),  # a random model says nothing in particular
    )
    assert [p.name for p in sorted((tmp_path / "demo").iterdir())] == [
        "everyday_requests-scored.eval",
        "exam_items-scored.eval",
        "report.html",
    ]
    page = made.report.read_text(encoding="utf-8")
    assert "exam_items" in page
    assert "tiny reference" in page, "14 transcripts of one source are few"
    assert len(said) == 2


@pytest.mark.parametrize("name", NAMES)
def test_a_bundled_log_is_of_the_bundled_requests(name: str) -> None:
    log = read_eval_log(str(bundled_log(name)))
    assert log.eval.model == "whitebox/smollm2-135m"
    asked = {s.id: s.input for s in log.samples or []}
    assert asked == {s.id: s.input for s in bundled_items(name)}
    assert all(s.output.completion.strip() for s in log.samples or [])
