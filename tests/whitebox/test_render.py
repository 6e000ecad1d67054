import jinja2
import pytest
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tiny import CHATML, CONTROL

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._render import Marks, Style, Writer
from inspect_awareness.whitebox._turns import Part, Turn

STRICT = (
    "{% for m in messages %}"
    "{% if m['role'] == 'system' %}{{ raise_exception('no system role') }}{% endif %}"
    "{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles must alternate') }}{% endif %}"
    "<{{ m['role'] }}>{{ m['content'] | trim }}\n"
    "{% endfor %}<assistant>"
)
DROPS_SYSTEM = (
    "{% for m in messages %}{% if m['role'] != 'system' %}"
    "<{{ m['role'] }}>{{ m['content'] }}\n{% endif %}{% endfor %}<assistant>"
)
DROPS_THOUGHTS = (
    "{% for m in messages %}<{{ m['role'] }}>"
    "{{ m['content'].split('</think>')[-1] }}\n{% endfor %}<assistant>"
)
OPENS_THOUGHT = "{% for m in messages %}{{ m['content'] }}{% endfor %}<A><think>"


def template(source):
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)

    def refuse(why):
        raise jinja2.TemplateError(why)

    environment.globals["raise_exception"] = refuse
    compiled = environment.from_string(source)
    return lambda chat, *, thinking: compiled.render(
        messages=chat, add_generation_prompt=True, thinking=thinking
    )


def turns(*pairs):
    return [Turn(role, (Part(text),)) for role, text in pairs]


def render(source, said, *, control=CONTROL, thinking=False):
    written = template(source) if source else None
    marks = Marks.absent_from(part.text for one in said for part in one.parts)
    text = Writer(Style(written, control), marks).render(said, thinking=thinking)
    return text, marks


def shown(source, said, **options):
    text, marks = render(source, said, **options)
    return text.replace(marks.quote, "")


def test_a_harmless_conversation_is_what_its_template_writes():
    said = turns(("system", "Be kind."), ("user", "Hello"))
    text, marks = render(CHATML, said)
    assert marks.quote not in text
    assert text == (
        "<|im_start|>system\nBe kind.<|im_end|>\n"
        "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
    )


def test_a_control_string_in_a_message_is_marked_and_the_templates_own_are_not():
    said = turns(("user", "a<|im_end|>b"))
    text, marks = render(CHATML, said)
    assert f"a<{marks.quote}|im_end|>b<|im_end|>" in text
    assert text.count(marks.quote) == 1


def test_a_mark_never_occurs_in_the_transcript():
    said = turns(("user", "\ue000\ue001<|im_end|>\ue002"))
    text, marks = render(CHATML, said)
    assert marks.quote == "\ue003"
    assert text.replace(marks.quote, "").count("\ue000\ue001<|im_end|>\ue002") == 1


def test_a_transcript_of_all_private_use_characters_is_refused():
    everything = "".join(map(chr, range(0xE000, 0xF900)))
    with pytest.raises(ModelError, match=r"U\+E000"):
        Marks.absent_from([everything])


def test_the_longest_control_string_is_the_one_that_is_marked():
    said = turns(("user", "<a><b>"))
    text, marks = render(CHATML, said, control=("<a>", "<a><b>"))
    assert f"<{marks.quote}a><b>" in text


def test_a_strict_template_gets_system_text_in_the_first_user_turn():
    said = turns(("system", "Be kind."), ("user", "Hi"), ("user", "There"))
    assert shown(STRICT, said) == "<user>Be kind.\n\nHi\n\nThere\n<assistant>"


def test_tool_results_become_user_turns_where_a_template_wants_alternation():
    said = turns(("user", "Go"), ("assistant", "ls"), ("tool", "a.txt"))
    assert shown(STRICT, said) == ("<user>Go\n<assistant>ls\n<user>a.txt\n<assistant>")


def test_a_template_that_drops_the_system_text_is_not_believed():
    said = turns(("system", "Be kind."), ("user", "Hi"))
    assert shown(DROPS_SYSTEM, said) == "<user>Be kind.\n\nHi\n<assistant>"


def test_a_template_that_deletes_thoughts_does_not_see_them():
    thought = Turn("assistant", (Part("is this a test?", thought=True), Part("Hi")))
    said = [*turns(("user", "Hello")), thought, *turns(("user", "So?"))]
    text = shown(DROPS_THOUGHTS, said)
    assert "<assistant><think>\nis this a test?\n</think>\nHi\n" in text


def test_a_template_that_refuses_every_form_is_an_error_with_its_reason():
    with pytest.raises(ModelError, match="user: not today"):
        render("{{ raise_exception('not today') }}", turns(("user", "Hi")))


def test_a_template_that_drops_every_message_is_an_error():
    with pytest.raises(ModelError, match="it drops a message"):
        render("nothing", turns(("user", "Hi")))


def test_a_thought_that_the_template_opens_is_closed_for_scoring_and_not_for_replies():
    said = turns(("user", "Hi"))
    assert shown(OPENS_THOUGHT, said) == "Hi<A><think>\n\n</think>\n\n"
    assert shown(OPENS_THOUGHT, said, thinking=True) == "Hi<A><think>"


def test_without_a_template_turns_are_lines_with_their_role():
    said = turns(("user", "Hi"), ("assistant", "Hello"), ("user", "So?"))
    assert shown(None, said) == (
        "user: Hi\n\nassistant: Hello\n\nuser: So?\n\nassistant: "
    )
