"""The provider as Inspect and scorers use it."""

import asyncio
import gc
import shutil
import threading
import time
import weakref

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model
from inspect_ai.tool import ToolInfo

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox import LabelRequest, LabelScorer
from inspect_awareness.whitebox._provider import WhiteboxAPI

USER = ChatMessageUser(content="Is the test real?")
REQUEST = LabelRequest((USER,), "Answer:", (" yes", " no"))


def api(kind="llama", **arguments):
    return WhiteboxAPI(str(tiny.model_folder(kind)), device="cpu", **arguments)


def test_inspect_finds_the_provider_by_its_name():
    model = get_model(f"whitebox/{tiny.model_folder()}", device="cpu")
    assert isinstance(model.api, WhiteboxAPI)
    config = GenerateConfig(seed=1, max_tokens=5)
    first = asyncio.run(model.generate("Hello", config=config))
    again = asyncio.run(model.generate("Hello", config=config))
    assert first.completion == again.completion
    assert first.usage.output_tokens <= 5


def test_the_provider_scores_labels():
    provider = api()
    assert isinstance(provider, LabelScorer)
    assert provider.max_context == tiny.CONTEXT
    (found,) = asyncio.run(provider.label_logprobs([REQUEST]))
    assert len(found.logprobs) == len(found.label_tokens) == 2
    assert all(value < 0 for value in found.logprobs)


def test_no_requests_have_no_answers():
    assert asyncio.run(api().label_logprobs([])) == []


def test_tokens_are_counted_by_the_models_own_tokenizer():
    text = "Answer: yes, héllo"
    count = asyncio.run(api().count_text_tokens(text))
    assert count == len(tiny.byte_tokenizer()(text)["input_ids"])


def test_nothing_is_loaded_until_the_model_is_used():
    provider = api()
    assert provider._model is None
    asyncio.run(provider.count_text_tokens("now"))
    assert provider._model is not None


def test_one_model_per_process_is_shared():
    one, two, other = api(), api(), api(dtype="bfloat16")
    load = [asyncio.run(provider.loaded()) for provider in (one, two, other)]
    assert load[0] is load[1]
    assert load[0] is not load[2]


def test_a_model_that_everybody_closed_is_freed():
    one, two = api("qwen2"), api("qwen2")
    seen = weakref.ref(asyncio.run(one.loaded()))
    asyncio.run(two.loaded())
    one.close()
    gc.collect()
    assert seen() is not None
    two.close()
    gc.collect()
    assert seen() is None


def test_a_closed_model_loads_again_at_next_use():
    provider = api()
    before = asyncio.run(provider.label_logprobs([REQUEST]))
    provider.close()
    assert asyncio.run(provider.label_logprobs([REQUEST])) == before


def test_concurrent_calls_give_the_numbers_of_calls_in_a_row():
    provider = api()
    other = LabelRequest((USER,), "So:", (" yes", " no"))

    async def together():
        return await asyncio.gather(
            *(provider.label_logprobs([r]) for r in (REQUEST, other) * 4)
        )

    row = [asyncio.run(provider.label_logprobs([r])) for r in (REQUEST, other)]
    assert asyncio.run(together()) == row * 4


def test_the_event_loop_runs_on_while_the_model_works():
    provider = api()

    async def ticks():
        await provider.loaded()
        config = GenerateConfig(max_tokens=150, temperature=0)
        task = asyncio.create_task(provider.generate([USER], [], "none", config))
        count = 0
        while not task.done():
            await asyncio.sleep(0.001)
            count += 1
        return count

    assert asyncio.run(ticks()) > 5


def test_a_cancelled_reply_stops_and_frees_the_model():
    provider = api()

    async def cancel_then_ask():
        await provider.label_logprobs([REQUEST])
        endless = GenerateConfig(max_tokens=900, temperature=0, stop_seqs=[])
        task = asyncio.create_task(provider.generate([USER], [], "none", endless))
        await asyncio.sleep(0.1)
        task.cancel()
        began = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await task
        waited = time.monotonic() - began
        return waited, await provider.label_logprobs([REQUEST])

    waited, answer = asyncio.run(cancel_then_ask())
    assert waited < 1
    assert answer == asyncio.run(provider.label_logprobs([REQUEST]))
    assert not provider._model.lock.locked()


def test_a_call_that_is_cancelled_in_the_queue_never_runs():
    provider = api()

    async def cancel_second():
        await provider.loaded()
        config = GenerateConfig(max_tokens=60, seed=1)
        first = asyncio.create_task(provider.generate([USER], [], "none", config))
        second = asyncio.create_task(provider.label_logprobs([REQUEST]))
        await asyncio.sleep(0.01)
        second.cancel()
        return (await first).completion

    alone = asyncio.run(
        provider.generate([USER], [], "none", GenerateConfig(max_tokens=60, seed=1))
    )
    assert asyncio.run(cancel_second()) == alone.completion


def test_two_event_loops_take_turns():
    provider = api()
    expected = asyncio.run(provider.label_logprobs([REQUEST]))
    found = []

    def ask():
        for _ in range(3):
            with asyncio.Runner() as runner:
                found.append(runner.run(provider.label_logprobs([REQUEST])))

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 6


def test_tools_are_refused_with_their_names():
    tool = ToolInfo(name="bash", description="Run a command.")
    call = api().generate([USER], [tool], "auto", GenerateConfig())
    with pytest.raises(ModelError, match="calls no tools, and was offered bash"):
        asyncio.run(call)


def test_weights_in_pickles_are_not_loaded(tmp_path):
    import torch

    folder = tmp_path / "pickled"
    shutil.copytree(tiny.model_folder(), folder)
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")
    with pytest.raises(ModelError, match=r"pickle files \(pytorch_model.bin\)"):
        WhiteboxAPI(str(folder), device="cpu")


def test_code_that_comes_with_a_model_is_not_run(tmp_path):
    import json

    folder = tmp_path / "scripted"
    shutil.copytree(tiny.model_folder(), folder)
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "new", "auto_map": {"AutoConfig": "evil.Config"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    provider = WhiteboxAPI(str(folder), device="cpu")
    with pytest.raises(ModelError, match="cannot load the model"):
        asyncio.run(provider.label_logprobs([REQUEST]))
    assert not (tmp_path / "ran").exists()


def test_a_device_that_is_not_there_is_an_error():
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a CUDA device")
    provider = WhiteboxAPI(str(tiny.model_folder()), device="cuda:7")
    with pytest.raises(ModelError, match=r"device=cuda:7.*use device=cpu"):
        asyncio.run(provider.label_logprobs([REQUEST]))


def test_a_gguf_file_loads_as_it_is(tmp_path):
    file = tiny.gguf_file(tmp_path / "tiny.gguf")
    provider = WhiteboxAPI(str(file), device="cpu")
    (found,) = asyncio.run(provider.label_logprobs([REQUEST]))
    assert all(value < 0 for value in found.logprobs)
