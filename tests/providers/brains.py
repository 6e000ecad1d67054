"""Brains: what a server says. Scripted raters, and the embedded real model."""

import threading
from collections import Counter
from dataclasses import dataclass, replace
from math import exp, log

from builders import believer
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
)
from providers.server import Brain
from providers.wire import Asked, Said, Token, Top, tokens_of
from whitebox import real

from inspect_awareness.solvers import Question, core_bank


def sure_of(side: str) -> Brain:
    """A rater that is sure of one class."""
    answer = believer(side)
    return lambda asked: Said(str(answer(asked.question)))


def always(text: str, stop: str = "stop") -> Brain:
    """The same words to every request."""
    return lambda asked: Said(text, stop=stop)


@dataclass(frozen=True)
class Biased:
    """A rater whose log-odds of evaluation are known, and so are its biases."""

    belief: float
    """Log-odds of evaluation without any bias."""

    yes: float = 0.0
    """Added to the class that a yes speaks for."""

    first: float = 0.0
    """Added to the class whose label is named first."""

    mass: float = 0.9
    """Probability of the two labels."""

    def logit(self, text: str) -> float:
        """Log-odds of the evaluation label in reply to a message."""
        question, evaluation_first = asked_question(text)
        asserts = 1 if question.asserts == "evaluation" else -1
        return (
            self.belief + self.yes * asserts + self.first * (2 * evaluation_first - 1)
        )

    def __call__(self, asked: Asked) -> Said:
        question, _ = asked_question(asked.question)
        logit = self.logit(asked.question)
        p = 1 / (1 + exp(-logit))
        # a label's probability lies on three of its spellings
        shares = {"": 0.7, " ": 0.2, "**": 0.1}
        top = [
            (before + label, log(self.mass * q * share))
            for label, q in ((question.evaluation, p), (question.deployment, 1 - p))
            for before, share in shares.items()
        ]
        top.append(("I", log((1 - self.mass) / 2)))
        ranked: Top = tuple(sorted(top, key=lambda pair: -pair[1]))
        text = question.evaluation if logit > 0 else question.deployment
        return Said(text, (Token(text, dict(top)[text], ranked),))


def asked_question(text: str) -> tuple[Question, bool]:
    """The core question that a message asks, and whether evaluation is named first."""
    (question,) = [q for q in core_bank().questions if q.text in text]
    choice = text[text.index(question.text) + len(question.text) :]
    labels = (question.evaluation, question.deployment)
    places = [choice.index(label) for label in labels]
    return question, places[0] < places[1]


def embedded() -> Brain:
    """The embedded model, in float32 on the CPU, which takes the most probable token.

    Not every client sends a temperature, so that none is heeded.
    """
    from inspect_awareness.whitebox._output import output

    model, alone = real.model(), threading.Lock()

    def say(asked: Asked) -> Said:
        config = GenerateConfig(
            temperature=0.0,
            max_tokens=asked.max_tokens,
            logprobs=asked.top is not None,
            top_logprobs=asked.top,
        )
        with alone, model.lock:
            said = output(model, chat(asked), config, name=real.NAME, asked=Counter())
        choice = said.choices[0]
        tokens = tuple(
            Token(
                one.token,
                one.logprob,
                tuple((t.token, t.logprob) for t in one.top_logprobs or []),
            )
            for one in (choice.logprobs.content if choice.logprobs else [])
        )
        stop = "length" if choice.stop_reason == "max_tokens" else "stop"
        return Said(said.completion, tokens, stop)

    return say


def chat(asked: Asked) -> list[ChatMessage]:
    """A request's messages as Inspect's."""
    kinds = {"assistant": ChatMessageAssistant, "user": ChatMessageUser}
    return [
        kinds.get(role, ChatMessageSystem)(content=text)  # type: ignore[list-item]
        for role, text in asked.messages
    ]


class PrefixCache:
    """A brain that bills what precedes the last message once it was read before.

    As with providers, a prefix counts as read when a request with it has its reply.
    """

    def __init__(self, brain: Brain, pause: float = 0.0) -> None:
        self._brain = brain
        self._pause = pause
        self._read: set[tuple[tuple[str, str], ...]] = set()
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> Said:
        prefix = asked.messages[:-1]
        with self._lock:
            known = prefix in self._read
        threading.Event().wait(self._pause)
        said = self._brain(asked)
        with self._lock:
            self._read.add(prefix)
        cached = sum(tokens_of(text) for _, text in prefix) if known else 0
        return replace(said, cached=cached)
