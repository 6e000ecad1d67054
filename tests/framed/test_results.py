"""Directions, scores, floors and geometry from states that are known."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from framed.small import written

from inspect_awareness.datasets.scoring_sets import ScoringItem
from inspect_awareness.errors import InputError
from inspect_awareness.framed import Asked, FramedStates, asked, direction_results
from inspect_awareness.framed._asked import blocks_of
from inspect_awareness.whitebox._convention import DEFAULT

LAYERS, WIDTH = 4, 200


def study(folder: Path, **more: Any) -> Asked:
    files = written(folder)
    return asked(
        framings_path=files["framings"],
        tasks_path=files["tasks"],
        items=files["items"],
        draws=50,
        **more,
    )


def states(wanted: Asked, *, signal: float, form: float = 0.0) -> FramedStates:
    """Noise; evaluation adds `signal` to one axis, in framings as in items.

    The form of a test adds `form` to the same axis, so that a direction may be one of
    form alone.
    """
    rng = np.random.default_rng(0)

    def noise(*shape: int) -> Any:
        return rng.normal(size=(*shape, LAYERS, WIDTH)).astype(np.float32)

    n_tasks, n_requests = len(wanted.tasks), len(wanted.requests)
    evaluation, deployment = noise(2, n_tasks), noise(2, n_tasks)
    evaluation[..., 0] += 6
    items = noise(len(wanted.items)) * 0.3
    for row, item in enumerate(wanted.items):
        items[row, :, 0] += signal * item.positive + form * (item.format == "test")
    requests, plain = noise(2, n_requests), noise(n_requests)
    for row, item in enumerate(wanted.requests):
        requests[:, row, :, 1] += 4.0 * item.positive
        plain[row, :, 1] += 4.0 * item.positive
    return FramedStates(
        convention=DEFAULT,
        layers=tuple(range(LAYERS)),
        evaluation=evaluation,
        deployment=deployment,
        items=items,
        requests=requests,
        plain_requests=plain,
        item_hashes=tuple(item.id for item in wanted.items),
        pointer=None,
    )


def test_what_separates_framings_and_items_alike_is_found(tmp_path: Path) -> None:
    wanted = study(tmp_path)
    found = direction_results(states(wanted, signal=2.0), wanted)
    assert found.scores.shape == (2, 2, LAYERS, 16)
    assert found.peak.value == pytest.approx(0.5)
    assert found.crossed_peak.value == pytest.approx(0.5)
    assert found.above_floor == 4
    labels = np.array([item.positive for item in wanted.items])
    assert found.item_scores[labels].min() > found.item_scores[~labels].max()
    assert found.geometry.interior_across.value > 0.5


def test_a_direction_of_form_fails_the_crossed_cells(tmp_path: Path) -> None:
    wanted = study(tmp_path, refusal=False)
    found = direction_results(states(wanted, signal=0.4, form=4.0), wanted)
    # label and form are balanced: form alone gives 1/2 on all items
    assert found.peak.value < 0.25
    assert found.crossed_peak.value < -0.4
    assert found.refusal is None


def test_without_a_signal_the_peak_is_what_content_free_directions_reach(
    tmp_path: Path,
) -> None:
    wanted = study(tmp_path, refusal=False)
    found = direction_results(states(wanted, signal=0.0), wanted)
    assert abs(found.peak.value - found.floor) < 0.15
    assert found.above_floor <= 1


def test_a_second_concept_is_built_on_one_half_and_scored_on_the_other(
    tmp_path: Path,
) -> None:
    wanted = study(tmp_path)
    found = direction_results(states(wanted, signal=0.0), wanted).refusal
    assert found is not None
    assert found.framings == ("n1", "n2")
    assert found.peak.value > 0.45
    assert found.above_floor == 2


def test_item_scores_do_not_depend_on_the_scale_of_a_layer(tmp_path: Path) -> None:
    wanted = study(tmp_path, refusal=False)
    one = states(wanted, signal=2.0)
    scale = np.array([1, 1, 100, 1], dtype=np.float32)[:, None]
    other = replace(
        one,
        evaluation=one.evaluation * scale,
        deployment=one.deployment * scale,
        items=one.items * scale,
    )
    assert direction_results(other, wanted).item_scores == pytest.approx(
        direction_results(one, wanted).item_scores, abs=1e-5
    )


def test_blocks_hold_as_many_items_of_each_label_and_form() -> None:
    items = [
        ScoringItem(str(k), "x", label, form, "s")
        for k in range(8)
        for label in ("evaluation", "deployment")
        for form in ("free", "test")
    ]
    blocks = blocks_of(items)
    cells = {(i.label, i.format, b) for i, b in zip(items, blocks, strict=True)}
    assert len(cells) == 16
    assert [blocks.count(k) for k in range(4)] == [8] * 4


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"draws": 1}, "draws is 1"),
        ({"max_tasks": 3}, "max_tasks is 3"),
        ({"convention": {"pool": "last"}}, "no field 'pool'"),
        ({"convention": {"pooling": "max"}}, "pooling='max'"),
        ({"items": "refusal"}, "labels harmful, harmless"),
    ],
)
def test_what_cannot_be_used_is_named(more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        asked(**more)
