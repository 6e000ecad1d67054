"""The ladder: source, else task, else sample."""

import pytest

from inspect_awareness.stats import resampling_unit


def items(
    sources: int, tasks: int, epochs: int = 1, label: str = "evaluation"
) -> list[tuple[str, str, str]]:
    """Label, source and task of each item; task ids repeat over sources."""
    return [
        (label, f"{label}-{s}", str(t))
        for s in range(sources)
        for t in range(tasks)
        for _ in range(epochs)
    ]


def test_eight_sources_of_each_label_are_enough_to_be_the_unit() -> None:
    both = items(8, 3) + items(8, 3, label="deployment")
    unit = resampling_unit(*zip(*both, strict=True))
    assert (unit.name, unit.n_clusters, unit.n_sources) == ("source", 16, 16)
    assert unit.sentence == ""


def test_seven_sources_of_one_label_are_not() -> None:
    both = items(8, 3) + items(7, 3, label="deployment")
    unit = resampling_unit(*zip(*both, strict=True))
    assert unit.name == "task"
    assert unit.n_clusters == 8 * 3 + 7 * 3
    assert unit.sentence == (
        "conditional on these 15 sources; says nothing about others"
    )


def test_one_source_is_named_in_the_singular() -> None:
    unit = resampling_unit(*zip(*items(1, 4), strict=True))
    assert unit.sentence == "conditional on this 1 source; says nothing about others"


def test_epochs_of_a_task_are_repeats_and_the_same_id_elsewhere_is_another_task() -> (
    None
):
    unit = resampling_unit(*zip(*items(2, 5, epochs=4), strict=True))
    assert unit.clusters.size == 2 * 5 * 4
    assert unit.n_clusters == 2 * 5


def test_without_task_ids_every_sample_stands_for_itself() -> None:
    unit = resampling_unit(["evaluation"] * 6, ["a"] * 6, [None] * 6)
    assert (unit.name, unit.n_clusters) == ("sample", 6)


def test_where_some_task_ids_are_unknown_only_those_stand_for_themselves() -> None:
    unit = resampling_unit(["evaluation"] * 4, ["a"] * 4, ["1", "1", None, None])
    assert (unit.name, unit.n_clusters) == ("task", 3)


def test_a_source_that_holds_both_labels_is_one_cluster() -> None:
    sources = [f"s{k}" for k in range(8)] * 2
    labels = ["evaluation"] * 8 + ["deployment"] * 8
    unit = resampling_unit(labels, sources, [None] * 16)
    assert (unit.name, unit.n_clusters) == ("source", 8)


def test_nothing_has_no_unit_but_does_not_fail() -> None:
    unit = resampling_unit([], [], [])
    assert (unit.name, unit.n_clusters) == ("sample", 0)


def test_columns_of_different_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="one length, got 1, 2 and 1"):
        resampling_unit(["evaluation"], ["a", "b"], ["1"])
