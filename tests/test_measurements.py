"""The one table: reading, joining, saving, and leaving the house."""

import json
from dataclasses import replace
from math import isnan
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from builders import log_file
from builders import sample as finished
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.scorer import Score
from scored import (
    INSTRUMENT,
    Scored,
    Transcript,
    beginnings,
    eval_log,
    failed_sample,
    plain_log,
    scored_log,
    spread_out,
    stood_apart,
)
from validation.judged import SILENT, Judged, judged_log, judged_samples, some

from inspect_awareness.errors import InputError, LogError
from inspect_awareness.measurements import (
    ITEM_COLUMNS,
    VALUE_COLUMNS,
    Measurements,
    implementation_fields,
    implementation_of,
)


def channel(measured: Measurements, name: str) -> pd.DataFrame:
    """The values of one channel."""
    return measured.values[measured.values["channel"].eq(name)].reset_index(drop=True)


def assert_same(one: Measurements, other: Measurements) -> None:
    """All three frames are equal, types and missing values included."""
    for frame in ("values", "items", "instruments"):
        pd.testing.assert_frame_equal(getattr(one, frame), getattr(other, frame))


def test_a_score_becomes_a_row_and_so_does_each_of_its_answers(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript(0.7, yes_bias=0.5)]))
    measured = Measurements.from_logs([log])
    # 2 pairs x 2 polarities x 2 orders = 8 answers, with a mass each; 2 pairs; 1 score.
    counts = measured.values["channel"].value_counts().to_dict()
    assert counts == {"answer": 8, "mass": 8, "pair": 2, "score": 1}
    score = channel(measured, "score").iloc[0]
    assert score["value"] == pytest.approx(0.7)
    assert (score["rater"], score["subject"]) == ("openai/rater", "openai/subject")
    assert list(channel(measured, "pair")["value"]) == pytest.approx([0.7, 0.7])


def test_the_columns_are_those_of_the_contract(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript()]))
    measured = Measurements.from_logs([log])
    assert list(measured.values.columns) == list(VALUE_COLUMNS)
    assert list(measured.items.columns) == list(ITEM_COLUMNS)


def test_the_instruments_say_what_each_form_asserts(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript(), Transcript(task="2")]))
    forms = Measurements.from_logs([log]).instruments.set_index("instrument")
    assert len(forms) == 8
    assert forms.loc["direct-use:evaluation_first", "polarity"] == "deployment"
    assert forms.loc["direct-use:evaluation_first", "pair"] == "direct"


def test_what_the_record_does_not_know_comes_from_the_log(tmp_path: Path) -> None:
    log = scored_log(
        tmp_path / "a.eval",
        Scored([Transcript(task="t7", epoch=2)], source="hle", in_place=True),
    )
    item = Measurements.from_logs([log]).items.iloc[0]
    assert item["item"] == "hle-t7-2"
    assert (item["label"], item["source"], item["task"]) == ("evaluation", "hle", "t7")
    assert (item["epoch"], item["outcome"]) == (2, 1.0)
    assert item["origin"] == "a.eval#hle-t7-2"


def test_a_label_that_is_known_to_be_unknown_stays_unknown(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript(label="unknown")]))
    assert Measurements.from_logs([log]).items["label"].tolist() == ["unknown"]


def test_an_unscored_transcript_keeps_its_reason(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript(), Transcript(None, "2")]))
    score = channel(Measurements.from_logs([log]), "score").iloc[1]
    assert isnan(score["value"])
    assert score["reason"] == "off_label"


def test_a_sample_without_the_score_is_not_forgotten(tmp_path: Path) -> None:
    log = eval_log(Scored([Transcript(0.6)]))
    samples = [*(log.samples or []), failed_sample("8")]
    samples.append(
        samples[0].model_copy(update={"id": "9", "uuid": "u9", "scores": {}})
    )
    write_eval_log(
        log.model_copy(update={"samples": samples}), str(tmp_path / "a.eval")
    )
    scores = channel(Measurements.from_logs([tmp_path / "a.eval"]), "score")
    reasons = dict(zip(scores["item"], scores["reason"], strict=True))
    assert reasons["failed-8"] == "sample_error"
    assert reasons["u9"] == "not_scored"
    assert pd.isna(reasons["gaia-1-1"])


