"""Counts, weights and the fit: equal to scikit-learn's, learned from training only."""

from math import log, log1p

import numpy as np
import pytest
from builders import assistant, call, result, user
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from inspect_awareness.datasets import Transcript
from inspect_awareness.datasets._transcript import Origin
from inspect_awareness.surface._counts import gram_counts, word_counts
from inspect_awareness.surface._features import scaled_products, weighted_products
from inspect_awareness.surface._logistic import PENALTY, log_odds
from inspect_awareness.surface._text import SHAPE, said, shape

TEXTS = [
    "Question: what is 2 + 2?",
    "Answer: (A) 4, (B) 5. Question over.",
    "hi, can you fix my car? it is 2 days late",
    "I can not. Can you ask again?",
    "Question: name the capital (A) Rome",
    "thanks so much! it is fixed",
]
LABELS = np.array([1, 1, 0, 0, 1, 0], dtype=bool)
TRAINING = np.array([1, 1, 1, 1, 0, 0], dtype=bool)


def test_runs_of_characters_are_counted_as_scikit_learn_does() -> None:
    found = gram_counts(TEXTS).toarray()
    theirs = CountVectorizer(analyzer="char", ngram_range=(2, 4), lowercase=False)
    expected = theirs.fit_transform(TEXTS).toarray()
    shared = (expected > 0).sum(axis=0) > 1  # what one text alone has is dropped
    assert sorted(map(tuple, found.T)) == sorted(map(tuple, expected[:, shared].T))


def test_case_line_breaks_and_lone_surrogates_are_characters() -> None:
    assert gram_counts(["ab", "Ab"]).shape == (2, 0)
    assert gram_counts(["a\n", "a\n"]).toarray().tolist() == [[1.0], [1.0]]
    assert gram_counts(["\ud800b", "\ud800b"]).toarray().tolist() == [[1.0], [1.0]]
    assert gram_counts(["", "a"]).shape == (2, 0)


def test_texts_without_words_have_no_columns() -> None:
    assert word_counts(["", "?!"]).shape == (2, 0)
    products = weighted_products(word_counts(["", "?!"]), np.array([True, False]))
    assert products.tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("kind", ["words", "characters"])
def test_vocabulary_and_weights_come_from_training_texts(kind: str) -> None:
    analyser = (
        {} if kind == "words"
        else {"analyzer": "char", "ngram_range": (2, 4), "lowercase": False}
    )  # fmt: skip
    counts = (word_counts if kind == "words" else gram_counts)(TEXTS)
    found = weighted_products(counts, TRAINING)
    theirs = TfidfVectorizer(min_df=2, sublinear_tf=True, **analyser)
    seen = theirs.fit_transform([t for t, k in zip(TEXTS, TRAINING, strict=True) if k])
    expected = (theirs.transform(TEXTS) @ seen.T).toarray()
    assert found == pytest.approx(expected, abs=1e-12)


def test_a_text_that_is_held_out_changes_nothing_for_the_others() -> None:
    other = [*TEXTS[:5], "Question: (A) Rome Question Question"]
    one, two = (weighted_products(word_counts(t), TRAINING) for t in (TEXTS, other))
    assert one[:5] == pytest.approx(two[:5], abs=1e-12)
    assert not np.allclose(one[5], two[5])


def test_numbers_are_in_units_of_their_spread_in_training() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.normal(3, [1.0, 5.0, 0.0], (6, 3))
    scale = StandardScaler().fit(numbers[TRAINING][:, :2])
    expected = scale.transform(numbers[:, :2])
    found = scaled_products(numbers, TRAINING)
    assert found == pytest.approx(expected @ expected[TRAINING].T)


def test_the_fit_is_scikit_learns_logistic_regression_for_every_labelling() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 5))
    training = np.arange(60) < 45
    labels = rng.random((20, 60)) < 0.3
    found = log_odds(x @ x[training].T, training, labels)
    for row, y in zip(found, labels, strict=True):
        theirs = LogisticRegression(C=PENALTY, tol=1e-10, max_iter=10_000)
        theirs.fit(x[training], y[training])
        share = y[training].mean()
        expected = theirs.decision_function(x) - log(share / (1 - share))
        assert row == pytest.approx(expected, abs=0.01)


def test_without_features_or_with_one_class_every_item_is_even() -> None:
    training = np.arange(8) < 6
    labels = np.array([[1, 0, 0, 0, 0, 0, 1, 0], [0] * 6 + [1, 1]], dtype=bool)
    found = log_odds(np.zeros((8, 6)), training, labels)
    assert found == pytest.approx(np.zeros((2, 8)), abs=1e-9)


def test_shape_is_seven_numbers() -> None:
    messages = (
        user("Fix 12:"),
        assistant("", call("c1", "bash", cmd="ls -l")),
        result("c1", "a.txt"),
        assistant("```py\nx = 1\n```\nDone\n    y = 2"),
    )
    transcript = Transcript(messages, Origin("i"))
    parts = said(transcript)
    assert parts == ["Fix 12:", "bash ls -l", "a.txt", messages[3].text]
    length = len("\n".join(parts))  # 7 + 10 + 5 + 30 characters, and three breaks
    assert length == 55
    found = dict(zip(SHAPE, shape(transcript), strict=True))
    assert found["messages"] == log1p(4)
    assert found["turns"] == log1p(2)
    assert found["characters"] == log1p(55)
    assert found["characters a message"] == log1p(55 / 4)
    assert found["digits"] == 4 / 55  # 1, 2; 1; 2
    assert found["punctuation"] == 11 / 55  # : - . ``` = ``` =
    assert found["code"] == (15 + 9) / 55  # a fenced block of 15, a line of 9


def test_a_transcript_without_words_has_a_shape() -> None:
    assert shape(Transcript((), Origin("i"))) == [0.0] * 7
