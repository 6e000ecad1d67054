"""Replies: seeded, stopped, counted, and with the model's own log-probabilities."""

# ruff: noqa: E402 - what follows needs the packages that are looked for first

import math
from collections import Counter

import pytest

torch = pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageUser,
    ContentReasoning,
    ContentText,
    GenerateConfig,
)
from whitebox import real

from inspect_awareness.whitebox._output import _content, output
from inspect_awareness.whitebox._prompt import Prompt, prompt
from inspect_awareness.whitebox._sampling import Sampling, _draw, reply

ASKED = [ChatMessageUser(content="Is the test real?")]


def say(model, messages=ASKED, *, asked=None, **config):
    return output(
        model,
        messages,
        GenerateConfig(**config),
        name="tiny",
        asked=Counter() if asked is None else asked,
    )


def next_logprobs(model, tokens):
    """The definition: the whole sequence, no cache."""
    with torch.inference_mode():
        logits = model.model(torch.tensor([list(tokens)])).logits[0, -1]
    return torch.log_softmax(logits.double(), dim=-1)


@pytest.mark.parametrize("kind", ["llama", "gemma3"])
def test_temperature_zero_takes_the_likeliest_token_every_time(kind):
    """Gemma's window is 64 tokens, and the reply leads past it."""
    model = tiny.local_model(kind)
    tokens = list(prompt(model, ASKED).tokens)
    drawn = reply(
        model, tokens, Sampling(max_tokens=60, temperature=0), seed=(0,)
    ).drawn
    assert drawn
    for one in drawn:
        logprobs = next_logprobs(model, tokens)
        assert one.token == int(logprobs.argmax())
        assert one.logprob == pytest.approx(float(logprobs[one.token]), abs=1e-4)
        tokens.append(one.token)


def test_the_same_seed_gives_the_same_reply_and_another_one_another():
    model = tiny.local_model()
    one, same, other = (
        say(model, seed=seed, max_tokens=20).completion for seed in (1, 1, 2)
    )
    assert one == same != other


def test_without_a_seed_replies_differ_from_each_other_and_not_between_runs():
    model = tiny.local_model()
    runs = []
    for _ in range(2):
        asked = Counter()
        runs.append([say(model, asked=asked, max_tokens=20).completion for _ in "123"])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) == 3


def test_the_global_random_state_is_not_touched():
    model = tiny.local_model()
    before = torch.random.get_rng_state()
    say(model, max_tokens=5)
    assert torch.equal(before, torch.random.get_rng_state())


def test_choices_of_one_call_differ_and_are_all_counted():
    out = say(tiny.local_model(), seed=1, max_tokens=10, num_choices=3)
    assert len({choice.message.text for choice in out.choices}) == 3
    assert out.usage.output_tokens <= 30


def frequencies(logits, **sampling):
    """Relative frequencies of 2,000 draws from some logits."""
    generator = torch.Generator().manual_seed(0)
    logprobs = torch.log_softmax(torch.tensor(logits).double(), dim=-1)
    how = Sampling(max_tokens=1, **sampling)
    counts = Counter(_draw(logprobs, how, generator) for _ in range(2000))
    return [counts[i] / 2000 for i in range(len(logits))]


FAIR = [math.log(p) for p in (0.5, 0.3, 0.15, 0.05)]


def test_draws_follow_the_probabilities():
    """Four standard errors of p = .5 over 2,000 draws are .045."""
    assert frequencies(FAIR) == pytest.approx([0.5, 0.3, 0.15, 0.05], abs=0.045)


def test_temperature_one_half_squares_the_probabilities():
    squares = [p**2 / 0.365 for p in (0.5, 0.3, 0.15, 0.05)]  # .25+.09+.0225+.0025
    assert frequencies(FAIR, temperature=0.5) == pytest.approx(squares, abs=0.045)


def test_top_k_draws_from_the_likeliest_only():
    assert frequencies(FAIR, top_k=2) == pytest.approx([0.625, 0.375, 0, 0], abs=0.045)
    assert frequencies(FAIR, top_k=1) == [1, 0, 0, 0]
    assert frequencies(FAIR, top_k=0) == frequencies(FAIR, top_k=4) == frequencies(FAIR)


def test_top_p_draws_from_the_smallest_set_that_reaches_it():
    """.5 + .3 reaches .6; .5 alone reaches .4."""
    assert frequencies(FAIR, top_p=0.6) == pytest.approx(
        [0.625, 0.375, 0, 0], abs=0.045
    )
    assert frequencies(FAIR, top_p=0.4) == [1, 0, 0, 0]
    assert frequencies(FAIR, top_p=0.0) == [1, 0, 0, 0]


def test_a_reply_that_reaches_its_limit_says_so_and_counts_its_tokens():
    out = say(tiny.local_model(), temperature=0, max_tokens=3, stop_seqs=[])
    assert out.stop_reason == "max_tokens"
    assert out.usage.output_tokens == 3
    assert out.usage.input_tokens == len(prompt(tiny.local_model(), ASKED).tokens)
    assert out.usage.total_tokens == out.usage.input_tokens + 3


