"""Metrics of directions: how items separate, and everything over pairs of framings."""

import json
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from inspect_awareness.scorers.directions._record import RECORD


@metric(scores="unreduced")
def separation(level: float = 0.95) -> Metric:
    """AUROC of evaluation against deployment items, with an interval over sources.

    Args:
        level: Nominal coverage.
    """

    def compute(scores: list[SampleScore]) -> Value:
        from inspect_awareness.stats import clustered_auroc, resampling_unit

        known = [(s.score.as_float(), _transcript(s)) for s in scores]
        labels = [str(about.get("label")) for _, about in known]
        if {"evaluation", "deployment"} - set(labels):
            return {}
        unit = resampling_unit(
            labels,
            [about.get("source") for _, about in known],
            [about.get("task_id") for _, about in known],
        )
        sides = [
            [k for k, label in enumerate(labels) if label == side]
            for side in ("evaluation", "deployment")
        ]
        found = clustered_auroc(
            *([known[k][0] for k in rows] for rows in sides),
            *([int(unit.clusters[k]) for k in rows] for rows in sides),
            level=level,
            unit=unit.name,
        )
        return {"auroc": found.value, "lower": found.low, "upper": found.high}

    return compute


@metric(scores="unreduced")
def study() -> Metric:
    """The peak over layers, its floor, the crossed cells, and the surface of the items.

    Read from the study's `results.json`; nothing where it is gone.
    """

    def compute(scores: list[SampleScore]) -> Value:
        record = _study_of(scores)
        if record is None:
            return {}
        refusal = record["refusal"] or {}
        found = {
            "peak": record["peak"]["value"],
            "peak_lower": record["peak"]["low"],
            "peak_upper": record["peak"]["high"],
            "floor": record["floor"],
            "pairs_above_floor": record["above_floor"],
            "pairs": record["pairs"],
            "crossed_cells": record["crossed_peak"]["value"],
            **{f"surface_{each['kind']}": each["value"] for each in record["surface"]},
            "cosine_across_pairs": record["geometry"]["interior_across"]["value"],
            **(
                {
                    "refusal_peak": refusal["peak"]["value"],
                    "refusal_floor": refusal["floor"],
                    "refusal_above_floor": refusal["above_floor"],
                }
                if refusal
                else {}
            ),
        }
        return {name: nan if value is None else value for name, value in found.items()}

    return compute


def _transcript(score: SampleScore) -> dict[str, Any]:
    """What is known of the item that a score is about."""
    record = (score.score.metadata or {}).get(RECORD) or {}
    return dict(record.get("transcript") or {})


def _study_of(scores: Sequence[SampleScore]) -> dict[str, Any] | None:
    """The record of the study that the scores are of."""
    for score in scores:
        folder = ((score.score.metadata or {}).get(RECORD) or {}).get("study")
        path = Path(folder) / "results.json" if folder else None
        if path is not None and path.is_file():
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return found
    return None
