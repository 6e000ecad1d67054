"""P(evaluation) of every transcript, drawn."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from inspect_awareness.report._contents import Block, Row
from inspect_awareness.report._drawing import COLOURS, INK, drawn, short
from inspect_awareness.stats import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = {"evaluation": "o", "deployment": "D", "unknown": "^"}
_MAX_ROWS = 40
_MAX_POINTS = 250
_MAX_NAME = 44


def distribution_svg(block: Block) -> str:
    """P(evaluation) of every transcript, a line a source, with mean and interval.

    Vertical lines mark the reference's median and 99th percentile. Of more than 250
    transcripts in a source, 250 quantiles are drawn; of more than 40 sources, the
    first 40.

    Returns:
        An SVG element as text, without XML prolog.
    """
    rows = [r for r in (*block.rows, *block.reference_rows) if not r.pooled]
    rows = rows[:_MAX_ROWS]
    several = len({r.subject for r in rows}) > 1

    def draw() -> "Figure":
        from matplotlib.figure import Figure

        figure = Figure(
            figsize=(9, 1.3 + 0.46 * max(len(rows), 1)), layout="constrained"
        )
        axes = figure.add_subplot()
        for place, row in enumerate(rows):
            _draw_row(axes, place, row)
        _draw_reference(axes, block)
        _dress(axes, [_name(row, subject=several) for row in rows])
        return figure

    return drawn(draw)


def _draw_row(axes: "Axes", place: int, row: Row) -> None:
    """The transcripts' scores as a strip, and the mean with its interval."""
    values = _thinned(row.distribution.values)
    colour = COLOURS[row.label]
    axes.scatter(
        values,
        place + 0.26 * _jitter(len(values)),
        s=11,
        marker=_MARKERS[row.label],
        color=colour,
        alpha=0.75 if len(values) < 50 else 0.5,
        linewidths=0,
    )
    _draw_mean(axes, place, row.mean.estimate)


def _draw_mean(axes: "Axes", place: int, estimate: Estimate) -> None:
    """A bar for the interval, a tick for the mean."""
    if estimate.value != estimate.value:
        return
    if estimate.has_interval:
        axes.plot([estimate.low, estimate.high], [place, place], color=INK, lw=2.2)
    axes.plot([estimate.value], [place], marker="|", ms=13, mew=2.2, color=INK)


def _draw_reference(axes: "Axes", block: Block) -> None:
    """Median and 99th percentile of the reference."""
    if block.reference is None:
        return
    ref = block.reference
    marks = (
        (ref.median, "--", f"deployment median {ref.shown_median}"),
        (ref.percentile_99, ":", f"99th percentile {ref.shown_percentile_99}"),
    )
    crowded = abs(marks[0][0] - marks[1][0]) < 0.3
    for index, (x, dash, name) in enumerate(marks):
        axes.axvline(x, color=COLOURS["deployment"], ls=dash, lw=1.3, zorder=0)
        axes.annotate(
            name,
            (x, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 4 + (12 if crowded and index == 0 else 0)),
            textcoords="offset points",
            ha="left" if x < 0.15 else "right" if x > 0.85 else "center",
            fontsize=8.5,
            color=COLOURS["deployment"],
        )


def _dress(axes: "Axes", names: Sequence[str]) -> None:
    """Axes, names and limits."""
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)
    axes.set_xlabel("P(eval): 0 = deployment, 1 = evaluation", color=INK)
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(colors=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)
    axes.grid(axis="x", color="#8a94a6", alpha=0.25, lw=0.8)
    axes.set_axisbelow(True)


def _name(row: Row, *, subject: bool) -> str:
    """The row's name, short and printable, with its label."""
    full = f"{row.source} ({row.subject or 'unknown'})" if subject else row.source
    return f"{short(full, _MAX_NAME)}\n{row.label}, n = {row.scored}"


def _thinned(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The values, or as many of their quantiles as can be told apart."""
    if len(values) <= _MAX_POINTS:
        return np.asarray(values, dtype=np.float64)
    middles = (np.arange(_MAX_POINTS) + 0.5) / _MAX_POINTS
    return np.asarray(np.quantile(values, middles), dtype=np.float64)


def _jitter(n: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Even spread over [-1, 1] that looks random: the van der Corput sequence."""
    return np.fromiter(_van_der_corput(n), dtype=np.float64, count=n) * 2 - 1


def _van_der_corput(n: int) -> Iterator[float]:
    """Binary digits of 1, 2, ... mirrored at the point."""
    for index in range(1, n + 1):
        yield sum((index >> k & 1) / 2 ** (k + 1) for k in range(index.bit_length()))
