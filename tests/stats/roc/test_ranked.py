"""Many AUROCs at once."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from inspect_awareness.stats import RankedScores, auroc, aurocs, folded, signed


@pytest.mark.parametrize("decimals", [1, 15], ids=["ties", "no ties"])
def test_every_area_is_scikit_learns(decimals: int) -> None:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(3, 4, 50)).round(decimals)
    labels = rng.permuted(np.tile(np.arange(50) < 20, (6, 1)), axis=1)
    found = aurocs(scores, labels)
    assert found.shape == (6, 3, 4)
    for draw, direction, layer in np.ndindex(found.shape):
        peer = roc_auc_score(labels[draw], scores[direction, layer])
        assert found[draw, direction, layer] == pytest.approx(peer, abs=1e-12)


def test_one_label_vector_gives_one_area_for_each_instrument() -> None:
    scores = [[0.9, 0.5, 0.5, 0.1], [1, 1, 1, 1]]
    found = aurocs(scores, [1, 1, 0, 0])
    assert found.tolist() == [auroc([0.9, 0.5], [0.5, 0.1]), 0.5]
    assert aurocs(scores[0], [1, 1, 0, 0]).shape == ()


def test_negated_scores_have_the_complement() -> None:
    rng = np.random.default_rng(1)
    scores, labels = rng.normal(size=(5, 30)), np.arange(30) < 11
    areas = aurocs(scores, labels)
    assert aurocs(-scores, labels) == pytest.approx(1 - areas, abs=1e-12)
    assert folded(aurocs(-scores, labels)) == pytest.approx(folded(areas), abs=1e-12)
    assert signed(aurocs(-scores, labels)) == pytest.approx(-signed(areas), abs=1e-12)


def test_a_label_vector_of_one_class_has_no_area() -> None:
    found = aurocs([[1.0, 2.0, 3.0]], [[1, 1, 1], [0, 0, 1], [0, 0, 0]])
    assert np.isnan(found[[0, 2]]).all()
    assert found[1, 0] == 1.0


def test_areas_move_together_under_permutation_as_ranks_correlate() -> None:
    # The correlation of two AUROCs over random label vectors is Pearson's correlation
    # of the rank vectors: here 20,000 draws, standard error below .008.
    rng = np.random.default_rng(2)
    base = rng.normal(size=40)
    scores = np.array([base, base + rng.normal(size=40), rng.normal(size=40)])
    ranked = RankedScores.of(scores)
    labels = rng.permuted(np.tile(np.arange(40) < 15, (20_000, 1)), axis=1)
    drawn = np.corrcoef(ranked.areas(labels).T)
    assert drawn == pytest.approx(ranked.null_correlation(), abs=0.03)


@pytest.mark.parametrize(
    ("scores", "labels", "words"),
    [
        ([[1.0, np.nan]], [0, 1], "1 of 2 scores are NaN or infinite"),
        ([[1.0, 2.0]], [0, 2], "1 \\(evaluation\\) or 0"),
        ([[1.0, 2.0]], [0, 1, 1], "labels need shape"),
        (1.0, [0], "a last axis of items"),
    ],
)
def test_bad_input_is_named(scores: object, labels: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        aurocs(scores, labels)  # type: ignore[arg-type]
