"""Floors beside an AUROC, and raters on the same transcripts."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from scored import INSTRUMENT, Scored, Transcript, scored_log, spread_out

from inspect_awareness._sealed import content_digest
from inspect_awareness.cli import main
from inspect_awareness.errors import InputError
from inspect_awareness.report import Report, build_report, write_report
from inspect_awareness.stats import Estimate, auroc
from inspect_awareness.surface import SurfaceFloor, SurfaceFloors, write_floors


def floor_file(path: Path, **values: float | None) -> Path:
    """A file of floors, as `awareness floor` writes it."""
    floors = [
        {
            "kind": kind,
            "auroc": {
                "value": value,
                "low": None if value is None else value - 0.05,
                "high": None if value is None else value + 0.05,
                "n": 18,
                "unit": "task",
                "clusters": 18,
                "note": "no fold" if value is None else "",
            },
            "note": "",
        }
        for kind, value in values.items()
    ]
    record = {
        "schema_version": 1,
        "floors": floors,
        "evaluation": 9,
        "deployment": 9,
        "sources": {"evaluation": {"gaia": 9}, "deployment": {"support": 9}},
        "rater": None,
    }
    path.write_text(json.dumps(record))
    return resealed(path)


def resealed(path: Path, **changes: Any) -> Path:
    """The file with other fields, as if it had been written with them."""
    record = {**json.loads(path.read_text()), **changes}
    path.write_text(json.dumps({**record, "digest": content_digest(record)}))
    return path


def files(folder: Path, rater: str = "openai/rater", **changed: Any) -> list[Path]:
    """Nine evaluation transcripts around .5 and nine deployment ones around .4."""
    same = {"rater": rater, "instrument": {**INSTRUMENT, **changed}}
    theirs = [replace(t, label="deployment") for t in spread_out(0.4, 9)]
    name = rater.replace("/", "-")
    return [
        scored_log(folder / f"{name}-e.eval", Scored(spread_out(0.5, 9), **same)),
        scored_log(folder / f"{name}-d.eval", Scored(theirs, source="support", **same)),
    ]


def test_the_best_floor_stands_beside_the_auroc_with_the_excess(
    tmp_path: Path,
) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6, characters=0.7, length=0.55)
    report = build_report(files(tmp_path), floor=path)
    (row,) = report.blocks[0].rows
    assert row.auroc is not None
    assert row.auroc.floor is not None
    assert row.auroc.floor.value == 0.7
    area = row.auroc.estimate.value
    assert row.auroc.excess == pytest.approx(area - 0.7)
    assert f"{area - 0.7:+.2f} from it (no interval" in row.auroc.sentence
    assert "by characters alone" in row.auroc.sentence
    assert not any("a floor (what" in s for s in report.blocks[0].reading)


def test_overlapping_intervals_show_nothing_above_the_floor(tmp_path: Path) -> None:
    near = floor_file(tmp_path / "f.json", words=0.8)
    far = floor_file(tmp_path / "g.json", words=0.2)
    reading = {
        path.name: " ".join(build_report(files(tmp_path), floor=path).blocks[0].reading)
        for path in (near, far)
    }
    assert "The two intervals overlap" in reading["f.json"]
    assert "What is above the floor is not due to it" in reading["g.json"]


def test_a_floor_on_other_numbers_of_transcripts_is_pointed_out(
    tmp_path: Path,
) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6)
    assert not any("not the same set" in s for s in reading_of(files(tmp_path), path))
    extra = scored_log(tmp_path / "x.eval", Scored([Transcript(0.5, task="x")]))
    (said,) = [
        s
        for s in reading_of([*files(tmp_path), extra], path)
        if "not the same set" in s
    ]
    assert said == (
        "The floor was measured on 9 evaluation transcripts from 1 source and 9 "
        "deployment transcripts from 1 source, the AUROC on 10 evaluation transcripts "
        "from 1 source and 9 deployment transcripts from 1 source: they are not the "
        "same set (evaluation from gaia: 9 and 10)."
    )


def test_a_floor_on_other_sources_of_the_same_size_is_pointed_out(
    tmp_path: Path,
) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6)
    others = {"evaluation": {"gaia": 9}, "deployment": {"forum": 5, "support": 4}}
    resealed(path, sources=others)
    (said,) = [s for s in reading_of(files(tmp_path), path) if "not the same set" in s]
    assert said.endswith(
        "(deployment from forum: 5 and 0; deployment from support: 4 and 9)."
    )


def test_a_floor_that_was_edited_by_hand_is_refused(tmp_path: Path) -> None:
    path = floor_file(tmp_path / "f.json", words=0.9)
    record = json.loads(path.read_text())
    path.write_text(json.dumps(dict(reversed(record.items())), indent=4))
    assert build_report(files(tmp_path), floor=path).floors is not None
    record["floors"][0]["auroc"]["value"] = 0.5
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"f\.json: changed after.*awareness floor"):
        build_report(files(tmp_path), floor=path)
    del record["digest"]
    path.write_text(json.dumps(record))
    with pytest.raises(InputError, match=r"f\.json: changed after.*digest None"):
        build_report(files(tmp_path), floor=path)


def test_the_report_says_what_the_floor_was_measured_on(tmp_path: Path) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6)
    digest = json.loads(path.read_text())["digest"]
    write_report(build_report(files(tmp_path), floor=path), tmp_path / "a.md")
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert (
        f"From f.json (digest {digest}), measured on 9 evaluation transcripts (gaia 9) "
        "and 9 deployment transcripts (support 9)."
    ) in " ".join(text.split())


def reading_of(scored: list[Path], floor: Path) -> tuple[str, ...]:
    """The sentences of a report with a floor."""
    return build_report(scored, floor=floor).blocks[0].reading


def test_of_several_sources_only_all_together_have_the_floor(tmp_path: Path) -> None:
    other = scored_log(tmp_path / "o.eval", Scored(spread_out(0.6, 5), source="hle"))
    path = floor_file(tmp_path / "f.json", words=0.6)
    rows = build_report([*files(tmp_path), other], floor=path).blocks[0].rows
    assert [row.auroc is not None and row.auroc.floor is not None for row in rows] == [
        True,
        False,
        False,
    ]


def test_a_floor_on_another_view_is_not_compared(tmp_path: Path) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6)
    for view, compared in (("full", True), ("prompt", False)):
        resealed(path, view=view)
        block = build_report(files(tmp_path), floor=path).blocks[0]
        auroc = block.rows[0].auroc
        assert auroc is not None
        assert (auroc.floor is not None) == compared
        said = any("measured on the view prompt" in s for s in block.reading)
        assert said != compared


def test_what_the_command_floor_writes_is_read(tmp_path: Path) -> None:
    found = SurfaceFloors(
        (SurfaceFloor("words", Estimate(0.7, 0.6, 0.8, 0.95, 18, 18), 0.02, ""),),
        9,
        9,
        {"evaluation": {"gaia": 9}, "deployment": {"support": 9}},
        5,
        200,
        "full",
        0,
        "folds of whole sources",
    )
    write_floors(found, tmp_path / "f.json")
    report = build_report(files(tmp_path), floor=tmp_path / "f.json")
    assert report.floors is not None
    assert report.floors.floors[0].permutation_p == 0.02
    write_report(report, tmp_path / "a.md")
    assert report.floors.view == "full"
    text = (tmp_path / "a.md").read_text(encoding="utf-8")
    assert "| words alone | 0.70 \\[0.60, 0.80\\] | 18 | 18 (sample) | 0.020 |" in text
    assert "Folds of whole sources." in text


def test_a_floor_that_is_not_defined_is_none(tmp_path: Path) -> None:
    path = floor_file(tmp_path / "f.json", words=None)
    report = build_report(files(tmp_path), floor=path)
    auroc = report.blocks[0].rows[0].auroc
    assert auroc is not None
    assert auroc.floor is None
    write_report(report, tmp_path / "a.json")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no json", "no JSON"),
        ("[]", "schema_version is None, 1 is read"),
        ('{"schema_version": 2}', "schema_version is 2, 1 is read"),
        ('{"schema_version": 1}', "a field is missing or wrong"),
        (
            '{"schema_version": 1, "evaluation": 1, "deployment": 1, "floors": '
            '[{"kind": "words", "auroc": {"value": 7, "low": null, "high": null}}]}',
            "an AUROC is in",
        ),
    ],
)
def test_a_file_that_holds_no_floors_is_an_error(
    tmp_path: Path, text: str, words: str
) -> None:
    path = tmp_path / "f.json"
    path.write_text(text)
    with pytest.raises(InputError, match=rf"f\.json: not a file of floors.*{words}"):
        build_report(files(tmp_path), floor=path)
    with pytest.raises(InputError, match="cannot be read"):
        build_report(files(tmp_path), floor=tmp_path / "none.json")


def test_two_raters_are_compared_on_the_transcripts_that_both_scored(
    tmp_path: Path,
) -> None:
    scored = [*files(tmp_path), *second_rater(tmp_path)]
    (found,) = build_report(scored).raters
    mine = [0.5 + 0.02 * (k - 4) for k in range(9)]
    theirs = [0.4 + 0.02 * (k - 4) for k in range(9)]
    assert (found.first, found.second) == ("openai/other", "openai/rater")
    assert (found.evaluation, found.deployment) == (9, 9)
    assert found.second_auroc == pytest.approx(auroc(mine, theirs))
    assert found.first_auroc == pytest.approx(0.5)
    gap = found.difference.estimate
    assert gap.value == pytest.approx(found.first_auroc - found.second_auroc)
    assert (gap.unit, gap.clusters) == ("task", 18)
    assert gap.has_interval
    assert found.difference.subject == "openai/subject"


def test_each_rater_is_told_how_it_stands_to_the_other(tmp_path: Path) -> None:
    report = build_report([*files(tmp_path), *second_rater(tmp_path)])
    (found,) = report.raters
    gap = found.difference.estimate
    other, rater = (" ".join(block.reading) for block in report.blocks)
    assert f"openai/rater reaches AUROC {found.second_auroc:.2f}" in other
    assert f"the difference to it is {gap.value:.2f} [{gap.low:.2f}" in other
    assert "openai/other reaches AUROC 0.50" in rater
    assert f"the difference to it is {-gap.value:.2f} [{-gap.high:.2f}" in rater


def second_rater(folder: Path) -> list[Path]:
    """Another rater's scores of the same transcripts, which tell nothing apart."""
    scores = (0.3, 0.5, 0.4, 0.6, 0.35, 0.55, 0.45, 0.52, 0.38)
    logs = [
        Scored(
            [Transcript(p, str(k), label=label) for k, p in enumerate(order)],
            source=source,
            rater="openai/other",
        )
        for label, source, order in (
            ("evaluation", "gaia", scores),
            ("deployment", "support", tuple(reversed(scores))),
        )
    ]
    return [scored_log(folder / f"o{k}.eval", log) for k, log in enumerate(logs)]


