"""The published geometry of SmolLM2-135M, from its packaged weights.

    python benchmarks/published_geometry.py [PROBE_DIRECTION [TASKS]]

PROBE_DIRECTION is the folder of the wrapper study (its `data` and `results`), which is
no part of the repository; without it nothing is compared. Prints the
mean cosine of different wrappers' directions at each of 31 states beside the published
curve, with no token dropped and with the first one dropped, and the cosine of disjoint
halves of the tasks.
"""

import json
import sys
import time
from pathlib import Path

import anyio
import numpy as np

from inspect_awareness.datasets.framings import cross, framings, task_texts
from inspect_awareness.stats import geometry
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._extraction import extract
from inspect_awareness.whitebox._loading import local_model
from inspect_awareness.whitebox._prompts import FramedPrompt
from inspect_awareness.whitebox._source import Settings, source

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "probe_direction"
MODEL = "smollm2-135m"
SHOWN = (0, 5, 11, 12, 15, 20, 25, 30)
CONVENTIONS = {
    "all tokens": Convention(),
    "first dropped": Convention(dropped=("bos",)),
}


def main(folder: Path, count: int) -> None:
    """Extract once, and compare both conventions with the published file."""
    found = framings(folder / "data" / "framings_multi.json")
    tasks = task_texts(folder / "data" / "tasks_bench.jsonl")[:count]
    arms = {
        arm: [each for each in found if each.arm == arm]
        for arm in ("evaluation", "deployment")
    }
    prompts = [
        FramedPrompt(c.framing.text, c.task.text, c.framing.before, c.framing.after)
        for arm in arms.values()
        for c in cross(arm, tasks)
    ]
    begun = time.perf_counter()
    states = anyio.run(
        extract,
        local_model(source(MODEL), Settings()),
        prompts,
        list(CONVENTIONS.values()),
    )
    print(f"{len(prompts)} prompts in {time.perf_counter() - begun:.0f} s")
    result = "direction_geometry_v11_validated_smollm2.json"
    published = json.loads((folder / "results" / result).read_text(encoding="utf-8"))
    theirs = published["models"][MODEL]
    across = np.array(theirs["across wrapper pairs"])
    print("tokens pooled   mean |diff|  max    states", *SHOWN)
    for name, convention in CONVENTIONS.items():
        arrays = states[convention].states.reshape(12, len(tasks), 31, 576)
        block = np.arange(len(tasks)) % 2
        halves = np.stack([arrays[:, block == k].mean(axis=1) for k in (0, 1)])
        ours = geometry(halves[:, :6], halves[:, 6:])
        gap = np.abs(ours.across - across)
        curve = " ".join(f"{ours.across[k]:.3f}" for k in SHOWN)
        print(f"{name:15} {gap.mean():.4f}      {gap.max():.3f}  {curve}")
        print(
            f"{'':15} within {ours.interior_within:.5f}; common "
            f"{ours.common.value:.3f}, evaluation {ours.evaluation_share.value:.3f}, "
            f"deployment {ours.deployment_share.value:.3f}, residual "
            f"{ours.residual.value:.3f}"
        )
    curve = " ".join(f"{across[k]:.3f}" for k in SHOWN)
    print(f"{'published':15} {'':11}      {'':6} {curve}")
    known = theirs["identity"]
    print(
        f"{'':15} within {theirs['interior_within']:.5f}; common "
        f"{known['cue_general']:.3f}, evaluation {known['eval_specific']:.3f}, deployment "
        f"{known['deploy_specific']:.3f}, residual {1 - known['sum']:.3f}"
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT
    if folder.is_dir():
        main(folder, int(sys.argv[2]) if len(sys.argv) > 2 else 60)
    else:
        print(f"{folder}: not on this machine; give the folder of the wrapper study")
