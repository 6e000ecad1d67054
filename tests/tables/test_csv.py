"""CSV files as checked columns."""

import re
from math import isnan
from pathlib import Path

import pytest

from inspect_awareness.errors import InputError
from inspect_awareness.tables import Table, read_table


def table(folder: Path, text: str, *required: str) -> Table:
    path = folder / "t.csv"
    path.write_text(text, encoding="utf-8")
    return read_table(path, *required)


def test_columns_are_read_by_name_and_stripped(tmp_path: Path) -> None:
    found = table(tmp_path, "model, aware\n m1 ,1\nm2,0\n")
    assert found.text("model") == ["m1", "m2"]
    assert found.binary("aware").tolist() == [1.0, 0.0]
    assert ("aware" in found, "nope" in found, len(found)) == (True, False, 2)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_a_spreadsheet_writes_is_read(tmp_path: Path, delimiter: str) -> None:
    text = "\ufeffa,b\r\n1,x\r\n\r\n2,y\r\n".replace(",", delimiter)
    found = table(tmp_path, text, "a", "b")
    assert (found.numbers("a").tolist(), found.text("b")) == ([1, 2], ["x", "y"])


def test_quoted_cells_may_hold_commas_and_line_ends(tmp_path: Path) -> None:
    found = table(tmp_path, 'task,y\n"a, b\nc",1\nd,oops\n')
    assert found.text("task") == ["a, b\nc", "d"]
    with pytest.raises(InputError, match=r"line 4, column y: 'oops' is not a number"):
        found.numbers("y")


@pytest.mark.parametrize("cell", ["", "NA", "NaN", "null"])
def test_an_empty_cell_is_nan_only_where_that_is_allowed(
    tmp_path: Path, cell: str
) -> None:
    found = table(tmp_path, f"task,y\na,1\nb,{cell}\n")
    assert isnan(found.numbers("y", empty=True)[1])
    assert isnan(found.binary("y", empty=True)[1])
    with pytest.raises(InputError, match="line 3, column y"):
        found.numbers("y")


def test_true_and_false_are_1_and_0(tmp_path: Path) -> None:
    found = table(tmp_path, "aware\nTrue\nFALSE\n1.0\n")
    assert found.binary("aware").tolist() == [1.0, 0.0, 1.0]


def test_yes_and_no_are_1_and_0_and_a_label_may_be_a_class_too(tmp_path: Path) -> None:
    found = table(tmp_path, "x,y\nYes,evaluation\nno,Deployment\nTRUE,No\n0,1.0\n")
    assert found.binary("x").tolist() == [1.0, 0.0, 1.0, 0.0]
    assert found.evaluation("x").tolist() == [True, False, True, False]
    assert found.evaluation("y").tolist() == [True, False, False, True]
    with pytest.raises(InputError, match="'evaluation' is neither 0 nor 1"):
        found.binary("y")
    with pytest.raises(InputError, match="line 2, column z: 'test' is neither eval"):
        table(tmp_path, "z\ntest\n").evaluation("z")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no header line"),
        ("a,b\n", "a header, but no row"),
        ("a,c\n1,2\n", "no column b; present: a, c"),
        ("a,b,a\n1,2,3\n", "column a occurs twice"),
        ("a,b\n1,2\n3\n", "line 3: 1 cells where the header has 2"),
        ("a,b\n1,2,3\n", "line 2: 3 cells where the header has 2"),
    ],
)
def test_a_file_that_is_no_table_says_why(
    tmp_path: Path, text: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        table(tmp_path, text, "a", "b")


@pytest.mark.parametrize("cell", ["high", "inf", "1,5", "-"])
def test_text_where_a_number_belongs_names_line_and_column(
    tmp_path: Path, cell: str
) -> None:
    with pytest.raises(InputError, match="line 3, column y"):
        table(tmp_path, f'y\n1\n"{cell}"\n').numbers("y")


def test_two_is_no_awareness(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'2' is neither 0 nor 1"):
        table(tmp_path, "aware\n2\n").binary("aware")


def test_an_empty_name_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3, column task: '' is empty"):
        table(tmp_path, "task,y\na,1\n,2\n").text("task")


def test_a_column_asked_for_later_is_missed_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column source; present: a"):
        table(tmp_path, "a\n1\n").text("source")


def test_no_file_and_no_text_are_one_line_each(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv: no such file"):
        read_table(tmp_path / "t.csv")
    (tmp_path / "t.csv").write_bytes(b"a,b\n\xff\xfe,1\n")
    with pytest.raises(InputError, match="not UTF-8 text"):
        read_table(tmp_path / "t.csv")
    with pytest.raises(InputError, match="directory"):
        read_table(tmp_path)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("0,5", "write decimals with a point"),
        ("1e200", "between 1e-100 and 1e+100 in size: use another unit"),
        ("-1e-200", "use another unit"),
        ("1_000", "'1_000' is not a number"),
    ],
)
def test_a_number_that_cannot_be_used_comes_with_a_way_out(
    tmp_path: Path, cell: str, words: str
) -> None:
    found = table(tmp_path, f'y;x\n1;1\n"{cell}";1\n')
    with pytest.raises(InputError, match=re.escape(words)):
        found.numbers("y")


@pytest.mark.parametrize("cell", ["", "NA", "NaN", "nan"])
def test_a_name_that_stands_for_nothing_is_no_name(tmp_path: Path, cell: str) -> None:
    found = table(tmp_path, f"task,y\na,1\n{cell},2\nnone,3\n")
    with pytest.raises(InputError, match=r"line 3, column task: .* is empty: name it"):
        found.text("task")


def test_a_framing_may_be_called_none(tmp_path: Path) -> None:
    assert table(tmp_path, "framing\nnone\nnull\n").text("framing") == ["none", "null"]


def test_counts_are_whole_numbers(tmp_path: Path) -> None:
    assert table(tmp_path, "n\n3\n0\n4.0\n").counts("n") == [3, 0, 4]
    for wrong in ("-1", "1.5", "x", ""):
        with pytest.raises(InputError, match=r"line 2, column n: .* is no count"):
            table(tmp_path, f"n,x\n{wrong},1\n").counts("n")


def test_columns_without_a_name_are_left_out(tmp_path: Path) -> None:
    found = table(tmp_path, ",a,b,,\n0,1,2,,\n , , , , \n1,3,4,,\n")
    assert list(found.columns) == ["a", "b"]
    assert found.numbers("b").tolist() == [2, 4]


def test_a_delimiter_inside_a_quoted_name_does_not_count(tmp_path: Path) -> None:
    found = table(tmp_path, '"a, b, c";d\n1;2\n')
    assert list(found.columns) == ["a, b, c", "d"]


def test_quotes_that_do_not_close_are_named_with_their_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 3: unexpected end of data"):
        table(tmp_path, 'a,b\n1,2\n"3,4\n')


def test_a_file_in_another_encoding_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a\n" + b"x\n" * 50_000 + b"\xe4\n")
    with pytest.raises(InputError, match=r"not UTF-8 text \(line 50002\)"):
        read_table(path)
