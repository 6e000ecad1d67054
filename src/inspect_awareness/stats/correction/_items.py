"""The items of a probe's test set, as one checked record."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import spearmanr

from inspect_awareness.stats._arrays import Floats, Ids, codes, finite_vector
from inspect_awareness.stats._intervals import Clusters
from inspect_awareness.stats._units import Unit, resampling_unit
from inspect_awareness.stats.roc import bootstrap_weights
from inspect_awareness.stats.roc._ranked import Labels, label_rows


@dataclass(frozen=True, eq=False)
class Items:
    """A probe's scores and labels, the awareness of each item, and what is resampled."""

    scores: Floats
    """The probe's scores, shape (n,)."""

    positive: Labels
    """Whether each item has what the probe looks for, shape (n,)."""

    awareness: Floats
    """e: how far the model took the item for a test, shape (n,)."""

    sources: Ids
    """The source of each item, shape (n,)."""

    unit: Unit
    """What counts as independent."""

    @classmethod
    def of(
        cls,
        scores: npt.ArrayLike,
        positive: npt.ArrayLike,
        awareness: npt.ArrayLike,
        sources: Clusters | None,
    ) -> "Items":
        """Check that everything is there for every item.

        Raises:
            ValueError: A value is not finite, a label is neither 0 nor 1, or lengths
                differ.
        """
        values = finite_vector(scores, "scores")
        e = finite_vector(awareness, "awareness")
        if e.size != values.size:
            raise ValueError(f"{values.size} scores and {e.size} values of awareness")
        labels = label_rows(positive, values.size)
        names = [""] * values.size if sources is None else [str(s) for s in sources]
        if len(names) != values.size:
            raise ValueError(f"{values.size} scores and {len(names)} sources")
        classes = ["positive" if each else "negative" for each in labels]
        unit = resampling_unit(classes, names, [None] * values.size)
        return cls(values, labels, e, codes(names), unit)

    @property
    def by_source(self) -> bool:
        """Whether whole sources are resampled."""
        return self.unit.name == "source"

    def counts(self, members: Labels) -> tuple[int, int]:
        """Positive and negative items among some."""
        positives = int((members & self.positive).sum())
        return positives, int(members.sum()) - positives

    def independent(self, members: Labels) -> tuple[int, int]:
        """Positive and negative units among some items: sources, where they count."""
        if not self.by_source:
            return self.counts(members)
        ids = self.unit.clusters
        up, down = members & self.positive, members & ~self.positive
        return np.unique(ids[up]).size, np.unique(ids[down]).size

    def weights(
        self, *, draws: int, rng: np.random.Generator, strata: Ids | None = None
    ) -> Floats:
        """Resamples within each class (and stratum), or of whole sources."""
        labels = self.positive.astype(np.int64)
        if self.by_source:
            clusters = self.unit.clusters
            return bootstrap_weights(labels, draws=draws, rng=rng, clusters=clusters)
        finer = labels if strata is None else 2 * strata + labels
        return bootstrap_weights(finer, draws=draws, rng=rng)

    def rank_correlation(self) -> float:
        """Spearman's correlation of scores and awareness; 0 where one is constant."""
        if np.ptp(self.scores) == 0 or np.ptp(self.awareness) == 0:
            return 0.0
        return float(spearmanr(self.scores, self.awareness).statistic)
