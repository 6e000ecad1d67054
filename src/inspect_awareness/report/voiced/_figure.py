"""Awareness rates, and outcomes of aware and unaware runs, drawn side by side."""

from typing import TYPE_CHECKING

from inspect_awareness.report._drawing import COLOURS, INK, drawn, short
from inspect_awareness.report.voiced._contents import Convention, Voiced
from inspect_awareness.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWN = 30
"""How many rows are drawn at most."""

_MAX_NAME = 34
_STYLES = (
    ("unaware", COLOURS["deployment"], "o", -0.2),
    ("all", INK, "|", 0.0),
    ("aware", COLOURS["evaluation"], "D", 0.2),
)
"""Which outcomes are drawn: colour, marker, and place beside the line."""


def convention_svg(found: Voiced) -> str:
    """Rates at the left, outcomes at the right, a line a model and benchmark.

    Of more than 30 of them the first 30 are drawn.

    Returns:
        An SVG element as text, without XML prolog; empty where nothing was judged.
    """
    rows = found.convention[:DRAWN]
    if not rows:
        return ""

    def draw() -> "Figure":
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 1.5 + 0.62 * len(rows)), layout="constrained")
        outcomes = any(each.tax for each in rows)
        panels = figure.subplots(1, 2 if outcomes else 1, sharey=True, squeeze=False)[0]
        _draw_rates(panels[0], rows)
        if outcomes:
            _draw_outcomes(panels[1], rows)
        panels[0].set_yticks(range(len(rows)), [_name(each) for each in rows])
        panels[0].set_ylim(len(rows) - 0.5, -0.5)
        return figure

    return drawn(draw)


def _draw_rates(axes: "Axes", rows: tuple[Convention, ...]) -> None:
    """Awareness rates with their intervals."""
    for place, each in enumerate(rows):
        _point(axes, each.rate.rate.estimate, place, COLOURS["evaluation"], "D")
    _dress(axes, "share of transcripts judged aware")
    axes.set_xlim(-0.02, 1.02)


def _draw_outcomes(axes: "Axes", rows: tuple[Convention, ...]) -> None:
    """Outcomes of unaware, all and aware runs."""
    for place, each in enumerate(rows):
        if each.tax is None:
            continue
        for name, colour, marker, beside in _STYLES:
            estimate = getattr(each.tax, name).estimate
            _point(axes, estimate, place + beside, colour, marker)
    for name, colour, marker, _ in _STYLES:
        axes.plot([], [], color=colour, marker=marker, ls="", label=f"{name} runs")
    axes.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=3,
        frameon=False,
        fontsize=8.5,
        labelcolor=INK,
    )
    _dress(axes, "mean outcome")


def _point(
    axes: "Axes", estimate: Estimate, place: float, colour: str, marker: str
) -> None:
    """A value with its interval."""
    if estimate.value != estimate.value:
        return
    if estimate.has_interval:
        axes.plot([estimate.low, estimate.high], [place, place], color=colour, lw=2)
    axes.plot([estimate.value], [place], marker=marker, ms=6, mew=2, color=colour)


def _dress(axes: "Axes", what: str) -> None:
    """Axis and grid."""
    axes.set_xlabel(what, color=INK)
    axes.tick_params(colors=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)
    axes.grid(axis="x", color="#8a94a6", alpha=0.25, lw=0.8)
    axes.set_axisbelow(True)


def _name(each: Convention) -> str:
    """Model and benchmark on two short lines."""
    return f"{short(each.benchmark, _MAX_NAME)}\n{short(each.model, _MAX_NAME)}"
