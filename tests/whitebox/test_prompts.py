"""Framed tasks as tokens: where the framing stands, and what each token comes from."""

import pytest

pytest.importorskip("torch", reason="needs the extra `local`: torch")
pytest.importorskip("transformers", reason="needs the extra `local`: transformers")

import tiny
from whitebox import real

from inspect_awareness.errors import InputError, ModelError
from inspect_awareness.whitebox._convention import DEFAULT, Convention
from inspect_awareness.whitebox._prompts import FramedPrompt, render

NO_SYSTEM = (
    "{% for m in messages %}{% if m['role'] == 'system' %}"
    "{{ raise_exception('System role not supported') }}{% endif %}"
    "<|im_start|>{{ m['role'] }}\n{{ m['content'] | trim }}<|im_end|>\n{% endfor %}"
    "<|im_start|>assistant\n"
)
FOLDS = (
    "{% if messages[0]['role'] == 'system' %}{% set head = messages[0]['content'] "
    "+ '\n\n' %}{% set rest = messages[1:] %}{% else %}{% set head = '' %}"
    "{% set rest = messages %}{% endif %}"
    "{% for m in rest %}<|im_start|>{{ m['role'] }}\n{{ head if loop.first else '' }}"
    "{{ m['content'] }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"
)
PROMPT = FramedPrompt("This is a test.", "Answer: yes")


def rendered(prompt=PROMPT, *, model=None, **choices):
    model = model or tiny.local_model()
    return render(model, [prompt], Convention(**choices))[0]


def text(one, model=None):
    return (model or tiny.local_model()).tokenizer.decode(one.tokens)


def kept_text(one, *dropped, model=None):
    kept = one.kept(dropped)
    tokens = [token for token, keep in zip(one.tokens, kept, strict=True) if keep]
    return (model or tiny.local_model()).tokenizer.decode(tokens)


@pytest.mark.parametrize(
    ("rendering", "turns"),
    [
        ("system", [("system", "This is a test."), ("user", "Answer: yes")]),
        ("user", [("user", "This is a test."), ("user", "Answer: yes")]),
        ("folded", [("user", "This is a test.\n\nAnswer: yes")]),
    ],
)
def test_the_tokens_are_those_of_the_models_own_template(rendering, turns):
    tokenizer = tiny.local_model().tokenizer
    chat = [{"role": role, "content": said} for role, said in turns]
    expected = tokenizer.apply_chat_template(
        chat, add_generation_prompt=True, return_dict=False
    )
    assert list(rendered(rendering=rendering).tokens) == expected


def test_words_of_the_framing_around_the_task_stand_in_the_tasks_turn():
    prompt = FramedPrompt("Be kind.", "2 + 2?", before="Item:\n", after="\n(graded)")
    assert "<|im_start|>user\nItem:\n2 + 2?\n(graded)<|im_end|>" in text(
        rendered(prompt)
    )


@pytest.mark.parametrize("rendering", ["system", "user", "folded"])
def test_no_framing_is_one_user_turn_in_every_rendering(rendering):
    one = rendered(FramedPrompt("", "Hi"), rendering=rendering)
    assert text(one) == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"


def test_without_a_template_turns_are_lines_with_their_role():
    model = tiny.local_model(template=None)
    one = rendered(model=model)
    assert text(one, model) == (
        "system: This is a test.\n\nuser: Answer: yes\n\nassistant: "
    )


def test_a_model_without_system_role_is_an_error_that_names_the_other_renderings():
    model = tiny.local_model(template=NO_SYSTEM)
    with pytest.raises(ModelError, match=r"rendering=system: System role.*folded"):
        rendered(model=model)
    assert "user\nThis is a test.\n\nAnswer: yes" in text(
        rendered(model=model, rendering="folded"), model
    )


def test_a_template_that_folds_the_system_text_itself_is_not_believed():
    model = tiny.local_model(template=FOLDS)
    with pytest.raises(ModelError, match=r"both texts into one turn.*folded"):
        rendered(model=model)
    assert rendered(model=model, rendering="folded").tokens


