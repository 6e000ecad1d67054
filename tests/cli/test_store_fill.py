"""`awareness store fill`: parts of an extraction, and the task that finds them done."""

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny
from commands import failure_of, page_of
from framed.small import written
from inspect_ai import eval

from inspect_awareness.cli import main
from inspect_awareness.tasks import directions


def fill(folder: Path, files: dict[str, str], *more: str) -> str:
    options = [word for name in files for word in (f"--{name}", files[name])]
    return page_of(
        main, "store", "fill", folder, "--model", tiny.model_folder(), *options,
        "--no-refusal", *more,
    )  # fmt: skip


def test_parts_fill_a_store_in_which_the_task_finds_everything(tmp_path: Path) -> None:
    files, store = written(tmp_path), tmp_path / "activations"
    for part in ("0/2", "1/2"):
        assert f"prompts of part {part} are there" in fill(
            store, files, "--shard", part
        )
    shards = {p: p.stat().st_mtime_ns for p in store.glob("*/*.safetensors")}
    (log,) = eval(
        directions(**files, refusal=False, draws=5, store=str(store)),
        model=f"whitebox/{tiny.model_folder()}",
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success", log.error
    assert {p: p.stat().st_mtime_ns for p in store.glob("*/*.safetensors")} == shards


def test_a_convention_of_ones_own_lies_in_a_folder_of_its_own(tmp_path: Path) -> None:
    files, store = written(tmp_path), tmp_path / "activations"
    fill(store, files, "--max-tasks", "4")
    fill(store, files, "--max-tasks", "4", "-C", "pooling=last")
    page = page_of(main, "store", "list", store)
    assert "pooling=mean" in page
    assert "pooling=last" in page


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--shard", "one"], "give I/N"),
        (["--shard", "4/4"], "0/n to n-1/n"),
        (["-C", "pool=last"], "no field 'pool'"),
        (["-C", "pooling"], "-C takes FIELD=VALUE"),
        (["-C", "layers=[1,"], "cannot be read as YAML"),
        (["-C", "dtype=bfloat16"], "load the model so: -M dtype=bfloat16"),
        (["-C", "dropped=bos,end"], "out of bos, white_space, template"),
        (["-M", "dtype=int8"], "dtype must be one of"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    tmp_path: Path, more: list[str], said: str
) -> None:
    files = written(tmp_path)
    options = [word for name in files for word in (f"--{name}", files[name])]
    told = failure_of(
        main, "store", "fill", tmp_path / "a", "--model", tiny.model_folder(),
        *options, *more,
    )  # fmt: skip
    assert said in told
