"""Directions as an Inspect task: a log, a record, and files that a study reads."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import numpy as np
import tiny
from builders import rater
from commands import page_of
from framed.small import items, written
from inspect_ai import eval, score
from inspect_ai.log import EvalLog

from inspect_awareness.cli import main
from inspect_awareness.errors import InputError
from inspect_awareness.measurements import Measurements
from inspect_awareness.scorers import direction
from inspect_awareness.tasks import directions


def run(folder: Path, model: Any = None, **more: Any) -> EvalLog:
    """The task on a tiny model."""
    arguments = {**written(folder), "draws": 10, "refusal": False, **more}
    (log,) = eval(
        directions(**arguments, store=str(folder / "activations")),
        model=model or f"whitebox/{tiny.model_folder()}",
        display="none",
        log_dir=str(folder / "logs"),
    )
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results
    return {
        name: metric.value
        for each in log.results.scores
        for name, metric in each.metrics.items()
    }


def test_the_log_holds_scores_metrics_and_pointers_and_no_tensor(
    tmp_path: Path,
) -> None:
    log = run(tmp_path)
    assert log.status == "success", log.error
    found = metrics(log)
    assert found["pairs"] == 4
    assert {"auroc", "peak", "floor", "crossed_cells", "surface_words"} <= set(found)
    assert log.samples
    sample = log.samples[0]
    made = (sample.scores or {})["direction"]
    assert made.metadata
    record = made.metadata["direction"]
    assert record["transcript"]["label"] == sample.target
    assert sample.store["FramedStore:key"] == record["state"]
    assert sample.store["FramedStore:activations"]["shape"][1:] == [5, 32]
    assert Path(log.location).stat().st_size < 200_000


def test_the_files_of_a_study_are_tables_that_awareness_study_reads(
    tmp_path: Path,
) -> None:
    run(tmp_path, refusal=True, max_tasks=4)
    (folder,) = (tmp_path / "activations" / "studies").iterdir()
    with (folder / "statistics.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 4
    with (folder / "pairs.csv").open(encoding="utf-8") as file:
        assert {row["evaluation"] for row in csv.DictReader(file)} == {"e1", "e2"}
    record = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert record["tasks"] == 4
    assert record["refusal"]["framings"] == ["n1", "n2"]
    page = page_of(
        main, "study", "--table", folder / "statistics.csv", "--value", "peak",
        "--object", "evaluation", "--facets", "deployment,block",
    )  # fmt: skip
    assert "16 values of peak" in page


def test_scoring_the_log_again_computes_nothing_anew(tmp_path: Path) -> None:
    log = run(tmp_path)
    shards = sorted((tmp_path / "activations").glob("*/*.safetensors"))
    changed = [shard.stat().st_mtime_ns for shard in shards]
    again = score(
        log,
        direction(
            **written(tmp_path),
            draws=10,
            refusal=False,
            store=str(tmp_path / "activations"),
        ),
        model=f"whitebox/{tiny.model_folder()}",
        display="none",
        action="overwrite",
    )
    assert [shard.stat().st_mtime_ns for shard in shards] == changed
    assert log.samples
    assert again.samples
    one, other = (
        [(s.scores or {})["direction"].as_float() for s in each.samples]
        for each in (log, again)
    )
    assert one == other


def test_scores_are_projections_on_differences_of_means(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    log = run(tmp_path)
    (folder,) = (tmp_path / "activations" / "studies").iterdir()
    scores = load_file(folder / "scores.safetensors")["scores"]
    assert scores.shape == (2, 2, 5, 16)
    inner = scores[:, :, 1:-1].astype(np.float64)
    standard = (inner - inner.mean(-1, keepdims=True)) / inner.std(-1, keepdims=True)
    assert log.samples
    by_id = {s.id: (s.scores or {})["direction"].as_float() for s in log.samples}
    told = [by_id[item["id"]] for item in items()]
    assert told == pytest.approx(standard.mean(axis=(0, 1, 2)), abs=1e-3)


def test_measurements_hold_a_row_for_each_item(tmp_path: Path) -> None:
    measured = Measurements.load([run(tmp_path).location])
    rows = measured.values
    assert set(rows["channel"]) == {"direction"}
    assert len(rows) == 16
    assert measured.items["label"].value_counts().to_dict() == {
        "evaluation": 8, "deployment": 8,
    }  # fmt: skip
    assert measured.items["outcome"].isna().all()


def test_a_model_without_activations_is_refused(tmp_path: Path) -> None:
    log = run(tmp_path, model=rater("Yes"))
    assert log.status == "error"
    assert log.error
    assert "name a local model" in log.error.message


def test_a_message_that_is_no_item_has_no_score(tmp_path: Path) -> None:
    log = run(tmp_path)
    other = [{**item, "text": f"Otherwise: {item['text']}"} for item in items()]
    (tmp_path / "other.json").write_text(json.dumps(other), encoding="utf-8")
    arguments = {**written(tmp_path), "items": str(tmp_path / "other.json")}
    again = score(
        log,
        direction(**arguments, draws=10, refusal=False, store=str(tmp_path / "b")),
        model=f"whitebox/{tiny.model_folder()}",
        display="none",
        action="overwrite",
    )
    assert again.samples
    made = (again.samples[0].scores or {})["direction"]
    assert made.reason == "not_an_item"


def test_arguments_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no field 'pool'"):
        directions(convention={"pool": "last"})


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"convention": "last"}, "give its fields"),
        ({"max_tasks": "many"}, "max_tasks is 'many'; give a whole number"),
        ({"max_tasks": 3}, "cut into 4 blocks"),
        ({"draws": 1.5}, "draws is 1.5"),
        ({"draws": 1}, "a floor needs 2 or more"),
        ({"seed": -1}, "not negative"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_before_the_model_is_loaded(
    arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        directions(**arguments)


def test_too_few_tasks_or_items_for_their_blocks_are_refused(tmp_path: Path) -> None:
    files = written(tmp_path)
    few = [item for item in items() if not item["id"].endswith("3")]
    (tmp_path / "few.json").write_text(json.dumps(few), encoding="utf-8")
    two = [{"id": "a", "text": "Sing."}, {"id": "b", "text": "Dance."}]
    (tmp_path / "two.json").write_text(json.dumps(two), encoding="utf-8")
    with pytest.raises(InputError, match="give 4 or more of either label"):
        directions(**{**files, "items": str(tmp_path / "few.json")})
    with pytest.raises(InputError, match="the number of tasks is 2"):
        directions(**{**files, "tasks": str(tmp_path / "two.json")})


def test_items_whose_form_and_source_are_not_known_have_no_crossed_cells(
    tmp_path: Path,
) -> None:
    bare = [{"text": item["text"], "label": item["label"]} for item in items()]
    (tmp_path / "bare.json").write_text(json.dumps(bare), encoding="utf-8")
    log = run(tmp_path, items=str(tmp_path / "bare.json"))
    assert log.status == "success", log.error
    found = metrics(log)
    assert found["crossed_cells"] != found["crossed_cells"]  # NaN
    assert found["peak"] > 0


def test_the_last_token_is_pooled_where_layer_0_is_the_same_in_every_prompt(
    tmp_path: Path,
) -> None:
    log = run(tmp_path, convention={"pooling": "last", "dropped": ["bos"]})
    assert log.status == "success", log.error
    (folder,) = (tmp_path / "activations" / "studies").iterdir()
    record = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    assert record["layers"] == [1, 2, 3, 4]
    assert not list(folder.glob(".*"))
    log = run(tmp_path, convention={"pooling": "last", "layers": [0]})
    assert log.error
    assert "equal states at every layer" in log.error.message


def test_a_number_format_that_is_not_the_models_is_an_error(tmp_path: Path) -> None:
    log = run(tmp_path, convention={"dtype": "bfloat16"})
    assert log.error
    assert "the model was loaded with float32" in log.error.message


def test_a_template_without_a_system_role_names_the_renderings(tmp_path: Path) -> None:
    strict = (
        "{% if messages[0]['role'] == 'system' %}"
        "{{ raise_exception('no system role') }}{% endif %}" + tiny.CHATML
    )
    model = f"whitebox/{tiny.model_folder(template=strict)}"
    log = run(tmp_path, model=model)
    assert log.error
    assert "rendering=folded" in log.error.message
    log = run(tmp_path, model=model, convention={"rendering": "folded"})
    assert log.status == "success", log.error


def test_states_whose_products_overflow_are_an_error_that_names_the_model(
    tmp_path: Path,
) -> None:
    import shutil

    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "huge"
    shutil.copytree(tiny.model_folder(), folder)
    weights = load_file(folder / "model.safetensors")
    for name in weights:
        if "down_proj" in name or "o_proj" in name:
            weights[name] = weights[name] * np.float32(1e25)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
    log = run(tmp_path, model=f"whitebox/{folder}")
    assert log.error
    assert "huge: its states give no directions" in log.error.message