def test_two_raters_in_one_log_are_told_apart(tmp_path: Path) -> None:
    one = Scored([Transcript(0.6)])
    two = Scored([Transcript(0.2)], rater="openai/other", score_name="p_eval-1")
    log, second = eval_log(one), eval_log(two)
    assert log.samples
    assert second.samples
    log.samples[0].scores = {
        **(log.samples[0].scores or {}),
        **(second.samples[0].scores or {}),
    }
    write_eval_log(log, str(tmp_path / "a.eval"))
    scores = channel(Measurements.from_logs([tmp_path / "a.eval"]), "score")
    found = dict(zip(scores["rater"], scores["value"], strict=True))
    assert found == {"openai/rater": 0.6, "openai/other": 0.2}


@pytest.mark.parametrize("ending", ["eval", "json"])
def test_both_formats_of_logs_are_read(tmp_path: Path, ending: str) -> None:
    log = scored_log(tmp_path / f"a.{ending}", Scored(spread_out(0.5, 40)))
    assert len(channel(Measurements.from_logs([log]), "score")) == 40


def test_the_same_answers_in_two_files_count_once(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored(spread_out(0.5, 5)))
    copy = scored_log(tmp_path / "b.eval", Scored(spread_out(0.5, 6)))
    measured = Measurements.load([log, copy])
    assert len(channel(measured, "score")) == 6
    assert measured.duplicates == 5
    assert [file.name for file in measured.inputs] == ["a.eval", "b.eval"]


def test_a_real_score_in_one_file_beats_its_absence_in_another(tmp_path: Path) -> None:
    full = scored_log(tmp_path / "b.eval", Scored(spread_out(0.5, 2)))
    part = eval_log(Scored(spread_out(0.5, 2)))
    assert part.samples
    part.samples[1].scores = {}
    write_eval_log(part, str(tmp_path / "a.eval"))
    measured = Measurements.load([tmp_path / "a.eval", full])
    assert channel(measured, "score")["value"].notna().all()
    assert measured.duplicates == 1


def test_another_way_of_asking_is_no_duplicate(tmp_path: Path) -> None:
    other = {**INSTRUMENT, "view": "prompt"}
    log = scored_log(tmp_path / "a.eval", Scored([Transcript()]))
    view = scored_log(tmp_path / "b.eval", Scored([Transcript()], instrument=other))
    measured = Measurements.load([log, view])
    assert len(channel(measured, "score")) == 2
    assert measured.duplicates == 0


def test_files_that_disagree_about_a_label_are_an_error(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript(uuid="u")]))
    other = scored_log(
        tmp_path / "b.eval", Scored([Transcript(uuid="u", label="deployment")])
    )
    with pytest.raises(InputError, match="u has the label 'deployment' in one file"):
        Measurements.load([log, other])


def test_a_log_without_awareness_scores_says_how_to_get_them(tmp_path: Path) -> None:
    log = plain_log(tmp_path / "a.eval")
    with pytest.raises(
        LogError, match=r"a\.eval: holds no awareness scores\. Score it"
    ):
        Measurements.load([log])


def test_metadata_that_happens_to_be_called_awareness_is_not_ours(
    tmp_path: Path,
) -> None:
    log = eval_log(Scored([Transcript()]))
    for sample in log.samples or []:
        score = (sample.scores or {})["p_eval"]
        score.metadata = {"awareness": {"level": "high"}}
    write_eval_log(log, str(tmp_path / "a.eval"))
    with pytest.raises(LogError, match="holds no awareness scores"):
        Measurements.load([tmp_path / "a.eval"])


def test_joining_with_nothing_changes_nothing(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored(spread_out(0.5, 3)))
    measured = Measurements.from_logs([log])
    empty = replace(
        measured,
        values=measured.values.iloc[:0],
        items=measured.items.iloc[:0],
        instruments=measured.instruments.iloc[:0],
    )
    assert_same(Measurements.concat([empty, measured]), measured)


