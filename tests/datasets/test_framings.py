"""Framings: the package's own are a fair design, and a user's broken ones are named."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from overlaps import shared_five_grams

from inspect_awareness.datasets import (
    FramedTask,
    Framing,
    TaskText,
    cross,
    framings,
    task_texts,
)
from inspect_awareness.datasets.framings import (
    bundled_lengths,
    check_crossed,
    framing_lengths,
)
from inspect_awareness.errors import InputError

SHARED = Path(__file__).parents[3] / "shared" / "data" / "probe_direction" / "data"
ARMS = ("evaluation", "deployment", "neutral")


def record(id: str, arm: str, text: str | None = None, **more: Any) -> dict[str, Any]:
    words = f"The words of {id}." if text is None else text
    return {"id": id, "arm": arm, "text": words, **more}


def four() -> list[dict[str, Any]]:
    return [
        record("e1", "evaluation"),
        record("e2", "eval"),
        record("d1", "deployment"),
        record("d2", "deploy"),
    ]


def written(folder: Path, content: Any) -> Path:
    path = folder / "framings.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def refusal(folder: Path, content: Any) -> str:
    with pytest.raises(InputError) as caught:
        framings(written(folder, content))
    return str(caught.value)


def test_the_package_has_six_framings_an_arm_in_six_settings() -> None:
    found = framings()
    assert Counter(f.arm for f in found) == dict.fromkeys(ARMS, 6)
    settings = {f.id.split("-", 1)[1] for f in found}
    assert {f.id for f in found} == {f"{a}-{s}" for a in ARMS for s in settings}
    assert len({f.hash for f in found}) == 18


def test_neutral_framings_say_nothing_of_either_situation() -> None:
    telling = ("test", "evaluat", "audit", "grade", "benchmark", "deploy", "customer",
               "user", "patient", "model", "assistant", "real", "you answer")  # fmt: skip
    texts = {f.id: f.text.lower() for f in framings() if f.arm == "neutral"}
    assert [(i, w) for i, t in texts.items() for w in telling if w in t] == []
    others = [f.text.lower() for f in framings() if f.arm != "neutral"]
    # the words do tell: most of the others have one of them
    assert sum(any(w in text for w in telling) for text in others) >= 8


def test_framings_of_one_setting_begin_in_the_same_way() -> None:
    begun = {f.id: f.text.split()[:3] for f in framings()}
    for setting in ("bank", "school", "code", "clinic", "council"):
        assert len({tuple(begun[f"{arm}-{setting}"]) for arm in ARMS}) == 1


def test_the_stored_token_counts_are_matched_on_three_tokenizers() -> None:
    measured = bundled_lengths()
    assert len(measured) == 3
    for lengths in measured:
        assert set(lengths.tokens) == {f.id for f in framings()}
        shortest, longest = min(lengths.tokens.values()), max(lengths.tokens.values())
        assert longest <= 1.05 * shortest
        assert lengths.matched


# loading Gemma's vocabulary takes as long as all the rest
@pytest.mark.parametrize("lengths", bundled_lengths()[:2], ids=lambda x: x.tokenizer)
def test_the_stored_token_counts_are_those_of_the_tokenizer(lengths: Any) -> None:
    tokenizers = pytest.importorskip("tokenizers", reason="extra `local` is missing")
    from inspect_awareness.whitebox._packaged import PINS, is_ready

    pin = PINS.get(lengths.tokenizer)
    if pin is None or not is_ready(pin):
        pytest.skip(f"{lengths.tokenizer} is not on this machine")
    tokenizer = tokenizers.Tokenizer.from_file(str(pin.folder / "tokenizer.json"))
    measured = framing_lengths(
        framings(),
        lengths.tokenizer,
        lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids),
    )
    assert measured == lengths


def test_unequal_lengths_are_noticed() -> None:
    pair = [Framing("a", "evaluation", "one two"), Framing("b", "deployment", "one")]
    lengths = framing_lengths(pair, "words", lambda text: len(text.split()))
    assert lengths.spread == 1.0
    assert not lengths.matched


def test_words_around_the_task_count_as_length() -> None:
    around = Framing("a", "evaluation", "one two", before="three ", after=" four")
    lengths = framing_lengths([around], "words", lambda text: len(text.split()))
    assert lengths.tokens == {"a": 4}


def test_every_bundled_framing_and_task_carries_a_canary() -> None:
    bundled = Path(__file__).parents[2] / "src/inspect_awareness/datasets/bundled"
    files = list((bundled / "framings").glob("*.md"))
    assert len(files) == 18
    for path in files:
        assert "\ncanary: " in path.read_text(encoding="utf-8")
    for line in (bundled / "tasks" / "tasks.jsonl").read_text("utf-8").splitlines():
        assert "not for training" in json.loads(line)["canary"]


def test_no_two_framings_of_other_settings_share_much() -> None:
    texts = {f.id: f.text for f in framings()}
    close = shared_five_grams(texts)
    # framings of one setting are alike on purpose
    assert {p for p, n in close.items() if n > 3 and len({i.split("-")[1] for i in p}) > 1} == set()  # fmt: skip


def test_the_tasks_are_many_short_and_of_many_topics() -> None:
    tasks = task_texts()
    assert len(tasks) >= 50
    assert len({t.topic for t in tasks}) >= 10
    assert len({t.text for t in tasks}) == len(tasks)
    assert max(len(t.text) for t in tasks) < 120
    shared = shared_five_grams({t.id: t.text for t in tasks})
    assert max(shared.values()) <= 1


def test_crossing_puts_the_same_bytes_under_every_framing() -> None:
    crossed = cross(framings(), task_texts())
    assert len(crossed) == 18 * len(task_texts())
    for task in task_texts():
        under = {c.task.text.encode() for c in crossed if c.task.id == task.id}
        assert under == {task.text.encode()}


def test_a_line_end_that_differs_between_conditions_is_an_error() -> None:
    one, two = (Framing(i, "evaluation", f"Words {i}") for i in "ab")
    lf, crlf = TaskText("t", "one\ntwo"), TaskText("t", "one\r\ntwo")
    check_crossed([FramedTask(one, lf), FramedTask(two, lf)])
    with pytest.raises(InputError, match=r"task t has other bytes under framing b.*8"):
        check_crossed([FramedTask(one, lf), FramedTask(two, crlf)])


def test_a_task_that_is_missing_under_a_framing_is_an_error() -> None:
    one, two = (Framing(i, "evaluation", f"Words {i}") for i in "ab")
    t, u = TaskText("t", "x"), TaskText("u", "y")
    with pytest.raises(InputError, match="framing b surrounds other tasks than a"):
        check_crossed([FramedTask(one, t), FramedTask(one, u), FramedTask(two, t)])
    with pytest.raises(InputError, match="no framed task"):
        cross(framings(), [])
    with pytest.raises(InputError, match="a task is there twice"):
        cross([one], [t, t])


def test_a_changed_word_changes_the_hash() -> None:
    framing = framings()[0]
    assert replace(framing, text=framing.text + " ").hash != framing.hash
    assert replace(framing, version=2).hash == framing.hash


def test_arms_are_read_in_every_spelling_and_neutral_ones_may_be_left_out(
    tmp_path: Path,
) -> None:
    found = framings(written(tmp_path, four()))
    assert [f.arm for f in found] == ["evaluation"] * 2 + ["deployment"] * 2


def test_a_folder_of_markdown_keeps_its_line_ends(tmp_path: Path) -> None:
    for entry in four():
        text = f"---\narm: {entry['arm']}\n---\nA {entry['id']}.\r\nB.\n"
        (tmp_path / f"{entry['id']}.md").write_bytes(text.encode())
    (tmp_path / "README.txt").write_text("not a framing")
    found = framings(tmp_path)
    assert [f.id for f in found] == ["d1", "d2", "e1", "e2"]
    assert found[0].text == "A d1.\r\nB."


def test_front_matter_with_windows_line_ends_is_read(tmp_path: Path) -> None:
    for entry in four():
        text = (
            f"---\r\narm: {entry['arm']}\r\nversion: 3\r\n---\r\nA {entry['id']}.\r\n"
        )
        (tmp_path / f"{entry['id']}.md").write_bytes(text.encode())
    assert {f.version for f in framings(tmp_path)} == {3}


def test_a_template_around_the_task_is_split_there(tmp_path: Path) -> None:
    entries = four()
    entries[0]["user_template"] = "Item 7:\n\n{task}\n\nAnswer:"
    found = framings(written(tmp_path, entries))
    assert (found[0].before, found[0].after) == ("Item 7:\n\n", "\n\nAnswer:")
    turn = FramedTask(found[0], TaskText("t", "2 + 2?")).turn
    assert turn == "Item 7:\n\n2 + 2?\n\nAnswer:"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": "  \n"}, "the framing is '  \\n'; it must be text, and not blank"),
        ({"text": None}, "the framing is None"),
        ({"text": "You serve {COMPANY}."}, "a slot left in it, {COMPANY}"),
        ({"text": "You do {task}."}, "a slot left in it, {task}"),
        ({"arm": "placebo"}, "arm 'placebo' is unknown; it must be one of evaluation"),
        ({"arm": ["eval"]}, "is unknown"),
        ({"id": "d1"}, "two framings have the id 'd1'"),
        ({"id": "D1"}, "two framings have the id 'd1'"),
        ({"text": "The words of e2."}, "two framings have the text"),
        ({"version": 0}, "version is 0"),
        ({"colour": "red"}, "unknown field colour"),
        ({"system": "More."}, "text and system are one field"),
        ({"user_template": "no slot"}, "it must hold {task} once"),
        ({"user_template": "{task} {task}"}, "it must hold {task} once"),
        ({"before": "As {ROLE}: "}, "`before` has a slot left in it, {ROLE}"),
        ({"id": ""}, "id is ''"),
    ],
)
def test_a_broken_framing_is_named_with_what_is_wrong(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    entries = four()
    entries[0] |= change
    assert message in refusal(tmp_path, entries)


def test_an_arm_of_one_and_arms_of_unequal_size_are_errors(tmp_path: Path) -> None:
    assert "1 deployment framing (it has" in refusal(tmp_path, four()[:3])
    assert "0 deployment framings" in refusal(tmp_path, four()[:2])
    more = [*four(), record("e3", "evaluation")]
    assert "unequal size (2 deployment, 3 evaluation)" in refusal(tmp_path, more)
    alone = [*four(), record("n1", "neutral")]
    assert "1 neutral framing (it has" in refusal(tmp_path, alone)


@pytest.mark.parametrize("content", [[], {}, "text", {"_comment": "none"}, [1]])
def test_a_file_without_framings_is_an_error(tmp_path: Path, content: Any) -> None:
    assert "framing" in refusal(tmp_path, content)


def test_a_key_given_twice_is_an_error_and_not_the_last_one(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"a": {"arm": "eval", "text": "x"}, "a": {"arm": "deploy"}}')
    with pytest.raises(InputError, match="key 'a' is given twice"):
        framings(path)
    path = tmp_path / "f.yaml"
    path.write_text("a: {arm: eval, text: x}\na: {arm: deploy, text: y}\n")
    with pytest.raises(InputError, match="key 'a' is given twice"):
        framings(path)


def test_files_that_cannot_be_framings_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no framing \(\*\.md\) in this folder"):
        framings(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        framings(tmp_path / "absent.json")
    (tmp_path / "f.csv").write_text("id,arm\n")
    with pytest.raises(InputError, match=r"expected a file that ends in \.json"):
        framings(tmp_path / "f.csv")
    (tmp_path / "f.json").write_bytes(b"[\xff]")
    with pytest.raises(InputError, match="not UTF-8"):
        framings(tmp_path / "f.json")
    (tmp_path / "a.md").write_text("no front matter")
    with pytest.raises(InputError, match="expected front matter"):
        framings(tmp_path)
    (tmp_path / "a.md").write_text("---\nid: b\narm: eval\n---\nWords.")
    with pytest.raises(InputError, match="id 'b' is not the file's name"):
        framings(tmp_path)


def test_tasks_of_a_user_are_read_and_may_hold_braces(tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    lines = [{"id": "a", "task": "Print {NAME}."}, {"id": "b", "prompt": "x\r\ny"}]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert [t.text for t in task_texts(path)] == ["Print {NAME}.", "x\r\ny"]
    path.write_text(json.dumps({"id": "a", "task": " "}))
    with pytest.raises(InputError, match="must be text, not blank"):
        task_texts(path)
    path.write_text("\n".join([json.dumps(lines[0])] * 2))
    with pytest.raises(InputError, match="two tasks have the id 'a'"):
        task_texts(path)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
def test_the_published_framings_and_tasks_are_read() -> None:
    found = framings(SHARED / "framings_multi.json")
    assert Counter(f.arm for f in found) == dict.fromkeys(ARMS, 6)
    assert all(f.before.endswith(":\n\n") and f.after == "" for f in found)
    assert len(task_texts(SHARED / "tasks_bench.jsonl")) == 60
    # its other file has single conditions without an arm
    with pytest.raises(InputError, match=r"\(control\): arm None is unknown"):
        framings(SHARED / "framings.json")
