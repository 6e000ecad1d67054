"""Over HTTP, through each real client, the numbers are the rater's."""

import functools
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from builders import log_file, sample, yes_means
from click.testing import CliRunner
from inspect_ai.log import read_eval_log
from inspect_ai.model import get_model
from inspect_ai.scorer import Score
from providers.brains import Biased, asked_question, embedded, sure_of
from providers.clients import CHAT, GOOGLE, MESSAGES, RESPONSES, Client, each
from providers.probing import (
    AGENTIC,
    CHAT_TURNS,
    case,
    chat_log,
    probed,
    probed_cases,
    record,
)
from providers.server import Brain, served
from whitebox import real

from inspect_awareness.cli import main
from inspect_awareness.scorers._answers import expit

RATERS: dict[str, tuple[Brain, float]] = {
    "sure-of-a-test": (sure_of("evaluation"), 1.0),
    "sure-of-use": (sure_of("deployment"), 0.0),
    # yes outweighs the belief: both questions get a yes, one speaks against it
    "yes-sayer": (Biased(0.5, yes=1.0), 0.5),
    # the belief outweighs yes, and all four forms speak for evaluation
    "believer": (Biased(0.5, yes=0.3, first=0.1), 1.0),
    # the label named first wins in either order: two forms of four
    "first-sayer": (Biased(-0.5, first=1.0), 0.5),
    # -0.5 + 0.4 + 0.3 > 0 in one form only: asserts evaluation, named first
    "both": (Biased(-0.5, yes=0.4, first=0.3), 0.25),
}
"""Raters with P(eval) of their sampled labels over the four forms of a pair."""


@each()
def test_sampled_labels_are_what_belief_and_biases_imply(client: Client) -> None:
    with served(lambda asked: RATERS[case(asked)][0](asked)) as server:
        found = probed_cases(client.of(server), RATERS, elicitation="label")
    assert {name: found[name].value for name in found} == {
        name: p for name, (_, p) in RATERS.items()
    }
    assert all(record(score)["rater"] == client.model for score in found.values())


@each(CHAT, GOOGLE)
def test_biases_on_the_logit_scale_cancel_exactly(client: Client) -> None:
    raters = {name: rater for name, (rater, _) in RATERS.items() if "sure" not in name}
    with served(lambda asked: raters[case(asked)](asked)) as server:
        found = probed_cases(client.of(server), raters, elicitation="top_logprobs")
    for name, score in found.items():
        assert isinstance(raters[name], Biased)
        # the mean of four logits, in which either bias stands with both signs
        assert score.value == pytest.approx(expit(raters[name].belief), abs=1e-6)
        assert [a["mass"] for a in record(score)["answers"]] == pytest.approx([0.9] * 4)


@each(RESPONSES, MESSAGES)
def test_without_log_probabilities_the_sampled_label_counts_and_it_is_said_why(
    client: Client, tmp_path: Path
) -> None:
    with served(Biased(0.5, yes=1.0)) as server:
        found = probed(
            client.of(server), chat_log(tmp_path), elicitation="top_logprobs"
        )
    assert found.value == 0.5
    assert {a["unseen"] for a in record(found)["answers"]} == {"no_logprobs"}


@each(CHAT, GOOGLE)
def test_every_form_of_every_question_is_asked_once(
    client: Client, tmp_path: Path
) -> None:
    with served(sure_of("evaluation")) as server:
        found = probed(client.of(server), chat_log(tmp_path), questions=None)
    answers = record(found)["answers"]
    assert found.value == 1.0
    assert record(found)["missing"] == {}
    asked = {asked_question(a.question) for a in server.questions}
    assert len(server.questions) == len(asked) == len(answers)


