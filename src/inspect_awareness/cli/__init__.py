"""The `awareness` command: parses, calls, prints. No work is done here."""

import click

from inspect_awareness._version import __version__
from inspect_awareness.cli._bank import bank
from inspect_awareness.cli._correct import correct
from inspect_awareness.cli._demo import demo
from inspect_awareness.cli._floor import floor
from inspect_awareness.cli._framings import framings
from inspect_awareness.cli._judge import judge
from inspect_awareness.cli._kappa import kappa
from inspect_awareness.cli._models import models
from inspect_awareness.cli._rate import rate
from inspect_awareness.cli._report import report
from inspect_awareness.cli._score import score
from inspect_awareness.cli._select import select
from inspect_awareness.cli._shares import shares
from inspect_awareness.cli._store import store
from inspect_awareness.cli._study import study
from inspect_awareness.cli._tax import tax
from inspect_awareness.cli._transcripts import transcripts

__all__ = ["main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="awareness")
def main() -> None:
    """Did the model know that it was being tested, and how sure is that?"""


for command in (
    transcripts,
    score,
    judge,
    report,
    floor,
    bank,
    rate,
    tax,
    correct,
    shares,
    kappa,
    study,
    select,
    framings,
    models,
    store,
    demo,
):
    main.add_command(command)