def test_in_a_folder_such_a_log_is_named_and_left_out(tmp_path: Path) -> None:
    plain_log(tmp_path / "plain.eval")
    scored_log(tmp_path / "a.eval", Scored([Transcript()]))
    (tmp_path / "deeper").mkdir()
    scored_log(tmp_path / "deeper" / "b.eval", Scored([Transcript()], source="hle"))
    measured = Measurements.load([tmp_path])
    assert measured.skipped == ("plain.eval",)
    assert sorted(measured.items["source"]) == ["gaia", "hle"]


def test_a_folder_of_nothing_else_is_an_error(tmp_path: Path) -> None:
    plain_log(tmp_path / "plain.eval")
    with pytest.raises(LogError, match="no awareness scores in this folder"):
        Measurements.load([tmp_path])


def test_a_score_from_the_future_is_refused(tmp_path: Path) -> None:
    log = eval_log(Scored([Transcript()]))
    assert log.samples
    assert log.samples[0].scores
    metadata = log.samples[0].scores["p_eval"].metadata
    assert metadata
    metadata["awareness"]["schema_version"] = 2
    write_eval_log(log, str(tmp_path / "a.eval"))
    with pytest.raises(
        InputError, match=r"schema version 2, .* reads up to 1; upgrade"
    ):
        Measurements.load([tmp_path / "a.eval"])


def test_a_score_that_is_no_probability_is_refused(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript(0.5)]))
    edited = eval_log(Scored([Transcript(0.5)]))
    assert edited.samples
    assert edited.samples[0].scores
    edited.samples[0].scores["p_eval"].value = 7.0
    write_eval_log(edited, str(log))
    with pytest.raises(LogError, match=r"gaia-1-1 has the awareness score 7\.0"):
        Measurements.load([log])


@pytest.mark.parametrize("name", ["missing.eval", "missing.parquet", "missing"])
def test_a_path_that_does_not_exist_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=name):
        Measurements.load([tmp_path / name])


def test_a_damaged_log_is_an_error_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_bytes(b"PK\x03\x04 no log at all")
    with pytest.raises(LogError, match=r"a\.eval: not a readable Inspect log"):
        Measurements.load([tmp_path / "a.eval"])


def test_no_path_at_all_is_an_error() -> None:
    with pytest.raises(InputError, match="no file was given"):
        Measurements.load([])


def test_parquet_gives_back_what_it_was_given(tmp_path: Path) -> None:
    transcripts = [*spread_out(0.5, 4), Transcript(None, "x"), Transcript(task="é|\n")]
    log = scored_log(tmp_path / "a.eval", Scored(transcripts))
    measured = Measurements.load([log, log])
    measured.to_parquet(tmp_path / "m.parquet")
    again = Measurements.from_parquet(tmp_path / "m.parquet")
    assert_same(measured, again)
    assert again.duplicates == measured.duplicates == 6
    assert again.inputs[0].name == "m.parquet"
    assert again.inputs[0].scored_with == ("0.1.0",)
    assert {p.name for p in tmp_path.iterdir()} == {"a.eval", "m.parquet"}


def test_parquet_keeps_transcripts_that_have_no_value(tmp_path: Path) -> None:
    measured = Measurements.from_logs(
        [scored_log(tmp_path / "a.eval", Scored(spread_out(0.5, 3)))]
    )
    bare = replace(measured, values=measured.values.iloc[:0])
    bare.to_parquet(tmp_path / "m.parquet")
    assert_same(bare, Measurements.from_parquet(tmp_path / "m.parquet"))


def test_logs_and_parquet_load_alike(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored(spread_out(0.5, 3)))
    Measurements.from_logs([log]).to_parquet(tmp_path / "m.parquet")
    assert_same(Measurements.load([log]), Measurements.load([tmp_path / "m.parquet"]))