def test_raters_that_saw_another_view_are_not_compared(tmp_path: Path) -> None:
    scored = [*files(tmp_path), *files(tmp_path, "openai/other", view="prompt")]
    assert build_report(scored).raters == ()


def test_raters_asked_in_other_ways_are_compared_with_what_differs(
    tmp_path: Path,
) -> None:
    scored = [*files(tmp_path), *files(tmp_path, "openai/other", elicitation="label")]
    (found,) = build_report(scored).raters
    assert found.asked == "elicitation: label / logprob"
    # the same scores: no difference, and no interval that pretends to know it
    assert found.difference.estimate.value == 0.0
    assert not found.difference.estimate.has_interval


def test_the_command_takes_floor_and_seed_and_prints_them(tmp_path: Path) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6)
    out = tmp_path / "a.md"
    arguments = ["report", *map(str, files(tmp_path)), "--floor", str(path)]
    done = CliRunner().invoke(
        main, [*arguments, "--seed", "7", "--json", "-o", str(out)]
    )
    assert done.exit_code == 0, done.output
    record = json.loads(done.stdout)
    assert record["seed"] == 7
    assert record["floors"]["floors"][0]["auroc"]["value"] == 0.6
    (row,) = record["blocks"][0]["rows"]
    assert row["auroc"]["floor"]["value"] == 0.6
    assert record["blocks"][0]["placed"][0]["percentile"] == 100
    needed = record["blocks"][0]["over_questions"]["coefficients"]
    assert all("sentence" in each["needed_for_ranking"] for each in needed)
    text = out.read_text(encoding="utf-8")
    assert "### Floors: what surface form alone achieves" in text
    assert "seed 7" in text


def test_every_part_is_in_every_format(tmp_path: Path) -> None:
    path = floor_file(tmp_path / "f.json", words=0.6)
    report: Report = build_report(
        [*files(tmp_path), *second_rater(tmp_path)], floor=path
    )
    titles = (
        "Compared with deployment",
        "The most test-like transcripts",
        "Reliability over questions",
        "Where P(eval) varies",
        "Floors: what surface form alone achieves",
        "Raters on the same transcripts",
    )
    for ending in ("html", "md"):
        write_report(report, tmp_path / f"a.{ending}")
        text = (tmp_path / f"a.{ending}").read_text(encoding="utf-8")
        for title in titles:
            assert title in text, (ending, title)