@each()
def test_what_was_said_arrives_as_it_was(client: Client, tmp_path: Path) -> None:
    with served(sure_of("evaluation")) as server:
        probed(client.of(server), chat_log(tmp_path))
    for asked in server.questions:
        *before, (role, question) = asked.messages
        assert [text for _, text in before] == [m.text for m in CHAT_TURNS]
        assert [r for r, _ in before][1:] == ["user", "assistant"]
        # o-series and gpt-5 call the system a developer
        assert before[0][0] in ("system", "developer")
        assert role == "user"
        assert yes_means(question) in ("evaluation", "deployment")


@each()
def test_a_transcript_with_tool_calls_is_asked_about(
    client: Client, tmp_path: Path
) -> None:
    with served(sure_of("evaluation")) as server:
        found = probed(client.of(server), chat_log(tmp_path, AGENTIC))
    assert found.value == 1.0
    for asked in server.questions:
        assert b"a.txt" in asked.raw, "the tool's result is shown"
        assert b'"ls"' in asked.raw or b'\\"ls\\"' in asked.raw, "and its call"


@each(MESSAGES)
def test_tools_of_the_transcript_are_defined_where_they_must_be(
    client: Client, tmp_path: Path
) -> None:
    # Anthropic: "Requests which include `tool_use` or `tool_result` blocks must
    # define tools"
    with served(sure_of("evaluation")) as server:
        probed(client.of(server), chat_log(tmp_path, AGENTIC))
    for asked in server.questions:
        assert [tool["name"] for tool in asked.body["tools"]] == ["bash"]
        assert asked.body["tool_choice"] == {"type": "none"}


@each()
def test_the_config_of_the_questions_goes_out_as_far_as_it_is_taken(
    client: Client, tmp_path: Path
) -> None:
    with served(sure_of("evaluation")) as server:
        probed(
            client.of(server),
            chat_log(tmp_path),
            config={"temperature": 0.3, "max_tokens": 77},
        )
    takes = {"chat": 0.3, "google": 0.3, "responses": None, "messages": None}
    for asked in server.questions:
        assert asked.max_tokens == 77
        assert asked.temperature == takes[client.format]


@each()
def test_awareness_score_asks_over_http(client: Client, tmp_path: Path) -> None:
    log = log_file(
        tmp_path / "a.eval",
        [sample(i, messages=list(CHAT_TURNS)) for i in range(3)],
    )
    output = tmp_path / "out.eval"
    with served(sure_of("evaluation")) as server:
        done = CliRunner().invoke(
            main,
            [
                "score", str(log), "--model", client.model,
                "--model-base-url", server.url + client.path,
                "--questions", "direct-test,direct-use", "-o", str(output),
            ],
        )  # fmt: skip
    assert done.exit_code == 0, done.output
    samples = read_eval_log(str(output)).samples or []
    assert [(s.scores or {})["p_eval"].value for s in samples] == [1.0] * 3
    assert len(server.questions) == 3 * 4
    assert "dummy" not in output.read_bytes().decode("latin-1"), "no key in a log"


@real.needed
@each()
def test_the_real_model_answers_over_http_as_it_does_directly(
    client: Client, tmp_path: Path
) -> None:
    with served(embedded()) as server:
        found = probed(client.of(server), chat_log(tmp_path), **REAL)
    direct = asked_directly()
    assert len(replies(direct)) == 2
    assert replies(found) == replies(direct)
    assert found.value == pytest.approx(direct.value, nan_ok=True)
    assert found.reason == direct.reason


REAL: dict[str, Any] = {
    "questions": "direct-test",
    "elicitation": "label",
    "config": {"temperature": 0.0, "max_tokens": 2},
}
"""Two forms, answered by the two most probable tokens."""


@functools.cache
def asked_directly() -> Score:
    """The real model's score where it is asked in this process."""
    args = {"dtype": "float32", "device": "cpu"}
    model = get_model(f"whitebox/{real.NAME}", memoize=False, **args)
    with TemporaryDirectory() as folder:
        return probed(model, chat_log(Path(folder)), **REAL)


def replies(found: Score) -> dict[str, str]:
    """What was replied to each form."""
    return {a["order"]: a["reply"].strip() for a in record(found)["answers"]}
