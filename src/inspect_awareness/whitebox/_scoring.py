"""Exact label log-probabilities, with everything that sequences share done once.

The sequences of a call (transcript, question, prefill, label without its last token)
are sorted and laid out as a tree of tokens. The trunk, which all of them share, is
run once with a cache of its keys and values. The branches follow in one packed pass:
each token keeps the position it has in its own sequence and attends to the trunk and
to its own ancestors only, so every log-probability is that of the sequence on its
own. Nothing is padded, and logits are computed only after the tokens that predict
label tokens. Since the layout depends on the sorted sequences alone, the order of
the requests changes nothing.

Sequences longer than a sliding attention window, models whose architecture does not
take the packed form, and models for which a trial at first use gives other numbers,
are run one sequence at a time.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import DynamicCache

from inspect_awareness.whitebox._local_model import LocalModel, log_normalizers
from inspect_awareness.whitebox._tokens import LabelTokens, Tokens
from inspect_awareness.whitebox._trie import common_prefix, groups, token_tree

# Largest difference of the trial, in nats: rounding stays below, a wrong mask does not.
_TOLERANCE = {torch.float32: 1e-3, torch.float64: 1e-6}
_HALF_TOLERANCE = 0.25

_ATTENTION = {"full_attention", "sliding_attention", "chunked_attention"}
_ROPE_OF_LENGTH = {"dynamic", "longrope"}  # rotate differently in longer sequences


@dataclass(frozen=True)
class _Query:
    """The log-probability of ``token`` after position ``after`` of an input."""

    label: int
    after: int
    token: int


def label_sums(
    model: LocalModel, labels: Sequence[LabelTokens], *, budget: int
) -> list[float]:
    """Log-probability of each label after its context, summed over its tokens.

    Args:
        model: A loaded model, whose lock the caller holds.
        labels: Contexts with labels, at least one.
        budget: Most branch tokens in one packed pass.

    Returns:
        Nats, one for each label, in order.
    """
    with torch.inference_mode():
        if _shareable(model, longest=max(len(label.tokens) for label in labels)):
            return _shared(model, labels, budget)
        return _plain(model, labels)


def _shared(
    model: LocalModel, labels: Sequence[LabelTokens], budget: int
) -> list[float]:
    """Trunk once, then the branches in packed passes."""
    queries = _queries(labels)
    inputs = sorted(queries)
    trunk = common_prefix(inputs)
    terms: list[list[float]] = [[] for _ in labels]
    dtype = model.dtype
    cache = DynamicCache() if trunk else None
    if trunk:
        early = [(q.after, q) for s in inputs for q in queries[s] if q.after < trunk]
        _run(model, inputs[0][:trunk], early, terms, cache=cache)
    runs = list(groups([s for s in inputs if len(s) > trunk], trunk, budget))
    for number, run in enumerate(runs):
        tree = token_tree(run, trunk)
        late = [
            (path[q.after - trunk], q)
            for sequence, path in zip(run, tree.paths, strict=True)
            for q in queries[sequence]
            if q.after >= trunk
        ]
        mask = torch.zeros(len(tree.tokens), trunk + len(tree.tokens), dtype=dtype)
        mask[:, trunk:].masked_fill_(
            ~torch.from_numpy(tree.sees), torch.finfo(dtype).min
        )
        positions = torch.from_numpy(tree.positions)[None].to(model.device)
        last = number == len(runs) - 1
        _run(
            model,
            tree.tokens.tolist(),
            late,
            terms,
            cache=cache if last or cache is None else _copy(cache),
            tree=(positions, mask[None, None].to(model.device)),
        )
    return [math.fsum(found) for found in terms]


def _plain(model: LocalModel, labels: Sequence[LabelTokens]) -> list[float]:
    """One pass for each different input."""
    terms: list[list[float]] = [[] for _ in labels]
    for sequence, queries in sorted(_queries(labels).items()):
        _run(model, sequence, [(q.after, q) for q in queries], terms)
    return [math.fsum(found) for found in terms]


def _run(
    model: LocalModel,
    tokens: Sequence[int],
    placed: Sequence[tuple[int, _Query]],
    terms: list[list[float]],
    **context: Any,
) -> None:
    """One forward pass; add what it says about each query at its place."""
    keep = sorted({place for place, _ in placed}) or [len(tokens) - 1]
    row = {place: index for index, place in enumerate(keep)}
    logits = model.forward(tokens, keep=keep, **context)
    if not placed:
        return
    rows = torch.tensor([row[place] for place, _ in placed])
    wanted = torch.tensor([query.token for _, query in placed])
    picked = logits[rows.to(model.device), wanted.to(model.device)].cpu().double()
    found = picked - log_normalizers(logits)[rows]
    for (_, query), value in zip(placed, found.tolist(), strict=True):
        terms[query.label].append(value)


def _queries(labels: Sequence[LabelTokens]) -> dict[Tokens, list[_Query]]:
    """What has to be known after which input; the last token is never an input."""
    queries: dict[Tokens, list[_Query]] = {}
    for index, label in enumerate(labels):
        found = queries.setdefault(label.tokens[:-1], [])
        for position in range(label.start, len(label.tokens)):
            found.append(_Query(index, position - 1, label.tokens[position]))
    return queries


def _copy(cache: Any) -> Any:
    """A cache that grows without changing the first one."""
    copy = DynamicCache()
    for index, layer in enumerate(cache.layers):
        copy.update(layer.keys, layer.values, index)
    return copy


def _shareable(model: LocalModel, *, longest: int) -> bool:
    """Whether packed passes are exact for sequences of this length."""
    window = _window(model.config)
    if window is not None and longest > window:
        return False
    if model.packs is None:
        model.packs = _supported(model.config) and _trial(model)
    return model.packs


def _window(config: Any) -> int | None:
    """Tokens within which sliding or chunked attention is plain attention."""
    if getattr(config, "use_sliding_window", True) is False:
        return None
    widths = [
        getattr(config, n, None) for n in ("sliding_window", "attention_chunk_size")
    ]
    return min((int(width) for width in widths if width), default=None)


def _supported(config: Any) -> bool:
    """Attention layers throughout, and rotations that do not depend on the length."""
    return attends(config) and not rotates_by_length(config)


def attends(config: Any) -> bool:
    """Attention layers throughout, so that a prefix is its keys and values."""
    return set(getattr(config, "layer_types", None) or ()) <= _ATTENTION


def rotates_by_length(config: Any) -> bool:
    """Rotations that depend on the longest sequence of a pass."""
    rope = getattr(config, "rope_parameters", None) or {}
    nested = [rope, *(value for value in rope.values() if isinstance(value, dict))]
    return any(part.get("rope_type") in _ROPE_OF_LENGTH for part in nested)


def _trial(model: LocalModel) -> bool:
    """Packed and plain passes agree on sequences that branch twice."""
    size = model.config.vocab_size
    trunk = tuple(index * 7919 % size for index in range(1, 7))
    labels = [
        LabelTokens((*trunk, *(n * 104_729 % size for n in branch)), start)
        for branch, start in (((2, 3, 4, 5), 8), ((2, 3, 6, 9), 8), ((7, 12), 7))
    ]
    try:
        packed = _shared(model, labels, budget=5)
    except (TypeError, ValueError, RuntimeError, AttributeError, IndexError):
        return False  # an architecture that takes no such mask, position or cache
    plain = _plain(model, labels)
    tolerance = _TOLERANCE.get(model.dtype, _HALF_TOLERANCE)
    return all(
        abs(one - other) <= tolerance for one, other in zip(packed, plain, strict=True)
    )
