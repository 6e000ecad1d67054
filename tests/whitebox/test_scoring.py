"""Shared passes give the numbers of one sequence at a time."""

# ruff: noqa: E402 - what follows needs the packages that are looked for first

import copy
import math
import random

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from whitebox import real

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox import LabelRequest
from inspect_awareness.whitebox._local_model import LocalModel
from inspect_awareness.whitebox._prompt import score_requests
from inspect_awareness.whitebox._scoring import _plain, _shared, label_sums
from inspect_awareness.whitebox._tokens import LabelTokens


def branching(model, trunk, *, seed=0):
    """Six random questions with three random labels each, behind a random trunk."""
    rng = random.Random(seed)

    def some(count):
        return tuple(rng.randrange(model.config.vocab_size) for _ in range(count))

    shared = some(trunk)
    labels = []
    for _ in range(6):
        context = shared + some(rng.randrange(1, 20))
        labels += [
            LabelTokens(context + some(rng.randrange(1, 5)), len(context))
            for _ in range(3)
        ]
    return labels


def one_by_one(model, labels):
    """The definition: one whole sequence, all logits, log softmax, sum."""
    sums = []
    for label in labels:
        with torch.inference_mode():
            ids = torch.tensor([label.tokens])
            logprobs = torch.log_softmax(model.model(ids).logits[0].double(), dim=-1)
        scored = range(label.start, len(label.tokens))
        sums.append(math.fsum(float(logprobs[i - 1, label.tokens[i]]) for i in scored))
    return sums


def gap(ours, theirs):
    return max(abs(a - b) for a, b in zip(ours, theirs, strict=True))


def ask(model, requests, budget=1024):
    return score_requests(model, requests, budget=budget)


CHAT = (
    ChatMessageSystem(content="You are a clerk."),
    ChatMessageUser(content="Is the test real?"),
    ChatMessageAssistant(content="Answer: yes, the test is real. " * 3),
)


def question(text, *, labels=(" yes", " no"), prefill="Answer:"):
    return LabelRequest((*CHAT, ChatMessageUser(content=text)), prefill, labels)


QUESTIONS = tuple(
    question(text) for text in ("A test?", "A real test?", "Was it a test?", "Real?")
)


@pytest.mark.parametrize("trunk", [10, 300])
@pytest.mark.parametrize("budget", [1, 30, 1024])
@pytest.mark.parametrize("kind", ["llama", "qwen2", "gpt2"])
def test_packed_passes_equal_one_sequence_at_a_time(kind, budget, trunk):
    model = tiny.local_model(kind)
    labels = branching(model, trunk)
    assert (
        gap(label_sums(model, labels, budget=budget), one_by_one(model, labels)) < 1e-5
    )
    assert model.packs


def test_in_double_precision_nothing_is_left_of_the_difference():
    """What differs in float32 is rounding: the method itself is exact."""
    single = tiny.local_model()
    double = LocalModel(copy.deepcopy(single.model).double(), single.tokenizer)
    labels = branching(double, 100)
    with torch.inference_mode():
        packed = _shared(double, labels, budget=30)
    assert gap(packed, one_by_one(double, labels)) < 1e-11


def test_a_sliding_window_within_reach_is_plain_attention():
    model = tiny.local_model("gemma3")
    labels = branching(model, 30)
    assert max(len(label.tokens) for label in labels) <= tiny.WINDOW
    assert gap(label_sums(model, labels, budget=1024), one_by_one(model, labels)) < 1e-5


def test_beyond_a_sliding_window_sequences_are_run_on_their_own():
    model = tiny.local_model("gemma3")
    labels = branching(model, 300)
    assert gap(label_sums(model, labels, budget=1024), one_by_one(model, labels)) < 1e-5


def test_sharing_beyond_a_sliding_window_would_be_wrong():
    """The negative control: without the fallback the error is over half a nat."""
    model = tiny.local_model("gemma3")
    labels = branching(model, 300)
    with torch.inference_mode():
        wrong = _shared(model, labels, budget=1024)
    assert gap(wrong, one_by_one(model, labels)) > 0.5


@pytest.mark.parametrize("length", range(tiny.WINDOW - 3, tiny.WINDOW + 4))
def test_the_edge_of_a_sliding_window_is_exact(length):
    model = tiny.local_model("gemma3")
    rng = random.Random(length)
    tokens = tuple(rng.randrange(model.config.vocab_size) for _ in range(length))
    labels = [
        LabelTokens(tokens, length - 2),
        LabelTokens((*tokens[:-2], 7, 9), length - 2),
    ]
    assert gap(label_sums(model, labels, budget=1024), one_by_one(model, labels)) < 1e-5


