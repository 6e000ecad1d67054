"""What a run took: tokens, and their price where it is known."""

from collections.abc import Iterable
from dataclasses import dataclass

from inspect_ai.model import Model, ModelUsage, compute_model_cost, get_model_info
from inspect_ai.scorer import Score

from inspect_awareness.scorers._record import RECORD


@dataclass(frozen=True)
class Tokens:
    """Tokens of a rater's replies, as its provider counts them."""

    input: int
    """Tokens read, without those that a prompt cache held where these are told apart."""

    output: int
    """Tokens written."""

    cached: int = 0
    """Tokens read from, or into, a prompt cache, where the provider says."""

    price: float | None = None
    """In US dollars, where Inspect knows the model's prices."""


def tokens_of(model: Model, scores: Iterable[Score]) -> Tokens:
    """Add up what stands in the scores' records."""
    records = [(score.metadata or {})[RECORD] for score in scores]
    found = [record["tokens"] for record in records]
    found += [p["tokens"] for r in records if (p := r.get("prior")) and "tokens" in p]
    read = sum(tokens["input"] for tokens in found)
    written = sum(tokens["output"] for tokens in found)
    cached = sum(tokens.get("cached", 0) for tokens in found)
    return Tokens(read, written, cached, _price(model, read, written))


def _price(model: Model, read: int, written: int) -> float | None:
    """The price of uncached tokens, or None where no price is known."""
    info = get_model_info(model)
    if info is None or info.cost is None:
        return None
    usage = ModelUsage(input_tokens=read, output_tokens=written)
    return compute_model_cost(info.cost, usage)
