"""What ordinary people put into tables, and what every command says about it."""

from pathlib import Path

import pytest
from click import Command
from commands import csv_file, failure_of, numbers_of, output_of, page_of, refused

from inspect_awareness.cli._kappa import kappa
from inspect_awareness.cli._rate import rate
from inspect_awareness.cli._shares import shares
from inspect_awareness.cli._study import study
from inspect_awareness.cli._tax import tax

HEADER = "model,benchmark,task,aware,outcome,length"
ROWS = [
    f"{m},{b},{t},{(t + s) % 2},{(t * s + len(m)) % 3 / 2},{t + s * s}"
    for m in ("gpt", "qwen2")
    for b in ("x", "y")
    for t in range(3)
    for s in range(3)
]

STUDY = (
    *("--value", "outcome", "--object", "model", "--facets", "benchmark,task"),
    "--repeats",
)
COMMANDS: list[tuple[Command, tuple[str, ...]]] = [
    (rate, ()),
    (rate, ("--judge", "3,1,1,3", "--validation", "random", "--method", "ppi")),
    (tax, ("--covariate", "length", "--margin", "0.1")),
    (shares, ()),
    (kappa, ("--raters", "aware,outcome")),
    (study, STUDY),
]
NAMES = ["rate", "rate corrected", "tax", "shares", "kappa", "study"]
EACH = pytest.mark.parametrize(("command", "words"), COMMANDS, ids=NAMES)


@EACH
@pytest.mark.parametrize(
    ("start", "delimiter", "end"),
    [("", ";", "\n"), ("", "\t", "\r\n"), ("\ufeff", ",", "\r\n")],
    ids=["semicolons", "tabs", "BOM"],
)
def test_spreadsheets_of_all_kinds_say_the_same(
    tmp_path: Path,
    command: Command,
    words: tuple[str, ...],
    start: str,
    delimiter: str,
    end: str,
) -> None:
    plain = csv_file(tmp_path, HEADER, *ROWS)
    wanted = output_of(command, "--table", plain, *words)
    text = start + end.join([HEADER, *ROWS, ""]).replace(",", delimiter)
    other = tmp_path / "other.csv"
    other.write_bytes(text.encode())
    assert output_of(command, "--table", other, *words) == wanted


@EACH
@pytest.mark.parametrize(
    "rows",
    [
        ROWS[:1],
        ROWS[:2],
        [ROWS[0]] * 2,
        [row.replace(",1,", ",0,") for row in ROWS],
        [row.rsplit(",", 3)[0] + ",1,1,1" for row in ROWS],
        [row.rsplit(",", 3)[0] + ",,NA,." for row in ROWS],
        [row.replace("gpt", "qwen2") for row in ROWS],
        [*ROWS[:20], "qwen2,y,2,1,1,1"],
        ['"a, ""b""",[/red],täsk 模型,1,1,2', '"a, ""b""",[/red],täsk 模型,0,0,1'],
    ],
    ids=[
        "one row", "two rows", "twice the same", "none aware", "constant", "unknown",
        "one model", "unequal arms", "strange names",
    ],
)  # fmt: skip
def test_poor_tables_end_in_numbers_with_reasons_or_in_one_line(
    tmp_path: Path, command: Command, words: tuple[str, ...], rows: list[str]
) -> None:
    path = csv_file(tmp_path, HEADER, *rows)
    try:
        found = output_of(command, "--table", path, *words)
    except AssertionError:
        failure_of(command, "--table", path, *words)
        return
    assert all(abs(number) < 1e9 for number in numbers_of(found))
    page = page_of(command, "--table", path, *words)
    assert "nan" not in page.lower()


@EACH
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEADER], "a header, but no row"),
        ([], "no header line"),
        ([HEADER.replace("o", "0"), *ROWS], "; present: m0del, benchmark"),
        (
            [line.replace(",", "|") for line in [HEADER, *ROWS]],
            "separated by commas, semicolons or tabs",
        ),
        ([HEADER, "gpt,x,1"], "line 2: 3 cells where the header has 6"),
        ([HEADER, 'gpt,"x,1,1,1,1'], "line 2: unexpected end of data"),
    ],
)
def test_files_that_are_no_tables_are_one_line(
    tmp_path: Path,
    command: Command,
    words: tuple[str, ...],
    lines: list[str],
    message: str,
) -> None:
    path = csv_file(tmp_path, *lines)
    assert message in failure_of(command, "--table", path, *words)


@EACH
def test_text_in_another_encoding_names_its_line(
    tmp_path: Path, command: Command, words: tuple[str, ...]
) -> None:
    path = tmp_path / "table.csv"
    path.write_bytes("\n".join([HEADER, *ROWS, "mü,x,1,1,1,1"]).encode("latin-1"))
    message = failure_of(command, "--table", path, *words)
    assert "not UTF-8 text (line 38): save it as CSV UTF-8" in message


@pytest.mark.parametrize("command", [rate, tax, shares])
@pytest.mark.parametrize("seed", ["-1", "1.5", "x"])
def test_a_seed_is_a_whole_number_from_0_on(command: Command, seed: str) -> None:
    assert "--seed" in refused(command, "--table", "x.csv", "--seed", seed)
