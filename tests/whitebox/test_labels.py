import dataclasses
import subprocess
import sys

import pytest
from inspect_ai.model import ChatMessageUser

import inspect_awareness.whitebox
from inspect_awareness.whitebox import LabelLogprobs, LabelRequest, LabelScorer


def test_records_do_not_change_once_they_are_made():
    request = LabelRequest((ChatMessageUser(content="Hi"),), "Answer:", (" yes",))
    with pytest.raises(dataclasses.FrozenInstanceError):
        request.prefill = ""
    with pytest.raises(dataclasses.FrozenInstanceError):
        LabelLogprobs((-1.0,), 3, (1,)).input_tokens = 4


def test_any_model_api_may_score_labels():
    class Scorer:
        max_context = None

        async def label_logprobs(self, requests):
            return []

    class Other:
        max_context = None

    assert isinstance(Scorer(), LabelScorer)
    assert not isinstance(Other(), LabelScorer)


def test_public_names_are_sorted_and_there():
    names = inspect_awareness.whitebox.__all__
    assert names == sorted(names)
    for name in names:
        assert hasattr(inspect_awareness.whitebox, name)


@pytest.mark.parametrize(
    "module", ["inspect_awareness.whitebox", "inspect_awareness.whitebox._entry"]
)
def test_importing_loads_neither_torch_nor_transformers(module):
    code = (
        f"import sys, {module}; heavy = {{'torch', 'transformers', 'safetensors', "
        f"'gguf', 'filelock'}} & set(sys.modules); sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