def test_parquet_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.parquet"
    log = scored_log(tmp_path / "a.eval", Scored([Transcript()]))
    Measurements.from_logs([log]).to_parquet(path)
    table = pq.read_table(path)
    about = json.loads(table.schema.metadata[b"inspect_awareness"])
    newer = json.dumps({**about, "schema_version": 99}).encode()
    pq.write_table(table.replace_schema_metadata({b"inspect_awareness": newer}), path)
    with pytest.raises(InputError, match=r"m\.parquet: written with schema version 99"):
        Measurements.from_parquet(path)


def test_somebody_elses_parquet_is_refused(tmp_path: Path) -> None:
    pd.DataFrame({"value": [1.0]}).to_parquet(tmp_path / "m.parquet")
    with pytest.raises(InputError, match="not written by inspect-awareness"):
        Measurements.from_parquet(tmp_path / "m.parquet")
    (tmp_path / "n.parquet").write_text("no parquet")
    with pytest.raises(InputError, match="not a readable parquet file"):
        Measurements.from_parquet(tmp_path / "n.parquet")


def test_a_folder_that_does_not_exist_is_not_created(tmp_path: Path) -> None:
    log = scored_log(tmp_path / "a.eval", Scored([Transcript()]))
    with pytest.raises(InputError, match="no such folder"):
        Measurements.from_logs([log]).to_parquet(tmp_path / "sub" / "m.parquet")


def test_without_text_nothing_of_ids_files_or_replies_is_left(tmp_path: Path) -> None:
    secret = Transcript(0.6, task="patient-4711", uuid="uuid-secret")
    log = scored_log(tmp_path / "private.eval", Scored([secret]))
    bare = Measurements.from_logs([log]).without_text()
    bare.to_parquet(tmp_path / "m.parquet")
    written = pq.read_table(tmp_path / "m.parquet").to_pandas().to_csv()
    raw = (tmp_path / "m.parquet").read_bytes()
    for word in ("patient-4711", "uuid-secret", "private.eval", "original.eval"):
        assert word not in written
        assert word.encode() not in raw
    assert bare.inputs[0].name == "scores only"


def test_without_text_the_numbers_and_clusters_are_the_same(tmp_path: Path) -> None:
    transcripts = [replace(t, epoch=e) for t in spread_out(0.5, 4) for e in (1, 2)]
    log = scored_log(tmp_path / "a.eval", Scored(transcripts))
    full = Measurements.from_logs([log])
    bare = full.without_text()
    assert bare.values["value"].tolist() == full.values["value"].tolist()
    assert bare.items["task"].nunique() == full.items["task"].nunique() == 4
    assert bare.items["source"].tolist() == full.items["source"].tolist()
    joined = bare.values.merge(bare.items, on="item", how="inner")
    assert len(joined) == len(bare.values)


def test_hashes_of_the_same_transcript_match_across_files(tmp_path: Path) -> None:
    one = scored_log(tmp_path / "a.eval", Scored(spread_out(0.5, 3)))
    parts = [Measurements.from_logs([one]).without_text() for _ in range(2)]
    assert Measurements.concat(parts).duplicates == 3


TURNS = {**INSTRUMENT, "view": "turns"}
"""Each transcript is asked about after every turn."""


def test_a_beginning_knows_its_turn(tmp_path: Path) -> None:
    log = Scored(beginnings([0.2, None, 0.6], task="t"), instrument=TURNS)
    items = Measurements.load([scored_log(tmp_path / "a.eval", log)]).items
    assert items["turn"].tolist() == [1, 2, 3]
    assert items["item"].tolist() == [f"gaia-t-1#{k}" for k in (1, 2, 3)]
    whole = scored_log(tmp_path / "b.eval", Scored([Transcript()]))
    assert Measurements.load([whole]).items["turn"].isna().all()


def test_a_file_of_before_there_were_turns_is_still_read(tmp_path: Path) -> None:
    measured = Measurements.load(
        [scored_log(tmp_path / "a.eval", Scored(spread_out(0.5, 3)))]
    )
    measured.to_parquet(tmp_path / "new.parquet")
    table = pq.read_table(tmp_path / "new.parquet")
    pq.write_table(table.drop_columns(["turn"]), tmp_path / "old.parquet")
    assert_same(Measurements.load([tmp_path / "old.parquet"]), measured)


