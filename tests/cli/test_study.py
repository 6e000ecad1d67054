"""`awareness study`: reliability of the scores in a table."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result
from studies import (
    BRENNAN_1,
    BRENNAN_4,
    GLESER,
    REFERENCE,
    SHROUT_FLEISS,
    booklets,
    gaps,
    reference,
)

from inspect_awareness.cli._study import study


def write(folder: Path, header: str, rows: list[tuple[object, ...]]) -> Path:
    path = folder / "scores.csv"
    lines = [header, *(",".join(str(cell) for cell in row) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def written(folder: Path, values: Any, *facets: str) -> Path:
    """An array as a table with a column a facet."""
    rows = [
        (*(f"{f}{i}" for f, i in zip(facets, place, strict=True)), values[place])
        for place in np.ndindex(values.shape)
    ]
    return write(folder, ",".join([*facets, "value"]), rows)


def run(path: Path, object_: str, facets: str, *more: str) -> Result:
    words = ["--table", str(path), "--object", object_, "--facets", facets, *more]
    if "--value" not in more:
        words += ["--value", "value"]
    return CliRunner().invoke(study, words)


def answer(path: Path, object_: str, facets: str, *more: str) -> Any:
    done = run(path, object_, facets, "--json", *more)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refused(path: Path, object_: str, facets: str, *more: str) -> str:
    done = run(path, object_, facets, *more)
    assert done.exit_code == 1
    return done.stderr


def test_a_table_gives_components_coefficients_and_what_is_needed(
    tmp_path: Path,
) -> None:
    # Shrout and Fleiss: ICC(3,4) = .9093, ICC(2,4) = .6201. E rho^2 at k = 1 is .7148,
    # at 2 it is .834: two judges reach .8.
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    found = answer(path, "target", "judge")
    assert found["components"]["target"]["raw"] == pytest.approx(2.5556, abs=1e-4)
    assert set(found["components"]) == {"target", "judge", "target:judge"}
    g, phi = found["g_coefficient"], found["phi"]
    assert g["value"] == pytest.approx(0.9093, abs=5e-5)
    assert phi["value"] == pytest.approx(0.6201, abs=5e-5)
    assert g["low"] < g["value"] < g["high"]
    assert g["k"] == {"judge": 4}
    assert found["needed"]["judge"]["k"] == 2
    assert found["needed"]["judge"]["phi"]["k"] == 10
    shares = [effect["share"] for effect in found["components"].values()]
    assert sum(shares) == pytest.approx(1)


def test_k_and_target_are_the_readers(tmp_path: Path) -> None:
    path = written(tmp_path, BRENNAN_1, "p", "i")
    found = answer(path, "p", "i", "--k", "i=5", "--target", "0.9")
    assert found["g_coefficient"]["value"] == pytest.approx(0.694, abs=5e-4)
    assert found["g_coefficient"]["k"] == {"i": 5}
    # .057407 / (.057407 + .126852 / k) >= .9 from k = 9 x 2.2097 = 19.9 on.
    assert found["needed"]["i"]["k"] == 20


def test_nested_facets_are_named_in_the_order_given(tmp_path: Path) -> None:
    path = written(tmp_path, BRENNAN_4, "p", "t", "r")
    found = answer(path, "p", "t,r", "--nested", "r:t")
    assert list(found["components"]) == ["p", "t", "p:t", "t:r", "p:t:r"]
    assert found["components"]["t:r"]["raw"] == pytest.approx(0.647531, abs=1e-6)
    assert found["g_coefficient"]["value"] == pytest.approx(0.5514, abs=5e-5)
    fixed = answer(path, "p", "t,r", "--nested", "r:t", "--fixed", "t")
    assert fixed["g_coefficient"]["value"] == pytest.approx(0.7688, abs=5e-5)
    assert "t" not in fixed["needed"]
    assert found["levels"] == {"p": 10, "t": 3, "r": 12}


def test_a_negative_component_is_raw_and_truncated_side_by_side(
    tmp_path: Path,
) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    judge = answer(path, "P", "I,J")["components"]["J"]
    assert judge["raw"] == pytest.approx(-0.014141, abs=1e-6)
    assert judge["truncated"] == judge["share"] == 0
    shown = run(path, "P", "I,J").stdout
    assert "negative, set to 0: J (unresolved at these df, not absent)" in shown


def test_reml_on_request(tmp_path: Path) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    found = answer(path, "P", "I,J", "--method", "reml")
    assert found["components"]["P"]["raw"] == pytest.approx(0.424336, abs=1e-5)
    assert found["components"]["J"]["raw"] == 0
    assert found["criterion"] == pytest.approx(446.956, abs=5e-4)


def test_an_incomplete_table_goes_to_reml_by_itself_and_says_so(
    tmp_path: Path,
) -> None:
    values, labels = gaps()
    rows = list(zip(labels["person"], labels["item"], values, strict=True))
    path = write(tmp_path, "person,item,value", rows)
    found = answer(path, "person", "item")
    assert (found["method"], found["n"], found["missing"]) == ("REML", 59, 13)
    assert found["components"]["person"]["raw"] == pytest.approx(0.05185, abs=1e-5)
    henderson = answer(path, "person", "item", "--method", "henderson")
    assert henderson["components"]["item"]["raw"] == pytest.approx(0.0117, abs=5e-5)
    assert "13 of 72 cells of a balanced table have no value" in refused(
        path, "person", "item", "--method", "anova"
    )


def test_empty_values_are_missing_cells(tmp_path: Path) -> None:
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    text = path.read_text(encoding="utf-8").replace(
        "target0,judge0,9.0", "target0,judge0,"
    )
    path.write_text(text, encoding="utf-8")
    found = answer(path, "target", "judge")
    assert (found["n"], found["missing"], found["method"]) == (23, 1, "REML")
    assert found["rows_without_value"] == 1
    assert found["g_coefficient"]["low"] is not None
    shown = run(path, "target", "judge").stdout
    assert "1 rows without a value are left out" in shown


def test_booklets_of_unequal_length(tmp_path: Path) -> None:
    values, labels = booklets()
    rows = list(zip(*labels.values(), values, strict=True))
    path = write(tmp_path, "person,booklet,item,value", rows)
    found = answer(path, "person", "booklet,item", "--nested", "item:booklet")
    assert found["criterion"] == pytest.approx(225.463, abs=5e-4)
    assert found["missing"] == 0
    assert found["levels"] == {"person": 8, "booklet": 3, "item": 8}
    # 2, 4 and 2 items in a booklet: the harmonic mean is 3 / (1/2 + 1/4 + 1/2) = 2.4.
    assert found["g_coefficient"]["k"] == pytest.approx({"booklet": 3, "item": 2.4})
    assert found["g_coefficient"]["low"] < found["g_coefficient"]["value"]


def test_repeats_of_a_cell(tmp_path: Path) -> None:
    reference("pastes.csv")
    words = ("--value", "strength", "--nested", "cask:batch")
    path = REFERENCE / "pastes.csv"
    message = refused(path, "batch", "cask", *words)
    assert "30 values too many: the cell batch 'A', cask 'a' has 2" in message
    found = answer(path, "batch", "cask", *words, "--repeats", "--method", "reml")
    assert found["components"]["batch:cask"]["raw"] == pytest.approx(8.4337, abs=1e-4)


def test_nesting_that_was_not_said_is_suggested(tmp_path: Path) -> None:
    rows = [
        (f"p{p}", f"t{t}", f"r{4 * t + r}", BRENNAN_4[p, t, r])
        for p, t, r in np.ndindex(BRENNAN_4.shape)
    ]
    path = write(tmp_path, "p,t,r,value", rows)
    assert "'r' looks nested in 't': say so" in refused(path, "p", "t,r")
    found = answer(path, "p", "t,r", "--nested", "r:t")
    assert found["g_coefficient"]["value"] == pytest.approx(0.5514, abs=5e-5)


def test_the_page_says_when_no_number_suffices(tmp_path: Path) -> None:
    path = written(tmp_path, BRENNAN_4, "p", "t", "r")
    shown = run(path, "p", "t,r", "--nested", "r:t").stdout
    assert "no number of r suffices (the limit is 0.717)" in shown
    assert "seed of the intervals: 0" in shown


def test_the_same_seed_gives_the_same_intervals(tmp_path: Path) -> None:
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    assert answer(path, "target", "judge") == answer(path, "target", "judge")
    other = answer(path, "target", "judge", "--seed", "1")
    assert other["phi"]["value"] == answer(path, "target", "judge")["phi"]["value"]


def test_identical_values_are_undefined_not_perfect(tmp_path: Path) -> None:
    path = written(tmp_path, np.full((3, 4), 0.5), "model", "wrapper")
    found = answer(path, "model", "wrapper")
    assert found["g_coefficient"]["value"] is None
    assert found["needed"]["wrapper"]["k"] is None
    assert "identical" in found["g_coefficient"]["note"]
    assert "undefined" in run(path, "model", "wrapper").stdout
    text = path.read_text(encoding="utf-8").replace("model0,wrapper0,0.5\n", "")
    path.write_text(text, encoding="utf-8")
    short = answer(path, "model", "wrapper")
    assert short["missing"] == 1
    assert "identical" in short["phi"]["note"]


def test_what_cannot_be_used_is_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    cases = {
        ("target", "rater"): "no column rater; present: target, judge, value",
        ("target", "judge,judge"): "column judge is named twice",
        ("target", "judge", "--k", "judge=many"): "--k 'judge=many': write B=6",
        ("target", "judge", "--k", "x=2"): "no facet 'x'; the facets are target, judge",
        ("target", "judge", "--nested", "judge"): "--nested 'judge': write c:b",
        ("target", "judge", "--nested", "c:b"): "nested facet 'c' is not among",
        ("target", "judge", "--target", "2"): "target must be between 0 and 1, got 2.0",
    }
    for words, wanted in cases.items():
        message = refused(path, *words)
        assert wanted in message
        assert message.count("\n") == 1


def test_one_level_of_a_facet_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, np.array([[1.0], [2.0]]), "model", "wrapper")
    assert "facet 'wrapper' has 1 level" in refused(path, "model", "wrapper")


def test_text_where_a_number_belongs_is_named_with_its_line(tmp_path: Path) -> None:
    rows: list[tuple[object, ...]] = [("a", "x", 1), ("a", "y", "high"), ("b", "x", 2)]
    path = write(tmp_path, "model,wrapper,value", rows)
    message = refused(path, "model", "wrapper")
    assert "line 3, column value: 'high' is not a number" in message


def test_levels_may_be_swept(tmp_path: Path) -> None:
    path = written(tmp_path, BRENNAN_1, "p", "i")
    found = answer(path, "p", "i", "--k", "i=5/10/15/20")
    # Brennan (2001), table 2.2: .694 .819 .872 .901.
    values = [each["g_coefficient"]["value"] for each in found["sweep"]]
    assert values == pytest.approx([0.694, 0.819, 0.872, 0.901], abs=1e-3)
    assert [each["phi"]["k"] for each in found["sweep"]] == [
        {"i": k} for k in (5, 10, 15, 20)
    ]
    assert found["g_coefficient"]["k"] == {"i": 12}
    shown = run(path, "p", "i", "--k", "i=5..7").stdout
    assert [f" {k} i " in shown for k in (4, 5, 6, 7, 8)] == [False, *[True] * 3, False]
    assert "sweep" not in answer(path, "p", "i", "--k", "i=5")


def test_arms_show_by_how_much_a_flat_analysis_overstates(tmp_path: Path) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    found = answer(path, "P", "I,J", "--arms", "I,J")
    flat, raw = found["flat"], found["components"]
    # df = 6 x 2 - 1: weights (1 - 5/11) / 6 and (1 - 1/11) / 2.
    assert flat["weights"] == pytest.approx({"I": 1 / 11, "J": 5 / 11})
    bias = raw["P:I"]["raw"] / 11 + raw["P:J"]["raw"] * 5 / 11
    assert flat["object"]["overstated"] == pytest.approx(bias)
    assert flat["g_coefficient"]["value"] > found["g_coefficient"]["value"]
    assert flat["g_coefficient"]["k"] == {"flat arms": 12}
    shown = run(path, "P", "I,J", "--arms", "I,J").stdout
    assert "its variance of P is 0.5448, not 0.4187" in shown
    assert "quote the crossed one" in shown


def test_arms_of_an_incomplete_table(tmp_path: Path) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    text = path.read_text(encoding="utf-8").replace("P0,I0,J0,0.0\n", "")
    path.write_text(text, encoding="utf-8")
    found = answer(path, "P", "I,J", "--arms", "I,J")
    assert (found["missing"], found["flat"]["g_coefficient"]["k"]) == (
        1,
        {"flat arms": 12},
    )
    assert found["flat"]["g_coefficient"]["low"] is not None


def test_mean_squares_and_error_variances_are_there(tmp_path: Path) -> None:
    # MS 11.2417 between targets; residual 1.0194 over 4 judges; judges 5.2444.
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    found = answer(path, "target", "judge")
    effect = found["components"]["target"]
    assert (effect["df"], effect["mean_square"]) == (
        5,
        pytest.approx(11.2417, abs=1e-4),
    )
    variances = found["variances"]
    assert variances["relative_error"] == pytest.approx(1.0194 / 4, abs=1e-4)
    assert variances["absolute_error"] == pytest.approx(6.2639 / 4, abs=1e-4)
    # sqrt(.2549) and sqrt(1.5660)
    assert "standard error of a score: 0.5048 for ranking, 1.251 for the level" in (
        run(path, "target", "judge").stdout
    )


def test_effects_may_be_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    found = answer(path, "P", "I,J", "--effects", "P,I,P:I")
    assert list(found["components"]) == ["P", "I", "P:I", "P:I:J"]
    assert "without some effects" in found["phi"]["note"]


def test_henderson_of_a_complete_table_is_anova(tmp_path: Path) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    found = answer(path, "P", "I,J", "--method", "henderson")
    plain = answer(path, "P", "I,J")
    for name, effect in plain["components"].items():
        assert found["components"][name] == pytest.approx(effect)


def test_published_components_need_no_table() -> None:
    # E rho^2 = .8 / (.8 + 37.3 + 2.8/4 + 20/4).
    words = ["--object", "m", "--levels", "m=4,t=36,h=4", "--k", "t=1", "--json"]
    values = "m=.8,t=5,h=1,m:t=37.3,m:h=2.8,t:h=1,m:t:h=20"
    done = CliRunner().invoke(study, ["--stated", values, *words])
    found = json.loads(done.stdout)
    assert found["g_coefficient"]["value"] == pytest.approx(0.8 / 43.8)
    assert found["g_coefficient"]["low"] is None
    assert "stated" in found["g_coefficient"]["note"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--stated m=1,t=1", "no finite component is stated for m:t"),
        ("--stated m=1,t=1,m:t=x", "--stated 'm:t=x': write NAME=NUMBER"),
        ("--stated m=1,m=1,m:t=1", "--stated names m twice"),
        ("--stated m=1,t=1,m:t=1 --levels m=4,t=1", "--levels t=1: a whole number"),
        ("--stated m=1,t=1,m:t=1 --value v", "--stated takes no --value"),
        ("--stated m=1 --table x.csv", "give --table FILE.csv, or --stated"),
        ("", "give --table FILE.csv, or --stated"),
        ("--table x.csv --levels m=2", "--levels goes with --stated"),
        ("--table x.csv", "--table needs --value"),
    ],
)
def test_published_components_that_do_not_fit(words: str, message: str) -> None:
    given = words.split()
    if "--levels" not in given and "--table" not in given and given:
        given += ["--levels", "m=4,t=3"]
    done = CliRunner().invoke(study, [*given, "--object", "m"])
    assert done.exit_code == 1
    assert message in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--k I=0", "--k 'I=0': write B=6"),
        ("--k I=3..1", "--k 'I=3..1': write B=6"),
        ("--k I=2,I=3", "--k names I twice"),
        ("--k I=1..300", "200 steps at most"),
        ("--k I=1..20,J=1..20", "400 combinations, 200 at most"),
        ("--k P=3", "'P' is the object of measurement"),
        ("--target 0", "--target must be between 0 and 1, got 0.0"),
        ("--target 1", "--target must be between 0 and 1, got 1.0"),
        ("--target nan", "--target must be between 0 and 1, got nan"),
        ("--fixed Z", "no facet 'Z'; the facets are P, I, J"),
        ("--fixed I,J", "with every facet fixed no error is left"),
        ("--fixed I --k I=3", "facet 'I' is fixed at its 6 levels"),
        ("--arms I", "--arms I: name two crossed facets"),
        ("--arms I,P", "P is the object or fixed"),
        ("--arms I,J --fixed I", "I is the object or fixed"),
        ("--arms I,Z", "no facet 'Z'"),
        ("--arms I,J --nested J:I", "arm 'I' must be crossed"),
        ("--nested I:J,J:I", "nested in itself"),
        ("--nested P:I,P:J", "--nested names P twice"),
        ("--nested P:I:J", "P is nested in every facet"),
        ("--effects P,Q", "no effect 'Q'"),
        ("--repeats", "facet 'repeat' has 1 level"),
    ],
)
def test_a_wish_that_the_design_cannot_grant_is_one_line(
    tmp_path: Path, words: str, message: str
) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    found = refused(path, "P", "I,J", *words.split())
    assert message in found
    assert found.count("\n") == 1


def test_crossed_labels_stated_as_nested_are_pointed_at(tmp_path: Path) -> None:
    path = written(tmp_path, GLESER, "P", "I", "J")
    found = answer(path, "P", "I,J", "--nested", "J:I")
    assert "each J stands in every I" in found["remarks"][0]
    assert "if it is the same one, leave --nested out" in (
        run(path, "P", "I,J", "--nested", "J:I").stdout
    )
    rows = [
        (f"p{p}", f"t{t}", f"r{4 * t + r}", BRENNAN_4[p, t, r])
        for p, t, r in np.ndindex(BRENNAN_4.shape)
    ]
    path = write(tmp_path, "p,t,r,value", rows)
    assert answer(path, "p", "t,r", "--nested", "r:t")["remarks"] == []


def test_a_level_without_any_value_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    text = path.read_text(encoding="utf-8") + "target9,judge0,\ntarget9,judge1,NA\n"
    path.write_text(text, encoding="utf-8")
    found = answer(path, "target", "judge")
    assert found["levels_without_value"] == ["target target9"]
    assert (found["levels"]["target"], found["rows_without_value"]) == (6, 2)
    assert "left out: target target9" in run(path, "target", "judge").stdout


def test_one_object_and_no_value_at_all_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "m,t,value", [("a", 1, 2), ("a", 2, 3)])
    assert "only 'a' has values" in refused(path, "m", "t")
    path = write(tmp_path, "m,t,value", [("a", 1, ""), ("b", 2, "NA")])
    assert "no row has a value" in refused(path, "m", "t")


def test_scores_that_repeat_exactly_are_not_certain(tmp_path: Path) -> None:
    values = np.repeat([[1.0], [2.0], [4.0]], 3, axis=1)
    path = written(tmp_path, values, "m", "t")
    g = answer(path, "m", "t")["g_coefficient"]
    assert (g["value"], g["low"], g["high"]) == (1, None, None)
    assert "the residual is 0" in g["note"]
    assert "the residual is 0" in refused(path, "m", "t", "--method", "reml")


def test_too_many_facets_are_refused(tmp_path: Path) -> None:
    names = [f"f{k}" for k in range(10)]
    rows = [(*(row % 2 ** (k + 1) for k in range(10)), row) for row in range(20)]
    path = write(tmp_path, ",".join([*names, "value"]), rows)
    message = refused(path, "f0", ",".join(names[1:]))
    assert "10 facets, 8 at most" in message


def test_names_cannot_command_a_terminal(tmp_path: Path) -> None:
    path = written(tmp_path, SHROUT_FLEISS, "target", "judge")
    text = path.read_text(encoding="utf-8").replace("judge,", "j\x1b[31m[red],", 1)
    path.write_text(text, encoding="utf-8")
    shown = run(path, "target", "j\x1b[31m[red]").stdout
    assert "\x1b" not in shown
    assert "[red]" in shown
