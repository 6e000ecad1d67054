"""How activations are made: the record that travels with every number of theirs.

Choices that are seldom written down move a direction more than the models that are
compared: which tokens are pooled, which states count as a layer, even the number
format. So nothing is implicit here. The record holds every such choice, its hash names
the folder that the activations are stored in, and numbers with different hashes are
not compared.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal, Self, get_args

from inspect_awareness.errors import InputError

Rendering = Literal["system", "user", "folded"]
Newlines = Literal["lf", "crlf", "as_is"]
Dropped = Literal["bos", "white_space", "template"]
Pooling = Literal["mean", "last"]
States = Literal["inputs", "outputs", "normed"]
Dtype = Literal["float32", "bfloat16", "float16"]
Attention = Literal["sdpa", "eager"]
Prefix = Literal["shared", "whole"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "rendering": get_args(Rendering),
    "newlines": get_args(Newlines),
    "truncation": ("none",),
    "pooling": get_args(Pooling),
    "states": get_args(States),
    "dtype": get_args(Dtype),
    "attention": get_args(Attention),
    "prefix": get_args(Prefix),
}
_BATCHING = re.compile(r"length-sorted-([1-9]\d*)")


@dataclass(frozen=True)
class Convention:
    """Everything that decides what one pooled state is.

    Args:
        rendering: Where the framing goes: a system turn (``system``), a user turn of
            its own before the task (``user``), or in front of the task in one user
            turn (``folded``).
        newlines: Line ends of the texts: ``lf``, ``crlf``, or ``as_is``.
        truncation: ``none``: a prompt beyond the context is an error.
        dropped: Tokens left out before pooling: ``bos`` (by id, wherever it stands),
            ``white_space`` (tokens that are nothing else), ``template`` (tokens that
            the chat template wrote).
        pooling: Over the tokens that are left: their ``mean``, or the ``last``.
        layers: ``all``, ``interior`` (all but the first and the last), or numbers.
        states: What a layer is: the ``inputs`` of a block (0 is the embedding), the
            ``outputs`` of a block, or the hidden states as transformers numbers them
            (``normed``: 0 is the embedding, the last one is after the final norm).
        dtype: Of weights and activations; pooling is always in float32.
        attention: The kernel.
        batching: ``length-sorted-N`` (at most N padded tokens a pass), or ``single``.
        prefix: Whether tokens that prompts of one framing begin with are run once
            (``shared``) or with each prompt (``whole``).

    Raises:
        InputError: A value is not allowed.

    >>> Convention().hash
    'f0bef458a6fbc93f'
    >>> Convention.from_record(Convention(dropped=("bos",)).record()).dropped
    ('bos',)
    """

    rendering: Rendering = "system"
    newlines: Newlines = "lf"
    truncation: Literal["none"] = "none"
    dropped: tuple[Dropped, ...] = ()
    pooling: Pooling = "mean"
    layers: Literal["all", "interior"] | tuple[int, ...] = "all"
    states: States = "normed"
    dtype: Dtype = "float32"
    attention: Attention = "sdpa"
    batching: str = "length-sorted-800"
    prefix: Prefix = "shared"

    def __post_init__(self) -> None:
        for name, allowed in _CHOICES.items():
            if getattr(self, name) not in allowed:
                raise _wrong(name, getattr(self, name), f"one of {', '.join(allowed)}")
        if self.batching != "single" and not _BATCHING.fullmatch(str(self.batching)):
            raise _wrong("batching", self.batching, "single, or length-sorted-800")
        object.__setattr__(self, "dropped", _dropped(self.dropped))
        object.__setattr__(self, "layers", _layers(self.layers))

    @property
    def hash(self) -> str:
        """16 hex digits that stand for the whole record."""
        return digest(self.record())

    @property
    def passes(self) -> "Convention":
        """What decides the forward pass: this convention, with the rest at default.

        Conventions with equal ``passes`` come out of one forward pass.
        """
        return replace(self, dropped=(), pooling="mean", layers="all", states="normed")

    @property
    def budget(self) -> int | None:
        """Most padded tokens in one pass; None for one prompt at a time."""
        found = _BATCHING.fullmatch(self.batching)
        return int(found[1]) if found else None

    def record(self) -> dict[str, Any]:
        """The convention as JSON takes it."""
        record = asdict(self)
        record["dropped"] = list(self.dropped)
        if not isinstance(self.layers, str):
            record["layers"] = list(self.layers)
        return record

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """The convention that ``record`` describes.

        Raises:
            InputError: A field is missing, unknown, or holds a value that is not
                allowed.
        """
        known = {field.name for field in fields(cls)}
        odd = sorted(known ^ set(record))
        if odd:
            raise InputError(
                f"this record of a convention has missing or unknown fields: "
                f"{', '.join(odd)}. It needs exactly {', '.join(sorted(known))}"
            )
        values = dict(record)
        values["dropped"] = tuple(values["dropped"])
        if not isinstance(values["layers"], str):
            values["layers"] = tuple(values["layers"])
        return cls(**values)

    def layer_numbers(self, blocks: int) -> tuple[int, ...]:
        """The layers that are kept of a model.

        Args:
            blocks: How many blocks the model has.

        Raises:
            InputError: A layer was asked for that the model does not have.

        >>> Convention(layers="interior").layer_numbers(4)
        (1, 2, 3)
        """
        every = tuple(range(blocks + 1 if self.states == "normed" else blocks))
        if self.layers == "all":
            return every
        if self.layers == "interior":
            return every[1:-1]
        unknown = [number for number in self.layers if number not in every]
        if unknown:
            raise InputError(
                f"the model has no layer {unknown[0]}: under states={self.states} its "
                f"layers are 0 to {every[-1]}"
            )
        return self.layers


def digest(record: Any) -> str:
    """16 hex digits of a record's canonical JSON."""
    text = json.dumps(record, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def _wrong(name: str, value: object, allowed: str) -> InputError:
    """One form for every value that is not allowed."""
    hint = ""
    if name == "truncation":
        hint = ": a prompt that does not fit is an error, never cut"
    if (name, value) == ("dtype", "auto"):
        hint = ": auto is for loading, and the record says what it chose"
    return InputError(
        f"the convention has {name}={value!r}, and it must be {allowed}{hint}"
    )


def _dropped(value: object) -> tuple[str, ...]:
    """Kinds of tokens in one order, so that equal sets have equal hashes."""
    allowed = get_args(Dropped)
    if not isinstance(value, tuple) or not set(value) <= set(allowed):
        raise _wrong("dropped", value, f"a tuple out of {', '.join(allowed)}")
    return tuple(kind for kind in allowed if kind in value)


def _layers(value: object) -> str | tuple[int, ...]:
    """A word, or ascending layer numbers."""
    if value in ("all", "interior"):
        return str(value)
    numbers = value if isinstance(value, tuple) else ()
    if not numbers or not all(type(n) is int and n >= 0 for n in numbers):
        raise _wrong("layers", value, "all, interior, or a tuple of layer numbers")
    return tuple(sorted(set(numbers)))


DEFAULT = Convention()
"""The convention that is used where none is asked for."""