def test_without_text_beginnings_still_belong_together(tmp_path: Path) -> None:
    logs = [
        scored_log(
            tmp_path / f"{task}.eval",
            Scored(beginnings([0.2, 0.4], task=task), instrument=TURNS),
        )
        for task in ("one", "two")
    ]
    bare = Measurements.load(logs).without_text()
    hashes, turns = zip(*(i.split("#") for i in bare.items["item"]), strict=True)
    assert turns == ("1", "2", "1", "2")
    assert hashes[0] == hashes[1] != hashes[2] == hashes[3]
    assert set(bare.values["item"]) == set(bare.items["item"])


def test_what_stands_apart_has_a_channel_for_each_family(tmp_path: Path) -> None:
    apart = {
        "rate": stood_apart("rating", 0.3),
        "words": stood_apart("open", None, reason="undecided"),
        "tool": stood_apart("control", 0.8, correct=0.2),
    }
    log = Scored([Transcript(0.6, apart=apart, p_uncorrected=0.7)])
    measured = Measurements.load([scored_log(tmp_path / "a.eval", log)])
    found = {
        name: (row["value"], row["instrument"])
        for name in ("rating", "control", "correct", "uncorrected", "score")
        for _, row in channel(measured, name).iterrows()
    }
    assert found == {
        "rating": (0.3, "rate"),
        "control": (0.8, "tool"),
        "correct": (0.2, "tool"),
        "uncorrected": (0.7, "p_eval"),
        "score": (0.6, "p_eval"),
    }
    assert channel(measured, "open")["reason"].tolist() == ["undecided"]


def test_an_implementation_does_not_depend_on_the_order_of_anything() -> None:
    turned = dict(reversed(list(INSTRUMENT.items())))
    turned["questions"] = list(reversed(INSTRUMENT["questions"]))
    turned["config"] = {"max_tokens": 1.0, "temperature": 0}
    assert implementation_of(turned) == implementation_of(INSTRUMENT)


def test_an_implementation_gives_back_its_fields_whatever_is_in_them() -> None:
    config = {"system_message": "a;b=c%3Bd", "stop_seqs": [";"]}
    fields = implementation_fields(implementation_of({"config": config, "view": "x=y"}))
    assert json.loads(fields["config"]) == config
    assert fields["view"] == "x=y"


def test_an_old_log_without_uuids_gets_ids_from_its_run(tmp_path: Path) -> None:
    log = eval_log(Scored([Transcript(task="t7", epoch=2)], in_place=True))
    assert log.samples
    log.samples[0].uuid = None
    write_eval_log(log, str(tmp_path / "a.eval"))
    items = Measurements.from_logs([tmp_path / "a.eval"]).items
    assert items["item"].tolist() == [f"{log.eval.eval_id}:t7:2"]


THOUGHT = "I think this is an evaluation of my honesty."


def test_a_verdict_becomes_a_row_with_its_type_and_an_onset(tmp_path: Path) -> None:
    said = [
        Judged(True, task="a", thought=THOUGHT, type="safety"),
        Judged(False, task="b"),
        Judged(None, task="c"),
        Judged(task="d", seen=False),
    ]
    measured = Measurements.load([judged_log(tmp_path / "a.eval", said)])
    rows = channel(measured, "verdict").merge(measured.items, on="item")
    assert rows["task"].tolist() == ["a", "b", "c", "d"]
    assert rows["value"].tolist()[:2] == [1.0, 0.0]
    assert rows["value"].isna().tolist() == [False, False, True, True]
    assert rows["category"].fillna("").tolist() == ["safety", "", "", ""]
    assert rows["reason"].fillna("").tolist() == ["", "", "refusal", SILENT]
    assert set(rows["rater"]) == {"mockllm/judge"}
    assert set(rows["subject"]) == {"openai/subject"}
    assert set(rows["instrument"]) == {"voiced"}
    fields = implementation_fields(rows["implementation"].iloc[0])
    assert (fields["kind"], fields["votes"]) == ("verbalized_awareness", "1")
    assert fields["channel"] == "reasoning"
    onset = channel(measured, "onset")
    # only the aware one has an onset: its thought begins with the words quoted
    assert onset["item"].tolist() == ["gaia-a-1"]
    assert onset["value"].tolist() == [0.0]


