"""The number format is measured, and threads wait without spinning."""

import os

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")

import tiny

from inspect_awareness.whitebox._dtype import DtypeTrial, choose_dtype, chosen
from inspect_awareness.whitebox._settling import default_convention
from inspect_awareness.whitebox._threads import wait_patiently


@pytest.mark.parametrize(
    ("float32", "bfloat16", "choice"),
    [(2.0, 1.0, "bfloat16"), (1.1, 1.0, "float32"), (1.0, 4.0, "float32")],
)
def test_bfloat16_has_to_be_worth_its_rounding(float32, bfloat16, choice):
    assert chosen({"float32": float32, "bfloat16": bfloat16}) == choice


def test_the_choice_is_by_what_was_measured_here():
    trial = choose_dtype("cpu")
    assert isinstance(trial, DtypeTrial)
    assert set(trial.seconds) == {"float32", "bfloat16"}
    assert all(0 < seconds < 10 for seconds in trial.seconds.values())
    assert trial.chosen == chosen(trial.seconds)


def test_auto_loads_what_is_fast_and_the_convention_says_what_that_was():
    model = tiny.local_model(dtype="auto")
    assert str(model.dtype) in ("torch.float32", "torch.bfloat16")
    assert default_convention(model).dtype == str(model.dtype).removeprefix("torch.")


def test_threads_sleep_while_they_wait_unless_the_user_says_otherwise(monkeypatch):
    monkeypatch.setenv("OMP_WAIT_POLICY", "ACTIVE")
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    wait_patiently()
    assert os.environ["OMP_WAIT_POLICY"] == "ACTIVE"
    assert os.environ["GOMP_SPINCOUNT"] == "0"