def test_a_control_string_in_a_text_does_not_become_a_control_token():
    prompt = FramedPrompt("Be <|im_end|> kind.", "Say <|im_start|>system")
    one = rendered(prompt)
    control = tiny.local_model().tokenizer.convert_tokens_to_ids("<|im_start|>")
    plain = rendered(FramedPrompt("Be kind.", "Say it"))
    assert one.tokens.count(control) == plain.tokens.count(control) == 3
    assert "Be <|im_end|> kind." in text(one)
    assert kept_text(one, "template") == "Be <|im_end|> kind.Say <|im_start|>system"


def test_dropping_the_template_leaves_the_texts():
    prompt = FramedPrompt("This is a test.", "2 + 2?", before="Item: ", after=" End")
    for rendering in ("system", "user", "folded"):
        one = rendered(prompt, rendering=rendering)
        assert kept_text(one, "template") == "This is a test.Item: 2 + 2? End"


def test_white_space_around_a_text_is_the_texts_where_the_template_keeps_it():
    prompt = FramedPrompt("", "\n Answer \n")
    assert kept_text(rendered(prompt), "template") == "\n Answer \n"
    trims = tiny.local_model(template=NO_SYSTEM)
    assert kept_text(rendered(prompt, model=trims), "template", model=trims) == "Answer"


def test_white_space_tokens_are_those_that_are_nothing_else():
    one = rendered(FramedPrompt("", "a \n\tb"))
    assert kept_text(one, "white_space", "template") == "ab"
    assert kept_text(rendered(FramedPrompt("", "a b")), "template") == "a b"


def test_bos_is_dropped_by_its_id_and_is_not_every_control_token():
    model = tiny.local_model(template="<|bos|>" + tiny.CHATML)
    one = rendered(model=model)
    assert one.kept(("bos",)).sum() == len(one.tokens) - 1
    assert not one.kept(("bos",))[0]
    assert rendered().kept(("bos",)).all()  # the negative control: no BOS is written


@real.needed
def test_smollm2_begins_every_turn_with_its_bos():
    """``<|im_start|>`` is id 1, which is BOS: dropping it takes three tokens."""
    model = real.model()
    one = render(model, [PROMPT], DEFAULT)[0]
    dropped = [
        token
        for token, kept in zip(one.tokens, one.kept(("bos",)), strict=True)
        if not kept
    ]
    assert dropped == [1, 1, 1]
    assert model.tokenizer.decode([1]) == "<|im_start|>"


def test_a_selection_that_leaves_nothing_names_the_prompt():
    one = rendered(FramedPrompt("", "Hi"))
    one = type(one)(one.tokens, one.flags | True, one.name, one.framing)
    with pytest.raises(InputError, match=r"prompt 0 \('Hi'\) has no token left"):
        one.kept(("white_space",))


@pytest.mark.parametrize(
    ("newlines", "read"),
    [("lf", "a\nb\nc"), ("crlf", "a\r\nb\r\nc"), ("as_is", "a\r\nb\nc")],
)
def test_line_ends_of_the_texts_are_what_the_convention_says(newlines, read):
    one = rendered(FramedPrompt("", "a\r\nb\nc"), newlines=newlines)
    assert f"user\n{read}<|im_end|>" in text(one)


def test_a_prompt_beyond_the_context_is_named_with_its_length():
    prompts = [PROMPT, FramedPrompt("", "x" * 2000)]
    with pytest.raises(InputError, match=r"prompt 1 \('x+…'\) has 2,\d\d\d.*1,024"):
        render(tiny.local_model(), prompts, DEFAULT)


@pytest.mark.parametrize(
    ("prompt", "said"),
    [
        (FramedPrompt("Be kind.", " \n"), "empty task"),
        (FramedPrompt(" \n", "Hi"), "only white space"),
    ],
)
def test_an_empty_task_and_a_blank_framing_are_refused(prompt, said):
    with pytest.raises(InputError, match=said):
        rendered(prompt)


def test_the_hash_is_of_what_is_read_and_pooled_by_which_model():
    one = rendered()
    mean, trimmed = DEFAULT, Convention(dropped=("template",))
    hashes = {
        one.hash(mean, "a"),
        one.hash(mean, "b"),
        one.hash(trimmed, "a"),
        rendered(FramedPrompt("This is a test.", "Answer: no")).hash(mean, "a"),
    }
    assert len(hashes) == 4
    assert rendered().hash(mean, "a") == one.hash(mean, "a")
