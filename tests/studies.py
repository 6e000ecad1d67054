"""Published tables for studies of reliability, and readers of larger ones.

The tables of Brennan (2001), Gleser, Cronbach and Rajaratnam (1965), and Shrout and
Fleiss (1979) stand here; larger ones are read where they are, or the test is skipped.
"""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

Floats = npt.NDArray[np.float64]

SHARED = Path(__file__).parents[2] / "shared"
REFERENCE = SHARED / "reference"
RESULTS = SHARED / "data" / "probe_direction" / "results"


def digits(text: str) -> Floats:
    """Rows of single digits as a matrix."""
    return np.array([[int(c) for c in row] for row in text.split()], dtype=float)


# Set 1: 10 persons x 12 items.
BRENNAN_1 = digits(
    """101000000000 111001000000 111110000000 110110010000 111110100000
    111011100000 111111100000 111101111100 111111111110 111111111111"""
)

# Sets 2 and 3: 2 occasions x 4 items, persons in columns; as persons x items x occasions.
BRENNAN_3 = (
    digits(
        """2455442306 6559346458 7648546447 5766675556
        2655462656 5747547658 5557677658 5756485436"""
    )
    .reshape(2, 4, 10)
    .transpose(2, 1, 0)
)

# Set 4: 3 tasks x 4 raters within each, persons in columns; persons x tasks x raters.
BRENNAN_4 = (
    digits(
        """5937937594 6345243894 5735937584 5733757783 5753737763 3531735565
        4534365566 5553737455 6765245355 7753755287 3513515111 3265324111"""
    )
    .reshape(3, 4, 10)
    .transpose(2, 0, 1)
)

# 12 persons x 6 symptoms x 2 judges.
GLESER = digits(
    """002120211112 002120122121 001133212112 202122212141 001220233333 202120413331
    013131342223 000143342333 122136132321 012433223531 342232453355 112444334666"""
).reshape(12, 6, 2)

# 6 targets x 4 judges.
SHROUT_FLEISS = np.array(
    [
        [9, 2, 5, 8],
        [6, 1, 3, 2],
        [8, 4, 6, 8],
        [7, 1, 2, 6],
        [10, 5, 6, 9],
        [6, 2, 4, 7],
    ],
    dtype=float,
)

# Persons x (items within 3 booklets of 2, 4 and 2 items): one row an item.
BOOKLETS = (
    "42213130 51433251",
    "32456561 33747682 51655460 44557474",
    "54848577 76759688",
)

# 12 persons x 6 items, a dot where nothing was answered.
GAPS = """111101 101111 .11100 0..101 1.010. 111101 0.1.00 0.1111 1101.0 .000.0
111111 .0.001"""


def booklets() -> tuple[list[float], dict[str, list[str]]]:
    """The unbalanced table in long form; items start again in each booklet."""
    values: list[float] = []
    labels: dict[str, list[str]] = {"person": [], "booklet": [], "item": []}
    for booklet, items in enumerate(BOOKLETS):
        for item, row in enumerate(items.split()):
            for person, digit in enumerate(row):
                values.append(float(digit))
                labels["person"].append(f"p{person}")
                labels["booklet"].append(f"h{booklet}")
                labels["item"].append(f"i{item}")
    return values, labels


def gaps() -> tuple[list[float], dict[str, list[str]]]:
    """The table with missing answers in long form."""
    rows = [
        (float(c), f"p{person}", f"i{item}")
        for person, row in enumerate(GAPS.split())
        for item, c in enumerate(row)
        if c != "."
    ]
    values, persons, items = zip(*rows, strict=True)
    return list(values), {"person": list(persons), "item": list(items)}


def reference(name: str) -> list[dict[str, str]]:
    """The rows of a reference table, which is not part of the package."""
    path = REFERENCE / name
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def columns(
    rows: list[dict[str, str]], value: str, *facets: str
) -> tuple[list[float], dict[str, list[str]]]:
    """Values and labels of a reference table."""
    labels = {facet: [row[facet] for row in rows] for facet in facets}
    return [float(row[value]) for row in rows], labels


def result(name: str) -> Any:
    """A result file of the third source paper, which is not part of the package."""
    path = RESULTS / name
    if not path.exists():
        pytest.skip(f"{path} is not on this machine")
    return json.loads(path.read_text(encoding="utf-8"))