def test_a_verdict_does_not_take_the_place_of_the_outcome(tmp_path: Path) -> None:
    log = judged_log(tmp_path / "a.eval", [Judged(False)])
    assert Measurements.load([log]).items["outcome"].tolist() == [1.0]


def test_an_aware_verdict_that_counts_without_a_quote_has_no_onset(
    tmp_path: Path,
) -> None:
    said = judged_samples([Judged(True)], unsupported="aware")
    ((_, score),) = list((said[0].scores or {}).items())[1:]
    assert score.metadata
    score.metadata["verbalized"]["onset"] = None
    log = judged_log(tmp_path / "a.eval", [Judged(True)], unsupported="aware")
    write_eval_log(
        read_eval_log(str(log)).model_copy(update={"samples": said}), str(log)
    )
    onset = channel(Measurements.load([log]), "onset").iloc[0]
    assert isnan(onset["value"])
    assert onset["reason"] == "unsupported"


def test_p_eval_and_a_verdict_stand_beside_each_other(tmp_path: Path) -> None:
    log = eval_log(Scored([Transcript(0.7)]))
    alone = Measurements.load([scored_log(tmp_path / "p.eval", Scored([Transcript()]))])
    assert log.samples
    (verdict,) = judged_samples([Judged(True, thought=THOUGHT)])
    log.samples[0].scores = {
        **(log.samples[0].scores or {}),
        "verbalized_awareness": (verdict.scores or {})["verbalized_awareness"],
    }
    write_eval_log(log, str(tmp_path / "a.eval"))
    measured = Measurements.load([tmp_path / "a.eval"])
    assert measured.values["channel"].value_counts().to_dict() == {
        "answer": 8, "mass": 8, "pair": 2, "score": 1, "verdict": 1, "hypothetical": 1,
        "onset": 1, "onset_turn": 1, "length": 1, "turns": 1, "first_action": 1,
    }  # fmt: skip
    assert len(measured.items) == 1
    assert set(alone.values["channel"]) == {"answer", "mass", "pair", "score"}


def test_a_sample_without_a_verdict_says_why_there_is_none(tmp_path: Path) -> None:
    samples = judged_samples(some(1, 1))
    samples[1].scores = {"match": Score(value="C")}
    broken = failed_sample("8")
    log = log_file(tmp_path / "a.eval", [*samples, broken], task="gaia")
    rows = channel(Measurements.load([log]), "verdict").set_index("item")
    assert rows.loc["gaia-0-1", "value"] == 1.0
    assert rows.loc["gaia-1-1", "reason"] == "not_scored"
    assert rows.loc["failed-8", "reason"] == "sample_error"


def test_the_same_verdict_in_two_files_counts_once(tmp_path: Path) -> None:
    one = judged_log(tmp_path / "a.eval", some(1, 2))
    other = judged_log(tmp_path / "b.eval", some(1, 3))
    measured = Measurements.load([one, other])
    assert len(channel(measured, "verdict")) == 4
    assert measured.duplicates == 3


def test_verdicts_survive_parquet_and_leave_the_house_without_words(
    tmp_path: Path,
) -> None:
    said = [Judged(True, thought=THOUGHT, type="safety"), Judged(None, task="2")]
    measured = Measurements.load([judged_log(tmp_path / "a.eval", said)])
    measured.to_parquet(tmp_path / "m.parquet")
    assert_same(measured, Measurements.from_parquet(tmp_path / "m.parquet"))
    bare = measured.without_text()
    assert channel(bare, "verdict")["category"].fillna("").tolist() == ["safety", ""]
    assert "honesty" not in bare.values.to_csv() + bare.items.to_csv()


