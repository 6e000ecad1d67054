"""Projections of items on the parts of a direction: all that its draws need."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from inspect_awareness.stats.floors._places import random_places
from inspect_awareness.stats.floors._row_areas import Reals


@dataclass(frozen=True, eq=False)
class ContrastGrams:
    """Dot products of the scored items with what a direction is a sum of.

    A difference of means is d_l = sum_j w_j c_lj over its pairs' differences or its
    pooled items c_lj. The items' scores are then A_l d_l = G_l w with G_l = A_l C_l',
    so that whatever weights are drawn, neither activations nor directions are needed
    again. G_l has the item by part shape and can be formed layer by layer.
    """

    grams: Reals
    """A_l C_l', shape (layers, items, parts)."""

    first: npt.NDArray[np.bool_] | None = None
    """For pooled items, whether each is of the first class, shape (parts,); None for
    differences of pairs."""

    def __post_init__(self) -> None:
        """Check shapes.

        Raises:
            ValueError: Not three axes, a value not finite, or classes that do not fit.
        """
        grams = self.grams
        if grams.ndim != 3 or 0 in grams.shape or grams.dtype.kind != "f":
            raise ValueError(
                "grams need floats of shape (layers, items, parts), none empty, got "
                f"{grams.dtype} of {grams.shape}"
            )
        bad = int((~np.isfinite(grams)).sum())
        if bad:
            raise ValueError(
                f"{bad} of {grams.size} dot products are NaN or infinite: leave out the "
                "items, pairs or layers that are incomplete"
            )
        if self.first is not None and (
            self.first.shape != grams.shape[2:]
            or self.first.all()
            or not self.first.any()
        ):
            raise ValueError(
                f"first needs one flag for each of {grams.shape[2]} parts, of both "
                f"kinds, got {int(self.first.sum())} of {self.first.size} set"
            )

    @classmethod
    def paired(
        cls, activations: Iterable[npt.ArrayLike], differences: Iterable[npt.ArrayLike]
    ) -> "ContrastGrams":
        """From items and pair differences a_i - b_i, layer by layer.

        Args:
            activations: For each layer the scored items, shape (items, width): an
                array of shape (layers, items, width), or a generator of layers.
            differences: For each layer the pairs' differences, shape (pairs, width).

        Raises:
            ValueError: The numbers of layers or the widths differ, or a value is not
                finite.
        """
        layers = zip(activations, differences, strict=True)
        return cls(np.stack([_product(items, parts) for items, parts in layers]))

    @classmethod
    def unpaired(
        cls,
        activations: Iterable[npt.ArrayLike],
        first: Iterable[npt.ArrayLike],
        second: Iterable[npt.ArrayLike],
    ) -> "ContrastGrams":
        """From items and the two classes whose means are contrasted, layer by layer.

        Args:
            activations: For each layer the scored items, shape (items, width).
            first: For each layer the class that counts as positive, (n1, width).
            second: For each layer the other class, (n0, width).

        Raises:
            ValueError: The numbers of layers or the widths differ, or a value is not
                finite.
        """
        found, sizes = [], (0, 0)
        for items, one, other in zip(activations, first, second, strict=True):
            a, b = np.atleast_2d(one), np.atleast_2d(other)
            pool, sizes = np.concatenate([a, b]), (len(a), len(b))
            # The weights of a contrast add up to 0: a common part only costs digits.
            found.append(_product(items, pool - pool.mean(axis=0)))
        return cls(np.stack(found), np.repeat([True, False], sizes))

    @property
    def parts(self) -> int:
        """How many pairs, or pooled items."""
        return int(self.grams.shape[2])

    @property
    def ways(self) -> int:
        """How many directions the permutation can give: 2^pairs, or C(n, n1)."""
        if self.first is None:
            return int(2**self.parts)
        return comb(self.parts, int(self.first.sum()))

    def real_weights(self) -> Reals:
        """The weights of the direction itself, up to scale; shape (1, parts)."""
        if self.first is None:
            return np.ones((1, self.parts), dtype=self.grams.dtype)
        return self._weights(self.first[None])

    def drawn_weights(
        self, draws: int, rng: np.random.Generator, *, balanced: bool
    ) -> Reals:
        """The weights of directions from permuted labels, shape (draws, parts)."""
        first = self.first
        if first is None:
            plus = rng.integers(0, 2, (draws, self.parts)).astype(np.bool_)
            if balanced:
                half = (self.parts + rng.integers(0, 2, draws)) // 2
                plus = random_places(self.parts, half, rng)
            return np.where(plus, 1, -1).astype(self.grams.dtype)
        if not balanced:
            return self._weights(rng.permuted(np.tile(first, (draws, 1)), axis=1))
        n1 = int(first.sum())
        kept = np.full(draws, round(n1**2 / first.size))
        moved = np.empty((draws, first.size), dtype=np.bool_)
        moved[:, first] = random_places(n1, kept, rng)
        moved[:, ~first] = random_places(first.size - n1, n1 - kept, rng)
        return self._weights(moved)

    def _weights(self, first: npt.NDArray[np.bool_]) -> Reals:
        """1 / n1 for the first class, -1 / n0 for the other."""
        n1 = int(first[0].sum())
        return np.where(first, 1 / n1, -1 / (first.shape[1] - n1)).astype(
            self.grams.dtype
        )


def centred(items: npt.ArrayLike, name: str) -> Reals:
    """A matrix less its mean row, in float32 or float64.

    A constant added to all scores changes no area; without it fewer digits are lost.

    Raises:
        ValueError: It is no matrix.
    """
    matrix = np.asarray(items)
    if matrix.ndim != 2:
        raise ValueError(f"{name} of a layer need shape (n, width), got {matrix.shape}")
    narrow = matrix.dtype.kind == "f" and matrix.dtype.itemsize <= 4
    working = matrix.astype(np.float32 if narrow else np.float64, copy=False)
    return np.asarray(working - working.mean(axis=0))


def checked_finite(items: Reals, layer: int) -> Reals:
    """The items of a layer, if all are finite.

    Raises:
        ValueError: A value is NaN or infinite.
    """
    if not np.isfinite(items).all():
        raise ValueError(
            f"activations of layer {layer} hold NaN or infinite values: leave out the "
            "items, or the layer"
        )
    return items


def _product(items: npt.ArrayLike, parts: npt.ArrayLike) -> Reals:
    """A C', with the items centred."""
    a, c = centred(items, "activations"), np.asarray(parts)
    if c.ndim != 2 or a.shape[1] != c.shape[1]:
        raise ValueError(
            f"items of width {a.shape[1]} cannot be projected on parts of shape "
            f"{c.shape}: both need (n, width) with one width"
        )
    return np.asarray(a @ c.astype(a.dtype, copy=False).T)
