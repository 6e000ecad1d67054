"""Beginnings of transcripts, as the view `turns` makes them."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

TURNS = "turns"
"""The view whose transcripts are beginnings of others."""

_END = re.compile(r"#(\d+)\Z")


def with_turns(frame: "pd.DataFrame", view: str) -> "pd.DataFrame":
    """The frame with the columns `turn` and `whole`, the id of the whole transcript.

    Files of before there was a column of turns have them in the ids' ends.
    """
    import pandas as pd

    turns, wholes = [], []
    known = frame["turn"].astype(object).where(frame["turn"].notna(), None)
    for item, turn in zip(frame["item"], known, strict=True):
        end = _END.search(item) if view == TURNS else None
        if turn is None and end is not None:
            turn = int(end[1])
        turns.append(turn)
        wholes.append(item if turn is None else item.removesuffix(f"#{turn}"))
    return frame.assign(turn=pd.array(turns, dtype="Int64"), whole=wholes)


def wholes_in(frame: "pd.DataFrame", view: str) -> int:
    """Of how many transcripts the rows are beginnings; 0 in other views."""
    return with_turns(frame, view)["whole"].nunique() if view == TURNS else 0


def last_beginnings(frame: "pd.DataFrame", view: str) -> "pd.DataFrame":
    """Of each transcript the rows of its last beginning; all rows in other views."""
    if view != TURNS:
        return frame
    found = with_turns(frame, view)
    last = found.groupby("whole")["turn"].transform("max")
    return found[found["turn"].isna() | found["turn"].eq(last)]
