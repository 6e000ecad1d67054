"""Whether a checkpoint that was read is the whole model that its configuration names.

``transformers`` fills a missing weight with random numbers, leaves an extra one out,
and says either in a report that nobody reads. Here both are errors, and so is a
weight that is not a number.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import torch

from inspect_awareness.errors import ModelError

_SHOWN = 4
_CONSTANT = re.compile(r"\.(masked_bias|position_ids|inv_freq)$")  # of old checkpoints
_LAYER = re.compile(r"\.(\d+)\.")


def check_whole(name: str, model: Any, report: Mapping[str, Any]) -> None:
    """Compare what was read with what the model has.

    Args:
        name: Of the model, as the user wrote it.
        model: As ``transformers`` read it.
        report: Its loading report: ``missing_keys`` (which tied weights are not
            among), ``unexpected_keys``, ``mismatched_keys`` and ``error_msgs``.

    Raises:
        ModelError: A weight is missing, is extra, or has another shape.
    """
    missing = sorted(report["missing_keys"])
    extra = sorted(k for k in report["unexpected_keys"] if not _CONSTANT.search(k))
    faults = [
        *_shapes(report["mismatched_keys"]),
        *_named("missing", missing),
        *_named("extra", extra),
        *map(str, report["error_msgs"]),
    ]
    if faults:
        raise ModelError(
            f"the checkpoint {name!r} is not the model that its config.json "
            f"describes: {'; '.join(faults)}.{_about_layers(model, missing, extra)} "
            f"Get the checkpoint anew, or the configuration that belongs to it"
        )


def check_finite(name: str, model: Any) -> None:
    """Look at the extremes of each weight: NaN and infinity are always among them.

    Raises:
        ModelError: A weight holds NaN or infinite numbers.
    """
    with torch.inference_mode():
        bad = [
            key
            for key, weight in model.named_parameters()
            if weight.is_floating_point() and not _is_finite(weight)
        ]
    if bad:
        raise ModelError(
            f"the checkpoint {name!r} has weights that are NaN or infinite in "
            f"{model.dtype}: {_listed(bad)}. The file is damaged, or its numbers are "
            f"too large for -M dtype; get it anew, or try dtype=float32"
        )


def _is_finite(weight: Any) -> bool:
    """Its least and largest number are; NaN, as torch has it, is both."""
    if weight.device.type == "meta" or weight.numel() == 0:
        return True
    return bool(torch.isfinite(torch.stack(torch.aminmax(weight))).all())


def _named(what: str, keys: Sequence[str]) -> list[str]:
    """How many weights are missing or extra, and which."""
    count = f"{len(keys)} {what} weight{'s' if len(keys) > 1 else ''}"
    return [f"{count} ({_listed(keys)})"] if keys else []


def _shapes(mismatched: Iterable[Any]) -> list[str]:
    """Weights with a shape that the configuration does not ask for."""
    found = sorted((key, tuple(a), tuple(b)) for key, a, b in mismatched)
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    said = [f"{key} is {a}, expected {b}" for key, a, b in found[:_SHOWN]]
    return [", ".join(said) + more] if said else []


def _about_layers(model: Any, missing: Sequence[str], extra: Sequence[str]) -> str:
    """The likely cause, where whole layers are missing or extra."""
    layers = model.config.get_text_config().num_hidden_layers
    beyond = {n for key in extra for n in _numbers(key) if n >= layers}
    if beyond:
        return f" config.json says {layers} layers, the weights have {max(beyond) + 1}."
    lost = {n for key in missing for n in _numbers(key)}
    if lost and lost == set(range(min(lost), layers)):
        return f" config.json says {layers} layers, the weights have {min(lost)}."
    return ""


def _numbers(key: str) -> list[int]:
    """The number of the layer in a weight's name, which is the first there."""
    return [int(number) for number in _LAYER.findall(key)[:1]]


def _listed(keys: Sequence[str]) -> str:
    """The first few names."""
    more = f" and {len(keys) - _SHOWN} more" if len(keys) > _SHOWN else ""
    return ", ".join(keys[:_SHOWN]) + more
