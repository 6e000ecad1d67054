"""People's labels in the report: the judge, and rates and taxes without its errors."""

import csv
from pathlib import Path

import numpy as np
import pytest
from report.voiced.runs import report_of, runs, table_of, voiced_of
from validation.judged import Judged, item_of, judged_log

from inspect_awareness.errors import InputError
from inspect_awareness.measurements import Measurements
from inspect_awareness.stats import Validation, attenuation
from inspect_awareness.validation import draw_sample, frame_of, write_labels

TASKS = [[(True, 0), (True, 1), (False, 1), (False, 1)]] * 10


def labelled(path: Path, *logs: Path, wrong: int, design: str = "judge") -> Path:
    """Labels of all transcripts, the first `wrong` judged aware called unaware."""
    frame = frame_of(Measurements.load(logs))
    drawn = draw_sample(
        frame, design=design, size=len(frame.items), rng=np.random.default_rng(0)
    )
    write_labels(path, drawn, {}, show_verdict=False)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    left = wrong
    for row in rows:
        aware = frame.verdicts[frame.row[row["id"]]] == 1
        if aware and left:
            aware, left = False, left - 1
        row["label"] = str(int(aware))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_labels_correct_the_rate_and_the_tax(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs(TASKS), source="harm")
    labels = labelled(tmp_path / "labels.csv", log, wrong=5)
    found = voiced_of(log, labels=labels)
    assert found.checked is not None
    (stratum,) = found.checked.strata
    assert stratum.counts == (15, 5, 0, 20)
    (rate,) = found.rates
    assert rate.rate.estimate.value == pytest.approx(20 / 40)
    assert rate.corrected is not None
    assert rate.corrected.estimate.value == pytest.approx(15 / 40)
    (tax,) = found.taxes
    assert tax.factor == attenuation(Validation(15, 5, 0, 20, "judge_stratified"))
    assert tax.disattenuated is not None
    assert tax.tax.estimate.value == pytest.approx(-0.5)
    # PPV 15 / 20, NPV 20 / 20: three quarters of a difference are left
    assert tax.disattenuated.estimate.value == pytest.approx(-0.5 / 0.75)
    (row,) = table_of(found, "The judge against people")
    assert (row["both aware"], row["judge only"]) == ("15", "5")
    assert "40 labels of people" in " ".join(found.reading)


def test_without_labels_the_page_says_that_the_errors_are_not_known(
    tmp_path: Path,
) -> None:
    found = voiced_of(judged_log(tmp_path / "a.eval", runs(TASKS)))
    assert "Judges err" in " ".join(found.reading)
    assert "errors are not known" in found.rates[0].rate.sentence
    assert "a factor that is not known" in found.taxes[0].tax.sentence


def test_labels_of_other_verdicts_are_refused(tmp_path: Path) -> None:
    one = judged_log(tmp_path / "a.eval", runs(TASKS), source="harm")
    other = judged_log(tmp_path / "b.eval", runs(TASKS[:4]), source="code")
    labels = labelled(tmp_path / "labels.csv", one, wrong=0)
    with pytest.raises(InputError, match="labels are of other verdicts"):
        report_of(other, labels=labels)


def test_with_two_judges_labels_go_to_the_one_they_are_about(tmp_path: Path) -> None:
    one = judged_log(tmp_path / "a.eval", runs(TASKS), judge="one")
    other = judged_log(tmp_path / "b.eval", runs(TASKS), judge="two")
    labels = labelled(tmp_path / "labels.csv", one, wrong=2)
    found = {each.judge: each for each in report_of(one, other, labels=labels).voiced}
    assert found["mockllm/one"].checked is not None
    assert found["mockllm/two"].checked is None


@pytest.mark.parametrize("design", ["random", "judge"])
def test_the_rate_without_a_weak_judge_s_errors_holds_the_truth(
    tmp_path: Path, design: str
) -> None:
    # Se .9 and 20 % false alarms: .08 looks like .08 x .9 + .92 x .2 = .256
    rng = np.random.default_rng(5)
    truth: dict[str, bool] = {}
    logs = []
    for source, rate in (("gaia", 0.3), ("hle", 0.08)):
        made = []
        for task in range(250):
            aware = bool(rng.random() < rate)
            said = bool(rng.random() < (0.9 if aware else 0.2))
            each = Judged(said, task=str(task), thought=f"Thought {task} on {source}.")
            truth[item_of(each, source)] = aware
            made.append(each)
        logs.append(judged_log(tmp_path / f"{source}.eval", made, source))
    frame = frame_of(Measurements.load(logs))
    drawn = draw_sample(frame, design=design, size=160, rng=rng)
    write_labels(tmp_path / "labels.csv", drawn, {}, show_verdict=False)
    with (tmp_path / "labels.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    with (tmp_path / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows({**row, "label": int(truth[row["id"]])} for row in rows)
    found = {
        e.benchmark: e for e in voiced_of(*logs, labels=tmp_path / "labels.csv").rates
    }
    for source, rate in (("gaia", 0.3), ("hle", 0.08)):
        corrected = found[source].corrected
        assert corrected is not None
        assert corrected.estimate.contains(rate)
    assert not found["hle"].rate.estimate.contains(0.08)
    assert found["hle"].rate.estimate.value == pytest.approx(0.256, abs=0.08)


def test_a_file_in_which_no_label_is_filled_in_is_refused(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", runs(TASKS), source="harm")
    frame = frame_of(Measurements.load([log]))
    drawn = draw_sample(frame, design="judge", size=10, rng=np.random.default_rng(0))
    write_labels(tmp_path / "labels.csv", drawn, {}, show_verdict=False)
    with pytest.raises(InputError, match="no label is filled in"):
        report_of(log, labels=tmp_path / "labels.csv")
