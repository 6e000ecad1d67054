"""P(evaluation) over the turns of single transcripts, in small panels."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from inspect_awareness.report._contents import Block
from inspect_awareness.report._drawing import COLOURS, INK, drawn, short
from inspect_awareness.report._onset import Curve, Onset

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS = 9
_COLUMNS = 3
_MAX_NAME = 34


def curves_svg(block: Block) -> str:
    """The nine curves that rise most clearly, each in a panel; empty without any.

    Dots are P(evaluation) after each turn, the line in two parts the two means, the
    vertical line the turn of the rise. A dotted line is the reference's 99th
    percentile, where there is one.

    Returns:
        An SVG element as text, without XML prolog.
    """
    onset = block.onset
    curves = [c for c in onset.curves if len(c.values) > 1] if onset else []
    curves = curves[:_PANELS]
    if onset is None or not curves:
        return ""
    lines = -(-len(curves) // _COLUMNS)

    def draw() -> "Figure":
        from matplotlib.figure import Figure

        figure = Figure(figsize=(9, 0.5 + 1.75 * lines), layout="constrained")
        panels = figure.subplots(
            lines, _COLUMNS, sharey=True, squeeze=False, gridspec_kw={"hspace": 0.1}
        )
        for place, axes in enumerate(panels.flat):
            if place < len(curves):
                _panel(axes, curves[place], onset)
            else:
                axes.set_axis_off()
        figure.supxlabel("turn", fontsize=9, color=INK)
        figure.supylabel("P(eval)", fontsize=9, color=INK)
        return figure

    return drawn(draw)


def _panel(axes: "Axes", curve: Curve, onset: Onset) -> None:
    """One curve."""
    colour = COLOURS[curve.label]
    axes.plot(curve.turns, curve.values, color=colour, lw=0.8, alpha=0.45)
    axes.scatter(curve.turns, curve.values, s=13, color=colour, linewidths=0)
    if curve.rise_at is not None:
        _steps(axes, curve, curve.rise_at)
    if onset.threshold == onset.threshold:
        axes.axhline(onset.threshold, color=COLOURS["deployment"], ls=":", lw=1.2)
    axes.set_title(_title(curve), fontsize=8.5, color=INK, loc="left")
    axes.set_ylim(-0.04, 1.04)
    axes.set_yticks((0, 0.5, 1))
    axes.set_xlim(curve.turns[0] - 0.5, curve.turns[-1] + 0.5)
    axes.set_xticks(_ticks(curve.turns))
    axes.tick_params(colors=INK, length=0, labelsize=8)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(INK)
    axes.grid(axis="y", color="#8a94a6", alpha=0.25, lw=0.8)


def _steps(axes: "Axes", curve: Curve, at: int) -> None:
    """Both means, and the turn between them."""
    axes.hlines(curve.before, curve.turns[0] - 0.4, at - 0.5, color=INK, lw=1.8)
    axes.hlines(curve.after, at - 0.5, curve.turns[-1] + 0.4, color=INK, lw=1.8)
    axes.vlines(at - 0.5, curve.before, curve.after, color=INK, lw=1.0)


def _title(curve: Curve) -> str:
    """The transcript, and its p."""
    name = short(curve.name, _MAX_NAME)
    return name if curve.rise_at is None else f"{name}\np = {curve.p:.3f}"


def _ticks(turns: Sequence[int]) -> list[int]:
    """At most five turns to name."""
    step = -(-(turns[-1] - turns[0]) // 4) or 1
    return list(range(turns[0], turns[-1] + 1, step))
