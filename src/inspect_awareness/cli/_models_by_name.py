"""Models by their names, as options of the command line say them."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from inspect_awareness.errors import AwarenessError, InputError, ModelError

if TYPE_CHECKING:
    from inspect_ai.model import Model


def named(connection: Mapping[str, Any], name: str, **args: Any) -> "Model":
    """A model by its name, or one line on why it cannot be had.

    Args:
        connection: Retries and waiting, as in a generate config.
        name: The model, as Inspect names models.
        args: Arguments of its provider.

    Raises:
        ModelError: The model cannot be had.
    """
    from inspect_ai.model import GenerateConfig, get_model

    try:
        config = GenerateConfig(**connection)
        return get_model(name, config=config, memoize=False, **args)
    except AwarenessError:
        raise
    except Exception as ex:
        # Inspect writes such errors in several lines, with markup for its console
        plain = re.sub(r"\[/?[a-z ]+\]|ERROR: ", "", str(ex))
        reason = " ".join(plain.split())[:400] or type(ex).__name__
        raise ModelError(f"model {name}: {reason}") from ex


def model_args(
    given: Sequence[str], usage: str = "-M takes KEY=VALUE, as in -M dtype=bfloat16"
) -> dict[str, Any]:
    """What `-M KEY=VALUE` says, the values read as YAML.

    Raises:
        InputError: One of them has no equals sign, or a value is no YAML.
    """
    import yaml

    pairs = [arg.partition("=") for arg in given]
    if any(not separator for _, separator, _ in pairs):
        raise InputError(usage)
    try:
        return {key: yaml.safe_load(value) for key, _, value in pairs}
    except yaml.YAMLError as ex:
        raise InputError(f"{usage}; a value cannot be read as YAML") from ex
