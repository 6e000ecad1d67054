"""`awareness bank`: which questions there are, their words, and whether a bank holds."""

import json
from typing import TYPE_CHECKING, Any

import click

from inspect_awareness._counted import counted
from inspect_awareness.cli._shared import one_line_errors, out

if TYPE_CHECKING:
    from inspect_awareness.solvers import Bank, Question

FOLDER = click.option("--bank", help="A folder of questions of one's own.")


@click.group()
def bank() -> None:
    """The probe questions: the package's own (core-1), or those of a folder."""


@bank.command("list")
@FOLDER
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@one_line_errors
def list_questions(bank: str | None, *, as_json: bool) -> None:
    """List the questions by family."""
    from inspect_awareness.solvers import load_bank

    found = load_bank(bank)
    if as_json:
        click.echo(json.dumps(_record(found)))
        return
    from rich.table import Table

    shown = Table(box=None, header_style="bold")
    for name in ("family", "question", "twin", "makes P(eval)", "intensity", "person"):
        shown.add_column(name, no_wrap=True)
    for question in sorted(found.questions, key=lambda q: (not q.feeds, q.family)):
        twin = found.twin(question)
        shown.add_row(
            question.family,
            question.id,
            twin.id if twin else "",
            "yes" if question.feeds else "",
            str(question.intensity),
            question.person,
        )
    out.print(shown)
    out.print(f"  {_summary(found)}", markup=False, highlight=False)


@bank.command("show")
@click.argument("question")
@FOLDER
@click.option(
    "--elicitation",
    type=click.Choice(["label", "cot_label", "letter"]),
    default="label",
    show_default=True,
)
@one_line_errors
def show_question(question: str, bank: str | None, *, elicitation: str) -> None:
    """Print what a rater reads, in each order."""
    from inspect_awareness.solvers import load_bank

    found = load_bank(bank)
    chosen = found.select([question]).questions
    for each in chosen:
        _print_words(found, each, elicitation)


@bank.command("check")
@click.argument("folder")
@one_line_errors
def check_bank(folder: str) -> None:
    """Check a bank of one's own: files, labels and pairs."""
    from inspect_awareness.solvers import load_bank

    found = load_bank(folder)
    out.print(_summary(found), markup=False, highlight=False)
    alone = [q.id for q in found.feeding if found.twin(q) is None]
    if alone:
        words = f"without a twin, so that a liking for yes stays in: {', '.join(alone)}"
        out.print(f"  {words}", markup=False, highlight=False)
    if not found.feeding:
        out.print("  no question of it makes P(eval)", markup=False, highlight=False)


def _summary(bank: "Bank") -> str:
    """Name, hash and counts."""
    makes = len(bank.feeding)
    apart = 0 < makes < len(bank.questions)
    these = f" (of the {makes} alone: {bank.select(None).hash})" if apart else ""
    return (
        f"{bank.name}: {counted(len(bank.questions), 'question')}, of which {makes} "
        f"make{'s' if makes == 1 else ''} P(eval); hash {bank.hash}{these}"
    )


def _record(bank: "Bank") -> dict[str, Any]:
    """The bank as JSON."""
    return {
        "bank": bank.name,
        "hash": bank.hash,
        "questions": [
            {
                "id": q.id,
                "version": q.version,
                "family": q.family,
                "feeds_p_eval": q.feeds,
                "intensity": q.intensity,
                "person": q.person,
                "pair": q.pair,
                "twin": twin.id if (twin := bank.twin(q)) else None,
                "labels": [q.evaluation, q.deployment],
                "truth": q.truth,
                "text": q.text,
            }
            for q in bank.questions
        ],
    }


def _print_words(bank: "Bank", question: "Question", elicitation: str) -> None:
    """What is read for one question."""
    from inspect_awareness.solvers._question import ELICITATIONS, ORDERS

    way = next(e for e in ELICITATIONS if e == elicitation)
    frame = bank.frame_of(question, way)
    words = dict.fromkeys(
        frame.render(question, order, transcripts="[two transcripts]")
        for order in ORDERS
    )
    for text in words:
        out.rule(question.id)
        out.print(text, markup=False, highlight=False)
