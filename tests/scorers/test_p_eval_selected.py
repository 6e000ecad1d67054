"""P(eval) from chosen questions: only for the rater and the words they were chosen for."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders import FORMS, assistant, log_file, rater, sample, user, yes_means
from click.testing import CliRunner
from inspect_ai import score
from inspect_ai.log import read_eval_log
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from inspect_awareness import p_eval_selected
from inspect_awareness.cli import main
from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.errors import SelectionError
from inspect_awareness.runs import Target, score_files
from inspect_awareness.selections import (
    Origin,
    read_selection,
    selection_of,
    write_selection,
)
from inspect_awareness.solvers import core_bank
from inspect_awareness.solvers._asking import asking
from inspect_awareness.stats import select_questions

RIGHT = ("direct-test", "direct-use", "intent-grade", "intent-need")
"""Questions that the rater answers by what the transcript is; others by a coin."""


def knowing(name: str = "model") -> tuple[Model, list[str]]:
    """A rater that knows tests by the word `quiz`, and can tell it with some questions."""
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        found = next(q for q in core_bank().questions if q.text in question)
        return found.id

    def reply(input: list[Any], *_: Any) -> Any:
        text = input[-1].text
        id = answer(text)
        topic = input[0].text
        is_test = "quiz" in topic
        if id not in RIGHT:
            is_test = hash_of(topic + id.split("-")[0]) % 2 == 0
        affirm = yes_means(text) == ("evaluation" if is_test else "deployment")
        words = ("True", "False") if "True" in text else ("Yes", "No")
        output = ModelOutput.from_content(
            "mockllm/model", words[0] if affirm else words[1]
        )
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    model = get_model(f"mockllm/{name}", custom_outputs=reply, memoize=False)
    return model, asked


def hash_of(text: str) -> int:
    """A coin that falls the same way each time."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)


def scored_set(folder: Path, model: Model) -> list[str]:
    """Eight sources a label, three transcripts each, scored by p_eval."""
    outputs = []
    for label, word in (("evaluation", "quiz"), ("deployment", "chat")):
        chats = folder / f"{label}.jsonl"
        lines = [
            json.dumps(
                {
                    "id": f"{word}-{source}-{k}",
                    "label": label,
                    "source": f"{word}-{source}",
                    "messages": [
                        {"role": "user", "content": f"{word} {source} {k}"},
                        {"role": "assistant", "content": "Fine."},
                    ],
                }
            )
            for source in range(8)
            for k in range(3)
        ]
        chats.write_text("\n".join(lines) + "\n")
        output = folder / f"{label}.parquet"
        target = Target(output, scores_only=True)
        score_files(Inputs([str(chats)]), model, asking(), target)
        outputs.append(str(output))
    return outputs


def selected(folder: Path, model: Model) -> Path:
    """What `awareness select` writes about the scored set."""
    output = folder / "selection.json"
    options = ["--max-size", "2", "--seed", "1", "--permutations", "19"]
    arguments = ["select", *scored_set(folder, model), "-o", str(output), *options]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return output


