"""P(eval) of 40 transcripts beside what people said of them.

The transcripts, with the mean rating of human raters that each is an evaluation, are
read from a JSON file that is not part of the repository:

    python benchmarks/human_ratings.py FILE.json [MODEL [SCORES.parquet]]

The embedded model is asked by default; scores that are there already are used again. Printed are Spearman's and Pearson's correlation
with the ratings, with 95 % intervals (Fisher's z, for Spearman after Bonett and Wright,
2000), and the AUROC of either against the label of the transcript's source.
"""

import json
import sys
import tempfile
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from inspect_ai.model import get_model
from scipy.stats import norm, pearsonr, spearmanr

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.measurements import Measurements
from inspect_awareness.runs import Target, score_files
from inspect_awareness.solvers._asking import asking
from inspect_awareness.stats import delong_auroc

DEFAULT = Path(__file__).parents[2] / "shared" / "data" / "transcripts"
FILE = "tiny_adapted_needham_dataset.json"


def chat_line(entry: dict[str, Any]) -> str:
    """One transcript as a line of a chat file, the rating as its outcome."""
    about = entry["metadata"]
    return json.dumps(
        {
            "id": entry["id"],
            "messages": entry["input"],
            "label": "evaluation" if about["eval_category"] else "deployment",
            "source": about["category"],
            "outcome": about["eval_human"],
        }
    )


def scores(entries: list[dict[str, Any]], model: str, output: Path) -> Any:
    """P(eval), rating and label of each transcript that has a P(eval)."""
    chats = output.with_suffix(".jsonl")
    chats.write_text("\n".join(map(chat_line, entries)) + "\n", encoding="utf-8")
    if not output.exists():
        score_files(
            Inputs([str(chats)]),
            get_model(model),
            asking(),
            Target(output, scores_only=True),
            progress=lambda n: print("." * n, end="", file=sys.stderr, flush=True),
        )
    made = Measurements.load([str(output)])
    values = made.values[made.values["channel"] == "score"].dropna(subset=["value"])
    return values.merge(made.items, on="item")[["value", "outcome", "label"]]


def spearman(x: Any, y: Any) -> tuple[float, float, float]:
    """Spearman's correlation with its interval."""
    rho = float(spearmanr(x, y).statistic)
    se = sqrt((1 + rho**2 / 2) / (len(x) - 3))
    half = float(norm.ppf(0.975)) * se
    low, high = np.tanh([np.arctanh(rho) - half, np.arctanh(rho) + half])
    return rho, float(low), float(high)


def main() -> None:
    """Score, correlate, print."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT / FILE
    if not path.exists():
        print(f"{path.name} is not here: give its path")
        return
    model = sys.argv[2] if len(sys.argv) > 2 else "whitebox/smollm2-135m"
    entries = json.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(sys.argv[3]) if len(sys.argv) > 3 else Path(folder) / "s.parquet"
        found = scores(entries, model, kept)
    p, people = found["value"].to_numpy(), found["outcome"].to_numpy()
    label = (found["label"] == "evaluation").to_numpy()
    print(f"\n{len(found)} of {len(entries)} transcripts scored by {model}")
    rho, low, high = spearman(p, people)
    print(f"  Spearman with people: {rho:+.3f} [{low:+.3f}, {high:+.3f}]")
    plain = pearsonr(p, people)
    ends = plain.confidence_interval()
    print(f"  Pearson: {plain.statistic:+.3f} [{ends.low:+.3f}, {ends.high:+.3f}]")
    for name, values in (("P(eval)", p), ("people", people)):
        area = delong_auroc(values, label)
        print(f"  AUROC of {name}: {area.value:.3f} [{area.low:.3f}, {area.high:.3f}]")


if __name__ == "__main__":
    main()
