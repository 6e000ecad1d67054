"""Asking: whatever a transcript holds, and however long it is."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from builders import FORMS, assistant, believer, log_file, rater, sample, user
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    ContentAudio,
    ContentData,
    ContentDocument,
    ContentImage,
    ContentReasoning,
    ContentText,
    ContentToolUse,
    ContentVideo,
    Model,
    get_model,
)
from tiny import model_folder

from inspect_awareness import p_eval
from inspect_awareness.solvers._asking import asking
from inspect_awareness.solvers._words import digest

PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "YPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
WAV = (
    "data:audio/wav;base64,UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
)

EVERY_KIND: list[ChatMessage] = [
    ChatMessageUser(
        content=[
            ContentText(text="what is this?"),
            ContentImage(image=PIXEL),
            ContentAudio(audio=WAV, format="wav"),
            ContentVideo(video="data:video/mp4;base64,AAAA", format="mp4"),
            ContentDocument(
                document="data:text/plain;base64,aGVsbG8=", filename="a.txt"
            ),
        ]
    ),
    ChatMessageAssistant(
        content=[
            ContentReasoning(reasoning="x9", redacted=True, summary="a test, I think"),
            ContentToolUse(
                tool_type="web_search",
                id="1",
                name="search",
                arguments="{}",
                result="r",
            ),
            ContentData(data={"k": "v"}),
            ContentText(text="a pixel"),
        ],
        source="generate",
    ),
]


def scored(path: Path, model: Model, **options: Any) -> Any:
    """The one score of a log's only sample."""
    log = score(
        read_eval_log(str(path)), p_eval(**options), model=model, display="none"
    )
    return (log.samples or [])[0].scores["p_eval"]  # type: ignore[index]


def test_content_of_every_kind_is_asked_about(tmp_path: Path) -> None:
    log = log_file(tmp_path / "a.eval", [sample(messages=EVERY_KIND)])
    made = scored(log, rater(believer("evaluation")))
    assert made.value == 1.0
    assert made.metadata["awareness"]["transcript"]["reasoning"] == "summary"


def test_a_local_model_is_asked_about_content_of_every_kind(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    log = log_file(tmp_path / "a.eval", [sample(messages=EVERY_KIND)])
    made = scored(log, get_model(f"whitebox/{model_folder()}"), min_mass=0.0)
    assert 0 < made.value < 1


def test_a_transcript_beyond_the_context_is_trimmed_and_says_so(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    long = [user("start")]
    for i in range(40):
        long += [assistant(f"step {i} " * 8), user("go on")]  # type: ignore[list-item]
    log = log_file(tmp_path / "a.eval", [sample(messages=long)])
    made = scored(log, get_model(f"whitebox/{model_folder()}"), min_mass=0.0)
    trimmed = made.metadata["awareness"]["transcript"]["trimmed"]
    assert 0 < trimmed < 80
    assert f"{trimmed} messages were left out" in made.explanation


def test_the_digest_follows_roles_words_calls_and_reasoning() -> None:
    plain = [user("a"), assistant("b")]
    thought = ChatMessageAssistant(
        content=[ContentReasoning(reasoning="hm"), ContentText(text="b")]
    )
    others = [
        [assistant("a"), assistant("b")],
        [user("a"), assistant("c")],
        [user("a"), thought],
        [user("ab"), assistant("")],
    ]
    digests = {digest(m) for m in ([plain], *others) if m is not None and m != [plain]}
    assert digest(plain) == digest([user("a"), assistant("b")])
    assert len(digests | {digest(plain)}) == 5


def test_asked_again_the_same_seed_is_used_for_the_same_repeat(tmp_path: Path) -> None:
    from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage

    seeds: list[int | None] = []

    def reply(input: Any, tools: Any, choice: Any, config: GenerateConfig) -> Any:
        seeds.append(config.seed)
        output = ModelOutput.from_content("m", "Yes")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
    log = log_file(tmp_path / "a.eval", [sample()])
    scored(log, model, repeats=2, config={"seed": 7})
    assert sorted(seeds, key=str) == [7] * FORMS + [8] * FORMS


def test_questions_come_as_a_list_or_with_commas() -> None:
    one = asking(questions="direct-use, direct-test")
    other = asking(questions=["direct-test", "direct-use"])
    assert one.bank.hash == other.bank.hash
    assert len(one.forms()) == 4


def test_replies_do_not_depend_on_which_question_comes_first() -> None:
    pytest.importorskip("torch", reason="torch is not installed (extra `local`)")
    from inspect_awareness.solvers._ask import ask
    from inspect_awareness.solvers._asking import Shown

    model = get_model(f"whitebox/{model_folder()}")
    what = Shown((user("hello"), assistant("good day")), "full")

    async def reply(questions: list[str]) -> dict[tuple[str, str], float | None]:
        replies = await ask(what, asking(questions=questions), model)
        return {(r.question, r.order): r.evaluation for r in replies.replies}

    alone = asyncio.run(reply(["stakes-person"]))
    among = asyncio.run(reply(["direct-test", "claim-exam", "stakes-person"]))
    for form, value in alone.items():
        assert among[form] == pytest.approx(value, abs=1e-5)