def test_a_stop_string_ends_the_reply_and_is_cut_off_with_its_tokens():
    model = tiny.local_model()
    whole = say(model, seed=3, max_tokens=40, logprobs=True)
    text = whole.completion
    stop = text[10:13]
    cut = say(model, seed=3, max_tokens=40, stop_seqs=[stop, "never"], logprobs=True)
    assert cut.completion == text[: text.index(stop)]
    assert cut.stop_reason == "stop"
    tokens = cut.choices[0].logprobs.content
    assert tokens == whole.choices[0].logprobs.content[: len(tokens)]
    assert len(tokens) < len(whole.choices[0].logprobs.content)


def test_the_end_token_ends_the_reply_and_is_not_part_of_it():
    model = tiny.local_model()
    outs = (say(model, seed=seed, max_tokens=200) for seed in range(50))
    ended = next(out for out in outs if out.stop_reason == "stop")
    assert not any(control in ended.completion for control in tiny.CONTROL)
    assert ended.usage.output_tokens <= 200


def test_logprobs_are_the_models_own_whatever_the_sampling():
    model = tiny.local_model()
    out = say(
        model,
        seed=5,
        max_tokens=6,
        temperature=0.3,
        top_p=0.9,
        top_k=50,
        logprobs=True,
        top_logprobs=3,
    )
    tokens = list(prompt(model, ASKED).tokens)
    for one in out.choices[0].logprobs.content:
        logprobs = next_logprobs(model, tokens)
        best = logprobs.topk(3)
        assert [top.logprob for top in one.top_logprobs] == pytest.approx(
            best.values.tolist(), abs=1e-4
        )
        assert [top.token for top in one.top_logprobs] == [
            model.token_text(i) for i in best.indices.tolist()
        ]
        (index,) = [
            i
            for i in range(len(logprobs))
            if model.token_text(i) == one.token
            and abs(float(logprobs[i]) - one.logprob) < 1e-4
        ][:1]
        tokens.append(index)


def test_logprobs_are_left_out_unless_they_are_asked_for():
    out = say(tiny.local_model(), max_tokens=2, top_logprobs=3)
    assert out.choices[0].logprobs is None


def test_a_prompt_without_room_for_a_reply_is_a_model_length_stop():
    model = tiny.local_model()
    out = say(model, [ChatMessageUser(content="!" * tiny.CONTEXT)])
    assert out.stop_reason == "model_length"
    assert out.completion == ""
    assert "takes at most 1,024" in out.error


def test_a_reply_that_meets_the_end_of_the_context_says_so():
    model = tiny.local_model()
    used = len(prompt(model, [ChatMessageUser(content="")]).tokens)
    long = [ChatMessageUser(content="!" * (tiny.CONTEXT - used - 2))]
    out = say(model, long, seed=1, max_tokens=50)
    assert out.stop_reason == "model_length"
    assert out.usage.total_tokens == tiny.CONTEXT


def test_an_assistant_message_at_the_end_is_continued():
    model = tiny.local_model()
    begun = [*ASKED, ChatMessageAssistant(content="Answer:")]
    expected = (
        "<|im_start|>user\nIs the test real?<|im_end|>\n<|im_start|>assistant\nAnswer:"
    )
    assert model.tokenizer.decode(list(prompt(model, begun).tokens)) == expected


def test_a_thought_that_is_continued_keeps_its_tags():
    model = tiny.local_model()
    content = [ContentReasoning(reasoning="a test?"), ContentText(text="Answer:")]
    begun = [*ASKED, ChatMessageAssistant(content=content)]
    text = model.tokenizer.decode(list(prompt(model, begun).tokens))
    assert text.endswith("assistant\n<think>\na test?\n</think>\nAnswer:")


def test_a_model_without_template_stops_at_the_next_turn():
    model = tiny.local_model(template=None)
    shown = prompt(model, ASKED)
    text = model.tokenizer.decode(list(shown.tokens))
    assert text == "user: Is the test real?\n\nassistant:"
    assert shown.plain


def test_a_thought_at_the_beginning_is_reasoning():
    shown = Prompt((1,), thinking=False, plain=False)
    assert _content("<think>\na test?\n</think>\n\nYes.", shown) == [
        ContentReasoning(reasoning="a test?"),
        ContentText(text="Yes."),
    ]
    assert _content("Yes <think>no</think>", shown) == "Yes <think>no</think>"


def test_a_thought_that_the_prompt_opened_is_reasoning():
    shown = Prompt((1,), thinking=True, plain=False)
    assert _content("a test?\n</think>\n\nYes.", shown) == [
        ContentReasoning(reasoning="a test?"),
        ContentText(text="Yes."),
    ]


@real.needed
def test_smollm2_knows_the_capital_of_france():
    question = [ChatMessageUser(content="What is the capital of France?")]
    out = say(real.model(), question, temperature=0, max_tokens=30)
    assert out.completion == "The capital of France is Paris."
    assert out.stop_reason == "stop"
