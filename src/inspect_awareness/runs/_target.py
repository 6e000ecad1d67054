"""Where a run writes to, and in which form."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from inspect_awareness.datasets._inputs import Inputs
from inspect_awareness.errors import InputError
from inspect_awareness.runs._outputs import free_output


@dataclass(frozen=True)
class Target:
    """Where scores go, and in which form."""

    output: Path
    """A log, a folder for several logs, or a `.parquet` file of numbers alone."""

    scores_only: bool = False
    """Write values, hashes and sources, and no text."""

    replace: bool = False
    """Drop earlier awareness scores."""

    overwrite: bool = False
    """Replace an output that exists."""


def check_target(inputs: Inputs, target: Target) -> None:
    """Refuse an output that cannot be written, before anything is read or asked.

    Raises:
        InputError: Its ending or its folder is wrong for these inputs.
    """
    output = target.output
    if target.scores_only:
        endings = [".parquet"]
    elif _is_one_file(inputs):
        endings = [".eval", ".json"]
    else:
        if output.suffix in (".eval", ".json", ".parquet"):
            raise InputError(
                f"{output}: {len(inputs.logs)} logs were given, so the output is a "
                "folder for their copies; name one (or use --scores-only for one file)"
            )
        names = Counter(log.rsplit("/", 1)[-1] for log in inputs.logs)
        twice = sorted(name for name, n in names.items() if n > 1)
        if twice:
            raise InputError(
                f"several of the logs are called {', '.join(twice)}; score them apart"
            )
        output.mkdir(parents=True, exist_ok=True)
        return
    free_output(output, overwrite=True, endings=endings)


def outputs_of(inputs: Inputs, target: Target) -> list[Path]:
    """The files that will be written."""
    if target.scores_only or _is_one_file(inputs):
        return [target.output]
    return [target.output / log.rsplit("/", 1)[-1] for log in inputs.logs]


def is_log_of_transcripts(inputs: Inputs) -> bool:
    """Whether the output is a log of transcripts, and no copy of the input."""
    return inputs.kind == "chats" or inputs.wanted.view == "turns"


def _is_one_file(inputs: Inputs) -> bool:
    """Whether one log or one log of transcripts is written, and no folder."""
    if is_log_of_transcripts(inputs):
        return True
    return len(inputs.logs) == 1 and not Path(inputs.paths[0]).is_dir()