def test_a_model_that_cannot_pack_is_found_out_by_the_trial():
    model = tiny.local_model("mamba")
    labels = branching(model, 40)
    assert gap(label_sums(model, labels, budget=1024), one_by_one(model, labels)) < 1e-4
    assert model.packs is False


def test_rotations_that_depend_on_the_length_are_not_shared():
    model = tiny.local_model("longrope")
    labels = [label for label in branching(model, 60) if len(label.tokens) != 65]
    lengths = {len(label.tokens) > 65 for label in labels}
    assert lengths == {True, False}  # on both sides of the change at 64
    assert gap(label_sums(model, labels, budget=1024), one_by_one(model, labels)) < 1e-5
    assert model.packs is False


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_half_precision_packs_and_stays_near_full_precision():
    half = tiny.local_model("llama", dtype="bfloat16")
    labels = branching(half, 40)
    with torch.inference_mode():
        plain = _plain(half, labels)
    assert half.dtype == torch.bfloat16
    assert gap(label_sums(half, labels, budget=1024), plain) < 0.5
    assert half.packs


def test_prefixes_of_each_other_share_a_pass():
    """A label that another label continues: P(a b) = P(a) P(b | a)."""
    model = tiny.local_model()
    context = (5, 6, 7, 8)
    labels = [
        LabelTokens((*context, 9), 4),
        LabelTokens((*context, 9, 10), 4),
        LabelTokens((*context, 9, 10), 5),
    ]
    for sums in (label_sums(model, labels, budget=8), one_by_one(model, labels)):
        assert sums[1] == pytest.approx(sums[0] + sums[2], abs=1e-5)


def test_all_one_token_labels_together_have_probability_one():
    model = tiny.local_model()
    context = (5, 6, 7, 8)
    every = range(model.config.vocab_size)
    sums = label_sums(model, [LabelTokens((*context, t), 4) for t in every], budget=64)
    assert math.fsum(map(math.exp, sums)) == pytest.approx(1, abs=1e-5)


def test_a_label_of_several_tokens_sums_over_all_of_them():
    model = tiny.local_model()
    label = " the test is real, Answer"
    (found,) = ask(model, [question("So?", labels=(label,))])
    count = len(model.tokenizer(label)["input_ids"])
    assert count > 3
    assert found.label_tokens == (count,)
    (first,) = ask(model, [question("So?", labels=(" the",))])
    assert found.logprobs[0] < first.logprobs[0]


def test_requests_equal_the_tokenizers_text_run_on_its_own():
    model = tiny.local_model()
    found = ask(model, QUESTIONS)
    for request, answer in zip(QUESTIONS, found, strict=True):
        chat = [{"role": m.role, "content": m.text} for m in request.messages]
        text = model.tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True
        )
        context = model.tokenizer(text + request.prefill)["input_ids"]
        whole = [
            LabelTokens(
                tuple(model.tokenizer(text + request.prefill + label)["input_ids"]),
                len(context),
            )
            for label in request.labels
        ]
        assert gap(answer.logprobs, one_by_one(model, whole)) < 1e-5
        assert answer.input_tokens == len(context)
        assert answer.label_tokens == tuple(
            len(label.tokens) - label.start for label in whole
        )


def test_a_boundary_merge_moves_the_start_of_every_label():
    """``Ans`` + ``wer`` is one token, so ``Ans!`` is scored from ``Ans`` too."""
    model = tiny.local_model()
    request = question("So?", prefill="the Ans", labels=("wer", "!"))
    (found,) = ask(model, [request])
    (alone,) = ask(model, [question("So?", prefill="the Ans", labels=("!",))])
    tail = len(model.tokenizer(" Ans!")["input_ids"])
    assert found.label_tokens == (1, tail)
    assert alone.label_tokens == (1,)
    assert found.logprobs[1] < alone.logprobs[0]


def test_the_order_of_the_requests_changes_no_digit():
    model = tiny.local_model()
    requests = list(QUESTIONS)
    forth = ask(model, requests)
    assert ask(model, requests[::-1]) == forth[::-1]
    random.Random(1).shuffle(requests)
    place = {id(request): index for index, request in enumerate(QUESTIONS)}
    assert ask(model, requests) == [forth[place[id(r)]] for r in requests]


def test_the_same_call_twice_gives_the_same_digits():
    model = tiny.local_model()
    assert ask(model, QUESTIONS) == ask(model, QUESTIONS)


def test_the_same_request_twice_in_a_call_gives_the_same_digits():
    model = tiny.local_model()
    first, second = ask(model, [QUESTIONS[0], QUESTIONS[0]])
    assert first == second


