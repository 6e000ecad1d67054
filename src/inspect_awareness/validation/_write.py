"""Files for people who label: a CSV, texts, and a validation set of Inspect Scout."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from inspect_awareness.errors import InputError, OutputExistsError
from inspect_awareness.validation._draw import Drawn

LONGEST = 32_000
"""Characters of a cell: spreadsheets cut longer ones without a word."""

_OBEYED = "=+-@'\t\r"
"""What a spreadsheet takes for the beginning of a formula, or hides."""

_VERDICTS = {1.0: "1", 0.0: "0"}


def write_labels(
    path: Path, drawn: Drawn, texts: Mapping[str, str], *, show_verdict: bool
) -> None:
    """Write a CSV with a row for each drawn transcript and an empty column `label`.

    Args:
        path: The file; never replaced, since it may hold labels.
        drawn: The sample.
        texts: What is shown of each transcript, by id; may be empty.
        show_verdict: Whether the judge's verdict is shown, which people then follow.

    Raises:
        OutputExistsError: The file exists.
        InputError: The folder does not, or a text is too long for a cell.
    """
    check_lengths(texts)
    frame = drawn.frame
    rows = [
        {
            "label": "",
            "id": cell(frame.items[row]),
            "model": cell(frame.models[row]),
            "benchmark": cell(frame.benchmarks[row]),
            "task": cell(frame.tasks[row]),
            **({"text": cell(texts[frame.items[row]])} if texts else {}),
            **({"verdict": _VERDICTS[frame.verdicts[row]]} if show_verdict else {}),
            "design": drawn.design,
            "weight": f"{weight:.6g}",
            "frame": frame.digest,
            "sample": drawn.digest,
        }
        for row, weight in zip(drawn.rows, drawn.weights, strict=True)
    ]
    write_csv(path, list(rows[0]), [list(row.values()) for row in rows])


def check_lengths(texts: Mapping[str, str]) -> None:
    """Refuse texts that no cell of a spreadsheet holds.

    Raises:
        InputError: A text is too long.
    """
    long = sum(len(text) > LONGEST for text in texts.values())
    if long:
        raise InputError(
            f"{long} of {len(texts)} texts are longer than the {LONGEST:,} characters "
            "that a cell holds; write them to files of their own with --texts FOLDER"
        )


def write_texts(
    folder: Path, items: Sequence[str], texts: Mapping[str, str]
) -> dict[str, str]:
    """Write the text of each transcript to a file named by its number in the sample.

    Returns:
        The path of each text, by the id of its transcript.

    Raises:
        OutputExistsError: The folder exists.
        InputError: It cannot be made.
    """
    try:
        folder.mkdir()
    except FileExistsError as ex:
        raise OutputExistsError(f"{folder}: exists; give another folder") from ex
    except OSError as ex:
        raise InputError(f"{folder}: cannot be made ({ex.strerror})") from ex
    width = max(3, len(str(len(items))))
    files = {item: folder / f"{k:0{width}}.txt" for k, item in enumerate(items, 1)}
    for item, file in files.items():
        file.write_text(texts[item], encoding="utf-8", errors="backslashreplace")
    return {item: str(file) for item, file in files.items()}


def write_scout(
    path: Path, items: Sequence[str], labels: Sequence[float] | None = None
) -> None:
    """Write a validation set of Inspect Scout: id and target.

    Args:
        path: The file; never replaced.
        items: Ids of transcripts, which Scout has from the same logs.
        labels: 1, 0, or NaN, whose transcript is left out; None leaves all targets
            empty, to be filled in.

    Raises:
        OutputExistsError: The file exists.
        InputError: The folder does not, or an id has a comma, at which Scout parts ids.
    """
    odd = [item for item in items if "," in item]
    if odd:
        raise InputError(
            f"transcript {odd[0]!r} has a comma in its id, and Inspect Scout would "
            "take it for several; leave --scout out"
        )
    said = (
        [""] * len(items) if labels is None else [_VERDICTS.get(x, "") for x in labels]
    )
    pairs = zip(items, said, strict=True)
    kept = [pair for pair in pairs if labels is None or pair[1]]
    write_csv(path, ["id", "target"], kept)


def cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] and text[0] in _OBEYED else text


def check_free(path: Path) -> None:
    """Refuse to write where something is.

    Raises:
        OutputExistsError: The path exists.
    """
    if path.exists():
        raise OutputExistsError(
            f"{path}: exists, and may hold labels; give another name"
        )


def write_csv(path: Path, head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Write a CSV that spreadsheets take for UTF-8."""
    try:
        with path.open(
            "x", encoding="utf-8-sig", newline="", errors="backslashreplace"
        ) as stream:
            csv.writer(stream).writerows([head, *rows])
    except FileExistsError:
        check_free(path)
        raise
    except OSError as ex:
        raise InputError(f"{path}: cannot be written ({ex.strerror})") from ex
