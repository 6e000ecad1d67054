"""Pages, records, and what hostile names can do to them."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree

import pytest
from scored import (
    INSTRUMENT,
    Scored,
    Transcript,
    beginnings,
    scored_log,
    spread_out,
    stood_apart,
)

from inspect_awareness.errors import InputError
from inspect_awareness.report import (
    Report,
    build_report,
    report_record,
    write_report,
)
from inspect_awareness.report._cells import bars
from inspect_awareness.report._curve_figure import curves_svg
from inspect_awareness.report._figures import distribution_svg
from inspect_awareness.report._markdown import escaped

HOSTILE = (
    "<script>alert(1)</script>",
    "a|b",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/p.png)",
    "line\nbreak\n\n# heading",
    "$\\frac{1}{0}$ 100%_{x}",
    '"><img src=x onerror=alert(1)>',
    "</svg></style><b>",
    "{{ 7 * 7 }} {% raw %}",
    "`code` *bold* _it_ ~~gone~~",
    "bell\x07 esc\x1b[31m turn\u202eed",
    "日本語 🙂 עברית",
    "www.evil.example",
)
"""Names as somebody could give to a task, a model or a sample."""


def report_of(folder: Path, *logs: Scored) -> Report:
    """A report on logs."""
    return build_report(
        [scored_log(folder / f"{i}.eval", log) for i, log in enumerate(logs)]
    )


def calibrated(folder: Path) -> Report:
    """A report with everything in it."""
    deployment = [replace(t, label="deployment") for t in spread_out(0.3, 9)]
    return report_of(
        folder,
        Scored([*spread_out(0.7, 9), Transcript(None, "x", reason="refusal")]),
        Scored(spread_out(0.6, 9), source="hle"),
        Scored(deployment, source="support"),
    )


@cache
def hostile(name: str) -> Report:
    """A report in which everything that can be is called by a name."""
    with TemporaryDirectory() as folder:
        return _hostile(Path(folder), name)


def _hostile(folder: Path, name: str) -> Report:
    """The same, with its files in a folder."""
    transcripts = [
        Transcript(0.6, task=f"{name}{k}", uuid=f"{name}{k}", reason=name)
        for k in range(3)
    ]
    transcripts.append(Transcript(None, task="x", uuid=f"{name}x", reason=name))
    apart = {
        name: stood_apart("rating", None, reason=name),
        f"c{name}": stood_apart("control", 0.7, correct=0.3),
    }
    transcripts = [replace(t, apart=apart) for t in transcripts]
    deployment = [
        Transcript(0.3, task=str(k), uuid=f"d{k}", label="deployment") for k in range(3)
    ]
    return report_of(
        folder,
        Scored(transcripts, source=name, rater=name, subject=f"s{name}"),
        Scored(deployment, source=f"d{name}", rater=name, subject=name),
    )


class Page(HTMLParser):
    """The elements, attributes and text of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.extend(attrs)

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def written(report: Report, path: Path) -> str:
    """The text of a report's file."""
    write_report(report, path)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_a_name_in_html(tmp_path: Path, name: str) -> None:
    plain = Page(written(hostile("plain"), tmp_path / "a.html"))
    page = Page(written(hostile(name), tmp_path / "b.html"))
    assert set(page.tags) <= {*plain.tags, "wbr"}  # a place to break a long name
    assert page.tags.count("b") == plain.tags.count("b")
    names = {key for key, _ in page.attributes}
    assert not any(key.startswith("on") for key in names)
    links = [value for key, value in page.attributes if key in ("src", "href")]
    assert all((value or "").startswith("#") for value in links)
    assert any(name.split("\x07")[0].split()[0] in text for text in page.text)
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e]", "".join(page.text))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_a_cell_in_markdown(tmp_path: Path, name: str) -> None:
    plain = written(hostile("plain"), tmp_path / "a.md")
    text = written(hostile(name), tmp_path / "b.md")
    assert len(text.splitlines()) == len(plain.splitlines())
    for line, like in zip(text.splitlines(), plain.splitlines(), strict=True):
        cells = re.findall(r"(?<!\\)\|", line)
        assert len(cells) == len(re.findall(r"(?<!\\)\|", like)), line
    assert not re.search(r"<\w|(?<!\\)\]\(|(?<!\\)`|://|\bwww\.", text)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_text_in_the_figure(name: str) -> None:
    block = hostile(name).blocks[0]
    tree = ElementTree.fromstring(distribution_svg(block))
    kinds = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert kinds.isdisjoint({"script", "img", "b", "image", "a"})


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_stays_text_in_the_figure_of_curves(tmp_path: Path, name: str) -> None:
    curve = beginnings([0.2, 0.3, 0.8, 0.9], task=name, uuid=name)
    turns = {**INSTRUMENT, "view": "turns"}
    report = report_of(tmp_path, Scored(curve, source=name, instrument=turns))
    tree = ElementTree.fromstring(curves_svg(report.blocks[0]))
    kinds = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert kinds.isdisjoint({"script", "img", "b", "image", "a"})


def test_escaping_undoes_every_kind_of_markup() -> None:
    assert escaped("a|b") == r"a\|b"
    assert escaped("[x](javascript:y)") == r"\[x\](javascript:y)"
    assert escaped("two\nlines") == "two lines"
    assert escaped("https://x.y") == "https&#58;//x.y"


