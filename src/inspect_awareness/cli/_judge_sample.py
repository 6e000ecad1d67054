"""`awareness judge sample`: transcripts for people to label, to validate a judge."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness.cli._judge_cues import sample_cues
from inspect_awareness.cli._shared import one_line_errors
from inspect_awareness.cli._stated import say
from inspect_awareness.errors import InputError

if TYPE_CHECKING:
    from inspect_awareness.validation import Drawn

FEW_AWARE = 10
"""Below so many judged aware a random sample says little of them."""

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="JUDGED...")
@click.option(
    "-o", "--output", required=True, type=FILE, help="The CSV for people to fill in."
)
@click.option(
    "--size",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    help="How many transcripts.",
)
@click.option(
    "--design",
    type=click.Choice(["random", "judge"]),
    default="random",
    show_default=True,
    help="At random, or in each model and benchmark up to half judged aware.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("--judge", help="The judge, where several judged.")
@click.option(
    "--text",
    type=click.Choice(["judged", "evidence", "none"]),
    default="judged",
    show_default=True,
    help="What of a transcript is shown: all that was judged, or the judge's quotes.",
)
@click.option(
    "--texts", type=FILE, help="Folder for texts that are too long for a cell."
)
@click.option(
    "--show-verdict", is_flag=True, help="Show the verdict, which people then follow."
)
@click.option(
    "--scout", type=FILE, help="Also a validation set of Inspect Scout to fill in."
)
@click.option("--cues", is_flag=True, help="Stably aware tasks, to name their cue.")
@click.option(
    "--min-aware",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="With --cues: aware repeats that make a task stably aware.",
)
@one_line_errors
def sample(paths: tuple[str, ...], output: Path, **options: Any) -> None:
    """Draw transcripts for people to label; the judge's verdicts stay hidden.

    JUDGED are logs that `awareness judge run` wrote, or folders of them. Fill in the
    column `label` (1: aware, 0: not aware), leave all else as it is, and give the file
    to `awareness judge score`.

    With --cues, JUDGED are logs that `awareness judge attribute` wrote, each row is a
    stably aware task, and `label` is F1 to F8 or generic.
    """
    import numpy as np

    from inspect_awareness.measurements import Measurements
    from inspect_awareness.validation import draw_sample, frame_of, text_of

    _check(output, options)
    if options["cues"]:
        sample_cues(paths, output, options)
        return
    frame = frame_of(Measurements.load(paths), judge=options["judge"])
    drawn = draw_sample(
        frame,
        design=options["design"],
        size=options["size"],
        rng=np.random.default_rng(options["seed"]),
    )
    texts = text_of(paths, frame, drawn.items, shown=options["text"])
    _write(output, drawn, texts, options)
    _print_drawn(drawn, options["size"], options["seed"])
    for path in (output, options["texts"], options["scout"]):
        if path is not None:
            say(f"wrote {path}")


def _check(output: Path, options: dict[str, Any]) -> None:
    """Refuse what cannot be, before anything is read."""
    from inspect_awareness.validation import check_free

    hides = not options["show_verdict"] and not options["cues"]
    if options["text"] == "evidence" and hides:
        raise InputError(
            "--text evidence shows quotes only where the judge said aware, and so "
            "gives its verdicts away: add --show-verdict, or show what was judged"
        )
    if options["text"] == "none" and options["texts"] is not None:
        raise InputError("--text none leaves nothing to write to --texts; give one")
    for path in (output, options["texts"], options["scout"]):
        if path is not None:
            check_free(path)


def _write(
    output: Path, drawn: "Drawn", texts: dict[str, str], options: dict[str, Any]
) -> None:
    """The CSV, the texts beside it, and the set for Scout."""
    from inspect_awareness.validation import write_labels, write_scout, write_texts

    cells = texts
    if options["texts"] is not None:
        cells = write_texts(options["texts"], drawn.items, texts)
    write_labels(output, drawn, cells, show_verdict=options["show_verdict"])
    if options["scout"] is not None:
        write_scout(options["scout"], drawn.items)


def _print_drawn(drawn: "Drawn", size: int, seed: int) -> None:
    """How many of how many, where from, and what to know of the draw."""
    frame, n = drawn.frame, len(drawn.items)
    how = "at random" if drawn.design == "random" else "by the judge's verdict"
    say(
        f"{n} of {int(frame.known.sum())} transcripts with a verdict of {frame.judge}, "
        f"drawn {how} (seed {seed})"
    )
    if n < size:
        say("that is all there are")
    for (model, benchmark), rows in frame.strata.items():
        inside = sum(row in set(rows.tolist()) for row in drawn.rows.tolist())
        say(f"{model}, {benchmark}: {inside} of {int(frame.known[rows].sum())}")
    if frame.missing:
        counts = ", ".join(f"{reason} {k}" for reason, k in frame.missing.items())
        say(f"no verdict, so not drawn: {counts}")
    aware = int(frame.verdicts[drawn.rows].sum())
    if drawn.design == "random" and aware < FEW_AWARE:
        say(
            f"fewer than {FEW_AWARE} of them are judged aware: --design judge draws "
            "more, and gives tighter corrected rates"
        )