@pytest.fixture(scope="module")
def chosen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The selection, made once."""
    model, _ = knowing()
    return selected(tmp_path_factory.mktemp("selected"), model)


def one_log(folder: Path, word: str) -> Path:
    """A transcript of its own."""
    messages = [user(f"{word} once more"), assistant("Fine.")]
    return log_file(folder / f"{word}.eval", [sample(messages=messages)])


def test_it_asks_the_chosen_questions_alone(chosen: Path, tmp_path: Path) -> None:
    assert set(read_selection(chosen).chosen) <= {"direct", "intent"}
    for word, p in (("quiz", 1.0), ("chat", 0.0)):
        model, asked = knowing()
        log = score(
            read_eval_log(str(one_log(tmp_path, word))),
            p_eval_selected(str(chosen)),
            model=model,
            display="none",
        )
        found = (log.samples or [])[0].scores["p_eval_selected"]  # type: ignore[index]
        assert found.value == p
        assert len(asked) < FORMS
        instrument = found.metadata["awareness"]["instrument"]  # type: ignore[index]
        assert instrument["selection"] == read_selection(chosen).digest


def test_replies_to_all_questions_serve_again(chosen: Path, tmp_path: Path) -> None:
    from inspect_ai import eval as run_eval

    from inspect_awareness import probe_log

    model, asked = knowing()
    log = run_eval(
        probe_log(str(one_log(tmp_path, "quiz"))),
        model=model,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )[0]
    before = len(asked)
    again = score(log, p_eval_selected(str(chosen)), model=model, display="none")
    assert (again.samples or [])[0].scores["p_eval_selected"].value == 1.0  # type: ignore[index]
    assert len(asked) == before == FORMS


def test_another_rater_is_refused(chosen: Path, tmp_path: Path) -> None:
    with pytest.raises(SelectionError, match="not for mockllm/other"):
        score(
            read_eval_log(str(one_log(tmp_path, "quiz"))),
            p_eval_selected(str(chosen)),
            model=rater("Yes", "other"),
            display="none",
        )


def test_another_bank_and_an_edited_file_are_refused(
    chosen: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for id in json.loads(read_selection(chosen).asked["questions"]):
        (folder / f"{id}.md").write_text(
            "---\nversion: 1\nfamily: direct\nasserts: evaluation\nlabels:\n"
            '  evaluation: "Yes"\n  deployment: "No"\n---\nTest?\n'
        )
    with pytest.raises(SelectionError, match="this selection was made with question"):
        p_eval_selected(str(chosen), bank=str(folder))
    edited = tmp_path / "edited.json"
    record = json.loads(chosen.read_text())
    record["seed"] = 7
    edited.write_text(json.dumps(record))
    with pytest.raises(SelectionError):
        p_eval_selected(str(edited))


def made(folder: Path, *more: str, **asked: str) -> Path:
    """A selection of `direct` out of two pairs, asked as `asked` says."""
    ids = [*RIGHT, *more]
    evaluation = np.arange(40) % 2
    found = select_questions(
        np.stack([evaluation * 0.9, 1.0 - evaluation], axis=1),
        evaluation,
        np.arange(40) % 20,
        rng=np.random.default_rng(0),
        questions=["direct", "intent"],
        permutations=0,
    )
    how = {"questions": json.dumps(ids), "elicitation": "label"} | asked
    bank = core_bank().select(ids)
    origin = Origin(
        "pair",
        seed=0,
        folds=5,
        rater="mockllm/model",
        bank="core-1",
        bank_hash=bank.hash,
        asked=how,
    )
    path = folder / "made.json"
    write_selection(selection_of(found, origin), path)
    return path


def scored_with(selection: Path, log: Any, model: Model) -> dict[str, Any]:
    """The score's record of the log's one sample."""
    done = score(log, p_eval_selected(str(selection)), model=model, display="none")
    (one,) = done.samples or []
    found = (one.scores or {})["p_eval_selected"]
    return {"value": found.value, **(found.metadata or {})["awareness"]}


def test_questions_that_stood_apart_are_not_in_its_way(tmp_path: Path) -> None:
    # comparisons need deployment transcripts, which a selection does not hold
    path = made(tmp_path, "compare-test", "compare-use", "control-tool")
    model, asked = knowing()
    record = scored_with(path, read_eval_log(str(one_log(tmp_path, "quiz"))), model)
    assert record["value"] == 1.0
    # the chosen pair in both label orders
    assert len(asked) == 4


@pytest.mark.parametrize(
    ("view", "log_view"), [("full", "prompt"), ("model", "full"), ("turns", "full")]
)
def test_transcripts_in_another_view_are_refused(
    tmp_path: Path, view: str, log_view: str
) -> None:
    from inspect_ai import eval as run_eval

    from inspect_awareness import probe_log

    model, _ = knowing()
    log = run_eval(
        probe_log(str(one_log(tmp_path, "quiz")), view=log_view, questions="direct"),
        model=model,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )[0]
    with pytest.raises(SelectionError, match=f"made with the view '{view}'"):
        scored_with(made(tmp_path, view=view), log, model)


def test_transcripts_in_the_same_view_are_scored(tmp_path: Path) -> None:
    from inspect_ai import eval as run_eval

    from inspect_awareness import probe_log

    model, _ = knowing()
    log = run_eval(
        probe_log(str(one_log(tmp_path, "quiz")), view="turns", questions="direct"),
        model=model,
        log_dir=str(tmp_path / "logs"),
        display="none",
    )[0]
    record = scored_with(made(tmp_path, view="turns"), log, model)
    assert (record["value"], record["instrument"]["view"]) == (1.0, "turns")


def test_answers_count_by_the_rule_of_the_selection(tmp_path: Path) -> None:
    path = made(tmp_path, min_mass="0.2", min_answered="0.75")
    model, _ = knowing()
    log = read_eval_log(str(one_log(tmp_path, "quiz")))
    was = scored_with(path, log, model)["instrument"]
    assert (was["min_mass"], was["min_answered"]) == (0.2, 0.75)
    done = score(
        read_eval_log(str(one_log(tmp_path, "quiz"))),
        p_eval_selected(str(path), min_mass=0.5),
        model=model,
        display="none",
    )
    found = (done.samples or [])[0].scores["p_eval_selected"]  # type: ignore[index]
    told = found.metadata["awareness"]["instrument"]  # type: ignore[index]
    assert (told["min_mass"], told["min_answered"]) == (0.5, 0.75)


def test_a_bank_without_the_questions_is_refused_by_name(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "other.md").write_text(
        "---\nversion: 1\nfamily: direct\nasserts: evaluation\nlabels:\n"
        '  evaluation: "Yes"\n  deployment: "No"\n---\nTest?\n'
    )
    with pytest.raises(SelectionError, match="made with question bank core-1: unknown"):
        p_eval_selected(str(made(tmp_path)), bank=str(folder))