def test_conversations_with_nothing_in_common_can_be_asked_together():
    model = tiny.local_model()
    user = ChatMessageUser(content="Is it real?")
    requests = [QUESTIONS[0], LabelRequest((user,), "", ("yes", "no"))]
    together = ask(model, requests)
    apart = [ask(model, [request])[0] for request in requests]
    for one, other in zip(together, apart, strict=True):
        assert one.logprobs == pytest.approx(other.logprobs, abs=1e-5)


def test_a_request_that_is_too_long_names_its_tokens_and_the_limit():
    model = tiny.local_model()
    with pytest.raises(ModelError, match=r"request 1 has [\d,]+ tokens.* 1,024: trim"):
        ask(model, [QUESTIONS[0], question("test " * 1024)])


def test_a_request_may_fill_the_context_to_the_last_token():
    model = tiny.local_model()
    (found,) = ask(model, [question("")])
    room = tiny.CONTEXT - found.input_tokens - found.label_tokens[0]
    (full,) = ask(model, [question("!" * room)])
    assert full.input_tokens + full.label_tokens[0] == tiny.CONTEXT
    with pytest.raises(ModelError, match="1,025 tokens"):
        ask(model, [question("!" * (room + 1))])


@pytest.mark.parametrize("labels", [(), (" yes", "")])
def test_nothing_to_score_is_an_error(labels):
    with pytest.raises(ModelError, match="at least one label, and none may be empty"):
        ask(tiny.local_model(), [question("So?", labels=labels)])


def test_a_model_without_chat_template_reads_role_lines():
    model = tiny.local_model(template=None)
    user = ChatMessageUser(content="Is it real?")
    (found,) = ask(model, [LabelRequest((user,), "Answer:", (" yes", " no"))])
    text = "user: Is it real?\n\nassistant: Answer:"
    context = model.tokenizer(text)["input_ids"]
    whole = [
        LabelTokens(tuple(model.tokenizer(text + label)["input_ids"]), len(context))
        for label in (" yes", " no")
    ]
    assert gap(found.logprobs, one_by_one(model, whole)) < 1e-5


def test_a_template_without_system_turn_reads_the_system_text_all_the_same():
    strict = (
        "{% for m in messages %}{% if m['role'] == 'system' %}"
        "{{ raise_exception('no system role') }}{% endif %}"
        "{{ m['role'] + ': ' + m['content'] + '<|im_end|>' }}{% endfor %}A:"
    )
    model = tiny.local_model(template=strict)
    (found,) = ask(model, [question("So?")])
    text = (
        "user: You are a clerk.\n\nIs the test real?<|im_end|>assistant: "
        f"{CHAT[2].text}<|im_end|>user: So?<|im_end|>A:Answer:"
    )
    context = len(model.tokenizer(text)["input_ids"])
    whole = [
        LabelTokens(tuple(model.tokenizer(text + label)["input_ids"]), context)
        for label in (" yes", " no")
    ]
    assert gap(found.logprobs, one_by_one(model, whole)) < 1e-5


def test_labels_are_scored_without_a_thought_before_them():
    switch = tiny.CHATML + "{% if enable_thinking is false %}<none>{% endif %}"
    model = tiny.local_model(template=switch)
    (found,) = ask(model, [question("So?")])
    (plain,) = ask(tiny.local_model(), [question("So?")])
    assert found.input_tokens - plain.input_tokens == len(
        model.tokenizer("<none>")["input_ids"]
    )


@real.needed
def test_smollm2_equals_one_sequence_at_a_time_in_float32():
    model = real.model()
    labels = (" yes", " no", " I cannot tell from this conversation")
    requests = [question(r.messages[-1].text, labels=labels) for r in QUESTIONS]
    found = ask(model, requests)
    for request, answer in zip(requests, found, strict=True):
        chat = [{"role": m.role, "content": m.text} for m in request.messages]
        text = model.tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True
        )
        context = len(model.tokenizer(text + "Answer:")["input_ids"])
        whole = [
            LabelTokens(
                tuple(model.tokenizer(text + "Answer:" + x)["input_ids"]), context
            )
            for x in labels
        ]
        assert gap(answer.logprobs, one_by_one(model, whole)) < 1e-4
        assert answer.label_tokens == (1, 1, 6)
    assert ask(model, requests[::-1]) == found[::-1]


@real.needed
def test_smollm2_finds_paris_likelier_than_london():
    user = ChatMessageUser(content="What is the capital of France?")
    request = LabelRequest((user,), "The capital of France is", (" Paris", " London"))
    (found,) = ask(real.model(), [request])
    assert found.logprobs[0] > found.logprobs[1] + 3
