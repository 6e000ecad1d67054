"""What is shipped, what is linked, and what an import costs."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "inspect_awareness"
FRONT_DOORS = ("tasks", "solvers", "scorers", "datasets")


def tracked(folder: Path) -> set[str]:
    """Every file of the package that is not made by running it."""
    return {
        str(path.relative_to(folder.parent))
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.mark.parametrize("stage", FRONT_DOORS)
def test_the_front_door_links_every_public_component(stage: str) -> None:
    public = {
        path.name for path in (PACKAGE / stage).glob("*.py") if path.name[0] != "_"
    }
    links = [p for p in (ROOT / stage).iterdir() if p.name != "__pycache__"]
    assert {link.name for link in links} == public
    for link in links:
        assert link.is_symlink()
        assert not link.readlink().is_absolute()
        assert link.resolve() == (PACKAGE / stage / link.name).resolve()


def test_a_wheel_from_the_sdist_holds_the_whole_package(tmp_path: Path) -> None:
    pytest.importorskip("build", reason="the extra `dev` is not installed")
    pytest.importorskip("hatchling", reason="the extra `dev` is not installed")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path]
    done = subprocess.run([*command, ROOT], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shipped = {n for n in archive.namelist() if ".dist-info/" not in n}
    assert shipped == tracked(PACKAGE)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert any(name.endswith("tests/builders.py") for name in names)


def test_the_entry_point_loads_nothing_heavy_and_costs_little() -> None:
    code = """
import inspect_ai, sys, time
before = set(sys.modules)
start = time.process_time()
import inspect_awareness._registry
cost = time.process_time() - start
new = {name.split(".")[0] for name in set(sys.modules) - before}
heavy = new & {"torch", "transformers", "sklearn", "pandas", "matplotlib", "scipy",
               "inspect_scout"}
print(cost, ",".join(sorted(heavy)))
"""
    costs = []
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        cost, _, heavy = done.stdout.strip().partition(" ")
        assert heavy == ""
        costs.append(float(cost))
    assert min(costs) < 0.3


def test_every_component_is_registered_under_the_package() -> None:
    code = """
from inspect_ai._util.registry import registry_find, registry_info
import inspect_awareness._registry as registry
print(sorted(registry_info(getattr(registry, n)).name for n in registry.__all__))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    names = [
        "audit",
        "direction",
        "directions",
        "everyday_requests",
        "exam_items",
        "factor_attribution",
        "framed",
        "p_eval",
        "p_eval_selected",
        "probe_log",
        "probe_questions",
        "verbalized_awareness",
        "whitebox",
    ]
    assert eval(done.stdout) == [f"inspect_awareness/{name}" for name in names]


def test_bundled_words_carry_a_canary() -> None:
    for path in PACKAGE.rglob("*.md"):
        if (
            path.parent.name in ("questions", "rubrics", "framings")
            or path.name == "frame.md"
        ):
            assert "canary" in path.read_text(encoding="utf-8"), path
    for path in PACKAGE.rglob("*.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert '"canary"' in line, path
