"""Cues against people: tasks for them to label, and how far a judge agrees."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from inspect_awareness.cli._ratings import (
    Ratings,
    agreement_of,
    agreement_record,
    print_agreement,
)
from inspect_awareness.cli._shared import out
from inspect_awareness.cli._stated import plain, say
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_awareness.tables import Table
    from inspect_awareness.validation import CueFrame, CueLabels, DrawnTasks


def sample_cues(paths: Sequence[str], output: Path, options: Mapping[str, Any]) -> None:
    """Draw stably aware tasks, write them for people to label, and say so."""
    from inspect_awareness.measurements import Measurements
    from inspect_awareness.validation import (
        cue_frame_of,
        cue_texts,
        draw_tasks,
        write_cues,
        write_texts,
    )

    if options["design"] != "random" or options["scout"] is not None:
        raise InputError(
            "--cues draws tasks at random and for a table only; leave --design and "
            "--scout out"
        )
    cues = cue_frame_of(
        Measurements.load(paths),
        judge=options["judge"],
        min_aware=options["min_aware"],
    )
    rng = np.random.default_rng(options["seed"])
    drawn = draw_tasks(cues, size=options["size"], rng=rng)
    texts = cue_texts(paths, drawn, shown=options["text"])
    if options["texts"] is not None:
        texts = write_texts(options["texts"], drawn.items, texts)
    write_cues(output, drawn, texts, show_verdict=options["show_verdict"])
    _print_drawn(drawn, options)
    for path in (output, options["texts"]):
        if path is not None:
            say(f"wrote {path}")


def score_cues(
    table: "Table", paths: Sequence[str], judge: str | None, *, as_json: bool
) -> None:
    """Compare a judge's cues with labels, and columns of labels with each other."""
    from inspect_awareness.measurements import Measurements
    from inspect_awareness.validation import cue_frame_of, cue_labels_of, min_aware_of

    cues = cue_frame_of(
        Measurements.load(paths), judge=judge, min_aware=min_aware_of(table)
    )
    labels = cue_labels_of(table, cues)
    ratings = _ratings(labels)
    found = agreement_of(ratings, "nominal")
    classes = _classes(labels)
    if as_json:
        record = {
            "judge": cues.frame.judge,
            "drawn": int(labels.codes.shape[1]),
            "labelled": _labelled(labels),
            "no_cue": dict(cues.frame.missing),
            "agreement": agreement_record(found),
            "classes": classes,
        }
        click.echo(json.dumps(record, allow_nan=False))
        return
    _print_head(cues, labels)
    print_agreement(found)
    _print_classes(classes, labels.raters[1:])


def _ratings(labels: "CueLabels") -> Ratings:
    """The judge and the people as raters of the same tasks."""
    from inspect_awareness._cues import CATEGORIES

    counts = {
        name: int((labels.codes == code).sum()) for code, name in enumerate(CATEGORIES)
    }
    return Ratings(labels.raters, labels.codes, counts)


def _labelled(labels: "CueLabels") -> dict[str, int]:
    """How many tasks each person labelled."""
    known = (~np.isnan(labels.codes)).sum(axis=1).tolist()
    return dict(zip(labels.raters[1:], known[1:], strict=True))


def _classes(labels: "CueLabels") -> dict[str, dict[str, Any]]:
    """For each category how often the judge and each person name it, and both."""
    from inspect_awareness._cues import CATEGORIES

    found: dict[str, dict[str, Any]] = {}
    for code, name in enumerate(CATEGORIES):
        named = labels.codes == code
        if named.any():
            found[name] = {
                "judge": int(named[0].sum()),
                **{
                    person: {
                        "named": int(row.sum()),
                        "both": int((row & named[0]).sum()),
                    }
                    for person, row in zip(labels.raters[1:], named[1:], strict=True)
                },
            }
    return found


def _print_drawn(drawn: "DrawnTasks", options: Mapping[str, Any]) -> None:
    """How many of how many, where from, and what was left out."""
    frame, n = drawn.cues.frame, len(drawn.items)
    say(
        f"{n} of {int(frame.known.sum())} stably aware tasks with a cue of "
        f"{frame.judge}, drawn at random (seed {options['seed']})"
    )
    if n < options["size"]:
        say("that is all there are")
    inside = set(drawn.rows.tolist())
    for (model, benchmark), rows in frame.strata.items():
        count = sum(row in inside for row in rows.tolist())
        say(f"{model}, {benchmark}: {count} of {int(frame.known[rows].sum())}")
    if frame.missing:
        counts = ", ".join(f"{reason} {k}" for reason, k in frame.missing.items())
        say(f"no cue, so not drawn: {counts}")


def _print_head(cues: "CueFrame", labels: "CueLabels") -> None:
    """Who is compared with whom, on how many tasks."""
    drawn = labels.codes.shape[1]
    counts = ", ".join(f"{name} {n}" for name, n in _labelled(labels).items())
    say(
        f"cues of {cues.frame.judge} against people: {drawn} tasks drawn at random, "
        f"labelled: {counts}"
    )


def _print_classes(
    classes: Mapping[str, Mapping[str, Any]], people: Sequence[str]
) -> None:
    """A row for each category: who names it how often, and how often the judge too."""
    from rich.table import Table

    shown = Table("cue", box=None, header_style="bold")
    for name in ("judge", *(part for p in people for part in (p, "both"))):
        shown.add_column(plain(name), justify="right")
    for name, each in classes.items():
        cells = [str(each[p][key]) for p in people for key in ("named", "both")]
        shown.add_row(plain(name), str(each["judge"]), *cells)
    out.print(shown)
    say("both: tasks to which the judge gives the same cue as that column")