def test_the_page_is_one_file_that_loads_nothing(tmp_path: Path) -> None:
    text = written(calibrated(tmp_path), tmp_path / "a.html")
    page = Page(text)
    assert not {"script", "link", "iframe", "img", "object"} & set(page.tags)
    assert "default-src 'none'" in text
    outside = re.findall(r"(?:src|href|url)\s*[=(]\s*[\"']?(https?:[^\"')]+)", text)
    assert outside == []


def test_the_page_shows_the_numbers_the_figure_and_the_caveats(tmp_path: Path) -> None:
    report = calibrated(tmp_path)
    text = written(report, tmp_path / "a.html").replace("\u00a0", " ")
    assert "<svg" in text
    assert "0.70 [0.66, 0.74]" in text
    assert "How to read this, and what it cannot tell" in text
    assert "a narrow reference (fewer than 8 sources)" in text
    assert "prefers-color-scheme: dark" in text
    for block in report.blocks:
        for sentence in block.reading:
            assert sentence.split("'")[0][:40] in text


def test_markdown_has_the_same_tables(tmp_path: Path) -> None:
    text = written(calibrated(tmp_path), tmp_path / "a.md")
    for title in (
        "P(eval) by source",
        "What is missing",
        "Deployment reference",
        "Question by question",
        "The rater's habits",
        "How it was asked",
        "Files",
    ):
        assert f"### {title}" in text
    assert "| gaia | 10 | 90 % |" in text
    assert "1 of 10 (refusal 1)" in text


def test_two_ways_of_asking_one_rater_have_headings_of_their_own(
    tmp_path: Path,
) -> None:
    one = Scored(spread_out(0.4, 5))
    mine = {"bank": "mine", "bank_hash": "aa", "questions": ["lone"]}
    other = replace(one, instrument={**INSTRUMENT, **mine})
    made = report_of(tmp_path, one, other)
    for ending in ("md", "html"):
        path = tmp_path / f"report.{ending}"
        write_report(made, path)
        text = path.read_text()
        # what follows from the others, the hash of the words, is not in the heading
        assert "transcripts (bank core-1, 4 questions)" in text
        assert "transcripts (bank mine, 1 question)" in text
    write_report(report_of(tmp_path, one), tmp_path / "alone.md")
    (heading,) = (
        line
        for line in (tmp_path / "alone.md").read_text().splitlines()
        if line.startswith("## ") and "judging" in line
    )
    assert heading.endswith("transcripts")


def test_json_is_strict_and_undefined_is_null(tmp_path: Path) -> None:
    report = report_of(tmp_path, Scored([Transcript(0.6)]))
    text = written(report, tmp_path / "a.json")
    record = json.loads(text, parse_constant=lambda c: pytest.fail(f"{c} in JSON"))
    (row,) = record["blocks"][0]["rows"]
    assert row["mean"]["estimate"]["value"] == pytest.approx(0.6)
    assert row["mean"]["estimate"]["low"] is None
    assert row["auroc"] is None
    assert "uncalibrated" in row["mean"]["sentence"].lower()
    assert record["schema_version"] == 1


def test_the_record_is_what_is_written(tmp_path: Path) -> None:
    report = calibrated(tmp_path)
    written_record = json.loads(written(report, tmp_path / "a.json"))
    assert written_record == json.loads(json.dumps(report_record(report)))


def test_another_ending_is_an_error_that_names_the_endings(tmp_path: Path) -> None:
    report = report_of(tmp_path, Scored([Transcript(0.6)]))
    with pytest.raises(InputError, match=r"one of \.html, \.json, \.md"):
        write_report(report, tmp_path / "a.pdf")
    with pytest.raises(InputError, match="no such folder"):
        write_report(report, tmp_path / "sub" / "a.md")


def test_a_report_replaces_an_older_one_whole_and_leaves_nothing_beside(
    tmp_path: Path,
) -> None:
    report = report_of(tmp_path, Scored([Transcript(0.6)]))
    (tmp_path / "a.md").write_text("old " * 100_000)
    text = written(report, tmp_path / "a.md")
    assert text.startswith("# Evaluation awareness")
    assert {p.name for p in tmp_path.iterdir()} == {"0.eval", "a.md"}


def test_the_same_report_is_written_the_same(tmp_path: Path) -> None:
    report = replace(calibrated(tmp_path), created=datetime(2026, 11, 30, tzinfo=UTC))
    for ending in ("html", "md", "json"):
        once = written(report, tmp_path / f"a.{ending}")
        assert once == written(report, tmp_path / f"b.{ending}")


def test_many_sources_and_many_transcripts_keep_the_figure_small(
    tmp_path: Path,
) -> None:
    many = [Transcript(0.3 + k / 1000, task=str(k)) for k in range(300)]
    block = report_of(tmp_path, Scored(many)).blocks[0]
    assert len(distribution_svg(block)) < 100_000


def test_a_block_without_any_row_is_drawn_empty(tmp_path: Path) -> None:
    block = replace(calibrated(tmp_path).blocks[0], rows=(), reference_rows=())
    assert distribution_svg(block).startswith("<svg")


def test_bars_count_tenths() -> None:
    # Two in the first tenth, one in the last: heights 7, 0 ..., and ceil(7 / 2) = 4.
    assert bars([0.0, 0.05, 1.0]) == "█▁▁▁▁▁▁▁▁▅"
    assert bars([]) == "–"
