"""States of every layer, pooled while the model runs; no stack of states is kept."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch

from inspect_awareness.errors import ModelError
from inspect_awareness.whitebox._convention import Convention
from inspect_awareness.whitebox._local_model import Abandoned, LocalModel


@dataclass(frozen=True)
class Stack:
    """The part of a causal language model that makes states.

    Args:
        decoder: The model without its head; its ``last_hidden_state`` is normed.
        blocks: Its blocks, in the order in which they run.
    """

    decoder: Any
    blocks: Sequence[Any]

    @property
    def states(self) -> int:
        """States of one pass: every block's input, the last's output, and normed."""
        return len(self.blocks) + 2

    def picked(self, convention: Convention) -> list[int]:
        """Which of a pass's states are the layers that a convention keeps."""
        blocks = len(self.blocks)
        layers = convention.layer_numbers(blocks)
        if convention.states == "outputs":
            return [layer + 1 for layer in layers]
        if convention.states == "inputs":
            return list(layers)
        return [layer + (layer == blocks) for layer in layers]


def stack(model: LocalModel) -> Stack:
    """Find the blocks of a model: the list of as many modules as it has layers.

    Raises:
        ModelError: The architecture has no such list.
    """
    decoder = model.model.get_decoder()
    depth = model.config.num_hidden_layers
    for child in decoder.children():
        if isinstance(child, torch.nn.ModuleList) and len(child) == depth:
            return Stack(decoder, tuple(child))
    raise ModelError(
        f"the architecture {type(model.model).__name__} has no list of {depth} blocks "
        f"that states could be taken from: use a decoder-only language model"
    )


class Pooler:
    """Sums the states of each layer over tokens, as the layers come by.

    Args:
        rows: Which tokens are summed, float32, shape ``(prompts, selectors, tokens)``.
    """

    def __init__(self, rows: Any) -> None:
        self._rows = rows
        self._sums: dict[int, Any] = {}

    def take(self, state: int, hidden: Any) -> None:
        """Sum one layer's states ``(prompts, tokens, width)``.

        Raises:
            ModelError: The states have another shape.
        """
        rows = self._rows
        if hidden.dim() != 3 or hidden.shape[:2] != (rows.shape[0], rows.shape[2]):
            raise ModelError(
                f"state {state} of this architecture has the shape "
                f"{tuple(hidden.shape)}, expected (prompts, tokens, width) with "
                f"{rows.shape[0]} prompts of {rows.shape[2]} tokens"
            )
        if rows.device != hidden.device:
            self._rows = rows = rows.to(hidden.device)
        self._sums[state] = torch.bmm(rows, hidden.float())

    def sums(self, states: int) -> Any:
        """Sums of all states: float32 ``(prompts, selectors, states, width)``, CPU."""
        missing = [n for n in range(states) if n not in self._sums]
        if missing:
            raise ModelError(f"the model ran without showing its state {missing[0]}")
        return torch.stack([self._sums[n].cpu() for n in range(states)], dim=2)


@contextmanager
def watched(blocks: Sequence[Any], take: Callable[[int, Any], None]) -> Iterator[None]:
    """Call ``take`` with the input of the first block and the output of each.

    The hooks are gone at the end, whatever happened.
    """

    def before(_: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        take(0, args[0] if args else kwargs["hidden_states"])

    def after(state: int) -> Callable[..., None]:
        def hook(_module: Any, _args: Any, output: Any) -> None:
            # a tensor now, a tuple once: `output[0]` of a tensor would be one prompt
            take(state, output if isinstance(output, torch.Tensor) else output[0])

        return hook

    handles = [blocks[0].register_forward_pre_hook(before, with_kwargs=True)]
    try:
        for number, block in enumerate(blocks, start=1):
            handles.append(block.register_forward_hook(after(number)))
        yield
    finally:
        for handle in handles:
            handle.remove()


def pooled_pass(
    model: LocalModel, found: Stack, tokens: Any, rows: Any, *, cache: Any = None
) -> Any:
    """Run prompts once, without the head.

    Padding goes to the right, where no token of a causal model sees it. So no mask is
    needed, and the kernels without one are the fastest.

    Args:
        model: The model, whose lock the caller holds.
        found: Its blocks.
        tokens: Token ids ``(prompts, tokens)``.
        rows: Which tokens are summed, float32 ``(prompts, selectors, tokens)``.
        cache: Keys and values of what comes before.

    Returns:
        Sums, float32 ``(prompts, selectors, states, width)``, on the CPU.

    Raises:
        Abandoned: The call was cancelled.
    """
    if model.cancelled.is_set():
        raise Abandoned
    pooler = Pooler(rows)
    options: dict[str, Any] = {"use_cache": cache is not None}
    if cache is not None:
        options[model.cache_name] = cache
    with torch.inference_mode(), watched(found.blocks, pooler.take):
        ids = tokens.to(model.device)
        output = found.decoder(input_ids=ids, **options)
        pooler.take(found.states - 1, output[0])
    return pooler.sums(found.states)


@contextmanager
def attending(model: LocalModel, kernel: str) -> Iterator[None]:
    """The model with one attention kernel, and with its own again afterwards.

    Raises:
        ModelError: The architecture does not have the kernel.
    """
    own = model.model.config._attn_implementation
    if own == kernel:
        yield
        return
    try:
        model.model.set_attn_implementation(kernel)
    except (ValueError, ImportError) as error:
        raise ModelError(
            f"{type(model.model).__name__} does not run with attention={kernel} here: "
            f"use a convention with attention={own}"
        ) from error
    try:
        yield
    finally:
        model.model.set_attn_implementation(own)
