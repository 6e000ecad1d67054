"""What a rater answers about transcripts that hold nothing: its prior."""

from dataclasses import replace
from functools import cache
from importlib.resources import files
from statistics import fmean

import anyio
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, Model

from inspect_awareness.scorers._awareness import Rule, awareness
from inspect_awareness.solvers._ask import ask
from inspect_awareness.solvers._asking import Asking, Shown
from inspect_awareness.solvers._forms import Tokens
from inspect_awareness.solvers._question import split


class ContentFree:
    """Asks each rater once about the content-free transcripts, and remembers."""

    def __init__(self, how: Asking, rule: Rule) -> None:
        feeding = [q.id for q in how.bank.feeding]
        self._how = replace(how, bank=how.bank.select(feeding)) if feeding else None
        self._rule = rule
        self._known: dict[str, dict[str, float]] = {}
        self._spent: dict[str, Tokens] = {}
        self._asking = anyio.Lock()

    async def logits(self, model: Model) -> dict[str, float]:
        """For each pair, the mean of its log-odds over the content-free transcripts.

        A pair that was not answered about all of them is left out.
        """
        async with self._asking:
            if str(model) not in self._known:
                self._known[str(model)] = await self._ask(model)
            return self._known[str(model)]

    def spent(self, model: Model) -> Tokens:
        """What asking took, told once: to the transcript for which it was done."""
        return self._spent.pop(str(model), Tokens())

    async def _ask(self, model: Model) -> dict[str, float]:
        """Ask about each of them."""
        if self._how is None:
            return {}
        made, spent = [], Tokens()
        for messages in content_free():
            what = Shown(messages, self._how.view)
            replies = await ask(what, self._how, model)
            spent += Tokens(
                replies.input_tokens, replies.output_tokens, replies.cached_tokens
            )
            made.append(awareness(replies, self._how.bank, self._rule))
        self._spent[str(model)] = spent
        logits: dict[str, list[float]] = {}
        for result in made:
            for pair in result.pairs:
                if pair.logit is not None:
                    logits.setdefault(pair.name, []).append(pair.logit)
        return {k: fmean(v) for k, v in logits.items() if len(v) == len(made)}


@cache
def content_free() -> tuple[tuple[ChatMessage, ...], ...]:
    """Transcripts of one exchange in which nothing is said."""
    folder = files("inspect_awareness.scorers").joinpath("content_free")
    found = sorted(
        (f for f in folder.iterdir() if f.name.endswith(".md")), key=lambda f: f.name
    )
    return tuple(_exchange(f.name, f.read_text(encoding="utf-8")) for f in found)


def _exchange(name: str, text: str) -> tuple[ChatMessage, ...]:
    """What the user and the assistant say, from front matter and body."""
    fields, reply = split(name, text)
    return (
        ChatMessageUser(content=str(fields["user"])),
        ChatMessageAssistant(content=reply),
    )
