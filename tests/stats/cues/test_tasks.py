"""From votes to tasks, from tasks to shares, by hand."""

from math import isnan

import pytest
from scipy.stats import binomtest

from inspect_awareness.stats.cues import (
    Repeat,
    cue_shares,
    most_named,
    stably_aware,
    task_cues,
)

Votes = list[tuple[str | None, str | None]]


def votes(*said: str) -> Votes:
    """Categories; a lower-case word is the reason of a missing vote."""
    return [(s, None) if s[0] == "F" else (None, s) for s in said]


def repeat(task: str, aware: bool | None, *said: str, model: str = "m") -> Repeat:
    return Repeat(model, "s", task, aware, tuple(votes(*said)))


@pytest.mark.parametrize(
    ("said", "category", "reason"),
    [
        (["F8", "F8", "F2"], "F8", None),
        (["F8", "F2"], None, "tie"),
        (["F8", "F8", "F2", "F2", "F3"], None, "tie"),
        (["F8", "F8", "F2", "F3", "F4"], None, "no_majority"),
        (["F8", "F8", "F2", "refusal", "empty", "empty"], None, "empty"),
        (["refusal", "empty", "empty"], None, "empty"),
        ([], None, "no_vote"),
        # 3 of 5, whatever the missing ones would have said
        (["F8", "F8", "F8", "empty", "empty"], "F8", None),
    ],
)
def test_more_than_half_of_all_votes_decide(
    said: list[str], category: str | None, reason: str | None
) -> None:
    found = most_named(votes(*said))
    assert (found.category, found.reason) == (category, reason)


def test_a_task_is_a_model_on_one_task_of_a_source() -> None:
    repeats = [
        *(repeat("1", True) for _ in range(2)),
        repeat("1", True, model="other"),
        Repeat("m", "t", "1", True),
        repeat("2", True),
        repeat("2", None),
        repeat("2", False),
    ]
    assert stably_aware(repeats, min_aware=3) == []
    assert stably_aware(repeats, min_aware=2) == [("m", "s", "1")]
    # without a verdict it is not aware, and makes no task stable
    assert len(stably_aware(repeats, min_aware=1)) == 4


def test_all_votes_of_the_aware_repeats_decide_together() -> None:
    repeats = [
        repeat("1", True, "F2", "F2", "F2"),
        repeat("1", True, "F8", "F8", "F2"),
        repeat("1", True, "F8", "empty", "empty"),
        repeat("1", False, "F8", "F8", "F8"),  # not aware: its votes are none
        repeat("1", None),
    ]
    (found,) = task_cues(repeats)
    # F2 has 4 of 9, and F8 3: by repeats F2 and F8 have one each
    assert dict(found.votes) == {"F2": 4, "F8": 3}
    assert (found.category, found.reason) == (None, "empty")
    assert (found.aware, found.judged) == (3, 4)
    (found,) = task_cues([*repeats, repeat("1", True, "F2", "F2", "F2")])
    assert (found.category, found.votes["F2"]) == ("F2", 7)  # 7 of 12


def test_a_task_without_votes_has_the_reason_of_its_repeats() -> None:
    one = Repeat("m", "s", "1", aware=True, reason="no_evidence")
    (found,) = task_cues([one], min_aware=1)
    assert (found.category, found.reason) == (None, "no_evidence")


def test_shares_are_of_tasks_with_a_cue_and_count_the_others() -> None:
    repeats = [
        *(repeat(str(k), True, "F8") for k in range(3)),
        repeat("4", True, "F2"),
        repeat("5", True, "F2", "F8"),
    ]
    found = cue_shares(task_cues(repeats, min_aware=1), ("F2", "F8", "generic"))
    assert (found.tasks, found.attributed, dict(found.missing)) == (5, 4, {"tie": 1})
    share = found.shares["F8"]
    assert (share.value, share.n, share.unit) == (0.75, 4, "task")
    wilson = binomtest(3, 4).proportion_ci(method="wilson")
    assert (share.low, share.high) == pytest.approx((wilson.low, wilson.high))
    assert found.shares["generic"].value == 0
    assert sum(each.value for each in found.shares.values()) == 1


def test_of_no_task_there_is_no_share() -> None:
    found = cue_shares((), ("F8",))
    assert (found.tasks, found.attributed) == (0, 0)
    assert isnan(found.shares["F8"].value)
    assert not found.shares["F8"].has_interval
