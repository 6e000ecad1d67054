"""How a transcript is judged, checked once."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from inspect_ai.model import GenerateConfig, Model, get_model
from pydantic import ValidationError

from inspect_awareness.datasets._reasoning import Channel, Voice, checked_channel
from inspect_awareness.errors import InputError
from inspect_awareness.scorers.verdicts._rubric import DEFAULT, Rubric, load_rubric
from inspect_awareness.scorers.verdicts._votes import Instrument
from inspect_awareness.solvers._asking import JUDGE
from inspect_awareness.whitebox import LabelScorer

Unsupported = Literal["missing", "aware"]
"""What an aware verdict without a quote that stands in the text counts as."""

Structured = Literal["auto", "always", "never"]
"""When a judge is held to the form of a verdict by its provider."""

MAX_TOKENS = 4096
"""Room for a verdict of a judge that reasons first, unless the user says otherwise."""

LOCAL_MAX_TOKENS = 256
"""The same for a local model, which writes slowly."""


_AFTERWARDS = {"unsupported", "view", "subject_role"}
"""Fields of an instrument that change no question about a given text."""


@dataclass(frozen=True)
class Judging:
    """How a transcript is judged; nothing of it is inherited from a log."""

    rubric: Rubric
    """What the judges are told."""

    channel: Channel = "reasoning"
    """What of the subject's turns is judged."""

    judges: tuple[str | Model, ...] = ()
    """The judges; without any, the model role `grader`, else the active model."""

    votes: int = 1
    """How often each is asked."""

    unsupported: Unsupported = "missing"
    """What an aware verdict without evidence counts as."""

    structured: Structured = "auto"
    """When a judge is held to the form by its provider."""

    config: GenerateConfig = field(default_factory=GenerateConfig)
    """Temperature, tokens and the like."""

    def models(self) -> list[Model]:
        """The judges as models.

        Raises:
            InputError: A judge is given twice.
        """
        if not self.judges:
            return [get_model(role=JUDGE)]
        found = [j if isinstance(j, Model) else get_model(j) for j in self.judges]
        names = [str(model) for model in found]
        if len(set(names)) < len(names):
            raise InputError(
                f"judges {', '.join(names)}: one is given twice; to ask a judge "
                "several times give votes"
            )
        return found

    def config_for(self, judge: Model) -> GenerateConfig:
        """How a judge's reply is sampled."""
        if self.config.max_tokens is not None:
            return self.config
        local = isinstance(judge.api, LabelScorer)
        room = LOCAL_MAX_TOKENS if local else MAX_TOKENS
        return self.config.merge(GenerateConfig(max_tokens=room))

    def instrument(
        self,
        judges: Sequence[Model],
        *,
        view: str = "full",
        subject_role: str | None = None,
    ) -> Instrument:
        """The record of how it is judged.

        Args:
            judges: The judges.
            view: The part of the transcript that the subject's turns are taken from.
            subject_role: The model role whose turns are taken, where one is named.
        """
        return Instrument(
            rubric=self.rubric.name,
            rubric_version=self.rubric.version,
            rubric_hash=self.rubric.hash,
            channel=self.channel,
            view=view,
            subject_role=subject_role,
            judges=[str(judge) for judge in judges],
            votes=self.votes,
            unsupported=self.unsupported,
            structured=self.structured,
            config=self.config_for(judges[0]).model_dump(exclude_none=True),
        )

    def asked(self, voice: Voice, judges: Sequence[Model]) -> str:
        """Hash of a judged text and of everything that decides what is asked."""
        how = self.instrument(judges).model_dump(exclude=_AFTERWARDS)
        return key_of(voice.digest, how, judges)


def key_of(words: str, how: Mapping[str, Any], judges: Sequence[Model]) -> str:
    """Hash of a judged text, of how it is asked about, and of the judges' addresses.

    Args:
        words: The text, or its digest.
        how: Everything else that decides what is asked.
        judges: The judges.
    """
    where = [judge.api.base_url for judge in judges]
    content = json.dumps([words, how, where], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def judging(
    *,
    channel: str = "reasoning",
    judges: str | Model | Sequence[str | Model] | None = None,
    votes: int = 1,
    unsupported: str = "missing",
    structured: str = "auto",
    rubric: str | None = None,
    config: Mapping[str, Any] | None = None,
    default: str = DEFAULT,
) -> Judging:
    """Check what a user asked for, once, and complete it.

    Args:
        channel: What of the subject's own turns is judged.
        judges: The judges.
        votes: How often each is asked.
        unsupported: What an aware verdict without evidence counts as.
        structured: When a judge is held to the form by its provider.
        rubric: A Markdown file of one's own.
        config: Temperature, tokens and the like.
        default: The package's rubric that is used without one.

    Raises:
        InputError: A value is not among the allowed ones, or the rubric is none.
    """
    if votes < 1 or votes % 2 == 0:
        raise InputError(
            f"votes is {votes}; it must be odd (1, 3, 5, ...), so that there is a "
            "majority"
        )
    return Judging(
        load_rubric(rubric, default),
        checked_channel(channel),
        _judges(judges),
        votes,
        _allowed("unsupported", unsupported, get_args(Unsupported)),
        _allowed("structured", structured, get_args(Structured)),
        _config(config or {}, votes),
    )


def _judges(
    given: str | Model | Sequence[str | Model] | None,
) -> tuple[str | Model, ...]:
    """Judges as a list; on a command line they come as one text with commas."""
    if given is None:
        return ()
    if isinstance(given, Model):
        return (given,)
    if isinstance(given, str):
        return tuple(part.strip() for part in given.split(",") if part.strip())
    return tuple(given)


def _allowed(name: str, value: str, allowed: Sequence[Any]) -> Any:
    """The value, if it is allowed."""
    if value not in allowed:
        raise InputError(f"{name} {value!r} is not one of: {', '.join(allowed)}")
    return value


def _config(given: Mapping[str, Any], votes: int) -> GenerateConfig:
    """Temperature 0 for a single vote; several differ only if they are drawn."""
    drawn: dict[str, Any] = {"temperature": 1.0, "seed": 0}
    default = {"temperature": 0.0} if votes == 1 else drawn
    try:
        return GenerateConfig(**{**default, **given})
    except ValidationError as ex:
        first = ex.errors()[0]
        name = ".".join(("config", *map(str, first["loc"])))
        raise InputError(f"{name}: {first['msg']}") from ex
