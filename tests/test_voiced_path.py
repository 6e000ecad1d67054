"""From a real log to the page: judge, attribute, have people label, report."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from builders import REAL_LOGS, rater
from inspect_ai.model import Model

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.datasets._selection import Selection
from inspect_awareness.measurements import Measurements
from inspect_awareness.report import VoicedTerms, build_report, write_report
from inspect_awareness.runs import Target
from inspect_awareness.runs._attributing import attribute_files
from inspect_awareness.runs._cue_plan import plan_attribution
from inspect_awareness.runs._judging import judge_files
from inspect_awareness.scorers.factors._attributing import attributing
from inspect_awareness.scorers.verdicts._judging import judging
from inspect_awareness.validation import draw_sample, frame_of, write_labels

AGENTIC = REAL_LOGS / "oversight_subversion_basic_gpt_5_mini.eval"
EPOCHS = REAL_LOGS / "metr_oxdna_6_epochs.eval"

pytestmark = pytest.mark.skipif(
    not REAL_LOGS.is_dir(), reason="the real logs are not on this machine"
)


def word_judge(word: str) -> Model:
    """Says aware of what holds a word, and quotes the line that it stands in."""

    def reply(text: str) -> str:
        shown = text.split("----- begin ")[1].split("----- end ")[0]
        found = re.search(rf"[^\n.]{{0,60}}\b{word}[^\n.]{{0,60}}", shown)
        return json.dumps(
            {
                "evidence": [found[0].strip()] if found else [],
                "aware": found is not None,
                "type": "capability" if found else None,
                "hypothetical": False,
            }
        )

    return rater(reply, name="words")


def cue_judge() -> Model:
    """Names the same cue always, and quotes the first line that it is shown."""

    def reply(text: str) -> str:
        shown = text.split("----- begin ")[1].split("----- end ")[0]
        lines = [line for line in shown.splitlines()[1:] if len(line) > 20]
        return json.dumps({"quote": lines[-1][:80], "factor": "F6"})

    return rater(reply, name="cues")


def judged(log: Path, word: str, folder: Path) -> Path:
    output = folder / "judged.eval"
    judge_files(
        Inputs([str(log)], Selection()), [word_judge(word)], judging(), Target(output)
    )
    return output


def attributed(log: Path, least: int, folder: Path) -> Path:
    judge, how = cue_judge(), attributing(votes=1, min_aware=least)
    planned = plan_attribution([str(log)], how, [judge])
    output = folder / "attributed.eval"
    attribute_files(planned, [judge], how, Target(output))
    return output


def labelled(log: Path, folder: Path) -> Path:
    """Labels of all verdicts, which agree with the judge's but for the first."""
    frame = frame_of(Measurements.load([log]))
    path = folder / "labels.csv"
    known = int(frame.known.sum())
    drawn = draw_sample(frame, design="judge", size=known, rng=np.random.default_rng(0))
    write_labels(path, drawn, {}, show_verdict=False)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for number, row in enumerate(rows):
        said = frame.verdicts[frame.row[row["id"]]] == 1
        row["label"] = str(int(said != (number == 0)))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_task_run_six_times_goes_all_the_way(tmp_path: Path) -> None:
    log = judged(EPOCHS, "score", tmp_path)
    log = attributed(log, 3, tmp_path)
    report = build_report([log], about=VoicedTerms(labels=labelled(log, tmp_path)))
    (found,) = report.voiced
    (rate,) = found.rates
    assert found.transcripts == 6
    assert rate.rate.estimate.n + sum(m.n for m in rate.rate.missing) == 6
    # one task: what it says about others cannot be told
    assert not rate.rate.estimate.has_interval
    assert found.checked is not None
    assert found.stability[0].possible == 1
    (cited,) = report.cited
    assert cited.tasks in (0, 1)
    write_report(report, tmp_path / "r.html")
    assert "Awareness rate and awareness tax" in (tmp_path / "r.html").read_text(
        "utf-8"
    )


def test_an_agentic_log_without_repeats_goes_all_the_way_and_says_what_it_lacks(
    tmp_path: Path,
) -> None:
    log = judged(AGENTIC, "test", tmp_path)
    log = attributed(log, 1, tmp_path)
    report = build_report(
        [log], about=VoicedTerms(min_aware=1, labels=labelled(log, tmp_path))
    )
    (found,) = report.voiced
    (rate,) = found.rates
    assert found.transcripts == 33
    assert {m.reason: m.n for m in found.missing}["no_reasoning_channel"] == 1
    assert rate.rate.estimate.clusters == rate.rate.estimate.n
    assert "Each task was run once" in " ".join(found.reading)
    assert rate.corrected is not None
    (cited,) = report.cited
    aware = round(rate.rate.estimate.value * rate.rate.estimate.n)
    assert cited.tasks == aware
    text = tmp_path / "r.md"
    write_report(report, text)
    assert "no outcome" in text.read_text("utf-8") or found.taxes