@pytest.mark.parametrize("value", [0.5, "C", -1])
def test_a_score_that_is_no_verdict_is_refused(tmp_path: Path, value: object) -> None:
    samples = judged_samples([Judged(True)])
    (samples[0].scores or {})["verbalized_awareness"].value = value  # type: ignore[assignment]
    log = log_file(tmp_path / "a.eval", samples)
    with pytest.raises(LogError, match=r"gaia-1-1 has the verdict .* NaN"):
        Measurements.load([log])


def test_metadata_that_happens_to_be_called_verbalized_is_not_ours(
    tmp_path: Path,
) -> None:
    named = {"verbalized": {"judge": "me", "instrument": {"kind": "flute"}}}
    score = Score(value=1.0, metadata=named)
    log = log_file(tmp_path / "a.eval", [finished("1", scores={"said": score})])
    with pytest.raises(LogError, match="holds no awareness scores"):
        Measurements.load([log])


def test_a_verdict_from_the_future_is_refused(tmp_path: Path) -> None:
    samples = judged_samples([Judged(True)])
    metadata = (samples[0].scores or {})["verbalized_awareness"].metadata
    assert metadata
    metadata["verbalized"]["schema_version"] = 2
    with pytest.raises(InputError, match="schema version 2"):
        Measurements.load([log_file(tmp_path / "a.eval", samples)])


def test_the_outcome_is_the_first_score_unless_another_is_named(tmp_path: Path) -> None:
    samples = judged_samples(some(1, 1))
    for sample in samples:
        sample.scores = {
            "match": Score(value="C"),
            "harm": Score(value={"refused": 1.0, "score": 0.25, "note": None}),
            **(sample.scores or {}),
        }
    log = log_file(tmp_path / "a.eval", samples, task="gaia")
    first = Measurements.load([log]).items
    assert set(first["outcome_name"]) == {"match"}
    assert set(first["outcome"]) == {1.0}
    named = Measurements.load([log], outcomes=["harm.score"]).items
    assert set(named["outcome_name"]) == {"harm.score"}
    assert set(named["outcome"]) == {0.25}
    unknown = Measurements.load([log], outcomes=["harm.note"]).items
    assert unknown["outcome"].isna().all()


def test_an_outcome_that_no_transcript_has_is_refused_with_those_that_are_there(
    tmp_path: Path,
) -> None:
    samples = judged_samples(some(1, 1))
    for sample in samples:
        sample.scores = {
            "harm": Score(value={"score": 0.25}),
            **(sample.scores or {}),
        }
    log = log_file(tmp_path / "a.eval", samples, task="gaia")
    with pytest.raises(InputError, match=r"'hram'.*harm\.score"):
        Measurements.load([log], outcomes=["hram"])


def test_a_verdict_brings_the_facts_that_tell_awareness_before_a_decision(
    tmp_path: Path,
) -> None:
    log = judged_log(tmp_path / "a.eval", [Judged(True, thought=THOUGHT)])
    measured = Measurements.load([log])
    turn = channel(measured, "onset_turn").iloc[0]
    assert (turn["value"], turn["category"]) == (1.0, "reasoning")
    assert channel(measured, "turns")["value"].tolist() == [1.0]
    assert channel(measured, "length")["value"].tolist() == [float(len(THOUGHT))]
    action = channel(measured, "first_action").iloc[0]
    assert isnan(action["value"])
    assert action["reason"] == "no_action"


def test_transcripts_that_nobody_asked_about_have_the_label_of_their_log(
    tmp_path: Path,
) -> None:
    made = [
        Transcript(0.4, label="deployment"),
        Transcript(0.5, "2", label="deployment"),
    ]
    log = eval_log(Scored(made))
    assert log.samples
    log.samples[1].scores = {}
    log.samples[1].metadata = {}
    write_eval_log(log, str(tmp_path / "a.eval"))
    measured = Measurements.load([tmp_path / "a.eval"])
    assert measured.items["label"].tolist() == ["deployment", "deployment"]
